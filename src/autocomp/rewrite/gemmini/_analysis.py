"""What the moves ask about one kernel; everything is computed once, when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini._commands import (
    ACCUMULATE,
    ACCUMULATOR,
    FULL_WIDTH,
    GARBAGE,
    HARDWARE_LOOP,
    LOADS,
    ROW_MASK,
    Configuration,
    configuration,
)
from autocomp.rewrite.gemmini._dataflow import Dataflow, Operand, analyse
from autocomp.rewrite.gemmini._geometry import DEFAULT, Geometry
from autocomp.rewrite.gemmini._program import is_data, program
from autocomp.rewrite.ir._expression import (
    Const,
    Element,
    Expression,
    Op,
    Range,
    Ranges,
    add,
    make_sum,
    split_sum,
    variables,
)
from autocomp.rewrite.ir._simplify import range_of, rebuild
from autocomp.rewrite.ir._tree import Body, Command, Kernel, Site, conjuncts, edit, ranges_of, walk

FLAGS = ACCUMULATE | ACCUMULATOR | FULL_WIDTH


def row_of(address: Expression) -> Expression | None:
    """The row index in a local address, flags taken off; None for the garbage address."""
    if address == Const(GARBAGE):
        return None
    if isinstance(address, Op) and address.name == "?:":
        parts = [row_of(part) for part in address.args[1:]]
        known = [part for part in parts if part is not None]
        if len(known) == 1 or (known and known[0] == known[-1]):
            return known[0]
        raise IllegalMoveError("an address chooses between two places")
    constant, terms = split_sum(address)
    return make_sum(constant & ROW_MASK, tuple(term for term in terms if not _is_flag(term[0])))


def _is_flag(atom: Expression) -> bool:
    return (
        isinstance(atom, Op)
        and atom.name == "?:"
        and all(isinstance(part, Const) and part.value & ROW_MASK == 0 for part in atom.args[1:])
    )


def move_address(address: Expression, offset: Expression) -> Expression:
    """Add rows to a local address; the garbage address stays."""
    if address == Const(GARBAGE):
        return address
    if isinstance(address, Op) and address.name == "?:" and not _is_flag(address):
        return Op("?:", (address.args[0], *(move_address(part, offset) for part in address.args[1:])))
    return add(address, offset)


@dataclass(frozen=True)
class Buffer:
    """Operands that hand data to one another, and the rows they use (end exclusive)."""

    accumulator: bool
    operands: frozenset[Operand]
    rows: Range
    weights: bool
    """Read by preloads (B) rather than by computes (A)."""
    tile: int = 16
    """Rows of a whole tile."""

    @property
    def size(self) -> int:
        """Number of rows from the first to the last, in whole tiles."""
        return -(-(self.rows.high - self.rows.low) // self.tile) * self.tile


class Analysis:
    """Facts about one kernel. Raises IllegalMoveError from any property if the kernel is outside the model."""

    def __init__(self, kernel: Kernel, geometry: Geometry = DEFAULT, like: Analysis | None = None) -> None:
        """With ``like``, the kernel has the same commands in the same order and the same data flow as another."""
        self.kernel = kernel
        self.geometry = geometry
        self._like = like
        self.memory: dict[str, object] = {}
        """What moves remember of this kernel."""

    def of(self, kernel: Kernel) -> Analysis:
        """The analysis of another kernel for the same chip."""
        return Analysis(kernel, self.geometry)

    def alike(self, body: Body) -> Analysis:
        """The analysis of other loops around the same commands, which run in the same order."""
        return Analysis(self.kernel.with_body(body), self.geometry, self)

    @cached_property
    def configuration(self) -> Configuration:
        """The config commands."""
        return configuration(self.kernel, self.geometry)

    @cached_property
    def configurations(self) -> tuple[Command, ...]:
        """The config commands in the order of the text."""
        return tuple(
            site.statement
            for site in walk(self.kernel.body)
            if isinstance(site.statement, Command) and "config" in site.statement.name
        )

    @cached_property
    def hardware(self) -> bool:
        """True if the kernel is made of hardware loops."""
        return bool(self.numbers(HARDWARE_LOOP))

    @cached_property
    def signature(self) -> int:
        """One number for what is computed."""
        return self.dataflow.signature

    @cached_property
    def dataflow(self) -> Dataflow:
        """What is computed."""
        if self._like is not None:
            return self._like.dataflow
        return analyse(program(self.kernel, self.configuration), self.configuration, self.geometry)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Data commands by statement number."""
        return tuple(
            site for site in walk(self.kernel.body) if isinstance(site.statement, Command) and is_data(site.statement)
        )

    @cached_property
    def load_share(self) -> float:
        """Cycles the load unit needs at least, as a share of those the array needs."""
        load, compute = 0.0, 0.0
        for number, site in enumerate(self.sites):
            command = self.command(number)
            times = _executions(site)
            if command.name in LOADS and command.args[0] != Const(0):
                ranges = self.ranges(number)
                columns, rows = (range_of(command.args[index], ranges).high for index in (2, 3))
                load += times * rows * self.geometry.tiles(columns)
            elif command.name == "preload":
                compute += times * self.geometry.dim
        return load / compute if compute else 0.0

    def command(self, number: int) -> Command:
        """The command with a statement number."""
        statement = self.sites[number].statement
        assert isinstance(statement, Command)
        return statement

    def ranges(self, number: int) -> Ranges:
        """Ranges of the loop variables around a command."""
        return ranges_of(self.sites[number].loops)

    def rows(self, operand: Operand, zero: frozenset[str] = frozenset()) -> Range | None:
        """Rows an operand touches (end exclusive), some variables held at zero; None if it is always garbage."""
        command = self.command(operand.statement)
        row = row_of(command.args[operand.argument])
        if row is None:
            return None
        ranges = dict(self.ranges(operand.statement))
        ranges.update({name: Range(0, 0) for name in zero if name in ranges})
        bounds = range_of(row, ranges)
        return Range(bounds.low, bounds.high + self._extent(operand, ranges))

    def _extent(self, operand: Operand, ranges: Ranges) -> int:
        """Most rows from the first to the last that an operand touches in one command."""
        command, tile = self.command(operand.statement), self.geometry.dim
        if command.name in LOADS or command.name == "mvout":
            if command.name == "mvout" and self.configuration.store.pooled_rows:
                return self.configuration.store.pooled_rows
            apart = self.configuration.loads[LOADS.index(command.name)].block_stride if command.name in LOADS else tile
            columns, rows = (range_of(command.args[index], ranges).high for index in (2, 3))
            tiles = min(self.geometry.tiles(columns), self.geometry.widest)
            return (tiles - 1) * apart + min(rows, tile)
        rows = range_of(command.args[5 if operand.argument else 3], ranges).high
        return min(rows, tile)

    @cached_property
    def buffers(self) -> tuple[Buffer, ...]:
        """All buffers; operands whose rows interleave count as one buffer."""
        parent: dict[Operand, Operand] = {}

        def find(item: Operand) -> Operand:
            while parent.setdefault(item, item) != item:
                item = parent[item]
            return item

        for one, two in self.dataflow.pairs:
            parent[find(one)] = find(two)
        # What has the same address in the same loops is one thing, though each part of it may see other tiles only.
        seen: dict[tuple[object, ...], Operand] = {}
        for operand in list(parent):
            site = self.sites[operand.statement]
            address = self.command(operand.statement).args[operand.argument]
            if variables(address):
                key = (operand.argument, address, *(loop.var for loop in site.loops))
                parent[find(operand)] = find(seen.setdefault(key, operand))
        groups: dict[Operand, set[Operand]] = {}
        for operand in list(parent):
            groups.setdefault(find(operand), set()).add(operand)
        found = [self._buffer(frozenset(group)) for group in groups.values()]
        return _merge(found)

    def _buffer(self, operands: frozenset[Operand]) -> Buffer:
        spans = [span for operand in operands if (span := self.dataflow.rows.get(operand)) is not None]
        rows = Range(min(span.low for span in spans), max(span.high for span in spans))
        accumulator = any(
            operand.argument == 1 and self.command(operand.statement).name in ("preload", "mvout")
            for operand in operands
        )
        weights = any(
            operand.argument == 0 and self.command(operand.statement).name == "preload" for operand in operands
        )
        return Buffer(accumulator, operands, rows, weights, self.geometry.dim)

    def buffer_of(self, statement: int, argument: int) -> Buffer:
        """The buffer an operand belongs to."""
        for buffer in self.buffers:
            if (statement, argument) in buffer.operands:
                return buffer
        raise IllegalMoveError("a command moves data that nothing uses")

    def loads(self, *, accumulator: bool = False) -> tuple[int, ...]:
        """Statement numbers of loads into one of the two memories."""
        result = []
        for number, site in enumerate(self.sites):
            command = site.statement
            if isinstance(command, Command) and command.name in LOADS:
                into = range_of(command.args[1], self.ranges(number)).low >= ACCUMULATOR
                if into == accumulator:
                    result.append(number)
        return tuple(result)

    def numbers(self, *names: str) -> tuple[int, ...]:
        """Statement numbers of commands with the given names."""
        return tuple(number for number in range(len(self.sites)) if self.command(number).name in names)

    def array_variables(self, number: int) -> frozenset[str]:
        """Loop variables that the memory address of a load or store depends on."""
        return variables(self.command(number).args[0])

    def replace(self, changes: dict[int, Command]) -> Body:
        """The body with some commands replaced."""
        return edit(self.kernel.body, {self.sites[number].path: (command,) for number, command in changes.items()})


