// A command after decoding: what the timing model needs to know, with the configuration of its place in the program
// already applied. The function produces it, the timing model never looks at register operands.
#pragma once

#include <cstdint>

namespace autocomp::gemmini {

constexpr std::uint32_t kGarbageAddress = 0xffffffffu;

// A field of a local address: which memory, which row and the flag bits.
struct LocalAddress {
  std::uint32_t bits = kGarbageAddress;
  bool garbage() const { return bits == kGarbageAddress; }
  bool accumulator() const { return (bits >> 31) & 1; }
  bool accumulate() const { return (bits >> 30) & 1; }
  bool full_width() const { return (bits >> 29) & 1; }
  std::int64_t row() const { return bits & 0x1fffffffu; }
};

// Rows [start, end) of one local memory, as the reservation station compares them.
struct RowRange {
  bool valid = false;
  bool accumulator = false;
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool overlaps(const RowRange& other) const {
    return valid && other.valid && accumulator == other.accumulator && start < other.end && other.start < end;
  }
};

enum class OperationKind : std::uint8_t {
  kConfigLoad, kConfigStore, kConfigExecute, kLoad, kStore, kPreload, kCompute, kFlush, kLoop,
};

enum class Pool : std::uint8_t { kLoad, kExecute, kStore };

// Who sent a command to the reservation station: the program, or the unroller of a hardware loop.
enum class Origin : std::uint8_t { kProgram, kMatmulLoop, kConvolutionLoop };
constexpr int kOrigins = 3;

// An operand of a step of the array: where its rows lie.
struct Operand {
  bool garbage = true;
  bool accumulator = false;
  std::int64_t row = 0;
  std::int64_t stride = 1;  // local rows from one row of the operand to the next
  std::int64_t rows = 0;    // rows that are really read; the rest of the stream is zeros
};

// An mvout that takes the rows of local memory for the pixels of a picture: it writes a picture of which each pixel is
// the largest of a window of those. Without pooling the window is one pixel.
struct Picture {
  std::int64_t rows = 0, columns = 0;          // of the picture in local memory: one pixel after the other
  std::int64_t out_rows = 0, out_columns = 0;  // of the picture that is written; none: the mvout moves a matrix
  std::int64_t out_pitch = 0;                  // pixels in memory from one of its rows to the next
  std::int64_t window = 1, stride = 1;
  std::int64_t upper_padding = 0, left_padding = 0;

  bool used() const { return out_rows != 0; }
  std::int64_t pixels_read() const { return out_rows * out_columns * window * window; }
  // Local row, counted from the first pixel, of a place in the window of an output pixel; -1: padding, which is zero.
  std::int64_t local_row(std::int64_t out_row, std::int64_t out_column, std::int64_t window_row,
                         std::int64_t window_column) const {
    const std::int64_t row = out_row * stride + window_row - upper_padding;
    const std::int64_t column = out_column * stride + window_column - left_padding;
    return row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
  }
};

struct Operation {
  OperationKind kind = OperationKind::kFlush;
  std::uint8_t funct = 0;
  std::uint64_t index = 0;  // position in the program, counted in commands of the core
  std::uint64_t pc = 0;
  Origin origin = Origin::kProgram;

  RowRange first;           // destination of loads, of preloads (C); operand of computes (A), source of stores
  RowRange second;          // B of a preload, second operand of a compute
  bool first_is_destination = false;

  // --- kLoad, kStore
  std::uint64_t address = 0;       // guest address of row 0
  std::uint64_t row_stride = 0;    // guest bytes from row to row
  std::int64_t local_row = 0;
  std::int64_t rows = 0;           // local rows per block
  std::int64_t columns = 0;
  std::int64_t element_bytes = 1;  // in guest memory
  std::int64_t block_stride = 0;   // local rows from one block of columns to the next
  std::int64_t pixel_repeats = 1;
  bool accumulator = false;        // local side
  bool accumulate = false;
  Picture picture;                 // mvout with pooling, or of one picture row after the other
  bool gathers = false;            // mvout that only gathers statistics: nothing goes to memory
  bool finishes = false;           // and draws a result from them
  bool zeros = false;              // mvin of address 0, mvout of the garbage address
  bool wide = false;               // mvin of sums, not of elements
  bool scaled = false;             // goes through the multipliers

  // --- kPreload, kCompute
  Operand a;                       // compute: streamed operand
  Operand b;                       // compute: D (weight stationary) or B (output stationary)
  Operand d;                       // preload: B (weight stationary) or D (output stationary)
  LocalAddress c;                  // preload: destination
  std::int64_t c_rows = 0;
  std::int64_t c_stride = 1;
  bool flip = false;               // compute_preloaded
  bool output_stationary = false;
  bool a_transpose = false;
  bool b_transpose = false;

  Pool pool() const {
    switch (kind) {
      case OperationKind::kConfigLoad:
      case OperationKind::kLoad: return Pool::kLoad;
      case OperationKind::kConfigStore:
      case OperationKind::kStore: return Pool::kStore;
      default: return Pool::kExecute;
    }
  }
  bool is_config() const {
    return kind == OperationKind::kConfigLoad || kind == OperationKind::kConfigStore ||
           kind == OperationKind::kConfigExecute;
  }
};

}  // namespace autocomp::gemmini
