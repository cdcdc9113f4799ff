// The instruction loop. Memory, caches and the accelerator's side are in core_memory.cpp.
#include "core.hpp"

#include <bit>
#include <sstream>

#include "core_inline.hpp"

namespace autocomp::gemmini {

namespace {

// Where a call from outside returns to: no code lies there.
constexpr std::uint64_t kReturnAddress = 0x100;

using Wide = unsigned __int128;
using SignedWide = __int128;

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t word(std::uint64_t value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
}

// Division never traps: by zero gives all ones and the dividend, overflow gives the dividend and zero.
template <typename Signed>
std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool want_remainder) {
  const auto x = static_cast<Signed>(a);
  const auto y = static_cast<Signed>(b);
  Signed result;
  if (y == 0) {
    result = want_remainder ? x : static_cast<Signed>(-1);
  } else if (std::is_signed_v<Signed> && y == static_cast<Signed>(-1)) {
    // Negation in the unsigned type wraps, which is the result that the overflow case must have.
    using Unsigned = std::make_unsigned_t<Signed>;
    result = want_remainder ? 0 : static_cast<Signed>(Unsigned{0} - static_cast<Unsigned>(x));
  } else {
    result = static_cast<Signed>(want_remainder ? x % y : x / y);
  }
  using SameSized = std::make_signed_t<Signed>;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<SameSized>(result)));
}

}  // namespace

Core::Core(const CoreConfig& config, Memory& memory, L2& l2, Accelerator& accelerator, CoreCounters& counters,
           const Region& code, bool timing, bool may_read_clock)
    : config_(config), memory_(memory), l2_(l2), accelerator_(accelerator), counters_(counters), timing_(timing),
      may_read_clock_(may_read_clock),
      code_base_(code.base), code_(decode_all(code.bytes, code.base)),
      icache_(config.core_icache_sets, config.core_icache_ways),
      dcache_(config.core_dcache_sets, config.core_dcache_ways),
      predictor_(code_.size(), config.core_btb_entries, config.core_bht_entries),
      shared_regions_(memory.regions().size(), false) {
  l2_.probes(&dcache_);
}

std::uint64_t Core::call(std::uint64_t entry, const Limits& limits) {
  pc_ = entry;
  registers_[1] = kReturnAddress;
  predictor_.call(kReturnAddress);
  const std::uint64_t start = cycle_;
  try {
    if (timing_) {
      run<true>(limits);
      fence<true>();
      waited(cycle_, cycle_ + 1);  // ends the last stretch
    } else {
      run<false>(limits);
      fence<false>();
    }
  } catch (Fault& fault) {
    if (fault.pc == 0) fault.pc = pc_;
    throw;
  }
  return cycle_ - start;
}

void Core::illegal(const Instruction& in) const {
  std::ostringstream out;
  out << "illegal instruction 0x" << std::hex << in.immediate;
  throw Fault(FaultKind::kIllegalInstruction, out.str());
}

void Core::bad_jump(std::uint64_t target) const {
  std::ostringstream out;
  out << "jump to 0x" << std::hex << target << ", which is not code";
  throw Fault(FaultKind::kBadAddress, out.str());
}

void Core::mispredicted() {
  const auto lost = static_cast<std::uint64_t>(config_.core_mispredict_cycles);
  ++counters_.core_branch_mispredicts;
  counters_.core_branch_stall += lost;
  cycle_ += lost;
}

std::uint64_t Core::divide_latency(std::uint64_t dividend, std::uint64_t divisor, bool is_signed) const {
  // One quotient bit per cycle, the leading zeros skipped.
  const auto magnitude = [is_signed](std::uint64_t value) {
    return is_signed && as_signed(value) < 0 ? std::uint64_t{0} - value : value;
  };
  const int have = std::bit_width(magnitude(dividend));
  const int by = std::bit_width(magnitude(divisor));
  return 3 + static_cast<std::uint64_t>(by == 0 ? 64 : have >= by ? have - by + 1 : 1);
}

std::uint64_t Core::float_latency(const Instruction& in) const {
  switch (static_cast<FloatOp>(in.minor)) {
    case FloatOp::kDiv: case FloatOp::kSqrt:
      return static_cast<std::uint64_t>(in.wide ? config_.core_float_divide_double_cycles
                                                : config_.core_float_divide_single_cycles);
    case FloatOp::kAdd: case FloatOp::kSub: case FloatOp::kMul: case FloatOp::kMultiplyAdd:
    case FloatOp::kMultiplySub: case FloatOp::kNegateMultiplySub: case FloatOp::kNegateMultiplyAdd:
      return static_cast<std::uint64_t>(in.wide ? config_.core_float_double_cycles : config_.core_float_single_cycles);
    default: return static_cast<std::uint64_t>(config_.core_float_move_cycles);
  }
}

