#include "decode.hpp"

#include <cstring>

namespace autocomp::gemmini {

// Compressed instructions have a file of their own.
Instruction decode_compressed(std::uint16_t word, std::uint64_t address);

namespace {

constexpr std::uint32_t bits(std::uint32_t word, int high, int low) {
  return (word >> low) & ((1u << (high - low + 1)) - 1u);
}

std::uint8_t integer_destination(std::uint32_t word) {
  const std::uint32_t rd = bits(word, 11, 7);
  return rd == 0 ? kNowhere : static_cast<std::uint8_t>(rd);
}

std::int64_t immediate_i(std::uint32_t word) { return static_cast<std::int32_t>(word) >> 20; }

std::int64_t immediate_s(std::uint32_t word) {
  return (static_cast<std::int32_t>(word & 0xfe000000u) >> 20) | static_cast<std::int32_t>(bits(word, 11, 7));
}

std::int64_t immediate_b(std::uint32_t word) {
  return (static_cast<std::int32_t>(word & 0x80000000u) >> 19) |
         static_cast<std::int32_t>(bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1);
}

std::int64_t immediate_j(std::uint32_t word) {
  return (static_cast<std::int32_t>(word & 0x80000000u) >> 11) |
         static_cast<std::int32_t>(bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1);
}

std::int64_t immediate_u(std::uint32_t word) { return static_cast<std::int32_t>(word & 0xfffff000u); }

Op one_of(std::uint32_t index, std::initializer_list<Op> ops) {
  return index < ops.size() ? ops.begin()[index] : Op::kIllegal;
}

Op register_op(std::uint32_t funct7, std::uint32_t funct3, bool word_sized) {
  using enum Op;
  if (funct7 == 1) {
    return word_sized ? one_of(funct3, {kMulw, kIllegal, kIllegal, kIllegal, kDivw, kDivuw, kRemw, kRemuw})
                      : one_of(funct3, {kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu});
  }
  if (funct7 == 0) {
    return word_sized ? one_of(funct3, {kAddw, kSllw, kIllegal, kIllegal, kIllegal, kSrlw})
                      : one_of(funct3, {kAdd, kSll, kSlt, kSltu, kXor, kSrl, kOr, kAnd});
  }
  if (funct7 == 0x20 && funct3 == 0) return word_sized ? kSubw : kSub;
  if (funct7 == 0x20 && funct3 == 5) return word_sized ? kSraw : kSra;
  return kIllegal;
}

Op immediate_op(std::uint32_t word, bool word_sized) {
  using enum Op;
  const std::uint32_t funct3 = bits(word, 14, 12);
  const std::uint32_t top = word_sized ? bits(word, 31, 25) : bits(word, 31, 26) << 1;
  if (funct3 == 1) return top == 0 ? (word_sized ? kSlliw : kSlli) : kIllegal;
  if (funct3 == 5) {
    if (top == 0) return word_sized ? kSrliw : kSrli;
    if (top == 0x20) return word_sized ? kSraiw : kSrai;
    return kIllegal;
  }
  if (word_sized) return funct3 == 0 ? kAddiw : kIllegal;
  return one_of(funct3, {kAddi, kIllegal, kSlti, kSltiu, kXori, kIllegal, kOri, kAndi});
}

void set_float(Instruction& in, FloatOp op) {
  in.op = Op::kFloat;
  in.minor = static_cast<std::uint8_t>(op);
}

// OP-FP, major opcode 0x53.
void decode_float(Instruction& in, std::uint32_t word) {
  using enum FloatOp;
  const std::uint32_t funct5 = bits(word, 31, 27);
  const std::uint32_t format = bits(word, 26, 25);
  const std::uint32_t rd = bits(word, 11, 7);
  const std::uint32_t rs2 = bits(word, 24, 20);
  const std::uint32_t rm = bits(word, 14, 12);
  if (format > 1) return;
  in.wide = format;
  in.rounding = rm & 15;
  in.source1 = kFloatBase + bits(word, 19, 15);
  in.source2 = kFloatBase + rs2;
  in.destination = kFloatBase + rd;
  const std::uint8_t to_integer = rd == 0 ? kNowhere : static_cast<std::uint8_t>(rd);
  switch (funct5) {
    case 0x00: return set_float(in, kAdd);
    case 0x01: return set_float(in, kSub);
    case 0x02: return set_float(in, kMul);
    case 0x03: return set_float(in, kDiv);
    case 0x0b:
      in.source2 = 0;
      if (rs2 == 0) set_float(in, kSqrt);
      return;
    case 0x04:
      if (rm == 0) set_float(in, kSign);
      if (rm == 1) set_float(in, kSignNegate);
      if (rm == 2) set_float(in, kSignXor);
      return;
    case 0x05:
      if (rm < 2) set_float(in, rm == 0 ? kMin : kMax);
      return;
    case 0x08:
      in.source2 = 0;
      if (rs2 == (format ^ 1u)) set_float(in, kConvert);
      return;
    case 0x14:
      in.destination = to_integer;
      if (rm == 2) set_float(in, kEqual);
      if (rm == 1) set_float(in, kLess);
      if (rm == 0) set_float(in, kLessEqual);
      return;
    case 0x18:
      in.destination = to_integer;
      in.source2 = 0;
      if (rs2 < 4) set_float(in, static_cast<FloatOp>(static_cast<std::uint32_t>(kToInt32) + rs2));
      return;
    case 0x1a:
      in.source1 = static_cast<std::uint8_t>(bits(word, 19, 15));
      in.source2 = 0;
      if (rs2 < 4) set_float(in, static_cast<FloatOp>(static_cast<std::uint32_t>(kFromInt32) + rs2));
      return;
    case 0x1c:
      in.destination = to_integer;
      in.source2 = 0;
      if (rs2 == 0 && rm == 0) set_float(in, kMoveToInteger);
      if (rs2 == 0 && rm == 1) set_float(in, kClass);
      return;
    case 0x1e:
      in.source1 = static_cast<std::uint8_t>(bits(word, 19, 15));
      in.source2 = 0;
      if (rs2 == 0 && rm == 0) set_float(in, kMoveFromInteger);
      return;
    default: return;
  }
}

void decode_atomic(Instruction& in, std::uint32_t word) {
  const std::uint32_t funct5 = bits(word, 31, 27);
  const std::uint32_t width = bits(word, 14, 12);
  if (width != 2 && width != 3) return;
  in.wide = width == 3;
  in.minor = static_cast<std::uint8_t>(funct5);
  switch (funct5) {
    case 0x02:
      if (bits(word, 24, 20) == 0) in.op = Op::kLoadReserved;
      return;
    case 0x03: in.op = Op::kStoreConditional; return;
    case 0x00: case 0x01: case 0x04: case 0x08: case 0x0c: case 0x10: case 0x14: case 0x18: case 0x1c:
      in.op = Op::kAtomic;
      return;
    default: return;
  }
}

void decode_system(Instruction& in, std::uint32_t word) {
  const std::uint32_t funct3 = bits(word, 14, 12);
  if (funct3 == 0) {
    if (word == 0x00000073) in.op = Op::kEcall;
    if (word == 0x00100073) in.op = Op::kEbreak;
    return;
  }
  if (funct3 == 4) return;
  in.op = Op::kCsr;
  in.minor = static_cast<std::uint8_t>(funct3);
  in.source2 = 0;
  in.immediate = bits(word, 31, 20);
}

}  // namespace

Instruction decode(std::uint32_t word, std::uint64_t address) {
  using enum Op;
  if ((word & 3u) != 3u) return decode_compressed(static_cast<std::uint16_t>(word), address);
  Instruction in;
  in.length = 4;
  in.destination = integer_destination(word);
  in.source1 = static_cast<std::uint8_t>(bits(word, 19, 15));
  in.source2 = static_cast<std::uint8_t>(bits(word, 24, 20));
  const std::uint32_t funct3 = bits(word, 14, 12);
  const auto at = static_cast<std::int64_t>(address);
  switch (word & 0x7fu) {
    case 0x37: case 0x17:  // lui, auipc
      in.op = kConstant;
      in.source1 = in.source2 = 0;
      in.immediate = immediate_u(word) + ((word & 0x7fu) == 0x17 ? at : 0);
      break;
    case 0x6f:
      in.op = kJal;
      in.source1 = in.source2 = 0;
      in.is_link = in.destination == 1;
      in.immediate = at + immediate_j(word);
      break;
    case 0x67:
      if (funct3 != 0) break;
      in.op = kJalr;
      in.source2 = 0;
      in.is_link = in.destination == 1;
      in.immediate = immediate_i(word);
      break;
    case 0x63:
      in.op = one_of(funct3, {kBeq, kBne, kIllegal, kIllegal, kBlt, kBge, kBltu, kBgeu});
      in.destination = kNowhere;
      in.immediate = at + immediate_b(word);
      break;
    case 0x03:
      in.op = one_of(funct3, {kLb, kLh, kLw, kLd, kLbu, kLhu, kLwu});
      in.source2 = 0;
      in.immediate = immediate_i(word);
      break;
    case 0x23:
      in.op = one_of(funct3, {kSb, kSh, kSw, kSd});
      in.destination = kNowhere;
      in.immediate = immediate_s(word);
      break;
    case 0x13: case 0x1b:
      in.op = immediate_op(word, (word & 0x7fu) == 0x1b);
      in.source2 = 0;
      in.immediate = immediate_i(word);
      if (funct3 == 1 || funct3 == 5) in.immediate &= (word & 0x7fu) == 0x1b ? 31 : 63;
      break;
    case 0x33: case 0x3b:
      in.op = register_op(bits(word, 31, 25), funct3, (word & 0x7fu) == 0x3b);
      break;
    case 0x0f:
      in.op = one_of(funct3, {kFence, kFenceI});
      in.source1 = in.source2 = 0;
      in.destination = kNowhere;
      break;
    case 0x73: decode_system(in, word); break;
    case 0x2f: decode_atomic(in, word); break;
    case 0x07: case 0x27:
      if (funct3 != 2 && funct3 != 3) break;
      if ((word & 0x7fu) == 0x07) {
        in.op = funct3 == 2 ? kFlw : kFld;
        in.destination = kFloatBase + bits(word, 11, 7);
        in.source2 = 0;
        in.immediate = immediate_i(word);
      } else {
        in.op = funct3 == 2 ? kFsw : kFsd;
        in.destination = kNowhere;
        in.source2 = kFloatBase + bits(word, 24, 20);
        in.immediate = immediate_s(word);
      }
      break;
    case 0x43: case 0x47: case 0x4b: case 0x4f: {
      if (bits(word, 26, 25) > 1) break;
      const auto kind = static_cast<std::uint32_t>(FloatOp::kMultiplyAdd) + ((word & 0x7fu) - 0x43u) / 4u;
      set_float(in, static_cast<FloatOp>(kind));
      in.wide = bits(word, 26, 25);
      in.rounding = funct3 & 15;
      in.destination = kFloatBase + bits(word, 11, 7);
      in.source1 += kFloatBase;
      in.source2 += kFloatBase;
      in.source3 = kFloatBase + bits(word, 31, 27);
      break;
    }
    case 0x53: decode_float(in, word); break;
    case 0x7b:
      in.op = kCustom3;
      in.minor = static_cast<std::uint8_t>(bits(word, 31, 25));
      in.wide = 0;
      // xd, xs1, xs2 say which of the register fields are used.
      if (bits(word, 14, 14) == 0) in.destination = kNowhere;
      if (bits(word, 13, 13) == 0) in.source1 = 0;
      if (bits(word, 12, 12) == 0) in.source2 = 0;
      break;
    default: break;
  }
  if (in.op == kIllegal) {
    in.destination = kNowhere;
    in.source1 = in.source2 = in.source3 = 0;
    in.immediate = word;
  }
  return in;
}

std::vector<Instruction> decode_all(const std::vector<std::uint8_t>& bytes, std::uint64_t base) {
  std::vector<Instruction> out(bytes.size() / 2 + 1);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, i + 4 <= bytes.size() ? 4 : 2);
    if ((word & 3u) == 3u && i + 4 > bytes.size()) continue;  // cut off: stays illegal
    out[i / 2] = decode(word, base + i);
  }
  return out;
}

}  // namespace autocomp::gemmini
