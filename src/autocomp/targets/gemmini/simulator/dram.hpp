// DDR3 behind the memory bus: banks with row buffers, requests to an open row first, rows closed after a few accesses.
// Works on times of arrival: a request joins the waiting batch of its row or opens a new one at the end of its bank.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "calendar.hpp"
#include "config.hpp"
#include "counters.hpp"

namespace autocomp::gemmini {

class Dram {
 public:
  Dram(const Config& config, Counters& counters);

  // Core cycle in which a request that arrives in `cycle` is answered.
  std::uint64_t access(std::uint64_t address, bool write, std::uint64_t cycle);

 private:
  // All times in picoseconds: the DRAM clock is no multiple of the core's.
  struct Batch {  // accesses to one row between its opening and its closing
    std::uint64_t row = 0;
    std::int64_t accesses = 0;
    bool last_write = false;
    std::uint64_t open = 0;  // activation
    std::uint64_t last = 0;  // latest column command
  };
  struct Bank {
    std::deque<Batch> batches;  // not over yet, oldest first
  };
  std::uint64_t after_refresh(std::uint64_t time) const;
  std::uint64_t precharge(const Batch& batch) const;
  std::uint64_t take_bus(std::uint64_t column, bool write);

  const Config& config_;
  Counters& counters_;
  std::vector<Bank> banks_;
  Calendar bus_;  // in DRAM clocks
};

}  // namespace autocomp::gemmini
