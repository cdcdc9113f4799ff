"""Behaves as Spike or as a simulator made by Verilator does, or as these do when something is wrong.

``stand_in.py TOOL MISHAP [arguments as the real tool takes them]``
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import machine


def main(tool: str, mishap: str, arguments: list[str]) -> None:
    elf = Path(arguments[-1])
    if tool == "verilator":
        _check_arguments(arguments)
        _say(b"This emulator compiled with JTAG Remote Bitbang client. To enable, use +jtag_rbb_enable=1.\n")
        _say(b"[UART] UART0 is here (stdin/stdout).\n")
    if mishap == "license":
        print("lmgrd: no license for this tool", file=sys.stderr)
        sys.exit(1)
    if mishap == "silent":
        time.sleep(600)
    if mishap == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    console = machine.run(elf.read_bytes())
    text = console.text
    lines = text.splitlines(keepends=True)
    if mishap == "dies":
        _say(lines[0])
        os.kill(os.getpid(), signal.SIGSEGV)
    if mishap == "cut":
        _say(b"".join(lines[:-2]) + lines[-2][:20])
        sys.exit(0)
    if mishap == "noise":
        text = b"".join(b"warning: \xff\xfe tohost@" + line + b"\0\0 mem" for line in lines)
    if mishap == "other":
        text = text.replace(text[1:17], b"0123456789abcdef")
    _say(text)
    if console.endless:
        if tool == "verilator" and mishap == "max-cycles":
            _say(b"*** FAILED *** via trace_count (timeout, seed 1712345678) after 100000000 cycles\n")
            sys.exit(2)
        time.sleep(600)
    if console.fault:
        if tool == "verilator":
            _say(b"[123456] %Error: LocalAddr.scala:57: Assertion failed in TestDriver.testHarness.chiptop\n")
        else:
            _say(b"spike: gemmini.cc:123: Assertion `spad_addr < spad_rows' failed.\n")
        os.kill(os.getpid(), signal.SIGABRT)
    if tool == "verilator":
        _say(b"*** PASSED *** Completed after %d cycles\n" % console.cycles)


def _check_arguments(arguments: list[str]) -> None:
    """As Chipyard calls its simulators: switches between +permissive and +permissive-off, then the program."""
    *switches, program = arguments
    assert switches[0] == "+permissive", switches
    assert switches[-1] == "+permissive-off", switches
    assert f"+loadmem={program}" in switches, switches
    assert any(switch.startswith("+max-cycles=") for switch in switches), switches


def _say(text: bytes) -> None:
    os.write(1, text)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
