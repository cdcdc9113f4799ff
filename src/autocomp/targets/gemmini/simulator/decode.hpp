// RV64GC instructions in the form the core executes: decoded once per address, before the program runs.
#pragma once

#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

enum class Op : std::uint8_t {
  kIllegal,
  kConstant,  // lui, auipc and c.li: the value is known at decode time
  kJal, kJalr, kBeq, kBne, kBlt, kBge, kBltu, kBgeu,
  kLb, kLh, kLw, kLd, kLbu, kLhu, kLwu, kSb, kSh, kSw, kSd,
  kAddi, kSlti, kSltiu, kXori, kOri, kAndi, kSlli, kSrli, kSrai,
  kAdd, kSub, kSll, kSlt, kSltu, kXor, kSrl, kSra, kOr, kAnd,
  kAddiw, kSlliw, kSrliw, kSraiw, kAddw, kSubw, kSllw, kSrlw, kSraw,
  kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu,
  kMulw, kDivw, kDivuw, kRemw, kRemuw,
  kFence, kFenceI, kEcall, kEbreak,
  kCsr,      // minor = funct3, immediate = CSR number
  kCustom3,  // minor = funct7
  kLoadReserved, kStoreConditional, kAtomic,  // minor = funct5, wide tells .d from .w
  kFlw, kFld, kFsw, kFsd,
  kFloat,    // minor = FloatOp, wide tells double from single
};

enum class FloatOp : std::uint8_t {
  kAdd, kSub, kMul, kDiv, kSqrt, kMultiplyAdd, kMultiplySub, kNegateMultiplySub, kNegateMultiplyAdd,
  kSign, kSignNegate, kSignXor, kMin, kMax, kEqual, kLess, kLessEqual, kClass,
  kToInt32, kToUint32, kToInt64, kToUint64, kFromInt32, kFromUint32, kFromInt64, kFromUint64,
  kConvert,        // between single and double; wide tells the destination
  kMoveToInteger, kMoveFromInteger,
};

// Registers have one numbering: x0..x31 are 0..31, f0..f31 are 32..63; results for x0 go to kNowhere.
inline constexpr std::uint8_t kFloatBase = 32;
inline constexpr std::uint8_t kNowhere = 64;
inline constexpr int kRegisterSlots = 65;

struct Instruction {
  Op op = Op::kIllegal;
  std::uint8_t destination = kNowhere;
  std::uint8_t source1 = 0;
  std::uint8_t source2 = 0;
  std::uint8_t source3 = 0;
  std::uint8_t length = 2;        // bytes
  std::uint8_t minor = 0;         // see Op
  std::uint8_t rounding : 4 = 0;  // rm field of floating-point instructions
  std::uint8_t wide : 1 = 0;
  std::uint8_t is_link : 1 = 0;   // jal and jalr that write ra: a call
  std::int64_t immediate = 0;     // jumps and branches: the target's address
};

// The instruction at `address` whose first four bytes are `word` (only the low two count if it is compressed).
Instruction decode(std::uint32_t word, std::uint64_t address);

// All instructions of a code segment, one entry per two bytes, and an illegal one at the end.
std::vector<Instruction> decode_all(const std::vector<std::uint8_t>& bytes, std::uint64_t base);

}  // namespace autocomp::gemmini
