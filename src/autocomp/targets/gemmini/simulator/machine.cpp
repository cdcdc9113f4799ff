#include "machine.hpp"

#include <algorithm>
#include <stdexcept>

#include "elf.hpp"

namespace autocomp::gemmini {

namespace {

// The map of guest memory. Code lies where the linker script puts it, at the start of DRAM.
constexpr std::uint64_t kStackTop = 0x8f000000;
constexpr std::uint64_t kArrayBase = 0x90000000;
constexpr std::uint64_t kArrayAlignment = 64;
constexpr std::uint64_t kMostStaticBytes = 256u << 20;
constexpr std::uint64_t kWarmStackBytes = 1024;  // what the caller of the kernel has used

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct Placed {
  std::size_t argument;
  std::uint64_t base;
};

// Returns the base of the code segment.
std::uint64_t load_program(const Image& image, Memory& memory) {
  std::uint64_t code = 0;
  int found = 0;
  for (const Segment& segment : image.segments) {
    const char* name = segment.executable ? "code" : segment.writable ? "static data" : "constants";
    if (segment.executable) {
      code = segment.base;
      ++found;
    }
    if (segment.base + segment.size > kStackTop - (64u << 20)) {
      throw std::invalid_argument("program does not fit below the stack");
    }
    Region& region = memory.add(name, segment.base, segment.size, segment.writable && !segment.executable);
    std::copy(segment.bytes.begin(), segment.bytes.end(), region.bytes.begin());
  }
  if (found != 1) throw std::invalid_argument("program must have exactly one executable segment");
  return code;
}

std::vector<Placed> place_arrays(std::vector<Argument>& arguments, Memory& memory) {
  std::vector<Placed> placed;
  std::uint64_t next = kArrayBase;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    if (!argument.is_array) continue;
    const std::uint64_t size = argument.bytes.size();
    if (size == 0) throw std::invalid_argument("array argument " + argument.name + " is empty");
    Region& region = memory.add(argument.name, next, size, argument.role != Role::kInput);
    region.bytes = std::move(argument.bytes);
    placed.push_back({i, next});
    next = align_up(next + size, kArrayAlignment);
  }
  return placed;
}

// The standard calling convention: eight integer and eight floating-point registers, then eight-byte stack slots.
void pass_arguments(const std::vector<Argument>& arguments, const std::vector<Placed>& placed, Core& core,
                    Region& stack) {
  std::vector<std::uint64_t> on_stack;
  int next_integer = 10;
  int next_float = 10;
  auto array = placed.begin();
  for (const Argument& argument : arguments) {
    const std::uint64_t value = argument.is_array ? (array++)->base : argument.value;
    if (argument.is_float && next_float < 18) {
      core.f(next_float++) = value;
    } else if (next_integer < 18) {
      core.x(next_integer++) = value;
    } else {
      on_stack.push_back(value);
    }
  }
  const std::uint64_t pointer = kStackTop - align_up(on_stack.size() * 8, 16) - 64;
  std::copy_n(reinterpret_cast<const std::uint8_t*>(on_stack.data()), on_stack.size() * 8,
              stack.bytes.data() + (pointer - stack.base));
  core.x(2) = pointer;
}

// Parts of counters: their names are that of the counter, a dot and what it is the part of.
void add_parts(const Counters& counters, const Memory& memory, std::vector<Counter>& out) {
  for (const Region& region : memory.regions()) {
    if (region.loaded_bytes > 0) out.push_back({"bytes_loaded." + region.name, "of these, from here", region.loaded_bytes});
    if (region.stored_bytes > 0) out.push_back({"bytes_stored." + region.name, "of these, to here", region.stored_bytes});
  }
  for (std::size_t bank = 0; bank < counters.bank_conflict_steps.size(); ++bank) {
    const std::uint64_t steps = counters.bank_conflict_steps[bank];
    if (steps == 0) continue;
    const std::string where = bank < 64 ? "scratchpad" + std::to_string(bank) : "accumulator" + std::to_string(bank - 64);
    out.push_back({"bank_conflict_steps." + where, "steps of the array whose operands share this bank", steps});
  }
}

// Programs say for which sizes they were compiled; one that does not (linked elsewhere) is taken as it is.
void check_chip(const Image& image, const Config& config) {
  const std::pair<const char*, std::int64_t> sizes[] = {
      {"float_elements", config.float_elements},
      {"dim", config.dim},
      {"scratchpad_banks", config.scratchpad_banks},
      {"scratchpad_bank_rows", config.scratchpad_bank_rows},
      {"accumulator_rows", config.accumulator_rows()},
      {"accumulator_bank_rows", config.accumulator_bank_rows},
      {"max_block_bytes", config.max_block_bytes},
  };
  std::string differences;
  for (const auto& [name, ours] : sizes) {
    const auto symbol = image.symbols.find(std::string("autocomp_chip_") + name);
    if (symbol == image.symbols.end() || symbol->second.address == static_cast<std::uint64_t>(ours)) continue;
    differences += (differences.empty() ? "" : ", ") + std::string(name) + " = " +
                   std::to_string(symbol->second.address) + " instead of " + std::to_string(ours);
  }
  if (!differences.empty()) {
    throw std::invalid_argument("it was compiled for another chip (" + differences + "); build it again for this one");
  }
}

}  // namespace

