"""The parts of a safe file: each written by the plan of the whole, read back, and counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn, Microdata, Source
from core.formats.registry import read, write
from core.formats.text.block_file import changed
from core.formats.text.writing import FieldEdit, Rewrite, check_unchanged
from core.parts.cell_tables import WholeCells, cells_of_records, in_decimals, read_part
from core.release.safe_file import SafeFile, with_texts
from core.release.verification import failed, judged_tables
from core.results.results import Protection
from core.verification.pairs import KeyPairs, judge_pairs, pairs_of
from core.verification.unchanged_fields import differences
from core.verification.verify import Verification, decided_codes, verify


@dataclass(frozen=True, eq=False)
class WrittenPart:
    """A part of the safe file: as it was read back, and the keys that its records had and have."""

    source: Source
    pairs: KeyPairs


@dataclass(frozen=True, eq=False)
class SafeParts:
    """How the parts of a safe file are written.

    Attributes
    ----------
    protection, safe : of the cells of the whole, which stand for its records
    whole : these cells
    names : columns of the cells
    """

    protection: Protection
    safe: SafeFile
    whole: WholeCells
    names: tuple[str, ...]

    def write(self, number: int, original: Source, out: BinaryIO, progress: Progress = SILENT) -> Microdata:
        """Write one part, which is read once more: it as it was read.

        Raises
        ------
        DataError
            It is no longer what it was.
        """
        part = read_part(original.path, self.protection.derived.metadata, self.names, progress=progress)
        if part.source.sha256 != original.sha256:
            raise changed(original.path)
        cell = self._cell_of_record(number, part, progress)
        edits = {name: _of_records(edit, cell) for name, edit in self.safe.edits.items()}
        write(Rewrite(part.source, part.metadata, edits, self.safe.layout), out, progress)
        return part

    def _cell_of_record(self, number: int, part: Microdata, progress: Progress) -> NDArray[np.uint32]:
        """The cell of the whole that each record of a part is in."""
        return self.whole.rows[number][cells_of_records(part, self.names, progress).ids]

    def check(self, number: int, part: Microdata, written: Path, progress: Progress = SILENT) -> WrittenPart:
        """Read a written part back and compare it with what was decided for its records.

        Parameters
        ----------
        part : as `write` read it

        Raises
        ------
        ProtectionError
            It is not what was decided.
        """
        derived, layout = self.protection.derived, self.safe.layout
        cell = self._cell_of_record(number, part, progress)
        added = self.safe.added
        columns = {name: _column_of_records(c, cell) for name, c in {**derived.columns, **added}.items()}
        lost = {name: flags[cell] for name, flags in self.protection.plan.suppressed.items()}
        weight = derived.metadata.weight
        wanted = [*columns, *([weight.name] if weight else ())]
        names = tuple(dict.fromkeys(name for name in wanted if name in layout))
        again = read(written, with_texts(layout, added), names, progress)
        checked = verify(again, columns, part.weights, lost, (), progress=progress)
        problems = checked.problems
        if not problems:
            others = [name for name in layout.names if name in derived.metadata and name not in derived.columns]
            problems = differences(part.source.path, derived.metadata, written, layout, others, None, progress)
        if problems:
            check_unchanged(part.source, progress)  # else they are no fault of the written file
            raise failed(problems)
        keys = self.judging()
        decided = {name: decided_codes(columns[name], lost.get(name), None) for name in keys}
        weights = None if part.weights is None else (part.weights, again.weights or part.weights)
        return WrittenPart(again.source, pairs_of({name: columns[name] for name in keys}, decided, weights))

    def judging(self) -> tuple[str, ...]:
        """The variables by which records are judged."""
        combinations = self.protection.derived.recipe.combinations
        return tuple(dict.fromkeys(name for each in combinations for name in each.variables))

    def judge(self, parts: Sequence[WrittenPart], progress: Progress = SILENT) -> Verification:
        """The check of the written parts together, from what was read back of them.

        Raises
        ------
        ProtectionError
            A record is not safe.
        """
        derived = self.protection.derived
        weights = derived.microdata.weights
        pairs = [part.pairs for part in parts]
        if weights is not None:
            pairs = [each.in_decimals(weights.decimals, in_decimals) for each in pairs]
        columns = {name: derived.columns[name] for name in self.judging()}
        checked = judge_pairs(
            pairs,
            columns,
            judged_tables(derived, self.protection.inferences),
            must_be_safe=derived.recipe.suppression.criterion != "none",
            progress=progress,
        )
        if checked.problems:
            raise failed(checked.problems)
        return checked


def _of_records(edit: FieldEdit, cell: NDArray[np.uint32]) -> FieldEdit:
    """The edit of the cells as one of the records that are in them."""
    some = None if edit.changed_only is None else edit.changed_only[cell]
    return FieldEdit(edit.values[cell], edit.codes, some)


def _column_of_records(column: EncodedColumn, cell: NDArray[np.uint32]) -> EncodedColumn:
    return replace(column, values=column.values[cell], records=None)
