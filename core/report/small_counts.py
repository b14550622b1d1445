"""Counts of one and two, which tell of persons: outsiders are told that they are fewer than three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.base.texts import plural, translate
from core.recipe.declared import Declaration
from core.report.facts import MeasureShown
from core.risk.measures.shown import BarPicture, Headline

FEWEST = 3
"""The smallest number that is told as it is; 0 tells of nobody."""


def without_small_counts(declaration: Declaration | None, figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a measure in which small counts are words; parameters stay as they were chosen."""
    known = {figure.name: figure for figure in declaration.figures} if declaration else {}
    found: dict[str, Any] = {}
    for name, value in figures.items():
        figure = known.get(name)
        if figure is not None and figure.rows:
            counts = {inner.name for inner in figure.rows if inner.format == "count"}
            value = [{key: _told(each) if key in counts else each for key, each in row.items()} for row in value]
        elif figure is not None and figure.format == "count":
            value = _told(value)
        found[name] = value
    return found


def shown_outside(shown: MeasureShown) -> MeasureShown:
    """The sentence with small counts as words; no picture whose bars are labelled with one."""
    picture = shown.picture
    if isinstance(picture, BarPicture) and picture.format == "count" and any(map(_is_small, picture.values.tolist())):
        picture = None
    return MeasureShown(shown.headline and _headline(shown.headline), picture)


def _headline(said: Headline) -> Headline:
    places = {name: (_told(value), "text") if spec == "count" and _is_small(value) else (value, spec)
              for name, (value, spec) in said.values.items()}  # fmt: skip
    text = said.text
    one, many = getattr(text, "one", None), getattr(text, "many", None)
    if one is not None and many is not None and places != dict(said.values):
        text = plural(FEWEST, one, many)  # "fewer than 3 records are"
    return Headline(text, places)


def _told(value: Any) -> Any:
    """A count, or counts by what they are of, in words where they are small."""
    if isinstance(value, Mapping):
        return {key: _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    return translate("fewer than {n}").format(n=FEWEST) if _is_small(value) else value


def _is_small(value: Any) -> bool:
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return bool(is_number and 0 < value < FEWEST and float(value).is_integer())
