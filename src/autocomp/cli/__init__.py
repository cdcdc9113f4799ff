"""The command line: ``autocomp``."""

from autocomp.cli._main import main

__all__ = ["main"]
