#include "execute_unit.hpp"

#include <algorithm>
#include <string>

#include "fault.hpp"

namespace autocomp::gemmini {

bool ExecuteUnit::Entry::is(OperationKind kind) const {
  if (part == Part::kBubble) return kind == OperationKind::kCompute;
  return operation->kind == kind;
}
bool ExecuteUnit::Entry::flips() const { return part == Part::kWhole && operation->flip; }
Operand ExecuteUnit::Entry::a() const { return part == Part::kBubble ? Operand{} : operation->a; }
Operand ExecuteUnit::Entry::b() const { return part == Part::kBubble ? Operand{} : operation->b; }
Operand ExecuteUnit::Entry::d() const { return part == Part::kDestinationOnly ? Operand{} : operation->d; }
LocalAddress ExecuteUnit::Entry::c() const { return part == Part::kSourceOnly ? LocalAddress{} : operation->c; }

ExecuteUnit::ExecuteUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station,
                         Counters& counters, Timeline* timeline)
    : config_(config),
      clock_(clock),
      ports_(ports),
      station_(station),
      counters_(counters),
      timeline_(timeline),
      intake_(2),
      queue_(config.execute_queue_entries),
      tags_(config.array_tags()),
      results_(256),
      finished_(16) {
  streams_[2].reversed = true;
}

void ExecuteUnit::push(const Operation& operation, int slot) {
  intake_.push({&operation, slot, Part::kWhole, clock_.now() + 1});
}

// Moves one command a cycle into the queue; expands what the transposer needs.
void ExecuteUnit::unroll() {
  if (intake_.empty() || queue_.full() || intake_.front().visible > clock_.now()) return;
  Entry head = intake_.front();
  const Operation& operation = *head.operation;
  const std::uint64_t later = clock_.now() + 1;
  const bool expands = head.is(OperationKind::kPreload) && !operation.output_stationary && operation.b_transpose;
  if (expands && unroll_state_ == 0) {
    if (intake_.size() < 2 || intake_[1].visible > clock_.now()) return;
    if (intake_[1].flips()) {
      queue_.push({head.operation, -1, Part::kSourceOnly, later});
      unroll_state_ = 1;
      clock_.changed();
      return;
    }
  } else if (unroll_state_ == 1) {
    queue_.push({head.operation, -1, Part::kBubble, later});
    unroll_state_ = 2;
    clock_.changed();
    return;
  } else if (unroll_state_ == 2) {
    head.part = Part::kDestinationOnly;
    unroll_state_ = 0;
  }
  head.visible = later;
  queue_.push(head);
  intake_.pop();
  clock_.changed();
}

bool ExecuteUnit::in_flight() const {
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    if (tags_[i].slot >= 0) return true;
  }
  return false;
}

// A result still in the array starts where an operand starts. Only start addresses are compared, as the hardware does.
bool ExecuteUnit::hazard(std::size_t preload, std::size_t compute) const {
  const auto same = [](const Tag& tag, const Operand& operand) {
    return !operand.garbage && operand.accumulator == tag.c.accumulator() && operand.row == tag.c.row();
  };
  const Operand d = queue_[preload].d();
  const Operand a = visible(compute) ? queue_[compute].a() : Operand{};
  const Operand b = visible(compute) ? queue_[compute].b() : Operand{};
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const Tag& tag = tags_[i];
    if (!tag.c.garbage() && (same(tag, d) || same(tag, a) || same(tag, b))) return true;
  }
  return false;
}

// The array remembers a limited number of results; a pass may start if one will be free when its rows arrive.
bool ExecuteUnit::tag_free() {
  if (static_cast<std::int64_t>(tags_.size()) < config_.array_tags()) return true;
  const std::uint64_t entry = clock_.now() + config_.operand_read_cycles;
  if (tags_.front().free_cycle <= entry) return true;
  if (tags_.front().free_cycle != kNever) clock_.wake(tags_.front().free_cycle - config_.operand_read_cycles);
  return false;
}

