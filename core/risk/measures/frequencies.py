"""Frequencies of keys: how many records share each, and the individual risk that follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from .evaluation import (
    COUNTING,
    FREQUENCIES,
    RARE,
    Evaluation,
    MeasureInput,
    frequencies_listed,
    frequency_columns,
)
from .k_anonymity import KAnonymityProfile
from .shown import Headline, HistogramPicture, Listed, Picture, cells_behind
from .small_groups import group_figures, group_sizes

DECLARATION = Declaration(
    name="frequencies",
    title=mark("Frequencies and k-anonymity"),
    group=RARE,
    sentence=mark("How many records share each key, and the individual risk that follows from it."),
    parameters=(
        *COUNTING,
        Parameter("k", "integer", mark("The least number of records that are to share a key."), default=3, low=1),
        Parameter(
            "above",
            "number",
            mark("A risk; records strictly above it are counted."),
            low=0.0,
            high=1.0,
            low_included=False,
        ),
        Parameter(
            "quantile",
            "number",
            mark("A share of the records; those strictly above this quantile of the risks (type 7) are counted."),
            low=0.0,
            high=1.0,
        ),
        Parameter(
            "risks",
            "boolean",
            mark("Whether `records` has the individual risk of every record, too, and that of its household."),
        ),
    ),
    figures=(
        Figure("cells", mark("keys"), "count", mark("different keys that occur, missing being a value")),
        Figure("records", mark("records counted"), "count", mark("records with a sample frequency")),
        *group_figures(
            mark("sample uniques: records whose sample frequency is 1"),
            mark("the unique ones as a share of the records counted"),
        ),
        Figure("violations", mark("violations"), "count", mark("records whose sample frequency is below k")),
        Figure("profile", mark("violations by k"), "count", mark("the same for every k from 2 to 10")),
        Figure("max", mark("largest risk"), "risk", mark("the largest individual risk")),
        Figure("mean", mark("mean risk"), "risk", mark("expected re-identifications divided by the records")),
        Figure("expected", mark("expected re-identifications"), "number:2", mark("the sum of the individual risks")),
        Figure("n_above", mark("records above"), "count", mark("records whose risk is above `above` or the quantile")),
        Figure("share_above", mark("share above"), "percent", mark("the same as a share of all records with a risk")),
    ),
    columns=(
        *FREQUENCIES,
        RecordFigure("risk", mark("individual risk, with `risks`")),
        RecordFigure(
            "household_risk",
            mark("risk that a member of the household is re-identified, with `risks` in a file with households"),
        ),
    ),
    at_most_one=("above", "quantile"),
    guide=Guide(
        assumes="For the individual risk, weights whose sum in a cell estimates its people, and an intruder who does "
        "not know who is in the file; without weights the file is the population. For group sizes and k-anonymity, "
        "that he may know who is in it, and knows nothing but the key variables. Where incomplete records are left "
        "out, the groups are the anonymity sets of the complete ones.",
        not_for="Many or fine keys in a small sample: the individual risk is then too low; see `population`. Telling "
        "whether sensitive values are safe: k records may all have the same one. Telling how safe "
        "incomplete records are that are left out.",
        formula="f and F are the records and the sum of weights behind a key; r = E(1/F given f). Quantiles are "
        "those of type 7. A household's risk is 1 − Π (1 − r) over its members. Violations are records with f < k.",
        source="Benedetti, Franconi (1998); Polettini (2004); Samarati, Sweeney (1998); Mulder, *Ensuring anonymity in "
        "survey panel research*; [Methods](methods.md).",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Group sizes, k-anonymity and individual risk [method: k-anonymity, uniqueness, individual risk]."""
    from ..distribution import RiskDistribution
    from ..household import household_risk
    from ..individual import TOLERANCE, individual_risk

    cells = given.cells
    risk = individual_risk(cells.f, cells.F, progress=given.progress)
    stairs = RiskDistribution.from_cells(risk, cells.count, given.progress)
    groups = KAnonymityProfile.from_cells(cells.f, cells.count)
    figures: dict[str, Any] = {
        "cells": cells.judged,
        "records": groups.n,
        **group_sizes(cells.f, cells.count),
        "violations": groups.violations(given.parameters["k"]),
        "profile": {str(k): violations for k, violations in groups.profile()},
    }
    if stairs.n:
        figures |= {"max": stairs.max_risk, "mean": stairs.rate, "expected": stairs.expected_reidentifications}
        limit = given.parameters.get("above")
        if "quantile" in given.parameters:
            limit = stairs.quantile(given.parameters["quantile"])
        if limit is not None:
            above = int(cells.count[risk > limit * (1.0 + TOLERANCE)].sum())
            figures |= {"n_above": above, "share_above": above / stairs.n}
    columns, of_households = frequency_columns(cells), {}
    if given.parameters.get("risks"):
        columns["risk", ""] = risk
    if given.parameters.get("risks") and given.households is not None:
        of_record = given.table.cell_index.of_record
        of_households["household_risk"] = household_risk(risk, of_record, given.households, given.progress)
    alone = figures["unique"]
    text = plural(
        alone,
        "{n} of {records} records is alone with its key in the file.",
        "{n} of {records} records are alone with their key in the file.",
    )
    return Evaluation(
        figures,
        columns,
        of_households,
        headline=Headline(text, {"n": (alone, "count"), "records": (int(cells.count.sum()), "count")}),
        picture=_histogram(risk, cells.count),
        behind=cells_behind(
            mark("Keys of the largest risk"),
            np.nan_to_num(risk),
            ~np.isnan(risk),
            (*frequencies_listed(cells), Listed(mark("individual risk"), "risk", risk)),
        ),
    )


def _histogram(risk: NDArray[np.float64], count: NDArray[np.integer[Any]]) -> Picture | None:
    """Records by individual risk, four classes to a power of ten."""
    there = risk > 0
    if not there.any():
        return None
    first, last = np.floor(4 * np.log10(risk[there].min())), np.ceil(4 * np.log10(risk[there].max()))
    edges = 10.0 ** (np.arange(first, max(last, first + 1) + 1) / 4)
    counts, _edges = np.histogram(np.clip(risk[there], edges[0], edges[-1]), edges, weights=count[there])
    return HistogramPicture(
        mark("individual risk"), mark("records"), edges, counts.astype(np.float64), logarithmic=True
    )
