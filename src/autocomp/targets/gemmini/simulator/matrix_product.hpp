// The arithmetic of one step of the spatial array, written so that compilers vectorise it.
#pragma once

#include <cstdint>

namespace autocomp::gemmini {

// c[i][j] += sum over k of a[i][k] * b[k][j] for i < rows; all matrices are dim wide and dense.
// Integers wrap at 32 bits. Floats: one fused multiply-add for each k from 0 on, each rounded once, as the sum passes
// down the cells of a column.
void multiply_accumulate(std::int32_t* c, const std::int8_t* a, const std::int32_t* b, std::int64_t rows,
                         std::int64_t dim);
void multiply_accumulate(float* c, const float* a, const float* b, std::int64_t rows, std::int64_t dim);

}  // namespace autocomp::gemmini
