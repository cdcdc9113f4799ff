// problem: gemm:128x64x64
// B does not depend on i. Its loads stay where they are, in the innermost loop, but happen on the first turn of i only:
// nothing has to wait for a phase that loads everything. Each tile has rows of its own, since all are kept.
void solution(int8_t A[128][64], int8_t B[64][64], int8_t C[128][64]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(64, 1.0f, 16, 0);
  config_ld(64, 1.0f, 16, 1);
  config_st(64);
  for (int i = 0; i < 128; i += 16) {
    int a = i / 16 % 2 * 4096;                             // the next rows of A go to the other bank
    uint32_t sums = 0x80000000u + i / 16 % 2 * 512;        // and their sums to the other bank of the accumulator
    mvin(&A[i][0], a, 64, 16);
    for (int k = 0; k < 64; k += 16) {
      int b = 8192 + k * 4;                                // depends on k only: the same rows on every turn of i
      if (i == 0) mvin2(&B[k][0], b, 64, 16);
      for (int j = 0; j < 64; j += 16) {
        preload(b + j, (k > 0 ? sums | 0x40000000u : sums) + j, 16, 16, 16, 16);
        compute_preloaded(a + k, 0xffffffffu, 16, 16, 16, 16);
      }
    }
    mvout(&C[i][0], sums, 64, 16);
  }
  fence();
}
