"""PRAM, the post-randomisation method: codes become others with known probabilities, drawn record by record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice, RecipeError
from ..base.progress import Progress
from ..base.texts import mark, phrase
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.declared import WITHHOLD, Declaration, Figure, Guide, Parameter
from ..recipe.model import ByCode, Perturbation
from .codes import with_codes
from .links import Links
from .method import PerturbationInput, Perturbed, PublishedTable
from .pram_matrix import (
    Matrix,
    Pairs,
    UnreachableError,
    invariant_matrix,
    least_protection,
    neighbours,
    true_given_released,
    uniform_matrix,
)
from .units import mixed_units

LARGEST = 500
"""Codes of one matrix: more cannot be read by users of the file, and are better recoded."""
RARE = 3
"""Records of a code in a stratum: of fewer, the number that follows from the published matrix tells of persons."""
MOST_NUMBERS = 10**6
"""Probabilities of an entry's table: a row for each code of each stratum, a column for each code."""

_Counts = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The combinations of a stratum, and the records or households with each."""
_Stratum = tuple[tuple[int, ...], tuple[str, ...]]
"""Where a stratum stands among others, and what it is called."""


def _check(where: str, used: Mapping[str, Any]) -> None:
    """Refuse a `keep` above `protect`: where expected counts are kept, both are of the same probability."""
    keep, protect = used["keep"], used.get("protect")
    largest = max(keep.values()) if isinstance(keep, ByCode) else keep
    if protect is not None and largest > protect:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key}: keep = {keep} is above protect = {protect}, and no matrix has both."),
            mark("Say a smaller keep, or a larger protect."),
            key=where,
            keep=f"{largest:g}",
            protect=f"{protect:g}",
        )


DECLARATION = Declaration(
    name="pram",
    title=mark("PRAM"),
    group=mark("Categorical variables"),
    sentence=mark(
        "Codes become others at random, with given probabilities; several variables are changed together, as one whose "
        "codes are the combinations that occur."
    ),
    parameters=(
        Parameter(
            "keep",
            "number-by-code",
            mark(
                "The least probability with which a code is kept, for all codes or in a table by code; codes that the "
                "table does not name are kept for certain. Without invariant it is the probability itself."
            ),
            low=0.0,
            high=1.0,
            required=True,
            format="percent",
            outside="to-correct",
            proposed=0.8,
        ),
        Parameter(
            "invariant",
            "boolean",
            mark("Whether the expected number of records with each code stays what it is."),
            default=True,
            outside="to-correct",
        ),
        Parameter(
            "band",
            "integer",
            mark("How many places away in the list of codes a new code may be; 0: any distance."),
            default=0,
            low=0,
            outside="to-correct",
        ),
        Parameter(
            "protect",
            "number",
            mark(
                "The largest probability that a released code is the true one, for whoever knows of the person nothing "
                "but what within names; no more is changed than that needs. Without it as much is changed as keep "
                "allows."
            ),
            low=0.0,
            high=1.0,
            low_included=False,
            only_with=("invariant", True),
            format="percent",
            outside="never",
        ),
        WITHHOLD,
    ),
    figures=(
        Figure(
            "largest_change_of_an_expected_count",
            mark("Largest change of an expected count, in records"),
            "exact",
            mark("Of an invariant matrix: what rounding of the arithmetic leaves."),
        ),
        Figure(
            "rare_codes",
            mark("Codes of fewer than 3 records in a stratum"),
            "count",
            mark("Of these the published matrix may tell how many there are."),
        ),
        Figure(
            "drawn_for",
            mark("Drawn for"),
            "text",
            mark("Records, or households where their members get one draw."),
        ),
        Figure(
            "draws",
            mark("Draws"),
            "count",
            mark("Records or households with a code."),
        ),
        Figure(
            "expected_changes",
            mark("Changes that are expected, in draws"),
            "number:1",
            mark("By the matrix."),
        ),
        Figure(
            "changes",
            mark("Changes that were drawn"),
            "count",
            mark("In the file that is released."),
        ),
        Figure(
            "least_kept",
            mark("Least probability to keep a code"),
            "percent",
            mark("Of any code in any stratum."),
        ),
        Figure(
            "largest_true_given_released",
            mark("Largest P(true | released)"),
            "number:6",
            mark(
                "How likely a released code (of several variables: the whole combination) is the true one, for whoever "
                "knows the matrix, how frequent codes are, and of the person nothing but what within names. This is "
                "what protect bounds."
            ),
        ),
        Figure(
            "largest_true_of_one_variable",
            mark("Largest P(true | released) of one of the variables"),
            "number:6",
            mark("The same for the code of one variable of a released combination; protect does not bound it."),
        ),
        Figure(
            "largest_true_of_recoded_codes",
            mark("Largest P(true | released) of the recoded codes"),
            "number:6",
            mark(
                "The same where codes are recoded afterwards: how likely the true code is among those that are "
                "recoded as the released one is; protect does not bound it."
            ),
        ),
        Figure(
            "largest_true_given_released_and_keys",
            mark("Largest P(true | released) of whoever knows the keys"),
            "number:6",
            mark(
                "The same for whoever knows the keys of the person, those of any combination of the recipe that are "
                "not perturbed, and how frequent codes are among the records that have them; protect does not bound it."
            ),
        ),
        Figure(
            "records_above_protect_given_keys",
            mark("Records above protect for whoever knows the keys"),
            "count",
            mark("Records whose released code is then the true one with more than protect."),
        ),
    ),
    unjudged=True,
    missing_apart=True,
    told=mark("codes changed at random with known probabilities, each kept with at least {keep}"),
    told_outside=mark("codes changed at random"),
    check=_check,
    guide=Guide(
        assumes="The intruder knows the matrix, and draws are independent: of records, or of households for household "
        "variables.",
        not_for="Key variables of a risk table: a risk counted on perturbed keys as if they were true means nothing; "
        "judge by P(true | released). Variables that must agree with others of the record: change them together.",
        formula="t R = t for the counts t of the original, R_ii ≥ `keep`, R_ii = P(true | released) ≤ `protect`; of "
        "these the least Σ t_i (1 − R_ii) with `protect`, the most without; then the least Σ t_i R_ij² / t_j off the "
        "diagonal. P(true = i | released = j) = t_i R_ij / Σ t_l R_lj.",
        source="Gouweleeuw, Kooiman, Willenborg, de Wolf (1998); μ-ARGUS's form: van den Hout, van der Heijden (2002); "
        "[PRAM](pram.md).",
    ),
)


def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
    """Those that the entry names."""
    return entry.variables


@dataclass(frozen=True, eq=False)
class _Units:
    """What is drawn for: records, or households.

    Attributes
    ----------
    records : (r,) those with a value in any of the variables
    combinations : (K, v) the codes of each combination that occurs, sorted; missing ones among them
    missing : (K, v) which of them are missing: they stay, and what stands beside them becomes what does in others
    of_record : (r,) the unit of each of them
    combination, stratum : (u,) of each unit
    first : (strata,) a record of each stratum
    of_households : whether they are households
    """

    records: NDArray[np.int64]
    combinations: NDArray[np.int64]
    missing: NDArray[np.bool_]
    of_record: NDArray[np.int64]
    combination: NDArray[np.int64]
    stratum: NDArray[np.int64]
    first: NDArray[np.int64]
    of_households: bool

    def near(self, codes: NDArray[np.int64], band: int) -> Pairs:
        """(C, C) which of the combinations `codes` may become which."""
        combinations, missing = self.combinations[codes], self.missing[codes]
        near = neighbours(combinations, band)
        for code, absent in zip(combinations.T, missing.T, strict=True):
            kept = np.where(absent, code, -1)
            near &= kept[:, None] == kept[None, :]
        return near


@dataclass(frozen=True, eq=False)
class StratumMatrix:
    """The matrix of one stratum.

    Attributes
    ----------
    codes : (K,) the combinations that occur there, ascending; no others are released there
    counts : (K,) records, or households, with each
    matrix : (K, K) rows original, columns released
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.float64]
    matrix: Matrix


