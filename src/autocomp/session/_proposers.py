"""Proposers are found through the entry-point group ``autocomp.proposers``; built-ins use the same door."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import NamedTuple

from autocomp.errors import SetupError, UsageError
from autocomp.proposer import Proposer
from autocomp.targets import Target

GROUP = "autocomp.proposers"


class Installed(NamedTuple):
    """A proposer, and the search parameters that it works best with."""

    proposer: Proposer
    recommended: Mapping[str, object]


def proposer_names() -> tuple[str, ...]:
    """Names of all installed proposers, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def create_proposer(name: str, target: Target, settings: Mapping[str, object]) -> Installed:
    """Make the proposer called ``name`` for ``target``; ``settings`` are its own table of the configuration.

    The entry point names a callable that takes both; a dictionary ``RECOMMENDED`` beside it, if there is one, holds
    search parameters. Raises UsageError if no such proposer is installed, SetupError if it cannot be imported.
    """
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                factory = point.load()
            except (ImportError, AttributeError) as error:
                raise SetupError(
                    f"proposer '{name}' is registered as {point.value} but cannot be imported: {error}; "
                    "reinstall the package that provides it"
                ) from error
            recommended: Mapping[str, object] = getattr(sys.modules[point.module], "RECOMMENDED", {})
            proposer: Proposer = factory(target, dict(settings))
            return Installed(proposer, recommended)
    raise UsageError(f"no proposer '{name}'; installed are: {', '.join(proposer_names()) or 'none'}")
