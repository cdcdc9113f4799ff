/* The load and store streams of data/memory.csv in the order of that file: once each. */
#define ACC 0x80000000u

static int8_t X1[2048][512] __attribute__((aligned(64)));
static int8_t X2[2048][64] __attribute__((aligned(64)));
static int8_t Y1[2048][512] __attribute__((aligned(64)));
static int8_t Y3[2048][512] __attribute__((aligned(64)));
static int8_t Y2[2048][64] __attribute__((aligned(64)));
static int8_t Z[2048][512] __attribute__((aligned(64)));

static inline uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles) : : "memory");
  return cycles;
}

#define BENCH(...)                \
  do {                            \
    fence();                      \
    uint64_t start = now();       \
    __VA_ARGS__;                  \
    fence();                      \
    uint64_t end = now();         \
    cycles[row++] = end - start;  \
  } while (0)
#define ROWS(...) for (int i = 0; i < 128; i++) { __VA_ARGS__; }
#define Z_LINES(n)              \
  for (int i = 0; i < (n); i++) \
    for (int j = 0; j < 8; j++) mvin(&Z[16 * i][64 * j], 64 * ((8 * i + j) & 63), 64, 16)

void solution(uint64_t cycles[64]) {
  int row = 0;
  flush(0);
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_st(512);
  config_ld(512, 1.0f, 16, 0);
  config_ld(64, 1.0f, 16, 1);
  for (int i = 0; i < 64; i++) mvin(0, ACC + 16 * i, 16, 16);

  BENCH(ROWS(mvin(&X1[16 * i][0], 64 * (i & 63), 64, 16)));
  BENCH(ROWS(mvin(&X1[16 * i][0], 64 * (i & 63), 64, 16)));
  BENCH(ROWS(mvin2(&X2[16 * i][0], 64 * (i & 63), 64, 16)));
  BENCH(ROWS(mvin2(&X2[16 * i][0], 64 * (i & 63), 64, 16)));
  BENCH(ROWS(mvin(&X1[16 * i][256], 64 * (i & 63), 16, 16)));
  BENCH(ROWS(mvout(&Y1[16 * i][0], ACC + 16 * (i & 31), 16, 16)));
  BENCH(ROWS(mvout(&Y1[16 * i][16], ACC + 16 * (i & 31), 16, 16)));
  BENCH(ROWS(mvout(&Y3[16 * i][0], ACC + 64 * (i & 7), 64, 16)));
  config_st(64);
  BENCH(ROWS(mvout(&Y2[16 * i][0], ACC + 64 * (i & 7), 64, 16)));
  config_st(512);
  BENCH(Z_LINES(128));
  BENCH(Z_LINES(128));
  BENCH(Z_LINES(32));
  BENCH(Z_LINES(32));
  BENCH(ROWS(mvin(&Y1[16 * i][128], 64 * (i & 63), 64, 16);
             mvout(&Y3[16 * i][256], ACC + 64 * (i & 7), 64, 16)));
}
