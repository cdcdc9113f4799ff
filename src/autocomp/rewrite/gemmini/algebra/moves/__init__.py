"""One module per kind of change."""
