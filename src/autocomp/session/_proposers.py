"""Proposers are found through the entry-point group ``autocomp.proposers``; built-ins use the same door."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points

from autocomp.errors import SetupError, UsageError
from autocomp.proposer import Proposer
from autocomp.targets import Target

GROUP = "autocomp.proposers"


def proposer_names() -> tuple[str, ...]:
    """Names of all installed proposers, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def create_proposer(name: str, target: Target, settings: Mapping[str, object]) -> Proposer:
    """Make the proposer called ``name`` for ``target``; ``settings`` are its own table of the configuration.

    The entry point names a callable that takes both. Raises UsageError if no such proposer is installed, SetupError if
    it cannot be imported.
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
            proposer: Proposer = factory(target, dict(settings))
            return proposer
    raise UsageError(f"no proposer '{name}'; installed are: {', '.join(proposer_names()) or 'none'}")
