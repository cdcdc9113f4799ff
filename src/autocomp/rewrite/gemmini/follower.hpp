// Follows the data of a kernel through the local memories, row by row: what each command leaves where, and what that
// makes of the output. autocomp.rewrite.gemmini._dataflow says what the parts mean.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program.hpp"

constexpr std::int64_t kGarbage = 0xFFFFFFFF;
constexpr std::int64_t kAccumulator = 0x80000000;
constexpr std::int64_t kAccumulate = 0x40000000;
constexpr std::int64_t kFullWidth = 0x20000000;
constexpr std::int64_t kRowMask = 0x1FFFFFFF;
constexpr int kSaltShift = 52;  // array numbers and bytes lie below

constexpr std::uint64_t kOdd = 0xD6E8FEB86659FD93ULL, kOther = 0xA0761D6478BD642FULL, kThird = 0x9E3779B97F4A7C15ULL;

inline std::uint64_t mix(std::uint64_t value) {
  value += kThird;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ value >> 31;
}

// What does not change while a kernel runs.
struct Chip {
  std::int64_t tile, scratchpad_rows, accumulator_rows;
  std::int64_t widest;  // columns that one transfer can move
  std::int64_t element_bytes, sum_bytes;
};

struct LoadState {
  std::int64_t stride = 0;        // bytes from row to row in memory; 0: one row is repeated
  std::int64_t block_stride = 0;  // local rows from one tile of columns to the next
  std::int64_t salt = 0;          // tells apart loads that change what they load in different ways
};

struct StoreState {
  std::int64_t stride = 0;
  std::int64_t pooled_rows = 0;  // 0: no pooling; else the local rows that one command reads
  std::int64_t out_rows = 0, out_columns = 0, out_width = 0;
};

struct Configuration {
  Chip chip;
  std::array<LoadState, 3> loads;
  StoreState store;
};

// What was stored last in every row of memory. A place is an array, a byte offset and a width in bytes; places whose
// offset is a multiple of 16 bytes, as nearly all are, are found by it, the others in a hash table.
class Stores {
 public:
  // False if the same place was stored with another width before.
  bool put(std::int64_t address, std::uint32_t shape, std::uint64_t held) {
    const std::size_t array = static_cast<std::uint64_t>(address) >> 40, offset = address & kOffset;
    if (offset % kGranule || offset / kGranule >= kMost || array >= 16) {
      auto [entry, fresh] = rest_.try_emplace(address, Entry{held, shape});
      if (!fresh && entry->second.shape != shape) return false;
      entry->second.held = held;
      return true;
    }
    if (array >= dense_.size()) dense_.resize(array + 1);
    std::vector<Entry>& entries = dense_[array];
    const std::size_t index = offset / kGranule;
    if (index >= entries.size()) entries.resize(std::max(index + 1, entries.size() * 2));
    Entry& entry = entries[index];
    if (entry.shape && entry.shape != shape) return false;
    entry = {held, shape};
    return true;
  }

  std::uint64_t signature() const {
    std::uint64_t total = 0;
    each([&](std::int64_t address, const Entry& entry) {
      total += mix(mix(address) + entry.held + entry.shape * kOther);
    });
    return total;
  }

  // True if some byte belongs to two places: which of them is stored last would then matter and not be seen.
  bool overlap() const {
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    each([&](std::int64_t address, const Entry& entry) { spans.push_back({address, address + (entry.shape >> 1)}); });
    std::sort(spans.begin(), spans.end());
    for (std::size_t index = 1; index < spans.size(); ++index)
      if (spans[index].first < spans[index - 1].second) return true;
    return false;
  }

 private:
  static constexpr std::int64_t kOffset = (std::int64_t{1} << 40) - 1;
  static constexpr std::size_t kGranule = 16, kMost = 1 << 24;

  struct Entry {
    std::uint64_t held = 0;
    std::uint32_t shape = 0;  // bytes and whether they are whole sums; 0: nothing was stored here
  };

  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t array = 0; array < dense_.size(); ++array)
      for (std::size_t index = 0; index < dense_[array].size(); ++index)
        if (dense_[array][index].shape)
          visit(static_cast<std::int64_t>(array << 40 | index * kGranule), dense_[array][index]);
    for (const auto& [address, entry] : rest_) visit(address, entry);
  }

  std::vector<std::vector<Entry>> dense_;
  std::unordered_map<std::int64_t, Entry> rest_;
};

