void solution(int8_t A[512][512], int8_t B[512][512], int8_t C[512][512]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, 0, 0);
  config_ld(512, 1.0f, 16, 0);
  config_ld(512, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);
  config_st(512);
  for (int i1 = 0; i1 < 8; i1++) {
    mvin(&A[i1 * 16][0], i1 * 512, 64, 16);
  }
  for (int p2 = 0; p2 < 4; p2++) {
    mvin2(&B[p2 * 16][0], 8192 + p2 * 64, 64, 16);
  }
  for (int t = 0; t < 256; t++) {
    for (int p1 = 0; p1 < 4; p1++) {
      for (int c1 = 0; c1 < 4; c1++) {
        if (c1 == 2 && t >= 8 && p1 == 0) {
          mvout(&C[(t / 8 + 7) / 8 * 128 + t % 8 * 16 - 128][(t / 8 + 7) % 8 * 64], 0x80000000u + t % 8 * 64 + (t / 8 + 1) % 2 * 512, 64, 16);
        }
        if (c1 == 2 && t < 255) {
          for (int u = 0; u < 2; u++) {
            mvin(&A[(t + 1) / 64 * 128 + p1 * 32 + u * 16][(t + 1) % 8 * 64], p1 * 1024 + (t + 1) % 2 * 4096 + u * 512, 64, 16);
          }
          mvin2(&B[(t + 1) % 8 * 64 + p1 * 16][(t + 1) / 8 % 8 * 64], 8192 + p1 * 64 + (t + 1) % 2 * 4096, 64, 16);
        }
        for (int i3 = 0; i3 < 8; i3++) {
          preload((i3 == 0 ? 8192 + p1 * 64 + c1 * 16 + t % 2 * 4096 : 0xffffffffu), 0x80000000u + c1 * 16 + i3 * 64 + (t % 8 + p1 > 0 ? 0x40000000u : 0) + t / 8 % 2 * 512, 16, 16, 16, 16);
          if (i3 == 0) {
            compute_preloaded(p1 * 16 + i3 * 512 + t % 2 * 4096, 0xffffffffu, 16, 16, 16, 16);
          } else {
            compute_accumulated(p1 * 16 + i3 * 512 + t % 2 * 4096, 0xffffffffu, 16, 16, 16, 16);
          }
        }
      }
    }
  }
  for (int i2 = 0; i2 < 8; i2++) {
    mvout(&C[i2 * 16 + 384][448], 0x80000200u + i2 * 64, 64, 16);
  }
  fence();
}
