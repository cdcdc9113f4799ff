from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

class Fault(TypedDict):
    kind: str
    message: str
    pc: int

class Result(TypedDict):
    fault: Fault | None
    outputs: dict[str, bytes]
    latency_cycles: int
    counters: dict[str, int]
    timeline: list[tuple[str, int, int, int, int, int]]

class Simulator:
    def __init__(self, settings: Mapping[str, int]) -> None: ...
    def run(
        self,
        elf: bytes,
        entry: str,
        arguments: Sequence[Mapping[str, object]],
        *,
        timing: bool = ...,
        timeline: bool = ...,
        memory: str = ...,
        instruction_limit: int,
        cycle_limit: int,
        may_read_clock: bool = ...,
    ) -> Result: ...

def settings() -> dict[str, tuple[int, int, int, str]]: ...
def counter_meanings() -> dict[str, str]: ...
def __getattr__(name: str) -> Any: ...
