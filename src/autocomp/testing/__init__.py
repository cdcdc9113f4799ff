"""Conformance kits that a new target, proposer, executor or store must pass."""
