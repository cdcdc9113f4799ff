// problem: tinympc:forward
// u[i] = -K x[i] - d[i], x[i+1] = A x[i] + B u[i] in single precision on 4 x 4 cells. Matrices are loaded once,
// vectors are rows and never leave the chip between steps: sums stay in the accumulator and are read from there as the
// next operand. K and d are loaded with scale -1, so the core computes nothing, and memory is only written.
#define NONE 0xffffffffu
#define ADD 0x40000000u
#define K_ROW 0           // three tiles of K
#define B_ROW 12          // three tiles of B
#define A_ROW 4096        // nine tiles of A, three for each row of tiles
#define D_ROW 8192        // one row for each step
#define X(step) (0x80000000u + (step) * 12)      // three tiles of one row, 4 rows apart as mvout needs them
#define U(step) (0x80000000u + 128 + (step) * 4)

// sums = vector * matrix' (+ start): the array transposes the tile, so the matrix lies as it does in memory.
#define PRODUCT(tile, vector, sums, start)        \
  do {                                            \
    preload(tile, sums, 4, 4, 4, 1);              \
    compute_preloaded(vector, start, 4, 1, 4, 1); \
  } while (0)

void solution(float Adyn[12][12], float Bdyn[12][4], float Kinf[4][12], float x[6][12], float d[5][4], float u[5][4]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, true);
  config_st(48);                    // only one row is stored at a time
  config_ld(48, -1.0f, 4, 0);
  mvin(&Kinf[0][0], K_ROW, 12, 4);
  config_ld(16, -1.0f, 4, 1);
  mvin2(&d[0][0], D_ROW, 4, 4);
  mvin2(&d[4][0], D_ROW + 4, 4, 1);
  config_ld(48, 1.0f, 4, 2);
  mvin3(&x[0][0], X(0), 12, 1);
  for (int j = 0; j < 3; j++) mvin3(&Adyn[4 * j][0], A_ROW + 12 * j, 12, 4);
  config_ld(16, 1.0f, 4, 1);
  for (int j = 0; j < 3; j++) mvin2(&Bdyn[4 * j][0], B_ROW + 4 * j, 4, 4);
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 3; k++) PRODUCT(K_ROW + 4 * k, X(i) + 4 * k, k ? U(i) | ADD : U(i), k ? NONE : D_ROW + i);
    for (int k = 0; k < 3; k++) {  // does not need u: the array works while u is on its way out
      for (int j = 0; j < 3; j++) {
        uint32_t next = X(i + 1) + 4 * j;
        PRODUCT(A_ROW + 12 * j + 4 * k, X(i) + 4 * k, k ? next | ADD : next, NONE);
      }
    }
    mvout(&u[i][0], U(i), 4, 1);
    for (int j = 0; j < 3; j++) PRODUCT(B_ROW + 4 * j, U(i), (X(i + 1) + 4 * j) | ADD, NONE);
    mvout(&x[i + 1][0], X(i + 1), 12, 1);
  }
  fence();
}
