// The store controller, the path from the local memories through the scaling pipeline, and the writing half of the DMA.
#pragma once

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "local_ports.hpp"
#include "memory_port.hpp"
#include "reservation_station.hpp"
#include "ring.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

class StoreUnit {
 public:
  StoreUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station, MemoryPort& memory,
            Counters& counters, Timeline* timeline);

  bool accepts() const { return !queue_.full(); }
  void push(const Operation& operation, int slot) {
    queue_.push({&operation, slot, clock_.now() + 1, operation.kind == OperationKind::kConfigStore});
  }

  void step();  // after everybody else has taken the ports of the local memories
  // Data on its way to memory or not yet acknowledged: a fence waits for it, the reservation station does not.
  bool busy() const { return normalizer_free_ > clock_.now() || !dispatch_.empty() || !read_.empty() || !issue_.empty() || writing_ || !acks_.empty(); }
  std::uint64_t* account() const { return account_; }
  // Where in the program the command is that these cycles wait at; 0 if there is none.
  std::uint64_t waiting_pc() const { return reading_ != nullptr ? reading_->pc : station_.waiting_pc(Pool::kStore); }

 private:
  struct Entry {
    const Operation* operation = nullptr;
    int slot = -1;
    std::uint64_t visible = 0;
    bool config = false;  // known here because the slot of a configuration is free as soon as it is handed over
  };
  struct BlockRow {  // one row of one block of columns: what the local memories deliver in a cycle
    std::uint64_t address = 0;  // of the whole row in guest memory
    std::int64_t local_row = 0;
    std::uint32_t bytes = 0;    // of the whole row, as it is sent once its last block is there
    bool accumulator = false;
    bool zeros = false;
    bool last_block = false;
    std::int64_t normalize_cycles = 0;  // it only gathers statistics, and that takes so long
    std::uint64_t ready = 0;    // cycle from which the next stage may take it
  };

  void control();
  bool next_block(const Operation& operation, BlockRow& row);
  bool next_pixel(const Operation& operation, BlockRow& row);
  void complete();
  void read_local();
  void scale();
  void write();
  void begin_write(const BlockRow& row);

  const Config& config_;
  Clock& clock_;
  LocalPorts& ports_;
  ReservationStation& station_;
  MemoryPort& memory_;
  Counters& counters_;
  Timeline* timeline_;

  Ring<Entry> queue_;
  bool active_ = false;         // the head of the queue is being sent
  std::int64_t row_counter_ = 0;
  std::int64_t block_counter_ = 0;
  std::int64_t blocks_ = 0;
  // The command whose rows are being read: one at a time, because a store waits for those before it.
  const Operation* reading_ = nullptr;
  int reading_slot_ = -1;
  std::int64_t rows_left_ = 0;
  std::uint64_t start_cycle_ = 0;

  Ring<BlockRow> dispatch_;     // waits for the port of its bank
  Ring<BlockRow> read_;         // read, waits for the scaling pipeline
  Ring<BlockRow> issue_;        // in the scaling pipeline or waiting for the writer

  std::uint64_t normalizer_free_ = 0;

  bool writing_ = false;
  std::uint64_t write_address_ = 0;
  std::uint32_t write_left_ = 0;
  std::uint32_t beats_left_ = 0;
  std::uint64_t write_ready_ = 0;  // first cycle in which the writer sends
  std::vector<std::uint64_t> acks_;  // when each write that is under way will be acknowledged
  std::uint64_t next_ack_ = kNever;

  std::uint64_t* account_ = nullptr;
};

}  // namespace autocomp::gemmini
