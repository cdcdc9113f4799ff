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

  // True if the line of `address` is there, for a store with permission to write; a store makes it dirty.
  bool access(std::uint64_t address, bool is_store) {
    Entry* entry = find(address >> kLineBits);
    if (entry == nullptr || (is_store && !entry->writable)) return false;
    entry->dirty |= is_store;
    return true;
  }

  // What the core may still do with a line after a probe.
  enum class Keep { kEverything, kReading, kNothing };
  struct Copy {
    bool there = false;
    bool dirty = false;
  };

  // The L2 asks for the line, for somebody else. Returns what was there; if it was dirty, the L2 has it now.
  Copy probe(std::uint64_t address, Keep keep) {
    Entry* entry = find(address >> kLineBits);
    if (entry == nullptr) return {};
    const Copy copy{true, entry->dirty};
    if (keep == Keep::kReading) entry->writable = entry->dirty = false;
    if (keep == Keep::kNothing) *entry = Entry{};
    return copy;
  }

  struct Victim {
    bool dirty = false;
    std::uint64_t address = 0;
  };

  // Brings the line in and returns what it displaces; nothing if only the permission to write was missing. The way is drawn by a shift register, as in the hardware, which
  // does not look for an empty way either; any fixed sequence is as good.
  Victim fill(std::uint64_t address, bool is_store) {
    const std::uint64_t line = address >> kLineBits;
    if (Entry* entry = find(line)) {
      entry->writable = true;
      entry->dirty |= is_store;
      return {};
    }
    Entry* set = &entries_[line % sets_ * ways_];
    random_ = (random_ >> 1) ^ ((random_ & 1u) != 0 ? 0xb400u : 0u);
    const std::uint64_t way = random_ % ways_;
    const Victim victim{set[way].dirty, set[way].line << kLineBits};
    set[way] = Entry{line, is_store, true};
    return victim;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t line = kNone;
    bool dirty = false;
    bool writable = false;
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
