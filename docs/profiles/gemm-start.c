// C = A * B, int8 in and out, sums in int32. Unscheduled: both operands are loaded again for every use.
void solution(int8_t A[512][512], int8_t B[512][512], int8_t C[512][512]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(512, 1.0f, 16, 0);
  config_ld(512, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st(512);
  for (int i = 0; i < 512; i += 16) {
    for (int j = 0; j < 512; j += 64) {
      for (int c = 0; c < 4; c++) {
        mvin3(0, 0x80000000u + c * 16, 16, 16);
      }
      for (int k = 0; k < 512; k += 64) {
        mvin(&A[i][k], k, 64, 16);
        uint32_t b = 512 + k * 4;
        for (int p = 0; p < 4; p++) {
          mvin2(&B[k + p * 16][j], b + p * 64, 64, 16);
        }
        for (int p = 0; p < 4; p++) {
          for (int c = 0; c < 4; c++) {
            preload(b + p * 64 + c * 16, 0xc0000000u + c * 16, 16, 16, 16, 16);
            compute_preloaded(k + p * 16, 0xffffffffu, 16, 16, 16, 16);
          }
        }
      }
      for (int c = 0; c < 4; c++) {
        mvout(&C[i][j + c * 16], 0x80000000u + c * 16, 16, 16);
      }
    }
  }
  fence();
}
