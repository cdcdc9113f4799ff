// Loads, stores and what else the instruction loop must have inline. Included by the parts of Core only.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "core.hpp"

namespace autocomp::gemmini {

inline std::uint8_t* Core::data(std::uint64_t address, std::uint64_t size, bool is_store) {
  if ((address & (size - 1)) == 0) {
    for (const Window& window : windows_) {
      const std::uint64_t offset = address - window.base;
      // Aligned accesses cannot straddle the end of a region whose size is a multiple of theirs; others go slowly.
      if (offset < window.size && size <= window.size - offset && (window.writable || !is_store) && !window.shared) {
        return window.bytes + offset;
      }
    }
  }
  return data_slowly(address, size, is_store);
}

inline void Core::occupy_muldiv(std::uint8_t destination, std::uint64_t latency) {
  const std::uint64_t start = std::max(cycle_ - 1, muldiv_free_);
  cycle_ = start + 1;
  ready_[destination] = muldiv_free_ = start + latency;
}

template <bool kTiming>
inline void Core::access_timing(std::uint64_t address, bool is_store, std::uint8_t destination, std::uint64_t latency) {
  if constexpr (kTiming) {
    if (data_free_ >= cycle_) {  // this access waits for the miss before it
      counters_.core_data_stall += data_free_ + 1 - cycle_;
      cycle_ = data_free_ + 1;
    }
    if (dcache_.access(address, is_store)) {
      ready_[destination] = cycle_ - 1 + latency;
    } else {
      miss(address, is_store, destination);
    }
  }
}

template <bool kTiming, typename T>
inline void Core::load(const Instruction& in, std::uint64_t latency) {
  const std::uint64_t address = registers_[in.source1] + static_cast<std::uint64_t>(in.immediate);
  T value;
  std::memcpy(&value, data(address, sizeof(T), false), sizeof(T));
  access_timing<kTiming>(address, false, in.destination, latency);
  registers_[in.destination] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

template <bool kTiming, typename T>
inline void Core::store(const Instruction& in) {
  const std::uint64_t address = registers_[in.source1] + static_cast<std::uint64_t>(in.immediate);
  const auto value = static_cast<T>(registers_[in.source2]);
  std::memcpy(data(address, sizeof(T), true), &value, sizeof(T));
  access_timing<kTiming>(address, true, kNowhere, 1);
}

}  // namespace autocomp::gemmini
