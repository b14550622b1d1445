"""Records that are judged by counts: by the threshold rule, by k-anonymity, and by l-diversity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.risk_figures import TableState
from ..recipe.criteria import MissingRule
from . import recount
from .judged import CheckSpec, KeysOfBothFiles, TableVerification, numbers
from .recount import Codes, DistinctKeys, Floats, Tally


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
    rows, before, now = _counted_keys(keys)
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
    rows, _, now = _counted_keys(keys)
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


def by_few_values(keys: KeysOfBothFiles, sensitive: Codes, l: int, k: int = 1) -> TableVerification:  # noqa: E741
    """Records whose key has one to l - 1 different values of a sensitive variable behind it, or fewer than k records.

    `sensitive` : (n,) its values in the written file, 0 where one is missing
    """
    number, _ = recount.fold(keys.released, keys.sizes, len(sensitive))
    _, key = np.unique(number, return_inverse=True)
    there = np.flatnonzero(sensitive)
    pairs = np.unique(np.stack([key[there], np.asarray(sensitive)[there].astype(np.int64)]), axis=1)
    values = np.bincount(pairs[0], minlength=int(key.max(initial=0)) + 1)
    size = np.bincount(key, keys.records, len(values))
    few = ((values > 0) & (values < l) | (size < k))[key]
    state = TableState(unsafe=int(few.sum() if keys.records is None else keys.records[few].sum()))
    return TableVerification(state, state)


def _counted_keys(keys: KeysOfBothFiles) -> tuple[DistinctKeys, Tally, Tally]:
    """Distinct keys of both files, and how often they occur in each."""
    return recount.tabulate_both(keys.original, keys.released, keys.sizes, (None, None), records=keys.records)


def _counted(unsafe: Floats) -> TableState:
    """The state of a file in which so many records are unsafe, by row."""
    return TableState(unsafe=int(unsafe.sum()))


def judge_counts(
    judged: CheckSpec,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    largest: Mapping[frozenset[str], int],
    progress: Progress,
) -> TableVerification:
    """The figures of a combination that is judged without risks; `largest`: as `largest_unsafe` gives them."""
    keys = KeysOfBothFiles.of(judged.variables, columns, decided)
    if judged.judges_margins:
        return by_rare_combinations(keys, largest, progress)
    if judged.sensitive is not None:
        return by_few_values(
            keys, numbers(decided[judged.sensitive], columns[judged.sensitive].n_valid), judged.l, judged.k
        )
    return by_rare_keys(keys, judged.k, judged.rule, judged.alpha)
