"""Plain signs for those of the labels that the program makes ("10–19", "North, South, …"), where a file lacks these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Key = TypeVar("Key")

_PLAIN = str.maketrans({"–": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'})


def plain_signs(label: str) -> str:
    """The label with signs that every encoding has for dashes, dots and quotes."""
    return label.translate(_PLAIN)


def made_plain(labels: Iterable[tuple[Key, str]], own: Iterable[tuple[object, str]]) -> Iterator[tuple[Key, str]]:
    """Labels by value or code: those that the program made, which are not among the user's `own`, in plain signs."""
    kept = {label for _, label in own}
    for key, label in labels:
        yield key, label if label in kept else plain_signs(label)
