"""The other estimate of the risk of the records of a safe file, as the mode of suppression judges them.

Under original-counts that is the risk of the values that a record keeps, in the original (recoded) file; under
released-keys f_c r_c / f_g for the records of a cell c that is unsafe by that estimate, under a released key of f_g
records [method: released keys, verdict].
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.results.results import RiskTable
from core.results.second_opinions import TableOpinion
from core.risk.individual import individual_risk, lowest_unsafe
from core.risk.population_model import PopulationModel
from core.risk.released_opinion import ModelRisks, ReleasedOpinion, by_individual, by_model, model_risks
from core.suppression.inference.leaks import remaining_risks
from core.suppression.problem import ProtectedTable
from core.tables.grouping import group_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Suppressed = Mapping[str, NDArray[np.bool_]]


def released_opinion(
    table: RiskTable, before: TableOpinion, model: PopulationModel | None, suppressed: Suppressed, by_keys: bool,
    records: Ints | None = None, progress: Progress = SILENT,
) -> ReleasedOpinion | None:  # fmt: skip
    """What the other estimate says of the safe file; None where there is none.

    Parameters
    ----------
    before : the same of the file before suppression
    model : of the table, where it is judged by the individual risk; None: by a model
    suppressed : by variable, the rows that lose their value
    by_keys : whether records are judged by their released keys
    records : (n,) how many records each row stands for; None: one each
    """
    limit = None if table.threshold is None else lowest_unsafe(table.threshold)
    if before.individual is not None:
        return by_individual(*individual_risks(table, suppressed, by_keys, records, progress), table.threshold)
    if before.opinion is None or model is None:
        return None
    variables = len(table.cells.variables)
    full = (1 << variables) - 1
    judged = np.ones(len(table.cells), np.bool_) if table.cells.under_rule is None else ~np.isnan(table.cells.f)
    if by_keys:
        cell, size, count = _in_keys(table, suppressed, records, progress)
        gone = table.cells.missing[cell]
    else:
        cell, gone, count = _remaining(table, suppressed, records)
        size = None
    some = judged[cell]
    cell, gone, count = cell[some], gone[some], count[some]
    masks = {full & ~int(each): np.flatnonzero(gone == each) for each in np.unique(gone).tolist()}
    found = model_risks(model, {mask: cell[rows] for mask, rows in masks.items()}, progress)
    risks = _gathered(found, masks, len(cell))
    share = np.ones(len(cell))
    if size is not None and limit is not None:
        share = np.where(risks.risk >= limit, risks.f / size[some], 1.0)
    return by_model(risks, share, count, before.opinion.pairs, limit)


def unsafe_by_exact(
    table: RiskTable, suppressed: Suppressed, by_keys: bool, records: Ints | None = None, progress: Progress = SILENT
) -> int:
    """Records of the safe file at or above the threshold by the exact individual risk."""
    rows = individual_risks(table, suppressed, by_keys, records, progress)
    return by_individual(*rows, table.threshold).unsafe or 0


def individual_risks(
    table: RiskTable, suppressed: Suppressed, by_keys: bool, records: Ints | None, progress: Progress = SILENT
) -> tuple[Floats, Ints]:
    """The exact individual risk of rows of the safe file, and how many records each has."""
    cells = table.cells
    own = individual_risk(cells.f, cells.F, "exact", progress)
    if by_keys:
        cell, size, count = _in_keys(table, suppressed, records, progress)
        unsafe = own[cell] >= lowest_unsafe(table.threshold)
        return np.where(unsafe, own[cell] * cells.f[cell] / size, own[cell]), count
    plain = ProtectedTable(cells, table.cell_index, table.threshold, "exact", None, own, None, table.held)
    left = remaining_risks(plain, suppressed, progress)
    return left.risk, left.tally(records)


def _gathered(found: Mapping[int, ModelRisks], masks: Mapping[int, NDArray[np.intp]], rows: int) -> ModelRisks:
    """The risks by mask as those of all rows."""
    names = "risk", "f", "own", "log_linear", "independence"
    every = {name: np.zeros(rows) for name in names}
    for mask, places in masks.items():
        for name in names:
            every[name][places] = getattr(found[mask], name)
    return ModelRisks(**every)


def _remaining(
    table: RiskTable, suppressed: Suppressed, records: Ints | None
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], Ints]:
    """The cells and what is missing of them in the safe file, each once, with their records."""
    of_record, missing = table.cell_index.of_record, table.cells.missing
    newly = np.zeros(len(of_record), np.uint64)
    for j, name in enumerate(table.cells.variables):
        if name in suppressed:
            newly |= suppressed[name].astype(np.uint64) << np.uint64(j)
    touched = np.flatnonzero(newly)
    intact = table.cells.count.copy()
    of_touched = np.ones(len(touched), np.int64) if records is None else records[touched].astype(np.int64)
    np.subtract.at(intact, of_record[touched], of_touched)
    whole = np.flatnonzero(intact).astype(np.uint32)
    gone = newly[touched] | missing[of_record[touched]]
    patterns, pattern = np.unique(gone, return_inverse=True)
    number = of_record[touched].astype(np.int64) * max(1, len(patterns)) + pattern
    pairs, pair = np.unique(number, return_inverse=True)
    count = np.zeros(len(pairs), np.int64)
    np.add.at(count, pair, of_touched)
    cell = (pairs // max(1, len(patterns))).astype(np.uint32)
    lost = patterns[pairs % max(1, len(patterns))] if len(pairs) else missing[:0]
    return np.append(whole, cell), np.append(missing[whole], lost), np.append(intact[whole], count)


def _in_keys(
    table: RiskTable, suppressed: Suppressed, records: Ints | None, progress: Progress
) -> tuple[NDArray[np.uint32], Floats, Ints]:
    """The cells and the sizes of the released keys that they are under, each once, with their records."""
    cells, of_record = table.cells, table.cell_index.of_record
    codes = [code[of_record] for code in cells.codes]
    for name, code, card in zip(cells.variables, codes, cells.cards, strict=True):
        if name in suppressed:
            code[suppressed[name]] = card
    keys = group_rows(codes, cells.cards, progress)
    size = np.bincount(keys.ids, records, len(keys)).astype(np.int64)
    pairs = group_rows([of_record, keys.ids], [len(cells), len(keys)], progress)
    count = np.bincount(pairs.ids, records, len(pairs)).astype(np.int64)
    return of_record[pairs.member], size[keys.ids[pairs.member]].astype(np.float64), count
