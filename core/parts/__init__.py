"""A file in parts: read, counted, protected and written part by part, to the result of the whole."""
