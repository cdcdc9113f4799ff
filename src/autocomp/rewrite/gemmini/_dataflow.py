"""What a kernel computes, exactly: which products end up in which output tile.

Each product (a tile of A times a tile of B) becomes a 64-bit hash of where its operands came from in memory; what an
accumulator tile holds is the wrapping sum of the hashes since it was last overwritten. Addition of integers commutes,
so two kernels that store equal sums at equal places compute the same thing in whatever order. The signature of a
kernel is one number made of all its final stores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import ACCUMULATE, ACCUMULATOR, GARBAGE, ROW_MASK, Configuration
from autocomp.rewrite.gemmini._trace import COMPUTE, COMPUTE_AGAIN, LOAD, PRELOAD, STORE, Ints, Trace

DIM = 16
SCRATCHPAD_ROWS = 16384
ACCUMULATOR_ROWS = 1024
_LOW = 22  # bits for the position in time and for the index of an entry
Hashes = npt.NDArray[np.uint64]


class Operand(NamedTuple):
    """One address argument of one command."""

    statement: int
    argument: int


@dataclass(frozen=True)
class Dataflow:
    """Result of the analysis."""

    signature: int
    pairs: Ints
    """Distinct pairs of operands that touch the same data: four columns (statement, argument, statement, argument)."""
    first_products: frozenset[tuple[int, bool]]
    """For each preload: does it (True) or does it not (False) ever write a product as the first of its sum."""
    cleared: frozenset[int]
    """Statements that load zeros into the accumulator."""


_REFUSALS = {
    1: "preloads and computes do not alternate",
    2: "an operand is not a whole scratchpad tile",
    3: "weights are preloaded and not used, or used and not preloaded",
    4: "a transfer is wider or higher than a command can move, or does not start at a tile",
    5: "an address lies beyond its memory",
    6: "data is read before it is written",
    7: "an operand is larger than what was loaded",
    8: "a result does not go through the accumulator",
}


def signature_of(trace: Trace, configuration: Configuration) -> int:
    """The signature alone, fast. Raises IllegalMoveError where :func:`analyse` does."""
    from autocomp.rewrite.gemmini._signature import signature

    if not configuration.weight_stationary:
        raise IllegalMoveError("only the weight-stationary dataflow is analysed")
    strides = np.array(configuration.load_strides, np.int64)
    outcome, value = signature(trace.kind, trace.first, trace.second, trace.sizes, strides)
    if outcome:
        raise IllegalMoveError(_REFUSALS.get(outcome, "the kernel is outside what is modelled"))
    return int(value)


def mix(*parts: Ints | Hashes | int) -> Hashes:
    """A 64-bit hash of integers, element by element (finaliser of the SplitMix generator after every part)."""
    state: Hashes = np.zeros(1, np.uint64)
    for part in parts:
        state = state + np.asarray(part).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(31))
    return state


class _Blocks(NamedTuple):
    """Loads or stores cut into blocks of one tile's width."""

    time: Ints
    cell: Ints
    address: Ints
    rows: Ints
    columns: Ints


