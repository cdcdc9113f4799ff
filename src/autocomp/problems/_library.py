"""The packaged problems: templates filled in memory, so that any size is a problem folder like any other."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import jinja2

from autocomp.problems import _conv, _gemm, _tinympc
from autocomp.problems._folder import DESCRIPTION, REFERENCE, RIVALS, Folder

LIBRARY = Path(__file__).parent / "library"
_TEMPLATE_SUFFIX = ".j2"


class Spec(Protocol):
    """What one parametric name says; hashable."""

    @property
    def locator(self) -> str:
        """The parametric name in its one canonical form."""

    @property
    def name(self) -> str:
        """The locator with ``-`` between its parts: the form that may also be a file name."""


@dataclass(frozen=True)
class Family:
    """Problems that differ in size and options: a parser of their names and a folder of templates, ``library/NAME``.

    The folder holds ``problem.toml.j2``, ``reference.py.j2``, ``start.c.j2`` and, as ``rivals/*.c.j2``, rivals that
    are called like their files.
    """

    name: str
    """What parametric names start with."""
    operator: str
    syntax: str
    """Form of a parametric name, for messages."""
    parse: Callable[[str], Spec]
    """From a parametric name. Raises ProblemError with the syntax if it is none."""
    values: Callable[[Any], Mapping[str, object]]
    """What the templates are filled with, from what ``parse`` returned."""


FAMILIES = {
    family.name: family
    for family in (
        Family("gemm", "matmul", "gemm:MxNxK", _gemm.parse_gemm, _gemm.template_values),
        Family("conv", "conv2d", "conv:BATCHxROWSxCOLSxINxOUT", _conv.parse_conv, _conv.template_values),
        Family("tinympc", "tinympc", _tinympc.SYNTAX, _tinympc.parse_tinympc, _tinympc.template_values),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Instance:
    """One problem of a family."""

    family: Family
    spec: Spec

    @property
    def locator(self) -> str:
        """The canonical parametric name."""
        return self.spec.locator


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
        found = find(item["locator"])
        assert found is not None, item["locator"]
        entries.append(Packaged(found.spec.name, found.locator, found.family.operator, item["note"]))
    return tuple(entries)


def find(name: str) -> Instance | None:
    """The instance of a template that ``name`` stands for; None if it is the name of no template.

    ``gemm:512x512x512`` and ``gemm-512x512x512`` are the same problem. Raises ProblemError if the family is known and
    the rest of the name is not right.
    """
    first, separator, _ = name.partition(":")
    family = FAMILIES.get(first)
    if family is None:
        first, separator, _ = name.partition("-")
        family = FAMILIES.get(first) if separator else None
        name = _locator(name)
    return Instance(family, family.parse(name)) if family else None


def is_parametric(name: str) -> bool:
    """True for ``FAMILY:…``; such a name may hold path separators."""
    return name.partition(":")[0] in FAMILIES and ":" in name


def _locator(name: str) -> str:
    """The parametric name from the form with ``-``."""
    family, _, rest = name.partition("-")
    # A number after a word is the value of an option, a number after a number belongs to the same value.
    rest = re.sub(r"(?<=[a-z])-(?=\d)", "=", rest)
    rest = re.sub(r"(?<=\d)-(?=\d)", "/", rest)
    return f"{family}:{rest.replace('-', ':')}"


@functools.lru_cache(maxsize=64)
def render(instance: Instance) -> Folder:
    """The folder of one problem, in memory."""
    environment = _environment(instance.family.name)
    values = instance.family.values(instance.spec)
    return Folder(
        instance.locator,
        {
            template.removesuffix(_TEMPLATE_SUFFIX): environment.get_template(template).render(values)
            for template in _templates(instance.family.name)
        },
    )


@functools.cache
def _templates(family: str) -> tuple[str, ...]:
    rivals = sorted(path.name for path in (LIBRARY / family / RIVALS).glob(f"*{_TEMPLATE_SUFFIX}"))
    fixed = [f"{file}{_TEMPLATE_SUFFIX}" for file in (DESCRIPTION, REFERENCE, "start.c")]
    return (*fixed, *(f"{RIVALS}/{name}" for name in rivals))


@functools.cache
def _environment(family: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(LIBRARY / family),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
