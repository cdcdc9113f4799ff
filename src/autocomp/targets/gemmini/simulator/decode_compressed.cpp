// The C extension: each 16-bit instruction stands for a 32-bit one.
#include "decode.hpp"

namespace autocomp::gemmini {

namespace {

constexpr std::uint32_t bit(std::uint32_t word, int from, int to) { return ((word >> from) & 1u) << to; }
constexpr std::uint32_t field(std::uint32_t word, int high, int low, int to) {
  return ((word >> low) & ((1u << (high - low + 1)) - 1u)) << to;
}
constexpr std::int64_t extend(std::uint32_t value, int width) {
  const std::uint32_t sign = 1u << (width - 1);
  return static_cast<std::int64_t>(value ^ sign) - static_cast<std::int64_t>(sign);
}

struct Word {
  std::uint32_t word;
  std::uint8_t rd() const { return static_cast<std::uint8_t>(field(word, 11, 7, 0)); }
  std::uint8_t rs2() const { return static_cast<std::uint8_t>(field(word, 6, 2, 0)); }
  std::uint8_t small_high() const { return static_cast<std::uint8_t>(8 + field(word, 9, 7, 0)); }
  std::uint8_t small_low() const { return static_cast<std::uint8_t>(8 + field(word, 4, 2, 0)); }
  std::int64_t immediate6() const { return extend(bit(word, 12, 5) | field(word, 6, 2, 0), 6); }
  std::uint32_t shift() const { return bit(word, 12, 5) | field(word, 6, 2, 0); }
  std::uint32_t word_offset() const { return field(word, 12, 10, 3) | bit(word, 6, 2) | bit(word, 5, 6); }
  std::uint32_t double_offset() const { return field(word, 12, 10, 3) | field(word, 6, 5, 6); }
  std::int64_t jump() const {
    return extend(bit(word, 12, 11) | bit(word, 11, 4) | field(word, 10, 9, 8) | bit(word, 8, 10) | bit(word, 7, 6) |
                      bit(word, 6, 7) | field(word, 5, 3, 1) | bit(word, 2, 5), 12);
  }
  std::int64_t branch() const {
    return extend(bit(word, 12, 8) | field(word, 11, 10, 3) | field(word, 6, 5, 6) | field(word, 4, 3, 1) |
                      bit(word, 2, 5), 9);
  }
};

Instruction make(Op op, std::uint8_t rd, std::uint8_t rs1, std::uint8_t rs2, std::int64_t immediate) {
  Instruction in;
  in.op = op;
  in.destination = rd == 0 ? kNowhere : rd;
  in.source1 = rs1;
  in.source2 = rs2;
  in.immediate = immediate;
  return in;
}

Instruction quadrant0(Word w) {
  using enum Op;
  const std::uint8_t base = w.small_high();
  const std::uint8_t data = w.small_low();
  const auto float_data = static_cast<std::uint8_t>(kFloatBase + data);
  switch (w.word >> 13) {
    case 0: {
      const std::uint32_t offset = field(w.word, 12, 11, 4) | field(w.word, 10, 7, 6) | bit(w.word, 6, 2) | bit(w.word, 5, 3);
      return offset == 0 ? Instruction{} : make(kAddi, data, 2, 0, offset);
    }
    case 1: return make(kFld, float_data, base, 0, w.double_offset());
    case 2: return make(kLw, data, base, 0, w.word_offset());
    case 3: return make(kLd, data, base, 0, w.double_offset());
    case 5: return make(kFsd, 0, base, float_data, w.double_offset());
    case 6: return make(kSw, 0, base, data, w.word_offset());
    case 7: return make(kSd, 0, base, data, w.double_offset());
    default: return {};
  }
}

Instruction arithmetic(Word w) {
  using enum Op;
  const std::uint8_t rd = w.small_high();
  switch (field(w.word, 11, 10, 0)) {
    case 0: return make(kSrli, rd, rd, 0, w.shift());
    case 1: return make(kSrai, rd, rd, 0, w.shift());
    case 2: return make(kAndi, rd, rd, 0, w.immediate6());
    default: break;
  }
  constexpr Op kOps[] = {kSub, kXor, kOr, kAnd, kSubw, kAddw, kIllegal, kIllegal};
  const Op op = kOps[bit(w.word, 12, 2) | field(w.word, 6, 5, 0)];
  return op == kIllegal ? Instruction{} : make(op, rd, rd, w.small_low(), 0);
}

Instruction quadrant1(Word w, std::int64_t at) {
  using enum Op;
  const std::uint8_t rd = w.rd();
  switch (w.word >> 13) {
    case 0: return make(kAddi, rd, rd, 0, w.immediate6());
    case 1: return rd == 0 ? Instruction{} : make(kAddiw, rd, rd, 0, w.immediate6());
    case 2: return make(kConstant, rd, 0, 0, w.immediate6());
    case 3: {
      if (rd == 2) {
        const std::int64_t offset = extend(bit(w.word, 12, 9) | bit(w.word, 6, 4) | bit(w.word, 5, 6) |
                                               field(w.word, 4, 3, 7) | bit(w.word, 2, 5), 10);
        return offset == 0 ? Instruction{} : make(kAddi, 2, 2, 0, offset);
      }
      const std::int64_t upper = w.immediate6() * 4096;
      return upper == 0 ? Instruction{} : make(kConstant, rd, 0, 0, upper);
    }
    case 4: return arithmetic(w);
    case 5: return make(kJal, 0, 0, 0, at + w.jump());
    case 6: return make(kBeq, 0, w.small_high(), 0, at + w.branch());
    default: return make(kBne, 0, w.small_high(), 0, at + w.branch());
  }
}

Instruction quadrant2(Word w) {
  using enum Op;
  const std::uint8_t rd = w.rd();
  const std::uint8_t rs2 = w.rs2();
  const std::uint32_t load_word = bit(w.word, 12, 5) | field(w.word, 6, 4, 2) | field(w.word, 3, 2, 6);
  const std::uint32_t load_double = bit(w.word, 12, 5) | field(w.word, 6, 5, 3) | field(w.word, 4, 2, 6);
  const std::uint32_t store_word = field(w.word, 12, 9, 2) | field(w.word, 8, 7, 6);
  const std::uint32_t store_double = field(w.word, 12, 10, 3) | field(w.word, 9, 7, 6);
  switch (w.word >> 13) {
    case 0: return make(kSlli, rd, rd, 0, w.shift());
    case 1: return make(kFld, static_cast<std::uint8_t>(kFloatBase + rd), 2, 0, load_double);
    case 2: return rd == 0 ? Instruction{} : make(kLw, rd, 2, 0, load_word);
    case 3: return rd == 0 ? Instruction{} : make(kLd, rd, 2, 0, load_double);
    case 4: {
      if (bit(w.word, 12, 0) == 0) {
        if (rs2 != 0) return make(kAdd, rd, 0, rs2, 0);
        return rd == 0 ? Instruction{} : make(kJalr, 0, rd, 0, 0);
      }
      if (rs2 != 0) return make(kAdd, rd, rd, rs2, 0);
      if (rd == 0) return make(kEbreak, 0, 0, 0, 0);
      Instruction call = make(kJalr, 1, rd, 0, 0);
      call.is_link = 1;
      return call;
    }
    case 5: return make(kFsd, 0, 2, static_cast<std::uint8_t>(kFloatBase + rs2), store_double);
    case 6: return make(kSw, 0, 2, rs2, store_word);
    default: return make(kSd, 0, 2, rs2, store_double);
  }
}

}  // namespace

Instruction decode_compressed(std::uint16_t word, std::uint64_t address) {
  const Word w{word};
  Instruction in;
  switch (word & 3u) {
    case 0: in = quadrant0(w); break;
    case 1: in = quadrant1(w, static_cast<std::int64_t>(address)); break;
    default: in = quadrant2(w); break;
  }
  in.length = 2;
  if (in.op == Op::kIllegal) in.immediate = word;
  return in;
}

}  // namespace autocomp::gemmini
