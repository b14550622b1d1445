"""Households of the parts of a safe file: their identifier as it is written, and the check of who lives together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..check.households import CheckedGroups, HouseholdGroups, HouseholdIdentifiers, check_groups, judge_groups
from ..check.judged import CheckSpec, Verification, above_one, decided_codes
from ..check.verify import judge_told
from ..data.columns import EncodedColumn, Microdata
from ..data.households import sequence_numbers
from ..formats.text.writing import FieldEdit
from ..recipe.model import HouseholdSettings
from ..results.cell_tables import FixedPoint, in_decimals
from ..results.households import household_names
from ..results.kinds_of_household import WholeHouseholds
from ..results.results import Results
from ..results.row_division import HouseholdPlaces, RowPlaces

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GroupsOfPart:
    """Who lives together in a written part.

    Attributes
    ----------
    like : (g,) int64, of each group, in the order of the identifier that tells it, the household that it is like
    row, count : (r,) rows of the whole that occur, and the records of each
    sums : of each row: of the weights of both files, and of the original's max(weight - 1, 0); empty without weights
    numbers : the lowest and the highest sequence number; None: there are none
    """

    like: Ints
    row: Ints
    count: Ints
    sums: tuple[FixedPoint, ...]
    numbers: tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class PlannedHouseholds:
    """What becomes of the household identifier of each part.

    Attributes
    ----------
    name, settings : the identifier, and which of its groups are single persons
    written : ``keep``, ``remove`` or ``sequence``
    variables : those with one value a household
    places : the rows of households' members
    """

    name: str
    settings: HouseholdSettings
    written: str
    variables: tuple[str, ...]
    places: HouseholdPlaces

    @classmethod
    def of(cls, derived: Results, places: RowPlaces) -> PlannedHouseholds | None:
        """What the recipe says; None without an identifier."""
        identifier, recipe = derived.metadata.household_id, derived.recipe
        if identifier is None or places.households is None:
            return None
        variables = tuple(sorted(household_names(recipe, derived.metadata)))
        return cls(identifier.name, recipe.households, recipe.output.household_id, variables, places.households)

    @property
    def given(self) -> tuple[str, ...]:
        """The identifier where it is replaced, so that it is checked by the groups that it makes."""
        return (self.name,) if self.written == "sequence" else ()

    def edit(self, part: Microdata, first: int, progress: Progress = SILENT) -> dict[str, FieldEdit]:
        """The identifier as 1, 2, 3, … through all parts, where that is asked for; `first`: records before the part."""
        if self.written != "sequence" or not part.records:
            return {}
        living, before = self.places.identifier.living(part, progress), self.places.of_parts[first][1]
        numbers = sequence_numbers(living, None, progress)
        codes = tuple(map(str, range(before + 1, before + len(living) + 1)))
        return {self.name: FieldEdit((numbers - 1).astype(np.uint32)[living.household_of_record], codes)}

    def check(
        self,
        part: Microdata,
        row: NDArray[np.uint32],
        written: Microdata,
        columns: Mapping[str, EncodedColumn],
        lost: Mapping[str, NDArray[np.bool_]],
        decimals: tuple[tuple[int, ...] | None, tuple[int, ...] | None],
    ) -> tuple[GroupsOfPart, tuple[Notice, ...]]:
        """The groups of a written part, and what is wrong with them.

        Parameters
        ----------
        part, row : as it was read once more, and the row of each of its records
        columns, lost : of these records, after recoding, and what they lose
        decimals : of the sums of weights of all parts, of the original and of what is written
        """
        identifiers = HouseholdIdentifiers(
            part.columns[self.name], self.settings, self.written == "sequence", self.variables, is_part=True
        )
        found = check_groups(identifiers, written, columns, lost)
        like = _alike(found.groups, row.astype(np.int64), self.places.starts)
        problems = found.problems if like is not None else (*found.problems, _other_households())
        there, place, count = np.unique(row, return_inverse=True, return_counts=True)
        sums: tuple[FixedPoint, ...] = ()
        of_original, of_written = decimals
        if part.weights is not None and of_original is not None and of_written is not None:
            now, own = written.weights or part.weights, part.weights.decimals
            above = tuple(above_one(part.weights.limbs, own)[0])
            three = (part.weights.limbs, own), (now.limbs, now.decimals), (above, own)
            of_rows = ((tuple(_sums(place, limb, len(there)) for limb in limbs), own) for limbs, own in three)
            wanted = of_original, of_written, of_original
            sums = tuple(in_decimals(limbs, own, each) for (limbs, own), each in zip(of_rows, wanted, strict=True))
        nobody = np.zeros(0, np.int64)
        groups = GroupsOfPart(
            nobody if like is None else like, there.astype(np.int64), count, sums, self._numbers(written)
        )
        return groups, problems

    def _numbers(self, written: Microdata) -> tuple[int, int] | None:
        """The lowest and the highest sequence number of a written part."""
        column = written.columns.get(self.name)
        if self.written != "sequence" or column is None or not written.records:
            return None
        found = [int(code) for code, count in zip(column.codes, column.counts.tolist(), strict=True) if count]
        return min(found), max(found)


def _alike(groups: HouseholdGroups, row: Ints, starts: Ints) -> Ints | None:
    """Of each group the household whose rows its members have, in their order; None: there is none.

    `starts` : where the rows of each household begin.
    """
    order = np.argsort(groups.group, kind="stable")
    begins = np.cumsum(groups.size) - groups.size
    first = row[order[begins]]
    like = np.searchsorted(starts, first, side="right") - 1
    same = np.array_equal(starts[like], first) and np.array_equal(np.diff(starts)[like], groups.size)
    rows = np.repeat(first - begins, groups.size) + np.arange(len(row))
    return like if same and np.array_equal(rows, row[order]) else None


def _other_households() -> Notice:
    return Notice.of(
        "written-households-differ",
        mark("The household identifiers of the written file put other records together than the original ones."),
    )


def _sums(place: Ints, values: Ints, size: int) -> Ints:
    total = np.zeros(size, np.int64)
    np.add.at(total, place, values)
    return total


class GroupsOfParts:
    """Adds up who lives together in the written parts, given in order.

    Parameters
    ----------
    households : as they were planned: they say in which order the households of a file are, and how many rows there are
    written : what becomes of the identifier
    decimals : of the weights that are written; None: those of the original
    """

    def __init__(
        self, households: WholeHouseholds, written: str, decimals: tuple[int, ...] | None = None
    ) -> None:  # fmt: skip
        self._households, self._written = households, written
        own = households.cells.decimals
        self._decimals = own, decimals or own, own
        rows = len(households.cells.count)
        self._like = np.zeros(households.households.number, np.int64)
        self._count = np.zeros(rows, np.int64)
        weighed = bool(households.cells.limbs)
        self._sums = [[np.zeros(rows, np.int64) for _ in each] for each in self._decimals if weighed]
        self._problems: list[Notice] = []
        self._parts = self._before = self._highest = 0

    def add(self, part: GroupsOfPart) -> None:
        """Add those of one more part."""
        numbers = self._households.numbers[self._parts]
        if self._written == "sequence":  # in the order in which they appear
            numbers = self._before + np.arange(len(part.like))
        if len(part.like) != len(self._households.numbers[self._parts]):
            self._problems.append(_other_households())
        else:
            self._like[numbers] = part.like
        if part.numbers is not None:
            lowest, highest = part.numbers
            if lowest != self._highest + 1:
                self._problems.append(_other_households())
            self._highest = highest
        self._count[part.row] += part.count
        for sums, of_part in zip(self._sums, part.sums, strict=False):
            for total, limb in zip(sums, of_part, strict=True):
                total[part.row] += limb
        self._parts, self._before = self._parts + 1, self._before + len(part.like)

    def judged(
        self,
        checked: Verification,
        columns: Mapping[str, EncodedColumn],
        lost: Mapping[str, NDArray[np.bool_]],
        combinations: Sequence[CheckSpec],
        must_be_safe: bool,
        progress: Progress = SILENT,
    ) -> Verification:
        """`checked` with the figures and problems of all households; see `core.check.households.judge_groups`.

        Parameters
        ----------
        columns, lost : of the rows of the whole
        """
        living = self._households.households.household_of_record
        decided = {name: decided_codes(column, lost.get(name)) for name, column in columns.items()}
        checked = judge_told(
            checked, columns, decided, combinations, must_be_safe=must_be_safe, living=living, progress=progress
        )
        cells, whole = self._households.cells, self._households.households
        groups = HouseholdGroups(whole.household_of_record, whole.size, self._like, self._count)
        weighed = bool(cells.limbs)
        both = list(zip(self._sums, self._decimals, strict=False))
        return judge_groups(
            checked,
            columns,
            both if weighed else [None, None],
            lost,
            combinations,
            CheckedGroups(groups, tuple(self._problems)),
            must_be_safe=must_be_safe,
            progress=progress,
        )
