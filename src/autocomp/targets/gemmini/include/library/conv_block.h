/* One block of a convolution: in software, and in hardware. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_CONV_BLOCK_H
#define AUTOCOMP_GEMMINI_LIBRARY_CONV_BLOCK_H

#include "conv_layout.h"

/* Load one row of pixels of the block, in runs that lie together or are zeros; several tiles of channels at a time. */
GEMMINI_LIBRARY void gemmini_load_pixels(const gemmini_conv_t *c, const gemmini_conv_block_t *b, int batch, int row,
                                         int ch) {
  int y = b->irow + row, height = (c->in_rows - 1) * c->input_dilation + 1,
      width = (c->in_cols - 1) * c->input_dilation + 1;
  bool zeros = y < 0 || y >= height || y % c->input_dilation != 0;
  int channels = gemmini_min(b->kchs - ch, MAX_BLOCK_LEN * DIM);
  for (int col = 0, count; col < b->icols; col += count) {
    int x = b->icol + col;
    const elem_t *from = NULL;
    count = gemmini_min(b->icols - col, DIM);
    if (!zeros && x < 0) count = gemmini_min(count, -x);
    if (!zeros && x >= 0 && x < width) {
      count = c->input_dilation == 1 ? gemmini_min(count, width - x) : 1;
      if (x % c->input_dilation == 0)
        from = gemmini_input_at(c, b->batch + batch, y / c->input_dilation, x / c->input_dilation, b->kch + ch);
    }
    gemmini_extended_mvin(from, gemmini_input_row(c, b, batch, row, col, ch), channels, count);
  }
}

/* The same where images are innermost: a tile of channels and images for every pixel. */
GEMMINI_LIBRARY void gemmini_load_pixels_of_images(const gemmini_conv_t *c, const gemmini_conv_block_t *b, int batch,
                                                   int row, int ch) {
  int y = b->irow + row, height = (c->in_rows - 1) * c->input_dilation + 1,
      width = (c->in_cols - 1) * c->input_dilation + 1;
  int channels = gemmini_min(b->kchs - ch, DIM), images = gemmini_min(b->batches - batch, DIM);
  for (int col = 0; col < b->icols; col++) {
    int x = b->icol + col;
    bool inside =
        y >= 0 && y < height && x >= 0 && x < width && y % c->input_dilation == 0 && x % c->input_dilation == 0;
    const elem_t *from =
        inside ? gemmini_input_at(c, b->batch + batch, y / c->input_dilation, x / c->input_dilation, b->kch + ch)
               : NULL;
    gemmini_extended_mvin(from, gemmini_input_row(c, b, batch, row, col, ch), images, channels);
  }
}

GEMMINI_LIBRARY void gemmini_load_input(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  bool images = c->trans_input_3120;
  size_t stride = images ? (size_t)c->in_rows * c->in_cols * c->batches : (size_t)c->in_stride;
  int tile = images ? DIM : b->batches * b->irows * b->icols; /* rows from one tile of channels to the next */
  gemmini_extended4_config_ld(stride * sizeof(elem_t), MVIN_SCALE_IDENTITY, false, tile, 0);
  for (int ch = 0; ch < b->kchs; ch += images ? DIM : MAX_BLOCK_LEN * DIM)
    for (int batch = 0; batch < b->batches; batch += images ? DIM : 1)
      for (int row = 0; row < b->irows; row++)
        if (images) gemmini_load_pixels_of_images(c, b, batch, row, ch);
        else gemmini_load_pixels(c, b, batch, row, ch);
}

GEMMINI_LIBRARY void gemmini_load_weights(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  size_t stride = c->trans_weight_1203   ? (size_t)c->kernel * c->kernel * c->out_channels
                  : c->trans_weight_0132 ? (size_t)c->in_channels
                                         : (size_t)c->weight_stride;
  gemmini_extended3_config_ld(stride * sizeof(elem_t), MVIN_SCALE_IDENTITY, false, 1);
  for (int och = 0; och < b->pochs; och += DIM)
    for (int krow = 0; krow < b->krows; krow++)
      for (int kcol = 0; kcol < b->kcols; kcol++)
        for (int ch = 0; ch < b->kchs; ch += DIM) {
          int row = b->krow + krow, col = b->kcol + kcol;
          int rows = gemmini_min(b->kchs - ch, DIM), cols = gemmini_min(b->pochs - och, DIM);
          if (c->wrot180) row = c->kernel - 1 - row, col = c->kernel - 1 - col;
          gemmini_extended_mvin2(gemmini_weight_at(c, row, col, b->kch + ch, b->poch + och),
                                 gemmini_weight_row(b, och, krow, kcol, ch), c->trans_weight_0132 ? rows : cols,
                                 c->trans_weight_0132 ? cols : rows);
        }
}

