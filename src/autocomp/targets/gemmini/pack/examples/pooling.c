// problem: conv:1x8x8x16x16:pool=2/2/0:relu:scale=0.02
// The sums of the whole picture stay in one bank of the accumulator, pixel after pixel, and one mvout stores the
// largest of each window of 2 x 2. The input lies there once, pixel after pixel: a tile is the 8 pixels of an output
// row, wherever the place of the kernel moves it. Each tile of weights stays in the array for all rows.
void solution(const int8_t input[1][10][10][16], const int8_t weights[3][3][16][16], const int32_t bias[16],
              int8_t output[1][4][4][16]) {
  const uint32_t sums = 0x80000000u;
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(16, 1.0f, 16, 0);
  config_ld(16, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  gemmini_extended2_config_st(16, RELU, 0.02f,  // bytes from output pixel to pixel
                              2, 2, 4,          // stride and size of the windows, pixels in a row of the output
                              4, 4, 8, 8,       // rows and columns of the output, of the picture in the accumulator
                              0, 0);            // padding above and left
  for (int row = 0; row < 10; row++) mvin(&input[0][row][0][0], row * 10, 16, 10);
  for (int p = 0; p < 64; p += 16) mvin3(bias, sums + p, 16, 16);
  for (int kr = 0; kr < 3; kr++) {
    for (int kc = 0; kc < 3; kc++) {
      int w = 4096 + (kr * 3 + kc) * 16;
      mvin2(&weights[kr][kc][0][0], w, 16, 16);
      for (int row = 0; row < 8; row++) {
        preload(row == 0 ? w : 0xffffffffu, (sums | 0x40000000u) + row * 8, 16, 16, 16, 8);
        if (row == 0) {
          compute_preloaded(kr * 10 + kc, 0xffffffffu, 16, 8, 16, 16);
        } else {
          compute_accumulated((row + kr) * 10 + kc, 0xffffffffu, 16, 8, 16, 16);
        }
      }
    }
  }
  mvout(&output[0][0][0][0], sums, 16, 0);  // its rows do not count
  fence();
}
