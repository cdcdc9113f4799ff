/* Single tiles: one move of at most DIM x DIM elements, or one product of two tiles. Each routine is complete by
 * itself: it works its addresses and edges out of the description of the whole matrix and configures the unit that it
 * uses, so that it may follow any other routine. That is what makes the library general, and what makes it slow. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_TILES_H
#define AUTOCOMP_GEMMINI_LIBRARY_TILES_H

#include "../gemmini.h"

/* Routines of a library are compiled once, for all callers: nothing of a caller's constants is folded into them. */
#define GEMMINI_LIBRARY static __attribute__((unused, noinline))

#define GEMMINI_SPAD_ROWS (BANK_NUM * BANK_ROWS)
#define GEMMINI_ACC ((uint32_t)1 << 31)
#define GEMMINI_ACCUMULATE ((uint32_t)1 << 30)
#define GEMMINI_FULL ((uint32_t)1 << 29)

/* A matrix in memory. */
typedef struct {
  const void *data;
  size_t rows, cols; /* elements, as they lie in memory */
  size_t stride;     /* bytes from one row to the next; 0 repeats one row */
  size_t element;    /* bytes */
  float scale;       /* of a load */
  bool transposed;   /* the product uses it the other way round */
  bool shrunk;       /* operand elements that are loaded as sums */
} gemmini_matrix_t;

/* Tiles that cover so many elements. */
static inline size_t gemmini_tiles(size_t elements) { return elements / DIM + (elements % DIM != 0); }

/* Elements in one tile: DIM but for the last one. */
static inline size_t gemmini_extent(size_t elements, size_t tile) {
  size_t left = elements - tile * DIM;
  return left < DIM ? left : DIM;
}

/* Elements in `count` tiles. */
static inline size_t gemmini_span(size_t elements, size_t tile, size_t count) {
  size_t left = elements - tile * DIM;
  return left < count * DIM ? left : count * DIM;
}

/* Where the tile in row `i` and column `j` of tiles begins, counted as the product uses the matrix. */
static inline char *gemmini_tile(const gemmini_matrix_t *m, size_t i, size_t j) {
  size_t row = m->transposed ? j : i, col = m->transposed ? i : j;
  return (char *)m->data + row * DIM * m->stride + col * DIM * m->element;
}

GEMMINI_LIBRARY void gemmini_load_tile(const gemmini_matrix_t *m, size_t i, size_t j, uint32_t to) {
  size_t rows = gemmini_extent(m->rows, m->transposed ? j : i), cols = gemmini_extent(m->cols, m->transposed ? i : j);
  gemmini_extended3_config_ld(m->stride, m->scale, m->shrunk, 0);
  gemmini_extended_mvin(gemmini_tile(m, i, j), to, cols, rows);
}

GEMMINI_LIBRARY void gemmini_store_tile(const gemmini_matrix_t *m, size_t i, size_t j, uint32_t from, int act,
                                        acc_scale_t scale) {
  size_t rows = gemmini_extent(m->rows, i), cols = gemmini_extent(m->cols, j);
  gemmini_extended_config_st(m->stride, act, scale);
  gemmini_extended_mvout(gemmini_tile(m, i, j), from, cols, rows);
}

#endif
