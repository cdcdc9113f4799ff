// Python face of the accelerator alone: commands without a core, for tests against other models of the instruction set.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "accelerator.hpp"
#include "accelerator_bindings.hpp"
#include "function.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace autocomp::gemmini {

Config config_from_dict(const nb::dict& settings, const std::string& memory) {
  Config config;
  for (auto [key, value] : settings) {
    const auto name = nb::cast<std::string>(key);
    if (!config.set(name, nb::cast<std::int64_t>(value))) throw std::invalid_argument("unknown setting " + name);
  }
  config.set_memory(memory);
  config.validate();
  return config;
}

nb::dict counters_to_dict(const Counters& counters) {
  nb::dict out;
  for (const Counter& counter : counters.list()) out[counter.name.c_str()] = counter.value;
  return out;
}

const char* kind_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::kBadAddress: return "bad_address";
    case FaultKind::kMisaligned: return "misaligned";
    case FaultKind::kLocalAddress: return "local_address";
    case FaultKind::kIllegalCommand: return "illegal_command";
    case FaultKind::kIllegalInstruction: return "illegal_instruction";
    case FaultKind::kHazard: return "hazard";
    case FaultKind::kLimit: return "limit";
    case FaultKind::kTrap: return "trap";
  }
  return "unknown";
}

namespace {

class CommandMachine {
 public:
  CommandMachine(const nb::dict& settings, const std::string& memory, bool timing)
      : config_(config_from_dict(settings, memory)),
        l2_(config_, counters_),
        accelerator_(config_, memory_, l2_, counters_, &timeline_, timing) {}

  void add_region(const std::string& name, std::uint64_t base, std::uint64_t size, bool writable) {
    memory_.add(name, base, size, writable);
  }

  void write(std::uint64_t base, const nb::bytes& data) {
    Region* region = memory_.find(base);
    if (region == nullptr || base - region->base + data.size() > region->size) {
      throw std::invalid_argument("no region holds these bytes");
    }
    std::memcpy(region->bytes.data() + (base - region->base), data.c_str(), data.size());
  }

  nb::bytes read(std::uint64_t base, std::uint64_t size) {
    return nb::bytes(reinterpret_cast<const char*>(memory_.read(base, size)), size);
  }

  std::uint64_t issue(std::uint8_t funct, std::uint64_t rs1, std::uint64_t rs2, std::uint64_t gap_cycles) {
    cycle_ = accelerator_.issue({funct, rs1, rs2, 0}, cycle_ + gap_cycles);
    return cycle_;
  }

  std::uint64_t fence() { return cycle_ = accelerator_.drain(cycle_); }

  // The core's caches take a line from the L2, as a store (exclusive) or a load of the core would make them.
  std::uint64_t core_acquire(std::uint64_t address, bool exclusive) {
    accelerator_.advance(cycle_);
    return cycle_ = exclusive ? l2_.acquire(address, cycle_) : l2_.fetch(address, cycle_);
  }

  std::uint64_t core_release(std::uint64_t address) {
    accelerator_.advance(cycle_);
    return cycle_ = l2_.release(address, cycle_);
  }

  nb::object scratchpad() const {
    const void* data = accelerator_.function().data_path().scratchpad_data();
    return config_.float_elements != 0 ? array(static_cast<const float*>(data), config_.scratchpad_rows())
                                       : array(static_cast<const std::int8_t*>(data), config_.scratchpad_rows());
  }
  nb::object accumulator() const {
    const void* data = accelerator_.function().data_path().accumulator_data();
    return config_.float_elements != 0 ? array(static_cast<const float*>(data), config_.accumulator_rows())
                                       : array(static_cast<const std::int32_t*>(data), config_.accumulator_rows());
  }
  nb::dict counters() const { return counters_to_dict(counters_); }

  nb::list timeline() const {
    nb::list out;
    for (const Span& span : timeline_.spans) {
      out.append(nb::make_tuple(unit_name(span.unit), span.start_cycle, span.end_cycle, span.funct,
                                span.command_index));
    }
    return out;
  }

 private:
  template <typename Element>
  nb::object array(const Element* data, std::int64_t rows) const {
    auto* copy = new Element[rows * config_.dim];
    std::copy_n(data, rows * config_.dim, copy);
    nb::capsule owner(copy, [](void* pointer) noexcept { delete[] static_cast<Element*>(pointer); });
    const std::size_t shape[] = {static_cast<std::size_t>(rows), static_cast<std::size_t>(config_.dim)};
    return nb::cast(nb::ndarray<nb::numpy, Element>(copy, 2, shape, owner));
  }

  Config config_;
  Counters counters_;
  Memory memory_;
  L2 l2_;
  Timeline timeline_;
  Accelerator accelerator_;
  std::uint64_t cycle_ = 0;
};

// Becomes `SimulatorFault`, with the fields of Fault as attributes.
void bind_fault(nb::module_& module) {
  static PyObject* type = nullptr;
  const std::string name = nb::cast<std::string>(module.attr("__name__")) + ".SimulatorFault";
  type = PyErr_NewException(name.c_str(), PyExc_RuntimeError, nullptr);
  module.attr("SimulatorFault") = nb::borrow(type);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Fault& fault) {
      nb::object error = nb::borrow(type)(fault.what());
      error.attr("kind") = kind_name(fault.kind);
      error.attr("message") = fault.what();
      error.attr("pc") = fault.pc;
      PyErr_SetObject(type, error.ptr());
    }
  });
}

}  // namespace

void bind_accelerator(nb::module_& module) {
  bind_fault(module);
  nb::class_<CommandMachine>(module, "CommandMachine", "The accelerator with memory and no core: issue() takes raw commands.")
      .def(nb::init<const nb::dict&, const std::string&, bool>(), "config"_a = nb::dict(), "memory"_a = "ideal",
           "timing"_a = true)
      .def("add_region", &CommandMachine::add_region, "name"_a, "base"_a, "size"_a, "writable"_a = true)
      .def("write", &CommandMachine::write, "base"_a, "data"_a)
      .def("read", &CommandMachine::read, "base"_a, "size"_a)
      .def("issue", &CommandMachine::issue, "funct"_a, "rs1"_a, "rs2"_a, "gap_cycles"_a = 3)
      .def("fence", &CommandMachine::fence)
      .def("core_acquire", &CommandMachine::core_acquire, "address"_a, "exclusive"_a)
      .def("core_release", &CommandMachine::core_release, "address"_a)
      .def("scratchpad", &CommandMachine::scratchpad)
      .def("accumulator", &CommandMachine::accumulator)
      .def("counters", &CommandMachine::counters)
      .def("timeline", &CommandMachine::timeline);
}

}  // namespace autocomp::gemmini
