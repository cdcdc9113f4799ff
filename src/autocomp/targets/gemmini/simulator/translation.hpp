// Translation of the DMA's addresses. Each direction remembers the page of its last request; for another page it asks
// the buffer that both share. Without virtual memory neither costs time, as measured: docs/design/gemmini-simulator.md.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "config.hpp"
#include "counters.hpp"

namespace autocomp::gemmini {

enum class Direction : std::uint8_t { kRead, kWrite };

class Translation {
 public:
  Translation(const Config& config, Counters& counters)
      : config_(config),
        counters_(counters),
        page_bits_(std::countr_zero(static_cast<std::uint64_t>(config.page_bytes))) {}

  // A request of `direction` wants to leave in `cycle`: from when on it may. Ask again then.
  std::uint64_t ready(Direction direction, std::uint64_t address, std::uint64_t cycle) {
    Last& last = last_[static_cast<int>(direction)];
    const std::uint64_t page = address >> page_bits_;
    if (last.page != page) last = {page, cycle + look_up(page)};
    return last.ready;
  }

  void flush() {
    last_[0] = last_[1] = Last{};
    buffer_.clear();
  }

 private:
  struct Last {
    std::uint64_t page = kNever;
    std::uint64_t ready = 0;
  };

  std::uint64_t look_up(std::uint64_t page) {
    ++counters_.tlb_retries;
    const auto retry = static_cast<std::uint64_t>(config_.tlb_retry_cycles);
    const auto place = std::find(buffer_.begin(), buffer_.end(), page);
    if (place != buffer_.end()) {
      std::rotate(buffer_.begin(), place, place + 1);
      return retry;
    }
    ++counters_.tlb_misses;
    if (static_cast<std::int64_t>(buffer_.size()) == config_.tlb_entries) buffer_.pop_back();
    buffer_.insert(buffer_.begin(), page);
    return retry + static_cast<std::uint64_t>(config_.tlb_miss_cycles);
  }

  const Config& config_;
  Counters& counters_;
  int page_bits_;
  Last last_[2];
  std::vector<std::uint64_t> buffer_;  // pages, the latest used first
};

}  // namespace autocomp::gemmini
