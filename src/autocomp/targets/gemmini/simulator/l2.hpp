// The shared second-level cache and the memory behind it; timing only, the data is in Memory.
#pragma once

#include <cstdint>
#include <memory>

#include "config.hpp"
#include "counters.hpp"
#include "first_level_cache.hpp"

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

  // Requests of the core's first-level caches. fetch: a line of code, of which the L2 keeps no account. acquire: a line
  // of data, with the permission to write it, because nobody else caches any; the L2 probes the core's data cache when
  // the accelerator touches the line, which the core may read on after a read of the accelerator, and loses by a write.
  // release: write a dirty line back. All return the cycle of the answer.
  std::uint64_t fetch(std::uint64_t address, std::uint64_t cycle);
  std::uint64_t acquire(std::uint64_t address, std::uint64_t cycle);
  std::uint64_t release(std::uint64_t address, std::uint64_t cycle);

  // The data cache to probe; none until it is set.
  void probes(FirstLevelCache* data_cache);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace autocomp::gemmini
