"""Synthetic values: numbers with the moments of the original, or codes drawn from tables that were made safe."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, RecipeError
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import Declaration, Figure, Guide, Parameter
from ..recipe.model import ByCode, Perturbation
from . import margins, whole_households
from .codes import with_codes
from .ipso import IndefiniteError, fewest_records, leverage, synthetic_numbers
from .method import PerturbationInput, Perturbed, PublishedTable
from .numbers import decimals_of, numbers_of, with_numbers
from .predictors import predictor
from .units import Units, mixed_units, places_of, units_of
from .whole_households import draws_households, synthetic_households

Floats = NDArray[np.float64]

KINDS = ("ipso", "margins")

_SAID = 0.9
"""The leverage above which draws of a record have less than a tenth of the variance that predictors leave."""
_FEWEST = 3
"""Records of a predictor's code: the sum of their numbers is kept, and from that of two each can tell the other's."""


def _check(where: str, used: Mapping[str, Any]) -> None:
    """Refuse an entry that does not say what its kind needs."""
    if used["kind"] == "margins" and not used.get("margins"):
        raise RecipeError(
            "recipe-missing-key",
            mark('{key} does not say its "margins": the tables that the synthetic codes are drawn from.'),
            mark('Write for example margins = [["REGION", "SEX"], ["SEX", "AGE"]].'),
            key=f"{where}.margins",
        )


def _plainly(variables: tuple[str, ...], used: Mapping[str, Any]) -> Mapping[str, Any]:
    """An alpha that all variables have is one for all; each variable has a table by itself where no other has it."""
    found, alpha, tables = dict(used), used.get("alpha"), used.get("margins", ())
    if isinstance(alpha, ByCode):
        own = {name: alpha.get(name, 0.0) for name in variables}
        found["alpha"] = next(iter(own.values())) if len({*own.values()}) == 1 else ByCode(own)
    if tables:
        found["margins"] = tuple(table for table in tables if not margins.alone(table, tables))
    return found


DECLARATION = Declaration(
    name="synthetic",
    title=mark("Synthetic data"),
    group=mark("Synthetic data"),
    sentence=mark(
        "All values of the variables are drawn anew: numbers so that means and covariances are exactly those of the "
        "original, or codes from tables that were made safe first."
    ),
    parameters=(
        Parameter(
            "kind",
            "choice",
            mark("Numbers that keep the moments (ipso), or codes that keep protected tables (margins)."),
            default="ipso",
            choices=KINDS,
        ),
        Parameter(
            "predictors",
            "variables",
            mark("Variables that are released as they are and whose covariances with the synthetic numbers are kept."),
            default=(),
            only_with=("kind", "ipso"),
            as_read=True,
            apart=True,
        ),
        Parameter(
            "alpha",
            "number-by-code",
            mark(
                "How much of its own difference from what the predictors say each number keeps: 0 none, near 1 almost "
                "all; for all variables, or in a table by variable."
            ),
            default=0.0,
            low=0.0,
            high=0.999,
            only_with=("kind", "ipso"),
            outside="never",
            by_variable=True,
        ),
        Parameter(
            "margins",
            "sets",
            mark("Tables of the variables that are promised: they are made safe, and all codes are drawn from them."),
            only_with=("kind", "margins"),
            as_read=True,
            of_own=True,
        ),
        Parameter(
            "protect",
            "integer",
            mark("Threshold rule: cells of these tables with fewer records are not to be seen."),
            default=3,
            low=1,
            only_with=("kind", "margins"),
            outside="never",
        ),
        Parameter(
            "relation",
            "variables",
            mark(
                "Of whole households: who somebody is in the household; the one with the first code of it is the "
                "reference person. Without it members are taken in the order of the file."
            ),
            only_with=("kind", "margins"),
            as_read=True,
            ordered=True,
        ),
    ),
    figures=(
        Figure(
            "largest_change_of_mean",
            mark("Largest change of a mean, in standard deviations"),
            "exact",
            mark("Of the written numbers and the predictors; what rounding leaves."),
        ),
        Figure(
            "largest_change_of_covariance",
            mark("Largest change of a covariance, as a correlation"),
            "exact",
            mark("Covariances over both standard deviations; what rounding leaves."),
        ),
        Figure(
            "unchanged_records",
            mark("Records with all numbers as before"),
            "count",
            mark("By chance, or by a large alpha."),
        ),
        Figure(
            "largest_error_of_a_promised_count",
            mark("Largest error of a promised count, in records"),
            "exact",
            mark("Against the original tables."),
        ),
        Figure(
            "fitted_within",
            mark("Tables fitted within, in records"),
            "exact",
            mark("How far the fitted counts are from the tables that were made safe."),
        ),
        Figure(
            "uniques",
            mark("Combinations of codes that one record has"),
            "count",
            mark("In the original."),
        ),
        Figure(
            "replicated_uniques",
            mark("Of these drawn for one record again"),
            "count",
            mark("By chance."),
        ),
        Figure(
            "told_right",
            mark("Share told right by the drawn records"),
            "exact",
            mark("Of the last variable, by who knows all others."),
        ),
        Figure(
            "left_out",
            mark("Largest share of a promised table that is left out"),
            "percent",
            mark("Of whole households: cells that fewer households have than the threshold rule asks."),
        ),
        Figure(
            "synthetic_households",
            mark("Households drawn"),
            "count",
            mark("With as many persons together as the original has."),
        ),
        Figure(
            "unique_households",
            mark("Households like no other"),
            "count",
            mark("In the original: by their own values and those of all members."),
        ),
        Figure(
            "replicated_unique_households",
            mark("Of these drawn again"),
            "count",
            mark("By chance: one that the synthetic file has, however often."),
        ),
    ),
    plainly=_plainly,
    told=mark("all values drawn anew from what is published of them"),
    check=_check,
    guide=Guide(
        assumes="What is to be kept is known in advance: moments, or tables. Everything else of the variables is lost.",
        not_for="Analyses of anything that is not promised: tails, relations that are not linear, tables that are not "
        "named, and, where persons are drawn one by one, who lives with whom; combinations that cannot be may be drawn "
        "where no promised table of whole households has them. With an alpha near 1 numbers stay near the original "
        "ones.",
        formula="ipso: y = b S + α (x − b S) + e, e exactly uncorrelated with x and S, with what covariance is left. "
        "margins: cells below the threshold spread by independence, iterative proportional fitting, systematic draws. "
        "In a file with a household identifier margins draws whole households, unless all variables are household "
        "variables or `households = false`: in the promised tables cells that fewer than `protect` households have "
        "are left out (their units go to the others), so that nothing is drawn that nobody has. Sizes are rounded at "
        "random to multiples of `protect` and scaled to the number of persons. Then household variables are drawn by "
        "size, the values of reference persons, second and further members by size, household variables and place, "
        "so that promised tables come out to a few units, and members are put together by how often codes meet those "
        "of the reference person and of the former member. "
        "What goes into this beside the promised tables is spread as above, and not promised. Missing is a code like "
        "others; the identifier is numbered anew; weights, strata and whatever is not named stay with their records.",
        source="Burridge (2003); Muralidhar, Sarathy (2008); Deming, Stephan (1940).",
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names, and with whole households their identifier."""
    if metadata.household_id is None or not draws_households(entry, metadata):
        return entry.variables
    return tuple(dict.fromkeys((*entry.variables, metadata.household_id.name)))


