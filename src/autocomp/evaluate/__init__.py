"""The ladder that decides whether a candidate is right and how fast it is."""
