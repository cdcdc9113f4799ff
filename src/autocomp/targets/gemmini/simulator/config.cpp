#include "config.hpp"

#include <array>
#include <stdexcept>

namespace autocomp::gemmini {

namespace {

struct Field {
  const char* name;
  std::int64_t Config::* member;
  std::int64_t least;
  std::int64_t most;
};

#define FIELD(name, least, most) Field{#name, &Config::name, least, most}
constexpr std::array kFields{
    FIELD(dim, 2, 64),
    FIELD(spatial_output_bits, 8, 32),
    FIELD(scratchpad_banks, 1, 64),
    FIELD(scratchpad_bank_rows, 1, 1 << 20),
    FIELD(accumulator_banks, 1, 64),
    FIELD(accumulator_bank_rows, 1, 1 << 20),
    FIELD(max_block_bytes, 1, 1024),
    FIELD(front_end_queue_entries, 1, 64),
    FIELD(front_end_cycles, 1, 64),
    FIELD(reservation_load_entries, 1, 64),
    FIELD(reservation_store_entries, 1, 64),
    FIELD(reservation_execute_entries, 2, 64),
    FIELD(load_queue_entries, 1, 64),
    FIELD(store_queue_entries, 1, 64),
    FIELD(execute_queue_entries, 3, 64),
    FIELD(fence_cycles, 0, 64),
    FIELD(operand_read_cycles, 1, 64),
    FIELD(array_cycles, 1, 1024),
    FIELD(array_tags, 2, 64),
    FIELD(least_rows, 1, 64),
    FIELD(bus_bytes, 1, 64),
    FIELD(dma_requests, 1, 256),
    FIELD(row_queue_entries, 1, 64),
    FIELD(translate_cycles, 0, 64),
    FIELD(request_path_cycles, 0, 64),
    FIELD(response_path_cycles, 0, 64),
    FIELD(scale_cycles_per_row, 1, 64),
    FIELD(scale_latency_cycles, 0, 64),
    FIELD(store_read_entries, 1, 64),
    FIELD(store_read_cycles, 1, 64),
    FIELD(accumulator_scale_cycles, 1, 64),
    FIELD(l2_sets, 1, 1 << 20),
    FIELD(l2_ways, 1, 64),
    FIELD(l2_line_bytes, 16, 1024),
    FIELD(l2_misses, 1, 64),
    FIELD(l2_hit_cycles, 0, 4096),
    FIELD(l2_write_cycles, 0, 4096),
    FIELD(dram_controller, 0, 4096),
    FIELD(l2_miss_cycles, 0, 4096),
    FIELD(l2_finish_cycles, 0, 4096),
    FIELD(l2_probe_cycles, 0, 4096),
    FIELD(l2_clean_eviction_cycles, 0, 4096),
    FIELD(l2_dirty_eviction_cycles, 0, 4096),
    FIELD(l2_eviction_answer_cycles, 0, 4096),
    FIELD(memory_bus_bytes, 1, 64),
    FIELD(memory_cycles, 0, 4096),
    FIELD(core_clock_ps, 1, 1000000),
    FIELD(dram_clock_ps, 1, 1000000),
    FIELD(dram_banks, 1, 64),
    FIELD(dram_row_bytes, 64, 1 << 24),
    FIELD(dram_row_accesses, 1, 1 << 20),
    FIELD(dram_read_latency, 0, 4096),
    FIELD(dram_write_latency, 0, 4096),
    FIELD(dram_burst, 0, 4096),
    FIELD(dram_row_to_column, 0, 4096),
    FIELD(dram_column_to_column, 0, 4096),
    FIELD(dram_read_to_precharge, 0, 4096),
    FIELD(dram_write_recovery, 0, 4096),
    FIELD(dram_write_to_read, 0, 4096),
    FIELD(dram_row_active, 0, 4096),
    FIELD(dram_precharge, 0, 4096),
    FIELD(dram_refresh_interval, 1, 1 << 20),
    FIELD(dram_refresh, 0, 4096),
    FIELD(dram_write_offset_bytes, 0, 4096),
    FIELD(l2_probe_interval_cycles, 0, 4096),
    FIELD(l2_permission_cycles, 0, 4096),
};
#undef FIELD

}  // namespace

void Config::set(const std::string& name, std::int64_t value) {
  for (const Field& field : kFields) {
    if (name != field.name) continue;
    if (value < field.least || value > field.most) {
      throw std::invalid_argument("simulator setting " + name + " = " + std::to_string(value) + " must lie in " +
                                  std::to_string(field.least) + " … " + std::to_string(field.most));
    }
    this->*field.member = value;
    return;
  }
  throw std::invalid_argument("unknown simulator setting " + name);
}

void Config::set_memory(const std::string& name) {
  if (name == "ideal") {
    memory_model = MemoryModel::kIdeal;
  } else if (name == "ddr3") {
    memory_model = MemoryModel::kDdr3;
  } else {
    throw std::invalid_argument("unknown memory model " + name + ": ideal and ddr3 exist");
  }
}

void Config::validate() const {
  if (dim * 1 > max_block_bytes) {
    throw std::invalid_argument("max_block_bytes = " + std::to_string(max_block_bytes) +
                                " must hold at least one row of dim = " + std::to_string(dim) + " bytes");
  }
}

std::vector<std::string> Config::field_names() {
  std::vector<std::string> out;
  for (const Field& field : kFields) out.emplace_back(field.name);
  return out;
}

}  // namespace autocomp::gemmini
