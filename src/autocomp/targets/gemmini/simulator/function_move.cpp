#include <algorithm>
#include <cstring>

#include "arithmetic.hpp"
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
  check_extent(name, operation, config_.dim, wide ? config_.max_columns_wide() : config_.max_columns());
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
  operation.element_bytes = wide ? 4 : 1;
  operation.block_stride = state.block_stride;
  operation.pixel_repeats = state.pixel_repeats;
  operation.accumulator = local.accumulator();
  operation.accumulate = local.accumulator() && local.accumulate();
  operation.scaled = !wide && !operation.zeros && state.scale != 1.0f;
  operation.first_is_destination = true;
  const std::int64_t end = local.row() + (blocks - 1) * state.block_stride + operation.rows;
  operation.first = {true, local.accumulator(), local.row(), end};
  check_order(name, operation.first);
  if (local.accumulator()) {
    accumulator_.check(end - 1, [&] { return extent(name, operation); });
  } else {
    scratchpad_.check(end - 1, [&] { return extent(name, operation); });
  }

  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  if (operation.zeros) {
    std::fill(row_buffer_.begin(), row_buffer_.end(), 0);
    for (std::int64_t row = 0; row < operation.rows; ++row) load_row(operation, state, row, row_buffer_.data());
    return;
  }
  for (std::int64_t row = 0; row < operation.rows; ++row) {
    // Loads and stores are ordered through local rows only, never through memory.
    if (writes_.meets(command.rs1 + row * state.stride, bytes)) {
      throw Fault(FaultKind::kHazard, std::string(name) + " reads memory, in its row " + std::to_string(row) +
                                          ", that an mvout since the last fence writes: nothing makes the load wait for "
                                          "the store, a fence is missing");
    }
    load_row(operation, state, row, guest_read(command.rs1 + row * state.stride, bytes, operation, row));
  }
  const std::uint64_t fetched = state.stride == 0 ? 1 : operation.rows;
  counters_.bytes_loaded += bytes * fetched;
  memory_.find(command.rs1)->loaded_bytes += bytes * fetched;
  reads_.add({command.rs1, state.stride, bytes, fetched});
}

void Function::load_row(const Operation& operation, const LoadState& state, std::int64_t row,
                        const std::uint8_t* source) {
  const std::int64_t dim = config_.dim;
  std::int32_t values[64];
  for (std::int64_t column = 0; column < operation.columns; column += dim) {
    const std::int64_t width = std::min(dim, operation.columns - column);
    const std::int64_t local_row = operation.local_row + row + column / dim * operation.block_stride;
    if (!operation.accumulator) {
      std::int8_t scaled[64];
      const auto* bytes = reinterpret_cast<const std::int8_t*>(source + column);
      for (std::int64_t c = 0; c < width && operation.scaled; ++c) scaled[c] = scale_to_int8(bytes[c], state.scale);
      const std::int8_t* elements = operation.scaled ? scaled : bytes;
      // Copies of a pixel do not cross the floor of the half of the scratchpad they start in.
      const std::int64_t floor = local_row < scratchpad_.rows() / 2 ? 0 : scratchpad_.rows() / 2;
      for (std::int64_t pixel = 0; pixel < operation.pixel_repeats && local_row - pixel >= floor; ++pixel) {
        std::memcpy(scratchpad_.write(local_row - pixel) + pixel * operation.columns, elements, width);
      }
      continue;
    }
    if (operation.element_bytes == 4) {
      std::memcpy(values, source + column * 4, width * 4);
    } else {
      const auto* bytes = reinterpret_cast<const std::int8_t*>(source + column);
      for (std::int64_t c = 0; c < width; ++c) {
        values[c] = operation.scaled ? scale_to_int8(bytes[c], state.scale) : bytes[c];
      }
    }
    write_accumulator_row(local_row, values, width, operation.accumulate, "accumulating mvin");
  }
}

void Function::write_accumulator_row(std::int64_t row, const std::int32_t* values, std::int64_t columns,
                                     bool accumulate, const char* what) {
  if (accumulate) {
    accumulator_.read(row, what);
    std::int32_t* target = accumulator_.write(row);
    for (std::int64_t c = 0; c < columns; ++c) {
      target[c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(target[c]) + static_cast<std::uint32_t>(values[c]));
    }
  } else {
    std::memcpy(accumulator_.write(row), values, columns * sizeof *values);
  }
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
  check_extent(full ? "full-width mvout" : "mvout", operation, config_.dim, full ? config_.dim : config_.max_columns());
  if (operation.accumulator && ((local.bits >> 26) & 7) != 0) {
    throw Fault(FaultKind::kIllegalCommand, "mvout: normalisation command " + std::to_string((local.bits >> 26) & 7) +
                                                " in the local address; this configuration has no normalisation unit");
  }
  const std::int64_t blocks = (operation.columns + config_.dim - 1) / config_.dim;
  operation.address = command.rs1;
  operation.row_stride = store_.stride;
  operation.local_row = local.row();
  operation.element_bytes = full ? 4 : 1;
  operation.block_stride = config_.dim;
  operation.scaled = operation.accumulator && !full;
  const std::int64_t end = local.row() + (blocks - 1) * config_.dim + operation.rows;
  operation.first = {!local.garbage(), operation.accumulator, local.row(), end};
  check_order("mvout", operation.first);
  if (operation.accumulator) {
    accumulator_.check(end - 1, [&] { return extent("mvout", operation); });
  } else if (!operation.zeros) {
    scratchpad_.check(end - 1, [&] { return extent("mvout", operation); });
  }
  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  for (std::int64_t row = 0; row < operation.rows; ++row) {
    store_row(operation, full, row, guest_write(command.rs1 + row * store_.stride, bytes, operation, row));
  }
  counters_.bytes_stored += bytes * operation.rows;
  memory_.find(command.rs1)->stored_bytes += bytes * operation.rows;
  writes_.add({command.rs1, store_.stride, bytes, static_cast<std::uint64_t>(operation.rows)});
}

void Function::store_row(const Operation& operation, bool full_width, std::int64_t row, std::uint8_t* target) {
  const std::int64_t dim = config_.dim;
  for (std::int64_t column = 0; column < operation.columns; column += dim) {
    const std::int64_t width = std::min(dim, operation.columns - column);
    const std::int64_t local_row = operation.local_row + row + column;  // blocks lie dim rows apart
    if (operation.zeros) {
      std::memset(target + column, 0, width);
    } else if (!operation.accumulator) {
      std::memcpy(target + column, scratchpad_.read(local_row, "mvout"), width);
    } else if (full_width) {
      std::memcpy(target, accumulator_.read(local_row, "mvout"), width * 4);
    } else {
      const std::int32_t* values = accumulator_.read(local_row, "mvout");
      for (std::int64_t c = 0; c < width; ++c) {
        const std::int32_t value = store_.relu ? std::max(values[c], 0) : values[c];  // before scaling
        target[column + c] = static_cast<std::uint8_t>(scale_to_int8(static_cast<float>(value), store_.scale));
      }
    }
  }
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
