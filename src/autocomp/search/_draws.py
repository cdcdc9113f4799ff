"""Everything random in the search, derived from the run's seed and the key of what it is for."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence


def derive_seed(run_seed: int, key: str) -> int:
    """A seed of 63 bits that depends on nothing but the run's seed and ``key``."""
    return int.from_bytes(hashlib.sha256(f"{run_seed}/{key}".encode()).digest()[:8], "big") >> 1


def drop_items(menu: Sequence[str], probability: float, seed: int) -> tuple[str, ...]:
    """Leave out each item with ``probability``, in the menu's order; at least one item is kept."""
    draw = random.Random(seed)
    kept = tuple(item for item in menu if draw.random() >= probability)
    return kept or tuple(draw.sample(list(menu), min(1, len(menu))))
