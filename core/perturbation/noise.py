"""Noise on numerical variables: independent, correlated as the variables are, or so that moments are kept."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, RecipeError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import WITHHOLD, Declaration, Figure, Guide, Parameter
from ..recipe.model import Perturbation
from .method import PerturbationInput, Perturbed
from .normal_noise import correlations, correlations_of_noise, moments_of, noise_like, towards_mean
from .numbers import decimals_of, numbers_of, with_numbers

Floats = NDArray[np.float64]


def _plainly(variables: tuple[str, ...], used: Mapping[str, Any]) -> Mapping[str, Any]:
    """Correlated noise of one variable is independent noise."""
    alone = used.get("kind") == "correlated" and len(variables) == 1
    return {**used, "kind": "independent"} if alone else used


DECLARATION = Declaration(
    name="noise",
    title=mark("Noise"),
    group=mark("Numerical variables"),
    sentence=mark("To each number a random one is added, whose variance is a share of the variable's own."),
    parameters=(
        Parameter(
            "kind",
            "choice",
            mark(
                "independent: of each variable by itself; correlated: the noise of several variables goes together as "
                "these do, so that correlations stay; moments-kept: correlated, and then drawn towards the mean, so "
                "that variances and covariances stay, too."
            ),
            default="independent",
            choices=("independent", "correlated", "moments-kept"),
        ),
        Parameter(
            "share",
            "number",
            mark(
                "The variance of the noise as a share of the variable's, in all kinds: 0.1 is a tenth. None is "
                "proposed: Perturb finds the largest one that keeps the means or counts that you need."
            ),
            low=0.0,
            high=100.0,
            low_included=False,
            required=True,
            format="exact",
            outside="to-correct",
        ),
        WITHHOLD,
    ),
    figures=(
        Figure(
            "mean_shift",
            mark("Shift of the mean, in standard deviations"),
            "number:4",
            mark("How far the mean of the released values is from that of the original ones."),
        ),
        Figure(
            "sd_ratio",
            mark("Standard deviation over the original one"),
            "number:4",
            mark("Of independent and correlated noise the root of 1 + share is expected, else 1."),
        ),
        Figure(
            "correlation_shift",
            mark("Largest shift of a correlation"),
            "number:4",
            mark("Between two of the variables; correlated noise and the one that keeps moments expect 0."),
        ),
        Figure(
            "set_to_zero",
            mark("Values set to 0"),
            "count",
            mark("They would have become negative, which no value of the original is."),
        ),
    ),
    plainly=_plainly,
    told=mark("random noise was added ({kind}) whose variance is {share} times the variable's"),
    told_outside=mark("random noise was added ({kind})"),
    guide=Guide(
        assumes=mark(
            "The variables are numbers on a scale on which the same change means the same everywhere. Amounts spread "
            "over several orders of magnitude are changed too little where they are large and too much where they are "
            "small."
        ),
        not_for=mark(
            "Amounts of a few that everybody knows: with a small share the largest value stays the largest. Do not "
            "release the same records twice with different noise: the mean of both is nearer to the truth."
        ),
        formula=mark(
            "With a the share, s the standard deviation and C the covariance matrix of the records (divisor n - 1, "
            "without weights): *independent* x' = x + e, e normal with variance a s^2, each variable by itself; "
            "*correlated* e normal with covariance a C; *moments-kept* x' = mean + c (x + e - mean) with e as in "
            "correlated and c = 1 / sqrt(1 + a). Means and covariances are then those of the original in expectation "
            "over the draws, not in the one file that is released: the summary says how far that one is away. All this "
            "is before numbers are rounded to the decimals that the variable has and, where the file has no negative "
            "value, negative ones become 0; where values are missing, covariances are those of the complete records, "
            "and in a stratum with fewer than 2 p + 2 of these, of p variables, correlations are those of all strata "
            "together."
        ),
        source=mark("Kim (1986); Brand (2002), *Microdata protection through noise addition*."),
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names."""
    return entry.variables


