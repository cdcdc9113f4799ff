// What happens to values: the local memories, the array, and the arithmetic on the way in, through and out. One
// implementation for each pair of types; whoever uses it has checked the command.
#pragma once

#include <cstdint>
#include <memory>

#include "config.hpp"
#include "local_memory.hpp"
#include "normalizer.hpp"
#include "operation.hpp"

namespace autocomp::gemmini {

// A matrix in local memory. Rows and columns are those of the matrix: transposed, element (i, k) lies in row k.
struct Matrix {
  LocalAddress address;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t stride = 1;  // local rows from one stored row to the next
  bool transposed = false;
  const char* what = "";    // for messages
  std::int64_t stored_rows() const { return transposed ? columns : rows; }
  std::int64_t stored_columns() const { return transposed ? rows : columns; }
};

// How the array is configured.
struct ArrayMode {
  bool output_stationary = false;
  bool relu = false;
  unsigned shift = 0;           // of results, output stationary
  float operand_scale = 1.0f;   // of operands from the accumulator
};

// What happens to sums on their way out of the accumulator.
struct StoreMode {
  bool full_width = false;
  Activation activation = Activation::kNone;
  float scale = 1.0f;
  unsigned statistics = 0;  // which set of them
  NormConstants constants;
};

class DataPath {
 public:
  virtual ~DataPath() = default;

  virtual const LocalRows& scratchpad() const = 0;
  virtual const LocalRows& accumulator() const = 0;
  // Contents of all rows, in the types of the chip.
  virtual const void* scratchpad_data() const = 0;
  virtual const void* accumulator_data() const = 0;

  // Row `row` of an mvin: `source` holds its elements as they lie in memory.
  virtual void load_row(const Operation& load, float scale, std::int64_t row, const std::uint8_t* source) = 0;
  // Row `row` of an mvout, to `target` as it shall lie in memory.
  virtual void store_row(const Operation& store, const StoreMode& mode, std::int64_t row, std::uint8_t* target) = 0;

  // Row `row` of an mvout that gathers statistics, or that ends their gathering because it stores.
  virtual void gather_row(const Operation& store, const StoreMode& mode, NormCommand command, std::int64_t row) = 0;
  // The pixel in that row and column of an mvout's picture.
  virtual void store_pixel(const Operation& store, const StoreMode& mode, std::int64_t row, std::int64_t column,
                           std::uint8_t* target) = 0;

  // Brings a matrix next to the one that the array holds.
  virtual void preload(const Matrix& matrix, const ArrayMode& mode) = 0;
  // With `flip` the array takes what was brought last. Then streams A and the other operand; writes C.
  virtual void compute(const Matrix& a, const Matrix& other, bool flip, const ArrayMode& mode, const Matrix& c) = 0;
};

std::unique_ptr<DataPath> make_data_path(const Config& config);

}  // namespace autocomp::gemmini
