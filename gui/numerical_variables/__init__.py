"""Modify Numerical Variables."""
