"""The settings of the target that a problem is run on: what the problem needs, and what the user wants besides."""

from __future__ import annotations

from collections.abc import Mapping

from autocomp.configuration import Configuration
from autocomp.errors import UsageError
from autocomp.records import Problem


def target_settings(problem: Problem, config: Configuration) -> Mapping[str, object]:
    """The table for the target of this run.

    What a problem needs of its own target lies under the user's table of that target; on any other target it means
    nothing and is left out. Raises UsageError where the two contradict each other: an answer for another chip than
    the problem is about would be no answer, and to pass over what the user asked for would be no better.
    """
    name = config.run.target or problem.target
    given = config.targets.get(name, {})
    if name != problem.target:
        return given
    return _merged(problem.settings, given, f"targets.{name}", problem.name)


def _merged(
    needed: Mapping[str, object], given: Mapping[str, object], where: str, problem: str
) -> Mapping[str, object]:
    merged = dict(needed)
    for key, value in given.items():
        need = merged.get(key)
        if isinstance(need, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(need, value, f"{where}.{key}", problem)
        elif key in merged and need != value:
            raise UsageError(
                f"{where}.{key} = {value!r}: problem '{problem}' needs {need!r}; remove the setting here, or run a "
                "problem that does not ask for it (your own copy: autocomp init FOLDER --like PROBLEM)"
            )
        else:
            merged[key] = value
    return merged
