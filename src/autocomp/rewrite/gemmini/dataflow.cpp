// Follows the data through a trace of commands in one pass: which products end up in which output tile (as one number,
// the signature), which statements hand data to one another, and which products are the first of their sum. Every move
// is checked with it, so it has to be fast. autocomp.rewrite.gemmini._dataflow says what the parts mean.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace {

constexpr std::int64_t kTile = 16;
constexpr std::int64_t kGarbage = 0xFFFFFFFF;
constexpr std::int64_t kAccumulator = 0x80000000;
constexpr std::int64_t kAccumulate = 0x40000000;
constexpr std::int64_t kFullWidth = 0x20000000;
constexpr std::int64_t kRowMask = 0x1FFFFFFF;
constexpr std::size_t kScratchpadTiles = 1024;
constexpr std::size_t kAccumulatorTiles = 64;

constexpr std::int64_t kSeeColumn = std::numeric_limits<std::int64_t>::min();

enum Kind : std::int8_t { kPreload = 1, kCompute = 2, kComputeAgain = 3, kLoad = 4, kStore = 7 };

enum Outcome : int {
  kFine = 0,
  kOrder = 1,
  kOperand = 2,
  kWeights = 3,
  kTransfer = 4,
  kRange = 5,
  kUnwritten = 6,
  kTooLarge = 7,
  kGoal = 8,
};

