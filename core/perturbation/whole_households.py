"""Synthetic files of whole households: from columns to households, drawn by strata, and back to columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..recipe.model import Perturbation
from .codes import with_codes
from .household_drawing import (
    HouseholdMembers,
    NothingLeftError,
    SafeTable,
    SyntheticHouseholds,
    TooManyCellsError,
    cells_of,
    draw_households,
    table_of,
)
from .margins import alone, check_tables, too_many_cells
from .method import PerturbationInput, Perturbed, PublishedTable
from .units import check_shared, differing_households, places_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MEMBERS = 50
"""Larger households are institutions: hardly two of them are alike, and each member has a table of its own."""

_FEWEST = 10
"""Fewer households in which two members have a value do not make a variable theirs."""


def draws_households(entry: Perturbation, metadata: Metadata) -> bool:
    """Whether `entry` draws whole households: from margins, of a file that has some, not of their variables alone."""
    said = dict(entry.parameters)
    return bool(
        said.get("kind") == "margins"
        and metadata.household_id is not None
        and said.get("households", True)
        and not all(name in metadata and metadata[name].household for name in entry.variables)
    )


@dataclass(frozen=True, eq=False)
class _Original:
    """The original as households.

    Attributes
    ----------
    names : of the variables, household variables first
    places : of each variable, which codes it has
    records : (n,) by household, the reference person first
    living : the same
    tables : columns of `living` each
    promised : which of `tables` the recipe asks for
    strata : households of each stratum
    entry : what is drawn follows from: without a relation by which everybody stands in the order of the file anyhow
    """

    names: tuple[str, ...]
    places: tuple[Ints, ...]
    records: Ints
    living: HouseholdMembers
    tables: tuple[tuple[int, ...], ...]
    promised: tuple[bool, ...]
    strata: tuple[Ints, ...]
    entry: Perturbation


def synthetic_households(given: PerturbationInput) -> Perturbed:
    """All variables of whole households drawn anew, and a new household identifier; missing is a code like others.

    Raises
    ------
    DataError
        Household variables or strata that differ within a household; households that are too large, or so few or so
        different that nothing can be drawn.
    RecipeError
        A table of a variable that is not drawn.
    """
    original, least = _original(given), given.parameters["protect"]
    codes = np.zeros((len(original.records), len(original.names)), np.int64)
    household, drawn, own = np.zeros(len(codes), np.int64), 0, []
    for number, part in enumerate(original.strata):
        given.progress.check()
        living, records = _part(original, part)
        if len(part) < least:
            raise DataError(
                "synthetic-few-households",
                plural(
                    len(part),
                    "Synthetic {variables}: a stratum has only {count} household; {k} are needed.",
                    "Synthetic {variables}: a stratum has only {count} households; {k} are needed.",
                ),
                mark("Take coarser strata, or a smaller protect."),
                variables=", ".join(original.names),
                count=len(part),
                k=least,
            )
        made = _drawn(given, original, living, number)
        codes[np.sort(records)] = made.living.of_persons
        household[np.sort(records)] = drawn + made.living.household
        drawn += len(made.living.size)
        own.append(made)
    columns = {
        name: with_codes(given.columns[name], original.places[j][codes[:, j]].astype(given.columns[name].values.dtype))
        for j, name in enumerate(original.names)
    }
    identifier = given.metadata.household_id
    assert identifier is not None
    columns[identifier.name] = _numbered(household, given.columns[identifier.name], given.metadata)
    columns = {name: columns[name] for name in given.columns}
    return Perturbed(columns, *_told(original, own))


def broken(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """What `columns`, as they are written, do not keep of what whole households promise."""
    original, least, identifier = _original(given), given.parameters["protect"], given.metadata.household_id
    assert identifier is not None
    household = columns[identifier.name].values.astype(np.int64)
    for name in original.names[: len(original.living.shared_codes)]:
        differing = differing_households(columns[name].values, np.unique(household, return_inverse=True)[1])
        if differing:
            yield Notice.of(
                "synthetic-households-differ",
                mark("{variable}: the members of {count} synthetic households have different values."),
                where=name,
                variable=name,
                count=differing,
            )
    found = []
    for j, name in enumerate(original.names):
        before = given.columns[name]
        number = {before.codes[place]: i for i, place in enumerate(original.places[j].tolist())}
        written = np.array([number.get(code, -1) for code in columns[name].codes], np.int64)[columns[name].values]
        if (written < 0).any():
            new = {columns[name].codes[place] for place in np.unique(columns[name].values[written < 0]).tolist()}
            yield Notice.of(
                "synthetic-codes", mark("{variable} has codes that it did not have: {codes}."), where=name,
                variable=name, codes=", ".join(sorted(new)[:5]),
            )  # fmt: skip
            return
        found.append(written)
    codes = np.column_stack(found)
    for part in original.strata:
        living, records = _part(original, part)
        for table in ((), *original.tables):
            few = table_of(living, table)[1] < least
            if table:
                cells = cells_of(codes[records][:, list(table)], [living.codes[v] for v in table])
            else:
                cells = np.unique(household[records], return_counts=True)[1]
            if few[cells[cells < len(few)]].any() or (cells >= len(few)).any():
                yield Notice.of(
                    "synthetic-rare",
                    mark("{table}: a synthetic household has values that fewer than {k} households of the original "
                         "have."),
                    where=original.names[table[0]] if table else identifier.name,
                    table=_title(original, table),
                    k=least,
                )  # fmt: skip


def _original(given: PerturbationInput) -> _Original:
    identifier, living = given.metadata.household_id, given.households
    assert identifier is not None
    assert living is not None
    drawn = given.in_order(name for name in given.columns if name != identifier.name)
    check_tables(given.parameters["margins"], drawn)
    size = np.bincount(living)
    large = int((size > MOST_MEMBERS).sum())
    if large:
        raise DataError(
            "synthetic-large-households",
            plural(
                large,
                "Synthetic {variables}: {count} household has more than {most} members, {largest}.",
                "Synthetic {variables}: {count} households have more than {most} members, up to {largest}.",
            ),
            mark("Say single_persons_above in [households] if these are no households, or say households = false."),
            variables=", ".join(drawn),
            count=large,
            most=MOST_MEMBERS,
            largest=int(size.max()),
        )
    shared = [name for name in drawn if _is_shared(given, name, living)]
    names = (*shared, *(name for name in drawn if name not in shared))
    every = {**given.others, **given.columns}
    roles = [_places_and_codes(every[name])[1] for name in reversed(given.parameters.get("relation", ()))]
    in_file, records = np.lexsort((living,)), np.lexsort((*roles, living))
    entry = given.entry
    assert entry is not None
    if np.array_equal(records, in_file):
        entry = replace(entry, parameters=tuple((key, each) for key, each in entry.parameters if key != "relation"))
    first = records[np.cumsum(size) - size]
    found = [_places_and_codes(given.columns[name]) for name in names]
    places, codes = tuple(each for each, _codes in found), [codes for _places, codes in found]
    q, none = len(shared), np.zeros((len(living), 0), np.int64)
    together = HouseholdMembers(
        size,
        np.column_stack([none, *codes[:q]])[first],
        np.column_stack([none, *codes[q:]])[records],
        tuple(map(len, places[:q])),
        tuple(map(len, places[q:])),
    )
    asked = {tuple(sorted(map(names.index, table))) for table in given.parameters["margins"]}
    every_one = asked | {(v,) for v in range(len(names)) if not any(v in table for table in asked)}
    # those that are there anyhow take their turn last, asked for or not
    tables = tuple(sorted(every_one, key=lambda table: (alone(table, every_one), table)))
    divided = 0 if given.strata is None else differing_households(given.strata.astype(np.uint64), living)
    if divided:
        raise DataError(
            "synthetic-strata",
            plural(
                divided,
                "Synthetic {variables}: {count} household has members in several strata of {strata}.",
                "Synthetic {variables}: {count} households have members in several strata of {strata}.",
            ),
            mark("Take household variables as strata, or correct the data."),
            variables=", ".join(drawn),
            count=divided,
            strata=", ".join(given.parameters.get("within", ())),
        )
    strata = None if given.strata is None else given.strata[first]
    promised = tuple(table in asked for table in tables)
    return _Original(names, places, records, together, tables, promised, tuple(places_of(strata, len(size))), entry)


def _places_and_codes(column: EncodedColumn) -> tuple[Ints, Ints]:
    """(c,) the codes that records have, (n,) which of these each has; missing ones in the order of their texts."""
    missing = sorted(range(column.n_valid, len(column.codes)), key=column.codes.__getitem__)
    order = np.array([*range(column.n_valid), *missing], np.int64)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    found, codes = np.unique(rank[column.values], return_inverse=True)
    return order[found], codes.reshape(-1).astype(np.int64)


def _is_shared(given: PerturbationInput, name: str, living: Ints) -> bool:
    """Whether the variable is the household's: declared so, or the same for the members of all of enough households."""
    values = given.columns[name].values
    if given.metadata[name].household:
        check_shared(given.columns[name], living)
        return True
    return (
        not differing_households(values, living)
        and int((np.bincount(living) > 1).sum()) >= _FEWEST
        and len(np.unique(values)) > 1
    )


