"""The little of the C preprocessor that kernels use: comments, includes, object-like and function-like macros."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from autocomp.errors import IllegalMoveError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\])*\")", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(\(([^)]*)\))?\s*(.*)")
_DEPTH = 32


@dataclass(frozen=True)
class Macro:
    """Body of a macro; ``parameters`` is None for an object-like one."""

    parameters: tuple[str, ...] | None
    body: str


class Preprocessed(NamedTuple):
    """Text without directives, and the includes that were taken out."""

    text: str
    includes: str


def preprocess(source: str) -> Preprocessed:
    """Expand macros. Raises IllegalMoveError for conditional compilation and what else it does not know."""
    source = _COMMENT.sub(lambda match: match.group(1) or " ", source).replace("\\\n", " ")
    macros: dict[str, Macro] = {}
    includes: list[str] = []
    lines: list[str] = []
    for line in source.split("\n"):
        stripped = line.strip()
        if not stripped.startswith("#"):
            lines.append(expand(line, macros))
            continue
        lines.append("")
        define = _DEFINE.match(stripped)
        if define:
            parameters = None
            if define.group(2) is not None:
                parameters = tuple(part.strip() for part in define.group(3).split(",") if part.strip())
            macros[define.group(1)] = Macro(parameters, define.group(4).strip())
        elif re.match(r"#\s*undef\s", stripped):
            macros.pop(stripped.split()[-1], None)
        elif re.match(r"#\s*include\b", stripped):
            includes.append(stripped)
        elif not re.match(r"#\s*(pragma|$)", stripped):
            raise IllegalMoveError(f"the directive '{stripped}' is not understood")
    return Preprocessed("\n".join(lines), "\n".join(includes))


def expand(line: str, macros: dict[str, Macro], active: frozenset[str] = frozenset()) -> str:
    """Replace macro names in one line until none is left; a macro does not expand inside itself."""
    if len(active) > _DEPTH:
        return line
    result: list[str] = []
    position = 0
    while match := _WORD.search(line, position):
        result.append(line[position : match.start()])
        position = match.end()
        name = match.group()
        macro = macros.get(name)
        if macro is None or name in active:
            result.append(name)
            continue
        body = macro.body
        if macro.parameters is not None:
            rest = line[position:]
            start = len(rest) - len(rest.lstrip())
            if not rest.lstrip().startswith("("):
                result.append(name)
                continue
            arguments, length = _arguments(rest[start:])
            position += start + length
            values = {
                parameter: Macro(None, expand(argument, macros, active))
                for parameter, argument in zip(macro.parameters, arguments, strict=False)
            }
            body = expand(body, values)
        result.append(expand(body, macros, active | {name}))
    result.append(line[position:])
    return "".join(result)


def _arguments(text: str) -> tuple[list[str], int]:
    """Arguments of a macro call whose ``(`` is the first character, and where the call ends."""
    depth = 0
    parts = [""]
    for index, character in enumerate(text):
        if character == "(":
            depth += 1
            if depth == 1:
                continue
        elif character == ")":
            depth -= 1
            if depth == 0:
                return [part.strip() for part in parts], index + 1
        elif character == "," and depth == 1:
            parts.append("")
            continue
        parts[-1] += character
    raise IllegalMoveError("a macro call does not end on its line")
