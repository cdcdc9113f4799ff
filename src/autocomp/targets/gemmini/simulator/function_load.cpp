#include <algorithm>

#include "function.hpp"
#include "move_extent.hpp"

namespace autocomp::gemmini {

void Function::load(const Command& command, Operation& operation) {
  ++counters_.commands_load;
  const int id = command.funct == 2 ? 0 : command.funct == 1 ? 1 : 2;
  const char* name = id == 0 ? "mvin" : id == 1 ? "mvin2" : "mvin3";
  const LoadState& state = load_[id];
  const LocalAddress local{static_cast<std::uint32_t>(command.rs2)};
  operation.kind = OperationKind::kLoad;
  decode_extent(command.rs2, operation);
  if (!state.configured) {
    throw Fault(FaultKind::kIllegalCommand,
                std::string(name) + " before config_ld of load id " + std::to_string(id) + ": its stride is undefined");
  }
  if (local.garbage()) {
    throw Fault(FaultKind::kLocalAddress, std::string(name) + " into the garbage address 0xffffffff");
  }
  const bool wide = local.accumulator() && !state.shrunk;
  operation.element_bytes = wide ? config_.sum_bytes() : config_.element_bytes();
  check_extent(name, operation, config_.dim, config_.max_columns(operation.element_bytes));
  const std::int64_t blocks = (operation.columns + config_.dim - 1) / config_.dim;
  if (state.block_stride < operation.rows) {
    throw Fault(FaultKind::kIllegalCommand, extent(name, operation) + ": block stride " +
                                                std::to_string(state.block_stride) +
                                                " is less than the rows; the load unit demands at least as many");
  }
  if (state.pixel_repeats > 1 && (local.accumulator() || operation.columns * state.pixel_repeats > config_.dim)) {
    throw Fault(FaultKind::kIllegalCommand,
                extent(name, operation) + ": pixel repeats " + std::to_string(state.pixel_repeats) +
                    " need a scratchpad destination and at most " + std::to_string(config_.dim) + " columns in all");
  }
  operation.address = command.rs1;
  operation.zeros = command.rs1 == 0;
  operation.row_stride = state.stride;
  operation.local_row = local.row();
  operation.wide = wide;
  operation.block_stride = state.block_stride;
  operation.pixel_repeats = state.pixel_repeats;
  operation.accumulator = local.accumulator();
  operation.accumulate = local.accumulator() && local.accumulate();
  const bool multiplied = config_.always_scales_loads() || (!wide && state.scale != 1.0f);
  operation.scaled = multiplied && !operation.zeros;
  operation.first_is_destination = true;
  const std::int64_t end = local.row() + (blocks - 1) * state.block_stride + operation.rows;
  // Copies of pixels lie in the rows before, down to the middle or the start of the scratchpad.
  const std::int64_t middle = config_.scratchpad_rows() / 2;
  const std::int64_t floor = local.accumulator() || local.row() < middle ? 0 : middle;
  const std::int64_t start = std::max(floor, local.row() - (state.pixel_repeats - 1));
  operation.first = {true, local.accumulator(), start, end};
  check_order(name, operation.first);
  rows_of(local).check(end - 1, [&] { return extent(name, operation); });

  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  if (operation.zeros) {
    for (std::int64_t row = 0; row < operation.rows; ++row) {
      data_path_->load_row(operation, state.scale, row, row_buffer_.data());
    }
    return;
  }
  for (std::int64_t row = 0; row < operation.rows; ++row) {
    // Loads and stores are ordered through local rows only, never through memory.
    if (writes_.meets(command.rs1 + row * state.stride, bytes)) {
      throw Fault(FaultKind::kHazard, std::string(name) + " reads memory, in its row " + std::to_string(row) +
                                          ", that an mvout since the last fence writes: nothing makes the load wait for "
                                          "the store, a fence is missing");
    }
    data_path_->load_row(operation, state.scale, row,
                         guest_read(command.rs1 + row * state.stride, bytes, operation, row));
  }
  const std::uint64_t fetched = state.stride == 0 ? 1 : operation.rows;
  counters_.bytes_loaded += bytes * fetched;
  memory_.find(command.rs1)->loaded_bytes += bytes * fetched;
  reads_.add({command.rs1, state.stride, bytes, fetched});
  order_.load(operation.first, reads_.count());
}

const std::uint8_t* Function::guest_read(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                         std::int64_t row) {
  try {
    return memory_.read(address, size);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, extent("mvin", operation) + ", row " + std::to_string(row) + ": " + fault.what());
  }
}

}  // namespace autocomp::gemmini
