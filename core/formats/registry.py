"""Registry of the file formats: which module reads and writes which."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from ..base.progress import SILENT, Progress
from ..recipe.available import written_format
from ..recipe.model import TYPED, Format

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..data.columns import Microdata, Source, Weights
    from ..data.variables import Metadata
    from .text.writing import FieldEdit, Rewrite

MODULES: dict[Format, str] = {
    "fixed": ".text.fixed",
    "delimited": ".text.delimited",
    **dict.fromkeys(TYPED, ".typed.writing"),
}
"""Module of each format that can be read and written; its functions are those of `FileFormat`."""


class FileFormat(Protocol):
    """Interface of a format's module; see `core.formats.text.fixed` for parameters and errors."""

    def read(
        self,
        path: Path,
        metadata: Metadata,
        names: Collection[str],
        progress: Progress = SILENT,
        known: Weights | None = None,
    ) -> Microdata:
        """Encode the named variables."""

    def read_numbers(
        self, path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
    ) -> list[NDArray[np.float64]]:
        """Numerical variables, nan where missing."""

    def safe_layout(self, metadata: Metadata, edits: Mapping[str, FieldEdit], removed: frozenset[str]) -> Metadata:
        """Metadata of the safe file."""

    def write(self, rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT) -> None:
        """Write the safe file."""


def format_module(format: Format) -> FileFormat:
    """The module that reads and writes a format."""
    return cast(FileFormat, importlib.import_module(MODULES[format], __package__))


def read(
    path: Path,
    metadata: Metadata,
    names: Collection[str],
    progress: Progress = SILENT,
    known: Weights | None = None,
) -> Microdata:
    """Read a file in the metadata's format; see `core.formats.text.reading.read_records`."""
    return format_module(metadata.format).read(path, metadata, names, progress, known)


def read_again(source: Source, metadata: Metadata, names: Collection[str], progress: Progress = SILENT) -> Microdata:
    """More variables of a file that was read before.

    Raises
    ------
    DataError
        What `read` refuses; ``data-changed``: it is not the same file any more.
    """
    found = read(source.path, metadata, names, progress)
    if found.source.sha256 != source.sha256:
        from .text.block_file import changed

        raise changed(source.path)
    return found


def read_numbers(
    path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> list[NDArray[np.float64]]:
    """Numerical variables as (n,) float64, in one reading; see `core.formats.text.reading.numbers_of_records`."""
    return format_module(metadata.format).read_numbers(path, metadata, names, progress) if names else []


def safe_layout(
    metadata: Metadata, edits: Mapping[str, FieldEdit], removed: frozenset[str], target: Path | None = None
) -> Metadata:
    """Metadata of the safe file, in the format that the suffix of `target` says, else in the original's.

    See `core.formats.text.fixed.safe_layout`.
    """
    format = written_format(target, metadata.format)
    tab = target is not None and target.suffix.lower() in (".tsv", ".tab")
    if format == metadata.format:
        layout = format_module(format).safe_layout(metadata, edits, removed)
        layout = replace(layout, delimiter="\t") if tab and format == "delimited" else layout
    else:
        from .typed.writing import safe_layout as in_columns

        layout = replace(
            in_columns(metadata, edits, removed),
            format=format,
            delimiter="\t" if tab else ",",
            header=True,
            encoding="utf-8",
            decimal=".",
        )
    suffix = "" if target is None else target.suffix.lower()
    variants = {".sav": "", ".zsav": "zsav", ".por": "por"}
    return replace(layout, variant=variants[suffix]) if format == "spss" and suffix in variants else layout


def write(rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT) -> None:
    """Write the safe file in the layout's format; see `core.formats.text.writing.write_records`."""
    if rewrite.layout.format != rewrite.metadata.format:
        from .convert import write_converted

        write_converted(rewrite, out, progress)
        return
    format_module(rewrite.metadata.format).write(rewrite, out, progress)
