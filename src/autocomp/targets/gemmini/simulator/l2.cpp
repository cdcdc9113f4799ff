#include "l2.hpp"

#include <algorithm>
#include <vector>

#include "calendar.hpp"
#include "dram.hpp"

namespace autocomp::gemmini {

namespace {

struct Line {
  std::uint64_t tag = ~std::uint64_t{0};  // line address
  bool valid = false;
  bool dirty = false;
  bool core = false;  // the core may have a newer copy,
  bool copy = false;  // or one that it may only read
};

struct Miss {  // a transaction that keeps its set busy
  std::uint64_t set = 0;
  std::uint64_t done = 0;
};

}  // namespace

struct L2::Parts {
  Parts(const Config& config, Counters& counters)
      : config(config),
        counters(counters),
        dram(config, counters),
        lines(config.l2_sets * config.l2_ways),
        misses(config.l2_misses) {}

  const Config& config;
  Counters& counters;
  Dram dram;
  std::vector<Line> lines;
  std::vector<Miss> misses;
  Calendar answers;
  FirstLevelCache* data_cache = nullptr;
  std::uint64_t intake_free = 0;
  std::uint64_t fill_free = 0;   // bus from memory
  std::uint64_t evict_free = 0;  // bus to memory
  std::uint64_t probe_free = 0;
  std::uint64_t random = 0x9e3779b97f4a7c15;

  std::uint64_t line_of(std::uint64_t address) const { return address / config.l2_line_bytes; }

  // Replacement takes no notice of use, nor of empty ways: it is pseudo-random and moves with each look-up.
  std::int64_t victim() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<std::int64_t>((random >> 32) * static_cast<std::uint64_t>(config.l2_ways) >> 32);
  }

  Line* find(std::uint64_t line) {
    Line* set = &lines[line % config.l2_sets * config.l2_ways];
    for (std::int64_t way = 0; way < config.l2_ways; ++way) {
      if (set[way].valid && set[way].tag == line) return &set[way];
    }
    return nullptr;
  }

  // The cycle in which a request for `line` that arrives in `cycle` is looked up.
  std::uint64_t accept(std::uint64_t line, std::uint64_t cycle) {
    const std::uint64_t start = std::max(cycle, intake_free);
    intake_free = start + 1;
    std::uint64_t looked_up = start;
    const std::uint64_t set = line % config.l2_sets;
    for (const Miss& miss : misses) {  // queued behind the transaction of its set
      if (miss.done > start && miss.set == set) looked_up = std::max(looked_up, miss.done);
    }
    return looked_up;
  }

  Miss* free_miss(std::uint64_t* cycle) {
    Miss* first = &misses[0];
    for (Miss& miss : misses) {
      if (miss.done < first->done) first = &miss;
    }
    if (first->done > *cycle) {  // nothing else gets in before there is a place for this one
      *cycle = first->done;
      intake_free = std::max(intake_free, *cycle + 1);
    }
    return first;
  }

  std::uint64_t beats(std::uint32_t size) const { return std::max<std::uint64_t>(1, size / config.bus_bytes); }

  // Makes room in `slot`; returns when the fetch may be asked for, and in *done when the old line is out.
  std::uint64_t evict(Line& slot, std::uint64_t cycle, std::uint64_t* done) {
    *done = 0;
    if (!slot.valid) return cycle;
    if (slot.core) {
      ++counters.l2_probes;
      probe_free = std::max(cycle, probe_free) + config.l2_probe_interval_cycles;
      cycle = std::max(cycle + config.l2_probe_cycles, probe_free);
      slot.dirty |= probe(slot, FirstLevelCache::Keep::kEverything).dirty;  // the core's copy outlives it
    }
    const std::uint64_t start = std::max(cycle, evict_free);
    if (slot.dirty) {
      ++counters.l2_evictions_dirty;
      ++counters.memory_writes;
      evict_free = start + config.l2_dirty_eviction_cycles;
      const std::uint64_t sent = start + config.l2_line_bytes / config.memory_bus_bytes;
      *done = sent + config.memory_cycles;
      if (config.memory_model == MemoryModel::kDdr3) {
        const std::uint64_t there = config.memory_cycles / 2;
        *done = dram.access(slot.tag * config.l2_line_bytes, true, sent + there) + config.memory_cycles - there;
      }
    } else {
      evict_free = start + 1;
      *done = start + config.l2_clean_eviction_cycles;
    }
    // The acknowledgement comes back on the bus that brings data.
    fill_free = std::max(fill_free, start) + config.l2_eviction_answer_cycles;
    slot.valid = false;
    return start + 1;
  }

  struct Access {
    Line* line = nullptr;
    std::uint64_t ready = 0;       // when the answer can start
    std::uint64_t slow_beats = 0;  // the answer passes data on as it comes in from memory and takes so long for it
  };

  // What the core's data cache has of a line that it may have. Without a core, a line that was acquired is dirty.
  FirstLevelCache::Copy probe(const Line& slot, FirstLevelCache::Keep keep) const {
    if (data_cache == nullptr) return {false, slot.core};
    return data_cache->probe(slot.tag * config.l2_line_bytes, keep);
  }

  enum class Client { kCore, kReader, kWriter };

