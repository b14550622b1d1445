"""The check of a written file by households: groups, household variables and household risks, counted once more.

Plain NumPy, sharing no code with what gathered the households or chose the suppressions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn, Microdata, Weights
from ..data.risk_figures import RiskFigures, TableState
from ..recipe.model import HouseholdSettings
from . import individual_risk, recount
from .by_counts import largest_unsafe
from .by_risk import Both, population_judge, risks_by_mode
from .hidden import HouseholdTally, hidden_by_counts, hidden_by_risk
from .judged import (
    CheckSpec,
    KeysOfBothFiles,
    TableVerification,
    Verification,
    WeightsOfBoth,
    decided_codes,
    in_order,
    weights_of_both,
)
from .key_sizes import KeySizes
from .recount import Codes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PART = 1 << 22
"""Records counted at a time."""


@dataclass(frozen=True, eq=False)
class HouseholdGroups:
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
    combinations: Sequence[CheckSpec],
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
    written, columns, weights, suppressed, combinations, order, must_be_safe : as in `core.check.verify.verify`
    """
    if order is not None:
        asked = {*identifiers.variables, *(name for judged in combinations for name in judged.variables)}
        columns = {name: in_order(column, order) for name, column in columns.items() if name in asked}
        suppressed = {name: flags[order] for name, flags in suppressed.items() if name in asked}
        identifiers = replace(identifiers, original=in_order(identifiers.original, order))
    found = check_groups(identifiers, written, columns, suppressed)
    both = weights_of_both(weights, written, order)
    return judge_groups(checked, columns, both, suppressed, combinations, found, must_be_safe=must_be_safe,
                        progress=progress)  # fmt: skip


@dataclass(frozen=True, eq=False)
class CheckedGroups:
    """Who lives together in a written file.

    Attributes
    ----------
    groups : as those are told who are judged together
    problems : what is wrong with them
    """

    groups: HouseholdGroups
    problems: tuple[Notice, ...]


def check_groups(
    identifiers: HouseholdIdentifiers,
    written: Microdata,
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
) -> CheckedGroups:
    """The households of a written file, or of a part of one, whose records are in its order."""
    groups, problems = _groups(identifiers, written)
    problems += household_problems(columns, suppressed, identifiers.variables, groups)
    return CheckedGroups(groups, tuple(problems))


