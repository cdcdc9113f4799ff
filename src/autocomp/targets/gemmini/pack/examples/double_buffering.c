// problem: gemm:128x128x128
// Double buffering. Every operand is loaded once, 64 columns at a time and one group of 64 values of k ahead; the array
// reads one bank of each operand while the other is filled; blocks of the output alternate between the banks of the
// accumulator, and the stores of one block are spread over the next.
#define SIZE 128
#define GROUPS_OF_K (SIZE / 64)
#define BLOCKS ((SIZE / 64) * (SIZE / 64))  // 64 x 64 values of C each: 4 x 4 tiles, 256 accumulator rows
#define NONE 0xffffffffu

// 16 rows of A and 64 values of k are four tiles in 64 rows; odd groups of k lie in the other bank.
#define A_ROW(tile, group) ((group) % 2 * 4096 + ((group) / 2 * (SIZE / 16) + (tile)) * 64)
// 16 values of k and 64 columns of B, likewise in banks 2 and 3.
#define B_ROW(tile, column) (8192 + (tile) / 4 % 2 * 4096 + (((tile) / 8 * 4 + (tile) % 4) * (SIZE / 64) + (column) / 64) * 64)

static inline int row_of(int block) { return block % (SIZE / 64) * 64; }
static inline int column_of(int block) { return block / (SIZE / 64) * 64; }

// Part 0 to 3 of what group `step` needs and no group before it has loaded.
static inline void load_part(int8_t A[SIZE][SIZE], int8_t B[SIZE][SIZE], int step, int part) {
  int block = step / GROUPS_OF_K, group = step % GROUPS_OF_K;
  int i = row_of(block), j = column_of(block);
  if (j == 0) mvin(&A[i + part * 16][group * 64], A_ROW(i / 16 + part, group), 64, 16);
  if (i == 0) mvin2(&B[group * 64 + part * 16][j], B_ROW(group * 4 + part, j), 64, 16);
}

static inline void store_part(int8_t C[SIZE][SIZE], int block, int part) {
  uint32_t sums = 0x80000000u + block % 2 * 512;
  mvout(&C[row_of(block) + part * 16][column_of(block)], sums + part * 64, 64, 16);
}

void solution(int8_t A[SIZE][SIZE], int8_t B[SIZE][SIZE], int8_t C[SIZE][SIZE]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(SIZE, 1.0f, 16, 0);
  config_ld(SIZE, 1.0f, 16, 1);
  config_st(SIZE);
  for (int part = 0; part < 4; part++) load_part(A, B, 0, part);
  for (int step = 0; step < BLOCKS * GROUPS_OF_K; step++) {
    int block = step / GROUPS_OF_K, group = step % GROUPS_OF_K;
    for (int part = 0; part < 4; part++) {  // one tile of k
      int first = group == 0 && part == 0;
      uint32_t sums = (first ? 0x80000000u : 0xc0000000u) + block % 2 * 512;
      int a = A_ROW(row_of(block) / 16, group) + part * 16;
      int b = B_ROW(group * 4 + part, column_of(block));
      for (int c = 0; c < 4; c++) {  // B stays in the array for four tiles of A
        preload(b + c * 16, sums + c * 16, 16, 16, 16, 16);
        compute_preloaded(a, NONE, 16, 16, 16, 16);
        for (int r = 1; r < 4; r++) {
          preload(NONE, sums + r * 64 + c * 16, 16, 16, 16, 16);
          compute_accumulated(a + r * 64, NONE, 16, 16, 16, 16);
        }
      }
      if (step + 1 < BLOCKS * GROUPS_OF_K) load_part(A, B, step + 1, part);
      if (block > 0 && group == 0) store_part(C, block - 1, part);
    }
  }
  for (int part = 0; part < 4; part++) store_part(C, BLOCKS - 1, part);
  fence();
}
