"""The original and a released file, record by record: read, joined, and refused where they do not belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Microdata
from ..data.variables import Metadata
from ..data.weights import parse_text
from ..formats.registry import read, read_again, read_numbers
from ..formats.text.writing import check_unchanged
from ..metadata.describe import describe, suffix_format
from ..recipe.model import Input
from ..recoding.recode import recode
from ..risk.measures.file_pair import FilePair
from ..risk.measures.targets import Targets
from .numeric import as_codes, modified_columns
from .released_columns import after_suppression
from .results import Protection, Results

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_METADATA = (".rds", ".rda")
"""Suffixes of the description of a file of the same name beside it."""


@dataclass(frozen=True, eq=False)
class MeasuredRecords:
    """What a measure of records reads; see `core.risk.measures.file_pair.RecordFiles`.

    Attributes
    ----------
    where : key of the measure in the recipe, for errors
    parameters : as used
    protection : None where nothing is suppressed
    """

    derived: Results
    variables: tuple[str, ...]
    where: str
    parameters: Mapping[str, Any]
    protection: Protection | None = None
    progress: Progress = SILENT

    @cached_property
    def numeric(self) -> frozenset[str]:
        """Variables that are declared numbers."""
        return frozenset(name for name in self.variables if self.derived.metadata[name].numeric)

    def numbers(self) -> Floats:
        """The variables in the original, (n, p), nan where missing.

        Raises
        ------
        DataError
            A value that is no number.
        """
        return self._numbers(self.variables)

    def pair(self, categories: Collection[str] = ()) -> FilePair:
        """The original and the released file that the parameters say, or that the recipe makes.

        Raises
        ------
        RecipeError
            No identifier to join by.
        DataError
            The released file cannot be read, lacks a variable, has other records, or a value that is no number.
        """
        numbers = tuple(name for name in self.variables if name not in categories)
        named = [name for name in self.variables if name in categories]
        path: Path | None = self.parameters.get("released")
        if path is None:
            self._check_released()
        original = self._numbers(numbers)
        mine = self._original_codes(named)
        if path is None:
            place = np.arange(len(original))
            released, theirs, digest = self._made(numbers, original), self._made_codes(named), ""
        else:
            described = self._described(path)
            found = self._with_identifier(path, described, named)
            place, digest, records = self._joined(found), found.source.sha256, found.records
            self._check_same_records(path, records)
            theirs = {name: found.columns[name] for name in named}
            del found  # identifiers are many texts
            released = _columns(records, read_numbers(path, described, numbers, self.progress))
        common = {name: _numbered(mine[name], theirs[name]) for name in named}
        return FilePair(
            original,
            released,
            place,
            digest,
            {name: each[0] for name, each in common.items()},
            {name: each[1] for name, each in common.items()},
            {name: each[2] for name, each in common.items()},
        )

    def targets(self, path: Path, safe: Sequence[EncodedColumn]) -> Targets:
        """The people of a register, their values recoded as the recipe recodes those of the file.

        Parameters
        ----------
        safe : the variables as released, p columns (n,)

        Raises
        ------
        RecipeError, DataError
            As `pair`.
        """
        names = list(self.variables)
        found = self._with_identifier(path, self._described(path), names)
        recodes = {spec.variable: spec for spec in self.derived.recipe.recodes}
        metadata = self.derived.metadata
        columns = dict(found.columns)
        for name in recodes.keys() & columns.keys():
            columns[name] = recode(columns[name], recodes[name], metadata[name]).column
        both = [_numbered(mine, theirs) for mine, theirs in zip((columns[name] for name in names), safe, strict=True)]
        of_target = None
        if self.identifier:
            place = self._joined(found)
            of_target = np.full(found.records, -1, np.int64)
            of_target[place[place >= 0]] = np.flatnonzero(place >= 0)
        return Targets(
            [each[0] for each in both],
            [each[1] for each in both],
            [each[2] for each in both],
            of_target,
            found.source.sha256,
        )

    def _numbers(self, names: Sequence[str]) -> Floats:
        source, metadata = self.derived.microdata.source, self.derived.metadata
        found = _columns(self.derived.records, read_numbers(source.path, metadata, names, self.progress))
        check_unchanged(source, self.progress)
        return found

    def _original_codes(self, names: Sequence[str]) -> dict[str, EncodedColumn]:
        """Columns after recoding, of those that are perturbed before as the original has them."""
        columns, perturbed = self._codes(names), self.derived.perturbed
        recodes = {spec.variable: spec for spec in self.derived.recipe.recodes}
        for name in columns.keys() & (perturbed.before if perturbed else {}).keys():
            assert perturbed is not None
            columns[name] = perturbed.before[name]
            if name in recodes:
                columns[name] = recode(columns[name], recodes[name], self.derived.metadata[name]).column
        return columns

    def _codes(self, names: Sequence[str]) -> dict[str, EncodedColumn]:
        """Columns after recoding; of what no table needs, as the file has them."""
        columns = {name: self.derived.columns[name] for name in names if name in self.derived.columns}
        lacking = [name for name in names if name not in columns]
        if lacking:
            described = as_codes(self.derived.metadata, lacking)
            columns |= read_again(self.derived.microdata.source, described, lacking, self.progress).columns
        return columns

    @cached_property
    def _changed(self) -> Mapping[str, EncodedColumn]:
        """Variables whose numbers the recipe changes, after that."""
        return modified_columns(self.derived, self._suppressed, self.progress).columns

    @property
    def _suppressed(self) -> Mapping[str, NDArray[np.bool_]]:
        return {} if self.protection is None else self.protection.plan.suppressed

    def _made(self, names: Sequence[str], original: Floats) -> Floats:
        """The numbers as the recipe makes them."""
        columns = []
        for name, before in zip(names, original.T, strict=True):
            column = self._changed.get(name)
            if column is None and name in self.derived.columns:
                column = after_suppression(self.derived.columns[name], self._suppressed)
            if column is None:
                gone = self._suppressed.get(name)
                columns.append(before if gone is None else np.where(gone, np.nan, before))
            else:
                columns.append(self._as_numbers(column)[column.values])
        return _columns(len(original), columns)

    def _made_codes(self, names: Sequence[str]) -> dict[str, EncodedColumn]:
        columns = self._codes(names)
        return {
            name: self._changed[name] if name in self._changed else after_suppression(columns[name], self._suppressed)
            for name in names
        }

    def _as_numbers(self, column: EncodedColumn) -> Floats:
        decimal = self.derived.metadata.decimal
        values = np.full(len(column.codes), np.nan)
        for place in np.flatnonzero(column.counts[: column.n_valid]).tolist():
            text = column.codes[place]
            number = parse_text(text, decimal)
            if number is None and text:
                raise DataError(
                    "released-not-a-number",
                    mark("{key}: the recipe makes codes of {variable} that are no numbers, for example {code}."),
                    mark("Take its recode away, or leave {variable} out here."),
                    key=self.where,
                    variable=column.name,
                    code=text,
                )
            values[place] = np.nan if number is None else float(number)
        return values

    def _check_released(self) -> None:
        for name in self.variables:
            variable = self.derived.metadata[name]
            if variable.removed or variable.role == "direct-identifier":
                raise RecipeError(
                    "variable-removed",
                    mark("{key}: {variable} is removed from the safe file."),
                    mark("Keep the variable, or take it out here."),
                    key=f"{self.where}.variables",
                    variable=name,
                )

    def _described(self, path: Path) -> Metadata:
        """The other file's own description, or that beside it; without one, text is laid out as the original."""
        mine = self.derived.metadata
        beside = description_beside(path)
        named = mine.format == "fixed" and suffix_format(path) in (None, "fixed")
        described = mine if beside is None and named else describe(Input(data=path, metadata=beside))
        names = (*self.variables, *self.identifier)
        lacking = next((name for name in names if name not in described), None)
        if lacking is not None:
            raise DataError(
                "released-lacks-variable",
                mark("{key}: {file} has no variable {variable}."),
                mark("It has {known}. Give the variable its name in the original, or leave it out."),
                key=f"{self.where}.released",
                file=path,
                variable=lacking,
                known=", ".join(described.names[:40]),
            )
        missing = {name: dict.fromkeys((*described[name].missing, *mine[name].missing)) for name in names}
        return replace(
            described,
            variables=tuple(
                replace(v, missing=tuple(missing[v.name])) if v.name in missing else v for v in described.variables
            ),
        )

    @property
    def identifier(self) -> tuple[str, ...]:
        """The variables by which records are known, none where their position tells.

        Raises
        ------
        RecipeError
            None is said, and there is no single direct identifier.
        """
        if self.parameters.get("by") != "identifier":
            return ()
        said: tuple[str, ...] = self.parameters.get("identifier", ())
        own = tuple(v.name for v in self.derived.metadata.variables if v.role == "direct-identifier")
        if said or len(own) == 1:
            return said or own
        raise RecipeError(
            "no-identifier",
            mark('{key}: by = "identifier" needs the variables that say who a record is.'),
            mark('Name them, as in identifier = ["HOUSEHOLD", "PERSON"].'),
            key=f"{self.where}.identifier",
        )

    def _with_identifier(self, path: Path, described: Metadata, names: Sequence[str]) -> Microdata:
        """The codes of the variables `names` of the other file, and of those by which its records are known."""
        wanted = [*dict.fromkeys((*names, *self.identifier))]
        return read(path, as_codes(described, wanted), wanted, self.progress)

    def _joined(self, found: Microdata) -> Ints:
        """Place of each original record in the released file `found`."""
        names, path = list(self.identifier), found.source.path
        if not names:
            return np.arange(self.derived.records)
        metadata = as_codes(self.derived.metadata, names)
        mine = read_again(self.derived.microdata.source, metadata, names, self.progress).columns
        own = _identities([mine[name] for name in names], self.derived.microdata.source.path, self.where)
        place_of = _identities([found.columns[name] for name in names], path, self.where)
        place = np.full(self.derived.records, -1, np.int64)
        for who, record in own.items():
            place[record] = place_of.get(who, -1)
        if (place < 0).all():
            raise DataError(
                "released-nobody",
                mark("{key}: no record of {file} has the identifier of a record of the original."),
                mark("Check that {variables} is written alike in both files."),
                key=f"{self.where}.identifier",
                file=path,
                variables=", ".join(names),
            )
        return place

    def _check_same_records(self, path: Path, records: int) -> None:
        if self.parameters.get("by") != "identifier" and records != self.derived.records:
            raise DataError(
                "released-other-records",
                mark("{key}: {file} has {found} records and the original {expected}: they cannot be told by position."),
                mark('Say by = "identifier", or bring the file in the order of the original.'),
                key=f"{self.where}.released",
                file=path,
                found=records,
                expected=self.derived.records,
            )


