"""The chip in numbers: what the configured sizes make of the descriptions in ``target.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autocomp.records import Ideal, Problem

SUM_BYTES = 4
"""int32 or float32: every chip's sums have so many."""


def element_type(sizes: Mapping[str, int]) -> str:
    """Type of scratchpad elements, as NumPy names it."""
    return "float32" if sizes["float_elements"] else "int8"


def sum_type(sizes: Mapping[str, int]) -> str:
    """Type of accumulator elements, as NumPy names it."""
    return "float32" if sizes["float_elements"] else "int32"


def row_bytes(sizes: Mapping[str, int]) -> int:
    """Bytes of a scratchpad row."""
    return sizes["dim"] * (4 if sizes["float_elements"] else 1)


def describe(table: Mapping[str, Any]) -> Mapping[str, object]:
    """Chip, memories and units of a merged ``target.toml``; numbers in its texts are those of ``[simulator]``."""
    sizes: Mapping[str, int] = table["simulator"]
    dim = sizes["dim"]
    texts = {**sizes, "elements": element_type(sizes), "sums": sum_type(sizes)}
    numbers: dict[str, dict[str, int]] = {
        "scratchpad": {
            "bytes": sizes["scratchpad_banks"] * sizes["scratchpad_bank_rows"] * row_bytes(sizes),
            "banks": sizes["scratchpad_banks"],
            "row_bytes": row_bytes(sizes),
            "ports": 1,
        },
        "accumulator": {
            "bytes": sizes["accumulator_banks"] * sizes["accumulator_bank_rows"] * dim * SUM_BYTES,
            "banks": sizes["accumulator_banks"],
            "row_bytes": dim * SUM_BYTES,
            "ports": 2,
        },
        "L2": {
            "bytes": sizes["l2_sets"] * sizes["l2_ways"] * sizes["l2_line_bytes"],
            "ways": sizes["l2_ways"],
            "line_bytes": sizes["l2_line_bytes"],
        },
    }
    memories = [{**memory, **numbers.get(memory["name"], {})} for memory in _filled(table["memories"], texts)]
    chip = {
        "name": table["chip"]["name"].format_map(texts),
        "clock_hz": round(1e12 / sizes["core_clock_ps"]),
        "peak_multiply_accumulates_per_cycle": dim * dim,
        "load_bytes_per_cycle": sizes["bus_bytes"],
        "store_bytes_per_cycle": sizes["bus_bytes"],
    }
    return {"chip": chip, "memories": memories, "units": _filled(table["units"], texts), "simulator": dict(sizes)}


def _filled(entries: list[dict[str, str]], texts: Mapping[str, object]) -> list[dict[str, Any]]:
    return [{key: text.format_map(texts) for key, text in entry.items()} for entry in entries]


def memory_cycles(loaded_bytes: float, stored_bytes: float, sizes: Mapping[str, int]) -> float:
    """The least time in which the DMA moves so much.

    Two channels work at the same time. Requests and stored data leave on one, loaded data and acknowledgements come
    back on the other: ``bus_bytes`` each cycle, or one message without data, of which each request needs one.
    """
    beat, request = sizes["bus_bytes"], sizes["max_block_bytes"]
    out = stored_bytes / beat + loaded_bytes / request
    back = loaded_bytes / beat + stored_bytes / request
    return max(out, back)


def ideal(problem: Problem, sizes: Mapping[str, int]) -> Ideal:
    """The higher of the compute roof (every cell of the array busy) and the memory roof (the DMA never idle)."""
    rate = sizes["dim"] ** 2
    compute = problem.work.operations / rate
    read = sum(spec.nbytes for spec in problem.inputs)
    written = sum(spec.nbytes for spec in problem.outputs)
    loaded = problem.work.bytes * read / max(1, read + written)
    stored = problem.work.bytes - loaded
    memory = memory_cycles(loaded, stored, sizes)
    explanation = (
        f"{problem.work.operations:,} multiply-accumulates at {rate} per cycle are {compute:,.0f} cycles; "
        f"{loaded:,.0f} bytes in and {stored:,.0f} out, {sizes['bus_bytes']} per cycle each way, are {memory:,.0f}"
    )
    return Ideal(max(compute, memory), "cycles", "compute" if compute >= memory else "memory", explanation)
