"""The name of a problem that is an Exo procedure: ``exo:PATH.py:PROCEDURE:N=16:start=OTHER``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autocomp.errors import ProblemError

PREFIX = "exo:"
SYNTAX = (
    "exo:FILE.py:PROCEDURE, followed by :SIZE=NUMBER for every size, and if wanted by :start=PROCEDURE, "
    ":rival=PROCEDURE (several times), :operator=NAME, :tolerance=NUMBER and :target=NAME"
)
_SHAPE = re.compile(r"exo:(?P<path>.+?\.py):(?P<procedure>[A-Za-z_]\w*)(?P<rest>(?::[^:]*)*)")
_OPTIONS = ("start", "operator", "tolerance", "target")
_VALUES = {"true": True, "false": False}


@dataclass(frozen=True)
class ExoSpec:
    """One procedure of one file, with the values of its sizes."""

    path: Path
    """Absolute."""
    procedure: str
    sizes: Mapping[str, int | bool] = field(default_factory=dict)
    """Values of arguments that are sizes, indices or conditions, as far as given."""
    start: str | None = None
    rivals: tuple[str, ...] = ()
    operator: str = "exo"
    target: str = "gemmini"
    tolerance: float | None = None
    """Largest accepted error of floating-point outputs, absolute and relative; None means by the number of sums."""

    @property
    def locator(self) -> str:
        """The name in its one canonical form, good in any working directory."""
        sizes = [f"{name}={str(value).lower()}" for name, value in sorted(self.sizes.items())]
        options = [f"{name}={value}" for name in _OPTIONS if (value := getattr(self, name)) != _DEFAULTS[name]]
        return ":".join(
            [f"{PREFIX}{self.path}", self.procedure, *sizes, *options, *(f"rival={name}" for name in self.rivals)]
        )

    @property
    def name(self) -> str:
        """Procedure and sizes, in the form that may also be a file name."""
        parts = [f"{name}{str(value).lower()}" for name, value in self.sizes.items()]
        return re.sub(r"[^A-Za-z0-9._-]", "-", "-".join(["exo", self.procedure, *parts]))[:100]


_DEFAULTS: Mapping[str, object] = {"start": None, "operator": "exo", "target": "gemmini", "tolerance": None}


def is_exo(text: str) -> bool:
    """True for names that begin like those of Exo procedures; they may hold path separators."""
    return text.startswith(PREFIX)


def parse_exo(text: str) -> ExoSpec:
    """Read a name. Raises ProblemError with the syntax if it is not right; whether the file is there is not asked."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ProblemError(f"{text!r}: is not the name of an Exo procedure; write {SYNTAX}")
    sizes: dict[str, int | bool] = {}
    options: dict[str, str] = {}
    rivals: list[str] = []
    for part in match["rest"].split(":")[1:]:
        name, separator, value = part.partition("=")
        if not separator or not name.isidentifier() or not value:
            raise ProblemError(f"{text!r}: {part!r} is not NAME=VALUE; write {SYNTAX}")
        if name in sizes or name in options or (name == "rival" and value in rivals):
            raise ProblemError(f"{text!r}: {name!r} is given twice")
        if name == "rival":
            rivals.append(value)
        elif name in _OPTIONS:
            options[name] = value
        elif value in _VALUES or re.fullmatch(r"-?\d{1,9}", value):
            sizes[name] = _VALUES[value] if value in _VALUES else int(value)
        else:
            raise ProblemError(f"{text!r}: {name} is {value!r}; it must be a whole number, true or false")
    for value in (*rivals, options.get("start", "start")):
        if not value.isidentifier():
            raise ProblemError(f"{text!r}: {value!r} is not the name of a procedure")
    return ExoSpec(
        path=Path(match["path"]).expanduser().absolute(),
        procedure=match["procedure"],
        sizes=sizes,
        start=options.get("start"),
        rivals=tuple(rivals),
        operator=options.get("operator", "exo"),
        target=options.get("target", "gemmini"),
        tolerance=_tolerance(text, options["tolerance"]) if "tolerance" in options else None,
    )


def _tolerance(text: str, value: str) -> float:
    try:
        tolerance = float(value)
    except ValueError:
        tolerance = -1.0
    if not 0 <= tolerance <= 1:
        raise ProblemError(f"{text!r}: tolerance is {value!r}; it must be a number from 0 to 1, such as 1e-5")
    return tolerance
