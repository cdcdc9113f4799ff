"""Runs one program on the model and on the simulator and says where they differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np
from command_programs import INPUT_BASE, OUTPUT_BASE, REGION_BYTES, Command, memory_image
from isa_model import Illegal, IsaModel, Parameters

from autocomp.targets.gemmini import _simulator

REGIONS = (("input", INPUT_BASE, False), ("output", OUTPUT_BASE, True))


def new_machine(
    parameters: Parameters, image_seed: int, *, memory: str = "ideal", timing: bool = False
) -> _simulator.CommandMachine:
    machine = _simulator.CommandMachine(asdict(parameters), memory, timing)
    _furnish(machine, image_seed, parameters)
    return machine


def _furnish(machine: IsaModel | _simulator.CommandMachine, image_seed: int, parameters: Parameters) -> None:
    for index, (name, base, writable) in enumerate(REGIONS):
        machine.add_region(name, base, REGION_BYTES, writable)
        machine.write(base, memory_image(image_seed + index, parameters))


def difference(program: Sequence[Command], parameters: Parameters, image_seed: int) -> str | None:
    """None if both refuse the same command, or accept all and end in the same state; otherwise what differs."""
    model = IsaModel(parameters)
    _furnish(model, image_seed, parameters)
    machine = new_machine(parameters, image_seed)
    for index, command in enumerate(program):
        expected = refusal(model, command)
        found = refusal(machine, command)
        if (expected is None) != (found is None):
            return f"command {index} {command}: model says {expected or 'legal'}, simulator says {found or 'legal'}"
        if expected is not None:
            return None
    machine.fence()
    for name in ("scratchpad", "accumulator"):
        ours = getattr(model, name)
        theirs = getattr(machine, name)()
        different = ours.view(f"u{ours.itemsize}") != theirs.view(f"u{theirs.itemsize}")  # to the bit
        if different.any():
            row, column = np.argwhere(different)[0]
            return f"{name}[{row}, {column}]: model {ours[row, column]}, simulator {theirs[row, column]}"
    for name, base, _ in REGIONS:
        expected_bytes, found_bytes = model.read(base, REGION_BYTES), machine.read(base, REGION_BYTES)
        if expected_bytes != found_bytes:
            offset = next(i for i in range(REGION_BYTES) if expected_bytes[i] != found_bytes[i])
            return f"{name} byte {offset}: model {expected_bytes[offset]}, simulator {found_bytes[offset]}"
    return None


def refusal(machine: IsaModel | _simulator.CommandMachine, command: Command) -> str | None:
    try:
        machine.issue(command.funct, command.rs1, command.rs2)
    except Illegal as illegal:
        return str(illegal)
    except _simulator.SimulatorFault as fault:
        return f"{fault.kind}: {fault.message}"
    return None


def reduced(program: Sequence[Command], is_bad: Callable[[Sequence[Command]], bool]) -> list[Command]:
    """A program from which no command can be left out without losing the property."""
    out = list(program)
    size = len(out) // 2
    while size:
        start = 0
        while start < len(out):
            shorter = out[:start] + out[start + size :]
            if is_bad(shorter):
                out = shorter
            else:
                start += size
        size //= 2
    return out


def assert_same(program: Sequence[Command], parameters: Parameters, image_seed: int) -> None:
    """Fails with the shortest program that shows the difference."""
    if difference(program, parameters, image_seed) is None:
        return
    smallest = reduced(program, lambda shorter: difference(shorter, parameters, image_seed) is not None)
    listing = "\n".join(f"  issue({c.funct}, {c.rs1:#x}, {c.rs2:#x})" for c in smallest)
    raise AssertionError(
        f"{difference(smallest, parameters, image_seed)}\n{parameters}, memory image {image_seed}:\n{listing}"
    )
