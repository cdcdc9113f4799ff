"""The knowledge pack holds: it describes every command and chip as they are, and its examples really pass."""

import re
import tomllib
from importlib.resources import files

import pytest

from autocomp.evaluate import CaseCache, Ladder, plan_evaluation
from autocomp.problems import load
from autocomp.records import Measurement
from autocomp.rewrite.gemmini import MOVES, algebra
from autocomp.targets import Artifact, create

PACK = create("gemmini").knowledge()
HEADER = (files("autocomp.targets.gemmini") / "include" / "gemmini.h").read_text().replace("\\\n", " ")
CHIPS = ("int8-16x16", "int8-32x32", "float32-4x4")

# Subjects of the published menus, and the items that are about them.
SUBJECTS = {
    "matmul": {
        "change tiling": "tile",
        "reorder loops": "interchange",
        "split loops": "split",
        "fuse loops": "fuse",
        "simplify and propagate constants": "fold",
        "reorder computation": "reorder_computation",
        "unroll": "unroll",
        "double buffering": "double_buffer",
        "loads in an outer loop": "load_outside",
        "spread data over the scratchpad": "spread_data",
        "load across outer iterations behind a condition": "keep_loaded",
        "hoist redundant work": "hoist",
        "substitute cheaper operations": "substitute",
        "pipeline movement and compute": "stream",
        "minimise data movement": "minimise_data_movement",
        "minimise loop overhead": "minimise_loop_overhead",
        "other": "other",
    },
    "tinympc": {
        "remove unneeded code": "drop_loads",
        "propagate constants": "unroll_steps",
        "merge instructions": "merge_moves",
        "merge high-level operations": "merge_operations",
        "reorder": "reorder_operations",
        "move work of the core to the accelerator": "use_accelerator",
        "add or subtract through the bias": "bias",
        "hoist": "hoist_loads",
        "substitute": "substitute",
        "pipeline": "pipeline_steps",
        "remove dependencies and fences": "remove_fences",
        "minimise data movement": "minimise_data_movement",
        "minimise loop overhead": "minimise_loop_overhead",
        "other": "other",
    },
}
SUBJECTS["conv2d"] = SUBJECTS["matmul"]


def parameters(macro: str) -> list[str]:
    found = re.search(rf"#define {macro}\(([^)]*)\)", HEADER)
    assert found is not None
    return [name.strip() for name in found[1].split(",")]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def test_every_part_is_there() -> None:
    assert "## Chips" in PACK.architecture
    assert set(PACK.isa) == {
        "addresses",
        "config",
        "mvin",
        "mvout",
        "pooling",
        "compute",
        "output_stationary",
        "loop_ws",
        "loop_conv_ws",
        "library",
        "counters_and_normalisation",
        "fence",
    }
    assert len(PACK.rules) > 10
    assert len(PACK.examples) >= 10


@pytest.mark.parametrize("name", PACK.isa)
def test_sections_begin_with_their_title_and_stay_short(name: str) -> None:
    text = PACK.isa[name]
    assert text.startswith("# ")
    assert len(text) < 6000  # a prompt may hold several
    assert "TODO" not in text


def test_every_command_is_described() -> None:
    """Short names, and those commands that have only a long one."""
    short = re.findall(r"#define ([a-z]\w*)\(", HEADER[HEADER.index("The short dialect") :])
    long = ["gemmini_loop_ws", "gemmini_loop_conv_ws", "gemmini_config_norm", "counter_configure", "counter_read"]
    long += ["gemmini_extended3_config_ex", "gemmini_extended5_config_ld", "gemmini_extended2_config_st"]
    assert len(short) > 10
    described = words(" ".join(PACK.isa.values()))
    assert set(short) | set(long) <= described


@pytest.mark.parametrize("macro", ["gemmini_loop_ws", "gemmini_loop_conv_ws"])
def test_every_argument_of_a_hardware_loop_is_described(macro: str) -> None:
    section = PACK.isa[macro.removeprefix("gemmini_")]
    table = " ".join(line for line in section.splitlines() if line.startswith("| "))
    names = parameters(macro)
    strides = {"B_stride", "C_stride"} if macro == "gemmini_loop_ws" else set()  # written "A_stride … D_stride"
    assert set(names) - strides <= words(table)
    if macro == "gemmini_loop_conv_ws":
        assert f"takes {len(names)} arguments" in section
        order = [name for name in re.findall(r"\w+", " ".join(re.findall(r"^\| (`[^|]*)\|", section, re.MULTILINE)))]
        assert order == names
    else:
        call = re.search(rf"{macro}\(([^)]*)\)", section)
        assert call is not None
        assert [name.strip() for name in call[1].split(",")] == names


