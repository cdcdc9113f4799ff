#include "accelerator.hpp"

#include <optional>

#include "counter_file.hpp"
#include "function.hpp"
#include "loop_convolution.hpp"
#include "loop_matmul.hpp"
#include "timing.hpp"

namespace autocomp::gemmini {

struct Accelerator::Parts {
  Parts(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline, bool timed)
      : counters(counters), function(config, memory, counters), counter_file(counters), matmul_loops(config, function),
        convolution_loops(config, function) {
    if (timed) timing.emplace(config, l2, counters, timeline);
  }
  Counters& counters;
  Function function;
  CounterFile counter_file;
  MatmulLoops matmul_loops;
  ConvolutionLoops convolution_loops;
  std::uint64_t commands = 0;
  std::optional<Timing> timing;
};

Accelerator::Accelerator(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline,
                         bool timing)
    : parts_(std::make_unique<Parts>(config, memory, l2, counters, timeline, timing)) {}

Accelerator::~Accelerator() = default;

std::uint64_t Accelerator::issue(const Command& command, std::uint64_t cycle) {
  if (command.funct == kCounterOperation) {
    count(command, cycle);
    return cycle;
  }
  const std::uint64_t index = parts_->commands++;
  if (command.funct == kClockGateEnable) return cycle;  // the clock of this chip is never gated
  const bool convolution = ConvolutionLoops::takes(command.funct);
  if (convolution || MatmulLoops::takes(command.funct)) {
    ++parts_->counters.commands_loop;
    std::shared_ptr<const LoopPlan> plan = convolution ? parts_->convolution_loops.execute(command, index)
                                                       : parts_->matmul_loops.execute(command, index);
    if (!parts_->timing) return cycle;
    Operation operation;
    operation.kind = OperationKind::kLoop;
    return parts_->timing->issue_loop(operation, convolution, std::move(plan), cycle);
  }
  Operation operation = parts_->function.execute(command);
  operation.index = index;
  return parts_->timing ? parts_->timing->issue(operation, cycle) : cycle;
}

std::uint64_t Accelerator::count(const Command& command, std::uint64_t cycle) {
  advance(cycle);
  ++parts_->commands;
  return parts_->counter_file.operate(command.rs1);
}

std::uint64_t Accelerator::drain(std::uint64_t cycle) {
  ++parts_->counters.fences;
  parts_->function.fence();
  parts_->matmul_loops.fence();
  parts_->convolution_loops.fence();
  return parts_->timing ? parts_->timing->drain(cycle) : cycle;
}

void Accelerator::advance(std::uint64_t cycle) {
  if (parts_->timing) parts_->timing->advance(cycle);
}

bool Accelerator::touches(std::uint64_t address, std::uint64_t size, bool for_write) const {
  return parts_->function.touches(address, size, for_write);
}

const Function& Accelerator::function() const { return parts_->function; }

}  // namespace autocomp::gemmini
