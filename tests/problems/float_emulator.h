/* What the commands compute on an array of 4 by 4 float32, as plain C for the host; shares nothing with the simulator.
   Whatever nothing has written is NaN, and so is what is computed from it. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIM = 4, SPAD_ROWS = 16384, ACC_ROWS = 4096, MAX_COLS = 16 };
enum { OUTPUT_STATIONARY = 0, WEIGHT_STATIONARY = 1, NO_ACTIVATION = 0, RELU = 1 };
enum { LOADS, COMPUTES, STORES, FENCES, CONFIGS, LOOPS, COUNTERS };
#define NONE 0xffffffffu

typedef struct { uint32_t at, cols, rows; } Block;

static float spad[SPAD_ROWS][DIM], acc[ACC_ROWS][DIM], resident[DIM][DIM];
static struct { uint64_t stride; float scale; } ld[3];
static uint64_t st_stride;
static float st_scale;
static bool a_transposed;
static Block pre_b, pre_c;
static const char *lows[8], *highs[8];
static int ranges;
static char failure[200];
static int64_t counters[COUNTERS];

#define REQUIRE(condition, ...)                                                          \
  do {                                                                                   \
    if (!(condition) && !failure[0]) snprintf(failure, sizeof failure, __VA_ARGS__);     \
    if (!(condition)) return;                                                            \
  } while (0)

/* Arrays of the kernel itself are not known here, but they are not next to an array of the problem. */
static bool inside(const void *from, uint64_t bytes) {
  const char *p = from;
  for (int i = 0; i < ranges; i++)
    if (lows[i] <= p && p + bytes <= highs[i]) return true;
  for (int i = 0; i < ranges; i++)
    if (lows[i] - 64 < p + bytes && p < highs[i] + 64) return false;
  return true;
}

static void config_ex(int dataflow, int activation, int a_stride, bool a_t, bool b_t) {
  counters[CONFIGS]++;
  REQUIRE(dataflow == WEIGHT_STATIONARY && !activation && a_stride == 1 && !b_t, "config_ex: not modelled");
  a_transposed = a_t;
}
static void config_ld(uint64_t stride, float scale, int block_stride, int id) {
  counters[CONFIGS]++;
  REQUIRE(block_stride == DIM, "config_ld: not modelled");
  ld[id].stride = stride; ld[id].scale = scale;
}
static void configure_store(uint64_t stride, int activation, float scale) {
  counters[CONFIGS]++;
  REQUIRE(!activation, "config_st: not modelled");
  st_stride = stride; st_scale = scale;
}
#define CHOOSE(a, b, c, name, ...) name
#define STORE_1(stride) configure_store(stride, NO_ACTIVATION, 1.0f)
#define STORE_3(stride, activation, scale) configure_store(stride, activation, scale)
#define config_st(...) CHOOSE(__VA_ARGS__, STORE_3, 0, STORE_1, 0)(__VA_ARGS__)

static void load(const void *from, uint32_t to, uint32_t cols, uint32_t rows, int id) {
  counters[LOADS]++;
  uint32_t base = to & 0x1fffffff, limit = to >> 31 ? ACC_ROWS : SPAD_ROWS;
  REQUIRE(from && cols >= 1 && rows >= 1 && rows <= DIM && cols <= MAX_COLS, "load of %ux%u", rows, cols);
  REQUIRE(base + (cols - 1) / DIM * DIM + rows <= limit, "load to row %u", base);
  for (uint32_t r = 0; r < rows; r++) {
    const float *row = (const float *)((const char *)from + r * ld[id].stride);
    REQUIRE(inside(row, 4 * cols), "load outside the arrays");
    for (uint32_t c = 0; c < cols; c++) {
      float *line = to >> 31 ? acc[base + c / DIM * DIM + r] : spad[base + c / DIM * DIM + r];
      line[c % DIM] = (to >> 31 && to >> 30 & 1 ? line[c % DIM] : 0) + row[c] * ld[id].scale;
    }
  }
}
static void mvin(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 0); }
static void mvin2(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 1); }
static void mvin3(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 2); }