// Do rows of the operand overlap those of a result that has not been written? A first, coarse look.
bool ExecuteUnit::may_be_in_array(const Operand& operand) const {
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const Tag& tag = tags_[i];
    if (tag.c.garbage() || tag.slot < 0 || tag.c.accumulator() != operand.accumulator) continue;
    const std::int64_t end = operand.row + (operand.rows - 1) * operand.stride;
    if (tag.c.row() <= end && operand.row <= tag.c.row() + (tag.rows - 1) * tag.stride) return true;
  }
  return false;
}

// The hardware compares only the rows at which operands and results start, so it would read such a row too early.
void ExecuteUnit::check_written(const Stream& stream, std::int64_t local_row) const {
  const auto early = [&] {
    throw Fault(FaultKind::kHazard,
                std::string("an operand reads ") + (stream.operand.accumulator ? "accumulator" : "scratchpad") + " row " +
                    std::to_string(local_row) + " of a result that is still in the array: the hardware waits only if both "
                    "start at the same row; use that, or put a fence between them",
                queue_.front().operation->pc);
  };
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const Result& result = results_[i];
    if (result.write && result.product < pass_ && result.accumulator == stream.operand.accumulator &&
        result.local_row == local_row) {
      early();
    }
  }
  // Sums that stay in the array have not even begun to leave it.
  if (output_stationary_ && leaving_ != nullptr && !leaving_->c.garbage() && leaving_->slot >= 0 &&
      leaving_->c.accumulator() == stream.operand.accumulator && local_row >= leaving_->c.row() &&
      local_row < leaving_->c.row() + leaving_->rows) {
    early();
  }
}

void ExecuteUnit::choose() {
  if (!visible(0)) {
    if (in_flight() && output_stationary_) {
      state_ = State::kFlush;
      clock_.changed();
    }
    if (!queue_.empty()) clock_.wake(queue_.front().visible);
    account_ = station_.waiting_for_dependency(Pool::kExecute) ? &counters_.execute_stall_dependency
                                                               : &counters_.execute_starved;
    return;
  }
  const Entry& head = queue_.front();
  account_ = &counters_.execute_stall_hazard;
  if (head.is(OperationKind::kConfigExecute)) {
    if (!in_flight() && finished_.empty()) {
      station_.complete(Pool::kExecute, head.slot);
      queue_.pop();
      clock_.changed();
      return;
    }
  } else if (head.is(OperationKind::kFlush)) {
    finished_.push(head.slot);
    queue_.pop();
    clock_.changed();
    return;
  } else if (head.is(OperationKind::kPreload)) {
    if (visible(1) && !hazard(0, 1)) {
      if (tag_free()) begin(Step::kPreload);
      return;
    }
    if (!visible(1)) account_ = &counters_.execute_starved;
  } else if (visible(1) && queue_[1].is(OperationKind::kPreload) && visible(2) && !hazard(1, 2)) {
    if (tag_free()) begin(Step::kComputeAndPreload);
    return;
  } else {
    if (tag_free()) begin(Step::kCompute);
    return;
  }
  if (in_flight() && (output_stationary_ || head.is(OperationKind::kConfigExecute))) {
    state_ = State::kFlush;
    clock_.changed();
  }
  for (std::size_t i = 1; i < queue_.size(); ++i) clock_.wake(std::max(queue_[i].visible, clock_.now() + 1));
}

