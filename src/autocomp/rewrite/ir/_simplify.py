"""Building and folding expressions with the ranges of loop variables known."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import gcd

from autocomp.rewrite.ir._expression import (
    ONE,
    UNKNOWN,
    ZERO,
    Const,
    Element,
    Expression,
    Op,
    Range,
    Ranges,
    Sum,
    Var,
    add,
    make_sum,
    scale,
    split_sum,
    variables,
)


def c_divide(left: int, right: int) -> int:
    """Division as C does it: towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def c_remainder(left: int, right: int) -> int:
    """Remainder as C does it: the sign of the dividend."""
    return left - c_divide(left, right) * right


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_FOLD: dict[str, Callable[[int, int], int]] = {
    "*": operator.mul,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "/": c_divide,
    "%": c_remainder,
}


def range_of(expression: Expression, ranges: Ranges) -> Range:
    """Bounds of an expression; wide where nothing is known."""
    if isinstance(expression, Const):
        return Range(expression.value, expression.value)
    if isinstance(expression, Var):
        return ranges.get(expression.name, UNKNOWN)
    if isinstance(expression, Sum):
        low = high = expression.constant
        for atom, coefficient in expression.terms:
            part = range_of(atom, ranges)
            ends = (part.low * coefficient, part.high * coefficient)
            low, high = low + min(ends), high + max(ends)
        return Range(low, high)
    if isinstance(expression, Op):
        return _range_of_operator(expression, ranges)
    return UNKNOWN


def _range_of_operator(expression: Op, ranges: Ranges) -> Range:
    name = expression.name
    if name in _COMPARE or name in ("&&", "||", "!"):
        return Range(0, 1)
    parts = [range_of(part, ranges) for part in expression.args]
    if name == "?:":
        condition, yes, no = expression.args
        if isinstance(condition, Op) and condition.args == (yes, no):
            if condition.name in ("<", "<="):
                return Range(min(parts[1].low, parts[2].low), min(parts[1].high, parts[2].high))
            if condition.name in (">", ">="):
                return Range(max(parts[1].low, parts[2].low), max(parts[1].high, parts[2].high))
        return Range(min(parts[1].low, parts[2].low), max(parts[1].high, parts[2].high))
    left, right = parts[0], parts[-1]
    if name == "/" and right.low == right.high and right.low > 0:
        return Range(c_divide(left.low, right.low), c_divide(left.high, right.low))
    if name == "%" and right.low == right.high and right.low > 0:
        return Range(0 if left.low >= 0 else 1 - right.low, min(right.low - 1, max(left.high, 0)))
    if left.low >= 0 and right.low >= 0:
        if name == "*":
            return Range(left.low * right.low, left.high * right.high)
        if name == "&":
            return Range(0, min(left.high, right.high))
        if name in ("|", "^"):
            return Range(0, (1 << max(left.high.bit_length(), right.high.bit_length())) - 1)
        if name == ">>":
            return Range(left.low >> right.high, left.high >> right.low)
        if name == "<<" and right.high < 32:
            return Range(left.low << right.low, left.high << right.high)
    return UNKNOWN


def possible_bits(expression: Expression, ranges: Ranges) -> int:
    """Mask of the bits that may be set in a non-negative expression."""
    if isinstance(expression, Op) and expression.name == "?:":
        return possible_bits(expression.args[1], ranges) | possible_bits(expression.args[2], ranges)
    bounds = range_of(expression, ranges)
    if bounds.low < 0:
        return -1
    differing = (bounds.low ^ bounds.high).bit_length()
    return bounds.high | ((1 << differing) - 1)


def apply(name: str, args: tuple[Expression, ...], ranges: Ranges) -> Expression:
    """The operator applied to simplified arguments, simplified."""
    if name == "+":
        return add(args[0], args[1])
    if name == "-":
        return scale(args[0], -1) if len(args) == 1 else add(args[0], scale(args[1], -1))
    if name == "?:":
        return _choose(args, ranges)
    if name in _COMPARE:
        return _compare(name, args, ranges)
    if name in ("&&", "||", "!"):
        return _logical(name, args)
    if name == "~":
        return Const(~args[0].value & 0xFFFFFFFF) if isinstance(args[0], Const) else Op("~", args)
    if name == "load":
        return Op(name, args)
    left, right = args
    if isinstance(left, Const) and isinstance(right, Const):
        if (name in "/%" and right.value == 0) or (name in ("<<", ">>") and not 0 <= right.value < 64):
            return Op(name, args)  # C does not define it
        return Const(_FOLD[name](left.value, right.value))
    if name == "*":
        if isinstance(left, Const):
            return scale(right, left.value)
        return scale(left, right.value) if isinstance(right, Const) else Op("*", args)
    if isinstance(right, Const):
        if name == "<<" and 0 <= right.value < 32:
            return scale(left, 1 << right.value)
        if name == ">>" and 0 <= right.value < 32 and range_of(left, ranges).low >= 0:
            return apply("/", (left, Const(1 << right.value)), ranges)
        if name == "&" and _is_mask(right.value) and range_of(left, ranges).low >= 0:
            return apply("%", (left, Const(right.value + 1)), ranges)
        if name in ("/", "%") and right.value > 0:
            return _divide(name, left, right.value, ranges)
    if name == "|" and not possible_bits(left, ranges) & possible_bits(right, ranges):
        return add(left, right)
    return Op(name, args)


