"""``python -m benchmarks.gemmini.pictures``: timelines of start and best kernels for ``docs/profiles.md``.

The best kernels are those in ``results/``. Each pair of pictures shares one time scale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.gemmini.__main__ import RESULTS

from autocomp import session
from autocomp.problems import load
from autocomp.report import WIDTH, height, number_text, speedup_text, standalone, timeline_svg

DOCS = Path(__file__).parents[2] / "docs"
PROBLEMS = {"gemm": "gemm:512x512x512", "conv": "conv:4x14x14x256x256", "tinympc": "tinympc:forward"}
WORDS = {
    "gemm": """\
The start kernel keeps the array occupied for most of the time and lets it wait for most of that: operands share a bank,
loads write the bank that is being read, and everything is loaded again for every use. The best one brings each value
in once, ahead of its use and into another bank, so the array works all the time.""",
    "conv": """\
The same as for the product, and more so: weights are loaded again for every row of pixels. The best kernel keeps what
it needs again, loads the rest ahead, and gives the array full tiles.""",
    "tinympc": """\
A chain of tiny products: nothing is ever full. In the start kernel the core negates and adds between calls of the
accelerator, each of which waits for its loads and ends with a fence. In the best one everything stays on the chip;
what remains is the core issuing commands, and fetching code that it runs once.""",
}


class Profiled(NamedTuple):
    """One kernel, measured with its timeline."""

    code: str
    found: session.Profile

    @property
    def cycles(self) -> float:
        assert self.found.evaluation.latency is not None
        return self.found.evaluation.latency


def _profiled(problem: str, code: str) -> Profiled:
    return Profiled(code, session.profile(problem, code, timeline=True))


def _best(family: str, problem: str) -> tuple[str, Sequence[str]]:
    rows = json.loads((RESULTS / f"{family}-ideal.json").read_text(encoding="utf-8"))["rows"]
    row = next(row for row in rows if row["problem"] == problem)
    return row["code"], row["moves"]


def _picture(kernel: Profiled, until: float) -> str:
    spans, unit = kernel.found.timeline, kernel.found.ideal.unit
    lanes = len({span.unit for span in spans})
    return standalone(timeline_svg(spans, unit, kernel.cycles, until), WIDTH, height(lanes))


def _section(family: str, problem: str) -> str:
    code, moves = _best(family, problem)
    start, best = _profiled(problem, load(problem).start.code), _profiled(problem, code)
    for name, kernel in (("start", start), ("best", best)):
        (DOCS / "profiles" / f"{family}-{name}.svg").write_text(_picture(kernel, start.cycles), encoding="utf-8")
        (DOCS / "profiles" / f"{family}-{name}.c").write_text(kernel.code, encoding="utf-8")
    speedup = speedup_text(start.cycles / best.cycles)
    lines = [f"## `{problem}`: {number_text(start.cycles)} → {number_text(best.cycles)} cycles ({speedup})", ""]
    lines += [WORDS[family], ""]
    for name, kernel in (("start", start), ("best", best)):
        lines += [f"![{name} kernel](profiles/{family}-{name}.svg)", ""]
        lines += [f"The {name} kernel ([source](profiles/{family}-{name}.c)):", ""]
        lines += [f"- {sentence}" for sentence in kernel.found.evaluation.feedback]
        lines += [""]
    return "\n".join([*lines, f"Moves: {', '.join(moves)}.", ""])


HEAD = """\
# What a speed-up looks like

Start and best kernel of three problems, in pictures that `autocomp profile` draws, with what it says below. The two of
a pair share one time scale, so the lower one ends early. Dark is work: what the command would take with nothing to wait
for. Light is time in which a command was in progress but waited. The core's lane shows when it did not wait for the
accelerator. The numbers at the right are the shares of work and of progress, over the length of the run.

Written by `python -m benchmarks.gemmini.pictures` from the kernels that `python -m benchmarks.gemmini` found (ideal
memory). One of them by hand: `autocomp profile gemm:512x512x512 docs/profiles/gemm-best.c -o best.svg`.

"""


def main() -> int:
    """Write the page and its pictures."""
    (DOCS / "profiles").mkdir(exist_ok=True)
    page = HEAD + "\n".join(_section(family, problem) for family, problem in PROBLEMS.items())
    (DOCS / "profiles.md").write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
