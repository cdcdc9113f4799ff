// What would hang, trap or corrupt on hardware. Thrown while a candidate runs; becomes a Verdict, never a crash.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace autocomp::gemmini {

enum class FaultKind {
  kBadAddress,         // guest memory access outside every region, or a write to a read-only one
  kMisaligned,         // address not aligned as the instruction demands
  kLocalAddress,       // scratchpad or accumulator row out of range, overflow of a block
  kIllegalCommand,     // a RoCC command or combination that the hardware does not define
  kIllegalInstruction, // the core does not know the instruction
  kHazard,             // the core touches memory that commands in flight still read or write (a fence is missing)
  kLimit,              // instruction or cycle limit reached: an endless loop
  kTrap,               // ecall/ebreak/abort from the candidate
};

class Fault : public std::runtime_error {
 public:
  Fault(FaultKind kind, const std::string& message, std::uint64_t pc = 0)
      : std::runtime_error(message), kind(kind), pc(pc) {}
  FaultKind kind;
  std::uint64_t pc;  // guest instruction that caused it; 0 where the thrower does not know it (the core fills it in)
};

}  // namespace autocomp::gemmini
