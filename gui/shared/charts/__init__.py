"""Axes, legends and small pictures that several windows use."""
