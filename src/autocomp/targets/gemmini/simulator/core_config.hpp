// Parameters and counters of the scalar core. Where each number comes from: docs/design/gemmini-core.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counter.hpp"
#include "setting.hpp"

namespace autocomp::gemmini {

// X(field, default, least, most, meaning); cycles unless the name says otherwise.
#define AUTOCOMP_GEMMINI_CORE_CONFIG(X)                                                          \
  X(core_icache_sets, 64, 1, 65536, "sets of the I$")                                            \
  X(core_icache_ways, 4, 1, 64, "lines in a set")                                                \
  X(core_dcache_sets, 64, 1, 65536, "sets of the D$")                                            \
  X(core_dcache_ways, 4, 1, 64, "lines in a set")                                                \
  X(core_fetch_request_cycles, 2, 0, 1000, "from a miss in the I$ to its request at the L2")     \
  X(core_fetch_refill_cycles, 3, 0, 1000, "from the first beat back to the first instruction")   \
  X(core_data_request_cycles, 5, 0, 1000, "from a miss in the D$ to its request at the L2")      \
  X(core_data_refill_cycles, 6, 0, 1000, "from the first beat back to the waiting instruction")  \
  X(core_writeback_cycles, 8, 0, 1000, "a dirty victim leaves before the miss is requested")     \
  X(core_load_use_cycles, 2, 1, 100, "issue of a word or double load to issue of its user")      \
  X(core_load_use_narrow_cycles, 3, 1, 100, "the same for bytes and half words, and for floats") \
  X(core_mispredict_cycles, 3, 0, 100, "lost by a branch that was predicted wrongly")            \
  X(core_redirect_cycles, 2, 0, 100, "lost by a direct jump that the BTB did not hold")          \
  X(core_btb_entries, 28, 1, 254, "jumps whose targets are remembered")                          \
  X(core_bht_entries, 512, 1, 65536, "one-bit counters of branches")                             \
  X(core_float_single_cycles, 4, 1, 100, "pipeline of single precision")                         \
  X(core_float_double_cycles, 5, 1, 100, "pipeline of double precision")                         \
  X(core_float_move_cycles, 3, 1, 100, "compares, conversions, moves between register files")    \
  X(core_float_divide_single_cycles, 22, 1, 200, "division and square root")                     \
  X(core_float_divide_double_cycles, 36, 1, 200, "division and square root")                     \
  X(stack_bytes, 262144, 4096, 16777216, "bytes of the stack")

struct CoreConfig {
#define AUTOCOMP_FIELD(name, standard, least, most, meaning) std::int64_t name = standard;
  AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_FIELD)
#undef AUTOCOMP_FIELD

  // Sets the field of that name; false if there is none. Throws std::invalid_argument for a value out of range.
  bool set(const std::string& name, std::int64_t value);
  static std::vector<Setting> settings();
};

#define AUTOCOMP_GEMMINI_CORE_COUNTERS(X)                                                   \
  X(instructions, "retired instructions")                                                   \
  X(core_command_stall, "core waits for the command queue")                                 \
  X(core_fence_stall, "core waits at a fence")                                              \
  X(core_fetch_stall, "core waits for instructions after an I$ miss")                       \
  X(core_data_stall, "core waits for a D$ miss")                                            \
  X(core_branch_stall, "lost to wrongly predicted branches and jumps")                      \
  X(core_icache_misses, "instruction lines fetched")                                        \
  X(core_dcache_misses, "data lines fetched")                                               \
  X(core_branch_mispredicts, "branches and jumps predicted wrongly")

struct CoreCounters {
#define AUTOCOMP_FIELD(name, meaning) std::uint64_t name = 0;
  AUTOCOMP_GEMMINI_CORE_COUNTERS(AUTOCOMP_FIELD)
#undef AUTOCOMP_FIELD

  std::vector<Counter> list() const {
    return {
#define AUTOCOMP_COUNTER(name, meaning) {#name, meaning, name},
        AUTOCOMP_GEMMINI_CORE_COUNTERS(AUTOCOMP_COUNTER)
#undef AUTOCOMP_COUNTER
    };
  }
};

}  // namespace autocomp::gemmini
