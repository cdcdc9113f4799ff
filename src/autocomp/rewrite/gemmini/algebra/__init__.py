"""Moves on kernels of small linear algebra: vectors, small matrices, work of the core between accelerator calls."""

from __future__ import annotations

from autocomp.rewrite.gemmini.algebra._computation import Computation
from autocomp.rewrite.gemmini.algebra._registry import MOVES, apply, proposals

__all__ = ["MOVES", "Computation", "apply", "proposals"]