GEMMINI_LIBRARY void gemmini_load_bias(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  gemmini_outputs_t o = gemmini_outputs(c, b);
  gemmini_extended3_config_ld(0, MVIN_SCALE_IDENTITY, false, 2);
  for (int och = 0; och < b->pochs; och += DIM)
    for (int outer = 0; outer < o.outer; outer++)
      for (int middle = 0; middle < o.middle; middle++)
        for (int inner = 0; inner < o.inner; inner += DIM)
          gemmini_extended_mvin3(c->bias + b->poch + och, gemmini_output_row(&o, och, outer, middle, inner),
                                 gemmini_min(b->pochs - och, DIM), gemmini_min(o.inner - inner, DIM));
}

/* Multiply all inputs of the block with one tile of weights, which stays in the array meanwhile. */
GEMMINI_LIBRARY void gemmini_multiply_weights(const gemmini_conv_t *c, const gemmini_conv_block_t *b, int och, int krow,
                                              int kcol, int ch) {
  bool overwrite = c->bias == NULL && b->krow + krow == 0 && b->kcol + kcol == 0 && b->kch + ch == 0;
  int outs = gemmini_min(b->pochs - och, DIM), ins = gemmini_min(b->kchs - ch, DIM);
  gemmini_outputs_t o = gemmini_outputs(c, b);
  uint32_t weights = gemmini_weight_row(b, och, krow, kcol, ch);
  uint32_t input = gemmini_input_row(c, b, 0, krow * c->kernel_dilation, kcol * c->kernel_dilation, ch);
  for (int outer = 0; outer < o.outer; outer++)
    for (int middle = 0; middle < o.middle; middle++)
      for (int inner = 0; inner < o.inner; inner += DIM) {
        int count = gemmini_min(o.inner - inner, DIM);
        uint32_t from = input + outer * o.input_outer + middle * o.input_middle + inner / DIM * o.input_tile;
        uint32_t to = gemmini_output_row(&o, och, outer, middle, inner) | (overwrite ? 0 : GEMMINI_ACCUMULATE);
        gemmini_extended_preload(weights, to, outs, ins, outs, count);
        if (weights != GARBAGE_ADDR) gemmini_extended_compute_preloaded(from, GARBAGE_ADDR, ins, count, DIM, DIM);
        else gemmini_extended_compute_accumulated(from, GARBAGE_ADDR, ins, count, DIM, DIM);
        weights = GARBAGE_ADDR;
      }
}

/* Rows of a tile are columns of the output, or images. */
GEMMINI_LIBRARY void gemmini_store_output(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  gemmini_outputs_t o = gemmini_outputs(c, b);
  bool images = c->trans_input_3120;
  int up = b->orow - (b->porow * c->pool_stride - c->pool_padding),
      left = b->ocol - (b->pocol * c->pool_stride - c->pool_padding);
  size_t stride = c->trans_output_1203 ? (size_t)c->batches * c->out_channels : (size_t)c->out_stride;
  if (images)
    stride = c->trans_output_1203 ? (size_t)c->out_channels : (size_t)c->out_rows * c->out_cols * c->out_stride;
  if (c->pooled)
    gemmini_extended2_config_st(stride * sizeof(elem_t), c->act, c->scale, c->pool_stride, c->pool_size,
                                c->pool_out_cols, b->porows, b->pocols, b->orows, b->ocols, up, left);
  else gemmini_extended_config_st(stride * sizeof(elem_t), c->act, c->scale);
  for (int och = 0; och < b->pochs; och += DIM)
    for (int outer = 0; outer < o.outer; outer++) {
      int channels = gemmini_min(b->pochs - och, DIM);
      if (c->pooled) {
        gemmini_extended_mvout(gemmini_output_at(c, b->batch + outer, b->porow, b->pocol, b->poch + och),
                               gemmini_output_row(&o, och, outer, 0, 0), channels, 1);
        continue;
      }
      for (int middle = 0; middle < o.middle; middle++)
        for (int inner = 0; inner < o.inner; inner += DIM) {
          int batch = images ? inner : outer, row = images ? outer : middle, col = images ? middle : inner;
          gemmini_extended_mvout(gemmini_output_at(c, b->batch + batch, b->orow + row, b->ocol + col, b->poch + och),
                                 gemmini_output_row(&o, och, outer, middle, inner), channels,
                                 gemmini_min(o.inner - inner, DIM));
        }
    }
}

