"""Floating-point instructions of the core against exact arithmetic, rounded here in Python."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import programs
import pytest

_MODES = {"rne": 0, "rtz": 1, "rdn": 2, "rup": 3}
_FORMATS = {"s": (np.float32, np.uint32, 24, -149, 128), "d": (np.float64, np.uint64, 53, -1074, 1024)}
_CANONICAL = {"s": 0x7FC00000, "d": 0x7FF8000000000000}


def _corner_values(suffix: str) -> np.ndarray:
    dtype, digits = _FORMATS[suffix][0], _FORMATS[suffix][2]
    info = np.finfo(dtype)
    random = np.random.default_rng(3)
    numbers = [
        0.0,
        1.0,
        1.5,
        3.0,
        1 / 3,
        0.1,
        7.5,
        float(info.max),
        float(info.tiny),
        float(info.smallest_subnormal),
        float(info.eps),
        2.0**digits - 1,
    ]
    numbers += list(random.normal(size=3) * 10.0 ** random.integers(-5, 5, 3))
    values = np.array(numbers, dtype)
    return np.concatenate([values, -values])


def _round(exact: Fraction, suffix: str, mode: str) -> float:
    """``exact`` in the format, by the definition of IEEE 754; overflow included."""
    _, _, digits, least, most = _FORMATS[suffix]
    if exact == 0:
        return 0.0
    magnitude, negative = abs(exact), exact < 0
    exponent = max(_exponent(magnitude), least + digits - 1)
    quantum = Fraction(2) ** (exponent - digits + 1)
    whole, rest = divmod(magnitude, quantum)
    up = {
        "rne": 2 * rest > quantum or (2 * rest == quantum and whole % 2 == 1),
        "rtz": False,
        "rdn": rest > 0 and negative,
        "rup": rest > 0 and not negative,
    }[mode]
    result = (whole + up) * quantum
    if result >= Fraction(2) ** most:
        to_infinity = mode == "rne" or (mode == "rdn" and negative) or (mode == "rup" and not negative)
        largest = Fraction(2) ** most - Fraction(2) ** (most - digits)
        result = math.inf if to_infinity else float(largest)
    return -float(result) if negative else float(result)


def _exponent(magnitude: Fraction) -> int:
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent if magnitude >= Fraction(2) ** exponent else exponent - 1


def _check(got: np.ndarray, exact: list[Fraction | None], suffix: str, mode: str, what: str) -> None:
    for value, wanted in zip(got.tolist(), exact, strict=True):
        if wanted is not None and wanted != 0:  # the sign of an exact zero has its own test
            assert value == _round(wanted, suffix, mode), (what, mode, wanted)


@pytest.mark.parametrize("suffix", ["s", "d"])
@pytest.mark.parametrize("mode", list(_MODES))
def test_arithmetic_rounds_as_ieee_754_says(suffix: str, mode: str) -> None:
    dtype = _FORMATS[suffix][0]
    ctype = "float" if suffix == "s" else "double"
    values = _corner_values(suffix)
    left = np.repeat(values, len(values))
    right = np.tile(values, len(values))
    third = np.resize(values[::-1], len(left))
    n = len(left)
    names = ["fadd", "fsub", "fmul", "fdiv"]
    fused = ["fmadd", "fmsub", "fnmsub", "fnmadd"]
    lines = "".join(
        f'asm volatile("{name}.{suffix} %0, %1, %2, {mode}" : "=f"(y) : "f"(a[i]), "f"(b[i])); out[{k * n} + i] = y;\n'
        for k, name in enumerate(names)
    ) + "".join(
        f'asm volatile("{name}.{suffix} %0, %1, %2, %3, {mode}" : "=f"(y) : "f"(a[i]), "f"(b[i]), "f"(c[i]));'
        f"out[{k * n} + i] = y;\n"
        for k, name in enumerate(fused, len(names))
    )
    source = (
        f"void solution({ctype} *a, {ctype} *b, {ctype} *c, {ctype} *out) {{\n"
        f"for (int i = 0; i < {n}; i++) {{ {ctype} y;\n{lines}}}}}"
    )
    out = programs.run(source, left, right, third, np.zeros((8, n), dtype))[3]
    a, b, c = ([Fraction(float(x)) for x in array] for array in (left, right, third))
    exact = {
        "fadd": [x + y for x, y in zip(a, b, strict=True)],
        "fsub": [x - y for x, y in zip(a, b, strict=True)],
        "fmul": [x * y for x, y in zip(a, b, strict=True)],
        "fdiv": [x / y if y else None for x, y in zip(a, b, strict=True)],
        "fmadd": [x * y + z for x, y, z in zip(a, b, c, strict=True)],
        "fmsub": [x * y - z for x, y, z in zip(a, b, c, strict=True)],
        "fnmsub": [-(x * y) + z for x, y, z in zip(a, b, c, strict=True)],
        "fnmadd": [-(x * y) - z for x, y, z in zip(a, b, c, strict=True)],
    }
    for row, (name, wanted) in zip(out, exact.items(), strict=True):
        _check(row, wanted, suffix, mode, name)


def _run_bits(body: str, *inputs: int, outputs: int = 1) -> list[int]:
    source = f"void solution(uint64_t *in, uint64_t *out) {{ {body} }}"
    out = programs.run(source, np.array(inputs, np.uint64), np.zeros(outputs, np.uint64))[1]
    return [int(x) for x in out]


def _single(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def _double(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


_INF, _NAN, _SIGNALLING = _double(math.inf), 0x7FF8000000000000, 0x7FF0000000000001


@pytest.mark.parametrize("suffix", ["s", "d"])
def test_square_root(suffix: str) -> None:
    dtype = _FORMATS[suffix][0]
    ctype = "float" if suffix == "s" else "double"
    values = np.abs(_corner_values(suffix))
    source = f"""void solution({ctype} *a, {ctype} *out) {{ for (int i = 0; i < {len(values)}; i++)
      asm volatile("fsqrt.{suffix} %0, %1" : "=f"(out[i]) : "f"(a[i])); }}"""
    out = programs.run(source, values, np.zeros_like(values))[1]
    np.testing.assert_array_equal(out, np.sqrt(values).astype(dtype))


def test_results_that_are_nan_are_canonical() -> None:
    cases = [("fadd.d", _INF, _double(-math.inf)), ("fmul.d", 0, _INF), ("fdiv.d", 0, 0), ("fadd.d", _NAN | 77, 0)]
    for name, a, b in cases:
        body = f"""
        asm volatile("fmv.d.x ft0, %1; fmv.d.x ft1, %2; {name} ft0, ft0, ft1; fmv.x.d %0, ft0"
                     : "=r"(out[0]) : "r"(in[0]), "r"(in[1]) : "ft0", "ft1");"""
        assert _run_bits(body, a, b) == [_CANONICAL["d"]], name


def test_singles_that_are_not_boxed_read_as_nan() -> None:
    body = """
    asm volatile("fmv.d.x ft0, %1; fadd.s ft1, ft0, ft0; fmv.x.w %0, ft1" : "=r"(out[0]) : "r"(in[0]) : "ft0", "ft1");
    asm volatile("fmv.w.x ft0, %1; fmv.x.d %0, ft0" : "=r"(out[1]) : "r"(in[1]) : "ft0");
    asm volatile("fmv.d.x ft0, %1; fclass.s %0, ft0" : "=r"(out[2]) : "r"(in[0]) : "ft0");
    asm volatile("fmv.d.x ft0, %1; fmv.x.w %0, ft0" : "=r"(out[3]) : "r"(in[0]) : "ft0");"""
    out = _run_bits(body, 0x000000003F800000, 0x12345678BF800000, outputs=4)
    assert out == [0x7FC00000, 0xFFFFFFFFBF800000, 1 << 9, 0x3F800000]


@pytest.mark.parametrize(
    ("bits", "kind"),
    [
        (_double(-math.inf), 0), (_double(-1.0), 1), (0x8000000000000001, 2), (1 << 63, 3), (0, 4), (1, 5),
        (_double(1.0), 6), (_INF, 7), (_SIGNALLING, 8), (_NAN, 9), (0xFFF8000000000000, 9),
    ],
)  # fmt: skip
def test_classes(bits: int, kind: int) -> None:
    body = 'asm volatile("fmv.d.x ft0, %1; fclass.d %0, ft0" : "=r"(out[0]) : "r"(in[0]) : "ft0");'
    assert _run_bits(body, bits) == [1 << kind]


@pytest.mark.parametrize(
    ("name", "a", "b", "result", "flags"),
    [
        ("fmin.d", _double(1.0), _double(2.0), _double(1.0), 0),
        ("fmax.d", _double(1.0), _double(2.0), _double(2.0), 0),
        ("fmin.d", 0, 1 << 63, 1 << 63, 0),
        ("fmin.d", 1 << 63, 0, 1 << 63, 0),
        ("fmax.d", 0, 1 << 63, 0, 0),
        ("fmax.d", 1 << 63, 0, 0, 0),
        ("fmin.d", _NAN, _double(2.0), _double(2.0), 0),
        ("fmax.d", _double(2.0), _SIGNALLING, _double(2.0), 16),
        ("fmin.d", _NAN | 5, _NAN, _NAN, 0),
        ("fsgnj.d", _double(1.0), 1 << 63, _double(-1.0), 0),
        ("fsgnjn.d", _double(1.0), 1 << 63, _double(1.0), 0),
        ("fsgnjx.d", _double(-1.0), 1 << 63, _double(1.0), 0),
        ("fsgnj.d", _SIGNALLING, 0, _SIGNALLING, 0),
        ("fadd.d", _double(1.0), _double(2.0**-60), _double(1.0), 1),
        ("fdiv.d", _double(1.0), 0, _INF, 8),
        ("fmul.d", _double(1e300), _double(1e300), _INF, 5),
        ("fmul.d", _double(1e-300), _double(1e-300), 0, 3),
        ("fadd.d", _SIGNALLING, 0, _NAN, 16),
        ("fadd.d", _NAN, 0, _NAN, 0),
        ("fadd.d", _double(1.0), _double(-1.0), 0, 0),
        ("fsub.d", 1 << 63, 0, 1 << 63, 0),
    ],
)
def test_results_and_flags(name: str, a: int, b: int, result: int, flags: int) -> None:
    body = f"""
    asm volatile("csrw fflags, x0; fmv.d.x ft0, %2; fmv.d.x ft1, %3; {name} ft2, ft0, ft1; fmv.x.d %0, ft2;"
                 "frflags %1" : "=r"(out[0]), "=r"(out[1]) : "r"(in[0]), "r"(in[1]) : "ft0", "ft1", "ft2");"""
    assert _run_bits(body, a, b, outputs=2) == [result, flags]


@pytest.mark.parametrize(
    ("name", "a", "b", "result", "flags"),
    [
        ("feq.d", _double(1.0), _double(1.0), 1, 0), ("feq.d", 0, 1 << 63, 1, 0), ("feq.d", _NAN, _NAN, 0, 0),
        ("feq.d", _SIGNALLING, 0, 0, 16), ("flt.d", _double(-1.0), 0, 1, 0), ("flt.d", 0, 0, 0, 0),
        ("fle.d", 0, 0, 1, 0), ("flt.d", _NAN, 0, 0, 16), ("fle.d", 0, _NAN, 0, 16),
    ],
)  # fmt: skip
def test_comparisons(name: str, a: int, b: int, result: int, flags: int) -> None:
    body = f"""
    asm volatile("csrw fflags, x0; fmv.d.x ft0, %2; fmv.d.x ft1, %3; {name} %0, ft0, ft1; frflags %1"
                 : "=&r"(out[0]), "=&r"(out[1]) : "r"(in[0]), "r"(in[1]) : "ft0", "ft1");"""
    assert _run_bits(body, a, b, outputs=2) == [result, flags]


_MASK = (1 << 64) - 1
_CONVERSIONS = [
    ("fcvt.w.d", "rne", 2.5, 2, 1), ("fcvt.w.d", "rne", 3.5, 4, 1), ("fcvt.w.d", "rmm", 2.5, 3, 1),
    ("fcvt.w.d", "rmm", -2.5, -3, 1), ("fcvt.w.d", "rtz", -2.9, -2, 1), ("fcvt.w.d", "rdn", -2.1, -3, 1),
    ("fcvt.w.d", "rup", 2.1, 3, 1), ("fcvt.w.d", "rne", 7.0, 7, 0),
    ("fcvt.w.d", "rne", 3e9, 2**31 - 1, 16), ("fcvt.w.d", "rne", -3e9, -(2**31), 16),
    ("fcvt.w.d", "rne", math.nan, 2**31 - 1, 16), ("fcvt.w.d", "rtz", 2147483647.9, 2147483647, 1),
    ("fcvt.wu.d", "rne", 3e9, 3_000_000_000 - 2**32, 0), ("fcvt.wu.d", "rne", 5e9, -1, 16),
    ("fcvt.wu.d", "rne", -1.0, 0, 16), ("fcvt.wu.d", "rtz", -0.5, 0, 1), ("fcvt.wu.d", "rne", math.nan, -1, 16),
    ("fcvt.l.d", "rne", 1e18, 10**18, 0), ("fcvt.l.d", "rne", 1e19, 2**63 - 1, 16),
    ("fcvt.l.d", "rne", -math.inf, -(2**63), 16), ("fcvt.lu.d", "rne", 1e19, 10**19, 0),
    ("fcvt.lu.d", "rne", math.inf, _MASK, 16), ("fcvt.lu.d", "rne", -1e-9, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "mode", "value", "result", "flags"), _CONVERSIONS)
def test_conversions_to_integers(name: str, mode: str, value: float, result: int, flags: int) -> None:
    body = f"""
    asm volatile("csrw fflags, x0; fmv.d.x ft0, %2; {name} %0, ft0, {mode}; frflags %1"
                 : "=&r"(out[0]), "=&r"(out[1]) : "r"(in[0]) : "ft0");"""
    assert _run_bits(body, _double(value), outputs=2) == [result & _MASK, flags]


def test_conversions_from_integers_and_between_formats() -> None:
    values = np.array([0, 1, -1, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 123456789123], np.int64)
    n = len(values)
    source = f"""
