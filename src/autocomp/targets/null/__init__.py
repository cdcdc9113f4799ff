"""A chip that does not exist: everything above a target runs on it without hardware, compiler or simulator."""

from autocomp.targets.null._target import NullTarget, create

__all__ = ["NullTarget", "create"]
