/* A GEMM through the hardware loop, as data/gemm.csv describes it: C = A x B without bias, int8, arrays written by the
 * core just before, tiles chosen so that one loop fills half of the scratchpad and of the accumulator. Two runs: the
 * first is cold, the second warm. M, N and K are defined in front of this text. */
#define HALF_SCRATCHPAD (BANK_NUM * BANK_ROWS / 2)
#define HALF_ACCUMULATOR (ACC_ROWS / 2)
#define SIDE 5 /* tiles of a square in that half, as many as there is room for */

static int8_t A[M][K] __attribute__((aligned(64)));
static int8_t B[K][N] __attribute__((aligned(64)));
static int8_t C[M][N] __attribute__((aligned(64)));

static inline uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles) : : "memory");
  return cycles;
}

/* A library passes everything that its loops can do, through a pointer to a function, and sorts it out there: the call
 * and its arguments are part of the time. */
static __attribute__((noipa)) void loop(const int8_t *a, const int8_t *b, const void *d, void *c, float a_scale,
                                        float b_scale, float d_scale, size_t i, size_t j, size_t k, size_t pad_i,
                                        size_t pad_j, size_t pad_k, size_t a_stride, size_t b_stride, size_t d_stride,
                                        size_t c_stride, bool a_transpose, bool b_transpose, bool full_c, bool low_d,
                                        bool no_bias, bool repeating_bias, int activation, int a_half, int b_half) {
  gemmini_loop_ws(i, j, k, pad_i, pad_j, pad_k, a, b, no_bias ? NULL : d, c, a_stride, b_stride,
                  repeating_bias ? 0 : d_stride, c_stride, a_transpose, b_transpose, full_c, low_d,
                  !no_bias || d == NULL, activation, a_half, b_half, false);
}

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

static inline bool fits(size_t i, size_t j, size_t k) {
  return (i * k + k * j) * DIM <= HALF_SCRATCHPAD && i * j * DIM <= HALF_ACCUMULATOR;
}

static inline void gemm(void) {
  const size_t all_i = (M + DIM - 1) / DIM, all_j = (N + DIM - 1) / DIM, all_k = (K + DIM - 1) / DIM;
  /* A square of results and as much of K as fits first, then J, I and K in turn while there is room. */
  size_t i = least(all_i, SIDE), j = least(all_j, SIDE), k = least(all_k, HALF_SCRATCHPAD / DIM / SIDE);
  for (bool grown = true; grown;) {
    grown = false;
    if (j < all_j && fits(i, j + 1, k)) { j++; grown = true; }
    if (i < all_i && fits(i + 1, j, k)) { i++; grown = true; }
    if (k < all_k && fits(i, j, k + 1)) { k++; grown = true; }
  }
  const size_t loops_i = (all_i + i - 1) / i, loops_j = (all_j + j - 1) / j, loops_k = (all_k + k - 1) / k;

  gemmini_extended_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0, 1, false, false);
  gemmini_extended_config_st(N, NO_ACTIVATION, 1.0f);
  gemmini_extended3_config_ld(K, 1.0f, false, 0);
  gemmini_extended3_config_ld(N, 1.0f, false, 1);
  gemmini_extended3_config_ld(N * 4, 1.0f, false, 2);
  for (size_t i0 = 0; i0 < loops_i; i0++) {
    for (size_t j0 = 0; j0 < loops_j; j0++) {
      for (size_t k0 = 0; k0 < loops_k; k0++) {
        const bool end_i = i0 == loops_i - 1, end_j = j0 == loops_j - 1, end_k = k0 == loops_k - 1;
        loop(&A[0][0] + i0 * i * DIM * K + k0 * k * DIM, &B[0][0] + k0 * k * DIM * N + j0 * j * DIM,
             k0 == 0 ? (const void *)1 : NULL, end_k ? &C[0][0] + i0 * i * DIM * N + j0 * j * DIM : NULL, 1.0f, 1.0f,
             1.0f, end_i ? all_i - i0 * i : i, end_j ? all_j - j0 * j : j, end_k ? all_k - k0 * k : k,
             end_i ? all_i * DIM - M : 0, end_j ? all_j * DIM - N : 0, end_k ? all_k * DIM - K : 0, K, N, N, N, false,
             false, false, false, true, false, NO_ACTIVATION, 0, 0);
      }
    }
  }
  fence();
}

/* Written eight bytes at a time, row by row. */
static inline void fill(int8_t *array, size_t bytes) {
  uint64_t *words = (uint64_t *)array, value = 0x0102030405060708u;
  for (size_t i = 0; i < bytes / 8; i++) words[i] = value += 0x1100110011001100u;
}

void solution(uint64_t cycles[64]) {
  fill(&A[0][0], sizeof A);
  fill(&B[0][0], sizeof B);
  flush(0);
  for (int run = 0; run < 2; run++) {
    fence();
    uint64_t start = now();
    gemm();
    cycles[run] = now() - start;
  }
}
