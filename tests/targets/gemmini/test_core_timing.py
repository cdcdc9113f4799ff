"""The clock of the core: what is known of the pipeline, and that timing never changes results."""

from __future__ import annotations

import numpy as np
import programs
import pytest

_BRACKET = """
#define MEASURE(slot, ...) do {{ uint64_t t0, t1; \
  asm volatile("fence; rdcycle %0" : "=r"(t0) : : "memory"); __VA_ARGS__; \
  asm volatile("fence; rdcycle %0" : "=r"(t1) : : "memory"); out[slot] = t1 - t0; }} while (0)
{declarations}
void solution(uint64_t *out) {{
  for (int round = 0; round < 3; round++) {{ {body} }}
}}
"""


def _cycles(*statements: str, declarations: str = "", **options) -> list[int]:
    """Cycles of each statement between two fences, in the third round, when caches and predictors are warm."""
    body = "\n".join(f"MEASURE({slot}, {statement});" for slot, statement in enumerate(statements))
    source = _BRACKET.format(declarations=declarations, body=body)
    out = programs.run(source, np.zeros(len(statements), np.uint64), timing=True, **options)[0]
    return [int(x) for x in out]


def _asm(text: str) -> str:
    return f'asm volatile("{text}" : : : "t0", "t1", "t2", "ft0", "ft1", "memory")'


def test_measured_on_the_chip() -> None:
    empty, loop = _cycles("", "{ volatile int32_t x = 0; for (int i = 0; i < 100; i++) x += i; (void)x; }")
    assert empty == 2
    assert loop == pytest.approx(628, rel=0.05)


def test_independent_instructions_take_one_cycle_each() -> None:
    few, many = _cycles(_asm("addi t0, x0, 1;" * 10), _asm("addi t0, x0, 1;" * 30))
    assert many - few == 20


def test_load_to_use() -> None:
    declarations = "static uint64_t cell;"
    prologue = "la t1, cell;"
    free, word, byte = _cycles(
        *(
            _asm(prologue + (f"{load} t0, 0(t1); addi t2, {user}, 1;" * 20))
            for load, user in (("ld", "x0"), ("ld", "t0"), ("lbu", "t0"))
        ),
        declarations=declarations.replace("static ", ""),
    )
    assert word - free == 20
    assert byte - free == 40


def test_long_operations_are_waited_for_only_by_their_users() -> None:
    hidden, waited = _cycles(
        _asm("li t0, 1000000007; li t1, 7; div t2, t0, t1;" + "addi t0, x0, 1;" * 60),
        _asm("li t0, 1000000007; li t1, 7; div t2, t0, t1; addi t2, t2, 1;" + "addi t0, x0, 1;" * 59),
    )
    assert 15 < waited - hidden < 64


def test_predictable_loops_cost_nothing_and_random_branches_do() -> None:
    toggle = """{ uint32_t s = 12345; for (int i = 0; i < 200; i++) { s = s * 1664525u + 1013904223u;
      if (s >> 31) asm volatile("nop"); else asm volatile("nop; nop"); } }"""
    steady = toggle.replace("s >> 31", "i >= 0 || s")
    random, predictable = _cycles(toggle, steady)
    assert random - predictable > 150


def test_code_that_runs_for_the_first_time_is_fetched() -> None:
    source = 'void solution(void) { asm volatile(".option push; .option norvc;" %s ".option pop"); }'
    result = {
        lines: programs.simulate(source % f'".rept {16 * lines}; addi t0, x0, 1; .endr;"', timing=True)
        for lines in (4, 68)
    }
    assert all(value["fault"] is None for value in result.values())
    per_line = (result[68]["latency_cycles"] - result[4]["latency_cycles"]) / 64
    assert 16 + 20 < per_line < 16 + 60  # sixteen instructions, and the fetch from memory
    assert result[68]["counters"]["core_icache_misses"] - result[4]["counters"]["core_icache_misses"] == 64


