// u[i] = -Kinf * x[i] - d[i] and x[i + 1] = Adyn * x[i] + Bdyn * u[i]. Plain: every product configures the accelerator,
// loads its matrix and its vector, and waits for the result; the core negates and adds.
void solution(float Adyn[12][12], float Bdyn[12][4], float Kinf[4][12], float x[6][12], float d[5][4], float u[5][4]) {
  static float feedback[4];
  static float drift[12];
  static float push[12];
  static float minus_feedback[4];
  static float minus_d[4];

  for (int i = 0; i < 5; i++) {
    // feedback = Kinf * x[i]
    config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
    config_st(4);
    config_ld(4, 1.0f, 4, 1);
    config_ld(4, 1.0f, 4, 2);
    config_ld(48, 1.0f, 4, 0);
    mvin(&Kinf[0][0], 48, 12, 4);
    mvin2(&x[i][0], 60, 1, 4);
    mvin2(&x[i][4], 64, 1, 4);
    mvin2(&x[i][8], 68, 1, 4);
    preload(60, 0x80000000u, 1, 4, 1, 4);
    compute_preloaded(48, 0xffffffffu, 4, 4, 4, 4);
    preload(64, 0xc0000000u, 1, 4, 1, 4);
    compute_preloaded(52, 0xffffffffu, 4, 4, 4, 4);
    preload(68, 0xc0000000u, 1, 4, 1, 4);
    compute_preloaded(56, 0xffffffffu, 4, 4, 4, 4);
    mvout(&feedback[0], 0x80000000u, 1, 4);
    fence();
    for (int j = 0; j < 4; j++) {
      minus_feedback[j] = -feedback[j];
    }
    for (int j = 0; j < 4; j++) {
      minus_d[j] = -d[i][j];
    }
    for (int j = 0; j < 4; j++) {
      u[i][j] = minus_feedback[j] + minus_d[j];
    }

    // drift = Adyn * x[i]
    config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
    config_st(4);
    config_ld(4, 1.0f, 4, 1);
    config_ld(4, 1.0f, 4, 2);
    config_ld(48, 1.0f, 4, 0);
    mvin(&Adyn[0][0], 0, 12, 4);
    mvin(&Adyn[4][0], 12, 12, 4);
    mvin(&Adyn[8][0], 24, 12, 4);
    mvin2(&x[i][0], 60, 1, 4);
    mvin2(&x[i][4], 64, 1, 4);
    mvin2(&x[i][8], 68, 1, 4);
    preload(60, 0x80000000u, 1, 4, 1, 4);
    compute_preloaded(0, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0x80000004u, 1, 4, 1, 4);
    compute_accumulated(12, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0x80000008u, 1, 4, 1, 4);
    compute_accumulated(24, 0xffffffffu, 4, 4, 4, 4);
    preload(64, 0xc0000000u, 1, 4, 1, 4);
    compute_preloaded(4, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0xc0000004u, 1, 4, 1, 4);
    compute_accumulated(16, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0xc0000008u, 1, 4, 1, 4);
    compute_accumulated(28, 0xffffffffu, 4, 4, 4, 4);
    preload(68, 0xc0000000u, 1, 4, 1, 4);
    compute_preloaded(8, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0xc0000004u, 1, 4, 1, 4);
    compute_accumulated(20, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0xc0000008u, 1, 4, 1, 4);
    compute_accumulated(32, 0xffffffffu, 4, 4, 4, 4);
    mvout(&drift[0], 0x80000000u, 1, 4);
    mvout(&drift[4], 0x80000004u, 1, 4);
    mvout(&drift[8], 0x80000008u, 1, 4);
    fence();

    // push = Bdyn * u[i]
    config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
    config_st(4);
    config_ld(4, 1.0f, 4, 1);
    config_ld(4, 1.0f, 4, 2);
    config_ld(16, 1.0f, 4, 0);
    mvin(&Bdyn[0][0], 36, 4, 4);
    mvin(&Bdyn[4][0], 40, 4, 4);
    mvin(&Bdyn[8][0], 44, 4, 4);
    mvin2(&u[i][0], 60, 1, 4);
    preload(60, 0x80000000u, 1, 4, 1, 4);
    compute_preloaded(36, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0x80000004u, 1, 4, 1, 4);
    compute_accumulated(40, 0xffffffffu, 4, 4, 4, 4);
    preload(0xffffffffu, 0x80000008u, 1, 4, 1, 4);
    compute_accumulated(44, 0xffffffffu, 4, 4, 4, 4);
    mvout(&push[0], 0x80000000u, 1, 4);
    mvout(&push[4], 0x80000004u, 1, 4);
    mvout(&push[8], 0x80000008u, 1, 4);
    fence();
    for (int j = 0; j < 12; j++) {
      x[i + 1][j] = drift[j] + push[j];
    }
  }
}
