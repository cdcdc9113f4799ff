/* A convolution, its blocks, and where their data lie in memory and in the local memories. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_CONV_LAYOUT_H
#define AUTOCOMP_GEMMINI_LIBRARY_CONV_LAYOUT_H

#include "tiles.h"

/* One convolution. */
typedef struct {
  int batches, in_rows, in_cols, in_channels, out_channels, out_rows, out_cols;
  int stride, input_dilation, kernel_dilation, padding, kernel;
  int in_stride, weight_stride, out_stride;
  bool wrot180, trans_output_1203, trans_input_3120, trans_weight_1203, trans_weight_0132;
  const elem_t *input, *weights;
  const acc_t *bias;
  elem_t *output;
  int act;
  acc_scale_t scale;
  bool pooled;
  int pool_size, pool_stride, pool_padding, pool_out_rows, pool_out_cols;
} gemmini_conv_t;

/* The part of it that is in the local memories at one time. */
typedef struct {
  int batch, porow, pocol, poch, krow, kcol, kch;         /* first */
  int batches, porows, pocols, pochs, krows, kcols, kchs; /* how many */
  int orow, ocol, orows, ocols;                           /* output before pooling */
  int irow, icol, irows, icols;                           /* input with its padding and dilation */
} gemmini_conv_block_t;

static inline int gemmini_min(int a, int b) { return a < b ? a : b; }

/* How the outputs of a block lie in the accumulator: images of rows of columns, or rows of columns of images if images
 * are innermost in the input. DIM of the innermost are computed together. */
typedef struct {
  int outer, middle, inner;
  int input_outer, input_middle, input_tile; /* rows of the scratchpad from the input of one to that of the next */
} gemmini_outputs_t;

/* Local addresses. A row holds DIM channels of a pixel, or DIM images of a channel of it. */
static inline uint32_t gemmini_input_row(const gemmini_conv_t *c, const gemmini_conv_block_t *b, int batch, int row,
                                         int col, int ch) {
  if (c->trans_input_3120)
    return (((batch / DIM * (int)gemmini_tiles(b->kchs) + ch / DIM) * b->irows + row) * b->icols + col) * DIM;
  return ((ch / DIM * b->batches + batch) * b->irows + row) * b->icols + col;
}

static inline uint32_t gemmini_weight_row(const gemmini_conv_block_t *b, int och, int krow, int kcol, int ch) {
  int tiles = gemmini_tiles(b->kchs),
      first = GEMMINI_SPAD_ROWS - gemmini_tiles(b->pochs) * b->krows * b->kcols * tiles * DIM;
  return first + (((och / DIM * b->krows + krow) * b->kcols + kcol) * tiles + ch / DIM) * DIM;
}

static inline gemmini_outputs_t gemmini_outputs(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  int image = b->irows * b->icols, row = b->icols * c->stride;
  if (c->trans_input_3120)
    return (gemmini_outputs_t){b->orows,  b->ocols,        b->batches,
                               row * DIM, c->stride * DIM, (int)gemmini_tiles(b->kchs) * image * DIM};
  return (gemmini_outputs_t){b->batches, b->orows, b->ocols, image, row, c->stride * DIM};
}

static inline uint32_t gemmini_output_row(const gemmini_outputs_t *o, int och, int outer, int middle, int inner) {
  return GEMMINI_ACC + ((och / DIM * o->outer + outer) * o->middle + middle) * o->inner + inner;
}

/* Addresses in memory; rows and columns count from the first of the image. */
static inline const elem_t *gemmini_input_at(const gemmini_conv_t *c, int batch, int row, int col, int ch) {
  if (c->trans_input_3120) return c->input + ((size_t)(ch * c->in_rows + row) * c->in_cols + col) * c->batches + batch;
  return c->input + ((size_t)(batch * c->in_rows + row) * c->in_cols + col) * c->in_stride + ch;
}

static inline const elem_t *gemmini_weight_at(const gemmini_conv_t *c, int krow, int kcol, int ch, int och) {
  if (c->trans_weight_1203)
    return c->weights + ((size_t)(ch * c->kernel + krow) * c->kernel + kcol) * c->out_channels + och;
  if (c->trans_weight_0132)
    return c->weights + ((size_t)(krow * c->kernel + kcol) * c->out_channels + och) * c->in_channels + ch;
  return c->weights + ((size_t)(krow * c->kernel + kcol) * c->in_channels + ch) * c->weight_stride + och;
}

static inline elem_t *gemmini_output_at(const gemmini_conv_t *c, int batch, int row, int col, int och) {
  int rows = c->pooled ? c->pool_out_rows : c->out_rows, cols = c->pooled ? c->pool_out_cols : c->out_cols;
  if (c->trans_output_1203)
    return c->output + ((size_t)(row * cols + col) * c->batches + batch) * c->out_channels + och;
  return c->output + ((size_t)(batch * rows + row) * cols + col) * c->out_stride + och;
}

/* Output and input that belong to the pooled rows and columns of a block. */
static inline void gemmini_place_conv_block(const gemmini_conv_t *c, gemmini_conv_block_t *b) {
  int orow = b->porow * c->pool_stride - c->pool_padding, ocol = b->pocol * c->pool_stride - c->pool_padding;
  int orow_end = orow + (b->porows - 1) * c->pool_stride + c->pool_size;
  int ocol_end = ocol + (b->pocols - 1) * c->pool_stride + c->pool_size;
  b->orow = orow < 0 ? 0 : orow;
  b->ocol = ocol < 0 ? 0 : ocol;
  b->orows = gemmini_min(orow_end, c->out_rows) - b->orow;
  b->ocols = gemmini_min(ocol_end, c->out_cols) - b->ocol;
  b->irow = b->orow * c->stride + b->krow * c->kernel_dilation - c->padding;
  b->icol = b->ocol * c->stride + b->kcol * c->kernel_dilation - c->padding;
  b->irows = (b->orows - 1) * c->stride + (b->krows - 1) * c->kernel_dilation + 1;
  b->icols = (b->ocols - 1) * c->stride + (b->kcols - 1) * c->kernel_dilation + 1;
}

#endif
