#include "loop_matmul.hpp"

#include <algorithm>

#include "loop_checks.hpp"

namespace autocomp::gemmini {

namespace {

constexpr const char* kName = "LOOP_WS";

[[noreturn]] void illegal(const std::string& message) { throw_illegal_loop(kName, message); }

}  // namespace

struct MatmulLoops::Loop {
  LoopCommand source;
  std::int64_t i, j, k;              // tiles
  std::int64_t pad_i, pad_j, pad_k;  // elements that the last tile lacks
  std::uint64_t a, b, d, c;          // guest addresses; 0 leaves the transfer out
  std::uint64_t a_stride, b_stride, d_stride, c_stride;  // elements
  bool a_transpose, b_transpose, full_c, low_d, accumulate, residual;
  std::int64_t a_row, b_row, c_row;  // first local rows
  std::int64_t dim;

  std::int64_t rows_of(std::int64_t index, std::int64_t count, std::int64_t pad) const {
    return dim - (index == count - 1 ? pad : 0);
  }
  // Guest address of a tile. The offset has 32 bits in hardware.
  std::uint64_t tile(std::uint64_t base, std::uint64_t stride, std::int64_t row, std::int64_t column,
                     std::int64_t element_bytes) const {
    const std::uint64_t offset = (row * stride + column) * static_cast<std::uint64_t>(dim * element_bytes);
    return base + (offset & 0xffffffffu);
  }
};

std::shared_ptr<const LoopPlan> MatmulLoops::execute(const Command& command, std::uint64_t index) {
  if (command.funct != 8) {
    registers_.configure(command);
    return nullptr;
  }
  Loop loop = decode(command);
  loop.source = {index, command.pc};
  check(loop);
  const std::int64_t a_rows = (loop.residual ? 0 : loop.i * loop.k * loop.dim);
  const std::int64_t b_rows = (loop.residual ? 0 : loop.k * loop.j * loop.dim);
  const Before now{true, loop.residual, {loop.a_row, loop.a_row + a_rows}, {loop.b_row, loop.b_row + b_rows},
                   {loop.c_row, loop.c_row + loop.i * loop.j * loop.dim}};
  if (before_.valid) {
    const auto hazard = [](const char* what) { throw_loops_meet(kName, what); };
    if (before_.residual != loop.residual) hazard("changes between product and sum");
    if (loop.a != 0 && (now.a.meets(before_.a) || now.a.meets(before_.b))) hazard("loads A over operands of the loop before");
    if (loop.b != 0 && (now.b.meets(before_.a) || now.b.meets(before_.b))) hazard("loads B over operands of the loop before");
    if ((loop.d != 0 || loop.residual) && now.accumulator.meets(before_.accumulator)) {
      hazard("loads D over results of the loop before, which has no C and so keeps its half of the accumulator,");
    }
  }

  auto plan = std::make_shared<LoopPlan>();
  plan->residual = loop.residual;
  plan->last_k = static_cast<std::int32_t>(loop.residual ? 0 : loop.k - 1);
  if (!loop.residual && loop.d != 0) load_d(loop, *plan);
  if (loop.a != 0) load_a(loop, *plan);
  if (loop.b != 0) load_b(loop, *plan);
  if (!loop.residual) compute(loop, *plan);
  if (loop.c != 0) store(loop, *plan);
  if (!loop.residual) check_stores_over_operands(config_, *plan, kName, "C", "A or B");

  // The hardware forgets to shorten the last row of tiles of B: rows past its end travel, but nothing uses them.
  for (LoopStep& step : plan->steps[kLoopB]) {
    step.operation.first.end += loop.dim - step.operation.rows;
    step.operation.rows = loop.dim;
  }

  before_ = now;
  registers_.next();
  if (loop.c != 0) accumulator_half_ ^= 1;
  return plan;
}

MatmulLoops::Loop MatmulLoops::decode(const Command& command) const {
  const auto& bounds = registers_.get(9, kName, "bounds");
  const auto& inputs = registers_.get(10, kName, "addresses of A and B");
  const auto& outputs = registers_.get(11, kName, "addresses of D and C");
  const auto& input_strides = registers_.get(12, kName, "strides of A and B");
  const auto& output_strides = registers_.get(13, kName, "strides of D and C");
  if ((command.rs2 >> 3) != 0) {
    illegal("bits 3 and up of its second register are set (skipping of streams, results into the scratchpad); this "
            "version of the loop unit does not have them");
  }
  Loop loop{};
  loop.dim = config_.dim;
  loop.i = field(bounds.rs2, 0);
  loop.j = field(bounds.rs2, 16);
  loop.k = field(bounds.rs2, 32);
  loop.pad_i = field(bounds.rs1, 0);
  loop.pad_j = field(bounds.rs1, 16);
  loop.pad_k = field(bounds.rs1, 32);
  loop.a = inputs.rs1;
  loop.b = inputs.rs2;
  loop.d = outputs.rs1;
  loop.c = outputs.rs2;
  loop.a_stride = input_strides.rs1;
  loop.b_stride = input_strides.rs2;
  loop.d_stride = output_strides.rs1;
  loop.c_stride = output_strides.rs2;
  loop.accumulate = command.rs1 & 1;
  loop.full_c = (command.rs1 >> 1) & 1;
  loop.low_d = (command.rs1 >> 2) & 1;
  loop.a_transpose = command.rs2 & 1;
  loop.b_transpose = (command.rs2 >> 1) & 1;
  loop.residual = (command.rs2 >> 2) & 1;

  const unsigned activation = (command.rs1 >> 8) & 7;
  if (activation > 1) {
    illegal("activation " + std::to_string(activation) + " normalises the rows that are stored, which is not supported in hardware loops; 0 and 1 are");
  }
  const std::int64_t a_half = field(command.rs1, 18, 2), b_half = field(command.rs1, 16, 2);
  check_pinned_halves(config_, kName, a_half, b_half);
  const std::int64_t half = config_.scratchpad_rows() / 2;
  const int slot = registers_.slot();
  loop.a_row = (a_half == 0 ? slot : a_half - 1) * half;
  loop.b_row = (b_half == 0 ? slot + 1 : b_half) * half - loop.k * loop.j * loop.dim;
  loop.c_row = (loop.residual ? slot : accumulator_half_) * (config_.accumulator_rows() / 2);
  return loop;
}

void MatmulLoops::check(const Loop& loop) const {
  const auto tiles = [&] {
    return std::to_string(loop.i) + " x " + std::to_string(loop.j) + " x " + std::to_string(loop.k) + " tiles (I, J, K)";
  };
  if (loop.i == 0 || loop.j == 0 || (loop.k == 0 && !loop.residual)) {
    illegal(tiles() + ": a bound of zero never ends");
  }
  if (std::max({loop.pad_i, loop.pad_j, loop.pad_k}) >= loop.dim) {
    illegal("padding of " + std::to_string(std::max({loop.pad_i, loop.pad_j, loop.pad_k})) +
            " elements: less than a tile of " + std::to_string(loop.dim));
  }
  if (loop.a_transpose && loop.b_transpose) illegal("A and B both transposed; there is one transposer");
  const std::int64_t operand_rows = (loop.i * loop.k + loop.k * loop.j) * loop.dim;
  if (!loop.residual && operand_rows > config_.scratchpad_rows() / 2) {
    illegal(tiles() + " need " + std::to_string(operand_rows) + " scratchpad rows for A and B; a loop has half of them, " +
            std::to_string(config_.scratchpad_rows() / 2));
  }
  const std::int64_t result_rows = loop.i * loop.j * loop.dim;
  if (result_rows > config_.accumulator_rows() / 2) {
    illegal(tiles() + " need " + std::to_string(result_rows) + " accumulator rows for C; a loop has half of them, " +
            std::to_string(config_.accumulator_rows() / 2));
  }
}

void MatmulLoops::add(const Loop& loop, LoopPlan& plan, LoopStream stream, const Command& command, LoopStep step) const {
  try {
    step.operation = function_.execute(command);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, "LOOP_WS, tile i=" + std::to_string(step.i) + " j=" + std::to_string(step.j) +
                                " k=" + std::to_string(step.k) + ": " + fault.what(), loop.source.pc);
  }
  step.operation.index = loop.source.index;
  step.operation.origin = Origin::kMatmulLoop;
  plan.steps[stream].push_back(step);
}

