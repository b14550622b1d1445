"""Carrying out a recipe on a file in parts: never more than one part in memory, to the figures of the whole.

A first pass counts the cells of each part; what they add up to is judged and protected as the records of one file are.
Where not all records of a cell are treated alike, passes between draw which ones lose what, part by part.
A last pass writes each part by that plan, reads it back and compares it; what was read back is counted and judged
once more for all parts together. The parts of the safe file and ``manifest.json`` appear with all other outputs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..base.clock import Clock
from ..base.errors import Notice, OutputError
from ..base.outputs import Outputs
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..base.trim_heap import trim_heap
from ..check.judged import Verification
from ..check.pairs import PairSum
from ..check.written_columns import LabelledCodes
from ..data.columns import Source
from ..data.variables import Metadata
from ..metadata.column_contents import ColumnContents
from ..profiles.model import ProfileRule, ReleaseProfile
from ..profiles.released import ReleasedFile, listed
from ..recipe.analyses import words_of_analysis
from ..recipe.in_parts import MANIFEST, paths_of_parts, sum_of_parts
from ..recipe.model import Recipe
from ..release.pinned_inputs import RecipeFile
from ..release.run import ReleaseRun, Result, carried_out
from ..release.safe_file import SafeFile
from ..release.summary import PROGRAM, written_file_part
from ..report.build_board import ReleasedWeights
from ..report.facts import NamedFile
from ..results.cell_tables import CountingTask
from ..results.kinds_of_household import whole_households
from ..results.record_draws import draw_source
from ..results.results import Protection
from ..risk.measures.evaluation import RecordNumbers
from ..rows.scan import Fold, Once, scan
from ..rows.source import FileParts
from ..rows.workers import ThisProcess, Workers, workers_of
from ..session import Session
from ..utility.own import keeps_goal
from ..warnings.checklist import unjudged_columns
from ..warnings.disclosed_by_part import disclosed_by_part
from ..whatif.utility import FileUtility
from .input_parts import (
    check_layouts,
    names_of_cells,
    recipe_of_first,
    refuse_what_needs_the_whole,
    rules_on_numbers,
)
from .other_columns import OtherColumns, WrittenColumns
from .rows import DividedRows
from .safe_households import GroupsOfParts
from .safe_parts import PartPlan, WritingTask, WrittenPart, judge_parts
from .weight_noise import (
    DrawingOfNoise,
)


@dataclass(frozen=True, eq=False)
class WrittenParts:
    """What came of each part.

    Attributes
    ----------
    plan : by which they were written
    sources, targets : the originals and the parts of the safe file, as they were read
    """

    plan: PartPlan
    sources: tuple[Source, ...]
    targets: tuple[Source, ...]


@dataclass(frozen=True, eq=False)
class PartsResult(Result):
    """As `Result`; `written` is None where no safe file was asked for."""

    written: WrittenParts | None = None


@dataclass(frozen=True, eq=False)
class CountedParts:
    """What is known of the parts before a run reads them.

    Attributes
    ----------
    rows : of all parts
    plan : that was found in them, for the run's recipe; None: none was searched for, or not as far as the recipe asks
    contents : of the columns of the checklist; None: not of all of them
    """

    rows: DividedRows
    plan: Protection | None
    contents: Mapping[str, ColumnContents] | None


def carry_out_parts(
    recipe: Recipe,
    progress: Progress = SILENT,
    file: RecipeFile | None = None,
    curves: bool = True,
    write_in: Sequence[Path] | None = None,
    number: int | None = None,
    scheduler: str | None = None,
    accept_changed: bool = False,
    counted: Callable[[Recipe, Progress, Clock], CountedParts] | None = None,
) -> Result:
    """Do what a recipe says of a file in parts; see `core.release.run.carry_out`.

    Parameters
    ----------
    number, scheduler : workers of Dask, see `core.rows.workers.dask_workers`; None: this process does all
    accept_changed : see `core.release.run.carry_out`
    counted : gives what was counted and found before; None: the parts are read for all

    Raises
    ------
    PavoError
        As there; and what cannot be done in parts, parts of different layouts, or one that changed meanwhile.
    """
    paths = paths_of_parts(recipe.input)
    folder = recipe.output.data
    with workers_of(number, scheduler) as workers:
        run = PartsRun(
            Session(one_recipe=True), recipe_of_first(recipe, paths), file or RecipeFile(), progress, curves,
            paths=paths, data=recipe.input.data or paths[0].parent, folder=folder, workers=workers,
            counted=counted,
        )  # fmt: skip
        return carried_out(run, True, write_in, accept_changed)


def targets_of_parts(folder: Path, paths: Sequence[Path], named: dict[str, Path]) -> dict[str, Path]:
    """The outputs `named` of a recipe with, in place of the data, a file in `folder` for each part and the manifest."""
    parts = {_role(number): folder / path.name for number, path in enumerate(paths)}
    return parts | {role: path for role, path in named.items() if role != "data"} | {"manifest": folder / MANIFEST}


def check_folder(folder: Path, targets: Iterable[Path]) -> None:
    """Refuse a folder in which other files are than those to be written, `targets`: they would pass for parts.

    Raises
    ------
    OutputError
        ``output-folder-holds-others``
    """
    own = {path.name for path in targets if path.parent == folder}
    others = sorted(path.name for path in folder.iterdir() if path.name not in own) if folder.is_dir() else []
    others = [name for name in others if not name.startswith(".")]
    if others:
        raise OutputError(
            "output-folder-holds-others",
            mark("output.data is the folder {folder}, in which there is {file}, which is no part of this safe file."),
            mark("Name an empty folder, or one that is not there yet."),
            folder=str(folder),
            file=others[0],
        )


@dataclass(eq=False)
class PartsRun(ReleaseRun):
    """One run on a file in parts; its recipe names the first part.

    Attributes
    ----------
    paths : the parts, in order
    data : the folder or pattern that the recipe names; of a list of files the folder of the first
    folder : where the parts of the safe file appear; None: none is written
    workers : who counts and writes the parts
    """

    paths: tuple[Path, ...] = ()
    data: Path = field(default_factory=Path)
    folder: Path | None = None
    workers: Workers = field(default_factory=ThisProcess)
    sources: tuple[Source, ...] = ()
    """The parts as they were read."""
    written: list[Source] = field(default_factory=list)
    """The parts of the safe file as they were read back."""
    counted: Callable[[Recipe, Progress, Clock], CountedParts] | None = None
    """Gives the rows where they were counted before; None: the parts are read for them."""
    groups: GroupsOfParts | None = None
    labels: LabelledCodes = field(default_factory=LabelledCodes)
    """Codes that the parts of the safe file label, and those that their records have."""
    _analyses: FileUtility | None = None

    def inputs(self, metadata: Metadata) -> tuple[Path, ...]:
        """The files that are read."""
        return (*super().inputs(metadata), *self.paths)

    def targets(self, metadata: Metadata | None = None) -> dict[str, Path]:
        """The outputs, by role: a file for each part, all others, and the manifest last."""
        if self.folder is None:
            return super().targets(metadata)
        found = targets_of_parts(self.folder, self.paths, super().targets(metadata))
        if metadata is not None:
            check_folder(self.folder, found.values())
        return found

    @property
    def safe_data(self) -> Path | None:
        """The folder in which the parts of the safe file appear; None: none are written."""
        return self.folder

    def derive(self) -> None:
        """The cells of the whole from those of the parts, and all that follows from them."""
        metadata = self.session.metadata(self.recipe)
        refuse_what_needs_the_whole(self.recipe, metadata)
        check_layouts(self.recipe, self.paths, metadata)
        self.names = names_of_cells(self.recipe, metadata)
        self.others = OtherColumns(self.recipe, metadata, self.names)
        self.divided, drawing = self._counted_rows(metadata) or self._rows(metadata)
        self.sources = self.divided.cells.sources
        self.columns = WrittenColumns(self.others, self.divided, drawing, self.workers)

        known = self.planned

        def search(session: Session) -> None:
            nonlocal known
            self.session, self.planned, known = session, known, None  # rows that are divided further need another plan
            super(PartsRun, self).derive()

        self.divided.found(search, self.progress, self.clock)
        trim_heap()

    def _rows(self, metadata: Metadata) -> tuple[DividedRows, DrawingOfNoise | None]:
        """The rows of all parts, which are read for them, and what noise on the weight is drawn from."""
        parts, living = FileParts.unread(metadata, self.paths), None
        asked = CountingTask(self.names, self.others.counted(self._looked_at(metadata)))
        with self.clock("read"):
            cells, drawing = self.others.read(parts, asked, self.progress, self.workers)
            assert cells is not None
            if metadata.household_id is not None:
                living = whole_households(cells, metadata, self.recipe.households, self.workers, self.progress)
        return DividedRows(cells, metadata, draw_source(self.recipe, metadata), self.workers, living), drawing

    def _counted_rows(self, metadata: Metadata) -> tuple[DividedRows, DrawingOfNoise | None] | None:
        """The rows that were counted before, with what else is wanted of the parts, for which these are read.

        None: they were not counted, or what reading the others says has its place among what the cells say.
        """
        if self.counted is None:
            return None
        known = self.counted(self.recipe, self.progress, self.clock)
        self.contents = known.contents
        others = self.others.counted(self._looked_at(metadata))
        asked = CountingTask((), others) if others else None
        with self.clock("read"):
            more, drawing = self.others.read(known.rows.parts, asked, self.progress, self.workers)
        if more is not None and not set(more.notices) <= set(known.rows.cells.notices):
            return None
        self.planned = known.plan
        return known.rows if more is None else known.rows.with_columns(more.columns), drawing

    def _looked_at(self, metadata: Metadata) -> tuple[str, ...]:
        """The columns that no model judges, of which the checklist says what they hold."""
        return unjudged_columns(self.recipe, metadata) if self.contents is None else ()

    def _rows_of_parts(self) -> Iterable[NDArray[np.uint32]]:
        return self.divided.rows_of_parts(self.progress)

    @property
    def _record_numbers(self) -> RecordNumbers:
        return partial(self.divided.record_numbers, self.progress)

    def _safe_file(self, protection: Protection) -> SafeFile:
        """The safe file of the cells."""
        return self.columns.safe_file(protection, self.progress)

    def _released(self, protection: Protection, safe: SafeFile) -> ReleasedFile:
        def goals() -> tuple[tuple[str, bool], ...]:
            both = zip(self.recipe.utility, self._analyses.own, strict=True) if self._analyses else ()
            return tuple(
                (words_of_analysis(e), keeps_goal(found) is not False) for e, found in both if e.goal is not None
            )

        return replace(super()._released(protection, safe), goals=goals)

    def _unexamined(self, target: ReleaseProfile) -> Callable[[ProfileRule], str]:
        metadata = self.session.metadata(self.recipe)
        numbers = rules_on_numbers(self.recipe, metadata, target)

        def reason(rule: ProfileRule) -> str:
            if rule.name not in numbers:
                return ""
            told = mark("Of a file in parts, the values of {names} are not assessed together.")
            return translate(told).format(names=listed(numbers[rule.name]))

        return reason

    def _utility(self) -> FileUtility | None:
        """The recipe's own tables, means and models; nothing else is compared of a file in parts."""
        return self._analyses

    def _released_weights(self) -> ReleasedWeights | None:
        """Of weights that are changed what each record has is known as its part is written, and not at hand after."""
        return None if super()._released_weights() is None else ReleasedWeights(None)

    def _warnings(self) -> Iterator[Notice]:
        yield from super()._warnings()
        if self.protection is None:
            return
        derived, plan = self.protection.derived, self.protection.plan
        suppressed = {name for name, values in plan.by_variable.items() if values}
        recoded = {name: recoding.lut for name, recoding in derived.recodings.items()}
        yield from disclosed_by_part(self.divided.cells, suppressed, recoded)

    def _write_safe_file(self, outputs: Outputs, protection: Protection, safe: SafeFile) -> tuple[Path, ...]:
        noise, decimals = self.columns.noise, self.columns.decimals_of_weights(safe)
        outlines, places = self.columns.outlines, self.divided.places
        self.plan = PartPlan.of(protection, safe, places, self.names, outlines, noise, decimals)
        roles = [_role(number) for number in range(len(self.sources))]
        targets = tuple(map(outputs.path, roles))
        named = self.targets()
        asked = WritingTask(self.plan, [(path, named[role]) for path, role in zip(targets, roles, strict=True)])
        pairs = PairSum({name: self.plan.columns[name] for name in self.plan.judging})
        households = self.divided.households
        if households is not None:
            self.groups = GroupsOfParts(households, self.recipe.output.household_id, decimals)
        changed = there = 0
        self.written, self.labels = [], LabelledCodes()

        def take(part: WrittenPart) -> None:
            nonlocal changed, there
            outputs.note_written(roles[len(self.written)])
            self.written.append(part.source)
            pairs.add(part.pairs, self.progress)
            self.labels |= part.labels
            if self.groups is not None and part.groups is not None:
                self.groups.add(part.groups)
            changed, there = changed + part.noisy[0], there + part.noisy[1]

        analyses = self.columns.analyses(protection, safe, self.progress) if self.recipe.utility else None
        folds: list[Fold] = [Once(asked, take), *(analyses.folds if analyses else ())]
        scan(self.divided.parts, folds, self.progress, translate(mark("Writing the parts")), self.workers)
        del folds
        if analyses is not None:
            self._analyses = FileUtility.of_own(analyses.found(), analyses.file, protection.plan.total)
            del analyses  # it holds the variables of all rows
        self.pairs = pairs.whole(self.progress)
        if noise is not None:
            name, done = noise.name, safe.perturbed[-1]
            done = replace(done, variables=(name,), changed=changed, unchanged={name: (there - changed, there)})
            self.safe = replace(safe, perturbed=(*safe.perturbed[:-1], done))
        trim_heap()
        return targets

    def _verified(self, outputs: Outputs, protection: Protection, safe: SafeFile) -> Verification:
        checked = judge_parts(protection, self.plan, self.pairs, self.progress, self.groups, self.labels)
        del self.pairs  # the report is made of other numbers, and there may be very many
        trim_heap()
        self.output_sums |= {_role(number): source.sha256 for number, source in enumerate(self.written)}
        outputs.write("manifest", json.dumps(self._manifest(safe), ensure_ascii=False, indent=2) + "\n")
        return checked

    def write_rest(self, outputs: Outputs) -> Result:
        """Write records, report and summary."""
        found = super().write_rest(outputs)
        written = None
        if self.protection is not None:
            targets = self.targets()
            read = enumerate(self.written)
            placed = tuple(replace(source, path=targets[_role(number)]) for number, source in read)
            written = WrittenParts(self.plan, self.sources, placed)
        return PartsResult(**{each.name: getattr(found, each.name) for each in fields(found)}, written=written)

    def _manifest(self, safe: SafeFile) -> dict[str, Any]:
        parts = [
            {"name": path.name, "records": part.records, "sha256": part.sha256}
            for path, part in zip(self.paths, self.written, strict=True)
        ]
        return {
            "program": {"name": PROGRAM, "version": __version__},
            "format": safe.layout.format,
            "variables": list(safe.layout.names),
            "records": sum(part.records for part in self.written),
            "parts": parts,
        }

    def _summary(self) -> dict[str, Any]:
        summary = super()._summary()
        if self.folder is not None and self.written:
            files = {key: value for key, value in summary["files"].items() if key != "data"}
            data = written_file_part(self.recipe, self.folder, self._safe_data_sum)
            manifest = written_file_part(self.recipe, self.folder / MANIFEST, self.output_sums["manifest"])
            summary["files"] = {"data": data, "manifest": manifest, **files}
        return summary

    @property
    def _safe_data_sum(self) -> str:
        """As that of the data that are read: of the parts' checksums and names."""
        if not self.written:
            return ""
        names = (path.name for path in self.paths)
        return sum_of_parts((source.sha256, name) for source, name in zip(self.written, names, strict=True))

    def _named_files(self) -> tuple[NamedFile, ...]:
        return tuple(replace(each, path=self.data) if each.role == "data" else each for each in super()._named_files())


def _role(number: int) -> str:
    return f"data[{number + 1}]"
