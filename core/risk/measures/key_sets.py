"""Key sets: many sets of key variables beside each other, by how many records they single out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import DataError
from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter
from .evaluation import RARE, Evaluation, MeasureInput
from .population_size import POPULATION_OF_SAMPLE, population_size
from .shown import LISTED, BarPicture, Headline, Listed, Listing, Picture

if TYPE_CHECKING:
    from ..key_sets import SetCounts

_MOST = 20_000
"""Sets compared at most."""
_DRAWN = 15
"""Sets that have a bar."""

DECLARATION = Declaration(
    name="key-sets",
    title=mark("Key sets"),
    group=RARE,
    sentence=mark("Which characteristics, taken together, single out how many records: many sets beside each other."),
    parameters=(
        Parameter(
            "missing_rule",
            "choice",
            mark("How records are counted for the expected re-identifications."),
            default="observed",
            choices=("observed",),
        ),
        Parameter("max_size", "integer", mark("The most variables of a set; default: 3."), low=1),
        Parameter("sets", "sets", mark("The sets that are compared, in place of all up to a size.")),
        Parameter("scenarios", "scenarios", mark("The scenarios whose variables are compared, in place of these.")),
        *POPULATION_OF_SAMPLE,
    ),
    at_most_one=("max_size", "sets", "scenarios"),
    instead=("sets", "scenarios"),
    figures=(
        Figure(
            "key_sets",
            mark("Key sets"),
            "exact",
            mark("one row a set, those that single out most records first"),
            rows=(
                Figure("scenario", mark("Scenario"), "text", mark("the scenario whose variables these are")),
                Figure("variables", mark("Key variables"), "text", mark("the variables of the set")),
                Figure("unique", mark("unique"), "count", mark("complete records that are alone with their key")),
                Figure("matches", mark("one match"), "count", mark("records that agree with no other one")),
                Figure("theta", mark("θ"), "risk", mark("the chance that a match with a unique record is right")),
                Figure("reliable", mark("reliable"), "text", mark("whether uniques and pairs are at least `least`")),
                Figure("expected", mark("expected re-identifications"), "number:2",
                       mark("the sum of the individual risks of all records")),
            ),
        ),
    ),
    guide=Guide(
        assumes="An intruder may know any of these sets. θ and the expected re-identifications need weights, the size "
        "of the `population`, or a file that is the whole population; without, they are left out.",
        not_for="Choosing the set with the least risk as the only one that is judged: an intruder is not bound to it. "
        "The sum of individual risks is too low for many or fine keys in a small sample; see `population`.",
        formula="For each set: records with f = 1 among the complete ones; records with M = 1; θ of `matches`; "
        "Σ r, r the individual risk. A set is merged from the cells of a larger one.",
        source="Mulder, *Ensuring anonymity in survey panel research*; Skinner, Elliot (2002); Polettini (2004).",
    ),
)  # fmt: skip


def asked_sets(variables: Sequence[str], parameters: Mapping[str, Any]) -> list[int]:
    """The sets that are compared as bitmasks, bit j for variable j, in the order in which they are said.

    Raises
    ------
    DataError
        More than can be compared.
    """
    from ..key_sets import number_of_sets, sets_up_to

    said = parameters.get("sets")
    if said is not None:
        place = {name: j for j, name in enumerate(variables)}
        return [sum(1 << place[name] for name in names) for names in said]
    size = parameters.get("max_size", 3)
    number = number_of_sets(len(variables), size)
    if number > _MOST:
        raise DataError(
            "too-many-key-sets",
            mark("{variables} variables have {number} sets of up to {size}; at most {most} can be compared."),
            mark("Take fewer variables, or a smaller max_size, or list the sets."),
            variables=len(variables),
            number=number,
            size=size,
            most=_MOST,
        )
    return list(sets_up_to(len(variables), size))


def seconds(given: MeasureInput) -> float:
    """About how long `evaluate` takes, in seconds; refuses what it refuses."""
    from ..key_sets import estimated_seconds

    return estimated_seconds(given.cells, asked_sets(given.cells.variables, given.parameters))


def evaluate(given: MeasureInput) -> Evaluation:
    """One row a set [method: uniqueness in survey panels]."""
    from ..key_sets import key_sets

    cells, said = given.cells, given.parameters
    masks = asked_sets(cells.variables, said)
    unknown = given.units == "sample" and not cells.weight_limbs and "population" not in said
    people = None if unknown else population_size(given)
    found = key_sets(cells, masks, people, given.progress)
    names = said.get("scenarios", [None] * len(found))
    rows = [
        _row(each, cells.variables, scenario, people, said["least"])
        for each, scenario in sorted(zip(found, names, strict=True), key=lambda pair: -pair[0].unique)
    ]
    return Evaluation({"key_sets": rows}, headline=_headline(rows), picture=_picture(rows), behind=_listing(rows))


def _row(
    found: SetCounts, variables: Sequence[str], scenario: str | None, people: float | None, least: int
) -> dict[str, Any]:
    from ..population_uniqueness import correct_given_unique

    row: dict[str, Any] = {} if scenario is None else {"scenario": scenario}
    row["variables"] = [name for j, name in enumerate(variables) if found.mask >> j & 1]
    row |= {"unique": found.unique, "matches": found.matches}
    if people is not None:
        theta = correct_given_unique(found.unique, found.pairs, found.complete / people)
        if not math.isnan(theta):
            row |= {"theta": theta, "reliable": min(found.unique, found.pairs) >= least}
    if not math.isnan(found.expected):
        row["expected"] = found.expected
    return row


def _name(row: Mapping[str, Any]) -> str:
    return row.get("scenario") or " × ".join(row["variables"])


def _headline(rows: Sequence[Mapping[str, Any]]) -> Headline:
    first = rows[0]
    text = plural(
        len(rows),
        "The only set of characteristics, {first}, singles out so many records: {n}.",
        "Of {sets} sets of characteristics, {first} singles out the most records: {n}.",
    )
    places = {"sets": (len(rows), "count"), "first": (_name(first), "text"), "n": (first["unique"], "count")}
    return Headline(text, places)


def _picture(rows: Sequence[Mapping[str, Any]]) -> Picture:
    """The sets that single out most."""
    drawn = rows[:_DRAWN]
    values = np.array([row["unique"] for row in drawn], np.float64)
    return BarPicture(mark("key variables"), mark("unique records"), tuple(map(_name, drawn)), values)


def _listing(rows: Sequence[Mapping[str, Any]]) -> Listing:
    shown = rows[:LISTED]
    columns = [Listed(mark("Key variables"), "text", _column(map(_name, shown)))]
    for figure in DECLARATION.figures[0].rows:
        if figure.format != "text" and any(figure.name in row for row in rows):
            values = np.array([row.get(figure.name, math.nan) for row in shown], np.float64)
            columns.append(Listed(figure.title, figure.format, values))
    return Listing(mark("Sets by the records they single out"), tuple(columns), len(rows))


def _column(texts: Iterable[str]) -> np.ndarray[Any, np.dtype[Any]]:
    return np.array(list(texts), dtype=object)
