#include "loop_checks.hpp"

#include <algorithm>
#include <vector>

#include "fault.hpp"
#include "guest_rows.hpp"

namespace autocomp::gemmini {

namespace {

GuestRowList rows_stored(const LoopPlan& plan) {
  GuestRowList out;
  for (const LoopStep& step : plan.steps[kLoopStore]) {
    const Operation& store = step.operation;
    if (store.kind != OperationKind::kStore) continue;
    const auto bytes = static_cast<std::uint64_t>(store.columns * store.element_bytes);
    if (!store.picture.used()) {
      out.add({store.address, store.row_stride, bytes, static_cast<std::uint64_t>(store.rows)});
      continue;
    }
    for (std::int64_t row = 0; row < store.picture.out_rows; ++row) {
      out.add({store.address + static_cast<std::uint64_t>(row * store.picture.out_pitch) * store.row_stride,
               store.row_stride, bytes, static_cast<std::uint64_t>(store.picture.out_columns)});
    }
  }
  return out;
}

// By row of the scratchpad, as far as the array reads any.
std::vector<bool> rows_used(const LoopPlan& plan) {
  std::vector<bool> out;
  for (const LoopStep& step : plan.steps[kLoopExecute]) {
    for (const Operand* operand : {&step.operation.a, &step.operation.b, &step.operation.d}) {
      if (operand->garbage || operand->accumulator) continue;
      for (std::int64_t row = 0; row < operand->rows; ++row) {
        const auto local = static_cast<std::size_t>(operand->row + row * operand->stride);
        if (local >= out.size()) out.resize(local + 1);
        out[local] = true;
      }
    }
  }
  return out;
}

// Does the load fetch, for a row that is used, any of these bytes? The unit of convolutions loads more than is used: as
// many rows and columns of pixels as outputs times the stride.
bool fetches_used(const Operation& load, const GuestRowList& stored, const std::vector<bool>& used, std::int64_t dim) {
  const auto is_used = [&](std::int64_t row) {
    // A repeated pixel lies in the rows before, too.
    for (std::int64_t copy = 0; copy < load.pixel_repeats && copy <= row; ++copy) {
      if (static_cast<std::size_t>(row - copy) < used.size() && used[row - copy]) return true;
    }
    return false;
  };
  for (std::int64_t row = 0; row < load.rows; ++row) {
    const std::uint64_t address = load.address + static_cast<std::uint64_t>(row) * load.row_stride;
    for (std::int64_t column = 0; column < load.columns; column += dim) {
      const auto bytes = static_cast<std::uint64_t>(std::min(load.columns - column, dim) * load.element_bytes);
      if (stored.meets(address + static_cast<std::uint64_t>(column * load.element_bytes), bytes) &&
          is_used(load.local_row + column / dim * load.block_stride + row)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void throw_illegal_loop(const char* loop, const std::string& message) {
  throw Fault(FaultKind::kIllegalCommand, std::string(loop) + ": " + message);
}

void throw_loops_meet(const char* loop, const char* what) {
  throw Fault(FaultKind::kHazard, std::string(loop) + ": " + what +
                                      " while the loop before may not have sent all its commands; a fence is missing");
}

void check_pinned_halves(const Config& config, const char* loop, std::int64_t a, std::int64_t b) {
  if (a > 2 || b > 2) throw_illegal_loop(loop, "a pinned half of the scratchpad is 1 or 2; 3 does not exist");
  if ((a != 0 || b != 0) && !config.has_pinned_loop_halves) {
    throw_illegal_loop(loop, "pins its operands to a half of the scratchpad (a_spad_id " + std::to_string(a) +
                                 ", b_spad_id " + std::to_string(b) + "): the loop unit of this chip has no such field " +
                                 "and would use other rows; give 0, or set has_pinned_loop_halves if your chip has it");
  }
}

void check_stores_over_operands(const Config& config, const LoopPlan& plan, const char* loop, const char* results,
                                const char* operands) {
  const GuestRowList stored = rows_stored(plan);
  if (stored.count() == 0) return;
  const std::vector<bool> used = rows_used(plan);
  for (LoopStream stream : {kLoopA, kLoopB}) {
    for (const LoopStep& step : plan.steps[stream]) {
      const Operation& load = step.operation;
      if (load.kind != OperationKind::kLoad || load.zeros || !fetches_used(load, stored, used, config.dim)) continue;
      throw Fault(FaultKind::kHazard, std::string(loop) + ": " + results + " lies over " + operands +
                                          " in memory: nothing makes its stores wait for its loads");
    }
  }
}

}  // namespace autocomp::gemmini
