#include "accelerator.hpp"

#include <optional>

#include "function.hpp"
#include "timing.hpp"

namespace autocomp::gemmini {

struct Accelerator::Parts {
  Parts(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline, bool timed)
      : counters(counters), function(config, memory, counters) {
    if (timed) timing.emplace(config, l2, counters, timeline);
  }
  Counters& counters;
  Function function;
  std::optional<Timing> timing;
};

Accelerator::Accelerator(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline,
                         bool timing)
    : parts_(std::make_unique<Parts>(config, memory, l2, counters, timeline, timing)) {}

Accelerator::~Accelerator() = default;

std::uint64_t Accelerator::issue(const Command& command, std::uint64_t cycle) {
  const Operation operation = parts_->function.execute(command);
  return parts_->timing ? parts_->timing->issue(operation, cycle) : cycle;
}

std::uint64_t Accelerator::drain(std::uint64_t cycle) {
  ++parts_->counters.fences;
  parts_->function.fence();
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
