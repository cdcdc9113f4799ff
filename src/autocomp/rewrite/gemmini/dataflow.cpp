// Runs through all commands of a kernel and follows the data: which products end up in which output tile (as one
// number, the signature), which statements hand data to one another, and which products are the first of their sum.
// Every move is checked with it, so it has to be fast. autocomp.rewrite.gemmini._dataflow says what the parts mean.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program.hpp"

namespace nb = nanobind;

namespace {

constexpr std::int64_t kGarbage = 0xFFFFFFFF;
constexpr std::int64_t kAccumulator = 0x80000000;
constexpr std::int64_t kAccumulate = 0x40000000;
constexpr std::int64_t kFullWidth = 0x20000000;
constexpr std::int64_t kRowMask = 0x1FFFFFFF;
constexpr int kSaltShift = 52;  // array numbers and bytes lie below

constexpr std::uint64_t kOdd = 0xD6E8FEB86659FD93ULL, kOther = 0xA0761D6478BD642FULL, kThird = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t value) {
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

// Executes a program and follows its commands.
template <bool kMarks>
class Run {
 public:
  Run(const Program& program, const Configuration& configuration)
      : program_(program), values_(program.values), configuration_(configuration),
        follower_(configuration, program.commands.size()), rows_(program.commands.size()),
        places_(kMarks ? program.commands.size() : 0) {}

  Result result() {
    Outcome outcome = block(0);
    if (outcome == kFine && waiting_) outcome = kOrder;
    if (outcome == kFine && follower_.both_ways()) outcome = kBothWays;
    if (outcome == kFine && follower_.overlap()) outcome = kGoal;
    if (outcome != kFine) return {outcome, 0, {}, {}, {}, {}, {}, {}, {}, {}};
    return {kFine, follower_.signature(), follower_.pairs(false), follower_.pairs(true), follower_.first(),
            follower_.cleared(), rows_.low, rows_.high, places_.low, places_.high};
  }

  std::pair<int, std::uint64_t> signature() {
    Outcome outcome = block(0);
    if (outcome == kFine && waiting_) outcome = kOrder;
    if (outcome == kFine && follower_.both_ways()) outcome = kBothWays;
    return {outcome, outcome == kFine ? follower_.signature() : 0};
  }

 private:
  Outcome block(std::uint32_t number) {
    const Block& block = program_.blocks[number];
    std::int64_t* values = values_.data();
    for (const Step& step : block.steps) values[step.to] = step.evaluate(values);
    for (const Item& item : block.items) {
      Outcome outcome = kFine;
      if (item.kind == Item::kCommand) {
        outcome = command(program_.commands[item.number]);
      } else if (item.kind == Item::kSetting) {
        follower_.configure(program_.settings[item.number]);
      } else if (item.kind == Item::kLoop) {
        for (std::int64_t turn = 0; turn < item.count && outcome == kFine; ++turn) {
          values[item.slot] = turn;
          outcome = this->block(item.number);
        }
      } else {
        const std::uint32_t branch = values[item.slot] ? item.number : item.other;
        if (branch) outcome = this->block(branch);
      }
      if (outcome != kFine) return outcome;
    }
    return kFine;
  }

  Outcome command(const Instruction& instruction) {
    if (instruction.kind == kHardwareLoop) return hardware_loop(instruction);
    const std::int64_t* values = values_.data();
    std::int64_t one = values[instruction.slots[0]], two = values[instruction.slots[1]];
    Sizes sizes{};
    if (!(instruction.memory & 1)) one &= kGarbage;
    if (!(instruction.memory & 2)) two &= kGarbage;
    for (int index = 2; index < instruction.arguments; ++index) sizes[index - 2] = values[instruction.slots[index]];
    const std::int32_t statement = instruction.statement;
    follower_.at(statement);
    switch (instruction.kind) {
      case kPreload:
        if (kMarks) rows_.note(statement, 0, one, sizes[1]);
        if (kMarks) rows_.note(statement, 1, two, sizes[3]);
        if (waiting_) return kOrder;
        waiting_ = true;
        return follower_.preload(one, two, sizes);
      case kCompute:
      case kComputeAgain:
        if (kMarks) rows_.note(statement, 0, one, sizes[1]);
        if (!waiting_) return kOrder;
        waiting_ = false;
        return follower_.compute(one, two, sizes, instruction.kind == kCompute);
      case kStore:
        if (kMarks) rows_.note(statement, 1, two, stored_rows(sizes));
        if (kMarks) note_store(statement, 0, one, two, sizes);
        return follower_.store(one, two, sizes);
      default:
        if (kMarks) rows_.note(statement, 1, two, extent(sizes, follower_.block_stride(instruction.kind - kLoad)));
        if (kMarks) note_load(statement, 0, one, two, sizes, instruction.kind - kLoad);
        return follower_.load(one, two, sizes, instruction.kind - kLoad);
    }
  }

  void note_load(std::int32_t statement, int place, std::int64_t address, std::int64_t local, const Sizes& sizes,
                 int state) {
    const Chip& chip = configuration_.chip;
    const std::int64_t bytes = local & kAccumulator ? chip.sum_bytes : chip.element_bytes;
    if (address) places_.note(statement, place, address, (sizes[1] - 1) * follower_.stride(state) + sizes[0] * bytes);
  }

  void note_store(std::int32_t statement, int place, std::int64_t address, std::int64_t local, const Sizes& sizes) {
    const Chip& chip = configuration_.chip;
    const std::int64_t bytes = local & kFullWidth ? chip.sum_bytes : chip.element_bytes;
    places_.note(statement, place, address, (sizes[1] - 1) * configuration_.store.stride + sizes[0] * bytes);
  }

  // A hardware loop does what its tiles do one after the other: loads of D, A and B, products, stores. Operands lie in
  // the half of the scratchpad whose turn it is, A from its first row on, B up to its last; sums lie in one half of the
  // accumulator until a loop has stored them. A kernel of hardware loops alone does the same whichever halves come first.
  Outcome hardware_loop(const Instruction& instruction) {
    const LoopSlots& slots = program_.loops[instruction.slots[0]];
    std::array<std::int64_t, 23> value{};
    for (std::size_t index = 0; index < value.size(); ++index) value[index] = values_[slots[index]];
    const auto [i_end, j_end, k_end, pad_i, pad_j, pad_k, a, b, d, c, a_stride, b_stride, d_stride, c_stride,
                a_transpose, b_transpose, full, low_d, accumulate, activation, a_half, b_half, residual] = value;
    const Chip& chip = configuration_.chip;
    const std::int64_t dim = chip.tile, half = chip.scratchpad_rows / 2, sums = chip.accumulator_rows / 2;
    if (a_transpose || b_transpose || low_d || a_half || b_half || residual || configuration_.store.pooled_rows)
      return kLoop;
    for (const std::int64_t flag : {full, accumulate, activation})
      if (flag != 0 && flag != 1) return kLoop;
    for (const std::int64_t tiles : {i_end, j_end, k_end})
      if (tiles < 1 || tiles > 0xffff) return kLoop;
    for (const std::int64_t pad : {pad_i, pad_j, pad_k})
      if (pad < 0 || pad >= dim) return kLoop;
    if ((i_end + j_end) * k_end * dim > half || i_end * j_end * dim > sums) return kLoop;
    std::array<std::int64_t, 3> loaded{a, b, d};
    for (int state = 0; state < 3; ++state)
      if (loaded[state] && follower_.block_stride(state) != dim) return kLoop;
    if ((expanded_ += 2 * i_end * j_end * k_end) > program_.limit) return kTooMany;
    if (d && keeps_) return kLoopBias;  // nothing makes the load wait for the products of the loop before
    keeps_ = !c;

    const std::int64_t a_row = slot_ * half, b_row = (slot_ + 1) * half - k_end * j_end * dim;
    const std::int64_t c_row = sum_half_ * sums | kAccumulator;
    slot_ ^= 1;
    if (c) sum_half_ ^= 1;
    const std::int32_t statement = instruction.statement;
    follower_.at(statement);
    const auto span = [dim](std::int64_t index, std::int64_t end, std::int64_t pad) {
      return dim - (index == end - 1 ? pad : 0);
    };
    Outcome outcome = kFine;
    // All tiles of a matrix in memory, given its rows and columns in tiles.
    const auto each = [&](std::int64_t base, std::int64_t stride, std::int64_t bytes, std::int64_t rows,
                          std::int64_t row_pad, std::int64_t columns, std::int64_t column_pad, auto visit) {
      if (!base || outcome != kFine) return;
      if (stride < 0 || stride > (std::int64_t{1} << 32) / (rows * dim * bytes) - columns) {
        outcome = kLoop;  // the unit computes offsets in 32 bits
        return;
      }
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns && outcome == kFine; ++column)
          outcome = visit(base + (row * stride + column) * dim * bytes, (row * columns + column) * dim,
                          Sizes{span(column, columns, column_pad), span(row, rows, row_pad)});
    };
    const auto loads = [&](int place, int state, std::int64_t first) {
      return [this, statement, place, state, first](std::int64_t address, std::int64_t row, const Sizes& sizes) {
        if (kMarks) note_load(statement, place, address, first, sizes, state);
        return follower_.load(address, first + row, sizes, state);
      };
    };
    each(d, d_stride, chip.sum_bytes, i_end, pad_i, j_end, pad_j, loads(2, 2, c_row));
    each(a, a_stride, chip.element_bytes, i_end, pad_i, k_end, pad_k, loads(0, 0, a_row));
    each(b, b_stride, chip.element_bytes, k_end, pad_k, j_end, pad_j, loads(1, 1, b_row));
    for (std::int64_t k = 0; k < k_end; ++k)
      for (std::int64_t j = 0; j < j_end; ++j)
        for (std::int64_t i = 0; i < i_end && outcome == kFine; ++i) {
          const std::int64_t rows = span(i, i_end, pad_i), columns = span(j, j_end, pad_j), deep = span(k, k_end, pad_k);
          const std::int64_t goal = (c_row + (i * j_end + j) * dim) | (accumulate || k ? kAccumulate : 0);
          outcome = follower_.preload(i ? kGarbage : b_row + (k * j_end + j) * dim, goal, {columns, deep, columns, rows});
          if (outcome == kFine)
            outcome = follower_.compute(a_row + (i * k_end + k) * dim, kGarbage, {deep, rows, dim, dim}, i == 0);
        }
    const std::int64_t width = full ? kFullWidth : 0;
    each(c, c_stride, full ? chip.sum_bytes : chip.element_bytes, i_end, pad_i, j_end, pad_j,
         [&](std::int64_t address, std::int64_t row, const Sizes& sizes) {
           if (kMarks) note_store(statement, 3, address, width, sizes);
           return follower_.store(address, (c_row + row) | width, sizes);
         });
    return outcome;
  }

  std::int64_t extent(const Sizes& sizes, std::int64_t block_stride) const {
    return (sizes[0] - 1) / configuration_.chip.tile * block_stride + sizes[1];
  }

  std::int64_t stored_rows(const Sizes& sizes) const {
    const std::int64_t pooled = configuration_.store.pooled_rows;
    return pooled ? pooled : extent(sizes, configuration_.chip.tile);
  }

  const Program& program_;
  std::vector<std::int64_t> values_;
  const Configuration& configuration_;
  Follower<kMarks> follower_;
  Rows rows_;
  Places places_;
  bool waiting_ = false;  // a preload has come and its compute has not
  std::int64_t slot_ = 0, sum_half_ = 0;  // halves that the next hardware loop takes
  bool keeps_ = false;                    // the hardware loop before has not stored its sums
  std::int64_t expanded_ = 0;             // commands that hardware loops stand for so far
};

}  // namespace

