"""Select Combinations."""
