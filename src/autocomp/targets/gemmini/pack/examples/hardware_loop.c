// problem: gemm:100x120x200:bias:relu:scale=0.02
// Blocks of at most 4 x 8 x 8 tiles, each one LOOP_WS: it loads, multiplies and stores by itself, and the loads of the
// next loop run during its products. (4 * 8 + 8 * 8) * 16 rows of A and B and 4 * 8 * 16 rows of sums fit half of the
// scratchpad and of the accumulator. A loop over part of k has no C and keeps its half of the accumulator; the next
// one adds to it.
#define M 100
#define N 120
#define K 200

static inline int least(int a, int b) { return a < b ? a : b; }

void solution(int8_t A[M][K], int8_t B[K][N], int32_t bias[N], int8_t C[M][N]) {
  config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 1, false, false);
  config_ld(K, 1.0f, 16, 0);   // bytes, as for any mvin; the strides of the loop are elements
  config_ld(N, 1.0f, 16, 1);
  config_ld(0, 1.0f, 16, 2);   // the bias is one row for all rows of a tile
  config_st(N, RELU, 0.02f);   // activation and scale of the results
  for (int i = 0; i < M; i += 64) {
    int rows = least(64, M - i), tiles_i = (rows + 15) / 16;
    for (int k = 0; k < K; k += 128) {
      int depth = least(128, K - k), tiles_k = (depth + 15) / 16;
      bool first = k == 0, last = k + 128 >= K;
      gemmini_loop_ws(tiles_i, 8, tiles_k, tiles_i * 16 - rows, 128 - N, tiles_k * 16 - depth,  // tiles, then what they lack
                      &A[i][k], &B[k][0], first ? &bias[0] : NULL, last ? &C[i][0] : NULL,
                      K, N, 0, N,              // elements from row to row of A, B, D, C
                      false, false,            // A, B transposed
                      false, false,            // C at full width, D of elements
                      true,                    // add to what the accumulator holds: here the bias or the loop before
                      NO_ACTIVATION, 0, 0, false);  // not pinned to a half; a product, not a sum of matrices
    }
  }
  fence();
}
