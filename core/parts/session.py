"""The session of the windows: on a file in parts it answers from cells, which are counted once for many questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..base.clock import Clock
from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.variables import Metadata
from ..metadata.column_contents import ColumnContents
from ..perturbation.weight_noise import NumericWithNoise, alone_with
from ..pipeline.column_store import ColumnStore
from ..pipeline.contents import CONTENTS
from ..pipeline.metadata import UNDESCRIBED
from ..pipeline.parts_column_store import PartsColumnStore
from ..pipeline.stage import Facts, Given, stage
from ..recipe.in_parts import is_in_parts, of_part
from ..recipe.model import (
    OUTPUT_FILES,
    Analysis,
    Combination,
    Input,
    NumericEdit,
    Output,
    ProfileFile,
    Recipe,
    Report,
    Suppression,
    Target,
)
from ..recoding.numerical import Comparison, compare
from ..release.pinned_inputs import RecipeFile
from ..release.run import Result
from ..release.safe_file import SafeFile, safe_file
from ..results.cell_tables import as_microdata
from ..results.metadata import verified_metadata
from ..results.needed_columns import Which, needed_columns
from ..results.numeric import change_numbers
from ..results.record_draws import draw_source
from ..results.results import Protection, RecodedData
from ..risk.measures.evaluation import RecordNumbers
from ..session import Session
from ..suppression.search_budget import never
from ..utility.own import Compared
from ..warnings.checklist import unjudged_columns
from ..whatif.utility import FileUtility
from .input_parts import check_layouts, names_of_cells, recipe_of_first, refuse_what_needs_the_whole
from .other_columns import analysed_by_parts, written_columns
from .rows import DividedRows
from .run import CountedParts, carry_out_parts

_SAMPLE = 1 << 18
"""Records for which noise is drawn, to see what it does."""
_PLANS = 4
"""Plans that are kept: of the session, and of those that it is compared with."""


@dataclass(frozen=True, eq=False)
class _Planned:
    """A plan that was searched for.

    Attributes
    ----------
    place : of which files
    asked : what was reached, and what was asked for, where that is no more
    rows : in which it was found
    found : of the first part
    is_whole : whether nothing could end the search before it was done: a draw of records begins it again, so that what
        effort was reached before tells nothing
    """

    place: Hashable
    asked: tuple[Recipe, ...]
    rows: DividedRows
    found: Protection
    is_whole: bool


class PartsSession(Session):
    """As `Session`, of files and of files in parts.

    The rows of what is derived of a file in parts are its cells on the variables of the recipe (`names_of_cells`), in
    whatever order the questions come: what follows from them is kept by these names, too.
    """

    columns: PartsColumnStore

    def _begin(self) -> None:
        super()._begin()
        self._named: tuple[Recipe, Metadata, tuple[str, ...]] | None = None
        self._plans: list[_Planned] = []

    def _column_store(self) -> ColumnStore:
        return PartsColumnStore(self.cache, self.inputs)

    def rows(self, recipe: Recipe, metadata: Metadata) -> Hashable:
        """The variables that the cells are on; None of a file that is not in parts."""
        return self._names(recipe, metadata) if is_in_parts(recipe.input) else None

    def _read(self, recipe: Recipe, metadata: Metadata, names: tuple[str, ...], progress: Progress) -> Microdata:
        found = None
        if is_in_parts(recipe.input):
            found = self.columns.households(recipe.input, metadata, names, recipe.households, progress)
        return (
            super()._read(recipe, metadata, names, progress) if found is None else as_microdata(found.cells, metadata)
        )

    def renew(self) -> None:
        """As `Session.renew`; where a folder or a pattern has other parts now, too."""
        if self.columns.are_others:
            self.cache.clear()
            self._begin()
        self._named = None
        super().renew()

    def prepare(self, recipe: Recipe, progress: Progress = SILENT, columns: Which = "all") -> RecodedData:
        """As `Session.prepare`; of a file in parts other columns than the keys have codes and counts, but no values."""
        prepared = super().prepare(recipe, progress, columns)
        if not is_in_parts(recipe.input):
            return prepared
        names = needed_columns(recipe, prepared.metadata, columns)
        lacking = tuple(name for name in names if name not in prepared.microdata.columns)
        found = self.columns.microdata(recipe.input, prepared.metadata, lacking, progress, passing=True)
        listed = {name: {**prepared.microdata.columns, **found.columns}[name] for name in names}
        microdata = replace(prepared.microdata, columns={**listed, **prepared.microdata.columns})
        return replace(prepared, microdata=microdata, columns={**microdata.columns, **prepared.columns})

    def count_cells(self, recipe: Recipe, variables: tuple[str, ...], progress: Progress = SILENT) -> int:
        """As `Session.count_cells`."""
        if is_in_parts(recipe.input):
            recipe = recipe.with_(combinations=(Combination(variables, model="frequency"),), measures=())
        return super().count_cells(recipe, variables, progress)

    def codes(self, derived: RecodedData, progress: Progress, names: Sequence[str]) -> Microdata:
        """As `Session.codes`; of a file in parts other columns than the keys have codes and counts, but no values."""
        own = derived.microdata.columns
        lacking = [name for name in names if name not in own]
        if not is_in_parts(derived.recipe.input):
            return super().codes(derived, progress, names)
        found = super().codes(derived, progress, lacking).columns if lacking else {}
        return replace(derived.microdata, columns={name: own.get(name) or found[name] for name in names})

    def compare_numbers(self, recipe: Recipe, spec: NumericEdit, progress: Progress = SILENT) -> Comparison:
        """As `Session.compare_numbers`; of a file in parts noise is drawn for a sample of records of all weights.

        Rows are cells there, and all records of one would get the same draw.
        """
        if not isinstance(spec, NumericWithNoise) or not spec.noise or not is_in_parts(recipe.input):
            return super().compare_numbers(recipe, spec, progress)
        metadata, name = self.metadata(recipe), spec.variable
        before = _sampled(self.perturbed.microdata(recipe, metadata, (name,), progress, codes=True).columns[name])
        alone = alone_with(recipe, spec)
        after = change_numbers({name: replace(before, records=None)}, alone, metadata, progress).columns[name]
        after = replace(after, records=before.records)
        return compare(before, replace(after, counts=after.tally(after.values)), decimal=metadata.decimal)

    def record_numbers(self, derived: RecodedData, progress: Progress = SILENT) -> RecordNumbers | None:
        """As `Session.record_numbers`."""
        recipe, metadata = derived.recipe, derived.metadata
        if not is_in_parts(recipe.input):
            return None
        return partial(self._rows(recipe, metadata, progress).record_numbers, progress)

    def protect(
        self, recipe: Recipe, progress: Progress = SILENT, clock: Clock | None = None, stop: Callable[[], bool] = never
    ) -> Protection:
        """As `Session.protect`; which records of a cell lose what is drawn in passes over the parts.

        Raises
        ------
        RecipeError
            ``not-in-parts``: something needs the whole file.
        """
        if not is_in_parts(recipe.input):
            return super().protect(recipe, progress, clock, stop)
        known = self._plan_of(recipe)
        if known is not None:
            return known
        metadata = self.metadata(recipe)
        refuse_what_needs_the_whole(recipe, metadata, protecting=True)

        of_first, is_whole = recipe_of_first(recipe, self.columns.paths(recipe.input)), True

        def ends() -> bool:
            nonlocal is_whole
            is_whole = is_whole and not stop()
            return not is_whole

        def search(session: Session) -> Protection:
            return session.protect(of_first, progress, clock, ends)

        rows = self._searched_rows(recipe) or self._rows(recipe, metadata, progress)
        found = rows.found(search, progress, clock)
        reached = recipe.with_(suppression=found.derived.recipe.suppression)
        is_ended = reached.suppression.effort != recipe.suppression.effort
        asked = (_deciding(reached),) if is_ended else (_deciding(reached), _deciding(recipe))
        is_whole = is_whole and recipe.suppression.time_limit is None
        self._plans = [*self._plans, _Planned(self._place(recipe.input), asked, rows, found, is_whole)][-_PLANS:]
        return _of_recipe(found, reached)

    def _searched_rows(self, recipe: Recipe) -> DividedRows | None:
        """The rows in which the plan of `recipe` was found, for a safe file or for none: they know it."""
        place, wanted = self._place(recipe.input), _searched(_deciding(recipe))
        known = (each for each in self._plans if each.place == place and each.is_whole)
        return next((each.rows for each in known if _searched(each.asked[0]) == wanted), None)

    def counted(self, recipe: Recipe, of_first: Recipe, progress: Progress, clock: Clock) -> CountedParts:
        """What is known of a file in parts, for a run on `of_first`: `recipe` for its first part.

        A plan is searched for where values are looked for. One of a search that could be ended may be another than
        the one that the recipe asks for: the run finds that.
        """
        if recipe.output.data is None:
            return CountedParts(self._rows(recipe, self.metadata(recipe), progress), None, None)
        contents = self._known_contents(recipe)
        self.protect(recipe, progress, clock)
        known = self._known_plan(recipe)
        assert known is not None
        reached = known.found.derived.recipe.suppression
        if not known.is_whole or reached != recipe.suppression:
            return CountedParts(self._rows(recipe, self.metadata(recipe), progress), None, contents)
        return CountedParts(known.rows, _of_recipe(known.found, of_first.with_(suppression=reached)), contents)

    def _known_contents(self, recipe: Recipe) -> dict[str, ColumnContents] | None:
        """What `contents` gives, where it is known of every column."""
        metadata = self.metadata(recipe)
        facts, names = self.facts(recipe, metadata), unjudged_columns(recipe, metadata)
        found = {name: known for name in names if (known := self.known(CONTENTS(name), facts)) is not None}
        return found if len(found) == len(names) else None

    def _rows(self, recipe: Recipe, metadata: Metadata, progress: Progress) -> DividedRows:
        names = self._names(recipe, metadata)
        cells = self.columns.cells(recipe.input, metadata, names, progress)
        households = self.columns.households(recipe.input, metadata, names, recipe.households, progress)
        return DividedRows(cells, metadata, draw_source(recipe, metadata), households=households)

    def utility(
        self,
        protection: Protection,
        names: Sequence[str] | None = None,
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> FileUtility:
        """As `Session.utility`; of a file in parts the recipe's own tables, means and models alone."""
        recipe = protection.derived.recipe
        if not is_in_parts(recipe.input):
            return super().utility(protection, names, progress, modified)
        return self._analysed(protection, recipe.utility, progress)

    def own_analyses(
        self,
        protection: Protection,
        entries: Sequence[Analysis],
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> tuple[Compared, ...]:
        """As `Session.own_analyses`; a file in parts is read for them."""
        if not is_in_parts(protection.derived.recipe.input):
            return super().own_analyses(protection, entries, progress, modified)
        return self._analysed(protection, tuple(entries), progress).own

    def _analysed(self, protection: Protection, entries: tuple[Analysis, ...], progress: Progress) -> FileUtility:
        recipe, found, rows = self._as_written(protection, entries, progress)
        key = ("analyses of parts", found.plan, recipe.numeric, recipe.perturbations, entries, _deciding(recipe).output)
        return self.cache.made(key, lambda: analysed_by_parts(recipe, found, rows, progress))

    def safe_file(self, protection: Protection, progress: Progress = SILENT) -> SafeFile:
        """The safe file that `protection` comes to; of a file in parts its rows are those of the cells.

        A numerical variable that is changed and is in no cell has a row for each of its codes.
        """
        if not is_in_parts(protection.derived.recipe.input):
            return safe_file(protection, progress)
        recipe, found, rows = self._as_written(protection, (), progress)
        return written_columns(recipe, rows, progress).safe_file(found, progress)

    def _as_written(
        self, protection: Protection, entries: tuple[Analysis, ...], progress: Progress
    ) -> tuple[Recipe, Protection, DividedRows]:
        """The recipe for the first part, with a safe file, and the plan in the rows in which it was found."""
        recipe = protection.derived.recipe.with_(utility=entries)
        refuse_what_needs_the_whole(recipe, protection.derived.metadata, protecting=True)
        known = next((each for each in self._plans if each.found.plan is protection.plan), None)
        if known is None:  # it is forgotten: the same is found again
            self.protect(protection.derived.recipe, progress)
            known = self._known_plan(protection.derived.recipe)
        assert known is not None
        paths = self.columns.paths(recipe.input)
        of_first = recipe_of_first(recipe, paths)
        if of_first.output.data is None:
            of_first = of_first.with_(output=replace(of_first.output, data=Path(paths[0].name)))
        return of_first, _of_recipe(known.found, of_first), known.rows

    def planned(self, recipe: Recipe, progress: Progress = SILENT) -> Protection | None:
        """As `Session.planned`."""
        if not is_in_parts(recipe.input):
            return super().planned(recipe, progress)
        return self._plan_of(recipe)

    def _plan_of(self, recipe: Recipe) -> Protection | None:
        """A plan that was searched for; of the recipe as it is now."""
        known = self._known_plan(recipe)
        if known is None:
            return None
        return _of_recipe(known.found, recipe.with_(suppression=known.found.derived.recipe.suppression))

    def _known_plan(self, recipe: Recipe) -> _Planned | None:
        place, wanted = self._place(recipe.input), _deciding(recipe)
        return next((known for known in self._plans if known.place == place and wanted in known.asked), None)

    def _place(self, source: Input) -> Hashable:
        return self.columns.place(source), self.inputs.small(source.metadata)

    def _names(self, recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
        """By whose values the records of a file in parts are told apart."""
        if self._named is None or self._named[0] is not recipe or self._named[1] is not metadata:
            self._named = recipe, metadata, names_of_cells(recipe, metadata)  # which reads the profile
        return self._named[2]

    def _needed(self, recipe: Recipe, metadata: Metadata, which: Which) -> tuple[str, ...]:
        if not is_in_parts(recipe.input):
            return super()._needed(recipe, metadata, which)
        refuse_what_needs_the_whole(_measured(recipe), metadata)
        return self._names(recipe, metadata)

    def _which(self, recipe: Recipe) -> Which:
        return "keys" if is_in_parts(recipe.input) else super()._which(recipe)

    def _metadata(self, recipe: Recipe) -> tuple[Metadata, tuple[Notice, ...]]:
        if not is_in_parts(recipe.input):
            return super()._metadata(recipe)
        return self.get(METADATA_OF_PARTS(), Facts(recipe, UNDESCRIBED, self))


@stage(
    "metadata of parts",
    reads=lambda facts: (facts.recipe.input, facts.recipe.variables, facts.place),
    files=lambda facts: (facts.recipe.input.metadata,),
)
def METADATA_OF_PARTS(given: Given) -> tuple[Metadata, tuple[Notice, ...]]:
    """The description that all parts have, verified, and what is to be said about it."""
    source, columns = given.recipe.input, given.pipeline.columns
    assert isinstance(columns, PartsColumnStore)
    paths = columns.paths(source)
    found = verified_metadata(of_part(source, paths[0]), given.recipe.variables)
    check_layouts(given.recipe, paths, found[0])
    return found


def _sampled(column: EncodedColumn) -> EncodedColumn:
    """`column` with a row for each of at most `_SAMPLE` records, by code, and how many records each stands for."""
    ends = np.cumsum(column.counts)
    records = int(ends[-1]) if len(ends) else 0
    rows = min(records, _SAMPLE)
    first = np.arange(rows) * records // max(rows, 1)
    values = np.searchsorted(ends, first, side="right").astype(column.values.dtype)
    return replace(column, values=values, records=np.diff(first, append=records))


def carry_out_counted(session: PartsSession, recipe: Recipe, progress: Progress, file: RecipeFile) -> Result:
    """Carry out a recipe on the parts that a session counted, as the command does; see `carry_out_parts`.

    They are not counted again, nor is a plan searched for that the session knows.

    Raises
    ------
    PavoError
        As there; and where a part is no longer what the session counted.
    """
    session.columns.check_same_parts(recipe.input)
    session.check_unchanged(session.derive(recipe, progress), progress)
    counted = partial(session.counted, recipe)
    result = carry_out_parts(recipe, progress, file, counted=counted)
    protection = None if result.protection is None else _of_recipe(result.protection, recipe)
    return replace(result, derived=replace(result.derived, recipe=recipe), protection=protection)


def _of_recipe(protection: Protection, recipe: Recipe) -> Protection:
    return replace(protection, derived=replace(protection.derived, recipe=recipe))


def _measured(recipe: Recipe) -> Recipe:
    """What of a recipe is looked at before anything is protected."""
    return recipe.with_(
        output=Output(),
        suppression=Suppression(),
        numeric=(),
        measures=(),
        utility=(),
        profile=ProfileFile(),
        target=Target(),
        accepted=(),
    )


def _deciding(recipe: Recipe) -> Recipe:
    """What of a recipe a plan depends on, and the warnings about it."""
    data = None if recipe.output.data is None else Path()  # whatever it is called
    named: dict[str, Any] = {**dict.fromkeys(OUTPUT_FILES), "data": data}
    output = replace(recipe.output, **named)
    return recipe.with_(output=output, report=Report())


def _searched(deciding: Recipe) -> Recipe:
    """What of that a plan depends on alone: warnings say whether a safe file shows who lives together."""
    limited = replace(deciding.suppression, time_limit=None)
    return deciding.with_(output=replace(deciding.output, data=None), suppression=limited)
