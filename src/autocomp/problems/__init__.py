"""Problem folders: load, validate and scaffold; the packaged library."""

from autocomp.problems._library import Packaged, packaged
from autocomp.problems._load import load

__all__ = ["Packaged", "load", "packaged"]