def perturb(given: PerturbationInput) -> Perturbed:
    """The variables with drawn codes; the matrix, and what a released code tells, for users of the file."""
    assert given.entry is not None
    # combinations are drawn in an order that follows from the values, however variables are listed and called
    columns = [given.columns[name] for name in given.in_order(given.entry.variables)]
    units = _units(given, columns)
    matrices = _matrices(given, columns, units)
    seed = given.seed(_plainly(given.entry, columns))
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0,))))
    drawn = draw(matrices, units.stratum, units.combination, random)
    combinations = units.combinations[drawn][units.of_record]
    released = {
        column.name: _with_codes(column, units.records, combinations[:, place]) for place, column in enumerate(columns)
    }
    changes = int(np.count_nonzero(drawn != units.combination))
    return Perturbed(
        released,
        _invariants(given, matrices, units, changes),
        _published(given, columns, units, matrices),
        _links(given, units, matrices, drawn),
    )


def _plainly(entry: Perturbation, columns: Sequence[EncodedColumn]) -> Perturbation:
    """`entry` without a band that reaches everywhere, and without a table of `keep` that says one number, or 1."""
    said = dict(entry.parameters)
    if said.get("band", 0) >= max(column.n_valid for column in columns) - 1:
        said.pop("band", None)
    keep = said["keep"]
    if isinstance(keep, ByCode) and len(columns) == 1:
        own = {keep.get(code, 1.0) for code in columns[0].codes[: columns[0].n_valid] if code}
        said["keep"] = own.pop() if len(own) == 1 else ByCode({code: each for code, each in keep.items() if each < 1})
    return replace(entry, parameters=tuple(said.items()))


