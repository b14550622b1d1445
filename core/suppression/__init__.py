"""Local suppression: the optimiser and its forecast."""
