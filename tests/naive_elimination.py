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
