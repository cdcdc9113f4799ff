"""Statements back to C that the parser reads as the same statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from autocomp.rewrite.ir._expression import Const, Element, Expression, Op, Sum, Text, Var
from autocomp.rewrite.ir._tree import ASSIGN, Body, Command, If, Kernel, Loop, Opaque

_PRECEDENCE = {
    "?:": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8,
    "<<": 9, ">>": 9, "+": 10, "*": 11, "/": 11, "%": 11, "!": 12, "~": 12,
}  # fmt: skip


_REMEMBERED = 1 << 15
_texts: dict[object, dict[Command, str]] = {}


class _Context(NamedTuple):
    kernel: Kernel
    names: Mapping[str, str]
    texts: dict[Command, str]
    """Commands that were printed before with the same arrays and names: children share most of theirs."""


def print_kernel(kernel: Kernel, names: Mapping[str, str] | None = None) -> str:
    """The whole source file; ``names`` says how commands are spelt where that differs from their own name."""
    lines = [kernel.preamble] if kernel.preamble else []
    lines.append(f"{kernel.header} {{")
    lines.extend(_declarations(kernel))
    key = (tuple(kernel.arrays.items()), tuple((names or {}).items()))
    if key not in _texts or len(_texts[key]) > _REMEMBERED:
        if len(_texts) > 8:
            _texts.clear()
        _texts[key] = {}
    _body(kernel.body, 1, lines, _Context(kernel, names or {}, _texts[key]))
    lines.append("}")
    return "\n".join(lines) + "\n"


def _body(body: Body, depth: int, lines: list[str], context: _Context) -> None:
    indent = "  " * depth
    kernel, names, texts = context
    for statement in body:
        if isinstance(statement, Loop):
            var = statement.var
            lines.append(f"{indent}for (int {var} = 0; {var} < {statement.count}; {var}++) {{")
            _body(statement.body, depth + 1, lines, context)
            lines.append(f"{indent}}}")
        elif isinstance(statement, If):
            lines.append(f"{indent}if ({expression_text(statement.condition, kernel)}) {{")
            _body(statement.then, depth + 1, lines, context)
            if statement.orelse:
                lines.append(f"{indent}}} else {{")
                _body(statement.orelse, depth + 1, lines, context)
            lines.append(f"{indent}}}")
        elif isinstance(statement, Command):
            text = texts.get(statement)
            if text is None and statement.name == ASSIGN:
                target, value = (expression_text(arg, kernel) for arg in statement.args)
                text = texts[statement] = f"{_content(target)} = {value};"
            elif text is None:
                args = ", ".join(expression_text(arg, kernel) for arg in statement.args)
                text = texts[statement] = f"{names.get(statement.name, statement.name)}({args});"
            lines.append(indent + text)
        elif isinstance(statement, Opaque):
            lines.extend(indent + line for line in statement.text.split("\n"))


def _declarations(kernel: Kernel) -> list[str]:
    """The function's own arrays, nested as their extents say."""
    lines = []
    for name, local in kernel.locals.items():
        extents = kernel.arrays[name].extents
        parts = [f"{value}" for value in local.values]
        for extent in reversed(extents):
            parts = ["{" + ", ".join(parts[at : at + extent]) + "}" for at in range(0, len(parts), extent)]
        start = f" = {parts[0]}" if parts else ""
        indices = "".join(f"[{extent}]" for extent in extents)
        lines.append(f"  {'static ' if local.static else ''}{local.kind} {name}{indices}{start};")
    return lines


def _content(address: str) -> str:
    """The element at an address, as C reads and writes it."""
    return address[1:] if address[0] == "&" and " " not in _outside_brackets(address) else f"*({address})"


def _outside_brackets(text: str) -> str:
    depth, result = 0, ""
    for character in text:
        depth += {"[": 1, "]": -1}.get(character, 0)
        result += character if not depth else ""
    return result


def _constant(value: int) -> str:
    if value >= 1 << 28:
        return f"0x{value:08x}u"
    return str(value)


def expression_text(expression: Expression, kernel: Kernel | None = None, outer: int = 0) -> str:
    """C text of an expression, with parentheses only where they are needed."""
    if isinstance(expression, Const):
        text = _constant(expression.value)
        return f"({text})" if expression.value < 0 and outer else text
    if isinstance(expression, Var):
        return expression.name
    if isinstance(expression, Text):
        return expression.text
    if isinstance(expression, Element):
        return _element(expression, kernel)
    if isinstance(expression, Sum):
        return _sum(expression, kernel, outer)
    return _operator(expression, kernel, outer)


def _element(expression: Element, kernel: Kernel | None) -> str:
    array = kernel.arrays.get(expression.array) if kernel else None
    indices = [expression_text(index, kernel) for index in expression.indices]
    if array is not None and len(array.extents) > len(indices):
        zeros = "[0]" * len(array.extents)
        return f"&{expression.array}{zeros}" + ("" if indices == ["0"] else f" + {indices[0]}")
    return f"&{expression.array}" + "".join(f"[{index}]" for index in indices)


def _sum(expression: Sum, kernel: Kernel | None, outer: int) -> str:
    # A large constant (a memory's base address) reads best in front, a small one behind.
    parts: list[tuple[int, str]] = []
    if expression.constant >= 1 << 10:
        parts.append((expression.constant, _constant(expression.constant)))
    for atom, coefficient in expression.terms:
        text = expression_text(atom, kernel, _PRECEDENCE["*"] if abs(coefficient) != 1 else _PRECEDENCE["+"])
        parts.append((coefficient, text if abs(coefficient) == 1 else f"{text} * {abs(coefficient)}"))
    if expression.constant and expression.constant < 1 << 10:
        parts.append((expression.constant, _constant(abs(expression.constant))))
    first = next((index for index, part in enumerate(parts) if part[0] > 0), 0)
    parts.insert(0, parts.pop(first))
    text = ("" if parts[0][0] > 0 else "-") + parts[0][1]
    text += "".join(f" {'+' if sign > 0 else '-'} {part}" for sign, part in parts[1:])
    return f"({text})" if outer >= _PRECEDENCE["<<"] else text


def _operator(expression: Op, kernel: Kernel | None, outer: int) -> str:
    if expression.name == "load":
        return _content(expression_text(expression.args[0], kernel))
    level = _PRECEDENCE[expression.name]
    if expression.name == "?:":
        condition, yes, no = (expression_text(part, kernel, level + 1) for part in expression.args)
        return f"({condition} ? {yes} : {no})"
    if len(expression.args) == 1:
        return f"{expression.name}{expression_text(expression.args[0], kernel, 13)}"
    left = expression_text(expression.args[0], kernel, level)
    right = expression_text(expression.args[1], kernel, level + 1)
    text = f"{left} {expression.name} {right}"
    return f"({text})" if level < outer else text
