/* The part of the C library that a kernel without an operating system may use. */
#ifndef AUTOCOMP_STDLIB_H
#define AUTOCOMP_STDLIB_H

#include <stddef.h>

void abort(void) __attribute__((noreturn));
static inline __attribute__((noreturn, unused)) void exit(int status) {
  (void)status;
  abort();
}
static inline __attribute__((unused)) int abs(int value) { return value < 0 ? -value : value; }
static inline __attribute__((unused)) long labs(long value) { return value < 0 ? -value : value; }

#endif
