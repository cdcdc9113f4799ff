"""Chips: the contract of a target and the registry."""

from autocomp.targets._registry import create, names
from autocomp.targets._target import (
    POISON_BYTE,
    Artifact,
    Execution,
    Finding,
    KnowledgePack,
    MenuItem,
    Span,
    Target,
    poisoned,
)

__all__ = [
    "POISON_BYTE",
    "Artifact",
    "Execution",
    "Finding",
    "KnowledgePack",
    "MenuItem",
    "Span",
    "Target",
    "create",
    "names",
    "poisoned",
]
