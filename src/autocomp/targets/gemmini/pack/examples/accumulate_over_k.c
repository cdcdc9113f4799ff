// problem: gemm:32x48x160:scale=0.02
// A sum over 160 values of k is ten products of 16 each into the same tile of the accumulator: the first replaces what
// is there (bit 30 clear), the others add to it. No load of zeros, no mvout before the sum is complete.
void solution(int8_t A[32][160], int8_t B[160][48], int8_t C[32][48]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(160, 1.0f, 16, 0);
  config_ld(48, 1.0f, 16, 1);
  config_st(48, NO_ACTIVATION, 0.02f);
  for (int k = 0; k < 160; k += 16) {
    int a = k / 16 % 2 * 4096, b = 8192 + k / 16 % 2 * 4096;  // two places for each operand, in banks of their own
    mvin(&A[0][k], a, 16, 16);
    mvin(&A[16][k], a + 16, 16, 16);
    mvin2(&B[k][0], b, 48, 16);
    uint32_t sums = k == 0 ? 0x80000000u : 0xc0000000u;
    for (int j = 0; j < 48; j += 16) {  // a tile of B stays in the array for both tiles of A
      preload(b + j, sums + j, 16, 16, 16, 16);
      compute_preloaded(a, 0xffffffffu, 16, 16, 16, 16);
      preload(0xffffffffu, sums + 48 + j, 16, 16, 16, 16);
      compute_accumulated(a + 16, 0xffffffffu, 16, 16, 16, 16);
    }
  }
  mvout(&C[0][0], 0x80000000u, 48, 16);
  mvout(&C[16][0], 0x80000000u + 48, 48, 16);
  fence();
}
