// The shared second-level cache and the memory behind it; timing only, the data is in Memory.
#pragma once

#include <cstdint>
#include <memory>

#include "config.hpp"
#include "counters.hpp"

namespace autocomp::gemmini {

class L2 {
 public:
  L2(const Config& config, Counters& counters);
  ~L2();

  // A client's request for `size` bytes (a power of two up to one line, inside one line) that arrives at the L2 in
  // `cycle`. Returns the cycle in which the first beat of the answer leaves the L2 (reads) or the acknowledgement does
  // (writes). A write is `whole` when it covers all its bytes: a whole line need not be fetched first. Requests come in
  // order of time, give or take a few cycles.
  std::uint64_t read(std::uint64_t address, std::uint32_t size, std::uint64_t cycle);
  std::uint64_t write(std::uint64_t address, std::uint32_t size, bool whole, std::uint64_t cycle);

  // Requests of the core's first-level caches. acquire: fetch a line (exclusively if it will be written: the L2 then
  // knows that the core holds it, and must probe the core when the accelerator touches it). release: write a dirty
  // line back. Both return the cycle of the answer.
  std::uint64_t acquire(std::uint64_t address, bool exclusive, std::uint64_t cycle);
  std::uint64_t release(std::uint64_t address, std::uint64_t cycle);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace autocomp::gemmini
