/* What compilers call without being asked to, and abort(). Linked to every candidate. */
#include <stddef.h>
#include <stdint.h>

#include "gemmini_params.h"

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((((uintptr_t)t | (uintptr_t)f) & 7) == 0) {
    for (; size >= 8; size -= 8, t += 8, f += 8) *(uint64_t *)t = *(const uint64_t *)f;
  }
  while (size-- != 0) *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= size) return memcpy(to, from, size);
  while (size-- != 0) t[size] = f[size];
  return to;
}

void *memset(void *to, int value, size_t size) {
  uint8_t *t = to;
  const uint64_t pattern = (uint8_t)value * UINT64_C(0x0101010101010101);
  for (; size != 0 && ((uintptr_t)t & 7) != 0; size--) *t++ = (uint8_t)value;
  for (; size >= 8; size -= 8, t += 8) *(uint64_t *)t = pattern;
  while (size-- != 0) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t size) {
  const uint8_t *l = left;
  const uint8_t *r = right;
  for (; size != 0; size--, l++, r++) {
    if (*l != *r) return *l - *r;
  }
  return 0;
}

/* Bit counting has no instruction in RV64GC. */
int __popcountdi2(uint64_t x) {
  int count = 0;
  for (; x != 0; x &= x - 1) count++;
  return count;
}

int __clzdi2(uint64_t x) {
  int count = 0;
  for (; (x >> 63) == 0; x <<= 1) count++;
  return count;
}

int __ctzdi2(uint64_t x) {
  int count = 0;
  for (; (x & 1) == 0; x >>= 1) count++;
  return count;
}

void abort(void) {
  __asm__ volatile("ebreak");
  __builtin_unreachable();
}

/* For which chip the program was compiled: symbols whose values are sizes. They take no memory; the simulator compares
 * them with its own before it runs anything. */
#define CHIP_TEXT_(text) #text
#define CHIP_TEXT(text) CHIP_TEXT_(text)
#define CHIP(name, size) __asm__(".globl autocomp_chip_" #name "\n.set autocomp_chip_" #name ", " CHIP_TEXT(size))
CHIP(float_elements, GEMMINI_FLOAT_ELEMENTS);
CHIP(dim, DIM);
CHIP(scratchpad_banks, BANK_NUM);
CHIP(scratchpad_bank_rows, BANK_ROWS);
CHIP(accumulator_rows, ACC_ROWS);
CHIP(accumulator_bank_rows, ACC_BANK_ROWS);
CHIP(max_block_bytes, MAX_BYTES);
