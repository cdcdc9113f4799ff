"""Chips: the contract of a target and the registry."""

from autocomp.targets._registry import create, names
from autocomp.targets._target import (
    Artifact,
    Execution,
    Finding,
    KnowledgePack,
    MenuItem,
    Span,
    Target,
)

__all__ = [
    "Artifact",
    "Execution",
    "Finding",
    "KnowledgePack",
    "MenuItem",
    "Span",
    "Target",
    "create",
    "names",
]
