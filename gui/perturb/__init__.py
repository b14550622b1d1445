"""Perturb."""
