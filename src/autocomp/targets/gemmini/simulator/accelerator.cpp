#include "accelerator.hpp"

#include "function.hpp"

namespace autocomp::gemmini {

struct Accelerator::Parts {
  Parts(const Config& config, Memory& memory, Counters& counters) : counters(counters), function(config, memory, counters) {}
  Counters& counters;
  Function function;
};

Accelerator::Accelerator(const Config& config, Memory& memory, L2& l2, Counters& counters, Timeline* timeline,
                         bool timing)
    : parts_(std::make_unique<Parts>(config, memory, counters)) {
  (void)l2;
  (void)timeline;
  (void)timing;
}

Accelerator::~Accelerator() = default;

std::uint64_t Accelerator::issue(const Command& command, std::uint64_t cycle) {
  parts_->function.execute(command);
  return cycle;
}

std::uint64_t Accelerator::drain(std::uint64_t cycle) {
  ++parts_->counters.fences;
  parts_->function.fence();
  return cycle;
}

void Accelerator::advance(std::uint64_t cycle) { (void)cycle; }

bool Accelerator::touches(std::uint64_t address, std::uint64_t size, bool for_write) const {
  return parts_->function.touches(address, size, for_write);
}

const Function& Accelerator::function() const { return parts_->function; }

}  // namespace autocomp::gemmini
