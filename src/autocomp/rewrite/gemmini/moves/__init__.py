"""The moves, one file per subject."""
