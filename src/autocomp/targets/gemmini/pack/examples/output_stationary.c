// problem: gemm:64x64x24
// The sum over k stays in the array: only the last of its steps names a destination, and nothing passes through the
// accumulator. 24 products of int8 fit the 20 bits of a cell. Results go to the scratchpad (clipped to int8) and from
// there to memory.
void solution(int8_t A[64][24], int8_t B[24][64], int8_t C[64][64]) {
  config_ex(OUTPUT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(24, 1.0f, 16, 0);
  config_ld(64, 1.0f, 16, 1);
  config_st(64);
  mvin2(&B[0][0], 8192, 64, 16);
  mvin2(&B[16][0], 8192 + 64, 64, 8);
  for (int i = 0; i < 64; i += 16) {
    int a = i * 2;             // two tiles of A: k = 0 to 15 and k = 16 to 23
    int c = 4096 + i / 16 * 64;  // four tiles of C, in a bank of their own
    mvin(&A[i][0], a, 24, 16);
    for (int j = 0; j < 64; j += 16) {
      preload(0xffffffffu, 0xffffffffu, 16, 16, 16, 16);
      compute_preloaded(a, 8192 + j, 16, 16, 16, 16);
      preload(0xffffffffu, c + j, 16, 16, 16, 16);
      compute_accumulated(a + 16, 8192 + 64 + j, 8, 16, 16, 8);
    }
    mvout(&C[i][0], c, 64, 16);
  }
  fence();
}
