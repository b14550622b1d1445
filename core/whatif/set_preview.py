"""What a set-valued key would look like, before it is in the recipe."""

from __future__ import annotations

from dataclasses import dataclass

from ..results.results import RecodedData


@dataclass(frozen=True)
class SetPreview:
    """The sets of a key.

    Attributes
    ----------
    sets : how many there are
    without : records without a value
    frequent : the most frequent sets by what they hold, and how many records have each
    """

    sets: int
    without: int
    frequent: tuple[tuple[str, int], ...]


def set_preview(prepared: RecodedData, name: str, most: int = 10) -> SetPreview:
    """The set-valued key `name` of `prepared`, with the `most` frequent sets at most."""
    column, labels = prepared.columns[name], prepared.labels[name]
    shown = column.codes[: min(most, column.n_valid)]
    counts = column.counts.tolist()
    frequent = tuple((labels[code], count) for code, count in zip(shown, counts, strict=False))
    return SetPreview(column.n_valid, sum(counts[column.n_valid :]), frequent)
