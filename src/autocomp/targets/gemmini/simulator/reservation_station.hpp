// Commands wait here until nothing they depend on is in flight: three pools, filled in program order, so that a full
// pool blocks everything behind it.
#pragma once

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "operation.hpp"

namespace autocomp::gemmini {

class ReservationStation {
 public:
  ReservationStation(const Config& config, Clock& clock);

  bool full(Pool pool) const;
  // Takes `operation`; the pool must not be full. It can issue from the next cycle.
  void allocate(const Operation& operation);

  // The slot whose command may start in this cycle, or -1.
  int ready(Pool pool) const;
  // Hands it over to its controller.
  void issue(Pool pool, int slot);
  const Operation& operation(Pool pool, int slot) const { return pools_[index(pool)].entries[slot]; }

  // A controller finished a command. The port takes one a cycle: execute before load before store.
  void complete(Pool pool, int slot);
  void step();  // the completion port; call once a cycle after the controllers

  // Idle for the purpose of a fence: a preload alone, which waits for its compute, does not count.
  bool idle() const;
  bool waiting_for_dependency(Pool pool) const;
  // Address in the program of a command that is there and has not started; 0 if there is none.
  std::uint64_t waiting_pc(Pool pool) const;

  std::uint64_t completions() const { return all_completions_; }
  // Commands of that origin that have left the pool, since the beginning.
  std::uint64_t completions(Origin origin, Pool pool) const {
    return completions_[static_cast<int>(origin)][index(pool)];
  }

 private:
  struct Waits {  // for which slots of each pool
    std::uint64_t on[3] = {0, 0, 0};
    bool none() const { return (on[0] | on[1] | on[2]) == 0; }
  };
  struct PoolState {
    std::vector<Operation> entries;
    std::vector<Waits> waits;
    std::uint64_t slots = 0;      // one bit for each that exists
    std::uint64_t valid = 0;
    std::uint64_t issued = 0;
    std::uint64_t startable = 0;  // valid, not issued, waits for nothing
    std::uint64_t fresh = 0;      // allocated in this cycle: cannot issue yet
    std::uint64_t leaving = 0;    // completed in this cycle: the slot is free from the next one
    std::uint64_t finished = 0;   // waits for the completion port
    std::uint64_t fresh_cycle = kNever;
    std::uint64_t leaving_cycle = kNever;
  };
  static int index(Pool pool) { return static_cast<int>(pool); }
  void release(Pool pool, int slot, bool all_pools);
  void free(Pool pool, int slot);

  Clock& clock_;
  PoolState pools_[3];
  std::uint64_t completions_[kOrigins][3] = {};
  std::uint64_t all_completions_ = 0;
  bool solitary_preload_ = false;
  std::vector<int> execute_order_;  // finished execute commands, in order
};

}  // namespace autocomp::gemmini
