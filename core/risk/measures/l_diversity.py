"""l-diversity: how many different sensitive values stand behind a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from .evaluation import COUNTING, SENSITIVE, Evaluation, MeasureInput
from .sensitive import SENSITIVE_VARIABLES, counts_within
from .shown import BarPicture, Headline, Listed, Listing, cells_behind

_TOLERANCE = 1e-12
"""Two values alike give an entropy that is smaller than 2 by rounding alone."""

DECLARATION = Declaration(
    name="l-diversity",
    title=mark("l-diversity"),
    group=SENSITIVE,
    sentence=mark("How many different values of a sensitive variable the records have that share a key."),
    parameters=(
        *COUNTING,
        SENSITIVE_VARIABLES,
        Parameter("l", "integer", mark("The least diversity that every record is to have."), default=2, low=1),
        Parameter(
            "c",
            "number",
            mark("Recursive diversity: the most frequent value is rarer than c times all from the l-th on."),
            default=2.0,
            low=0.0,
            low_included=False,
        ),
        Parameter(
            "beyond",
            "number",
            mark("A share: a key gives a value away where at least so many of its records have it."),
            default=1.0,
            low=0.0,
            high=1.0,
            low_included=False,
        ),
    ),
    figures=(
        Figure("distinct", mark("distinct"), "exact", mark("number of values: the least, and records below l")),
        Figure("entropy", mark("entropy"), "exact", mark("e to the power of their entropy: likewise")),
        Figure("recursive", mark("recursive"), "exact", mark("recursive (c, l)-diversity: likewise")),
        Figure(
            "disclosed",
            mark("value given away"),
            "exact",
            mark("records whose key gives a sensitive value away; their share of all with a sensitive value there"),
        ),
    ),
    columns=(
        RecordFigure("l_distinct", mark("number of different values"), "sensitive"),
        RecordFigure("l_entropy", mark("e to the power of their entropy"), "sensitive"),
        RecordFigure("l_recursive", mark("recursive diversity"), "sensitive"),
    ),
    guide=Guide(
        assumes="Somebody knows the key of a person and wants the sensitive value; all values are alike to him.",
        not_for="Key variables, which are refused; values of which only some are sensitive, or that are close to "
        "each other: see `t-closeness`.",
        formula="Within the records that count for a key, without missing sensitive values: their number of values;"
        " e^H with the entropy H of their shares; the largest l with f₁ < c (f_l + … + f_t), f₁ ≥ f₂ ≥ …. A"
        " value is given away where its share is `beyond` or more: 1 means that all have it.",
        source="Machanavajjhala et al. (2007); SDC Practice Guide, table 4.3.",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Distinct, entropy and recursive diversity of every sensitive variable [method: l-diversity; PG table 4.3]."""
    cells, wanted = given.cells, given.parameters["l"]
    kinds = ("distinct", "entropy", "recursive")
    figures: dict[str, dict[str, Any]] = {name: {} for name in (*kinds, "disclosed")}
    columns, told = {}, {}
    for variable in given.parameters["sensitive"]:
        found, largest = np.full((3, len(cells)), np.nan), np.full(len(cells), np.nan)
        for some, counts in counts_within(given.table, given.columns[variable], given.progress):
            found[:, some] = diversity(counts, given.parameters["c"])
            total = counts.sum(axis=1)
            largest[some] = np.divide(counts.max(axis=1), total, out=np.full(len(some), np.nan), where=total > 0)
        for name, values in zip(kinds, found, strict=True):
            columns[f"l_{name}", variable] = values
            if not np.isnan(values).all():
                below = int(cells.count[values < wanted * (1 - _TOLERANCE)].sum())
                figures[name][variable] = {"min": float(np.nanmin(values)), "violations": below}
        if not np.isnan(largest).all():
            given_away = int(cells.count[largest >= given.parameters["beyond"] * (1 - _TOLERANCE)].sum())
            share = given_away / int(cells.count[~np.isnan(largest)].sum())
            figures["disclosed"][variable] = {"records": given_away, "share": share}
        told[variable] = largest >= given.parameters["beyond"] * (1 - _TOLERANCE)
    headline, picture, behind = _shown(given, told, columns)
    return Evaluation(figures, columns, headline=headline, picture=picture, behind=behind)


def _shown(
    given: MeasureInput,
    told: Mapping[str, NDArray[np.bool_]],
    columns: Mapping[tuple[str, str], NDArray[np.float64]],
) -> tuple[Headline, BarPicture, Listing]:
    """Records whose key gives a sensitive value away; `told`: by variable, whether a cell does."""
    cells, variables = given.cells, tuple(told)
    records = {name: int(cells.count[flags].sum()) for name, flags in told.items()}
    most = max(variables, key=lambda name: records[name])
    text = plural(
        records[most],
        "The key of {n} of {records} records gives its value of {variable} away: all that share it have the same.",
        "The keys of {n} of {records} records give their value of {variable} away: all that share a key have the same.",
    )
    if given.parameters["beyond"] < 1:
        text = plural(
            records[most],
            "The key of {n} of {records} records gives its value of {variable} away: at least {share} of those that "
            "share it have the same.",
            "The keys of {n} of {records} records give their value of {variable} away: at least {share} of those that "
            "share a key have the same.",
        )
    values = {
        "n": (records[most], "count"),
        "records": (int(cells.count.sum()), "count"),
        "variable": (most, "text"),
        "share": (given.parameters["beyond"], "percent"),
    }
    shared = np.any(list(told.values()), axis=0)
    distinct = tuple(Listed(name, "exact", columns["l_distinct", name]) for name in variables)
    bars = np.array([records[name] for name in variables], np.float64)
    return (
        Headline(text, values),
        BarPicture(mark("sensitive variable"), mark("records whose key gives it away"), variables, bars),
        cells_behind(
            mark("Keys that give a value away"), cells.f, shared, (Listed(mark("records"), "exact", cells.f), *distinct)
        ),
    )


def diversity(counts: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Distinct, entropy and recursive (c) diversity, (3, b), of counts (b, codes); nan where there are none.

    Recursive: the largest l with f_1 < c (f_l + ... + f_t), f_1 >= ... >= f_t, and 1 where there is none.
    """
    total = counts.sum(axis=1)
    there = total > 0
    shares = counts[there] / total[there, None]
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    falling = -np.sort(-counts[there], axis=1)
    rest = np.cumsum(falling[:, ::-1], axis=1)[:, ::-1]
    found = np.full((3, len(counts)), np.nan)
    found[0, there] = (shares > 0).sum(axis=1)
    found[1, there] = np.exp(-(shares * logs).sum(axis=1))
    found[2, there] = 1 + (falling[:, :1] < c * rest[:, 1:]).sum(axis=1)
    return found