def _part(original: _Original, households: Ints) -> tuple[HouseholdMembers, Ints]:
    """Some of the households, and their records."""
    living = original.living
    if len(households) == len(living.size):
        return living, original.records
    inside = np.zeros(len(living.size), np.bool_)
    inside[households] = True
    persons = inside[living.household]
    part = replace(living, size=living.size[households], shared=living.shared[households], own=living.own[persons])
    return part, original.records[persons]


def _drawn(
    given: PerturbationInput, original: _Original, living: HouseholdMembers, number: int
) -> SyntheticHouseholds:  # fmt: skip
    least, variables = given.parameters["protect"], ", ".join(original.names)
    random = replace(given, entry=original.entry).random(purpose=number)
    try:
        return draw_households(living, original.tables, least, random, given.progress)
    except TooManyCellsError as error:
        raise too_many_cells(original.names, error.count) from None
    except NothingLeftError as error:
        if error.table < 0:
            raise DataError(
                "synthetic-household-sizes",
                mark("Synthetic {variables}: {count} persons cannot be divided into households of the sizes that at "
                     "least {k} households have."),
                mark("Take coarser strata, or a smaller protect."),
                variables=variables,
                count=len(living.own),
                k=least,
            ) from None  # fmt: skip
        tables = original.tables if error.table == len(original.tables) else original.tables[error.table :][:1]
        raise DataError(
            "synthetic-nothing-left",
            mark("Synthetic {variables}: too few households are alike in {tables}; there is nothing to draw from where "
                 "fewer than {k} households have a combination."),
            mark("Take coarser tables or strata, recode before, or a smaller protect."),
            variables=variables,
            tables=", ".join(" × ".join(original.names[v] for v in table) for table in tables),
            k=least,
        ) from None  # fmt: skip


