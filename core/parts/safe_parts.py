"""The parts of a safe file: each written by the plan of the whole, read back, and counted anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..base.outputs import written_file
from ..base.progress import SILENT, Progress
from ..check.judged import Verification, decided_codes
from ..check.pairs import KeyPairs, judge_pairs, pairs_of
from ..check.sets import DeclaredSet, blank_columns, with_sets
from ..check.verify import verify
from ..check.written_columns import LabelledCodes
from ..data.columns import EncodedColumn, Microdata, Source
from ..data.variables import Metadata
from ..formats.registry import write
from ..formats.text.writing import FieldEdit, Rewrite
from ..release.safe_file import SafeFile
from ..release.verification import failed, judged_tables, read_back, refuse_others
from ..results.cell_tables import CodePlaces, in_decimals
from ..results.released_columns import as_one_missing, of_one_missing_code, sets_of_one_missing_code
from ..results.results import Protection
from ..results.row_division import RowPlaces
from ..rows.source import PartRows
from .safe_households import GroupsOfPart, GroupsOfParts, PlannedHouseholds
from .weight_noise import PlannedNoise


@dataclass(frozen=True, eq=False)
class WrittenPart:
    """A part of the safe file: as it was read back, the keys that its records had and have, and who lives together."""

    source: Source
    pairs: KeyPairs
    groups: GroupsOfPart | None = None
    noisy: tuple[int, int] = (0, 0)
    """Weights that noise changed, and weights that there are."""
    labels: LabelledCodes = field(default_factory=LabelledCodes)


@dataclass(frozen=True, eq=False)
class PartPlan:
    """What becomes of the records of each row of the whole; all that is needed to write a part.

    A row is a cell of the whole, or those of its records that are treated alike.

    Attributes
    ----------
    metadata, layout : of the original and of the safe file
    places : the rows of records
    names : columns of the cells
    edits : new contents by variable
    columns : by variable after recoding, and those that are added or changed as numbers
    added : names of the latter
    numbers : by numerical variable that is changed, its codes in the original and what each of them becomes
    lost : by variable, the rows (m,) whose records lose their value
    judging : variables by which records are judged
    sets : set-valued keys, which are made anew of what was written
    households : what becomes of the household identifier; None: there is none
    noise : what becomes of the weights; None: nothing
    decimals : of the exact sums of the weights of all parts; None: there are no weights
    written_decimals : of those of the weights that are written
    """

    metadata: Metadata
    layout: Metadata
    places: RowPlaces
    names: tuple[str, ...]
    edits: Mapping[str, FieldEdit]
    columns: Mapping[str, EncodedColumn]
    added: frozenset[str]
    numbers: Mapping[str, tuple[CodePlaces, EncodedColumn]]
    lost: Mapping[str, NDArray[np.bool_]]
    judging: tuple[str, ...]
    sets: tuple[DeclaredSet, ...]
    households: PlannedHouseholds | None
    noise: PlannedNoise | None
    decimals: tuple[int, ...] | None
    written_decimals: tuple[int, ...] | None

    @classmethod
    def of(
        cls,
        protection: Protection,
        safe: SafeFile,
        places: RowPlaces,
        names: tuple[str, ...],
        numbers: Mapping[str, EncodedColumn],
        noise: PlannedNoise | None = None,
        written_decimals: tuple[int, ...] | None = None,
    ) -> PartPlan:
        """The plan that `protection` and `safe`, of the rows of the whole, come to.

        Parameters
        ----------
        numbers : the numerical variables that `safe` changes, of the original; a row a code
        noise : on the weights
        written_decimals : of the exact sums of the weights that are written; None: those of the original
        """
        derived = protection.derived
        sets = tuple(DeclaredSet(spec.name, spec.columns, spec.separator) for spec in derived.recipe.set_keys)
        original, suppressed = with_sets(derived.columns, sets), protection.plan.suppressed
        lost = {**suppressed, **blank_columns(original, sets, suppressed, sets_of_one_missing_code(derived))}
        one = {name: as_one_missing(original[name]) for name in of_one_missing_code(derived)}
        identifier = derived.metadata.household_id and derived.metadata.household_id.name
        judging = dict.fromkeys(name for each in derived.recipe.combinations for name in each.looked_at)
        changed = {name: column for name, column in safe.modified.items() if name not in numbers}
        decimals = None if derived.microdata.weights is None else derived.microdata.weights.decimals
        return cls(
            derived.metadata,
            safe.layout,
            places,
            names,
            {name: edit for name, edit in safe.edits.items() if name not in (*numbers, identifier)},
            {**original, **one, **safe.added, **changed},
            frozenset((*safe.added, *changed)),
            {name: (CodePlaces(column), safe.modified[name]) for name, column in numbers.items()},
            lost,
            tuple(judging),
            sets,
            PlannedHouseholds.of(derived, places),
            noise,
            decimals,
            written_decimals or decimals,
        )

    @property
    def names_of_rows(self) -> tuple[str, ...]:
        """The columns by which the row of a record is known."""
        return self.names if self.households is None else (*self.names, self.households.name)

    def write(
        self, part: Microdata, cell: NDArray[np.uint32], out: BinaryIO, progress: Progress = SILENT, first: int = 0
    ) -> None:
        """Write one part; `cell`: the row of each of its records, `first`: how many records stand before it."""
        edits = {name: _of_records(edit, cell) for name, edit in self.edits.items()}
        if self.households is not None:
            edits |= self.households.edit(part, first, progress)
        for name, column in self._changed(part, first, progress)[0].items():
            edits[name] = FieldEdit(column.values, column.codes)
        write(Rewrite(part.source, self.metadata, edits, self.layout), out, progress)

    @property
    def deciding(self) -> tuple[str, ...]:
        """Columns of a part that decide what becomes of its records."""
        return (*self.names_of_rows, *self.numbers, *(() if self.noise is None else (self.noise.name,)))

    def _changed(
        self, part: Microdata, first: int, progress: Progress
    ) -> tuple[dict[str, EncodedColumn], tuple[int, int]]:
        """The numerical variables of the records of `part` as they are written; weights that noise changed, and all."""
        found, noisy = dict[str, EncodedColumn](), (0, 0)
        if self.noise is not None:
            found[self.noise.name], others, there = self.noise.changed(part, first, progress)
            noisy = others, there
        for name, (places, new) in self.numbers.items():
            found[name] = replace(new, values=new.values[places.of_column(part.columns[name], part.source)])
        return found, noisy

    def check(
        self, part: Microdata, cell: NDArray[np.uint32], written: Path, progress: Progress = SILENT, first: int = 0
    ) -> WrittenPart:
        """Read a written part back and compare it with what was decided for its records.

        Raises
        ------
        ProtectionError
            It is not what was decided.
        """
        layout, weight = self.layout, self.metadata.weight
        columns = {name: _column_of_records(column, cell) for name, column in self.columns.items()}
        changed, noisy = self._changed(part, first, progress)  # drawn once more, for what is checked
        columns |= changed
        lost = {name: flags[cell] for name, flags in self.lost.items()}
        identifier = None if self.households is None else self.households.name
        names = [*columns, *([weight.name] if weight else ()), *([identifier] if identifier else ())]
        again = read_back(written, layout, names, (*self.added, *changed), identifier, self.sets, progress)
        problems = verify(again, columns, part.weights, lost, (), progress=progress).problems
        groups = None
        if not problems and self.households is not None:
            both = self.decimals, self.written_decimals
            groups, problems = self.households.check(part, cell, again, columns, lost, both)
        known = {*columns, *(() if self.households is None else self.households.given)}
        refuse_others(problems, part.source, self.metadata, again.source, layout, known, None, progress)
        decided = {name: decided_codes(columns[name], lost.get(name)) for name in self.judging}
        weights = None if part.weights is None else (part.weights, again.weights or part.weights)
        pairs = pairs_of({name: columns[name] for name in self.judging}, decided, weights)
        if self.decimals is not None:
            pairs = pairs.converted(self.decimals, in_decimals, self.written_decimals)
        labels = LabelledCodes.of(again.source, again.columns, layout)
        return WrittenPart(again.source, pairs, groups, noisy, labels)


@dataclass(frozen=True, eq=False)
class WritingTask:
    """Writes each part as planned, and checks what was written.

    Attributes
    ----------
    plan : what becomes of the records
    places : by part, where it is written, and what that file will be
    """

    plan: PartPlan
    places: Sequence[tuple[Path, Path]]

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return self.plan.deciding

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> WrittenPart:
        """Write one part.

        Raises
        ------
        ProtectionError
            What was written is not what was decided.
        """
        plan, part, first = self.plan, rows.data, rows.part.first
        path, target = self.places[rows.part.number]
        row = plan.places.of_part(rows, progress)
        with written_file(path, target) as out:
            plan.write(part, row, out, progress, first)
        return plan.check(part, row, path, progress, first)


def judge_parts(
    protection: Protection,
    plan: PartPlan,
    pairs: KeyPairs,
    progress: Progress = SILENT,
    groups: GroupsOfParts | None = None,
    labels: LabelledCodes | None = None,
) -> Verification:
    """The check of the written parts together, from the keys that were read back of all of them.

    Parameters
    ----------
    groups : who lives together in all of them; None: nobody
    labels : of codes, inside all of them; None: none

    Raises
    ------
    ProtectionError
        A record is not safe, or a code is labelled that no record has.
    """
    derived, columns = protection.derived, {name: plan.columns[name] for name in plan.judging}
    judged, must_be_safe = (
        judged_tables(derived, protection.inferences, protection.hidden),
        derived.recipe.suppression.criterion != "none",
    )
    # what is told of suppressed values depends on who lives together, of which the pairs say nothing
    by_pairs = judged if groups is None else [replace(each, told=None) for each in judged]
    checked = judge_pairs(pairs, columns, by_pairs, must_be_safe=must_be_safe, progress=progress)
    if groups is not None and not checked.problems:
        checked = groups.judged(checked, columns, plan.lost, judged, must_be_safe, progress)
    problems = checked.problems or (() if labels is None else labels.problems())
    if problems:
        raise failed(problems)
    return checked


def _of_records(edit: FieldEdit, cell: NDArray[np.uint32]) -> FieldEdit:
    """The edit of the cells as one of the records that are in them."""
    some = None if edit.changed_only is None else edit.changed_only[cell]
    return FieldEdit(edit.values[cell], edit.codes, some)


def _column_of_records(column: EncodedColumn, cell: NDArray[np.uint32]) -> EncodedColumn:
    return replace(column, values=column.values[cell], records=None)