// Follows the data row by row. A row of the scratchpad is known by the address it was loaded from; a row of the
// accumulator holds the sum of the hashes of all products (row of A, tile of B) that were added to it. With kMarks also
// who hands data to whom; without, only what the signature needs.
template <bool kMarks>
class Follower {
 public:
  Follower(const Configuration& configuration, std::size_t statements)
      : chip_(configuration.chip), loads_(configuration.loads), store_(configuration.store),
        statements_(kMarks ? statements : 0), loaded_(statements_ * statements_), summed_(statements_ * statements_),
        first_(statements_ * 2), cleared_(statements_), keys_(chip_.scratchpad_rows),
        widths_(chip_.scratchpad_rows, -1), held_(chip_.accumulator_rows), sum_widths_(chip_.accumulator_rows, -1),
        empty_(chip_.accumulator_rows, 1), writer_(kMarks ? chip_.scratchpad_rows : 0),
        last_(kMarks ? chip_.accumulator_rows : 0) {
    for (std::int64_t row = 0; row < chip_.tile; ++row) factors_.push_back(mix(row * kOdd) | 1);
  }

  void at(std::int32_t statement) { statement_ = statement; }

  void configure(const Setting& setting) { loads_[setting[0]] = {setting[1], setting[2], setting[3]}; }
  std::int64_t block_stride(int state) const { return loads_[state].block_stride; }
  std::int64_t stride(int state) const { return loads_[state].stride; }

