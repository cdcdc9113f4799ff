/* Convolutions of any size: output = pooled(scale * activation(input * weights + bias)).
 *
 * Images are NHWC, weights HWIO. Names and order of arguments are those of Gemmini's own library: sizes of the images
 * before pooling; no pooling if pool_stride is 0; a bias of NULL is none. tiled_conv takes the extents of a block
 * (pooled rows and columns, channels, places of the kernel), tiled_conv_auto chooses them; the _stride forms take the
 * distance of two pixels (of two input channels in the weights), in elements.
 *   input_dilation   zeros between the pixels of the input; kernel_dilation: between the places of the kernel
 *   wrot180          the kernel is turned by half a turn
 *   trans_input_3120, trans_weight_1203, trans_weight_0132, trans_output_1203
 *                    input CHWN, weights IHWO or HWOI, output HWNC
 * WS_LOOP takes the hardware loop where it can and software loops where not: images innermost that do not fit all
 * together, input dilation with kernel dilation or a stride, kernels that do not fit as a whole. What the chip cannot do
 * stops the program: input and weights both with the inner dimensions changed over, pooling of changed-over images,
 * windows or strides of the pool above 3, blocks that do not fit. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_CONV_H
#define AUTOCOMP_GEMMINI_LIBRARY_CONV_H

#include "conv_block.h"

/* Extents of a block: images, pooled rows and columns, output channels, rows and columns of the kernel, input channels.
 */
enum {
  GEMMINI_BATCHES,
  GEMMINI_ROWS,
  GEMMINI_COLS,
  GEMMINI_OUTS,
  GEMMINI_KROWS,
  GEMMINI_KCOLS,
  GEMMINI_INS,
  GEMMINI_EXTENTS
};

static inline bool gemmini_downsamples(const gemmini_conv_t *c) {
  return c->stride == 2 && c->kernel == 1 && c->in_rows % 2 == 0 && c->in_cols % 2 == 0 && c->padding == 0 &&
         !c->pooled && c->input_dilation == 1 && !c->trans_input_3120;
}

/* True if such a block fits the local memories, or that half of them that a hardware loop takes. */
GEMMINI_LIBRARY bool gemmini_conv_fits(const gemmini_conv_t *c, const int e[GEMMINI_EXTENTS], bool loop) {
  int orows = (e[GEMMINI_ROWS] - 1) * c->pool_stride + c->pool_size,
      ocols = (e[GEMMINI_COLS] - 1) * c->pool_stride + c->pool_size;
  size_t irows = orows * c->stride + (e[GEMMINI_KROWS] - 1) * c->kernel_dilation, ins = gemmini_tiles(e[GEMMINI_INS]);
  size_t icols = ocols * c->stride + (e[GEMMINI_KCOLS] - 1) * c->kernel_dilation, outs = gemmini_tiles(e[GEMMINI_OUTS]);
  if (loop && c->input_dilation == 2) irows = irows / 2 + 2, icols = icols / 2 + 2;
  if (loop && gemmini_downsamples(c)) irows /= 2, icols /= 2;
  size_t pixels = irows * icols, images = e[GEMMINI_BATCHES];
  size_t channels = loop ? (size_t)e[GEMMINI_INS] : ins * DIM; /* rows of a pixel if images are innermost */
  size_t input = c->trans_input_3120 ? gemmini_tiles(images) * channels * pixels : ins * images * pixels;
  size_t weights = outs * ins * DIM * e[GEMMINI_KROWS] * e[GEMMINI_KCOLS], sums = outs * images * orows * ocols;
  /* A store that pools waits for what is written to its own bank only. */
  size_t room = c->pooled && !loop ? ACC_BANK_ROWS : ACC_ROWS / (loop ? 2 : 1);
  return input + weights <= (size_t)GEMMINI_SPAD_ROWS / (loop ? 2 : 1) && sums <= room;
}

/* What the hardware loop is not made for. */
static inline bool gemmini_loop_can(const gemmini_conv_t *c) {
  return c->input_dilation == 1 || (c->input_dilation == 2 && c->stride == 1 && c->kernel_dilation == 1);
}

/* Shrink whatever is largest until the block fits, then let grow what still can. Columns stay as long as a tile, and
 * the kernel stays whole for a hardware loop: parts of it may meet nothing but padding, which the loop cannot count.
 * So do images that are innermost: the loop takes their number for the distance of pixels. False if no block fits. */
