"""Finding the records of one file in another: by distance, one to one, and by probability."""
