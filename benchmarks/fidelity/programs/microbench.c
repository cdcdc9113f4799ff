/* The micro-benchmarks of data/microbench.csv in the order of that file: three runs each, the third one counts. */
#define ACC 0x80000000u
#define ADD 0x40000000u
#define FULL 0x20000000u
#define G GARBAGE_ADDR

static int8_t A[512][512] __attribute__((aligned(64)));
static int8_t C[512][512] __attribute__((aligned(64)));
static int32_t D[64][512] __attribute__((aligned(64)));

static inline uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles) : : "memory");
  return cycles;
}

#define BENCH(...)                      \
  do {                                  \
    for (int run = 0; run < 3; run++) { \
      fence();                          \
      uint64_t start = now();           \
      { __VA_ARGS__; }                  \
      fence();                          \
      uint64_t end = now();             \
      cycles[row] = end - start;        \
    }                                   \
    row++;                              \
  } while (0)
#define LOOP(n, ...) for (int i = 0; i < (n); i++) { __VA_ARGS__; }

void solution(uint64_t cycles[64]) {
  int row = 0;
  flush(0);
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_st(512);
  config_ld(512, 1.0f, 16, 0);
  config_ld(512, 1.0f, 16, 1);
  /* Local memories have contents, as they have after the first run on hardware. */
  for (int i = 0; i < 256; i++) mvin(0, 64 * i, 64, 16);
  for (int i = 0; i < 64; i++) mvin(0, ACC + 16 * i, 16, 16);

  BENCH();
  BENCH(config_ld(512, 1.0f, 16, 0));
  BENCH(LOOP(16, config_ld(512, 1.0f, 16, 0)));
  BENCH(config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false));

  BENCH(mvin(&A[0][0], 0, 16, 1));
  BENCH(mvin(&A[0][0], 0, 16, 16));
  BENCH(LOOP(2, mvin(&A[16 * i][0], 64 * i, 16, 16)));
  BENCH(LOOP(16, mvin(&A[16 * i][0], 64 * i, 16, 16)));
  BENCH(mvin(&A[0][0], 0, 64, 16));
  BENCH(LOOP(2, mvin(&A[16 * i][0], 64 * i, 64, 16)));
  BENCH(LOOP(16, mvin(&A[16 * i][0], 64 * i, 64, 16)));
  BENCH(LOOP(16, mvin(0, ACC + 16 * i, 16, 16)));
  BENCH(LOOP(16, mvin(0, 64 * i, 64, 16)));
  config_ld(2048, 1.0f, 16, 0);
  BENCH(mvin(D, ACC, 16, 16));
  BENCH(LOOP(16, mvin(&D[16 * (i & 3)][16 * (i >> 2)], ACC + 16 * i, 16, 16)));
  config_ld(0, 1.0f, 16, 0);
  BENCH(LOOP(16, mvin(&D[0][16 * i], ACC + 16 * i, 16, 16)));
  config_ld(512, 1.0f, 16, 0);

  BENCH(preload(0, ACC, 16, 16, 16, 16); compute_preloaded(1024, G, 16, 16, 16, 16));
  BENCH(LOOP(2, preload(16 * i, ACC + 16 * i, 16, 16, 16, 16);
             compute_preloaded(4096 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(32, preload(16 * i, ACC + 16 * i, 16, 16, 16, 16);
             compute_preloaded(4096 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(64, preload(16 * (i & 31), ACC + 16 * (i & 31), 16, 16, 16, 16);
             compute_preloaded(4096 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(64, preload(16 * (i & 31), ACC + 16 * (i & 31), 16, 16, 16, 16);
             compute_preloaded(1024 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(64, preload(G, ACC + 16 * (i & 31), 16, 16, 16, 16);
             compute_accumulated(4096 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(64, preload(G, ACC | ADD, 16, 16, 16, 16);
             compute_accumulated(4096 + 16 * i, G, 16, 16, 16, 16)));
  BENCH(LOOP(64, preload(G, ACC + 16 * (i & 31), 16, 16, 16, 4);
             compute_accumulated(4096 + 16 * i, G, 16, 4, 16, 16)));
  BENCH(LOOP(64, preload(16 * (i & 31), ACC + 16 * (i & 31), 16, 16, 16, 4);
             compute_preloaded(4096 + 16 * i, G, 16, 4, 16, 16)));

  BENCH(mvout(C, ACC, 16, 16));
  BENCH(LOOP(16, mvout(&C[16 * i][0], ACC + 16 * i, 16, 16)));
  BENCH(mvout(C, ACC, 64, 16));
  BENCH(LOOP(8, mvout(&C[16 * i][0], ACC + 64 * i, 64, 16)));
  config_st(2048);
  BENCH(LOOP(16, mvout(&D[16 * (i & 3)][16 * (i >> 2)], (ACC | FULL) + 16 * i, 16, 16)));
  config_st(512);
  BENCH(LOOP(8, mvout(&C[16 * i][0], 64 * i, 64, 16)));

  BENCH(mvin(A, 0, 16, 16); mvin2(A, 4096, 16, 16); preload(0, ACC, 16, 16, 16, 16);
        compute_preloaded(4096, G, 16, 16, 16, 16); mvout(C, ACC, 16, 16));
  config_ex(OUTPUT_STATIONARY, NO_ACTIVATION, 1, false, false);
  BENCH(LOOP(32, preload(G, ACC + 16 * i, 16, 16, 16, 16);
             compute_preloaded(4096 + 16 * i, 16 * i, 16, 16, 16, 16)));
  BENCH(LOOP(32, preload(G, i == 31 ? ACC : G, 16, 16, 16, 16);
             if (i == 0) compute_preloaded(4096 + 16 * i, 16 * i, 16, 16, 16, 16);
             else compute_accumulated(4096 + 16 * i, 16 * i, 16, 16, 16, 16)));
  volatile int32_t x = 0;
  BENCH(LOOP(100, x += i));
}
