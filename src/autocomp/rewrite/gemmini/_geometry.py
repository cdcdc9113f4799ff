"""Sizes of the configured chip, as far as the proposer needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Geometry:
    """Sizes in rows, elements and bytes; the defaults are those of the int8 16x16 chip."""

    dim: int = 16
    """Rows and columns of the array, elements in a row of either memory."""
    scratchpad_banks: int = 4
    scratchpad_bank_rows: int = 4096
    accumulator_banks: int = 2
    accumulator_bank_rows: int = 512
    max_block_bytes: int = 64
    """Bytes in one row of the widest transfer."""
    element_bytes: int = 1
    """Bytes of an operand."""
    sum_bytes: int = 4
    """Bytes of a sum in the accumulator."""

    @property
    def scratchpad_rows(self) -> int:
        """Rows of the scratchpad."""
        return self.scratchpad_banks * self.scratchpad_bank_rows

    @property
    def accumulator_rows(self) -> int:
        """Rows of the accumulator."""
        return self.accumulator_banks * self.accumulator_bank_rows

    @property
    def widest(self) -> int:
        """Tiles side by side that one transfer can move."""
        return max(1, self.max_block_bytes // (self.dim * self.element_bytes))

    def tiles(self, columns: int) -> int:
        """Tiles that so many columns take."""
        return -(-columns // self.dim)

    @property
    def constants(self) -> Mapping[str, int]:
        """Names that the chip's header gives to its sizes."""
        return {
            "DIM": self.dim,
            "BANK_NUM": self.scratchpad_banks,
            "BANK_ROWS": self.scratchpad_bank_rows,
            "ACC_ROWS": self.accumulator_rows,
            "MAX_BLOCK_LEN": self.widest,
        }


DEFAULT = Geometry()


def geometry_of(description: Mapping[str, object]) -> Geometry:
    """The sizes in a target's description (its table ``simulator``); what is missing there is as by default."""
    sizes = description.get("simulator", {})
    assert isinstance(sizes, Mapping)
    names = ("dim", "scratchpad_banks", "scratchpad_bank_rows", "accumulator_banks", "accumulator_bank_rows",
             "max_block_bytes")  # fmt: skip
    bytes_of = {"element_bytes": 4, "sum_bytes": 4} if sizes.get("float_elements") else {}
    return Geometry(**{name: int(sizes.get(name, getattr(DEFAULT, name))) for name in names}, **bytes_of)
