"""Behaves as FireSim's manager does with one FPGA: ``fpga.py COMMAND``, run in a deploy folder.

``infrasetup`` takes the workload's program; ``runworkload`` runs it, writes ``sim_slot_0/uartlog`` as it goes and, once
the simulation has ended, copies that below ``results-workload``. A file ``mishap`` in the folder makes things go wrong.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import machine

PROGRAM = Path("workloads/gemmini/autocomp-baremetal")


def main(command: str) -> None:
    mishap = Path("mishap").read_text() if Path("mishap").exists() else ""
    with Path("calls").open("a") as calls:
        calls.write(command + "\n")
    print(f"FireSim Manager. Docs: https://docs.fires.im\nRunning: {command}")
    if mishap == f"{command} fails":
        print(f"Fatal error: {mishap}")
        sys.exit(1)
    if command == "infrasetup":
        if mishap == "busy":
            print("Fatal error: FPGA 0 is in use by another user")
            sys.exit(1)
        Path("loaded").write_bytes(PROGRAM.read_bytes())
    if command == "runworkload":
        _run(Path("loaded").read_bytes(), mishap)


def _run(program: bytes, mishap: str) -> None:
    slot = Path("sim_slot_0")
    slot.mkdir(exist_ok=True)
    log = slot / "uartlog"
    log.write_text("Commencing simulation.\nUART0 is here (stdin/stdout).\n")
    if mishap == "dead":
        return
    console = machine.run(program, instructions=3_000_000)
    for line in console.text.splitlines(keepends=True):
        if mishap == "garbled" and b" time 1 " in line:
            continue
        with log.open("ab") as file:
            file.write(line)
    if console.endless or mishap == "hangs":
        time.sleep(600)
    with log.open("a") as file:
        file.write("*** PASSED *** after 1000000 cycles\n")
    results = Path(f"results-workload/{time.time_ns()}-gemmini/autocomp0")
    results.mkdir(parents=True)
    (results / "uartlog").write_bytes(log.read_bytes())


if __name__ == "__main__":
    main(sys.argv[1])