def keeps_missing(given: PerturbationInput) -> bool:
    """Whether missing values stay in their records: not where records become other households."""
    return not _of_households(given)


def _of_households(given: PerturbationInput) -> bool:
    return given.entry is not None and given.households is not None and draws_households(given.entry, given.metadata)


def perturb(given: PerturbationInput) -> Perturbed:
    """The synthetic values, within strata; missing ones stay missing, but where whole households are drawn.

    Raises
    ------
    DataError
        A value that is no number; too few records; tables of too many cells.
    RecipeError
        Household variables together with numbers of persons; a table of a variable that is not drawn; alphas that
        cannot be.
    """
    if _of_households(given):
        return synthetic_households(given)
    names = list(given.columns)
    mixed = mixed_units(given, names)
    if mixed is not None:
        raise RecipeError(
            "perturbation-mixed-units",
            mark('Method "synthetic": {variable} is a household variable, and {other} is not.'),
            mark("Give household variables an entry of their own, or say households = false."),
            variable=mixed[0],
            other=mixed[1],
        )
    units = units_of(given, names)
    return _numbers(given, units) if given.parameters["kind"] == "ipso" else _codes(given, units)


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Means that moved by more than rounding; codes that the variable did not have; households that are none."""
    if _of_households(given):
        yield from whole_households.broken(given, columns)
        return
    if given.parameters["kind"] == "margins":
        for name, before in given.columns.items():
            new = set(columns[name].codes[: columns[name].n_valid]) - set(before.codes)
            if new:
                yield Notice.of(
                    "synthetic-codes", mark("{variable} has codes that it did not have: {codes}."), where=name,
                    variable=name, codes=", ".join(sorted(new)[:5]),
                )  # fmt: skip
        return
    decimal, units = given.metadata.decimal, units_of(given, list(given.columns))
    complete = _complete(given, units)
    for name, before in given.columns.items():
        old, new_numbers = (numbers_of(c, decimal)[units.first][complete] for c in (before, columns[name]))
        unit = 10.0 ** -decimals_of(before, given.metadata[name], decimal)
        changed = abs(float((new_numbers - old).sum()))
        if changed > complete.sum() * unit * 1.5 + 1e-9 * float(np.abs(old).sum()):
            yield Notice.of(
                "synthetic-mean", mark("{variable}: its mean is no longer what it was."), where=name, variable=name
            )


def _numbers(given: PerturbationInput, units: Units) -> Perturbed:
    names, decimal = given.in_order(given.columns), given.metadata.decimal  # however they are listed and called
    numbers = np.column_stack([numbers_of(given.columns[name], decimal)[units.first] for name in names])
    model = _model(given, units)
    complete = _complete(given, units)
    # purpose 1 is that of records that lack a value
    randoms = [given.random(*names, purpose=place and place + 1) for place in range(len(names))]
    normals = np.column_stack([random.standard_normal(len(numbers)) for random in randoms])
    alpha = _alpha(given.parameters["alpha"], names)
    made = np.full_like(numbers, np.nan)
    for own in places_of(units.strata, len(numbers)):
        given.progress.check()
        whole, part = own[complete[own]], own[~complete[own]]
        needed = fewest_records(len(names), model.shape[1])
        if len(whole) < needed:
            hint = mark("Take fewer variables or predictors, or coarser strata.")
            raise _few_records(given, len(whole), needed, hint)
        _check_predictors(given, units, model, whole)
        try:
            made[whole] = synthetic_numbers(numbers[whole], model[whole], alpha, normals[whole])
        except IndefiniteError:
            raise RecipeError(
                "perturbation-alpha",
                mark(
                    'Method "synthetic": the alphas of {variables} differ so much that no draws keep the covariances.'
                ),
                mark("Say one alpha for all, or less different ones."),
                variables=", ".join(given.columns),
            ) from None
        # A record that lacks a value is drawn like a complete one taken at random: nothing of its own is kept.
        if len(part):
            made[part] = made[whole][(given.random(*names, purpose=1).random(len(part)) * len(whole)).astype(np.int64)]
    made[np.isnan(numbers)] = np.nan
    columns = {}
    for j, name in enumerate(names):
        places = decimals_of(given.columns[name], given.metadata[name], decimal)
        columns[name] = with_numbers(given.columns[name], made[units.of_record, j], places, decimal)
    written = np.column_stack([numbers_of(columns[name], decimal)[units.first] for name in names])[complete]
    columns = {name: columns[name] for name in given.columns}
    return Perturbed(columns, _moments(numbers[complete], written, model[complete]))


def _few_records(given: PerturbationInput, count: int, needed: int, hint: str) -> DataError:
    return DataError(
        "perturbation-few-records",
        plural(
            count,
            "Synthetic {variables}: only {count} record of a stratum has all values; {k} are needed.",
            "Synthetic {variables}: only {count} records of a stratum have all values; {k} are needed.",
        ),
        hint,
        variables=", ".join(given.columns),
        count=count,
        k=needed,
    )


def _check_predictors(given: PerturbationInput, units: Units, model: Floats, whole: NDArray[np.int64]) -> None:
    """Refuse predictors that leave records nothing to be drawn: what is kept of them is their own number."""
    told = leverage(model[whole]) > _SAID
    for name in given.parameters.get("predictors", ()):
        column, variable = given.others[name], given.metadata[name]
        if not variable.numeric and variable.categorical:
            codes = column.values[units.first][whole]
            told |= np.bincount(codes)[codes] < _FEWEST
    if told.any():
        raise DataError(
            "perturbation-told-by-predictors",
            plural(
                int(told.sum()),
                (
                    "Synthetic {variables}: the predictors {predictors} tell {count} record apart from all or nearly "
                    "all others of a stratum, so that its numbers would stay as they are, or nearly."
                ),
                (
                    "Synthetic {variables}: the predictors {predictors} tell {count} records apart from all or nearly "
                    "all others of a stratum, so that their numbers would stay as they are, or nearly."
                ),
            ),
            mark("Take predictors whose codes have {k} records or more, fewer of them, or coarser strata."),
            variables=", ".join(given.columns),
            predictors=", ".join(given.parameters.get("predictors", ())),
            count=int(told.sum()),
            k=_FEWEST,
        )


def _alpha(said: float | ByCode, names: list[str]) -> Floats:
    if not isinstance(said, Mapping):
        return np.full(len(names), float(said))
    unknown = [name for name in said if name not in names]
    if unknown:
        raise RecipeError(
            "perturbation-alpha-variable",
            mark('Method "synthetic": alpha names {variable}, which is not among its variables.'),
            mark("Take it out, or add it to the variables."),
            variable=unknown[0],
        )
    return np.array([float(said.get(name, 0.0)) for name in names])


def _model(given: PerturbationInput, units: Units) -> Floats:
    """(u, s) the predictors, without columns that do not vary."""
    parts = [predictor(given, name)[units.first] for name in given.in_order(given.parameters.get("predictors", ()))]
    if not parts or not len(units.first):
        return np.zeros((len(units.first), 0))
    model = np.column_stack(parts)
    return np.asarray(model[:, [not math.isclose(np.nanmin(c), np.nanmax(c)) for c in model.T]], np.float64)


def _complete(given: PerturbationInput, units: Units) -> NDArray[np.bool_]:
    """(u,) which have all numbers and predictors."""
    found = ~np.isnan(_model(given, units)).any(axis=1)
    for column in given.columns.values():
        found &= column.values[units.first] < column.n_valid
    return np.asarray(found, np.bool_)


def _moments(before: Floats, after: Floats, model: Floats) -> dict[str, Any]:
    """How far the written numbers are from the promise: means in standard deviations, covariances as correlations."""
    spread = np.where((s := np.column_stack([before, model]).std(axis=0)) > 0, s, 1.0)
    old, new = (np.column_stack([part, model]) for part in (before, after))
    covariances = [(z := (part - part.mean(axis=0)) / spread).T @ z / len(part) for part in (old, new)]
    same = (before == after).all(axis=1)
    return {
        "largest_change_of_mean": float((np.abs(old.mean(axis=0) - new.mean(axis=0)) / spread).max(initial=0.0)),
        "largest_change_of_covariance": float(np.abs(covariances[0] - covariances[1]).max(initial=0.0)),
        "unchanged_records": int(same.sum()),
    }


def _codes(given: PerturbationInput, units: Units) -> Perturbed:
    names = given.in_order(
        given.columns
    )  # cells are drawn one after the other, however variables are listed and called
    wanted = [tuple(table) for table in given.parameters["margins"]]
    margins.check_tables(wanted, names)
    tables = [*wanted, *((name,) for name in given.columns if not any(name in table for table in wanted))]
    codes = np.column_stack([given.columns[name].values[units.first] for name in names]).astype(np.int64)
    shape = tuple(given.columns[name].n_valid for name in names)
    if math.prod(shape) > margins.MOST_CELLS:
        raise margins.too_many_cells(list(given.columns), math.prod(shape))
    complete = np.asarray((codes < np.array(shape)).all(axis=1), np.bool_)
    after, deviation = codes.copy(), 0.0
    axes = [tuple(sorted(names.index(name) for name in table)) for table in tables]
    # each table takes its turn by its variables, wherever it is listed; those that are there anyhow come last
    turns = sorted(range(len(tables)), key=lambda place: (margins.alone(tables[place], tables), axes[place]))
    tables, axes = [tables[place] for place in turns], [axes[place] for place in turns]
    before_all, drawn_all = np.zeros(shape), np.zeros(shape)
    safe_all: list[Floats] = [np.zeros(tuple(shape[place] for place in axis)) for axis in axes]
    least = given.parameters["protect"]
    for number, own in enumerate(places_of(units.strata, len(codes))):
        given.progress.check()
        whole = own[complete[own]]
        if (codes[own] >= np.array(shape)).all():
            continue
        if len(whole) < least:
            raise _few_records(given, len(whole), least, mark("Take coarser strata, or a smaller protect."))
        original = _cells(codes[whole], shape)
        random = given.random(purpose=number)
        safe = [(axis, margins.protected(margins.margin(original, axis), least, random))
                for axis in axes]  # fmt: skip
        fitted = margins.fit(shape, safe, given.progress)
        deviation = max(deviation, fitted.deviation)
        cells = margins.draw(fitted.cells, len(own), random)
        new = np.column_stack(np.unravel_index(cells, shape))
        after[own] = np.where(codes[own] < np.array(shape), new, codes[own])
        safe_all = [sum_ + table for sum_, (_axis, table) in zip(safe_all, safe, strict=True)]
        before_all += original
        drawn_all += _cells(after[whole], shape)
    columns = {
        name: with_codes(column, after[units.of_record, names.index(name)].astype(column.values.dtype))
        for name, column in given.columns.items()
    }
    # Users are told how far the codes are from the tables that were made safe: from the original ones they would learn
    # what small counts are, as the others are kept.
    errors = [np.abs(table - margins.margin(drawn_all, axis)) for table, axis in zip(safe_all, axes, strict=True)]
    rows = tuple(
        (" × ".join(table), mark("promised") if table in wanted else mark("by itself"),
         float(error.max(initial=0.0)), float(error.sum() / max(2 * len(codes), 1)))
        for _place, table, error in sorted(zip(turns, tables, errors, strict=True), key=lambda each: each[0])
    )  # fmt: skip
    true = [np.abs(margins.margin(before_all, axis) - margins.margin(drawn_all, axis)) for axis in axes]
    unique: NDArray[np.bool_] = (before_all == 1) & (drawn_all == 1)
    return Perturbed(
        columns,
        {
            "largest_error_of_a_promised_count": max(float(error.max(initial=0.0)) for error in true),
            "fitted_within": deviation,
            "uniques": int((before_all == 1).sum()),
            "replicated_uniques": int(unique.sum()),
            "told_right": _told_right(before_all, drawn_all, names.index(list(given.columns)[-1])),
        },
        (
            PublishedTable(
                mark("Tables that the synthetic codes keep; whatever is not named is not kept"),
                (mark("Table"), mark("Kept"),
                 mark("Largest difference from the safe table"), mark("Records in another cell")),
                rows,
                ("text", "text", "number:2", "percent"),
            ),
        ),
    )  # fmt: skip


def _cells(codes: NDArray[np.int64], shape: tuple[int, ...]) -> Floats:
    """Records in each cell."""
    found = np.zeros(math.prod(shape))
    np.add.at(found, np.ravel_multi_index(tuple(codes.T), shape), 1.0)
    return found.reshape(shape)


def _told_right(before: Floats, drawn: Floats, last: int) -> float:
    """Share of records whose last variable, axis `last`, is the likeliest among synthetic ones alike in all others.

    What an intruder gains who knows all but one variable; compare with the share of its most frequent code.
    """
    if before.ndim < 2 or not before.sum():
        return 0.0
    before, drawn = np.moveaxis(before, last, -1), np.moveaxis(drawn, last, -1)
    guess = drawn.argmax(axis=-1)
    known = drawn.sum(axis=-1) > 0
    right = np.take_along_axis(before, guess[..., None], -1)[..., 0]
    return float(right[known].sum() / before.sum())
