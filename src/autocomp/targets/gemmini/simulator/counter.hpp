// One counter as it reaches the user.
#pragma once

#include <cstdint>

namespace autocomp::gemmini {

struct Counter {
  const char* name;
  const char* meaning;
  std::uint64_t value;
};

}  // namespace autocomp::gemmini
