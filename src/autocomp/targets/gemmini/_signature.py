"""Looks at a kernel's text before it is compiled."""

from __future__ import annotations

import re

from autocomp.records import Diagnostic, Problem, Status, Verdict

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
SPLICE = re.compile(r"\\[ \t\f\v]*(?:\r\n?|\n\r?)")
"""A line that goes on in the next one: may stand in the middle of any word."""
_INCLUDE = re.compile(
    r"(?:^|\*/)[ \t\f\v]*(?:#|%:)(?:[ \t\f\v]|/\*.*?\*/)*(?:include_next|include|import|embed)\b[ \t]*([^\n]*)",
    re.MULTILINE | re.DOTALL,
)
_PROBE = re.compile(r"__has_include\w*|__has_embed|\bpragma\b[^\n]*\b(?:dependency|comment|pch_preprocess)\b|_Pragma")
_LONGEST_PARAMETERS = 4096
"""Characters between the parentheses of the entry function; a text of nothing but openings is not searched for ever."""
_INCLUDE_NAME = re.compile(r'(?:"([^"]*)"|<([^>]*)>)')


def check(problem: Problem, code: str) -> Verdict | None:
    """None, or why this text cannot be a kernel for the problem."""
    return _check_includes(code) or _check_entry(problem, code)


def _refuse(message: str, line: int | None = None) -> Verdict:
    return Verdict(Status.CHECK_FAILED, message, (Diagnostic(message, line),))


def _line(code: str, position: int) -> int:
    return code.count("\n", 0, position) + 1


def _check_includes(code: str) -> Verdict | None:
    text = SPLICE.sub("", code)
    whole = text == code  # otherwise positions are not lines of the kernel
    for match in _INCLUDE.finditer(text):
        name = _INCLUDE_NAME.match(match[1])
        path = (name[1] or name[2] or "") if name else ""
        if not path or path.startswith("/") or ".." in path.split("/") or "\\" in path:
            shown = match[0].strip()
            return _refuse(
                f"'{shown}': kernels may only include the headers that come with the target",
                _line(text, match.start(1)) if whole else None,
            )
    if probe := _PROBE.search(text):
        line = _line(text, probe.start()) if whole else None
        return _refuse(f"'{probe[0].strip()}': kernels may not ask for files, nor name them in a pragma", line)
    return None


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _check_entry(problem: Problem, code: str) -> Verdict | None:
    text = _NOISE.sub(_blank, code)
    wanted = len(problem.arguments)
    for match in re.finditer(rf"\b{re.escape(problem.entry)}\s*\(", text):
        close = _closing(text, match.end() - 1, _LONGEST_PARAMETERS)
        if close is None or not re.match(r"\s*(__attribute__\s*\(\(.*?\)\)\s*)?\{", text[close + 1 :]):
            continue  # a call or a declaration
        found = _count(text[match.end() : close])
        if found == wanted:
            return None
        names = ", ".join(spec.name for spec in problem.arguments)
        return _refuse(
            f"function '{problem.entry}' takes {found} parameters; the problem passes {wanted}: {names}",
            _line(text, match.start()),
        )
    if re.search(rf"\b{re.escape(problem.entry)}\b", text):
        return None  # perhaps made by a macro: the compiler will tell
    return _refuse(f"the kernel does not define a function '{problem.entry}'")


def _closing(text: str, start: int, longest: int) -> int | None:
    depth = 0
    for position in range(start, min(len(text), start + longest)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return None


def _count(parameters: str) -> int:
    if parameters.strip() in {"", "void"}:
        return 0
    depth = commas = 0
    for character in parameters:
        depth += (character in "([") - (character in ")]")
        commas += character == "," and depth == 0
    return commas + 1
