/* Matrix products of any size: C = scale * activation(A * B + D).
 *
 * tiled_matmul takes the number of tiles in a block, tiled_matmul_auto chooses it. Sizes and strides are in elements;
 * a stride is the distance of two rows in memory. A transposed operand lies in memory as its transpose, and its stride
 * belongs to that. D is NULL or has the shape of C; with repeating_bias it is one row for all. full_C stores the sums
 * themselves (acc_t), low_D reads D as operands (elem_t).
 *   WS       software loops, weight stationary
 *   OS       software loops, output stationary; no operand may be transposed
 *   WS_LOOP  one command per block, the accelerator unrolls it
 * What the chip cannot do stops the program: both operands transposed, other activations than NO_ACTIVATION and RELU,
 * blocks that do not fit. bert_scale and weightA are parts of the interface that nothing here depends on. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_MATMUL_H
#define AUTOCOMP_GEMMINI_LIBRARY_MATMUL_H

#include "tiles.h"

/* One product. */
typedef struct {
  size_t I, J, K; /* elements */
  gemmini_matrix_t A, B, D, C;
  int act;
  acc_scale_t scale;
  bool full_C;
  int dataflow;
} gemmini_matmul_t;

/* The part of a product whose operands are in the scratchpad at one time: its first tile, and how many it has. */
typedef struct {
  size_t i, j, k;
  size_t I, J, K;
} gemmini_block_t;

static inline uint32_t gemmini_A_row(const gemmini_block_t *b, size_t i, size_t k) { return (i * b->K + k) * DIM; }

static inline uint32_t gemmini_B_row(const gemmini_block_t *b, size_t k, size_t j) {
  return GEMMINI_SPAD_ROWS - b->K * b->J * DIM + (k * b->J + j) * DIM;
}

static inline uint32_t gemmini_C_row(const gemmini_block_t *b, size_t i, size_t j) {
  return GEMMINI_ACC + (i * b->J + j) * DIM;
}

/* Add the product of tiles (i, k) of A and (k, j) of B, at rows `A` and `B` of the scratchpad, to the sums at `C`. */
GEMMINI_LIBRARY void gemmini_multiply_tile(const gemmini_matmul_t *m, size_t i, size_t j, size_t k, uint32_t A,
                                           uint32_t B, uint32_t C) {
  size_t rows = gemmini_extent(m->I, i), cols = gemmini_extent(m->J, j), depth = gemmini_extent(m->K, k);
  if (k != 0 || m->D.data != NULL) C |= GEMMINI_ACCUMULATE;
  gemmini_extended_config_ex(m->dataflow, NO_ACTIVATION, 0, 1, m->A.transposed, m->B.transposed);
  if (m->dataflow == WEIGHT_STATIONARY) {
    gemmini_extended_preload(B, C, cols, depth, cols, rows);
    gemmini_extended_compute_preloaded(A, GARBAGE_ADDR, depth, rows, DIM, DIM);
  } else {
    /* Sums leave the array after every tile: it keeps fewer bits than the accumulator. */
    gemmini_extended_preload(GARBAGE_ADDR, C, DIM, DIM, cols, rows);
    gemmini_extended_compute_preloaded(A, B, depth, rows, cols, depth);
  }
}

/* One block in software: load, multiply, store. */
GEMMINI_LIBRARY void gemmini_block(const gemmini_matmul_t *m, const gemmini_block_t *b) {
  if (b->k == 0 && m->D.data != NULL)
    for (size_t i = 0; i < b->I; i++)
      for (size_t j = 0; j < b->J; j++) gemmini_load_tile(&m->D, b->i + i, b->j + j, gemmini_C_row(b, i, j));
  for (size_t k = 0; k < b->K; k++)
    for (size_t j = 0; j < b->J; j++) gemmini_load_tile(&m->B, b->k + k, b->j + j, gemmini_B_row(b, k, j));
  for (size_t i = 0; i < b->I; i++)
    for (size_t k = 0; k < b->K; k++) gemmini_load_tile(&m->A, b->i + i, b->k + k, gemmini_A_row(b, i, k));
  for (size_t k = 0; k < b->K; k++)
    for (size_t j = 0; j < b->J; j++)
      for (size_t i = 0; i < b->I; i++)
        gemmini_multiply_tile(m, b->i + i, b->j + j, b->k + k, gemmini_A_row(b, i, k), gemmini_B_row(b, k, j),
                              gemmini_C_row(b, i, j));
  if (b->k + b->K == gemmini_tiles(m->K))
    for (size_t i = 0; i < b->I; i++)
      for (size_t j = 0; j < b->J; j++)
        gemmini_store_tile(&m->C, b->i + i, b->j + j, gemmini_C_row(b, i, j) | (m->full_C ? GEMMINI_FULL : 0), m->act,
                           m->scale);
}

