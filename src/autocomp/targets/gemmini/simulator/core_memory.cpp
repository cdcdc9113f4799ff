// The core's way to memory, caches and the accelerator.
#include <sstream>

#include "core_inline.hpp"

namespace autocomp::gemmini {

namespace {

// From COUNTER_OP to its value in the register: through the command queue and back. An estimate.
constexpr std::uint64_t kCounterAnswerCycles = 4;

// Commands whose rs1 is an address in memory; the loop commands may touch anything.
bool is_move(std::uint8_t funct) { return funct == 2 || funct == 1 || funct == 14 || funct == 3; }
bool is_loop(std::uint8_t funct) { return funct == 8 || funct == 15; }
constexpr std::uint8_t kFlush = 7;

}  // namespace

std::uint8_t* Core::data_slowly(std::uint64_t address, std::uint64_t size, bool is_store) {
  if ((address & (size - 1)) != 0) {
    std::ostringstream out;
    out << (is_store ? "store to" : "load from") << " 0x" << std::hex << address << std::dec << " is not aligned to "
        << size << " bytes";
    throw Fault(FaultKind::kMisaligned, out.str());
  }
  std::uint8_t* bytes = is_store ? memory_.write(address, size) : const_cast<std::uint8_t*>(memory_.read(address, size));
  Region* region = memory_.find(address);
  const auto index = static_cast<std::size_t>(region - memory_.regions().data());
  const bool shared = commands_pending_ && shared_regions_[index];
  if (shared && accelerator_.touches(address, size, is_store)) {
    const bool is_result = accelerator_.touches(address, size, false);
    throw Fault(FaultKind::kHazard, std::string(is_store ? "store to " : "load from ") + region->name +
                                        " at byte offset " + std::to_string(address - region->base) +
                                        (is_result ? ", which an mvout in flight still writes"
                                                   : ", which an mvin in flight still reads") +
                                        ": a fence is missing");
  }
  std::swap(windows_[0], windows_[1]);
  windows_[0] = {region->base, region->size, region->bytes.data(), region->writable, shared};
  return bytes;
}

void Core::mark_shared(const Instruction& in) {
  commands_pending_ = true;
  if (is_loop(in.minor)) {
    shared_regions_.assign(shared_regions_.size(), true);
    windows_[0] = windows_[1] = Window{};
    return;
  }
  const std::uint64_t address = registers_[in.source1];
  const auto& regions = memory_.regions();
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (address - regions[i].base >= regions[i].size || shared_regions_[i]) continue;
    shared_regions_[i] = true;
    for (Window& window : windows_) {
      if (window.base == regions[i].base) window = Window{};
    }
  }
}

// For the timeline: the core worked until `from` and waits for the accelerator until `to`.
void Core::waited(std::uint64_t from, std::uint64_t to) {
  if (timeline_ == nullptr || to <= from) return;
  if (from > working_since_) timeline_->spans.push_back({Unit::kCore, 0, 0, pc_, working_since_, from, from - working_since_});
  working_since_ = to;
}

template <bool kTiming>
void Core::send(const Instruction& in) {
  if (is_move(in.minor) || is_loop(in.minor)) mark_shared(in);
  const std::uint64_t offered = kTiming ? cycle_ - 1 : cycle_;
  if (in.minor == kCounterOperation) {
    if (!may_read_clock_) {
      throw Fault(FaultKind::kTrap, "reads a hardware counter (COUNTER_OP): what a kernel does may not depend on whether "
                                    "it is timed");
    }
    const std::uint64_t value = accelerator_.count({in.minor, registers_[in.source1], registers_[in.source2], pc_}, offered);
    registers_[in.destination] = value;
    if constexpr (kTiming) ready_[in.destination] = cycle_ + kCounterAnswerCycles;
    return;
  }
  const std::uint64_t taken =
      accelerator_.issue({in.minor, registers_[in.source1], registers_[in.source2], pc_}, offered);
  if constexpr (kTiming) {
    counters_.core_command_stall += taken - offered;
    waited(offered, taken);
    cycle_ = taken + 1;
  }
  registers_[in.destination] = 0;
}

template <bool kTiming>
void Core::fence() {
  if constexpr (kTiming) {
    const std::uint64_t reached = std::max(cycle_ - 1, data_free_);
    const std::uint64_t idle = accelerator_.drain(reached);
    counters_.core_fence_stall += idle - std::min(idle, cycle_ - 1);
    waited(cycle_ - 1, idle);
    cycle_ = std::max(cycle_, idle + 1);
  } else {
    accelerator_.drain(cycle_);
  }
  if (commands_pending_) {
    commands_pending_ = false;
    shared_regions_.assign(shared_regions_.size(), false);
    windows_[0] = windows_[1] = Window{};
  }
}

