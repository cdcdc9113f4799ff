// One run of one program on the simulated chip, from its arguments to outputs, cycles and counters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config.hpp"
#include "core.hpp"
#include "core_config.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

enum class Role { kInput, kOutput, kInOut };

struct Argument {
  std::string name;
  bool is_array = true;
  Role role = Role::kInput;
  std::vector<std::uint8_t> bytes;  // arrays: contents before the run
  std::uint64_t value = 0;          // scalars: the register's bits
  bool is_float = false;            // scalars: passed in a floating-point register
};

struct Request {
  std::vector<std::uint8_t> program;  // ELF
  std::string entry;
  std::vector<Argument> arguments;
  bool timing = true;
  bool timeline = false;
  Limits limits;
  bool may_read_clock = false;  // benchmark programs may; a kernel could behave differently when it is timed
};

struct Failure {
  FaultKind kind;
  std::string message;
  std::uint64_t pc;
};

struct Result {
  std::optional<Failure> failure;
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> outputs;
  std::uint64_t latency_cycles = 0;
  std::vector<Counter> counters;
  struct Lost {
    std::string counter;
    std::uint64_t pc;
    std::uint64_t cycles;
  };
  std::vector<Lost> losses;    // cycles of waiting by the command that was waited for
  std::vector<Span> timeline;  // relative to the call
};

// What a program does wrong is a Failure in the result. Throws std::invalid_argument for a malformed request.
Result simulate(const Config& config, const CoreConfig& core_config, Request request);

}  // namespace autocomp::gemmini
