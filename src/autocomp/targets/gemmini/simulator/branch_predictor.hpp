// Branch target buffer, one-bit history table and return stack of the in-order core; only the penalties matter here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace autocomp::gemmini {

class BranchPredictor {
 public:
  // Code is known by instruction slot (two bytes each), so that the target buffer needs no search.
  BranchPredictor(std::size_t code_slots, std::int64_t target_entries, std::int64_t history_entries)
      : entry_of_(code_slots, kNone), owner_(static_cast<std::size_t>(target_entries), kNoOwner),
        history_(static_cast<std::size_t>(history_entries), 0) {}

  // Each returns true if the prediction was right.
  bool branch(std::size_t slot, bool taken) {
    std::uint8_t& counter = history_[(slot ^ (recent_ << 6)) % history_.size()];
    const bool predicted = entry_of_[slot] != kNone && counter != 0;
    counter = taken ? 1 : 0;
    recent_ = ((recent_ << 1) | (taken ? 1u : 0u)) & 7u;
    if (taken) remember(slot);
    return predicted == taken;
  }

  bool jump(std::size_t slot) {
    const bool known = entry_of_[slot] != kNone;
    remember(slot);
    return known;
  }

  void call(std::uint64_t return_address) { returns_[depth_++ % returns_.size()] = return_address; }

  bool indirect(std::size_t slot, std::uint64_t target) {
    const bool known = jump(slot);
    if (depth_ == 0) return false;
    return returns_[--depth_ % returns_.size()] == target && known;
  }

 private:
  static constexpr std::uint8_t kNone = 255;
  static constexpr std::size_t kNoOwner = ~std::size_t{0};

  void remember(std::size_t slot) {
    if (entry_of_[slot] != kNone) return;
    if (owner_[next_] != kNoOwner) entry_of_[owner_[next_]] = kNone;
    owner_[next_] = slot;
    entry_of_[slot] = static_cast<std::uint8_t>(next_);
    next_ = (next_ + 1) % owner_.size();
  }

  std::vector<std::uint8_t> entry_of_;
  std::vector<std::size_t> owner_;
  std::vector<std::uint8_t> history_;
  std::array<std::uint64_t, 6> returns_{};
  std::uint64_t depth_ = 0;
  std::size_t next_ = 0;
  std::size_t recent_ = 0;
};

}  // namespace autocomp::gemmini