  Outcome load(std::int64_t address, std::int64_t local, const Sizes& sizes, int number) {
    const auto [columns, rows, unused, unused_too] = sizes;
    const LoadState& state = loads_[number];
    if (address) read_ |= array_of(address);
    const std::int64_t row = local & kRowMask;
    if (columns < 1 || columns > chip_.widest || rows < 1 || rows > chip_.tile) return kTransfer;
    const std::int64_t blocks = (columns + chip_.tile - 1) / chip_.tile;
    if (blocks > 1 && state.block_stride < rows) return kTransfer;
    const bool into_accumulator = local & kAccumulator;
    if (row + (blocks - 1) * state.block_stride + rows > (into_accumulator ? chip_.accumulator_rows : chip_.scratchpad_rows))
      return kRange;
    // When the weights are read, at the preload or at its compute, must make no difference.
    if (!into_accumulator && row < pending_high_ && row + (blocks - 1) * state.block_stride + rows > pending_low_)
      return kOrder;
    if (kMarks && into_accumulator && address == 0 && !(local & kAccumulate)) cleared_[statement_] = 1;
    const std::int64_t width_bytes = chip_.tile * (into_accumulator ? chip_.sum_bytes : chip_.element_bytes);
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t begin = row + block * state.block_stride;
      const std::int64_t width = std::min(columns - block * chip_.tile, chip_.tile);
      // Zeros are zeros wherever they come from.
      const std::int64_t key = address ? address + block * width_bytes + (state.salt << kSaltShift) : 0;
      const std::int64_t stride = address ? state.stride : 0;
      if (into_accumulator) {
        const Outcome outcome = write(begin, rows, width, local & kAccumulate, [&](std::int64_t row) -> std::uint64_t {
          return key ? mix(static_cast<std::uint64_t>(key + row * stride) * kOther + width) : 0;
        });
        if (outcome != kFine) return outcome;
        continue;
      }
      for (std::int64_t cell = 0; cell < rows; ++cell) {
        keys_[begin + cell] = key ? mix(static_cast<std::uint64_t>(key + cell * stride) * kOdd) : 0;
        widths_[begin + cell] = static_cast<std::int32_t>(width);
        if (kMarks) writer_[begin + cell] = statement_;
      }
    }
    return kFine;
  }

  Outcome preload(std::int64_t weights, std::int64_t goal, const Sizes& sizes) {
    fresh_ = weights != kGarbage;
    if (fresh_) {
      const auto [columns, rows, unused, unused_too] = sizes;
      const Outcome outcome = check(weights, columns, rows);
      if (outcome != kFine) return outcome;
      weights_ = columns | rows << 16;
      for (std::int64_t row = 0; row < rows; ++row)
        weights_ += keys_[weights + row] * factors_[row];
      weights_ = mix(weights_);
      any_weights_ = true;
      pending_low_ = weights;
      pending_high_ = weights + rows;
    }
    goal_ = goal;
    goal_statement_ = statement_;
    goal_columns_ = sizes[2];
    goal_rows_ = sizes[3];
    return kFine;
  }

  Outcome compute(std::int64_t left, std::int64_t other, const Sizes& sizes, bool flips) {
    if (other != kGarbage) return kOperand;
    if (flips != fresh_ || !any_weights_) return kWeights;
    pending_high_ = 0;
    const auto [columns, rows, unused, unused_too] = sizes;
    const Outcome outcome = check(left, columns, rows);
    if (outcome != kFine) return outcome;
    if (goal_ == kGarbage) return kFine;
    if (!(goal_ & kAccumulator)) return kGoal;
    const std::int64_t goal = goal_ & kRowMask;
    if (goal_columns_ < 1 || goal_columns_ > chip_.tile || goal_rows_ < 1 || goal_rows_ > chip_.tile) return kOperand;
    if (goal + goal_rows_ > chip_.accumulator_rows) return kRange;
    at(goal_statement_);
    // A product of two hashes stands for the product of a row and a tile: sums of them are equal only if all parts are.
    const std::uint64_t factor = mix(weights_ + static_cast<std::uint64_t>(columns | goal_columns_ << 16) * kOther);
    const bool accumulate = goal_ & kAccumulate;
    if (kMarks)
      for (std::int64_t row = 0; row < goal_rows_; ++row)
        first_[statement_ * 2 + (!accumulate || empty_[goal + row])] = 1;
    return write(goal, goal_rows_, goal_columns_, accumulate, [&](std::int64_t row) -> std::uint64_t {
      return row < rows ? keys_[left + row] * factor : 0;
    });
  }

  Outcome store(std::int64_t address, std::int64_t local, const Sizes& sizes) {
    const auto [columns, rows, unused, unused_too] = sizes;
    const std::int64_t first = local & kRowMask;
    written_ |= array_of(address);
    if (store_.pooled_rows) return pool(address, local, columns);
    if (columns < 1 || columns > chip_.widest || rows < 1 || rows > chip_.tile) return kTransfer;
    if (!(local & kAccumulator)) return kGoal;
    const std::int64_t bytes = local & kFullWidth ? chip_.sum_bytes : chip_.element_bytes;
    for (std::int64_t block = 0; block * chip_.tile < columns; ++block) {
      const std::int64_t width = std::min(columns - block * chip_.tile, chip_.tile);
      const std::uint32_t shape = static_cast<std::uint32_t>(width * bytes * 2 + (local & kFullWidth ? 1 : 0));
      if (first + block * chip_.tile + rows > chip_.accumulator_rows) return kRange;
      for (std::int64_t row = 0; row < rows; ++row) {
        const Outcome outcome = take(first + block * chip_.tile + row, width);
        if (outcome != kFine) return outcome;
        const std::int64_t to = address + row * store_.stride + block * chip_.tile * bytes;
        if (!stored_.put(to, shape, held_[first + block * chip_.tile + row])) return kGoal;
      }
    }
    return kFine;
  }

  // Pairs of statements that share data, as first * statements + second: through the scratchpad, then the accumulator.
  std::vector<std::int64_t> pairs(bool accumulator) const { return marked(accumulator ? summed_ : loaded_); }
  std::vector<std::int64_t> first() const { return marked(first_); }
  std::vector<std::int64_t> cleared() const { return marked(cleared_); }

  std::uint64_t signature() const { return stored_.signature(); }
  bool overlap() const { return stored_.overlap(); }
  // What is loaded must be what it was at the start.
  bool both_ways() const { return read_ & written_; }

 private:
  static std::uint64_t array_of(std::int64_t address) { return std::uint64_t{1} << (address >> 40 & 63); }

  static std::vector<std::int64_t> marked(const std::vector<std::uint8_t>& marks) {
    std::vector<std::int64_t> found;
    for (std::size_t index = 0; index < marks.size(); ++index)
      if (marks[index]) found.push_back(static_cast<std::int64_t>(index));
    return found;
  }

  // A store that takes the greatest of several rows: each result depends on some of the rows read, here on all.
  Outcome pool(std::int64_t address, std::int64_t local, std::int64_t columns) {
    const std::int64_t first = local & kRowMask;
    if (columns < 1 || columns > chip_.tile) return kTransfer;
    if (!(local & kAccumulator) || local & kFullWidth) return kGoal;
    if (first + store_.pooled_rows > chip_.accumulator_rows) return kRange;
    std::uint64_t whole = 0;
    for (std::int64_t row = 0; row < store_.pooled_rows; ++row) {
      const Outcome outcome = take(first + row, columns);
      if (outcome != kFine) return outcome;
      whole += mix(held_[first + row] + static_cast<std::uint64_t>(row) * kOdd);
    }
    const std::uint32_t shape = static_cast<std::uint32_t>(columns * chip_.element_bytes * 2);
    for (std::int64_t row = 0; row < store_.out_rows; ++row)
      for (std::int64_t column = 0; column < store_.out_columns; ++column) {
        const std::int64_t place = row * store_.out_width + column;
        if (!stored_.put(address + place * store_.stride, shape, mix(whole + place * kOther))) return kGoal;
      }
    return kFine;
  }

  // A row of the accumulator leaves.
  Outcome take(std::int64_t cell, std::int64_t width) {
    if (sum_widths_[cell] < width) return sum_widths_[cell] < 0 ? kUnwritten : kTooLarge;
    link(cell);
    return kFine;
  }

  void link(std::int64_t cell) {
    if (!kMarks) return;
    summed_[last_[cell] * statements_ + statement_] = 1;
    last_[cell] = statement_;
  }

  // Whether rows of the scratchpad may be an operand of so many columns and rows.
  Outcome check(std::int64_t address, std::int64_t columns, std::int64_t rows) {
    if (address & kAccumulator || columns < 1 || columns > chip_.tile || rows < 1 || rows > chip_.tile) return kOperand;
    if (address + rows > chip_.scratchpad_rows) return kRange;
    std::int32_t narrowest = static_cast<std::int32_t>(columns);
    for (std::int64_t cell = address; cell < address + rows; ++cell)
      narrowest = std::min(narrowest, widths_[cell]);
    if (narrowest < columns) return narrowest < 0 ? kUnwritten : kTooLarge;
    if (kMarks)
      for (std::int64_t cell = address; cell < address + rows; ++cell)
        loaded_[writer_[cell] * statements_ + statement_] = 1;
    return kFine;
  }

  // Values for some rows of the accumulator, given by their number.
  template <typename Value>
  Outcome write(std::int64_t first, std::int64_t rows, std::int64_t columns, bool accumulate, Value value) {
    std::uint64_t* const held = held_.data() + first;
    std::int32_t* const widths = sum_widths_.data() + first;
    const std::int32_t width = static_cast<std::int32_t>(columns);
    if (accumulate) {
      std::int32_t narrowest = width;
      for (std::int64_t row = 0; row < rows; ++row) narrowest = std::min(narrowest, widths[row]);
      if (narrowest < width) return narrowest < 0 ? kUnwritten : kTooLarge;
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::uint64_t more = value(row);
        held[row] += more;
        if (kMarks) link(first + row);
        if (kMarks) empty_[first + row] = empty_[first + row] && more == 0;
      }
    } else {
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::uint64_t all = value(row);
        held[row] = all;
        widths[row] = width;
        if (kMarks) empty_[first + row] = all == 0;
        if (kMarks) last_[first + row] = statement_;
      }
    }
    return kFine;
  }

  const Chip chip_;
  std::array<LoadState, 3> loads_;
  const StoreState store_;
  std::size_t statements_;
  std::vector<std::uint8_t> loaded_, summed_, first_, cleared_;
  std::int32_t statement_ = 0, goal_statement_ = 0;
  std::vector<std::uint64_t> keys_;   // of rows of the scratchpad: hash of where they were loaded from; 0: zeros
  std::vector<std::int32_t> widths_;  // columns that were loaded; -1: nothing ever was
  std::vector<std::uint64_t> held_;       // of rows of the accumulator: sum of the hashes of all products
  std::vector<std::int32_t> sum_widths_;  // columns that hold it; -1: nothing was ever written
  std::vector<std::uint8_t> empty_;       // nothing but zeros so far
  std::vector<std::int32_t> writer_, last_;  // statements that touched each row last
  Stores stored_;
  std::vector<std::uint64_t> factors_;  // one for each row of a tile of weights
  std::uint64_t weights_ = 0;
  std::int64_t goal_ = kGarbage, goal_columns_ = 0, goal_rows_ = 0;
  bool fresh_ = false, any_weights_ = false;
  std::uint64_t read_ = 0, written_ = 0;  // a bit for each array
  std::int64_t pending_low_ = 0, pending_high_ = 0;  // rows of weights whose compute has not come yet
};

