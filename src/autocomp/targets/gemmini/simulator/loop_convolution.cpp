#include "loop_convolution.hpp"

#include <algorithm>

#include "loop_checks.hpp"

namespace autocomp::gemmini {

namespace {

constexpr const char* kName = "LOOP_CONV_WS";

std::int64_t divide_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

[[noreturn]] void illegal(const std::string& message) { throw_illegal_loop(kName, message); }

constexpr std::uint64_t kUnitScale = 0x3f800000, kKeepScale = 0xffffffff;

Command config_load(int id, std::int64_t block_stride, std::int64_t pixel_repeats, std::uint64_t stride, std::uint64_t pc) {
  return {0, kUnitScale << 32 | static_cast<std::uint64_t>(block_stride & 0xffff) << 16 |
                 static_cast<std::uint64_t>(pixel_repeats) << 8 | static_cast<std::uint64_t>(id) << 3 | 1, stride, pc};
}

}  // namespace

// Sizes of the whole convolution (all_, in_, out_, kernel_dim), of the part that this loop does (the rest), and what
// follows from them. Rows and columns count pixels, channels elements.
struct ConvolutionLoops::Loop {
  LoopCommand source;
  std::int64_t all_batches, in_rows, in_columns, in_channels, out_channels, out_rows, out_columns;
  std::int64_t pool_out_rows, pool_out_columns, stride, kernel_dim, kernel_dilation, pool_size, pool_stride;
  std::int64_t in_stride, weight_stride, out_stride;  // elements from pixel to pixel, from input channel to the next
  std::int64_t batches, rows, columns, out, krows, kcolumns, in;  // output pixels and channels, kernel, input channels
  std::int64_t left, right, up, down;                             // padding of this part
  std::int64_t pool_rows, pool_columns, pool_left, pool_up;
  std::uint64_t bias, weights, input, output;
  bool no_bias, rotate, out_1203, weights_1203, weights_0132, in_3120, depthwise, no_pool, downsample, dilated;
  std::int64_t pixels_per_row;
  unsigned activation;

  std::int64_t in_rows_padded, in_columns_padded, in_rows_there, in_columns_there;
  std::int64_t input_stride, weights_stride_rows, pixels;  // local rows from one block of channels to the next
  std::int64_t weight_rows;                                // local rows of all weights
  std::int64_t input_start, weights_start, result_start;
  std::int64_t dim, element_bytes, sum_bytes;

