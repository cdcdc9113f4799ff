"""The beam search: pure decisions, no input or output."""

from autocomp.records import place
from autocomp.search._beam import BeamSearch
from autocomp.search._draws import derive_seed
from autocomp.search._settings import SearchSettings
from autocomp.search._tasks import ConfirmTask, EvaluateTask, ImplementTask, PlanTask, Task

__all__ = [
    "BeamSearch",
    "ConfirmTask",
    "EvaluateTask",
    "ImplementTask",
    "PlanTask",
    "SearchSettings",
    "Task",
    "derive_seed",
    "place",
]