static void preload(uint32_t b, uint32_t c, uint32_t b_cols, uint32_t b_rows, uint32_t c_cols, uint32_t c_rows) {
  pre_b = (Block){b, b_cols, b_rows}; pre_c = (Block){c, c_cols, c_rows};
}
static void compute(uint32_t a, uint32_t d, uint32_t a_cols, uint32_t a_rows) {
  counters[COMPUTES]++;
  uint32_t to = pre_c.at & 0x1fffffff;
  bool add = pre_c.at >> 30 & 1;
  REQUIRE(d == NONE && pre_c.at >> 31, "compute: not modelled");
  REQUIRE(a + a_rows <= SPAD_ROWS && to + pre_c.rows <= ACC_ROWS, "compute: address");
  for (uint32_t r = 0; r < pre_c.rows; r++)
    for (uint32_t c = 0; c < pre_c.cols; c++) {
      float sum = 0;
      for (uint32_t k = 0; k < a_cols; k++) sum += (a_transposed ? spad[a + k][r] : spad[a + r][k]) * resident[k][c];
      acc[to + r][c] = add ? acc[to + r][c] + sum : sum;
    }
}
static void compute_accumulated(uint32_t a, uint32_t d, uint32_t a_cols, uint32_t a_rows, uint32_t d_cols, uint32_t d_rows) {
  REQUIRE(pre_b.at == NONE, "compute_accumulated with a new operand");
  compute(a, d, a_cols, a_rows);
}
static void compute_preloaded(uint32_t a, uint32_t d, uint32_t a_cols, uint32_t a_rows, uint32_t d_cols, uint32_t d_rows) {
  REQUIRE(pre_b.at + pre_b.rows <= SPAD_ROWS, "preload from row %u", pre_b.at);
  for (uint32_t r = 0; r < DIM; r++)
    for (uint32_t c = 0; c < DIM; c++) resident[r][c] = r < pre_b.rows && c < pre_b.cols ? spad[pre_b.at + r][c] : 0;
  compute(a, d, a_cols, a_rows);
}
static void mvout(void *to, uint32_t from, uint32_t cols, uint32_t rows) {
  counters[STORES]++;
  uint32_t base = from & 0x1fffffff;
  REQUIRE(from >> 31 && cols >= 1 && cols <= MAX_COLS && rows >= 1 && rows <= DIM, "store of %ux%u", rows, cols);
  REQUIRE(base + (cols - 1) / DIM * DIM + rows <= ACC_ROWS, "store from row %u", base);
  for (uint32_t r = 0; r < rows; r++) {
    float *row = (float *)((char *)to + r * st_stride);
    REQUIRE(inside(row, 4 * cols), "store outside the arrays");
    for (uint32_t c = 0; c < cols; c++) row[c] = acc[base + c / DIM * DIM + r][c % DIM] * st_scale;
  }
}
static void fence(void) { counters[FENCES]++; }

/* A hardware loop is the commands it stands for; A in the lower, B in the upper rows of the scratchpad. */
static void gemmini_loop_ws(int I, int J, int K, int pad_I, int pad_J, int pad_K, const float *A, const float *B,
                            const float *D, float *C, int A_stride, int B_stride, int D_stride, int C_stride, bool A_t,
                            bool B_t, bool full_C, bool low_D, bool ex_accumulate, int act, int a_id, int b_id, bool resadd) {
  counters[LOOPS]++;
  REQUIRE(!B_t && !full_C && !low_D && !act && !a_id && !b_id && !resadd && A_t == a_transposed, "loop: not modelled");
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) {
      int rows = DIM - (i == I - 1 ? pad_I : 0), cols = DIM - (j == J - 1 ? pad_J : 0);
      if (D) mvin3(D + (i * D_stride + j) * DIM, 0x80000000u, cols, rows);
      for (int k = 0; k < K; k++) {
        int depth = DIM - (k == K - 1 ? pad_K : 0);
        mvin(A + (A_t ? k * A_stride + i : i * A_stride + k) * DIM, 0, A_t ? rows : depth, A_t ? depth : rows);
        mvin2(B + (k * B_stride + j) * DIM, SPAD_ROWS - DIM, cols, depth);
        preload(SPAD_ROWS - DIM, k || ex_accumulate ? 0xc0000000u : 0x80000000u, cols, depth, cols, rows);
        compute_preloaded(0, NONE, depth, rows, DIM, DIM);
      }
      mvout(C + (i * C_stride + j) * DIM, 0x80000000u, cols, rows);
    }
}

#include KERNEL

const char *run(void **arrays, const uint64_t *sizes, int count, int64_t *counted) {
  memset(spad, 0xff, sizeof spad);
  memset(acc, 0xff, sizeof acc);
  memset(resident, 0xff, sizeof resident);
  memset(counters, 0, sizeof counters);
  failure[0] = 0;
  ranges = count;
  for (int i = 0; i < count; i++) { lows[i] = arrays[i]; highs[i] = lows[i] + sizes[i]; }
  void **a = arrays;
  if (count == 6) ((void (*)(void *, void *, void *, void *, void *, void *))solution)(a[0], a[1], a[2], a[3], a[4], a[5]);
  else ((void (*)(void *, void *, void *, void *, void *, void *, void *, void *))solution)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  memcpy(counted, counters, sizeof counters);
  return failure;
}
