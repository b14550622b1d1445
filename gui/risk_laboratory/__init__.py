"""Risk Laboratory and Key Sets Side by Side."""
