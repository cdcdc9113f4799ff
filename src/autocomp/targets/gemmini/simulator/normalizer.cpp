#include "normalizer.hpp"

#include <algorithm>
#include <cmath>

#include "fault.hpp"

namespace autocomp::gemmini {

namespace {

std::int32_t add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t subtract(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
std::int32_t multiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}
std::int32_t square(std::int32_t a) { return multiply(a, a); }

std::int32_t polynomial(std::int32_t x, const NormConstants& constants) {
  return add(square(add(x, constants.b)), constants.c);
}

std::int32_t gelu(std::int32_t q, const NormConstants& constants) {
  const std::int32_t most = subtract(0, constants.b);
  const std::int32_t magnitude = std::min(q < 0 ? subtract(0, q) : q, most);
  const std::int32_t value = polynomial(magnitude, constants);
  return multiply(q, add(q < 0 ? subtract(0, value) : value, constants.c));
}

// Of a value that is not greater than zero: a power of two, and a polynomial for the rest.
std::int32_t exponential(std::int32_t q, const NormConstants& constants) {
  const std::int32_t halvings = multiply(subtract(0, q), constants.ln2_inverse) >> 16;
  if (halvings < 0) {
    throw Fault(FaultKind::kIllegalCommand, "exponential of a value above the maximum that was gathered, or constants of "
                                            "config_norm that do not fit: its shift would be negative");
  }
  return polynomial(add(q, multiply(halvings, constants.ln2)), constants) >> std::min(halvings, 31);
}

[[noreturn]] void throw_missing(const char* what) {
  throw Fault(FaultKind::kIllegalCommand, std::string("mvout: its activation needs ") + what +
                                              " that no normalisation command has gathered");
}

}  // namespace

NormCommand unfinished(NormCommand command) {
  switch (command) {
    case NormCommand::kMean: return NormCommand::kSum;
    case NormCommand::kInverseDeviation: return NormCommand::kVariance;
    case NormCommand::kInverseSumExp: return NormCommand::kSumExp;
    default: return command;
  }
}

void Normalizer::gather(NormCommand command, unsigned id, const std::int32_t* values, std::int64_t columns,
                        const NormConstants& constants, float scale) {
  Statistics& set = sets_[id];
  if (set.restart) {
    set.sum = set.count = 0;
    set.running_max = INT32_MIN;
  }
  set.restart = command == NormCommand::kNone || command == NormCommand::kMean ||
                command == NormCommand::kInverseDeviation;
  const bool deviations = command == NormCommand::kVariance || command == NormCommand::kInverseDeviation;
  const bool exponentials = command == NormCommand::kSumExp || command == NormCommand::kInverseSumExp;
  if (deviations && !set.has_mean) throw_missing("a mean");
  if (exponentials) set.max = set.running_max;
  for (std::int64_t i = 0; i < columns; ++i) {
    if (command == NormCommand::kSum || command == NormCommand::kMean) set.sum = add(set.sum, values[i]);
    if (command == NormCommand::kMax) set.running_max = std::max(set.running_max, values[i]);
    if (deviations) set.sum = add(set.sum, square(subtract(values[i], set.mean)));
    if (exponentials) set.sum = add(set.sum, exponential(subtract(values[i], set.max), constants));
  }
  set.count += static_cast<std::int32_t>(columns);
  switch (command) {
    case NormCommand::kMean:
      set.mean = set.sum / set.count;
      set.has_mean = true;
      break;
    case NormCommand::kInverseDeviation: {
      const std::int32_t variance = set.sum / set.count;
      if (variance < 0) throw Fault(FaultKind::kIllegalCommand, "mvout: the sum of squared deviations overflows 32 bits");
      const auto deviation = static_cast<float>(variance == 0 ? 1 : static_cast<std::int32_t>(std::sqrt(double{1} * variance)));
      set.deviation_factor = 1.0f / deviation * scale;
      set.has_deviation = true;
      break;
    }
    case NormCommand::kInverseSumExp:
      set.running_max = INT32_MIN;
      set.sum_factor = 127.0f / static_cast<float>(set.sum) * scale;
      set.has_sum = true;
      break;
    default: break;
  }
}

float Normalizer::activate(Activation activation, unsigned id, const std::int32_t* values, std::int64_t columns,
                           const NormConstants& constants, float scale, std::int32_t* out) const {
  const Statistics& set = sets_[id];
  if (activation == Activation::kLayerNorm && !(set.has_mean && set.has_deviation)) throw_missing("mean and deviation");
  if (activation == Activation::kSoftmax && !set.has_sum) throw_missing("a sum of exponentials");
  for (std::int64_t i = 0; i < columns; ++i) {
    switch (activation) {
      case Activation::kLayerNorm: out[i] = subtract(values[i], set.mean); break;
      case Activation::kGelu: out[i] = gelu(values[i], constants); break;
      case Activation::kSoftmax: out[i] = exponential(subtract(values[i], set.max), constants); break;
      default: out[i] = values[i]; break;
    }
  }
  return activation == Activation::kLayerNorm ? set.deviation_factor
         : activation == Activation::kSoftmax ? set.sum_factor
                                              : scale;
}

}  // namespace autocomp::gemmini