// Columns of tiles go together up to the widest mvin. Rows of tiles go first, so that with the first column of A and
// the first row of B the array has work.
void MatmulLoops::load_a(const Loop& loop, LoopPlan& plan) const {
  // A sum takes A as i x j tiles and adds B to them.
  const std::int64_t inner = loop.residual ? loop.j : loop.k;
  const std::int64_t inner_pad = loop.residual ? loop.pad_j : loop.pad_k;
  const bool transpose = loop.a_transpose;
  const std::int64_t rows = transpose ? inner : loop.i, columns = transpose ? loop.i : inner;
  const std::int64_t row_pad = transpose ? inner_pad : loop.pad_i, column_pad = transpose ? loop.pad_i : inner_pad;
  const std::int64_t widest = std::min(columns, most_tiles(config_, config_.element_bytes()));
  const std::int64_t i_step = transpose ? widest : 1, inner_step = transpose ? 1 : widest;
  for (std::int64_t k = 0; k < inner; k += inner_step) {
    for (std::int64_t i = 0; i < loop.i; i += i_step) {
      const std::int64_t row = transpose ? k : i, column = transpose ? i : k;
      const std::int64_t blocks = std::min(widest, columns - column);
      const std::int64_t width = blocks * loop.dim - (column + blocks >= columns ? column_pad : 0);
      const std::uint64_t local =
          static_cast<std::uint64_t>((loop.residual ? loop.c_row : loop.a_row) + (row * columns + column) * loop.dim);
      const Command mvin{2, loop.tile(loop.a, loop.a_stride, row, column, config_.element_bytes()),
                         tile_bits(local | (loop.residual ? kAccumulatorBit : 0), width, loop.rows_of(row, rows, row_pad)),
                         loop.source.pc};
      LoopStep step;
      step.i = static_cast<std::int32_t>(i);
      step.k = static_cast<std::int32_t>(k);
      step.blocks = static_cast<std::int32_t>(blocks);
      add(loop, plan, kLoopA, mvin, step);
    }
  }
}

