"""What a perturbation does to its variables: distributions, figures and relations before and after it.

It is seen on a sample of the records, or on all of them; both are compared in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, PavoError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.encoding import smallest_type
from ..data.variables import Metadata
from ..perturbation.done import PerturbationDone, PerturbationStep, PerturbedColumns
from ..perturbation.method import PerturbationInput
from ..perturbation.numbers import numbers_of
from ..perturbation.registry import REGISTRY
from ..recipe.model import Perturbation, Recipe
from ..recoding.numerical import records_changed
from ..results.numeric import change_numbers
from ..results.perturbed_columns import step_of
from .group_figures import GroupFigures, groups_of_codes, groups_of_numbers
from .strongest import Strongest, find_strongest

SAMPLE = 20_000
"""Records of a sample: shares are off by 0.7 percentage points at most, in 19 of 20 samples."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Of these, figures are told."""
BINS = 30
_QUANTILE_BINS = 20
_MOST_OF, _CROWDED = 0.9, 6
"""Numbers nine of ten of which stand in fewer classes of equal width than these are shown in others."""
Scale = Literal["width", "log", "quantiles"]
_FEW = 40
"""Codes up to which a variable of numbers that is not categorical is told code by code."""
_ALL_CODES = 4096
"""Codes up to which a sample keeps all in its list: a method may name some that no record of it has."""
_MOST_RELATED = 12
"""Variables up to which all pairs are told."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class FileToPerturb(Protocol):
    """The columns of a file as perturbations find them and leave them."""

    def given(
        self, recipe: Recipe, metadata: Metadata, entry: Perturbation, progress: Progress, besides: Sequence[str] = ()
    ) -> tuple[PerturbationInput, dict[str, EncodedColumn]]:
        """What `entry` is given after all that `recipe` perturbs before recodes; and `besides`, as they are then."""

    def perturbed(
        self, recipe: Recipe, metadata: Metadata, progress: Progress, besides: Sequence[str] = ()
    ) -> PerturbedColumns | None:
        """All that is perturbed before recodes; None: nothing is."""


@dataclass(frozen=True)
class NumberFigures:
    """Figures of the numbers of a variable in one state; nan where there are none.

    Attributes
    ----------
    records : with a number
    mean, sd : without weights; divisor n − 1
    least, greatest : the smallest and the largest number
    quantiles : those of `QUANTILES`, by linear interpolation
    """

    records: int
    mean: float
    sd: float
    least: float
    greatest: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class PerturbedNumbers:
    """Numbers of a variable before and after.

    Attributes
    ----------
    edges : (k + 1,) bounds of classes over both states
    scale : classes of equal ``width``, of equal ratio (``log``) where few large numbers would leave nearly all in one
        class, or with about as many numbers before (``quantiles``) where some of these are not above 0
    before, after : (k,) records of each class
    figures_before, figures_after : figures of both states
    correlation : of the number before and after, over the records; nan where either does not vary
    """

    edges: Floats
    before: Ints
    after: Ints
    figures_before: NumberFigures
    figures_after: NumberFigures
    correlation: float
    scale: Scale = "width"


@dataclass(frozen=True, eq=False)
class PerturbedCodes:
    """Codes of a variable before and after.

    Attributes
    ----------
    codes : valid ones in the order of the file
    before, after : (K,) records with each
    kept : (K,) records that have the code before and after
    """

    codes: tuple[str, ...]
    before: Ints
    after: Ints
    kept: Ints


@dataclass(frozen=True, eq=False)
class PerturbedVariable:
    """One variable before and after; either `numbers` or `codes`.

    Attributes
    ----------
    records : with a value
    changed : records with another text
    """

    name: str
    records: int
    changed: int
    numbers: PerturbedNumbers | None = None
    codes: PerturbedCodes | None = None


@dataclass(frozen=True)
class Relation:
    """How strongly two variables go together before and after, over records with both.

    `kind` is ``correlation`` (of numbers, −1 to 1) or ``association`` (Cramér's V of codes, 0 to 1).
    """

    variables: tuple[str, str]
    kind: str
    before: float
    after: float


@dataclass(frozen=True, eq=False)
class PerturbationPreview:
    """What an entry of ``[[perturbations]]`` does.

    Attributes
    ----------
    done : the entry as it was done on these records, with what came of what it promises, and what is published
    variables : those that it changes
    relations : of pairs of these, and with the other variables that the entry names
    records, of_records : that were looked at, and of the file
    notices : what is to be said before it is applied
    groups : each variable by group, where that was asked for
    """

    done: PerturbationDone
    variables: tuple[PerturbedVariable, ...]
    relations: tuple[Relation, ...]
    records: int
    of_records: int
    notices: tuple[Notice, ...] = ()
    groups: tuple[GroupFigures, ...] = ()

    @property
    def is_sample(self) -> bool:
        """Whether not all records were looked at."""
        return self.records < self.of_records


def preview_perturbation(
    store: FileToPerturb, recipe: Recipe, metadata: Metadata, entry: Perturbation, everything: bool = False,
    by: str | None = None, progress: Progress = SILENT,
) -> PerturbationPreview:  # fmt: skip
    """What `entry` does after all that `recipe` perturbs already.

    Parameters
    ----------
    everything : whether all records are looked at; else, of a larger file, a sample of `SAMPLE`
    by : a categorical variable by whose codes figures are taken, too; empty: of all records together; None: none are

    Raises
    ------
    DataError, RecipeError
        The method cannot be carried out on this file. What a sample does not bear is tried on all records.
    """
    given, groups = store.given(recipe, metadata, entry, progress, (by,) if by else ())
    grouping = None if by is None else groups
    n = records_of(given)
    if not everything and n > SAMPLE:
        sample, records = sample_of(given, SAMPLE), sampled_records(given, SAMPLE)
        assert records is not None, "there are more"
        of_sample = None if grouping is None else {name: part_of(each, records) for name, each in grouping.items()}
        with suppress(PavoError):
            return preview_of(sample, _sampled_step(recipe, entry, sample), n, progress, of_sample)
    if REGISTRY[entry.method].DECLARATION.at_writing:
        return preview_of(given, _sampled_step(recipe, entry, given), n, progress, grouping)
    last = recipe.with_(perturbations=(*recipe.perturbations, entry))
    perturbed = store.perturbed(last, metadata, progress)  # kept there: once it is applied nothing is done again
    assert perturbed is not None, "there is one at least"
    step = PerturbationStep({name: perturbed.columns[name] for name in given.columns}, perturbed.done[-1])
    return preview_of(given, step, n, progress, grouping)


def strongest_perturbation(
    store: FileToPerturb, recipe: Recipe, metadata: Metadata, entry: Perturbation, by: str, goal: float,
    progress: Progress = SILENT,
) -> Strongest:  # fmt: skip
    """The strongest form of `entry` after which no mean or count by `by` changes by more than `goal`, on all records.

    Parameters
    ----------
    by : a categorical variable; empty: all records together
    goal : a fraction

    Raises
    ------
    PavoError
        As `core.whatif.strongest.find_strongest` refuses.
    """

    def look(tried: Perturbation) -> tuple[float, bool]:
        given, groups = store.given(recipe, metadata, tried, progress, (by,) if by else ())
        quiet = replace(given, progress=_Unsaid(progress))
        step = _sampled_step(recipe, tried, quiet)
        found = _grouped(quiet, step, groups)
        return max((each.largest() for each in found), default=0.0), not any(each.failing(goal) for each in found)

    return find_strongest(entry, look, progress)


class _Unsaid:
    """Progress that is cancelled as another one is, while what is done within is not said."""

    def __init__(self, of: Progress) -> None:
        self.check = of.check

    def report(self, done: float, total: float, text: str) -> None:
        """Do nothing."""


def _grouped(
    given: PerturbationInput, step: PerturbationStep, groups: Mapping[str, EncodedColumn]
) -> tuple[GroupFigures, ...]:  # fmt: skip
    """Each changed variable by group; no `groups`, and of the variable of the groups itself: all records together."""
    grouping = next(iter(groups.values()), None)
    by = None if grouping is None else (grouping, step.columns.get(grouping.name, grouping))
    found = []
    for name, before in _told(given).items():
        given.progress.check()
        own = None if by is not None and name == by[0].name else by
        after, numbers = step.columns[name], _as_numbers(before, given.metadata)
        if numbers is not None:
            both = numbers, numbers_of(after, given.metadata.decimal)
            found.append(groups_of_numbers(name, both, own, given.weights))
        else:
            found.append(groups_of_codes((before, after), own, given.weights))
    return tuple(found)


def _sampled_step(recipe: Recipe, entry: Perturbation, given: PerturbationInput) -> PerturbationStep:
    if not REGISTRY[entry.method].DECLARATION.at_writing:
        return step_of(entry, given)
    alone = recipe.with_(perturbations=(entry,))
    changed = change_numbers(given.columns, alone, given.metadata, given.progress, given.households)
    return PerturbationStep(changed.columns, changed.perturbed[-1])


def sample_of(given: PerturbationInput, most: int) -> PerturbationInput:
    """`given` with about `most` of its records, drawn once and for all; of households that matter, whole ones.

    The sample is the same whatever the parameters are, so that what changes between two of them is their doing.
    """
    records = sampled_records(given, most)
    if records is None:
        return given

    def again(numbers: Ints | None) -> Ints | None:
        return None if numbers is None else _renumbered(numbers[records])

    return replace(
        given,
        columns={name: part_of(column, records) for name, column in given.columns.items()},
        others={name: part_of(column, records) for name, column in given.others.items()},
        strata=again(given.strata),
        households=again(given.households),
        weights=None if given.weights is None else given.weights[records],
    )


def sampled_records(given: PerturbationInput, most: int) -> Ints | None:
    """(m,) the records of a sample, ascending; None: all."""
    n = records_of(given)
    if n <= most:
        return None
    random = np.random.Generator(np.random.PCG64(n))
    if given.households is None:
        return np.sort(random.choice(n, most, replace=False))
    numbers = _renumbered(given.households)
    sizes = np.bincount(numbers)
    order = random.permutation(len(sizes))
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[order[: 1 + int(np.searchsorted(np.cumsum(sizes[order]), most))]] = True
    return np.flatnonzero(chosen[numbers])


def records_of(given: PerturbationInput) -> int:
    """Records of what a method is given."""
    return next((len(column.values) for column in given.columns.values()), 0)


def part_of(column: EncodedColumn, records: Ints) -> EncodedColumn:
    """`column` of these records only; of very many codes only those that they have."""
    values, counts = column.values[records], np.zeros(0, np.int64)
    if column.n_valid <= _ALL_CODES:
        counts = np.bincount(values, minlength=len(column.codes)).astype(np.int64)
        return replace(column, values=values, counts=counts)
    missing = np.arange(column.n_valid, len(column.codes))
    found = np.union1d(np.unique(values), missing)
    small: NDArray[np.unsignedinteger] = np.searchsorted(found, values).astype(smallest_type(len(found)))
    codes, padded = (tuple(texts[place] for place in found.tolist()) for texts in (column.codes, column.padded))
    counts = np.bincount(small, minlength=len(found)).astype(np.int64)
    return replace(
        column, values=small, codes=codes, padded=padded, counts=counts, n_valid=len(found) - len(missing)
    )  # fmt: skip


def preview_of(
    given: PerturbationInput, step: PerturbationStep, of_records: int, progress: Progress = SILENT,
    groups: Mapping[str, EncodedColumn] | None = None,
) -> PerturbationPreview:  # fmt: skip
    """What `step` made of `given`, compared.

    Parameters
    ----------
    of_records : records of the file that `given` is, or is a sample of
    groups : the variable by whose codes figures are taken, by its name; none in it: of all records; None: not asked
    """
    metadata, said = given.metadata, translate(mark("Comparing before and after"))
    before, after = _told(given), {**given.columns, **step.columns}
    numbers = {}
    for name, column in {**before, **given.others}.items():
        progress.check()
        found = _as_numbers(column, metadata)
        if found is not None:
            changed = after.get(name, column)
            numbers[name] = found, found if changed is column else numbers_of(changed, metadata.decimal)
    variables = []
    for place, name in enumerate(before):
        progress.check()
        progress.report(place, len(before), said)
        variables.append(_variable(before[name], after[name], numbers.get(name)))
    related = _relations({**before, **given.others}, {**after, **given.others}, numbers, set(before), progress)
    grouped = () if groups is None else _grouped(given, step, groups)
    return PerturbationPreview(
        step.done, tuple(variables), related, records_of(given), of_records, groups=grouped
    )  # fmt: skip


def _told(given: PerturbationInput) -> dict[str, EncodedColumn]:
    """What is changed, without the household identifier: numbers that mean nothing."""
    return {name: c for name, c in given.columns.items() if given.metadata[name].role != "household-id"}


def _variable(
    before: EncodedColumn, after: EncodedColumn, numbers: tuple[Floats, Floats] | None
) -> PerturbedVariable:  # fmt: skip
    records = int(before.counts[: before.n_valid].sum())
    changed = records_changed(before, after)
    if numbers is not None:
        return PerturbedVariable(before.name, records, changed, numbers=_compare_numbers(*numbers))
    return PerturbedVariable(before.name, records, changed, codes=_compare_codes(before, after))


def _as_numbers(column: EncodedColumn, metadata: Metadata) -> Floats | None:
    """(n,) the numbers of a variable, nan where missing; None where its codes tell more."""
    if metadata[column.name].categorical and int(np.count_nonzero(column.counts[: column.n_valid])) <= _FEW:
        return None
    try:
        return numbers_of(column, metadata.decimal)
    except DataError:  # texts: codes they are
        return None


def _compare_numbers(before: Floats, after: Floats) -> PerturbedNumbers:
    there = ~np.isnan(before)
    old, new = before[there], after[~np.isnan(after)]
    both = np.concatenate([old, new])
    edges, scale = _classes(old, both)
    first, second = (np.histogram(state, edges)[0].astype(np.int64) for state in (old, new))
    return PerturbedNumbers(edges, first, second, _figures(old), _figures(new), _correlation(before, after), scale)


def _classes(before: Floats, both: Floats) -> tuple[Floats, Scale]:
    """Bounds of the classes of a picture, (k + 1,), and of which kind they are: see `PerturbedNumbers`."""
    low, high = (float(both.min()), float(both.max())) if len(both) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    if not len(before) or not high > low:
        return edges, "width"
    # Of the classes of equal width the fewest that hold nine of ten numbers: a bell has 16 or so of 30 left.
    counts = np.sort(np.histogram(before, edges)[0])[::-1]
    if int(np.searchsorted(np.cumsum(counts), _MOST_OF * len(before))) + 1 >= _CROWDED:
        return edges, "width"
    if low > 0:
        edges = np.geomspace(low, high, BINS + 1)
        edges[0], edges[-1] = low, high
        return edges, "log"
    inner = np.unique(np.quantile(before, np.linspace(0, 1, _QUANTILE_BINS + 1)))
    edges = np.unique(np.concatenate([[low], inner, [high]]))
    return (edges, "quantiles") if len(edges) > _CROWDED else (np.linspace(low, high, BINS + 1), "width")


def _figures(values: Floats) -> NumberFigures:
    if not len(values):
        nan = float("nan")
        return NumberFigures(0, nan, nan, nan, nan, (nan,) * len(QUANTILES))
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    quantiles = tuple(np.quantile(values, QUANTILES).tolist())
    return NumberFigures(
        len(values), float(values.mean()), spread, float(values.min()), float(values.max()), quantiles
    )  # fmt: skip


def _compare_codes(before: EncodedColumn, after: EncodedColumn) -> PerturbedCodes:
    names = dict.fromkeys(before.codes[: before.n_valid])
    names |= dict.fromkeys(after.codes[: after.n_valid])
    place = {code: number for number, code in enumerate(names)}
    old, new = _places(before, place), _places(after, place)
    counts = [np.bincount(state[state >= 0], minlength=len(names)) for state in (old, new)]
    kept = np.bincount(old[(old >= 0) & (old == new)], minlength=len(names))
    some = np.flatnonzero(counts[0] + counts[1])
    codes = list(names)
    first, second, same = (each[some].astype(np.int64) for each in (*counts, kept))
    return PerturbedCodes(tuple(codes[number] for number in some.tolist()), first, second, same)


def _places(column: EncodedColumn, place: Mapping[str, int]) -> Ints:
    """(n,) the place of each record's code; -1 where it is missing."""
    found = [place[code] for code in column.codes[: column.n_valid]]
    lut = np.array([*found, *[-1] * column.n_missing_codes], np.int64)
    return np.asarray(lut[column.values], np.int64)


def _relations(
    before: Mapping[str, EncodedColumn],
    after: Mapping[str, EncodedColumn],
    numbers: Mapping[str, tuple[Floats, Floats]],
    changed: set[str],
    progress: Progress,
) -> tuple[Relation, ...]:
    """Pairs of variables of one kind of which at least one is changed."""
    found = []
    for first, second in combinations(list(before)[:_MOST_RELATED], 2):
        progress.check()
        if not changed & {first, second}:
            continue
        names = first, second
        if first in numbers and second in numbers:
            states = (_correlation(numbers[first][state], numbers[second][state]) for state in (0, 1))
            found.append(Relation(names, "correlation", *states))
        elif first not in numbers and second not in numbers:
            states = (cramers_v(state[first], state[second]) for state in (before, after))
            found.append(Relation(names, "association", *states))
    return tuple(found)


def _correlation(first: Floats, second: Floats) -> float:
    """Pearson's correlation over records with both numbers; nan where either does not vary."""
    both = ~np.isnan(first) & ~np.isnan(second)
    x, y = first[both], second[both]
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def cramers_v(first: EncodedColumn, second: EncodedColumn) -> float:
    """Cramér's V of two variables, sqrt(χ² / (n (min(rows, columns) − 1))), over records with both values.

    Source: Cramér (1946), *Mathematical methods of statistics*, 21.9. nan where either has one code only.
    """
    has = (first.values < first.n_valid) & (second.values < second.n_valid)
    x = _renumbered(first.values[has].astype(np.int64))
    y = _renumbered(second.values[has].astype(np.int64))
    if not len(x) or min(x.max(), y.max()) == 0:
        return float("nan")
    rows, columns = int(x.max()) + 1, int(y.max()) + 1
    cells, counts = np.unique(x * columns + y, return_counts=True)
    expected = np.bincount(x)[cells // columns] * np.bincount(y)[cells % columns] / len(x)
    # χ² = Σ o²/e − n: cells without records need not be looked at
    chi = float((counts**2 / expected).sum()) - len(x)
    return float(np.sqrt(max(chi, 0.0) / (len(x) * (min(rows, columns) - 1))))


def _renumbered(numbers: Ints) -> Ints:
    """`numbers` from 0 without gaps, in their order."""
    return np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)
