"""Broken and changed kernels: the proposer refuses them in its own words, or has nothing to propose."""

from __future__ import annotations

import random
import re

import pytest

from autocomp.errors import IllegalMoveError
from autocomp.problems import load
from autocomp.rewrite._understand import understandings
from autocomp.targets import create

PROBLEMS = (
    "tinympc:forward:horizon=2:states=8",
    "tinympc:backward:horizon=2:states=4",
    "gemm:32x32x32:bias",
    "conv:1x4x4x16x16:pool=2/2/0",
)
KERNELS = 60
"""Per problem; some 10 s in all."""
_TOKEN = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uU]?|\d+(?:\.\d*)?[fFuU]?|\S")
_NUMBERS = ("0", "-1", "1", "3", "010", "2.5f", "1e9f", "0x80000000u", "0xffffffffu", "1000000000", "(1 << 40)", "i")


def mutated(source: str, draw: random.Random) -> str:
    """The source with its end cut off, or with a few tokens, arguments or lines deleted, doubled or replaced."""
    kind = draw.randrange(8)
    if kind == 0:
        return source[: draw.randrange(len(source))]
    if kind == 1:
        start = draw.randrange(len(source))
        return source[:start] + source[start + draw.randint(1, 30) :]
    for _ in range(draw.randint(1, 3)):
        if kind in (2, 3):
            lines = source.splitlines(keepends=True)
            one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
            if kind == 2:
                lines[one], lines[two] = lines[two], lines[one]
            elif draw.random() < 0.5:
                del lines[one]
            else:
                lines.insert(two, lines[one])
            source = "".join(lines)
            continue
        tokens = [match.span() for match in _TOKEN.finditer(source)]
        start, end = draw.choice(tokens)
        if kind == 4:
            source = source[:start] + source[end:]
        elif kind == 5:
            numbers = [span for span in tokens if source[span[0]].isdigit()]
            start, end = draw.choice(numbers or tokens)
            source = source[:start] + draw.choice(_NUMBERS) + source[end:]
        elif kind == 6:
            other = draw.choice(tokens)
            source = source[:start] + source[slice(*other)] + source[end:]
        elif calls := list(re.finditer(r"(\w+)\(([^()]*)\);", source)):
            call = draw.choice(calls)
            arguments = call[2].split(",")
            if draw.random() < 0.5:
                arguments.pop(draw.randrange(len(arguments)))
            else:
                arguments.insert(draw.randrange(len(arguments) + 1), draw.choice(_NUMBERS))
            source = source[: call.start(2)] + ",".join(arguments) + source[call.end(2) :]
    return source


@pytest.mark.parametrize("name", PROBLEMS)
def test_changed_kernels_are_refused_or_followed_and_nothing_else(name: str) -> None:
    problem = load(name)
    description = create("gemmini", dict(problem.settings)).describe()
    ways = understandings("gemmini", description)
    draw = random.Random(name)
    followed = refused = 0
    for _ in range(KERNELS):
        source = mutated(problem.start.code, draw)
        for understand in ways:
            try:
                understanding = understand(source, problem.entry, None)
                proposals = understanding.proposals()
            except IllegalMoveError:
                refused += 1
                continue
            for proposal in draw.sample(proposals, min(len(proposals), 2)):
                try:
                    understanding.source(understanding.apply(proposal.move, proposal.parameters))
                except IllegalMoveError:
                    continue
                followed += 1
    assert refused > KERNELS / 4
    assert followed


def test_a_pooling_larger_than_its_fields_is_refused() -> None:
    problem = load("conv:1x4x4x16x16:pool=2/2/0")
    (understand,) = understandings("gemmini", create("gemmini").describe())
    call = re.search(r"config_st\(([^()]*)\);", problem.start.code)
    assert call is not None
    arguments = call[1].split(",")
    assert len(arguments) == 12
    arguments[7] = "1000000000"
    source = problem.start.code.replace(call[1], ",".join(arguments))
    understanding = understand(source, problem.entry, None)
    for proposal in understanding.proposals()[:3]:
        with pytest.raises(IllegalMoveError, match="does not fit its 8 bits"):
            understanding.apply(proposal.move, proposal.parameters)
