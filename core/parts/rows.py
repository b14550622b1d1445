"""The rows of a file in parts, and how they are divided further where not all records of one are treated alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.clock import Clock
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..results.cell_tables import CellPlaces, PartCells, as_microdata
from ..results.households import with_identifier
from ..results.kinds_of_household import WholeHouseholds, whole_households
from ..results.row_division import (
    DigestTask,
    DrawableRecords,
    DrawableTask,
    DrawingTask,
    FirstDrawn,
    HouseholdPlaces,
    Ints,
    RowPlaces,
    RowsTask,
    divided,
    in_earlier_parts,
)
from ..results.row_division import (
    wanted as wanted_records,
)
from ..rows.scan import Fold, Once, each_part, scan
from ..rows.source import FileParts
from ..rows.workers import ThisProcess, Workers
from ..session import Session
from ..suppression.joint.row_draws import RowDraws, RowsToDraw
from ..suppression.record_draws import DrawSource, Numbers

Found = TypeVar("Found")


@dataclass(eq=False)
class DividedRows:
    """The cells of a file in parts, divided into rows as searches ask for it.

    Attributes
    ----------
    cells : of the whole; after a division of the rows
    metadata : of the first part
    source : what draws follow from
    workers : who reads the parts again
    households : of the whole, where there is an identifier: rows are then members of those that differ
    places : the rows of records
    """

    cells: PartCells
    metadata: Metadata
    source: DrawSource
    workers: Workers = field(default_factory=ThisProcess)
    households: WholeHouseholds | None = None

    def __post_init__(self) -> None:
        self._draws = RowDraws()
        self._key: bytes | None = None
        self._session: Session | None = None
        self.places = RowPlaces(CellPlaces([self.cells.columns[name] for name in self.cells.names]))
        if self.households is not None:
            self.places = replace(self.places, households=self.households.places)
            self.cells = self.households.cells

    @property
    def names(self) -> tuple[str, ...]:
        """The columns by which the row of a record is known."""
        return with_identifier(self.cells.names, self.metadata)

    @property
    def parts(self) -> FileParts:
        """The parts, to be read again."""
        return FileParts.known(self.metadata, self.cells.sources)

    def rows_of_parts(self, progress: Progress = SILENT) -> Iterator[NDArray[np.uint32]]:
        """The row of each record, part by part; one more pass over them."""
        return each_part(self.parts, RowsTask(self.names, self.places), progress, workers=self.workers)

    def record_numbers(self, progress: Progress, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Where the records stand, from 0, of `rows` that stand for one each; one more pass over the parts."""
        wanted, found = np.sort(rows), np.zeros(len(rows), np.int64)
        for part, of_part in zip(self.parts.parts, self.rows_of_parts(progress), strict=True):
            at = np.searchsorted(wanted, of_part)
            here = np.flatnonzero(wanted[np.minimum(at, len(wanted) - 1)] == of_part)
            found[at[here]] = part.first + here
        return found[np.searchsorted(wanted, rows)]

    def with_columns(self, columns: Mapping[str, EncodedColumn]) -> DividedRows:
        """The same rows, of which codes and counts of more columns are known; what is found in them is shared."""
        found = copy(self)
        found.cells = replace(self.cells, columns={**self.cells.columns, **columns})
        if self._session is not None:
            found._session = self._session.with_cells(as_microdata(found.cells, self.metadata))
        return found

    def found(
        self,
        search: Callable[[Session], Found],
        progress: Progress = SILENT,
        clock: Clock | None = None,
    ) -> Found:
        """What `search` finds in a session of the rows, divided so often that it need not ask again.

        A second search begins with what the first one left: its rows, and all that its session knows of them.

        `clock` : told how long dividing took.
        """
        while True:
            if self._session is None:
                microdata = as_microdata(self.cells, self.metadata)
                self._session = Session(one_recipe=True, cells=microdata, draws=self._draws)
            try:
                return search(self._session)
            except RowsToDraw as asked:
                self._session = None
                with (clock or Clock())("suppress"):
                    self._divide(asked, progress)

    def _divide(self, asked: RowsToDraw, progress: Progress) -> None:
        """Divide the rows by what their records lose, as is drawn in passes over the parts."""
        most, rows = wanted_records(asked.portions), RowsTask(self.names, self.places)
        records = DrawableRecords(rows, asked.unit_of_row, most, self.source.released)
        before, key = self._drawn_by(records, progress)
        first = FirstDrawn(most)
        drawing = Once(DrawingTask(records, key, asked.variables, before, self.cells.decimals), first.add)
        scan(self.parts, [drawing], progress, translate(mark("Drawing records of the parts")), self.workers)
        self.cells, division, newly, parent = divided(self.cells, asked, first.whole())
        self.places = replace(self.places, divisions=(*self.places.divisions, division))
        if self.households is not None:
            came_into, parent = self._gather_households(self.households.places, parent, progress)
            newly = newly[came_into]
        self._draws.divide(asked.key, newly, parent)

    def _drawn_by(self, records: DrawableRecords, progress: Progress) -> tuple[list[tuple[Numbers, Ints]], bytes]:
        """Of each part the values that earlier ones have, too, and how many records; and what draws follow from.

        Takes one more pass where there are several parts, or where the recipe says no secret.
        """
        folds, values, digests = list[Fold](), list[tuple[Numbers, Ints]](), list[Numbers]()
        several = len(self.cells.sources) > 1
        if several:
            folds.append(Once(DrawableTask(records), values.append))
        if self._key is None and self.source.secret is None:
            folds.append(Once(DigestTask(self.source.known_inside), digests.append))
        if folds:
            scan(self.parts, folds, progress, workers=self.workers)
        if self._key is None:
            self._key = self.source.key(np.sum(digests, axis=0, dtype=np.uint64) if digests else None)
        nothing = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        return in_earlier_parts(values) if several else [nothing], self._key

    def _gather_households(
        self, before: HouseholdPlaces, parent: NDArray[np.int64], progress: Progress
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Households that were alike and whose members were divided differ: gather them anew, in one more pass.

        Parameters
        ----------
        before : the rows that were divided
        parent : of the rows that they were divided into

        Returns
        -------
        Of the rows of the members of the households that differ now, the row that each came into by the division, and
        the one that it was a part of before.
        """
        gathered = whole_households(
            self.cells, self.metadata, before.identifier.settings, self.workers, progress, self.places
        )
        rows = gathered.places.cells
        origin = parent[rows]
        # Which household of a part is like which says all that was drawn: its members need not be divided once more.
        places = replace(gathered.places, cells=before.cells[origin])
        self.households = replace(gathered, places=places)
        self.places = replace(self.places, divisions=(), households=places)
        self.cells = gathered.cells
        return rows, origin
