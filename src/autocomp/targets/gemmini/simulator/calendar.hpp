// Occupied cycles of a shared channel, for transfers that overtake one another.
#pragma once

#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

class Calendar {
 public:
  Calendar() : taken_(kWindow, 0) {}
  // First cycle from `cycle` on with `beats` free cycles in a row, which are then taken.
  std::uint64_t take(std::uint64_t cycle, std::uint64_t beats) {
    while (true) {
      std::uint64_t run = 0;
      while (run < beats && taken_[(cycle + run) % kWindow] != cycle + run) ++run;
      if (run == beats) break;
      cycle += run + 1;
    }
    for (std::uint64_t i = 0; i < beats; ++i) taken_[(cycle + i) % kWindow] = cycle + i;
    return cycle;
  }

 private:
  static constexpr std::uint64_t kWindow = 1 << 14;
  std::vector<std::uint64_t> taken_;  // the cycle that took the slot
};

}  // namespace autocomp::gemmini
