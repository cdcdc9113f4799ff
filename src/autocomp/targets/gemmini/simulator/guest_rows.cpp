#include "guest_rows.hpp"

#include <algorithm>

namespace autocomp::gemmini {

void GuestRowList::add(const GuestRows& rows) {
  moves_.push_back(rows);
  low_ = std::min(low_, rows.address);
  high_ = std::max(high_, rows.address + (rows.rows - 1) * rows.stride + rows.bytes);
}

bool GuestRowList::meets(std::uint64_t address, std::uint64_t size, std::uint64_t skipped) const {
  if (address >= high_ || address + size <= low_) return false;
  for (std::size_t index = skipped > cleared_ ? skipped - cleared_ : 0; index < moves_.size(); ++index) {
    const GuestRows& move = moves_[index];
    const std::uint64_t last = move.address + (move.rows - 1) * move.stride;
    if (address >= last + move.bytes || address + size <= move.address) continue;
    if (move.stride <= move.bytes) return true;
    // First row that does not end before the bytes; does it begin before their end?
    const std::uint64_t row =
        address < move.address + move.bytes ? 0 : (address - move.address - move.bytes) / move.stride + 1;
    if (row < move.rows && move.address + row * move.stride < address + size) return true;
  }
  return false;
}

void GuestRowList::clear() {
  cleared_ += moves_.size();
  moves_.clear();
  low_ = ~std::uint64_t{0};
  high_ = 0;
}

}  // namespace autocomp::gemmini
