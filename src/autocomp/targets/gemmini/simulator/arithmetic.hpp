// Number formats of the data path: how values are scaled, rounded and clipped on their way.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace autocomp::gemmini {

inline float float_from_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::int8_t saturate_int8(std::int64_t value) {
  return static_cast<std::int8_t>(value < -128 ? -128 : value > 127 ? 127 : value);
}

// Single-precision product, rounded to the nearest integer (ties to even), clipped to eight bits. Not-a-number becomes
// the largest value, as the converter in the data path does.
inline std::int8_t scale_to_int8(float value, float scale) {
  const float product = value * scale;
  if (!(product < 127.0f)) return 127;
  if (product <= -128.0f) return -128;
  return static_cast<std::int8_t>(std::nearbyintf(product));
}

// Two's complement wrap to `bits` bits.
inline std::int32_t wrap(std::int64_t value, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int32_t>(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused) >> unused);
}

// Arithmetic shift to the right that rounds to the nearest, ties to even.
inline std::int64_t rounding_shift(std::int64_t value, unsigned shift) {
  if (shift == 0) return value;
  const std::int64_t half = (value >> (shift - 1)) & 1;
  const std::int64_t sticky = (value & ((std::int64_t{1} << (shift - 1)) - 1)) != 0;
  const std::int64_t odd = (value >> shift) & 1;
  return (value >> shift) + (half & (sticky | odd));
}

}  // namespace autocomp::gemmini
