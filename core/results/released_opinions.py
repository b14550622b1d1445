"""The other estimate of the risk of the records of a safe file, as the mode of suppression judges them.

Under original-counts that is the risk of the values that a record keeps, in the original (recoded) file; under
released-keys f_c r_c / f_g for the records of a cell c that is unsafe by that estimate, under a released key of f_g
records [method: released keys, verdict].
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..risk.individual import individual_risk, lowest_unsafe
from ..risk.population_model import PopulationModel
from ..risk.released_opinion import ModelRisks, ReleasedOpinion, by_individual, by_model, model_risks
from ..risk.second_opinion import second_opinion
from ..suppression.inference.leaks import remaining_risks
from ..suppression.plan import ValueMasks
from ..suppression.problem import ProtectedTable
from ..tables.cell_index import Tabulation
from ..tables.cells import Cells
from ..tables.grouping import group_rows
from .results import RiskTable
from .second_opinions import TableEstimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def released_opinion(
    table: RiskTable, before: TableEstimate, model: PopulationModel | None, suppressed: ValueMasks, by_keys: bool,
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
    both, pairs = Tabulation(table.cells, table.cell_index), before.opinion.pairs
    if not by_keys:
        return _by_remaining(both, model, pairs, suppressed, records, limit, progress)
    full, judged = (1 << len(table.cells.variables)) - 1, _judged(table.cells)
    cell, size, count = _in_keys(table, suppressed, records, progress)
    gone = table.cells.missing[cell]
    some = judged[cell]
    cell, gone, count = cell[some], gone[some], count[some]
    masks = {full & ~int(each): np.flatnonzero(gone == each) for each in np.unique(gone).tolist()}
    found = model_risks(model, {mask: cell[rows] for mask, rows in masks.items()}, progress)
    risks = _gathered(found, masks, len(cell))
    share = np.ones(len(cell))
    if limit is not None:
        share = np.where(risks.risk >= limit, risks.f / size[some], 1.0)
    return by_model(risks, share, count, pairs, limit)


def modelled_opinion(
    table: Tabulation, model: PopulationModel, suppressed: ValueMasks, records: Ints | None = None,
    progress: Progress = SILENT,
) -> ReleasedOpinion | None:  # fmt: skip
    """What the population model expects of the safe file by a table without a risk; None of a whole population.

    Parameters
    ----------
    suppressed, records : as of `released_opinion`
    """
    if model.census:
        return None
    pairs = second_opinion(table.cells, model, progress).pairs
    return _by_remaining(table, model, pairs, suppressed, records, None, progress)


def _judged(cells: Cells) -> NDArray[np.bool_]:
    """(m,) which cells the missing rule leaves in."""
    return np.ones(len(cells), np.bool_) if cells.under_rule is None else ~np.isnan(cells.f)


def _by_remaining(
    table: Tabulation, model: PopulationModel, pairs: float, suppressed: ValueMasks, records: Ints | None,
    limit: float | None, progress: Progress,
) -> ReleasedOpinion:  # fmt: skip
    """By the values that records keep, counted in the original."""
    full = (1 << len(table.cells.variables)) - 1
    cell, gone, count = _remaining(table, suppressed, records)
    some = _judged(table.cells)[cell]
    cell, gone, count = cell[some], gone[some], count[some]
    masks = {full & ~int(each): np.flatnonzero(gone == each) for each in np.unique(gone).tolist()}
    found = model_risks(model, {mask: cell[rows] for mask, rows in masks.items()}, progress)
    return by_model(_gathered(found, masks, len(cell)), np.ones(len(cell)), count, pairs, limit)


def unsafe_by_exact(
    table: RiskTable, suppressed: ValueMasks, by_keys: bool, records: Ints | None = None, progress: Progress = SILENT
) -> int:
    """Records of the safe file at or above the threshold by the exact individual risk."""
    rows = individual_risks(table, suppressed, by_keys, records, progress)
    return by_individual(*rows, table.threshold).unsafe or 0


def individual_risks(
    table: RiskTable, suppressed: ValueMasks, by_keys: bool, records: Ints | None, progress: Progress = SILENT
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
    table: Tabulation, suppressed: ValueMasks, records: Ints | None
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], Ints]:
    """The cells and what is missing of them in the safe file, each once, with their records."""
    of_record, missing = table.cell_index.of_record, table.cells.missing
    newly = suppressed.masks_of(table.cells.variables, len(of_record))
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
    lacking = patterns[pairs % max(1, len(patterns))] if len(pairs) else missing[:0]
    return np.append(whole, cell), np.append(missing[whole], lacking), np.append(intact[whole], count)


def _in_keys(
    table: RiskTable, suppressed: ValueMasks, records: Ints | None, progress: Progress
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