/* One block in hardware. Consecutive ones overlap: each takes the other half of the local memories. */
GEMMINI_LIBRARY void gemmini_block_loop(const gemmini_matmul_t *m, const gemmini_block_t *b) {
  bool last = b->k + b->K == gemmini_tiles(m->K), bias = m->D.data != NULL && b->k == 0;
  size_t pad_I = b->I * DIM - gemmini_span(m->I, b->i, b->I), pad_J = b->J * DIM - gemmini_span(m->J, b->j, b->J);
  size_t pad_K = b->K * DIM - gemmini_span(m->K, b->k, b->K);
  gemmini_loop_ws(b->I, b->J, b->K, pad_I, pad_J, pad_K, gemmini_tile(&m->A, b->i, b->k),
                  gemmini_tile(&m->B, b->k, b->j), bias ? gemmini_tile(&m->D, b->i, b->j) : NULL,
                  last ? gemmini_tile(&m->C, b->i, b->j) : NULL, m->A.stride / m->A.element, m->B.stride / m->B.element,
                  m->D.stride / m->D.element, m->C.stride / m->C.element, m->A.transposed, m->B.transposed, m->full_C,
                  m->D.shrunk, b->k != 0 || m->D.data != NULL, m->act, 0, 0, false);
}

/* What the hardware loop needs to know beforehand. */
GEMMINI_LIBRARY void gemmini_configure_loop(const gemmini_matmul_t *m) {
  gemmini_extended_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, 1, m->A.transposed, m->B.transposed);
  gemmini_extended3_config_ld(m->A.stride, m->A.scale, false, 0);
  gemmini_extended3_config_ld(m->B.stride, m->B.scale, false, 1);
  gemmini_extended3_config_ld(m->D.stride, m->D.scale, m->D.shrunk, 2);
  gemmini_extended_config_st(m->C.stride, m->act, m->scale);
}

/* Tiles of operands and of sums that one block may have: a half of the memories if the other half is being filled. */
static inline size_t gemmini_operand_tiles(int type) { return GEMMINI_SPAD_ROWS / DIM / (type == WS_LOOP ? 2 : 1); }
static inline size_t gemmini_sum_tiles(int type) { return ACC_ROWS / DIM / (type == WS_LOOP ? 2 : 1); }

