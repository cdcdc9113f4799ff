// Where cycles were lost: which command (by its address in the program) a unit was at, or waited for, while it stood
// still. Only counters of waiting are kept; work is in the timeline.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace autocomp::gemmini {

struct Loss {
  const std::uint64_t* counter;  // the field of Counters that the cycles were added to
  std::uint64_t pc;
  std::uint64_t cycles;
};

class Losses {
 public:
  // `unit` only chooses a place to remember the last entry in: units mostly wait long at one command.
  void add(int unit, const std::uint64_t* counter, std::uint64_t pc, std::uint64_t cycles) {
    Last& last = last_[unit];
    if (last.counter != counter || last.pc != pc || last.cycles == nullptr) {
      last = {counter, pc, &cycles_[{counter, pc}]};
    }
    *last.cycles += cycles;
  }
  void clear() {
    cycles_.clear();
    last_ = {};
  }
  std::vector<Loss> list() const {
    std::vector<Loss> out;
    for (const auto& [key, cycles] : cycles_) out.push_back({key.counter, key.pc, cycles});
    return out;
  }

 private:
  struct Key {
    const std::uint64_t* counter;
    std::uint64_t pc;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<const void*>()(key.counter) * 31 + std::hash<std::uint64_t>()(key.pc);
    }
  };
  struct Last {
    const std::uint64_t* counter = nullptr;
    std::uint64_t pc = 0;
    std::uint64_t* cycles = nullptr;
  };
  std::unordered_map<Key, std::uint64_t, Hash> cycles_;
  std::array<Last, 4> last_{};
};

}  // namespace autocomp::gemmini
