#include "matrix_product.hpp"

#include <cmath>

// One binary for every x86 machine: the loader picks the version with wide vectors where the processor has them.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define AUTOCOMP_CLONES __attribute__((target_clones("avx2", "default")))
#define AUTOCOMP_FMA_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define AUTOCOMP_CLONES
#define AUTOCOMP_FMA_CLONES
#endif

namespace autocomp::gemmini {

namespace {

AUTOCOMP_CLONES void multiply_16(std::int32_t* __restrict c, const std::int8_t* __restrict a,
                                 const std::int32_t* __restrict b, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int32_t sum[16];
    for (int j = 0; j < 16; ++j) sum[j] = c[i * 16 + j];
    for (int k = 0; k < 16; ++k) {
      const std::int32_t factor = a[i * 16 + k];
      for (int j = 0; j < 16; ++j) sum[j] += factor * b[k * 16 + j];
    }
    for (int j = 0; j < 16; ++j) c[i * 16 + j] = sum[j];
  }
}

AUTOCOMP_CLONES void multiply_any(std::int32_t* __restrict c, const std::int8_t* __restrict a,
                                  const std::int32_t* __restrict b, std::int64_t rows, std::int64_t dim) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < dim; ++k) {
      const std::int32_t factor = a[i * dim + k];
      for (std::int64_t j = 0; j < dim; ++j) c[i * dim + j] += factor * b[k * dim + j];
    }
  }
}

AUTOCOMP_FMA_CLONES void multiply_float(float* __restrict c, const float* __restrict a, const float* __restrict b,
                                        std::int64_t rows, std::int64_t dim) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < dim; ++k) {
      const float factor = a[i * dim + k];
      for (std::int64_t j = 0; j < dim; ++j) c[i * dim + j] = std::fma(factor, b[k * dim + j], c[i * dim + j]);
    }
  }
}

}  // namespace

void multiply_accumulate(std::int32_t* c, const std::int8_t* a, const std::int32_t* b, std::int64_t rows,
                         std::int64_t dim) {
  if (dim == 16) {
    multiply_16(c, a, b, rows);
  } else {
    multiply_any(c, a, b, rows, dim);
  }
}

void multiply_accumulate(float* c, const float* a, const float* b, std::int64_t rows, std::int64_t dim) {
  multiply_float(c, a, b, rows, dim);
}

}  // namespace autocomp::gemmini