static inline bool gemmini_first_of_sums(const gemmini_conv_block_t *b) {
  return b->krow == 0 && b->kcol == 0 && b->kch == 0;
}

static inline bool gemmini_last_of_sums(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  return b->krow + b->krows == c->kernel && b->kcol + b->kcols == c->kernel && b->kch + b->kchs == c->in_channels;
}

/* One block in software: load, multiply, store. */
GEMMINI_LIBRARY void gemmini_conv_block(const gemmini_conv_t *c, const gemmini_conv_block_t *b) {
  if (gemmini_first_of_sums(b) && c->bias != NULL) gemmini_load_bias(c, b);
  gemmini_load_input(c, b);
  gemmini_load_weights(c, b);
  gemmini_extended_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, c->trans_input_3120 ? 1 : c->stride,
                             c->trans_input_3120, c->trans_weight_0132);
  for (int och = 0; och < b->pochs; och += DIM)
    for (int krow = 0; krow < b->krows; krow++)
      for (int kcol = 0; kcol < b->kcols; kcol++)
        for (int ch = 0; ch < b->kchs; ch += DIM) gemmini_multiply_weights(c, b, och, krow, kcol, ch);
  if (gemmini_last_of_sums(c, b)) gemmini_store_output(c, b);
}

/* One block in hardware. Pads are those that the accelerator expects, which counts a stride for every output. */
GEMMINI_LIBRARY void gemmini_conv_block_loop(const gemmini_conv_t *c, const gemmini_conv_block_t *b, bool downsample) {
  bool first = gemmini_first_of_sums(b), last = gemmini_last_of_sums(c, b), dilated = c->input_dilation == 2;
  int height = (c->in_rows - 1) * c->input_dilation + 1, width = (c->in_cols - 1) * c->input_dilation + 1;
  int irows = b->orows * c->stride + (b->krows - 1) * c->kernel_dilation;
  int icols = b->ocols * c->stride + (b->kcols - 1) * c->kernel_dilation;
  int up = b->irow < 0 ? -b->irow : 0, down = b->irow + irows > height ? b->irow + irows - height : 0;
  int left = b->icol < 0 ? -b->icol : 0, right = b->icol + icols > width ? b->icol + icols - width : 0;
  int porow = b->porow * c->pool_stride - c->pool_padding, pocol = b->pocol * c->pool_stride - c->pool_padding;
  int krow = c->wrot180 ? c->kernel - b->krow - b->krows : b->krow,
      kcol = c->wrot180 ? c->kernel - b->kcol - b->kcols : b->kcol;
  if (dilated) { /* begins and ends on a pixel */
    up += up == 0 && b->irow % 2 != 0;
    left += left == 0 && b->icol % 2 != 0;
    down += down == 0 && (b->irow + irows) % 2 != 1;
    right += right == 0 && (b->icol + icols) % 2 != 1;
  }
  const elem_t *input =
      gemmini_input_at(c, b->batch, (b->irow + up) / c->input_dilation, (b->icol + left) / c->input_dilation, b->kch);
  gemmini_loop_conv_ws(
      c->batches, c->in_rows, c->in_cols, c->in_channels, c->out_channels, c->out_rows, c->out_cols, c->pool_out_rows,
      c->pool_out_cols, c->stride, c->padding, c->kernel, c->kernel_dilation, c->pool_size, c->pool_stride,
      c->pool_padding, b->batches, b->porows, b->pocols, b->pochs, b->krows, b->kcols, b->kchs, left, right, up, down,
      b->ocol - pocol, pocol + (b->pocols - 1) * c->pool_stride + c->pool_size - b->ocol - b->ocols, b->orow - porow,
      porow + (b->porows - 1) * c->pool_stride + c->pool_size - b->orow - b->orows, b->orows, b->ocols,
      gemmini_weight_at(c, krow, kcol, b->kch, b->poch),
      last ? gemmini_output_at(c, b->batch, b->porow, b->pocol, b->poch) : NULL,
      first ? (c->bias != NULL ? c->bias + b->poch : (const acc_t *)DIM) : NULL, input, c->bias == NULL, !c->pooled,
      downsample, c->wrot180, dilated, c->act, c->trans_output_1203, c->trans_weight_1203, c->trans_weight_0132,
      c->trans_input_3120, 1, c->in_stride, c->weight_stride, c->out_stride, false, 0, 0);
}

#endif
