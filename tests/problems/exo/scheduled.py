# ruff: noqa: F821, N803 - the words of Exo are no names of Python
"""A product for Gemmini: the algorithm, and the same on the accelerator by Exo's own instructions."""

from __future__ import annotations

from exo import DRAM, proc
from exo.libs.memories import GEMM_ACCUM, GEMM_SCRATCH
from exo.platforms.gemmini import (
    acc_scale,
    clamp,
    config_matmul,
    ld_i8_id1,
    ld_i8_id2,
    matmul_acc_i8,
    st_acc_i8,
    st_acc_i32,
    zero_acc_i32,
)


@proc
def product(N: size, M: size, K: size, A: i8[N, K] @ DRAM, B: i8[K, M] @ DRAM, C: i32[N, M] @ DRAM):
    assert N % 16 == 0
    assert M % 16 == 0
    assert K % 16 == 0
    for i in seq(0, N):
        for j in seq(0, M):
            C[i, j] = 0.0
            for k in seq(0, K):
                a: i32
                b: i32
                a = A[i, k]
                b = B[k, j]
                C[i, j] += a * b


@proc
def tiled(N: size, M: size, K: size, A: i8[N, K] @ DRAM, B: i8[K, M] @ DRAM, C: i32[N, M] @ DRAM):
    assert N % 16 == 0
    assert M % 16 == 0
    assert K % 16 == 0
    config_matmul()
    for i in seq(0, N / 16):
        for j in seq(0, M / 16):
            res: i32[16, 16] @ GEMM_ACCUM
            zero_acc_i32(16, 16, res[0:16, 0:16])
            for k in seq(0, K / 16):
                a: i8[16, 16] @ GEMM_SCRATCH
                b: i8[16, 16] @ GEMM_SCRATCH
                ld_i8_id1(16, 16, A[16 * i : 16 * i + 16, 16 * k : 16 * k + 16], a[0:16, 0:16])
                ld_i8_id2(16, 16, B[16 * k : 16 * k + 16, 16 * j : 16 * j + 16], b[0:16, 0:16])
                matmul_acc_i8(16, 16, 16, a[0:16, 0:16], b[0:16, 0:16], res[0:16, 0:16])
            st_acc_i32(16, 16, res[0:16, 0:16], C[16 * i : 16 * i + 16, 16 * j : 16 * j + 16])


@proc
def scaled(scale: f32 @ DRAM, A: i8[16, 32] @ DRAM, B: i8[32, 16] @ DRAM, C: i8[16, 16] @ DRAM):
    for i in seq(0, 16):
        for j in seq(0, 16):
            sum: i32
            sum = 0.0
            for k in seq(0, 32):
                a: i32
                b: i32
                a = A[i, k]
                b = B[k, j]
                sum += a * b
            product: f32
            acc_scale(sum, product, scale)
            clamped: i8
            clamp(product, clamped)
            C[i, j] = clamped


@proc
def scaled_tile(scale: f32 @ DRAM, A: i8[16, 32] @ DRAM, B: i8[32, 16] @ DRAM, C: i8[16, 16] @ DRAM):
    config_matmul()
    res: i32[16, 16] @ GEMM_ACCUM
    zero_acc_i32(16, 16, res[0:16, 0:16])
    a: i8[2, 16, 16] @ GEMM_SCRATCH
    b: i8[2, 16, 16] @ GEMM_SCRATCH
    for k in seq(0, 2):
        ld_i8_id1(16, 16, A[0:16, 16 * k : 16 * k + 16], a[k, 0:16, 0:16])
        ld_i8_id2(16, 16, B[16 * k : 16 * k + 16, 0:16], b[k, 0:16, 0:16])
        matmul_acc_i8(16, 16, 16, a[k, 0:16, 0:16], b[k, 0:16, 0:16], res[0:16, 0:16])
    st_acc_i8(16, 16, scale, False, res[0:16, 0:16], C[0:16, 0:16])
