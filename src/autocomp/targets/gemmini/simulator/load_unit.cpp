#include "load_unit.hpp"

#include <algorithm>

namespace autocomp::gemmini {

LoadUnit::LoadUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station,
                   MemoryPort& memory, Counters& counters, Timeline* timeline)
    : config_(config),
      clock_(clock),
      ports_(ports),
      station_(station),
      memory_(memory),
      counters_(counters),
      timeline_(timeline),
      queue_(config.load_queue_entries),
      trackers_(config.dma_requests / config.dim + 1),
      rows_(config.row_queue_entries),
      narrow_(config, clock, ports, false),
      wide_(config, clock, ports, true) {
  responses_.reserve(config.dma_requests + 1);
}

void LoadUnit::row_written(int tracker, std::int64_t bytes) {
  trackers_[tracker].bytes_left -= bytes;
  clock_.changed();
}

// One a cycle.
void LoadUnit::complete_tracker() {
  freeing_ = -1;
  for (std::size_t i = 0; i < trackers_.size(); ++i) {
    Tracker& tracker = trackers_[i];
    if (!tracker.used || tracker.bytes_left > 0) continue;
    if (timeline_ != nullptr) {
      const Operation& operation = *tracker.operation;
      const std::int64_t rows = operation.row_stride == 0 && !operation.zeros ? 1 : operation.rows;
      const std::int64_t row_cycles = (row_bytes(operation) + config_.bus_bytes - 1) / config_.bus_bytes;
      timeline_->spans.push_back({Unit::kLoad, operation.funct, operation.index, operation.pc, tracker.start_cycle,
                                  clock_.now(), static_cast<std::uint64_t>(rows * row_cycles)});
    }
    station_.complete(Pool::kLoad, tracker.slot);
    freeing_ = static_cast<int>(i);
    clock_.changed();
    return;
  }
}

void LoadUnit::write_rows() {
  if (trackers_used_ == 0) return;
  complete_tracker();
  ArrivingRow done;
  if (narrow_.step(&done)) row_written(done.tracker, done.bytes);
  if (wide_.step(&done)) row_written(done.tracker, done.bytes);
  if (zero_out_valid_) {
    clock_.changed();
    const int bank = zero_out_.accumulator ? ports_.accumulator_bank(zero_out_.row)
                                           : ports_.scratchpad_bank(zero_out_.row);
    if (!ports_.written(zero_out_.accumulator, bank)) {
      ports_.write(zero_out_.accumulator, bank, zero_out_.accumulate);
      zero_out_valid_ = false;
      if (zero_out_.last) row_written(zero_out_.tracker, zero_out_.bytes);
    }
  }
}

// One block of a row a cycle.
void LoadUnit::zero() {
  if (!zero_valid_ || zero_out_valid_) return;
  const Operation& operation = *zero_.operation;
  zero_out_ = {};
  zero_out_.row = operation.local_row + zero_.row + zero_column_ / config_.dim * operation.block_stride;
  zero_out_.accumulator = operation.accumulator;
  zero_out_.accumulate = operation.accumulate;
  zero_out_.tracker = zero_.tracker;
  zero_out_.bytes = row_bytes(operation);
  zero_column_ += config_.dim;
  zero_out_.last = zero_column_ >= operation.columns;
  zero_out_valid_ = true;
  if (zero_out_.last) zero_valid_ = false;
  clock_.changed();
}

// The controller's request for one row. False: nobody can take it in this cycle.
bool LoadUnit::send_row(const Operation& operation, std::int64_t row, int tracker) {
  const RowRequest request{&operation, row, tracker, 0, clock_.now() + 1};
  if (operation.zeros) {
    if (zero_valid_) return false;
    zero_ = request;
    zero_valid_ = true;
    zero_column_ = 0;
  } else {
    if (rows_.full()) return false;
    rows_.push(request);
  }
  clock_.changed();
  return true;
}

void LoadUnit::control() {
  if (queue_.empty()) {
    if (trackers_used_ == 0 && station_.waiting_for_dependency(Pool::kLoad)) account_ = &counters_.load_stall_dependency;
    return;
  }
  const Entry& head = queue_.front();
  if (head.visible > clock_.now()) {
    clock_.wake(head.visible);
    return;
  }
  const Operation& operation = *head.operation;
  const std::int64_t rows = operation.row_stride == 0 && !operation.zeros ? 1 : operation.rows;
  if (!sending_) {
    if (head.config) {
      queue_.pop();
      clock_.changed();
      return;
    }
    if (trackers_used_ == static_cast<int>(trackers_.size())) {
      account_ = &counters_.load_stall_tracker;
      return;
    }
    tracker_ = 0;
    while (trackers_[tracker_].used) ++tracker_;
    trackers_[tracker_] = {true, head.operation, head.slot, row_bytes(operation) * rows, clock_.now()};
    ++trackers_used_;
    row_counter_ = send_row(operation, 0, tracker_) ? 1 : 0;
    sending_ = true;
    clock_.changed();
    return;
  }
  if (row_counter_ < rows && send_row(operation, row_counter_, tracker_)) ++row_counter_;
  if (row_counter_ == rows) {
    queue_.pop();
    sending_ = false;
    clock_.changed();
  }
}

