"""What perturbed codes become afterwards, by recodes and by ``[[numeric]]``, and the matrix that holds for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.texts import translate
from ..data.columns import EncodedColumn
from ..perturbation.done import PerturbationDone
from ..perturbation.links import Links
from ..perturbation.method import PublishedTable
from ..perturbation.registry import parameters_used
from ..perturbation.strata import strata_of
from ..recipe.model import Recipe
from ..recoding.numerical import modify
from ..recoding.recode import recode
from .needed_columns import hidden_variables
from .released_columns import after_suppression
from .results import RecodedData

_ALIKE = 1e-9
"""Probabilities that are the same but for rounding of the arithmetic."""
_ROUNDS = 100
"""Of proportional fitting, which converges by a factor a round: to far more than `_PLACES` decimals."""
_PLACES = 3
"""Decimals of a matrix that holds by the counts of codes: with more it would tell these counts."""


@dataclass(frozen=True, eq=False)
class RecodedCodes:
    """What the codes of a perturbation become afterwards.

    Attributes
    ----------
    of_code : (codes,) what each becomes, from 0, several variables together; -1: all of it missing
    columns : the true values as they would be released
    """

    of_code: NDArray[np.int64]
    columns: tuple[EncodedColumn, ...]


def changed_after(recipe: Recipe) -> set[str]:
    """Names of the variables that recodes or ``[[numeric]]`` change."""
    return {spec.variable for spec in recipe.recodes} | {each.variable for each in recipe.numeric}


def recoded_codes(done: PerturbationDone, links: Links, prepared: RecodedData) -> RecodedCodes | None:
    """What each code of `done` becomes.

    None where nothing changes them, and where other perturbations change the variables, too: of their codes no link is
    known.
    """
    perturbed = prepared.perturbed
    changed = changed_after(prepared.recipe) & set(done.variables)
    if perturbed is None or not changed or not len(links.records):
        return None
    if any(set(done.variables) & set(each.variables) for each in perturbed.done if each.entry is not done.entry):
        return None
    columns = tuple(_as_released(perturbed.before[name], prepared) for name in done.variables)
    after = strata_of(columns)
    assert after is not None
    after[np.logical_and.reduce([column.values >= column.n_valid for column in columns])] = -1
    codes, first = np.unique(links.before, return_index=True)
    found = np.zeros(int(codes.max()) + 1, np.int64)
    found[codes] = after[links.records[first]]
    return RecodedCodes(found, columns)


def matrix_of_recoded(
    done: PerturbationDone, prepared: RecodedData, suppressed: Mapping[str, NDArray[np.bool_]]
) -> PublishedTable | None:
    """The matrix of the codes of `done` as they are released, recoded; None where there is none that can be told.

    The probability that a code of the group a becomes one of the group b is Σ_i w_i Σ_j R_ij, i in a, j in b, with w_i
    the share of i in a. Where Σ_j R_ij is the same for all i of a group (the chain is lumpable: Kemeny and Snell, 1960,
    Finite Markov Chains, 6.3), shares do not matter and it holds in every part of the file. Else they are those of the
    changed file, which has not the true counts, and the probabilities are fitted to keep its counts of groups, and are
    rounded; an invariant matrix expects the same in the original. What results from any other matrix holds for no
    counts that users have.

    Parameters
    ----------
    suppressed : by variable (n,) which values become missing
    """
    links = done.links
    codes = None if links is None else recoded_codes(done, links, prepared)
    if links is None or codes is None or not _all_released(done, prepared, codes, suppressed):
        return None
    groups, to = np.unique(codes.of_code, return_inverse=True)
    same = np.equal.outer(to.reshape(-1), np.arange(len(groups))).astype(np.float64)
    first = np.zeros(len(groups), np.int64)
    first[to[links.before[::-1]]] = links.records[::-1]
    places = [tuple(int(column.values[record]) for column in codes.columns) for record in first.tolist()]
    order = sorted(range(len(groups)), key=lambda group: places[group])
    names = [" × ".join(column.codes[place] for column, place in zip(codes.columns, own, strict=True))
             for own in places]  # fmt: skip
    lumped = [_lumped(links, stratum, same) for stratum in range(len(links.matrices))]
    exact = all(each.exact for each in lumped)
    if not exact and not parameters_used(done.entry)["invariant"]:
        return None
    matrix = done.published[0]
    within = matrix.headings[: len(links.strata[0])]
    by_name = dict(zip(links.strata, lumped, strict=True))
    rows: list[tuple[str | float, ...]] = [
        (*stratum, names[group], *map(float, by_name[stratum].rows[group, order].round(15 if exact else _PLACES)))
        for stratum in dict.fromkeys(tuple(map(str, row[: len(within)])) for row in matrix.rows)
        for group in order
        if by_name[stratum].there[group]
    ]
    title = (
        translate("Probability that a code of {variable}, as recoded (row), was released as another (column); it holds "
                  "in every part of the file")
        if exact
        else translate("Probability that a code of {variable}, as recoded (row), was released as another (column); "
                       "with the shares that codes have in the changed file before they are recoded, so that it holds "
                       "for all records together, on average, and in their parts nearly")
    )  # fmt: skip
    name = " × ".join(done.variables)
    spec = "number:6" if exact else f"number:{_PLACES}"
    return PublishedTable(
        title.format(variable=name),
        (*within, name, *(names[group] for group in order)),
        tuple(rows),
        (*("code",) * (len(within) + 1), *(spec,) * len(order)),
        codes={each: matrix.codes[each] for each in within if each in matrix.codes},
    )


@dataclass(frozen=True, eq=False)
class _Lumped:
    """The matrix of groups of codes in one stratum: rows true groups, which of them are there, and whether exactly."""

    rows: NDArray[np.float64]
    there: NDArray[np.bool_]
    exact: bool


def _lumped(links: Links, stratum: int, same: NDArray[np.float64]) -> _Lumped:
    """That of one stratum; `same` : (codes, groups) which code is in which group."""
    own = np.asarray(links.codes[stratum])
    member, becomes = same[own], links.matrices[stratum] @ same[own]
    there: NDArray[np.bool_] = np.asarray(member.any(axis=0), np.bool_)
    largest, least = (
        np.array([take(becomes[member[:, group] > 0], axis=0) if here else 0 * same[0]
                  for group, here in enumerate(there.tolist())])
        for take in (np.max, np.min)
    )  # fmt: skip
    released = np.bincount(links.after[links.stratum == stratum].astype(np.int64), minlength=len(same))[own]
    counts = member * released[:, None]
    counts = np.where(counts.sum(axis=0) > 0, counts, member)  # none is released: all codes of the group alike
    shares = np.divide(counts, counts.sum(axis=0), out=np.zeros_like(counts), where=there)
    rows, exact = shares.T @ becomes, bool((largest - least).max(initial=0.0) <= _ALIKE)
    if not exact:
        rows[np.ix_(there, there)] = _keeping(rows[np.ix_(there, there)], released @ member[:, there])
    return _Lumped(rows, there, exact)


def _keeping(rows: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """`rows` fitted so that `counts` R = `counts`, as it is of the true counts and an invariant matrix.

    Whoever corrects the counts of all records by it gets these counts, which are right on average; without it the
    errors of the shares come back enlarged by the inverse. Where a group was not released, `rows` as they are.
    """
    if not counts.all():
        return rows
    joint = rows * counts[:, None]
    for _ in range(_ROUNDS):
        joint *= (counts / joint.sum(axis=1))[:, None]
        joint *= counts / joint.sum(axis=0)
    return np.asarray(joint / joint.sum(axis=1)[:, None], np.float64)


def _all_released(
    done: PerturbationDone, prepared: RecodedData, codes: RecodedCodes, suppressed: Mapping[str, NDArray[np.bool_]]
) -> bool:
    """Whether the safe file has all codes that true values would have, and no value became missing by a recode."""
    assert prepared.perturbed is not None
    hidden = hidden_variables(prepared.metadata)
    for true in codes.columns:
        name = true.name
        before, changed = prepared.perturbed.before[name], prepared.perturbed.columns[name]
        lost = (true.values >= true.n_valid) & (before.values < before.n_valid)
        released = after_suppression(_as_released(changed, prepared), suppressed)
        there = {released.codes[code] for code in np.unique(released.values).tolist()}
        held = {true.codes[code] for code in np.unique(true.values).tolist() if code < true.n_valid}
        if name in hidden or lost.any() or not held <= there:
            return False
    return True


def _as_released(column: EncodedColumn, prepared: RecodedData) -> EncodedColumn:
    """A perturbed column, or the true one in its place, after recodes and ``[[numeric]]``."""
    variable = prepared.metadata[column.name]
    for spec in prepared.recipe.recodes:
        if spec.variable == column.name:
            column = recode(column, spec, variable).column
    for numeric in prepared.recipe.numeric:
        if numeric.variable == column.name:
            column = modify(column, numeric, variable, decimal=prepared.metadata.decimal)
    return column