void MatmulLoops::load_b(const Loop& loop, LoopPlan& plan) const {
  const std::int64_t inner = loop.residual ? loop.i : loop.k;
  const std::int64_t inner_pad = loop.residual ? loop.pad_i : loop.pad_k;
  const bool transpose = loop.b_transpose;
  const std::int64_t rows = transpose ? loop.j : inner, columns = transpose ? inner : loop.j;
  const std::int64_t row_pad = transpose ? loop.pad_j : inner_pad, column_pad = transpose ? inner_pad : loop.pad_j;
  const std::int64_t widest = std::min(columns, most_tiles(config_, config_.element_bytes()));
  const std::int64_t j_step = transpose ? 1 : widest, inner_step = transpose ? widest : 1;
  for (std::int64_t k = 0; k < inner; k += inner_step) {
    for (std::int64_t j = 0; j < loop.j; j += j_step) {
      const std::int64_t row = transpose ? j : k, column = transpose ? k : j;
      const std::int64_t blocks = std::min(widest, columns - column);
      const std::int64_t width = blocks * loop.dim - (column + blocks >= columns ? column_pad : 0);
      const std::uint64_t local =
          static_cast<std::uint64_t>((loop.residual ? loop.c_row : loop.b_row) + (row * columns + column) * loop.dim);
      const Command mvin{1, loop.tile(loop.b, loop.b_stride, row, column, config_.element_bytes()),
                         tile_bits(local | (loop.residual ? kAccumulatorBit | kAccumulateBit : 0), width,
                               loop.rows_of(row, rows, row_pad)),
                         loop.source.pc};
      LoopStep step;
      step.j = static_cast<std::int32_t>(j);
      step.k = static_cast<std::int32_t>(k);
      step.blocks = static_cast<std::int32_t>(blocks);
      add(loop, plan, kLoopB, mvin, step);
    }
  }
}

