// A hardware loop after decoding: the commands that it unrolls into, in the five streams that the hardware generates
// side by side. The function fills it in an order that is safe for data; the timing model decides in which order and
// when the commands of the streams really leave the unroller.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "config.hpp"
#include "operation.hpp"

namespace autocomp::gemmini {

enum LoopStream : int { kLoopA, kLoopB, kLoopD, kLoopExecute, kLoopStore, kLoopStreams };

struct LoopStep {
  Operation operation;
  std::int32_t i = 0, j = 0, k = 0;  // tile that the command begins with
  std::int32_t blocks = 1;           // tiles that it covers along its rows
  bool bubble = false;               // the stream passes over an iteration: it takes a cycle and sends nothing
};

struct LoopPlan {
  std::array<std::vector<LoopStep>, kLoopStreams> steps;  // an empty stream is skipped
  std::int32_t last_k = 0;
  bool residual = false;                                  // adds two matrices: no execute stream
};

// Position and address of the command that starts a loop: what all its commands are known by.
struct LoopCommand {
  std::uint64_t index = 0;
  std::uint64_t pc = 0;
};

// Rows [start, end) of a local memory; none if empty.
struct LocalSpan {
  std::int64_t start = 0, end = 0;
  bool meets(const LocalSpan& other) const { return std::max(start, other.start) < std::min(end, other.end); }
};

// The second register of moves and of operands: a local address and the extent of what lies there.
inline std::uint64_t tile_bits(std::uint64_t address, std::int64_t columns, std::int64_t rows) {
  return address | static_cast<std::uint64_t>(columns) << 32 | static_cast<std::uint64_t>(rows) << 48;
}
constexpr std::uint64_t kAccumulatorBit = 1u << 31, kAccumulateBit = 1u << 30, kFullWidthBit = 1u << 29;

// Tiles that the widest move of elements of that size covers.
inline std::int64_t most_tiles(const Config& config, std::int64_t element_bytes) {
  return std::max<std::int64_t>(1, config.max_columns(element_bytes) / config.dim);
}

}  // namespace autocomp::gemmini