GEMMINI_LIBRARY bool gemmini_choose_conv_block(const gemmini_conv_t *c, int e[GEMMINI_EXTENTS], bool loop) {
  const int most[GEMMINI_EXTENTS] = {c->batches, c->pool_out_rows, c->pool_out_cols, c->out_channels,
                                     c->kernel,  c->kernel,        c->in_channels};
  const int step[GEMMINI_EXTENTS] = {1, 1, 1, DIM, 1, 1, DIM};
  const bool all_images = loop && c->trans_input_3120;
  for (int i = 0; i < GEMMINI_EXTENTS; i++) e[i] = most[i];
  while (!gemmini_conv_fits(c, e, loop)) {
    int largest = all_images ? GEMMINI_ROWS : GEMMINI_BATCHES;
    for (int i = 1; i < GEMMINI_EXTENTS; i++)
      if (e[i] > e[largest] && !(i == GEMMINI_COLS && e[i] <= DIM && e[GEMMINI_ROWS] > 1) &&
          !(loop && (i == GEMMINI_KROWS || i == GEMMINI_KCOLS)))
        largest = i;
    if (e[largest] == 1) return false;
    int rest = e[largest] % step[largest];
    e[largest] -= gemmini_min(rest != 0 ? rest : step[largest], e[largest] - 1);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < GEMMINI_EXTENTS; i++) {
      int before = e[i];
      e[i] = gemmini_min(before / step[i] * step[i] + step[i], most[i]);
      if (e[i] > before && gemmini_conv_fits(c, e, loop)) grown = true;
      else e[i] = before;
    }
  }
  return true;
}

GEMMINI_LIBRARY void gemmini_conv(const gemmini_conv_t *c, const int e[GEMMINI_EXTENTS],
                                  enum tiled_matmul_type_t type) {
  bool loop = type == WS_LOOP, downsample = gemmini_downsamples(c);
  if (type == OS || type == CPU || (c->act != NO_ACTIVATION && c->act != RELU)) abort();
  if ((c->trans_weight_1203 && c->trans_weight_0132) || (c->trans_input_3120 && c->trans_weight_0132)) abort();
  if (c->pooled && (c->trans_input_3120 || c->trans_output_1203 || c->pool_size > 3 || c->pool_stride > 3)) abort();
  if (c->pool_padding >= c->pool_size) abort();
  if (loop && c->trans_input_3120 && e[GEMMINI_BATCHES] != c->batches) abort();
  if (loop && (!gemmini_loop_can(c) || e[GEMMINI_KROWS] != c->kernel || e[GEMMINI_KCOLS] != c->kernel)) abort();
  for (int i = 0; i < GEMMINI_EXTENTS; i++)
    if (e[i] < 1) abort();
  if (!gemmini_conv_fits(c, e, loop)) abort();
  if (loop) {
    size_t pixel = c->trans_output_1203 ? (size_t)c->batches * c->out_channels : (size_t)c->out_stride;
    gemmini_extended_config_st(pixel * sizeof(elem_t), c->act, c->scale);
    gemmini_extended3_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, 0, c->input_dilation, c->stride >> downsample,
                                c->trans_input_3120, c->trans_weight_0132, false);
  }
  gemmini_conv_block_t b;
  for (b.batch = 0; b.batch < c->batches; b.batch += e[GEMMINI_BATCHES])
    for (b.porow = 0; b.porow < c->pool_out_rows; b.porow += e[GEMMINI_ROWS])
      for (b.pocol = 0; b.pocol < c->pool_out_cols; b.pocol += e[GEMMINI_COLS])
        for (b.poch = 0; b.poch < c->out_channels; b.poch += e[GEMMINI_OUTS])
          for (b.krow = 0; b.krow < c->kernel; b.krow += e[GEMMINI_KROWS])
            for (b.kcol = 0; b.kcol < c->kernel; b.kcol += e[GEMMINI_KCOLS])
              for (b.kch = 0; b.kch < c->in_channels; b.kch += e[GEMMINI_INS]) {
                b.batches = gemmini_min(e[GEMMINI_BATCHES], c->batches - b.batch);
                b.porows = gemmini_min(e[GEMMINI_ROWS], c->pool_out_rows - b.porow);
                b.pocols = gemmini_min(e[GEMMINI_COLS], c->pool_out_cols - b.pocol);
                b.pochs = gemmini_min(e[GEMMINI_OUTS], c->out_channels - b.poch);
                b.krows = gemmini_min(e[GEMMINI_KROWS], c->kernel - b.krow);
                b.kcols = gemmini_min(e[GEMMINI_KCOLS], c->kernel - b.kcol);
                b.kchs = gemmini_min(e[GEMMINI_INS], c->in_channels - b.kch);
                gemmini_place_conv_block(c, &b);
                if (loop) gemmini_conv_block_loop(c, &b, downsample);
                else gemmini_conv_block(c, &b);
              }
  gemmini_fence();
}

/* Choose a block. What cannot go through the hardware loop goes through software loops. */
GEMMINI_LIBRARY enum tiled_matmul_type_t gemmini_plan_conv(const gemmini_conv_t *c, int e[GEMMINI_EXTENTS],
                                                           enum tiled_matmul_type_t type) {
  if (type == WS_LOOP && gemmini_loop_can(c) && gemmini_choose_conv_block(c, e, true)) return WS_LOOP;
  if (!gemmini_choose_conv_block(c, e, false)) abort();
  return type == WS_LOOP ? WS : type;
}

#define GEMMINI_CONV_SIZES                                                                                             \
  int batch_size, int in_row_dim, int in_col_dim, int in_channels, int out_channels, int out_row_dim, int out_col_dim, \
      int stride, int input_dilation, int kernel_dilation, int padding, int kernel_dim
