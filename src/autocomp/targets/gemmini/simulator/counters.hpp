// What a run did: every counter has a name that reaches the user. Cycles unless the name says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "counter.hpp"
#include "losses.hpp"

namespace autocomp::gemmini {

// Each entry: X(field, meaning). One list so that the dictionary handed to Python cannot fall behind the struct.
#define AUTOCOMP_GEMMINI_COUNTERS(X)                                                             \
  X(commands_config, "configuration commands")                                                   \
  X(commands_load, "mvin, mvin2, mvin3")                                                         \
  X(commands_store, "mvout")                                                                     \
  X(commands_preload, "preload")                                                                 \
  X(commands_compute, "compute_preloaded and compute_accumulated")                               \
  X(commands_flush, "flush")                                                                     \
  X(commands_loop, "commands of hardware loops; those that they unroll into count as their own kind")  \
  X(fences, "fences that reached the accelerator")                                               \
  X(bytes_loaded, "bytes moved from memory by mvin")                                             \
  X(bytes_stored, "bytes moved to memory by mvout")                                              \
  X(multiply_accumulates, "useful multiply-accumulate operations")                               \
  X(front_end_blocked_load_pool, "head of the front end waits: load pool full")                  \
  X(front_end_blocked_store_pool, "head of the front end waits: store pool full")                \
  X(front_end_blocked_execute_pool, "head of the front end waits: execute pool full")            \
  X(load_busy, "load controller or its memory requests busy")                                    \
  X(load_stall_dependency, "loads allocated, none may start: a hazard with execute or store")    \
  X(load_stall_requests, "load waits for a free memory request")                                 \
  X(load_stall_tracker, "load waits: two mvins already outstanding")                             \
  X(store_busy, "store controller or its memory requests busy")                                  \
  X(store_stall_dependency, "stores allocated, none may start: a hazard with execute or load")   \
  X(store_stall_bank, "store waits for the port of the accumulator or scratchpad bank")          \
  X(store_stall_memory, "store waits for the memory side to take its data")                      \
  X(execute_busy, "array streams rows")                                                          \
  X(execute_stall_dependency, "execute allocated, none may start: a hazard with load or store")  \
  X(execute_stall_bank_conflict, "operands of one step share a bank")                            \
  X(execute_stall_write_conflict, "an operand read lost its port to a write of the same bank")   \
  X(execute_stall_hazard, "waits for a result still in the array, or for a reconfiguration")     \
  X(execute_starved, "nothing to execute has arrived")                                           \
  X(scratchpad_rows_used, "different scratchpad rows written")                                   \
  X(scratchpad_high_water_rows, "highest scratchpad row written, plus one")                      \
  X(accumulator_rows_used, "different accumulator rows written")                                 \
  X(accumulator_high_water_rows, "highest accumulator row written, plus one")                    \
  X(tlb_retries, "requests to a page other than the one before of the same direction")           \
  X(tlb_misses, "of these, to a page that the translation buffer did not hold")                  \
  X(l2_hits, "L2 accesses that found their line")                                                \
  X(l2_misses, "L2 accesses that did not")                                                       \
  X(l2_evictions_dirty, "dirty lines written back to memory")                                    \
  X(l2_probes, "lines fetched back from the core's data cache")                                  \
  X(memory_reads, "lines read from memory behind the L2")                                        \
  X(memory_writes, "lines written to memory behind the L2")                                      \
  X(memory_row_misses, "memory accesses that had to open another row (ddr3)")

struct Counters {
#define AUTOCOMP_FIELD(name, meaning) std::uint64_t name = 0;
  AUTOCOMP_GEMMINI_COUNTERS(AUTOCOMP_FIELD)
#undef AUTOCOMP_FIELD
  // Steps of the array that had to read operands one after the other, by the bank that these share: scratchpad banks,
  // then those of the accumulator.
  std::array<std::uint64_t, 128> bank_conflict_steps{};
  Losses losses;

  // Of a field of this struct.
  std::string name_of(const std::uint64_t* field) const {
    return list()[field - reinterpret_cast<const std::uint64_t*>(this)].name;
  }

  std::vector<Counter> list() const {
    return {
#define AUTOCOMP_COUNTER(name, meaning) {#name, meaning, name},
        AUTOCOMP_GEMMINI_COUNTERS(AUTOCOMP_COUNTER)
#undef AUTOCOMP_COUNTER
    };
  }
};

}  // namespace autocomp::gemmini
