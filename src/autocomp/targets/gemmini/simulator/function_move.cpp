#include "function.hpp"

namespace autocomp::gemmini {

namespace {

std::string extent(const char* name, const Operation& operation) {
  return std::string(name) + " of " + std::to_string(operation.rows) + " rows x " + std::to_string(operation.columns) +
         " columns";
}

// Sizes that the command's fields may hold and the hardware cannot do.
void check_extent(const char* name, const Operation& operation, std::int64_t dim, std::int64_t most_columns) {
  if (operation.rows == 0 || operation.columns == 0) {
    throw Fault(FaultKind::kIllegalCommand, extent(name, operation) + " moves nothing: the command never completes");
  }
  if (operation.rows > dim) {
    throw Fault(FaultKind::kIllegalCommand,
                extent(name, operation) + ": at most " + std::to_string(dim) + " rows in one command");
  }
  if (operation.columns > most_columns) {
    throw Fault(FaultKind::kIllegalCommand,
                extent(name, operation) + ": at most " + std::to_string(most_columns) + " columns in one command");
  }
}

void decode_extent(std::uint64_t rs2, Operation& operation) {
  operation.columns = (rs2 >> 32) & 0xffff;
  operation.rows = (rs2 >> 48) & 0xffff;
}

}  // namespace

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
  operation.first = {true, local.accumulator(), local.row(), end};
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
}

void Function::store(const Command& command, Operation& operation) {
  ++counters_.commands_store;
  const LocalAddress local{static_cast<std::uint32_t>(command.rs2)};
  operation.kind = OperationKind::kStore;
  decode_extent(command.rs2, operation);
  if (!store_.configured) {
    throw Fault(FaultKind::kIllegalCommand, "mvout before config_st: its stride is undefined");
  }
  operation.zeros = local.garbage();
  operation.accumulator = !local.garbage() && local.accumulator();
  const bool full = operation.accumulator && local.full_width();
  operation.element_bytes = full ? config_.sum_bytes() : config_.element_bytes();
  check_extent(full ? "full-width mvout" : "mvout", operation, config_.dim,
               full ? config_.dim : config_.max_columns(operation.element_bytes));
  if (operation.accumulator && ((local.bits >> 26) & 7) != 0) {
    throw Fault(FaultKind::kIllegalCommand, "mvout: normalisation command " + std::to_string((local.bits >> 26) & 7) +
                                                " in the local address; this configuration has no normalisation unit");
  }
  const std::int64_t blocks = (operation.columns + config_.dim - 1) / config_.dim;
  operation.address = command.rs1;
  operation.row_stride = store_.stride;
  operation.local_row = local.row();
  operation.block_stride = config_.dim;
  operation.scaled = operation.accumulator && !full;
  const std::int64_t end = local.row() + (blocks - 1) * config_.dim + operation.rows;
  operation.first = {!local.garbage(), operation.accumulator, local.row(), end};
  check_order("mvout", operation.first);
  if (!operation.zeros) rows_of(local).check(end - 1, [&] { return extent("mvout", operation); });
  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  for (std::int64_t row = 0; row < operation.rows; ++row) {
    data_path_->store_row(operation, {full, store_.relu, store_.scale}, row,
                          guest_write(command.rs1 + row * store_.stride, bytes, operation, row));
  }
  counters_.bytes_stored += bytes * operation.rows;
  memory_.find(command.rs1)->stored_bytes += bytes * operation.rows;
  writes_.add({command.rs1, store_.stride, bytes, static_cast<std::uint64_t>(operation.rows)});
}

const std::uint8_t* Function::guest_read(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                         std::int64_t row) {
  try {
    return memory_.read(address, size);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, extent("mvin", operation) + ", row " + std::to_string(row) + ": " + fault.what());
  }
}

std::uint8_t* Function::guest_write(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                    std::int64_t row) {
  try {
    return memory_.write(address, size);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, extent("mvout", operation) + ", row " + std::to_string(row) + ": " + fault.what());
  }
}

}  // namespace autocomp::gemmini
