// The counters that a program reads with COUNTER_OP: eight registers, each of which counts one event. They show what
// the run's own counters hold, where hardware and simulator count the same thing.
#pragma once

#include <array>
#include <cstdint>

#include "counters.hpp"

namespace autocomp::gemmini {

class CounterFile {
 public:
  explicit CounterFile(const Counters& counters) : counters_(counters) {}

  // Performs one COUNTER_OP; the result is what it returns to the core: the value before it changed anything.
  // Throws Fault for an event that is not modelled.
  std::uint64_t operate(std::uint64_t rs1);

 private:
  struct Register {
    unsigned event = 0;
    bool external = false;     // counted where it happens, in units of its own
    std::uint64_t zero = 0;    // what the run's counter held when this one was zero
    std::uint64_t snapshot = 0;
  };
  std::uint64_t total(const Register& counter) const;
  std::uint32_t value(const Register& counter) const;

  const Counters& counters_;
  std::array<Register, 8> registers_;
  bool snapshot_ = false;
};

}  // namespace autocomp::gemmini
