// problem: conv:1x8x20x16x32:relu:scale=0.02
// A row of the scratchpad holds the 16 channels of one pixel, and pixels lie one behind the other, so a tile is 16
// pixels, also across the end of a row of the picture: 8 x 20 pixels are exactly 10 tiles. For that the input lies
// there once for each column of the kernel, 20 pixels of each of its 10 rows. One tile of weights serves all 10 tiles
// of pixels.
#define W_OUT 20
#define PIXELS (8 * W_OUT)
#define WEIGHTS 8192   // in another bank than the pixels

void solution(const int8_t input[1][10][22][16], const int8_t weights[3][3][16][32], const int32_t bias[32],
              int8_t output[1][8][20][32]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(16, 1.0f, 16, 0);   // from pixel to pixel
  config_ld(32, 1.0f, 16, 1);   // from input channel to input channel
  config_ld(0, 1.0f, 16, 2);    // one row of bias for all pixels
  config_st(32, RELU, 0.02f);
  for (int p = 0; p < PIXELS; p += 16) {  // the two tiles of channels of 16 pixels lie in 32 rows of the accumulator
    mvin3(&bias[0], 0x80000000u + p * 2, 16, 16);
    mvin3(&bias[16], 0x80000000u + p * 2 + 16, 16, 16);
  }
  for (int kc = 0; kc < 3; kc++) {
    int pixels = kc * (10 * W_OUT);
    for (int row = 0; row < 10; row++) {  // at most 16 rows in one move
      mvin(&input[0][row][kc][0], pixels + row * W_OUT, 16, 16);
      mvin(&input[0][row][kc + 16][0], pixels + row * W_OUT + 16, 16, 4);
    }
    for (int kr = 0; kr < 3; kr++) {
      int w = WEIGHTS + (kr * 3 + kc) * 32;
      mvin2(&weights[kr][kc][0][0], w, 32, 16);
      for (int c = 0; c < 32; c += 16) {
        for (int p = 0; p < PIXELS; p += 16) {
          preload(p == 0 ? w + c : 0xffffffffu, 0xc0000000u + p * 2 + c, 16, 16, 16, 16);
          if (p == 0) {
            compute_preloaded(pixels + kr * W_OUT, 0xffffffffu, 16, 16, 16, 16);
          } else {
            compute_accumulated(pixels + kr * W_OUT + p, 0xffffffffu, 16, 16, 16, 16);
          }
        }
      }
    }
  }
  for (int p = 0, n; p < PIXELS; p += n) {  // pieces end with a tile, so that the channels lie 16 rows apart
    n = 16 - p % 16;                        // (here memory has no gap at the end of a row)
    mvout(&output[0][p / W_OUT][p % W_OUT][0], 0x80000000u + p / 16 * 32 + p % 16, 32, n);
  }
  fence();
}
