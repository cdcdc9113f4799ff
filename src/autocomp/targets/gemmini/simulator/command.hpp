// One RoCC instruction as the core hands it to the accelerator.
#pragma once

#include <cstdint>

namespace autocomp::gemmini {

constexpr std::uint8_t kClockGateEnable = 22;
constexpr std::uint8_t kCounterOperation = 126;

struct Command {
  std::uint8_t funct = 0;   // funct7 of the custom-3 instruction
  std::uint64_t rs1 = 0;
  std::uint64_t rs2 = 0;
  std::uint64_t pc = 0;     // guest address of the instruction, for messages and timelines
};

}  // namespace autocomp::gemmini
