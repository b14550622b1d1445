"""The columns of a file in parts for a session: its cells, counted once for all that is asked of the same variables."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from pathlib import Path

from ..base.errors import DataError
from ..base.progress import Progress
from ..base.texts import mark, translate
from ..data.columns import Microdata
from ..data.variables import Metadata
from ..formats.text.block_file import changed
from ..recipe.in_parts import is_in_parts, paths_of_parts
from ..recipe.model import HouseholdSettings, Input
from ..results.cell_tables import CellSum, CountingTask, PartCells, as_microdata, on_fewer
from ..results.input_files import InputFiles, Stamp
from ..results.kinds_of_household import WholeHouseholds, whole_households
from ..rows.scan import Once, scan
from ..rows.source import FilePart, FileParts
from ..rows.workers import ThisProcess
from .cache import Cache
from .column_store import ColumnStore


class PartsColumnStore(ColumnStore):
    """As `ColumnStore`; the rows of a file in parts are its cells on the variables that are asked for."""

    def __init__(self, cache: Cache, inputs: InputFiles) -> None:
        super().__init__(cache, inputs)
        self._paths: dict[Input, tuple[Path, ...]] = {}
        self._places: dict[tuple[Path, ...], str] = {}
        self._known: list[tuple[Hashable, frozenset[Hashable], Hashable]] = []
        """What was counted: of which files, on which columns, and under which key it is kept."""

    def paths(self, source: Input) -> tuple[Path, ...]:
        """The parts, as they were found first."""
        named = Input(data=source.data, parts=source.parts, metadata=source.metadata)
        if named not in self._paths:
            self._paths[named] = paths_of_parts(named)
        return self._paths[named]

    @property
    def are_others(self) -> bool:
        """Whether a pattern or a folder has other parts now."""
        return any(paths_of_parts(named) != found for named, found in self._paths.items())

    def check_same_parts(self, source: Input) -> None:
        """Refuse parts that were added or removed since they were found first.

        Raises
        ------
        DataError
            ``data-changed``
        """
        named, there = self.paths(source), paths_of_parts(source)
        added = [path for path in there if path not in named]
        if added:
            raise DataError(
                "data-changed",
                mark("The file {file} was added to the parts after they were read; nothing was written."),
                mark(
                    "Read them again (in the main window: Calculate Again), look at the results once more, and repeat "
                    "the step."
                ),
                file=added[0],
            )
        removed = [path for path in named if path not in there]
        if removed:
            raise changed(removed[0])

    def stamps(self, source: Input) -> tuple[tuple[Path, Stamp], ...]:
        """The parts, and what they were when they were first needed."""
        return tuple((path, self._inputs.data(path)) for path in self.paths(source))

    def place_of(self, source: Input) -> Hashable:
        """As of a file; of parts `place`."""
        return self.place(source) if is_in_parts(source) else super().place_of(source)

    def place(self, source: Input) -> str:
        """What stands for all parts, and what they were when they were first needed, in keys of results."""
        paths = self.paths(source)
        if paths not in self._places:  # a text: of a thousand parts each key would be hashed once more every time
            listed = "\n".join(f"{path}\0{stamp}" for path, stamp in self.stamps(source))
            self._places[paths] = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
        return self._places[paths]

    def microdata(
        self, source: Input, metadata: Metadata, names: Sequence[str], progress: Progress, passing: bool = False
    ) -> Microdata:
        """As of a file; of parts the rows are cells on `names`, and a `passing` look gives codes and counts alone."""
        if not is_in_parts(source):
            return super().microdata(source, metadata, names, progress, passing)
        names, others = ((), tuple(names)) if passing else (tuple(names), ())
        return as_microdata(self.cells(source, metadata, names, progress, others), metadata)

    def cells(
        self,
        source: Input,
        metadata: Metadata,
        names: tuple[str, ...],
        progress: Progress,
        others: tuple[str, ...] = (),
    ) -> PartCells:
        """The cells of all parts on `names`, and codes and counts of `others`.

        Raises
        ------
        DataError
            A part cannot be read, or is no longer what it was.
        """
        weight = metadata.weight.name if metadata.weight else None
        weights = None if weight is None else self.key(source, metadata, weight)
        columns = {name: self.key(source, metadata, name) for name in names}
        own = ("cells of parts", self._layout(source, metadata), weights)
        key = (own, tuple(columns.items()), tuple(self.key(source, metadata, name) for name in others))
        found: PartCells | None = self._cache.get(key)
        if found is None and not others:
            found = self._of_finer(own, columns, progress)
        if found is None:
            found = self._counted(source, metadata, names, others, progress)
        if not others and all(known[2] != key for known in self._known):
            self._known.append((own, frozenset(columns.values()), key))
        return self._cache.put(key, found)

    def households(
        self,
        source: Input,
        metadata: Metadata,
        names: tuple[str, ...],
        settings: HouseholdSettings,
        progress: Progress,
    ) -> WholeHouseholds | None:
        """The households of all parts, whose members' cells are on `names`; None: there is no identifier.

        Raises
        ------
        DataError
            As `core.results.kinds_of_household.whole_households`.
        """
        if metadata.household_id is None:
            return None
        columns = tuple(self.key(source, metadata, name) for name in (*names, metadata.household_id.name))
        weight = None if metadata.weight is None else self.key(source, metadata, metadata.weight.name)

        def make() -> WholeHouseholds:
            cells = self.cells(source, metadata, names, progress)
            return whole_households(cells, metadata, settings, ThisProcess(), progress)

        return self._cache.made(("households of parts", columns, weight, settings), make)

    def _of_finer(self, own: Hashable, columns: dict[str, Hashable], progress: Progress) -> PartCells | None:
        """The cells as sums of such on more variables; None: none are at hand."""
        for files, counted, key in self._known:
            if files != own or not counted.issuperset(columns.values()):
                continue
            finer: PartCells | None = self._cache.get(key)
            if finer is not None:
                return on_fewer(finer, tuple(columns), progress)
        return None

    def _counted(
        self, source: Input, metadata: Metadata, names: tuple[str, ...], others: tuple[str, ...], progress: Progress
    ) -> PartCells:
        parts = tuple(
            FilePart(number, path, stamp=(stamp.size, stamp.mtime_ns) if stamp.size else None)
            for number, (path, stamp) in enumerate(self.stamps(source))
        )
        with CellSum(metadata, progress) as cells:
            counted = Once(CountingTask(names, others), cells.add)
            scan(FileParts(metadata, parts), [counted], progress, translate(mark("Counting the parts")))
            return cells.whole()
