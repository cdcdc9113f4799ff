"""The tables of the papers for Gemmini: GEMM, convolution and TinyMPC, with their rivals."""
