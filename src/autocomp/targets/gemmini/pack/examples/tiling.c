// problem: gemm:128x128x48
// One block of the output is 4 x 4 tiles with sums of its own for each: what is loaded for the block serves all of
// them. A and B are loaded twice each; tile by tile it would be 8 times. Blocks take the two banks of the accumulator
// in turn.
#define ROWS 64     // of a block: 4 tiles
#define COLUMNS 64  // of a block: 4 tiles, one wide load

void solution(int8_t A[128][48], int8_t B[48][128], int8_t C[128][128]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(48, 1.0f, 16, 0);
  config_ld(128, 1.0f, 16, 1);
  config_st(128);
  int block = 0;
  for (int jo = 0; jo < 128; jo += COLUMNS) {
    for (int io = 0; io < 128; io += ROWS, block++) {
      uint32_t sums = 0x80000000u + block % 2 * 512;        // 16 tiles: 256 rows
      int a = block % 2 * 4096, b = 8192 + block % 2 * 4096;  // the next block goes to other banks
      for (int i = 0; i < ROWS; i += 16) mvin(&A[io + i][0], a + i * 4, 48, 16);  // 3 tiles, 64 rows from one to the next
      for (int k = 0; k < 48; k += 16) {
        mvin2(&B[k][jo], b + k * 4, 64, 16);  // 4 tiles
        for (int j = 0; j < COLUMNS; j += 16) {
          for (int i = 0; i < ROWS; i += 16) {
            uint32_t c = sums + i * 4 + j;  // the 4 tiles of a row of the block lie one behind the other
            preload(b + k * 4 + j, k > 0 ? c | 0x40000000u : c, 16, 16, 16, 16);
            compute_preloaded(a + i * 4 + k, 0xffffffffu, 16, 16, 16, 16);
          }
        }
      }
      for (int i = 0; i < ROWS; i += 16) mvout(&C[io + i][jo], sums + i * 4, 64, 16);
    }
  }
  fence();
}
