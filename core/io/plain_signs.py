"""Plain signs for those of the labels that the program makes ("10–19", "North, South, …"), where a file lacks these."""

from __future__ import annotations

_PLAIN = str.maketrans({"–": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'})


def plain_signs(label: str) -> str:
    """The label with signs that every encoding has for dashes, dots and quotes."""
    return label.translate(_PLAIN)
