#include "dram.hpp"

#include <algorithm>

namespace autocomp::gemmini {

Dram::Dram(const Config& config, Counters& counters) : config_(config), counters_(counters), banks_(config.dram_banks) {}

// When the row of `batch` can be closed.
std::uint64_t Dram::precharge(const Batch& batch) const {
  const auto clock = static_cast<std::uint64_t>(config_.dram_clock_ps);
  const std::int64_t after_column = batch.last_write
                                        ? config_.dram_write_latency + config_.dram_burst + config_.dram_write_recovery
                                        : config_.dram_read_to_precharge;
  return std::max(batch.last + after_column * clock, batch.open + config_.dram_row_active * clock);
}

// The first free slot of the data bus for a column command from `column` on; returns when the command goes out.
std::uint64_t Dram::take_bus(std::uint64_t column, bool write) {
  const auto clock = static_cast<std::uint64_t>(config_.dram_clock_ps);
  const std::uint64_t latency = (write ? config_.dram_write_latency : config_.dram_read_latency) * clock;
  const std::uint64_t start = bus_.take((column + latency + clock - 1) / clock, config_.dram_burst);
  return start * clock - latency;
}

// Every so often all banks are closed and busy for a while.
std::uint64_t Dram::after_refresh(std::uint64_t time) const {
  const auto clock = static_cast<std::uint64_t>(config_.dram_clock_ps);
  const std::uint64_t interval = config_.dram_refresh_interval * clock;
  const std::uint64_t end = time / interval * interval + config_.dram_refresh * clock;
  return time >= interval ? std::max(time, end) : time;
}

std::uint64_t Dram::access(std::uint64_t address, bool write, std::uint64_t cycle) {
  const auto clock = static_cast<std::uint64_t>(config_.dram_clock_ps);
  const auto core_clock = static_cast<std::uint64_t>(config_.core_clock_ps);
  const std::uint64_t arrival = cycle * core_clock + config_.dram_controller * clock;
  const std::uint64_t filed = address + (write ? config_.dram_write_offset_bytes : 0);
  const std::uint64_t line = filed / config_.l2_line_bytes;
  const std::uint64_t row = line / config_.dram_banks * config_.l2_line_bytes / config_.dram_row_bytes;
  const std::uint64_t refresh = config_.dram_refresh_interval * clock;
  Bank& bank = banks_[line % config_.dram_banks];
  while (bank.batches.size() > 1 && precharge(bank.batches.front()) < arrival) bank.batches.pop_front();

  Batch* batch = nullptr;
  std::size_t place = 0;
  for (; place < bank.batches.size(); ++place) {
    Batch& candidate = bank.batches[place];
    const bool open = (place + 1 == bank.batches.size() && candidate.open / refresh == arrival / refresh) ||
                      precharge(candidate) >= arrival;
    if (candidate.row == row && candidate.accesses < config_.dram_row_accesses && open) {
      batch = &candidate;
      break;
    }
  }
  std::uint64_t column;
  if (batch != nullptr) {
    column = std::max(arrival, batch->last + config_.dram_column_to_column * clock);
  } else {
    ++counters_.memory_row_misses;
    Batch next;
    next.row = row;
    next.open = after_refresh(std::max(arrival, bank.batches.empty() ? 0 : precharge(bank.batches.back()) + config_.dram_precharge * clock));
    column = next.open + config_.dram_row_to_column * clock;
    bank.batches.push_back(next);
    batch = &bank.batches.back();
  }
  column = take_bus(column, write);
  // Batches behind this one make room for it.
  const std::uint64_t shift = batch->accesses == 0 ? 0 : column - batch->last;
  ++batch->accesses;
  batch->last = column;
  batch->last_write = write;
  for (std::size_t i = place + 1; i < bank.batches.size(); ++i) {
    bank.batches[i].open += shift;
    bank.batches[i].last += shift;
  }
  // A write is done for the requester when its data is taken, a read when all of it is there.
  const std::uint64_t latency = write ? config_.dram_write_latency : config_.dram_read_latency + config_.dram_burst;
  const std::uint64_t done = column + latency * clock;
  return (done + core_clock - 1) / core_clock;
}

}  // namespace autocomp::gemmini
