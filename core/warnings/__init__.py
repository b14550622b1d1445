"""Everything that has to be said of a recipe and its file, one file a subject."""
