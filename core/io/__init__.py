"""One file a format, reader and writer side by side."""