def draw(
    matrices: Sequence[StratumMatrix],
    stratum: NDArray[np.int64],
    combination: NDArray[np.int64],
    random: np.random.Generator,
) -> NDArray[np.int64]:
    """(u,) the released combination of each unit, drawn from its row of the matrix of its stratum.

    Parameters
    ----------
    stratum, combination : (u,) those that the unit has
    """
    sizes = np.array([len(each.codes) for each in matrices], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes**2)])
    first_row = np.concatenate([[0], np.cumsum(sizes)])
    steps, target = np.empty(starts[-1]), np.empty(starts[-1], np.int64)
    size = 1 + max((int(each.codes[-1]) for each in matrices), default=0)
    rows = np.concatenate(
        [*(number * size + each.codes for number, each in enumerate(matrices)), np.zeros(0, np.int64)]
    )
    for each, start, row in zip(matrices, starts, first_row, strict=False):
        codes = len(each.codes)
        sums = np.cumsum(np.maximum(each.matrix, 0), axis=1)
        # row r takes up [r, r + 1); a code of probability zero has no part of it
        steps[start : start + codes**2] = (sums / sums[:, -1:] + (row + np.arange(codes))[:, None]).ravel()
        target[start : start + codes**2] = np.tile(each.codes, codes)
    row = np.searchsorted(rows, stratum * size + combination)
    # the last double below row + 1: u may be so near to 1 that the sum is rounded up to the next row
    drawn = np.minimum(row + random.random(len(row)), np.nextafter(row + 1.0, 0))
    return np.asarray(target[np.searchsorted(steps, drawn, side="right")], np.int64)


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """What the written `columns` show that no draw could have given."""
    assert given.entry is not None
    before = [given.columns[name] for name in given.in_order(given.entry.variables)]
    units = _units(given, before)
    written = [_in_codes_of(old, columns[old.name])[units.records] for old in before]
    place = {codes: number for number, codes in enumerate(map(tuple, units.combinations.tolist()))}
    found, which = np.unique(np.stack(written, axis=1), axis=0, return_inverse=True)
    after = np.array([place.get(tuple(codes), -1) for codes in found.tolist()], np.int64)[which.reshape(-1)]
    size = len(units.combinations)
    was = units.stratum * size + units.combination
    possible = [
        ((stratum * size + each.codes[i]) * size + each.codes[j])
        for stratum, each in enumerate(_matrices(given, before, units))
        for i, j in [np.nonzero(each.matrix)]
    ]
    given_so = np.isin(was[units.of_record] * size + after, np.concatenate([*possible, np.zeros(0, np.int64)]))
    name = _together(given)
    wrong = int(np.count_nonzero((after < 0) | ~given_so))
    if wrong:
        yield Notice.of(
            "pram-impossible",
            mark("{variables}: {count} records have codes that their matrix does not give."),
            where=before[0].name,
            variables=name,
            count=wrong,
        )
    if len(np.unique(np.stack([units.of_record, after]), axis=1).T) > len(units.combination):
        yield Notice.of(
            "pram-household",
            mark("{variables}: members of a household who agreed before do not agree any more."),
            where=before[0].name,
            variables=name,
        )