// The DMA: a request to memory a cycle, as long as there are free ones.
void LoadUnit::request() {
  if (row_valid_) {
    if (in_flight_ + freed_now_ >= config_.dma_requests) {
      account_ = &counters_.load_stall_requests;
      return;
    }
    const Operation& operation = *row_.operation;
    const std::uint64_t address = operation.address + row_.row * operation.row_stride + row_.bytes_done;
    const Packet packet = cut_packet(address, row_bytes(operation) - row_.bytes_done, config_);
    const std::uint64_t now = clock_.now();
    if (const std::uint64_t ready = memory_.translation().ready(Direction::kRead, packet.address, now); ready > now) {
      clock_.wake(ready);
      return;
    }
    Response response;
    response.operation = row_.operation;
    response.start = memory_.read(packet.address, packet.size, now + config_.translate_cycles);
    response.row = row_.row;
    response.column_byte = row_.bytes_done;
    response.beats = std::max<std::uint32_t>(1, packet.size / config_.bus_bytes);
    response.shift = packet.shift;
    response.useful = packet.useful;
    response.tracker = row_.tracker;
    auto place = responses_.begin();
    while (place != responses_.end() && place->start > response.start) ++place;
    responses_.insert(place, response);
    ++in_flight_;
    row_.bytes_done += packet.useful;
    clock_.changed();
    if (row_.bytes_done < row_bytes(operation)) return;
    row_valid_ = false;
  }
  if (!rows_.empty() && rows_.front().visible <= clock_.now()) {
    row_ = rows_.front();
    row_valid_ = true;
    rows_.pop();
    clock_.changed();
  }
}

// Beats come in one a cycle and leave as local rows.
void LoadUnit::merge() {
  freed_now_ = 0;
  const std::uint64_t now = clock_.now();
  if (merging_valid_) {
    const Operation& operation = *merging_.operation;
    const bool is_wide = operation.wide;
    const std::uint32_t local_bytes = static_cast<std::uint32_t>(config_.dim * operation.element_bytes);
    const std::uint32_t read = merging_.beats_read * static_cast<std::uint32_t>(config_.bus_bytes);
    const std::uint32_t useful = std::min(read > merging_.shift ? read - merging_.shift : 0, merging_.useful);
    const std::int64_t column_byte = merging_.column_byte + merging_.sent;
    const std::uint32_t room = local_bytes - static_cast<std::uint32_t>(column_byte % local_bytes);
    const std::uint32_t take = std::min(room, merging_.useful - merging_.sent);
    RowWriter& writer = is_wide ? wide_ : narrow_;
    if (take > 0 && useful - merging_.sent >= take && writer.accepts()) {
      ArrivingRow row;
      row.row = operation.local_row + merging_.row + column_byte / local_bytes * operation.block_stride;
      row.accumulator = operation.accumulator;
      row.accumulate = operation.accumulate;
      row.wide = is_wide;
      row.scaled = operation.scaled;
      row.repeats = operation.row_stride == 0 ? operation.rows - 1 : 0;
      row.pixel_repeats = operation.pixel_repeats;
      row.tracker = merging_.tracker;
      merging_.sent += take;
      row.last = merging_.sent == merging_.useful;
      row.bytes = merging_.useful;
      writer.push(row);
    }
    clock_.changed();
    if (merging_.beats_read < merging_.beats) {
      ++merging_.beats_read;
      if (merging_.beats_read == merging_.beats) {
        --in_flight_;
        ++freed_now_;
      }
      return;
    }
    if (merging_.sent < merging_.useful) return;
    merging_valid_ = false;
  }
  if (responses_.empty()) return;
  if (responses_.back().start > now) {
    clock_.wake(responses_.back().start);
    return;
  }
  merging_ = responses_.back();
  responses_.pop_back();
  merging_.beats_read = 1;
  merging_valid_ = true;
  if (merging_.beats == 1) {
    --in_flight_;
    ++freed_now_;
  }
  clock_.changed();
}

void LoadUnit::step() {
  account_ = trackers_used_ != 0 ? &counters_.load_busy : nullptr;
  if (trackers_used_ != 0) {
    merge();
    request();
    zero();
  }
  control();
  if (freeing_ >= 0) {
    trackers_[freeing_].used = false;
    --trackers_used_;
    freeing_ = -1;
  }
}

}  // namespace autocomp::gemmini
