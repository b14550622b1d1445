"""What is wanted of a file in parts beside its cells: columns that are in none, and noise on the weight.

Of such a column the rows are its codes. It is written as another one, or analyses are made of it, record by record as
the parts are read; a run and the windows' session ask for it here in one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..base.trim_heap import trim_heap
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..perturbation.numbers import parsed_number
from ..recipe.analyses import variables_of_analyses
from ..recipe.available import written_format
from ..recipe.model import Recipe
from ..release.safe_file import SafeFile, safe_file
from ..results.cell_tables import CellSum, CodePlaces, CountingTask, PartCells, decimals_of_sums, too_many_digits
from ..results.needed_columns import hidden_variables
from ..results.numeric import as_written, change_numbers
from ..results.released_columns import after_suppression
from ..results.results import Protection
from ..results.row_division import HouseholdIdentifier, RowsTask
from ..rows.scan import Fold, Once, each_part, scan
from ..rows.source import FileParts
from ..rows.workers import ThisProcess, Workers
from ..utility.compared import ComparedFile, numbers_or_nan
from ..utility.own_models import codes_of_models
from ..whatif.utility import FileUtility, compared_file
from .analyses import AnalysesOfParts, RecordsTask
from .rows import DividedRows
from .weight_noise import DrawingOfNoise, PlannedNoise, WidthTask, asked_noise, decimals_written


@dataclass(frozen=True, eq=False)
class OtherColumns:
    """What is wanted beside the cells, by the recipe.

    Attributes
    ----------
    recipe : for the first part; without a safe file nothing is wanted
    metadata : of the first part
    names : the columns of the cells
    """

    recipe: Recipe
    metadata: Metadata
    names: tuple[str, ...]

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Numerical variables that the safe file has otherwise, code by code.

        Not those in the cells, of which values may be suppressed, nor a weight that gets noise, record by record.
        """
        weight = None if self.metadata.weight is None else self.metadata.weight.name
        return tuple(name for name in self._changed if name == weight or name not in self.names)

    @cached_property
    def numbers_of_cells(self) -> tuple[str, ...]:
        """Those that are in the cells."""
        return tuple(name for name in self._changed if name not in self.numbers)

    @property
    def _changed(self) -> Iterator[str]:
        weight = None if self.metadata.weight is None else self.metadata.weight.name
        for spec in self.recipe.numeric if self.recipe.output.data is not None else ():
            if spec.variable != weight or asked_noise(self.recipe) is None:
                yield spec.variable

    @cached_property
    def analysed(self) -> tuple[str, ...]:
        """Released variables of ``[[utility]]`` that are in no cell and are not changed."""
        metadata = self.metadata
        left_out = {*self.names, *self.numbers, *hidden_variables(metadata)}
        if metadata.household_id is not None:
            left_out.add(metadata.household_id.name)
        named = variables_of_analyses(self.recipe) if self.recipe.output.data is not None else ()
        return tuple(name for name in named if name in metadata and name not in left_out)

    @cached_property
    def only_numbers(self) -> tuple[str, ...]:
        """Those of them of which the numbers alone are wanted."""
        asked = self.recipe.utility
        by_codes = {name for entry in asked for name in (*entry.table, *entry.by)}
        by_codes |= codes_of_models(asked, self.metadata)
        return tuple(name for name in self.analysed if name not in by_codes)

    def counted(self, looked_at: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns of which codes and counts are wanted, `looked_at` among them."""
        if self.recipe.output.data is None:
            return ()
        wanted = dict.fromkeys((*looked_at, *self.numbers, *self.analysed))
        return tuple(name for name in wanted if name not in self.names)

    def drawing(self) -> DrawingOfNoise | None:
        """Finds what noise on the weight is drawn from; None: it gets none."""
        recipe, weight, entry = self.recipe, self.metadata.weight, asked_noise(self.recipe)
        if weight is None or entry is None or recipe.output.data is None:
            return None
        identifier = self.metadata.household_id
        households = None if identifier is None else HouseholdIdentifier(identifier.name, recipe.households)
        return DrawingOfNoise(recipe, entry, weight, households)

    def read(
        self,
        parts: FileParts,
        asked: CountingTask | None,
        progress: Progress = SILENT,
        workers: Workers | None = None,
    ) -> tuple[PartCells | None, DrawingOfNoise | None]:
        """The cells of all parts that are asked for, and what noise on the weight is drawn from, in one reading."""
        drawing = self.drawing()
        folds: list[Fold] = [] if drawing is None else [drawing]
        with CellSum(self.metadata, progress, {*self.numbers, *self.analysed} - {*self.only_numbers}) as cells:
            folds += [] if asked is None else [Once(asked, cells.add)]
            scan(parts, folds, progress, translate(mark("Counting the parts")), workers)
            whole = None if asked is None else cells.whole()
        trim_heap()
        return whole, drawing


class WrittenColumns:
    """What becomes of the columns in the safe file, as far as no cell tells it.

    Parameters
    ----------
    asked : what is wanted
    rows : of which the other columns are known, too
    drawing : what noise on the weight is drawn from, after all parts; None: it gets none

    Attributes
    ----------
    outlines : numerical variables that are changed, with a row for each code
    noise : what becomes of the weights; None: nothing
    """

    def __init__(
        self, asked: OtherColumns, rows: DividedRows, drawing: DrawingOfNoise | None, workers: Workers | None = None
    ) -> None:
        self._asked, self._rows, self._workers = asked, rows, workers or ThisProcess()
        self.outlines = {name: _by_code(rows.cells.columns[name]) for name in asked.numbers}
        self.noise = self._planned(drawing)

    def _planned(self, drawing: DrawingOfNoise | None) -> PlannedNoise | None:
        metadata = self._asked.metadata
        if drawing is None:
            return None
        decimals = decimals_written(self._rows.cells, drawing.task.spec, metadata)
        return drawing.planned(metadata.decimal, not self._is_text, decimals)

    @property
    def _is_text(self) -> bool:
        return written_format(self._asked.recipe.output.data, self._asked.metadata.format) in ("fixed", "delimited")

    @property
    def _decimal(self) -> str:
        """The decimal mark of numbers that are written."""
        return self._asked.metadata.decimal if self._is_text else "."

    def decimals_of_weights(self, safe: SafeFile) -> tuple[int, ...] | None:
        """Decimals of the exact sums of the weights that are written; None: they are those of the original.

        Raises
        ------
        DataError
            ``weight-digits``: they have more digits than can be added up exactly.
        """
        if self.noise is not None:
            return self.noise.decimals
        weight, cells = self._asked.metadata.weight, self._rows.cells
        if weight is None or weight.name not in self.outlines:
            return None
        column = safe.modified[weight.name]
        numbers = [parsed_number(code, self._decimal) or Decimal(0) for code in column.codes]
        places = max((max(-int(each.as_tuple().exponent), 0) for each in numbers), default=0)
        records = np.bincount(column.values, self.outlines[weight.name].counts, len(column.codes)).astype(np.int64)
        total = sum(int(each.scaleb(places)) * n for each, n in zip(numbers, records.tolist(), strict=True))
        found = decimals_of_sums(places, total, cells.records, cells.records)
        if found is None:
            raise too_many_digits(cells.sources[0].path, weight.name)
        return found

    def safe_file(self, protection: Protection, progress: Progress = SILENT) -> SafeFile:
        """The safe file of the cells; numerical variables in none have a row a code, weights with noise the width."""
        recipe, metadata, cells = self._asked.recipe, protection.derived.metadata, self._rows.cells
        of_cells = {
            name: after_suppression(replace(cells.columns[name], records=cells.count), protection.plan.suppressed)
            for name in self._asked.numbers_of_cells
        }
        found = change_numbers({**self.outlines, **of_cells}, recipe, metadata, progress)
        changed = as_written(found, recipe, metadata)
        if self.noise is None:
            return safe_file(protection, progress, changed)
        name = self.noise.name
        weight = _of_width(name, self._width(self.noise, progress))
        safe = safe_file(protection, progress, replace(changed, columns={**changed.columns, name: weight}))
        modified = {each: column for each, column in safe.modified.items() if each != name}
        return replace(safe, modified=modified, edits={n: edit for n, edit in safe.edits.items() if n != name})

    def _width(self, noise: PlannedNoise, progress: Progress) -> int:
        """Bytes of the longest weight that is written, where the layout of the safe file says it."""
        if self._asked.metadata.format != "fixed" and not noise.variable.length:
            return 1
        return max(each_part(self._rows.parts, WidthTask(noise), progress, workers=self._workers), default=1)

    def analyses(self, protection: Protection, safe: SafeFile, progress: Progress = SILENT) -> AnalysesOfParts:
        """What the parts are read for to make the recipe's own tables, means and models."""
        asked, cells = self._asked, self._rows.cells
        outlines = {name: _by_code(cells.columns[name]) for name in (*asked.analysed, *asked.numbers)}

        def read(names: Sequence[str], _told: Progress) -> dict[str, EncodedColumn]:
            return {name: outlines[name] for name in names}

        names, only_numbers = variables_of_analyses(asked.recipe), asked.only_numbers
        file = compared_file(protection, names, safe.modified, read, progress)
        of_codes = {n: CodePlaces(column) for n, column in outlines.items() if n in names and n not in only_numbers}
        rows = RowsTask(self._rows.names, self._rows.places)
        weight, changed = asked.metadata.weight, None
        if weight is not None and weight.name in self.outlines:
            numbers = numbers_or_nan(safe.modified[weight.name], self._decimal)
            changed = CodePlaces(self.outlines[weight.name]), np.where(numbers > 0, numbers, 0.0)
        task = RecordsTask(rows, of_codes, only_numbers, cells.decimals, self.noise, changed)
        return AnalysesOfParts(file, asked.recipe.utility, task)


def analysed_by_parts(
    recipe: Recipe, protection: Protection, rows: DividedRows, progress: Progress = SILENT
) -> FileUtility:
    """The recipe's own tables, means and models of the original and of a safe file that is not written.

    Parameters
    ----------
    recipe : for the first part, with a safe file
    protection : found in `rows`
    """
    if not recipe.utility:
        return FileUtility.of_own((), ComparedFile({}, protection.derived.records), protection.plan.total)
    written = written_columns(recipe, rows, progress)
    analyses = written.analyses(protection, written.safe_file(protection, progress), progress)
    scan(rows.parts, analyses.folds, progress, translate(mark("Comparing…")))
    return FileUtility.of_own(analyses.found(), analyses.file, protection.plan.total)


def written_columns(recipe: Recipe, rows: DividedRows, progress: Progress = SILENT) -> WrittenColumns:
    """What becomes of the columns in a safe file that is not written; the parts are read where something does.

    `recipe` : for the first part, with a safe file
    """
    asked = OtherColumns(recipe, rows.metadata, rows.cells.names)
    others, drawing = asked.counted(), asked.drawing()
    if others or drawing is not None:
        more, drawing = asked.read(rows.parts, CountingTask((), others) if others else None, progress)
        rows = rows if more is None else rows.with_columns(more.columns)
    return WrittenColumns(asked, rows, drawing)


def _of_width(name: str, width: int) -> EncodedColumn:
    """A column without records, whose texts are so long."""
    text, nothing = "0" * width, np.zeros(0, np.int64)
    return EncodedColumn(name, nothing.astype(np.uint8), (text,), (text,), np.zeros(1, np.int64), 1, width)


def _by_code(column: EncodedColumn) -> EncodedColumn:
    """`column` with a row for each of its codes, which stands for the records that have it."""
    return replace(column, values=np.arange(len(column.codes), dtype=np.uint32), records=column.counts)
