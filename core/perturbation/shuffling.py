"""Data shuffling: numbers change places so that they go with the predictors as before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, RecipeError
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration, Figure, Guide, Parameter
from ..recipe.model import Perturbation
from .codes import with_codes
from .method import PerturbationInput, Perturbed
from .numbers import numbers_of
from .predictors import predictor
from .same_numbers import other_numbers
from .units import mixed_units, places_of, units_of

Floats = NDArray[np.float64]

DECLARATION = Declaration(
    name="shuffling",
    title=mark("Shuffling"),
    group=mark("Numerical variables"),
    sentence=mark(
        "Numbers change places among the records, so that their relations to the predictors and to each other stay as "
        "they are in ranks, while nobody keeps the own number but by chance."
    ),
    parameters=(
        Parameter(
            "predictors",
            "variables",
            mark("Variables that are released as they are and with which relations are kept: numbers, or categories."),
            required=True,
            as_read=True,
            apart=True,
        ),
    ),
    figures=(
        Figure(
            "same_numbers",
            mark("The same numbers as before"),
            "text",
            mark("Whether sorted values are those of the original."),
        ),
        Figure(
            "unchanged",
            mark("Numbers that stayed"),
            "count",
            mark("With their own records, by chance, over all variables."),
        ),
    ),
    told=mark("numbers changed places among the records, with relations to the predictors kept in ranks"),
    guide=Guide(
        assumes="Relations are monotone: those of the normal scores of ranks are all that is kept.",
        not_for="Files with strata of a few records; relations that are not monotone; variables not among the "
        "predictors, with which every relation beyond the predictors is lost.",
        formula="Normal scores of (rank − 0.5) / n; R their correlations, 2 sin(π r / 6) of the rank correlations r; "
        "B = R_xs R_ss⁻¹, Σ = R_xx − B R_sx; y = B s + e with e ~ N(0, Σ); the record with the i-th smallest y gets "
        "the i-th smallest number.",
        source="Muralidhar, Sarathy (2006), *Data shuffling — a new masking approach for numerical data*.",
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names."""
    return entry.variables


def perturb(given: PerturbationInput) -> Perturbed:
    """The numbers in other records, within strata.

    A record that lacks a number keeps that it does, and takes part with the middle rank; so does one that lacks a
    predictor.

    Raises
    ------
    DataError
        A value that is no number; strata with too few records for so many variables; predictors of very many codes.
    RecipeError
        Household variables together with others.
    """
    names = list(given.columns)
    mixed = mixed_units(given, names)
    if mixed is not None:
        raise RecipeError(
            "perturbation-mixed-units",
            mark('Method "shuffling": {variable} is a household variable, and others are not.'),
            mark("Give household variables an entry of their own, or say households = false."),
            variable=mixed[0],
        )
    units = units_of(given, names)
    decimal = given.metadata.decimal
    numbers = np.column_stack([numbers_of(given.columns[name], decimal)[units.first] for name in names])
    predictors = [predictor(given, name)[units.first] for name in given.parameters["predictors"]]
    codes = np.column_stack([given.columns[name].values[units.first] for name in names])
    normals = np.column_stack([given.random(name).standard_normal(len(numbers)) for name in names])
    after, kept = codes.copy(), []
    for own in places_of(units.strata, len(numbers)):
        given.progress.check()
        model = np.column_stack([part[own] for part in predictors])
        model = model[:, (model != model[:1]).any(axis=0)]
        if len(own) < 2 * (len(names) + model.shape[1]):
            raise DataError(
                "perturbation-few-records",
                plural(
                    len(own),
                    "Shuffling {variables}: only {count} record of a stratum has values; at least {k} are needed.",
                    "Shuffling {variables}: only {count} records of a stratum have values; at least {k} are needed.",
                ),
                mark("Take fewer predictors, or coarser strata."),
                variables=", ".join(names),
                count=len(own),
                k=2 * (len(names) + model.shape[1]),
            )
        drawn = shuffled_scores(numbers[own], model, normals[own])
        for j in range(len(names)):
            there = own[~np.isnan(numbers[own, j])]
            ranked = there[np.argsort(drawn[~np.isnan(numbers[own, j]), j], kind="stable")]
            ascending = there[np.argsort(numbers[there, j], kind="stable")]
            after[ranked, j] = codes[ascending, j]
            kept.append(int((codes[there, j] == after[there, j]).sum()))
    columns = {name: with_codes(given.columns[name], after[units.of_record, j]) for j, name in enumerate(names)}
    return Perturbed(columns, {"same_numbers": True, "unchanged": sum(kept)})


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Numbers that a stratum did not have, or has another number of times."""
    yield from other_numbers(given, columns)


def shuffled_scores(numbers: Floats, predictors: Floats, normals: Floats) -> Floats:
    """(n, q) normal scores drawn given the predictors; their ranks say which record gets which number.

    Parameters
    ----------
    numbers : (n, q) the confidential variables; nan where missing
    predictors : (n, s) columns that vary; nan where missing
    normals : (n, q) independent standard normal draws
    """
    coefficients, sigma = shuffling_model(numbers, predictors)
    scores = np.column_stack([normal_scores(c) for c in predictors.T]) if predictors.size else predictors
    # A correlation matrix made of rank correlations may be a little indefinite: what is below zero is no variance.
    variances, axes = np.linalg.eigh(sigma)
    noise = normals @ (axes * np.sqrt(np.maximum(variances, 0.0))) @ axes.T
    return np.asarray(scores @ coefficients + noise, np.float64)


def shuffling_model(numbers: Floats, predictors: Floats) -> tuple[Floats, Floats]:
    """(s, q) coefficients of the predictors' normal scores and (q, q) covariance of what they leave.

    Both come from rank correlations r, as 2 sin(π r / 6), the correlation of normal scores with that rank correlation.
    """
    s = predictors.shape[1]
    ranks = np.column_stack([_ranks(c) for c in (*predictors.T, *numbers.T)])
    r = 2 * np.sin(np.pi / 6 * np.atleast_2d(_correlations(ranks)))
    among, across, own = r[:s, :s], r[:s, s:], r[s:, s:]
    # Predictors that say the same twice (dummies of two nested codes) have no inverse, but a least solution.
    coefficients = np.linalg.lstsq(among, across, rcond=1e-10)[0] if s else np.zeros((0, len(own)))
    return coefficients, own - across.T @ coefficients


def normal_scores(values: Floats) -> Floats:
    """(n,) standard normal quantiles of (average rank − 0.5) / n; 0 where missing."""
    from scipy.special import ndtri

    there = ~np.isnan(values)
    found = np.zeros(len(values))
    found[there] = np.asarray(ndtri((_ranks(values[there]) - 0.5) / there.sum()))
    return found


def _ranks(values: Floats) -> Floats:
    """(n,) ranks from 1, equal values their mean; what is missing has the middle rank."""
    there = ~np.isnan(values)
    found = np.full(len(values), (there.sum() + 1) / 2)
    _codes, place, counts = np.unique(values[there], return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    found[there] = (ends - (counts - 1) / 2)[place.reshape(-1)]
    return found


def _correlations(ranks: Floats) -> Floats:
    """Correlations of columns; one that does not vary has none with others."""
    spread = ranks.std(axis=0)
    z = np.where(spread > 0, (ranks - ranks.mean(axis=0)) / np.where(spread > 0, spread, 1.0), 0.0)
    found = z.T @ z / len(ranks)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found, np.float64)
