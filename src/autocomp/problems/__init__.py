"""Problem folders: load, validate, scaffold; the packaged library."""
