"""The composition root: turns a configuration into parts and drives one run."""

from autocomp.session._api import (
    Profile,
    evaluate,
    load_problem,
    open_store,
    optimize,
    profile,
    read_kernel,
    resume,
    timelines,
)
from autocomp.session._progress import Listener, Progress
from autocomp.session._proposers import create_proposer, proposer_names

__all__ = [
    "Listener",
    "Profile",
    "Progress",
    "create_proposer",
    "evaluate",
    "load_problem",
    "open_store",
    "optimize",
    "profile",
    "proposer_names",
    "read_kernel",
    "resume",
    "timelines",
]
