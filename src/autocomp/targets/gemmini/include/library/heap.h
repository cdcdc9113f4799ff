/* malloc and free, for generated code that wants them: not in stdlib.h, so that kernels may have their own. */
#ifndef AUTOCOMP_LIBRARY_HEAP_H
#define AUTOCOMP_LIBRARY_HEAP_H

#include <stddef.h>

#include "library/blocks.h"

#define HEAP_LINE 64
#define HEAP_LINES (1 << 17)

static unsigned char heap_bytes[HEAP_LINES * HEAP_LINE] __attribute__((aligned(HEAP_LINE), unused));
static blocks_t heap_blocks __attribute__((unused)) = {.size = HEAP_LINES};

static inline __attribute__((unused)) void *malloc(size_t size) {
  return heap_bytes + blocks_take(&heap_blocks, size / HEAP_LINE + 1) * HEAP_LINE;
}
static inline __attribute__((unused)) void free(void *place) {
  if (place != NULL) blocks_return(&heap_blocks, (uint64_t)((unsigned char *)place - heap_bytes) / HEAP_LINE);
}

#endif
