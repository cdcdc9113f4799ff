// The accelerator as the core sees it. Function and timing are separate: a command takes effect on data in program
// order at issue(); when it would have happened is the timing model's business. Times are core clock cycles.
#pragma once

#include <cstdint>
#include <memory>

#include "command.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "l2.hpp"
#include "memory.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

class Function;

class Accelerator {
 public:
  // `timeline` may be null. With `timing` false only the function is computed and issue()/drain() return `cycle`.
  Accelerator(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline, bool timing);
  ~Accelerator();

  // The core offers `command` at `cycle` (never less than at the call before). Returns the cycle at which the command
  // queue took it: the core may go on in the cycle after. Throws Fault for what the hardware does not define.
  std::uint64_t issue(const Command& command, std::uint64_t cycle);

  // A COUNTER_OP, which the front end answers without regard to what is under way: the value for the core's register.
  std::uint64_t count(const Command& command, std::uint64_t cycle);

  // A fence reached at `cycle`: returns the first cycle at which the accelerator is idle.
  std::uint64_t drain(std::uint64_t cycle);

  // Simulates everything up to `cycle`, so that the L2 sees accesses of core and accelerator in order of time.
  // The core calls it before each access of its own that reaches the L2.
  void advance(std::uint64_t cycle);

  // True if commands not yet known to be complete (since the last fence) touch these guest bytes:
  // `for_write` false asks for pending writes (mvout), true for pending reads or writes.
  bool touches(std::uint64_t address, std::uint64_t size, bool for_write) const;

  // The local memories, for tests.
  const Function& function() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace autocomp::gemmini
