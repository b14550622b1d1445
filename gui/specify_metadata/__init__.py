"""Specify Metadata."""
