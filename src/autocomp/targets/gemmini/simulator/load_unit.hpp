// The load controller, the reading half of the DMA and the writer of zeros.
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
#include "row_writer.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

class LoadUnit {
 public:
  LoadUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station, MemoryPort& memory,
           Counters& counters, Timeline* timeline);

  bool accepts() const { return !queue_.full(); }
  void push(const Operation& operation, int slot) {
    queue_.push({&operation, slot, clock_.now() + 1, operation.kind == OperationKind::kConfigLoad});
  }

  void write_rows();  // takes the local memories' write ports, after the results of the array
  void step();
  bool busy() const { return !queue_.empty() || trackers_used_ != 0; }
  bool reading() const { return in_flight_ != 0; }
  std::uint64_t* account() const { return account_; }
  // Where in the program the command is that these cycles wait at; 0 if there is none.
  std::uint64_t waiting_pc() const {
    if (row_valid_) return row_.operation->pc;
    if (queue_.empty()) return station_.waiting_pc(Pool::kLoad);
    return queue_.front().config ? 0 : queue_.front().operation->pc;
  }

 private:
  struct Entry {
    const Operation* operation = nullptr;
    int slot = -1;
    std::uint64_t visible = 0;
    bool config = false;  // known here because the slot of a configuration is free as soon as it is handed over
  };
  struct Tracker {  // an mvin whose data is not all in yet
    bool used = false;
    const Operation* operation = nullptr;
    int slot = -1;
    std::int64_t bytes_left = 0;
    std::uint64_t start_cycle = 0;
  };
  struct RowRequest {
    const Operation* operation = nullptr;
    std::int64_t row = 0;
    int tracker = 0;
    std::int64_t bytes_done = 0;
    std::uint64_t visible = 0;
  };
  struct Response {  // a request to memory, from its sending until its last beat is in
    const Operation* operation = nullptr;
    std::uint64_t start = 0;      // cycle of the first beat
    std::int64_t row = 0;
    std::int64_t column_byte = 0; // of the first useful byte, in the row of the mvin
    std::uint32_t beats = 0;
    std::uint32_t shift = 0;
    std::uint32_t useful = 0;
    int tracker = 0;
    std::uint32_t beats_read = 0;
    std::uint32_t sent = 0;       // useful bytes handed on
  };

  void complete_tracker();
  void control();
  bool send_row(const Operation& operation, std::int64_t row, int tracker);
  void request();
  void merge();
  void zero();
  void row_written(int tracker, std::int64_t bytes);
  std::int64_t row_bytes(const Operation& operation) const { return operation.columns * operation.element_bytes; }

  const Config& config_;
  Clock& clock_;
  LocalPorts& ports_;
  ReservationStation& station_;
  MemoryPort& memory_;
  Counters& counters_;
  Timeline* timeline_;

  Ring<Entry> queue_;
  std::vector<Tracker> trackers_;
  int trackers_used_ = 0;
  int freeing_ = -1;             // complete; a new command may have it from the next cycle
  bool sending_ = false;
  int tracker_ = 0;              // of the command being sent
  std::int64_t row_counter_ = 0;

  Ring<RowRequest> rows_;        // between controller and DMA
  RowRequest row_;               // in the DMA
  bool row_valid_ = false;

  std::vector<Response> responses_;  // by start, earliest last
  std::int64_t in_flight_ = 0;
  std::int64_t freed_now_ = 0;
  Response merging_;
  bool merging_valid_ = false;
  RowWriter narrow_, wide_;

  RowRequest zero_;              // the row that is being zeroed
  bool zero_valid_ = false;
  std::int64_t zero_column_ = 0;
  ArrivingRow zero_out_;
  bool zero_out_valid_ = false;

  std::uint64_t* account_ = nullptr;
};

}  // namespace autocomp::gemmini
