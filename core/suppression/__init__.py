"""Local suppression: the optimiser, its forecast, and the independent check of its result."""
