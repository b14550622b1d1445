"""The check of a written file, from the file itself and the original: shares no code with what made it.

Begin here. The file is first compared with what was decided, value by value; then every combination is judged anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Microdata, Weights
from .by_counts import judge_counts, largest_unsafe
from .by_risk import judge_risks
from .inferable_values import told_values
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
from .population import ModelDiffers

_CHUNK = 1 << 16
"""Records compared in one go: what is made of them stays in the processor's cache."""


def verify(
    written: Microdata,
    columns: Mapping[str, EncodedColumn],
    weights: Weights | None,
    suppressed: Mapping[str, NDArray[np.bool_]],
    combinations: Sequence[CheckSpec],
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
    if order is not None and not _each_once(order, n):
        return Verification(False, (_other_records(),), ())
    judging = {name for judged in combinations for name in (*judged.variables, *judged.told_with, judged.sensitive)}
    by_keys = {name for judged in combinations if judged.judges_released_keys for name in judged.variables}
    original, decided = dict[str, EncodedColumn](), dict[str, NDArray[np.unsignedinteger]]()
    problems: list[Notice] = []
    for name, unordered in columns.items():
        progress.check()
        column, flags = in_order(unordered, order), suppressed.get(name)
        codes = decided_codes(column, flags if flags is None or order is None else flags[order])
        if must_be_safe and name in by_keys:  # two missing codes would be two values of the released key
            codes = np.minimum(codes, codes.dtype.type(column.n_valid))
        if name in written.columns:
            problems += _differences(column, written.columns[name], codes)
        if name in judging:
            original[name], decided[name] = column, codes
    if problems:
        return Verification(False, tuple(problems), ())
    both = weights_of_both(weights, written, order)
    living = living if living is None or order is None else living[order]
    return judge(original, decided, both, combinations, n, must_be_safe=must_be_safe, living=living, progress=progress)


def judge(
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: WeightsOfBoth,
    combinations: Sequence[CheckSpec],
    n: int,
    *,
    must_be_safe: bool = True,
    living: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """Judge a written file that holds what was decided.

    Parameters
    ----------
    columns, combinations, must_be_safe, living : as `verify` has them, in the order of the written file
    decided : the codes that stand in the written file, as indices into those of `columns`
    weights : of both files
    n : number of records
    """
    after: list[TableVerification] = []
    problems: list[Notice] = []
    rare = [(judged.variables, judged.count_threshold) for judged in combinations if judged.judges_margins]
    largest = largest_unsafe(rare)
    for judged in combinations:
        progress.check()
        if judged.has_risk:
            try:
                after.append(judge_risks(judged, columns, decided, weights, progress))
            except ModelDiffers as differs:
                return Verification(False, (differs.notice,), ())
        else:
            after.append(judge_counts(judged, columns, decided, largest, progress))
        by_mode = after[-1].by_mode
        if must_be_safe and by_mode is not None and by_mode.unsafe:
            problems.append(_unsafe_records(judged, by_mode.unsafe, n))
        smallest = after[-1].smallest
        if must_be_safe and smallest is not None and smallest < judged.least_records:
            problems.append(_small_key(judged, smallest))
    checked = Verification(not problems, tuple(problems), tuple(after))
    return judge_told(checked, columns, decided, combinations, must_be_safe=must_be_safe, living=living,
                      progress=progress)  # fmt: skip


def judge_told(
    checked: Verification,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    combinations: Sequence[CheckSpec],
    *,
    must_be_safe: bool = True,
    living: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the suppressed values that the rules tell, where a combination limits them; as of `judge`."""
    after, problems = list(checked.after), list(checked.problems)
    for place, judged in enumerate(combinations):
        if judged.told is not None:
            told = _told_of(judged, columns, decided, living, progress)
            after[place] = replace(after[place], told=told)
            problems += _told(judged, told) if must_be_safe else ()
    return Verification(not problems, tuple(problems), tuple(after))


def _other_number(written: int, original: int) -> Notice:
    return Notice.of(
        "written-records-differ",
        mark("The written file has {written} records, the original {original}."),
        written=written,
        original=original,
    )


def _each_once(order: NDArray[np.integer[Any]], n: int) -> bool:
    """Whether every record of the original is said to be written, and none twice."""
    seen = np.zeros(n, np.bool_)
    seen[order] = True
    return len(order) == n and bool(seen.all())


def _other_records() -> Notice:
    text = mark("The order of the written file leaves out records of the original, or has some more than once.")
    return Notice.of("written-order-differs", text)


def _unsafe_records(judged: CheckSpec, unsafe: int, total: int) -> Notice:
    if judged.judges_margins:
        return Notice.of(
            "written-records-in-unsafe-combinations",
            mark("{records} of {total} written records have all values of an unsafe combination of {combination}."),
            records=unsafe,
            total=total,
            combination=judged.name,
        )
    if judged.model == "k-anonymity":
        return Notice.of(
            "written-records-rarer-than-k",
            mark("{records} of {total} written records share their values of {combination} with fewer than {k}."),
            records=unsafe,
            total=total,
            k=judged.k,
            combination=judged.name,
        )
    if judged.sensitive is not None:
        return Notice.of(
            "written-keys-not-diverse",
            mark(
                "{records} of {total} written records share their values of {combination} with records that have "
                "fewer than {l} values of {variable}."
            ),
            records=unsafe,
            total=total,
            l=judged.l,
            variable=judged.sensitive,
            combination=judged.name,
        )
    return Notice.of(
        "written-records-unsafe",
        mark("{records} of {total} written records are at or above the threshold {threshold} of {combination}."),
        records=unsafe,
        total=total,
        threshold=judged.threshold,
        combination=judged.name,
    )


def _small_key(judged: CheckSpec, smallest: int) -> Notice:
    return Notice.of(
        "written-key-too-small",
        mark("A released key of {combination} has {records} records in the written file, fewer than {least}."),
        combination=judged.name,
        records=smallest,
        least=judged.least_records,
    )


def _told_of(
    judged: CheckSpec, columns: Mapping[str, EncodedColumn], decided: Mapping[str, NDArray[np.unsignedinteger]],
    living: NDArray[np.integer[Any]] | None, progress: Progress,
) -> int | None:  # fmt: skip
    """How many suppressed values of a combination the rules tell, by all variables that are decided with it."""
    keys = KeysOfBothFiles.of(judged.told_with or judged.variables, columns, decided)
    shared, same, asked = (
        [j for j, name in enumerate(keys.names) if name in some]
        for some in (judged.shared, judged.same, judged.variables)
    )
    return told_values(keys.original, keys.released, keys.sizes, shared, same, living, asked, progress, keys.records)


def _told(judged: CheckSpec, told: int | None) -> tuple[Notice, ...]:
    if told is None or judged.told is None or told <= judged.told:
        return ()
    text = mark("{told} suppressed values of {combination} are told by the written file, {most} at most by the plan.")
    return (Notice.of("written-values-told", text, combination=judged.name, told=told, most=judged.told),)


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
