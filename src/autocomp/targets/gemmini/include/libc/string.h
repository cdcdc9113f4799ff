/* Defined in the runtime. */
#ifndef AUTOCOMP_STRING_H
#define AUTOCOMP_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

#endif
