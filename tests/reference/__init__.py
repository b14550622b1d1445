"""Published figures, with their source."""
