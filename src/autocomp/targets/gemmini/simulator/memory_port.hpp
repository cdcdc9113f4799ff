// The DMA's way to the L2: translation, one request beat a cycle out, a fixed time each way.
#pragma once

#include <algorithm>
#include <cstdint>

#include "config.hpp"
#include "l2.hpp"
#include "translation.hpp"

namespace autocomp::gemmini {

class MemoryPort {
 public:
  MemoryPort(const Config& config, L2& l2, Counters& counters)
      : config_(config), l2_(l2), translation_(config, counters) {}

  Translation& translation() { return translation_; }

  // A read request leaves the DMA in `cycle`: when the first beat of the answer is back.
  std::uint64_t read(std::uint64_t address, std::uint32_t bytes, std::uint64_t cycle) {
    const std::uint64_t sent = take(cycle, 1);
    return l2_.read(address, bytes, sent + config_.request_path_cycles) + config_.response_path_cycles;
  }

  // The first beat of a write leaves the DMA in `cycle`: when its acknowledgement is back.
  std::uint64_t write(std::uint64_t address, std::uint32_t bytes, bool whole, std::uint64_t cycle) {
    const std::uint64_t beats = std::max<std::uint64_t>(1, bytes / config_.bus_bytes);
    const std::uint64_t sent = take(cycle, beats);
    return l2_.write(address, bytes, whole, sent + config_.request_path_cycles) + config_.response_path_cycles;
  }

 private:
  std::uint64_t take(std::uint64_t cycle, std::uint64_t beats) {
    const std::uint64_t start = std::max(cycle, free_);
    free_ = start + beats;
    return start;
  }
  const Config& config_;
  L2& l2_;
  Translation translation_;
  std::uint64_t free_ = 0;
};

// How the DMA cuts the bytes that are left of a row: the power-of-two request that covers most of them.
struct Packet {
  std::uint64_t address = 0;  // aligned to `size`
  std::uint32_t size = 0;
  std::uint32_t useful = 0;   // bytes of the row in it
  std::uint32_t shift = 0;    // bytes before them
};

inline Packet cut_packet(std::uint64_t address, std::uint64_t left, const Config& config) {
  Packet best;
  for (std::uint64_t size = config.bus_bytes; size <= static_cast<std::uint64_t>(config.max_block_bytes); size *= 2) {
    const std::uint64_t offset = address & (size - 1);
    const std::uint64_t useful = std::min(size - offset, left);
    if (useful > best.useful) {
      best = {address - offset, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(useful),
              static_cast<std::uint32_t>(offset)};
    }
  }
  return best;
}

}  // namespace autocomp::gemmini
