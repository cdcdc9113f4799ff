#include "memory.hpp"

#include <algorithm>
#include <sstream>

namespace autocomp::gemmini {

namespace {

std::string hex(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

bool contains(const Region& region, std::uint64_t address, std::uint64_t size) {
  return address >= region.base && size <= region.size && address - region.base <= region.size - size;
}

}  // namespace

Region& Memory::add(std::string name, std::uint64_t base, std::uint64_t size, bool writable) {
  Region region{std::move(name), base, size, writable, std::vector<std::uint8_t>(size)};
  auto place = std::upper_bound(regions_.begin(), regions_.end(), base,
                                [](std::uint64_t value, const Region& other) { return value < other.base; });
  last_ = 0;
  return *regions_.insert(place, std::move(region));
}

Region* Memory::find(std::uint64_t address) {
  for (Region& region : regions_) {
    if (contains(region, address, 1)) return &region;
  }
  return nullptr;
}

Region& Memory::locate(std::uint64_t address, std::uint64_t size, bool for_write) {
  if (last_ < regions_.size() && contains(regions_[last_], address, size)) {
    Region& region = regions_[last_];
    if (!for_write || region.writable) return region;
  }
  const Region* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    if (contains(region, address, size)) {
      if (for_write && !region.writable) {
        throw Fault(FaultKind::kBadAddress, "write to read-only " + region.name + " at byte offset " +
                                                std::to_string(address - region.base));
      }
      last_ = i;
      return region;
    }
    const std::uint64_t gap = address < region.base ? region.base - address : address - region.base;
    if (gap < distance) {
      distance = gap;
      nearest = &region;
    }
  }
  std::string message = std::string(for_write ? "write" : "read") + " of " + std::to_string(size) +
                        " bytes at " + hex(address) + " is outside every array";
  if (nearest != nullptr) {
    const auto offset = static_cast<std::int64_t>(address - nearest->base);
    message += "; nearest is " + nearest->name + " (" + std::to_string(nearest->size) +
               " bytes), at byte offset " + std::to_string(offset);
  }
  throw Fault(FaultKind::kBadAddress, message);
}

const std::uint8_t* Memory::read(std::uint64_t address, std::uint64_t size) {
  Region& region = locate(address, size, false);
  return region.bytes.data() + (address - region.base);
}

std::uint8_t* Memory::write(std::uint64_t address, std::uint64_t size) {
  Region& region = locate(address, size, true);
  return region.bytes.data() + (address - region.base);
}

}  // namespace autocomp::gemmini
