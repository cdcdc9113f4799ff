"""Integer instructions of the core against the definitions of the RISC-V manual, written out in Python."""

from __future__ import annotations

import numpy as np
import programs
import pytest

_MASK = (1 << 64) - 1
_CORNERS = [
    0,
    1,
    2,
    5,
    -1,
    -2,
    -5,
    2**31 - 1,
    -(2**31),
    2**31,
    2**32 - 1,
    2**32,
    2**63 - 1,
    -(2**63),
    0x123456789ABCDEF,
    31,
    32,
    63,
    64,
]


def _signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _quotient(a: int, b: int, bits: int) -> int:
    if b == 0:
        return -1
    quotient = abs(a) // abs(b)
    return _signed(-quotient if (a < 0) != (b < 0) else quotient, bits)


def _remainder(a: int, b: int) -> int:
    return a if b == 0 else (abs(a) % abs(b)) * (-1 if a < 0 else 1)


def _word(value: int) -> int:
    return _signed(value, 32)


# Each takes the operands as unsigned 64-bit numbers.
_REGISTER = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "sll": lambda a, b: a << (b & 63),
    "srl": lambda a, b: a >> (b & 63),
    "sra": lambda a, b: _signed(a) >> (b & 63),
    "slt": lambda a, b: int(_signed(a) < _signed(b)),
    "sltu": lambda a, b: int(a < b),
    "xor": lambda a, b: a ^ b,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "addw": lambda a, b: _word(a + b),
    "subw": lambda a, b: _word(a - b),
    "sllw": lambda a, b: _word(a << (b & 31)),
    "srlw": lambda a, b: _word((a & 0xFFFFFFFF) >> (b & 31)),
    "sraw": lambda a, b: _word(a) >> (b & 31),
    "mul": lambda a, b: a * b,
    "mulh": lambda a, b: (_signed(a) * _signed(b)) >> 64,
    "mulhu": lambda a, b: (a * b) >> 64,
    "mulhsu": lambda a, b: (_signed(a) * b) >> 64,
    "mulw": lambda a, b: _word(a * b),
    "div": lambda a, b: _quotient(_signed(a), _signed(b), 64),
    "divu": lambda a, b: a // b if b else _MASK,
    "rem": lambda a, b: _remainder(_signed(a), _signed(b)),
    "remu": lambda a, b: a % b if b else a,
    "divw": lambda a, b: _quotient(_word(a), _word(b), 32),
    "divuw": lambda a, b: _word((a & 0xFFFFFFFF) // (b & 0xFFFFFFFF)) if b & 0xFFFFFFFF else -1,
    "remw": lambda a, b: _word(_remainder(_word(a), _word(b))),
    "remuw": lambda a, b: _word((a & 0xFFFFFFFF) % (b & 0xFFFFFFFF)) if b & 0xFFFFFFFF else _word(a),
}
_IMMEDIATES = {
    "addi": (-2048, -1, 0, 7, 2047),
    "slti": (-2048, -1, 0, 2047),
    "sltiu": (-1, 0, 1, 2047),
    "xori": (-1, 0x555),
    "ori": (-2048, 0x2AA),
    "andi": (-1, -256, 0x7F),
    "slli": (0, 1, 31, 32, 63),
    "srli": (0, 1, 31, 32, 63),
    "srai": (0, 1, 31, 32, 63),
    "addiw": (-2048, -1, 0, 2047),
    "slliw": (0, 1, 31),
    "srliw": (0, 1, 31),
    "sraiw": (0, 1, 31),
}


def _pairs() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 40, dtype=np.int64)
    values = [value & _MASK for value in _CORNERS] + [int(value) & _MASK for value in random]
    left = np.array([a for a in values for _ in values], dtype=np.uint64)
    right = np.array([b for _ in values for b in values], dtype=np.uint64)
    return left, right


def _expect(function, *operands) -> np.ndarray:
    return np.array([function(*(int(x) for x in row)) & _MASK for row in zip(*operands, strict=True)], dtype=np.uint64)


@pytest.mark.parametrize("timing", [False, True])
def test_register_instructions(timing: bool) -> None:
    left, right = _pairs()
    lines = "".join(
        f'asm volatile("{name} %0, %1, %2" : "=r"(y) : "r"(a[i]), "r"(b[i])); out[{index} * {len(left)} + i] = y;\n'
        for index, name in enumerate(_REGISTER)
    )
    source = (
        "void solution(uint64_t *a, uint64_t *b, uint64_t *out) {\n"
        f"for (int i = 0; i < {len(left)}; i++) {{ uint64_t y;\n{lines}}}\n}}\n"
    )
    out = programs.run(source, left, right, np.zeros((len(_REGISTER), len(left)), np.uint64), timing=timing)[2]
    for row, (name, function) in zip(out, _REGISTER.items(), strict=True):
        np.testing.assert_array_equal(row, _expect(function, left, right), err_msg=name)


