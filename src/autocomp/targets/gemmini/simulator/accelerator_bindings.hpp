// Shared by the bindings of the accelerator and of the whole simulator.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "config.hpp"
#include "counters.hpp"
#include "fault.hpp"

namespace autocomp::gemmini {

// Settings by name, as target.toml holds them, and "ideal" or "ddr3". Raises ValueError for an unknown name.
Config config_from_dict(const nanobind::dict& settings, const std::string& memory);
nanobind::dict counters_to_dict(const Counters& counters);
const char* kind_name(FaultKind kind);

// Adds CommandMachine and the exception SimulatorFault, which every Fault becomes.
void bind_accelerator(nanobind::module_& module);

}  // namespace autocomp::gemmini
