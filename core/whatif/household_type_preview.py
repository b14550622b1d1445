"""What a household type would be: how many types there are, the most frequent ones, and who is alone with theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.progress import SILENT, Progress
from ..results.results import RecodedData

MOST = 10
"""Types that a preview lists."""


@dataclass(frozen=True)
class FrequentType:
    """A household type: its label, the households of it, and the records in them."""

    label: str
    households: int
    records: int


@dataclass(frozen=True)
class HouseholdTypePreview:
    """A derived household type, before it is a key.

    Attributes
    ----------
    households, types : their numbers
    alone : households that no other one is of the same type as
    frequent : the most frequent types, the most households first
    """

    households: int
    types: int
    alone: int
    frequent: tuple[FrequentType, ...]


def household_type_preview(
    prepared: RecodedData, name: str, most: int = MOST, progress: Progress = SILENT
) -> HouseholdTypePreview:
    """The household type `name`, one of the recipe's ``[[derived]]``; `most`: so many types are listed."""
    progress.check()
    column, households = prepared.columns[name], prepared.households
    assert households is not None, "a type is derived from households"
    first = households.members[households.starts[:-1]]
    counts = np.bincount(households.of_file(column.values[first]), minlength=len(column.codes))
    ranked = np.argsort(-counts, kind="stable")[:most]
    labels = prepared.labels.get(name, {})
    frequent = (
        FrequentType(labels.get(column.codes[kind], column.codes[kind]), int(counts[kind]), int(column.counts[kind]))
        for kind in ranked.tolist()
    )
    return HouseholdTypePreview(
        households.number, column.n_valid, int((counts == 1).sum()), tuple(each for each in frequent if each.households)
    )
