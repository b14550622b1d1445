"""The check of a written file, from the file itself and the original: shares no code with what made it.

Columns hold 0 where a value is missing, else one more than the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Microdata, Weights, records_of_rows
from core.data.risk_figures import RiskFigures, TableState
from core.recipe.model import Estimator, MissingRule, Mode, Model
from core.verification import recount
from core.verification.key_sizes import KeySizes, lowest_exceeding
from core.verification.population import ClaimedModel, ModelDiffers, PopulationJudge
from core.verification.recount import Codes, DistinctKeys, Floats, Tally
from core.verification.told_values import told_values

_CHUNK = 1 << 16
"""Records compared in one go: what is made of them stays in the processor's cache."""

WeightsOfBoth = Sequence[tuple[Sequence[NDArray[np.int64]], Sequence[int]] | None]
"""Limbs and their decimals, of the original and of the written file; None: every record weighs 1.

Where rows stand for several records, a third entry has the sums of max(weight - 1, 0) of the original's.
"""


@dataclass(frozen=True, eq=False)
class TableVerification:
    """What the check found of one combination.

    Attributes
    ----------
    by_mode : the written records judged as the mode says; None under a rule that is for measuring only
    released : the written file recounted on itself, blanks matching anything
    group_max, group_unsafe : largest group risk, and records at or above the threshold by it; by released keys the
        largest 1/f_g of a record that was unsafe, and None
    original : the same records judged by the original file, where the mode does otherwise
    smallest : records of the smallest released key, where the mode judges by these
    told : suppressed values that the rules tell, where that was to be prevented; None: not counted
    hidden : records that only members of their own household make safe; None: not counted
    """

    by_mode: TableState | None
    released: TableState
    group_max: float | None = None
    group_unsafe: int | None = None
    original: TableState | None = None
    smallest: int | None = None
    told: int | None = None
    hidden: int | None = None


@dataclass(frozen=True)
class KeysOfBothFiles:
    """Key variables in both files: `original` and `released` columns (n,), `sizes` one more than the largest code.

    `records` : how many records each row stands for; None: one each.
    """

    names: tuple[str, ...]
    original: Sequence[Codes]
    released: Sequence[Codes]
    sizes: Sequence[int]
    records: NDArray[np.int64] | None = None

    def counted(self) -> tuple[DistinctKeys, Tally, Tally]:
        """Distinct keys of both files, and how often they occur in each."""
        return recount.tabulate_both(self.original, self.released, self.sizes, (None, None), records=self.records)


def largest_unsafe(tables: Sequence[tuple[Sequence[str], int]]) -> dict[frozenset[str], int]:
    """The largest unsafe count of every table and margin: its own, else the largest of the tables it is a margin of."""
    own: dict[frozenset[str], int] = {}
    inherited: dict[frozenset[str], int] = {}
    for names, count in tables:
        whole = frozenset(names)
        own[whole] = max(own.get(whole, 0), count)
        for size in range(1, len(names) + 1):
            for some in map(frozenset, combinations(names, size)):
                inherited[some] = max(inherited.get(some, 0), count)
    return inherited | own


def by_rare_combinations(
    keys: KeysOfBothFiles, largest: Mapping[frozenset[str], int], progress: Progress = SILENT
) -> TableVerification:
    """Records whose remaining values contain an unsafe combination: counted in the original, and in the file alone."""
    rows, before, now = keys.counted()
    there = now.present()
    by_mode, released = np.zeros(len(there), np.bool_), np.zeros(len(there), np.bool_)
    for size in range(1, len(keys.names) + 1):
        for chosen in combinations(range(len(keys.names)), size):
            progress.check()
            mask = sum(1 << j for j in chosen)
            number, bound = recount.fold([rows.codes[j] for j in chosen], [rows.sizes[j] for j in chosen],
                                         len(rows.patterns))  # fmt: skip
            complete = rows.patterns & mask == mask
            asking = np.flatnonzero(complete[there])
            for unsafe, tally in ((by_mode, before), (released, now)):
                given = np.flatnonzero(complete & (tally.records > 0))
                count = tally.records[given].astype(np.float64)
                found = recount.looked_up(number[there[asking]], number[given], bound, (count, count))[0]
                unsafe[asking] |= found <= largest[frozenset(keys.names[j] for j in chosen)]
    records = now.records[there].astype(np.float64)
    return TableVerification(_counted(records[by_mode]), _counted(records[released]))


