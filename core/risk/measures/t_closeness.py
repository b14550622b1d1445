"""t-closeness: how far the sensitive values behind a key differ from those of the whole file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark
from ...recipe.declared import Declaration, Figure, Guide, Parameter
from .evaluation import COUNTING, SENSITIVE, Evaluation, MeasureInput
from .sensitive import SENSITIVE_VARIABLES, counts_within
from .shown import BarPicture, Headline, Listed, cells_behind

DECLARATION = Declaration(
    name="t-closeness",
    title=mark("t-closeness"),
    group=SENSITIVE,
    sentence=mark("How far the sensitive values of the records that share a key differ from those of the whole file."),
    parameters=(
        *COUNTING,
        SENSITIVE_VARIABLES,
        Parameter("ordered", "boolean", mark("Whether codes that follow each other are near."), default=False),
    ),
    figures=(
        Figure("max", mark("largest distance"), "exact", mark("earth mover's distance, from 0 to 1, of any record")),
        Figure("mean", mark("mean distance"), "exact", mark("the same on average over the records")),
    ),
    guide=Guide(
        assumes="Everybody knows how the sensitive values are spread in the whole file; what a key tells beyond "
        "that counts.",
        not_for="Key variables, which are refused. With small cells the distance is large by chance alone.",
        formula="Earth mover's distance from the shares within a key to those of the file: half the sum of the "
        "absolute differences; `ordered`: the sum of the absolute cumulated ones by (codes − 1).",
        source="Li, Li, Venkatasubramanian (2007).",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Largest and mean earth mover's distance of every sensitive variable [method: t-closeness]."""
    cells = given.cells
    figures: dict[str, dict[str, Any]] = {"max": {}, "mean": {}}
    distances: dict[str, NDArray[np.float64]] = {}
    for variable in given.parameters["sensitive"]:
        column, found = given.columns[variable], np.full(len(cells), np.nan)
        of_file = column.counts[: column.n_valid].astype(np.float64)
        for some, counts in counts_within(given.table, column, given.progress):
            found[some] = distance(counts, of_file, given.parameters["ordered"])
        there, distances[variable] = ~np.isnan(found), found
        if there.any():
            figures["max"][variable] = float(found[there].max())
            figures["mean"][variable] = float(np.average(found[there], weights=cells.count[there]))
    if not figures["max"]:
        return Evaluation(figures)
    furthest = max(figures["max"], key=figures["max"].__getitem__)
    text = mark("The records of one key differ in {variable} from the whole file by {distance}; 0 is alike, 1 apart.")
    listed = tuple(Listed(name, "number:3", found) for name, found in distances.items())
    largest = np.max([np.nan_to_num(found) for found in distances.values()], axis=0)
    return Evaluation(
        figures,
        headline=Headline(text, {"variable": (furthest, "text"), "distance": (figures["max"][furthest], "number:2")}),
        picture=BarPicture(
            mark("sensitive variable"),
            mark("largest distance"),
            tuple(figures["max"]),
            np.array(list(figures["max"].values())),
            "number:2",
        ),
        behind=cells_behind(mark("Keys that differ most"), largest, largest > 0, listed),
    )


def distance(counts: NDArray[np.float64], of_file: NDArray[np.float64], ordered: bool) -> NDArray[np.float64]:
    """Earth mover's distance (b,) of counts (b, codes) to those of the file (codes,); nan where there are none.

    All codes are equally far, 1 from each other; `ordered`: neighbours among the codes that occur 1 / (their number
    less one).
    """
    occurring = of_file > 0
    counts, of_file = counts[:, occurring], of_file[occurring]
    total = counts.sum(axis=1)
    there = total > 0
    more = counts[there] / total[there, None] - of_file / of_file.sum()
    found = np.full(len(counts), np.nan)
    if ordered:
        found[there] = np.abs(np.cumsum(more, axis=1)).sum(axis=1) / max(len(of_file) - 1, 1)
    else:
        found[there] = np.abs(more).sum(axis=1) / 2
    return found