def test_immediate_instructions() -> None:
    left = np.unique(_pairs()[0])
    cases = [(name, value) for name, values in _IMMEDIATES.items() for value in values]
    lines = "".join(
        f'asm volatile("{name} %0, %1, {value}" : "=r"(y) : "r"(a[i])); out[{index} * {len(left)} + i] = y;\n'
        for index, (name, value) in enumerate(cases)
    )
    loop = f"for (int i = 0; i < {len(left)}; i++) {{ uint64_t y;\n{lines}}}"
    source = f"void solution(uint64_t *a, uint64_t *out) {{ {loop} }}"
    out = programs.run(source, left, np.zeros((len(cases), len(left)), np.uint64))[1]
    for row, (name, value) in zip(out, cases, strict=True):
        function = _REGISTER[name.replace("iw", "w").removesuffix("i") if name != "sltiu" else "sltu"]
        expected = _expect(lambda a, f=function, v=value: f(a, v & _MASK), left)
        np.testing.assert_array_equal(row, expected, err_msg=f"{name} {value}")


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("beq", lambda a, b: a == b),
        ("bne", lambda a, b: a != b),
        ("blt", lambda a, b: _signed(a) < _signed(b)),
        ("bge", lambda a, b: _signed(a) >= _signed(b)),
        ("bltu", lambda a, b: a < b),
        ("bgeu", lambda a, b: a >= b),
    ],
)
def test_branches(name: str, taken) -> None:
    left, right = _pairs()
    source = f"""
void solution(uint64_t *a, uint64_t *b, uint64_t *out) {{
  for (int i = 0; i < {len(left)}; i++) {{
    uint64_t y = 1;
    asm volatile("{name} %1, %2, 1f; li %0, 0; 1:" : "+r"(y) : "r"(a[i]), "r"(b[i]));
    out[i] = y;
  }}
}}"""
    out = programs.run(source, left, right, np.zeros_like(left))[2]
    np.testing.assert_array_equal(out, _expect(lambda a, b: int(taken(a, b)), left, right))


def test_loads_extend_and_stores_truncate() -> None:
    source = """
void solution(uint64_t *in, int64_t *out, uint8_t *small) {
  out[0] = *(int8_t *)in; out[1] = *(uint8_t *)in; out[2] = *(int16_t *)in; out[3] = *(uint16_t *)in;
  out[4] = *(int32_t *)in; out[5] = *(uint32_t *)in; out[6] = *in;
  *(uint8_t *)small = in[0]; *(uint16_t *)(small + 8) = in[0]; *(uint32_t *)(small + 16) = in[0];
}"""
    value = np.array([0xFEDCBA9889ABCDEF], np.uint64)
    _, out, small = programs.run(source, value, np.zeros(7, np.int64), np.full(24, 0x11, np.uint8))
    low = int(value[0])
    assert [int(x) & _MASK for x in out] == [
        _signed(low, 8) & _MASK, low & 0xFF, _signed(low, 16) & _MASK, low & 0xFFFF,
        _signed(low, 32) & _MASK, low & 0xFFFFFFFF, low,
    ]  # fmt: skip
    assert bytes(small) == (
        low.to_bytes(8, "little")[:1] + b"\x11" * 7 + low.to_bytes(8, "little")[:2] + b"\x11" * 6
        + low.to_bytes(8, "little")[:4] + b"\x11" * 4
    )  # fmt: skip


_ATOMICS = {
    "amoswap": lambda old, x: x,
    "amoadd": lambda old, x: old + x,
    "amoxor": lambda old, x: old ^ x,
    "amoand": lambda old, x: old & x,
    "amoor": lambda old, x: old | x,
    "amomin": min,
    "amomax": max,
}


