// Runs through all commands of a kernel and follows the data: which products end up in which output tile (as one
// number, the signature), which statements hand data to one another, and which products are the first of their sum.
// Every move is checked with it, so it has to be fast. autocomp.rewrite.gemmini._dataflow says what the parts mean.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "follower.hpp"
#include "program.hpp"

namespace nb = nanobind;

namespace {

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