GEMMINI_LIBRARY void tiled_matmul(size_t dim_I, size_t dim_J, size_t dim_K, const elem_t *A, const elem_t *B,
                                  const void *D, void *C, size_t stride_A, size_t stride_B, size_t stride_D,
                                  size_t stride_C, scale_t A_scale_factor, scale_t B_scale_factor,
                                  scale_acc_t D_scale_factor, int act, acc_scale_t scale, acc_scale_t bert_scale,
                                  bool repeating_bias, size_t tile_I, size_t tile_J, size_t tile_K, bool transpose_A,
                                  bool transpose_B, bool full_C, bool low_D, uint8_t weightA,
                                  enum tiled_matmul_type_t tiled_matmul_type) {
  (void)bert_scale, (void)weightA;
  bool loop = tiled_matmul_type == WS_LOOP;
  if (tiled_matmul_type == CPU || (act != NO_ACTIVATION && act != RELU)) abort();
  if ((transpose_A && transpose_B) || (tiled_matmul_type == OS && (transpose_A || transpose_B))) abort();
  if (tile_I == 0 || tile_J == 0 || tile_K == 0) abort();
  if ((tile_I + tile_J) * tile_K > gemmini_operand_tiles(tiled_matmul_type)) abort();
  if (tile_I * tile_J > gemmini_sum_tiles(tiled_matmul_type)) abort();

  size_t D_bytes = low_D ? sizeof(elem_t) : sizeof(acc_t), C_bytes = full_C ? sizeof(acc_t) : sizeof(elem_t);
  gemmini_matmul_t m = {
      .I = dim_I,
      .J = dim_J,
      .K = dim_K,
      .A = {A, transpose_A ? dim_K : dim_I, transpose_A ? dim_I : dim_K, stride_A * sizeof(elem_t), sizeof(elem_t),
            A_scale_factor, transpose_A, false},
      .B = {B, transpose_B ? dim_J : dim_K, transpose_B ? dim_K : dim_J, stride_B * sizeof(elem_t), sizeof(elem_t),
            B_scale_factor, transpose_B, false},
      .D = {D, dim_I, dim_J, repeating_bias ? 0 : stride_D * D_bytes, D_bytes, D_scale_factor, false, low_D},
      .C = {C, dim_I, dim_J, stride_C * C_bytes, C_bytes, 1, false, false},
      .act = act,
      .scale = scale,
      .full_C = full_C,
      .dataflow = tiled_matmul_type == OS ? OUTPUT_STATIONARY : WEIGHT_STATIONARY,
  };
  if (loop) gemmini_configure_loop(&m);
  size_t tiles_I = gemmini_tiles(dim_I), tiles_J = gemmini_tiles(dim_J), tiles_K = gemmini_tiles(dim_K);
  for (size_t i = 0; i < tiles_I; i += tile_I)
    for (size_t j = 0; j < tiles_J; j += tile_J)
      for (size_t k = 0; k < tiles_K; k += tile_K) {
        gemmini_block_t b = {i,
                             j,
                             k,
                             tiles_I - i < tile_I ? tiles_I - i : tile_I,
                             tiles_J - j < tile_J ? tiles_J - j : tile_J,
                             tiles_K - k < tile_K ? tiles_K - k : tile_K};
        if (loop) gemmini_block_loop(&m, &b);
        else gemmini_block(&m, &b);
      }
  gemmini_fence();
}

GEMMINI_LIBRARY void tiled_matmul_auto(size_t dim_I, size_t dim_J, size_t dim_K, const elem_t *A, const elem_t *B,
                                       const void *D, void *C, size_t stride_A, size_t stride_B, size_t stride_D,
                                       size_t stride_C, scale_t A_scale_factor, scale_t B_scale_factor,
                                       scale_acc_t D_scale_factor, int act, acc_scale_t scale, acc_scale_t bert_scale,
                                       bool repeating_bias, bool transpose_A, bool transpose_B, bool full_C, bool low_D,
                                       uint8_t weightA, enum tiled_matmul_type_t tiled_matmul_type) {
  size_t tiles_I = gemmini_tiles(dim_I), tiles_J = gemmini_tiles(dim_J), tiles_K = gemmini_tiles(dim_K);
  size_t operands = gemmini_operand_tiles(tiled_matmul_type), sums = gemmini_sum_tiles(tiled_matmul_type);
  /* As square as the sums allow and as deep as the operands do, then whatever still fits. */
  size_t side = 1;
  while ((side + 1) * (side + 1) <= sums && 2 * (side + 1) <= operands) side++;
  size_t I = tiles_I < side ? tiles_I : side, J = tiles_J < side ? tiles_J : side, K = operands / (2 * side);
  if (K > tiles_K) K = tiles_K;
  for (bool grown = true; grown;) {
    grown = false;
    if (J < tiles_J && (I + J + 1) * K <= operands && I * (J + 1) <= sums) J++, grown = true;
    if (I < tiles_I && (I + 1 + J) * K <= operands && (I + 1) * J <= sums) I++, grown = true;
    if (K < tiles_K && (I + J) * (K + 1) <= operands) K++, grown = true;
  }
  tiled_matmul(dim_I, dim_J, dim_K, A, B, D, C, stride_A, stride_B, stride_D, stride_C, A_scale_factor, B_scale_factor,
               D_scale_factor, act, scale, bert_scale, repeating_bias, I, J, K, transpose_A, transpose_B, full_C, low_D,
               weightA, tiled_matmul_type);
}

#endif