def by_rare_keys(keys: KeysOfBothFiles, k: int, rule: MissingRule, alpha: float) -> TableVerification:
    """Records whose key occurs fewer than k times in the written file: by the rule, and blanks matching anything."""
    rows, _, now = keys.counted()
    there = now.present()
    records = now.records[there].astype(np.float64)

    def rare(f: Floats) -> TableState:
        return _counted(records[f < k * (1 - 1e-12)])

    wildcard = recount.frequencies(rows, there, now, 1.0)[0]
    if rule == "category":
        by_rule = records
    elif rule == "listwise":
        complete = rows.patterns[there] == (1 << len(keys.names)) - 1
        by_rule = np.where(complete, records, np.inf)
    else:
        by_rule = recount.frequencies(rows, there, now, alpha if rule == "wildcard" else 0.0)[0]
    return TableVerification(rare(by_rule), rare(wildcard))


def _counted(unsafe: Floats) -> TableState:
    """The state of a file in which so many records are unsafe, by row."""
    return TableState(unsafe=int(unsafe.sum()))


@dataclass(frozen=True)
class JudgedTable:
    """A combination by which the written file is judged, as its model says.

    `threshold`, `household_threshold`: of the individual and of the household risk, None: nothing is unsafe by it;
    `count_threshold`: the threshold rule's largest unsafe count; `k`: of k-anonymity; `claimed`: what the plan says of
    the population model, where the estimator judges by one; `mode`: which risk a record with blanks has;
    `least_records`: how many records every released key must have, where that mode judges by these; `exceedance`: the
    chance allowed of reaching the threshold, where that judges instead of the risk; `told`: how many suppressed values
    the rules may tell, None: any number; `told_with`: the variables of all tables that are decided with this one;
    `shared`: variables that a record may lose for others' sake; `same`: those of them that have one value a household;
    `hidden`: how many records the plan says only their own household makes safe, None: it says nothing.
    """

    variables: tuple[str, ...]
    threshold: float | None = None
    rule: MissingRule = "observed"
    alpha: float = 1.0
    estimator: Estimator = "exact"
    model: Model = "individual-risk"
    count_threshold: int = 1
    k: int = 1
    household_threshold: float | None = None
    claimed: ClaimedModel | None = None
    mode: Mode = "original-counts"
    least_records: int = 1
    exceedance: float | None = None
    told: int | None = None
    told_with: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    hidden: int | None = None


@dataclass(frozen=True)
class Verification:
    """What the check found.

    Attributes
    ----------
    verified : bool
        The file holds what was decided and, where that was asked, no record is at or above its threshold.
    problems : what is wrong otherwise; empty if `verified`
    after : what was found of each combination; empty where the file does not hold what was decided
    """

    verified: bool
    problems: tuple[Notice, ...]
    after: tuple[TableVerification, ...]


