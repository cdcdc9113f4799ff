// problem: conv:2x14x14x32x48:pad=1:relu:scale=0.01
// One LOOP_CONV_WS for each half of each image and all channels: 2 * 9 * 16 rows of input (blocks of channels, pixels
// with the padding) and 3 * 9 * 32 rows of weights fit half of the scratchpad, 3 * 7 * 14 rows of sums half of the
// accumulator.
void solution(const int8_t input[2][14][14][32], const int8_t weights[3][3][32][48], const int32_t bias[48],
              int8_t output[2][14][14][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);  // here 1 is the stride of the convolution
  config_st(48, RELU, 0.01f);                                    // from output pixel to pixel; loads configure themselves
  for (int b = 0; b < 2; b++) {
    for (int row = 0; row < 14; row += 7) {
      int up = row == 0, down = row == 7;
      gemmini_loop_conv_ws(
          2, 14, 14, 32, 48, 14, 14, 14, 14,  // images, input rows, columns, channels in and out, output, pooled output
          1, 1, 3, 1, 0, 0, 0,                // stride, padding, kernel size and dilation; pooling: none
          1, 0, 0, 48, 3, 3, 32,              // this part: images, pooled rows and columns, channels, kernel, channels in
          1, 1, up, down, 0, 0, 0, 0,         // padding of this part: left, right, above, below; of its pooling
          7, 14,                              // output rows and columns of this part
          &weights[0][0][0][0], &output[b][row][0][0], &bias[0], &input[b][row - 1 + up][0][0],
          false, true, false, false, false,   // no bias, no pooling, downsample, rotated kernel, dilated input
          NO_ACTIVATION, false, false, false, false,  // only for pooled results; four other orders of dimensions
          1, 32, 48, 48, false, 0, 0);        // pixels in a row; elements from pixel to pixel; depthwise; not pinned
    }
  }
  fence();
}
