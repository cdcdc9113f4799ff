"""The keys of ``problem.toml``, as pydantic models."""

from __future__ import annotations

import json
import keyword
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from autocomp.records import DistributionKind


def _identifier(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        raise ValueError("must be an identifier: letters, digits and _, not starting with a digit")
    if keyword.iskeyword(text):
        raise ValueError("is a reserved word; choose another name")
    return text


def _problem_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", text):
        raise ValueError("must be 1 to 100 letters, digits, '.', '_' or '-', starting with a letter or digit")
    return text


def _json_only(value: object) -> object:
    # Settings and options travel through prompts, events and the fingerprint, all of them JSON.
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("must be a text, a finite number, true or false, or lists and tables of these") from error
    return value


Identifier = Annotated[str, AfterValidator(_identifier)]
Name = Annotated[str, AfterValidator(_problem_name)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ArgumentModel(_Model):
    """One ``[[arguments]]`` table."""

    name: Identifier
    dtype: str
    shape: list[int | str] = Field(min_length=1, max_length=8)
    role: Literal["input", "output", "inout"]


class ToleranceModel(_Model):
    """One entry of ``[tolerance]``."""

    absolute: float = Field(default=0.0, ge=0)
    relative: float = Field(default=0.0, ge=0)


class DistributionModel(_Model):
    """One ``[[distributions]]`` table."""

    kind: DistributionKind
    low: float | None = None
    high: float | None = None


class WorkModel(_Model):
    """The ``[work]`` table."""

    operations: int | str | None = None
    bytes: int | str | None = None


class ProblemModel(_Model):
    """The whole file."""

    name: Name
    operator: Identifier
    entry: Identifier = "solution"
    target: Name = "gemmini"
    dimensions: dict[Identifier, Annotated[int, Field(ge=1, le=2**31 - 1)]] = Field(default_factory=dict)
    arguments: list[ArgumentModel] = Field(min_length=1, max_length=64)
    tolerance: dict[str, ToleranceModel] = Field(default_factory=dict)
    distributions: list[DistributionModel] = Field(default_factory=list, max_length=32)
    work: WorkModel = Field(default_factory=WorkModel)
    settings: dict[Identifier, Annotated[object, AfterValidator(_json_only)]] = Field(default_factory=dict)
    options: dict[Identifier, Annotated[object, AfterValidator(_json_only)]] = Field(default_factory=dict)
