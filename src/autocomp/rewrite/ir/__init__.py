"""A small typed form of loop kernels, its parser and its printer. Knows nothing of any accelerator."""
