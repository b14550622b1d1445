"""From which values and which secret it is drawn which records of a cell lose values.

A record is known by the original values of the variables that the safe file holds, but for new numbers of households;
a recode, an edit or noise draws nothing anew. The secret stands in the recipe. For one without, the seed and the values
that only the house knows stand for it: those of the key variables and of all variables that are not released. So the
same values give the same draws in whatever file, format and encoding they are [method: The same again].
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.encoding_many_codes import as_bytes
from ..data.variables import Metadata
from ..perturbation.numbers import parsed_number, plain_numbers
from ..recipe.model import Recipe
from ..suppression.record_draws import (
    START,
    DrawSource,
    Ints,
    Numbers,
    drawn_numbers,
    file_digest,
    folded,
    occurrences,
    of_units,
)
from .needed_columns import hidden_variables

_MISSING = np.float64("nan").view(np.uint64)
_WORD = 8

Digests = Callable[[tuple[str, ...], Progress], Numbers]
"""Gives the digest of the values that each record has of some variables, (n,)."""


def draw_source(recipe: Recipe, metadata: Metadata) -> DrawSource:
    """What the draws of a recipe follow from."""
    hidden = hidden_variables(metadata)
    if metadata.household_id is not None and recipe.output.household_id != "keep":
        hidden.add(metadata.household_id.name)
    sources = {spec.name: spec.sources for spec in recipe.derived}
    keys = {name for each in recipe.combinations for key in each.variables for name in (key, *sources.get(key, ()))}
    names = sorted(metadata.names)
    return DrawSource(
        recipe.suppression.secret,
        recipe.suppression.seed,
        tuple(name for name in names if name not in hidden),
        tuple(name for name in names if name in keys or name in hidden),
    )


@dataclass(frozen=True)
class ValueDraw:
    """Draws records by their values; see `core.suppression.record_draws.RecordDraw`.

    `digests` : reads the values, which is done only where something is to be drawn
    """

    source: DrawSource
    digests: Digests = field(compare=False, repr=False)

    def numbers(
        self, records: Ints, units: NDArray[np.integer[Any]], variables: Sequence[str], progress: Progress = SILENT
    ) -> Numbers:
        """As of `RecordDraw`."""
        digests = self.digests(self.source.released, progress)[records]
        key = key_of(self.source, lambda names: file_digest(self.digests(names, progress)))
        return drawn_numbers(key, variables, digests, occurrences(of_units(digests, units)), progress)


def key_of(source: DrawSource, digest: Callable[[tuple[str, ...]], Numbers]) -> bytes:
    """The secret that draws follow from; `digest` gives that of some variables of the file, where it is needed."""
    return source.key(digest(source.known_inside) if source.secret is None else None)


def digests_of_records(
    columns: Mapping[str, EncodedColumn], names: Sequence[str], decimal: str, before: Numbers | None = None
) -> Numbers:
    """Digests of the values of the variables `names`, (n,), in this order; `before`: of variables that came before."""
    found = before
    for name in names:
        column = columns[name]
        if found is None:
            found = np.full(len(column.values), START)
        found = folded(found, values_of(column, decimal)[column.values])
    return np.zeros(0, np.uint64) if found is None else found


def values_of(column: EncodedColumn, decimal: str) -> Numbers:
    """(codes,) a number for each code that is the same for the same value in every file.

    5, 05 and 5.0 are one value, and so are all missing codes.
    """
    n = column.n_valid
    found = np.full(len(column.codes), _MISSING, np.uint64)
    valid = column.codes[:n]
    plain = plain_numbers(valid, decimal)
    if plain is not None:
        found[:n] = (plain[1] + 0.0).view(np.uint64)  # -0 is 0
    elif n:
        texts = as_bytes(valid)
        if texts is None:
            texts = np.array([unicodedata.normalize("NFC", text).encode() for text in valid])
        found[:n] = _of_texts(texts)
        first = texts.view(np.uint8).reshape(n, -1)[:, 0]
        for place in np.flatnonzero(np.isin(first, list(f"0123456789+-.{decimal}".encode()))).tolist():
            number = parsed_number(valid[place], decimal)
            if number is not None:
                found[place] = np.float64(float(number) + 0.0).view(np.uint64)
    return found


def _of_texts(texts: NDArray[np.bytes_]) -> Numbers:
    """Of each of some texts a number, by their bytes alone; of an empty one that of missing codes."""
    width = -(-texts.itemsize // _WORD) * _WORD
    words = np.ascontiguousarray(texts.astype(f"S{width}")).view("<u8").reshape(len(texts), -1)
    found = np.full(len(texts), START)
    for word in words.T:
        found = np.where(word == 0, found, folded(found, word.astype(np.uint64)))
    return np.where(words[:, 0] == 0, _MISSING, found)
