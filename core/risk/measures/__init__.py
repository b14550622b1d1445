"""Measures of risk beside those by model, one file each."""
