"""Check against a Profile."""
