// Who was busy when: kept only when asked, for drawing load, execute and store lanes.
#pragma once

#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

enum class Unit : std::uint8_t { kLoad, kExecute, kStore, kCore };

constexpr const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::kLoad: return "load";
    case Unit::kExecute: return "execute";
    case Unit::kStore: return "store";
    case Unit::kCore: return "core";
  }
  return "";
}

struct Span {
  Unit unit = Unit::kLoad;
  std::uint8_t funct = 0;           // funct7 of the command
  std::uint64_t command_index = 0;  // counts accelerator commands in program order, from 0
  std::uint64_t pc = 0;
  std::uint64_t start_cycle = 0;    // first cycle of work
  std::uint64_t end_cycle = 0;      // first cycle after it
  std::uint64_t work_cycles = 0;    // that it would have taken with nothing to wait for; the core: all of them
};

struct Timeline {
  std::vector<Span> spans;
};

}  // namespace autocomp::gemmini
