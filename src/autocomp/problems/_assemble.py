"""From a folder's texts to a Problem."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import ml_dtypes
import numpy as np

from autocomp.errors import ProblemError, near
from autocomp.problems._arithmetic import ArithmeticProblem, size
from autocomp.problems._description import parse_description
from autocomp.problems._folder import DESCRIPTION, REFERENCE, RIVALS, SUFFIXES, Folder
from autocomp.problems._model import DistributionModel, ProblemModel
from autocomp.problems._reference import SourceReference, compile_reference, is_float
from autocomp.records import Distribution, DistributionKind, Kernel, Problem, Role, TensorSpec, Tolerance, Work

_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_FLOATS = ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2")
DTYPES = _INTEGERS + _FLOATS
MAX_TOTAL_BYTES = 1 << 31
"""Largest sum of all arguments; beyond it, evaluating a candidate would not fit an ordinary machine."""

# Importing ml_dtypes is what teaches NumPy the names of the narrow floating-point types.
assert ml_dtypes.bfloat16 is not None


def assemble(folder: Folder, locator: str) -> Problem:
    """Build the Problem that ``folder`` describes.

    Raises ProblemError for whatever is wrong, apart from what only shows when the reference runs.
    """
    label = folder.label(DESCRIPTION)
    model = parse_description(folder.files[DESCRIPTION], label)
    arguments = _arguments(model, label)
    outputs = tuple(spec for spec in arguments if spec.role is not Role.INPUT)
    reference = SourceReference(folder.files[REFERENCE], outputs, folder.label(REFERENCE))
    compile_reference(reference.source, reference.label)
    problem = Problem(
        name=model.name,
        operator=model.operator,
        dimensions=dict(model.dimensions),
        entry=model.entry,
        arguments=arguments,
        reference=reference,
        start=_start(folder),
        rivals=_rivals(folder),
        distributions=_distributions(model, arguments, label),
        tolerances=_tolerances(model, outputs, label),
        work=_work(model, arguments, label),
        target=model.target,
        options=dict(model.options),
        settings=dict(model.settings),
        locator=locator,
    )
    return replace(problem, fingerprint=_fingerprint(problem, reference))


def _arguments(model: ProblemModel, label: str) -> tuple[TensorSpec, ...]:
    specs: list[TensorSpec] = []
    for index, argument in enumerate(model.arguments):
        key = f"{label}: arguments[{index}]"
        if any(spec.name == argument.name for spec in specs):
            raise ProblemError(f"{key}.name = {argument.name!r}: is used twice; every argument needs its own name")
        if argument.dtype not in DTYPES:
            raise ProblemError(f"{key}.dtype = {argument.dtype!r}: unknown dtype; {near(argument.dtype, DTYPES)}")
        shape = []
        for axis, expression in enumerate(argument.shape):
            value = _size(expression, model.dimensions, f"{key}.shape[{axis}]")
            if value < 1:
                raise ProblemError(f"{key}.shape[{axis}] = {expression!r}: is {value}; every size must be at least 1")
            shape.append(value)
        specs.append(TensorSpec(argument.name, argument.dtype, tuple(shape), Role(argument.role)))
        total = sum(spec.nbytes for spec in specs)
        if total > MAX_TOTAL_BYTES:
            raise ProblemError(
                f"{key}.shape = {argument.shape}: the arguments need {total} bytes together; "
                f"at most {MAX_TOTAL_BYTES} are allowed: choose smaller dimensions"
            )
    for role, missing in ((Role.INPUT, "reads"), (Role.OUTPUT, "writes")):
        if all(spec.role is not role and spec.role is not Role.INOUT for spec in specs):
            raise ProblemError(f'{label}: arguments: no argument {missing} anything; give one the role "{role}"')
    return tuple(specs)


def _size(expression: object, dimensions: Mapping[str, int], key: str) -> int:
    try:
        return size(expression, dimensions)
    except ArithmeticProblem as error:
        raise ProblemError(f"{key} = {expression!r}: {error}") from error


def _work(model: ProblemModel, arguments: tuple[TensorSpec, ...], label: str) -> Work:
    operations: object = model.work.operations
    if operations is None:
        if model.operator != "matmul" or not {"M", "N", "K"} <= model.dimensions.keys():
            raise ProblemError(
                f'{label}: work.operations: is missing, and only a "matmul" with dimensions M, N and K has a default; '
                'add for example operations = "M * N * K" (multiply-accumulates)'
            )
        operations = "M * N * K"
    nbytes: object = model.work.bytes
    if nbytes is None:
        nbytes = sum(spec.nbytes * (2 if spec.role is Role.INOUT else 1) for spec in arguments)
    work = Work(
        _size(operations, model.dimensions, f"{label}: work.operations"),
        _size(nbytes, model.dimensions, f"{label}: work.bytes"),
    )
    for key, value in (("operations", work.operations), ("bytes", work.bytes)):
        if value < 1:
            raise ProblemError(f"{label}: work.{key}: is {value}; it must be at least 1")
    return work


def _tolerances(model: ProblemModel, outputs: tuple[TensorSpec, ...], label: str) -> dict[str, Tolerance]:
    dtypes = list(dict.fromkeys(spec.dtype for spec in outputs))
    for dtype in model.tolerance:
        if dtype not in dtypes:
            raise ProblemError(f"{label}: tolerance.{dtype}: no output has this dtype; {near(dtype, dtypes)}")
    tolerances = {}
    for dtype in dtypes:
        given = model.tolerance.get(dtype)
        if given is None and is_float(np.dtype(dtype)):
            raise ProblemError(
                f"{label}: tolerance.{dtype}: is missing; floating-point outputs need one, "
                f"for example {dtype} = {{ absolute = 1e-5, relative = 1e-5 }}"
            )
        tolerances[dtype] = Tolerance(given.absolute, given.relative) if given else Tolerance()
    return tolerances


def _distributions(model: ProblemModel, arguments: tuple[TensorSpec, ...], label: str) -> tuple[Distribution, ...]:
    inputs = [spec for spec in arguments if spec.role is not Role.OUTPUT]
    any_float = any(is_float(np.dtype(spec.dtype)) for spec in inputs)
    if not model.distributions:
        # Without a range, floating-point extremes would only test overflow.
        if any_float:
            return (Distribution("uniform", -1.0, 1.0), Distribution("sparse", -1.0, 1.0))
        kinds: list[DistributionKind] = ["uniform", "extremes", "sparse"]
        if not any(spec.dtype.startswith("uint") for spec in inputs):
            kinds.insert(2, "negative")
        return tuple(Distribution(kind) for kind in kinds)
    for index, item in enumerate(model.distributions):
        _check_distribution(item, inputs, f"{label}: distributions[{index}]")
    drawn = tuple(Distribution(item.kind, item.low, item.high) for item in model.distributions)
    for index, distribution in enumerate(drawn):
        if distribution in drawn[:index]:
            raise ProblemError(f"{label}: distributions[{index}]: is the same as an earlier one; remove it")
    return drawn


def _check_distribution(item: DistributionModel, inputs: list[TensorSpec], key: str) -> None:
    if item.kind == "constant" and item.low is None:
        raise ProblemError(f'{key}.low: is missing; kind "constant" puts it everywhere')
    if item.low is not None and item.high is not None and item.low > item.high:
        raise ProblemError(f"{key}.low = {item.low}: is above high = {item.high}; exchange them")
    for spec in inputs:
        dtype = np.dtype(spec.dtype)
        for bound, value in (("low", item.low), ("high", item.high)):
            if value is None or is_float(dtype):
                continue
            limits = np.iinfo(dtype)
            if not limits.min <= value <= limits.max or value != math.floor(value):
                raise ProblemError(
                    f"{key}.{bound} = {value:g}: input {spec.name} is {spec.dtype}; "
                    f"it must be a whole number from {limits.min} to {limits.max}"
                )


def _start(folder: Folder) -> Kernel:
    found = folder.kernels("start.")
    if not found:
        suffixes = ", ".join(f".{suffix}" for suffix in SUFFIXES)
        raise ProblemError(f"{folder.origin}: the start kernel is missing; add start.c (or one of {suffixes})")
    if len(found) > 1:
        raise ProblemError(f"{folder.origin}: there are several start kernels ({', '.join(found)}); keep one")
    return _kernel(folder, found[0])


def _rivals(folder: Folder) -> dict[str, Kernel]:
    rivals: dict[str, Kernel] = {}
    for file in folder.kernels(f"{RIVALS}/"):
        kernel = _kernel(folder, file)
        if kernel.name in rivals or kernel.name == "start":
            raise ProblemError(
                f"{folder.label(file)}: there is already a kernel named {kernel.name!r}; rename the file"
            )
        rivals[kernel.name] = kernel
    return rivals


def _kernel(folder: Folder, file: str) -> Kernel:
    code = folder.files[file]
    if not code.strip():
        raise ProblemError(f"{folder.label(file)}: is empty; it must hold a kernel")
    return Kernel(PurePosixPath(file).stem, code, folder.path / file if folder.path else None)


def _fingerprint(problem: Problem, reference: SourceReference) -> str:
    """Digest of what decides correctness and speed; neither the name nor the kernels do."""
    content: dict[str, Any] = {
        "operator": problem.operator,
        "dimensions": sorted(problem.dimensions.items()),
        "entry": problem.entry,
        "arguments": [[spec.name, spec.dtype, spec.shape, spec.role] for spec in problem.arguments],
        "reference": reference.source,
        "distributions": [[item.kind, item.low, item.high] for item in problem.distributions],
        "tolerances": sorted((dtype, item.absolute, item.relative) for dtype, item in problem.tolerances.items()),
        "work": [problem.work.operations, problem.work.bytes],
        "options": problem.options,
        "settings": problem.settings,
    }
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
