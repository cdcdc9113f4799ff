// Configuration registers of a loop unroller. It holds two loops at a time, each with registers of its own that keep
// their values; loops take the two slots in turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "command.hpp"
#include "fault.hpp"

namespace autocomp::gemmini {

template <int kFirstFunct, int kGroups>
class LoopRegisters {
 public:
  struct Values {
    std::uint64_t rs1 = 0, rs2 = 0;
    bool operator==(const Values&) const = default;
  };

  static bool configures(int funct) { return funct >= kFirstFunct && funct < kFirstFunct + kGroups; }

  void configure(const Command& command) {
    const int group = command.funct - kFirstFunct;
    latest_[group] = slots_[slot_][group] = Values{command.rs1, command.rs2};
  }

  // What the loop that starts now finds in the registers that command `funct` writes.
  const Values& get(int funct, const char* loop, const char* name) const {
    const std::optional<Values>& value = slots_[slot_][funct - kFirstFunct];
    const std::optional<Values>& latest = latest_[funct - kFirstFunct];
    const std::string who = std::string(loop) + ": its " + name + " (funct " + std::to_string(funct) + ") ";
    if (!latest) throw Fault(FaultKind::kIllegalCommand, who + "were never configured");
    if (!value || *value != *latest) {
      throw Fault(FaultKind::kIllegalCommand,
                  who + "were configured for the loop before only: the unit has two sets of registers that loops take "
                        "in turn; configure all of them before each loop");
    }
    return *value;
  }

  int slot() const { return slot_; }
  void next() { slot_ ^= 1; }

 private:
  std::array<std::array<std::optional<Values>, kGroups>, 2> slots_;
  std::array<std::optional<Values>, kGroups> latest_;
  int slot_ = 0;
};

}  // namespace autocomp::gemmini
