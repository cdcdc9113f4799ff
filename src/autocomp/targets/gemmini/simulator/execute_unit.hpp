// The execute controller and the spatial array: takes commands in order, streams operand rows out of the local
// memories (a compute together with the preload after it where possible), and writes results a fixed time later.
#pragma once

#include <array>
#include <cstdint>

#include "clock.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "local_ports.hpp"
#include "reservation_station.hpp"
#include "ring.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

class ExecuteUnit {
 public:
  ExecuteUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station, Counters& counters,
              Timeline* timeline);

  bool accepts() const { return !intake_.full(); }
  void push(const Operation& operation, int slot);

  void write_results();  // rows that leave the array in this cycle; before anybody else uses the ports
  void step();           // the controller; after writes of this cycle are known

  bool busy() const { return !intake_.empty() || !queue_.empty() || !finished_.empty() || in_flight(); }
  // The counter that the cycles from now to the next step belong to, or null.
  std::uint64_t* account() const { return account_; }
  // Where in the program the command is that these cycles wait at; 0 if there is none.
  std::uint64_t waiting_pc() const {
    return queue_.empty() ? station_.waiting_pc(Pool::kExecute) : queue_.front().operation->pc;
  }

 private:
  // A transposed B is brought in by three commands in place of one; the parts of the original that each one keeps.
  enum class Part : std::uint8_t { kWhole, kSourceOnly, kBubble, kDestinationOnly };
  struct Entry {
    const Operation* operation = nullptr;
    int slot = -1;  // of the reservation station; -1: nobody waits for it
    Part part = Part::kWhole;
    std::uint64_t visible = 0;
    bool is(OperationKind kind) const;
    bool flips() const;
    Operand a() const;
    Operand b() const;
    Operand d() const;
    LocalAddress c() const;
  };
  struct Stream {  // one operand of the step in progress
    Operand operand;
    bool live = false;     // takes part and is not garbage
    bool reversed = false; // rows are read last first
    bool suspect = false;  // some of its rows may be results that are still on their way
    std::int64_t fired = 0;
    std::int64_t index(std::int64_t dim) const { return reversed ? dim - 1 - fired : fired; }
  };
  struct Tag {  // a result on its way: known from the preload on, leaves with a later pass
    std::uint64_t pass = 0;  // the pass of rows with which it leaves
    LocalAddress c;
    std::int64_t rows = 0;
    std::int64_t stride = 1;
    int slot = -1;
    std::uint64_t free_cycle = kNever;
  };
  struct Result {  // one row that leaves the array
    std::uint64_t cycle = 0;
    bool write = false;
    bool accumulator = false;
    bool accumulate = false;
    bool last = false;
    int bank = 0;
    int slot = -1;
    std::int64_t local_row = 0;
    std::uint64_t product = 0;  // the pass in which its operands were streamed
  };
  enum class State : std::uint8_t { kWaiting, kStreaming, kFlush, kFlushing };
  enum class Step : std::uint8_t { kPreload, kComputeAndPreload, kCompute };

  void unroll();
  bool visible(std::size_t i) const { return queue_.size() > i && queue_[i].visible <= clock_.now(); }
  void choose();
  void begin(Step step);
  void stream();
  void finish();
  void find_leaving();
  void enter_array(std::int64_t row, std::int64_t rows, std::uint64_t cycle);
  bool in_flight() const;
  bool hazard(std::size_t preload, std::size_t compute) const;
  bool tag_free();
  bool may_be_in_array(const Operand& operand) const;
  void check_written(const Stream& stream, std::int64_t local_row) const;

  const Config& config_;
  Clock& clock_;
  LocalPorts& ports_;
  ReservationStation& station_;
  Counters& counters_;
  Timeline* timeline_;

  Ring<Entry> intake_;
  Ring<Entry> queue_;
  int unroll_state_ = 0;

  State state_ = State::kWaiting;
  Step step_ = Step::kPreload;
  std::array<Stream, 3> streams_;  // A, B, D: the order is their priority
  std::int64_t total_rows_ = 0;
  int live_ = 0;
  std::uint64_t pass_ = 0;
  std::uint64_t start_cycle_ = 0;
  int shared_bank_ = -1;  // of operands that had to be read one after the other in this step
  std::uint64_t flush_end_ = 0;
  std::uint64_t array_busy_until_ = 0;
  bool output_stationary_ = false;
  Tag* leaving_ = nullptr;  // the tag whose rows leave with the current pass

  Ring<Tag> tags_;
  Ring<Result> results_;
  Ring<int> finished_;  // completed without a result of their own, one reported a cycle
  std::uint64_t* account_ = nullptr;
};

}  // namespace autocomp::gemmini