Result simulate(const Config& config, const CoreConfig& core_config, Request request) {
  const Image image = read_elf(request.program, kMostStaticBytes);
  const auto entry = image.symbols.find(request.entry);
  if (entry == image.symbols.end()) throw std::invalid_argument("program has no function " + request.entry);

  check_chip(image, config);

  Memory memory;
  const std::uint64_t code_base = load_program(image, memory);
  const auto stack_bytes = static_cast<std::uint64_t>(core_config.stack_bytes);
  memory.add("stack", kStackTop - stack_bytes, stack_bytes, true);
  const std::vector<Placed> placed = place_arrays(request.arguments, memory);

  Counters counters;
  CoreCounters core_counters;
  Timeline timeline;
  L2 l2(config, counters);
  Accelerator accelerator(config, memory, l2, counters, request.timeline ? &timeline : nullptr, request.timing);
  const Region& code = *memory.find(code_base);
  Core core(core_config, memory, l2, accelerator, core_counters, code, request.timing, request.may_read_clock);

  pass_arguments(request.arguments, placed, core, *memory.find(kStackTop - 1));
  core.pretend_to_load(kStackTop - kWarmStackBytes, kWarmStackBytes);
  for (const Placed& array : placed) {
    if (request.arguments[array.argument].role == Role::kOutput) continue;
    core.pretend_to_write(array.base, memory.find(array.base)->size);
  }
  core.flush_accelerator();
  counters = Counters{};
  core_counters = CoreCounters{};
  timeline.spans.clear();
  core.record(request.timeline ? &timeline : nullptr);

  Result result;
  const std::uint64_t start = core.cycle();
  try {
    result.latency_cycles = core.call(entry->second.address, request.limits);
  } catch (const Fault& fault) {
    result.failure = Failure{fault.kind, fault.what(), fault.pc};
  }
  for (const Placed& array : placed) {
    const Argument& argument = request.arguments[array.argument];
    if (argument.role == Role::kInput) continue;
    result.outputs.emplace_back(argument.name, std::move(memory.find(array.base)->bytes));
  }
  result.counters = core_counters.list();
  const auto more = counters.list();
  result.counters.insert(result.counters.end(), more.begin(), more.end());
  add_parts(counters, memory, result.counters);
  for (const Loss& loss : counters.losses.list()) {
    result.losses.push_back({counters.name_of(loss.counter), loss.pc, loss.cycles});
  }
  for (Span span : timeline.spans) {
    if (span.end_cycle < start) continue;
    span.start_cycle -= std::min(start, span.start_cycle);
    span.end_cycle -= start;
    result.timeline.push_back(span);
  }
  return result;
}

}  // namespace autocomp::gemmini
