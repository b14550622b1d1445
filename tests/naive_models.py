"""Slow plain twins of suppression by the threshold rule and by k-anonymity: by the definition, record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

from tests.naive_suppression import closure

Rows = Mapping[str, Sequence[int | None]]
RareTable = tuple[tuple[str, ...], int]


def thresholds(tables: Sequence[RareTable]) -> dict[frozenset[str], int]:
    """Largest unsafe count of each table and margin."""
    found: dict[frozenset[str], int] = {}
    for names, threshold in tables:
        for size in range(1, len(names) + 1):
            for some in combinations(names, size):
                found[frozenset(some)] = max(found.get(frozenset(some), 0), threshold)
    for margin in {frozenset(names) for names, _ in tables}:
        found[margin] = max(threshold for names, threshold in tables if frozenset(names) == margin)
    return found


def has_unsafe(tables: Sequence[RareTable], rows: Rows, kept: Mapping[str, int]) -> bool:
    """Whether the values `kept` contain an unsafe combination of the file of `rows`."""
    for margin, threshold in thresholds(tables).items():
        if margin <= kept.keys():
            alike = [all(rows[name][i] == kept[name] for name in margin) for i in range(len(next(iter(rows.values()))))]
            if sum(alike) <= threshold:
                return True
    return False


def choose(
    order: Sequence[str],
    rows: Rows,
    costs: Mapping[str, float],
    related: Mapping[str, str],
    fixed: frozenset[str],
    record: int,
    safe: Callable[[set[str]], bool],
) -> set[str] | None:
    """Newly missing variables of one record by exhaustive search over what makes it `safe`; None: nothing does."""
    gone = {name for name, values in rows.items() if values[record] is None}
    there = [name for name in order if name not in gone]
    options: dict[frozenset[str], tuple[int, list[int]]] = {}
    for size in range(len(there) + 1):
        for subset in combinations(there, size):
            newly = frozenset(set().union(*(closure(name, related) for name in subset)) - gone)
            if not newly & fixed and safe(gone | newly):
                options[newly] = len(newly), sorted(order.index(name) for name in newly if name in order)
    if not options:
        return None
    loss = {option: sum(costs[name] for name in option) for option in options}
    cheapest = [option for option in options if loss[option] <= min(loss.values()) + 1e-9]
    return set(min(cheapest, key=options.__getitem__))


def rarest(rows: Sequence[tuple[int | None, ...]]) -> int:
    """The smallest number of records with the same key, missing values being values."""
    return min(Counter(rows).values(), default=0)


def least_loss_of_k_anonymity(rows: Sequence[tuple[int | None, ...]], costs: Sequence[float], k: int) -> float | None:
    """Least loss of any suppression after which every key occurs k times, by trying all; None: there is none."""
    return least_loss(rows, costs, lambda released: rarest(released) >= k)


def least_values(keys: Sequence[tuple[int | None, ...]], sensitive: Sequence[int | None]) -> int | None:
    """The least number of different sensitive values behind a key that has one; None: no key has."""
    behind: dict[tuple[int | None, ...], set[int]] = {}
    for key, value in zip(keys, sensitive, strict=True):
        if value is not None:
            behind.setdefault(key, set()).add(value)
    return min(map(len, behind.values()), default=None)


def least_loss(
    rows: Sequence[tuple[int | None, ...]],
    costs: Sequence[float],
    holds: Callable[[list[tuple[int | None, ...]]], bool],
) -> float | None:
    """Least loss of any suppression after which the released keys are as they should, by trying all; None: none is."""
    choices = []
    for row in rows:
        there = [j for j, value in enumerate(row) if value is not None]
        some = [lost for size in range(len(there) + 1) for lost in combinations(there, size)]
        choices.append([
            (tuple(None if j in lost else value for j, value in enumerate(row)), sum(costs[j] for j in lost))
            for lost in some
        ])  # fmt: skip
    return min((sum(loss for _, loss in all_) for all_ in product(*choices) if holds([row for row, _ in all_])),
               default=None)  # fmt: skip
