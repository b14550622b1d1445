"""Show Table Collection."""