void ExecuteUnit::begin(Step step) {
  step_ = step;
  start_cycle_ = clock_.now();
  ++pass_;
  const bool alone = step == Step::kPreload;
  const Operation& head = *queue_.front().operation;
  output_stationary_ = head.output_stationary;
  const bool a_through_transposer = head.output_stationary != head.a_transpose;
  const bool b_through_transposer = head.output_stationary && head.b_transpose;
  const bool d_through_transposer = !head.output_stationary && head.b_transpose;
  // What goes through the transposer is read one pass ahead.
  const auto from = [&](bool transposed) -> const Entry& {
    return queue_[alone ? 1 : (transposed && step == Step::kComputeAndPreload) ? 2 : 0];
  };
  const bool computes = step != Step::kPreload;
  const auto takes_part = [&](bool transposed) {
    if (step == Step::kComputeAndPreload) return true;
    return step == Step::kPreload ? transposed : !transposed;
  };
  streams_[0].operand = from(a_through_transposer).a();
  streams_[1].operand = from(b_through_transposer).b();
  streams_[2].operand = computes ? (step == Step::kComputeAndPreload ? queue_[1].d() : Operand{}) : queue_[0].d();
  const bool inputs[3] = {takes_part(a_through_transposer), takes_part(b_through_transposer), step != Step::kCompute};
  live_ = 0;
  for (int i = 0; i < 3; ++i) {
    streams_[i].live = inputs[i] && !streams_[i].operand.garbage;
    streams_[i].fired = 0;
    streams_[i].suspect = streams_[i].live && may_be_in_array(streams_[i].operand);
    live_ += streams_[i].live;
  }
  total_rows_ = config_.dim;
  if (!head.output_stationary && !streams_[2].live && !a_through_transposer && !d_through_transposer) {
    const std::int64_t a_rows = streams_[0].live ? streams_[0].operand.rows : 1;
    const std::int64_t b_rows = streams_[1].live ? streams_[1].operand.rows : 1;
    total_rows_ = std::max({a_rows, b_rows, config_.least_rows});
  }
  while (!tags_.empty() && static_cast<std::int64_t>(tags_.size()) >= config_.array_tags()) tags_.pop();
  Tag tag;
  tag.pass = pass_ + (head.output_stationary ? 2 : 1);
  if (step != Step::kCompute) {
    const Entry& preload = queue_[alone ? 0 : 1];
    tag.c = preload.c();
    tag.rows = preload.operation->c_rows;
    tag.stride = preload.operation->c_stride;
    tag.slot = tag.c.garbage() ? -1 : preload.slot;
  }
  tags_.push(tag);
  find_leaving();
  state_ = State::kStreaming;
  stream();
}

// Up to one row of each operand. An operand never runs more than a row ahead of another; of two that want the same bank
// the one of lower priority waits, also when the other cannot go.
void ExecuteUnit::stream() {
  const std::int64_t row = std::min({streams_[0].fired, streams_[1].fired, streams_[2].fired});
  bool conflict = false, lost = false;
  int banks[3] = {-1, -1, -1};
  std::int64_t fired[3];
  for (int i = 0; i < 3; ++i) {
    Stream& stream = streams_[i];
    fired[i] = stream.fired;
    if (stream.fired != row) continue;
    bool fires = true;
    if (stream.live) {
      const Operand& operand = stream.operand;
      const std::int64_t index = stream.index(config_.dim);
      const std::int64_t local_row = operand.row + index * operand.stride;
      banks[i] = operand.accumulator ? ports_.accumulator_bank(local_row) : ports_.scratchpad_bank(local_row);
      for (int j = 0; j < i; ++j) {
        if (banks[j] < 0 || streams_[j].operand.accumulator != operand.accumulator) continue;
        if (operand.accumulator || banks[j] == banks[i]) {
          fires = false;
          conflict = true;
          shared_bank_ = operand.accumulator ? 64 + banks[i] : banks[i];
        }
      }
      if (fires && index < operand.rows) {
        if (ports_.readable(operand.accumulator, banks[i])) {
          if (stream.suspect) check_written(stream, local_row);
          ports_.read(operand.accumulator, banks[i]);
        } else {
          fires = false;
          lost = true;
        }
      }
    }
    if (fires) fired[i] = row + 1;
  }
  for (int i = 0; i < 3; ++i) streams_[i].fired = fired[i];
  const bool advances = fired[0] > row && fired[1] > row && fired[2] > row;
  account_ = advances ? &counters_.execute_busy
             : lost   ? &counters_.execute_stall_write_conflict
             : conflict ? &counters_.execute_stall_bank_conflict
                        : &counters_.execute_busy;
  clock_.changed();
  if (!advances) return;
  enter_array(row, total_rows_, clock_.now() + config_.operand_read_cycles);
  if (row + 1 < total_rows_) return;
  if (shared_bank_ >= 0) ++counters_.bank_conflict_steps[shared_bank_];
  shared_bank_ = -1;
  finish();
}

// After a change of dataflow two results can be due with the same pass. The array was drained of results that are
// written before the change, so the older one is garbage: it only gives its place back.
void ExecuteUnit::find_leaving() {
  leaving_ = nullptr;
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    if (tags_[i].pass != pass_) continue;
    if (leaving_ != nullptr) leaving_->free_cycle = clock_.now();
    leaving_ = &tags_[i];
  }
}

