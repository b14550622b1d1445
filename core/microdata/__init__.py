"""Metadata, variables, code lists and encoded columns: the doorway from bytes to arrays."""
