"""Microaggregation: each number becomes the mean of a group of at least k near records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, RecipeError
from ..base.progress import Progress
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration, Figure, Guide, Parameter
from ..recipe.model import Perturbation
from .method import PerturbationInput, Perturbed
from .micro_groups import (
    ALGORITHMS,
    Algorithm,
    Floats,
    Groups,
    blocks,
    group_means,
    least_within,
    mdav,
    optimal,
    principal_component,
    within,
)
from .numbers import decimals_of, numbers_of, with_numbers
from .units import Units, mixed_units, places_of, units_of

DECLARATION = Declaration(
    name="microaggregation",
    title=mark("Microaggregation"),
    group=mark("Numerical variables"),
    sentence=mark(
        "Near records are put into groups of at least k, and each number becomes the mean of its group: the mean of "
        "the variable stays."
    ),
    parameters=(
        Parameter(
            "algorithm",
            "choice",
            mark(
                "How groups are made: of all variables together (mdav), along their first principal component, of each "
                "variable by itself in the order of its values (individual-ranking), or of one variable with the least "
                "loss that there is (optimal)."
            ),
            default="mdav",
            choices=ALGORITHMS,
        ),
        Parameter("k", "integer", mark("The least number of records in a group."), default=3, low=2),
        Parameter(
            "weighted",
            "boolean",
            mark(
                "Whether each group takes its weighted mean, so that weighted means stay instead of those of records: "
                "of the file and, within strata, of each stratum. Who is in which group does not depend on weights."
            ),
            default=False,
        ),
    ),
    figures=(
        Figure("groups", mark("Groups"), "count", mark("In which records have the same numbers.")),
        Figure("smallest_group", mark("Records in the smallest group"), "count", mark("At least k.")),
        Figure(
            "largest_group",
            mark("Records in the largest group"),
            "count",
            mark("Below 2k, but for records that lack values."),
        ),
        Figure(
            "information_lost",
            mark("Information lost, share of the variance"),
            "percent",
            mark("Sum of squares within groups over the total one, mean of the variables."),
        ),
        Figure(
            "least_information_lost",
            mark("Least that groups of k can lose"),
            "percent",
            mark("The bound by the optimal groups of each variable alone, mean of the variables."),
        ),
        Figure(
            "largest_change_of_mean",
            mark("Largest change of a mean, in units of the variable"),
            "number:6",
            mark("Of the file; what rounding to the variable's decimals leaves."),
        ),
        Figure(
            "largest_change_of_stratum_mean",
            mark("Largest change of a stratum's mean, in units of the variable"),
            "number:6",
            mark("Where groups are made within strata; what rounding to the variable's decimals leaves."),
        ),
    ),
    told=mark("each number replaced by the mean of a group of at least {k} records"),
    guide=Guide(
        assumes="The variables are numbers, and who may be recognised by one of them may be recognised by numbers that "
        "are near.",
        not_for="Individual ranking where the variables are known together: each changes little, and records stay near "
        "themselves. Analyses of tails and of relations within small groups: both shrink.",
        formula="SSE = Σ (x − mean of its group)², each variable over its variance; its share in the total is the "
        "information lost. The bound is the sum of what the optimal groups of each variable alone would lose.",
        source="Domingo-Ferrer, Mateo-Sanz (2002); Domingo-Ferrer, Torra (2005); Hansen, Mukherjee (2003).",
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names."""
    return entry.variables


