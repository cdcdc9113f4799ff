// The unroller of a hardware loop: sits in the front end, takes loop commands out of the stream and sends in their place
// the commands they stand for, at most one a cycle. Two loops are known at a time; each of the five streams (three loads,
// execute, store) works on one of them and goes over to the next as soon as it is through, so that loads run ahead.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "clock.hpp"
#include "config.hpp"
#include "loop_plan.hpp"
#include "reservation_station.hpp"

namespace autocomp::gemmini {

class LoopUnit {
 public:
  LoopUnit(const Config& config, Clock& clock, const ReservationStation& station, Origin origin, int latency_cycles);
  virtual ~LoopUnit() = default;

  // A loop waits or is being unrolled: commands of the program wait until it is through.
  bool busy() const { return slots_[0].configured || slots_[1].configured; }
  // Takes loop commands: true unless both slots hold loops.
  bool accepts() const { return !slots_[free_slot()].configured; }
  // A cycle. `room`: the queue behind takes a command. Returns what was sent, or null.
  const Operation* step(bool room);
  // LOOP_WS or LOOP_CONV_WS arrives; a unit starts on it in the next cycle. Call after step(), with the slot from before.
  void take(std::shared_ptr<const LoopPlan> plan, int slot);
  int free_slot() const { return slots_[head_].configured ? 1 - head_ : head_; }

 protected:
  struct Place {  // where a stream stands; zeros when it is through
    bool idle = true;
    int slot = 0;
    std::int32_t i = 0, j = 0, k = 0, blocks = 0;
  };
  static constexpr int kMostLatency = 2;
  struct Stream {
    bool active = false;
    int slot = 0;
    std::size_t next = 0;
    const LoopStep* pipe[kMostLatency] = {};  // computed, on the way out; entry 0 is the youngest
  };

  Place place(LoopStream stream) const;
  const LoopPlan* plan(LoopStream stream) const { return plans_[streams_[stream].slot].get(); }
  bool started(LoopStream stream, int slot) const { return slots_[slot].started[stream]; }
  bool completed(LoopStream stream, int slot) const { return slots_[slot].completed[stream]; }
  int head() const { return head_; }

  // May the stream compute its next command?
  virtual bool ready(LoopStream stream) const = 0;
  // Which stream sends, of those that have a command.
  virtual int choose(const std::array<bool, kLoopStreams>& valid) const = 0;

 private:
  struct Slot {
    bool configured = false;
    bool running = false;
    bool started[kLoopStreams] = {};
    bool completed[kLoopStreams] = {};
    bool through() const {
      bool all = true;
      for (bool stream : completed) all = all && stream;
      return all;
    }
  };
  bool idle(const Stream& stream) const { return !stream.active && !stream.pipe[0] && !stream.pipe[1]; }
  bool overloaded(Pool pool) const;
  void start(std::array<Stream, kLoopStreams>& streams, std::array<Slot, 2>& slots) const;

  Clock& clock_;
  const ReservationStation& station_;
  Origin origin_;
  int latency_;
  std::uint64_t limits_[3];
  std::uint64_t sent_[3] = {};
  std::array<Stream, kLoopStreams> streams_;
  std::array<Slot, 2> slots_;
  std::array<std::shared_ptr<const LoopPlan>, 2> plans_;
  int head_ = 0;
};

class MatmulLoopUnit final : public LoopUnit {
 public:
  MatmulLoopUnit(const Config& config, Clock& clock, const ReservationStation& station)
      : LoopUnit(config, clock, station, Origin::kMatmulLoop, 0) {}

 private:
  bool ready(LoopStream stream) const override;
  int choose(const std::array<bool, kLoopStreams>& valid) const override;
};

class ConvolutionLoopUnit final : public LoopUnit {
 public:
  ConvolutionLoopUnit(const Config& config, Clock& clock, const ReservationStation& station)
      : LoopUnit(config, clock, station, Origin::kConvolutionLoop, 2) {}

 private:
  bool ready(LoopStream stream) const override;
  int choose(const std::array<bool, kLoopStreams>& valid) const override;
};

}  // namespace autocomp::gemmini
