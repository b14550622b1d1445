"""The check of a written file by the threshold rule and by k-anonymity: counted anew, sharing no code with the rest.

Columns hold 0 where a value is missing, else one more than the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from core.base.progress import SILENT, Progress
from core.recipe.model import MissingRule
from core.verification import recount
from core.verification.recount import Codes, Floats, Rows, Tally


@dataclass(frozen=True)
class Keys:
    """Key variables in both files: `original` and `released` columns (n,), `sizes` one more than the largest code."""

    names: tuple[str, ...]
    original: Sequence[Codes]
    released: Sequence[Codes]
    sizes: Sequence[int]

    def counted(self) -> tuple[Rows, Tally, Tally]:
        """Distinct keys of both files, and how often they occur in each."""
        return recount.tabulate_both(self.original, self.released, self.sizes, (None, None))


def largest_unsafe(tables: Sequence[tuple[Sequence[str], int]]) -> dict[frozenset[str], int]:
    """The largest unsafe count of every table and margin: its own, else the largest of the tables it is a margin of."""
    own: dict[frozenset[str], int] = {}
    inherited: dict[frozenset[str], int] = {}
    for names, count in tables:
        whole = frozenset(names)
        own[whole] = max(own.get(whole, 0), count)
        for size in range(1, len(names) + 1):
            for some in map(frozenset, combinations(names, size)):
                inherited[some] = max(inherited.get(some, 0), count)
    return inherited | own


def by_rare_combinations(
    keys: Keys, largest: Mapping[frozenset[str], int], progress: Progress = SILENT
) -> dict[str, Any]:
    """Records whose remaining values contain an unsafe combination: counted in the original, and in the file alone."""
    rows, before, now = keys.counted()
    there = now.present()
    unsafe = {"by_mode": np.zeros(len(there), np.bool_), "released": np.zeros(len(there), np.bool_)}
    for size in range(1, len(keys.names) + 1):
        for chosen in combinations(range(len(keys.names)), size):
            progress.check()
            mask = sum(1 << j for j in chosen)
            number, bound = recount.fold([rows.codes[j] for j in chosen], [rows.sizes[j] for j in chosen],
                                         len(rows.patterns))  # fmt: skip
            complete = rows.patterns & mask == mask
            asking = np.flatnonzero(complete[there])
            for file, tally in (("by_mode", before), ("released", now)):
                given = np.flatnonzero(complete & (tally.count > 0))
                count = tally.count[given]
                found = recount.looked_up(number[there[asking]], number[given], bound, (count, count))[0]
                unsafe[file][asking] |= found <= largest[frozenset(keys.names[j] for j in chosen)]
    return {file: {"unsafe_records": int(now.count[there][flags].sum())} for file, flags in unsafe.items()}


def by_rare_keys(keys: Keys, k: int, rule: MissingRule, alpha: float) -> dict[str, Any]:
    """Records whose key occurs fewer than k times in the written file: by the rule, and blanks matching anything."""
    rows, _, now = keys.counted()
    there = now.present()
    records = now.count[there]

    def rare(f: Floats) -> dict[str, int]:
        return {"unsafe_records": int(records[f < k * (1 - 1e-12)].sum())}

    wildcard = recount.frequencies(rows, there, now, 1.0)[0]
    if rule == "category":
        return {"by_mode": rare(records), "released": rare(wildcard)}
    if rule == "listwise":
        complete = rows.patterns[there] == (1 << len(keys.names)) - 1
        return {"by_mode": rare(np.where(complete, records, np.inf)), "released": rare(wildcard)}
    by_rule = recount.frequencies(rows, there, now, alpha if rule == "wildcard" else 0.0)[0]
    return {"by_mode": rare(by_rule), "released": rare(wildcard)}
