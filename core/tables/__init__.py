"""Cells, frequencies under the missing rules, margins and unsafe combinations."""
