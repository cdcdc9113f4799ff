// Simulated time of the accelerator, shared by its units. A cycle in which no unit can do anything is skipped: whoever
// changes something another unit may react to, or knows when it will have work, says so with wake().
#pragma once

#include <cstdint>

namespace autocomp::gemmini {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

class Clock {
 public:
  std::uint64_t now() const { return now_; }
  std::uint64_t next() const { return next_; }
  void wake(std::uint64_t cycle) {
    if (cycle < next_) next_ = cycle;
  }
  void changed() { wake(now_ + 1); }
  void set(std::uint64_t cycle) {
    now_ = cycle;
    next_ = kNever;
  }

 private:
  std::uint64_t now_ = 0;
  std::uint64_t next_ = kNever;
};

}  // namespace autocomp::gemmini
