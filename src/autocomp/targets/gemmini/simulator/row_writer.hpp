// The last stretch of an mvin: rows from the DMA pass the multipliers and enter the local memory, one a cycle.
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "config.hpp"
#include "local_ports.hpp"
#include "ring.hpp"

namespace autocomp::gemmini {

struct ArrivingRow {
  std::int64_t row = 0;
  bool accumulator = false;
  bool accumulate = false;
  bool wide = false;            // sums
  bool scaled = false;
  bool last = false;            // the request it came with is complete with it
  std::int64_t repeats = 0;     // further local rows that get the same data
  std::int64_t pixel_repeats = 1;
  int tracker = 0;
  std::int64_t bytes = 0;       // of the whole request, counted when it is complete
};

// One of these for rows of elements (with multipliers and pixel repeater), one for rows of sums.
class RowWriter {
 public:
  RowWriter(const Config& config, Clock& clock, LocalPorts& ports, bool wide);

  bool accepts() const { return !intake_.full(); }
  void push(const ArrivingRow& row) { intake_.push({row, clock_.now() + 1}); clock_.changed(); }
  // Advances by a cycle. Returns true when a row marked `last` was written: `*done` then says which.
  bool step(ArrivingRow* done);
  bool empty() const { return intake_.empty() && !current_valid_ && pipe_.empty() && !repeater_valid_; }

 private:
  struct Timed {
    ArrivingRow row;
    std::uint64_t ready = 0;
  };
  bool write(const ArrivingRow& row, std::int64_t local_row);

  const Config& config_;
  Clock& clock_;
  LocalPorts& ports_;
  bool wide_;
  Ring<Timed> intake_;
  Timed current_;
  bool current_valid_ = false;
  Ring<Timed> pipe_;
  ArrivingRow repeater_;
  bool repeater_valid_ = false;
  std::uint64_t multipliers_free_ = 0;
};

}  // namespace autocomp::gemmini
