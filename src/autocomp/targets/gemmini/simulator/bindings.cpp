// The Python module autocomp.targets.gemmini._simulator.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <stdexcept>

#include "accelerator_bindings.hpp"
#include "machine.hpp"

namespace nb = nanobind;

namespace autocomp::gemmini {
namespace {

std::vector<std::uint8_t> copy(const nb::bytes& bytes) {
  const auto* from = static_cast<const std::uint8_t*>(bytes.data());
  return {from, from + bytes.size()};
}

nb::bytes to_bytes(const std::vector<std::uint8_t>& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

Role role_of(const std::string& text) {
  if (text == "input") return Role::kInput;
  if (text == "output") return Role::kOutput;
  if (text == "inout") return Role::kInOut;
  throw std::invalid_argument("role must be input, output or inout, not " + text);
}

Argument read_argument(const nb::dict& from) {
  Argument argument;
  argument.name = nb::cast<std::string>(from["name"]);
  if (from.contains("bytes")) {
    argument.bytes = copy(nb::cast<nb::bytes>(from["bytes"]));
    argument.role = role_of(nb::cast<std::string>(from["role"]));
    return argument;
  }
  argument.is_array = false;
  const auto dtype = nb::cast<std::string>(from["dtype"]);
  argument.is_float = dtype.starts_with("float");
  if (dtype == "float32") {
    const auto value = static_cast<float>(nb::cast<double>(from["value"]));
    argument.value = 0xffffffff00000000ull | std::bit_cast<std::uint32_t>(value);
  } else if (dtype == "float64") {
    argument.value = std::bit_cast<std::uint64_t>(nb::cast<double>(from["value"]));
  } else if (dtype == "uint64") {
    argument.value = nb::cast<std::uint64_t>(from["value"]);
  } else if (dtype.starts_with("int") || dtype.starts_with("uint") || dtype == "bool") {
    argument.value = static_cast<std::uint64_t>(nb::cast<std::int64_t>(from["value"]));
    // The calling convention keeps 32-bit values sign-extended, unsigned ones too.
    if (dtype == "uint32") {
      argument.value = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(argument.value)));
    }
  } else {
    throw std::invalid_argument("scalar argument " + argument.name + " has the unsupported dtype " + dtype);
  }
  return argument;
}

class Simulator {
 public:
  explicit Simulator(const nb::dict& settings) {
    for (const auto& [key, value] : settings) {
      const auto name = nb::cast<std::string>(key);
      const auto number = nb::cast<std::int64_t>(value);
      if (!core_config_.set(name, number) && !config_.set(name, number)) {
        throw std::invalid_argument("unknown setting " + name);
      }
    }
    config_.validate();
  }

  nb::dict run(const nb::bytes& elf, const std::string& entry, const nb::list& arguments, bool timing, bool timeline,
               const std::string& memory, std::uint64_t instruction_limit, std::uint64_t cycle_limit,
               bool may_read_clock) const {
    Request request;
    request.program = copy(elf);
    request.entry = entry;
    request.timing = timing;
    request.timeline = timeline;
    request.limits = {instruction_limit, cycle_limit};
    request.may_read_clock = may_read_clock;
    for (const auto& argument : arguments) request.arguments.push_back(read_argument(nb::cast<nb::dict>(argument)));
    Config config = config_;
    config.set_memory(memory);
    Result result;
    {
      const nb::gil_scoped_release release;
      result = simulate(config, core_config_, std::move(request));
    }
    return to_dict(result);
  }

 private:
  static nb::dict to_dict(const Result& result) {
    nb::dict out;
    out["fault"] = nb::none();
    if (result.failure) {
      nb::dict fault;
      fault["kind"] = kind_name(result.failure->kind);
      fault["message"] = result.failure->message;
      fault["pc"] = result.failure->pc;
      out["fault"] = fault;
    }
    nb::dict outputs;
    for (const auto& [name, bytes] : result.outputs) outputs[name.c_str()] = to_bytes(bytes);
    out["outputs"] = outputs;
    out["latency_cycles"] = result.latency_cycles;
    nb::dict counters;
    for (const Counter& counter : result.counters) counters[counter.name.c_str()] = counter.value;
    out["counters"] = counters;
    nb::list losses;
    for (const Result::Lost& lost : result.losses) losses.append(nb::make_tuple(lost.counter, lost.pc, lost.cycles));
    out["losses"] = losses;
    nb::list spans;
    for (const Span& span : result.timeline) {
      spans.append(nb::make_tuple(unit_name(span.unit), span.funct, span.start_cycle, span.end_cycle, span.pc,
                                  span.command_index, span.work_cycles));
    }
    out["timeline"] = spans;
    return out;
  }

  Config config_;
  CoreConfig core_config_;
};

nb::dict settings() {
  nb::dict out;
  for (const auto& list : {Config::settings(), CoreConfig::settings()}) {
    for (const Setting& setting : list) {
      out[setting.name] = nb::make_tuple(setting.standard, setting.least, setting.most, setting.meaning);
    }
  }
  return out;
}

nb::dict counter_meanings() {
  nb::dict out;
  for (const auto& list : {CoreCounters{}.list(), Counters{}.list()}) {
    for (const Counter& counter : list) out[counter.name.c_str()] = counter.meaning;
  }
  return out;
}

}  // namespace
}  // namespace autocomp::gemmini

NB_MODULE(_simulator, module) {
  using autocomp::gemmini::Simulator;
  module.doc() = "Gemmini and its scalar core, simulated: function and cycles.";
  nb::class_<Simulator>(module, "Simulator", "A configured chip; each run starts from reset.")
      .def(nb::init<const nb::dict&>(), nb::arg("settings"))
      .def("run", &Simulator::run, nb::arg("elf"), nb::arg("entry"), nb::arg("arguments"), nb::kw_only(),
           nb::arg("timing") = true, nb::arg("timeline") = false, nb::arg("memory") = "ideal",
           nb::arg("instruction_limit"), nb::arg("cycle_limit"), nb::arg("may_read_clock") = false,
           "Calls `entry` of a linked program; the result says in `fault` what it did wrong, if anything. Reading the "
           "counters of cycles and instructions is a fault unless `may_read_clock`.");
  module.def("settings", &autocomp::gemmini::settings,
             "What Simulator takes in its settings, by name: default, least, most, meaning.");
  module.def("counter_meanings", &autocomp::gemmini::counter_meanings, "What each counter of a result counts.");
  autocomp::gemmini::bind_accelerator(module);
}
