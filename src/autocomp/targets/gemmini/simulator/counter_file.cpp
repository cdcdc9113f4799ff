#include "counter_file.hpp"

#include <string>

#include "fault.hpp"

namespace autocomp::gemmini {

namespace {

constexpr unsigned kDisabled = 0;
constexpr unsigned kLoadActive = 9, kStoreActive = 12, kExecuteActive = 24, kStationFull = 41;
constexpr unsigned kBytesRead = 4, kBytesWritten = 5;  // external

}  // namespace

std::uint64_t CounterFile::total(const Register& counter) const {
  if (counter.event == kDisabled) return 0;
  if (counter.external) return counter.event == kBytesRead ? counters_.bytes_loaded : counters_.bytes_stored;
  switch (counter.event) {
    case kLoadActive: return counters_.load_busy;
    case kStoreActive: return counters_.store_busy;
    case kExecuteActive: return counters_.execute_busy;
    default:
      return counters_.front_end_blocked_load_pool + counters_.front_end_blocked_store_pool +
             counters_.front_end_blocked_execute_pool;
  }
}

std::uint32_t CounterFile::value(const Register& counter) const {
  return static_cast<std::uint32_t>(total(counter) - counter.zero);
}

std::uint64_t CounterFile::operate(std::uint64_t rs1) {
  const bool resets = rs1 & 1, ends_snapshot = rs1 >> 1 & 1, takes_snapshot = rs1 >> 2 & 1, configures = rs1 >> 3 & 1;
  Register& chosen = registers_[rs1 >> 4 & 7];
  const std::uint32_t result = snapshot_ ? static_cast<std::uint32_t>(chosen.snapshot) : value(chosen);
  if (ends_snapshot) {
    snapshot_ = false;
  } else if (takes_snapshot) {
    snapshot_ = true;
    for (Register& counter : registers_) counter.snapshot = value(counter);
  }
  if (configures) {
    const unsigned event = rs1 >> 12 & 63;
    const bool external = rs1 >> 31 & 1;
    const bool known = event == kDisabled || (external ? event == kBytesRead || event == kBytesWritten
                                                       : event == kLoadActive || event == kStoreActive ||
                                                             event == kExecuteActive || event == kStationFull);
    if (!known) {
      throw Fault(FaultKind::kIllegalCommand,
                  std::string(external ? "external " : "") + "counter event " + std::to_string(event) +
                      " is not modelled; 9 (load active), 12 (store active), 24 (execute active) and 41 (reservation "
                      "station full) are, and the external 4 and 5 (bytes read and written)");
    }
    chosen.event = event;
    chosen.external = external;
    chosen.zero = total(chosen);
  }
  if (resets) {
    snapshot_ = false;
    for (Register& counter : registers_) {
      counter.zero = total(counter);
      counter.snapshot = 0;
    }
  }
  return result;
}

}  // namespace autocomp::gemmini
