"""Finds faster kernels for tensor accelerators and proves that they compute the same."""

# ``evaluate`` is both a package and a function here. The session is imported as a whole, so that the package is bound
# first and the function, which is what users mean, after it.
from autocomp.configuration import Configuration, load_configuration
from autocomp.records import Evaluation, Problem
from autocomp.session import (
    Listener,
    Profile,
    Progress,
    evaluate,
    load_problem,
    open_store,
    optimize,
    profile,
    resume,
)
from autocomp.store import RunView, Store

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
