#include "float_unit.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace autocomp::gemmini {

namespace {

constexpr std::uint8_t kInexact = 1;
constexpr std::uint8_t kUnderflow = 2;
constexpr std::uint8_t kOverflow = 4;
constexpr std::uint8_t kDivideByZero = 8;
constexpr std::uint8_t kInvalid = 16;
constexpr std::uint64_t kBox = 0xffffffff00000000ull;
constexpr std::uint64_t kDynamic = 7;

template <typename T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr Bits kCanonical = 0x7fc00000u;
  static constexpr Bits kQuiet = 0x00400000u;
  static Bits read(std::uint64_t value) { return (value & kBox) == kBox ? static_cast<Bits>(value) : kCanonical; }
  static std::uint64_t write(Bits value) { return kBox | value; }
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr Bits kCanonical = 0x7ff8000000000000u;
  static constexpr Bits kQuiet = 0x0008000000000000u;
  static Bits read(std::uint64_t value) { return value; }
  static std::uint64_t write(Bits value) { return value; }
};

template <typename T>
using Bits = typename Format<T>::Bits;
template <typename T>
constexpr Bits<T> kSignBit = Bits<T>{1} << (sizeof(T) * 8 - 1);

template <typename T>
bool is_signalling(Bits<T> bits) {
  return std::isnan(std::bit_cast<T>(bits)) && (bits & Format<T>::kQuiet) == 0;
}

template <typename T>
std::uint64_t box(T value) {
  return Format<T>::write(std::isnan(value) ? Format<T>::kCanonical : std::bit_cast<Bits<T>>(value));
}

int host_rounding(std::uint64_t mode) {
  switch (mode) {
    case 1: return FE_TOWARDZERO;
    case 2: return FE_DOWNWARD;
    case 3: return FE_UPWARD;
    default: return FE_TONEAREST;  // 4 (ties away from zero) exists only for conversions here, see round_to_integer
  }
}

std::uint8_t host_flags() {
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  return static_cast<std::uint8_t>(((raised & FE_INEXACT) != 0 ? kInexact : 0) |
                                   ((raised & FE_UNDERFLOW) != 0 ? kUnderflow : 0) |
                                   ((raised & FE_OVERFLOW) != 0 ? kOverflow : 0) |
                                   ((raised & FE_DIVBYZERO) != 0 ? kDivideByZero : 0) |
                                   ((raised & FE_INVALID) != 0 ? kInvalid : 0));
}

template <typename T>
T round_to_integer(T value, std::uint64_t mode) {
  switch (mode) {
    case 1: return std::trunc(value);
    case 2: return std::floor(value);
    case 3: return std::ceil(value);
    case 4: return std::round(value);
    default: return std::nearbyint(value);  // the host rounds to nearest even in this case
  }
}

template <typename Integer, typename T>
std::uint64_t to_integer(T value, std::uint64_t mode, std::uint8_t& flags) {
  using Limits = std::numeric_limits<Integer>;
  const auto extend = [](Integer result) {  // 32-bit results are sign-extended, unsigned ones too
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::make_signed_t<Integer>>(result)));
  };
  if (std::isnan(value)) {
    flags |= kInvalid;
    return extend(Limits::max());
  }
  const T rounded = round_to_integer(value, mode);
  // Both limits are powers of two, hence exact in T: least <= rounded < beyond.
  const T beyond = std::ldexp(T{1}, Limits::digits);
  const T least = Limits::is_signed ? -beyond : T{0};
  if (rounded >= beyond || rounded < least) {
    flags |= kInvalid;
    return extend(rounded < least ? Limits::min() : Limits::max());
  }
  if (rounded != value) flags |= kInexact;
  return extend(static_cast<Integer>(rounded));
}