@pytest.mark.parametrize("suffix", ["w", "d"])
def test_atomics(suffix: str) -> None:
    bits, ctype, dtype = (32, "int32_t", np.int32) if suffix == "w" else (64, "int64_t", np.int64)
    pairs = [(5, -7), (-(2 ** (bits - 1)), 1), (2 ** (bits - 1) - 1, 2 ** (bits - 1) - 1), (-1, 1)]
    names = [*_ATOMICS, "amominu", "amomaxu"]
    body = "".join(
        f'asm volatile("{name}.{suffix} %0, %2, (%1)" : "=r"(y) :'
        f' "r"(&m[{k}]), "r"((int64_t)x[{k % len(pairs)}]) : "memory");'
        f"old[{k}] = y;\n"
        for k, name in enumerate(name for name in names for _ in pairs)
    )
    source = f"void solution({ctype} *m, {ctype} *x, int64_t *old) {{ int64_t y;\n{body}}}"
    start = np.array([a for _ in names for a, _ in pairs], dtype)
    operands = np.array([b for _, b in pairs], dtype)
    memory, _, old = programs.run(source, start, operands, np.zeros(len(start), np.int64))
    mask = (1 << bits) - 1

    def unsigned(choose):
        return lambda a, b: choose(a & mask, b & mask)

    functions = {**_ATOMICS, "amominu": unsigned(min), "amomaxu": unsigned(max)}
    expected = [_signed(functions[name](a, b), bits) for name in names for a, b in pairs]
    assert memory.tolist() == expected
    assert old.tolist() == start.tolist()  # sign-extended


def test_store_conditional_needs_its_reservation() -> None:
    source = """
void solution(int64_t *m, int64_t *out) {
  int64_t a, b, c;
  asm volatile("lr.d %0, (%3); sc.d %1, %4, (%3); sc.d %2, %4, (%3)"
               : "=&r"(a), "=&r"(b), "=&r"(c) : "r"(m), "r"((int64_t)42) : "memory");
  out[0] = a; out[1] = b; out[2] = c;
}"""
    memory, out = programs.run(source, np.array([7], np.int64), np.zeros(3, np.int64))
    assert memory[0] == 42
    assert out.tolist() == [7, 0, 1]


# A compressed instruction, what it stands for, on registers a0 and a1 (or s0 and s1).
_COMPRESSED = [
    ("c.addi a0, -5", "addi a0, a0, -5"),
    ("c.addiw a0, 31", "addiw a0, a0, 31"),
    ("c.addiw a0, -32", "addiw a0, a0, -32"),
    ("c.li a0, -32", "addi a0, x0, -32"),
    ("c.lui a0, 31", "lui a0, 31"),
    ("c.lui a0, 0xfffe0", "lui a0, 0xfffe0"),
    ("c.slli a0, 33", "slli a0, a0, 33"),
    ("c.srli a0, 33", "srli a0, a0, 33"),
    ("c.srai a0, 5", "srai a0, a0, 5"),
    ("c.andi a0, -3", "andi a0, a0, -3"),
    ("c.and a0, a1", "and a0, a0, a1"),
    ("c.or a0, a1", "or a0, a0, a1"),
    ("c.xor a0, a1", "xor a0, a0, a1"),
    ("c.sub a0, a1", "sub a0, a0, a1"),
    ("c.addw a0, a1", "addw a0, a0, a1"),
    ("c.subw a0, a1", "subw a0, a0, a1"),
    ("c.mv a0, a1", "add a0, x0, a1"),
    ("c.add a0, a1", "add a0, a0, a1"),
    ("c.addi16sp sp, -64; mv a0, sp; c.addi16sp sp, 64", "addi a0, sp, -64"),
    ("c.addi16sp sp, -512; mv a0, sp; addi sp, sp, 512", "addi a0, sp, -512"),
    ("c.addi4spn a0, sp, 1020", "addi a0, sp, 1020"),
    ("c.addi4spn a0, sp, 64", "addi a0, sp, 64"),
    ("c.nop", "addi x0, x0, 0"),
    ("c.sd a1, 248(a2); c.ld a0, 248(a2)", "addi a0, a1, 0"),
    ("c.sd a1, 8(a2); c.ld a0, 8(a2)", "addi a0, a1, 0"),
    ("c.sw a1, 124(a2); c.lw a0, 124(a2)", "addiw a0, a1, 0"),
    ("c.sw a1, 4(a2); c.lw a0, 4(a2)", "addiw a0, a1, 0"),
    ("addi sp, sp, -512; c.sdsp a1, 504(sp); c.ldsp a0, 504(sp); addi sp, sp, 512", "addi a0, a1, 0"),
    ("addi sp, sp, -512; c.swsp a1, 252(sp); c.lwsp a0, 252(sp); addi sp, sp, 512", "addiw a0, a1, 0"),
    ("fmv.d.x fa0, a1; c.fsd fa0, 136(a2); c.fld fa1, 136(a2); fmv.x.d a0, fa1", "addi a0, a1, 0"),
    ("addi sp, sp, -512; fmv.d.x fa0, a1; c.fsdsp fa0, 496(sp); c.fldsp fa1, 496(sp); fmv.x.d a0, fa1; "
     "addi sp, sp, 512", "addi a0, a1, 0"),
    ("c.li a0, 0; c.beqz a0, 1f; c.li a0, 9; 1: c.addi a0, 1", "addi a0, x0, 1"),
    ("c.li a0, 0; c.bnez a0, 1f; c.li a0, 9; 1: c.addi a0, 1", "addi a0, x0, 10"),
    ("c.li a0, 3; c.j 1f; c.li a0, 9; 1: c.addi a0, 1", "addi a0, x0, 4"),
    ("la t0, 1f; c.jr t0; c.li a0, 9; 1: c.li a0, 4", "addi a0, x0, 4"),
    ("la t0, 1f; la t1, 2f; c.jalr t0; 2: sub a0, ra, t1; c.j 3f; 1: c.jr ra; 3:", "addi a0, x0, 0"),
]  # fmt: skip