def verify(
    written: Microdata,
    columns: Mapping[str, EncodedColumn],
    weights: Weights | None,
    suppressed: Mapping[str, NDArray[np.bool_]],
    combinations: Sequence[JudgedTable],
    *,
    order: NDArray[np.integer[Any]] | None = None,
    must_be_safe: bool = True,
    living: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """Check a written file.

    Parameters
    ----------
    written : the file read back with the metadata written beside it; variables that are not in it are not checked
    columns, weights : the original's variables after recoding, and its weights, by which records are judged
    suppressed : by variable, the records of the original (n,) that were to lose their value
    combinations, order : by which to judge; (n,) original record (0-based) of each written one, None: the same
    must_be_safe : whether a record at or above its threshold is a problem (not so with criterion ``none``)
    living : (n,) who lives together in the original; None: nobody
    """
    n = len(next(iter(columns.values())).values) if columns else written.records
    if written.records != n:
        return Verification(False, (_other_number(written.records, n),), ())
    decided = {}
    problems: list[Notice] = []
    by_keys = {name for judged in combinations if _is_by_keys(judged) for name in judged.variables}
    for name, column in columns.items():
        progress.check()
        decided[name] = decided_codes(column, suppressed.get(name), order)
        if must_be_safe and name in by_keys:  # two missing codes would be two values of the released key
            decided[name] = np.minimum(decided[name], decided[name].dtype.type(column.n_valid))
        if name in written.columns:
            problems += _differences(column, written.columns[name], decided[name])
    if problems:
        return Verification(False, tuple(problems), ())
    both = weights_of_both(weights, written, order)
    return judge(columns, decided, both, combinations, n, order=order, must_be_safe=must_be_safe, living=living,
                 progress=progress)  # fmt: skip


def judge(
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: WeightsOfBoth,
    combinations: Sequence[JudgedTable],
    n: int,
    *,
    order: NDArray[np.integer[Any]] | None = None,
    must_be_safe: bool = True,
    living: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """Judge a written file that holds what was decided.

    Parameters
    ----------
    columns, combinations, order, must_be_safe, living : as `verify` has them
    decided : the codes that stand in the written file, as indices into those of `columns`
    weights : of both files
    n : number of records
    """
    after: list[TableVerification] = []
    problems: list[Notice] = []
    rare = [(judged.variables, judged.count_threshold) for judged in combinations if judged.model == "frequency"]
    largest = largest_unsafe(rare)
    for judged in combinations:
        progress.check()
        if judged.model == "individual-risk":
            try:
                after.append(_judge(judged, columns, decided, weights, order, progress))
            except ModelDiffers as differs:
                return Verification(False, (differs.notice,), ())
        else:
            after.append(_judge_counts(judged, columns, decided, largest, progress))
        by_mode = after[-1].by_mode
        if must_be_safe and by_mode is not None and by_mode.unsafe:
            problems.append(_unsafe_records(judged, by_mode.unsafe, n))
        smallest = after[-1].smallest
        if must_be_safe and smallest is not None and smallest < judged.least_records:
            problems.append(_small_key(judged, smallest))
    checked = Verification(not problems, tuple(problems), tuple(after))
    return judge_told(checked, columns, decided, combinations, order=order, must_be_safe=must_be_safe, living=living,
                      progress=progress)  # fmt: skip


def judge_told(
    checked: Verification,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    combinations: Sequence[JudgedTable],
    *,
    order: NDArray[np.integer[Any]] | None = None,
    must_be_safe: bool = True,
    living: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the suppressed values that the rules tell, where a combination limits them; as of `judge`."""
    after, problems = list(checked.after), list(checked.problems)
    for place, judged in enumerate(combinations):
        if judged.told is not None:
            told = _told_of(judged, columns, decided, living, order, progress)
            after[place] = replace(after[place], told=told)
            problems += _told(judged, told) if must_be_safe else ()
    return Verification(not problems, tuple(problems), tuple(after))


def _is_by_keys(judged: JudgedTable) -> bool:
    """Whether a record is judged by its released key, in which a blank is a value of its own."""
    return judged.model == "k-anonymity" or (judged.model == "individual-risk" and judged.mode == "released-keys")


def _other_number(written: int, original: int) -> Notice:
    return Notice.of(
        "written-records-differ",
        mark("The written file has {written} records, the original {original}."),
        written=written,
        original=original,
    )


def _unsafe_records(judged: JudgedTable, unsafe: int, total: int) -> Notice:
    if judged.model == "frequency":
        return Notice.of(
            "written-records-in-unsafe-combinations",
            mark("{records} of {total} written records have all values of an unsafe combination of {combination}."),
            records=unsafe,
            total=total,
            combination=" x ".join(judged.variables),
        )
    if judged.model == "k-anonymity":
        return Notice.of(
            "written-records-rarer-than-k",
            mark("{records} of {total} written records share their values of {combination} with fewer than {k}."),
            records=unsafe,
            total=total,
            k=judged.k,
            combination=" x ".join(judged.variables),
        )
    return Notice.of(
        "written-records-unsafe",
        mark("{records} of {total} written records are at or above the threshold {threshold} of {combination}."),
        records=unsafe,
        total=total,
        threshold=judged.threshold,
        combination=" x ".join(judged.variables),
    )


def _small_key(judged: JudgedTable, smallest: int) -> Notice:
    return Notice.of(
        "written-key-too-small",
        mark("A released key of {combination} has {records} records in the written file, fewer than {least}."),
        combination=" x ".join(judged.variables),
        records=smallest,
        least=judged.least_records,
    )


def _told_of(
    judged: JudgedTable, columns: Mapping[str, EncodedColumn], decided: Mapping[str, NDArray[np.unsignedinteger]],
    living: NDArray[np.integer[Any]] | None, order: NDArray[np.integer[Any]] | None, progress: Progress,
) -> int | None:  # fmt: skip
    """How many suppressed values of a combination the rules tell, by all variables that are decided with it."""
    names = judged.told_with or judged.variables
    keys = [columns[name] for name in names]
    original = [numbers(key.values if order is None else key.values[order], key.n_valid) for key in keys]
    released = [numbers(decided[key.name], key.n_valid) for key in keys]
    shared, same, asked = (
        [j for j, name in enumerate(names) if name in some] for some in (judged.shared, judged.same, judged.variables)
    )
    household = living if living is None or order is None else living[order]
    sizes = [key.n_valid + 1 for key in keys]
    return told_values(original, released, sizes, shared, same, household, asked, progress, keys[0].records)


def _told(judged: JudgedTable, told: int | None) -> tuple[Notice, ...]:
    if told is None or judged.told is None or told <= judged.told:
        return ()
    text = mark("{told} suppressed values of {combination} are told by the written file, {most} at most by the plan.")
    combination = " x ".join(judged.variables)
    return (Notice.of("written-values-told", text, combination=combination, told=told, most=judged.told),)


def decided_codes(
    column: EncodedColumn, suppressed: NDArray[np.bool_] | None, order: NDArray[np.integer[Any]] | None
) -> NDArray[np.unsignedinteger]:
    """The code that each written record should have, as an index into ``column.codes``."""
    values = column.values
    if suppressed is not None and suppressed.any():
        values = np.where(suppressed, values.dtype.type(column.n_valid), values)
    return values if order is None else values[order]


def _differences(column: EncodedColumn, written: EncodedColumn, decided: NDArray[np.unsignedinteger]) -> list[Notice]:
    index = {code: number for number, code in enumerate(column.codes)}
    meaning = np.array([index.get(code, len(index)) for code in written.codes], np.int64)
    values, first = 0, None
    for start in range(0, len(decided), _CHUNK):
        part = slice(start, start + _CHUNK)
        places = np.flatnonzero(meaning[written.values[part]] != decided[part])
        if len(places) and first is None:
            first = start + int(places[0])
        values += len(places)
    if first is None:
        return []
    return [
        Notice.of(
            "written-values-differ",
            mark(
                "{values} values of {variable} in the written file are not what was decided, the first in record "
                "{record}."
            ),
            where=column.name,
            values=values,
            variable=column.name,
            record=first + 1,
        )
    ]


def _judge_counts(
    judged: JudgedTable,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    largest: Mapping[frozenset[str], int],
    progress: Progress,
) -> TableVerification:
    """The figures of a combination that is judged without risks."""
    chosen = [columns[name] for name in judged.variables]
    keys = KeysOfBothFiles(
        judged.variables,
        [numbers(key.values, key.n_valid) for key in chosen],
        [numbers(decided[key.name], key.n_valid) for key in chosen],
        [key.n_valid + 1 for key in chosen],
        records_of_rows(chosen),
    )
    if judged.model == "frequency":
        return by_rare_combinations(keys, largest, progress)
    return by_rare_keys(keys, judged.k, judged.rule, judged.alpha)


def _judge(
    judged: JudgedTable,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: WeightsOfBoth,
    order: NDArray[np.integer[Any]] | None,
    progress: Progress,
) -> TableVerification:
    """The figures of one combination."""
    keys = [columns[name] for name in judged.variables]
    records = records_of_rows(keys)
    # Rows that are cells may be very many.
    numbered: Callable[[NDArray[np.unsignedinteger], int], Any] = numbers if records is None else NumberedColumn
    original = [numbered(key.values, key.n_valid) for key in keys]
    remaining = [
        same if decided[key.name] is key.values else numbered(decided[key.name], key.n_valid)
        for key, same in zip(keys, original, strict=True)
    ]
    progress.check()
    sizes = [key.n_valid + 1 for key in keys]
    place: Codes = np.zeros(0, np.uint32)
    if judged.mode == "released-keys":
        rows, before, now, place = recount.tabulate_records(original, remaining, sizes, weights[:2], progress, records)
    else:
        rows, before, now = recount.tabulate_both(original, remaining, sizes, weights[:2], progress, records)
    there = now.present()
    truncated = judged.estimator == "truncated"
    by_mode, both = None, Both(rows, before, original, remaining, weights, records)
    if judged.rule in ("observed", "wildcard"):
        by_mode = _by_remaining_values(judged, both, there, now.records[there], progress)
    progress.check()
    records_there = now.records[there]
    alone = _risks(*recount.frequencies(rows, there, now, 1.0, progress), truncated, progress)
    released = _file_level(alone, records_there, judged.threshold)
    del alone
    progress.check()
    if judged.mode == "released-counts":
        group = _risks(records_there.astype(np.float64), now.weight_at(there), truncated, progress)
        unsafe = _unsafe(group, records_there, judged.threshold)
        return TableVerification(released, released, float(group.max(initial=0.0)), unsafe, original=by_mode)
    if judged.mode == "released-keys":
        was, became = place[: len(original[0])], place[len(original[0]) :]
        return _by_released_keys(judged, both, now, was if order is None else was[order], became, by_mode, released)
    group = _risks(records_there.astype(np.float64), now.weight_at(there), truncated, progress)
    unsafe = _unsafe(group, records_there, judged.threshold)
    return TableVerification(by_mode, released, float(group.max(initial=0.0)), unsafe)


def _by_released_keys(
    judged: JudgedTable,
    both: Both,
    now: Tally,
    was: Codes,
    became: Codes,
    original: TableState | None,
    released: TableState,
) -> TableVerification:
    """The figures of one combination by released keys, in which a blank is a value of its own.

    `was`, `became`: (n,) of each written record the row that it had in the original, and the one that it has.
    """
    pairs, pair = np.unique(was.astype(np.int64) * len(both.rows.patterns) + became, return_inverse=True)
    records = np.bincount(pair, both.records, len(pairs)).astype(np.float64)
    cells, cell = np.unique(pairs // len(both.rows.patterns), return_inverse=True)
    size = now.count[pairs % len(both.rows.patterns)]
    population = None if judged.claimed is None else population_judge(judged, both)
    judge = KeySizes(both.rows, both.before, cells, judged.threshold, population, judged.exceedance)
    asked = judge.least[cell]
    risk = judge.own[cell]
    unsafe = np.flatnonzero(asked)
    risk[unsafe] = judge.under(cell[unsafe], size[unsafe])
    state = _file_level(risk, records, judged.threshold)
    if judged.threshold is not None:
        small = int(records[size < asked].sum())
        assert state.individual is not None
        state = replace(state, individual=replace(state.individual, unsafe=small), unsafe=small)
    sampled = float((1 / size[unsafe]).max(initial=0.0))
    smallest = int(size.min()) if len(size) else None
    return TableVerification(state, released, sampled, original=original, smallest=smallest)


@dataclass(frozen=True, eq=False)
class Both:
    """Both files by distinct keys; `before` tells of the original, made of its `original` columns (n,) and weights.

    `records` : how many records each row of the columns stands for; None: one each.
    """

    rows: DistinctKeys
    before: Tally
    original: Sequence[Codes]
    remaining: Sequence[Codes]
    weights: WeightsOfBoth
    records: NDArray[np.int64] | None = None


def _by_remaining_values(
    judged: JudgedTable, both: Both, asking: Codes, records: Codes, progress: Progress
) -> TableState:
    """The figures of the rows `asking`, of so many records each, by what is left of them."""
    if judged.claimed is None or judged.exceedance is None:
        return _file_level(risks_by_mode(judged, both, asking, progress), records, judged.threshold)
    population = population_judge(judged, both, progress)
    state = _file_level(population.risks(asking), records, judged.threshold)
    if judged.threshold is None or state.individual is None:
        return state
    chance = population.exceeding(asking, judged.threshold)
    unsafe = int(records[chance >= lowest_exceeding(judged.exceedance)].sum())
    return replace(state, individual=replace(state.individual, unsafe=unsafe), unsafe=unsafe)


def risks_by_mode(judged: JudgedTable, both: Both, asking: Codes, progress: Progress = SILENT) -> Floats:
    """The risk of the rows `asking` by what is left of them, judged by the original file.

    Raises
    ------
    ModelDiffers
        The plan's population model is not that of the data.
    """
    if judged.claimed is None:
        alpha = judged.alpha if judged.rule == "wildcard" else 0.0
        f, population = recount.frequencies(both.rows, asking, both.before, alpha, progress)
        if judged.estimator == "plug-in":
            simple: Floats = 1 / np.maximum(f, population)
            return simple
        return _risks(f, population, judged.estimator == "truncated", progress)
    return population_judge(judged, both, progress).risks(asking)


def _risks(f: Floats, population: Floats, truncated: bool, progress: Progress) -> Floats:
    """`recount.risks`, written over `f`, which nobody else has: there may be very many rows."""
    return recount.risks(f, population, truncated, progress, out=f)


def population_judge(judged: JudgedTable, both: Both, progress: Progress = SILENT) -> PopulationJudge:
    """The judge by the population model that the plan claims.

    Raises
    ------
    ModelDiffers
    """
    assert judged.claimed is not None
    weights = both.weights[0]
    above = both.weights[2] if len(both.weights) > 2 else None if weights is None else above_one(*weights)
    _rows, outside, _now = recount.tabulate_both(
        both.original, both.remaining, both.rows.sizes, [above, both.weights[1]], progress, both.records
    )
    sums = np.zeros(len(both.rows.patterns)) if above is None else outside.weight
    return PopulationJudge(both.rows, both.before, sums, judged.claimed, progress)


def above_one(
    limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int]
) -> tuple[Sequence[NDArray[np.int64]], Sequence[int]]:
    """max(w - 1, 0) of each weight, as the weights themselves are given."""
    one = 10 ** decimals[0]  # the limbs behind hold less than its unit
    more = limbs[0] >= one
    return [np.where(more, limb - less, 0) for limb, less in zip(limbs, (one, 0), strict=False)], decimals


def numbers(values: NDArray[np.unsignedinteger], n_valid: int) -> NDArray[np.unsignedinteger]:
    """0 where missing, else one more than the code; in a small type, for there are as many as records."""
    small = np.min_scalar_type(n_valid)
    found = values.astype(np.promote_types(small, values.dtype))
    found += found.dtype.type(1)  # wraps only where the value is missing
    found *= values < n_valid
    return found.astype(small, copy=False)


class NumberedColumn:
    """The `numbers` of a column, made of those of its values that are asked for."""

    def __init__(self, values: NDArray[np.unsignedinteger], n_valid: int) -> None:
        self._values, self._n_valid = values, n_valid

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, some: slice | NDArray[np.integer[Any]]) -> NDArray[np.unsignedinteger]:
        return numbers(self._values[some], self._n_valid)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.unsignedinteger]:
        return numbers(self._values, self._n_valid)


def weights_of_both(
    weights: Weights | None, written: Microdata, order: NDArray[np.integer[Any]] | None
) -> WeightsOfBoth:
    """The weights of the original, and those of the written file: its own, or the original's in its order."""
    theirs = written.weights
    if theirs is None and weights is not None:
        limbs = weights.limbs if order is None else tuple(limb[order] for limb in weights.limbs)
        theirs = Weights(limbs, weights.decimals)
    return [None if w is None else (w.limbs, w.decimals) for w in (weights, theirs)]


def _file_level(risk: NDArray[np.float64], records: Codes | Floats, threshold: float | None) -> TableState:
    expected = float(risk @ records.astype(np.float64, copy=False))
    total = float(records.sum())
    unsafe = _unsafe(risk, records, threshold)
    figures = RiskFigures(float(risk.max(initial=0.0)), expected, expected / total if total else 0.0, unsafe)
    return TableState(figures, unsafe=unsafe)


def _unsafe(risk: NDArray[np.float64], records: Codes | Floats, threshold: float | None) -> int | None:
    return None if threshold is None else int(records[risk >= threshold * (1 - 1e-12)].sum())
