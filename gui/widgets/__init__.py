"""Pieces that know no window."""
