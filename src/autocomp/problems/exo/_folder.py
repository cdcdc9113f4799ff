"""An Exo procedure as a problem folder in memory: description, reference, start and rivals."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autocomp.errors import ProblemError
from autocomp.problems import native
from autocomp.problems._arithmetic import ArithmeticProblem, size
from autocomp.problems._folder import DESCRIPTION, REFERENCE, RIVALS, Folder
from autocomp.problems.cache import cache_folder, keep
from autocomp.problems.exo._locator import ExoSpec, parse_exo
from autocomp.problems.exo._run import facts as ask
from autocomp.problems.exo._source import entry_name, kernel
from autocomp.records import Array

_TRIED_BY = (Path(__file__), Path(native.__file__))
"""Our modules that decide what the trial of a procedure finds."""
_ROUNDING = {"float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}


def exo_folder(text: str) -> tuple[Folder, str]:
    """The folder that the name of an Exo procedure stands for, and its locator.

    Raises ProblemError if name, file, sizes or procedures are not right, and SetupError without Exo or a C compiler.
    """
    spec = parse_exo(text)
    found = ask(spec)
    return build(spec, found), spec.locator


def build(spec: ExoSpec, found: Mapping[str, Any]) -> Folder:
    """The folder, from what the file's process found."""
    algorithm, others = found["algorithm"], found["others"]
    for name, other in others.items():
        _check_alike(spec, algorithm, name, other)
    entry = entry_name([algorithm["c"], *(other["c"] for other in others.values())])
    plain = kernel(algorithm, entry)
    freestanding = spec.target == "gemmini"
    kernels = {name: kernel(other, entry, freestanding=freestanding) for name, other in others.items()}
    roles = _roles(algorithm["arguments"], plain, entry)
    if "output" not in roles.values() and "inout" not in roles.values():
        raise ProblemError(
            f"{spec.path}: {spec.procedure} writes none of its arguments, so there is nothing to compute"
        )
    files = {
        DESCRIPTION: _description(spec, found, entry, roles),
        REFERENCE: _reference(algorithm, plain, entry, roles),
        "start.c": kernels[spec.start] if spec.start else kernel(algorithm, entry, freestanding=freestanding),
        **{f"{RIVALS}/{name}.c": kernels[name] for name in spec.rivals},
    }
    return Folder(spec.locator, files)


def _check_alike(spec: ExoSpec, algorithm: Mapping[str, Any], name: str, other: Mapping[str, Any]) -> None:
    def shown(facts: Mapping[str, Any]) -> list[str]:
        return [f"{one['name']}: {one['dtype']}{one['shape']}" for one in facts["arguments"]]

    if shown(other) != shown(algorithm):
        raise ProblemError(
            f"{spec.path}: {name} takes ({', '.join(shown(other))}), but {spec.procedure} takes "
            f"({', '.join(shown(algorithm))}); both must have the same arguments"
        )


def _roles(arguments: Sequence[Mapping[str, Any]], plain: str, entry: str) -> dict[str, str]:
    """What happens to each argument, by name; kept in the user's cache folder.

    One that is written is an output if nothing of what it held before is left or matters. That is tried, on the same
    inputs with other contents: which elements a procedure writes does not depend on data.
    """
    digest = hashlib.sha256(plain.encode())
    for own in _TRIED_BY:
        digest.update(hashlib.sha256(own.read_bytes()).digest())
    path = cache_folder("exo") / f"{digest.hexdigest()}.roles"
    try:
        kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    if set(kept) == {one["name"] for one in arguments}:
        return kept
    roles = {one["name"]: "input" for one in arguments if not one["written"]}
    first = _tried(arguments, plain, entry, None)
    for one in arguments:
        if one["written"]:
            other = _tried(arguments, plain, entry, one["name"])
            same = all(left.tobytes() == right.tobytes() for left, right in zip(first, other, strict=True))
            roles[one["name"]] = "output" if same else "inout"
    keep(path, json.dumps(roles).encode())
    return roles


def _tried(arguments: Sequence[Mapping[str, Any]], plain: str, entry: str, changed: str | None) -> list[Array]:
    """What written arguments hold after a call; the argument ``changed`` held something else before it."""
    arrays = [
        _drawn(one, np.random.default_rng([one["name"] == changed, index])) for index, one in enumerate(arguments)
    ]
    native.run(plain, entry, arrays)
    return [array for array, one in zip(arrays, arguments, strict=True) if one["written"]]


def _drawn(argument: Mapping[str, Any], generator: np.random.Generator) -> Array:
    shape, dtype = tuple(argument["shape"]), np.dtype(argument["dtype"])
    if dtype.kind == "f":
        return generator.uniform(-1, 1, shape).astype(dtype)
    return generator.integers(0 if dtype.kind == "u" else -5, 5, shape, endpoint=True).astype(dtype)