void solution(int64_t *in, float *single, double *wide) {{
  for (int i = 0; i < {n}; i++) {{
    single[i] = (int32_t)in[i]; single[{n} + i] = (uint32_t)in[i];
    single[{2 * n} + i] = in[i]; single[{3 * n} + i] = (uint64_t)in[i];
    wide[i] = (int32_t)in[i]; wide[{n} + i] = (uint32_t)in[i];
    wide[{2 * n} + i] = in[i]; wide[{3 * n} + i] = (uint64_t)in[i];
    wide[{4 * n} + i] = single[i]; single[{4 * n} + i] = wide[{2 * n} + i];
  }}
}}"""
    single, wide = programs.run(source, values, np.zeros((5, n), np.float32), np.zeros((5, n), np.float64))[1:]
    sources = [values.astype(np.int32), values.astype(np.uint32), values, values.view(np.uint64)]
    for k, integers in enumerate(sources):
        np.testing.assert_array_equal(single[k], integers.astype(np.float32))
        np.testing.assert_array_equal(wide[k], integers.astype(np.float64))
    np.testing.assert_array_equal(wide[4], single[0].astype(np.float64))
    np.testing.assert_array_equal(single[4], wide[2].astype(np.float32))


def test_rounding_mode_register() -> None:
    body = """
    double third; uint64_t old, now;
    asm volatile("fsrmi 3; fmv.d.x ft0, %3; fmv.d.x ft1, %4; fdiv.d %0, ft0, ft1, dyn; frrm %1; fsrm %2, x0"
                 : "=f"(third), "=&r"(now), "=&r"(old) : "r"(in[0]), "r"(in[1]) : "ft0", "ft1");
    asm volatile("fmv.x.d %0, %1" : "=r"(out[0]) : "f"(third)); out[1] = now; out[2] = old;"""
    up = _double(_round(Fraction(1, 3), "d", "rup"))
    assert _run_bits(body, _double(1.0), _double(3.0), outputs=3) == [up, 3, 3]


def test_reserved_rounding_mode_is_illegal() -> None:
    source = 'void solution(void) { asm volatile("csrw frm, %0; fadd.s ft0, ft1, ft2, dyn" : : "r"(5) : "ft0"); }'
    result = programs.simulate(source)
    assert result["fault"]["kind"] == "illegal_instruction"


def test_host_rounding_is_left_as_it_was() -> None:
    source = (
        'void solution(void) { asm volatile("fsrmi 2; fmv.w.x ft1, x0; fadd.s ft0, ft1, ft1" : : : "ft0", "ft1"); }'
    )
    assert programs.simulate(source)["fault"] is None
    assert 0.1 + 0.2 == 0.30000000000000004