template <typename T>
std::uint64_t classify(Bits<T> bits) {
  const T value = std::bit_cast<T>(bits);
  const bool negative = (bits & kSignBit<T>) != 0;
  switch (std::fpclassify(value)) {
    case FP_INFINITE: return negative ? 1u << 0 : 1u << 7;
    case FP_NORMAL: return negative ? 1u << 1 : 1u << 6;
    case FP_SUBNORMAL: return negative ? 1u << 2 : 1u << 5;
    case FP_ZERO: return negative ? 1u << 3 : 1u << 4;
    default: return is_signalling<T>(bits) ? 1u << 8 : 1u << 9;
  }
}

template <typename T>
std::uint64_t smaller_or_greater(Bits<T> a, Bits<T> b, bool want_max, std::uint8_t& flags) {
  if (is_signalling<T>(a) || is_signalling<T>(b)) flags |= kInvalid;
  const T x = std::bit_cast<T>(a);
  const T y = std::bit_cast<T>(b);
  if (std::isnan(x) && std::isnan(y)) return Format<T>::write(Format<T>::kCanonical);
  if (std::isnan(x)) return Format<T>::write(b);
  if (std::isnan(y)) return Format<T>::write(a);
  const bool a_less = x == y ? (a & kSignBit<T>) != 0 : x < y;  // -0 is less than +0
  return Format<T>::write(a_less != want_max ? a : b);
}

// Results that the host computes under its own rounding mode. Operands and results pass through volatile objects, so
// that the compiler cannot move the arithmetic across the mode change in the caller.
template <typename T>
[[gnu::noinline]] T arithmetic(FloatOp op, T first, T second, T third) {
  const volatile T operands[] = {first, second, third};
  const T a = operands[0];
  const T b = operands[1];
  const T c = operands[2];
  volatile T result = 0;
  switch (op) {
    case FloatOp::kAdd: result = a + b; break;
    case FloatOp::kSub: result = a - b; break;
    case FloatOp::kMul: result = a * b; break;
    case FloatOp::kDiv: result = a / b; break;
    case FloatOp::kSqrt: result = std::sqrt(a); break;
    case FloatOp::kMultiplyAdd: result = std::fma(a, b, c); break;
    case FloatOp::kMultiplySub: result = std::fma(a, b, -c); break;
    case FloatOp::kNegateMultiplySub: result = std::fma(-a, b, c); break;
    default: result = std::fma(-a, b, -c); break;
  }
  return result;
}

template <typename T>
[[gnu::noinline]] T from_integer(FloatOp op, std::uint64_t source) {
  const volatile std::uint64_t operand = source;
  const std::uint64_t value = operand;
  volatile T result = 0;
  switch (op) {
    case FloatOp::kFromInt32: result = static_cast<T>(static_cast<std::int32_t>(value)); break;
    case FloatOp::kFromUint32: result = static_cast<T>(static_cast<std::uint32_t>(value)); break;
    case FloatOp::kFromInt64: result = static_cast<T>(static_cast<std::int64_t>(value)); break;
    default: result = static_cast<T>(value); break;
  }
  return result;
}

template <typename To, typename From>
[[gnu::noinline]] To convert(From source) {
  const volatile From operand = source;
  volatile To result = static_cast<To>(operand);
  return result;
}

template <typename Compute>
auto under_host_mode(std::uint64_t mode, std::uint8_t& flags, Compute compute) {
  if (mode != 0) std::fesetround(host_rounding(mode));
  std::feclearexcept(FE_ALL_EXCEPT);
  const auto result = compute();
  flags |= host_flags();
  if (mode != 0) std::fesetround(FE_TONEAREST);
  return result;
}

