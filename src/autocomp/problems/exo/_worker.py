"""The process that runs a user's Exo file: ``python -m autocomp.problems.exo._worker REQUEST REPLY``.

Both are paths of JSON files. The request: ``path``, ``procedure``, ``sizes``, ``others`` (scheduled procedures). The
reply: ``{"facts": …}`` or ``{"refused": message}`` for what is wrong with the request. What the file itself raises
ends the process with a traceback, as usual.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autocomp.problems.exo import _loopir as loopir
from autocomp.problems.exo._tidy import tidy

_DTYPES = {
    "F16": "float16", "F32": "float32", "F64": "float64", "INT8": "int8", "UINT8": "uint8", "UINT16": "uint16",
    "INT32": "int32",
}  # fmt: skip
_WORD = re.compile(r"(?<![{\w])[A-Za-z_]\w*(?![}\w])")
"""A name in the C of an instruction that stands for no argument."""
_CONTROL = ("Size", "Index", "Bool", "Int")


class Refused(Exception):  # noqa: N818 - it goes into the reply
    """The request does not fit the file; the message says why."""


def main(request: Path, reply: Path) -> None:
    """Answer one request."""
    sys.setrecursionlimit(10_000)  # Exo's own setting: it walks its trees recursively
    wanted = json.loads(request.read_text(encoding="utf-8"))
    try:
        answer: dict[str, Any] = {"facts": _facts(wanted)}
    except Refused as error:
        answer = {"refused": str(error)}
    reply.write_text(json.dumps(answer), encoding="utf-8")


def _facts(wanted: Mapping[str, Any]) -> dict[str, Any]:
    module = _load(Path(wanted["path"]))
    algorithm = _procedure(module, wanted["procedure"])
    sizes = _sizes(algorithm, wanted["sizes"], wanted["procedure"])
    facts = _describe(algorithm, sizes, wanted["procedure"])
    # ACC_SCALE, by which Exo's model of Gemmini scales, is arithmetic; we supply it wherever it is used.
    foreign = [name for name, c in facts["instructions"].items() if set(_WORD.findall(c)) - {"ACC_SCALE"}]
    if foreign:
        names = ", ".join(foreign)
        raise Refused(
            f"{wanted['procedure']} uses instructions ({names}), so it is no reference; "
            "name the procedure before scheduling, and this one with :start="
        )
    others = {}
    for name in wanted["others"]:
        other = _procedure(module, name)
        own = {str(one.name): one for one in other._loopir_proc.args}
        kept = {size: number for size, number in sizes.items() if size in own and kind_of(own[size]) in _CONTROL}
        others[name] = _describe(other, _sizes(other, kept, name), name)
    return {
        "sizes": sizes,
        "indices": [str(one.name) for one in algorithm._loopir_proc.args if kind_of(one) in ("Index", "Bool", "Int")],
        "algorithm": facts,
        "others": others,
        "files": _files(Path(wanted["path"]).parent),
    }


def _load(path: Path) -> Any:
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _files(folder: Path) -> dict[str, str]:
    """Digests of the user's files that were imported: those under the folder of the file, and not installed."""
    found = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not file or "site-packages" in file or not Path(file).is_relative_to(folder):
            continue
        found[str(file)] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return found


def _procedure(module: Any, name: str) -> Any:
    from exo import Procedure  # type: ignore[import-not-found,unused-ignore]

    found = getattr(module, name, None)
    if not isinstance(found, Procedure):
        known = sorted(key for key, one in vars(module).items() if isinstance(one, Procedure) and not one.is_instr())
        raise Refused(f"{name!r} is not a procedure of this file; it has: {', '.join(known) or 'none'}")
    return found


def kind_of(argument: Any) -> str:
    """Name of the type of an argument: ``Size``, ``Tensor``, ``INT8``, …"""
    return type(argument.type).__name__


