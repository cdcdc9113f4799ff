// Sizes and timing parameters of the simulated chip. Where each number comes from: docs/design/gemmini-simulator.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "setting.hpp"

namespace autocomp::gemmini {

enum class MemoryModel { kIdeal, kDdr3 };  // behind the L2: answers at once, or banks with row buffers

// X(field, default, least, most, meaning); core cycles where the meaning names no unit, DRAM clocks for dram_*.
#define AUTOCOMP_GEMMINI_CONFIG(X)                                                                                                      \
  /* spatial array */                                                                                                                   \
  X(dim, 16, 4, 64, "rows = columns of the array; elements per local memory row")                                                       \
  X(float_elements, 0, 0, 1, "1: float32 elements and sums; 0: int8 elements, int32 sums")                                              \
  X(spatial_output_bits, 20, 8, 32, "integer partial sums leave the array in this many bits")                                           \
  /* local memories */                                                                                                                  \
  X(scratchpad_banks, 4, 1, 64, "banks of the scratchpad")                                                                              \
  X(scratchpad_bank_rows, 4096, 1, 1048576, "rows of one of them")                                                                      \
  X(accumulator_banks, 2, 1, 64, "banks of the accumulator")                                                                            \
  X(accumulator_bank_rows, 512, 1, 1048576, "rows of one of them")                                                                      \
  X(max_block_bytes, 64, 4, 1024, "widest mvin/mvout row that the DMA takes as one request")                                            \
  /* front end and reservation station */                                                                                               \
  X(front_end_queue_entries, 10, 5, 64, "commands between the core and the reservation station")                                        \
  X(front_end_cycles, 7, 1, 64, "from the core's issue to allocation when nothing is in the way")                                       \
  X(fence_cycles, 1, 0, 64, "from idle to the release of a waiting fence")                                                              \
  X(reservation_load_entries, 8, 1, 64, "loads waiting or under way")                                                                   \
  X(reservation_store_entries, 4, 1, 64, "stores waiting or under way")                                                                 \
  X(reservation_execute_entries, 16, 2, 64, "preloads and computes waiting or under way")                                               \
  X(load_queue_entries, 8, 1, 64, "commands before the load controller")                                                                \
  X(store_queue_entries, 2, 1, 64, "commands before the store controller")                                                              \
  X(execute_queue_entries, 8, 3, 64, "commands before the execute controller")                                                          \
  X(has_pinned_loop_halves, 0, 0, 1, "hardware loops may name the half of the scratchpad that holds an operand")                        \
  /* execute controller and array */                                                                                                    \
  X(operand_read_cycles, 4, 1, 64, "from the read of an operand row to its entry into the array")                                       \
  X(tile_latency, 0, 0, 16, "registers inside a cell of the array, besides the one between cells")                                      \
  X(mesh_output_delay, 1, 0, 16, "registers after the last row of cells")                                                               \
  X(result_write_cycles, 2, 1, 64, "from the way out of the array to the write of a result row")                                        \
  X(least_rows, 4, 1, 64, "a pass streams at least so many rows")                                                                       \
  /* DMA */                                                                                                                             \
  X(bus_bytes, 16, 1, 64, "per beat between accelerator and L2")                                                                        \
  X(dma_requests, 16, 1, 256, "reads in flight; as many writes")                                                                        \
  X(row_queue_entries, 5, 1, 64, "rows waiting for the reading DMA; rows between scaling and the writing DMA")                          \
  X(translate_cycles, 2, 0, 64, "translation of an address that its client used last")                                                  \
  X(page_bytes, 4096, 4096, 1073741824, "bytes of a page")                                                                              \
  X(tlb_entries, 4, 1, 64, "pages that the shared translation buffer holds")                                                            \
  X(tlb_retry_cycles, 0, 0, 64, "more for a page other than the client's last: the request is tried again")                             \
  X(tlb_miss_cycles, 0, 0, 4096, "more for a page that the buffer does not hold: nothing without virtual memory")                       \
  X(request_path_cycles, 1, 0, 64, "from there to the L2")                                                                              \
  X(response_path_cycles, 1, 0, 64, "from the L2 to the DMA")                                                                           \
  X(scale_cycles_per_row, 4, 1, 64, "mvin scale: 16 lanes, 4 multipliers")                                                              \
  X(scale_entries, 3, 1, 64, "rows in the multipliers")                                                                                 \
  X(scale_latency_cycles, 6, 0, 64, "through one multiplier")                                                                           \
  X(store_read_entries, 2, 1, 64, "rows between local memory and scaling pipeline")                                                     \
  X(store_read_cycles, 2, 1, 64, "from the read of a row to the scaling pipeline")                                                      \
  X(accumulator_scale_cycles, 8, 1, 64, "depth of the scaling pipeline of stores")                                                      \
  X(has_normalizations, 0, 0, 1, "1: mvouts can gather statistics and use them")                                                        \
  X(normalize_cycles, 6, 1, 4096, "a block passes the lanes that gather statistics")                                                    \
  X(normalize_finish_cycles, 40, 0, 4096, "more to divide, and to draw a root or a reciprocal, when a row is complete")                 \
  /* L2 */                                                                                                                              \
  X(l2_sets, 1024, 1, 1048576, "sets of the L2")                                                                                        \
  X(l2_ways, 8, 1, 64, "lines in a set")                                                                                                \
  X(l2_line_bytes, 64, 64, 1024, "bytes of a line")                                                                                     \
  X(l2_misses, 10, 1, 64, "transactions with memory at a time")                                                                         \
  X(l2_hit_cycles, 7, 0, 4096, "from the request to the first beat of the answer")                                                      \
  X(l2_write_cycles, 9, 0, 4096, "from the request to the acknowledgement")                                                             \
  X(l2_miss_cycles, 3, 0, 4096, "from the request to the decision that it is a miss")                                                   \
  X(l2_finish_cycles, 4, 0, 4096, "from the last data of memory to the answer")                                                         \
  X(l2_probe_cycles, 16, 0, 4096, "to fetch a newer copy back from the core")                                                           \
  X(l2_probe_interval_cycles, 11, 0, 4096, "from one such copy to the next")                                                            \
  X(l2_permission_cycles, 12, 0, 4096, "to be allowed to overwrite a whole line that is not there")                                     \
  X(l2_clean_eviction_cycles, 8, 0, 4096, "until an unchanged line is out")                                                             \
  X(l2_dirty_eviction_cycles, 12, 0, 4096, "a changed line occupies the way out for so long")                                           \
  X(l2_eviction_answer_cycles, 3, 0, 4096, "its acknowledgement occupies the bus from memory")                                          \
  /* memory */                                                                                                                          \
  X(memory_bus_bytes, 8, 1, 64, "per beat between L2 and memory")                                                                       \
  X(memory_cycles, 14, 0, 4096, "there and back, without the memory itself")                                                            \
  X(core_clock_ps, 1000, 1, 1000000, "period of the chip")                                                                              \
  X(dram_clock_ps, 1500, 1, 1000000, "period of the DRAM, unit of the values below")                                                    \
  X(dram_banks, 8, 1, 64, "lines go round the banks")                                                                                   \
  X(dram_row_bytes, 16384, 64, 16777216, "per bank")                                                                                    \
  X(dram_row_accesses, 5, 1, 1048576, "then the row is closed")                                                                         \
  X(dram_controller, 4, 0, 4096, "queues on the way to the command bus")                                                                \
  X(dram_read_latency, 10, 0, 4096, "column command to data")                                                                           \
  X(dram_write_latency, 9, 0, 4096, "column command to data")                                                                           \
  X(dram_burst, 4, 0, 4096, "data of one line")                                                                                         \
  X(dram_row_to_column, 10, 0, 4096, "opening a row")                                                                                   \
  X(dram_column_to_column, 4, 0, 4096, "between columns of a row")                                                                      \
  X(dram_read_to_precharge, 5, 0, 4096, "read to closing the row")                                                                      \
  X(dram_write_recovery, 10, 0, 4096, "end of written data to closing")                                                                 \
  X(dram_write_to_read, 5, 0, 4096, "end of written data to a read")                                                                    \
  X(dram_row_active, 24, 0, 4096, "shortest time a row is open")                                                                        \
  X(dram_precharge, 10, 0, 4096, "closing a row")                                                                                       \
  X(dram_refresh_interval, 5200, 1, 1048576, "from refresh to refresh")                                                                 \
  X(dram_refresh, 107, 0, 4096, "all banks are busy for so long")                                                                       \
  X(dram_write_offset_bytes, 64, 0, 4096, "the DRAM model behind the calibration data files a write under the address that follows it")

struct Config {
#define AUTOCOMP_FIELD(name, standard, least, most, meaning) std::int64_t name = standard;
  AUTOCOMP_GEMMINI_CONFIG(AUTOCOMP_FIELD)
#undef AUTOCOMP_FIELD

