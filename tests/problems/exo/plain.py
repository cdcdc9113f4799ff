# ruff: noqa: E712, F821, N803, RUF016 - the words of Exo are no names of Python
"""Procedures that show what a problem is made of."""

from __future__ import annotations

from exo import DRAM, proc
from exo.libs.externs import relu


@proc
def product(N: size, M: size, K: size, A: i8[N, K] @ DRAM, B: i8[K, M] @ DRAM, C: i32[N, M] @ DRAM):
    assert K == 16
    assert M % 4 == 0
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
def row(n: size, scale: f32 @ DRAM, x: [f32][n] @ DRAM, y: [f32][n] @ DRAM):
    assert stride(x, 0) == 1
    for i in seq(0, n):
        y[i] += scale * x[i]


@proc
def rows(m: size, n: size, bounded: bool, scale: f32 @ DRAM, x: f32[m, n] @ DRAM, y: [f32][m, n] @ DRAM):
    t: f32[m, n]
    for i in seq(0, m):
        for j in seq(0, n):
            t[i, j] = x[i, j]
            if bounded == True:
                t[i, j] = relu(x[i, j])
    for i in seq(0, m):
        row(n, scale, t[i, :], y[i, :])


@proc
def triangle(N: size, x: i32[N] @ DRAM, y: i32[N + 1] @ DRAM):
    for i in seq(0, N):
        y[i] = 0.0
        for j in seq(0, i + 1):
            y[i] += x[j]


@proc
def solution(N: size, x: f64[2 * N] @ DRAM, z: f64[2 * N] @ DRAM):
    for i in seq(0, 2 * N):
        z[i] = x[i]


@proc
def gather(N: size, x: f32[N] @ DRAM, y: f32[N] @ DRAM):
    assert N % 16 == 0
    t: f32[16, N / 16]
    for i in seq(0, N / 16):
        for j in seq(0, 16):
            t[j, i] = x[16 * i + j]
    for i in seq(0, N / 16):
        for j in seq(0, 16):
            y[16 * i + j] = t[j, i] * t[j, i]