def _sizes(procedure: Any, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Values of all arguments without data. Raises Refused if one is missing or unknown, or breaks an assertion."""
    ir = procedure._loopir_proc
    symbols = {str(one.name): one for one in ir.args if kind_of(one) in _CONTROL}
    stride = next((str(one.name) for one in ir.args if kind_of(one) == "Stride"), None)
    if stride is not None:
        raise Refused(f"{name}: argument {stride} is a stride, which cannot be given")
    for size in given:
        if size not in symbols:
            raise Refused(f"{name} has no size {size!r}; it has: {', '.join(symbols) or 'none'}")
    known = {symbols[size].name: number for size, number in given.items()}
    for symbol, number in loopir.fixed(ir.preds).items():
        known.setdefault(symbol, number)
    missing = [size for size, one in symbols.items() if one.name not in known]
    if missing:
        example = "".join(f":{size}={'true' if kind_of(symbols[size]) == 'Bool' else 16}" for size in missing)
        raise Refused(f"{name}: no value for {', '.join(missing)}; add for example {example}")
    values = {size: known[one.name] for size, one in symbols.items()}
    for size, one in symbols.items():
        if kind_of(one) == "Size" and (isinstance(values[size], bool) or values[size] < 1):
            raise Refused(f"{name}: {size} is {values[size]}; a size must be at least 1")
        if (kind_of(one) == "Bool") != isinstance(values[size], bool):
            raise Refused(f"{name}: {size} is {values[size]}; write true or false for a bool, a number otherwise")
    strides = {}
    for one in ir.args:
        shape = _shape(one, known, name)
        for axis in range(len(shape)):
            strides[one.name, axis] = math.prod(shape[axis + 1 :])
    for assertion in ir.preds:
        try:
            holds = loopir.value(assertion, {**known, **strides})
        except loopir.Unknown:
            continue  # about a configuration: Exo has proven it where it is used
        if not holds:
            shown = ", ".join(f"{size}={number}" for size, number in values.items())
            raise Refused(f"{name}: the assertion `{assertion}` does not hold for {shown}")
    return values


def _shape(argument: Any, known: Mapping[Any, Any], name: str) -> list[int]:
    if kind_of(argument) != "Tensor":
        return []
    shape = [loopir.value(extent, known) for extent in argument.type.hi]
    if any(extent < 1 for extent in shape):
        raise Refused(f"{name}: argument {argument.name} would have the shape {shape}; sizes must be larger")
    return shape


def _describe(procedure: Any, sizes: Mapping[str, Any], name: str) -> dict[str, Any]:
    from exo.stdlib.scheduling import simplify  # type: ignore[import-not-found,unused-ignore]

    whole = procedure._loopir_proc
    known = {one.name: sizes[str(one.name)] for one in whole.args if str(one.name) in sizes}
    written = loopir.written(whole.body)
    arguments = []
    for one in whole.args:
        if kind_of(one) in _CONTROL:
            continue
        tensor = kind_of(one) == "Tensor"
        element = type(one.type.type if tensor else one.type).__name__
        if element not in _DTYPES:
            raise Refused(f"{name}: argument {one.name} has no precision; write for example {one.name}: f32[…]")
        if one.mem is not None and not one.mem.can_read():
            raise Refused(f"{name}: argument {one.name} is in the memory {one.mem.name()}; arguments must be in DRAM")
        arguments.append(
            {
                "name": str(one.name),
                "dtype": _DTYPES[element],
                "shape": _shape(one, known, name) or [1],
                "extents": [str(extent) for extent in one.type.hi] if tensor else ["1"],
                "window": bool(tensor and one.type.is_window),
                "written": one.name in written,
            }
        )
    # Simplified, because Exo 1.0 writes quotients of numbers in indices as fractions (`t[4.0 * i]`).
    fixed = simplify(procedure.partial_eval(**sizes) if sizes else procedure)
    return {
        "name": str(whole.name),
        "arguments": arguments,
        "operations": loopir.work(fixed._loopir_proc.body, {}).operations,
        "instructions": loopir.instructions(whole.body),
        "assertions": [str(assertion) for assertion in whole.preds],
        "c": tidy(fixed.c_code_str(), str(whole.name)),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
