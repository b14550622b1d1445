"""One window a file."""
