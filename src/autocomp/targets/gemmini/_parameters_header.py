"""Text of ``gemmini_params.h``: what kernels know about the configured chip."""

from __future__ import annotations

from collections.abc import Mapping


def parameters_header(sizes: Mapping[str, int]) -> str:
    """The header for a chip of these sizes (names of the simulator's settings)."""
    return _HEADER.format(
        dim=sizes["dim"],
        banks=sizes["scratchpad_banks"],
        bank_rows=sizes["scratchpad_bank_rows"],
        accumulator_rows=sizes["accumulator_banks"] * sizes["accumulator_bank_rows"],
        accumulator_bank_rows=sizes["accumulator_bank_rows"],
        block_bytes=sizes["max_block_bytes"],
        is_float=sizes["float_elements"],
        element_bytes=4 if sizes["float_elements"] else 1,
        types=_FLOAT_TYPES if sizes["float_elements"] else _INTEGER_TYPES,
    )


_INTEGER_TYPES = """\
typedef int8_t elem_t;
typedef int32_t acc_t;
typedef int64_t full_t;
static const elem_t elem_t_max __attribute__((unused)) = 127;
static const elem_t elem_t_min __attribute__((unused)) = -128;

typedef int32_t scale_acc_t;"""

_FLOAT_TYPES = """\
#define ELEM_T_IS_FLOAT
#define ELEM_T_EXP_BITS 8
#define ELEM_T_SIG_BITS 24
#define ACC_T_EXP_BITS 8
#define ACC_T_SIG_BITS 24
typedef float elem_t;
typedef float acc_t;
typedef float full_t;
typedef uint32_t elem_t_bits;
typedef uint32_t acc_t_bits;
static const elem_t elem_t_max __attribute__((unused)) = 3.4028235e38f;
static const elem_t elem_t_min __attribute__((unused)) = -3.4028235e38f;

#define HAS_MVIN_ACC_SCALE
#define MVIN_SCALE_ACC_IDENTITY 1.0f
typedef float scale_acc_t;"""

_HEADER = """\
/* Sizes of the configured chip. Generated; see target.toml. */
#ifndef GEMMINI_PARAMS_H
#define GEMMINI_PARAMS_H

#include <limits.h>
#include <stdint.h>

#define DIM {dim}
#define ADDR_LEN 32
#define BANK_NUM {banks}
#define BANK_ROWS {bank_rows}
#define ACC_ROWS {accumulator_rows}
#define ACC_BANK_ROWS {accumulator_bank_rows}
#define MAX_BYTES {block_bytes}
#define MAX_BLOCK_LEN (MAX_BYTES / (DIM * {element_bytes}) > 0 ? MAX_BYTES / (DIM * {element_bytes}) : 1)
#define MAX_BLOCK_LEN_ACC (MAX_BYTES / (DIM * 4) > 0 ? MAX_BYTES / (DIM * 4) : 1)
#define GEMMINI_FLOAT_ELEMENTS {is_float}

{types}
typedef uint32_t scale_acc_t_bits;
#define HAS_MVIN_SCALE
typedef float scale_t;
typedef uint32_t scale_t_bits;
typedef float acc_scale_t;
typedef uint32_t acc_scale_t_bits;
#define MVIN_SCALE_IDENTITY 1.0f
#define ACC_SCALE_IDENTITY 1.0f
#define ACC_SCALE_T_IS_FLOAT
#define ACC_READ_SMALL_WIDTH
#define ACC_READ_FULL_WIDTH
#define HAS_FIRST_LAYER_OPTIMIZATIONS

/* Behind the name of an array: it begins at a multiple of so many tile rows of elements, or of sums. */
#define GEMMINI_ALIGNED_TO(row, rows) __attribute__((aligned(sizeof(row) * (rows))))
#define row_align(rows) GEMMINI_ALIGNED_TO(elem_t[DIM], rows)
#define row_align_acc(rows) GEMMINI_ALIGNED_TO(acc_t[DIM], rows)

#endif
"""
