/* Rows of a memory handed out by first fit, for generated code that asks for them while it runs. */
#ifndef AUTOCOMP_LIBRARY_BLOCKS_H
#define AUTOCOMP_LIBRARY_BLOCKS_H

#include <stdint.h>
#include <stdlib.h>

#define BLOCKS_MOST 256

typedef struct {
  uint64_t begin, end;
} block_t;

typedef struct {
  uint64_t size; /* of the memory, in whatever is counted */
  int used;
  block_t blocks[BLOCKS_MOST]; /* by address */
} blocks_t;

static inline __attribute__((unused)) uint64_t blocks_take(blocks_t *memory, uint64_t size) {
  uint64_t begin = 0;
  int place = 0;
  while (place < memory->used && memory->blocks[place].begin - begin < size) begin = memory->blocks[place++].end;
  if (memory->used == BLOCKS_MOST || size > memory->size || begin > memory->size - size) abort();
  for (int i = memory->used++; i > place; i--) memory->blocks[i] = memory->blocks[i - 1];
  memory->blocks[place] = (block_t){begin, begin + size};
  return begin;
}

static inline __attribute__((unused)) void blocks_return(blocks_t *memory, uint64_t begin) {
  for (int i = 0; i < memory->used; i++) {
    if (memory->blocks[i].begin != begin) continue;
    for (memory->used--; i < memory->used; i++) memory->blocks[i] = memory->blocks[i + 1];
    return;
  }
  abort();
}

#endif
