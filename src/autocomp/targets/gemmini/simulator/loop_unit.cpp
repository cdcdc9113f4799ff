#include "loop_unit.hpp"

namespace autocomp::gemmini {

LoopUnit::LoopUnit(const Config& config, Clock& clock, const ReservationStation& station, Origin origin,
                   int latency_cycles)
    : clock_(clock),
      station_(station),
      origin_(origin),
      latency_(latency_cycles),
      limits_{static_cast<std::uint64_t>(config.reservation_load_entries),
              static_cast<std::uint64_t>(config.reservation_execute_entries),
              static_cast<std::uint64_t>(config.reservation_store_entries)} {}

LoopUnit::Place LoopUnit::place(LoopStream stream) const {
  const Stream& state = streams_[stream];
  Place out;
  out.idle = idle(state);
  out.slot = state.slot;
  if (!state.active || plans_[state.slot]->steps[stream].empty()) return out;
  const LoopStep& step = plans_[state.slot]->steps[stream][state.next];
  out.i = step.i;
  out.j = step.j;
  out.k = step.k;
  out.blocks = step.blocks;
  return out;
}

// Commands of the unroller in flight, those still before the reservation station included, never exceed the pool.
bool LoopUnit::overloaded(Pool pool) const {
  const int index = static_cast<int>(pool);
  return sent_[index] - station_.completions(origin_, pool) >= limits_[index];
}

void LoopUnit::take(std::shared_ptr<const LoopPlan> plan, int slot) {
  plans_[slot] = std::move(plan);
  slots_[slot] = Slot{};
  slots_[slot].configured = true;
  clock_.changed();
}

// Streams that are free go over to the next loop. The array's stream waits until all loads of the loop have begun, the
// store's until the array's has.
void LoopUnit::start(std::array<Stream, kLoopStreams>& streams, std::array<Slot, 2>& slots) const {
  for (int stream = 0; stream < kLoopStreams; ++stream) {
    const int slot = slots_[head_].started[stream] ? 1 - head_ : head_;
    const Slot& loop = slots_[slot];
    if (!loop.configured || loop.started[stream] || !idle(streams_[stream])) continue;
    const bool loads = loop.started[kLoopA] && loop.started[kLoopB] && loop.started[kLoopD];
    if (stream == kLoopExecute && !loads) continue;
    if (stream == kLoopStore && !loop.started[kLoopExecute] && !plans_[slot]->residual) continue;
    streams[stream] = Stream{true, slot, 0, {}};
    slots[slot].running = true;
    slots[slot].started[stream] = true;
    clock_.changed();
  }
}

// Everything is decided on the state at the beginning of the cycle.
const Operation* LoopUnit::step(bool room) {
  if (!busy()) return nullptr;
  std::array<Stream, kLoopStreams> streams = streams_;
  std::array<Slot, 2> slots = slots_;

  // What each stream has to send: computed in this cycle, or before if that takes time.
  std::array<bool, kLoopStreams> computes{}, valid{};
  for (int stream = 0; stream < kLoopStreams; ++stream) {
    const Stream& state = streams_[stream];
    const auto name = static_cast<LoopStream>(stream);
    if (!state.active) {
      valid[stream] = latency_ > 0 && state.pipe[latency_ - 1] != nullptr;
      continue;
    }
    const std::vector<LoopStep>& steps = plans_[state.slot]->steps[stream];
    if (steps.empty()) {
      streams[stream].active = false;
      clock_.changed();
    } else if (steps[state.next].bubble) {
      streams[stream].active = ++streams[stream].next < steps.size();
      clock_.changed();
    } else {
      computes[stream] = ready(name);
    }
    valid[stream] = latency_ > 0 ? state.pipe[latency_ - 1] != nullptr : computes[stream];
  }
  for (int stream = 0; stream < kLoopStreams; ++stream) {
    const Pool pool = stream == kLoopExecute ? Pool::kExecute : stream == kLoopStore ? Pool::kStore : Pool::kLoad;
    valid[stream] = valid[stream] && !overloaded(pool);
  }
  const int sender = room ? choose(valid) : -1;

  const Operation* sent = nullptr;
  for (int stream = 0; stream < kLoopStreams; ++stream) {
    Stream& state = streams[stream];
    const LoopStep* computed =
        computes[stream] ? &plans_[state.slot]->steps[stream][streams_[stream].next] : nullptr;
    if (latency_ == 0) {
      if (stream != sender) continue;
      sent = &computed->operation;
    } else {
      if (stream == sender) {
        sent = &state.pipe[latency_ - 1]->operation;
        state.pipe[latency_ - 1] = nullptr;
      }
      for (int stage = latency_ - 1; stage > 0; --stage) {
        if (state.pipe[stage] != nullptr || state.pipe[stage - 1] == nullptr) continue;
        state.pipe[stage] = state.pipe[stage - 1];
        state.pipe[stage - 1] = nullptr;
        clock_.changed();
      }
      if (computed == nullptr || state.pipe[0] != nullptr) continue;
      state.pipe[0] = computed;
    }
    clock_.changed();
    if (++state.next == plans_[state.slot]->steps[stream].size()) state.active = false;
  }
  if (sender >= 0) {
    ++sent_[static_cast<int>(sent->pool())];
    clock_.changed();
  }

  start(streams, slots);
  for (int stream = 0; stream < kLoopStreams; ++stream) {
    const int slot = streams_[stream].slot;
    if (idle(streams_[stream]) && slots_[slot].running && slots_[slot].started[stream] &&
        !slots_[slot].completed[stream]) {
      slots[slot].completed[stream] = true;
      clock_.changed();
    }
  }
  if (slots_[head_].running && slots_[head_].through()) {
    slots[head_] = Slot{};
    head_ = 1 - head_;
    clock_.changed();
  }
  streams_ = streams;
  slots_ = slots;
  return sent;
}

// The array may go on with a tile once the loads of its operands have been sent; D is waited for as a whole. A store
// goes when the last product of its tiles has been sent.
bool MatmulLoopUnit::ready(LoopStream stream) const {
  const Place a = place(kLoopA), b = place(kLoopB);
  if (stream == kLoopExecute) {
    const Place d = place(kLoopD), at = place(kLoopExecute);
    const bool a_ahead = a.slot != at.slot || a.idle || a.k > at.k || (a.k == at.k && a.i > at.i);
    // For B the unit compares the k of A: they are the same where it matters.
    const bool b_ahead = b.slot != at.slot || b.idle || b.k > at.k || (a.k == at.k && b.j > at.j);
    return a_ahead && b_ahead && (d.slot != at.slot || d.idle);
  }
  if (stream == kLoopStore) {
    const Place at = place(kLoopStore);
    if (plan(kLoopStore)->residual) {
      const bool loaded = (a.slot != at.slot || a.idle) && (b.slot != at.slot || b.idle);
      return loaded || b.k > at.i || (b.k == at.i && b.j >= at.j + at.blocks);
    }
    const Place execute = place(kLoopExecute);
    return execute.slot != at.slot || execute.idle ||
           (execute.k == plan(kLoopStore)->last_k &&
            (execute.j >= at.j + at.blocks || (execute.j == at.j + at.blocks - 1 && execute.i > at.i)));
  }
  return true;
}

int MatmulLoopUnit::choose(const std::array<bool, kLoopStreams>& valid) const {
  for (LoopStream stream : {kLoopStore, kLoopExecute, kLoopD}) {
    if (valid[stream]) return stream;
  }
  // Of two loops the older first; in one, A unless it is a column of tiles ahead, or B has not begun.
  const Place a = place(kLoopA), b = place(kLoopB);
  LoopStream chosen;
  const bool residual = plan(kLoopA) != nullptr && plan(kLoopA)->residual;
  if (residual ? a.slot == b.slot && !a.idle : a.slot != b.slot && a.slot == head()) {
    chosen = kLoopA;
  } else if ((a.slot != b.slot && b.slot == head()) || (residual && a.idle)) {
    chosen = kLoopB;
  } else if (a.idle) {
    chosen = kLoopB;
  } else if (b.idle) {
    chosen = kLoopA;
  } else {
    chosen = a.k > b.k || (b.k == 0 && b.j == 0) ? kLoopB : kLoopA;
  }
  return valid[chosen] ? chosen : -1;
}

// A convolution computes only when everything that it needs has been sent, and the loads for the next one wait for that.
bool ConvolutionLoopUnit::ready(LoopStream stream) const {
  const Place execute = place(kLoopExecute);
  if (stream == kLoopExecute) {
    for (LoopStream load : {kLoopA, kLoopB, kLoopD}) {
      const Place at = place(load);
      if (at.slot == execute.slot && !at.idle) return false;
    }
    return true;
  }
  if (stream == kLoopStore) return execute.slot != place(kLoopStore).slot || execute.idle;
  const int slot = execute.slot;
  const bool waits = started(kLoopExecute, slot) && !completed(kLoopExecute, slot) &&
                     !(completed(kLoopA, slot) && completed(kLoopB, slot) && completed(kLoopD, slot));
  return !(waits && place(stream).slot != slot);
}

int ConvolutionLoopUnit::choose(const std::array<bool, kLoopStreams>& valid) const {
  for (LoopStream stream : {kLoopStore, kLoopExecute, kLoopD, kLoopB, kLoopA}) {
    if (valid[stream]) return stream;
  }
  return -1;
}

}  // namespace autocomp::gemmini
