"""The knowledge pack holds, and what it shows as an example really passes."""

import re

import numpy as np
import pytest

from autocomp.evaluate import InputSet, draw_inputs
from autocomp.problems import load
from autocomp.targets import Artifact, create

PACK = create("gemmini").knowledge()


def test_every_part_is_there() -> None:
    assert "16×16" in PACK.architecture
    assert set(PACK.isa) == {"addresses", "config", "mvin", "mvout", "compute", "output_stationary", "fence"}
    assert len(PACK.rules) > 10
    assert set(PACK.examples) >= {"reuse_and_overlap.c", "edges_bias_activation.c", "output_stationary.c"}


@pytest.mark.parametrize("name", PACK.isa)
def test_sections_begin_with_their_title_and_stay_short(name: str) -> None:
    text = PACK.isa[name]
    assert text.startswith("# ")
    assert len(text) < 6000  # a prompt may hold several
    assert "TODO" not in text


@pytest.mark.parametrize("name", PACK.examples)
def test_examples_compute_what_they_say(name: str) -> None:
    code = PACK.examples[name]
    match = re.match(r"// problem: (\S+)\n", code)
    assert match is not None
    problem = load(match[1])
    target = create("gemmini")
    assert target.check(problem, code) is None
    artifact = target.build(problem, code)
    assert isinstance(artifact, Artifact), artifact
    assert artifact.diagnostics == ()
    for seed, distribution in enumerate(problem.distributions):
        inputs = draw_inputs(problem, InputSet((distribution,), seed, distribution.kind))
        execution = target.run(problem, artifact, inputs)
        assert execution.verdict is None, execution.verdict
        for output, expected in problem.reference(inputs).items():
            assert np.array_equal(execution.outputs[output], expected), (output, distribution)
