"""Beam search as pure decisions: ask and tell, no input or output."""
