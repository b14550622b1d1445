"""Open Microdata."""
