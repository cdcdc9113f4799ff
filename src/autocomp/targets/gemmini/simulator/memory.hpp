// Guest physical memory: a few disjoint regions, every access checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "fault.hpp"

namespace autocomp::gemmini {

struct Region {
  std::string name;            // "A", "stack", "code": appears in messages
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  bool writable = false;
  std::vector<std::uint8_t> bytes;
  std::uint64_t loaded_bytes = 0;  // by mvin
  std::uint64_t stored_bytes = 0;  // by mvout
};

class Memory {
 public:
  // Regions must not overlap. Guard space between them is whatever the caller leaves.
  Region& add(std::string name, std::uint64_t base, std::uint64_t size, bool writable);
  Region* find(std::uint64_t address);
  const std::vector<Region>& regions() const { return regions_; }

  // Pointer to `size` readable (writable) bytes at `address`; throws Fault(kBadAddress) that names the address,
  // the nearest region and the distance from it.
  const std::uint8_t* read(std::uint64_t address, std::uint64_t size);
  std::uint8_t* write(std::uint64_t address, std::uint64_t size);

 private:
  Region& locate(std::uint64_t address, std::uint64_t size, bool for_write);
  std::vector<Region> regions_;  // sorted by base
  std::size_t last_ = 0;         // most accesses hit the region of the one before
};

}  // namespace autocomp::gemmini
