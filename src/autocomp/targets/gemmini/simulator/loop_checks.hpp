// What both kinds of hardware loops refuse, and how they say so.
#pragma once

#include <cstdint>
#include <string>

#include "config.hpp"
#include "loop_plan.hpp"

namespace autocomp::gemmini {

inline std::int64_t field(std::uint64_t value, int low, int bits = 16) {
  return static_cast<std::int64_t>((value >> low) & ((std::uint64_t{1} << bits) - 1));
}

// `loop` is the name of the command.
[[noreturn]] void throw_illegal_loop(const char* loop, const std::string& message);
// The loop before and this one are in flight together.
[[noreturn]] void throw_loops_meet(const char* loop, const char* what);

// The halves of the scratchpad that the operands are pinned to; 0 leaves them free.
void check_pinned_halves(const Config& config, const char* loop, std::int64_t a, std::int64_t b);

// Does a store of the loop write memory of which a load of A or B brings something that the array uses? `plan` holds
// all commands of the loop. Throws Fault; `results` and `operands` are what the loop calls them.
void check_stores_over_operands(const Config& config, const LoopPlan& plan, const char* loop, const char* results,
                                const char* operands);

}  // namespace autocomp::gemmini
