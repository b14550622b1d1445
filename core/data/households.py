"""Households: groups of records with the same identifier, wherever in the file they stand.

Identifiers that differ as texts are different households, even where they are the same number: 7, 007 and 7.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural
from ..kernels import households as kernels
from ..recipe.model import HouseholdSettings as Settings
from .columns import EncodedColumn
from .encoding import frozen
from .encoding_many_codes import ManyCodes

Values = TypeVar("Values", bound="NDArray[np.generic]")

_BLOCK = 1 << 17
_NONE = (1 << 32) - 1
LISTED = 10
"""Households, or records, that a sentence lists; the others are counted."""
FEWEST = 10
"""Fewer households in which two members have a value do not suggest a household variable."""


@dataclass(frozen=True, eq=False)
class Households:
    """The H households of n records.

    Attributes
    ----------
    household_of_record : (n,) uint32; households are numbered by their identifiers' order, then, in file order, the
        records that are a household of their own
    size : (H,) int64, members in the file |g|
    members : (n,) uint32, the records, household after household, in file order within each
    starts : (H + 1,) int64, where each household begins in `members`
    identifiers : codes of the identifier
    code_of_household : (H,) int64, index into `identifiers`
    scattered : number of households whose members do not stand together
    notices : what was accepted and has to be said
    single : codes of which every record is a household of its own, because they are so many
    kind_of_household : (G,) uint32, of a file in parts. The H households above are then those that differ, and the n
        rows their members; of each household of the file, in the order of their numbers, the one that it is like.
        `code_of_household` is of these G. None: each is a household of the file
    """

    household_of_record: NDArray[np.uint32]
    size: NDArray[np.int64]
    members: NDArray[np.uint32]
    starts: NDArray[np.int64]
    identifiers: Sequence[str]
    code_of_household: NDArray[np.int64]
    scattered: int
    notices: tuple[Notice, ...] = ()
    single: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    kind_of_household: NDArray[np.uint32] | None = None

    def __len__(self) -> int:
        return len(self.size)

    @property
    def records(self) -> int:
        """Number of records n."""
        return len(self.household_of_record)

    @cached_property
    def times(self) -> NDArray[np.int64] | None:
        """(H,) how many households of the file each stands for; None: one each."""
        kinds = self.kind_of_household
        return None if kinds is None else np.bincount(kinds, minlength=len(self))

    @property
    def records_of_rows(self) -> NDArray[np.int64] | None:
        """(n,) how many records of the file each row stands for; None: one each."""
        return None if self.times is None else self.times[self.household_of_record]

    @property
    def number(self) -> int:
        """Households of the file."""
        return len(self) if self.kind_of_household is None else len(self.kind_of_household)

    def of_file(self, values: Values) -> Values:
        """`values` (H,) as those of every household of the file, in the order of their numbers."""
        return values if self.kind_of_household is None else cast("Values", values[self.kind_of_household])

    def count(self, flags: NDArray[np.bool_]) -> int:
        """Households of the file that `flags` (H,) marks."""
        return int(flags.sum() if self.times is None else self.times[flags].sum())

    def count_members(self, flags: NDArray[np.bool_]) -> int:
        """Records in these households."""
        size = self.size if self.times is None else self.size * self.times
        return int(size[flags].sum())

    def identifiers_of(self, flags: NDArray[np.bool_], most: int | None = None) -> tuple[str, ...]:
        """The identifiers of the households of the file that `flags` (H,) marks, or of the first `most` of them.

        As they stand in the file, in the order of the households' numbers; empty for a record without one.
        """
        places = np.flatnonzero(self.of_file(flags))[:most]
        return tuple(self.identifiers[code] for code in self.code_of_household[places].tolist())


@dataclass(frozen=True, eq=False)
class HouseholdRows(EncodedColumn):
    """The identifier of a file in parts: its rows are the members of the households that differ, which are known."""

    households: Households | None = None


@dataclass(frozen=True)
class Varying:
    """A household variable that has different values within `households` households, the `first` ones by identifier."""

    variable: str
    households: int
    first: tuple[str, ...]


@dataclass(frozen=True)
class Within:
    """How a variable behaves within households.

    Attributes
    ----------
    varying : households in which it has several values
    first : identifiers of the first `LISTED` of them
    compared : households in which at least two members have a value
    """

    varying: int
    first: tuple[str, ...]
    compared: int

    @property
    def constant(self) -> bool:
        """Whether it never differs, in households enough to tell.

        Suppressing such a value in one member only would be void: another member shows it.
        """
        return self.compared >= FEWEST and not self.varying


def households_of(column: EncodedColumn, settings: Settings | None = None, progress: Progress = SILENT) -> Households:
    """The households that an identifier tells.

    Parameters
    ----------
    column : the household identifier; two codes are the same household if their texts, blanks aside, are
    settings : the recipe's ``[households]``

    Raises
    ------
    DataError
        ``household-id-empty``: records without an identifier (empty, or a declared missing code), unless these are
        to be households of their own.
    """
    settings = settings or Settings()
    groups, single, empty = _codes(column, settings)
    together = np.flatnonzero(groups & ~single)
    number_of_code = np.full(len(groups), _NONE, np.uint32)
    number_of_code[together] = np.arange(len(together), dtype=np.uint32)
    household = _numbered(column.values, number_of_code, len(together), progress)
    alone = np.flatnonzero(number_of_code == _NONE)
    own = int(column.counts[alone].sum())
    size, runs = _runs(household, len(together) + own, progress)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    members = _gathered(household, starts, progress)
    codes = np.concatenate([together, column.values[members[starts[len(together)] :]].astype(np.int64)])
    scattered = runs > 1
    counts = column.counts[single]
    told = ToldOfHouseholds(int(scattered.sum()), int(size[scattered].sum()), len(counts), int(counts.sum()), empty)
    return Households(
        household_of_record=frozen(household),
        size=frozen(size),
        members=frozen(members),
        starts=frozen(starts),
        identifiers=column.codes,
        code_of_household=frozen(codes),
        scattered=int(scattered.sum()),
        notices=notices_of_households(column.name, column.codes, groups, len(size), told, settings),
        single=frozen(np.flatnonzero(single)),
    )


@dataclass(frozen=True)
class ToldOfHouseholds:
    """What has to be said of the households of a file.

    Attributes
    ----------
    scattered, scattered_records : households whose members do not stand together, and their records
    single, single_records : identifiers of which every record is a household of its own, and these
    empty : records without an identifier
    """

    scattered: int
    scattered_records: int
    single: int
    single_records: int
    empty: int


def notices_of_households(
    name: str, codes: Sequence[str], present: NDArray[np.bool_], number: int, told: ToldOfHouseholds, settings: Settings
) -> tuple[Notice, ...]:
    """What was accepted of the identifier `name` and has to be said.

    Parameters
    ----------
    codes, present : of the identifier, and which of them name a household or single persons
    number : of households
    """
    return (
        *_scattered_notice(name, told.scattered, told.scattered_records, number),
        *_single_notice(name, told.single, told.single_records, settings.single_persons_above),
        *_own_notice(name, told.empty),
        *alike_notice(name, codes, present),
    )


def absent_codes(column: EncodedColumn) -> list[int]:
    """Places of the codes of an identifier that name no household: the empty one, and those declared missing."""
    return [*column.empty, *range(column.n_valid, len(column.codes))]


def by_written_identifier(households: Households) -> NDArray[np.uint32]:
    """Who is seen to belong together where the identifier is written as it was, (n,).

    These are the households, but for single persons, who are seen to share theirs; records without an identifier stay
    by themselves.
    """
    if not len(households.single):
        return households.household_of_record
    places = np.flatnonzero(np.isin(households.code_of_household, households.single))
    codes = households.code_of_household[places]
    first = np.zeros(len(households.identifiers), np.uint32)
    first[codes[::-1]] = places[::-1]
    group = np.arange(len(households), dtype=np.uint32)
    group[places] = first[codes]
    return group[households.household_of_record]


def _codes(column: EncodedColumn, settings: Settings) -> tuple[NDArray[np.bool_], NDArray[np.bool_], int]:
    """Codes that name a group, those of them that are single persons, and the records without an identifier."""
    absent = absent_codes(column)
    empty = int(column.counts[absent].sum())
    if empty and settings.empty_id == "error":
        raise without_identifier(column.name, np.flatnonzero(np.isin(column.values, absent))[:LISTED].tolist(), empty)
    groups = column.counts > 0
    groups[absent] = False
    single = np.zeros(len(groups), np.bool_)
    if settings.single_persons_above is not None:
        single = groups & (column.counts > settings.single_persons_above)
    return groups, single, empty


def within(households: Households, column: EncodedColumn, progress: Progress = SILENT) -> Within:
    """How the variable `column` behaves within the households; missing is no value."""
    differs, compared = _differing(households, column, progress)
    return Within(households.count(differs), households.identifiers_of(differs, LISTED), compared)


def varying(
    households: Households, columns: Mapping[str, EncodedColumn], progress: Progress = SILENT
) -> tuple[Varying, ...]:
    """Those of the household variables `columns` that have different values within a household; missing is no value."""
    found = ((name, within(households, column, progress)) for name, column in columns.items())
    return tuple(Varying(name, inside.varying, inside.first) for name, inside in found if inside.varying)


def varying_notices(found: tuple[Varying, ...]) -> Iterator[Notice]:
    """What is to be said about household variables that vary."""
    for variable in found:
        more = ", …" if variable.households > len(variable.first) else ""
        yield Notice.of(
            "household-variable-varies",
            plural(
                variable.households,
                (
                    "The household variable {variable} has different values within the household {identifiers}. Where "
                    "it is suppressed, it is suppressed for all members."
                ),
                (
                    "The household variable {variable} has different values within {households} households: "
                    "{identifiers}. Where it is suppressed, it is suppressed for all members."
                ),
            ),
            plural(
                variable.households,
                (
                    "The household variable {variable} has different values within one household. Where it is "
                    "suppressed, it is suppressed for all members."
                ),
                (
                    "The household variable {variable} has different values within {households} households. Where it "
                    "is suppressed, it is suppressed for all members."
                ),
            ),
            where=variable.variable,
            variable=variable.variable,
            households=variable.households,
            identifiers=", ".join(variable.first) + more,
        )


def constant(
    households: Households, columns: Mapping[str, EncodedColumn], progress: Progress = SILENT
) -> tuple[str, ...]:
    """Those of the variables `columns`, of several values, that never differ within a household (`Within.constant`)."""
    several = {name: c for name, c in columns.items() if np.count_nonzero(c.counts[: c.n_valid]) > 1}
    return tuple(name for name, column in several.items() if within(households, column, progress).constant)


def undeclared_notices(names: Sequence[str]) -> Iterator[Notice]:
    """That these variables look like household variables and are not declared so."""
    if names:
        yield Notice.of(
            "household-undeclared",
            plural(
                len(names),
                (
                    "No household has two values of {names}, which is not declared a household variable: suppressed in "
                    "one member, it could be read off another. If it is one, declare it in Specify Metadata."
                ),
                (
                    "No household has two values of {names}, which are not declared household variables: suppressed in "
                    "one member, they could be read off another. If they are, declare them in Specify Metadata."
                ),
            ),
            where=names[0],
            names=", ".join(names),
        )


def sequence_numbers(
    households: Households, order: NDArray[np.integer] | None = None, progress: Progress = SILENT
) -> NDArray[np.int64]:
    """Numbers 1, 2, 3, … of the households as they appear in the written file, (H,).

    Parameters
    ----------
    order : (n,) original record of each written one; None: the same order
    """
    state = np.zeros(len(households) + 1, np.int64)
    records = np.arange(households.records, dtype=np.uint32) if order is None else order.astype(np.uint32)
    for part in _blocks(len(records), progress):
        kernels.number_in_order(records[part], households.household_of_record, state)
    return state[:-1]


def _blocks(n: int, progress: Progress) -> Iterator[slice]:
    for start in range(0, n, _BLOCK):
        progress.check()
        yield slice(start, min(n, start + _BLOCK))


def _numbered(
    values: NDArray[np.unsignedinteger], number_of_code: NDArray[np.uint32], own: int, progress: Progress
) -> NDArray[np.uint32]:
    household = np.empty(len(values), np.uint32)
    for part in _blocks(len(values), progress):
        kernels.number(values[part], number_of_code, own, household[part])
        own = max(own, int(household[part].max()) + 1)
    return household


def _runs(household: NDArray[np.uint32], count: int, progress: Progress) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    size, runs = np.zeros(count, np.int64), np.zeros(count, np.int64)
    last = -1
    for part in _blocks(len(household), progress):
        kernels.count_runs(household[part], last, size, runs)
        last = int(household[part.stop - 1])
    return size, runs


def _gathered(household: NDArray[np.uint32], starts: NDArray[np.int64], progress: Progress) -> NDArray[np.uint32]:
    members, places = np.empty(len(household), np.uint32), starts[:-1].copy()
    for part in _blocks(len(household), progress):
        kernels.gather(household[part], part.start, places, members)
    return members


def _differing(households: Households, column: EncodedColumn, progress: Progress) -> tuple[NDArray[np.bool_], int]:
    differs, compared = np.zeros(len(households), np.bool_), np.zeros(1, np.int64)
    for part in _blocks(len(households), progress):
        starts = households.starts[part.start : part.stop + 1]
        kernels.vary(starts, households.members, column.values, column.n_valid, differs[part], compared)
    if households.times is None:
        return differs, int(compared[0])
    with_value = np.add.reduceat(column.values[households.members] < column.n_valid, households.starts[:-1], dtype=int)
    return differs, households.count(with_value > 1)


def without_identifier(name: str, records: Sequence[int], count: int) -> DataError:
    """The error that `count` records have no identifier `name`, of which the first stand at `records`, from 0."""
    return DataError(
        "household-id-empty",
        plural(
            count,
            "The household identifier {variable} is empty or missing in record {records}.",
            "The household identifier {variable} is empty or missing in {count} records: {records}.",
        ),
        mark('Correct the data, or say empty_id = "own-household" in [households].'),
        variable=name,
        count=count,
        records=", ".join(str(record + 1) for record in records) + (", …" if count > LISTED else ""),
    )


def _scattered_notice(name: str, scattered: int, records: int, households: int) -> Iterator[Notice]:
    if scattered:
        yield Notice.of(
            "households-scattered",
            mark(
                "The members of {scattered} of {households} households ({records} records) do not stand together in "
                "the file; they were gathered by {variable}."
            ),
            where=name,
            scattered=scattered,
            households=households,
            records=records,
            variable=name,
        )


def _single_notice(name: str, groups: int, records: int, limit: int | None) -> Iterator[Notice]:
    if groups:
        yield Notice.of(
            "households-as-single-persons",
            plural(
                groups,
                (
                    "The {records} records with one and the same {variable}, more than {limit}, are treated as single "
                    "persons."
                ),
                (
                    "{groups} groups of more than {limit} records with the same {variable} ({records} records) are "
                    "treated as single persons."
                ),
            ),
            where=name,
            groups=groups,
            limit=limit,
            variable=name,
            records=records,
        )


def _own_notice(name: str, records: int) -> Iterator[Notice]:
    if records:
        yield Notice.of(
            "household-id-empty",
            plural(
                records,
                "1 record without {variable} is taken as a household of its own.",
                "{records} records without {variable} are taken as a household of their own each.",
            ),
            where=name,
            records=records,
            variable=name,
        )


_NUMBER = re.compile(r"([+-]?)0*([0-9]*)(?:[.,]([0-9]*))?", re.ASCII)


def alike_as_numbers(codes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Codes that are the same number, together, in their own order; numbers of one code are left out.

    A number is digits with a sign or not, and a decimal point or comma or not.
    """
    plain, others = set(), list[str]()
    for code in codes:
        if code.isdecimal() and code.isascii() and (code[0] != "0" or code == "0"):
            plain.add(code)
        else:
            others.append(code)
    forms: dict[str, list[str]] = {}
    for code in others:
        number = _plain(code)
        if number is not None:
            forms.setdefault(number, []).append(code)
    found = (((number, *same) if number in plain else tuple(same)) for number, same in forms.items())
    return tuple(same for same in found if len(same) > 1)


