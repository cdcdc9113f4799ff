// Number formats of the data path: how values are scaled, rounded and clipped on their way.
//
// One structure for each pair of types that a chip can have: `Element` in the scratchpad, `Sum` in the accumulator.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace autocomp::gemmini {

inline float float_from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

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

// Eight-bit elements, sums of 32 bits that wrap.
struct Int8Arithmetic {
  using Element = std::int8_t;
  using Sum = std::int32_t;
  static constexpr bool kWideLoadsAreScaled = false;
  static constexpr bool kAddingZeroChanges = false;

  static Element clip(Sum value) { return static_cast<Element>(std::clamp<Sum>(value, -128, 127)); }

  // Single-precision product, rounded to the nearest integer (ties to even), clipped to eight bits. Not-a-number
  // becomes the largest value, as the converter in the data path does.
  static Element scale(Sum value, float factor) {
    const float product = static_cast<float>(value) * factor;
    if (!(product < 127.0f)) return 127;
    if (product <= -128.0f) return -128;
    return static_cast<Element>(std::nearbyintf(product));
  }
  static Sum scale_wide(Sum value, float) { return value; }
  static Sum add(Sum a, Sum b) { return static_cast<Sum>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b)); }
  static Sum shift(Sum value, unsigned bits) { return static_cast<Sum>(rounding_shift(value, bits)); }
  static Sum wrap_sum(Sum value, int bits) { return wrap(value, bits); }
  // Can a sum of `dim` products and an element leave the range of `bits` bits?
  static bool may_wrap(std::int64_t dim, int bits) { return dim * 128 * 128 + 128 >= (std::int64_t{1} << (bits - 1)); }
  template <typename Value>
  static Value relu(Value value) { return std::max<Value>(value, 0); }
  static bool greater(Element a, Element b) { return a > b; }
};

// Single precision throughout: nothing is clipped, every operation rounds once (to nearest, ties to even, subnormals
// kept), and every not-a-number that an operation makes is the same one.
struct Float32Arithmetic {
  using Element = float;
  using Sum = float;
  static constexpr bool kWideLoadsAreScaled = true;
  static constexpr bool kAddingZeroChanges = true;  // minus zero, and products of zero with infinity

  static float canonical(float value) { return value == value ? value : float_from_bits(0x7fc00000u); }

  static Element clip(Sum value) { return value; }
  static Element scale(Sum value, float factor) { return canonical(value * factor); }
  static Sum scale_wide(Sum value, float factor) { return scale(value, factor); }
  static Sum add(Sum a, Sum b) { return canonical(a + b); }
  static Sum shift(Sum value, unsigned bits) { return canonical(value * std::ldexp(1.0f, -static_cast<int>(bits))); }
  static Sum wrap_sum(Sum value, int) { return canonical(value); }
  static bool may_wrap(std::int64_t, int) { return true; }
  // Looks at the sign alone: minus zero stays.
  static float relu(float value) { return std::signbit(value) && value != 0.0f ? 0.0f : value; }
  static bool greater(Element a, Element b) { return a > b; }
};

}  // namespace autocomp::gemmini