  // A request of any client. `fetch`: the old contents are needed.
  Access access(std::uint64_t address, bool fetch, Client client, std::uint64_t cycle) {
    const std::uint64_t line = line_of(address);
    std::uint64_t start = accept(line, cycle);
    const std::int64_t way = victim();
    Line* slot = find(line);
    if (slot != nullptr) {
      ++counters.l2_hits;
      std::uint64_t ready = start + config.l2_hit_cycles;
      if ((slot->core && client != Client::kCore) || (slot->copy && client == Client::kWriter)) {
        ++counters.l2_probes;
        Miss* miss = free_miss(&start);
        // The core's cache handles one probe after the other.
        probe_free = std::max(start, probe_free) + config.l2_probe_interval_cycles;
        ready = std::max(start + config.l2_probe_cycles, probe_free) + config.l2_hit_cycles;
        *miss = {line % config.l2_sets, ready};
        const bool reads = client == Client::kReader;
        const auto copy = probe(*slot, reads ? FirstLevelCache::Keep::kReading : FirstLevelCache::Keep::kNothing);
        slot->dirty |= copy.dirty;
        slot->core = false;
        slot->copy = reads && copy.there;
      }
      return {slot, ready, 0};
    }
    ++counters.l2_misses;
    Miss* miss = free_miss(&start);
    slot = &lines[line % config.l2_sets * config.l2_ways + way];
    std::uint64_t evicted = 0;
    const std::uint64_t asked = evict(*slot, start + config.l2_miss_cycles, &evicted);
    Access out{slot, 0, 0};
    std::uint64_t last;
    if (fetch) {
      ++counters.memory_reads;
      const std::uint64_t line_cycles = config.l2_line_bytes / config.memory_bus_bytes;
      std::uint64_t first = asked + config.memory_cycles;
      if (config.memory_model == MemoryModel::kDdr3) {
        first = dram.access(line * config.l2_line_bytes, false, asked + config.memory_cycles / 2) + config.memory_cycles / 2;
      }
      first = std::max(first, fill_free);
      fill_free = first + line_cycles;
      last = fill_free;
      if (address % config.l2_line_bytes == 0) {
        out.ready = first + config.l2_finish_cycles;
        out.slow_beats = line_cycles;
      } else {
        out.ready = last + config.l2_finish_cycles;
      }
    } else {
      // Permission to write without the data: answered on the way to memory, on the same bus.
      last = std::max(asked + config.l2_permission_cycles, fill_free);
      fill_free = last + 1;
      out.ready = last + config.l2_finish_cycles;
    }
    *slot = {line, true};
    *miss = {line % config.l2_sets, std::max(last + config.l2_finish_cycles, evicted)};
    return out;
  }

  // First cycle of an answer of `count` beats. If it comes slowly: of its last beats without the pauses before them.
  std::uint64_t answer(const Access& access, std::uint64_t count) {
    if (count > 1 && access.slow_beats > count) {
      return answers.take(access.ready, access.slow_beats) + access.slow_beats - count;
    }
    return answers.take(access.ready, count);
  }
};

L2::L2(const Config& config, Counters& counters) : parts_(std::make_unique<Parts>(config, counters)) {}
L2::~L2() = default;

std::uint64_t L2::read(std::uint64_t address, std::uint32_t size, std::uint64_t cycle) {
  return parts_->answer(parts_->access(address, true, Parts::Client::kReader, cycle), parts_->beats(size));
}

std::uint64_t L2::write(std::uint64_t address, std::uint32_t size, bool whole, std::uint64_t cycle) {
  const bool fetch = !(whole && size == parts_->config.l2_line_bytes);
  const Parts::Access access = parts_->access(address, fetch, Parts::Client::kWriter, cycle);
  access.line->dirty = true;
  const std::int64_t later = parts_->config.l2_write_cycles - parts_->config.l2_hit_cycles;
  return parts_->answer({access.line, access.ready + later, 0}, 1);
}

std::uint64_t L2::fetch(std::uint64_t address, std::uint64_t cycle) {
  const Parts::Access access = parts_->access(address, true, Parts::Client::kCore, cycle);
  return parts_->answer(access, parts_->beats(static_cast<std::uint32_t>(parts_->config.l2_line_bytes)));
}

std::uint64_t L2::acquire(std::uint64_t address, std::uint64_t cycle) {
  const Parts::Access access = parts_->access(address, true, Parts::Client::kCore, cycle);
  access.line->core = true;
  access.line->copy = false;
  return parts_->answer(access, parts_->beats(static_cast<std::uint32_t>(parts_->config.l2_line_bytes)));
}

void L2::probes(FirstLevelCache* data_cache) { parts_->data_cache = data_cache; }

std::uint64_t L2::release(std::uint64_t address, std::uint64_t cycle) {
  const std::uint64_t line = parts_->line_of(address);
  const std::uint64_t start = parts_->accept(line, cycle);
  parts_->victim();
  if (Line* slot = parts_->find(line)) {
    slot->dirty = true;
    slot->core = false;
  }
  return parts_->answers.take(start + parts_->config.l2_hit_cycles, 1);
}

}  // namespace autocomp::gemmini
