"""C text to statements. What is not understood is kept as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.ir._expression import (
    Const,
    Element,
    Expression,
    Op,
    Range,
    Text,
    Var,
    add,
    flat_index,
    has_text,
    scale,
)
from autocomp.rewrite.ir._preprocess import preprocess
from autocomp.rewrite.ir._simplify import apply, range_of
from autocomp.rewrite.ir._tree import (
    ASSIGN,
    ArrayType,
    Body,
    Command,
    If,
    Kernel,
    LocalArray,
    Loop,
    Opaque,
    Statement,
    free_name,
)

Normalise = Callable[[str, tuple[Expression, ...]], Command | None]
"""Turns a call into a command of the accelerator; None if it is not one."""

_SIZES = {
    "int8_t": 1, "uint8_t": 1, "elem_t": 1, "char": 1, "int16_t": 2, "int32_t": 4, "uint32_t": 4, "acc_t": 4,
    "int": 4, "float": 4, "int64_t": 8, "uint64_t": 8, "size_t": 8, "double": 8,
}  # fmt: skip
_TYPES = "typedef int " + ", ".join(sorted({*_SIZES, "bool", "acc_scale_t", "scale_t", "uintptr_t"} - {"char", "int",
    "float", "double"})) + ";\n"  # fmt: skip
_INTEGERS = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")
_WHOLE_FLOATS = re.compile(r"(\d+)(\.0*)?[fF]?$")
_FLOATS = ("float", "double", "elem_t", "acc_t")
_INLINE_DEPTH = 8
_LARGEST_LOCAL = 1 << 16
"""Elements of a local array."""


class _Scope:
    """Names that are known at a place: loop variables with their ranges and constants with their values."""

    def __init__(
        self,
        values: Mapping[str, Expression],
        ranges: dict[str, Range],
        views: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self.values = dict(values)
        self.ranges = ranges
        self.views = dict(views or {})
        """Extents with which parameters of a function that is put in see the arrays they point to."""

    def child(self) -> _Scope:
        return _Scope(self.values, self.ranges, self.views)


class _NotUnderstoodError(Exception):
    """A construct outside the subset."""


class Parser:
    """Reads one function. ``constants`` are names the accelerator's header defines, ``sizes`` bytes of its types."""

    def __init__(
        self,
        entry: str,
        normalise: Normalise,
        constants: Mapping[str, int],
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        self._entry = entry
        self._normalise = normalise
        self._constants = constants
        self._sizes = {**_SIZES, **(sizes or {})}
        self._locals: dict[str, LocalArray] = {}
        self._functions: dict[str, Any] = {}
        self._depth = 0
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
        self._functions = {
            node.decl.name: node for node in unit.ext if isinstance(node, c_ast.FuncDef) and node is not function
        }
        self._declare(function)
        self._assigned = _assigned_names(function.body)
        scope = _Scope({name: Const(value) for name, value in self._constants.items()}, {})
        body = self._block(function.body.block_items or [], scope)
        preamble = "\n".join(part for part in (includes, *others) if part.strip())
        header = self._generator.visit(function.decl)
        return Kernel(preamble, " ".join(header.split()), self._arrays, body, locals=self._locals)

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
            extents, kind = self._shape(parameter.type)
            if extents and kind is not None:
                self._arrays[parameter.name] = ArrayType(self._sizes.get(kind, 1), extents)
            if parameter.name:
                self._names.add(parameter.name)

    def _shape(self, node: Any) -> tuple[tuple[int, ...], str | None]:
        """Extents of an array or pointer type (0 where unknown; none for a scalar) and the name of its element."""
        extents: list[int] = []
        while isinstance(node, c_ast.ArrayDecl | c_ast.PtrDecl):
            if isinstance(node, c_ast.ArrayDecl):
                value = self._try(node.dim, _Scope({k: Const(v) for k, v in self._constants.items()}, {}))
                extents.append(value.value if isinstance(value, Const) else 0)
            else:
                extents.append(0)
            node = node.type
        if not isinstance(node, c_ast.TypeDecl):
            return (), None
        return tuple(extents), getattr(node.type, "names", ["?"])[-1]

    # Statements

    def _block(self, items: list[Any], scope: _Scope) -> Body:
        result: list[Statement] = []
        for item in items:
            try:
                result.extend(self._statement(item, scope))
            except _NotUnderstoodError:
                if self._depth:
                    raise
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
            given = node.args.exprs if node.args else []
            chosen = next((number for number, arg in enumerate(given) if self._chooses(arg, scope)), None)
            if chosen is not None:
                return self._choose(node, chosen, scope)
            args = tuple(self._expression(arg, scope) for arg in given)
            command = self._normalise(node.name.name, args)
            if command is not None:
                return (command,)
            if node.name.name in self._functions:
                return self._inline(self._functions[node.name.name], args, scope)
        if isinstance(node, c_ast.Assignment):
            return self._assignment(node, scope)
        raise _NotUnderstoodError

    def _chooses(self, node: Any, scope: _Scope) -> bool:
        """True if an argument is one of two pointers, or none, depending on a condition."""
        while isinstance(node, c_ast.Cast):
            node = node.expr
        return isinstance(node, c_ast.TernaryOp) and any(
            isinstance(self._try(part, scope), Element) for part in (node.iftrue, node.iffalse)
        )

    def _choose(self, call: Any, number: int, scope: _Scope) -> Body:
        """A call with such an argument: two calls behind the condition."""
        choice = call.args.exprs[number]
        while isinstance(choice, c_ast.Cast):
            choice = choice.expr
        calls = []
        for part in (choice.iftrue, choice.iffalse):
            given = [part if index == number else arg for index, arg in enumerate(call.args.exprs)]
            calls.append(c_ast.FuncCall(call.name, c_ast.ExprList(given)))
        return self._statement(c_ast.If(choice.cond, *calls), scope)

    # Work of the core: assignments to array elements, local arrays, functions of the kernel's own

    def _assignment(self, node: Any, scope: _Scope) -> Body:
        target = self._place(node.lvalue, scope)
        value = self._value(node.rvalue, scope)
        if node.op != "=":
            if node.op not in ("+=", "-=", "*="):
                raise _NotUnderstoodError
            value = apply(node.op[0], (Op("load", (target,)), value), scope.ranges)
        return (Command(ASSIGN, (target, value)),)

    def _place(self, node: Any, scope: _Scope) -> Element:
        """The element that an lvalue or a read names."""
        place = self._expression(node.expr if isinstance(node, c_ast.UnaryOp) else node, scope)
        if isinstance(node, c_ast.UnaryOp) and node.op != "*":
            raise _NotUnderstoodError
        if not isinstance(place, Element) or has_text(place):
            raise _NotUnderstoodError
        return place

    def _value(self, node: Any, scope: _Scope) -> Expression:
        """A real number: sums and products of elements and whole constants."""
        if isinstance(node, c_ast.Constant):
            match = _WHOLE_FLOATS.match(node.value)
            if match is None:
                raise _NotUnderstoodError
            return Const(int(match.group(1)))
        if isinstance(node, c_ast.Cast):
            extents, kind = self._shape(node.to_type.type)
            if extents or kind not in _FLOATS:
                raise _NotUnderstoodError
            return self._value(node.expr, scope)
        if isinstance(node, c_ast.UnaryOp) and node.op in ("-", "+"):
            inner = self._value(node.expr, scope)
            return scale(inner, -1) if node.op == "-" else inner
        if isinstance(node, c_ast.BinaryOp):
            if node.op not in ("+", "-", "*"):
                raise _NotUnderstoodError
            return apply(node.op, (self._value(node.left, scope), self._value(node.right, scope)), scope.ranges)
        return Op("load", (self._place(node, scope),))

    def _inline(self, function: Any, args: tuple[Expression, ...], scope: _Scope) -> Body:
        """The body of a function with its parameters bound; a pointer becomes the place it points to."""
        parameters = function.decl.type.args.params if function.decl.type.args else []
        if len(parameters) != len(args) or self._depth >= _INLINE_DEPTH:
            raise _NotUnderstoodError
        values: dict[str, Expression] = {name: Const(value) for name, value in self._constants.items()}
        views: dict[str, tuple[int, ...]] = {}
        for parameter, value in zip(parameters, args, strict=True):
            extents, kind = self._shape(parameter.type)
            if isinstance(value, Element):
                array = self._arrays[value.array]
                if not extents or self._sizes.get(kind or "", 0) != array.element_bytes:
                    raise _NotUnderstoodError
                values[parameter.name] = Element(value.array, (flat_index(value, array.extents),))
                views[parameter.name] = extents
            elif extents or has_text(value):
                raise _NotUnderstoodError
            else:
                values[parameter.name] = value
        assigned = self._assigned
        self._assigned, self._depth = _assigned_names(function.body), self._depth + 1
        try:
            return self._block(function.body.block_items or [], _Scope(values, scope.ranges, views))
        finally:
            self._assigned, self._depth = assigned, self._depth - 1

    def _local(self, node: Any, scope: _Scope) -> Body:
        """A local array, or a local number that is kept as an array of one."""
        extents, kind = self._shape(node.type)
        if kind not in _FLOATS or min(extents, default=1) < 1 or isinstance(node.type, c_ast.PtrDecl):
            raise _NotUnderstoodError
        if prod(extents) > _LARGEST_LOCAL:
            raise _NotUnderstoodError
        static = "static" in (node.storage or [])
        if static and self._depth:
            raise _NotUnderstoodError  # every call is put in by itself, but all of them share this array
        values: tuple[int, ...] = ()
        start: Body = ()
        name = free_name(self._names, node.name)
        if extents and node.init is not None:
            values = self._initial(node.init, extents, scope)
            if not static:
                raise _NotUnderstoodError
        elif node.init is not None:
            if static:
                raise _NotUnderstoodError
            start = (Command(ASSIGN, (Element(name, (Const(0),)), self._value(node.init, scope))),)
        extents = extents or (1,)
        self._names.add(name)
        self._arrays[name] = ArrayType(self._sizes[kind], extents)
        self._locals[name] = LocalArray(kind, static, values)
        scope.values[node.name] = Element(name, (Const(0),) * len(extents))
        scope.views.pop(node.name, None)
        return start

    def _initial(self, node: Any, extents: tuple[int, ...], scope: _Scope) -> tuple[int, ...]:
        """Values of an initialiser in memory order; zeros where it is short."""
        items = node.exprs if isinstance(node, c_ast.InitList) else [node]
        if not extents:
            value = self._value(node if not isinstance(node, c_ast.InitList) else items[0], scope)
            if not isinstance(value, Const):
                raise _NotUnderstoodError
            return (value.value,)
        result: list[int] = []
        for item in items:
            if not isinstance(item, c_ast.InitList) and len(extents) > 1:
                raise _NotUnderstoodError
            result.extend(self._initial(item, extents[1:], scope))
        return tuple(result) + (0,) * (prod(extents) - len(result))

    def _constant(self, node: Any, scope: _Scope) -> Body:
        if self._shape(node.type)[1] in _FLOATS and not isinstance(node.type, c_ast.PtrDecl):
            return self._local(node, scope)
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
        ends = ("<", "<=") if step > 0 else (">", ">=")
        if not (isinstance(cond, c_ast.BinaryOp) and cond.op in ends and _is_name(cond.left, name)):
            raise _NotUnderstoodError
        high = self._expression(cond.right, scope)
        sign = 1 if step > 0 else -1
        if cond.op == ends[1]:
            high = add(high, Const(sign))
        if has_text(low) or has_text(high) or _assigned_names(node.stmt) & {name}:
            raise _NotUnderstoodError
        distance = scale(add(high, scale(low, -1)), sign)
        most = range_of(distance, scope.ranges).high
        if most >= 1 << 24:
            raise _NotUnderstoodError
        if most <= 0:
            return ()
        count = -(-most // abs(step))
        fresh = free_name(self._names, name)
        self._names.add(fresh)
        inner = scope.child()
        value = add(low, scale(Var(fresh), step))
        inner.values[name] = value
        inner.ranges[fresh] = Range(0, count - 1)
        body = self._block([node.stmt], inner)
        guard = apply(ends[0], (value, high), inner.ranges)
        if not isinstance(distance, Const):
            body = (If(guard, body),) if guard != Const(1) else body
        return (Loop(fresh, count, body),) if body else ()

    def _step(self, node: Any, name: str, scope: _Scope) -> int:
        if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "p++") and _is_name(node.expr, name):
            return 1
        if isinstance(node, c_ast.UnaryOp) and node.op in ("--", "p--") and _is_name(node.expr, name):
            return -1
        if isinstance(node, c_ast.Assignment) and _is_name(node.lvalue, name):
            value = self._expression(node.rvalue, scope)
            if node.op == "=":
                scope = _Scope({**scope.values, name: Var("?")}, scope.ranges)
                value = add(self._expression(node.rvalue, scope), scale(Var("?"), -1))
            if node.op in ("+=", "-=", "=") and isinstance(value, Const) and value.value:
                return -value.value if node.op == "-=" else value.value
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
            if match is None or node.type == "string":
                return Text(node.value)
            digits = match.group(1)
            octal = digits.isdigit() and digits.startswith("0")
            return Const(int(digits, 8 if octal else 0))
        if isinstance(node, c_ast.ID):
            if node.name in self._arrays and node.name not in scope.values:
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
            if target != "void" and self._sizes.get(target, 0) != known and set(inner.indices) != {Const(0)}:
                raise _NotUnderstoodError
        if isinstance(inner, Const):
            name = getattr(getattr(kind, "type", None), "names", ["int"])[-1]
            if name in ("uint32_t", "unsigned"):
                return Const(inner.value & 0xFFFFFFFF)
        return inner

    def _unary(self, node: Any, scope: _Scope) -> Expression:
        if node.op == "sizeof":
            text = self._generator.visit(node.expr)
            if text in self._sizes:
                return Const(self._sizes[text])
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
        view = scope.views.get(node.name) if isinstance(node, c_ast.ID) else None
        if view is not None:
            indices.extend([Const(0)] * (len(view) - len(indices)))
            return add(base, flat_index(Element(base.array, tuple(indices)), view))
        if set(base.indices) != {Const(0)}:
            if len(indices) == 1 and len(base.indices) == 1:
                return add(base, indices[0])
            raise _NotUnderstoodError
        indices.extend([Const(0)] * (len(extents) - len(indices)))
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
