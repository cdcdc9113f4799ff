// Who uses which bank of the local memories in the current cycle. One bit per bank. Filled in order of priority:
// results leaving the array, then rows from memory, then operand reads of the array, then reads of stores.
#pragma once

#include <bit>
#include <cstdint>

#include "config.hpp"

namespace autocomp::gemmini {

class LocalPorts {
 public:
  explicit LocalPorts(const Config& config)  // banks have a power of two of rows
      : scratchpad_shift_(std::countr_zero(static_cast<std::uint64_t>(config.scratchpad_bank_rows))),
        accumulator_shift_(std::countr_zero(static_cast<std::uint64_t>(config.accumulator_bank_rows))) {}

  int scratchpad_bank(std::int64_t row) const { return static_cast<int>(row >> scratchpad_shift_) & 63; }
  int accumulator_bank(std::int64_t row) const { return static_cast<int>(row >> accumulator_shift_) & 63; }

  void clear() { writes_[0] = writes_[1] = reads_[0] = reads_[1] = accumulates_ = 0; }

  bool written(bool accumulator, int bank) const { return writes_[accumulator] >> bank & 1; }
  void write(bool accumulator, int bank, bool accumulate) {
    writes_[accumulator] |= std::uint64_t{1} << bank;
    if (accumulator && accumulate) accumulates_ |= std::uint64_t{1} << bank;
  }

  // Scratchpad banks have one port, which writes take first. Accumulator banks have two, and a write that adds to the
  // old value needs both.
  bool readable(bool accumulator, int bank) const {
    return !(((accumulator ? accumulates_ : writes_[0]) | reads_[accumulator]) >> bank & 1);
  }
  void read(bool accumulator, int bank) { reads_[accumulator] |= std::uint64_t{1} << bank; }

 private:
  int scratchpad_shift_;
  int accumulator_shift_;
  std::uint64_t writes_[2] = {0, 0};
  std::uint64_t reads_[2] = {0, 0};
  std::uint64_t accumulates_ = 0;
};

}  // namespace autocomp::gemmini
