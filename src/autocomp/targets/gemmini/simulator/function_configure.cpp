#include "arithmetic.hpp"
#include "function.hpp"

namespace autocomp::gemmini {

namespace {

// The pooling fields of config_st. No stride: no pooling; then a window size that is not zero asks for the mvout of a
// picture as it is, "one-dimensional" because its pixels are counted through.
Picture decode_picture(std::uint64_t rs1) {
  const auto field = [rs1](int low, std::uint64_t mask) { return static_cast<std::int64_t>((rs1 >> low) & mask); };
  Picture picture;
  const std::int64_t stride = field(4, 3), window = field(6, 3);
  if (stride == 0 && window == 0) return picture;
  picture.out_pitch = field(24, 0xff);
  picture.rows = field(48, 0xff);
  picture.columns = field(56, 0xff);
  if (stride == 0) {
    picture.out_rows = picture.rows;
    picture.out_columns = picture.columns;
  } else {
    picture.stride = stride;
    picture.window = window;
    picture.upper_padding = field(8, 3);
    picture.left_padding = field(10, 3);
    picture.out_rows = field(32, 0xff);
    picture.out_columns = field(40, 0xff);
  }
  if (picture.pixels_read() == 0) {
    throw Fault(FaultKind::kIllegalCommand, "config_st: a picture of " + std::to_string(picture.out_rows) + " x " +
                                                std::to_string(picture.out_columns) + " pixels from windows of size " +
                                                std::to_string(picture.window) + ": its mvouts would never complete");
  }
  return picture;
}

}  // namespace

void Function::configure(const Command& command, Operation& operation) {
  ++counters_.commands_config;
  switch (command.rs1 & 3) {
    case 0:
      operation.kind = OperationKind::kConfigExecute;
      configure_execute(command);
      break;
    case 1:
      operation.kind = OperationKind::kConfigLoad;
      configure_load(command);
      break;
    case 2:
      operation.kind = OperationKind::kConfigStore;
      configure_store(command);
      break;
    default:
      operation.kind = OperationKind::kConfigStore;  // waits with the stores
      configure_normalizer(command);
  }
}

void Function::configure_execute(const Command& command) {
  if (preloaded_) {
    throw Fault(FaultKind::kIllegalCommand, "config_ex between a preload and its compute: which of the two it applies to is undefined");
  }
  const std::uint64_t rs1 = command.rs1, rs2 = command.rs2;
  ExecuteState next = execute_;
  next.a_stride = (rs1 >> 16) & 0xffff;
  next.c_stride = (rs2 >> 48) & 0xffff;
  if (!((rs1 >> 7) & 1)) {  // otherwise only the strides change
    next.mode.output_stationary = !((rs1 >> 2) & 1);
    const unsigned activation = (rs1 >> 3) & 3;
    if (activation > 1) {
      throw Fault(FaultKind::kIllegalCommand,
                  "config_ex: activation " + std::to_string(activation) + " does not exist here; 0 (none) and 1 (ReLU) do");
    }
    next.mode.relu = activation == 1;
    next.a_transpose = (rs1 >> 8) & 1;
    next.b_transpose = (rs1 >> 9) & 1;
    next.mode.operand_scale = float_from_bits(static_cast<std::uint32_t>(rs1 >> 32));
    const std::uint64_t shift = rs2 & 0xffffffffu;
    if (shift > 31) {
      throw Fault(FaultKind::kIllegalCommand, "config_ex: shift " + std::to_string(shift) + " exceeds 31");
    }
    next.mode.shift = static_cast<unsigned>(shift);
  }
  if (!next.mode.output_stationary && next.a_transpose && next.b_transpose) {
    throw Fault(FaultKind::kIllegalCommand,
                "config_ex: weight stationary with both A and B transposed; there is one transposer");
  }
  if (next.mode.output_stationary && next.b_transpose && !next.a_transpose) {
    throw Fault(FaultKind::kIllegalCommand,
                "config_ex: output stationary with B transposed needs A transposed too; there is one transposer");
  }
  next.configured = true;
  execute_ = next;
}

void Function::configure_load(const Command& command) {
  const std::uint64_t rs1 = command.rs1;
  const unsigned id = (rs1 >> 3) & 3;
  if (id > 2) throw Fault(FaultKind::kIllegalCommand, "config_ld: load id 3 does not exist; 0, 1 and 2 do");
  LoadState& state = load_[id];
  state.stride = command.rs2;
  state.scale = float_from_bits(static_cast<std::uint32_t>(rs1 >> 32));
  state.shrunk = (rs1 >> 2) & 1;
  state.block_stride = (rs1 >> 16) & 0xffff;
  state.pixel_repeats = (rs1 >> 8) & 0xff;
  if (state.pixel_repeats == 0) state.pixel_repeats = 1;
  state.configured = true;
}

void Function::configure_store(const Command& command) {
  const std::uint64_t rs1 = command.rs1, rs2 = command.rs2;
  const unsigned activation = (rs1 >> 2) & 3;
  if (activation > 1 && config_.has_normalizations == 0) {
    throw Fault(FaultKind::kIllegalCommand,
                "config_st: activation " + std::to_string(activation) + " does not exist here; 0 (none) and 1 (ReLU) do");
  }
  const Picture picture = decode_picture(rs1);
  store_.mode.activation = static_cast<Activation>(activation);
  store_.pools = ((rs1 >> 4) & 3) != 0;
  store_.picture = picture;
  store_.stride = rs2 & 0xffffffffu;
  const auto scale = static_cast<std::uint32_t>(rs2 >> 32);
  if (scale != 0xffffffffu) store_.mode.scale = float_from_bits(scale);  // all ones keep the scale
  store_.configured = true;
}

void Function::configure_normalizer(const Command& command) {
  if (config_.has_normalizations == 0) {
    throw Fault(FaultKind::kIllegalCommand, "config_norm: this configuration has no normalisation unit");
  }
  const std::uint64_t rs1 = command.rs1, rs2 = command.rs2;
  const unsigned statistics = (rs1 >> 8) & 0xff;
  if (statistics >= Normalizer::kSets) {
    throw Fault(FaultKind::kIllegalCommand, "config_norm: set " + std::to_string(statistics) + " of statistics; there are " +
                                                std::to_string(Normalizer::kSets));
  }
  store_.mode.statistics = statistics;
  if ((rs1 >> 17) & 1) return;  // nothing else
  const unsigned activation = (static_cast<unsigned>(store_.mode.activation) & 3) | ((rs1 >> 16) & 1) << 2;
  if (activation > static_cast<unsigned>(Activation::kSoftmax)) {
    throw Fault(FaultKind::kIllegalCommand, "config_norm: activation " + std::to_string(activation) + " does not exist");
  }
  store_.mode.activation = static_cast<Activation>(activation);
  store_.mode.constants.b = static_cast<std::int32_t>(rs2);
  store_.mode.constants.c = static_cast<std::int32_t>(rs2 >> 32);
  const auto constant = static_cast<std::int32_t>(rs1 >> 32);
  ((rs1 >> 18) & 1 ? store_.mode.constants.ln2_inverse : store_.mode.constants.ln2) = constant;
}

}  // namespace autocomp::gemmini
