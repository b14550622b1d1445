"""What must go from a record: minimal sets of its values that are unsafe together.

A record is safe when of each of these sets at least one value is missing. That holds for rare combinations (method,
unsafe combinations) and for individual risks, whose unsafe sets of keys are upward closed, alike; so tables of both
kinds are protected together, by the hitting set of least weight (`core.suppression.cover`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..risk.individual import lowest_unsafe
from ..tables.cell_index import CellIndex
from ..tables.margins import UnsafeSpec, margin_thresholds
from ..tables.projections import Cube
from ..tables.tabulate import tabulate_records
from .individual import check_reachable
from .margin_risks import MarginRisks
from .problem import ProtectedTable

Words = NDArray[np.uint64]
Masks = tuple[int, ...]

MOST_BYTES = 1 << 31
"""For each cell a bit a margin has to be kept."""

_WORD = 64
_WITHOUT = (
    0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF,
    0x00000000FFFFFFFF,
)  # fmt: skip
"""Of 64 sets numbered by their bits: those without bit 0, 1, ..., 5."""


@dataclass(frozen=True, eq=False)
class UnsafeSets:
    """The demands of every record.

    Attributes
    ----------
    of_record : (n,) int64, index into `masks`
    masks : distinct demands, each an ascending tuple of sets of variables (bit masks) none of which contains another;
        ``masks[0]`` is the empty tuple: nothing must go
    """

    of_record: NDArray[np.int64]
    masks: tuple[Masks, ...]


def rare_demands(
    specs: Sequence[UnsafeSpec],
    columns: Mapping[str, EncodedColumn],
    bits: Mapping[str, int],
    progress: Progress = SILENT,
) -> list[UnsafeSets]:
    """Demands of the records' unsafe combinations, one for each distinct table of `specs`.

    Parameters
    ----------
    specs : frequency tables; a margin inherits the largest threshold unless it is itself a table
    bits : the bit of each variable in the masks
    """
    thresholds = margin_thresholds(specs)
    found, done = [], set[frozenset[str]]()
    for names in sorted({spec.variables for spec in specs}, key=lambda names: -len(names)):
        todo = {
            mask: thresholds[margin]
            for mask in range(1, 1 << len(names))
            if (margin := frozenset(n for j, n in enumerate(names) if mask >> j & 1)) not in done
        }
        if todo:
            found.append(_rare(names, todo, columns, bits, progress))
        done.update(frozenset(n for j, n in enumerate(names) if mask >> j & 1) for mask in todo)
    return found


def _rare(
    names: Sequence[str], thresholds: Mapping[int, int], columns: Mapping[str, EncodedColumn],
    bits: Mapping[str, int], progress: Progress,
) -> UnsafeSets:  # fmt: skip
    cells, cell_index = tabulate_records([columns[name] for name in names], None, "category", progress=progress)
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    unsafe = _no_sets(len(cells), names)
    for mask in sorted(thresholds, key=lambda mask: (-mask.bit_count(), mask)):
        margin = cube.project(mask, progress)
        rare = (margin.count <= thresholds[mask]) & (margin.missing == 0)
        if rare.any():
            _add(unsafe, mask, rare[margin.group_of_cell])
    return _demands(unsafe, cell_index, [bits[name] for name in names], progress)


class TooRare(Protocol):
    """Which rows have values that no released key can do for: a criterion's `too_rare`."""

    def __call__(
        self, margins: NDArray[np.uint32], sizes: NDArray[np.int64], columns: Mapping[str, EncodedColumn]
    ) -> NDArray[np.bool_]:
        """See `core.suppression.criteria.whole_file.WholeFileCriterion.too_rare`."""


def key_demands(
    names: Sequence[str],
    beside: Sequence[str],
    too_rare: TooRare,
    columns: Mapping[str, EncodedColumn],
    bits: Mapping[str, int],
    progress: Progress = SILENT,
) -> UnsafeSets:
    """Demands of the records whose values of a combination no released key can do for.

    Parameters
    ----------
    names, beside : the key variables, and the other ones that `too_rare` looks at
    columns : of both
    bits : the bit of each key variable in the masks
    """
    both = [columns[name] for name in (*names, *beside)]
    cells, cell_index = tabulate_records(both, None, "category", progress=progress)
    codes = dict(zip(cells.variables, cells.codes, strict=True))
    looked_at = {name: replace(columns[name], values=codes[name]) for name in beside}
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    unsafe = _no_sets(len(cells), names)
    for mask in range((1 << len(names)) - 1, 0, -1):
        margin = cube.project(mask, progress)
        rare = too_rare(margin.group_of_cell, margin.count, looked_at)
        rare &= (margin.missing == 0)[margin.group_of_cell]
        if rare.any():
            _add(unsafe, mask, rare)
    return _demands(unsafe, cell_index, [bits[name] for name in names], progress)


def risk_demands(table: ProtectedTable, bits: Mapping[str, int], progress: Progress = SILENT) -> UnsafeSets:
    """Demands of the records whose individual risk is at or above the table's threshold, under its missing rule.

    Raises
    ------
    ProtectionError
        A threshold that even records without any key value do not meet.
    """
    limit = lowest_unsafe(table.threshold)
    if limit == np.inf:
        return UnsafeSets(np.zeros(len(table.cell_index), np.int64), ((),))
    risks = MarginRisks(table, progress)
    check_reachable(table, risks)
    return _risky(table, risks, limit, bits, progress)


