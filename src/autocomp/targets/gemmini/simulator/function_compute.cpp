#include <algorithm>

#include "function.hpp"

namespace autocomp::gemmini {

namespace {

std::string extent(const char* what, std::int64_t rows, std::int64_t columns) {
  return std::string(what) + " of " + std::to_string(rows) + " rows x " + std::to_string(columns) + " columns";
}

}  // namespace

Matrix Function::decode_matrix(std::uint64_t bits, const char* what) const {
  Matrix matrix;
  matrix.address.bits = static_cast<std::uint32_t>(bits);
  matrix.columns = static_cast<std::int64_t>((bits >> 32) & 0xffff);
  matrix.rows = static_cast<std::int64_t>((bits >> 48) & 0xffff);
  matrix.what = what;
  if (matrix.rows > config_.dim || matrix.columns > config_.dim) {
    throw Fault(FaultKind::kIllegalCommand, extent(what, matrix.rows, matrix.columns) + ": the array takes at most " +
                                                std::to_string(config_.dim) + " x " + std::to_string(config_.dim));
  }
  return matrix;
}

// All its rows must exist.
void Function::check_rows(const Matrix& matrix) const {
  const std::int64_t last = matrix.address.row() + std::max<std::int64_t>(matrix.stored_rows() - 1, 0) * matrix.stride;
  rows_of(matrix.address).check(last, [&] { return extent(matrix.what, matrix.rows, matrix.columns); });
}

// Where the rows of `matrix` lie, for the timing model.
Operand Function::operand(const Matrix& matrix) const {
  Operand out;
  out.garbage = matrix.address.garbage();
  if (out.garbage) return out;
  check_rows(matrix);
  out.accumulator = matrix.address.accumulator();
  out.row = matrix.address.row();
  out.stride = matrix.stride;
  out.rows = matrix.stored_rows();
  return out;
}

// A move that meets rows of C waits for the preload, and that is complete only when the compute has written them: the
// hardware does the two in the other order than the program says.
void Function::check_order(const char* name, const RowRange& rows) const {
  if (!preloaded_ || !rows.overlaps(destination_rows_)) return;
  throw Fault(FaultKind::kIllegalCommand, std::string(name) + " between a preload and its compute touches rows of C: on "
                                          "hardware it happens after the result is written; put it before the preload or "
                                          "after the compute");
}

// The hardware waits for rows * stride rows: with a stride of zero for none at all.
void Function::check_stride(const char* what, std::int64_t rows, std::int64_t stride) const {
  if (rows == 0 || stride != 0) return;
  throw Fault(FaultKind::kIllegalCommand, std::string("the ") + what + " stride is 0: loads, computes and stores would not "
                                          "wait for one another's rows of " + what + "; it is at least 1");
}

void Function::preload(const Command& command, Operation& operation) {
  ++counters_.commands_preload;
  operation.kind = OperationKind::kPreload;
  if (!execute_.configured) throw Fault(FaultKind::kIllegalCommand, "preload before any config_ex");
  if (preloaded_) {
    throw Fault(FaultKind::kIllegalCommand,
                "preload directly after a preload: every preload needs its own compute before the next");
  }
  const bool os = execute_.mode.output_stationary;
  Matrix source = decode_matrix(command.rs1, os ? "preload of D" : "preload of B");
  source.transposed = !os && execute_.b_transpose;
  destination_ = decode_matrix(command.rs2, "C");
  destination_.stride = execute_.c_stride;
  operation.d = operand(source);
  if (!destination_.address.garbage()) {
    check_rows(destination_);
    check_stride("C", destination_.rows, execute_.c_stride);
    if (os && execute_.c_stride != 1) {
      throw Fault(FaultKind::kIllegalCommand, "output stationary with a C stride of " +
                                                  std::to_string(execute_.c_stride) + ": rows leave the array last first "
                                                  "and land in the wrong place unless it is 1");
    }
  }
  data_path_->preload(source, execute_.mode);
  preloaded_ = true;

  operation.c = destination_.address;
  operation.c_rows = destination_.rows;
  operation.c_stride = execute_.c_stride;
  operation.output_stationary = os;
  operation.a_transpose = execute_.a_transpose;
  operation.b_transpose = execute_.b_transpose;
  operation.first_is_destination = true;
  const LocalAddress c = destination_.address;
  operation.first = {!c.garbage(), c.accumulator(), c.row(), c.row() + destination_.rows * execute_.c_stride};
  destination_rows_ = operation.first;
  operation.second = {!source.address.garbage(), source.address.accumulator(), source.address.row(),
                      source.address.row() + std::max(source.rows, operation.d.rows)};
  order_.read(operation.second);
}

void Function::compute(const Command& command, Operation& operation) {
  ++counters_.commands_compute;
  operation.kind = OperationKind::kCompute;
  operation.flip = command.funct == 4;
  const char* name = operation.flip ? "compute_preloaded" : "compute_accumulated";
  if (!preloaded_) {
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + " without a preload before it: its result has no destination");
  }
  const bool os = execute_.mode.output_stationary;
  if (!operation.flip && (!array_filled_ || array_output_stationary_ != os)) {
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + ": the array holds nothing yet; the first compute after " +
                                                "config_ex must be compute_preloaded");
  }
  Matrix a = decode_matrix(command.rs1, "A");
  a.transposed = execute_.a_transpose;
  a.stride = execute_.a_stride;
  Matrix other = decode_matrix(command.rs2, os ? "B" : "D");
  other.transposed = os && execute_.b_transpose;
  if (a.address.garbage() && a.rows > 0 && a.columns > 0) {
    // The port delivers what it read last: nothing zeroes A as it does the other operands.
    throw Fault(FaultKind::kIllegalCommand, std::string(name) + ": A may not be the garbage address, its values would be undefined");
  }
  if (!a.address.garbage()) check_stride("A", a.rows, execute_.a_stride);
  operation.a = operand(a);
  operation.b = operand(other);
  operation.output_stationary = os;
  operation.a_transpose = execute_.a_transpose;
  operation.b_transpose = execute_.b_transpose;
  operation.first = {!a.address.garbage(), a.address.accumulator(), a.address.row(),
                     a.address.row() + operation.a.rows * execute_.a_stride};
  operation.second = {!other.address.garbage(), other.address.accumulator(), other.address.row(),
                      other.address.row() + std::max(other.rows, operation.b.rows)};

  if (!os && !execute_.a_transpose && !execute_.b_transpose && !destination_.address.garbage()) {
    const std::int64_t a_rows = a.address.garbage() ? 1 : a.rows;
    const std::int64_t d_rows = other.address.garbage() ? 1 : other.rows;
    const std::int64_t streamed = std::max({a_rows, d_rows, config_.least_rows});
    if (destination_.rows > streamed) {
      throw Fault(FaultKind::kIllegalCommand, "C has " + std::to_string(destination_.rows) + " rows, but A and D stream only " +
                                                  std::to_string(streamed) + " through the array: the rest of C may stay unwritten");
    }
  }
  if (operation.flip) {
    array_filled_ = true;
    array_output_stationary_ = os;
  }
  data_path_->compute(a, other, operation.flip, execute_.mode, destination_);
  if (!a.address.garbage()) {
    counters_.multiply_accumulates += a.rows * a.columns * (os ? other.columns : destination_.columns);
  }
  order_.read(operation.first);
  order_.read(operation.second);
  order_.compute(destination_rows_);
  preloaded_ = false;
}

}  // namespace autocomp::gemmini
