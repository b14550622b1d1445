"""The check of a written file by households: groups, household variables and household risks, counted once more.

Plain NumPy, sharing no code with what gathered the households or chose the suppressions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark, plural
from core.data.columns import EncodedColumn, Microdata, Weights
from core.data.risk_figures import RiskFigures, TableState
from core.recipe.model import HouseholdSettings
from core.verification import recount
from core.verification.hidden import HouseholdTally, hidden_by_counts, hidden_by_risk
from core.verification.key_sizes import KeySizes
from core.verification.recount import Codes
from core.verification.verify import (
    Both,
    JudgedTable,
    Verification,
    WeightsOfBoth,
    decided_codes,
    largest_unsafe,
    numbers,
    population_judge,
    risks_by_mode,
    weights_of_both,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PART = 1 << 22
"""Records counted at a time."""


@dataclass(frozen=True, eq=False)
class Living:
    """Who lives with whom in the written file.

    Attributes
    ----------
    group : (n,) uint32, the group of each record, 0..G-1
    size : (G,) int64, members of each group; at least one
    like : of a file in parts, where the above are the groups that differ and n the rows of their members: of every
        group of the file, in their order, the one that it is like; None: each is one of the file
    records : (n,) how many records each row stands for; None: one each
    """

    group: NDArray[np.uint32]
    size: Ints
    like: Ints | None = None
    records: Ints | None = None

    def of_file(self, values: Floats | Ints) -> Floats:
        """`values` (G,) as those of every group of the file."""
        return (values if self.like is None else values[self.like]).astype(np.float64)

    def count(self, flags: NDArray[np.bool_]) -> int:
        """The records that `flags` (n,) marks."""
        return int(flags.sum() if self.records is None else self.records[flags].sum())


@dataclass(frozen=True, eq=False)
class HouseholdIdentifiers:
    """What tells who lives together.

    Attributes
    ----------
    original : the identifier, read anew from the original
    settings : which of its groups are single persons
    sequence : whether the written file has sequence numbers in its place, one for each group
    variables : those with one value a household
    is_part : whether the numbers of other parts come before, so that these may begin with any
    """

    original: EncodedColumn
    settings: HouseholdSettings
    sequence: bool
    variables: tuple[str, ...]
    is_part: bool = False


def verify_households(
    checked: Verification,
    written: Microdata,
    columns: Mapping[str, EncodedColumn],
    weights: Weights | None,
    suppressed: Mapping[str, NDArray[np.bool_]],
    combinations: Sequence[JudgedTable],
    identifiers: HouseholdIdentifiers,
    *,
    order: NDArray[np.integer[Any]] | None = None,
    must_be_safe: bool = True,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the household figures and problems of the written file.

    Households are those of the identifier in the written file where it has one, else (removed) of the original's.

    Parameters
    ----------
    checked : of the same file, its ``after`` one entry a combination
    written, columns, weights, suppressed, combinations, order, must_be_safe : as in `core.verification.verify.verify`
    """
    found = check_groups(identifiers, written, columns, suppressed, order)
    both = weights_of_both(weights, written, order)
    return judge_groups(checked, columns, both, suppressed, combinations, found, order=order,
                        must_be_safe=must_be_safe, progress=progress)  # fmt: skip


@dataclass(frozen=True, eq=False)
class CheckedGroups:
    """Who lives together in a written file.

    Attributes
    ----------
    groups : as those are told who are judged together
    problems : what is wrong with them
    """

    groups: Living
    problems: tuple[Notice, ...]


def check_groups(
    identifiers: HouseholdIdentifiers,
    written: Microdata,
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    order: NDArray[np.integer[Any]] | None = None,
) -> CheckedGroups:
    """The households of a written file, or of a part of one; parameters as of `verify_households`."""
    groups, problems = _groups(identifiers, written, order)
    problems += household_problems(columns, suppressed, identifiers.variables, groups, order)
    return CheckedGroups(groups, tuple(problems))


