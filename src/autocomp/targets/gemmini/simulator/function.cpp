#include "function.hpp"

#include <algorithm>

namespace autocomp::gemmini {

Function::Function(const Config& config, Memory& memory, Counters& counters)
    : config_(config),
      memory_(memory),
      counters_(counters),
      data_path_(make_data_path(config)),
      row_buffer_(config.max_row_bytes()) {}

Operation Function::execute(const Command& command) {
  Operation operation;
  operation.funct = command.funct;
  operation.index = commands_++;
  operation.pc = command.pc;
  try {
    switch (command.funct) {
      case 0: configure(command, operation); break;
      case 1:
      case 2:
      case 14: load(command, operation); break;
      case 3: store(command, operation); break;
      case 4:
      case 5: compute(command, operation); break;
      case 6: preload(command, operation); break;
      case 7:
        operation.kind = OperationKind::kFlush;
        ++counters_.commands_flush;
        break;
      case 23: case 24: case 25:
        throw Fault(FaultKind::kIllegalCommand, "funct " + std::to_string(command.funct) + " (" +
                                                    (command.funct == 23 ? "mvout to the scratchpad" :
                                                     "addresses of a loop in the scratchpad") +
                                                    ") belongs to a later revision of the hardware than this chip");
      default:
        throw Fault(FaultKind::kIllegalCommand,
                    "funct " + std::to_string(command.funct) + " is no command of this accelerator");
    }
  } catch (Fault& fault) {
    if (fault.pc == 0) fault.pc = command.pc;
    throw;
  }
  const LocalRows& scratchpad = data_path_->scratchpad();
  const LocalRows& accumulator = data_path_->accumulator();
  counters_.scratchpad_rows_used = scratchpad.rows_used();
  counters_.scratchpad_high_water_rows = scratchpad.high_water();
  counters_.accumulator_rows_used = accumulator.rows_used();
  counters_.accumulator_high_water_rows = accumulator.high_water();
  return operation;
}

void Function::TouchedList::add(const Touched& touched) {
  moves.push_back(touched);
  low = std::min(low, touched.address);
  high = std::max(high, touched.address + (touched.rows - 1) * touched.stride + touched.bytes);
}

bool Function::TouchedList::meets(std::uint64_t address, std::uint64_t size) const {
  if (address >= high || address + size <= low) return false;
  for (const Touched& move : moves) {
    const std::uint64_t last = move.address + (move.rows - 1) * move.stride;
    if (address >= last + move.bytes || address + size <= move.address) continue;
    if (move.stride <= move.bytes) return true;
    // First row that does not end before the bytes; does it begin before their end?
    const std::uint64_t row =
        address < move.address + move.bytes ? 0 : (address - move.address - move.bytes) / move.stride + 1;
    if (row < move.rows && move.address + row * move.stride < address + size) return true;
  }
  return false;
}

void Function::TouchedList::clear() {
  moves.clear();
  low = ~std::uint64_t{0};
  high = 0;
}

bool Function::touches(std::uint64_t address, std::uint64_t size, bool for_write) const {
  return writes_.meets(address, size) || (for_write && reads_.meets(address, size));
}

void Function::fence() {
  reads_.clear();
  writes_.clear();
}

}  // namespace autocomp::gemmini
