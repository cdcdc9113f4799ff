// The F and D extensions, computed by the host's IEEE 754 unit.
#pragma once

#include <cstdint>

#include "decode.hpp"

namespace autocomp::gemmini {

// Control and status: rounding mode and accrued exceptions, as in the fcsr register.
class FloatUnit {
 public:
  FloatUnit();
  ~FloatUnit();
  FloatUnit(const FloatUnit&) = delete;
  FloatUnit& operator=(const FloatUnit&) = delete;

  // Executes one kFloat instruction on the register file. False if its rounding mode is reserved.
  bool execute(const Instruction& in, std::uint64_t* registers);

  std::uint64_t read_csr() const { return std::uint64_t{rounding_} << 5 | flags_; }
  void write_csr(std::uint64_t value) {
    flags_ = value & 31u;
    rounding_ = (value >> 5) & 7u;
  }

 private:
  int saved_rounding_;
  std::uint8_t rounding_ = 0;
  std::uint8_t flags_ = 0;
};

}  // namespace autocomp::gemmini