#define GEMMINI_CONV_STRIDES int in_stride, int weight_stride, int out_stride
#define GEMMINI_CONV_ORDERS \
  bool wrot180, bool trans_output_1203, bool trans_input_3120, bool trans_weight_1203, bool trans_weight_0132
#define GEMMINI_CONV_DATA                                                                                    \
  const elem_t *input, const elem_t *weights, const acc_t *bias, elem_t *output, int act, acc_scale_t scale, \
      int pool_size, int pool_stride, int pool_padding, enum tiled_matmul_type_t tiled_conv_type
#define GEMMINI_CONV_DESCRIBE(c)                                                                \
  bool pooled = pool_stride != 0 && !(pool_size == 1 && pool_stride == 1 && pool_padding == 0); \
  if (!pooled) pool_size = pool_stride = 1, pool_padding = 0;                                   \
  gemmini_conv_t c = {batch_size,                                                               \
                      in_row_dim,                                                               \
                      in_col_dim,                                                               \
                      in_channels,                                                              \
                      out_channels,                                                             \
                      out_row_dim,                                                              \
                      out_col_dim,                                                              \
                      stride,                                                                   \
                      input_dilation,                                                           \
                      kernel_dilation,                                                          \
                      padding,                                                                  \
                      kernel_dim,                                                               \
                      in_stride,                                                                \
                      weight_stride,                                                            \
                      out_stride,                                                               \
                      wrot180,                                                                  \
                      trans_output_1203,                                                        \
                      trans_input_3120,                                                         \
                      trans_weight_1203,                                                        \
                      trans_weight_0132,                                                        \
                      input,                                                                    \
                      weights,                                                                  \
                      bias,                                                                     \
                      output,                                                                   \
                      act,                                                                      \
                      scale,                                                                    \
                      pooled,                                                                   \
                      pool_size,                                                                \
                      pool_stride,                                                              \
                      pool_padding,                                                             \
                      (out_row_dim + 2 * pool_padding - pool_size) / pool_stride + 1,           \
                      (out_col_dim + 2 * pool_padding - pool_size) / pool_stride + 1}

GEMMINI_LIBRARY void tiled_conv(GEMMINI_CONV_SIZES, GEMMINI_CONV_STRIDES, GEMMINI_CONV_ORDERS, int batches, int porows,
                                int pocols, int pochs, int krows, int kcols, int kchs, GEMMINI_CONV_DATA) {
  GEMMINI_CONV_DESCRIBE(c);
  const int extents[GEMMINI_EXTENTS] = {batches, porows, pocols, pochs, krows, kcols, kchs};
  gemmini_conv(&c, extents, tiled_conv_type);
}

GEMMINI_LIBRARY void tiled_conv_stride_auto(GEMMINI_CONV_SIZES, GEMMINI_CONV_STRIDES, GEMMINI_CONV_ORDERS,
                                            GEMMINI_CONV_DATA) {
  GEMMINI_CONV_DESCRIBE(c);
  int extents[GEMMINI_EXTENTS];
  tiled_conv_type = gemmini_plan_conv(&c, extents, tiled_conv_type);
  gemmini_conv(&c, extents, tiled_conv_type);
}

GEMMINI_LIBRARY void tiled_conv_auto(GEMMINI_CONV_SIZES, GEMMINI_CONV_ORDERS, GEMMINI_CONV_DATA) {
  tiled_conv_stride_auto(batch_size, in_row_dim, in_col_dim, in_channels, out_channels, out_row_dim, out_col_dim,
                         stride, input_dilation, kernel_dilation, padding, kernel_dim, in_channels, out_channels,
                         out_channels, wrot180, trans_output_1203, trans_input_3120, trans_weight_1203,
                         trans_weight_0132, input, weights, bias, output, act, scale, pool_size, pool_stride,
                         pool_padding, tiled_conv_type);
}

/* Depthwise: every channel by itself, with weights[channel][row][column]. */
GEMMINI_LIBRARY void tiled_conv_dw_auto(int batch_size, int in_row_dim, int in_col_dim, int channels, int out_row_dim,
                                        int out_col_dim, int stride, int padding, int kernel_dim, GEMMINI_CONV_DATA) {
  const int input_dilation = 1, kernel_dilation = 1, in_channels = 1, out_channels = 1;
  const int in_stride = channels, weight_stride = 1, out_stride = channels;
  const bool wrot180 = false, trans_output_1203 = false, trans_input_3120 = false, trans_weight_1203 = false,
             trans_weight_0132 = false;
  GEMMINI_CONV_DESCRIBE(c);
  int extents[GEMMINI_EXTENTS];
  tiled_conv_type = gemmini_plan_conv(&c, extents, tiled_conv_type);
  for (int channel = 0; channel < channels; channel++) {
    gemmini_conv(&c, extents, tiled_conv_type);
    c.input++, c.output++, c.weights += kernel_dim * kernel_dim;
    if (c.bias != NULL) c.bias++;
  }
}

#endif
