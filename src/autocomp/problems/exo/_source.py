"""From the C that Exo writes to a kernel of ours: an entry function with arrays of fixed sizes that calls it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from autocomp.errors import ProblemError

ENTRIES = ("solution", "kernel", "entry_of_problem")
"""Names for the entry function; the first that Exo's code does not use is taken."""

C_TYPES = {
    "int8": "int8_t", "uint8": "uint8_t", "uint16": "uint16_t", "int32": "int32_t", "float16": "_Float16",
    "float32": "float", "float64": "double",
}  # fmt: skip
_MACROS = re.compile(r"// Compiler feature macros.*?\n#if EXO_HAS_BUILTIN\(.*?\n#endif\n", re.DOTALL)
_GUARD = re.compile(r"#ifndef (EXO_WIN_\w+)\n#define \1\n(.*?)\n#endif\n", re.DOTALL)
_ASSUMPTION = re.compile(r"^[ \t]*EXO_ASSUME\(.*\);\n", re.MULTILINE)
_INSTRUCTION = re.compile(r'^/\* relying on the following instruction\.\.\."\n.*?\n\*/\n', re.DOTALL | re.MULTILINE)
_CONTEXT = re.compile(r"typedef struct (\w+_Context) \{.*?\} \1;\n", re.DOTALL)
_INCLUDE = re.compile(r"^#include [^\n]*\n", re.MULTILINE)


def tidy(code: str, procedure: str) -> str:
    """The same program with what has no use any more taken out, and everything but includes after the includes.

    Assertions hold for the sizes, so what Exo tells compilers about them goes; instructions are known, so what they
    consist of goes; a context without fields is no context. Indices are ``int``, as everywhere in our kernels.
    """
    for pattern in (_MACROS, _ASSUMPTION, _INSTRUCTION):
        code = pattern.sub("", code)
    code = _GUARD.sub(r"\2\n", code)
    context = _CONTEXT.search(code)
    if context is not None and "ctxt->" not in code:
        code = code.replace(context[0], "").replace(f"{context[1]} *ctxt", "void *ctxt")
    code = code.replace("int_fast32_t", "int")
    # Known to nobody else, a function can be put in where it is called.
    code = re.sub(rf"^(?=void {re.escape(procedure)}\()", "static ", code, flags=re.MULTILINE)
    includes = "".join(dict.fromkeys(_INCLUDE.findall(code)))
    body = re.sub(r"\n{3,}", "\n\n", _INCLUDE.sub("", code)).strip()
    return f"{includes}\n{body}\n"


def entry_name(codes: Sequence[str]) -> str:
    """A name for the entry function that occurs in none of ``codes``."""
    free = [name for name in ENTRIES if not any(re.search(rf"\b{name}\b", code) for code in codes)]
    if not free:
        raise ProblemError(f"Exo's code uses all of the names {', '.join(ENTRIES)}; rename a procedure")
    return free[0]


def declaration(argument: Mapping[str, Any]) -> str:
    """An argument as the entry function declares it."""
    extents = "".join(f"[{extent}]" for extent in argument["shape"])
    return f"{'' if argument['written'] else 'const '}{C_TYPES[argument['dtype']]} {argument['name']}{extents}"


def kernel(facts: Mapping[str, Any], entry: str, *, freestanding: bool = False) -> str:
    """The kernel that calls the procedure that ``facts`` describe.

    ``freestanding`` brings memory for temporary arrays along, where there is no C library.
    """
    name, code = facts["name"], facts["c"]
    signature = re.search(rf"^static void {re.escape(name)}\( (.*?) \)", code, re.MULTILINE)
    if signature is None:
        raise ProblemError(f"the C that Exo wrote for {name} does not define it as expected; use exo-lang 1.0")
    context, *parameters = signature[1].split(", ")
    values = [_value(one, parameter) for one, parameter in zip(facts["arguments"], parameters, strict=True)]
    head = "#include <stddef.h>\n"
    lines = []
    if context.startswith("void "):
        values.insert(0, "NULL")
    else:
        values.insert(0, "&context")
        lines.append(f"  static {context.split()[0]} context;")
    lines.append(f"  {name}({', '.join(values)});")
    if "gemmini_" in code:
        lines.append("  gemmini_fence();")
    if freestanding and re.search(r"\bmalloc ?\(", code):
        head += '#include "library/heap.h"\n'
    declared = ", ".join(declaration(one) for one in facts["arguments"])
    body = "\n".join(lines)
    return f"{head}{code}\nvoid {entry}({declared}) {{\n{body}\n}}\n"


def _value(argument: Mapping[str, Any], parameter: str) -> str:
    """What is passed for an argument: a pointer to its first element, or a window of all of it."""
    first: str = argument["name"] + "[0]" * (len(argument["shape"]) - 1)
    if not argument["window"]:
        return first
    struct = parameter.rpartition(" ")[0]
    shape = argument["shape"]
    strides = ", ".join(str(math.prod(shape[axis + 1 :])) for axis in range(len(shape)))
    return f"({struct}){{{first}, {{{strides}}}}}"
