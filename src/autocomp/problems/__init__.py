"""Problem folders: load, validate and scaffold; the packaged library."""

from autocomp.problems._library import Packaged, packaged
from autocomp.problems._lint import lint
from autocomp.problems._load import load
from autocomp.problems._sample import draw
from autocomp.problems._scaffold import scaffold

__all__ = ["Packaged", "draw", "lint", "load", "packaged", "scaffold"]
