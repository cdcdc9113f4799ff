#include "row_writer.hpp"

#include <algorithm>

namespace autocomp::gemmini {

RowWriter::RowWriter(const Config& config, Clock& clock, LocalPorts& ports, bool wide)
    : config_(config), clock_(clock), ports_(ports), wide_(wide), intake_(2), pipe_(config.scale_entries) {}

bool RowWriter::write(const ArrivingRow& row, std::int64_t local_row) {
  const int bank = row.accumulator ? ports_.accumulator_bank(local_row) : ports_.scratchpad_bank(local_row);
  if (ports_.written(row.accumulator, bank)) return false;  // a result of the array goes first
  ports_.write(row.accumulator, bank, row.accumulate);
  return true;
}

bool RowWriter::step(ArrivingRow* done) {
  if (empty()) return false;
  const std::uint64_t now = clock_.now();
  bool finished = false;
  clock_.changed();

  if (repeater_valid_) {
    // Copies that would leave the half of the scratchpad that they begin in are dropped, which takes their cycle.
    const std::int64_t half = config_.scratchpad_rows() / 2;
    const std::int64_t row = repeater_.row - repeater_.pixel_repeats + 1;
    const bool dropped = !repeater_.accumulator && row < (repeater_.row < half ? 0 : half);
    if ((dropped || write(repeater_, row)) && --repeater_.pixel_repeats == 0) {
      repeater_valid_ = false;
      finished = repeater_.last;
      *done = repeater_;
    }
  }
  if (!pipe_.empty() && pipe_.front().ready <= now) {
    if (wide_) {
      const ArrivingRow& row = pipe_.front().row;
      if (write(row, row.row)) {
        finished = row.last;
        *done = row;
        pipe_.pop();
      }
    } else if (!repeater_valid_) {
      repeater_ = pipe_.front().row;
      repeater_valid_ = true;
      pipe_.pop();
    }
  }
  if (current_valid_ && current_.ready <= now && !pipe_.full()) {
    ArrivingRow row = current_.row;
    row.row += row.repeats;
    row.last = row.last && row.repeats == 0;
    std::uint64_t ready = now + 1;
    if (row.scaled) {
      const std::uint64_t start = std::max(now + 1, multipliers_free_);
      multipliers_free_ = start + config_.scale_cycles_per_row;
      ready = multipliers_free_ + config_.scale_latency_cycles;
    }
    pipe_.push({row, wide_ && !row.scaled ? now : ready});
    if (current_.row.repeats-- == 0) current_valid_ = false;
  }
  if (!current_valid_ && !intake_.empty() && intake_.front().ready <= now) {
    current_ = {intake_.front().row, now + 1};
    current_valid_ = true;
    intake_.pop();
  }
  return finished;
}

}  // namespace autocomp::gemmini
