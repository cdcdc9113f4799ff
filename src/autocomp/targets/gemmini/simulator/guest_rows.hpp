// Rows of guest memory that moves read or write, in program order.
#pragma once

#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

struct GuestRows {
  std::uint64_t address, stride, bytes, rows;
};

class GuestRowList {
 public:
  void add(const GuestRows& rows);
  // Does a move behind the first `skipped` touch any of these bytes? Moves count from the first ever added.
  bool meets(std::uint64_t address, std::uint64_t size, std::uint64_t skipped = 0) const;
  std::uint64_t count() const { return cleared_ + moves_.size(); }
  void clear();

 private:
  std::vector<GuestRows> moves_;
  std::uint64_t cleared_ = 0;  // moves that were added before the last clear()
  std::uint64_t low_ = ~std::uint64_t{0};
  std::uint64_t high_ = 0;
};

}  // namespace autocomp::gemmini
