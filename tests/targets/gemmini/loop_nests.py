"""Random legal loop nests: matrix product and convolution, with sizes, tilings and places drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

BANK_ROWS = 4096
TILE = 16


@dataclass(frozen=True)
class Argument:
    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Nest:
    """A kernel, its arguments (the last one is the output) and what it must compute."""

    code: str
    inputs: tuple[Argument, ...]
    output: Argument
    kind: str
    padding: int = 0
    stride: int = 1

    def expected(self, arrays: dict[str, npt.NDArray[np.int8]]) -> npt.NDArray[np.int8]:
        a, b = (arrays[item.name].astype(np.int64) for item in self.inputs)
        total = a @ b if self.kind == "gemm" else convolution(a, b, self.stride)
        return np.clip(total, -128, 127).astype(np.int8)


def convolution(x: npt.NDArray[np.int64], w: npt.NDArray[np.int64], stride: int) -> npt.NDArray[np.int64]:
    """x[rows][columns][in], w[k][k][in][out]: the definition, term by term."""
    k = w.shape[0]
    rows, columns = (x.shape[0] - k) // stride + 1, (x.shape[1] - k) // stride + 1
    out = np.zeros((rows, columns, w.shape[3]), np.int64)
    for r in range(k):
        for c in range(k):
            window = x[r : r + rows * stride : stride, c : c + columns * stride : stride][:rows, :columns]
            out += window @ w[r, c]
    return out


def _least(left: str, step: int) -> str:
    return f"({left} < {step} ? {left} : {step})"


def _places(random: Random, sizes: list[int], rows: int) -> list[int]:
    """First rows of buffers that do not overlap: in a random order, with random gaps, often at the start of a bank."""
    order = list(range(len(sizes)))
    random.shuffle(order)
    spare = rows - sum(sizes)
    where = [0] * len(sizes)
    position = 0
    for index in order:
        gap = random.choice([0, random.randrange(spare // 4 + 1)])
        bank = -position % BANK_ROWS
        if bank <= spare and random.random() < 0.5:
            gap = bank
        position, spare = position + gap, spare - gap
        where[index] = position
        position += sizes[index]
    return where


def _nest(loops: list[str], body: list[str]) -> str:
    """C text of loops around statements."""
    lines = ["  " * (depth + 1) + text + " {" for depth, text in enumerate(loops)]
    lines += ["  " * (len(loops) + 1) + text for text in body]
    lines += ["  " * (depth + 1) + "}" for depth in reversed(range(len(loops)))]
    return "\n".join(lines)


def gemm(random: Random) -> Nest:
    """All of C stays in the accumulator, so that the three loops may stand in any order."""
    m, n, k = random.randint(1, 70), random.randint(1, 70), random.randint(1, 90)
    tiles_m, tiles_n, tiles_k = (-(-size // TILE) for size in (m, n, k))
    wide_a, wide_b = random.choice([1, 2, 4]), random.choice([1, 2, 4])
    a_base, b_base = _places(random, [tiles_m * tiles_k * 16 + 64, tiles_k * tiles_n * 16 + 64], 4 * BANK_ROWS)
    c_rows = tiles_m * tiles_n * 16
    c_base = random.choice([0, random.randrange(1024 - c_rows + 1)])
    rows, columns, depth = (_least(f"{size} - {var} * 16", 16) for size, var in ((m, "i"), (n, "j"), (k, "p")))
    loop = {
        "i": f"for (int i = 0; i < {tiles_m}; i++)",
        "j": f"for (int j = 0; j < {tiles_n}; j++)",
        "p": f"for (int p = 0; p < {tiles_k}; p++)",
    }
    a_row, b_row = f"{a_base} + (i * {tiles_k} + p) * 16", f"{b_base} + (p * {tiles_n} + j) * 16"
    c_row = f"{c_base} + (i * {tiles_n} + j) * 16"
    load_a = (
        f"if (p % {wide_a} == 0) mvin(&A[i * 16][p * 16], {a_row}, {_least(f'{k} - p * 16', 16 * wide_a)}, {rows});"
    )
    load_b = (
        f"if (j % {wide_b} == 0) mvin2(&B[p * 16][j * 16], {b_row}, {_least(f'{n} - j * 16', 16 * wide_b)}, {depth});"
    )
    zero = f"mvin3(0, 0x80000000u + {c_row}, {columns}, {rows});"
    order = random.sample("ijp", 3)
    zeroed = random.random() < 0.5
    flag = "0xc0000000u" if zeroed else "(p == 0 ? 0x80000000u : 0xc0000000u)"
    compute = [
        f"preload({b_row}, {flag} + {c_row}, {columns}, {depth}, {columns}, {rows});",
        f"compute_preloaded({a_row}, 0xffffffffu, {depth}, {rows}, 16, 16);",
    ]
    early = {"A": random.random() < 0.5, "B": random.random() < 0.5}
    # A load inside the nest stands where its own loops are, and is repeated by the third one.
    inside = [load_a] * (not early["A"]) + [load_b] * (not early["B"])
    again = random.random() < 0.3
    if inside and not again:
        inside = [f"if ({'j' if text == load_a else 'i'} == 0) {{ {text} }}" for text in inside]
    # Wide loads bring the next tiles too: only a nest that meets them in order may rely on that.
    ordered = order.index("p") > order.index("j") and order.index("j") > order.index("i")
    if not ordered:
        inside = [
            text.replace(f"% {wide_a} == 0", "% 1 == 0").replace(f"% {wide_b} == 0", "% 1 == 0") for text in inside
        ]
    store = f"mvout(&C[i * 16][j * 16], 0x80000000u + {c_row}, {columns}, {rows});"
    fence = random.choice(["", "fence();"])
    parts = [_nest([loop["i"], loop["p"]], [load_a])] * early["A"] + [_nest([loop["p"], loop["j"]], [load_b])] * early[
        "B"
    ]
    random.shuffle(parts)
    parts += [_nest([loop["i"], loop["j"]], [zero])] * zeroed
    parts += [
        f"  {fence}",
        _nest([loop[var] for var in order], inside + compute),
        _nest([loop["i"], loop["j"]], [store]),
    ]
    code = f"""void solution(int8_t A[{m}][{k}], int8_t B[{k}][{n}], int8_t C[{m}][{n}]) {{
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld({k}, 1.0f, 16, 0);
  config_ld({n}, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st({n});
{chr(10).join(parts)}
  fence();
}}
"""
    inputs = (Argument("A", "int8", (m, k)), Argument("B", "int8", (k, n)))
    return Nest(code, inputs, Argument("C", "int8", (m, n)), "gemm")


def conv(random: Random) -> Nest:
    """One image; pixels of an output row in tiles of up to 16, any order of the kernel and channel loops."""
    kernel, stride = random.choice([1, 2, 3]), random.choice([1, 1, 2])
    rows, columns = random.randint(1, 5), random.randint(1, 20)
    channels, out = random.randint(1, 40), random.randint(1, 40)
    height, width = (rows - 1) * stride + kernel, (columns - 1) * stride + kernel
    tiles_in, tiles_out = -(-channels // TILE), -(-out // TILE)
    tile = random.choice([4, 8, 16])
    tiles_x = -(-columns // tile)
    w_base, x_base = _places(random, [kernel * kernel * tiles_in * tiles_out * 16, tiles_in * 16], 4 * BANK_ROWS)
    c_base = random.randrange(1024 - tiles_out * 16 + 1)
    pixels = _least(f"{columns} - x * {tile}", tile)
    depth, width_out = _least(f"{channels} - p * 16", 16), _least(f"{out} - j * 16", 16)
    loop = {
        "y": f"for (int y = 0; y < {rows}; y++)",
        "x": f"for (int x = 0; x < {tiles_x}; x++)",
        "r": f"for (int r = 0; r < {kernel}; r++)",
        "c": f"for (int c = 0; c < {kernel}; c++)",
        "p": f"for (int p = 0; p < {tiles_in}; p++)",
        "j": f"for (int j = 0; j < {tiles_out}; j++)",
    }
    w_row = f"{w_base} + (((r * {kernel} + c) * {tiles_in} + p) * {tiles_out} + j) * 16"
    load_w = f"mvin2(&W[r][c][p * 16][j * 16], {w_row}, {width_out}, {depth});"
    load_x = f"mvin(&X[y * {stride} + r][x * {tile * stride} + c][p * 16], {x_base} + p * 16, {depth}, {pixels});"
    c_row = f"{c_base} + j * 16"
    resident = random.random() < 0.5
    inner = [loop[var] for var in random.sample("rcp", 3)]
    body = [*([] if resident else [f"{loop['j']} {load_w}"]), load_x]
    body += [
        loop["j"] + " {",
        f"  preload({w_row}, 0xc0000000u + {c_row}, {width_out}, {depth}, {width_out}, {pixels});",
        f"  compute_preloaded({x_base} + p * 16, 0xffffffffu, {depth}, {pixels}, 16, 16);",
        "}",
    ]
    zero = f"{loop['j']} mvin3(0, 0x80000000u + {c_row}, {width_out}, {pixels});"
    store = f"{loop['j']} mvout(&Y[y][x * {tile}][j * 16], 0x80000000u + {c_row}, {width_out}, {pixels});"
    block = [zero, *_nest(inner, body).splitlines(), store]
    outer = [loop[var] for var in random.sample("yx", 2)]
    first = _nest([loop[var] for var in "rcpj"], [load_w]) if resident else ""
    code = f"""void solution(int8_t X[{height}][{width}][{channels}], int8_t W[{kernel}][{kernel}][{channels}][{out}],
              int8_t Y[{rows}][{columns}][{out}]) {{
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld({channels * stride}, 1.0f, 16, 0);
  config_ld({out}, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st({out});
{first}
{_nest(outer, block)}
  fence();
}}
"""
    inputs = (Argument("X", "int8", (height, width, channels)), Argument("W", "int8", (kernel, kernel, channels, out)))
    return Nest(code, inputs, Argument("Y", "int8", (rows, columns, out)), "conv", stride=stride)