  std::int64_t undilated(std::int64_t value) const { return (value + dilated) >> static_cast<int>(dilated); }
  std::int64_t down_rows() const { return in_rows_padded >> static_cast<int>(downsample); }
  std::int64_t down_columns() const { return in_columns_padded >> static_cast<int>(downsample); }
  std::uint64_t at(std::uint64_t base, std::int64_t elements, std::int64_t bytes) const {
    return base + (static_cast<std::uint64_t>(elements * bytes) & 0xffffffffu);  // offsets have 32 bits in hardware
  }
  std::uint64_t result(std::int64_t channel, std::int64_t batch, std::int64_t row, std::int64_t column) const {
    return kAccumulatorBit | static_cast<std::uint64_t>(result_start + channel / dim * pixels +
                                                        (batch * rows + row) * columns + column);
  }
};

std::shared_ptr<const LoopPlan> ConvolutionLoops::execute(const Command& command, std::uint64_t index) {
  if (command.funct != 15) {
    registers_.configure(command);
    return nullptr;
  }
  Loop loop = decode(command);
  loop.source = {index, command.pc};
  check(loop);
  const std::int64_t input_rows = divide_up(loop.in_3120 ? loop.batches : loop.in, loop.dim) * loop.input_stride;
  const Before now{true,
                   {loop.input_start, loop.input_start + input_rows},
                   {loop.weights_start, loop.weights_start + loop.weight_rows},
                   {loop.result_start, loop.result_start + divide_up(loop.out, loop.dim) * loop.pixels}};
  if (before_.valid) {
    const auto hazard = [](const char* what) { throw_loops_meet(kName, what); };
    const auto in_use = [&](const LocalSpan& span) { return span.meets(before_.input) || span.meets(before_.weights); };
    if (loop.input != 0 && in_use(now.input)) hazard("loads the input over operands of the loop before");
    if (loop.weights != 0 && in_use(now.weights)) hazard("loads weights over operands of the loop before");
    if (loop.bias != 0 && now.accumulator.meets(before_.accumulator)) {
      hazard("loads the bias over results of the loop before, which has no output and so keeps its half of the accumulator,");
    }
  }

  auto plan = std::make_shared<LoopPlan>();
  if (loop.bias != 0) load_bias(loop, *plan);
  if (loop.input != 0) load_input(loop, *plan);
  if (loop.weights != 0) load_weights(loop, *plan);
  compute(loop, *plan);
  if (loop.output != 0) loop.no_pool ? store(loop, *plan) : pool(loop, *plan);
  check_stores_over_operands(config_, *plan, kName, "the output", "input or weights");
  before_ = now;
  registers_.next();
  if (loop.output != 0) accumulator_half_ ^= 1;
  return plan;
}

ConvolutionLoops::Loop ConvolutionLoops::decode(const Command& command) const {
  const auto get = [&](int number, const char* name) { return registers_.get(15 + number, kName, name); };
  const auto first = get(1, "sizes of the whole convolution"), second = get(2, "kernel, pooling and output sizes");
  const auto third = get(3, "kernel part and padding"), fourth = get(4, "output part, dilation and strides");
  const auto fifth = get(5, "addresses of weights and output"), sixth = get(6, "addresses of bias and input");
  Loop loop{};
  loop.out_channels = field(first.rs1, 48);
  loop.in_channels = field(first.rs1, 32);
  loop.in_rows = field(first.rs1, 16);
  loop.all_batches = field(first.rs1, 0);
  loop.stride = field(first.rs2, 48, 8);
  loop.out_columns = field(first.rs2, 32);
  loop.pool_out_rows = field(first.rs2, 16);
  loop.out_rows = field(first.rs2, 0);
  loop.kernel_dim = field(second.rs1, 48);
  loop.pool_out_columns = field(second.rs1, 32);
  loop.pool_size = field(second.rs1, 16);
  loop.pool_stride = field(second.rs1, 8, 8);
  loop.batches = field(second.rs2, 48);
  loop.pool_rows = field(second.rs2, 32);
  loop.pool_columns = field(second.rs2, 16);
  loop.out = field(second.rs2, 0);
  loop.krows = field(third.rs1, 48);
  loop.kcolumns = field(third.rs1, 32);
  loop.in = field(third.rs1, 16);
  loop.left = field(third.rs1, 0);
  loop.right = field(third.rs2, 48);
  loop.up = field(third.rs2, 32);
  loop.down = field(third.rs2, 24, 8);
  loop.pool_left = field(third.rs2, 16, 8);
  loop.in_columns = field(third.rs2, 0);
  loop.rows = field(fourth.rs1, 48);
  loop.pool_up = field(fourth.rs1, 21, 11);
  loop.kernel_dilation = field(fourth.rs1, 0, 10);
  loop.in_stride = field(fourth.rs2, 48);
  loop.weight_stride = field(fourth.rs2, 32);
  loop.out_stride = field(fourth.rs2, 16);
  loop.columns = field(fourth.rs2, 0);
  loop.weights = fifth.rs1;
  loop.output = fifth.rs2;
  loop.bias = sixth.rs1;
  loop.input = sixth.rs2;

  const auto flag = [](std::uint64_t bits, int position) { return ((bits >> position) & 1) != 0; };
  loop.no_bias = flag(command.rs1, 0);
  loop.rotate = flag(command.rs1, 1);
  loop.out_1203 = flag(command.rs1, 2);
  loop.weights_1203 = flag(command.rs1, 3);
  loop.weights_0132 = flag(command.rs1, 4);
  loop.in_3120 = flag(command.rs1, 5);
  loop.depthwise = flag(command.rs1, 6);
  loop.pixels_per_row = std::max<std::int64_t>(1, field(command.rs1, 8, 8));
  loop.no_pool = flag(command.rs2, 0);
  loop.downsample = flag(command.rs2, 1);
  loop.dilated = flag(command.rs2, 2);
  loop.activation = static_cast<unsigned>(field(command.rs2, 3, 2));

  const std::int64_t a_half = field(command.rs1, 18, 2), b_half = field(command.rs1, 16, 2);
  check_pinned_halves(config_, kName, a_half, b_half);
  loop.dim = config_.dim;
  loop.element_bytes = config_.element_bytes();
  loop.sum_bytes = config_.sum_bytes();

  // Rows of input under the output, the gaps of a dilated input closed.
  const std::int64_t rows = loop.rows * loop.stride + loop.krows + (loop.kernel_dilation - 1) * (loop.krows - 1) - 1;
  const std::int64_t columns =
      loop.columns * loop.stride + loop.kcolumns + (loop.kernel_dilation - 1) * (loop.kcolumns - 1) - 1;
  loop.in_rows_there = loop.undilated(rows - loop.up - loop.down);
  loop.in_columns_there = loop.undilated(columns - loop.left - loop.right);
  loop.in_rows_padded =
      loop.dilated ? loop.in_rows_there + loop.undilated(loop.up) + loop.undilated(loop.down) : rows;
  loop.in_columns_padded =
      loop.dilated ? loop.in_columns_there + loop.undilated(loop.left) + loop.undilated(loop.right) : columns;
  loop.pixels = loop.batches * loop.rows * loop.columns;
  loop.input_stride = (loop.in_3120 ? loop.in : loop.batches) * loop.down_rows() * loop.down_columns();
  loop.weights_stride_rows = loop.krows * loop.kcolumns * (loop.weights_0132 ? loop.out : loop.in);
  loop.weight_rows = divide_up(loop.weights_0132 ? loop.in : loop.out, loop.dim) * loop.weights_stride_rows;

  const std::int64_t half = config_.scratchpad_rows() / 2;
  const int slot = registers_.slot();
  loop.input_start = (a_half == 0 ? slot : a_half - 1) * half;
  loop.weights_start = (b_half == 0 ? slot + 1 : b_half) * half - loop.weight_rows;
  loop.result_start = accumulator_half_ * (config_.accumulator_rows() / 2);
  return loop;
}

void ConvolutionLoops::check(const Loop& loop) const {
  const std::pair<const char*, std::int64_t> bounds[] = {
      {"batches", loop.batches}, {"output rows", loop.rows}, {"output columns", loop.columns},
      {"output channels", loop.out}, {"kernel rows", loop.krows}, {"kernel columns", loop.kcolumns},
      {"input channels", loop.in}, {"stride", loop.stride}, {"kernel dilation", loop.kernel_dilation},
      {"pooled rows", loop.no_pool ? 1 : loop.pool_rows}, {"pooled columns", loop.no_pool ? 1 : loop.pool_columns},
      {"rows of pictures without the padding", std::max<std::int64_t>(loop.in_rows_there, 0)},
      {"columns of pictures without the padding", std::max<std::int64_t>(loop.in_columns_there, 0)}};
  for (const auto& [name, value] : bounds) {
    if (value == 0) illegal(std::string("0 ") + name + ": a bound of zero never ends");
  }
  if (loop.dilated && loop.kernel_dilation > 1) illegal("dilates both kernel and input");
  if (loop.in_3120 && loop.batches != loop.all_batches) {
    illegal(std::to_string(loop.batches) + " of " + std::to_string(loop.all_batches) + " images with images innermost " +
            "(trans_input_3120): the unit takes the former for the distance of pixels and the latter for that of the rows "
            "of a load, and so loads the wrong ones; give it all images");
  }
  if (loop.activation > 1) illegal("activation " + std::to_string(loop.activation) + " does not exist; 0 and 1 (ReLU) do");
  if (loop.pixels_per_row > 1 && loop.pixels_per_row * std::min(loop.in, loop.dim) > loop.dim) {
    illegal(std::to_string(loop.pixels_per_row) + " pixels of " + std::to_string(loop.in) + " channels in a row of " +
            std::to_string(loop.dim) + " elements");
  }
  const std::int64_t operand_rows =
      divide_up(loop.in_3120 ? loop.batches : loop.in, loop.dim) * loop.input_stride + loop.weight_rows;
  if (operand_rows > config_.scratchpad_rows() / 2) {
    illegal("input and weights need " + std::to_string(operand_rows) + " scratchpad rows; a loop has half of them, " +
            std::to_string(config_.scratchpad_rows() / 2));
  }
  const std::int64_t result_rows = divide_up(loop.out, loop.dim) * loop.pixels;
  if (result_rows > config_.accumulator_rows() / 2) {
    illegal("the output needs " + std::to_string(result_rows) + " accumulator rows; a loop has half of them, " +
            std::to_string(config_.accumulator_rows() / 2));
  }
}

void ConvolutionLoops::add(const Loop& loop, LoopPlan& plan, LoopStream stream, const Command& command) const {
  static const char* const kNames[] = {"input", "weights", "bias", "array", "output"};
  LoopStep step;
  try {
    step.operation = function_.execute(command);
  } catch (const Fault& fault) {
    throw Fault(fault.kind, std::string("LOOP_CONV_WS, ") + kNames[stream] + ", command " +
                                std::to_string(plan.steps[stream].size()) + ": " + fault.what(), loop.source.pc);
  }
  step.operation.index = loop.source.index;
  step.operation.origin = Origin::kConvolutionLoop;
  plan.steps[stream].push_back(step);
}

// One row of bias for all pixels; zeros if there is none, so that the array can always accumulate.
void ConvolutionLoops::load_bias(const Loop& loop, LoopPlan& plan) const {
  const std::uint64_t pc = loop.source.pc;
  add(loop, plan, kLoopD, config_load(2, loop.pixels, 1, 0, pc));
  const std::int64_t widest = std::min(loop.out, most_tiles(config_, loop.sum_bytes) * loop.dim);
  for (std::int64_t b = 0; b < loop.batches; ++b) {
    for (std::int64_t row = 0; row < loop.rows; ++row) {
      for (std::int64_t column = 0; column < loop.columns; column += loop.dim) {
        for (std::int64_t channel = 0; channel < loop.out; channel += widest) {
          const std::uint64_t address = loop.no_bias ? 0 : loop.at(loop.bias, channel, loop.sum_bytes);
          add(loop, plan, kLoopD,
              {14, address, tile_bits(loop.result(channel, b, row, column), std::min(widest, loop.out - channel),
                                      std::min(loop.dim, loop.columns - column)), pc});
        }
      }
    }
  }
}

// Pixels in rows, channels across; padding is loaded as zeros. Transposed, batches lie across and channels in rows.
void ConvolutionLoops::load_input(const Loop& loop, LoopPlan& plan) const {
  const std::uint64_t pc = loop.source.pc;
  const int down = loop.downsample;
  const std::int64_t row_stride = (loop.in_3120 ? loop.all_batches : loop.in_stride) * loop.element_bytes;
  add(loop, plan, kLoopA,
      config_load(0, loop.input_stride, loop.pixels_per_row, static_cast<std::uint64_t>(row_stride) << down, pc));
  const std::int64_t across = loop.in_3120 ? loop.batches : loop.in;
  const std::int64_t widest = std::min(across, most_tiles(config_, loop.element_bytes) * loop.dim);
  const std::int64_t batch_step = loop.in_3120 ? widest : 1, channel_step = loop.in_3120 ? 1 : widest;
  const std::int64_t up = loop.undilated(loop.up), left = loop.undilated(loop.left);
  const std::int64_t last_row = loop.in_rows_there + loop.undilated(loop.down);
  const std::int64_t last_column = loop.in_columns_there + loop.undilated(loop.right);
  for (std::int64_t b = 0; b < loop.batches; b += batch_step) {
    for (std::int64_t row = -up; row < last_row; row += std::int64_t{1} << down) {
      for (std::int64_t column = -left, count = 0; column < last_column; column += count) {
        count = column < 0                        ? std::min(-column, loop.dim)
                : column >= loop.in_columns_there ? std::min(last_column - column, loop.dim)
                                                  : std::min(loop.in_columns_there - column, loop.dim << down);
        const bool zeros =
            row < 0 || row >= loop.in_rows_there || column < 0 || column >= loop.in_columns_there;
        for (std::int64_t channel = 0; channel < loop.in; channel += channel_step) {
          const std::int64_t pixel = row * loop.in_columns + column;
          const std::int64_t offset =
              loop.in_3120 ? (channel * loop.in_columns * loop.in_rows + pixel) * loop.batches + b
                           : (b * loop.in_rows * loop.in_columns + pixel) * loop.in_stride + channel;
          const std::int64_t place = ((row + up) >> down) * loop.down_columns() + ((column + left) >> down);
          const std::int64_t picture = loop.down_rows() * loop.down_columns();
          const std::int64_t local = loop.input_start + place +
                                     (loop.in_3120 ? b / loop.dim * loop.input_stride + channel * picture
                                                   : channel / loop.dim * loop.input_stride + b * picture);
          const std::int64_t width = std::min(widest, across - (loop.in_3120 ? b : channel));
          add(loop, plan, kLoopA, {2, zeros ? 0 : loop.at(loop.input, offset, loop.element_bytes),
                                   tile_bits(static_cast<std::uint64_t>(local), width, count >> down), pc});
        }
      }
    }
  }
}

void ConvolutionLoops::load_weights(const Loop& loop, LoopPlan& plan) const {
  const std::uint64_t pc = loop.source.pc;
  const std::int64_t row_stride = loop.depthwise      ? 1
                                  : loop.weights_1203 ? loop.kernel_dim * loop.kernel_dim * loop.out_channels
                                  : loop.weights_0132 ? loop.in_channels
                                                      : loop.weight_stride;
  add(loop, plan, kLoopB, config_load(1, loop.weights_stride_rows, 1,
                                      static_cast<std::uint64_t>(row_stride * loop.element_bytes), pc));
  const bool swapped = loop.weights_0132;  // input channels lie across
  const std::int64_t across = swapped ? loop.in : loop.out;
  const std::int64_t widest = std::min(across, most_tiles(config_, loop.element_bytes) * loop.dim);
  const std::int64_t out_step = swapped ? loop.dim : widest, in_step = swapped ? widest : loop.dim;
  for (std::int64_t out = 0; out < loop.out; out += out_step) {
    for (std::int64_t krow = 0; krow < loop.krows; ++krow) {
      for (std::int64_t kcolumn = 0; kcolumn < loop.kcolumns; ++kcolumn) {
        for (std::int64_t in = 0; in < loop.in; in += in_step) {
          const std::int64_t tap = krow * loop.kernel_dim + kcolumn;
          const std::int64_t offset =
              loop.depthwise      ? tap
              : loop.weights_1203 ? (in * loop.kernel_dim * loop.kernel_dim + tap) * loop.out_channels + out
              : loop.weights_0132 ? (tap * loop.out_channels + out) * loop.in_channels + in
                                  : (tap * loop.in_channels + in) * loop.weight_stride + out;
          const std::int64_t local_tap = krow * loop.kcolumns + kcolumn;
          const std::int64_t local =
              loop.weights_start + (swapped ? in / loop.dim * loop.weights_stride_rows + local_tap * loop.out + out
                                            : out / loop.dim * loop.weights_stride_rows + local_tap * loop.in + in);
          const std::int64_t width = std::min(widest, across - (swapped ? in : out));
          const std::int64_t rows = std::min(loop.dim, swapped ? loop.out - out : loop.in - in);
          add(loop, plan, kLoopB, {1, loop.at(loop.weights, offset, loop.element_bytes),
                                   tile_bits(static_cast<std::uint64_t>(local), width, rows), pc});
        }
      }
    }
  }
}

// A block of weights stays in the array for all pixels. Of a dilated input, pixels in the gaps are passed over.
void ConvolutionLoops::compute(const Loop& loop, LoopPlan& plan) const {
  const std::uint64_t pc = loop.source.pc;
  const int down = loop.downsample, dilated = loop.dilated;
  if (loop.in_3120) {
    const auto a_stride = static_cast<std::uint64_t>(loop.in_rows_padded * loop.in_columns_padded) & 0xffff;
    const auto c_stride = static_cast<std::uint64_t>(loop.rows * loop.columns) & 0xffff;
    add(loop, plan, kLoopExecute, {0, a_stride << 16 | 1u << 7, c_stride << 48, pc});
  }
  const std::int64_t batch_step = loop.in_3120 ? loop.dim : 1;
  const auto pixels = [&](std::int64_t out, std::int64_t krow, std::int64_t kcolumn, std::int64_t in) {
    bool fresh = true;  // the weights are not in the array yet
    const std::int64_t taps = std::min(loop.kcolumns - kcolumn, loop.pixels_per_row);
    const std::int64_t depth = taps * std::min(loop.in - in, loop.dim);
    const std::int64_t width = std::min(loop.out - out, loop.dim);
    const std::int64_t tap = (loop.rotate ? loop.krows - krow - 1 : krow) * loop.kcolumns +
                             (loop.rotate ? loop.kcolumns - kcolumn - 1 : kcolumn);
    const std::int64_t weights =
        loop.weights_start + (loop.weights_0132 ? in / loop.dim * loop.weights_stride_rows + tap * loop.out + out
                                                : out / loop.dim * loop.weights_stride_rows + tap * loop.in + in);
    for (std::int64_t b = 0; b < loop.batches; b += batch_step) {
      for (std::int64_t row = 0; row < loop.rows; ++row) {
        for (std::int64_t column = 0, step = 0; column < loop.columns; column += step) {
          const bool gap = loop.dilated && (((krow * loop.kernel_dilation + row - loop.up) & 1) != 0 ||
                                            ((kcolumn * loop.kernel_dilation + column - loop.left) & 1) != 0);
          step = gap || loop.in_3120 ? 1 : loop.dim << dilated;
          if (gap) {  // it takes the place of both commands
            LoopStep bubble;
            bubble.bubble = true;
            plan.steps[kLoopExecute].insert(plan.steps[kLoopExecute].end(), 2, bubble);
            continue;
          }
          const std::int64_t in_row = loop.undilated(row * loop.stride + krow * loop.kernel_dilation) >> down;
          const std::int64_t in_column = loop.undilated(column * loop.stride + kcolumn * loop.kernel_dilation) >> down;
          const std::int64_t picture = loop.down_rows() * loop.down_columns();
          const std::int64_t source = loop.input_start + in_row * loop.down_columns() + in_column +
                                      (loop.in_3120 ? b / loop.dim * loop.input_stride + in * picture
                                                    : in / loop.dim * loop.input_stride + b * picture);
          const std::int64_t count = loop.in_3120 ? std::min(loop.batches - b, loop.dim)
                                                  : loop.undilated(std::min(loop.columns - column, loop.dim << dilated));
          const std::uint64_t brought = fresh ? static_cast<std::uint64_t>(weights) : kGarbageAddress;
          add(loop, plan, kLoopExecute,
              {6, tile_bits(brought, width, depth),
               tile_bits(loop.result(out, b, row, column) | kAccumulateBit, width, count), pc});
          add(loop, plan, kLoopExecute,
              {static_cast<std::uint8_t>(fresh ? 4 : 5), tile_bits(static_cast<std::uint64_t>(source), depth, count),
               tile_bits(kGarbageAddress, width, count), pc});
          fresh = false;
        }
      }
    }
  };
  for (std::int64_t out = 0; out < loop.out; out += loop.dim) {
    for (std::int64_t krow = 0; krow < loop.krows; ++krow) {
      for (std::int64_t kcolumn = 0; kcolumn < loop.kcolumns; kcolumn += loop.pixels_per_row) {
        for (std::int64_t in = 0; in < loop.in; in += loop.dim) pixels(out, krow, kcolumn, in);
      }
    }
  }
}

void ConvolutionLoops::store(const Loop& loop, LoopPlan& plan) const {
  for (std::int64_t b = 0; b < loop.batches; ++b) {
    for (std::int64_t row = 0; row < loop.rows; ++row) {
      for (std::int64_t column = 0; column < loop.columns; column += loop.dim) {
        for (std::int64_t channel = 0; channel < loop.out; channel += loop.dim) {
          const std::int64_t offset =
              loop.out_1203 ? ((row * loop.out_columns + column) * loop.all_batches + b) * loop.out_channels + channel
                            : ((b * loop.out_rows + row) * loop.out_columns + column) * loop.out_stride + channel;
          add(loop, plan, kLoopStore,
              {3, loop.at(loop.output, offset, loop.element_bytes),
               tile_bits(loop.result(channel, b, row, column), std::min(loop.dim, loop.out - channel),
                         std::min(loop.dim, loop.columns - column)), loop.source.pc});
        }
      }
    }
  }
}

// A whole picture of a block of channels in one command, between two configurations.
void ConvolutionLoops::pool(const Loop& loop, LoopPlan& plan) const {
  const std::uint64_t plain = static_cast<std::uint64_t>(loop.activation) << 2 | 2;
  const auto place = [](std::int64_t value, int low, int bits) {
    return (static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1)) << low;
  };
  const std::uint64_t picture = place(loop.columns, 56, 8) | place(loop.rows, 48, 8) | place(loop.pool_columns, 40, 8) |
                                place(loop.pool_rows, 32, 8) | place(loop.pool_out_columns, 24, 8) |
                                place(loop.pool_left, 10, 2) | place(loop.pool_up, 8, 2) | place(loop.pool_size, 6, 2) |
                                place(loop.pool_stride, 4, 2);
  const std::uint64_t rest = kKeepScale << 32 | static_cast<std::uint64_t>(loop.out_stride * loop.element_bytes);
  add(loop, plan, kLoopStore, {0, picture | plain, rest, loop.source.pc});
  for (std::int64_t b = 0; b < loop.batches; ++b) {
    for (std::int64_t channel = 0; channel < loop.out; channel += loop.dim) {
      const std::int64_t offset = b * loop.pool_out_columns * loop.pool_out_rows * loop.out_stride + channel;
      add(loop, plan, kLoopStore,
          {3, loop.at(loop.output, offset, loop.element_bytes),
           tile_bits(loop.result(channel, b, 0, 0), std::min(loop.dim, loop.out - channel), 0), loop.source.pc});
    }
  }
  add(loop, plan, kLoopStore, {0, plain, rest, loop.source.pc});
}

}  // namespace autocomp::gemmini
