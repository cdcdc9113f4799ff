#include <algorithm>

#include "function.hpp"
#include "move_extent.hpp"

namespace autocomp::gemmini {

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
  const auto norm = static_cast<NormCommand>(operation.accumulator ? (local.bits >> 26) & 7 : 0);
  if (norm != NormCommand::kNone && config_.has_normalizations == 0) {
    throw Fault(FaultKind::kIllegalCommand, "mvout: normalisation command " + std::to_string((local.bits >> 26) & 7) +
                                                " in the local address; this configuration has no normalisation unit");
  }
  if (norm != NormCommand::kNone && (full || store_.picture.used())) {
    throw Fault(FaultKind::kIllegalCommand, "mvout that gathers statistics at full width or of a picture: it writes nothing");
  }
  // The field of the normalisation command is no part of the row.
  const LocalAddress place{operation.accumulator ? local.bits & ~(7u << 26) : local.bits};
  operation.address = command.rs1;
  operation.row_stride = store_.stride;
  operation.local_row = place.row();
  operation.block_stride = config_.dim;
  operation.scaled = operation.accumulator && !full;
  operation.picture = store_.picture;
  if (operation.zeros && (operation.picture.used() || operation.rows > 1 || operation.columns > config_.dim)) {
    throw Fault(FaultKind::kLocalAddress, "mvout of the garbage address: only its first row is zero, the address of any "
                                          "other is that of some row of the accumulator");
  }
  if (operation.picture.used()) {
    store_picture(operation, place);
  } else {
    store_matrix(operation, place, norm);
  }
}

void Function::store_matrix(Operation& operation, LocalAddress local, NormCommand norm) {
  const bool full = operation.accumulator && local.full_width();
  check_extent(full ? "full-width mvout" : "mvout", operation, config_.dim,
               full ? config_.dim : config_.max_columns(operation.element_bytes));
  const std::int64_t blocks = (operation.columns + config_.dim - 1) / config_.dim;
  const std::int64_t end = local.row() + (blocks - 1) * config_.dim + operation.rows;
  operation.first = {!local.garbage(), operation.accumulator, local.row(), end};
  check_order("mvout", operation.first);
  if (!operation.zeros) rows_of(local).check(end - 1, [&] { return extent("mvout", operation); });
  loads_over_ = order_.store(operation.first);
  StoreMode mode = store_.mode;
  mode.full_width = full;
  operation.gathers = norm != NormCommand::kNone;
  operation.finishes = norm != unfinished(norm);
  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  for (std::int64_t row = 0; row < operation.rows; ++row) {
    if (config_.has_normalizations != 0 && operation.accumulator) data_path_->gather_row(operation, mode, norm, row);
    if (operation.gathers) continue;
    data_path_->store_row(operation, mode, row,
                          guest_write(operation.address + row * store_.stride, bytes, operation, row));
  }
  if (!operation.gathers) count_stored(operation.address, store_.stride, bytes, operation.rows);
}

// Output pixel after output pixel; the rows field of the command only counts for one thing, see below.
void Function::store_picture(Operation& operation, LocalAddress local) {
  const Picture& picture = operation.picture;
  const bool pools = store_.pools;
  const char* name = pools ? "pooling mvout" : "one-dimensional mvout";
  const bool full = operation.accumulator && local.full_width();
  check_columns(name, operation, config_.dim);
  if (!pools && operation.rows >= 2 * config_.dim) {
    throw Fault(FaultKind::kIllegalCommand, extent(name, operation) + ": its rows field holds at most " +
                                                std::to_string(2 * config_.dim - 1));
  }
  if (pools && full) {
    throw Fault(FaultKind::kIllegalCommand, "pooling mvout at full width: the maxima are taken of elements, not of sums");
  }
  if (pools && !operation.zeros && !operation.accumulator) {
    throw Fault(FaultKind::kIllegalCommand, "pooling mvout from the scratchpad: nothing makes it wait for the commands "
                                            "that write its rows; pool from the accumulator");
  }
  // The pixels that are read, first and last; those of the padding do not count.
  std::int64_t first_row = picture.rows, last_row = -1, first_column = picture.columns, last_column = -1;
  const auto widen = [&picture](std::int64_t outs, std::int64_t padding, std::int64_t size, std::int64_t& first,
                                std::int64_t& last) {
    for (std::int64_t out = 0; out < outs; ++out) {
      const std::int64_t begin = std::max<std::int64_t>(out * picture.stride - padding, 0);
      const std::int64_t end = std::min(out * picture.stride - padding + picture.window, size);
      if (begin >= end) continue;
      first = std::min(first, begin);
      last = std::max(last, end - 1);
    }
  };
  widen(picture.out_rows, picture.upper_padding, picture.rows, first_row, last_row);
  widen(picture.out_columns, picture.left_padding, picture.columns, first_column, last_column);
  RowRange read{!operation.zeros && last_row >= 0 && last_column >= 0, operation.accumulator,
                local.row() + first_row * picture.columns + first_column,
                local.row() + last_row * picture.columns + last_column + 1};
  // What the reservation station takes for the rows: the rest of the bank, or as many as the rows field says.
  operation.first = {!operation.zeros, operation.accumulator, local.row(), local.row() + operation.rows};
  if (pools) {
    const std::int64_t bank_rows = config_.accumulator_bank_rows;
    operation.first.end = (local.row() / bank_rows + 1) * bank_rows;
  }
  if (read.valid) {
    check_order(name, read);
    rows_of(local).check(read.end - 1, [&] { return std::string(name); });
    if (read.end > operation.first.end) {
      throw Fault(FaultKind::kIllegalCommand,
                  std::string(name) + " reads " + std::to_string(read.end - local.row()) + " rows, but waits only for the " +
                      "commands that write the first " + std::to_string(operation.first.end - local.row()) +
                      (pools ? ", up to the end of the accumulator bank" : ", as its rows field says"));
    }
  }
  loads_over_ = order_.store(operation.first);
  StoreMode mode = store_.mode;
  mode.full_width = full;
  const std::uint64_t bytes = operation.columns * operation.element_bytes;
  for (std::int64_t row = 0; row < picture.out_rows; ++row) {
    const std::uint64_t address = operation.address + row * picture.out_pitch * store_.stride;
    for (std::int64_t column = 0; column < picture.out_columns; ++column) {
      data_path_->store_pixel(operation, mode, row, column,
                              guest_write(address + column * store_.stride, bytes, operation, row));
    }
    count_stored(address, store_.stride, bytes, picture.out_columns);
  }
}

void Function::count_stored(std::uint64_t address, std::uint64_t stride, std::uint64_t bytes, std::int64_t rows) {
  counters_.bytes_stored += bytes * rows;
  memory_.find(address)->stored_bytes += bytes * rows;
  writes_.add({address, stride, bytes, static_cast<std::uint64_t>(rows)});
}

std::uint8_t* Function::guest_write(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                    std::int64_t row) {
  std::uint8_t* bytes = nullptr;
  try {
    bytes = memory_.write(address, size);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, extent("mvout", operation) + ", row " + std::to_string(row) + ": " + fault.what());
  }
  if (reads_.meets(address, size, loads_over_)) {
    throw Fault(FaultKind::kHazard, "mvout writes memory, in its row " + std::to_string(row) +
                                        ", that an mvin since the last fence may still read: it waits for no command "
                                        "that needs what was loaded, a fence is missing");
  }
  return bytes;
}

}  // namespace autocomp::gemmini
