"""k-anonymity: how many records share their key with fewer than k records, for every k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.texts import mark, plural
from core.recipe.declared import Declaration, Figure, Guide, Parameter
from core.risk.measures.evaluation import (
    COUNTING,
    FREQUENCIES,
    RARE,
    Evaluation,
    MeasureInput,
    frequencies_listed,
    frequency_columns,
)
from core.risk.measures.shown import BarPicture, Headline, cells_behind

DECLARATION = Declaration(
    name="k-anonymity",
    title=mark("k-anonymity"),
    group=RARE,
    sentence=mark("How many records share their key with fewer than k records, themselves included."),
    parameters=(
        *COUNTING,
        Parameter("k", "integer", mark("The least number of records that are to share a key."), default=3, low=1),
    ),
    figures=(
        Figure("violations", mark("violations"), "count", mark("records whose sample frequency is below k")),
        Figure("profile", mark("violations by k"), "count", mark("the same for every k from 2 to 10")),
    ),
    columns=FREQUENCIES,
    guide=Guide(
        assumes="Somebody may know that a person is in the file, and knows nothing but the key variables.",
        not_for="Telling whether sensitive values are safe: k records may all have the same one; see `l-diversity`.",
        formula="Records with f < k.",
        source="Samarati, Sweeney (1998).",
    ),
)

_PART = 1 << 20
"""Cells, of which there may be as many as records, looked at in one go."""


@dataclass(frozen=True, eq=False)
class KAnonymity:
    """The profile of violations over k.

    Attributes
    ----------
    n : records with a defined frequency
    sizes : (L,) float64, the distinct sample frequencies, ascending
    cumulative_records : (L,) int64, records with at most that frequency
    """

    n: int
    sizes: NDArray[np.float64]
    cumulative_records: NDArray[np.int64]

    @classmethod
    def from_cells(cls, f: NDArray[np.floating[Any]], count: NDArray[np.integer[Any]]) -> KAnonymity:
        """The profile of cells with sample frequency f (m,), nan where not defined, and own records count (m,)."""
        sizes, records = np.empty(0), np.empty(0, np.int64)
        for start in range(0, len(f), _PART):
            part = slice(start, start + _PART)
            known = ~np.isnan(f[part])
            both = np.concatenate([sizes, f[part][known]])
            sizes = np.unique(both)
            added = np.zeros(len(sizes), np.int64)
            # There are far fewer sizes than cells, so that looking them up is faster than an order of the cells.
            np.add.at(added, np.searchsorted(sizes, both), np.concatenate([records, count[part][known]]))
            records = added
        cumulative = np.cumsum(records)
        return cls(int(records.sum()), sizes, cumulative)

    @property
    def smallest(self) -> float:
        """The smallest frequency: the file is k-anonymous for every k up to it; nan without records."""
        return float(self.sizes[0]) if len(self.sizes) else math.nan

    def violations(self, k: float) -> int:
        """Number of records with f < k."""
        from core.risk.individual import TOLERANCE

        position = int(np.searchsorted(self.sizes, k * (1.0 - TOLERANCE), "left"))
        return int(self.cumulative_records[position - 1]) if position else 0

    def profile(self, most: int = 10) -> tuple[tuple[int, int], ...]:
        """(k, violations) for k = 2 up to `most`."""
        return tuple((k, self.violations(k)) for k in range(2, most + 1))


def evaluate(given: MeasureInput) -> Evaluation:
    """Violations at k and the profile over k [method: k-anonymity]."""
    cells = given.cells
    found = KAnonymity.from_cells(cells.f, cells.count)
    profile = {str(k): violations for k, violations in found.profile()}
    k, below = given.parameters["k"], found.violations(given.parameters["k"])
    text = plural(
        below,
        "{n} of {records} records shares its key with fewer than {k} records, itself included.",
        "{n} of {records} records share their key with fewer than {k} records, themselves included.",
    )
    sizes = np.array(list(profile.values()), np.float64)
    return Evaluation(
        {"violations": below, "profile": profile},
        frequency_columns(cells),
        headline=Headline(text, {"n": (below, "count"), "records": (found.n, "count"), "k": (k, "count")}),
        picture=BarPicture(mark("k"), mark("records that share their key with fewer"), tuple(profile), sizes),
        behind=cells_behind(mark("Keys of fewer than k records"), -cells.f, cells.f < k, frequencies_listed(cells)),
    )
