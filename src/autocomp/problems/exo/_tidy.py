"""C as Exo writes it, for sizes that are fixed, without what has no use any more."""

from __future__ import annotations

import re

from autocomp.problems.exo._places import placed

_MACROS = re.compile(r"// Compiler feature macros.*?\n#if EXO_HAS_BUILTIN\(.*?\n#endif\n", re.DOTALL)
_GUARD = re.compile(r"#ifndef (EXO_WIN_\w+)\n#define \1\n(.*?)\n#endif\n", re.DOTALL)
_ASSUMPTION = re.compile(r"^[ \t]*EXO_ASSUME\(.*\);\n", re.MULTILINE)
_INSTRUCTION = re.compile(r'^/\* relying on the following instruction\.\.\."\n.*?\n\*/\n', re.DOTALL | re.MULTILINE)
_CONTEXT = re.compile(r"typedef struct (\w+_Context) \{.*?\} \1;\n", re.DOTALL)
_INCLUDE = re.compile(r"^#include [^\n]*\n", re.MULTILINE)
_STRIDE = re.compile(r"\(\(struct exo_win_\w+\)\{ &[^{};]*, \{ ([^{};]*) \} \}\)\.strides\[(\d)\]")
_WINDOW = re.compile(r"struct (exo_win_\w+)\{[^}]*\};\n")


def tidy(code: str, procedure: str) -> str:
    """The same program, static but for instructions and includes, with the includes first.

    Assertions hold for the sizes, so what Exo tells compilers about them goes; instructions are known, so what they
    consist of goes; a context without fields is no argument; a distance taken from a window is a number; what is
    placed in the memories of Gemmini gets its address now. Indices are ``int``, as everywhere in our kernels.
    """
    for pattern in (_MACROS, _ASSUMPTION, _INSTRUCTION):
        code = pattern.sub("", code)
    code = _GUARD.sub(r"\2\n", code).replace("int_fast32_t", "int")
    code = _without_context(code)
    code = _STRIDE.sub(lambda match: match[1].split(", ")[int(match[2])], code)
    # Nobody else knows the function, so it can be put in where it is called; nothing before it calls it.
    name = re.escape(procedure)
    code = re.sub(rf"(?:^//.*\n)*^void {name}\([^;{{]*\);\n", "", code, flags=re.MULTILINE)
    code = re.sub(rf"^(?=void {name}\()", "static ", code, flags=re.MULTILINE)
    code = placed(code, procedure)
    for window in _WINDOW.findall(code):
        if len(re.findall(rf"\b{window}\b", code)) == 1:
            code = re.sub(rf"struct {window}\{{[^}}]*\}};\n", "", code)
    includes = "".join(dict.fromkeys(_INCLUDE.findall(code)))
    return f"{includes}\n{_indented(_INCLUDE.sub('', code))}\n"


def _without_context(code: str) -> str:
    if "ctxt->" in code:
        return code
    context = _CONTEXT.search(code)
    if context is not None:
        code = code.replace(context[0], "").replace(f"{context[1]} *ctxt", "void *ctxt")
    return re.sub(r"\(ctxt,", "(", re.sub(r"void \*ctxt, ", "", code))


def _indented(code: str) -> str:
    """Lines by the depth of their braces: what instructions bring along begins anywhere."""
    lines: list[str] = []
    depth = 0
    for line in map(str.strip, code.split("\n")):
        if not line and lines and lines[-1].endswith((";", "{")):
            continue
        lines.append("  " * (depth - line.startswith("}")) + line if line else "")
        depth += line.count("{") - line.count("}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
