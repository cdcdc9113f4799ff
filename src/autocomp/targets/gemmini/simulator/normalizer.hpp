// Statistics of rows on their way out of an integer accumulator, and the activations that use them.
#pragma once

#include <array>
#include <cstdint>

namespace autocomp::gemmini {

// Bits 28 to 26 of an mvout's local address. All but the first only gather: they write nothing to memory.
enum class NormCommand : std::uint8_t { kNone, kSum, kMean, kVariance, kInverseDeviation, kMax, kSumExp, kInverseSumExp };
enum class Activation : std::uint8_t { kNone, kRelu, kLayerNorm, kGelu, kSoftmax };

// Constants of the integer approximations of error function and exponential, as config_norm sets them.
struct NormConstants {
  std::int32_t b = 0, c = 0;              // of the polynomial (x + b)^2 + c
  std::int32_t ln2 = 0, ln2_inverse = 0;  // the latter in units of 2^-16
};

// What the command means for a block that is not the last of its row.
NormCommand unfinished(NormCommand command);

class Normalizer {
 public:
  static constexpr unsigned kSets = 2;  // of statistics

  // Takes one block of a row into the set `id`. A finishing command also draws its result, with `scale` in it where
  // that is a factor. Throws Fault where nothing is defined.
  void gather(NormCommand command, unsigned id, const std::int32_t* values, std::int64_t columns,
              const NormConstants& constants, float scale);
  // `values` with an activation other than none and ReLU applied, and the factor that scales them then.
  float activate(Activation activation, unsigned id, const std::int32_t* values, std::int64_t columns,
                 const NormConstants& constants, float scale, std::int32_t* out) const;

 private:
  struct Statistics {
    bool restart = true;
    std::int32_t sum = 0;
    std::int32_t count = 0;
    std::int32_t running_max = INT32_MIN;
    std::int32_t mean = 0, max = 0;
    float deviation_factor = 0, sum_factor = 0;
    bool has_mean = false, has_deviation = false, has_sum = false;
  };
  std::array<Statistics, kSets> sets_;
};

}  // namespace autocomp::gemmini
