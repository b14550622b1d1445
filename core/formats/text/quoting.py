"""Quotation marks of delimited text that is written: the same for all changed fields of a column."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ...base.progress import Progress
from .block_file import BlockFile
from .reading import Records
from .records import RecordBlock

_BLANK = 32


def quoted_columns(
    records: Records, changes: Mapping[str, NDArray[np.bool_] | None], progress: Progress
) -> frozenset[str]:
    """Changed variables whose new fields all stand in quotes: where every field that stays does, the empty ones aside.

    Where no field stays, or only empty ones, every field of the original must. The quotes of the single field that is
    replaced never matter: usual programs quote only what holds a delimiter or a quote, so they tell of what it held.

    Parameters
    ----------
    records : of the original; goes through the file as far as it takes to decide
    changes : by variable (n,) bool, the records whose field is replaced; None: all
    """
    undecided = {name: _Seen() for name in changes}
    with BlockFile(records.path, hashed=False) as file:
        blocks = copy(records).blocks(file)  # a pass leaves traces in the records
        while any(not seen.decided for seen in undecided.values()) and (block := next(blocks, None)) is not None:
            for name, seen in undecided.items():
                progress.check()
                if not seen.decided:
                    seen.look(block, records.slots[name], changes[name])
    return frozenset(name for name, seen in undecided.items() if seen.quoted)


class _Seen:
    """What was seen of a column so far: whether in quotes, and not in quotes, a field stands and a field stays."""

    def __init__(self) -> None:
        self._kept, self._found = {True: False, False: False}, {True: False, False: False}
        self.decided = False

    def look(self, block: RecordBlock, slot: int, changed: NDArray[np.bool_] | None) -> None:
        starts, lengths = block.field(slot)
        in_quotes = starts != block.raw(slot)[0]
        stays = np.zeros(len(block), np.bool_)
        if changed is not None:
            stays = ~changed[block.first : block.first + len(block)]
        for quoted in (True, False):
            for where, found in ((stays, self._kept), (~stays, self._found)):
                rows = np.flatnonzero(where & (in_quotes == quoted) & (lengths > 0))
                found[quoted] = found[quoted] or any(
                    block.data[starts[row] : starts[row] + lengths[row]].max() > _BLANK for row in rows
                )
        self.decided = self._kept[False] or (changed is None and self._found[False])

    @property
    def quoted(self) -> bool:
        """Whether every field that counts stands in quotes, and there is one."""
        found = self._kept if any(self._kept.values()) else self._found
        return found[True] and not found[False]
