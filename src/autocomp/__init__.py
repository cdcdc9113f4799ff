"""Finds faster kernels for tensor accelerators and proves that they compute the same."""

from pathlib import Path

from autocomp.configuration import Configuration, load_configuration
from autocomp.records import Evaluation, Problem
from autocomp.session import Listener, Profile, Progress, evaluate, open_store, optimize, profile, resume
from autocomp.store import RunView, Store


def load_problem(name_or_path: str | Path) -> Problem:
    """Load a problem by library name, parametric name (``gemm:128x64x256``) or folder. Raises ProblemError."""
    from autocomp.problems import load

    return load(name_or_path)


__all__ = [
    "Configuration",
    "Evaluation",
    "Listener",
    "Problem",
    "Profile",
    "Progress",
    "RunView",
    "Store",
    "evaluate",
    "load_configuration",
    "load_problem",
    "open_store",
    "optimize",
    "profile",
    "resume",
]
