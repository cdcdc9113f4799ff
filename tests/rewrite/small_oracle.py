"""An independent executor of kernels for the float chip: whole memories as NumPy arrays, any number type, no checks.

It shares the statements with the proposer and nothing else: expressions are evaluated by ``value`` of the other oracle.
"""

from __future__ import annotations

import numpy as np
from rewrite_oracle import value

from autocomp.rewrite.ir._expression import Const, Element, Op, Sum, Text
from autocomp.rewrite.ir._tree import Command, If, Kernel, Loop

DIM = 4
GARBAGE = 0xFFFFFFFF


class SmallMachine:
    """Memories of ``DIM`` columns; ``numbers`` is the dtype (float64, or object for exact whole numbers)."""

    def __init__(self, kernel: Kernel, arrays: dict[str, np.ndarray], numbers: object = np.float64) -> None:
        self.numbers = numbers
        self.shapes = {name: array.extents for name, array in kernel.arrays.items()}
        self.memory = {name: np.array(array, numbers).reshape(-1) for name, array in arrays.items()}
        for name, own in kernel.locals.items():
            self.memory[name] = np.zeros(int(np.prod(self.shapes[name])), numbers)
            if own.values:
                self.memory[name][:] = own.values
        self.local = {False: np.zeros((16384, DIM), numbers), True: np.zeros((4096, DIM), numbers)}
        self.load = {}
        self.scale = 1
        self.stride = 0
        self.turned = (False, False)
        self.apart = (1, 1)
        self.factor = 1
        self.array = self.waiting = np.zeros((DIM, DIM), numbers)
        self.goal = ()

    def run(self, body, env=None) -> SmallMachine:
        env = env or {}
        for statement in body:
            if isinstance(statement, Loop):
                for turn in range(statement.count):
                    self.run(statement.body, {**env, statement.var: turn})
            elif isinstance(statement, If):
                self.run(statement.then if value(statement.condition, env) else statement.orelse, env)
            else:
                assert isinstance(statement, Command), statement
                self.command(statement, env)
        return self

    def command(self, command: Command, env) -> None:
        name, args = command.name, command.args
        if name == "gemmini_extended3_config_ex":
            self.factor = whole(args[3])
            self.apart = value(args[5], env), value(args[4], env)
            self.turned = bool(value(args[6], env)), bool(value(args[7], env))
        elif name == "=":
            array, at = self.place(args[0], env)
            array[at] = self.number(args[1], env)
        elif name == "config_ex":
            self.factor, self.apart = 1, (value(args[2], env), 1)
            self.turned = bool(value(args[3], env)), bool(value(args[4], env))
        elif name == "config_ld":
            self.load[value(args[3], env)] = value(args[0], env) // 4, whole(args[1]), value(args[2], env)
        elif name == "config_st":
            self.stride, self.scale = value(args[0], env) // 4, whole(args[2]) if len(args) > 2 else 1
        elif name.startswith("mvin"):
            self.move_in({"mvin": 0, "mvin2": 1, "mvin3": 2}[name], args[0], [value(arg, env) for arg in args[1:]], env)
        elif name == "mvout":
            self.move_out(args[0], [value(arg, env) for arg in args[1:]], env)
        elif name == "preload":
            weights, goal, *extent = (value(arg, env) for arg in args)
            self.waiting = self.operand(weights, *extent[:2], turned=self.turned[1])
            self.goal = (goal, *extent[2:])
        elif name.startswith("compute"):
            first, second, *extent = (value(arg, env) for arg in args)
            if name == "compute_preloaded":
                self.array = self.waiting
            left = self.operand(first, *extent[:2], turned=self.turned[0], apart=self.apart[0])
            total = self.operand(second, *extent[2:], turned=False) + left @ self.array
            goal, columns, rows = self.goal
            if goal != GARBAGE:
                for row in range(rows):
                    self.put(goal + row * self.apart[1], total[row : row + 1, :columns])
        else:
            assert name == "fence", name

    def place(self, element: Element, env):
        indices = [value(index, env) for index in element.indices]
        at = indices[0] if len(indices) == 1 else int(np.ravel_multi_index(indices, self.shapes[element.array]))
        return self.memory[element.array], at

    def number(self, expression, env):
        if isinstance(expression, Const):
            return expression.value
        if isinstance(expression, Sum):
            return expression.constant + sum(self.number(atom, env) * factor for atom, factor in expression.terms)
        assert isinstance(expression, Op)
        if expression.name == "*":
            return self.number(expression.args[0], env) * self.number(expression.args[1], env)
        array, at = self.place(expression.args[0], env)
        return array[at]

    def put(self, local: int, values: np.ndarray) -> None:
        rows = self.local[bool(local >> 31 & 1)][local & 0x1FFFFFFF :]
        before = rows[: len(values), : values.shape[1]]
        before[:] = before + values if local >> 31 & 1 and local >> 30 & 1 else values

    def move_in(self, state: int, source, args, env) -> None:
        local, columns, rows = args
        stride, scale, apart = self.load[state]
        for first in range(0, columns, DIM):
            width = min(DIM, columns - first)
            if source == Const(0):
                values = np.zeros((rows, width), self.numbers)
            else:
                array, at = self.place(source, env)
                values = np.stack([array[at + row * stride + first :][:width] for row in range(rows)]) * scale
            self.put(local + first // DIM * apart, values)

    def move_out(self, target, args, env) -> None:
        local, columns, rows = args
        array, at = self.place(target, env)
        accumulator = bool(local >> 31 & 1)
        for first in range(0, columns, DIM):
            for row in range(rows):
                held = self.local[accumulator][(local & 0x1FFFFFFF) + first + row][: min(DIM, columns - first)]
                array[at + row * self.stride + first :][: len(held)] = held * (self.scale if accumulator else 1)

    def operand(self, address: int, columns: int, rows: int, *, turned: bool, apart: int = 1) -> np.ndarray:
        result = np.zeros((DIM, DIM), self.numbers)
        if address == GARBAGE:
            return result
        accumulator = bool(address >> 31 & 1)
        held = self.local[accumulator][address & 0x1FFFFFFF :: apart]
        held = held[:DIM] * (self.factor if accumulator else 1)
        if turned:
            result[:rows, :columns] = held[:columns, :rows].T
        else:
            result[:rows, :columns] = held[:rows, :columns]
        return result


def whole(expression) -> int:
    if isinstance(expression, Const):
        return expression.value
    assert isinstance(expression, Text)
    return int(float(expression.text.strip("()fF")))