def _blocks(trace: Trace, at: Ints, element_bytes: Ints | int) -> _Blocks:
    sizes, local = trace.sizes[at], trace.second[at]
    columns, rows = sizes & 0xFF, sizes >> 8 & 0xFF
    if np.any(columns < 1) or np.any(columns > 4 * DIM) or np.any(rows < 1) or np.any(rows > DIM):
        raise IllegalMoveError("a transfer is wider or higher than a command can move")
    row = local & ROW_MASK
    if np.any(row % DIM):
        raise IllegalMoveError("a transfer does not start at a tile")
    count = -(-columns // DIM)
    most = int(count.max(initial=1))
    parts = []
    for block in range(most):
        keep = slice(None) if block == 0 else np.flatnonzero(count > block)
        wide = columns[keep] - block * DIM
        step = element_bytes if isinstance(element_bytes, int) else element_bytes[keep]
        address = trace.first[at][keep]
        parts.append((at[keep], (row[keep] // DIM) + block, address + np.where(address > 0, block * DIM * step, 0),
                      rows[keep], np.minimum(wide, DIM)))  # fmt: skip
    return _Blocks(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _order(cell: Ints, time: Ints) -> tuple[Ints, Ints]:
    """Indices sorted by cell, then time; and the cells in that order."""
    key = np.sort((cell << 2 * _LOW) | (time << _LOW) | np.arange(len(cell)))
    return key & ((1 << _LOW) - 1), key >> 2 * _LOW


def analyse(trace: Trace, configuration: Configuration) -> Dataflow:
    """Follow the data. Raises IllegalMoveError where the kernel does something outside what is modelled."""
    if not configuration.weight_stationary:
        raise IllegalMoveError("only the weight-stationary dataflow is analysed")
    kind = trace.kind
    engine = np.flatnonzero(kind <= COMPUTE_AGAIN)
    preloads, computes = engine[0::2], engine[1::2]
    if len(engine) % 2 or np.any(kind[preloads] != PRELOAD) or np.any(kind[computes] == PRELOAD):
        raise IllegalMoveError("preloads and computes do not alternate")
    if np.any(trace.second[computes] != GARBAGE):
        raise IllegalMoveError("a compute adds an operand")
    fresh = kind[computes] == COMPUTE
    real = trace.first[preloads] != GARBAGE
    if np.any(fresh != real) or (len(fresh) and not fresh[0]):
        raise IllegalMoveError("weights are preloaded and not used, or used and not preloaded")
    strides = np.array(configuration.load_strides)
    loads = np.flatnonzero((kind >= LOAD) & (kind < STORE))
    to_accumulator = (trace.second[loads] & ACCUMULATOR) != 0
    pairs: list[Ints] = []

    # Scratchpad: which load filled the tile that each compute and preload reads.
    weights = preloads[real]
    source, matched = _scratchpad_sources(trace, loads[~to_accumulator], computes, weights)
    pairs.append(matched)
    operand_hash = mix(source.address, strides[trace.kind[source.time] - LOAD])
    left = operand_hash[: len(computes)]
    resident = np.cumsum(fresh) - 1
    right = operand_hash[len(computes) :][resident]
    compute_sizes = trace.sizes[computes] & 0xFFFF
    weight_sizes = (trace.sizes[preloads[fresh]] & 0xFFFF)[resident]
    product = mix(left, right, compute_sizes | weight_sizes << 16 | (trace.sizes[preloads] >> 16 & 0xFFFF) << 32)
    _check_sizes(source, compute_sizes, trace.sizes[weights] & 0xFFFF)
    return _accumulator(trace, strides, loads[to_accumulator], preloads, product, pairs)


def _check_sizes(source: _Blocks, compute_sizes: Ints, weight_sizes: Ints) -> None:
    wanted = np.concatenate([compute_sizes, weight_sizes])
    if np.any(source.columns < (wanted & 0xFF)) or np.any(source.rows < wanted >> 8):
        raise IllegalMoveError("an operand is larger than what was loaded")


def _scratchpad_sources(trace: Trace, loads: Ints, computes: Ints, weights: Ints) -> tuple[_Blocks, Ints]:
    written = _blocks(trace, loads, 1)
    if np.any((trace.second[loads] & ROW_MASK) + ((written.columns[: len(loads)] * 0)) >= SCRATCHPAD_ROWS):
        raise IllegalMoveError("a load goes beyond the scratchpad")
    addresses = np.concatenate([trace.first[computes], trace.first[weights]])
    if np.any(addresses & ACCUMULATOR) or np.any(addresses % DIM):
        raise IllegalMoveError("an operand does not start at a scratchpad tile")
    cell = np.concatenate([written.cell, addresses // DIM])
    if np.any(cell >= SCRATCHPAD_ROWS // DIM):
        raise IllegalMoveError("an address lies beyond the scratchpad")
    time = np.concatenate([written.time, computes, weights])
    index, cells = _order(cell, time)
    is_write = index < len(written.cell)
    position = np.arange(len(index))
    last = np.maximum.accumulate(np.where(is_write, position, -1))
    reads = np.flatnonzero(~is_write)
    origin = last[reads]
    if np.any(origin < 0) or np.any(cells[origin] != cells[reads]):
        raise IllegalMoveError("an operand is read before it is loaded")
    writer = np.empty(len(addresses), np.int64)
    writer[index[reads] - len(written.cell)] = index[origin]
    source = _Blocks(*(column[writer] for column in written))
    readers = np.concatenate([trace.statement[computes], trace.statement[weights]]).astype(np.int64)
    codes = np.unique(trace.statement[source.time].astype(np.int64) << 20 | readers)
    zero = np.zeros_like(codes)
    return source, np.stack([codes >> 20, zero + 1, codes & 0xFFFFF, zero], axis=1)


def _accumulator(trace: Trace, strides: Ints, loads: Ints, preloads: Ints, product: Hashes,
                 pairs: list[Ints]) -> Dataflow:  # fmt: skip
    """Sum up what each accumulator tile holds whenever it is stored."""
    goal = trace.second[preloads]
    kept = np.flatnonzero(goal != GARBAGE)
    goal, product, preloads = goal[kept], product[kept], preloads[kept]
    if np.any((goal & ACCUMULATOR) == 0) or np.any((goal & ROW_MASK) % DIM):
        raise IllegalMoveError("a result does not go to an accumulator tile")
    loaded = _blocks(trace, loads, 4)
    stores = np.flatnonzero(trace.kind == STORE)
    local = trace.second[stores]
    if np.any((local & ACCUMULATOR) == 0):
        raise IllegalMoveError("a store reads the scratchpad")
    stored = _blocks(trace, stores, np.where(local & 0x20000000, 4, 1))
    time = np.concatenate([preloads, loaded.time, stored.time])
    cell = np.concatenate([(goal & ROW_MASK) // DIM, loaded.cell, stored.cell])
    if np.any(cell >= ACCUMULATOR_ROWS // DIM):
        raise IllegalMoveError("an address lies beyond the accumulator")
    load_hash = np.where(
        loaded.address > 0,
        mix(loaded.address, strides[trace.kind[loaded.time] - LOAD], loaded.rows | loaded.columns << 8),
        np.uint64(0),
    )
    value = np.concatenate([product, load_hash, np.zeros(len(stored.time), np.uint64)])
    overwrites = np.concatenate([
        (goal & ACCUMULATE) == 0, (trace.second[loaded.time] & ACCUMULATE) == 0, np.zeros(len(stored.time), np.bool_)
    ])  # fmt: skip
    index, cells = _order(cell, time)
    position = np.arange(len(index))
    total = np.cumsum(value[index], dtype=np.uint64)
    begin = np.maximum.accumulate(np.where(overwrites[index], position, -1))
    if np.any(begin < 0) or np.any(cells[begin] != cells):
        raise IllegalMoveError("the accumulator is read before it is written")
    before = np.where(begin > 0, total[begin - 1], np.uint64(0))
    held = np.empty(len(index), np.uint64)
    held[index] = total - before
    final = held[len(preloads) + len(loaded.time) :]
    # The last store to an address counts; a store that another one replaces with different data must stay the last.
    order = np.lexsort((stored.time, stored.address))
    address = stored.address[order]
    last = np.ones(len(order), np.bool_)
    last[:-1] = address[1:] != address[:-1]
    chosen = order[last]
    signature = mix(stored.address[chosen], stored.rows[chosen] | stored.columns[chosen] << 8, final[chosen])

    statement = trace.statement[time].astype(np.int64)[index]
    linked = np.flatnonzero(~overwrites[index][1:]) + 1
    codes = np.unique(statement[linked - 1] << 20 | statement[linked])
    one = np.ones_like(codes)
    pairs.append(np.stack([codes >> 20, one, codes & 0xFFFFF, one], axis=1))
    # A product is the first of its sum if nothing but zeros lies before it.
    empty = np.concatenate([[0], np.cumsum(value[index] != 0)])
    earlier = empty[:-1] - np.where(begin > 0, empty[begin], 0)
    starts = np.empty(len(index), np.bool_)
    starts[index] = earlier == 0
    first = frozenset(
        (int(code) >> 1, bool(code & 1))
        for code in np.unique(trace.statement[preloads].astype(np.int64) * 2 + starts[: len(preloads)])
    )
    zeros = frozenset(int(number) for number in np.unique(trace.statement[loaded.time[loaded.address == 0]]))
    return Dataflow(int(np.sum(signature, dtype=np.uint64)), np.concatenate(pairs), first, zeros)
