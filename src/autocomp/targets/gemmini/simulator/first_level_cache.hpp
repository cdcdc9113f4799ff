// Tags of a first-level cache; the data is in Memory, the timing is the core's business.
#pragma once

#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

class FirstLevelCache {
 public:
  static constexpr int kLineBits = 6;

  FirstLevelCache(std::int64_t sets, std::int64_t ways)
      : sets_(static_cast<std::uint64_t>(sets)), ways_(static_cast<std::uint64_t>(ways)), entries_(sets_ * ways_) {}

  // True if the line of `address` is there; a store makes it dirty.
  bool access(std::uint64_t address, bool is_store) {
    Entry* entry = find(address >> kLineBits);
    if (entry == nullptr) return false;
    entry->dirty |= is_store;
    return true;
  }

  struct Victim {
    bool dirty = false;
    std::uint64_t address = 0;
  };

  // Brings the line in and returns what it displaces. The way is drawn by a shift register, as in the hardware, which
  // does not look for an empty way either; any fixed sequence is as good.
  Victim fill(std::uint64_t address, bool is_store) {
    const std::uint64_t line = address >> kLineBits;
    Entry* set = &entries_[line % sets_ * ways_];
    random_ = (random_ >> 1) ^ ((random_ & 1u) != 0 ? 0xb400u : 0u);
    const std::uint64_t way = random_ % ways_;
    const Victim victim{set[way].dirty, set[way].line << kLineBits};
    set[way] = Entry{line, is_store};
    return victim;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t line = kNone;
    bool dirty = false;
  };

  Entry* find(std::uint64_t line) {
    Entry* set = &entries_[line % sets_ * ways_];
    for (std::uint64_t i = 0; i < ways_; ++i) {
      if (set[i].line == line) return &set[i];
    }
    return nullptr;
  }

  std::uint64_t sets_;
  std::uint64_t ways_;
  std::vector<Entry> entries_;
  std::uint32_t random_ = 0xace1;
};

}  // namespace autocomp::gemmini
