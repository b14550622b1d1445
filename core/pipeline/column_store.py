"""Encoded columns of a data file, read once each: a new pass over the file reads only what is not at hand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from ..base.errors import Notice, RecipeError
from ..base.progress import Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Microdata, Source, Weights
from ..data.variables import Metadata, Variable
from ..formats.registry import read
from ..formats.text.block_file import changed
from ..recipe.in_parts import is_in_parts
from ..recipe.model import Input
from ..results.input_files import InputFiles
from .cache import Cache


@dataclass(frozen=True, eq=False)
class _Read:
    """One variable as it was read, and what reading it said."""

    column: EncodedColumn | None
    weights: Weights | None
    notices: tuple[Notice, ...]


class _Form:
    """How a file is laid out, as a part of keys: hashed once, because of thousands of variables each has its key."""

    def __init__(self, parts: Hashable) -> None:
        self._parts = parts
        self._hash = hash(parts)

    @classmethod
    def of(cls, metadata: Metadata) -> _Form:
        """What of a description decides which bytes a column is read from."""
        places = tuple((v.name, v.start, v.length, v.column) for v in metadata.variables)
        return cls((metadata.format, metadata.delimiter, metadata.header, metadata.encoding, metadata.decimal, places))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Form) and self._hash == other._hash and self._parts == other._parts)


class ColumnStore:
    """Columns of data files, read once and kept in a cache; with `staying` for good, so that none is read twice.

    `cells` : those of a file in parts, which stand for its records; then no file is read.
    """

    def __init__(self, cache: Cache, inputs: InputFiles, staying: bool = False, cells: Microdata | None = None) -> None:
        self._cells = cells
        self._cache = cache
        self._inputs = inputs
        self._staying = staying
        self._described: Metadata | None = None
        self._form: _Form | None = None

    def key(self, source: Input, metadata: Metadata, name: str, as_code: bool = False) -> Hashable:
        """All that the encoded variable `name` depends on; `as_code`: read as codes, whatever else it is."""
        variable = metadata[name]
        meaning = variable.missing, variable.decimals, variable.role == "weight", as_code or variable.categorical
        return "column", self._layout(source, metadata), name, meaning

    def _layout(self, source: Input, metadata: Metadata) -> Hashable:
        if metadata is not self._described:
            self._described, self._form = metadata, _Form.of(metadata)
        return self.place_of(source), self._form

    def place_of(self, source: Input) -> Hashable:
        """Which files the columns come from, and their stamps."""
        return source.data, source.parts, None if source.data is None else self._inputs.data(source.data)

    def microdata(
        self, source: Input, metadata: Metadata, names: Sequence[str], progress: Progress, passing: bool = False
    ) -> Microdata:
        """The variables `names` and the weight, encoded.

        Parameters
        ----------
        passing : whether they are wanted once only, and need not stay

        Raises
        ------
        RecipeError
            The recipe names no data.
        DataError
            The data cannot be read, or are no longer what they were when other columns were read.
        """
        if self._cells is not None:
            columns = {name: self._cells.columns[name] for name in names}
            return replace(self._cells, metadata=metadata, columns=columns)
        if is_in_parts(source):
            raise RecipeError(
                "data-in-parts",
                mark("The recipe's data are several files, the parts of one."),
                mark("Carry it out by main.py run, or name one of the parts as data."),
            )
        if source.data is None:
            raise RecipeError(
                "no-data", mark("The recipe does not say input.data."), mark("Name the microdata file there.")
            )
        weight = metadata.weight
        wanted = tuple(dict.fromkeys((*names, weight.name) if weight else names))
        keys = {name: self.key(source, metadata, name) for name in wanted}
        found = {name: self._cache.get(keys[name]) for name in wanted}
        whole = ("source", self._layout(source, metadata))
        known: Source | None = self._cache.get(whole)
        lacking = [name for name in wanted if found[name] is None]
        if lacking or known is None:
            fresh = read(source.data, metadata, lacking, progress)
            if known is not None and fresh.source.sha256 != known.sha256:
                raise changed(source.data)
            stays = self._staying and not passing
            known = self._cache.put(whole, fresh.source, stays)
            for name in lacking:
                found[name] = self._cache.put(keys[name], _part(fresh, metadata[name]), stays)
        return _together(metadata, known, found)


def _part(fresh: Microdata, variable: Variable) -> _Read:
    notices = tuple(notice for notice in fresh.notices if notice.where == variable.name)
    weights = fresh.weights if variable.role == "weight" else None
    return _Read(fresh.columns.get(variable.name), weights, notices)


def _together(metadata: Metadata, source: Source, found: dict[str, _Read]) -> Microdata:
    columns = {name: part.column for name, part in found.items() if part.column is not None}
    weights = next((part.weights for part in found.values() if part.weights is not None), None)
    notices = tuple(notice for part in found.values() for notice in part.notices)
    return Microdata(metadata, source, columns, weights, notices)
