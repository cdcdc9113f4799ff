"""Which products are made when: before the steps that wait for one another, in them, or for several of them later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autocomp.errors import IllegalMoveError
from autocomp.rewrite.gemmini.algebra._lift import Addend, Algebra, Block, Product, Statement


@dataclass(frozen=True)
class Work:
    """One product of a statement, in every turn."""

    statement: Statement
    product: Product
    first: bool
    """It is the first to write the sum; all others add to it."""
    bias: Addend | None
    """A vector that enters the sum with this product."""


@dataclass(frozen=True)
class Schedule:
    """The products of an algebra in their order; ``early`` and ``late`` ones are made for several turns at once."""

    early: tuple[Work, ...]
    chained: tuple[Work, ...]
    late: tuple[tuple[Work, ...], ...]
    """By statement."""


def later(block: Block, distance: int) -> Block:
    """The vector of the same array at a later time."""
    return Block(block.array, block.time + distance)


class Times:
    """The turns of an algebra: every statement runs in all of them, in one direction."""

    def __init__(self, algebra: Algebra) -> None:
        first = algebra.statements[0]
        if any((s.count, s.stride) != (first.count, first.stride) for s in algebra.statements):
            raise IllegalMoveError("the statements run over different times")
        if abs(first.stride) != 1:
            raise IllegalMoveError("the statements leave times out")
        self.turns, self.stride = first.count, first.stride

    def at(self, block: Block, turn: int) -> Block:
        """A vector of turn 0, as it is in another turn."""
        return later(block, self.stride * turn)

    def groups(self, blocks: Iterable[Block], dim: int) -> list[list[int]]:
        """Turns in groups whose vectors, for each of these of turn 0, lie in the same group of ``dim`` vectors."""
        result: list[list[int]] = []
        before: list[int] | None = None
        blocks = list(blocks)
        for turn in range(self.turns):
            here = [self.at(block, turn).time // dim for block in blocks]
            if here != before or len(result[-1]) == dim:
                result.append([])
            result[-1].append(turn)
            before = here
        return result


def schedule(algebra: Algebra, *, batch: bool) -> Schedule:
    """Divide the products. Without ``batch`` all of them are made step by step."""
    targets = {statement.step.target.array: statement for statement in algebra.statements}
    chain = _chain(algebra)
    early: list[Work] = []
    chained: list[tuple[int, Work]] = []
    late: list[tuple[Work, ...]] = []
    for statement in algebra.statements:
        if not statement.step.products:
            raise IllegalMoveError("a statement has no product")

        def rank(product: Product, statement: Statement = statement) -> tuple[bool, int]:
            return product.vector.array in targets, _depth(product, statement, targets)

        products = sorted(statement.step.products, key=rank)
        bias = statement.step.addends[0] if statement.step.addends else None
        works = [
            Work(statement, product, number == 0, bias if number == 0 else None)
            for number, product in enumerate(products)
        ]
        if batch and statement.step.target.array not in chain:
            late.append(tuple(works))
            continue
        for work in works:
            if batch and work.product.vector.array not in targets:
                early.append(work)
            else:
                chained.append((_depth(work.product, statement, targets), work))
    chained.sort(key=lambda item: item[0])
    return Schedule(tuple(early), tuple(work for _, work in chained), tuple(late))


def _depth(product: Product, statement: Statement, targets: dict[str, Statement]) -> int:
    """How many results of the same turn a product waits for."""
    source = targets.get(product.vector.array)
    if source is None or source is statement or source.step.target.time != product.vector.time:
        return 0
    return 1 + max((_depth(item, source, targets) for item in source.step.products), default=0)


def _chain(algebra: Algebra) -> set[str]:
    """Arrays whose vectors depend on earlier ones of the same array."""
    needs = {
        statement.step.target.array: {block.array for block in statement.step.operands}
        for statement in algebra.statements
    }
    reach = {name: set(direct) for name, direct in needs.items()}
    for _ in needs:
        for found in reach.values():
            found.update(*(reach.get(name, set()) for name in list(found)))
    return {name for name, found in reach.items() if name in found}