def _numbered(household: Ints, before: EncodedColumn, metadata: Metadata) -> EncodedColumn:
    """The identifier: 1, 2, 3, … as the households come in the file, without numbers that mean that it is missing."""
    first = np.unique(household, return_index=True)[1]
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    absent = {code.lstrip("0") for code in before.missing_codes}
    texts = tuple(islice((text for text in map(str, count(1)) if text not in absent), len(first)))
    length = metadata[before.name].length
    if metadata.format == "fixed" and len(texts[-1]) > length:
        raise DataError(
            "synthetic-identifier-too-wide",
            plural(
                length,
                "The numbers of {count} synthetic households do not fit the field {variable} of {width} byte.",
                "The numbers of {count} synthetic households do not fit the field {variable} of {width} bytes.",
            ),
            mark("Give {variable} a longer field in the data, or say households = false."),
            count=len(texts),
            variable=before.name,
            width=length,
        )
    codes = (*texts, *before.missing_codes)
    values = number[household].astype(np.uint32)
    width = max(map(len, codes))
    counts = np.bincount(values, minlength=len(codes)).astype(np.int64)
    return EncodedColumn(
        before.name, values, codes, tuple(code.rjust(width) for code in codes), counts, len(texts), width
    )


def _told(original: _Original, made: Sequence[SyntheticHouseholds]) -> tuple[dict[str, Any], tuple[PublishedTable]]:
    """Figures for the house, and what users are told of the tables."""
    before = original.living
    after = replace(
        before,
        size=np.concatenate([each.living.size for each in made]),
        shared=np.concatenate([each.living.shared for each in made]),
        own=np.concatenate([each.living.own for each in made]),
    )
    tables, promises = ((), *original.tables), (True, *original.promised)
    rows, worst, left = [], 0.0, 0.0
    for i in sorted(range(len(tables)), key=lambda i: (not promises[i], tables[i])):
        table, promised = tables[i], promises[i]
        wanted = _summed([each.tables[i] for each in made])
        old, now = table_of(before, table)[0].astype(np.float64), table_of(after, table)[0].astype(np.float64)
        old, now, wanted = _as_long(old, now, wanted)
        error, of_households = np.abs(now - wanted), made[0].tables[i].of_households
        worst = max(worst, float(np.abs(now - old).max()))
        left = max(left, float(old[wanted == 0].sum() / old.sum()))
        rows.append((
            _title(original, table),
            mark("promised") if promised else mark("by itself"),
            mark("households") if of_households else mark("persons"),
            # of whole units, 1 at least: the fraction, or none, would tell what a count was scaled by, and so how many
            # are left out
            _whole(float(error.max())),
            math.ceil(_whole(float(error.sum()) / 2) / max(now.sum(), 1.0) * 100 - 1e-9) / 100,
        ))  # fmt: skip
    published = PublishedTable(
        mark("Tables that the synthetic households keep; whatever is not named is not kept"),
        (mark("Table"), mark("Kept"), mark("Counted"),
         mark("Largest difference from the safe table"), mark("Units in another cell")),
        tuple(rows),
        ("text", "text", "text", "exact", "percent:0"),
    )  # fmt: skip
    persons = [cells_of(living.of_persons, living.codes) for living in (before, after)]
    unique = _unique(persons[0])
    kinds = [_compositions(living, cells) for living, cells in zip((before, after), persons, strict=True)]
    alone = {kind for kind, times in kinds[0].items() if times == 1}
    figures = {
        "largest_error_of_a_promised_count": worst,
        "fitted_within": max(each.deviation for each in made),
        "left_out": left,
        "uniques": len(unique),
        "replicated_uniques": len(np.intersect1d(unique, _unique(persons[1]))),
        "told_right": _told_right(before, after),
        "synthetic_households": len(after.size),
        "unique_households": len(alone),
        "replicated_unique_households": sum(kind in kinds[1] for kind in alone),
    }
    return figures, (published,)


