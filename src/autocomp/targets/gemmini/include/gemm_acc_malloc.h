/* Accumulator for code that Exo generates: sizes in bytes, addresses in rows with the bit of the accumulator. */
#ifndef AUTOCOMP_GEMM_ACC_MALLOC_H
#define AUTOCOMP_GEMM_ACC_MALLOC_H

#include "gemmini.h"
#include "library/blocks.h"

#define GEMM_ACC_BIT 0x80000000u

static blocks_t gemm_acc_blocks __attribute__((unused)) = {.size = ACC_ROWS};

static inline __attribute__((unused)) uint32_t gemm_acc_malloc(unsigned long bytes) {
  const uint64_t row = DIM * sizeof(acc_t);
  return (uint32_t)blocks_take(&gemm_acc_blocks, (bytes + row - 1) / row) | GEMM_ACC_BIT;
}
static inline __attribute__((unused)) void gemm_acc_free(uint32_t address) {
  blocks_return(&gemm_acc_blocks, address & ~GEMM_ACC_BIT);
}

#endif
