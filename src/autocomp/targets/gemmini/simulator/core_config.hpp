// Parameters and counters of the scalar core. Where each number comes from: docs/design/gemmini-simulator.md.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace autocomp::gemmini {

// X(field, default, least, most); cycles unless the name says otherwise.
#define AUTOCOMP_GEMMINI_CORE_CONFIG(X)                                                                     \
  X(core_icache_sets, 64, 1, 65536)                                                                         \
  X(core_icache_ways, 4, 1, 64)                                                                             \
  X(core_dcache_sets, 64, 1, 65536)                                                                         \
  X(core_dcache_ways, 4, 1, 64)                                                                             \
  X(core_fetch_request_cycles, 2, 0, 1000)    /* from a miss in the I$ to its request at the L2 */          \
  X(core_fetch_refill_cycles, 3, 0, 1000)     /* from the first beat back to the first instruction */       \
  X(core_data_request_cycles, 5, 0, 1000)     /* from a miss in the D$ to its request at the L2 */          \
  X(core_data_refill_cycles, 6, 0, 1000)      /* from the first beat back to the waiting instruction */     \
  X(core_writeback_cycles, 8, 0, 1000)        /* a dirty victim leaves before the miss is requested */      \
  X(core_load_use_cycles, 2, 1, 100)          /* issue of a word or double load to issue of its user */     \
  X(core_load_use_narrow_cycles, 3, 1, 100)   /* the same for bytes and half words, and for floats */       \
  X(core_mispredict_cycles, 3, 0, 100)        /* lost by a branch that was predicted wrongly */             \
  X(core_redirect_cycles, 2, 0, 100)          /* lost by a direct jump that the BTB did not hold */         \
  X(core_btb_entries, 28, 1, 254)                                                                           \
  X(core_bht_entries, 512, 1, 65536)                                                                        \
  X(core_float_single_cycles, 4, 1, 100)                                                                    \
  X(core_float_double_cycles, 5, 1, 100)                                                                    \
  X(core_float_move_cycles, 3, 1, 100)        /* compares, conversions, moves between register files */     \
  X(core_float_divide_single_cycles, 22, 1, 200)                                                            \
  X(core_float_divide_double_cycles, 36, 1, 200)                                                            \
  X(stack_bytes, 262144, 4096, 16777216)

struct CoreConfig {
#define AUTOCOMP_FIELD(name, value, least, most) std::int64_t name = value;
  AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_FIELD)
#undef AUTOCOMP_FIELD

  // Sets the field of that name; false if there is none. Throws std::invalid_argument for a value out of range.
  bool set(const std::string& name, std::int64_t value);
  static std::vector<std::string> field_names();
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

  std::vector<std::pair<std::string, std::uint64_t>> pairs() const {
    std::vector<std::pair<std::string, std::uint64_t>> out;
#define AUTOCOMP_PAIR(name, meaning) out.emplace_back(#name, name);
    AUTOCOMP_GEMMINI_CORE_COUNTERS(AUTOCOMP_PAIR)
#undef AUTOCOMP_PAIR
    return out;
  }
};

}  // namespace autocomp::gemmini