def limited_demands(
    table: ProtectedTable, limits: NDArray[np.float64], bits: Mapping[str, int], progress: Progress = SILENT
) -> list[UnsafeSets]:
    """Demands of the records whose individual risk has to be below limits of their own, one for each distinct limit.

    Parameters
    ----------
    limits : (n,) float64; inf: none. A record that no suppression brings below its limit demands the empty set
    """
    risks, found = MarginRisks(table, progress), []
    risky = table.cell_index.spread(risks.own()) >= limits
    for limit in np.unique(limits[risky]).tolist():
        demands = _risky(table, risks, limit, bits, progress)
        found.append(UnsafeSets(np.where(risky & (limits == limit), demands.of_record, 0), demands.masks))
    return found


def _risky(
    table: ProtectedTable, risks: MarginRisks, limit: float, bits: Mapping[str, int], progress: Progress
) -> UnsafeSets:
    cells = table.cells
    rows = np.flatnonzero(risks.own() >= limit).astype(np.uint32)
    names = cells.variables
    unsafe = _no_sets(len(cells), names)
    missing = cells.missing[rows]
    for mask in sorted(range(1 << len(names)), key=lambda mask: (-mask.bit_count(), mask)):
        complete = rows[missing & np.uint64(mask) == 0]
        if len(complete):
            risky = np.zeros(len(cells), np.bool_)
            risky[complete] = risks.at(mask, complete) >= limit
            _add(unsafe, mask, risky)
    return _demands(unsafe, table.cell_index, [bits[name] for name in names], progress)


def _no_sets(cells: int, names: Sequence[str]) -> Words:
    """(cells, words): a bit for each set of the variables, none set."""
    words = max(1, (1 << len(names)) // _WORD)
    if cells * words * 8 > MOST_BYTES:
        raise RecipeError(
            "too-many-margins",
            mark("The combination {combination} has {margins} margins, too many to suppress its unsafe combinations."),
            mark("Take fewer variables together."),
            combination=" x ".join(names),
            margins=(1 << len(names)) - 1,
        )
    return np.zeros((cells, words), np.uint64)


def _add(sets: Words, mask: int, rows: NDArray[np.bool_]) -> None:
    sets[:, mask // _WORD] |= rows.astype(np.uint64) << np.uint64(mask % _WORD)


def _above(sets: Words, variable: int) -> Words:
    """The sets given, with `variable` added to those without it; the others are left out."""
    if variable < len(_WITHOUT):
        return (sets & np.uint64(_WITHOUT[variable])) << np.uint64(1 << variable)
    moved = np.zeros_like(sets)
    halves = (len(sets), -1, 2, 1 << variable - len(_WITHOUT))
    moved.reshape(halves)[:, :, 1] = sets.reshape(halves)[:, :, 0]
    return moved


def minimal_sets(sets: Words) -> Words:
    """Of each row those sets that contain no other one of it.

    Parameters
    ----------
    sets : (rows, words) uint64; bit s of a row stands for the set whose members are the bits of s
    """
    variables = (sets.shape[1] * _WORD).bit_length() - 1
    closed = sets.copy()
    for variable in range(variables):
        closed |= _above(closed, variable)
    larger = np.zeros_like(sets)
    for variable in range(variables):
        larger |= _above(closed, variable)
    return sets & ~larger


def _demands(unsafe: Words, cell_index: CellIndex, bits: Sequence[int], progress: Progress) -> UnsafeSets:
    progress.check()
    minimal = np.ascontiguousarray(minimal_sets(unsafe))
    progress.check()
    rows = minimal[:, 0] if minimal.shape[1] == 1 else minimal.view(np.dtype((np.void, minimal.shape[1] * 8)))[:, 0]
    _, first, of_cell = np.unique(rows, return_index=True, return_inverse=True)
    known: dict[Masks, int] = {(): 0}
    number = np.array([known.setdefault(masks, len(known)) for masks in _masks_of(minimal[first], bits)], np.int64)
    return UnsafeSets(cell_index.spread(number[of_cell]), tuple(known))


def _masks_of(sets: Words, bits: Sequence[int]) -> Iterable[Masks]:
    for row in sets.tolist():
        found = []
        for word, content in enumerate(row):
            while content:
                low = content & -content
                content ^= low
                found.append(_moved(word * _WORD + low.bit_length() - 1, bits))
        yield tuple(sorted(found))


def _moved(mask: int, bits: Sequence[int]) -> int:
    return sum(1 << bit for j, bit in enumerate(bits) if mask >> j & 1)


def together(parts: Sequence[UnsafeSets], records: int, progress: Progress = SILENT) -> UnsafeSets:
    """All demands of each record at once; a set that contains another one is left out."""
    known: dict[Masks, int] = {(): 0}
    every: list[Masks] = [()]
    of_record = np.zeros(records, np.int64)
    for part in parts:
        progress.check()
        rows = np.flatnonzero(part.of_record)
        pairs = of_record[rows] * len(part.masks) + part.of_record[rows]
        distinct, index = np.unique(pairs, return_inverse=True)
        numbers = []
        for pair in distinct.tolist():
            mine, more = divmod(pair, len(part.masks))
            masks = _minimal(every[mine], part.masks[more])
            if masks not in known:
                known[masks] = len(every)
                every.append(masks)
            numbers.append(known[masks])
        of_record[rows] = np.array(numbers, np.int64)[index]
    return UnsafeSets(of_record, tuple(every))


def _minimal(one: Masks, other: Masks) -> Masks:
    """Those of two demands that contain no other one; within each, none does."""
    if not one or not other:
        return one or other
    new = [mask for mask in other if not any(mask & smaller == smaller for smaller in one)]
    if not new:
        return one
    return tuple(sorted([*(mask for mask in one if not any(mask & smaller == smaller for smaller in new)), *new]))
