"""Plain twin of set-valued keys: Python sets, record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def sets_of_records(
    rows: Sequence[Sequence[str]], missing: Sequence[Sequence[str]], separator: str = ""
) -> list[frozenset[str]]:
    """The set of each record; `missing`: the missing codes of each column."""
    found = []
    for row in rows:
        held: set[str] = set()
        for text, codes in zip(row, missing, strict=True):
            if text.strip() not in codes:
                held |= {part.strip() for part in (text.split(separator) if separator else [text])}
        found.append(frozenset(held - {""}))
    return found


def codes_of_sets(found: Sequence[frozenset[str]]) -> list[str]:
    """1, 2, 3, … from the most frequent set; of equally frequent ones the smaller first; "" where there is none."""
    counts = Counter(found)
    ranked = sorted((s for s in counts if s), key=lambda s: (-counts[s], len(s), tuple(sorted(s))))
    return [str(ranked.index(s) + 1) if s else "" for s in found]
