"""Utility: what the safe file preserves."""
