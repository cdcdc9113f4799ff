#include "store_unit.hpp"

#include <algorithm>

namespace autocomp::gemmini {

StoreUnit::StoreUnit(const Config& config, Clock& clock, LocalPorts& ports, ReservationStation& station,
                     MemoryPort& memory, Counters& counters, Timeline* timeline)
    : config_(config),
      clock_(clock),
      ports_(ports),
      station_(station),
      memory_(memory),
      counters_(counters),
      timeline_(timeline),
      queue_(config.store_queue_entries),
      dispatch_(2),
      read_(config.store_read_entries),
      issue_(config.row_queue_entries) {
  acks_.reserve(config.dma_requests);
}

void StoreUnit::complete() {
  if (reading_ == nullptr || rows_left_ > 0) return;
  station_.complete(Pool::kStore, reading_slot_);
  if (timeline_ != nullptr) {
    const std::int64_t row_bytes = reading_->columns * reading_->element_bytes;
    const std::int64_t work = reading_->rows * ((row_bytes + config_.bus_bytes - 1) / config_.bus_bytes);
    timeline_->spans.push_back({Unit::kStore, reading_->funct, reading_->index, reading_->pc, start_cycle_, clock_.now(),
                                static_cast<std::uint64_t>(work)});
  }
  reading_ = nullptr;
  clock_.changed();
}

// Sends one block of a row a cycle.
void StoreUnit::control() {
  if (queue_.empty()) {
    if (!busy() && station_.waiting_for_dependency(Pool::kStore)) account_ = &counters_.store_stall_dependency;
    return;
  }
  const Entry& head = queue_.front();
  if (head.visible > clock_.now()) {
    clock_.wake(head.visible);
    return;
  }
  const Operation& operation = *head.operation;
  if (!active_) {
    if (head.config) {
      queue_.pop();
      clock_.changed();
      return;
    }
    if (reading_ != nullptr) return;
    blocks_ = (operation.columns + config_.dim - 1) / config_.dim;
    row_counter_ = block_counter_ = 0;
    reading_ = &operation;
    reading_slot_ = head.slot;
    rows_left_ = operation.picture.used() ? operation.picture.pixels_read() : operation.rows * blocks_;
    start_cycle_ = clock_.now();
    active_ = true;
    clock_.changed();
  }
  if (dispatch_.full()) return;
  BlockRow row;
  const bool last = operation.picture.used() ? next_pixel(operation, row) : next_block(operation, row);
  row.bytes = static_cast<std::uint32_t>(operation.columns * operation.element_bytes);
  row.ready = clock_.now() + 1;
  dispatch_.push(row);
  clock_.changed();
  if (!last) return;
  active_ = false;
  queue_.pop();
}

// Both fill in what is to be read next and say whether it is the last of the command.
bool StoreUnit::next_block(const Operation& operation, BlockRow& row) {
  row.address = operation.address + row_counter_ * operation.row_stride;
  row.local_row = operation.local_row + row_counter_ + block_counter_ * operation.block_stride;
  row.accumulator = operation.accumulator;
  row.zeros = operation.zeros;
  row.last_block = block_counter_ + 1 == blocks_;
  if (operation.gathers) {
    row.normalize_cycles = config_.normalize_cycles;
    if (operation.finishes && row.last_block) row.normalize_cycles += config_.normalize_finish_cycles;
  }
  if (++block_counter_ < blocks_) return false;
  block_counter_ = 0;
  return ++row_counter_ == operation.rows;
}

// Window after window, a pixel of it each time; only the last one makes the writer send.
bool StoreUnit::next_pixel(const Operation& operation, BlockRow& row) {
  const Picture& picture = operation.picture;
  const std::int64_t area = picture.window * picture.window;
  const std::int64_t out = row_counter_ / area, within = row_counter_ % area;
  const std::int64_t out_row = out / picture.out_columns, out_column = out % picture.out_columns;
  const std::int64_t pixel =
      picture.local_row(out_row, out_column, within / picture.window, within % picture.window);
  row.address = operation.address + (out_row * picture.out_pitch + out_column) * operation.row_stride;
  row.local_row = operation.local_row + pixel;
  row.zeros = operation.zeros || pixel < 0;
  row.accumulator = operation.accumulator && !row.zeros;
  row.last_block = within + 1 == area;
  return ++row_counter_ == picture.pixels_read();
}

void StoreUnit::read_local() {
  if (dispatch_.empty() || read_.full()) return;
  BlockRow row = dispatch_.front();
  if (row.ready > clock_.now()) return;
  if (!row.zeros) {
    const int bank = row.accumulator ? ports_.accumulator_bank(row.local_row) : ports_.scratchpad_bank(row.local_row);
    if (!ports_.readable(row.accumulator, bank)) {
      account_ = &counters_.store_stall_bank;
      clock_.changed();
      return;
    }
    ports_.read(row.accumulator, bank);
  }
  dispatch_.pop();
  row.ready = clock_.now() + config_.store_read_cycles;
  read_.push(row);
  --rows_left_;
  clock_.changed();
}

// Into the scaling pipeline, or past it. The queue behind it holds fewer rows than the pipeline is deep: that bounds
// the rate of narrow rows.
void StoreUnit::scale() {
  if (read_.empty()) return;
  BlockRow row = read_.front();
  if (row.ready > clock_.now()) {
    clock_.wake(row.ready);
    return;
  }
  if (normalizer_free_ > clock_.now()) {  // rows keep their order
    clock_.wake(normalizer_free_);
    return;
  }
  if (row.normalize_cycles != 0) {
    normalizer_free_ = clock_.now() + row.normalize_cycles;
    read_.pop();
    clock_.changed();
    clock_.wake(normalizer_free_);
    return;
  }
  if (issue_.full()) return;
  read_.pop();
  row.ready = clock_.now() + (row.accumulator ? config_.accumulator_scale_cycles : 1);
  issue_.push(row);
  clock_.changed();
}

void StoreUnit::begin_write(const BlockRow& row) {
  write_address_ = row.address;
  write_left_ = row.bytes;
  beats_left_ = 0;
  writing_ = true;
  write_ready_ = clock_.now() + 1;
}

// One beat a cycle; one row of the mvout at a time.
void StoreUnit::write() {
  const std::uint64_t now = clock_.now();
  if (next_ack_ <= now) {
    std::erase_if(acks_, [now](std::uint64_t ack) { return ack <= now; });
    next_ack_ = acks_.empty() ? kNever : *std::min_element(acks_.begin(), acks_.end());
  }
  clock_.wake(next_ack_);
  if (writing_ && write_ready_ <= now) {
    if (beats_left_ == 0) {
      if (static_cast<std::int64_t>(acks_.size()) >= config_.dma_requests) {
        account_ = &counters_.store_stall_memory;
        return;
      }
      const Packet packet = cut_packet(write_address_, write_left_, config_);
      const std::uint64_t ready = memory_.translation().ready(Direction::kWrite, packet.address, now);
      if (ready > now) {
        clock_.wake(ready);
        return;
      }
      beats_left_ = std::max<std::uint32_t>(1, packet.size / static_cast<std::uint32_t>(config_.bus_bytes));
      acks_.push_back(memory_.write(packet.address, packet.size, packet.useful == packet.size,
                                    now + config_.translate_cycles));
      next_ack_ = std::min(next_ack_, acks_.back());
      clock_.wake(std::max(next_ack_, now + 1));
      write_address_ += packet.useful;
      write_left_ -= packet.useful;
    }
    --beats_left_;
    clock_.changed();
    if (beats_left_ > 0 || write_left_ > 0) return;
    writing_ = false;
  }
  if (writing_ || issue_.empty()) return;
  if (issue_.front().ready > now) {
    clock_.wake(issue_.front().ready);
    return;
  }
  if (issue_.front().last_block) begin_write(issue_.front());
  issue_.pop();
  clock_.changed();
}

void StoreUnit::step() {
  account_ = busy() || reading_ != nullptr ? &counters_.store_busy : nullptr;
  complete();
  if (busy()) {
    write();
    scale();
    read_local();
  }
  control();
}

}  // namespace autocomp::gemmini