void MatmulLoops::load_d(const Loop& loop, LoopPlan& plan) const {
  const std::int64_t bytes = loop.low_d ? config_.element_bytes() : config_.sum_bytes();
  const std::int64_t widest = std::min(loop.j, most_tiles(config_, bytes));
  for (std::int64_t j = 0; j < loop.j; j += widest) {
    for (std::int64_t i = 0; i < loop.i; ++i) {
      const std::int64_t blocks = std::min(widest, loop.j - j);
      const std::int64_t width = blocks * loop.dim - (j + blocks >= loop.j ? loop.pad_j : 0);
      const std::uint64_t local = static_cast<std::uint64_t>(loop.c_row + (i * loop.j + j) * loop.dim) | kAccumulatorBit;
      const Command mvin3{14, loop.tile(loop.d, loop.d_stride, i, j, bytes),
                          tile_bits(local, width, loop.rows_of(i, loop.i, loop.pad_i)), loop.source.pc};
      LoopStep step;
      step.i = static_cast<std::int32_t>(i);
      step.j = static_cast<std::int32_t>(j);
      step.blocks = static_cast<std::int32_t>(blocks);
      add(loop, plan, kLoopD, mvin3, step);
    }
  }
}

// A tile of B stays in the array for a column of tiles of A.
void MatmulLoops::compute(const Loop& loop, LoopPlan& plan) const {
  plan.steps[kLoopExecute].reserve(2 * loop.i * loop.j * loop.k);
  for (std::int64_t k = 0; k < loop.k; ++k) {
    for (std::int64_t j = 0; j < loop.j; ++j) {
      for (std::int64_t i = 0; i < loop.i; ++i) {
        const std::int64_t a = loop.a_transpose ? k * loop.i + i : i * loop.k + k;
        const std::int64_t b = loop.b_transpose ? j * loop.k + k : k * loop.j + j;
        const std::int64_t rows = loop.rows_of(i, loop.i, loop.pad_i);
        const std::int64_t columns = loop.rows_of(j, loop.j, loop.pad_j);
        const std::int64_t depth = loop.rows_of(k, loop.k, loop.pad_k);
        const std::uint64_t weights = i == 0 ? static_cast<std::uint64_t>(loop.b_row + b * loop.dim) : kGarbageAddress;
        const std::uint64_t result = static_cast<std::uint64_t>(loop.c_row + (i * loop.j + j) * loop.dim) | kAccumulatorBit |
                                     (loop.accumulate || k != 0 ? kAccumulateBit : 0);
        LoopStep step;
        step.i = static_cast<std::int32_t>(i);
        step.j = static_cast<std::int32_t>(j);
        step.k = static_cast<std::int32_t>(k);
        const Command preload{6, tile_bits(weights, columns, depth), tile_bits(result, columns, rows), loop.source.pc};
        add(loop, plan, kLoopExecute, preload, step);
        const Command compute{static_cast<std::uint8_t>(i == 0 ? 4 : 5),
                              tile_bits(static_cast<std::uint64_t>(loop.a_row + a * loop.dim), depth, rows),
                              tile_bits(kGarbageAddress, loop.dim, loop.dim), loop.source.pc};
        add(loop, plan, kLoopExecute, compute, step);
      }
    }
  }
}

void MatmulLoops::store(const Loop& loop, LoopPlan& plan) const {
  const std::int64_t widest = loop.full_c ? 1 : std::min(loop.j, most_tiles(config_, config_.element_bytes()));
  const std::int64_t bytes = loop.full_c ? config_.sum_bytes() : config_.element_bytes();
  for (std::int64_t j = 0; j < loop.j; j += widest) {
    for (std::int64_t i = 0; i < loop.i; ++i) {
      const std::int64_t blocks = std::min(widest, loop.j - j);
      const std::int64_t width = blocks * loop.dim - (j + blocks >= loop.j ? loop.pad_j : 0);
      const std::uint64_t local = static_cast<std::uint64_t>(loop.c_row + (i * loop.j + j) * loop.dim) | kAccumulatorBit |
                                  (loop.full_c ? kFullWidthBit : 0);
      const Command mvout{3, loop.tile(loop.c, loop.c_stride, i, j, bytes),
                          tile_bits(local, width, loop.rows_of(i, loop.i, loop.pad_i)), loop.source.pc};
      LoopStep step;
      step.i = static_cast<std::int32_t>(i);
      step.j = static_cast<std::int32_t>(j);
      step.blocks = static_cast<std::int32_t>(blocks);
      add(loop, plan, kLoopStore, mvout, step);
    }
  }
}

}  // namespace autocomp::gemmini