template <typename T>
void run(const Instruction& in, std::uint64_t* registers, std::uint64_t mode, std::uint8_t& flags) {
  const auto op = static_cast<FloatOp>(in.minor);
  const std::uint64_t raw = registers[in.source1];
  const Bits<T> a = Format<T>::read(raw);
  const Bits<T> b = Format<T>::read(registers[in.source2]);
  const T x = std::bit_cast<T>(a);
  const T y = std::bit_cast<T>(b);
  std::uint64_t& out = registers[in.destination];
  switch (op) {
    case FloatOp::kSign: out = Format<T>::write((a & ~kSignBit<T>) | (b & kSignBit<T>)); return;
    case FloatOp::kSignNegate: out = Format<T>::write((a & ~kSignBit<T>) | (~b & kSignBit<T>)); return;
    case FloatOp::kSignXor: out = Format<T>::write(a ^ (b & kSignBit<T>)); return;
    case FloatOp::kMin: out = smaller_or_greater<T>(a, b, false, flags); return;
    case FloatOp::kMax: out = smaller_or_greater<T>(a, b, true, flags); return;
    case FloatOp::kEqual:
      if (is_signalling<T>(a) || is_signalling<T>(b)) flags |= kInvalid;
      out = !std::isunordered(x, y) && x == y;
      return;
    case FloatOp::kLess:
    case FloatOp::kLessEqual:
      if (std::isunordered(x, y)) flags |= kInvalid;
      out = op == FloatOp::kLess ? std::isless(x, y) : std::islessequal(x, y);
      return;
    case FloatOp::kClass: out = classify<T>(a); return;
    case FloatOp::kToInt32: out = to_integer<std::int32_t>(x, mode, flags); return;
    case FloatOp::kToUint32: out = to_integer<std::uint32_t>(x, mode, flags); return;
    case FloatOp::kToInt64: out = to_integer<std::int64_t>(x, mode, flags); return;
    case FloatOp::kToUint64: out = to_integer<std::uint64_t>(x, mode, flags); return;
    case FloatOp::kFromInt32: case FloatOp::kFromUint32: case FloatOp::kFromInt64: case FloatOp::kFromUint64:
      out = box<T>(under_host_mode(mode, flags, [&] { return from_integer<T>(op, raw); }));
      return;
    case FloatOp::kConvert:
      if constexpr (sizeof(T) == 4) {
        const double source = std::bit_cast<double>(raw);
        out = box<float>(under_host_mode(mode, flags, [&] { return convert<float>(source); }));
      } else {
        const auto source = std::bit_cast<float>(Format<float>::read(raw));
        out = box<double>(under_host_mode(mode, flags, [&] { return convert<double>(source); }));
      }
      return;
    case FloatOp::kMoveToInteger:
      out = sizeof(T) == 4 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(raw))) : raw;
      return;
    case FloatOp::kMoveFromInteger: out = Format<T>::write(static_cast<Bits<T>>(raw)); return;
    default: {
      const T z = std::bit_cast<T>(Format<T>::read(registers[in.source3]));
      out = box<T>(under_host_mode(mode, flags, [&] { return arithmetic<T>(op, x, y, z); }));
      // Infinity times zero is invalid even when the addend is a quiet NaN; hosts differ there.
      const bool fused = op >= FloatOp::kMultiplyAdd && op <= FloatOp::kNegateMultiplyAdd;
      if (fused && ((std::isinf(x) && y == T{0}) || (std::isinf(y) && x == T{0}))) flags |= kInvalid;
      return;
    }
  }
}

}  // namespace

FloatUnit::FloatUnit() : saved_rounding_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
FloatUnit::~FloatUnit() { std::fesetround(saved_rounding_); }

bool FloatUnit::execute(const Instruction& in, std::uint64_t* registers) {
  const auto op = static_cast<FloatOp>(in.minor);
  // These use the rounding field to tell instructions apart.
  const bool has_mode = !(op >= FloatOp::kSign && op <= FloatOp::kClass) && op < FloatOp::kMoveToInteger;
  const std::uint64_t mode = !has_mode ? 0 : in.rounding == kDynamic ? rounding_ : in.rounding;
  if (mode > 4) return false;
  if (in.wide) {
    run<double>(in, registers, mode, flags_);
  } else {
    run<float>(in, registers, mode, flags_);
  }
  return true;
}

}  // namespace autocomp::gemmini