def perturb(given: PerturbationInput) -> Perturbed:
    """The group means, with the decimals that the variable has.

    A record that lacks some of the variables is grouped with others that lack the same ones; where these are fewer than
    k, it joins the nearest group by the variables that it has. Of household variables each household is one record.

    Raises
    ------
    DataError
        A value that is no number; fewer than k records with values in a stratum; members of a household with different
        values of a household variable.
    RecipeError
        Algorithm ``optimal`` with several variables; household variables grouped together with others.
    """
    names, decimal = list(given.columns), given.metadata.decimal
    algorithm, k = given.parameters["algorithm"], given.parameters["k"]
    apart = algorithm in ("individual-ranking", "optimal")
    if algorithm == "optimal" and len(names) > 1:
        raise RecipeError(
            "perturbation-one-variable",
            mark('Method "microaggregation": algorithm "optimal" is for one variable, and {count} are named.'),
            mark('Say "individual-ranking" or "mdav", or give each variable an entry of its own.'),
            count=len(names),
        )
    mixed = None if apart else mixed_units(given, names)
    if mixed is not None:
        raise RecipeError(
            "perturbation-mixed-units",
            mark('Method "microaggregation": {variable} is a household variable, and {other} is not.'),
            mark("Give household variables an entry of their own, or say households = false."),
            variable=mixed[0],
            other=mixed[1],
        )
    sets = [[name] for name in names] if apart else [names]
    columns, lost, least, sizes, moved = {}, 0.0, 0.0, [], [0.0]
    moved_in: list[float] = []
    for grouped in sets:
        units = units_of(given, grouped)
        weights = _weights(given, units)
        before = np.column_stack([numbers_of(given.columns[name], decimal)[units.first] for name in grouped])
        after, found = _in_strata(before, units.strata, weights, algorithm, k, grouped, given.progress)
        sizes.append(np.bincount(found[found >= 0]))
        for j, name in enumerate(grouped):
            column = given.columns[name]
            places = decimals_of(column, given.metadata[name], decimal)
            columns[name] = with_numbers(column, after[:, j][units.of_record], places, decimal)
            written = numbers_of(columns[name], decimal)[units.first]
            spread = float(np.nanvar(before[:, j])) if np.isfinite(before[:, j]).any() else 0.0
            if spread:
                there = int(np.isfinite(before[:, j]).sum())
                lost += within(before[:, j], written) / (spread * there)
                if algorithm == "optimal":
                    least += within(before[:, j], after[:, j]) / (spread * there)
                else:
                    least += _least(before[:, j], units.strata, k, given.progress) / (spread * there)
            moved.append(_moved(written - before[:, j], None, weights))
            moved_in.append(_moved(written - before[:, j], units.strata, weights))
    of_groups = np.concatenate([found[found > 0] for found in sizes])
    return Perturbed(
        columns,
        {
            "groups": len(of_groups),
            "smallest_group": int(of_groups.min()) if of_groups.size else 0,
            "largest_group": int(of_groups.max(initial=0)),
            "information_lost": lost / len(names),
            "least_information_lost": least / len(names),
            "largest_change_of_mean": max(moved),
            **({} if given.strata is None else {"largest_change_of_stratum_mean": max(moved_in, default=0.0)}),
        },
    )


def _weights(given: PerturbationInput, units: Units) -> Floats | None:
    """(u,) what each unit counts: the weights of its records together; None: all alike."""
    if not given.parameters.get("weighted") or given.weights is None:
        return None
    return np.bincount(units.of_record, given.weights, len(units.first)).astype(np.float64)


