"""Compares the simulated cycles with counts read off the hardware description: `python -m benchmarks.fidelity`."""