def description_beside(path: Path) -> Path | None:
    """The .rds or .rda of the same name beside the file `path`, None where there is none."""
    return next((file for suffix in _METADATA if (file := path.with_suffix(suffix)).is_file()), None)


def _columns(records: int, columns: Iterable[Floats]) -> Floats:
    """Side by side, (records, p)."""
    listed = list(columns)
    return np.stack(listed, axis=1) if listed else np.empty((records, 0))


def _identities(columns: Sequence[EncodedColumn], path: Path, where: str) -> dict[tuple[str, ...], int]:
    """The record of each identifier; records that lack it are nobody's."""
    texts = [np.array([*column.codes[: column.n_valid], *[""] * column.n_missing_codes], object) for column in columns]
    listed = zip(*(text[column.values] for text, column in zip(texts, columns, strict=True)), strict=True)
    found: dict[tuple[str, ...], int] = {}
    for record, who in enumerate(listed):
        if not all(who):
            continue
        if who in found:
            raise DataError(
                "identifier-twice",
                mark("{key}: two records of {file}, {first} and {second}, have the same identifier."),
                mark("Name further variables that tell them apart."),
                key=f"{where}.identifier",
                file=path,
                first=found[who] + 1,
                second=record + 1,
            )
        found[who] = record
    return found


def _numbered(mine: EncodedColumn, theirs: EncodedColumn) -> tuple[NDArray[np.uint32], NDArray[np.uint32], int]:
    """Codes of both columns numbered together, the number of codes where missing, and that number."""
    missing = {"", *mine.missing_codes, *theirs.missing_codes}
    both = [code for column in (mine, theirs) for code in column.codes[: column.n_valid]]
    numbers = {code: i for i, code in enumerate(dict.fromkeys(code for code in both if code not in missing))}
    card = len(numbers)
    own, other = (
        np.array(
            [numbers.get(code, card) if place < column.n_valid else card for place, code in enumerate(column.codes)],
            np.uint32,
        )[column.values]
        for column in (mine, theirs)
    )
    return own, other, card
