/* What kernels take from Gemmini's test utilities: the instructions and the cycle counter. */
#ifndef AUTOCOMP_GEMMINI_TESTUTILS_H
#define AUTOCOMP_GEMMINI_TESTUTILS_H

#include "gemmini.h"

static inline __attribute__((unused)) uint64_t read_cycles(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles) : : "memory");
  return cycles;
}

#endif
