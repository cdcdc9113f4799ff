"""What a worker process may see and use."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Mapping

_PR_SET_PDEATHSIG = 1

_LARGEST_FILE_BYTES = 1 << 30

ALLOWED = frozenset(
    {
        "CC",
        "CUDA_VISIBLE_DEVICES",
        "HOME",
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "PATH",
        "PYTHONPATH",
        "RISCV",
        "TMPDIR",
        "TZ",
        "VIRTUAL_ENV",
        "XDG_CACHE_HOME",
        "ZIG_GLOBAL_CACHE_DIR",
        "ZIG_LOCAL_CACHE_DIR",
    }
)
"""Environment variables that a worker gets if they are set, besides ``LC_*``: a list of what is allowed, because a
list of secrets is never complete."""


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a worker."""
    kept = {name: value for name, value in environment.items() if name in ALLOWED or name.startswith("LC_")}
    # One job per core: libraries that start threads of their own would only slow the others down.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **threads, "PYTHONHASHSEED": "0"}


def die_with_parent(parent_pid: int) -> None:
    """Have this process killed when the one that started it ends, however that ends."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def limit_resources(memory_bytes: int) -> None:
    """Bound memory and files of this process and of what it starts; no core dumps."""
    _lower(resource.RLIMIT_AS, memory_bytes)
    _lower(resource.RLIMIT_FSIZE, _LARGEST_FILE_BYTES)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    """A limit that is already lower stays: raising it would need rights."""
    _, hard = resource.getrlimit(kind)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (bound, bound))