NB_MODULE(_dataflow_native, module) {
  nb::class_<Expressions>(module, "Expressions", "Expressions of many kernels, each known by a number.")
      .def(nb::init<>())
      .def("__len__", &Expressions::size)
      .def("constant", &Expressions::constant, nb::arg("value"))
      .def("variable", &Expressions::variable)
      .def("sum", &Expressions::sum, nb::arg("constant"), nb::arg("parts"), nb::arg("factors"),
           "A constant plus parts times factors.")
      .def("operation", &Expressions::operation, nb::arg("operator"), nb::arg("parts"),
           "An operator by its number in OPERATORS.");
  module.attr("OPERATORS") = nb::cast(operators());
  nb::class_<Configuration>(module, "Settings", "Sizes of a chip and what its config commands set.")
      .def(
          "__init__",
          [](Configuration* made, const std::array<std::int64_t, 6>& chip,
             const std::array<std::array<std::int64_t, 3>, 3>& loads, const std::array<std::int64_t, 5>& store) {
            new (made) Configuration;
            made->chip = {chip[0], chip[1], chip[2], chip[3], chip[4], chip[5]};
            for (int state = 0; state < 3; ++state)
              made->loads[state] = {loads[state][0], loads[state][1], loads[state][2]};
            made->store = {store[0], store[1], store[2], store[3], store[4]};
          },
          nb::arg("chip"), nb::arg("loads"), nb::arg("store"),
          "chip: tile, rows of scratchpad and accumulator, columns of the widest transfer, bytes of an element and of a "
          "sum. loads: stride, block stride, salt. store: stride, rows pooled (0: none), rows, columns and width written.");
  module.def(
      "follow",
      [](Expressions& expressions, const std::vector<std::int64_t>& tokens, const Configuration& settings,
         std::int64_t limit) -> Result {
        const Program program = Compiler(expressions, tokens, limit).program();
        if (program.outcome != kFine) return {program.outcome, 0, {}, {}, {}, {}, {}, {}, {}, {}};
        return Run<true>(program, settings).result();
      },
      nb::arg("expressions"), nb::arg("tokens"), nb::arg("settings"), nb::arg("limit"),
      "Outcome (0: in order), signature, pairs through scratchpad and accumulator, first products, clearers, and the "
      "rows each operand and the bytes each address touches.");
  module.def(
      "signature",
      [](Expressions& expressions, const std::vector<std::int64_t>& tokens, const Configuration& settings,
         std::int64_t limit) -> std::pair<int, std::uint64_t> {
        const Program program = Compiler(expressions, tokens, limit).program();
        if (program.outcome != kFine) return {program.outcome, 0};
        return Run<false>(program, settings).signature();
      },
      nb::arg("expressions"), nb::arg("tokens"), nb::arg("settings"), nb::arg("limit"),
      "Outcome and signature only, in less time.");
}
