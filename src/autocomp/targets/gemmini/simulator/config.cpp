#include "config.hpp"

#include <bit>

namespace autocomp::gemmini {

namespace {

[[noreturn]] void refuse(const char* name, std::int64_t value, const std::string& demand) {
  throw std::invalid_argument(std::string(name) + " = " + std::to_string(value) + ": " + demand);
}

void check_power_of_two(const Setting& setting, std::int64_t value) {
  if (std::has_single_bit(static_cast<std::uint64_t>(value))) return;
  refuse(setting.name, value, "must be a power of two from " + std::to_string(setting.least) + " to " +
                                  std::to_string(setting.most));
}

constexpr std::int64_t kMostLocalBytes = 64 << 20;
constexpr std::int64_t kMostLines = 1 << 20;

}  // namespace

bool Config::set(const std::string& name, std::int64_t value) {
#define AUTOCOMP_SET(field, standard, least, most, meaning)       \
  if (name == #field) {                                           \
    Setting{#field, standard, least, most, meaning}.check(value); \
    field = value;                                                \
    return true;                                                  \
  }
  AUTOCOMP_GEMMINI_CONFIG(AUTOCOMP_SET)
#undef AUTOCOMP_SET
  return false;
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
  for (const Setting& setting : settings()) {
    const std::string name = setting.name;
    if (name == "dim") check_power_of_two(setting, dim);
    if (name == "scratchpad_bank_rows") check_power_of_two(setting, scratchpad_bank_rows);
    if (name == "accumulator_bank_rows") check_power_of_two(setting, accumulator_bank_rows);
    if (name == "max_block_bytes") check_power_of_two(setting, max_block_bytes);
    if (name == "bus_bytes") check_power_of_two(setting, bus_bytes);
    if (name == "page_bytes") check_power_of_two(setting, page_bytes);
    if (name == "l2_line_bytes") check_power_of_two(setting, l2_line_bytes);
    if (name == "memory_bus_bytes") check_power_of_two(setting, memory_bus_bytes);
  }
  if (max_block_bytes < bus_bytes) {
    refuse("max_block_bytes", max_block_bytes, "must hold at least one beat of bus_bytes = " + std::to_string(bus_bytes));
  }
  if (max_block_bytes > l2_line_bytes) {
    refuse("max_block_bytes", max_block_bytes,
           "a request may not exceed a line of l2_line_bytes = " + std::to_string(l2_line_bytes));
  }
  if (has_normalizations != 0 && float_elements != 0) {
    refuse("has_normalizations", has_normalizations, "statistics are defined for integers; float_elements must be 0");
  }
  if (scratchpad_rows() * dim * element_bytes() > kMostLocalBytes) {
    refuse("scratchpad_bank_rows", scratchpad_bank_rows, "the scratchpad would exceed 64 MiB");
  }
  if (accumulator_rows() * dim * sum_bytes() > kMostLocalBytes) {
    refuse("accumulator_bank_rows", accumulator_bank_rows, "the accumulator would exceed 64 MiB");
  }
  if (l2_sets * l2_ways > kMostLines) refuse("l2_sets", l2_sets, "the L2 would exceed 1048576 lines");
}

std::vector<Setting> Config::settings() {
  return {
#define AUTOCOMP_SETTING(field, standard, least, most, meaning) {#field, standard, least, most, meaning},
      AUTOCOMP_GEMMINI_CONFIG(AUTOCOMP_SETTING)
#undef AUTOCOMP_SETTING
  };
}

}  // namespace autocomp::gemmini
