"""Finds faster kernels for tensor accelerators and proves that they compute the same."""
