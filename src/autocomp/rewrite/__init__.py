"""The offline proposer: concrete, checked moves on a parsed kernel. Needs no model, no key and no network.

``RECOMMENDED`` are the search parameters it works best with. Its plans are concrete and free, so every plan is
implemented once, nothing is left out of the menu, and the beam is small: the moves of one parent are ranked, and
those that follow from one another are offered as one.
"""

from __future__ import annotations

from collections.abc import Mapping

from autocomp.proposer import Proposer
from autocomp.rewrite._proposer import RECOMMENDED, RewriteProposer
from autocomp.targets import Target


def create(target: Target, settings: Mapping[str, object]) -> Proposer:
    """The offline proposer for a target; it has no settings of its own."""
    del settings
    return RewriteProposer(target.name, target.describe())


__all__ = ["RECOMMENDED", "RewriteProposer", "create"]