using Marks = std::vector<std::int64_t>;
using Result = std::tuple<int, std::uint64_t, Marks, Marks, Marks, Marks, Marks, Marks, Marks, Marks>;

// Bytes of memory that commands touch: from the first to behind the last. Single commands touch place 0 of their
// statement, hardware loops four: A, B, D and C.
class Places {
 public:
  explicit Places(std::size_t statements)
      : low(statements * 4, std::numeric_limits<std::int64_t>::max()), high(statements * 4, -1) {}

  void note(std::int32_t statement, int place, std::int64_t address, std::int64_t bytes) {
    const std::size_t index = statement * 4 + place;
    low[index] = std::min(low[index], address);
    high[index] = std::max(high[index], address + bytes);
  }

  Marks low, high;
};

// Rows that the two address operands of every statement touch: first row and the row behind the last.
class Rows {
 public:
  explicit Rows(std::size_t statements)
      : low(statements * 2, std::numeric_limits<std::int64_t>::max()), high(statements * 2, -1) {}

  void note(std::int32_t statement, int operand, std::int64_t address, std::int64_t rows) {
    if (address == kGarbage) return;
    const std::size_t index = statement * 2 + operand;
    const std::int64_t row = address & kRowMask;
    low[index] = std::min(low[index], row);
    high[index] = std::max(high[index], row + rows);
  }

  Marks low, high;
};
