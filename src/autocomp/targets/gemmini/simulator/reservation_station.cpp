#include "reservation_station.hpp"

#include <bit>

namespace autocomp::gemmini {

namespace {

std::uint64_t bit(int slot) { return std::uint64_t{1} << slot; }

// Does `later` have to wait for `earlier`, a command of another pool that has not completed?
bool conflicts(const Operation& later, const Operation& earlier) {
  if (later.is_config()) return false;
  switch (later.pool()) {
    case Pool::kLoad:  // overwrites what earlier commands read or write
      return later.first.overlaps(earlier.first) || later.first.overlaps(earlier.second);
    case Pool::kExecute:
      if (earlier.pool() == Pool::kLoad) {
        return later.first.overlaps(earlier.first) || later.second.overlaps(earlier.first);
      }
      return later.first_is_destination && later.first.overlaps(earlier.first);
    case Pool::kStore:
      if (earlier.pool() == Pool::kLoad) return later.first.overlaps(earlier.first);
      return earlier.first_is_destination && later.first.overlaps(earlier.first);
  }
  return false;
}

}  // namespace

ReservationStation::ReservationStation(const Config& config, Clock& clock) : clock_(clock) {
  pools_[index(Pool::kLoad)].entries.resize(config.reservation_load_entries);
  pools_[index(Pool::kExecute)].entries.resize(config.reservation_execute_entries);
  pools_[index(Pool::kStore)].entries.resize(config.reservation_store_entries);
  for (PoolState& state : pools_) {
    state.slots = ~std::uint64_t{0} >> (64 - state.entries.size());
    state.waits.resize(state.entries.size());
  }
}

bool ReservationStation::full(Pool pool) const {
  const PoolState& state = pools_[index(pool)];
  const std::uint64_t held = state.valid | (state.leaving_cycle == clock_.now() ? state.leaving : 0);
  return held == state.slots;
}

void ReservationStation::allocate(const Operation& operation) {
  const Pool pool = operation.pool();
  PoolState& state = pools_[index(pool)];
  const std::uint64_t held = state.valid | (state.leaving_cycle == clock_.now() ? state.leaving : 0);
  const int slot = std::countr_one(held);
  state.entries[slot] = operation;
  Waits& waits = state.waits[slot];
  for (int other = 0; other < 3; ++other) {
    PoolState& earlier = pools_[other];
    if (other == index(pool)) {
      // Loads and execute commands start in order; a store also waits for the stores before it to complete.
      waits.on[other] = pool == Pool::kStore ? earlier.valid : earlier.valid & ~earlier.issued;
      continue;
    }
    waits.on[other] = 0;
    for (std::uint64_t rest = earlier.valid; rest != 0; rest &= rest - 1) {
      const int candidate = std::countr_zero(rest);
      if (conflicts(operation, earlier.entries[candidate])) waits.on[other] |= bit(candidate);
    }
  }
  state.valid |= bit(slot);
  state.issued &= ~bit(slot);
  if (waits.none()) state.startable |= bit(slot);
  if (state.fresh_cycle != clock_.now()) state.fresh = 0;
  state.fresh_cycle = clock_.now();
  state.fresh |= bit(slot);
  if (operation.kind == OperationKind::kPreload) solitary_preload_ = true;
  if (operation.kind == OperationKind::kCompute) solitary_preload_ = false;
  clock_.changed();
}

int ReservationStation::ready(Pool pool) const {
  const PoolState& state = pools_[index(pool)];
  std::uint64_t candidates = state.startable;
  if (state.fresh_cycle == clock_.now()) candidates &= ~state.fresh;
  return candidates == 0 ? -1 : std::countr_zero(candidates);
}

void ReservationStation::issue(Pool pool, int slot) {
  PoolState& state = pools_[index(pool)];
  state.issued |= bit(slot);
  state.startable &= ~bit(slot);
  const Operation& operation = state.entries[slot];
  const bool done = operation.kind == OperationKind::kConfigLoad || operation.kind == OperationKind::kConfigStore;
  if (done) {
    release(pool, slot, true);
    free(pool, slot);
  } else if (pool != Pool::kStore) {
    release(pool, slot, false);
  }
  clock_.changed();
}

// Clears the dependencies on a slot: those of its own pool only, or of every pool.
void ReservationStation::release(Pool pool, int slot, bool all_pools) {
  for (int other = 0; other < 3; ++other) {
    if (!all_pools && other != index(pool)) continue;
    PoolState& state = pools_[other];
    for (std::uint64_t rest = state.valid & ~state.issued & ~state.startable; rest != 0; rest &= rest - 1) {
      const int waiting = std::countr_zero(rest);
      state.waits[waiting].on[index(pool)] &= ~bit(slot);
      if (state.waits[waiting].none()) state.startable |= bit(waiting);
    }
  }
}

void ReservationStation::free(Pool pool, int slot) {
  PoolState& state = pools_[index(pool)];
  ++all_completions_;
  ++completions_[static_cast<int>(state.entries[slot].origin)][index(pool)];
  state.valid &= ~bit(slot);
  if (state.leaving_cycle != clock_.now()) state.leaving = 0;
  state.leaving_cycle = clock_.now();
  state.leaving |= bit(slot);
}

void ReservationStation::complete(Pool pool, int slot) {
  pools_[index(pool)].finished |= bit(slot);
  if (pool == Pool::kExecute) execute_order_.push_back(slot);
}

void ReservationStation::step() {
  for (Pool pool : {Pool::kExecute, Pool::kLoad, Pool::kStore}) {
    PoolState& state = pools_[index(pool)];
    if (state.finished == 0) continue;
    int slot = std::countr_zero(state.finished);
    if (pool == Pool::kExecute) {
      slot = execute_order_.front();
      execute_order_.erase(execute_order_.begin());
    }
    state.finished &= ~bit(slot);
    release(pool, slot, true);
    free(pool, slot);
    clock_.changed();
    return;
  }
}

bool ReservationStation::idle() const {
  const std::uint64_t execute = pools_[index(Pool::kExecute)].valid;
  if ((pools_[index(Pool::kLoad)].valid | pools_[index(Pool::kStore)].valid) != 0) return false;
  return execute == 0 || (std::has_single_bit(execute) && solitary_preload_);
}

bool ReservationStation::waiting_for_dependency(Pool pool) const {
  const PoolState& state = pools_[index(pool)];
  return (state.valid & ~state.issued) != 0 && state.startable == 0;
}

std::uint64_t ReservationStation::waiting_pc(Pool pool) const {
  const PoolState& state = pools_[index(pool)];
  const std::uint64_t waiting = state.valid & ~state.issued;
  return waiting == 0 ? 0 : state.entries[std::countr_zero(waiting)].pc;
}

}  // namespace autocomp::gemmini
