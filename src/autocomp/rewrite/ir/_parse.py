"""C text to statements. What is not understood is kept as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.ir._expression import Const, Element, Expression, Range, Text, Var, add, has_text, scale
from autocomp.rewrite.ir._preprocess import preprocess
from autocomp.rewrite.ir._simplify import apply, range_of
from autocomp.rewrite.ir._tree import ArrayType, Body, Command, If, Kernel, Loop, Opaque, Statement, free_name

Normalise = Callable[[str, tuple[Expression, ...]], Command | None]
"""Turns a call into a command of the accelerator; None if it is not one."""

_SIZES = {
    "int8_t": 1, "uint8_t": 1, "elem_t": 1, "char": 1, "int16_t": 2, "int32_t": 4, "uint32_t": 4, "acc_t": 4,
    "int": 4, "float": 4, "int64_t": 8, "uint64_t": 8, "size_t": 8, "double": 8,
}  # fmt: skip
_TYPES = "typedef int " + ", ".join(sorted({*_SIZES, "bool", "acc_scale_t", "scale_t", "uintptr_t"} - {"char", "int",
    "float", "double"})) + ";\n"  # fmt: skip
_INTEGERS = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")


class _Scope:
    """Names that are known at a place: loop variables with their ranges and constants with their values."""

    def __init__(self, values: Mapping[str, Expression], ranges: dict[str, Range]) -> None:
        self.values = dict(values)
        self.ranges = ranges

    def child(self) -> _Scope:
        return _Scope(self.values, self.ranges)


class _NotUnderstoodError(Exception):
    """A construct outside the subset."""


class Parser:
    """Reads one function. ``constants`` are names the accelerator's header defines."""

    def __init__(self, entry: str, normalise: Normalise, constants: Mapping[str, int]) -> None:
        self._entry = entry
        self._normalise = normalise
        self._constants = constants
        self._generator = c_generator.CGenerator()
        self._arrays: dict[str, ArrayType] = {}
        self._names: set[str] = set()
        self._assigned: set[str] = set()

    def parse(self, source: str) -> Kernel:
        """The kernel; raises IllegalMoveError if there is no such function or the text is not C."""
        text, includes = preprocess(source)
        try:
            unit = c_parser.CParser().parse(_TYPES + text, "kernel.c")
        except Exception as error:  # pycparser's own exception class differs between versions
            raise IllegalMoveError(f"the kernel cannot be parsed: {error}") from error
        function = next(
            (node for node in unit.ext if isinstance(node, c_ast.FuncDef) and node.decl.name == self._entry), None
        )
        if function is None:
            raise IllegalMoveError(f"no function '{self._entry}' in the kernel")
        own = _TYPES.count(",") + 1
        others = [self._generator.visit(node) for node in unit.ext[own:] if node is not function]
        others = [text if text.rstrip().endswith("}") else text + ";" for text in others]
        self._constants_of(unit)
        self._declare(function)
        self._assigned = _assigned_names(function.body)
        scope = _Scope({name: Const(value) for name, value in self._constants.items()}, {})
        body = self._block(function.body.block_items or [], scope)
        preamble = "\n".join(part for part in (includes, *others) if part.strip())
        header = self._generator.visit(function.decl)
        return Kernel(preamble, " ".join(header.split()), self._arrays, body)

    def _constants_of(self, unit: Any) -> None:
        extra: dict[str, int] = {}
        for node in unit.ext:
            if isinstance(node, c_ast.Decl) and node.init is not None and "const" in (node.quals or []):
                value = self._try(node.init, _Scope({k: Const(v) for k, v in self._constants.items()}, {}))
                if isinstance(value, Const):
                    extra[node.name] = value.value
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum) and node.type.values:
                for number, item in enumerate(node.type.values.enumerators):
                    extra[item.name] = number if item.value is None else int(item.value.value, 0)
        self._constants = {**self._constants, **extra}

    def _declare(self, function: Any) -> None:
        parameters = function.decl.type.args
        for parameter in parameters.params if parameters else []:
            node, extents, depth = parameter.type, [], 0
            while isinstance(node, c_ast.ArrayDecl | c_ast.PtrDecl):
                if isinstance(node, c_ast.ArrayDecl):
                    value = self._try(node.dim, _Scope({k: Const(v) for k, v in self._constants.items()}, {}))
                    extents.append(value.value if isinstance(value, Const) else 0)
                else:
                    extents.append(0)
                depth, node = depth + 1, node.type
            if depth and isinstance(node, c_ast.TypeDecl):
                name = getattr(node.type, "names", ["?"])[-1]
                self._arrays[parameter.name] = ArrayType(_SIZES.get(name, 1), tuple(extents))
            if parameter.name:
                self._names.add(parameter.name)

    # Statements

    def _block(self, items: list[Any], scope: _Scope) -> Body:
        result: list[Statement] = []
        for item in items:
            try:
                result.extend(self._statement(item, scope))
            except _NotUnderstoodError:
                result.append(Opaque(self._text(item)))
        return tuple(result)

    def _text(self, node: Any) -> str:
        text: str = self._generator.visit(node).rstrip()
        return text if text.endswith((";", "}")) else text + ";"

    def _statement(self, node: Any, scope: _Scope) -> Body:
        if isinstance(node, c_ast.Compound):
            return self._block(node.block_items or [], scope.child())
        if isinstance(node, c_ast.EmptyStatement):
            return ()
        if isinstance(node, c_ast.For):
            return self._loop(node, scope)
        if isinstance(node, c_ast.If):
            condition = self._expression(node.cond, scope)
            if has_text(condition):
                raise _NotUnderstoodError
            if isinstance(condition, Const):
                taken = node.iftrue if condition.value else node.iffalse
                return self._statement(taken, scope.child()) if taken is not None else ()
            yes = self._block([node.iftrue], scope.child())
            no = self._block([node.iffalse], scope.child()) if node.iffalse is not None else ()
            return (If(condition, yes, no),) if yes or no else ()
        if isinstance(node, c_ast.Decl) and node.name:
            return self._constant(node, scope)
        if isinstance(node, c_ast.DeclList):
            return tuple(statement for decl in node.decls for statement in self._statement(decl, scope))
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            args = tuple(self._expression(arg, scope) for arg in (node.args.exprs if node.args else []))
            command = self._normalise(node.name.name, args)
            if command is not None:
                return (command,)
        raise _NotUnderstoodError

    def _constant(self, node: Any, scope: _Scope) -> Body:
        if node.init is None or not isinstance(node.type, c_ast.TypeDecl | c_ast.PtrDecl):
            raise _NotUnderstoodError
        value = self._expression(node.init, scope)
        if node.name in self._assigned or has_text(value):
            raise _NotUnderstoodError
        scope.values[node.name] = value
        return ()

    def _loop(self, node: Any, scope: _Scope) -> Body:
        init = node.init
        if not (isinstance(init, c_ast.DeclList) and len(init.decls) == 1 and isinstance(init.decls[0], c_ast.Decl)):
            raise _NotUnderstoodError
        name = init.decls[0].name
        low = self._expression(init.decls[0].init, scope)
        step = self._step(node.next, name, scope)
        cond = node.cond
        if not (isinstance(cond, c_ast.BinaryOp) and cond.op in ("<", "<=") and _is_name(cond.left, name)):
            raise _NotUnderstoodError
        high = self._expression(cond.right, scope)
        if cond.op == "<=":
            high = add(high, Const(1))
        if has_text(low) or has_text(high) or _assigned_names(node.stmt) & {name}:
            raise _NotUnderstoodError
        distance = add(high, scale(low, -1))
        most = range_of(distance, scope.ranges).high
        if most >= 1 << 24:
            raise _NotUnderstoodError
        if most <= 0:
            return ()
        count = -(-most // step)
        fresh = free_name(self._names, name)
        self._names.add(fresh)
        inner = scope.child()
        value = add(low, scale(Var(fresh), step))
        inner.values[name] = value
        inner.ranges[fresh] = Range(0, count - 1)
        body = self._block([node.stmt], inner)
        guard = apply("<", (value, high), inner.ranges)
        if not isinstance(distance, Const):
            body = (If(guard, body),) if guard != Const(1) else body
        return (Loop(fresh, count, body),) if body else ()

    def _step(self, node: Any, name: str, scope: _Scope) -> int:
        if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "p++") and _is_name(node.expr, name):
            return 1
        if isinstance(node, c_ast.Assignment) and _is_name(node.lvalue, name):
            value = self._expression(node.rvalue, scope)
            if node.op == "=":
                scope = _Scope({**scope.values, name: Var("?")}, scope.ranges)
                value = add(self._expression(node.rvalue, scope), scale(Var("?"), -1))
            if node.op in ("+=", "=") and isinstance(value, Const) and value.value > 0:
                return value.value
        raise _NotUnderstoodError

    # Expressions

    def _try(self, node: Any, scope: _Scope) -> Expression | None:
        try:
            return self._expression(node, scope) if node is not None else None
        except _NotUnderstoodError:
            return None

    def _expression(self, node: Any, scope: _Scope) -> Expression:
        if isinstance(node, c_ast.Constant):
            match = _INTEGERS.match(node.value)
            return Const(int(match.group(1), 0)) if match and node.type != "string" else Text(node.value)
        if isinstance(node, c_ast.ID):
            if node.name in self._arrays:
                return Element(node.name, (Const(0),) * max(len(self._arrays[node.name].extents), 1))
            if node.name in self._assigned and node.name not in scope.values:
                raise _NotUnderstoodError
            return scope.values.get(node.name, Text(node.name))
        if isinstance(node, c_ast.Cast):
            return self._cast(node, scope)
        if isinstance(node, c_ast.UnaryOp):
            return self._unary(node, scope)
        if isinstance(node, c_ast.BinaryOp):
            return self._binary(node, scope)
        if isinstance(node, c_ast.TernaryOp):
            parts = tuple(self._expression(part, scope) for part in (node.cond, node.iftrue, node.iffalse))
            return self._combine("?:", parts, node, scope)
        if isinstance(node, c_ast.ArrayRef):
            return self._element(node, scope)
        return Text(self._generator.visit(node))

    def _cast(self, node: Any, scope: _Scope) -> Expression:
        inner = self._expression(node.expr, scope)
        if isinstance(inner, Text):
            return Text(self._generator.visit(node))
        kind = node.to_type.type
        if isinstance(inner, Element) and isinstance(kind, c_ast.PtrDecl):
            target = getattr(getattr(kind.type, "type", None), "names", ["?"])[-1]
            known = self._arrays[inner.array].element_bytes
            if target != "void" and _SIZES.get(target, 0) != known and set(inner.indices) != {Const(0)}:
                raise _NotUnderstoodError
        if isinstance(inner, Const):
            name = getattr(getattr(kind, "type", None), "names", ["int"])[-1]
            if name in ("uint32_t", "unsigned"):
                return Const(inner.value & 0xFFFFFFFF)
        return inner

    def _unary(self, node: Any, scope: _Scope) -> Expression:
        if node.op == "sizeof":
            text = self._generator.visit(node.expr)
            if text in _SIZES:
                return Const(_SIZES[text])
            raise _NotUnderstoodError
        inner = self._expression(node.expr, scope)
        if node.op == "&" and isinstance(inner, Element):
            return inner
        if node.op == "*" and isinstance(inner, Element):
            return inner
        if node.op in ("-", "~", "!", "+"):
            if has_text(inner):
                return Text(self._generator.visit(node))
            return inner if node.op == "+" else apply(node.op, (inner,), scope.ranges)
        raise _NotUnderstoodError

    def _binary(self, node: Any, scope: _Scope) -> Expression:
        left, right = self._expression(node.left, scope), self._expression(node.right, scope)
        if isinstance(left, Element) or isinstance(right, Element):
            if node.op not in ("+", "-") or has_text(left) or has_text(right) or isinstance(right, Element):
                raise _NotUnderstoodError
            return self._move(left, right if node.op == "+" else scale(right, -1), node.left)
        return self._combine(node.op, (left, right), node, scope)

    def _move(self, pointer: Expression, offset: Expression, node: Any) -> Expression:
        """Pointer arithmetic: on a matrix argument itself the step is a row, otherwise an element."""
        if not isinstance(pointer, Element):
            raise _NotUnderstoodError
        while isinstance(node, c_ast.BinaryOp):
            node = node.left
        extents = self._arrays[pointer.array].extents
        if len(extents) > 1 and set(pointer.indices) == {Const(0)}:
            if isinstance(node, c_ast.ID):
                return Element(pointer.array, (offset, *pointer.indices[1:]))
            return Element(pointer.array, (offset,))
        return add(pointer, offset)

    def _combine(self, name: str, parts: tuple[Expression, ...], node: Any, scope: _Scope) -> Expression:
        if any(isinstance(part, Element) for part in parts):
            raise _NotUnderstoodError
        if any(has_text(part) for part in parts):
            return Text(self._generator.visit(node))
        return apply(name, parts, scope.ranges)

    def _element(self, node: Any, scope: _Scope) -> Expression:
        indices: list[Expression] = []
        while isinstance(node, c_ast.ArrayRef):
            indices.insert(0, self._expression(node.subscript, scope))
            node = node.name
        base = self._expression(node, scope)
        if not isinstance(base, Element) or any(has_text(index) for index in indices):
            raise _NotUnderstoodError
        extents = self._arrays[base.array].extents
        if set(base.indices) != {Const(0)}:
            if len(indices) == 1 and len(base.indices) == 1:
                return add(base, indices[0])
            raise _NotUnderstoodError
        if len(indices) == 1 and len(extents) == 2:
            indices.append(Const(0))
        if len(indices) != max(len(extents), 1):
            raise _NotUnderstoodError
        return Element(base.array, tuple(indices))


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _assigned_names(node: Any) -> set[str]:
    """Variables that something other than their declaration (or the step of a for) writes."""
    found: set[str] = set()

    class Visitor(c_ast.NodeVisitor):  # type: ignore[misc]
        def visit_For(self, loop: Any) -> None:  # noqa: N802
            for part in (loop.init, loop.cond, loop.stmt):
                if part is not None:
                    self.visit(part)

        def visit_Assignment(self, assignment: Any) -> None:  # noqa: N802
            if isinstance(assignment.lvalue, c_ast.ID):
                found.add(assignment.lvalue.name)
            self.generic_visit(assignment)

        def visit_UnaryOp(self, unary: Any) -> None:  # noqa: N802
            if unary.op in ("++", "--", "p++", "p--") and isinstance(unary.expr, c_ast.ID):
                found.add(unary.expr.name)
            if unary.op == "&" and isinstance(unary.expr, c_ast.ID):
                found.add(unary.expr.name)
            self.generic_visit(unary)

    if node is not None:
        Visitor().visit(node)
    return found
