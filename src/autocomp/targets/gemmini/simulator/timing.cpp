#include "timing.hpp"

#include <algorithm>

#include "fault.hpp"

namespace autocomp::gemmini {

namespace {

// Far more than passes from the completion of one command to that of the next.
constexpr std::uint64_t kMostWaitCycles = 5'000'000;
// The queue behind an unroller; two of them lie between the front end and the reservation station.
constexpr std::size_t kUnrolledEntries = 2;

[[noreturn]] void throw_deadlock() {
  throw Fault(FaultKind::kIllegalCommand,
              "the accelerator waits for itself for ever: most likely a load between a preload and its compute "
              "overwrites what the preload reads, while the compute needs what it loads; put the load before the preload");
}

}  // namespace

Timing::Timing(const Config& config, L2& l2, Counters& counters, Timeline* timeline)
    : config_(config),
      counters_(counters),
      ports_(config),
      station_(config, clock_),
      memory_(config, l2, counters),
      load_(config, clock_, ports_, station_, memory_, counters, timeline),
      store_(config, clock_, ports_, station_, memory_, counters, timeline),
      execute_(config, clock_, ports_, station_, counters, timeline),
      front_end_(config.front_end_queue_entries - 2 * kUnrolledEntries),
      between_(kUnrolledEntries),
      unrolled_(kUnrolledEntries),
      convolutions_(config, clock_, station_),
      matmuls_(config, clock_, station_) {}

// Head of the queue in, unless its pool is full.
void Timing::allocate() {
  front_end_account_ = nullptr;
  if (unrolled_.empty()) return;
  const Waiting& head = unrolled_.front();
  if (head.arrival > clock_.now()) {
    clock_.wake(head.arrival);
    return;
  }
  const Pool pool = head.operation.pool();
  if (station_.full(pool)) {
    front_end_account_ = pool == Pool::kLoad    ? &counters_.front_end_blocked_load_pool
                         : pool == Pool::kStore ? &counters_.front_end_blocked_store_pool
                                                : &counters_.front_end_blocked_execute_pool;
    return;
  }
  if (head.operation.kind == OperationKind::kFlush) {
    memory_.translation().flush();
  } else {
    station_.allocate(head.operation);
  }
  unrolled_.pop();
  clock_.changed();
}

// A cycle of one unroller, `distance` cycles before the reservation station. Commands of the program pass it as soon as
// it has no loop.
void Timing::unroll(LoopUnit& unit, bool convolution, Ring<Waiting>& before, Ring<Waiting>& behind,
                    std::uint64_t distance, bool room) {
  const bool accepts = unit.accepts(), passes = !unit.busy();
  const int slot = unit.free_slot();
  if (const Operation* sent = unit.step(room); sent != nullptr) {
    behind.push({*sent, clock_.now() + distance, false, nullptr});
  }
  while (!before.empty()) {
    Waiting& head = before.front();
    if (head.operation.kind != OperationKind::kLoop || head.convolution != convolution) {
      if (!passes || behind.full()) return;
      behind.push(head);
      head.plan.reset();
      before.pop();
      clock_.changed();
      continue;
    }
    if (!accepts) return;
    if (head.arrival > clock_.now() + distance) {
      clock_.wake(head.arrival - distance);
      return;
    }
    if (head.plan != nullptr) unit.take(std::move(head.plan), slot);
    head.plan.reset();
    before.pop();
    clock_.changed();
    return;
  }
}

void Timing::unroll(bool room_behind_matmuls) {
  const bool room = between_.size() < kUnrolledEntries;
  unroll(matmuls_, false, between_, unrolled_, 1, room_behind_matmuls);
  unroll(convolutions_, true, front_end_, between_, 2, room);
}

void Timing::hand_over() {
  if (load_.accepts()) {
    if (const int slot = station_.ready(Pool::kLoad); slot >= 0) {
      load_.push(station_.operation(Pool::kLoad, slot), slot);
      station_.issue(Pool::kLoad, slot);
    }
  }
  if (store_.accepts()) {
    if (const int slot = station_.ready(Pool::kStore); slot >= 0) {
      store_.push(station_.operation(Pool::kStore, slot), slot);
      station_.issue(Pool::kStore, slot);
    }
  }
  if (execute_.accepts()) {
    if (const int slot = station_.ready(Pool::kExecute); slot >= 0) {
      execute_.push(station_.operation(Pool::kExecute, slot), slot);
      station_.issue(Pool::kExecute, slot);
    }
  }
}

void Timing::step() {
  ports_.clear();
  const bool room = unrolled_.size() < kUnrolledEntries;  // what leaves in this cycle makes room for the next
  allocate();
  unroll(room);
  hand_over();
  execute_.write_results();
  load_.write_rows();
  execute_.step();
  store_.step();
  load_.step();
  station_.step();
}

bool Timing::idle() const {
  return front_end_.empty() && between_.empty() && unrolled_.empty() && !convolutions_.busy() && !matmuls_.busy() &&
         station_.idle() && !store_.busy() && !load_.reading();
}

void Timing::account(std::uint64_t cycles) {
  const auto add = [&](int unit, std::uint64_t* counter, const std::uint64_t* busy, auto waiting_pc) {
    if (counter == nullptr) return;
    *counter += cycles;
    if (counter == busy) return;
    if (const std::uint64_t pc = waiting_pc(); pc != 0) counters_.losses.add(unit, counter, pc, cycles);
  };
  // A full pool of execute commands is how a busy array looks from the front: nothing is lost.
  // What blocks the front end is the command behind the unrollers, which has not left its queue.
  add(0, front_end_account_, &counters_.front_end_blocked_execute_pool, [&] { return unrolled_.front().operation.pc; });
  add(1, load_.account(), &counters_.load_busy, [&] { return load_.waiting_pc(); });
  add(2, store_.account(), &counters_.store_busy, [&] { return store_.waiting_pc(); });
  add(3, execute_.account(), &counters_.execute_busy, [&] { return execute_.waiting_pc(); });
}

void Timing::advance(std::uint64_t cycle) {
  while (stepped_ < cycle) {
    clock_.set(stepped_);
    step();
    const std::uint64_t next = std::min(clock_.next(), cycle);
    account(next - stepped_);
    stepped_ = next;
  }
}

void Timing::check_progress() {
  if (station_.completions() != progress_.completions) progress_ = {station_.completions(), stepped_};
  if (stepped_ > progress_.cycle + kMostWaitCycles) throw_deadlock();
}

std::uint64_t Timing::enter(Waiting waiting, std::uint64_t cycle) {
  advance(cycle);
  progress_ = {station_.completions(), stepped_};
  while (front_end_.full()) {
    advance(stepped_ + 1);
    check_progress();
  }
  const std::uint64_t taken = std::max(cycle, stepped_);
  waiting.arrival = taken + config_.front_end_cycles;
  front_end_.push(waiting);
  return taken;
}

std::uint64_t Timing::issue(const Operation& operation, std::uint64_t cycle) {
  return enter({operation, 0, false, nullptr}, cycle);
}

std::uint64_t Timing::issue_loop(const Operation& operation, bool convolution, std::shared_ptr<const LoopPlan> plan,
                                 std::uint64_t cycle) {
  return enter({operation, 0, convolution, std::move(plan)}, cycle);
}

std::uint64_t Timing::drain(std::uint64_t cycle) {
  advance(cycle);
  if (idle()) return cycle;
  progress_ = {station_.completions(), stepped_};
  while (!idle()) {
    check_progress();
    clock_.set(stepped_);
    step();
    if (clock_.next() == kNever && idle()) break;
    // Nobody knows when it will go on: look at every cycle.
    const std::uint64_t next = clock_.next() == kNever ? stepped_ + 1 : clock_.next();
    account(next - stepped_);
    stepped_ = next;
  }
  return std::max(cycle, stepped_ + config_.fence_cycles);
}

}  // namespace autocomp::gemmini
