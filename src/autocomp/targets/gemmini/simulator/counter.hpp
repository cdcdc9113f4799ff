// One counter as it reaches the user.
#pragma once

#include <cstdint>
#include <string>

namespace autocomp::gemmini {

struct Counter {
  std::string name;
  const char* meaning;
  std::uint64_t value;
};

}  // namespace autocomp::gemmini