def _in_codes_of(before: EncodedColumn, after: EncodedColumn) -> NDArray[np.int64]:
    """(n,) the records of `after` by the places that their codes have in `before`; -1 where it does not have them."""
    place = {code: number for number, code in enumerate(before.codes)}
    codes = np.array([place.get(code, -1) for code in after.codes], np.int64)
    return np.asarray(codes[after.values], np.int64)


def _units(given: PerturbationInput, columns: Sequence[EncodedColumn]) -> _Units:
    records = np.flatnonzero(np.logical_or.reduce([_is_value(column)[column.values] for column in columns]))
    key = np.zeros(len(records), np.int64)
    for column in columns:
        # numbers stay below records times codes, however many variables there are
        key = np.unique(key * max(len(column.codes), 1) + column.values[records], return_inverse=True)[1]
    _, example, combination = np.unique(key, return_index=True, return_inverse=True)
    combinations = np.stack([column.values[records[example]].astype(np.int64) for column in columns], axis=1)
    missing = np.stack([~_is_value(c)[own] for c, own in zip(columns, combinations.T, strict=True)], axis=1)
    strata = np.zeros(len(records), np.int64) if given.strata is None else given.strata[records]
    _, first, stratum = np.unique(strata, return_index=True, return_inverse=True)
    first = records[first]
    households = _households(given, columns)
    if households is None:
        return _Units(records, combinations, missing, np.arange(len(records)), combination, stratum, first, False)
    # members whose values differ, or of different strata, are drawn for apart: each code has its own probabilities
    key = np.unique(households[records] * len(first) + stratum, return_inverse=True)[1] * len(combinations)
    _, one, unit = np.unique(key + combination, return_index=True, return_inverse=True)
    return _Units(records, combinations, missing, unit, combination[one], stratum[one], first, True)


def _households(given: PerturbationInput, columns: Sequence[EncodedColumn]) -> NDArray[np.int64] | None:
    """(n,) the household of each record, where the variables are those of households; None where they are not.

    Raises
    ------
    DataError
        Some are and some are not, so that a draw would be for both a household and a person.
    """
    names = [column.name for column in columns]
    mixed = mixed_units(given, names)
    if mixed is not None:
        raise DataError(
            "pram-household-and-person",
            mark("{variable} is a household variable and {other} is not: PRAM cannot change them together."),
            mark("Name them in two perturbations, or say households = false."),
            variable=mixed[0],
            other=mixed[1],
        )
    return given.households_of(names[0])


def _is_value(column: EncodedColumn) -> NDArray[np.bool_]:
    """(codes,) which are values rather than missing."""
    has = np.arange(len(column.codes)) < column.n_valid
    has[list(column.empty)] = False
    return np.asarray(has, np.bool_)


def _matrices(given: PerturbationInput, columns: Sequence[EncodedColumn], units: _Units) -> tuple[StratumMatrix, ...]:
    keep = _keep(given, columns, units)
    size, strata = len(units.combinations), len(units.first)
    cells, counts = np.unique(units.stratum * size + units.combination, return_counts=True)
    ends = np.searchsorted(cells, np.arange(1, strata) * size)
    codes = np.split(cells % max(size, 1), ends) if strata else []
    most = max(map(len, codes), default=0)
    if most > LARGEST or len(cells) * size > MOST_NUMBERS:
        raise DataError(
            "pram-many-codes",
            mark("{variables} has too many codes for PRAM: up to {count} in a matrix, {numbers} probabilities in all."),
            mark("Recode first, perturb fewer variables together, or within fewer strata: {most} codes and {largest} "
                 "probabilities are possible."),
            variables=_together(given),
            count=most,
            numbers=len(cells) * size,
            most=LARGEST,
            largest=MOST_NUMBERS,
        )  # fmt: skip
    by_stratum = zip(codes, np.split(counts.astype(np.float64), ends), strict=False)
    return tuple(_of_strata(given, list(by_stratum), units, keep, _together(given)))


