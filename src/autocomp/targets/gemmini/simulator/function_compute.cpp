#include <algorithm>
#include <cstring>

#include "arithmetic.hpp"
#include "function.hpp"
#include "matrix_product.hpp"

namespace autocomp::gemmini {

namespace {

std::string extent(const char* what, std::int64_t rows, std::int64_t columns) {
  return std::string(what) + " of " + std::to_string(rows) + " rows x " + std::to_string(columns) + " columns";
}

}  // namespace

Function::Tile Function::decode_tile(std::uint64_t bits, const char* what) const {
  Tile tile{{static_cast<std::uint32_t>(bits)}, static_cast<std::int64_t>((bits >> 32) & 0xffff),
            static_cast<std::int64_t>((bits >> 48) & 0xffff)};
  if (tile.rows > config_.dim || tile.columns > config_.dim) {
    throw Fault(FaultKind::kIllegalCommand, extent(what, tile.rows, tile.columns) + ": the array takes at most " +
                                                std::to_string(config_.dim) + " x " + std::to_string(config_.dim));
  }
  return tile;
}

// Where the rows of `tile` lie; checks that they all exist.
Operand Function::operand(const Tile& tile, std::int64_t stored_rows, std::int64_t stride, const char* what) const {
  Operand out;
  out.garbage = tile.address.garbage();
  if (out.garbage) return out;
  out.accumulator = tile.address.accumulator();
  out.row = tile.address.row();
  out.stride = stride;
  out.rows = stored_rows;
  const std::int64_t last = out.row + std::max<std::int64_t>(stored_rows - 1, 0) * stride;
  if (out.accumulator) {
    accumulator_.check(last, [&] { return extent(what, tile.rows, tile.columns); });
  } else {
    scratchpad_.check(last, [&] { return extent(what, tile.rows, tile.columns); });
  }
  return out;
}

// The operand as a dense dim x dim matrix with zeros outside its extent. Values from the accumulator are scaled.
void Function::fetch(const Tile& tile, bool transpose, std::int64_t stride, const char* what, std::int8_t* out) const {
  const std::int64_t dim = config_.dim;
  std::memset(out, 0, dim * dim);
  if (tile.address.garbage()) return;
  const std::int64_t stored_rows = transpose ? tile.columns : tile.rows;
  const std::int64_t stored_columns = transpose ? tile.rows : tile.columns;
  std::int8_t scaled[64];
  for (std::int64_t row = 0; row < stored_rows; ++row) {
    const std::int64_t local_row = tile.address.row() + row * stride;
    const std::int8_t* values = scaled;
    if (tile.address.accumulator()) {
      const std::int32_t* wide = accumulator_.read(local_row, what);
      for (std::int64_t c = 0; c < stored_columns; ++c) {
        const std::int32_t value = execute_.relu ? std::max(wide[c], 0) : wide[c];
        scaled[c] = scale_to_int8(static_cast<float>(value), execute_.operand_scale);
      }
    } else {
      values = scratchpad_.read(local_row, what);
    }
    if (transpose) {
      for (std::int64_t c = 0; c < stored_columns; ++c) out[c * dim + row] = values[c];
    } else {
      std::memcpy(out + row * dim, values, stored_columns);
    }
  }
}

void Function::check_destination(const Tile& tile) const {
  if (tile.address.garbage()) return;
  const std::int64_t last = tile.address.row() + std::max<std::int64_t>(tile.rows - 1, 0) * execute_.c_stride;
  const auto what = [&] { return extent("C", tile.rows, tile.columns); };
  if (tile.address.accumulator()) {
    accumulator_.check(last, what);
  } else {
    scratchpad_.check(last, what);
  }
  if (execute_.output_stationary && execute_.c_stride != 1) {
    throw Fault(FaultKind::kIllegalCommand, "output stationary with a C stride of " + std::to_string(execute_.c_stride) +
                                                ": rows leave the array last first and land in the wrong place unless it is 1");
  }
}

// A move that meets rows of C waits for the preload, and that is complete only when the compute has written them: the
// hardware does the two in the other order than the program says.
void Function::check_order(const char* name, const RowRange& rows) const {
  if (!preloaded_ || !rows.overlaps(destination_rows_)) return;
  throw Fault(FaultKind::kIllegalCommand, std::string(name) + " between a preload and its compute touches rows of C: on "
                                          "hardware it happens after the result is written; put it before the preload or "
                                          "after the compute");
}

void Function::preload(const Command& command, Operation& operation) {
  ++counters_.commands_preload;
  operation.kind = OperationKind::kPreload;
  if (!execute_.configured) throw Fault(FaultKind::kIllegalCommand, "preload before any config_ex");
  if (preloaded_) {
    throw Fault(FaultKind::kIllegalCommand,
                "preload directly after a preload: every preload needs its own compute before the next");
  }
  const bool transpose = !execute_.output_stationary && execute_.b_transpose;
  const char* what = execute_.output_stationary ? "preload of D" : "preload of B";
  const Tile source = decode_tile(command.rs1, what);
  destination_ = decode_tile(command.rs2, "C");
  operation.d = operand(source, transpose ? source.columns : source.rows, 1, what);
  check_destination(destination_);
  fetch(source, transpose, 1, what, a_.data());
  std::copy(a_.begin(), a_.end(), next_.begin());
  preloaded_ = true;

  operation.c = destination_.address;
  operation.c_rows = destination_.rows;
  operation.c_stride = execute_.c_stride;
  operation.output_stationary = execute_.output_stationary;
  operation.a_transpose = execute_.a_transpose;
  operation.b_transpose = execute_.b_transpose;
  operation.first_is_destination = true;
  const LocalAddress c = destination_.address;
  operation.first = {!c.garbage(), c.accumulator(), c.row(), c.row() + destination_.rows * execute_.c_stride};
  destination_rows_ = operation.first;
  if (destination_.rows > 0 && execute_.c_stride == 0) ++destination_rows_.end;  // all its rows are one
  operation.second = {!source.address.garbage(), source.address.accumulator(), source.address.row(),
                      source.address.row() + source.rows};
}

void Function::compute(const Command& command, Operation& operation) {
  ++counters_.commands_compute;
  operation.kind = OperationKind::kCompute;
  operation.flip = command.funct == 4;
  const char* name = operation.flip ? "compute_preloaded" : "compute_accumulated";
  if (!preloaded_) {
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + " without a preload before it: its result has no destination");
  }
  const bool os = execute_.output_stationary;
  if (!operation.flip && (!array_filled_ || array_output_stationary_ != os)) {
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + ": the array holds nothing yet; the first compute after " +
                                                "config_ex must be compute_preloaded");
  }
  const std::int64_t dim = config_.dim;
  const Tile a = decode_tile(command.rs1, "A");
  const Tile other = decode_tile(command.rs2, os ? "B" : "D");
  if (a.address.garbage() && a.rows > 0 && a.columns > 0) {
    // The port delivers what it read last: nothing zeroes A as it does the other operands.
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + ": A may not be the garbage address, its values would be undefined");
  }
  const bool other_transpose = os && execute_.b_transpose;
  operation.a = operand(a, execute_.a_transpose ? a.columns : a.rows, execute_.a_stride, "A");
  operation.b = operand(other, other_transpose ? other.columns : other.rows, 1, os ? "B" : "D");
  operation.output_stationary = os;
  operation.a_transpose = execute_.a_transpose;
  operation.b_transpose = execute_.b_transpose;
  operation.first = {!a.address.garbage(), a.address.accumulator(), a.address.row(),
                     a.address.row() + operation.a.rows * execute_.a_stride};
  operation.second = {!other.address.garbage(), other.address.accumulator(), other.address.row(),
                      other.address.row() + other.rows};

  if (operation.flip) {
    std::swap(array_, next_);
    array_filled_ = true;
    array_output_stationary_ = os;
  }
  fetch(a, execute_.a_transpose, execute_.a_stride, "A", a_.data());
  fetch(other, other_transpose, 1, os ? "B" : "D", b_.data());
  const int bits = static_cast<int>(config_.spatial_output_bits);
  if (os) {
    std::copy(b_.begin(), b_.end(), result_.begin());
    multiply_accumulate(array_.data(), a_.data(), result_.data(), dim, dim);
    // The cells keep only as many bits as they can pass on, so a long sum wraps.
    for (std::int32_t& value : array_) value = wrap(value, bits);
    for (std::int64_t i = 0; i < dim * dim; ++i) {
      result_[i] = static_cast<std::int32_t>(rounding_shift(array_[i], execute_.shift));
    }
  } else {
    const std::int64_t a_rows = a.address.garbage() ? 1 : a.rows;
    const std::int64_t d_rows = other.address.garbage() ? 1 : other.rows;
    const std::int64_t streamed = std::max({a_rows, d_rows, std::int64_t{4}});
    if (!execute_.a_transpose && !execute_.b_transpose && !destination_.address.garbage() &&
        destination_.rows > streamed) {
      throw Fault(FaultKind::kIllegalCommand, "C has " + std::to_string(destination_.rows) + " rows, but A and D stream only " +
                                                  std::to_string(streamed) + " through the array: the rest of C may stay unwritten");
    }
    std::copy(b_.begin(), b_.end(), result_.begin());
    const std::int64_t rows = std::max<std::int64_t>(a.address.garbage() ? 0 : a.rows, 0);
    multiply_accumulate(result_.data(), a_.data(), array_.data(), rows, dim);
    if (dim * 128 * 128 + 128 >= (std::int64_t{1} << (bits - 1))) {
      for (std::int32_t& value : result_) value = wrap(value, bits);
    }
  }
  if (!a.address.garbage()) {
    counters_.multiply_accumulates += a.rows * a.columns * (os ? other.columns : destination_.columns);
  }
  preloaded_ = false;
  if (!destination_.address.garbage()) write_result(result_.data());
}

void Function::write_result(const std::int32_t* result) {
  const LocalAddress c = destination_.address;
  for (std::int64_t row = 0; row < destination_.rows; ++row) {
    const std::int64_t local_row = c.row() + row * execute_.c_stride;
    const std::int32_t* values = result + row * config_.dim;
    if (c.accumulator()) {
      write_accumulator_row(local_row, values, destination_.columns, c.accumulate(), "accumulating compute");
      continue;
    }
    std::int8_t* target = scratchpad_.write(local_row);
    for (std::int64_t column = 0; column < destination_.columns; ++column) {
      const std::int8_t clipped = saturate_int8(values[column]);
      target[column] = execute_.relu ? std::max<std::int8_t>(clipped, 0) : clipped;
    }
  }
}

}  // namespace autocomp::gemmini
