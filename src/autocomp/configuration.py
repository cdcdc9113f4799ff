"""Settings of a project: ``autocomp.toml``, flags on top, everything checked.

::

    [run]
    seed = 0
    proposer = "rewrite"

    [search]
    beam = 6

    [evaluate]
    workers = 2

    [targets.gemmini]
    memory = "ideal"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from autocomp.errors import UsageError, near
from autocomp.records import Distribution, DistributionKind
from autocomp.search import SearchSettings

FILE_NAME = "autocomp.toml"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunSettings(_Section):
    """Section ``[run]``: what is run, by whom, and where it is kept."""

    seed: int = Field(default=0, ge=0, lt=2**63, description="Seed of everything the search draws.")
    target: str | None = Field(
        default=None, description="Target to optimise for; unset means the one the problem names."
    )
    proposer: str = Field(default="rewrite", description="Name of the installed proposer that plans and implements.")
    proposer_threads: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="How many requests to the proposer run at once; unset means what it recommends.",
    )
    store: Path = Field(
        default=Path(".autocomp/store.sqlite"),
        description="The project's store; a relative path counts from the configuration file, or else from the "
        "current directory.",
    )


class DistributionSettings(_Section):
    """One entry of ``evaluate.distributions``."""

    kind: DistributionKind = Field(description="Kind of distribution.")
    low: float | None = Field(default=None, allow_inf_nan=False, description="Least value, where the kind has one.")
    high: float | None = Field(default=None, allow_inf_nan=False, description="Greatest value, where the kind has one.")

    @model_validator(mode="after")
    def _ordered(self) -> DistributionSettings:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low = {self.low:g} is greater than high = {self.high:g}; exchange them")
        return self


class EvaluateSettings(_Section):
    """Section ``[evaluate]``: on which inputs candidates are checked, and within which limits."""

    public_seeds: tuple[int, ...] = Field(
        default=(1,),
        min_length=1,
        description="Seeds of the inputs that are the same in every run; the first is measured.",
    )
    secret_seeds: int = Field(
        default=1,
        ge=0,
        le=100,
        description="How many seeds, drawn at random per run, each code is checked with: per seed once on the first "
        "distribution and once on all others side by side.",
    )
    confirm_seeds: int = Field(
        default=1,
        ge=1,
        le=100,
        description="How many fresh seeds per distribution a candidate must pass to be called best.",
    )
    distributions: tuple[DistributionSettings, ...] | None = Field(
        default=None, min_length=1, description="Input distributions to use instead of the problem's own."
    )
    workers: int | None = Field(
        default=None, ge=1, le=1024, description="Worker processes; unset means one per core this process may use."
    )
    time_limit_s: float = Field(
        default=60.0, gt=0.0, le=1e9, allow_inf_nan=False, description="Wall time after which a candidate is killed."
    )
    memory_limit_mb: int = Field(
        default=4096, ge=256, le=1 << 30, description="Address space of a worker and its compiler, in MiB."
    )
    cache: bool = Field(default=True, description="Take results of earlier runs on the same code from the store.")

    def override(self, problem_distributions: tuple[Distribution, ...]) -> tuple[Distribution, ...]:
        """The distributions to check with: the configured ones, or else the problem's."""
        if self.distributions is None:
            return problem_distributions
        return tuple(Distribution(item.kind, item.low, item.high) for item in self.distributions)


class Configuration(_Section):
    """All settings of one run."""

    run: RunSettings = Field(default_factory=RunSettings, description="What is run, by whom, where it is kept.")
    search: SearchSettings = Field(default_factory=SearchSettings, description="Parameters of the beam search.")
    evaluate: EvaluateSettings = Field(default_factory=EvaluateSettings, description="How candidates are checked.")
    targets: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Settings of each target by its name; the target checks them."
    )
    proposers: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Settings of each proposer by its name; the proposer checks them."
    )


def find_configuration(start: Path | None = None) -> Path | None:
    """The nearest ``autocomp.toml``, from ``start`` (default: the current directory) upwards."""
    directory = (start or Path.cwd()).resolve()
    for folder in (directory, *directory.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    return None


def load_configuration(
    path: Path | None = None, *, overrides: Mapping[str, object] | None = None, start: Path | None = None
) -> Configuration:
    """Read the configuration and lay ``overrides`` (``{"search.beam": 4}``) over it.

    Without ``path`` the nearest ``autocomp.toml`` is taken; without that, the defaults.

    Raises UsageError if the file cannot be read or a key or value is wrong: it names file, key, value and what would
    be right.
    """
    if path is not None and not path.is_file():
        raise UsageError(f"configuration file {path} does not exist")
    source = path or find_configuration(start)
    values = _read(source) if source else {}
    _check(values, str(source))
    run = values.get("run")
    if source and isinstance(run, dict) and "store" in run:
        run["store"] = str(source.parent / str(run["store"]))
    for key, value in (overrides or {}).items():
        _assign(values, key, value)
    return _check(values, "settings" if overrides else str(source or "settings"))


def configuration_from_json(values: Mapping[str, object]) -> Configuration:
    """Rebuild the configuration that a run stored; keys that were not set stay unset."""
    return _check(dict(values), "configuration of the stored run")


def configuration_to_json(configuration: Configuration) -> dict[str, Any]:
    """What was set, in JSON types."""
    return configuration.model_dump(mode="json", exclude_unset=True)


def _read(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{source} is not valid TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{source} cannot be read: {error}") from error


def _assign(values: dict[str, Any], key: str, value: object) -> None:
    *sections, name = key.split(".")
    table = values
    for section in sections:
        entry = table.setdefault(section, {})
        if not isinstance(entry, dict):
            raise UsageError(f"setting '{key}': '{section}' is not a section")
        table = entry
    table[name] = value


def _check(values: Mapping[str, Any], source: str) -> Configuration:
    try:
        return Configuration.model_validate(values)
    except ValidationError as error:
        raise UsageError("\n".join(_explain(error, source))) from error


def _explain(error: ValidationError, source: str) -> Iterator[str]:
    for item in error.errors():
        location = item["loc"]
        key = ".".join(str(part) for part in location)
        if item["type"] == "extra_forbidden":
            yield f"{source}: unknown key '{key}'; {near(str(location[-1]), _known_keys(location[:-1]))}"
        else:
            message = item["msg"][:1].lower() + item["msg"][1:]
            yield f"{source}: {key} = {item['input']!r} is wrong: {message}"


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Configuration
    for part in location:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        model = next(kind for kind in _models(annotation))
    return sorted(model.model_fields)


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
