"""Gemmini: a systolic array behind a RISC-V core, with its compiler and an embedded simulator."""

from __future__ import annotations

from collections.abc import Mapping

from autocomp.targets._target import Target
from autocomp.targets.gemmini import _config
from autocomp.targets.gemmini._target import GemminiTarget

__all__ = ["GemminiTarget", "create"]


def create(settings: Mapping[str, object] | None = None) -> Target:
    """The target with the user's settings; raises UsageError if one of them is wrong."""
    return GemminiTarget(_config.load(settings))