void Core::fetch(std::uint64_t pc) {
  fetched_line_ = pc >> FirstLevelCache::kLineBits;
  if (icache_.access(pc, false)) return;
  icache_.fill(pc, false);
  ++counters_.core_icache_misses;
  const std::uint64_t request = cycle_ + static_cast<std::uint64_t>(config_.core_fetch_request_cycles);
  accelerator_.advance(request);
  const std::uint64_t line = fetched_line_ << FirstLevelCache::kLineBits;
  const std::uint64_t done = l2_.fetch(line, request) + static_cast<std::uint64_t>(config_.core_fetch_refill_cycles);
  counters_.core_fetch_stall += done - cycle_;
  cycle_ = done;
}

void Core::miss(std::uint64_t address, bool is_store, std::uint8_t destination) {
  ++counters_.core_dcache_misses;
  const std::uint64_t line = address >> FirstLevelCache::kLineBits << FirstLevelCache::kLineBits;
  const FirstLevelCache::Victim victim = dcache_.fill(address, is_store);
  std::uint64_t request = cycle_ - 1 + static_cast<std::uint64_t>(config_.core_data_request_cycles);
  accelerator_.advance(request);
  if (victim.dirty) {
    l2_.release(victim.address, request);
    request += static_cast<std::uint64_t>(config_.core_writeback_cycles);
    accelerator_.advance(request);
  }
  const std::uint64_t done = l2_.acquire(line, request) + static_cast<std::uint64_t>(config_.core_data_refill_cycles);
  data_free_ = done;
  ready_[destination] = done;
  if (is_store) {  // a store that misses is replayed until its line is there; a load only holds up its users
    counters_.core_data_stall += done + 1 - cycle_;
    cycle_ = done + 1;
  }
}

void Core::pretend_to_write(std::uint64_t address, std::uint64_t bytes) {
  if (!timing_) return;
  constexpr std::uint64_t kLineBytes = 1u << FirstLevelCache::kLineBits;
  constexpr std::uint64_t kCyclesPerLine = 8 * 3;  // eight stores and the loop around them
  for (std::uint64_t at = address / kLineBytes * kLineBytes; at < address + bytes; at += kLineBytes) {
    cycle_ = std::max(cycle_, data_free_ + 1);
    if (!dcache_.access(at, true)) miss(at, true, kNowhere);
    cycle_ += kCyclesPerLine;
  }
}

void Core::pretend_to_load(std::uint64_t address, std::uint64_t bytes) {
  if (!timing_) return;
  constexpr std::uint64_t kLineBytes = 1u << FirstLevelCache::kLineBits;
  for (std::uint64_t at = address / kLineBytes * kLineBytes; at < address + bytes; at += kLineBytes) {
    cycle_ = std::max(cycle_, l2_.read(at, kLineBytes, cycle_)) + 4;
  }
}

void Core::flush_accelerator() {
  const std::uint64_t reached = std::max(cycle_, data_free_ + 1);
  cycle_ = accelerator_.drain(accelerator_.issue({kFlush, 0, 0, 0}, reached) + 1) + 1;
}

template <bool kTiming, typename T>
void Core::atomic(const Instruction& in) {
  const std::uint64_t address = registers_[in.source1];
  const bool is_load = in.op == Op::kLoadReserved;
  std::uint8_t* bytes = data(address, sizeof(T), !is_load);
  access_timing<kTiming>(address, !is_load, in.destination, 3);
  T old;
  std::memcpy(&old, bytes, sizeof(T));
  const T operand = static_cast<T>(registers_[in.source2]);
  using Unsigned = std::make_unsigned_t<T>;
  if (in.op == Op::kStoreConditional) {
    const bool succeeds = reservation_ == address;
    reservation_ = ~std::uint64_t{0};
    if (succeeds) std::memcpy(bytes, &operand, sizeof(T));
    registers_[in.destination] = succeeds ? 0 : 1;
    return;
  }
  registers_[in.destination] = static_cast<std::uint64_t>(static_cast<std::int64_t>(old));
  if (is_load) {
    reservation_ = address;
    return;
  }
  T value = operand;
  switch (in.minor) {
    case 0x00: value = static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand)); break;
    case 0x01: break;  // swap
    case 0x04: value = old ^ operand; break;
    case 0x08: value = old | operand; break;
    case 0x0c: value = old & operand; break;
    case 0x10: value = std::min(old, operand); break;
    case 0x14: value = std::max(old, operand); break;
    case 0x18: value = static_cast<T>(std::min(static_cast<Unsigned>(old), static_cast<Unsigned>(operand))); break;
    default: value = static_cast<T>(std::max(static_cast<Unsigned>(old), static_cast<Unsigned>(operand))); break;
  }
  std::memcpy(bytes, &value, sizeof(T));
}

template void Core::send<true>(const Instruction&);
template void Core::send<false>(const Instruction&);
template void Core::fence<true>();
template void Core::fence<false>();
template void Core::atomic<true, std::int32_t>(const Instruction&);
template void Core::atomic<false, std::int32_t>(const Instruction&);
template void Core::atomic<true, std::int64_t>(const Instruction&);
template void Core::atomic<false, std::int64_t>(const Instruction&);

}  // namespace autocomp::gemmini