def _is_mask(value: int) -> bool:
    return value > 0 and value & (value + 1) == 0 and value < 0xFFFF


def _divide(name: str, left: Expression, divisor: int, ranges: Ranges) -> Expression:
    """Take whole multiples of the divisor out of a division or remainder, then look at what is left."""
    if divisor == 1:
        return left if name == "/" else ZERO
    constant, terms = split_sum(left)
    if range_of(left, ranges).low >= 0:
        whole = tuple((atom, c // divisor) for atom, c in terms if c % divisor == 0)
        rest = make_sum(constant % divisor, tuple((atom, c) for atom, c in terms if c % divisor))
        rest = _combine_digits(rest, ranges)
        bounds = range_of(rest, ranges)
        reduced = _by_common_factor(name, rest, divisor, ranges) if bounds.low >= 0 else None
        if reduced is not None:
            return add(make_sum(constant // divisor, whole), reduced) if name == "/" else reduced
        if bounds.low >= 0 and bounds.high < divisor:
            return make_sum(constant // divisor, whole) if name == "/" else rest
        if bounds.low >= 0:
            inner = _nested(name, rest, divisor, ranges)
            return add(make_sum(constant // divisor, whole), inner) if name == "/" else inner
    return Op(name, (left, Const(divisor)))


def _by_common_factor(name: str, value: Expression, divisor: int, ranges: Ranges) -> Expression | None:
    """``(8x + c) / 64`` is ``(x + c/8) / 8``; the remainder is 8 times that of the quotient, plus ``c % 8``."""
    constant, terms = split_sum(value)
    factor = gcd(divisor, *(c for _, c in terms))
    if factor in (1, divisor) or not terms:
        return None
    inner = make_sum(constant // factor, tuple((atom, c // factor) for atom, c in terms))
    result = apply(name, (inner, Const(divisor // factor)), ranges)
    return result if name == "/" else add(scale(result, factor), Const(constant % factor))


def _nested(name: str, value: Expression, divisor: int, ranges: Ranges) -> Expression:
    """``x/a/b`` is ``x/(ab)``; ``x%(ab)%b`` is ``x%b``; ``x%(ab)/b`` stays."""
    if isinstance(value, Op) and isinstance(value.args[-1], Const):
        first = value.args[-1].value
        if name == "/" and value.name == "/":
            return apply("/", (value.args[0], Const(first * divisor)), ranges)
        if name == "%" and value.name == "%" and first % divisor == 0:
            return apply("%", (value.args[0], Const(divisor)), ranges)
    constant, terms = split_sum(value)
    if name == "%" and terms:
        # A remainder of a multiple of the divisor inside a sum changes nothing: drop the inner one.
        flat = add(Const(constant), ZERO)
        for atom, c in terms:
            size = atom.args[1] if isinstance(atom, Op) and atom.name == "%" else None
            whole = isinstance(size, Const) and (c * size.value) % divisor == 0
            flat = add(flat, scale(atom.args[0] if whole and isinstance(atom, Op) else atom, c))
        if flat != value and range_of(flat, ranges).low >= 0:
            return apply("%", (flat, Const(divisor)), ranges)
    return Op(name, (value, Const(divisor)))


def _combine_digits(value: Expression, ranges: Ranges) -> Expression:
    """Turn ``c*(x/n % m) * n + c*(x % n)`` back into ``c*(x % (nm))`` and ``x/n*n + x%n`` into ``x``."""
    constant, terms = split_sum(value)
    for atom, c in terms:
        if not (isinstance(atom, Op) and atom.name == "%" and isinstance(atom.args[1], Const)):
            continue
        base, n = atom.args[0], atom.args[1].value
        quotient = apply("/", (base, Const(n)), ranges) if range_of(base, ranges).low >= 0 else None
        for other, d in terms:
            if d != c * n or other == atom:
                continue
            rest = tuple(t for t in terms if t[0] not in (atom, other))
            if other == quotient:
                return _combine_digits(add(make_sum(constant, rest), scale(base, c)), ranges)
            if isinstance(other, Op) and other.name == "%" and other.args[0] == quotient:
                size = other.args[1]
                if isinstance(size, Const):
                    joined = apply("%", (base, Const(n * size.value)), ranges)
                    return _combine_digits(add(make_sum(constant, rest), scale(joined, c)), ranges)
    return value


def _choose(args: tuple[Expression, ...], ranges: Ranges) -> Expression:
    condition, yes, no = args
    if isinstance(condition, Const):
        return yes if condition.value else no
    return yes if yes == no else Op("?:", args)


def _compare(name: str, args: tuple[Expression, ...], ranges: Ranges) -> Expression:
    difference = add(args[0], scale(args[1], -1)) if not isinstance(args[0], Element) else args[0]
    bounds = range_of(difference, ranges)
    if isinstance(difference, Const):
        return ONE if _COMPARE[name](difference.value, 0) else ZERO
    always = {
        "<": bounds.high < 0,
        "<=": bounds.high <= 0,
        ">": bounds.low > 0,
        ">=": bounds.low >= 0,
        "!=": bounds.low > 0 or bounds.high < 0,
        "==": False,
    }
    never = {
        "<": bounds.low >= 0,
        "<=": bounds.low > 0,
        ">": bounds.high <= 0,
        ">=": bounds.high < 0,
        "==": bounds.low > 0 or bounds.high < 0,
        "!=": False,
    }
    if always[name]:
        return ONE
    if never[name]:
        return ZERO
    if name == "==" and bounds.low == 0 and isinstance(difference, Sum):
        # A sum of parts that cannot be negative is zero when every part is.
        result: Expression = ONE
        for atom, factor in difference.terms:
            part = range_of(atom, ranges)
            if factor < 0 or part.low != 0:
                break
            result = _logical("&&", (result, Op("==", (atom, ZERO))))
        else:
            return result
    return Op(name, args)


def truth(expression: Expression) -> Expression:
    """0 or 1 for any integer, as conditions see it."""
    if isinstance(expression, Const):
        return Const(int(expression.value != 0))
    if isinstance(expression, Op) and (expression.name in _COMPARE or expression.name in ("&&", "||", "!")):
        return expression
    return Op("!=", (expression, ZERO))


def _logical(name: str, args: tuple[Expression, ...]) -> Expression:
    if name == "!":
        if isinstance(args[0], Const):
            return Const(int(not args[0].value))
        flipped = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
        if isinstance(args[0], Op) and args[0].name in flipped:
            return Op(flipped[args[0].name], args[0].args)
        return Op("!", args)
    left, right = args
    if name == "||":
        left, right = (right, left) if isinstance(right, Const) else (left, right)
        if isinstance(left, Const):
            return ONE if left.value else truth(right)
        return truth(left) if left == right else Op("||", (left, right))
    left, right = (right, left) if isinstance(right, Const) else (left, right)
    if isinstance(left, Const):
        return truth(right) if left.value else ZERO
    return truth(left) if left == right else Op("&&", (left, right))


_Memory = dict[tuple[object, ...], Expression]
_rebuilt: _Memory = {}
_REMEMBERED = 1 << 17


def rebuild(expression: Expression, ranges: Ranges, replace: Mapping[str, Expression] | None = None) -> Expression:
    """Substitute variables and simplify everything again under ``ranges`` (of the variables that remain).

    Remembered: the children of one kernel share most of their expressions.
    """
    if isinstance(expression, Const):
        return expression
    names = variables(expression)
    if replace:
        # What replaces a variable may bring in others, so all ranges count.
        replaced = tuple(replace.get(name) for name in names)
        others = {other for value in replaced if value is not None for other in variables(value)}
        bounds = tuple(ranges.get(name) for name in names) + tuple((name, ranges.get(name)) for name in sorted(others))
        key: tuple[object, ...] = (expression, replaced, bounds)
    else:
        key = (expression, tuple(ranges.get(name) for name in names))
    found = _rebuilt.get(key)
    if found is None:
        if len(_rebuilt) > _REMEMBERED:
            _rebuilt.clear()
        found = _rebuilt[key] = _rebuild(expression, ranges, replace)
    return found


def _rebuild(expression: Expression, ranges: Ranges, replace: Mapping[str, Expression] | None) -> Expression:
    if isinstance(expression, Var):
        return replace.get(expression.name, expression) if replace else expression
    if isinstance(expression, Sum):
        constant = expression.constant
        terms: list[tuple[Expression, int]] = []
        for atom, coefficient in expression.terms:
            more, inner = split_sum(rebuild(atom, ranges, replace))
            constant += more * coefficient
            terms.extend((part, factor * coefficient) for part, factor in inner)
        return _combine_digits(make_sum(constant, tuple(terms)), ranges)
    if isinstance(expression, Op):
        return apply(expression.name, tuple(rebuild(part, ranges, replace) for part in expression.args), ranges)
    if isinstance(expression, Element):
        return Element(expression.array, tuple(rebuild(part, ranges, replace) for part in expression.indices))
    return expression


def both(left: Expression, right: Expression) -> Expression:
    """Logical and."""
    return _logical("&&", (left, right))