@pytest.mark.parametrize("chip", CHIPS)
def test_the_table_of_chips_is_that_of_the_simulator(chip: str) -> None:
    sizes = create("gemmini", {"chip": chip}).describe()["simulator"]
    assert isinstance(sizes, dict)
    table = PACK.architecture[PACK.architecture.index("| | `int8-16x16`") :].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    column = rows[0].index(f"`{chip}`")
    told = [row[column] for row in rows[2:]]
    dim, element = sizes["dim"], 4 if sizes["float_elements"] else 1
    # Results leave a systolic array after its skew (a cell for each column), its depth, and the way to the memory.
    latency = (2 * dim - 1) * (sizes["tile_latency"] + 1) + sizes["mesh_output_delay"] + 2
    assert told == [
        f"{dim}; {dim}; {dim * dim}",
        "float32; float32" if element == 4 else "int8; int32",
        f"{dim * element}; {dim * 4}",
        f"{sizes['scratchpad_banks']} × {sizes['scratchpad_bank_rows']}",
        f"{sizes['accumulator_banks']} × {sizes['accumulator_bank_rows']}",
        f"{sizes['max_block_bytes'] // element}; {max(dim, sizes['max_block_bytes'] // 4)}",
        f"{latency}",
    ]


@pytest.mark.parametrize("operator", SUBJECTS)
def test_the_menu_covers_its_subjects(operator: str) -> None:
    items = {item.id: item for item in PACK.menu if not item.operators or operator in item.operators}
    assert set(SUBJECTS[operator].values()) <= set(items)
    assert len(set(SUBJECTS[operator].values())) == {"tinympc": 14}.get(operator, 17)
    assert "hardware_loop" in items


def test_items_have_guidance_and_name_moves_that_exist() -> None:
    for item in PACK.menu:
        assert item.guidance, item.id
        assert set(item.operators) <= set(SUBJECTS), item.id
        assert item.rewrite is None or item.rewrite in {*MOVES, *algebra.MOVES}, item.id


def test_rules_have_what_the_simulator_refuses_most() -> None:
    with (files("autocomp.targets.gemmini") / "pack" / "rules.toml").open("rb") as file:
        names = {rule["id"] for rule in tomllib.load(file)["rule"]}
    assert {"pairs", "capacity", "limits", "written-before-read", "edges", "hardware-loops", "language"} <= names
    assert "no-hardware-loops" not in names


def evaluate(name: str) -> Measurement:
    code = PACK.examples[name]
    match = re.match(r"// problem: (\S+)\n", code)
    assert match is not None
    problem = load(match[1])
    target = create("gemmini", problem.settings)
    artifact = target.build(problem, code)
    assert isinstance(artifact, Artifact), artifact
    assert artifact.diagnostics == ()
    outcome = Ladder(problem, target, CaseCache()).evaluate(code, plan_evaluation(problem.distributions, (1,), (2,)))
    assert outcome.evaluation.verdict.passed, outcome.evaluation.verdict
    assert outcome.evaluation.measurement is not None
    return outcome.evaluation.measurement


# What the text above an example says about its traffic, in bytes and commands.
FACTS = {
    "tiling.c": {"bytes_loaded": 2 * 128 * 48 + 2 * 48 * 128},
    "load_gating.c": {"bytes_loaded": 128 * 64 + 64 * 64},
    "accumulate_over_k.c": {"bytes_loaded": 160 * (32 + 48), "commands_store": 2},
    "double_buffering.c": {"bytes_loaded": 2 * 128 * 128, "bytes_stored": 128 * 128},
    "edges_bias_activation.c": {"bytes_stored": 40 * 72},
    "output_stationary.c": {"commands_compute": 4 * 4 * 2},
    "convolution_packed_pixels.c": {"commands_compute": 10 * 9 * 2, "bytes_stored": 8 * 20 * 32},
    "pooling.c": {"commands_store": 1, "bytes_stored": 4 * 4 * 16},
    "float_vectors_resident.c": {
        "bytes_loaded": 4 * (12 * 12 + 2 * 12 * 4 + 12 + 5 * 4),
        "bytes_stored": 4 * 5 * (12 + 4),
    },
    "hardware_loop.c": {"commands_loop": 6 * 4, "bytes_stored": 100 * 120},
    "hardware_loop_convolution.c": {"commands_loop": 7 * 4, "bytes_stored": 2 * 14 * 14 * 48},
}


def test_facts_are_about_all_examples() -> None:
    assert set(FACTS) == set(PACK.examples)


@pytest.mark.parametrize("name", PACK.examples)
def test_examples_compute_and_do_what_they_say(name: str) -> None:
    counters = evaluate(name).counters
    told = FACTS[name]
    assert {counter: counters[counter] for counter in told} == told
    assert counters["fences"] == 2  # its own at the end, and that of the measurement