def _of_strata(
    given: PerturbationInput, strata: Sequence[_Counts], units: _Units, keep: NDArray[np.float64], name: str
) -> Iterator[StratumMatrix]:
    used = given.parameters
    for number, (codes, there) in enumerate(strata):
        given.progress.check()
        near = units.near(codes, used["band"])
        if not used["invariant"]:
            yield StratumMatrix(codes, there, uniform_matrix(keep[codes], near))
            continue
        try:
            matrix = invariant_matrix(there, near, keep[codes], used.get("protect"))
        except UnreachableError as error:
            least = max(error.least, _least_of(strata[number + 1 :], units, keep, used["band"], given.progress))
            raise RecipeError(
                "pram-protect",
                mark("protect = {protect} cannot be reached for {variables}: where expected counts and keep are kept, "
                     "the largest probability that a released code is the true one is at least {least}."),
                mark("Say protect = {least} or more, a smaller keep or a larger band; recode the most frequent code; "
                     "perturb variables apart of which some are missing; or say invariant = false."),
                protect=f"{used['protect']:g}",
                variables=name,
                # rounded up: it can be said as it stands
                least=f"{math.ceil(least * 1e6 - 1e-3) / 1e6:g}" if least < 1 else "1",
            ) from None  # fmt: skip
        yield StratumMatrix(codes, there, matrix)


def _least_of(
    strata: Sequence[_Counts], units: _Units, keep: NDArray[np.float64], band: int, progress: Progress
) -> float:
    """The smallest `protect` that all these strata can reach."""
    least = 0.0
    for codes, counts in strata:
        progress.check()
        near = units.near(codes, band)
        least = max(least, least_protection(counts, near, keep[codes]))
    return least


def _keep(given: PerturbationInput, columns: Sequence[EncodedColumn], units: _Units) -> NDArray[np.float64]:
    """(K,) the least probability of keeping each combination.

    Raises
    ------
    RecipeError
        A table for several variables, or with a code that the variable does not have.
    """
    said = given.parameters["keep"]
    if not isinstance(said, ByCode):
        return np.full(len(units.combinations), said)
    if len(columns) > 1:
        raise RecipeError(
            "pram-table-of-several",
            mark("PRAM of {variables}: a table of keep by code is for one variable, but these are changed together."),
            mark("Say one probability, or name the variables in two perturbations."),
            variables=_together(given),
        )
    (column,) = columns
    valid = tuple(column.codes[: column.n_valid])
    for code in said:
        if code not in valid:
            raise RecipeError(
                "pram-unknown-code",
                mark('keep names the code "{code}", which {variable} does not have in this file.'),
                mark("Correct it, or leave it out: codes without a probability of their own are kept."),
                code=code,
                variable=column.name,
            )
    by_code = np.array([said.get(code, 1.0) for code in valid])
    return np.asarray(by_code[units.combinations[:, 0]], np.float64)


def _with_codes(column: EncodedColumn, records: NDArray[np.int64], codes: NDArray[np.int64]) -> EncodedColumn:
    """`column` with other valid codes in some records."""
    values = column.values.copy()
    values[records] = codes
    return with_codes(column, values)


def _invariants(
    given: PerturbationInput, matrices: Sequence[StratumMatrix], units: _Units, changes: int
) -> dict[str, float | int | str]:
    kept = [each.counts @ each.matrix - each.counts for each in matrices]
    found: dict[str, float | int | str] = {}
    if given.parameters["invariant"]:
        found["largest_change_of_an_expected_count"] = max((float(np.abs(row).max()) for row in kept), default=0.0)
    told = [np.diag(true_given_released(each.counts, each.matrix)) for each in matrices]
    found["rare_codes"] = sum(int((each.counts < RARE).sum()) for each in matrices)
    found["drawn_for"] = "households" if units.of_households else "records"
    found["draws"] = len(units.combination)
    found["expected_changes"] = float(sum(each.counts @ (1 - np.diag(each.matrix)) for each in matrices))
    found["changes"] = changes
    found["least_kept"] = min((float(np.diag(each.matrix).min()) for each in matrices), default=1.0)
    found["largest_true_given_released"] = max((float(row.max()) for row in told), default=1.0)
    if units.combinations.shape[1] > 1:
        found["largest_true_of_one_variable"] = max((_of_one_variable(each, units) for each in matrices), default=1.0)
    return found


