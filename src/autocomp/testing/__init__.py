"""Conformance kits: what a new target, proposer, executor or store must pass; importable by outsiders."""

from autocomp.testing._executor import check_executor
from autocomp.testing._proposer import check_proposer
from autocomp.testing._store import check_store
from autocomp.testing._target import check_target
from autocomp.testing.scripted import ScriptedProposer

__all__ = ["ScriptedProposer", "check_executor", "check_proposer", "check_store", "check_target"]
