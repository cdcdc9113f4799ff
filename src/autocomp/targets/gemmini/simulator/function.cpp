#include "function.hpp"

namespace autocomp::gemmini {

Function::Function(const Config& config, Memory& memory, Counters& counters)
    : config_(config),
      memory_(memory),
      counters_(counters),
      data_path_(make_data_path(config)),
      row_buffer_(config.max_row_bytes()),
      order_(config.scratchpad_rows(), config.accumulator_rows()) {}

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

bool Function::touches(std::uint64_t address, std::uint64_t size, bool for_write) const {
  return writes_.meets(address, size) || (for_write && reads_.meets(address, size));
}

void Function::fence() {
  reads_.clear();
  writes_.clear();
}

}  // namespace autocomp::gemmini