def _of_one_variable(stratum: StratumMatrix, units: _Units) -> float:
    """The largest probability that the code of one variable of a released combination is the true one."""
    true = true_given_released(stratum.counts, stratum.matrix)
    largest = 0.0
    for codes, missing in zip(units.combinations[stratum.codes].T, units.missing[stratum.codes].T, strict=True):
        alike = (codes[:, None] == codes[None, :]) & ~missing  # what is missing is so in every code that it becomes
        largest = max(largest, float((true * alike).sum(axis=0).max(initial=0.0)))
    return largest


def _published(
    given: PerturbationInput, columns: Sequence[EncodedColumn], units: _Units, matrices: Sequence[StratumMatrix]
) -> tuple[PublishedTable, ...]:
    # in the order in which variables, and codes of each, are listed
    drawn = [column.name for column in columns]
    listed = [drawn.index(name) for name in given.columns]
    order = np.lexsort(units.combinations[:, listed[::-1]].T)
    names = [" × ".join(columns[place].codes[row[place]] for place in listed) for row in units.combinations.tolist()]
    within, strata = _strata(given, units)
    matrix, told = [], []
    for number in sorted(range(len(strata)), key=lambda number: strata[number][0]):
        stratum, each = strata[number][1], matrices[number]
        rows = np.zeros((len(names), len(names)))
        rows[np.ix_(each.codes, each.codes)] = each.matrix
        true = true_given_released(each.counts, each.matrix)
        for code in order[np.isin(order, each.codes)].tolist():
            place = int(np.searchsorted(each.codes, code))
            matrix.append((*stratum, names[code], *rows[code, order].tolist()))
            column = true[:, place]
            likeliest = names[int(each.codes[int(column.argmax())])] if column.any() else ""
            told.append((*stratum, names[code], float(column[place]), likeliest, float(column.max())))
    name, codes = _together(given), ("code",) * (len(within) + 1)
    return (
        PublishedTable(
            phrase("Probability that a code of {variable} (row) was released as another (column)", variable=name),
            (*within, name, *(names[place] for place in order.tolist())),
            tuple(matrix),
            (*codes, *("number:6",) * len(names)),
            codes={
                **{each: frozenset(own[i] for _place, own in strata) for i, each in enumerate(within)},
                **{
                    column.name: frozenset(column.codes[code] for code in np.unique(own).tolist())
                    for column, own in zip(columns, units.combinations.T, strict=True)
                },
            },
        ),
        PublishedTable(
            phrase("What a released code of {variable} tells", variable=name),
            (
                *within,
                name,
                mark("P(true | released)"),
                mark("Likeliest true code"),
                mark("Its probability"),
            ),
            tuple(told),
            (*codes, "number:6", "code", "number:6"),
            of_the_house=True,  # with a matrix that keeps no counts it tells the original ones
        ),
    )


def _strata(given: PerturbationInput, units: _Units) -> tuple[tuple[str, ...], list[_Stratum]]:
    """What strata are made of, and what each is called: by the codes of one of its records, else by a number from 1."""
    if given.strata is None:
        return (), [((), ())] * len(units.first)
    within = tuple(given.parameters.get("within", ()))
    columns = [given.others[name] for name in within if name in given.others]
    if not within or len(columns) < len(within):
        numbers = given.strata[units.first].tolist()
        return (mark("Stratum"),), [((number,), (str(number + 1),)) for number in numbers]
    places = [tuple(int(column.values[first]) for column in columns) for first in units.first]
    return within, [
        (own, tuple(column.codes[place] for column, place in zip(columns, own, strict=True))) for own in places
    ]


def _links(
    given: PerturbationInput, units: _Units, matrices: Sequence[StratumMatrix], drawn: NDArray[np.int64]
) -> Links:
    small = np.min_scalar_type(max(len(units.combinations), len(units.first), 1))

    def of_records(of_units: NDArray[np.int64]) -> NDArray[np.unsignedinteger]:
        return np.asarray(of_units[units.of_record], small)

    return Links(
        units.records,
        of_records(units.stratum),
        of_records(units.combination),
        of_records(drawn),
        [each.codes for each in matrices],
        [each.matrix for each in matrices],
        [codes for _place, codes in _strata(given, units)[1]],
    )


def _together(given: PerturbationInput) -> str:
    return " × ".join(given.columns)
