"""Multiply matrices once instead of vectors in every step: ``B (K x + d)`` becomes ``(B K) x + B d``.

If a step computes ``u`` from the state and the next state from ``u``, every state waits for two products. With the
product of the matrices made once it waits for one, and ``u`` can be made for several steps at once.
"""

from __future__ import annotations

from dataclasses import replace

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini.algebra._lift import Algebra, MatrixSum, Product, Statement


def reassociate(algebra: Algebra) -> Algebra:
    """The same vectors, none from another of the same step where that can be. Raises IllegalMoveError if none can."""
    targets = {statement.step.target.array: statement for statement in algebra.statements}
    made: dict[str, MatrixSum] = {}
    statements = tuple(_direct(statement, targets, made) for statement in algebra.statements)
    if not made:
        raise IllegalMoveError("no product waits for another of the same step")
    return replace(algebra, statements=statements, made=made)


def _direct(statement: Statement, targets: dict[str, Statement], made: dict[str, MatrixSum]) -> Statement:
    """The statement with the first product of a vector of the same step multiplied out."""
    for product in statement.step.products:
        source = targets.get(product.vector.array)
        if source is None or source is statement or source.step.target != product.vector or product.transposed:
            continue
        inner = source.step.products
        returns = any(item.vector.array == statement.step.target.array for item in inner)
        if not returns or any(item.transposed for item in inner):
            continue
        products = [item for item in statement.step.products if item is not product]
        for item in inner:
            base = next((other for other in products if other.vector == item.vector and not other.transposed), None)
            if base is not None:
                products.remove(base)
            first = (base.matrix, base.factor) if base else None
            matrix = MatrixSum(first, (product.matrix, product.factor), (item.matrix, item.factor))
            name = matrix.name
            made[name] = matrix
            products.append(Product(name, False, 1, item.vector))
        for addend in source.step.addends:
            products.append(replace(product, vector=addend.vector, vector_factor=addend.factor))
        return replace(statement, step=replace(statement.step, products=tuple(products)))
    return statement