def test_data_cache_holds_sixteen_kilobytes() -> None:
    source = """
static volatile int64_t data[64 << 10];
void solution(uint64_t *out) {
  for (int k = 0; k < 2; k++) for (int size = 0; size < 2; size++) {
    int n = size ? 64 << 10 : 1 << 10; uint64_t t0, t1; int64_t sum = 0;
    for (int round = 0; round < 2; round++) {
      asm volatile("rdcycle %0" : "=r"(t0) : : "memory");
      for (int i = 0; i < n; i += 8) sum += data[i];
      asm volatile("rdcycle %0" : "=r"(t1) : "r"(sum) : "memory");
    }
    out[size] = (t1 - t0) * 8 / n;
  }
}"""
    small, large = programs.run(source, np.zeros(2, np.uint64), timing=True)[0]
    assert small < 10 < large


@pytest.mark.parametrize("compiler", programs.COMPILERS)
def test_timing_does_not_change_results(compiler: str) -> None:
    programs.skip_unless_installed(compiler)
    source = """
void solution(int64_t *x, double *y) {
  for (int i = 0; i < 500; i++) {
    x[i % 64] = x[(i * 7) % 64] / (i + 1) + x[(i * 11) % 64];
    y[i % 16] = y[i % 16] * 1.5 - x[i % 64];
  }
}"""
    arrays = np.random.default_rng(0).integers(-1000, 1000, 64), np.linspace(-1, 1, 16)
    for with_clock, without in zip(
        programs.run(source, *arrays, compiler=compiler, timing=True),
        programs.run(source, *arrays, compiler=compiler, timing=False),
        strict=True,
    ):
        np.testing.assert_array_equal(with_clock, without)


def test_runs_are_deterministic() -> None:
    source = "void solution(int64_t *x) { for (int i = 0; i < 4096; i++) x[i] += x[(i * 129) % 4096]; }"
    runs = [programs.simulate(source, programs.array("x", np.arange(4096)), timing=True) for _ in range(2)]
    assert runs[0] == runs[1]


def test_parameters_are_used() -> None:
    source = "void solution(int64_t *x) { for (int i = 0; i < 4096; i++) x[i] += 1; }"
    argument = programs.array("x", np.arange(4096))
    usual = programs.simulate(source, argument, timing=True)
    larger = programs.simulate(source, argument, timing=True, settings={"core_dcache_sets": 1024})
    assert larger["counters"]["core_dcache_misses"] < usual["counters"]["core_dcache_misses"]
    with pytest.raises(ValueError, match="core_dcache_sets = 0: must lie in"):
        programs.simulate(source, argument, settings={"core_dcache_sets": 0})
    with pytest.raises(ValueError, match="unknown setting nonsense"):
        programs.simulate(source, argument, settings={"nonsense": 1})


@pytest.mark.parametrize(
    ("accelerator", "core", "misses", "probes"),
    [
        ("mvout(line, 0, 16, 1)", "use(line[0])", 1, 1),  # the core loses the line to whoever writes it
        ("mvout(line, 0, 16, 1)", "line[0] = 1", 1, 1),
        ("mvin(line, 0, 16, 1)", "use(line[0])", 0, 0),  # both may read on
        ("mvin(line, 0, 16, 1)", "line[0] = 1", 1, 1),  # the core has to ask for the permission to write again
        ("mvin(line + 64, 0, 16, 1)", "line[0] = 1", 0, 0),  # another line
        ("mvout(line + 64, 0, 16, 1)", "use(line[0])", 0, 0),
    ],
)
def test_the_core_loses_lines_to_the_accelerator(accelerator: str, core: str, misses: int, probes: int) -> None:
    def counters(rounds: int) -> dict[str, int]:
        source = f"""
static void use(int x) {{ asm volatile("addi t0, %0, 1" : : "r"(x) : "t0"); }}
void solution(int8_t *line) {{
  config_ld(16, 1.0f, 16, 0);
  config_st(16);
  mvin(line, 0, 16, 1);
  for (int i = 0; i < {rounds}; i++) {{ {accelerator}; fence(); {core}; }}
}}"""
        result = programs.simulate(source, programs.array("line", np.zeros(128, np.int8)), timing=True)
        assert result["fault"] is None
        return result["counters"]

    few, many = counters(10), counters(30)
    assert many["core_dcache_misses"] - few["core_dcache_misses"] == 20 * misses
    assert many["l2_probes"] - few["l2_probes"] == 20 * probes