def judge_groups(
    checked: Verification,
    columns: Mapping[str, EncodedColumn],
    both: WeightsOfBoth,
    suppressed: Mapping[str, NDArray[np.bool_]],
    combinations: Sequence[JudgedTable],
    found: CheckedGroups,
    *,
    order: NDArray[np.integer[Any]] | None = None,
    must_be_safe: bool = True,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the figures and problems of the groups that were `found`.

    Parameters
    ----------
    columns, suppressed : of the original's records or, of a file in parts, of the rows of `found`
    both : weights of these
    combinations, order, must_be_safe : as of `verify_households`
    """
    groups, problems, after = found.groups, list(found.problems), list(checked.after)
    rare = [(judged.variables, judged.count_threshold) for judged in combinations if judged.model == "frequency"]
    largest = largest_unsafe(rare)
    for place, judged in enumerate(combinations):
        progress.check()
        if judged.model != "individual-risk":
            released_codes = {
                name: decided_codes(columns[name], suppressed.get(name), order) for name in judged.variables
            }
            together = groups.group, len(groups.size), groups.like
            flags = hidden_by_counts(judged, largest, columns, released_codes, together, order)
            after[place] = replace(after[place], hidden=groups.count(flags))
            problems += hidden_problem(judged, after[place].hidden)
            continue
        by_mode, released, by_original, sampled, hidden = judge_households(
            judged, columns, suppressed, both, groups, order
        )
        before = replace(after[place], hidden=hidden)
        problems += hidden_problem(judged, hidden)
        if sampled is not None:
            before = replace(before, group_max=sampled)
        if before.original is not None and by_original is not None:
            before = replace(before, original=_with(before.original, by_original))
        after[place] = replace(
            before,
            by_mode=before.by_mode if by_mode is None else before.by_mode and _with(before.by_mode, by_mode),
            released=_with(before.released, released),
        )
        if must_be_safe:
            problems += unsafe_problem(judged, by_mode)
    return Verification(not problems, tuple(problems), tuple(after))


def _groups(
    identifiers: HouseholdIdentifiers, written: Microdata, order: NDArray[np.integer[Any]] | None
) -> tuple[Living, list[Notice]]:
    """Who lives together, and what is wrong with the written identifier.

    Users of the file count every group of records with one identifier, whatever it was judged as.
    """
    original, settings, sequence = identifiers.original, identifiers.settings, identifiers.sequence
    before, column = living(original, settings, order), written.columns.get(original.name)
    if column is None:
        return before, []
    now = living(column, HouseholdSettings())
    problems = [*same_groups(before, now), *(_not_in_sequence(column, identifiers.is_part) if sequence else ())]
    shared = int((before.size[before.group] != now.size[now.group]).sum())
    if shared and settings.single_persons_above is not None and not same_groups(before, living(column, settings)):
        problems = [_shared_by_single_persons(original.name, shared)]
    return now, problems


def _shared_by_single_persons(name: str, records: int) -> Notice:
    return Notice.of(
        "written-single-persons-share",
        plural(
            records,
            "{records} record is assessed as a single person, but shares its {variable} in the written file.",
            "{records} records are assessed as single persons, but share their {variable} in the written file.",
        ),
        records=records,
        variable=name,
    )


def _not_in_sequence(written: EncodedColumn, is_part: bool) -> Iterator[Notice]:
    """A problem where identifiers are not numbered as they come in the file: they may tell the original ones."""
    codes, first = np.unique(written.values, return_index=True)
    texts = [written.codes[code] for code in codes[np.argsort(first)].tolist()]
    begin = int(texts[0]) if is_part and texts and texts[0].isdecimal() else 1
    if any(not _is_number(text, number) for number, text in enumerate(texts, begin)):
        yield Notice.of(
            "written-households-numbers",
            mark("The household identifiers of the written file are not 1, 2, 3, … in the order of its records."),
        )


def _is_number(text: str, number: int) -> bool:
    try:
        return float(text) == number
    except ValueError:
        return False


def _with(records: TableState, households: TableState) -> TableState:
    """The figures of records and of households; unsafe are the records that are so by either threshold."""
    unsafe = records.unsafe if households.unsafe is None else households.unsafe
    return replace(records, household=households.household, unsafe=unsafe)


def living(
    identifier: EncodedColumn, settings: HouseholdSettings, order: NDArray[np.integer[Any]] | None = None
) -> Living:
    """Groups by an identifier column.

    Parameters
    ----------
    identifier : read anew, of the original or of the written file
    settings : which groups are single persons
    order : (n,) original record of each written one, where the column is the original's; None: the same
    """
    values = identifier.values if order is None else identifier.values[order]
    times = _times(values, len(identifier.codes))
    alone = np.arange(len(times)) >= identifier.n_valid
    alone[list(identifier.empty)] = True
    if settings.single_persons_above is not None:
        alone |= times > settings.single_persons_above
    together = (times > 0) & ~alone
    number = np.cumsum(together, dtype=np.uint32)
    number -= np.uint32(1)  # wraps where nothing is counted yet, and is not looked at there
    group: NDArray[np.uint32] = number[values]
    groups = int(together.sum())
    single = np.flatnonzero(alone[values])
    group[single] = np.arange(groups, groups + len(single), dtype=np.uint32)
    return Living(group, np.concatenate([times[together], np.ones(len(single), np.int64)]))


def _times(values: NDArray[np.unsignedinteger[Any]], bound: int) -> Ints:
    """How often each number below `bound` occurs; in parts, because bincount needs eight bytes a value."""
    times = np.zeros(bound, np.int64)
    step = max(_PART, bound)
    for start in range(0, len(values), step):
        times += np.bincount(values[start : start + step], minlength=bound)
    return times


def same_groups(original: Living, written: Living) -> tuple[Notice, ...]:
    """A problem where the written identifier puts other records together than the original one."""
    if len(original.size) == len(written.size):
        theirs = np.zeros(len(original.size), np.uint32)
        theirs[original.group] = written.group
        # Each group's records are all in one group of the other file, and there are as many groups in both.
        if np.array_equal(theirs[original.group], written.group):
            return ()
    return (
        Notice.of(
            "written-households-differ",
            mark("The household identifiers of the written file put other records together than the original ones."),
        ),
    )


def household_problems(
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    variables: Sequence[str],
    groups: Living,
    order: NDArray[np.integer[Any]] | None,
) -> Iterator[Notice]:
    """Household variables that are suppressed for some members and can be read from others.

    Parameters
    ----------
    columns : of the original, after recoding
    suppressed : by variable, the original's records (n,) that lost their value
    variables : household variables
    """
    for name in variables:
        if name not in columns or name not in suppressed or not suppressed[name].any():
            continue
        flags, values = suppressed[name], columns[name].values
        if order is not None:
            flags, values = flags[order], values[order]
        readable = ~flags & (values < columns[name].n_valid)
        touched = np.bincount(groups.group, flags)
        seen = np.bincount(groups.group, readable)
        told = int(((touched > 0) & (seen > 0)).sum())
        if told:
            yield Notice.of(
                "household-variable-readable",
                mark("In {households} households {variable} is suppressed for some members and written for others."),
                where=name,
                households=told,
                variable=name,
            )


def judge_households(
    judged: JudgedTable,
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    weights: WeightsOfBoth,
    groups: Living,
    order: NDArray[np.integer[Any]] | None = None,
) -> tuple[TableState | None, TableState, TableState | None, float | None, int | None]:
    """The household figures of one table: judged as the mode says, by the written file itself, and by the original.

    Parameters
    ----------
    columns, suppressed : of the original's records, after recoding
    weights : of both files
    groups : of the written records
    order : (n,) original record of each written one; None: the same

    Returns
    -------
    by_mode, released, original : the figures of households and, as far as there are thresholds, the records that are
        unsafe by either; by_mode is None under a rule that is for measuring only, original where it is by_mode
    sampled : by released keys the largest 1 / records of its key of a record that was unsafe by either
    hidden : records that only members of their own household make safe; None: not counted
    """
    keys = [columns[name] for name in judged.variables]
    original = [numbers(key.values, key.n_valid) for key in keys]
    released = [numbers(decided_codes(key, suppressed.get(key.name), order), key.n_valid) for key in keys]
    sizes = [key.n_valid + 1 for key in keys]
    records = groups.records
    rows, before, now, place = recount.tabulate_records(original, released, sizes, weights[:2], records=records)
    there = now.present()

    def figures(of_row: Floats) -> TableState:
        risk = np.full(len(rows.patterns), np.nan)
        risk[there] = of_row
        return _figures(risk[place[len(original[0]) :]], groups, judged)

    alone = recount.risks(*recount.frequencies(rows, there, now, 1.0), judged.estimator == "truncated")
    if judged.rule not in ("observed", "wildcard"):
        return None, figures(alone), None, None, None
    both = Both(rows, before, original, released, weights, records)
    left = risks_by_mode(judged, both, there)
    by_original = _by_records(figures(left), judged)
    was, became = place[: len(original[0])], place[len(original[0]) :]
    was = was if order is None else was[order]
    size = now.count[became]
    tally = HouseholdTally(rows, was, groups.group, len(groups.size), groups.like, _floats(weights, order))
    flags = hidden_by_risk(judged, both, was, became, size, left, tally, groups.group, groups.size)
    hidden = None if flags is None else groups.count(flags)
    if judged.mode != "released-keys":
        return by_original, figures(alone), None, None, hidden
    risk, asked = _risks_by_released_keys(judged, both, was, size, groups)
    sampled = float((1 / size[asked]).max(initial=0.0))
    return _by_records(_figures(risk, groups, judged), judged), figures(alone), by_original, sampled, hidden


def _floats(weights: WeightsOfBoth, order: NDArray[np.integer[Any]] | None) -> Floats | None:
    """The original's weights in the order of the written file; None: there are none."""
    own = weights[0]
    if own is None:
        return None
    total: Floats = sum((limb / 10.0**places for limb, places in zip(*own[:2], strict=True)), np.zeros(len(own[0][0])))
    return total if order is None else total[order]


def hidden_problem(judged: JudgedTable, hidden: int | None) -> tuple[Notice, ...]:
    """A problem where more records are safe by their own household alone than the plan says."""
    if hidden is None or judged.hidden is None or hidden <= judged.hidden:
        return ()
    text = mark("{records} written records of {combination} are safe only through their own household, {most} by the "
                "plan.")  # fmt: skip
    names = " x ".join(judged.variables)
    return (Notice.of("written-hidden-differs", text, records=hidden, combination=names, most=judged.hidden),)


def _by_records(found: TableState, judged: JudgedTable) -> TableState:
    """Without unsafe records under the promise: it judges them by themselves, no household threshold beside it."""
    return found if judged.exceedance is None else replace(found, unsafe=None)


def _risks_by_released_keys(
    judged: JudgedTable, both: Both, was: Codes, size: Floats, groups: Living
) -> tuple[Floats, Ints]:
    """Risks of the written records; and those that were unsafe, or their household through them: by their key's size.

    Parameters
    ----------
    was : (n,) of each written record the row that it had in the original
    size : (n,) records of its key in the written file
    """
    cells, cell = np.unique(was.astype(np.int64), return_inverse=True)
    population = None if judged.claimed is None else population_judge(judged, both)
    alone = None if judged.exceedance is None else judged.threshold
    judge = KeySizes(both.rows, both.before, cells, alone, population, judged.exceedance)
    risk: Floats = judge.own[cell]
    asked: NDArray[np.bool_] = judge.least[cell] > 0
    if judged.exceedance is None and judged.threshold is not None:
        asked |= risk >= judged.threshold * (1 - 1e-12)
    if judged.household_threshold is not None:
        asked |= _through_household(risk, _together(risk, groups), groups, judged.household_threshold)
    some = np.flatnonzero(asked)
    pairs, pair = np.unique(np.stack([cell[some], size[some].astype(np.int64)]), axis=1, return_inverse=True)
    risk[some] = judge.under(pairs[0], pairs[1].astype(np.float64))[pair.ravel()]
    return risk, some


def _together(risk: Floats, groups: Living) -> Floats:
    """The risk of every household by those of its members."""
    with np.errstate(divide="ignore"):
        found: Floats = -np.expm1(_sums(groups, np.log1p(-risk)))
    return found


def _through_household(risk: Floats, together: Floats, groups: Living, threshold: float) -> NDArray[np.bool_]:
    """The records at or above their share of the threshold in households at or above it."""
    limit = threshold * (1 - 1e-12)
    found: NDArray[np.bool_] = (together[groups.group] >= limit) & (risk * groups.size[groups.group] >= limit)
    return found


def _figures(risk: Floats, groups: Living, judged: JudgedTable) -> TableState:
    together = _together(risk, groups)
    every, total = groups.of_file(together), groups.count(np.ones(len(risk), np.bool_))
    expected = float(every @ groups.of_file(groups.size))
    unsafe, unsafe_households = np.zeros(len(risk), np.bool_), None
    if judged.threshold is not None:
        unsafe |= risk >= judged.threshold * (1 - 1e-12)
    if judged.household_threshold is not None:
        unsafe_households = int((every >= judged.household_threshold * (1 - 1e-12)).sum())
        unsafe |= _through_household(risk, together, groups, judged.household_threshold)
    asked = judged.threshold is not None or judged.household_threshold is not None
    household = RiskFigures(
        float(together.max(initial=0.0)),
        expected,
        expected / total if total else 0.0,
        households=len(every),
        unsafe_households=unsafe_households,
    )
    return TableState(household=household, unsafe=groups.count(unsafe) if asked else None)


def unsafe_problem(judged: JudgedTable, state: TableState | None) -> tuple[Notice, ...]:
    """A problem where households of the written file reach their threshold."""
    found = state.household if state is not None else None
    if found is None or not found.unsafe_households:
        return ()
    return (
        Notice.of(
            "written-households-unsafe",
            mark(
                "{households} of {total} households in the written file are at or above the household threshold "
                "{threshold:.6g} of {combination}."
            ),
            households=found.unsafe_households,
            total=found.households,
            threshold=judged.household_threshold,
            combination=" x ".join(judged.variables),
        ),
    )


def _sums(groups: Living, values: Floats) -> Floats:
    """Sums of the records' values by group."""
    total = np.zeros(len(groups.size))
    step = max(_PART, len(total))
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        total += np.bincount(groups.group[part], values[part], len(total))
    return total