def _executions(site: Site) -> float:
    """How often a command runs, roughly: conditions of the form index == value are taken as even odds of one in n."""
    times = 1.0
    for loop in site.loops:
        times *= loop.count
    ranges = ranges_of(site.loops)
    for guard in site.guards:
        for part in conjuncts(guard):
            if isinstance(part, Op) and part.name == "==" and not isinstance(part.args[0], Element):
                bounds = range_of(part.args[0], ranges)
                times /= max(1, min(bounds.high - bounds.low + 1, 1 << 20))
    return times


def _merge(found: list[Buffer]) -> tuple[Buffer, ...]:
    """Join buffers of one memory whose rows overlap: they interleave and can only be moved together."""
    result: list[Buffer] = []
    for buffer in sorted(found, key=lambda item: (item.accumulator, item.rows)):
        last = result[-1] if result else None
        if last and last.accumulator == buffer.accumulator and buffer.rows.low < last.rows.high:
            result[-1] = Buffer(
                last.accumulator,
                last.operands | buffer.operands,
                Range(last.rows.low, max(last.rows.high, buffer.rows.high)),
                last.weights or buffer.weights,
                last.tile,
            )
        else:
            result.append(buffer)
    return tuple(result)


def relocate(analysis: Analysis, offsets: dict[Operand, Expression]) -> Body:
    """Add rows to operands."""
    changes: dict[int, Command] = {}
    for operand, offset in offsets.items():
        command = changes.get(operand.statement, analysis.command(operand.statement))
        args = list(command.args)
        args[operand.argument] = move_address(args[operand.argument], offset)
        changes[operand.statement] = Command(command.name, tuple(args))
    return analysis.replace(changes)


def hold_at_zero(address: Expression, names: frozenset[str]) -> Expression:
    """A local address that no longer depends on some variables."""
    return rebuild(address, {}, dict.fromkeys(names, Const(0)))


def linear_index(names: list[tuple[str, int]]) -> Expression:
    """Number of a turn in a nest of (variable, count), outermost first."""
    from autocomp.rewrite.ir._expression import Var, scale

    value: Expression = Const(0)
    for name, count in names:
        value = add(scale(value, count), Var(name))
    return value
