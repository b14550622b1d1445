"""How many sample uniques are unique in the population, by several models, and risks by who the intruder is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter
from ...tables.cells import Cells
from .evaluation import COUNTING, POPULATION, Evaluation, MeasureInput
from .population_size import population_size, total_weight
from .shown import BarPicture, Headline

_DECIMALS = 9
"""Of the weight that every record gets where only the size of the population is known."""

_FIGURES = ("tau1", "tau2", "expected", "population_uniques", "correct")
"""Of a model."""

DECLARATION = Declaration(
    name="population",
    title=mark("Population models"),
    group=POPULATION,
    sentence=mark("How many sample uniques are unique in the population, too, by several models beside each other."),
    parameters=(
        *COUNTING,
        Parameter(
            "population",
            "number",
            mark("Number of people in the population, where no weight says it; default: the file is the population."),
            low=1.0,
        ),
        Parameter(
            "least",
            "integer",
            mark("The fewest uniques and the fewest pairs with which θ is given."),
            default=10,
            low=1,
        ),
    ),
    figures=(
        Figure("sample_uniques", mark("sample uniques"), "count", mark("records whose sample frequency is 1")),
        Figure("size", mark("size of the population"), "exact", mark("number of people that the models reckon with")),
        Figure(
            "models",
            mark("Models"),
            "exact",
            mark("the models beside each other; one that did not converge has no figures"),
            rows=(
                Figure("name", mark("Model"), "text", mark("its name")),
                Figure("tau1", mark("τ1"), "number:2", mark("sample uniques that are unique in the population")),
                Figure("tau2", mark("τ2"), "number:2", mark("expected correct matches of sample uniques")),
                Figure("expected", mark("expected re-identifications"), "number:2", mark("of all records")),
                Figure("population_uniques", mark("population uniques"), "number:1",
                       mark("number of people who are unique in the population")),
                Figure("correct", mark("θ"), "risk", mark("the chance that a match with a sample unique is right")),
                Figure("converged", mark("converged"), "text", mark("whether its equations have a solution")),
                Figure("chosen", mark("chosen"), "text", mark("whether it is to be believed by Dankar's rule")),
            ),
        ),
        Figure("prosecutor", mark("prosecutor"), "risk",
               mark("the intruder knows that his target is in the file, 1/f: largest, and mean over records")),
        Figure("journalist", mark("journalist"), "risk",
               mark("he does not know it, 1/F: largest, and the larger of keys / people and the mean over records")),
        Figure("marketer", mark("marketer"), "risk", mark("he matches everybody: the mean of 1/F over records")),
    ),
    guide=Guide(
        assumes="`calibrated` and `log-linear`: weights that add up to the population, and keys whose dependence a "
        "graph without cycles can follow. The others look only at how many keys occur once, twice, …: a "
        "simple random sample, and cells that are alike. `theta`: the same, and nothing about the sizes of "
        "cells. Records with a missing key value are left out of these, unless the missing rule is "
        "`category`.",
        not_for="Weights that were divided by their mean: they are refused. Zayatz's model takes the sizes of cells"
        " in the sample for those in the population and says far too many at small fractions; Pitman's says"
        " too few, or nothing, where most cells have several people. Where the models differ by a factor, "
        "believe none of them alone.",
        formula="tau1 = Σ P(F = 1), tau2 = Σ E(1/F), both over sample uniques; expected = Σ E(1/F) over all "
        "records. `zayatz`: n₁ s₁ h₁ / Σ sᵢ hᵢ, hᵢ hypergeometric. `pitman`: Γ(θ+1)/Γ(θ+α) N^α by maximum "
        "likelihood. `snb`: cells of 1 + a negative binomial number of people, K p^α, from the keys and the"
        " uniques in the sample. `theta`: π n₁ / (π n₁ + 2 (1 − π) n₂). Chosen: up to a fraction of 0.1 "
        "`pitman`, above it the lower of `zayatz` and `snb`; `zayatz` where that one did not converge.",
        source="Zayatz (1991); Hoshino (2001); Chen, Keller-McNulty (1998); Skinner, Elliot (2002); Dankar et al. "
        "(2012); El Emam, *Guide to the De-Identification of Personal Health Information* (2013); "
        "[Methods](methods.md).",
    ),
)  # fmt: skip


def evaluate(given: MeasureInput) -> Evaluation:
    """Models of population uniqueness, and risks from f and F [method: log-linear model, other models]."""
    cells, people = _in_population(given)
    judged = ~np.isnan(cells.f)
    models = [*_log_linear(given, cells), *_of_sizes(given, cells, people)]
    figures: dict[str, Any] = {
        "sample_uniques": int(cells.count @ (cells.f == 1.0)),
        "size": people,
        "models": models,
    }
    if judged.any():
        f, F, count = cells.f[judged], np.maximum(cells.F[judged], cells.f[judged]), cells.count[judged]
        marketer = float(np.average(1.0 / F, weights=count))
        # keys over their people, where the sum of F is not more than these because of missing values
        keys = len(F) / float(np.sum(F * count / f))
        figures["prosecutor"] = {"max": float(1.0 / f.min()), "mean": float(np.average(1.0 / f, weights=count))}
        figures["journalist"] = {"max": float(1.0 / F.min()), "mean": max(keys, marketer)}
        figures["marketer"] = marketer
    return Evaluation(figures, headline=_headline(figures), picture=_picture(models))


def _headline(figures: dict[str, Any]) -> Headline:
    """How many sample uniques are population uniques by the model of the second opinion."""
    uniques = figures["sample_uniques"]
    text = plural(
        uniques,
        "{n} record is unique in the file; about {told} of such records is unique in the population, too.",
        "{n} records are unique in the file; about {told} of them are unique in the population, too.",
    )
    told = next(model["tau1"] for model in figures["models"] if model["name"] == "calibrated")
    return Headline(text, {"n": (uniques, "count"), "told": (told, "number:1")})


def _picture(models: list[dict[str, Any]]) -> BarPicture:
    """Population uniques among the sample uniques, by model that has a figure."""
    told = {model["name"]: model["tau1"] for model in models if model.get("tau1") is not None}
    values = np.array(list(told.values()), np.float64)
    return BarPicture(mark("model"), mark("unique in file and population"), tuple(told), values, "number:1")


def _in_population(given: MeasureInput) -> tuple[Cells, float]:
    """The cells with weights that add up to the population, and its size N."""
    cells = given.cells
    if cells.weight_limbs:
        return cells, total_weight(cells)
    n, said = cells.records, population_size(given)
    if said == n:
        return cells, said
    each = round(said / n * 10**_DECIMALS)
    limbs = (cells.count * each,)
    frequencies = cells.f, cells.f * (said / n)
    weighted = replace(cells, weight_limbs=limbs, weight_decimals=(_DECIMALS,), under_rule=frequencies)
    return weighted, said


def _log_linear(given: MeasureInput, cells: Cells) -> Iterator[dict[str, Any]]:
    """The calibrated and the log-linear model, as the second opinion has them."""
    from ..population_model import PopulationModel, weights_above_one
    from ..second_opinion import second_opinion

    if given.cells.weight_limbs:
        above = weights_above_one(given.table, given.weights, given.progress)
    else:  # all weights are alike
        one = 10**_DECIMALS
        above = tuple(limb - one * cells.count for limb in cells.weight_limbs)
    model = PopulationModel(cells, above)
    opinion = second_opinion(cells, model, given.progress)
    yield _row(
        "calibrated",
        tau1=opinion.population_uniques,
        tau2=opinion.correct_matches,
        expected=opinion.expected_reidentifications,
    )
    yield _row(
        "log-linear",
        tau1=opinion.log_linear_uniques,
        tau2=opinion.log_linear_matches,
        expected=opinion.log_linear,
    )


def _of_sizes(given: MeasureInput, cells: Cells, people: float) -> Iterator[dict[str, Any]]:
    """The models of the sizes of cells; of the complete records, unless a missing value is a value."""
    from ..population_uniqueness import (
        SampleSizes,
        correct_given_unique,
        dankar,
        pitman,
        slide_negative_binomial,
        zayatz,
    )

    whole = cells.count if cells.rule == "category" else cells.count[cells.missing == 0]
    sizes, number = np.unique(whole, return_counts=True)
    sample = SampleSizes(sizes, number, people)
    if not len(sizes):
        yield from (_row(name) for name in ("zayatz", "pitman", "snb", "theta"))
        return
    found = {"zayatz": zayatz(sample), "pitman": pitman(sample), "snb": slide_negative_binomial(sample)}
    chosen = dankar(sample.fraction, found)  # type: ignore[arg-type]
    for name, one in found.items():
        told = {} if one is None else vars(one)
        yield _row(name, name == chosen, **told)
    uniques, pairs = sample.of_size(1), sample.of_size(2)
    correct = correct_given_unique(uniques, pairs, sample.fraction)
    if min(uniques, pairs) >= given.parameters["least"]:
        # of all matches with a unique record, so θ n₁ is below the sum of 1/F over uniques: it is no tau2
        yield _row("theta", correct=correct)
    else:
        yield _row("theta")


def _row(name: str, chosen: bool = False, **figures: float) -> dict[str, Any]:
    """One model; without figures it did not converge."""
    there = {key: figures[key] for key in _FIGURES if not math.isnan(figures.get(key, math.nan))}
    return {"name": name, **there, "converged": bool(there), "chosen": chosen}
