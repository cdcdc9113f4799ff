// LOOP_CONV_WS: the hardware loop over a part of a convolution.
#pragma once

#include <memory>

#include "command.hpp"
#include "config.hpp"
#include "function.hpp"
#include "loop_plan.hpp"
#include "loop_registers.hpp"

namespace autocomp::gemmini {

class ConvolutionLoops {
 public:
  ConvolutionLoops(const Config& config, Function& function) : config_(config), function_(function) {}

  static bool takes(int funct) { return funct == 15 || Registers::configures(funct); }

  // Configuration commands give null. LOOP_CONV_WS performs its commands and hands them over. Throws Fault.
  std::shared_ptr<const LoopPlan> execute(const Command& command, std::uint64_t index);

  void fence() { before_ = {}; }

 private:
  using Registers = LoopRegisters<16, 6>;
  struct Loop;
  struct Before {  // the loop before, if it may not have sent all its commands yet
    bool valid = false;
    LocalSpan input, weights;
    LocalSpan accumulator;
  };

  Loop decode(const Command& command) const;
  void check(const Loop& loop) const;
  void load_bias(const Loop& loop, LoopPlan& plan) const;
  void load_input(const Loop& loop, LoopPlan& plan) const;
  void load_weights(const Loop& loop, LoopPlan& plan) const;
  void compute(const Loop& loop, LoopPlan& plan) const;
  void store(const Loop& loop, LoopPlan& plan) const;
  void pool(const Loop& loop, LoopPlan& plan) const;
  void add(const Loop& loop, LoopPlan& plan, LoopStream stream, const Command& command) const;

  const Config& config_;
  Function& function_;
  Registers registers_;
  int accumulator_half_ = 0;
  Before before_;
};

}  // namespace autocomp::gemmini
