// When commands would happen: the accelerator's units stepped cycle by cycle, idle time skipped.
#pragma once

#include <cstdint>
#include <memory>

#include "clock.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "execute_unit.hpp"
#include "load_unit.hpp"
#include "local_ports.hpp"
#include "loop_plan.hpp"
#include "loop_unit.hpp"
#include "memory_port.hpp"
#include "operation.hpp"
#include "reservation_station.hpp"
#include "ring.hpp"
#include "store_unit.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

class Timing {
 public:
  Timing(const Config& config, L2& l2, Counters& counters, Timeline* timeline);

  // See Accelerator.
  std::uint64_t issue(const Operation& operation, std::uint64_t cycle);
  // A command of a hardware loop; `plan` is what it starts, null for its configuration.
  std::uint64_t issue_loop(const Operation& operation, bool convolution, std::shared_ptr<const LoopPlan> plan,
                           std::uint64_t cycle);
  std::uint64_t drain(std::uint64_t cycle);
  void advance(std::uint64_t cycle);

 private:
  struct Waiting {
    Operation operation;
    std::uint64_t arrival = 0;  // at the reservation station
    bool convolution = false;   // which unroller a loop command is for
    std::shared_ptr<const LoopPlan> plan;
  };
  void step();
  std::uint64_t enter(Waiting waiting, std::uint64_t cycle);
  void allocate();
  void unroll(bool room_behind_matmuls);
  void unroll(LoopUnit& unit, bool convolution, Ring<Waiting>& before, Ring<Waiting>& behind, std::uint64_t distance,
              bool room);
  void hand_over();
  bool idle() const;
  void check_progress();  // throws if nothing has been completed for far too long
  void account(std::uint64_t cycles);

  const Config& config_;
  Counters& counters_;
  Clock clock_;
  LocalPorts ports_;
  ReservationStation station_;
  MemoryPort memory_;
  LoadUnit load_;
  StoreUnit store_;
  ExecuteUnit execute_;
  // Commands pass the unroller of convolutions, then that of matrix products. What leaves one goes into a short queue.
  Ring<Waiting> front_end_;
  Ring<Waiting> between_;
  Ring<Waiting> unrolled_;
  ConvolutionLoopUnit convolutions_;
  MatmulLoopUnit matmuls_;
  struct Progress {
    std::uint64_t completions = 0, cycle = 0;
  };
  Progress progress_;
  std::uint64_t stepped_ = 0;        // every cycle before this one is simulated
  std::uint64_t* front_end_account_ = nullptr;
};

}  // namespace autocomp::gemmini