def perturb(given: PerturbationInput) -> Perturbed:
    """The variables with noise, rounded to their decimals, and how far their moments are from those before."""
    # What is drawn of a household comes first: of it the noise of persons may depend, but not the other way round.
    # Else by values: an entry that lists its variables in another order, or calls them otherwise, has the same draws.
    names = sorted(given.in_order(given.columns), key=lambda name: given.households_of(name) is None)
    decimal, kind = given.metadata.decimal, given.parameters["kind"]
    share = float(given.parameters["share"])
    before = np.stack([numbers_of(given.columns[name], decimal) for name in names], axis=1)
    _check_strata(given, names)
    strata = np.zeros(len(before), np.int64) if given.strata is None else given.strata
    mixed = kind != "independent" and len(names) > 1
    randoms = [given.random(*names, purpose=place) if mixed else given.random(name) for place, name in enumerate(names)]
    draws = [_draws(given, name, random) for name, random in zip(names, randoms, strict=True)]
    given.progress.check()
    moments = moments_of(before, strata)
    joint = correlations_of_noise(before, strata) if mixed else None
    made = before + math.sqrt(share) * noise_like(moments, strata, draws, joint)
    if kind == "moments-kept":
        made = towards_mean(made, moments, strata, 1 / math.sqrt(1 + share))
    columns, below = {}, {}
    for place, name in enumerate(names):
        given.progress.check()
        values, column = made[:, place], given.columns[name]
        if not _has_negative(before[:, place]):
            below[name] = int((values < 0).sum())
            values = np.where(values < 0, 0.0, values)
        columns[name] = with_numbers(column, values, decimals_of(column, given.metadata[name], decimal), decimal)
    listed = list(given.columns)
    order = [names.index(name) for name in listed]
    after = np.stack([numbers_of(columns[name], decimal) for name in listed], axis=1)
    below = {name: below[name] for name in listed if name in below}
    return Perturbed({name: columns[name] for name in listed}, _kept(listed, before[:, order], after, below))


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """More decimals than the variable has, or negative values where it had none."""
    decimal = given.metadata.decimal
    for name, before in given.columns.items():
        variable, after = given.metadata[name], columns[name]
        if decimals_of(after, variable, decimal) > decimals_of(before, variable, decimal):
            text = mark("Noise gave {variable} more decimals than it had.")
            yield Notice.of("noise-decimals", text, where=name, variable=name)
        if _has_negative(numbers_of(after, decimal)) and not _has_negative(numbers_of(before, decimal)):
            text = mark("Noise made values of {variable} negative, which none was.")
            yield Notice.of("noise-negative", text, where=name, variable=name)


def _draws(given: PerturbationInput, name: str, random: np.random.Generator) -> Floats:
    """(n,) standard normal, one a record, or of household variables one a household."""
    households = given.households_of(name)
    if households is None:
        return random.standard_normal(len(given.columns[name].values))
    return random.standard_normal(int(households.max(initial=-1)) + 1)[households]


def _check_strata(given: PerturbationInput, names: list[str]) -> None:
    """Refuse strata that part the members of households whose variables get one draw."""
    shared = [name for name in names if given.households_of(name) is not None]
    if given.strata is None or given.households is None or not shared:
        return
    first = np.zeros(int(given.households.max(initial=-1)) + 1, np.int64)
    first[given.households] = given.strata
    if (first[given.households] != given.strata).any():
        raise RecipeError(
            "perturbation-parts-households",
            mark(
                "{method}: the strata by {within} part members of one household, so {variable} cannot get one draw a "
                "household."
            ),
            mark("Take strata of household variables, or say households = false."),
            method=DECLARATION.name,
            within=", ".join(given.parameters.get("within", ())),
            variable=shared[0],
        )


def _has_negative(values: Floats) -> bool:
    return bool((values < 0).any())


def _kept(names: list[str], before: Floats, after: Floats, below: Mapping[str, int]) -> dict[str, Any]:
    """How far the moments of the file are from those before: shifts of means in standard deviations."""
    whole = np.zeros(len(before), np.int64)
    old, new = moments_of(before, whole), moments_of(after, whole)
    found: dict[str, Any] = {"mean_shift": {}, "sd_ratio": {}}
    for place, name in enumerate(names):
        sd = float(old.sd[0, place])
        if sd > 0:
            found["mean_shift"][name] = float(new.mean[0, place] - old.mean[0, place]) / sd
            found["sd_ratio"][name] = float(new.sd[0, place]) / sd
    if len(names) > 1:
        shift = np.abs(correlations(after, whole)[0] - correlations(before, whole)[0])
        found["correlation_shift"] = float(shift.max())
    return found | ({"set_to_zero": dict(below)} if any(below.values()) else {})
