/* Sums of two matrices: C = C_scale * activation(A_scale * A + B_scale * B), rounded after every scale.
 *
 * A tile of A is loaded into the accumulator, that of B is added by the load. Through the hardware loop (WS_LOOP) the
 * accelerator does the same for a block of tiles. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_RESADD_H
#define AUTOCOMP_GEMMINI_LIBRARY_RESADD_H

#include "tiles.h"

GEMMINI_LIBRARY void tiled_resadd(size_t I, size_t J, size_t stride, size_t tile_I, size_t tile_J, scale_t A_scale,
                                  scale_t B_scale, acc_scale_t C_scale, const elem_t *A, const elem_t *B, elem_t *C,
                                  bool relu, enum tiled_matmul_type_t matadd_type) {
  bool loop = matadd_type == WS_LOOP;
  if (matadd_type == OS || matadd_type == CPU || tile_I == 0 || tile_J == 0) abort();
  if (gemmini_tiles(tile_I) * gemmini_tiles(tile_J) > (size_t)ACC_ROWS / DIM / (loop ? 2 : 1)) abort();
  gemmini_matrix_t a = {A, I, J, stride * sizeof(elem_t), sizeof(elem_t), A_scale, false, true}, b = a, c = a;
  b.data = B, b.scale = B_scale, c.data = C;
  if (loop) {
    gemmini_extended_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, 1, false, false);
    gemmini_extended3_config_ld(a.stride, A_scale, true, 0);
    gemmini_extended3_config_ld(b.stride, B_scale, true, 1);
    gemmini_extended_config_st(c.stride, relu ? RELU : NO_ACTIVATION, C_scale);
  }
  size_t tiles_I = gemmini_tiles(I), tiles_J = gemmini_tiles(J);
  size_t step_I = gemmini_tiles(tile_I), step_J = gemmini_tiles(tile_J);
  for (size_t i0 = 0; i0 < tiles_I; i0 += step_I)
    for (size_t j0 = 0; j0 < tiles_J; j0 += step_J) {
      size_t in_I = tiles_I - i0 < step_I ? tiles_I - i0 : step_I, in_J = tiles_J - j0 < step_J ? tiles_J - j0 : step_J;
      if (loop) {
        size_t pad_I = in_I * DIM - gemmini_span(I, i0, in_I), pad_J = in_J * DIM - gemmini_span(J, j0, in_J);
        gemmini_loop_ws(in_I, in_J, 0, pad_I, pad_J, 0, gemmini_tile(&a, i0, j0), gemmini_tile(&b, i0, j0), NULL,
                        gemmini_tile(&c, i0, j0), stride, stride, 0, stride, false, false, false, false, false,
                        relu ? RELU : NO_ACTIVATION, 0, 0, true);
        continue;
      }
      for (size_t i = 0; i < in_I; i++)
        for (size_t j = 0; j < in_J; j++) {
          uint32_t to = GEMMINI_ACC + (i * in_J + j) * DIM;
          gemmini_load_tile(&a, i0 + i, j0 + j, to);
          gemmini_load_tile(&b, i0 + i, j0 + j, to | GEMMINI_ACCUMULATE);
          gemmini_store_tile(&c, i0 + i, j0 + j, to, relu ? RELU : NO_ACTIVATION, C_scale);
        }
    }
  gemmini_fence();
}

GEMMINI_LIBRARY void tiled_resadd_auto(size_t I, size_t J, scale_t A_scale, scale_t B_scale, acc_scale_t C_scale,
                                       const elem_t *A, const elem_t *B, elem_t *C, bool relu,
                                       enum tiled_matmul_type_t matadd_type) {
  size_t tiles = (size_t)ACC_ROWS / DIM / (matadd_type == WS_LOOP ? 2 : 1), tiles_I = gemmini_tiles(I);
  size_t tile_J = gemmini_tiles(J) < tiles ? gemmini_tiles(J) : tiles;
  size_t tile_I = tiles / tile_J < tiles_I ? tiles / tile_J : tiles_I;
  tiled_resadd(I, J, J, tile_I * DIM, tile_J * DIM, A_scale, B_scale, C_scale, A, B, C, relu, matadd_type);
}

#endif
