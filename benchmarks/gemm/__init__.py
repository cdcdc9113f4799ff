"""Optimises the six GEMM shapes of the literature and compares with the hand-tuned kernels and the hardware's limit."""
