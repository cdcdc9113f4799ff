"""An independent, slow executor of parsed kernels on real numbers: every row is moved, every product is added."""

from __future__ import annotations

import numpy as np

from autocomp.rewrite.gemmini import Geometry
from autocomp.rewrite.ir._expression import Const, Element, Op, Sum, Text, Var
from autocomp.rewrite.ir._tree import Command, If, Kernel, Loop, Opaque

GARBAGE = 0xFFFFFFFF
POISON = 77777


class Machine:
    """Scratchpad and accumulator of whole numbers without saturation, weight stationary."""

    def __init__(self, kernel: Kernel, arrays: dict[str, np.ndarray], geometry: Geometry) -> None:
        self.kernel = kernel
        self.arrays = arrays
        self.dim = geometry.dim
        self.scratchpad = np.full((geometry.scratchpad_rows, self.dim), POISON, np.int64)
        self.accumulator = np.full((geometry.accumulator_rows, self.dim), POISON, np.int64)
        self.strides: dict[int, tuple[int, int]] = {}
        self.pool: list[int] = []
        self.weights = np.zeros((self.dim, self.dim), np.int64)
        self.next = (GARBAGE, 0, 0)
        self.goal = (GARBAGE, 0, 0)
        self.slot = self.half = 0

    def run(self) -> None:
        self.block(self.kernel.body, {})

    def block(self, body, env) -> None:
        for statement in body:
            if isinstance(statement, Loop):
                for turn in range(statement.count):
                    self.block(statement.body, {**env, statement.var: turn})
            elif isinstance(statement, If):
                self.block(statement.then if value(statement.condition, env) else statement.orelse, env)
            elif isinstance(statement, Opaque):
                raise AssertionError(statement.text)
            elif isinstance(statement, Command):
                self.command(statement, env)

    def command(self, command: Command, env) -> None:
        name = command.name
        if "config_ld" in name:
            state = value(command.args[3], env) if len(command.args) > 3 else 0
            apart = value(command.args[2], env) if name == "config_ld" else self.dim
            self.strides[state] = value(command.args[0], env), apart
        if name == "gemmini_extended2_config_st":
            self.pool = [value(arg, env) for arg in command.args[3:]]
        if "config" in name or name in ("fence", "flush", "gemmini_flush"):
            return
        if name == "gemmini_loop_ws":
            self.hardware_loop(command, env)
            return
        args = [value(arg, env) for arg in command.args[1:]]
        first = command.args[0]
        if name.startswith("mvin"):
            self.load(first, env, args, {"mvin": 0, "mvin2": 1, "mvin3": 2}[name])
        elif name == "mvout":
            self.store(first, env, args)
        elif name == "preload":
            self.next = (value(first, env), args[1], args[2])
            self.goal = (args[0], args[3], args[4])
        else:
            self.compute(value(first, env), args, fresh=name == "compute_preloaded")

    def place(self, element: Element, env):
        array = self.arrays[element.array]
        indices = [value(index, env) for index in element.indices]
        if len(indices) < array.ndim:
            return array, int(np.ravel_multi_index(np.unravel_index(indices[0], array.shape), array.shape))
        offset = 0
        for index, extent in zip(indices, array.shape, strict=True):
            offset = offset * extent + index
        return array, offset

    def load(self, first, env, args, state) -> None:
        local, columns, rows = args
        memory = self.accumulator if local & 0x80000000 else self.scratchpad
        pitch, apart = self.strides[state]
        for block in range(-(-columns // self.dim)):
            width = min(self.dim, columns - block * self.dim)
            row = (local & 0x1FFFFFFF) + block * apart
            if first == Const(0):
                data = np.zeros((rows, width), np.int64)
            else:
                array, offset = self.place(first, env)
                stride = pitch // array.itemsize
                flat = array.reshape(-1)
                first_of = [offset + r * stride + block * self.dim for r in range(rows)]
                data = np.stack([flat[start:][:width] for start in first_of]).astype(int)
            if local & 0x40000000 and local & 0x80000000:
                memory[row : row + rows, :width] += data
            else:
                memory[row : row + rows, :width] = data

    def store(self, first, env, args) -> None:
        local, columns, rows = args
        array, offset = self.place(first, env)
        flat, stride = array.reshape(-1), array.shape[-1]
        assert local & 0x80000000
        if self.pool:
            self.store_pooled(flat, offset, stride, local & 0x1FFFFFFF, columns)
            return
        for block in range(-(-columns // self.dim)):
            width = min(self.dim, columns - block * self.dim)
            row = (local & 0x1FFFFFFF) + block * self.dim
            for r in range(rows):
                flat[offset + r * stride + block * self.dim :][:width] = self.accumulator[row + r, :width]

    def store_pooled(self, flat, offset, stride, row, columns) -> None:
        """The greatest of each window; places outside the picture count as zero."""
        step, size, width, out_rows, out_columns, rows, across, up, left = self.pool
        picture = self.accumulator[row : row + rows * across, :columns].reshape(rows, across, columns)
        for i in range(out_rows):
            for j in range(out_columns):
                best = np.full(columns, -(1 << 62), np.int64)
                for r in range(i * step - up, i * step - up + size):
                    for c in range(j * step - left, j * step - left + size):
                        inside = 0 <= r < rows and 0 <= c < across
                        best = np.maximum(best, picture[r, c] if inside else 0)
                flat[offset + (i * width + j) * stride :][:columns] = best

    def hardware_loop(self, command: Command, env) -> None:
        """A product of whole matrices; every element has one address in memory and one place on the chip."""
        i, j, k, pad_i, pad_j, pad_k = (value(arg, env) for arg in command.args[:6])
        strides = [value(arg, env) for arg in command.args[10:14]]
        assert not any(value(arg, env) for arg in (*command.args[14:18], *command.args[20:]))
        m, n, depth = i * self.dim - pad_i, j * self.dim - pad_j, k * self.dim - pad_k
        half = len(self.scratchpad) // 2
        assert (i + j) * k * self.dim <= half
        a = self.places(m, depth, k, self.slot * half)
        b = self.places(depth, n, j, (self.slot + 1) * half - k * j * self.dim)
        c = self.places(m, n, j, self.half * len(self.accumulator) // 2)
        memories = (self.scratchpad, self.scratchpad, self.accumulator)
        for state, (memory, place) in enumerate(zip(memories, (a, b, c), strict=True)):
            address = command.args[6 + state]
            if address != Const(0):
                array, at = self.matrix(address, env, place[0].shape, strides[state], self.strides[state][0])
                memory[place] = array.reshape(-1)[at]
        product = self.scratchpad[a] @ self.scratchpad[b]
        self.accumulator[c] = product + (self.accumulator[c] if value(command.args[18], env) else 0)
        self.slot ^= 1
        if command.args[9] != Const(0):
            array = self.arrays[command.args[9].array]
            _, at = self.matrix(command.args[9], env, (m, n), strides[3], array.shape[-1] * array.itemsize)
            array.reshape(-1)[at] = self.accumulator[c]
            self.half ^= 1

    def places(self, rows: int, columns: int, across: int, start: int):
        """Local row and column of every element of a matrix that is cut into tiles, so many in a row."""
        row, column = np.indices((rows, columns))
        tile = row // self.dim * across + column // self.dim
        return start + tile * self.dim + row % self.dim, column % self.dim

    def matrix(self, address, env, shape, tile_stride: int, row_bytes: int):
        """Where elements of a matrix are in its array: tiles by the loop's stride, rows of a tile by the state's."""
        array, first = self.place(address, env)
        row, column = np.indices(shape)
        tiles = (row // self.dim * tile_stride + column // self.dim) * self.dim
        return array, first + tiles + row % self.dim * (row_bytes // array.itemsize) + column % self.dim

    def compute(self, left, args, *, fresh) -> None:
        _, columns, rows, _, _ = args
        source, width, height = self.next
        if fresh:
            self.weights = np.zeros((self.dim, self.dim), np.int64)
            if source != GARBAGE:
                self.weights[:height, :width] = self.scratchpad[source : source + height, :width]
        rowsum = np.zeros((rows, self.dim), np.int64)
        rowsum[:, :columns] = self.scratchpad[left : left + rows, :columns]
        result = rowsum @ self.weights
        goal, wide, high = self.goal
        if goal == GARBAGE:
            return
        row = goal & 0x1FFFFFFF
        if goal & 0x40000000:
            self.accumulator[row : row + high, :wide] += result[:high, :wide]
        else:
            self.accumulator[row : row + high, :wide] = result[:high, :wide]


def value(expression, env) -> int:
    if isinstance(expression, Const):
        return expression.value
    if isinstance(expression, Var):
        return env[expression.name]
    if isinstance(expression, Sum):
        return expression.constant + sum(value(atom, env) * factor for atom, factor in expression.terms)
    if isinstance(expression, Text | Element):
        raise AssertionError(expression)
    assert isinstance(expression, Op)
    if expression.name == "?:":
        return value(expression.args[1 if value(expression.args[0], env) else 2], env)
    if expression.name == "&&":
        return int(all(value(arg, env) for arg in expression.args))
    if expression.name == "||":
        return int(any(value(arg, env) for arg in expression.args))
    left = value(expression.args[0], env)
    if expression.name == "!":
        return int(not left)
    right = value(expression.args[1], env)
    simple = {
        "*": left * right, "|": left | right, "&": left & right, "^": left ^ right, "==": int(left == right),
        "!=": int(left != right), "<": int(left < right), "<=": int(left <= right), ">": int(left > right),
        ">=": int(left >= right),
    }  # fmt: skip
    if expression.name in simple:
        return simple[expression.name]
    if expression.name == "<<":
        return left << right
    if expression.name == ">>":
        return left >> right
    quotient = int(abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if expression.name == "/" else left - quotient * right


def outputs(kernel: Kernel, arrays: dict[str, np.ndarray], output: str, geometry: Geometry | None = None) -> np.ndarray:
    """What a kernel leaves in its output array (of int64, so that nothing saturates)."""
    given = {name: array.copy() for name, array in arrays.items()}
    given[output] = np.full(arrays[output].shape, -POISON, np.int64)
    Machine(kernel, given, geometry or Geometry()).run()
    return given[output]
