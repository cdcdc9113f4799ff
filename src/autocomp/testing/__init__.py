"""Conformance kits: what a new target, proposer, executor or store must pass; importable by outsiders."""

from autocomp.testing.scripted import ScriptedProposer

__all__ = ["ScriptedProposer"]
