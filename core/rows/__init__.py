"""The records of a file, in one part or in several: read once for all that is done in a pass over them."""
