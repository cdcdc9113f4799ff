// Kernels as small programs: loops, conditions and commands whose arguments are expressions over loop variables. Each
// expression is evaluated once per turn of the innermost loop that it depends on, and only in the branch that uses it.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

enum Kind : std::int8_t { kPreload = 1, kCompute = 2, kComputeAgain = 3, kLoad = 4, kStore = 7, kHardwareLoop = 8 };

enum Outcome : int {
  kFine = 0,
  kOrder = 1,
  kOperand = 2,
  kWeights = 3,
  kTransfer = 4,
  kRange = 5,
  kUnwritten = 6,
  kTooLarge = 7,
  kGoal = 8,
  kTooMany = 9,
  kBothWays = 10,
  kLoop = 11,
  kMixed = 12,
  kLoopBias = 13,
};

enum Operator : std::uint8_t {
  kMultiplyAdd,  // a * factor + b
  kMultiply, kDivide, kRemainder, kOr, kAnd, kXor, kShiftLeft, kShiftRight, kEqual, kNotEqual, kLess, kLessEqual,
  kGreater, kGreaterEqual, kBoth, kEither, kNot, kComplement, kChoose,
};

// C's spelling of the operators that expressions are made of, in the order of their numbers.
inline std::vector<std::string> operators() {
  return {"",  "*", "/", "%", "|", "&", "^", "<<", ">>", "==", "!=", "<", "<=",
          ">", ">=", "&&", "||", "!", "~", "?:"};
}

struct Step {
  Operator what;
  std::uint32_t to, a, b, c;
  std::int64_t factor;

  std::int64_t evaluate(const std::int64_t* values) const {
    const std::int64_t x = values[a], y = values[b];
    const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    switch (what) {
      case kMultiplyAdd: return wrap(static_cast<std::uint64_t>(x) * factor + y);
      case kMultiply: return wrap(static_cast<std::uint64_t>(x) * y);
      case kDivide: return divide(x, y);
      case kRemainder: return wrap(x - static_cast<std::uint64_t>(divide(x, y)) * (y ? y : 1));
      case kOr: return x | y;
      case kAnd: return x & y;
      case kXor: return x ^ y;
      case kShiftLeft: return y < 0 || y > 63 ? 0 : wrap(static_cast<std::uint64_t>(x) << y);
      case kShiftRight: return x >> (y < 0 || y > 63 ? 63 : y);
      case kEqual: return x == y;
      case kNotEqual: return x != y;
      case kLess: return x < y;
      case kLessEqual: return x <= y;
      case kGreater: return x > y;
      case kGreaterEqual: return x >= y;
      case kBoth: return x && y;
      case kEither: return x || y;
      case kNot: return !x;
      case kComplement: return ~x & 0xFFFFFFFF;
      case kChoose: return x ? y : values[c];
    }
    return 0;
  }

 private:
  // Both sides of a choice are evaluated, so a division by zero may be reached and must give something.
  static std::int64_t divide(std::int64_t x, std::int64_t y) {
    if (y == 0) return x;
    if (y == -1) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(x));
    if (((x | y) >> 32) == 0) return static_cast<std::uint32_t>(x) / static_cast<std::uint32_t>(y);
    return x / y;
  }
};

// Expressions of many kernels, each known by a number: the children of a kernel share most of theirs.
class Expressions {
 public:
  struct Node {
    enum { kConstant, kVariable, kSum, kOperation } kind;
    Operator what = kMultiplyAdd;
    std::int64_t value = 0;
    std::vector<std::uint32_t> parts;
    std::vector<std::int64_t> factors;
  };

  std::size_t size() const { return nodes.size(); }
  std::uint32_t constant(std::int64_t value) { return add({Node::kConstant, kMultiplyAdd, value, {}, {}}); }
  std::uint32_t variable() { return add({Node::kVariable, kMultiplyAdd, 0, {}, {}}); }
  std::uint32_t sum(std::int64_t value, std::vector<std::uint32_t> parts, std::vector<std::int64_t> factors);
  std::uint32_t operation(std::uint8_t number, std::vector<std::uint32_t> parts);

  std::vector<Node> nodes;

 private:
  std::uint32_t add(Node node);
};

// What one config command sets: number of a load state, its stride, block stride and salt.
using Setting = std::array<std::int64_t, 4>;

struct Item {
  enum Kind { kCommand, kLoop, kIf, kSetting } kind;
  std::uint32_t number;     // of the command, the block or the setting
  std::uint32_t other = 0;  // the block of the other branch; 0 if there is none
  std::uint32_t slot = 0;   // loop variable or condition
  std::int64_t count = 0;
};

// What is evaluated on entry, then what is done.
struct Block {
  std::vector<Step> steps;
  std::vector<Item> items;
};

struct Instruction {
  std::int8_t kind = 0;
  std::int8_t arguments = 0;
  std::int8_t memory = 0;  // bit n: argument n is an address of an array, not of a local memory
  std::int32_t statement = 0;
  std::array<std::uint32_t, 6> slots{};
};

using Sizes = std::array<std::int64_t, 4>;

// The slots of all arguments of a hardware loop, in the order of gemmini_loop_ws.
using LoopSlots = std::array<std::uint32_t, 23>;

struct Program {
  int outcome = kFine;
  std::vector<std::int64_t> values;
  std::vector<Block> blocks;
  std::vector<Instruction> commands;
  std::vector<Setting> settings;
  std::vector<LoopSlots> loops;  // slots[0] of their instructions is the index here
  std::int64_t limit = 0;        // most commands that hardware loops may stand for
};

// Reads the token stream of one kernel:
//   1 variable count ... 0          a loop
//   2 condition ... [3 ...] 0       a condition, with an else branch behind 3
//   4 kind memory n arguments...    a command; bit n of memory: the n-th address is one of an array
//   5 state stride block salt       a configuration of loads
class Compiler {
 public:
  Compiler(const Expressions& expressions, const std::vector<std::int64_t>& tokens, std::int64_t limit)
      : nodes_(expressions.nodes), tokens_(tokens), limit_(limit), places_(expressions.nodes.size()) {}

  Program program();

 private:
  struct Place {
    std::int32_t level = -1;  // number of loops around what it depends on; -1: not known yet
    std::int32_t block = -1;  // where its slot is computed
    std::uint32_t slot = 0;
  };
  struct Open {
    std::uint32_t block;
    std::int32_t level;
  };

  std::int64_t next();
  std::int64_t body(std::uint32_t block, std::int32_t level);
  void command(std::uint32_t block);
  std::uint32_t node(std::int64_t number) const;
  std::int32_t level(std::uint32_t number);
  std::uint32_t slot(std::uint32_t number);
  std::uint32_t summed(const Expressions::Node& node);
  std::uint32_t fresh(std::int64_t value);
  std::uint32_t begin();
  const Open& home(std::int32_t level) const;

  const std::vector<Expressions::Node>& nodes_;
  const std::vector<std::int64_t>& tokens_;
  std::int64_t limit_;
  std::size_t position_ = 0;
  std::vector<Place> places_;
  std::vector<Open> open_;
  std::vector<bool> active_;
  Program program_;
};
