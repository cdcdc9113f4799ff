"""The beam search: pure decisions, no input or output."""

from autocomp.search._settings import SearchSettings

__all__ = ["SearchSettings"]