def _description(spec: ExoSpec, found: Mapping[str, Any], entry: str, roles: Mapping[str, str]) -> str:
    algorithm, sizes = found["algorithm"], found["sizes"]
    dimensions = {name: number for name, number in sizes.items() if name not in found["indices"]}
    lines = [
        f"name = {_toml(spec.name)}",
        f"operator = {_toml(spec.operator)}",
        f"entry = {_toml(entry)}",
        f"target = {_toml(spec.target)}",
        "",
        "[dimensions]",
        *(f"{name} = {number}" for name, number in dimensions.items()),
    ]
    for one in algorithm["arguments"]:
        shape = [_extent(extent, text, dimensions) for extent, text in zip(one["shape"], one["extents"], strict=True)]
        lines += ["", "[[arguments]]", f"name = {_toml(one['name'])}", f"dtype = {_toml(one['dtype'])}"]
        lines += [f"shape = [{', '.join(shape)}]", f"role = {_toml(roles[one['name']])}"]
    lines += ["", "[work]", f"operations = {algorithm['operations']}"]
    lines += _distributions(algorithm["arguments"], roles)
    lines += _tolerances(spec, algorithm, roles)
    if algorithm["assertions"] or found["indices"]:
        lines += ["", "[options]"]
        lines += [f"assertions = [{', '.join(map(_toml, algorithm['assertions']))}]"] if algorithm["assertions"] else []
        lines += [f"{name} = {_toml(sizes[name])}" for name in found["indices"]]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _extent(extent: int, text: str, dimensions: Mapping[str, int]) -> str:
    """The extent in the words of the procedure where our arithmetic has them."""
    words = text.replace("/", "//")
    try:
        return _toml(words) if not words.isdigit() and size(words, dimensions) == extent else str(extent)
    except ArithmeticProblem:
        return str(extent)


def _distributions(arguments: Sequence[Mapping[str, Any]], roles: Mapping[str, str]) -> list[str]:
    """For whole numbers a narrow range first, in which sums differ and rarely reach the ends of their types.

    Floating-point numbers alone keep the loader's own ranges; together with whole numbers (a scale, for example), one
    range serves both.
    """
    read = [np.dtype(one["dtype"]) for one in arguments if roles[one["name"]] != "output"]
    floats = [dtype.kind == "f" for dtype in read]
    if all(floats):
        return []
    unsigned = any(dtype.kind == "u" for dtype in read)
    drawn: list[tuple[str, int | None]]
    if any(floats):
        drawn = [("uniform", 1), ("uniform", 5), ("uniform", 100), ("sparse", 5)]
    else:
        drawn = [("uniform", 5), *((kind, None) for kind in ("uniform", "extremes", "negative", "sparse"))]
    lines = []
    for kind, bound in drawn:
        if kind == "negative" and unsigned:
            continue
        lines += ["", "[[distributions]]", f'kind = "{kind}"']
        lines += [f"low = {0 if unsigned else -bound}.0", f"high = {bound}.0"] if bound is not None else []
    return lines


def _tolerances(spec: ExoSpec, algorithm: Mapping[str, Any], roles: Mapping[str, str]) -> list[str]:
    """What rounding does to sums in another order, of as many products of numbers up to 1 as there are per output."""
    outputs = [one for one in algorithm["arguments"] if roles[one["name"]] != "input"]
    elements = sum(math.prod(one["shape"]) for one in outputs)
    terms = max(1, math.ceil(algorithm["operations"] / elements))
    lines = []
    for dtype in dict.fromkeys(one["dtype"] for one in outputs if one["dtype"] in _ROUNDING):
        bound = 2 * _ROUNDING[dtype] * terms * math.sqrt(terms) if spec.tolerance is None else spec.tolerance
        digit = 10.0 ** math.floor(math.log10(bound)) if bound else 1.0
        limit = float(f"{min(1.0, math.ceil(bound / digit) * digit):.0e}") if spec.tolerance is None else bound
        lines.append(f"{dtype} = {{ absolute = {limit!r}, relative = {limit!r} }}")
    return ["", "[tolerance]", *lines] if lines else []


def _reference(algorithm: Mapping[str, Any], plain: str, entry: str, roles: Mapping[str, str]) -> str:
    quoted = f'r"""\n{plain}"""' if '"""' not in plain else repr(plain)
    lines = [
        f'"""The procedure {algorithm["name"]}: the C that Exo writes for it, compiled for this machine."""',
        "",
        "import numpy as np",
        "",
        "from autocomp.problems.native import run",
        "",
        f"SOURCE = {quoted}",
        "",
        "",
        "def reference(inputs):",
    ]
    values = []
    for one in algorithm["arguments"]:
        name, role = one["name"], roles[one["name"]]
        if role == "output":
            lines.append(f"    {name} = np.zeros({tuple(one['shape'])}, np.{one['dtype']})")
        elif role == "inout":
            lines.append(f'    {name} = inputs["{name}"].copy()')
        values.append(f'np.ascontiguousarray(inputs["{name}"])' if role == "input" else name)
    results = ", ".join(f'"{name}": {name}' for name, role in roles.items() if role != "input")
    lines += [f'    run(SOURCE, "{entry}", [{", ".join(values)}])', f"    return {{{results}}}"]
    return "\n".join(lines) + "\n"
