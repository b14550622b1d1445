"""What fills the places of sentences: by its name each place has a type, which says how far what fills it may go.

A place that is not declared here is told nobody: a new one is declared before any summary or report can say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from numbers import Real
from typing import Any

from .texts import Phrase, Series


class PlaceType(Enum):
    """What fills a place."""

    NAME = "names of variables, combinations and encodings, and words of the program: told outside, too"
    FIGURE = "counts, shares, thresholds: numbers are told outside, too, texts inside only"
    NUMBER = "the same, but a text there is of persons: codes, amounts"
    HOUSE = "files, lines, numbers of records, settings: told inside only"
    PERSON = "codes, labels, values and identifiers of persons: told nobody"


_PLACES: Mapping[PlaceType, str] = {
    PlaceType.NAME: (
        "combination encoding identifier key listed more name names one other pairs reason second total variable "
        "variables"
    ),
    PlaceType.FIGURE: (
        "after alone asked base before blanks certain compared count counted decided decimals dimensions distinct each "
        "end equal expected fields found groups households idea individual k l labels largest least length limit most "
        "n number once original own protect records release right same scattered share suppressed there threshold "
        "times told tries unsafe usual varying written"
    ),
    PlaceType.NUMBER: "codes first high last low value values",
    PlaceType.HOUSE: (
        "column columns file folder left line lost measure method methods now part path place record refusal remedy "
        "said table target what why"
    ),
    PlaceType.PERSON: "code example forms given identifiers label sheet text",
}
PLACES: Mapping[str, PlaceType] = {name: kind for kind, names in _PLACES.items() for name in names.split()}
"""The type of every place that a notice may have."""


def may_be_told(place: str, value: Any, outside: bool) -> bool:
    """Whether what fills a place may stand in a summary; `outside`: in what leaves the house.

    A phrase may be told where all that fills its own places may be, too.
    """
    kind = PLACES.get(place, PlaceType.PERSON)
    if kind is PlaceType.PERSON or not _holds_no_secret(value, outside):
        return False
    if kind is PlaceType.NAME:
        return True
    is_number = isinstance(value, Real)
    if kind is PlaceType.NUMBER:
        return is_number
    return not outside or (kind is PlaceType.FIGURE and is_number)


def _holds_no_secret(value: Any, outside: bool) -> bool:
    if isinstance(value, Series):
        return all(_holds_no_secret(each, outside) for each in value.texts)
    return not isinstance(value, Phrase) or all(may_be_told(*each, outside) for each in value.values.items())