using Column = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Statements = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Kinds = nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Hash {
 public:
  Hash& add(std::uint64_t part) {
    state_ += part + 0x9E3779B97F4A7C15ULL;
    state_ = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9ULL;
    state_ = (state_ ^ (state_ >> 27)) * 0x94D049BB133111EBULL;
    state_ ^= state_ >> 31;
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

struct Tile {
  std::uint64_t hash = 0;
  std::int32_t writer = 0;
  std::int16_t rows = -1;  // -1: nothing was ever loaded here
  std::int16_t columns = -1;
};

struct Sum {
  std::uint64_t held = 0;
  std::int32_t last = 0;  // statement that touched it last
  bool empty = true;      // nothing but zeros so far
  bool written = false;
};

struct Stored {
  std::int64_t address;
  std::int64_t time;
  std::uint64_t shape;
  std::uint64_t held;
};

class Follower {
 public:
  Follower(const std::int64_t* strides, std::size_t statements)
      : strides_(strides), statements_(statements), loaded_(statements * statements),
        summed_(statements * statements), first_(statements * 2), cleared_(statements) {}

  void at(std::int32_t statement) { statement_ = statement; }

  Outcome load(std::int64_t address, std::int64_t local, std::int64_t sizes, int state) {
    const std::int64_t columns = sizes & 0xFF, rows = sizes >> 8 & 0xFF, row = local & kRowMask;
    if (columns < 1 || columns > 4 * kTile || rows < 1 || rows > kTile || row % kTile) return kTransfer;
    const bool into_accumulator = local & kAccumulator;
    const std::int64_t bytes = into_accumulator ? 4 : 1;
    for (std::int64_t block = 0; block * kTile < columns; ++block) {
      const std::size_t cell = row / kTile + block;
      const std::int64_t width = std::min(columns - block * kTile, kTile);
      const std::int64_t from = address > 0 ? address + block * kTile * bytes : address;
      if (into_accumulator) {
        if (cell >= kAccumulatorTiles) return kRange;
        std::uint64_t value = 0;
        if (from > 0) value = Hash().add(from).add(strides_[state]).add(rows | width << 8).value();
        if (from == 0) cleared_[statement_] = 1;
        if (!write(cell, value, local & kAccumulate)) return kUnwritten;
      } else {
        if (cell >= kScratchpadTiles) return kRange;
        scratchpad_[cell] = {Hash().add(from).add(strides_[state]).value(), statement_,
                             static_cast<std::int16_t>(rows), static_cast<std::int16_t>(width)};
      }
    }
    return kFine;
  }

  Outcome preload(std::int64_t weights, std::int64_t goal, std::int64_t sizes) {
    fresh_ = weights != kGarbage;
    if (fresh_) {
      const Outcome outcome = read(weights, sizes & 0xFFFF, weight_hash_);
      if (outcome != kFine) return outcome;
      weight_sizes_ = sizes & 0xFFFF;
      any_weights_ = true;
    }
    goal_ = goal;
    goal_statement_ = statement_;
    goal_sizes_ = sizes >> 16 & 0xFFFF;
    return kFine;
  }

  Outcome compute(std::int64_t left, std::int64_t other, std::int64_t sizes, bool flips) {
    if (other != kGarbage) return kOperand;
    if (flips != fresh_ || !any_weights_) return kWeights;
    std::uint64_t operand = 0;
    const Outcome outcome = read(left, sizes & 0xFFFF, operand);
    if (outcome != kFine) return outcome;
    if (goal_ == kGarbage) return kFine;
    if (!(goal_ & kAccumulator) || (goal_ & kRowMask) % kTile) return kGoal;
    const std::size_t cell = (goal_ & kRowMask) / kTile;
    if (cell >= kAccumulatorTiles) return kRange;
    const std::uint64_t shape = (sizes & 0xFFFF) | weight_sizes_ << 16 | goal_sizes_ << 32;
    at(goal_statement_);
    const bool starts = !(goal_ & kAccumulate) || accumulator_[cell].empty;
    first_[statement_ * 2 + starts] = 1;
    const std::uint64_t product = Hash().add(operand).add(weight_hash_).add(shape).value();
    return write(cell, product, goal_ & kAccumulate) ? kFine : kUnwritten;
  }

  Outcome store(std::int64_t address, std::int64_t local, std::int64_t sizes, std::int64_t time) {
    const std::int64_t columns = sizes & 0xFF, rows = sizes >> 8 & 0xFF, row = local & kRowMask;
    if (columns < 1 || columns > 4 * kTile || rows < 1 || rows > kTile || row % kTile) return kTransfer;
    if (!(local & kAccumulator)) return kGoal;
    const std::int64_t bytes = local & kFullWidth ? 4 : 1;
    for (std::int64_t block = 0; block * kTile < columns; ++block) {
      const std::size_t cell = row / kTile + block;
      if (cell >= kAccumulatorTiles) return kRange;
      if (!accumulator_[cell].written) return kUnwritten;
      link(accumulator_[cell]);
      const std::uint64_t width = std::min(columns - block * kTile, kTile);
      const std::int64_t to = address > 0 ? address + block * kTile * bytes : address;
      stored_.push_back({to, time, static_cast<std::uint64_t>(rows) | width << 8, accumulator_[cell].held});
    }
    return kFine;
  }

  // Pairs of statements that share data, as first * statements + second: through the scratchpad, then the accumulator.
  std::vector<std::int64_t> pairs(bool accumulator) const { return marked(accumulator ? summed_ : loaded_); }
  std::vector<std::int64_t> first() const { return marked(first_); }
  std::vector<std::int64_t> cleared() const { return marked(cleared_); }

  std::uint64_t signature() {
    std::stable_sort(stored_.begin(), stored_.end(),
                     [](const Stored& one, const Stored& two) { return one.address < two.address; });
    std::uint64_t total = 0;
    for (std::size_t index = 0; index < stored_.size(); ++index) {
      const Stored& last = stored_[index];
      if (index + 1 < stored_.size() && stored_[index + 1].address == last.address) continue;
      total += Hash().add(last.address).add(last.shape).add(last.held).value();
    }
    return total;
  }

 private:
  static std::vector<std::int64_t> marked(const std::vector<std::uint8_t>& marks) {
    std::vector<std::int64_t> found;
    for (std::size_t index = 0; index < marks.size(); ++index)
      if (marks[index]) found.push_back(static_cast<std::int64_t>(index));
    return found;
  }

  void link(Sum& sum) {
    summed_[sum.last * statements_ + statement_] = 1;
    sum.last = statement_;
  }

  Outcome read(std::int64_t address, std::int64_t wanted, std::uint64_t& hash) {
    if (address & kAccumulator || address % kTile) return kOperand;
    const std::size_t cell = address / kTile;
    if (cell >= kScratchpadTiles) return kRange;
    const Tile& tile = scratchpad_[cell];
    if (tile.rows < 0) return kUnwritten;
    if (tile.columns < (wanted & 0xFF) || tile.rows < wanted >> 8) return kTooLarge;
    hash = tile.hash;
    loaded_[tile.writer * statements_ + statement_] = 1;
    return kFine;
  }

  bool write(std::size_t cell, std::uint64_t value, bool accumulate) {
    Sum& sum = accumulator_[cell];
    if (accumulate && !sum.written) return false;
    if (accumulate) link(sum);
    sum.last = statement_;
    sum.empty = value == 0 && (!accumulate || sum.empty);
    sum.held = accumulate ? sum.held + value : value;
    sum.written = true;
    return true;
  }

  const std::int64_t* strides_;
  std::size_t statements_;
  std::vector<std::uint8_t> loaded_, summed_, first_, cleared_;
  std::int32_t statement_ = 0, goal_statement_ = 0;
  std::array<Tile, kScratchpadTiles> scratchpad_{};
  std::array<Sum, kAccumulatorTiles> accumulator_{};
  std::vector<Stored> stored_;
  std::uint64_t weight_hash_ = 0, weight_sizes_ = 0, goal_sizes_ = 0;
  std::int64_t goal_ = kGarbage;
  bool fresh_ = false, any_weights_ = false;
};

using Marks = std::vector<std::int64_t>;
using Result = std::tuple<int, std::uint64_t, Marks, Marks, Marks, Marks, Marks, Marks>;

// Rows that the two address operands of every statement touch: first row and the row behind the last.
class Rows {
 public:
  explicit Rows(std::size_t statements)
      : low(statements * 2, std::numeric_limits<std::int64_t>::max()), high(statements * 2, -1) {}

  void note(std::int32_t statement, int operand, std::int64_t address, std::int64_t columns) {
    if (address == kGarbage) return;
    const std::size_t index = statement * 2 + operand;
    const std::int64_t row = address & kRowMask;
    low[index] = std::min(low[index], row);
    high[index] = std::max(high[index], row + (columns + kTile - 1) / kTile * kTile);
  }

  Marks low, high;
};

Result follow(Kinds kinds, Table constants, Statements statements, Column first, Column second, Column sizes,
              Column strides) {
  const std::size_t count = statements.shape(0), statement_count = kinds.shape(0);
  if (first.shape(0) != count || second.shape(0) != count || sizes.shape(0) != count || strides.shape(0) != 3 ||
      constants.shape(0) != 3 || constants.shape(1) != statement_count)
    throw nb::value_error("columns of a trace must have equal lengths");
  Follower follower(strides.data(), statement_count);
  Rows rows(statement_count);
  const std::int64_t* fixed = constants.data();
  bool waiting = false;  // a preload has come and its compute has not
  Outcome outcome = kFine;
  for (std::size_t time = 0; time < count && outcome == kFine; ++time) {
    const std::int32_t statement = statements.data()[time];
    if (statement < 0 || static_cast<std::size_t>(statement) >= statement_count)
      throw nb::value_error("a statement number is out of range");
    follower.at(statement);
    const auto operand = [&](std::size_t row, const Column& column) {
      const std::int64_t value = fixed[row * statement_count + statement];
      return value == kSeeColumn ? column.data()[time] : value;
    };
    const std::int8_t kind = kinds.data()[statement];
    const std::int64_t one = operand(0, first), two = operand(1, second), size = operand(2, sizes);
    if (kind == kPreload || kind == kCompute || kind == kComputeAgain) rows.note(statement, 0, one, kTile);
    if (kind == kPreload) rows.note(statement, 1, two, kTile);
    if (kind >= kLoad) rows.note(statement, 1, two, size & 0xFF);
    if (kind == kPreload) {
      outcome = waiting ? kOrder : follower.preload(one, two, size);
      waiting = true;
    } else if (kind == kCompute || kind == kComputeAgain) {
      outcome = waiting ? follower.compute(one, two, size, kind == kCompute) : kOrder;
      waiting = false;
    } else if (kind == kStore) {
      outcome = follower.store(one, two, size, static_cast<std::int64_t>(time));
    } else if (kind >= kLoad) {
      outcome = follower.load(one, two, size, kind - kLoad);
    }
  }
  if (outcome == kFine && waiting) outcome = kOrder;
  if (outcome != kFine) return {outcome, 0, {}, {}, {}, {}, {}, {}};
  return {kFine, follower.signature(), follower.pairs(false), follower.pairs(true), follower.first(),
          follower.cleared(), rows.low, rows.high};
}

}  // namespace

NB_MODULE(_dataflow_native, module) {
  module.def("follow", &follow, nb::arg("kinds"), nb::arg("constants"), nb::arg("statement"), nb::arg("first"),
             nb::arg("second"), nb::arg("sizes"), nb::arg("strides"),
             "Outcome (0: in order), signature, pairs through scratchpad and accumulator, first products, clearers, and "
             "the rows each operand touches.");
}
