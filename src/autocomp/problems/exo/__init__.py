"""Exo procedures as problems: signature and assertions give the arguments, scalar C the reference."""

from autocomp.problems.exo._folder import exo_folder
from autocomp.problems.exo._locator import is_exo

__all__ = ["exo_folder", "is_exo"]
