"""What the offline proposer knows of Gemmini: commands, data flow and the moves."""

from autocomp.rewrite.gemmini._analysis import Analysis
from autocomp.rewrite.gemmini._commands import parse, to_source
from autocomp.rewrite.gemmini._geometry import Geometry, geometry_of
from autocomp.rewrite.gemmini._move import Move, Proposal
from autocomp.rewrite.gemmini._registry import MOVES, apply, proposals
from autocomp.rewrite.ir._tree import Kernel

__all__ = [
    "MOVES",
    "Analysis",
    "Geometry",
    "Kernel",
    "Move",
    "Proposal",
    "apply",
    "geometry_of",
    "parse",
    "proposals",
    "to_source",
]