std::uint64_t Core::read_csr(std::uint64_t number) const {
  switch (number) {
    case 0x001: return float_unit_.read_csr() & 31u;
    case 0x002: return float_unit_.read_csr() >> 5;
    case 0x003: return float_unit_.read_csr();
    case 0xc00: case 0xb00: case 0xc01: case 0xc02: case 0xb02:
      if (!may_read_clock_) {
        throw Fault(FaultKind::kTrap, "reads a counter of cycles, time or instructions: what a kernel does may not "
                                      "depend on whether it is timed");
      }
      return number != 0xc02 && number != 0xb02 && timing_ ? cycle_ : counters_.instructions;
    default: break;
  }
  std::ostringstream out;
  out << "control and status register 0x" << std::hex << number << " does not exist in the simulated core";
  throw Fault(FaultKind::kIllegalInstruction, out.str());
}

void Core::write_csr(std::uint64_t number, std::uint64_t value) {
  const std::uint64_t old = float_unit_.read_csr();
  switch (number) {
    case 0x001: float_unit_.write_csr((old & ~std::uint64_t{31}) | (value & 31u)); return;
    case 0x002: float_unit_.write_csr((old & 31u) | (value & 7u) << 5); return;
    case 0x003: float_unit_.write_csr(value); return;
    default: throw Fault(FaultKind::kIllegalInstruction, "write to a read-only control and status register");
  }
}

template <bool kTiming>
void Core::control(const Instruction& in) {
  if (in.op == Op::kFence) {
    fence<kTiming>();
    return;
  }
  if (in.op == Op::kFenceI) return;  // code is read-only
  if (in.op == Op::kEcall || in.op == Op::kEbreak) {
    throw Fault(FaultKind::kTrap, in.op == Op::kEcall ? "ecall: there is no operating system to call"
                                                      : "ebreak: the program stopped itself (abort, assertion or "
                                                        "code the compiler holds to be unreachable)");
  }
  // Zicsr: the low two bits of funct3 are write, set, clear; bit 2 takes the register number as the operand.
  const auto number = static_cast<std::uint64_t>(in.immediate);
  const std::uint64_t old = read_csr(number);
  const std::uint64_t operand = (in.minor & 4) != 0 ? in.source1 : registers_[in.source1];
  const int kind = in.minor & 3;
  if (kind == 1) write_csr(number, operand);
  if (kind == 2 && in.source1 != 0) write_csr(number, old | operand);
  if (kind == 3 && in.source1 != 0) write_csr(number, old & ~operand);
  registers_[in.destination] = old;
}

