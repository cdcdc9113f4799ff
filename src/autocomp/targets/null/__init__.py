"""A fake chip: whatever stands above targets can be tested without a compiler or a device."""

from __future__ import annotations

from collections.abc import Mapping

from autocomp.errors import UsageError
from autocomp.targets._target import Target
from autocomp.targets.null._target import NullTarget

__all__ = ["NullTarget", "create"]


def create(settings: Mapping[str, object] | None = None) -> Target:
    """The fake chip; it knows one setting, ``latency_factor``. Raises UsageError for any other."""
    given = dict(settings or {})
    factor = given.pop("latency_factor", 1.0)
    if given:
        raise UsageError(f"targets.null has no setting '{next(iter(given))}'; there is: latency_factor")
    if isinstance(factor, bool) or not isinstance(factor, (int, float)) or factor <= 0:
        raise UsageError(f"targets.null.latency_factor = {factor!r}: must be a number greater than zero")
    return NullTarget(float(factor))
