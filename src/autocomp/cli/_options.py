"""Options that several commands share, and how they become a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from autocomp.configuration import Configuration, configuration_from_json, load_configuration
from autocomp.errors import UnknownRunError
from autocomp.problems import load
from autocomp.session import open_store
from autocomp.store import RunView, Store

Run = Annotated[str, typer.Argument(metavar="RUN", help="Run id, the unique beginning of one, or `last`.")]
PROBLEM_HELP = (
    "Name of a packaged problem, a size such as `gemm:128x64x256`, an Exo procedure such as "
    "`exo:FILE.py:PROCEDURE:N=16`, or a problem folder."
)
ProblemName = Annotated[str, typer.Argument(metavar="PROBLEM", help=PROBLEM_HELP)]
Kernel = Annotated[Path, typer.Argument(metavar="FILE", help="Source file of the kernel; `-` is standard input.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings; otherwise the nearest `autocomp.toml`, if any."),
]
StorePath = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="The project's store; default `.autocomp/store.sqlite`.")
]
TargetName = Annotated[
    str | None, typer.Option("--target", metavar="NAME", help="Target; otherwise the one the problem names.")
]
Memory = Annotated[
    str | None,
    typer.Option("--memory", metavar="MODEL", help="Memory behind the target's cache: `ideal` or `ddr3` (gemmini)."),
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="What runs kernels: `embedded`, or your own `spike`, `verilator` or `firesim` (gemmini).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")]


def configure(
    config: Path | None,
    overrides: Mapping[str, object] | None = None,
    *,
    problem: str | None = None,
    memory: str | None = None,
    engine: str | None = None,
) -> Configuration:
    """The configuration of this call: file, then flags; values that are None count as not given.

    ``memory`` and ``engine`` are settings of whichever target is used, so the problem may have to be asked for it.
    """
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    settings = load_configuration(config, overrides=given)
    of_target = {name: value for name, value in (("memory", memory), ("engine", engine)) if value is not None}
    if not of_target:
        return settings
    target = settings.run.target or (load(problem).target if problem is not None else None)
    return load_configuration(
        config, overrides=given | {f"targets.{target}.{name}": value for name, value in of_target.items()}
    )


def existing_store(config: Path | None, store: Path | None) -> Store:
    """The store to read from. Raises UnknownRunError if there is none yet: reading must not create one."""
    settings = configure(config, {"run.store": store})
    if not settings.run.store.exists():
        raise UnknownRunError(
            f"there is no store at {settings.run.store}, so no run yet; `autocomp optimize PROBLEM` starts one"
        )
    return open_store(settings)


def read_run(run: str, config: Path | None, store: Path | None) -> RunView:
    """The run called ``run``. Raises UnknownRunError, StoreError."""
    with existing_store(config, store) as opened:
        return opened.view(opened.resolve(run))


def as_it_was(view: RunView, current: Configuration) -> Configuration:
    """The configuration a run was made with, reading the store and machine of today."""
    stored = configuration_from_json(view.configuration)
    run = stored.run.model_copy(update={"store": current.run.store, "target": view.target})
    workers = stored.evaluate.model_copy(update={"workers": current.evaluate.workers})
    return stored.model_copy(update={"run": run, "evaluate": workers})
