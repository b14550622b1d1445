"""Axes and small pictures that several windows use."""
