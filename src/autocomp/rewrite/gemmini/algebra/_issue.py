"""Writes commands one after the other and configures only what is not in force already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from autocomp.rewrite.gemmini._geometry import Geometry
from autocomp.rewrite.gemmini.algebra._settings import Number
from autocomp.rewrite.ir._expression import Const, Element, Expression, Text, Var
from autocomp.rewrite.ir._tree import ArrayType, Command, Loop

_LOADS = ("mvin", "mvin2", "mvin3")
_WEIGHTS, _NOTHING = Text("WEIGHT_STATIONARY"), Text("NO_ACTIVATION")


class Issue:
    """The commands so far, and the state of the chip behind the last of them."""

    def __init__(self, arrays: Mapping[str, ArrayType], geometry: Geometry) -> None:
        self.arrays = dict(arrays)
        self.commands: list[Command | Loop] = []
        self._geometry = geometry
        self._loads: dict[int, tuple[int, Number, int]] = {}
        self._execute: tuple[bool, int, int] | None = None
        self._store: int | None = None

    def add(self, name: str, *args: Expression | int) -> None:
        """One command."""
        self.commands.append(Command(name, tuple(Const(arg) if isinstance(arg, int) else arg for arg in args)))

    @contextmanager
    def loop(self, var: str, count: int) -> Iterator[Expression]:
        """What is written inside becomes the body of a loop; it must not configure anything."""
        outside, self.commands = self.commands, []
        yield Var(var)
        self.commands = [*outside, Loop(var, count, tuple(self.commands))]

    def forget_execute(self) -> None:
        """What follows runs again and again, and may change how the array is configured."""
        self._execute = None

    def execute(self, *, transpose: bool, a_stride: int = 0, c_stride: int = 0) -> None:
        """Configure the array. Strides of 0 may be any: operands of one row."""
        held = self._execute
        if held is not None and held[0] is transpose and a_stride in (0, held[1]) and c_stride in (0, held[2]):
            return
        self._execute = held = (transpose, a_stride or 1, c_stride or 1)
        if held[2] == 1:
            self.add("config_ex", _WEIGHTS, _NOTHING, held[1], 0, int(transpose))
            return
        self.add("gemmini_extended3_config_ex", _WEIGHTS, _NOTHING, 0, 1, held[2], held[1], 0, int(transpose), 0)

    def load_settings(self, array: str, columns: int, factor: Number, block_stride: int) -> str:
        """Configure loads of rows of an array, if need be; returns the command to load with."""
        wide = columns > self._geometry.dim
        last = self.arrays[array].extents[-1]
        stride = (last if last > 1 else columns) * self._geometry.element_bytes
        wanted, counts = (stride, factor, block_stride), 3 if wide else 2
        state = next((key for key, held in self._loads.items() if held[:counts] == wanted[:counts]), None)
        if state is None:
            state = len(self._loads) if len(self._loads) < len(_LOADS) else next(iter(self._loads))
            scale = Const(int(factor)) if factor == int(factor) else Text(f"{float(factor)!r}f")
            self.add("config_ld", stride, scale, block_stride, state)
            self._loads.pop(state, None)
            self._loads[state] = wanted
        else:
            self._loads[state] = self._loads.pop(state)  # the one used last is replaced last
        return _LOADS[state]

    def store_settings(self, length: int, rows: int) -> None:
        """Configure stores of rows of so many elements; any stride will do for one row."""
        stride = length * self._geometry.element_bytes
        if self._store is None or (rows > 1 and stride != self._store):
            self._store = stride
            self.add("config_st", stride)

    def element(self, array: str, index: Expression) -> Element:
        """The start of a vector or of a row of a matrix."""
        extents = self.arrays[array].extents
        lone = len([extent for extent in extents if extent > 1]) == 1 and extents[0] > 1
        return Element(array, ((Const(0) if lone else index), *[Const(0)] * (len(extents) - 1)))
