"""Individual, household and file-level risk."""
