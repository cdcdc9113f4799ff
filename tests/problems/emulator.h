/* What the commands of the accelerator compute, as plain C for the host. It shares nothing with the simulator: kernels
   are compiled against it to check them, and to count what they issue, by an independent route. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 16, SPAD_ROWS = 16384, ACC_ROWS = 1024, MAX_COLS = 64 };
enum { OUTPUT_STATIONARY = 0, WEIGHT_STATIONARY = 1, NO_ACTIVATION = 0, RELU = 1 };
enum { LOADS, ZERO_LOADS, COMPUTES, STORES, FENCES, COUNTERS };
#define GARBAGE 0xffffffffu

static int8_t spad[SPAD_ROWS][DIM];
static int32_t acc[ACC_ROWS][DIM];
static uint64_t ld_stride[3], st_stride;
static uint32_t ld_block[3];
static int st_activation;
static float st_scale;
static struct { int stride, size, out_dim, rows, cols, in_rows, in_cols, up, left; } pool;
static uint32_t pre_b, pre_c, pre_b_cols, pre_b_rows, pre_c_cols, pre_c_rows;
static const char *lows[8], *highs[8];
static int ranges;
static char failure[200];
static int64_t counters[COUNTERS];

#define REQUIRE(condition, ...)                                                          \
  do {                                                                                   \
    if (!(condition) && !failure[0]) snprintf(failure, sizeof failure, __VA_ARGS__);     \
    if (!(condition)) return;                                                            \
  } while (0)

static bool inside(const char *p, uint64_t n) {
  for (int i = 0; i < ranges; i++) if (lows[i] <= p && p + n <= highs[i]) return true;
  return false;
}

static void config_ex(int dataflow, int activation, int a_stride, bool a_t, bool b_t) {
  REQUIRE(dataflow == WEIGHT_STATIONARY && !activation && a_stride == 1 && !a_t && !b_t, "config_ex: not modelled");
}
static void config_ld(uint64_t stride, float scale, int block_stride, int id) {
  REQUIRE(scale == 1.0f, "config_ld: not modelled");
  ld_stride[id] = stride; ld_block[id] = block_stride;
}
static void gemmini_extended2_config_st(uint64_t stride, int activation, float scale, int pool_stride, int pool_size,
                                        int out_dim, int rows, int cols, int in_rows, int in_cols, int up, int left) {
  st_stride = stride; st_activation = activation; st_scale = scale;
  pool.stride = pool_stride; pool.size = pool_size; pool.out_dim = out_dim; pool.rows = rows; pool.cols = cols;
  pool.in_rows = in_rows; pool.in_cols = in_cols; pool.up = up; pool.left = left;
}
static void gemmini_extended_config_st(uint64_t stride, int activation, float scale) {
  gemmini_extended2_config_st(stride, activation, scale, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
static void config_st(uint64_t stride) { gemmini_extended_config_st(stride, NO_ACTIVATION, 1.0f); }

static void load(const void *from, uint32_t to, uint32_t cols, uint32_t rows, int id) {
  counters[from ? LOADS : ZERO_LOADS]++;
  bool to_acc = to >> 31, add = to >> 30 & 1;
  uint32_t base = to & 0x1fffffff, blocks = (cols + DIM - 1) / DIM;
  REQUIRE(cols >= 1 && rows >= 1 && rows <= DIM && cols <= (to_acc ? DIM : MAX_COLS), "load of %ux%u", rows, cols);
  REQUIRE(rows <= ld_block[id], "load of %u rows with blocks %u apart", rows, ld_block[id]);
  REQUIRE(base + (blocks - 1) * ld_block[id] + rows <= (to_acc ? ACC_ROWS : SPAD_ROWS), "load to row %u", base);
  for (uint32_t r = 0; r < rows; r++) {
    const char *row = from ? (const char *)from + r * ld_stride[id] : 0;
    REQUIRE(!from || inside(row, cols * (to_acc ? 4 : 1)), "load outside the arrays");
    for (uint32_t c = 0; c < cols; c++) {
      uint32_t line = base + c / DIM * ld_block[id] + r;
      if (!to_acc) { spad[line][c % DIM] = row ? (int8_t)row[c] : 0; continue; }
      int32_t value = 0;
      if (row) memcpy(&value, row + 4 * c, 4);
      acc[line][c % DIM] = add ? (int32_t)((uint32_t)acc[line][c % DIM] + (uint32_t)value) : value;
    }
  }
}
static void mvin(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 0); }
static void mvin2(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 1); }
static void mvin3(const void *from, uint32_t to, uint32_t cols, uint32_t rows) { load(from, to, cols, rows, 2); }

static void preload(uint32_t b, uint32_t c, uint32_t b_cols, uint32_t b_rows, uint32_t c_cols, uint32_t c_rows) {
  pre_b = b; pre_c = c; pre_b_cols = b_cols; pre_b_rows = b_rows; pre_c_cols = c_cols; pre_c_rows = c_rows;
}
static void compute_preloaded(uint32_t a, uint32_t d, uint32_t a_cols, uint32_t a_rows, uint32_t d_cols, uint32_t d_rows) {
  counters[COMPUTES]++;
  (void)d_cols; (void)d_rows;
  uint32_t to = pre_c & 0x1fffffff;
  bool add = pre_c >> 30 & 1;
  REQUIRE(d == GARBAGE && pre_c >> 31, "compute: not modelled");
  REQUIRE(a + a_rows <= SPAD_ROWS && pre_b + pre_b_rows <= SPAD_ROWS && to + pre_c_rows <= ACC_ROWS, "compute: address");
  for (uint32_t r = 0; r < pre_c_rows; r++)
    for (uint32_t c = 0; c < pre_c_cols; c++) {
      int32_t sum = 0;
      if (r < a_rows && c < pre_b_cols)
        for (uint32_t k = 0; k < a_cols && k < pre_b_rows; k++) sum += spad[a + r][k] * spad[pre_b + k][c];
      acc[to + r][c] = add ? (int32_t)((uint32_t)acc[to + r][c] + (uint32_t)sum) : sum;
    }
}
static int8_t narrow(int32_t value) {
  if (st_activation == RELU && value < 0) value = 0;
  float scaled = nearbyintf((float)value * st_scale);
  return scaled > 127 ? 127 : scaled < -128 ? -128 : (int8_t)scaled;
}
static int8_t pooled(uint32_t base, int row, int col, uint32_t channel) {
  int8_t most = INT8_MIN;
  for (int i = 0; i < pool.size; i++)
    for (int j = 0; j < pool.size; j++) {
      int r = row * pool.stride + i - pool.up, c = col * pool.stride + j - pool.left;
      bool outside = r < 0 || c < 0 || r >= pool.in_rows || c >= pool.in_cols;
      int8_t value = outside ? 0 : narrow(acc[base + r * pool.in_cols + c][channel]);
      if (value > most) most = value;
    }
  return most;
}
static void mvout(void *to, uint32_t from, uint32_t cols, uint32_t rows) {
  counters[STORES]++;
  uint32_t base = from & 0x1fffffff, blocks = (cols + DIM - 1) / DIM;
  REQUIRE(from >> 31 && cols >= 1 && cols <= MAX_COLS && rows >= 1 && rows <= DIM, "store of %ux%u", rows, cols);
  if (pool.stride) {
    REQUIRE(cols <= DIM && base + pool.in_rows * pool.in_cols <= ACC_ROWS, "pooled store from row %u", base);
    for (int r = 0; r < pool.rows; r++)
      for (int c = 0; c < pool.cols; c++) {
        int8_t *pixel = (int8_t *)to + (r * pool.out_dim + c) * st_stride;
        REQUIRE(inside((const char *)pixel, cols), "store outside the arrays");
        for (uint32_t channel = 0; channel < cols; channel++) pixel[channel] = pooled(base, r, c, channel);
      }
    return;
  }
  REQUIRE(base + (blocks - 1) * DIM + rows <= ACC_ROWS, "store from row %u", base);
  for (uint32_t r = 0; r < rows; r++) {
    int8_t *row = (int8_t *)to + r * st_stride;
    REQUIRE(inside((const char *)row, cols), "store outside the arrays");
    for (uint32_t c = 0; c < cols; c++) row[c] = narrow(acc[base + c / DIM * DIM + r][c % DIM]);
  }
}
static void fence(void) { counters[FENCES]++; }

/* The long names, as our library uses them; its own inclusion of gemmini.h is then empty. */
#define AUTOCOMP_GEMMINI_H
#define BANK_NUM 4
#define BANK_ROWS (SPAD_ROWS / BANK_NUM)
#define ACC_BANK_ROWS (ACC_ROWS / 2)
#define MAX_BLOCK_LEN (MAX_COLS / DIM)
#define GARBAGE_ADDR GARBAGE
#define MVIN_SCALE_IDENTITY 1.0f
typedef int8_t elem_t;
typedef int32_t acc_t, scale_acc_t;
typedef float scale_t, acc_scale_t;
enum tiled_matmul_type_t { OS, WS, CPU, WS_LOOP };
#define gemmini_extended_config_ex(dataflow, act, shift, a_stride, a_t, b_t) config_ex(dataflow, act, a_stride, a_t, b_t)
#define gemmini_extended3_config_ld(stride, scale, shrunk, id) config_ld(stride, shrunk ? 0 : scale, DIM, id)
#define gemmini_extended_mvin mvin
#define gemmini_extended_mvout mvout
#define gemmini_extended_preload preload
#define gemmini_extended_compute_preloaded compute_preloaded
#define gemmini_fence fence
#define gemmini_loop_ws(...) snprintf(failure, sizeof failure, "loop_ws: not modelled")

#include KERNEL

const char *run(void **arrays, const uint64_t *sizes, int count, int64_t *counted) {
  memset(spad, 0x55, sizeof spad);
  memset(acc, 0x55, sizeof acc);
  memset(counters, 0, sizeof counters);
  failure[0] = 0;
  ranges = count;
  for (int i = 0; i < count; i++) { lows[i] = arrays[i]; highs[i] = lows[i] + sizes[i]; }
  if (count == 3) ((void (*)(void *, void *, void *))solution)(arrays[0], arrays[1], arrays[2]);
  else ((void (*)(void *, void *, void *, void *))solution)(arrays[0], arrays[1], arrays[2], arrays[3]);
  memcpy(counted, counters, sizeof counters);
  return failure;
}