// Row `row` of a pass enters the array in `cycle`; the row of the result that it pushes out leaves a fixed time later.
void ExecuteUnit::enter_array(std::int64_t row, std::int64_t rows, std::uint64_t cycle) {
  array_busy_until_ = cycle + 1;
  if (leaving_ == nullptr) return;
  Tag& tag = *leaving_;
  const bool last = row + 1 == rows;
  const std::uint64_t leaves = cycle + config_.array_cycles();
  if (last) tag.free_cycle = leaves;
  if (tag.slot < 0) {
    if (last) results_.push({leaves, false, false, false, true, 0, -1});
    return;
  }
  const std::int64_t c_row = output_stationary_ ? rows - 1 - row : row;
  Result result{leaves, c_row < tag.rows, tag.c.accumulator(), tag.c.accumulate(), last, 0, tag.slot};
  if (!result.write && !last) return;
  const std::int64_t local_row = tag.c.row() + c_row * tag.stride;
  result.bank = result.accumulator ? ports_.accumulator_bank(local_row) : ports_.scratchpad_bank(local_row);
  result.local_row = local_row;
  result.product = output_stationary_ ? pass_ - 1 : pass_;
  results_.push(result);
}

void ExecuteUnit::finish() {
  const std::size_t count = step_ == Step::kComputeAndPreload ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& entry = queue_.front();
    const bool preload = entry.is(OperationKind::kPreload);
    if (entry.slot >= 0 && (!preload || entry.c().garbage())) finished_.push(entry.slot);
    if (timeline_ != nullptr && entry.part == Part::kWhole) {
      const Operation& operation = *entry.operation;
      // A compute and the preload beside it stream the same rows.
      const auto work = static_cast<std::uint64_t>(i == 0 ? total_rows_ : 0);
      timeline_->spans.push_back({Unit::kExecute, operation.funct, operation.index, operation.pc, start_cycle_,
                                  clock_.now() + 1, work});
    }
    queue_.pop();
  }
  state_ = State::kWaiting;
}

void ExecuteUnit::write_results() {
  const std::uint64_t now = clock_.now();
  bool reported = false;
  while (!results_.empty() && results_.front().cycle <= now) {
    const Result result = results_.front();
    results_.pop();
    if (result.write) ports_.write(result.accumulator, result.bank, result.accumulate);
    if (result.last && result.slot >= 0) {
      station_.complete(Pool::kExecute, result.slot);
      reported = true;
    }
    if (result.last) clock_.changed();
  }
  while (!tags_.empty() && tags_.front().free_cycle <= now) tags_.pop();
  if (!reported && !finished_.empty()) {
    station_.complete(Pool::kExecute, finished_.front());
    finished_.pop();
    clock_.changed();
  }
  if (!results_.empty()) clock_.wake(results_.front().cycle);
}

void ExecuteUnit::step() {
  account_ = nullptr;
  const State before = state_;
  switch (state_) {
    case State::kWaiting:
      choose();
      break;
    case State::kStreaming:
      stream();
      break;
    case State::kFlush:  // the array first absorbs what was read for it
      account_ = &counters_.execute_stall_hazard;
      if (clock_.now() < array_busy_until_) {
        clock_.wake(array_busy_until_);
        break;
      }
      ++pass_;
      find_leaving();
      for (std::int64_t row = 0; row < config_.dim; ++row) enter_array(row, config_.dim, clock_.now() + 1 + row);
      flush_end_ = clock_.now() + config_.dim + 1;
      state_ = State::kFlushing;
      clock_.wake(flush_end_);
      break;
    case State::kFlushing:
      account_ = &counters_.execute_stall_hazard;
      if (clock_.now() >= flush_end_) {
        state_ = State::kWaiting;
        clock_.changed();
      } else {
        clock_.wake(flush_end_);
      }
      break;
  }
  if (before == State::kWaiting && !busy()) account_ = nullptr;
  unroll();
  if (!intake_.empty()) clock_.wake(std::max(intake_.front().visible, clock_.now() + 1));
}

}  // namespace autocomp::gemmini