  MemoryModel memory_model = MemoryModel::kIdeal;

  std::int64_t scratchpad_rows() const { return scratchpad_banks * scratchpad_bank_rows; }
  std::int64_t accumulator_rows() const { return accumulator_banks * accumulator_bank_rows; }
  std::int64_t element_bytes() const { return float_elements != 0 ? 4 : 1; }
  std::int64_t sum_bytes() const { return 4; }
  // Columns that one row of an mvin/mvout may have: as many blocks of dim as one request holds, at least one.
  std::int64_t max_columns(std::int64_t bytes_each) const {
    return std::max<std::int64_t>(1, max_block_bytes / (dim * bytes_each)) * dim;
  }
  std::int64_t max_row_bytes() const { return std::max(max_block_bytes, 4 * dim); }
  // Rows of floats always pass the multipliers of the mvin; rows of integers only if the scale is not one, sums never.
  bool always_scales_loads() const { return float_elements != 0; }
  // From the entry of an operand row into the array to the write of the result row that it completes: skewed by a cell
  // for each column, down all rows, and out.
  std::int64_t array_cycles() const {
    return (2 * dim - 1) * (tile_latency + 1) + mesh_output_delay + result_write_cycles;
  }
  std::int64_t array_tags() const { return 5 * (tile_latency + 1) + 1; }  // results that the array keeps track of

  // Sets the field of that name; false if there is none. Throws std::invalid_argument for a value out of range.
  bool set(const std::string& name, std::int64_t value);
  void set_memory(const std::string& name);  // "ideal" or "ddr3"
  // Throws std::invalid_argument unless the values go together.
  void validate() const;
  static std::vector<Setting> settings();
};

}  // namespace autocomp::gemmini
