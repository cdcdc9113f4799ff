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

_SCALE = """\
/* A product in float, rounded to whole numbers, halves to even: what the accelerator does to sums that it stores. */
static inline __attribute__((unused)) float acc_scaled(int32_t sum, float scale) {
  const float whole = 8388608.0f, product = (float)sum * scale;
  if (!(product > -whole && product < whole)) return product;
  return product < 0 ? (product - whole) + whole : (product + whole) - whole;
}
#define ACC_SCALE(sum, scale) acc_scaled(sum, scale)

"""


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
    parameters = signature[1].split(", ")
    context = parameters.pop(0) if parameters[0].endswith(" *ctxt") else ""
    values = [_value(one, parameter) for one, parameter in zip(facts["arguments"], parameters, strict=True)]
    lines = []
    if context:
        values.insert(0, "&context")
        lines.append(f"  static {context.split()[0]} context;")
    lines.append(f"  {name}({', '.join(values)});")
    if "gemmini_" in code:
        lines.append("  gemmini_fence();")
    head = '#include "library/heap.h"\n' if freestanding and re.search(r"\bmalloc ?\(", code) else ""
    if "ACC_SCALE(" in code:
        includes, code = code.split("\n\n", 1)
        code = f"{includes}\n\n{_SCALE}{code}"
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
