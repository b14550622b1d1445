"""Slow plain twin of core.suppression.inference.elimination: every completion of every released key, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

Row = tuple[int | None, ...]


def released(rows: Sequence[Row], lost: Sequence[set[int]]) -> list[Row]:
    """The file after suppression."""
    return [tuple(None if j in gone else v for j, v in enumerate(row)) for row, gone in zip(rows, lost, strict=True)]


def left(rows: Sequence[Row], lost: Sequence[set[int]]) -> dict[tuple[int, int], set[int]]:
    """The values that the released file alone leaves for each blank (record, position), of those that it has.

    None is missing; `lost` are the positions newly suppressed in each record.
    """
    safe = released(rows, lost)
    intact = {row for row in safe if None not in row}
    known = [{row[j] for row in safe} - {None} for j in range(len(rows[0]))]
    found = {}
    for record, gone in enumerate(lost):
        fillings = [known[j] or {-1} if value is None else {value} for j, value in enumerate(safe[record])]
        for j in gone:
            others = fillings[:j] + fillings[j + 1 :]
            found[record, j] = {
                value
                for value in known[j]
                if any((*rest[:j], value, *rest[j:]) not in intact for rest in product(*others))
            }
    return found


def possible(
    rows: Sequence[Row], lost: Sequence[set[int]], shared: frozenset[int] = frozenset()
) -> dict[tuple[int, int], int]:
    """How many values are possible for each blank, the value itself always among them.

    `shared` positions may be lost because of others: whoever lost no other one may have any value.
    """
    safe = released(rows, lost)
    found = {}
    for (record, j), values in left(rows, lost).items():
        own = rows[record][j]
        if lost[record] <= shared:
            values = {row[j] for row in safe} - {None}
        vanished = {row[j] for row in rows} - {row[j] for row in safe} - {None}
        found[record, j] = len(values | {own} | (vanished if own in vanished else set()))
    return found


def possible_in_households(
    rows: Sequence[Row],
    lost: Sequence[set[int]],
    shared: frozenset[int],
    same: frozenset[int],
    household: Sequence[int],
) -> dict[tuple[int, int], int]:
    """`possible`, and what is left in households that lost `same` positions: every world of every such household."""
    safe, found = released(rows, lost), possible(rows, lost, shared)
    intact = {row for row in safe if None not in row}
    known = [sorted({row[j] for row in safe} - {None}) or [-1] for j in range(len(rows[0]))]
    for home in set(household):
        members = [i for i, one in enumerate(household) if one == home]
        common = sorted(set().union(*(lost[i] for i in members)) & same)
        if not common:
            continue
        guilty = [i for i in members if lost[i] - shared]
        worlds, all_worlds = [], []
        for together in product(*(known[j] for j in common)):
            fixed = dict(zip(common, together, strict=True))
            unsafe = {i: [key for key in _completions(safe[i], known, fixed) if key not in intact] for i in members}
            all_worlds.append((fixed, unsafe))
            if all(unsafe[i] for i in guilty) and any(unsafe.values()):
                worlds.append((fixed, unsafe))
        for i in members:
            vanishing = [{row[j] for row in rows} - {row[j] for row in safe} - {None} for j in range(len(known))]
            for j in lost[i]:
                values: set[int | None] = set()
                for fixed, keys_of in worlds or all_worlds:
                    values |= (
                        {key[j] for key in keys_of[i]} if i in guilty else {fixed[j]} if j in fixed else set(known[j])
                    )
                own = rows[i][j]
                found[i, j] = len((values - {-1}) | {own} | (vanishing[j] if own in vanishing[j] else set()))
    return found


def _completions(row: Row, known: Sequence[Sequence[int | None]], fixed: dict[int, int | None]) -> list[Row]:
    """`row` with every known code in place of its blanks, those of `fixed` at their positions."""
    choices = [[fixed[j]] if j in fixed else known[j] if value is None else [value] for j, value in enumerate(row)]
    return list(product(*choices))
