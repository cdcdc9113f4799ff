"""Targets are found through the entry-point group ``autocomp.targets``; built-ins use the same door."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points

from autocomp.errors import SetupError, UnknownTargetError
from autocomp.targets._target import Target

GROUP = "autocomp.targets"


def names() -> tuple[str, ...]:
    """Names of all installed targets, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def create(name: str, settings: Mapping[str, object] | None = None) -> Target:
    """Make the target called ``name``; ``settings`` are its own table of the configuration.

    Raises UnknownTargetError if no such target is installed, SetupError if its package cannot be imported.
    """
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                factory = point.load()
            except ImportError as error:
                raise SetupError(
                    f"target '{name}' is registered as {point.value} but cannot be imported: {error}; "
                    "reinstall the package that provides it"
                ) from error
            target: Target = factory(dict(settings or {}))
            return target
    raise UnknownTargetError(f"no target '{name}'; installed are: {', '.join(names()) or 'none'}")
