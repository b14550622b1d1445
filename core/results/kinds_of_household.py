"""Households of a file in parts: those that differ, of how many of the file each stands, and which record is whose.

Two households are alike where their members, in the order in which they stand in the file, are in the same cells. What
follows from a household follows from its members' cells, to the last bit from their order; so the members of the
households that differ are the rows of the whole, each of which stands for the records in its place in as many
households. All members of a household lie in one part [method: Files in parts], which is checked by the identifiers of
all parts. Where the rows were divided, households are gathered by these rows in place of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural, translate
from ..data.columns import EncodedColumn, Source, Weights
from ..data.encoding import frozen
from ..data.encoding_many_codes import ManyCodes
from ..data.households import (
    LISTED,
    Households,
    ToldOfHouseholds,
    absent_codes,
    notices_of_households,
    without_identifier,
)
from ..data.variables import Metadata
from ..formats.text.records import python_encoding
from ..recipe.model import HouseholdSettings
from ..risk.population_model import above_one
from ..rows.scan import Once, scan
from ..rows.source import FileParts, PartRows
from ..rows.workers import Workers
from ..tables.grouping import group_rows
from .cell_tables import CellPlaces, FixedPoint, PartCells, in_decimals
from .row_division import HouseholdIdentifier, HouseholdPlaces, RowPlaces, RowsTask

Ints = NDArray[np.int64]
Forms = NDArray[np.bytes_]

_MERGE_AT = 1 << 22
"""Members of households of parts that are at least held before those of the parts are put together."""
_BLANKS = bytes(range(1, 33))


@dataclass(frozen=True, eq=False)
class DistinctHouseholds:
    """Households that differ, by the cells of their members; the p members one household after the other.

    Attributes
    ----------
    starts : (k + 1,) int64, where each begins
    cells : (p,) uint32, cell of the whole
    limbs, above_one : (p,) each, exact sums over all records that stand in the member's place
    """

    starts: Ints
    cells: NDArray[np.uint32]
    limbs: FixedPoint
    above_one: FixedPoint

    def __len__(self) -> int:
        return len(self.starts) - 1

    def distinct(self, cells: int, progress: Progress = SILENT) -> tuple[DistinctHouseholds, Ints]:
        """Each once, ascending by size, then by cells; and the place of each of these, (k,); `cells`: of the whole."""
        size = np.diff(self.starts)
        place, done = np.zeros(len(size), np.int64), 0
        found, sizes, sums = [], [], [[] for _ in (*self.limbs, *self.above_one)]  # type: ignore[var-annotated]
        order = np.argsort(size, kind="stable")
        each, first = np.unique(size[order], return_index=True)
        for members, which in zip(each.tolist(), np.split(order, first[1:]), strict=len(each) > 0):
            progress.check()
            at = self.starts[which][:, None] + np.arange(members)
            ids, one = _alike(self.cells[at], cells, progress)
            place[which] = ids + done
            found.append(self.cells[at[one]].ravel())
            sizes.append(np.full(len(one), members))
            into = (ids[:, None] * members + np.arange(members)).ravel()
            for each_sum, values in zip(sums, (*self.limbs, *self.above_one), strict=True):
                total = np.zeros(len(one) * members, np.int64)
                np.add.at(total, into, values[at.ravel()])
                each_sum.append(total)
            done += len(one)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate([np.zeros(0, np.int64), *sizes]))])
        added = tuple(np.concatenate([np.zeros(0, np.int64), *of_size]) for of_size in sums)
        half = len(self.limbs)
        joined = np.concatenate([np.zeros(0, np.uint32), *found])
        return DistinctHouseholds(starts, joined, added[:half], added[half:]), place

    @classmethod
    def together(cls, several: Sequence[DistinctHouseholds]) -> DistinctHouseholds:
        """Those of several, one after the other."""
        sizes = [np.diff(one.starts) for one in several]
        return cls(
            np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))]),
            np.concatenate([one.cells for one in several]),
            tuple(np.concatenate(limbs) for limbs in zip(*(one.limbs for one in several), strict=True)),
            tuple(np.concatenate(limbs) for limbs in zip(*(one.above_one for one in several), strict=True)),
        )


def _alike(rows: NDArray[np.uint32], cells: int, progress: Progress) -> tuple[Ints, Ints]:
    """Of the rows (h, members) the distinct one of each, and one of each; in ascending order."""
    if len(rows) == 1:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    columns = [np.ascontiguousarray(column) for column in rows.T]
    groups = group_rows(columns, [cells] * len(columns), progress)
    return groups.ids.astype(np.int64), groups.member.astype(np.int64)


@dataclass(frozen=True, eq=False)
class PartHouseholds:
    """The households of one part.

    Attributes
    ----------
    source : the part
    distinct : those that differ
    like : (h,) int64, which of them each household is like: first those with an identifier, in the order of its codes,
        then records that are a household of their own, in the order of the part
    forms : identifiers of the former, as their order needs them
    first_record : (len(forms),) int64, where in the part the first member stands, from 0
    own : texts of the identifier of the latter, empty where they have none
    single : identifiers of which every record is a household of its own, because they are so many
    single_record, single_records : where in the part each first stands, and the records with such
    empty, without : records without an identifier, and where in the part the first of them stand
    scattered, scattered_records : households whose members do not stand together, and their records
    """

    source: Source
    distinct: DistinctHouseholds
    like: Ints
    forms: Forms
    first_record: Ints
    own: Forms
    single: Forms
    single_record: Ints
    single_records: int
    empty: int
    without: tuple[int, ...]
    scattered: int
    scattered_records: int


@dataclass(frozen=True, eq=False)
class HouseholdsTask:
    """What is wanted of every part.

    Attributes
    ----------
    rows : the cells of its records
    identifier : by which households are told
    cells : number of cells of the whole
    decimals : of the sums of weights
    """

    rows: RowsTask
    identifier: HouseholdIdentifier
    cells: int
    decimals: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return (*self.rows.names, self.identifier.name)

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> PartHouseholds:
        """The households of one part."""
        return households_of_part(self, rows, progress)


def households_of_part(asked: HouseholdsTask, rows: PartRows, progress: Progress = SILENT) -> PartHouseholds:
    """The households of a part."""
    part, row = rows.data, asked.rows(rows, progress)
    column = part.columns[asked.identifier.name]
    found = asked.identifier.living(part, progress)
    absent = absent_codes(column)
    alone = [*found.single.tolist(), *absent]
    together = len(found) - int(column.counts[alone].sum())
    encoding = encoding_of(part.metadata)
    codes = found.code_of_household
    limbs, above = _weights(part.weights, asked.decimals)
    every = DistinctHouseholds(
        found.starts, row[found.members], tuple(limb[found.members] for limb in limbs),
        tuple(limb[found.members] for limb in above),
    )  # fmt: skip
    distinct, like = every.distinct(asked.cells, progress)
    without = np.flatnonzero(np.isin(column.values, absent)) if absent else np.zeros(0, np.int64)
    living = found.household_of_record
    begins = np.append(np.ones(min(len(row), 1), np.bool_), living[1:] != living[:-1])
    scattered = np.bincount(living[begins], minlength=len(found)) > 1
    firsts = np.zeros(len(column.codes), np.int64)
    firsts[column.values[::-1]] = np.arange(len(row) - 1, -1, -1)
    return PartHouseholds(
        part.source,
        distinct,
        like,
        _forms(column, codes[:together], encoding),
        found.members[found.starts[:together]].astype(np.int64),
        _texts([column.codes[code] for code in codes[together:].tolist()], encoding),
        _forms(column, found.single, encoding),
        firsts[found.single],
        int(column.counts[found.single].sum()),
        int(column.counts[absent].sum()) if absent else 0,
        tuple(without[:LISTED].tolist()),
        int(scattered.sum()),
        int(found.size[scattered].sum()),
    )


def _weights(weights: Weights | None, decimals: tuple[int, ...]) -> tuple[FixedPoint, FixedPoint]:
    if weights is None:
        return (), ()
    own = weights.decimals
    above = above_one(weights.limbs, own)
    return in_decimals(weights.limbs, own, decimals), in_decimals(above, own, decimals)


def encoding_of(metadata: Metadata) -> str:
    """In which the texts of a file stand in bytes: in their order codes are sorted."""
    return python_encoding(metadata.encoding) if metadata.format in ("fixed", "delimited") else "utf-8"


def _texts(texts: Sequence[str], encoding: str) -> Forms:
    return np.array([text.encode(encoding, "replace") for text in texts], np.bytes_)


def _forms(column: EncodedColumn, codes: Ints, encoding: str) -> Forms:
    """Some codes as they are compared."""
    if isinstance(column.codes, ManyCodes) and len(codes) and int(codes.max()) < len(column.codes.forms):
        return column.codes.forms[codes]
    return _texts([column.padded[code] for code in codes.tolist()], encoding)


@dataclass(frozen=True, eq=False)
class WholeHouseholds:
    """The households of all parts.

    Attributes
    ----------
    cells : those of the whole, with a row for each member of the households that differ
    households : of these rows
    places : how the records of a part come into them
    numbers : of each part, the number in the file of each of its households, in the part's own order
    """

    cells: PartCells
    households: Households
    places: HouseholdPlaces
    numbers: tuple[Ints, ...]


def whole_households(
    cells: PartCells,
    metadata: Metadata,
    settings: HouseholdSettings,
    workers: Workers,
    progress: Progress = SILENT,
    places: RowPlaces | None = None,
) -> WholeHouseholds:
    """The households of all parts, in one more pass over them.

    Parameters
    ----------
    cells : of the whole; or the rows into which they were divided
    metadata : of the first part; it has a household identifier
    places : how records come into the rows of `cells`; None: by their cells

    Raises
    ------
    DataError
        ``household-across-parts``; ``household-id-empty``; a part is no longer what it was.
    """
    assert metadata.household_id is not None, "the caller has asked"
    identifier = metadata.household_id.name
    places = places or RowPlaces(CellPlaces([cells.columns[name] for name in cells.names], progress))
    rows = RowsTask(cells.names, places)
    asked = HouseholdsTask(rows, HouseholdIdentifier(identifier, settings), len(cells.count), cells.decimals)
    sum_ = HouseholdSum(len(cells.count), progress)
    text = translate(mark("Gathering the households of the parts"))
    scan(FileParts.known(metadata, cells.sources), [Once(asked, sum_.add)], progress, text, workers)
    return sum_.whole(cells, identifier, metadata, settings)


@dataclass(eq=False)
class HouseholdSum:
    """Puts the households of the parts together, given in order; holds little more than those that differ.

    `cells` : of the whole.
    """

    cells: int
    progress: Progress = SILENT
    _parts: list[PartHouseholds] = field(default_factory=list)
    _pending: list[DistinctHouseholds] = field(default_factory=list)
    _like: list[Ints] = field(default_factory=list)

    def add(self, part: PartHouseholds) -> None:
        """Add those of one more part."""
        self._like.append(part.like + sum(map(len, self._pending)))
        self._pending.append(part.distinct)
        nothing = DistinctHouseholds(np.zeros(1, np.int64), np.zeros(0, np.uint32), (), ())
        self._parts.append(replace(part, distinct=nothing, like=np.zeros(0, np.int64)))
        if sum(len(one.cells) for one in self._pending[1:]) > max(_MERGE_AT, len(self._pending[0].cells)):
            self._merge()

    def _merge(self) -> DistinctHouseholds:
        found, place = DistinctHouseholds.together(self._pending).distinct(self.cells, self.progress)
        self._pending, self._like = [found], [place[like] for like in self._like]
        return found

    def whole(
        self, cells: PartCells, identifier: str, metadata: Metadata, settings: HouseholdSettings
    ) -> WholeHouseholds:
        """Those of all parts; see `whole_households`."""
        self._refuse_empty(identifier, settings)
        distinct = self._merge()
        codes, ranks, single = _identifiers(self._parts, identifier, encoding_of(metadata), metadata.format == "fixed")
        kinds = np.zeros(sum(map(len, self._like)), np.int64)
        code_of, numbers = np.zeros(len(kinds), np.int64), list[Ints]()
        named = np.sort(np.concatenate(ranks))
        tail = tuple(dict.fromkeys(text for part in self._parts for text in part.own.tolist()))
        place_of_text = {text: len(codes) + number for number, text in enumerate(tail)}
        own = len(named)
        for part, rank, like in zip(self._parts, ranks, self._like, strict=True):
            # As in one file: in the order of the identifiers, then, in file order, who is a household of their own.
            number = np.concatenate([np.searchsorted(named, rank), own + np.arange(len(part.own))])
            kinds[number] = like
            code_of[number] = [*rank.tolist(), *map(place_of_text.__getitem__, part.own.tolist())]
            numbers.append(number)
            own += len(part.own)
        encoding = encoding_of(metadata)
        texts = _codes(codes, encoding, tuple(text.decode(encoding) for text in tail))
        size = np.diff(distinct.starts)
        told = ToldOfHouseholds(
            scattered=sum(part.scattered for part in self._parts),
            scattered_records=sum(part.scattered_records for part in self._parts),
            single=sum(len(part.single) for part in self._parts),
            single_records=sum(part.single_records for part in self._parts),
            empty=sum(part.empty for part in self._parts),
        )
        present = np.arange(len(texts)) < len(codes)
        households = Households(
            household_of_record=frozen(np.repeat(np.arange(len(size), dtype=np.uint32), size)),
            size=frozen(size),
            members=frozen(np.arange(len(distinct.cells), dtype=np.uint32)),
            starts=frozen(distinct.starts),
            identifiers=texts,
            code_of_household=frozen(code_of),
            scattered=told.scattered,
            notices=notices_of_households(identifier, texts, present, len(kinds), told, settings),
            single=frozen(single),
            kind_of_household=frozen(kinds.astype(np.uint32)),
        )
        return WholeHouseholds(
            _rows(cells, distinct, households),
            households,
            HouseholdPlaces.of(
                HouseholdIdentifier(identifier, settings), distinct.starts, distinct.cells, self._sources, self._like
            ),
            tuple(numbers),
        )

    @property
    def _sources(self) -> list[Source]:
        return [part.source for part in self._parts]

    def _refuse_empty(self, identifier: str, settings: HouseholdSettings) -> None:
        count = sum(part.empty for part in self._parts)
        if settings.empty_id == "error" and count:
            first, records = 0, list[int]()
            for part in self._parts:
                records += [first + record for record in part.without]
                first += part.source.records
            raise without_identifier(identifier, records[:LISTED], count)


def _rows(cells: PartCells, distinct: DistinctHouseholds, households: Households) -> PartCells:
    """`cells` with a row a member of the households that differ."""
    columns = {
        name: replace(column, values=frozen(column.values[distinct.cells])) if name in cells.names else column
        for name, column in cells.columns.items()
    }
    records = households.records_of_rows
    assert records is not None, "households of a file in parts"
    limbs, above = distinct.limbs, distinct.above_one
    return replace(cells, columns=columns, count=frozen(records), limbs=limbs, above_one=above, households=households)


def _identifiers(
    parts: Sequence[PartHouseholds], identifier: str, encoding: str, fixed: bool
) -> tuple[Forms, list[Ints], Ints]:
    """All identifiers in the order in which a file of all parts has its codes; the places of each part's `forms`.

    And the places of those of which every record is a household of its own.

    Raises
    ------
    DataError
        ``household-across-parts``
    """
    nothing = np.zeros(0, np.bytes_)
    forms = np.concatenate([nothing, *(each for part in parts for each in (part.forms, part.single))])
    texts = np.char.strip(forms, _BLANKS)
    keys = forms if fixed else np.char.rjust(texts, max(texts.dtype.itemsize, 1))
    order = np.argsort(keys, kind="stable")
    _refuse_across(parts, texts, identifier)
    rank = np.zeros(len(order), np.int64)
    rank[order] = np.arange(len(order))
    ends = np.cumsum([len(part.forms) + len(part.single) for part in parts])
    both = list(zip(np.split(rank, ends[:-1]), parts, strict=True))
    single = np.concatenate([np.zeros(0, np.int64), *(own[len(part.forms) :] for own, part in both)])
    return texts[order], [own[: len(part.forms)] for own, part in both], np.sort(single)


def _refuse_across(parts: Sequence[PartHouseholds], texts: Forms, identifier: str) -> None:
    """Refuse identifiers that stand in several parts, of which `texts` are those of one part after the other."""
    order = np.argsort(texts, kind="stable")
    again = np.flatnonzero(texts[order][1:] == texts[order][:-1])
    if not len(again):
        return
    several = len(np.unique(texts[order[again]]))
    sizes = [len(part.forms) + len(part.single) for part in parts]
    part_of = np.repeat(np.arange(len(parts)), sizes)
    record = np.concatenate([np.concatenate([part.first_record, part.single_record]) for part in parts])
    first = again[np.lexsort((record[order[again]], part_of[order[again]]))[0]]  # as they stand in the parts
    one, other = order[first], order[first + 1]
    raise DataError(
        "household-across-parts",
        plural(
            several,
            (
                "A household has members in two parts: {variable} is the same in record {record} of {part} and in "
                "record {other_record} of {other}."
            ),
            (
                "{count} households have members in several parts: {variable} is the same, for example, in record "
                "{record} of {part} and in record {other_record} of {other}."
            ),
        ),
        mark("Put all members of each household into one part."),
        count=several,
        variable=identifier,
        record=int(record[one]) + 1,
        part=parts[part_of[one]].source.path.name,
        other_record=int(record[other]) + 1,
        other=parts[part_of[other]].source.path.name,
    )


def _codes(texts: Forms, encoding: str, tail: tuple[str, ...]) -> Sequence[str]:
    """Identifiers as texts, made when they are asked for where they are ASCII; `tail`: those of no household."""
    letters = np.ascontiguousarray(texts).view(np.uint8) if texts.dtype.itemsize else np.zeros(0, np.uint8)
    if not (letters >= 128).any():
        return ManyCodes(texts, True, tail)
    return (*(text.decode(encoding) for text in texts.tolist()), *tail)