def _moved(change: Floats, strata: NDArray[np.int64] | None, weights: Floats | None) -> float:
    """The largest change of a mean, of any stratum; nan takes no part."""
    there = np.isfinite(change)
    own = np.zeros(len(change), np.int64) if strata is None else strata
    counted = np.ones(len(change)) if weights is None else weights
    size = int(own.max(initial=0)) + 1
    total = np.bincount(own[there], (counted * change)[there], size)
    count = np.bincount(own[there], counted[there], size)
    return float(np.abs(total[count > 0] / count[count > 0]).max(initial=0.0))


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Numbers that fewer than k records of a stratum have, and means that moved by more than rounding."""
    k, decimal = given.parameters["k"], given.metadata.decimal
    for name, before in given.columns.items():
        units = units_of(given, [name])
        after = columns[name]
        values = numbers_of(after, decimal)[units.first]
        strata = np.zeros(len(values), np.int64) if units.strata is None else units.strata
        there = np.isfinite(values)
        distinct, place = np.unique(values[there], return_inverse=True)
        counts = np.unique(strata[there] * len(distinct) + place, return_counts=True)[1]
        if counts.size and counts.min() < k:
            yield Notice.of(
                "microaggregation-rare",
                mark("{variable}: {count} released numbers stand in fewer than {k} records."),
                where=name,
                variable=name,
                count=int((counts < k).sum()),
                k=k,
            )
        unit = 10.0 ** -decimals_of(before, given.metadata[name], decimal)
        weights = _weights(given, units)
        counted = np.ones(len(values)) if weights is None or not weights[there].any() else weights
        changed = np.bincount(strata[there], (counted * (values - numbers_of(before, decimal)[units.first]))[there])
        # A number that would be written as a missing code is as many units larger as there are such codes, at most;
        # rounding moves half a unit.
        most = unit * (0.5 + max(1, before.n_missing_codes))
        room = np.bincount(strata[there], (counted * (most + 1e-9 * np.abs(values)))[there])
        if (np.abs(changed) > room).any():
            yield Notice.of(
                "microaggregation-mean", mark("{variable}: its mean is no longer what it was."), where=name,
                variable=name,
            )  # fmt: skip


def _in_strata(
    points: Floats, strata: NDArray[np.int64] | None, weights: Floats | None, algorithm: Algorithm, k: int,
    names: list[str], progress: Progress,
) -> tuple[Floats, Groups]:  # fmt: skip
    """Group means, and the group of each unit over all strata, -1 where nothing is there."""
    after, groups, count = points.copy(), np.full(len(points), -1, np.int64), 0
    places = places_of(strata, len(points))
    for own in places:
        found = _grouped(points[own], algorithm, k, names, progress)
        there = found >= 0
        rows = own[there]
        for j in range(points.shape[1]):
            after[rows, j] = group_means(points[rows, j], found[there], None if weights is None else weights[rows])
        groups[rows] = count + found[there]
        count += int(found.max(initial=-1)) + 1
    return after, groups


def _grouped(points: Floats, algorithm: Algorithm, k: int, names: list[str], progress: Progress) -> Groups:
    """The group of each unit of a stratum; -1 where all variables are missing."""
    missing = np.isnan(points)
    groups, count = np.full(len(points), -1, np.int64), 0
    pattern = np.zeros(len(points), np.int64)
    for column in missing[:, missing.any(axis=0)].T:  # much faster than the distinct rows of a matrix
        pattern = np.unique(pattern * 2 + column, return_inverse=True)[1]
    first, sizes = np.unique(pattern, return_index=True, return_counts=True)[1:]
    patterns = missing[first]
    alone = []
    for number in np.argsort(patterns.sum(axis=1), kind="stable").tolist():
        rows = np.flatnonzero(pattern == number)
        present = ~patterns[number]
        if not present.any():
            continue
        if sizes[number] < k:
            alone.append(number)
            continue
        found = _by_algorithm(points[np.ix_(rows, present)], algorithm, k, progress)
        groups[rows] = count + found
        count += int(found.max()) + 1
    _join(points, groups, pattern, patterns, alone, names, k)
    return groups


def _join(
    points: Floats, groups: Groups, pattern: NDArray[np.int64], patterns: NDArray[np.bool_], alone: list[int],
    names: list[str], k: int,
) -> None:  # fmt: skip
    """Let units whose pattern of missing values is too rare join the nearest group that has what they have."""
    scaled = points / np.where((spread := _spread(points)) > 0, spread, 1.0)
    made = groups.copy()
    for number in alone:
        rows, present = np.flatnonzero(pattern == number), ~patterns[number]
        others = np.flatnonzero((made >= 0) & ~np.isnan(points[:, present]).any(axis=1))
        if not others.size:
            raise DataError(
                "perturbation-few-records",
                plural(
                    len(rows),
                    "{variables}: only {count} record of a stratum has values, and groups need {k}.",
                    "{variables}: only {count} records of a stratum have values, and groups need {k}.",
                ),
                mark("Take a smaller k, fewer variables, or coarser strata."),
                variables=", ".join(name for name, there in zip(names, present, strict=True) if there),
                count=len(rows),
                k=k,
            )
        found, place = np.unique(made[others], return_inverse=True)
        size = np.bincount(place.reshape(-1))
        means = np.column_stack(
            [np.bincount(place.reshape(-1), scaled[others, j]) / size for j in np.flatnonzero(present)]
        )
        for row in rows.tolist():
            distance = ((means - scaled[row, present]) ** 2).sum(axis=1)
            groups[row] = found[int(np.argmin(distance))]


def _spread(points: Floats) -> Floats:
    """(p,) standard deviations of what is there; 0 where nothing is."""
    return np.array([float(np.std(c[~np.isnan(c)])) if (~np.isnan(c)).any() else 0.0 for c in points.T])


def _by_algorithm(points: Floats, algorithm: Algorithm, k: int, progress: Progress) -> Groups:
    if algorithm == "mdav":
        return mdav(points, k, progress)
    if algorithm == "optimal":
        return optimal(points[:, 0], k, progress)
    if algorithm == "principal-component":
        return blocks(principal_component(points), k)
    return blocks(points[:, 0], k)


def _least(values: Floats, strata: NDArray[np.int64] | None, k: int, progress: Progress) -> float:
    """The least sum of squares that groups of k within strata can have of one variable."""
    places = places_of(strata, len(values))
    return sum(least_within(values[own], k, progress) for own in places)
