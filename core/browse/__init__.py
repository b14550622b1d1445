"""Looking at single records of files of any size."""
