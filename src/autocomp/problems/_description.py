"""From the text of ``problem.toml`` to a validated model; every refusal names key, value and remedy."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from autocomp.errors import ProblemError, near
from autocomp.problems._model import ArgumentModel, DistributionModel, ProblemModel, ToleranceModel, WorkModel

_MAX_REPORTED = 5
_TABLES: Mapping[str, type[BaseModel]] = {
    "arguments": ArgumentModel,
    "distributions": DistributionModel,
    "tolerance": ToleranceModel,
    "work": WorkModel,
}
_REMEDIES = {
    "missing": "add it",
    "string_type": "write a text in double quotes",
    "int_type": "write a whole number",
    "float_type": "write a number",
    "dict_type": "write a table",
    "list_type": "write a list in [ ]",
    "too_short": "must not be empty",
}


def parse_description(text: str, label: str) -> ProblemModel:
    """Parse and validate. Raises ProblemError with everything that is wrong, up to five findings."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError(f"{label}: {error}") from error
    except RecursionError as error:
        raise ProblemError(f"{label}: tables or lists are nested too deeply") from error
    try:
        return ProblemModel.model_validate(content)
    except ValidationError as error:
        findings = list(dict.fromkeys(_explain(dict(detail)) for detail in error.errors(include_url=False)))
        shown = findings[:_MAX_REPORTED]
        if len(findings) > len(shown):
            shown.append(f"and {len(findings) - len(shown)} more")
        raise ProblemError("\n".join(f"{label}: {finding}" for finding in shown)) from error


def key_path(location: Sequence[int | str]) -> str:
    """Write a location the way the file does: ``arguments[0].dtype`` (counted from 0)."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _explain(detail: dict[str, Any]) -> str:
    # A union (a size is a number or a text) reports one finding per member; its tag is not a key of the file.
    location = [part for part in detail["loc"] if part not in ("int", "str", "[key]", "float")]
    kind = detail["type"]
    path = key_path(location)
    if kind == "extra_forbidden":
        return f"{path}: unknown key; {near(str(location[-1]), _known_keys(location))}"
    if kind == "missing":
        return f"{path}: is missing; {_REMEDIES['missing']}"
    value = repr(detail["input"])
    value = value if len(value) <= 80 else value[:77] + "…"
    if "str" in detail["loc"] or "int" in detail["loc"]:
        return f'{path} = {value}: write a whole number or a text such as "M * N"'
    if kind == "value_error":
        return f"{path} = {value}: {detail['ctx']['error']}"
    if kind == "literal_error":
        return f"{path} = {value}: must be {detail['ctx']['expected']}"
    remedy = _REMEDIES.get(kind, "")
    message = detail["msg"][0].lower() + detail["msg"][1:]
    return f"{path} = {value}: {remedy or message}"


def _known_keys(location: Sequence[int | str]) -> list[str]:
    model = ProblemModel if len(location) == 1 else _TABLES.get(str(location[0]), ProblemModel)
    return list(model.model_fields)
