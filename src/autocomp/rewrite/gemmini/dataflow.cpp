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
#include <utility>
#include <vector>

#include "program.hpp"

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

constexpr std::uint64_t kOdd = 0xD6E8FEB86659FD93ULL, kOther = 0xA0761D6478BD642FULL;

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

// What was stored last at every address: a hash table that grows, since sorting the stores would cost more than all else.
class Stores {
 public:
  void put(std::int64_t address, std::uint64_t shape, std::uint64_t held) {
    if (++used_ * 2 > entries_.size()) grow();
    entries_[find(address)] = {address, shape, held, true};
  }

  std::uint64_t signature() const {
    std::uint64_t total = 0;
    for (const Entry& entry : entries_)
      if (entry.used) total += Hash().add(entry.address).add(entry.shape).add(entry.held).value();
    return total;
  }

 private:
  struct Entry {
    std::int64_t address = 0;
    std::uint64_t shape = 0, held = 0;
    bool used = false;
  };

  std::size_t find(std::int64_t address) const {
    std::size_t place = (static_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15ULL) >> shift_;
    while (entries_[place].used && entries_[place].address != address) place = (place + 1) & (entries_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    --shift_;
    used_ = 1;  // the one that is about to be put
    for (const Entry& entry : old) {
      if (!entry.used) continue;
      entries_[find(entry.address)] = entry;
      ++used_;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  int shift_ = 54;
  std::size_t used_ = 0;  // too high by what was stored again, until it grows
};

// With kMarks also who hands data to whom; without, only what the signature needs.
template <bool kMarks>
class Follower {
 public:
  Follower(const std::int64_t* strides, std::size_t statements)
      : strides_(strides), statements_(kMarks ? statements : 0), loaded_(statements_ * statements_),
        summed_(statements_ * statements_), first_(statements_ * 2), cleared_(statements_) {}

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
        if (kMarks && from == 0) cleared_[statement_] = 1;
        if (!write(cell, value, local & kAccumulate)) return kUnwritten;
      } else {
        if (cell >= kScratchpadTiles) return kRange;
        // When the weights are read, at the preload or at its compute, must make no difference.
        if (cell == pending_) return kOrder;
        scratchpad_[cell] = {Hash().add(from + static_cast<std::uint64_t>(strides_[state]) * kOdd).value(), statement_,
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
      pending_ = weights / kTile;
    }
    goal_ = goal;
    goal_statement_ = statement_;
    goal_sizes_ = sizes >> 16 & 0xFFFF;
    return kFine;
  }

  Outcome compute(std::int64_t left, std::int64_t other, std::int64_t sizes, bool flips) {
    if (other != kGarbage) return kOperand;
    if (flips != fresh_ || !any_weights_) return kWeights;
    pending_ = kScratchpadTiles;
    std::uint64_t operand = 0;
    const Outcome outcome = read(left, sizes & 0xFFFF, operand);
    if (outcome != kFine) return outcome;
    if (goal_ == kGarbage) return kFine;
    if (!(goal_ & kAccumulator) || (goal_ & kRowMask) % kTile) return kGoal;
    const std::size_t cell = (goal_ & kRowMask) / kTile;
    if (cell >= kAccumulatorTiles) return kRange;
    const std::uint64_t shape = (sizes & 0xFFFF) | weight_sizes_ << 16 | goal_sizes_ << 32;
    at(goal_statement_);
    if constexpr (kMarks) {
      const bool starts = !(goal_ & kAccumulate) || accumulator_[cell].empty;
      first_[statement_ * 2 + starts] = 1;
    }
    // All three are well mixed or small, so one more mixing of their combination is enough.
    const std::uint64_t product = Hash().add(operand + weight_hash_ * kOdd + shape * kOther).value();
    return write(cell, product, goal_ & kAccumulate) ? kFine : kUnwritten;
  }

  Outcome store(std::int64_t address, std::int64_t local, std::int64_t sizes) {
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
      stored_.put(to, static_cast<std::uint64_t>(rows) | width << 8, accumulator_[cell].held);
    }
    return kFine;
  }

  // Pairs of statements that share data, as first * statements + second: through the scratchpad, then the accumulator.
  std::vector<std::int64_t> pairs(bool accumulator) const { return marked(accumulator ? summed_ : loaded_); }
  std::vector<std::int64_t> first() const { return marked(first_); }
  std::vector<std::int64_t> cleared() const { return marked(cleared_); }

  std::uint64_t signature() const { return stored_.signature(); }

 private:
  static std::vector<std::int64_t> marked(const std::vector<std::uint8_t>& marks) {
    std::vector<std::int64_t> found;
    for (std::size_t index = 0; index < marks.size(); ++index)
      if (marks[index]) found.push_back(static_cast<std::int64_t>(index));
    return found;
  }

  void link(Sum& sum) {
    if (!kMarks) return;
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
    if (kMarks) loaded_[tile.writer * statements_ + statement_] = 1;
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
  Stores stored_;
  std::uint64_t weight_hash_ = 0, weight_sizes_ = 0, goal_sizes_ = 0;
  std::int64_t goal_ = kGarbage;
  bool fresh_ = false, any_weights_ = false;
  std::size_t pending_ = kScratchpadTiles;  // tile of weights whose compute has not come yet
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

// Executes a program and follows its commands.
template <bool kMarks>
class Run {
 public:
  Run(const Program& program, const std::int64_t* strides)
      : program_(program), values_(program.values), follower_(strides, program.commands.size()),
        rows_(program.commands.size()) {}

  Result result() {
    Outcome outcome = block(0);
    if (outcome == kFine && waiting_) outcome = kOrder;
    if (outcome != kFine) return {outcome, 0, {}, {}, {}, {}, {}, {}};
    return {kFine, follower_.signature(), follower_.pairs(false), follower_.pairs(true), follower_.first(),
            follower_.cleared(), rows_.low, rows_.high};
  }

  std::pair<int, std::uint64_t> signature() {
    Outcome outcome = block(0);
    if (outcome == kFine && waiting_) outcome = kOrder;
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
    const std::int64_t* values = values_.data();
    std::int64_t one = values[instruction.slots[0]], two = values[instruction.slots[1]], sizes = instruction.sizes;
    if (!(instruction.memory & 1)) one &= kGarbage;
    if (!(instruction.memory & 2)) two &= kGarbage;
    if (instruction.varies)
      for (int index = 2; index < instruction.arguments; ++index)
        sizes += values[instruction.slots[index]] * (std::int64_t{1} << 8 * (index - 2));
    const std::int32_t statement = instruction.statement;
    follower_.at(statement);
    switch (instruction.kind) {
      case kPreload:
        if (kMarks) rows_.note(statement, 0, one, kTile);
        if (kMarks) rows_.note(statement, 1, two, kTile);
        if (waiting_) return kOrder;
        waiting_ = true;
        return follower_.preload(one, two, sizes);
      case kCompute:
      case kComputeAgain:
        if (kMarks) rows_.note(statement, 0, one, kTile);
        if (!waiting_) return kOrder;
        waiting_ = false;
        return follower_.compute(one, two, sizes, instruction.kind == kCompute);
      case kStore:
        if (kMarks) rows_.note(statement, 1, two, sizes & 0xFF);
        return follower_.store(one, two, sizes);
      default:
        if (kMarks) rows_.note(statement, 1, two, sizes & 0xFF);
        return follower_.load(one, two, sizes, instruction.kind - kLoad);
    }
  }

  const Program& program_;
  std::vector<std::int64_t> values_;
  Follower<kMarks> follower_;
  Rows rows_;
  bool waiting_ = false;  // a preload has come and its compute has not
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
  module.def(
      "follow",
      [](Expressions& expressions, const std::vector<std::int64_t>& tokens,
         const std::array<std::int64_t, 3>& strides, std::int64_t limit) -> Result {
        const Program program = Compiler(expressions, tokens, limit).program();
        if (program.outcome != kFine) return {program.outcome, 0, {}, {}, {}, {}, {}, {}};
        return Run<true>(program, strides.data()).result();
      },
      nb::arg("expressions"), nb::arg("tokens"), nb::arg("strides"), nb::arg("limit"),
      "Outcome (0: in order), signature, pairs through scratchpad and accumulator, first products, clearers, and the "
      "rows each operand touches.");
  module.def(
      "signature",
      [](Expressions& expressions, const std::vector<std::int64_t>& tokens,
         const std::array<std::int64_t, 3>& strides, std::int64_t limit) -> std::pair<int, std::uint64_t> {
        const Program program = Compiler(expressions, tokens, limit).program();
        if (program.outcome != kFine) return {program.outcome, 0};
        return Run<false>(program, strides.data()).signature();
      },
      nb::arg("expressions"), nb::arg("tokens"), nb::arg("strides"), nb::arg("limit"),
      "Outcome and signature only, in less time.");
}
