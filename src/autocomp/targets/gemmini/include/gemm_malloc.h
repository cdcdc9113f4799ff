/* Scratchpad for code that Exo generates: sizes in bytes, addresses in rows. Kernels include gemmini.h anyway. */
#ifndef AUTOCOMP_GEMM_MALLOC_H
#define AUTOCOMP_GEMM_MALLOC_H

#include "gemmini.h"
#include "library/blocks.h"

static blocks_t gemm_blocks __attribute__((unused)) = {.size = BANK_NUM * BANK_ROWS};

static inline __attribute__((unused)) uint32_t gemm_malloc(unsigned long bytes) {
  const uint64_t row = DIM * sizeof(elem_t);
  return (uint32_t)blocks_take(&gemm_blocks, (bytes + row - 1) / row);
}
static inline __attribute__((unused)) void gemm_free(uint64_t address) { blocks_return(&gemm_blocks, address); }

#endif
