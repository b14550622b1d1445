"""The session of the windows: on a file in parts it answers from cells, which are counted once for many questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..base.clock import Clock
from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn, Microdata, Source
from ..data.variables import Metadata
from ..formats.text.writing import check_unchanged
from ..perturbation.weight_noise import NumericWithNoise, alone_with
from ..pipeline.column_store import ColumnStore
from ..pipeline.metadata import UNDESCRIBED
from ..pipeline.stage import Facts, Given, stage
from ..recipe.in_parts import is_in_parts, of_part
from ..recipe.model import (
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
from ..results.input_files import small_files
from ..results.metadata import verified_metadata
from ..results.needed_columns import Which, needed_columns
from ..results.numeric import change_numbers
from ..results.record_draws import draw_source
from ..results.results import Protection, RecodedData
from ..risk.measures.evaluation import RecordNumbers
from ..session import Session
from ..suppression.search_budget import never
from ..utility.own import Compared
from .cell_tables import as_microdata
from .columns import PartsColumnStore
from .input_parts import check_layouts, names_of_cells, not_in_parts, refuse_what_needs_the_whole
from .rows import DividedRows
from .run import carry_out_parts

_SAMPLE = 1 << 18
"""Records for which noise is drawn, to see what it does."""
_PLANS = 4
"""Plans that are kept: of the session, and of those that it is compared with."""


class PartsSession(Session):
    """As `Session`, of files and of files in parts.

    The rows of what is derived of a file in parts are its cells on the variables of the recipe (`names_of_cells`), in
    whatever order the questions come: what follows from them is kept by these names, too.
    """

    columns: PartsColumnStore

    def _begin(self) -> None:
        super()._begin()
        self._named: tuple[Recipe, Metadata, tuple[str, ...]] | None = None
        self._plans: list[tuple[Hashable, Recipe, Protection]] = []

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

    def check_unchanged(self, derived: RecodedData, progress: Progress = SILENT) -> None:
        """As `Session.check_unchanged`; of a file in parts every part."""
        source = derived.recipe.input
        if not is_in_parts(source):
            super().check_unchanged(derived, progress)
            return
        self.inputs.check_unchanged(*small_files(derived))
        self.inputs.check_others_unchanged(progress)
        names = self._names(derived.recipe, derived.metadata)
        for part in self.columns.cells(source, derived.metadata, names, progress).sources:
            check_unchanged(part, progress)

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

    def sources(self, recipe: Recipe, progress: Progress = SILENT) -> tuple[Source, ...]:
        """As `Session.sources`."""
        if not is_in_parts(recipe.input):
            return super().sources(recipe, progress)
        derived = self.derive(recipe, progress)
        names = self._names(recipe, derived.metadata)
        return self.columns.cells(recipe.input, derived.metadata, names, progress).sources

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
            ``not-in-parts``: something needs the records of all parts at once.
        """
        if not is_in_parts(recipe.input):
            return super().protect(recipe, progress, clock, stop)
        known = self._plan_of(recipe)
        if known is not None:
            return known
        metadata = self.metadata(recipe)
        refuse_what_needs_the_whole(recipe, metadata, protecting=True)

        def search(session: Session, _microdata: Microdata) -> Protection:
            return session.protect(recipe, progress, clock, stop)

        found = self._rows(recipe, metadata, progress).found(search, progress, clock)
        reached = recipe.with_(suppression=found.derived.recipe.suppression)
        key = self._place(recipe.input)
        self._plans = [*self._plans, (key, _deciding(recipe), found), (key, _deciding(reached), found)][-2 * _PLANS :]
        return found

    def _rows(self, recipe: Recipe, metadata: Metadata, progress: Progress) -> DividedRows:
        names = self._names(recipe, metadata)
        cells = self.columns.cells(recipe.input, metadata, names, progress)
        households = self.columns.households(recipe.input, metadata, names, recipe.households, progress)
        return DividedRows(cells, metadata, draw_source(recipe, metadata), households=households)

    def own_analyses(
        self,
        protection: Protection,
        entries: Sequence[Analysis],
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> tuple[Compared, ...]:
        """As `Session.own_analyses`; of a file in parts they are made where its safe file is written.

        Raises
        ------
        RecipeError
            ``not-in-parts``
        """
        if is_in_parts(protection.derived.recipe.input):
            raise not_in_parts("[[utility]]")
        return super().own_analyses(protection, entries, progress, modified)

    def planned(self, recipe: Recipe, progress: Progress = SILENT) -> Protection | None:
        """As `Session.planned`."""
        if not is_in_parts(recipe.input):
            return super().planned(recipe, progress)
        return self._plan_of(recipe)

    def _plan_of(self, recipe: Recipe) -> Protection | None:
        """A plan that was searched for; of the recipe as it is now."""
        key, wanted = self._place(recipe.input), _deciding(recipe)
        for files, asked, found in self._plans:
            if files == key and asked == wanted:
                now = recipe.with_(suppression=found.derived.recipe.suppression)
                return replace(found, derived=replace(found.derived, recipe=now))
        return None

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


def carry_out_counted(session: Session, recipe: Recipe, progress: Progress, file: RecipeFile) -> Result:
    """Carry out a recipe on the parts that a session counted, as the command does; see `carry_out_parts`.

    Raises
    ------
    PavoError
        As there; and where a part is no longer what the session counted.
    """
    session.check_unchanged(session.derive(recipe.with_(output=Output()), progress), progress)
    result = carry_out_parts(recipe, progress, file)
    protection = result.protection
    if protection is not None:
        protection = replace(protection, derived=replace(protection.derived, recipe=recipe))
    return replace(result, derived=replace(result.derived, recipe=recipe), protection=protection)


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
    output = Output(
        data=recipe.output.data and recipe.output.data.parent,
        shuffle=recipe.output.shuffle,
        household_id=recipe.output.household_id,
    )
    return recipe.with_(output=output, report=Report(), measures=recipe.measures)
