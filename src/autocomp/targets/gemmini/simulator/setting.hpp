// A parameter that the user may set by name.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace autocomp::gemmini {

struct Setting {
  const char* name;
  std::int64_t standard;
  std::int64_t least;
  std::int64_t most;
  const char* meaning;

  // Throws std::invalid_argument that names setting, value and range.
  void check(std::int64_t value) const {
    if (value >= least && value <= most) return;
    throw std::invalid_argument(std::string(name) + " = " + std::to_string(value) + ": must lie in " +
                                std::to_string(least) + " to " + std::to_string(most));
  }
};

}  // namespace autocomp::gemmini
