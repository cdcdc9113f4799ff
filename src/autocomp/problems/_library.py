"""The packaged problems: templates filled in memory, so that any size is a problem folder like any other."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

import jinja2

from autocomp.problems._folder import DESCRIPTION, REFERENCE, RIVALS, Folder
from autocomp.problems._gemm import GemmSpec, parse_gemm, template_values

LIBRARY = Path(__file__).parent / "library"
_TEMPLATES = {
    DESCRIPTION: "problem.toml.j2",
    REFERENCE: "reference.py.j2",
    "start.c": "start.c.j2",
    f"{RIVALS}/hand-tuned.c": "rivals/hand-tuned.c.j2",
}


@dataclass(frozen=True)
class Packaged:
    """One entry of the catalogue."""

    name: str
    locator: str
    operator: str
    note: str


@functools.cache
def packaged() -> tuple[Packaged, ...]:
    """The problems that come with Autocomp, in the order of the catalogue."""
    content = tomllib.loads((LIBRARY / "catalogue.toml").read_text(encoding="utf-8"))
    entries = []
    for item in content["problems"]:
        spec = parse_gemm(item["locator"])
        entries.append(Packaged(spec.name, spec.locator, "matmul", item["note"]))
    return tuple(entries)


def find(name: str) -> GemmSpec | None:
    """The template instance that ``name`` stands for; None if it is the name of no template.

    ``gemm:512x512x512`` and ``gemm-512x512x512`` are the same problem. Raises ProblemError if the template is known
    and the rest of the name is not right.
    """
    if name == "gemm" or name.startswith("gemm:"):
        return parse_gemm(name)
    if name.startswith("gemm-"):
        return parse_gemm(name.replace("-scale-", "-scale=").replace("-", ":"))
    return None


@functools.lru_cache(maxsize=64)
def instance(spec: GemmSpec) -> Folder:
    """The folder of one problem, in memory."""
    values = template_values(spec)
    environment = _environment()
    files = {file: environment.get_template(template).render(values) for file, template in _TEMPLATES.items()}
    return Folder(spec.locator, files)


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(LIBRARY / "gemm"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