template <bool kTiming>
void Core::run(const Limits& limits) {
  std::uint64_t* const r = registers_;
  const std::size_t slots = code_.size();
  std::uint64_t left = limits.instructions > counters_.instructions ? limits.instructions - counters_.instructions : 0;
  const std::uint64_t last_cycle = limits.cycles > ~cycle_ ? ~std::uint64_t{0} : cycle_ + limits.cycles;
  std::size_t slot = (pc_ - code_base_) / 2;
  if (pc_ < code_base_ || slot >= slots) bad_jump(pc_);

#define BRANCH(condition)                                                             \
  {                                                                                   \
    const bool taken = (condition);                                                   \
    if constexpr (kTiming) {                                                          \
      if (!predictor_.branch(slot, taken)) mispredicted();                            \
    }                                                                                 \
    if (taken) next = static_cast<std::uint64_t>(in.immediate);                       \
    break;                                                                            \
  }
#define RESULT(value)                                                                 \
  {                                                                                   \
    r[in.destination] = (value);                                                      \
    break;                                                                            \
  }

  for (;;) {
    const Instruction& in = code_[slot];
    if (left == 0) {
      throw Fault(FaultKind::kLimit, "limit of " + std::to_string(limits.instructions) +
                                         " instructions reached: most likely an endless loop");
    }
    --left;
    ++counters_.instructions;
    if constexpr (kTiming) {
      if (pc_ >> FirstLevelCache::kLineBits != fetched_line_) fetch(pc_);
      const std::uint64_t sources = std::max(ready_[in.source1], ready_[in.source2]);
      if (sources > cycle_) cycle_ = sources;
      ready_[in.destination] = cycle_ + 1;
      ++cycle_;
    }
    std::uint64_t next = pc_ + in.length;
    const std::uint64_t a = r[in.source1];
    const std::uint64_t b = r[in.source2];
    const auto immediate = static_cast<std::uint64_t>(in.immediate);
    switch (in.op) {
      case Op::kIllegal: illegal(in);
      case Op::kConstant: RESULT(immediate)
      case Op::kJal:
        r[in.destination] = next;
        if constexpr (kTiming) {
          if (in.is_link) predictor_.call(next);
          if (!predictor_.jump(slot)) {
            cycle_ += static_cast<std::uint64_t>(config_.core_redirect_cycles);
            counters_.core_branch_stall += static_cast<std::uint64_t>(config_.core_redirect_cycles);
          }
        }
        next = immediate;
        break;
      case Op::kJalr: {
        const std::uint64_t target = (a + immediate) & ~std::uint64_t{1};
        r[in.destination] = next;
        if constexpr (kTiming) {
          if (in.is_link) {
            predictor_.call(next);
            if (!predictor_.jump(slot)) mispredicted();
          } else if (!predictor_.indirect(slot, target)) {
            mispredicted();
          }
        }
        if (target == kReturnAddress) return;
        next = target;
        break;
      }
      case Op::kBeq: BRANCH(a == b)
      case Op::kBne: BRANCH(a != b)
      case Op::kBlt: BRANCH(as_signed(a) < as_signed(b))
      case Op::kBge: BRANCH(as_signed(a) >= as_signed(b))
      case Op::kBltu: BRANCH(a < b)
      case Op::kBgeu: BRANCH(a >= b)
      case Op::kLb: load<kTiming, std::int8_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles)); break;
      case Op::kLh: load<kTiming, std::int16_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles)); break;
      case Op::kLw: load<kTiming, std::int32_t>(in, static_cast<std::uint64_t>(config_.core_load_use_cycles)); break;
      case Op::kLd: load<kTiming, std::uint64_t>(in, static_cast<std::uint64_t>(config_.core_load_use_cycles)); break;
      case Op::kLbu: load<kTiming, std::uint8_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles)); break;
      case Op::kLhu: load<kTiming, std::uint16_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles)); break;
      case Op::kLwu: load<kTiming, std::uint32_t>(in, static_cast<std::uint64_t>(config_.core_load_use_cycles)); break;
      case Op::kFld: load<kTiming, std::uint64_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles)); break;
      case Op::kFlw:
        load<kTiming, std::uint32_t>(in, static_cast<std::uint64_t>(config_.core_load_use_narrow_cycles));
        r[in.destination] |= 0xffffffff00000000ull;
        break;
      case Op::kSb: store<kTiming, std::uint8_t>(in); break;
      case Op::kSh: store<kTiming, std::uint16_t>(in); break;
      case Op::kSw: case Op::kFsw: store<kTiming, std::uint32_t>(in); break;
      case Op::kSd: case Op::kFsd: store<kTiming, std::uint64_t>(in); break;
      case Op::kAddi: RESULT(a + immediate)
      case Op::kSlti: RESULT(as_signed(a) < in.immediate)
      case Op::kSltiu: RESULT(a < immediate)
      case Op::kXori: RESULT(a ^ immediate)
      case Op::kOri: RESULT(a | immediate)
      case Op::kAndi: RESULT(a & immediate)
      case Op::kSlli: RESULT(a << immediate)
      case Op::kSrli: RESULT(a >> immediate)
      case Op::kSrai: RESULT(static_cast<std::uint64_t>(as_signed(a) >> immediate))
      case Op::kAdd: RESULT(a + b)
      case Op::kSub: RESULT(a - b)
      case Op::kSll: RESULT(a << (b & 63))
      case Op::kSlt: RESULT(as_signed(a) < as_signed(b))
      case Op::kSltu: RESULT(a < b)
      case Op::kXor: RESULT(a ^ b)
      case Op::kSrl: RESULT(a >> (b & 63))
      case Op::kSra: RESULT(static_cast<std::uint64_t>(as_signed(a) >> (b & 63)))
      case Op::kOr: RESULT(a | b)
      case Op::kAnd: RESULT(a & b)
      case Op::kAddiw: RESULT(word(a + immediate))
      case Op::kSlliw: RESULT(word(a << immediate))
      case Op::kSrliw: RESULT(word(static_cast<std::uint32_t>(a) >> immediate))
      case Op::kSraiw: RESULT(static_cast<std::uint64_t>(as_signed(word(a)) >> immediate))
      case Op::kAddw: RESULT(word(a + b))
      case Op::kSubw: RESULT(word(a - b))
      case Op::kSllw: RESULT(word(a << (b & 31)))
      case Op::kSrlw: RESULT(word(static_cast<std::uint32_t>(a) >> (b & 31)))
      case Op::kSraw: RESULT(static_cast<std::uint64_t>(as_signed(word(a)) >> (b & 31)))
      case Op::kMul: case Op::kMulh: case Op::kMulhsu: case Op::kMulhu: case Op::kMulw: {
        std::uint64_t value;
        if (in.op == Op::kMul) {
          value = a * b;
        } else if (in.op == Op::kMulw) {
          value = word(a * b);
        } else if (in.op == Op::kMulhu) {
          value = static_cast<std::uint64_t>(Wide{a} * b >> 64);
        } else if (in.op == Op::kMulh) {
          value = static_cast<std::uint64_t>(SignedWide{as_signed(a)} * as_signed(b) >> 64);
        } else {
          value = static_cast<std::uint64_t>(SignedWide{as_signed(a)} * static_cast<SignedWide>(b) >> 64);
        }
        r[in.destination] = value;
        if constexpr (kTiming) {
          // Eight bits of the multiplier per cycle; the low product ends early when no bits are left.
          const bool is_low = in.op == Op::kMul || in.op == Op::kMulw;
          const auto steps = is_low ? static_cast<std::uint64_t>(std::bit_width(b) + 7) / 8 : 8;
          occupy_muldiv(in.destination, 2 + std::max<std::uint64_t>(steps, 1));
        }
        break;
      }
      case Op::kDiv: case Op::kRem: case Op::kDivu: case Op::kRemu:
      case Op::kDivw: case Op::kRemw: case Op::kDivuw: case Op::kRemuw: {
        const bool remainder = in.op == Op::kRem || in.op == Op::kRemu || in.op == Op::kRemw || in.op == Op::kRemuw;
        const bool is_word = in.op >= Op::kDivw;
        const bool is_signed = in.op == Op::kDiv || in.op == Op::kRem || in.op == Op::kDivw || in.op == Op::kRemw;
        r[in.destination] = is_word ? (is_signed ? divide<std::int32_t>(a, b, remainder)
                                                 : divide<std::uint32_t>(a, b, remainder))
                                    : (is_signed ? divide<std::int64_t>(a, b, remainder)
                                                 : divide<std::uint64_t>(a, b, remainder));
        if constexpr (kTiming) {
          const std::uint64_t x = !is_word ? a : is_signed ? word(a) : static_cast<std::uint32_t>(a);
          const std::uint64_t y = !is_word ? b : is_signed ? word(b) : static_cast<std::uint32_t>(b);
          occupy_muldiv(in.destination, divide_latency(x, y, is_signed));
        }
        break;
      }
      case Op::kFence: case Op::kFenceI: case Op::kEcall: case Op::kEbreak: case Op::kCsr:
        control<kTiming>(in);
        break;
      case Op::kCustom3: send<kTiming>(in); break;
      case Op::kLoadReserved: case Op::kStoreConditional: case Op::kAtomic:
        if (in.wide) {
          atomic<kTiming, std::int64_t>(in);
        } else {
          atomic<kTiming, std::int32_t>(in);
        }
        break;
      case Op::kFloat:
        if constexpr (kTiming) {
          cycle_ = std::max(cycle_, ready_[in.source3] + 1);
          ready_[in.destination] = cycle_ - 1 + float_latency(in);
        }
        if (!float_unit_.execute(in, r)) {
          throw Fault(FaultKind::kIllegalInstruction, "floating-point instruction with a reserved rounding mode");
        }
        break;
    }
#undef BRANCH
#undef RESULT
    if (next == pc_ + in.length) {
      pc_ = next;
      slot += in.length / 2;
      continue;
    }
    if (next < code_base_ || (next - code_base_) / 2 >= slots) bad_jump(next);
    if constexpr (kTiming) {
      if (cycle_ > last_cycle) {
        throw Fault(FaultKind::kLimit, "limit of " + std::to_string(limits.cycles) + " cycles reached: most likely an endless loop");
      }
    }
    pc_ = next;
    slot = (next - code_base_) / 2;
  }
}

}  // namespace autocomp::gemmini
