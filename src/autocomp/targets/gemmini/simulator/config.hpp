// Sizes and timing parameters of the simulated chip. Where each number comes from: docs/design/gemmini-simulator.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace autocomp::gemmini {

enum class MemoryModel { kIdeal, kDdr3 };  // behind the L2: answers at once, or banks with row buffers

struct Config {
  // --- spatial array
  std::int64_t dim = 16;                   // rows = columns of the array; elements per local memory row
  std::int64_t spatial_output_bits = 20;   // partial sums leave the array in this many bits
  // --- local memories
  std::int64_t scratchpad_banks = 4;
  std::int64_t scratchpad_bank_rows = 4096;
  std::int64_t accumulator_banks = 2;
  std::int64_t accumulator_bank_rows = 512;
  std::int64_t max_block_bytes = 64;       // widest mvin/mvout row that the DMA takes as one request
  // --- front end and reservation station
  std::int64_t front_end_queue_entries = 10;  // commands between the core and the reservation station
  std::int64_t front_end_cycles = 7;          // from the core's issue to allocation when nothing is in the way
  std::int64_t fence_cycles = 1;              // from idle to the release of a waiting fence
  std::int64_t reservation_load_entries = 8;
  std::int64_t reservation_store_entries = 4;
  std::int64_t reservation_execute_entries = 16;
  std::int64_t load_queue_entries = 8;
  std::int64_t store_queue_entries = 2;
  std::int64_t execute_queue_entries = 8;
  // --- execute controller and array
  std::int64_t operand_read_cycles = 4;  // from the read of an operand row to its entry into the array
  std::int64_t array_cycles = 34;        // from there to the write of the result row
  std::int64_t array_tags = 6;           // results the array keeps track of
  std::int64_t least_rows = 4;           // a pass streams at least so many rows
  // --- DMA
  std::int64_t bus_bytes = 16;             // per beat between accelerator and L2
  std::int64_t dma_requests = 16;          // reads in flight; as many writes
  std::int64_t row_queue_entries = 5;      // rows waiting for the reading DMA; rows between scaling and the writing DMA
  std::int64_t translate_cycles = 2;       // address translation stage
  std::int64_t request_path_cycles = 1;    // from there to the L2
  std::int64_t response_path_cycles = 1;   // from the L2 to the DMA
  std::int64_t scale_cycles_per_row = 4;   // mvin scale: 16 lanes, 4 multipliers
  std::int64_t scale_latency_cycles = 6;
  std::int64_t store_read_entries = 2;     // rows between local memory and scaling pipeline
  std::int64_t store_read_cycles = 2;
  std::int64_t accumulator_scale_cycles = 8;
  // --- L2
  std::int64_t l2_sets = 1024;
  std::int64_t l2_ways = 8;
  std::int64_t l2_line_bytes = 64;
  std::int64_t l2_misses = 10;                // transactions with memory at a time
  std::int64_t l2_hit_cycles = 7;             // from the request to the first beat of the answer
  std::int64_t l2_write_cycles = 9;           // from the request to the acknowledgement
  std::int64_t l2_miss_cycles = 3;            // from the request to the decision that it is a miss
  std::int64_t l2_finish_cycles = 4;          // from the last data of memory to the answer
  std::int64_t l2_probe_cycles = 16;          // to fetch a newer copy back from the core
  std::int64_t l2_probe_interval_cycles = 11; // from one such copy to the next
  std::int64_t l2_permission_cycles = 12;     // to be allowed to overwrite a whole line that is not there
  std::int64_t l2_clean_eviction_cycles = 8;  // until an unchanged line is out
  std::int64_t l2_dirty_eviction_cycles = 12; // a changed line occupies the way out for so long
  std::int64_t l2_eviction_answer_cycles = 3; // its acknowledgement occupies the bus from memory
  // --- memory
  std::int64_t memory_bus_bytes = 8;
  std::int64_t memory_cycles = 14;            // there and back, without the memory itself
  std::int64_t core_clock_ps = 1000;
  std::int64_t dram_clock_ps = 1500;
  std::int64_t dram_banks = 8;                // lines go round the banks
  std::int64_t dram_row_bytes = 16384;        // per bank
  std::int64_t dram_row_accesses = 5;         // then the row is closed
  // DRAM clocks
  std::int64_t dram_controller = 4;           // queues on the way to the command bus
  std::int64_t dram_read_latency = 10;
  std::int64_t dram_write_latency = 9;
  std::int64_t dram_burst = 4;
  std::int64_t dram_row_to_column = 10;
  std::int64_t dram_column_to_column = 4;
  std::int64_t dram_read_to_precharge = 5;
  std::int64_t dram_write_recovery = 10;
  std::int64_t dram_write_to_read = 5;
  std::int64_t dram_row_active = 24;
  std::int64_t dram_precharge = 10;
  std::int64_t dram_refresh_interval = 5200;
  std::int64_t dram_refresh = 107;
  // The DRAM model behind the calibration data files a write under the address that follows it.
  std::int64_t dram_write_offset_bytes = 64;

  MemoryModel memory_model = MemoryModel::kIdeal;

  std::int64_t scratchpad_rows() const { return scratchpad_banks * scratchpad_bank_rows; }
  std::int64_t accumulator_rows() const { return accumulator_banks * accumulator_bank_rows; }
  // Columns of one mvin/mvout row, in elements of one and of four bytes.
  std::int64_t max_columns() const { return max_block_bytes / dim >= 1 ? max_block_bytes / dim * dim : dim; }
  std::int64_t max_columns_wide() const { return max_block_bytes / (4 * dim) >= 1 ? max_block_bytes / (4 * dim) * dim : dim; }

  // Sets one field by its name above. Throws std::invalid_argument that names the field, for an unknown name or a
  // value the simulator cannot take.
  void set(const std::string& name, std::int64_t value);
  void set_memory(const std::string& name);  // "ideal" or "ddr3"
  void validate() const;
  static std::vector<std::string> field_names();
};

}  // namespace autocomp::gemmini
