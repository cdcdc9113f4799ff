"""An independent functional model of the Gemmini instruction set, for int8 and float32 arrays of any power-of-two size.

It is written from the description of the instruction set alone and shares nothing with the simulator: where both agree
on random programs, a misreading would have to have been made twice. It decodes raw instructions (funct7, rs1, rs2),
has no notion of time, and prefers the obvious to the fast.

Section names in the comments ("ISA, move in") refer to the public description of the instruction set. What happens to
numbers is in ``isa_numbers``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from isa_norms import NONE, SOFTMAX, UNFINISHED, Constants, Statistics, Undefined, signed
from isa_numbers import Float32, Int8, Numbers, float_from_bits

GARBAGE = 0xFFFFFFFF
CONFIG, MVIN, MVIN2, MVIN3, MVOUT = 0, 2, 1, 14, 3
COMPUTE_PRELOADED, COMPUTE_ACCUMULATED, PRELOAD, FLUSH, CLOCK_GATE = 4, 5, 6, 7, 22
LOAD_STATES = {MVIN: 0, MVIN2: 1, MVIN3: 2}
RELU = 1


class Illegal(Exception):  # noqa: N818 - it is an answer of the model, not an error of it
    """The instruction set does not define what this command would do."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


@dataclass(frozen=True)
class Parameters:
    """Sizes of the modelled configuration, by the names of the simulator's settings."""

    dim: int = 16
    spatial_output_bits: int = 20
    scratchpad_banks: int = 4
    scratchpad_bank_rows: int = 4096
    accumulator_banks: int = 2
    accumulator_bank_rows: int = 512
    max_block_bytes: int = 64
    float_elements: int = 0
    has_normalizations: int = 0

    @property
    def scratchpad_rows(self) -> int:
        return self.scratchpad_banks * self.scratchpad_bank_rows

    @property
    def accumulator_rows(self) -> int:
        return self.accumulator_banks * self.accumulator_bank_rows

    @property
    def element_bytes(self) -> int:
        return 4 if self.float_elements else 1

    def block_columns(self, element_bytes: int) -> int:
        """Widest row, in elements, that one move takes: as many blocks as fit, at least one."""
        return max(1, self.max_block_bytes // (self.dim * element_bytes)) * self.dim


@dataclass
class Region:
    name: str
    base: int
    data: bytearray
    writable: bool
    stored: set[int] = field(default_factory=set)
    """Offsets that a move out has written since the last fence: a load of them waits for nothing (ISA, ordering)."""
    read_by: dict[int, int] = field(default_factory=dict)
    """The last load, counted from 1, of every offset that any has read."""


@dataclass(frozen=True)
class LocalAddress:
    """ISA, local addresses: bit 31 accumulator, 30 accumulate, 29 full width, [28:26] normalisation, then the row."""

    raw: int

    @property
    def garbage(self) -> bool:
        return self.raw == GARBAGE

    @property
    def accumulator(self) -> bool:
        return bool(self.raw >> 31 & 1)

    @property
    def accumulate(self) -> bool:
        return bool(self.raw >> 30 & 1)

    @property
    def full(self) -> bool:
        return bool(self.raw >> 29 & 1)

    @property
    def row(self) -> int:
        # The normalisation field stays in: no default configuration can normalise, so a value there is out of range.
        return self.raw & 0x1FFFFFFF


@dataclass(frozen=True)
class Operand:
    """A local address with its extent, as packed in one register: address, columns, rows."""

    address: LocalAddress
    columns: int
    rows: int

    @classmethod
    def unpack(cls, register: int) -> Operand:
        return cls(LocalAddress(register & 0xFFFFFFFF), register >> 32 & 0xFFFF, register >> 48 & 0xFFFF)


@dataclass
class LoadState:
    stride: int = 0
    scale: np.float32 = field(default_factory=lambda: np.float32(1))
    shrunk: bool = False
    block_stride: int = 0
    pixel_repeats: int = 1
    configured: bool = False


@dataclass(frozen=True)
class Picture:
    """ISA, pooling: local rows are pixels of a picture, of which windows are reduced to their largest values."""

    rows: int
    columns: int
    out_rows: int
    out_columns: int
    pitch: int
    window: int = 1
    stride: int = 1
    up: int = 0
    left: int = 0
    pools: bool = False

    @classmethod
    def unpack(cls, rs1: int) -> Picture | None:
        stride, window, up, left = (rs1 >> low & 3 for low in (4, 6, 8, 10))
        pitch, out_rows, out_columns, rows, columns = (rs1 >> low & 0xFF for low in (24, 32, 40, 48, 56))
        if stride:
            return cls(rows, columns, out_rows, out_columns, pitch, window, stride, up, left, pools=True)
        return cls(rows, columns, rows, columns, pitch) if window else None

    def pixels(self, out_row: int, out_column: int) -> list[int | None]:
        """Offsets of the local rows of one window; None where it reaches beyond the picture."""
        found: list[int | None] = []
        for i in range(self.window):
            for j in range(self.window):
                row, column = out_row * self.stride + i - self.up, out_column * self.stride + j - self.left
                inside = 0 <= row < self.rows and 0 <= column < self.columns
                found.append(row * self.columns + column if inside else None)
        return found


class Waits:
    """How many loads are over when a store begins: those up to the last that its rows, or what wrote them, waited for.

    Commands wait for those before them that name rows of theirs; the array takes commands, and stores happen, in order.
    """

    def __init__(self, scratchpad_rows: int, accumulator_rows: int) -> None:
        self.rows = (np.zeros(scratchpad_rows, int), np.zeros(accumulator_rows, int))
        self.loads = self.array = self.stores = 0

    def of(self, address: LocalAddress, rows: int) -> Numbers:
        """A view of the rows that a command names; none of the garbage address."""
        return self.rows[address.accumulator][address.row : address.row + (0 if address.garbage else rows)]

    def compute(self, c: Numbers, *operands: Numbers) -> None:
        self.array = max(self.array, *(int(part.max(initial=0)) for part in (c, *operands)))
        c[:] = self.array

    def store(self, source: Numbers) -> None:
        self.stores = max(self.stores, int(source.max(initial=0)))


class IsaModel:
    """State of the accelerator and of the memory it sees; ``issue`` executes one instruction at once."""

    def __init__(self, parameters: Parameters = Parameters()) -> None:
        self.parameters = parameters
        numbers = Float32() if parameters.float_elements else Int8(parameters.spatial_output_bits)
        self.numbers = numbers
        self.scratchpad: Numbers = np.zeros((parameters.scratchpad_rows, parameters.dim), numbers.element)
        self.accumulator: Numbers = np.zeros((parameters.accumulator_rows, parameters.dim), numbers.sum)
        self.scratchpad_written = np.zeros(parameters.scratchpad_rows, bool)
        self.accumulator_written = np.zeros(parameters.accumulator_rows, bool)
        self.waits = Waits(parameters.scratchpad_rows, parameters.accumulator_rows)
        self.regions: list[Region] = []
        self.loads = [LoadState() for _ in range(3)]
        self.store_stride = 0
        self.store_activation = 0
        self.store_scale = np.float32(1)
        self.store_configured = False
        self.picture: Picture | None = None
        self.statistics = [Statistics(), Statistics()]
        self.statistics_id = 0
        self.constants = Constants()
        self.execute_configured = False
        self.weight_stationary = True
        self.execute_activation = 0
        self.execute_scale = np.float32(1)
        self.in_shift = 0
        self.a_stride = 1
        self.c_stride = 1
        self.a_transpose = False
        self.b_transpose = False
        self.pending: tuple[Numbers, Operand] | None = None  # what the last preload brought, and where the result goes
        self.resident: Numbers | None = None  # weights in the array (WS) or its partial sums (OS)
        self.resident_weight_stationary = True

    # --- memory

    def add_region(self, name: str, base: int, size: int, writable: bool) -> None:
        self.regions.append(Region(name, base, bytearray(size), writable))

    def write(self, base: int, data: bytes) -> None:
        region = self._region(base, len(data), for_write=False)
        region.data[base - region.base : base - region.base + len(data)] = data

    def read(self, base: int, size: int) -> bytes:
        region = self._region(base, size, for_write=False)
        return bytes(region.data[base - region.base : base - region.base + size])

    def _region(self, address: int, size: int, *, for_write: bool) -> Region:
        for region in self.regions:
            if region.base <= address and address + size <= region.base + len(region.data):
                if for_write and not region.writable:
                    raise Illegal("bad_address", f"write to read-only {region.name} at {address:#x}")
                return region
        raise Illegal("bad_address", f"{size} bytes at {address:#x} lie in no region")

    # --- instructions

    def issue(self, funct: int, rs1: int, rs2: int) -> None:
        if funct == CONFIG:
            (self._config_execute, self._config_load, self._config_store, self._config_norm)[rs1 & 3](rs1, rs2)
        elif funct in LOAD_STATES:
            self._move_in(rs1, Operand.unpack(rs2), self.loads[LOAD_STATES[funct]])
        elif funct == MVOUT:
            self._move_out(rs1, Operand.unpack(rs2))
        elif funct == PRELOAD:
            self._preload(Operand.unpack(rs1), Operand.unpack(rs2))
        elif funct in (COMPUTE_PRELOADED, COMPUTE_ACCUMULATED):
            self._compute(Operand.unpack(rs1), Operand.unpack(rs2), flip=funct == COMPUTE_PRELOADED)
        elif funct not in (FLUSH, CLOCK_GATE):
            raise Illegal("illegal_command", f"funct {funct}")

    def _config_execute(self, rs1: int, rs2: int) -> None:
        if self.pending is not None:
            raise Illegal("illegal_command", "configuration between a preload and its compute")
        self.execute_configured = True
        self.a_stride = rs1 >> 16 & 0xFFFF
        self.c_stride = rs2 >> 48 & 0xFFFF
        if rs1 >> 7 & 1:  # set_only_strides
            return
        weight_stationary = bool(rs1 >> 2 & 1)
        a_transpose, b_transpose = bool(rs1 >> 8 & 1), bool(rs1 >> 9 & 1)
        if weight_stationary and a_transpose and b_transpose:
            raise Illegal("illegal_command", "weight stationary with both operands transposed: one transposer")
        if not weight_stationary and b_transpose and not a_transpose:
            raise Illegal("illegal_command", "output stationary with B transposed but not A")
        in_shift = rs2 & 0xFFFFFFFF
        if in_shift >= 32:
            raise Illegal("illegal_command", f"shift of {in_shift} bits")
        if rs1 >> 3 & 3 > RELU:
            raise Illegal("illegal_command", "activation other than none and ReLU")
        self.weight_stationary = weight_stationary
        self.execute_activation = rs1 >> 3 & 3
        self.a_transpose, self.b_transpose = a_transpose, b_transpose
        self.in_shift = in_shift
        self.execute_scale = float_from_bits(rs1 >> 32)

    def _config_load(self, rs1: int, rs2: int) -> None:
        state_id = rs1 >> 3 & 3
        if state_id == 3:
            raise Illegal("illegal_command", "load state 3")
        self.loads[state_id] = LoadState(
            stride=rs2,
            scale=float_from_bits(rs1 >> 32),
            shrunk=bool(rs1 >> 2 & 1),
            block_stride=rs1 >> 16 & 0xFFFF,
            pixel_repeats=max(1, rs1 >> 8 & 0xFF),
            configured=True,
        )

    def _config_store(self, rs1: int, rs2: int) -> None:
        activation = rs1 >> 2 & 3
        if activation > RELU and not self.parameters.has_normalizations:
            raise Illegal("illegal_command", f"activation {activation} needs normalisations")
        picture = Picture.unpack(rs1)
        if picture is not None and 0 in (picture.out_rows, picture.out_columns, picture.window):
            raise Illegal("illegal_command", "a picture without pixels never completes")
        self.picture = picture
        self.store_configured = True
        self.store_activation = activation
        self.store_stride = rs2 & 0xFFFFFFFF
        if rs2 >> 32 & 0xFFFFFFFF != 0xFFFFFFFF:  # all ones: the scale stays
            self.store_scale = float_from_bits(rs2 >> 32)

    def _config_norm(self, rs1: int, rs2: int) -> None:
        if not self.parameters.has_normalizations:
            raise Illegal("illegal_command", "normalisations are not part of the default configuration")
        if rs1 >> 8 & 0xFF >= len(self.statistics):
            raise Illegal("illegal_command", f"statistics {rs1 >> 8 & 0xFF}")
        self.statistics_id = rs1 >> 8 & 0xFF
        if rs1 >> 17 & 1:
            return
        activation = self.store_activation & 3 | (rs1 >> 16 & 1) << 2
        if activation > SOFTMAX:
            raise Illegal("illegal_command", f"activation {activation}")
        self.store_activation = activation
        self.constants.b, self.constants.c = signed(rs2), signed(rs2 >> 32)
        if rs1 >> 18 & 1:
            self.constants.ln2_inverse = signed(rs1 >> 32)
        else:
            self.constants.ln2 = signed(rs1 >> 32)

    # --- moves

    def _check_extent(self, operand: Operand, columns_limit: int) -> None:
        if not 1 <= operand.rows <= self.parameters.dim:
            raise Illegal("illegal_command", f"{operand.rows} rows")
        if not 1 <= operand.columns <= columns_limit:
            raise Illegal("illegal_command", f"{operand.columns} columns")

    def _check_row(self, address: LocalAddress, row: int, *, read: bool) -> None:
        """A row must exist and, to be read, must have been written."""
        written = self.accumulator_written if address.accumulator else self.scratchpad_written
        if not 0 <= row < len(written):
            raise Illegal("local_address", f"row {row} of {len(written)}")
        if read and not written[row]:
            raise Illegal("local_address", f"row {row} was never written")

    def _check_order(self, address: LocalAddress, rows: int) -> None:
        """A move between a preload and its compute may not touch C: the hardware does it after the compute."""
        if self.pending is None:
            return
        result = self.pending[1]
        if result.address.garbage or result.rows == 0 or result.address.accumulator != address.accumulator:
            return
        end = result.address.row + max(1, result.rows * self.c_stride)
        if address.row < end and result.address.row < address.row + rows:
            raise Illegal("illegal_command", "move between a preload and its compute touches C")

    def _move_in(self, source: int, target: Operand, state: LoadState) -> None:
        dim = self.parameters.dim
        address = target.address
        if not state.configured:
            raise Illegal("illegal_command", "move in before its load state was configured")
        if address.garbage:
            raise Illegal("local_address", "move in to the garbage address")
        wide = address.accumulator and not state.shrunk
        self._check_extent(target, self.parameters.block_columns(4 if wide else self.numbers.element_bytes))
        if state.block_stride < target.rows:
            raise Illegal("illegal_command", f"block stride {state.block_stride} below {target.rows} rows")
        if state.pixel_repeats > 1 and (address.accumulator or state.pixel_repeats * target.columns > dim):
            raise Illegal("illegal_command", "repeated pixels need one block of the scratchpad")
        span = (target.columns - 1) // dim * state.block_stride + target.rows
        half = 0 if address.accumulator else self.parameters.scratchpad_rows // 2
        first = max(half if address.row >= half else 0, address.row - state.pixel_repeats + 1)  # the lowest copy
        lowest = LocalAddress(address.raw - (address.row - first))
        self._check_order(lowest, span + address.row - first)
        if source != 0:
            self.waits.loads += 1
            self.waits.of(lowest, span + address.row - first)[:] = self.waits.loads
        for row in range(target.rows):
            values = self._source_row(source, row, target.columns, state, wide=wide)
            for first in range(0, target.columns, dim):
                piece = values[first : first + dim]
                base = address.row + row + first // dim * state.block_stride
                self._put(address, base, 0, piece)
                # Copies of a pixel that would leave the half of the scratchpad they start in are dropped.
                half = self.parameters.scratchpad_rows // 2
                floor = half if base >= half else 0
                for pixel in range(1, min(state.pixel_repeats, base - floor + 1)):
                    self._put(address, base - pixel, pixel * target.columns, piece)

    def _source_row(self, source: int, row: int, columns: int, state: LoadState, *, wide: bool) -> Numbers:
        if source == 0:
            return np.zeros(columns, self.numbers.wide)
        start = (source + row * state.stride) % 2**64
        size = columns * (4 if wide else self.numbers.element_bytes)
        region = self._region(start, size, for_write=False)
        if not region.stored.isdisjoint(range(start - region.base, start - region.base + size)):
            raise Illegal("hazard", "load of what a store in flight writes: a fence is missing")
        region.read_by.update(dict.fromkeys(range(start - region.base, start - region.base + size), self.waits.loads))
        raw = bytes(region.data[start - region.base : start - region.base + size])
        if wide:
            return self.numbers.scaled_sums(np.frombuffer(raw, self.numbers.sum), state.scale)
        return self.numbers.scaled(np.frombuffer(raw, self.numbers.element), state.scale)

    def _put(self, address: LocalAddress, row: int, first_column: int, values: Numbers) -> None:
        """Write part of one local row; only the accumulator can accumulate."""
        add = address.accumulator and address.accumulate
        self._check_row(address, row, read=add)
        columns = slice(first_column, first_column + len(values))
        if address.accumulator:
            old = self.accumulator[row, columns]
            self.accumulator[row, columns] = self.numbers.added(old, values) if add else values
            self.accumulator_written[row] = True
        else:
            self.scratchpad[row, columns] = values
            self.scratchpad_written[row] = True

    def _move_out(self, target: int, source: Operand) -> None:
        dim = self.parameters.dim
        address = source.address
        if not self.store_configured:
            raise Illegal("illegal_command", "move out before config_st")
        full = address.accumulator and address.full and not address.garbage
        norm = 0
        if address.accumulator and not address.garbage and self.parameters.has_normalizations:
            norm = address.raw >> 26 & 7
            address = LocalAddress(address.raw & ~(7 << 26))
            source = Operand(address, source.columns, source.rows)
            if norm and (full or self.picture is not None):
                raise Illegal("illegal_command", "statistics of what is not stored narrow")
        if self.picture is not None:
            self._move_picture(target, source, self.picture, full=full)
            return
        # A full-width move out is one block, whatever the width of the memory port (ISA, move out).
        self._check_extent(source, dim if full else self.parameters.block_columns(self.numbers.element_bytes))
        if address.garbage:
            if source.rows > 1 or source.columns > dim:
                raise Illegal("local_address", "only the first row of the garbage address is garbage")
        else:
            self._check_order(address, (source.columns - 1) // dim * dim + source.rows)
        self.waits.store(self.waits.of(address, (source.columns - 1) // dim * dim + source.rows))
        for row in range(source.rows):
            if address.accumulator and not address.garbage and self.parameters.has_normalizations:
                self._gather(source, row, norm)
            if norm:
                continue
            pieces: list[bytes] = []
            for first in range(0, source.columns, dim):
                count = min(dim, source.columns - first)
                local_row = address.row + first // dim * dim + row
                if address.garbage:  # the store unit then sends zeros
                    pieces.append(bytes(count * self.numbers.element_bytes))
                    continue
                self._check_row(address, local_row, read=True)
                pieces.append(self._outgoing(address, local_row, count, full=full))
            self._write_out(target + row * self.store_stride, b"".join(pieces))

    def _gather(self, source: Operand, row: int, norm: int) -> None:
        dim = self.parameters.dim
        for first in range(0, source.columns, dim):
            local_row = source.address.row + first + row
            self._check_row(source.address, local_row, read=True)
            values = self.accumulator[local_row, : min(dim, source.columns - first)].tolist()
            last = first + dim >= source.columns
            command = norm if last else UNFINISHED.get(norm, norm)
            try:
                self.statistics[self.statistics_id].gather(command, values, self.constants, self.store_scale)
            except Undefined as undefined:
                raise Illegal("illegal_command", str(undefined)) from undefined

    def _move_picture(self, target: int, source: Operand, picture: Picture, *, full: bool) -> None:
        dim, address, columns = self.parameters.dim, source.address, source.columns
        if address.garbage:
            raise Illegal("local_address", "a picture of garbage")
        if not 1 <= columns <= dim:
            raise Illegal("illegal_command", f"{columns} columns of a picture")
        if not picture.pools and source.rows >= 2 * dim:
            raise Illegal("illegal_command", f"{source.rows} rows do not fit the field")
        if picture.pools and (full or not address.accumulator):
            raise Illegal("illegal_command", "pooling takes narrow values from the accumulator")
        places = [(row, column) for row in range(picture.out_rows) for column in range(picture.out_columns)]
        windows = [picture.pixels(*place) for place in places]
        read = sorted({pixel for window in windows for pixel in window if pixel is not None})
        # The hardware orders the command by these rows (ISA, dependencies).
        bank = self.parameters.accumulator_bank_rows
        known = bank - address.row % bank if picture.pools else source.rows
        self.waits.store(self.waits.of(address, known))
        if read:
            moved = LocalAddress(address.raw + read[0])
            self._check_order(moved, read[-1] - read[0] + 1)
            self._check_row(address, address.row + read[-1], read=False)
            if read[-1] >= known:
                raise Illegal("illegal_command", "a picture of more rows than the command waits for")
        for (row, column), window in zip(places, windows, strict=True):
            largest: Numbers | None = None
            for pixel in window:
                if pixel is None:
                    values = np.zeros(columns, self.numbers.sum if full else self.numbers.element)
                else:
                    self._check_row(address, address.row + pixel, read=True)
                    raw = self._outgoing(address, address.row + pixel, columns, full=full)
                    values = np.frombuffer(raw, self.numbers.sum if full else self.numbers.element)
                largest = values if largest is None else self.numbers.larger(largest, values)
            assert largest is not None
            self._write_out(target + (row * picture.pitch + column) * self.store_stride, largest.tobytes())

    def _write_out(self, address: int, data: bytes) -> None:
        start = address % 2**64
        region = self._region(start, len(data), for_write=True)
        offset = start - region.base
        if any(region.read_by.get(place, 0) > self.waits.stores for place in range(offset, offset + len(data))):
            raise Illegal("hazard", "store over what a load in flight reads: a fence is missing")
        region.data[offset : offset + len(data)] = data
        region.stored.update(range(offset, offset + len(data)))

    def _outgoing(self, address: LocalAddress, row: int, count: int, *, full: bool) -> bytes:
        if not address.accumulator:
            return self.scratchpad[row, :count].tobytes()
        values = self.accumulator[row, :count]
        if full:
            return values.tobytes()
        scale = self.store_scale
        if self.store_activation == RELU:
            values = self.numbers.positive(values)
        elif self.store_activation != NONE:
            statistics = self.statistics[self.statistics_id]
            try:
                raw, scale = statistics.activated(self.store_activation, values.tolist(), self.constants, scale)
            except Undefined as undefined:
                raise Illegal("illegal_command", str(undefined)) from undefined
            values = np.array(raw, np.int64)
        return self.numbers.scaled(values, scale).tobytes()

    # --- matrix product

    def _matrix(self, operand: Operand, *, transpose: bool = False, stride: int = 1) -> Numbers:
        """The operand as a full square matrix, zero outside its extent.

        Rows and columns count the mathematical matrix; transposed, element (i, k) lies in row k at column i.
        """
        dim = self.parameters.dim
        matrix = np.zeros((dim, dim), self.numbers.wide)
        if operand.address.garbage:
            return matrix
        self._check_tile(operand)
        stored_rows, stored_columns = (operand.columns, operand.rows) if transpose else (operand.rows, operand.columns)
        self._check_row(operand.address, operand.address.row, read=False)
        for index in range(stored_rows):
            row = operand.address.row + index * stride
            self._check_row(operand.address, row, read=True)
            matrix[index, :stored_columns] = self._operand_row(operand.address, row)[:stored_columns]
        return matrix.T if transpose else matrix

    def _operand_row(self, address: LocalAddress, row: int) -> Numbers:
        if not address.accumulator:
            return self.scratchpad[row]
        values = self.accumulator[row]
        if self.execute_activation == RELU:
            values = self.numbers.positive(values)
        return self.numbers.scaled(values, self.execute_scale)

    def _check_tile(self, operand: Operand) -> None:
        """No rows or no columns is an empty matrix: zeros as an operand, nothing written as a result."""
        if max(operand.rows, operand.columns) > self.parameters.dim:
            raise Illegal("illegal_command", f"matrix of {operand.rows} x {operand.columns}")

    def _preload(self, operand: Operand, result: Operand) -> None:
        if not self.execute_configured:
            raise Illegal("illegal_command", "preload before config_ex")
        if self.pending is not None:
            raise Illegal("illegal_command", "preload takes the place of one without a compute")
        self._check_tile(operand)
        self._check_tile(result)
        transpose = self.weight_stationary and self.b_transpose
        values = self._matrix(operand, transpose=transpose)
        if not result.address.garbage:
            last = result.address.row + max(0, result.rows - 1) * self.c_stride
            self._check_row(result.address, last, read=False)
            if not self.weight_stationary and self.c_stride != 1:
                # Rows leave the array last first, and their addresses only come out right without a stride.
                raise Illegal("illegal_command", "output stationary with a stride of C")
        self.pending = (values, result)
        rows = max(operand.rows, operand.columns) if transpose else operand.rows
        self.waits.compute(self.waits.of(operand.address, 0), self.waits.of(operand.address, rows))

    def _compute(self, a: Operand, other: Operand, *, flip: bool) -> None:
        if self.pending is None:
            raise Illegal("illegal_command", "compute without a preload before it")
        preloaded, result = self.pending
        self._check_tile(a)
        self._check_tile(other)
        if a.address.garbage and a.rows and a.columns:
            # Nothing is read, but nothing masks the stale data on the read port either.
            raise Illegal("illegal_command", "operand A is garbage")
        left = self._matrix(a, transpose=self.a_transpose, stride=self.a_stride)
        right = self._matrix(other, transpose=not self.weight_stationary and self.b_transpose)
        if flip:
            self.resident = preloaded
            self.resident_weight_stationary = self.weight_stationary
        if self.resident is None or self.resident_weight_stationary != self.weight_stationary:
            raise Illegal("illegal_command", "nothing is in the array to go on with")
        self.pending = None
        transpose = not self.weight_stationary and self.b_transpose
        self.waits.compute(
            self.waits.of(result.address, result.rows * self.c_stride),
            self.waits.of(a.address, (a.columns if self.a_transpose else a.rows) * self.a_stride),
            self.waits.of(other.address, max(other.rows, other.columns) if transpose else other.rows),
        )
        if self.weight_stationary:
            out = self.numbers.product(right, left, self.resident)
            if not (self.a_transpose or self.b_transpose or result.address.garbage):
                a_rows = 1 if a.address.garbage else a.rows
                d_rows = 1 if other.address.garbage else other.rows
                if result.rows > max(a_rows, d_rows, 4):  # no more rows than these may pass through the array
                    raise Illegal("illegal_command", "C has more rows than A and D stream")
        else:
            # The multiply-accumulate unit hands back as many bits as the array passes on, so long sums wrap.
            self.resident = self.numbers.product(self.resident, left, right)
            out = self.numbers.shifted(self.resident, self.in_shift)
        self._write_result(result, out)

    def _write_result(self, result: Operand, values: Numbers) -> None:
        if result.address.garbage:
            return
        if not result.address.accumulator:
            values = self.numbers.clipped(values)
            if self.execute_activation == RELU:
                values = self.numbers.positive(values)
        for index in range(result.rows):
            self._put(result.address, result.address.row + index * self.c_stride, 0, values[index, : result.columns])
