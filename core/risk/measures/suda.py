"""SUDA: which records are unique on few variables, scored by how few and how often, and DIS-SUDA."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from .evaluation import MISSING_EQUAL, RARE, Evaluation, MeasureInput
from .shown import BarPicture, Headline, Listed, Picture, cells_behind

if TYPE_CHECKING:
    from ..minimal_uniques import MinimalUniques

Floats = NDArray[np.float64]

CLASSES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the classes of DIS-SUDA scores, each included."""
_RISKIEST = 20
"""Records whose MSUs are listed."""

DECLARATION = Declaration(
    name="suda",
    title=mark("SUDA"),
    group=RARE,
    sentence=mark("Which records are already unique on a few of the key variables, and how much more so than others."),
    parameters=(
        MISSING_EQUAL,
        Parameter("max_size", "integer", mark("The most variables of a minimal sample unique."), default=3, low=1),
        Parameter(
            "dis_fraction",
            "number",
            mark("The sampling fraction that DIS-SUDA starts from."),
            default=0.01,
            low=0.0,
            high=1.0,
            low_included=False,
        ),
        Parameter(
            "scaling",
            "choice",
            mark("How a minimal sample unique scores: by its possible unions, or as older sdcMicro scales it."),
            default="original",
            choices=("original", "sdcmicro"),
        ),
    ),
    figures=(
        Figure("scored", mark("records with a score"), "count", mark("records with a score above 0")),
        Figure("sum", mark("sum of the scores"), "exact", mark("the sum of the scores of all records")),
        Figure("max", mark("largest score"), "exact", mark("the largest score")),
        Figure(
            "contributions",
            mark("contribution"),
            "percent",
            mark("by variable: share of the sum that comes from minimal sample uniques with it; more than 1 together"),
        ),
        Figure(
            "by_size",
            mark("minimal sample uniques of"),
            "count",
            mark("minimal sample uniques by how many variables they have"),
        ),
        Figure(
            "classes",
            mark("records by DIS-SUDA up to"),
            "count",
            mark("records in classes of DIS-SUDA, each called by its upper end, which is included"),
        ),
        Figure(
            "riskiest",
            mark("The riskiest records"),
            "exact",
            mark("the twenty records with the largest scores"),
            of_records=True,
            rows=(
                Figure("record", mark("Record"), "count", mark("number of the record in the file, from 1")),
                Figure("score", mark("Score"), "exact", mark("its score")),
                Figure("dis", mark("DIS-SUDA"), "risk", mark("its DIS-SUDA score")),
                Figure("unique_on", mark("Unique on"), "text", mark("its minimal sample uniques, small ones first")),
            ),
        ),
    ),
    columns=(RecordFigure("suda", mark("SUDA score")), RecordFigure("dis_suda", mark("DIS-SUDA score"))),
    guide=Guide(
        assumes="A record that is unique on few variables is more likely to be recognised than one that is unique "
        "on many. DIS-SUDA takes the file for a simple random sample of the fraction `dis_fraction`.",
        not_for="Comparing files with different key variables: scores grow with their number. DIS-SUDA of samples "
        "with unequal weights; a record without a score is not safe by that, it may share its key with one "
        "other.",
        formula="A minimal sample unique (MSU) is a set of variables on which a record differs from all others, "
        "while on none of its subsets it does. With ATT variables and M = `max_size`, one of k variables "
        "scores the product of (ATT − i) for i = k, …, min(M, ATT − 1); under `sdcmicro` (2^(ATT−k) − 1) k!"
        " (ATT − k)! / ATT!. A record's score s is the sum over its MSUs. A missing value is part of none, "
        "and equals only other missing values. DIS-SUDA: 1 / (1 + P (1 − f) / f / (s^Q A)), Q = 1 + (8 − "
        "ATT)/20, A the sum of s^−Q over scored records, P the records in pairs, f = `dis_fraction`.",
        source="Elliot, Manning, Ford (2002); Manning, Haglin, Keane, *A recursive search algorithm for "
        "statistical disclosure assessment* (2008); SDC Practice Guide, *Measuring Risk*; scaling and "
        "DIS-SUDA as in sdcMicro.",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Scores of all records and what they are made of [method: SUDA; PG table 4.5]."""
    from ..minimal_uniques import MinimalUniques

    cells, said = given.cells, given.parameters
    names = cells.variables
    judged = np.flatnonzero(~np.isnan(cells.f))
    codes, count = [column[judged] for column in cells.codes], cells.count[judged]
    search = MinimalUniques(codes, cells.cards, count, said["max_size"])
    points = scores_by_size(len(names), search.max_size, said["scaling"])
    score, with_variable = np.zeros(len(judged)), np.zeros(len(names))
    by_size = dict.fromkeys(range(1, search.max_size + 1), 0)
    for mask, found in search.found(progress=given.progress):
        size = mask.bit_count()
        score[found] += points[size]
        by_size[size] += len(found)
        with_variable[[bool(mask >> j & 1) for j in range(len(names))]] += points[size] * len(found)
    dis = dis_scores(score, int(2 * np.count_nonzero(count == 2)), len(names), said["dis_fraction"])
    total = float(score.sum())
    figures: dict[str, Any] = {
        "scored": int(np.count_nonzero(score)),
        "sum": total,
        "max": float(score.max(initial=0.0)),
        "by_size": {str(size): number for size, number in by_size.items()},
        "classes": _by_class(dis, count),
    }
    if total:
        shares = (with_variable / total).tolist()
        figures["contributions"] = dict(zip(names, shares, strict=True))
        figures["riskiest"] = _riskiest(given, judged, search, score, dis)
    columns = {}
    for name, values in (("suda", score), ("dis_suda", dis)):
        columns[name, ""] = np.full(len(cells), np.nan)
        columns[name, ""][judged] = values
    return Evaluation(
        figures,
        columns,
        headline=_headline(figures["scored"], int(count.sum()), search.max_size),
        picture=_contributions(figures.get("contributions", {})),
        behind=cells_behind(
            mark("Records of the largest score"),
            np.nan_to_num(columns["suda", ""]),
            columns["suda", ""] > 0,
            (
                Listed(mark("score"), "exact", columns["suda", ""]),
                Listed(mark("DIS-SUDA"), "risk", columns["dis_suda", ""]),
            ),
        ),
    )


def _headline(scored: int, records: int, most: int) -> Headline:
    text = plural(
        scored,
        "{n} of {records} records is alone in the file with at most {most} of these characteristics.",
        "{n} of {records} records are alone in the file with at most {most} of these characteristics.",
    )
    return Headline(text, {"n": (scored, "count"), "records": (records, "count"), "most": (most, "count")})


def _contributions(shares: Mapping[str, float]) -> Picture | None:
    """Variables by their share of all scores, the largest first."""
    if not shares:
        return None
    names = sorted(shares, key=lambda name: -shares[name])
    values = np.array([shares[name] for name in names])
    return BarPicture(mark("variable"), mark("share of all scores"), tuple(names), values, "share")


def scores_by_size(variables: int, max_size: int, scaling: str) -> Floats:
    """The score of an MSU of k variables at place k, for k = 1 up to `max_size` <= `variables`; (max_size + 1,).

    With ATT variables and M = max_size, ``original``: product of (ATT - i) for i = k, ..., min(M, ATT - 1);
    ``sdcmicro``: (2^(ATT-k) - 1) k! (ATT-k)! / ATT!, by which a record that is unique on nothing less than all
    variables scores 0.
    """
    found = np.zeros(max_size + 1)
    for k in range(1, max_size + 1):
        if scaling == "original":
            found[k] = math.prod(variables - i for i in range(k, min(max_size, variables - 1) + 1))
        else:
            found[k] = (2 ** (variables - k) - 1) / math.comb(variables, k)
    return found


def dis_scores(score: Floats, in_pairs: int, variables: int, fraction: float) -> Floats:
    """DIS-SUDA, in [0, 1]: how likely a match with each record is right [SDC Practice Guide; as sdcMicro's suda2].

    1 / (1 + P (1 - f) / f / (s^Q A)), Q = 1 + (8 - ATT) / 20, A the sum of s^-Q over the scored records; 0 without
    a score.

    Parameters
    ----------
    score : (n,) s >= 0
    in_pairs : P, records that share their key with exactly one other
    variables : ATT
    fraction : f, in (0, 1]
    """
    scored = score > 0
    power = 1.0 + (8 - variables) / 20.0
    raised = score[scored] ** power
    found = np.zeros(len(score))
    found[scored] = 1.0 / (1.0 + in_pairs * (1.0 - fraction) / fraction / (raised * (1.0 / raised).sum()))
    return found


def _by_class(dis: Floats, count: NDArray[np.int64]) -> dict[str, int]:
    records = np.bincount(np.searchsorted(CLASSES, dis, "left"), count, len(CLASSES))
    return {f"{end:g}": int(number) for end, number in zip(CLASSES, records, strict=True)}


def _riskiest(
    given: MeasureInput,
    judged: NDArray[np.intp],
    search: MinimalUniques,
    score: Floats,
    dis: Floats,
) -> list[dict[str, Any]]:
    """The records with the largest scores, of equal ones the first of the file, with their MSUs."""
    table, progress = given.table, given.progress
    names = table.cells.variables
    edge = np.partition(score, -min(_RISKIEST, len(score)))[-min(_RISKIEST, len(score))]
    # a scored cell has one record
    scored = np.zeros(len(table.cells), np.bool_)
    scored[judged[(score >= edge) & (score > 0)]] = True
    records = np.flatnonzero(table.cell_index.spread(scored))
    of_cell = np.full(len(table.cells), -1)
    of_cell[judged] = np.arange(len(judged))
    places = of_cell[table.cell_index.of_record[records]]
    numbers = records if given.record_numbers is None else given.record_numbers(records)
    order = np.lexsort((numbers, -score[places]))[:_RISKIEST]
    wanted = np.zeros(len(score), np.bool_)
    wanted[places[order]] = True
    sets: dict[int, list[list[str]]] = {int(place): [] for place in places[order]}
    for mask, found in search.found(wanted, progress):
        variables = [name for j, name in enumerate(names) if mask >> j & 1]
        for place in found.tolist():
            sets[place].append(variables)
    return [
        {
            "record": int(numbers[i]) + 1,
            "score": float(score[places[i]]),
            "dis": float(dis[places[i]]),
            "unique_on": sorted(sets[int(places[i])], key=lambda each: (len(each), [names.index(n) for n in each])),
        }
        for i in order
    ]