def judge_groups(
    checked: Verification,
    columns: Mapping[str, EncodedColumn],
    both: WeightsOfBoth,
    suppressed: Mapping[str, NDArray[np.bool_]],
    combinations: Sequence[CheckSpec],
    found: CheckedGroups,
    *,
    must_be_safe: bool = True,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the figures and problems of the groups that were `found`.

    Parameters
    ----------
    columns, suppressed : of the original's records in the order of `found` or, of a file in parts, of its rows
    both : weights of these
    combinations, must_be_safe : as of `verify_households`
    """
    groups, problems, after = found.groups, list(found.problems), list(checked.after)
    rare = [(judged.variables, judged.count_threshold) for judged in combinations if judged.judges_margins]
    largest = largest_unsafe(rare)
    for place, judged in enumerate(combinations):
        progress.check()
        decided = {name: decided_codes(columns[name], suppressed.get(name)) for name in judged.variables}
        if judged.sensitive is not None:  # who is hidden by the own household is not defined for it
            continue
        if not judged.has_risk:
            together = groups.group, len(groups.size), groups.like
            flags = hidden_by_counts(judged, largest, columns, decided, together)
            after[place] = replace(after[place], hidden=groups.count(flags))
            problems += hidden_problem(judged, after[place].hidden)
            continue
        after[place] = table = judge_households(after[place], judged, columns, decided, both, groups)
        problems += hidden_problem(judged, table.hidden)
        if must_be_safe:
            problems += unsafe_problem(judged, table.by_mode)
    return Verification(not problems, tuple(problems), tuple(after))


def _groups(identifiers: HouseholdIdentifiers, written: Microdata) -> tuple[HouseholdGroups, list[Notice]]:
    """Who lives together, and what is wrong with the written identifier.

    Users of the file count every group of records with one identifier, whatever it was judged as.
    """
    original, settings, sequence = identifiers.original, identifiers.settings, identifiers.sequence
    before, column = living(original, settings), written.columns.get(original.name)
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


def living(identifier: EncodedColumn, settings: HouseholdSettings) -> HouseholdGroups:
    """Groups by an identifier column.

    Parameters
    ----------
    identifier : read anew, of the original or of the written file
    settings : which groups are single persons
    """
    values = identifier.values
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
    return HouseholdGroups(group, np.concatenate([times[together], np.ones(len(single), np.int64)]))


def _times(values: NDArray[np.unsignedinteger[Any]], bound: int) -> Ints:
    """How often each number below `bound` occurs; in parts, because bincount needs eight bytes a value."""
    times = np.zeros(bound, np.int64)
    step = max(_PART, bound)
    for start in range(0, len(values), step):
        times += np.bincount(values[start : start + step], minlength=bound)
    return times


def same_groups(original: HouseholdGroups, written: HouseholdGroups) -> tuple[Notice, ...]:
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
    groups: HouseholdGroups,
) -> Iterator[Notice]:
    """Household variables that are suppressed for some members and can be read from others.

    Parameters
    ----------
    columns : of the original, after recoding
    suppressed : by variable, the records (n,) that lost their value
    variables : household variables
    """
    for name in variables:
        if name not in columns or name not in suppressed or not suppressed[name].any():
            continue
        flags, values = suppressed[name], columns[name].values
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
    found: TableVerification,
    judged: CheckSpec,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: WeightsOfBoth,
    groups: HouseholdGroups,
) -> TableVerification:
    """What was `found` of the records of one table, with the figures of households, and what is unsafe by either.

    Parameters
    ----------
    columns, decided : of the original's records, after recoding, and the codes of the written file as indices into them
    weights : of both files
    groups : of the written records
    """
    keys = KeysOfBothFiles.of(judged.variables, columns, decided)
    rows, before, now, place = recount.tabulate_records(
        keys.original, keys.released, keys.sizes, weights[:2], records=groups.records
    )
    was, became = np.split(place, 2)
    there = now.present()

    def figures(of_row: Floats) -> TableState:
        risk = np.full(len(rows.patterns), np.nan)
        risk[there] = of_row
        return _figures(risk[became], groups, judged)

    alone = individual_risk.risks(*recount.frequencies(rows, there, now, 1.0), judged.estimator == "truncated")
    found = replace(found, released=_with(found.released, figures(alone)))
    if judged.rule not in ("observed", "wildcard"):
        return found
    both = Both(replace(keys, records=groups.records), weights, rows, before)
    left = risks_by_mode(judged, both, there)
    by_remaining = _by_records(figures(left), judged)
    size = now.count[became]
    tally = HouseholdTally(rows, was, groups.group, len(groups.size), groups.like, _floats(weights))
    flags = hidden_by_risk(judged, both, was, became, size, left, tally, groups.group, groups.size)
    found = replace(found, hidden=None if flags is None else groups.count(flags))
    if judged.mode != "released-keys":
        return replace(found, by_mode=found.by_mode and _with(found.by_mode, by_remaining))
    risk, asked = _risks_by_released_keys(judged, both, was, size, groups)
    by_keys = _by_records(_figures(risk, groups, judged), judged)
    return replace(
        found,
        by_mode=found.by_mode and _with(found.by_mode, by_keys),
        original=found.original and _with(found.original, by_remaining),
        group_max=float((1 / size[asked]).max(initial=0.0)),
    )


def _floats(weights: WeightsOfBoth) -> Floats | None:
    """The original's weights; None: there are none."""
    own = weights[0]
    if own is None:
        return None
    total: Floats = sum((limb / 10.0**places for limb, places in zip(*own[:2], strict=True)), np.zeros(len(own[0][0])))
    return total


def hidden_problem(judged: CheckSpec, hidden: int | None) -> tuple[Notice, ...]:
    """A problem where more records are safe by their own household alone than the plan says."""
    if hidden is None or judged.hidden is None or hidden <= judged.hidden:
        return ()
    text = mark("{records} written records of {combination} are safe only through their own household, {most} by the "
                "plan.")  # fmt: skip
    return (Notice.of("written-hidden-differs", text, records=hidden, combination=judged.name, most=judged.hidden),)


def _by_records(found: TableState, judged: CheckSpec) -> TableState:
    """Without unsafe records under the promise: it judges them by themselves, no household threshold beside it."""
    return found if judged.exceedance is None else replace(found, unsafe=None)


def _risks_by_released_keys(
    judged: CheckSpec, both: Both, was: Codes, size: Floats, groups: HouseholdGroups
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


def _together(risk: Floats, groups: HouseholdGroups) -> Floats:
    """The risk of every household by those of its members."""
    with np.errstate(divide="ignore"):
        found: Floats = -np.expm1(_sums(groups, np.log1p(-risk)))
    return found


def _through_household(risk: Floats, together: Floats, groups: HouseholdGroups, threshold: float) -> NDArray[np.bool_]:
    """The records at or above their share of the threshold in households at or above it."""
    limit = threshold * (1 - 1e-12)
    found: NDArray[np.bool_] = (together[groups.group] >= limit) & (risk * groups.size[groups.group] >= limit)
    return found


def _figures(risk: Floats, groups: HouseholdGroups, judged: CheckSpec) -> TableState:
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


def unsafe_problem(judged: CheckSpec, state: TableState | None) -> tuple[Notice, ...]:
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
            combination=judged.name,
        ),
    )


def _sums(groups: HouseholdGroups, values: Floats) -> Floats:
    """Sums of the records' values by group."""
    total = np.zeros(len(groups.size))
    step = max(_PART, len(total))
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        total += np.bincount(groups.group[part], values[part], len(total))
    return total
