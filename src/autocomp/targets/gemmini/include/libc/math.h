/* Functions that are instructions, or a few of them. */
#ifndef AUTOCOMP_MATH_H
#define AUTOCOMP_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
static inline __attribute__((unused)) float sqrtf(float x) {
  float y;
  __asm__("fsqrt.s %0, %1" : "=f"(y) : "f"(x));
  return y;
}
static inline __attribute__((unused)) double sqrt(double x) {
  double y;
  __asm__("fsqrt.d %0, %1" : "=f"(y) : "f"(x));
  return y;
}
static inline __attribute__((unused)) float fabsf(float x) { return __builtin_fabsf(x); }
static inline __attribute__((unused)) double fabs(double x) { return __builtin_fabs(x); }
static inline __attribute__((unused)) float fmaxf(float x, float y) { return x > y || y != y ? x : y; }
static inline __attribute__((unused)) float fminf(float x, float y) { return x < y || y != y ? x : y; }

#endif
