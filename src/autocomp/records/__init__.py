"""Frozen values that cross the boundaries between rooms."""

from autocomp.records._candidate import Candidate, Move, digest, place
from autocomp.records._evaluation import Diagnostic, Evaluation, Ideal, Measurement, Status, Verdict
from autocomp.records._event import Event
from autocomp.records._json import (
    evaluation_from_json,
    evaluation_to_json,
    ideal_from_json,
    ideal_to_json,
    measurement_from_json,
    measurement_to_json,
    verdict_from_json,
    verdict_to_json,
)
from autocomp.records._problem import (
    Array,
    Distribution,
    DistributionKind,
    Kernel,
    Problem,
    Reference,
    Role,
    TensorSpec,
    Tolerance,
    Work,
)

__all__ = [
    "Array",
    "Candidate",
    "Diagnostic",
    "Distribution",
    "DistributionKind",
    "Evaluation",
    "Event",
    "Ideal",
    "Kernel",
    "Measurement",
    "Move",
    "Problem",
    "Reference",
    "Role",
    "Status",
    "TensorSpec",
    "Tolerance",
    "Verdict",
    "Work",
    "digest",
    "evaluation_from_json",
    "evaluation_to_json",
    "ideal_from_json",
    "ideal_to_json",
    "measurement_from_json",
    "measurement_to_json",
    "place",
    "verdict_from_json",
    "verdict_to_json",
]
