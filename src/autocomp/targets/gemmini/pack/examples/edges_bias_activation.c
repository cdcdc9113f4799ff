// problem: gemm:40x72x50:bias:relu:scale=0.05
// No size is a multiple of 16: every command of an edge tile gets the true columns and rows. The bias is one row of
// int32, repeated by a stride of 0, and the sums add to it. B is loaded once, when the first rows need it.
static inline int least(int a, int b) { return a < b ? a : b; }

void solution(int8_t A[40][50], int8_t B[50][72], int32_t bias[72], int8_t C[40][72]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(50, 1.0f, 16, 0);
  config_ld(72, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st(72, RELU, 0.05f);
  int block = 0;
  for (int i = 0; i < 40; i += 16) {
    int rows = least(16, 40 - i);
    int a = i / 16 % 2 * 4096;  // the next rows of A go to the other bank
    mvin(&A[i][0], a, 50, rows);
    for (int j = 0; j < 72; j += 64, block++) {
      int width = least(64, 72 - j);
      uint32_t sums = 0x80000000u + block % 2 * 512;
      for (int c = 0; c < width; c += 16) mvin3(&bias[j + c], sums + c, least(16, width - c), rows);
      for (int k = 0; k < 50; k += 16) {
        int depth = least(16, 50 - k);
        int b = 8192 + (j / 64 * 4 + k / 16) * 64;
        if (i == 0) mvin2(&B[k][j], b, width, depth);
        for (int c = 0; c < width; c += 16) {
          int columns = least(16, width - c);
          preload(b + c, (sums | 0x40000000u) + c, columns, depth, columns, rows);
          compute_preloaded(a + k, 0xffffffffu, depth, rows, 16, 16);
        }
      }
      mvout(&C[i][j], sums, width, rows);
    }
  }
  fence();
}