def _plain(code: str) -> str | None:
    """The number without a plus sign, leading zeros and zeros behind the last decimal; None: no number."""
    matched = _NUMBER.fullmatch(code)
    if matched is None or not any(map(str.isdecimal, code)):
        return None
    sign, whole, decimals = matched[1], matched[2], (matched[3] or "").rstrip("0")
    number = (whole or "0") + ("." + decimals if decimals else "")
    return "-" + number if sign == "-" and number != "0" else number


def _told_apart(codes: Sequence[str]) -> bool:
    """Whether very many codes are seen at once to be different numbers: digits, no zeros in front or all as long."""
    if not isinstance(codes, ManyCodes) or not codes.forms.itemsize:
        return False
    letters = np.ascontiguousarray(codes.forms).view(np.uint8).reshape(len(codes.forms), -1)
    filled = letters > ord(" ")
    if not np.array_equal(filled, (letters >= ord("0")) & (letters <= ord("9"))):
        return False
    first = letters[np.arange(len(letters)), filled.argmax(axis=1)]
    return bool(filled.all() or not (first == ord("0")).any())


def alike_notice(name: str, codes: Sequence[str], present: NDArray[np.bool_]) -> Iterator[Notice]:
    """That identifiers agree as numbers and are different households all the same.

    Parameters
    ----------
    codes : of the identifier `name`
    present : (m,), which of them are looked at
    """
    found = () if _told_apart(codes) else alike_as_numbers(compress(codes, present))
    if found:
        yield Notice.of(
            "household-ids-alike",
            mark(
                "{variable}: {count} number(s) stand there in different forms, for example {forms}; these are taken as "
                "different households. If they are one, write them alike in the data."
            ),
            mark(
                "{variable}: {count} number(s) stand there in different forms; these are taken as different "
                "households. If they are one, write them alike in the data."
            ),
            where=name,
            variable=name,
            count=len(found),
            forms=", ".join(found[0]),
        )