def _title(original: _Original, table: tuple[int, ...]) -> str:
    return " × ".join(original.names[v] for v in table) if table else mark("Size of the household")


def _whole(units: float) -> float:
    return float(max(math.ceil(units - 1e-9), 1))


def _summed(tables: Sequence[SafeTable]) -> Floats:
    found = np.zeros(max(len(table.wanted) for table in tables))
    for table in tables:
        found[: len(table.wanted)] += table.wanted
    return found


def _as_long(*tables: Floats) -> list[Floats]:
    longest = max(map(len, tables))
    return [np.pad(table, (0, longest - len(table))) for table in tables]


def _unique(cells: Ints) -> Ints:
    values, counts = np.unique(cells, return_counts=True)
    return np.asarray(values[counts == 1], np.int64)


def _compositions(living: HouseholdMembers, cells: Ints) -> Counter[bytes]:
    """How many households have the same values and the same members, in whatever order."""
    ordered = cells[np.lexsort((cells, living.household))]
    ends = np.cumsum(living.size)
    bounds = zip((ends - living.size).tolist(), ends.tolist(), strict=True)
    return Counter(ordered[begin:end].tobytes() for begin, end in bounds)


def _told_right(before: HouseholdMembers, after: HouseholdMembers) -> float:
    """Share of persons whose last variable is the likeliest one among synthetic persons alike in all others."""
    if len(before.codes) < 2:
        return 0.0
    known, told = (cells_of(living.of_persons[:, :-1], living.codes[:-1]) for living in (before, after))
    last = before.codes[-1]
    pairs, times = np.unique(told * last + after.of_persons[:, -1], return_counts=True)
    order = np.lexsort((-times, pairs // last))
    groups, first = np.unique(pairs[order] // last, return_index=True)
    guess = pairs[order][first] % last
    place = np.minimum(np.searchsorted(groups, known), len(groups) - 1)
    right = (groups[place] == known) & (guess[place] == before.of_persons[:, -1])
    return float(right.mean())
