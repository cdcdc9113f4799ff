// Which loads are surely over when a store begins. The reservation station orders commands by their local rows: a store
// waits for the load that filled its rows, or for the computes that wrote them, and these for the loads of their operands.
// Loads read memory in order and the array takes commands in order, so each of these waits covers all loads before some
// load, and one number says which.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "operation.hpp"

namespace autocomp::gemmini {

class LoadOrder {
 public:
  LoadOrder(std::int64_t scratchpad_rows, std::int64_t accumulator_rows)
      : over_{std::vector<std::uint64_t>(scratchpad_rows), std::vector<std::uint64_t>(accumulator_rows)} {}

  // The load that makes `loads` of them, into these rows.
  void load(const RowRange& rows, std::uint64_t loads) { raise(rows, loads); }
  // A preload or compute reads these rows.
  void read(const RowRange& rows) { array_ = std::max(array_, over(rows)); }
  // The compute that writes C.
  void compute(const RowRange& c) {
    read(c);
    raise(c, array_);
  }
  // A store reads these rows. Returns the number of loads that are over; a store waits for those before it too.
  std::uint64_t store(const RowRange& rows) { return stored_ = std::max(stored_, over(rows)); }

 private:
  std::uint64_t over(const RowRange& rows) const {
    std::uint64_t most = 0;
    visit(over_[rows.accumulator], rows, [&](const std::uint64_t& row) { most = std::max(most, row); });
    return most;
  }
  void raise(const RowRange& rows, std::uint64_t loads) {
    visit(over_[rows.accumulator], rows, [&](std::uint64_t& row) { row = std::max(row, loads); });
  }
  template <typename Rows, typename Visitor>
  static void visit(Rows& all, const RowRange& rows, Visitor visitor) {
    if (!rows.valid) return;
    const auto end = std::min<std::int64_t>(rows.end, static_cast<std::int64_t>(all.size()));
    for (std::int64_t row = rows.start; row < end; ++row) visitor(all[row]);
  }

  std::vector<std::uint64_t> over_[2];  // by row: loads that are over once all commands on it are complete
  std::uint64_t array_ = 0;             // loads that are over when the array takes its next command
  std::uint64_t stored_ = 0;            // and when the next store begins
};

}  // namespace autocomp::gemmini