def test_compressed_instructions() -> None:
    def call(text: str, option: str, index: int) -> str:
        return (
            f'{{ register uint64_t r0 asm("a0") = a; register uint64_t r1 asm("a1") = b;'
            f' register uint64_t *r2 asm("a2") = m;'
            f' asm volatile(".option push; .option {option}; {text}; .option pop" : "+r"(r0) : "r"(r1), "r"(r2)'
            f' : "memory", "ra", "t0", "t1", "fa0", "fa1"); out[{index}] = r0; }}\n'
        )

    functions = "".join(
        f"__attribute__((noinline)) static void f{i}(uint64_t a, uint64_t b, uint64_t *m, uint64_t *out) {{\n"
        f"{call(short, 'rvc', 0)}{call(full, 'norvc', 1)}}}\n"
        for i, (short, full) in enumerate(_COMPRESSED)
    )
    calls = "".join(f"f{i}(in[0], in[1], m, out + {2 * i});\n" for i in range(len(_COMPRESSED)))
    source = f"{functions}void solution(uint64_t *in, uint64_t *m, uint64_t *out) {{\n{calls}}}\n"
    operands = np.array([0xF123456789ABCDEF, 0x8000000180000003], np.uint64)
    out = programs.run(source, operands, np.zeros(64, np.uint64), np.zeros((len(_COMPRESSED), 2), np.uint64))[2]
    for (short, _), (got, expected) in zip(_COMPRESSED, out.tolist(), strict=True):
        assert got == expected, short


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_compiled_algorithm(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    source = """
static uint64_t steps(uint64_t n) { uint64_t s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; } return s; }
static int by_value(const void *p) { return *(const uint8_t *)p; }
void solution(uint64_t *out, uint8_t *bytes) {
  for (int i = 0; i < 30; i++) out[i] = steps(i + 1);
  uint8_t copy[64];
  memcpy(copy, bytes, sizeof copy);
  for (int i = 0; i < 64; i++) bytes[i] = by_value(&copy[63 - i]);
  switch (out[5]) { case 1: out[0] = 1; break; case 8: out[0] = 88; break; case 9: out[0] = 2; break;
    case 10: out[0] = 3; break; case 11: out[0] = 4; break; case 12: out[0] = 5; break; default: out[0] = 6; }
}"""
    source = "#include <string.h>\n" + source
    data = np.arange(64, dtype=np.uint8)
    out, reversed_data = programs.run(source, np.zeros(30, np.uint64), data, compiler=compiler)

    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
        return count

    assert out.tolist() == [88, *(steps(n) for n in range(2, 31))]
    assert reversed_data.tolist() == data[::-1].tolist()


def test_arguments_in_registers_and_on_the_stack() -> None:
    names = "abcdefghij"
    source = (
        f"void solution({', '.join(f'int64_t {n}' for n in names)}, float x, double y, int64_t *out) {{ "
        + " ".join(f"out[{i}] = {n};" for i, n in enumerate(names))
        + " out[10] = x * 4; out[11] = y * 4; }"
    )
    scalars = [{"name": n, "value": -i - 1, "dtype": "int64"} for i, n in enumerate(names)]
    floats = [
        {"name": "x", "value": 0.75, "dtype": "float32"},
        {"name": "y", "value": -1.25, "dtype": "float64"},
    ]
    result = programs.simulate(source, *scalars, *floats, programs.array("out", np.zeros(12, np.int64)))
    assert result["fault"] is None
    out = np.frombuffer(result["outputs"]["out"], np.int64)
    assert out.tolist() == [-i - 1 for i in range(10)] + [3, -5]
