"""A file looked at before it is opened: how it will be read, its first records, and what stands against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..base.errors import DataError, MetadataError, Notice, PavoError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.variables import Metadata
from ..formats.argus.text_files import is_file
from ..formats.preview import Preview, preview
from ..formats.text.block_file import BlockFile
from ..formats.text.header import check_names
from ..formats.text.layout import SAMPLE, is_wide, read_beginning, second_encoding
from ..formats.text.records import no_records
from ..recipe.available import FOREIGN_SUFFIXES
from ..recipe.model import Input
from .description import load_description
from .problems import all_problems

Field = Literal["data", "metadata", "format", "delimiter", "header", "encoding", "preview"]

ROWS = 100
"""Records shown."""
READ_THROUGH = 1 << 25
"""Bytes of a text file that are read as they will be when it is opened: all of most files, in a tenth of a second."""

_TEXT = ("fixed", "delimited")
_NO_DATA = {
    ".rda": mark("{file} is metadata: it describes a data file and holds no records."),
    ".rds": mark("{file} is the metadata of a safe file and holds no records."),
    ".cdl": mark("{file} is a codelist and holds no records."),
    ".grc": mark("{file} is a recode scheme and holds no records."),
    ".pavo": mark("{file} is a session and holds no records."),
}

_FIELDS: dict[str, Field] = {
    "format-unknown": "format",
    "format-not-available": "format",
    "delimiter": "delimiter",
    "header-duplicate-name": "header",
    "encoding-unknown": "encoding",
    "data-encoding": "encoding",
    "encoding-wide": "encoding",
}
_CAUSES = ("encoding-wide", "data-open-quote", "data-after-quote")
"""Errors from which follows what looks wrong with the first records."""
_ADVICE = {"format-unknown": mark("Say the format, or name a metadata file.")}
"""What to do about an error before a file is opened, where its own hint speaks of recipes."""


@dataclass(frozen=True)
class Objection:
    """One thing to know before opening.

    Attributes
    ----------
    severity : ``refused``: the file cannot be read so; ``repair``: it can be opened, and Specify Metadata mends it;
        ``warning``: it can be opened, but hardly as it was meant; ``note``: only to be known
    field : what it concerns
    text : sentence, translated
    line : 1-based line of the data file; 0 where it concerns no line
    """

    severity: Literal["refused", "repair", "warning", "note"]
    field: Field
    text: str
    line: int = 0


@dataclass(frozen=True)
class Look:
    """An input as it will be read.

    Attributes
    ----------
    input : as asked
    metadata : with the layout detected; None where there is nothing to read
    preview : first records; None likewise
    objections : in the order of severity
    wide : whether the file is in UTF-16, which is read as UTF-8
    parts : of how many parts it is the first; 0: it is one file
    """

    input: Input
    metadata: Metadata | None
    preview: Preview | None
    objections: tuple[Objection, ...]
    wide: bool = False
    parts: int = 0

    def detected(self, setting: str) -> Any:
        """What holds for one of the settings of `Input`; None where that is not known."""
        return "utf-16" if self.wide and setting == "encoding" else getattr(self.metadata, setting, None)

    @property
    def refused(self) -> bool:
        """Whether the file cannot be opened so."""
        return any(objection.severity == "refused" for objection in self.objections)

    @property
    def undescribed(self) -> bool:
        """Whether this is a fixed file of which no field is described."""
        return self.metadata is not None and not self.metadata.variables


def look(source: Input, progress: Progress = SILENT) -> Look:
    """Look at the beginning of a file; what is wrong is told, never raised.

    Parameters
    ----------
    source : Input, of which `data` is said
    """
    progress.check()
    missing = _absent(source)
    if missing:
        return Look(source, None, None, missing)
    try:
        beginning = read_beginning(source.data or Path())
        _check_first_line(source.data or Path(), beginning)
        description = load_description(source, ())
    except PavoError as error:
        return Look(source, None, None, (_refused(error),))
    metadata = description.metadata
    found = [_note(notice.text) for notice in description.notices]
    try:
        first = preview(source.data or Path(), metadata, ROWS)
        found += _objections(source, metadata, first, beginning, progress)
    except PavoError as error:
        return Look(source, metadata, None, (_refused(error),))
    order = {"refused": 0, "repair": 1, "warning": 2, "note": 3}
    told = tuple(sorted(found, key=lambda o: (order[o.severity], o.line)))
    return Look(source, metadata, first, told, metadata.format in _TEXT and is_wide(source.data or Path()))


def _objections(
    source: Input, metadata: Metadata, first: Preview, beginning: bytes, progress: Progress
) -> list[Objection]:
    unnamed = _header(source.data or Path(), metadata, first)
    if unnamed is not None:  # what else is odd about the names follows from it
        return [_refused(unnamed), *map(_of_preview, first.problems)]
    found = _of_records(first.problems, _unreadable(source, metadata, first, progress)) + _mixed(metadata, beginning)
    if not metadata.variables:
        return [_note(mark("Nothing describes the fields of this file yet: Describe columns follows.")), *found]
    contradictions = [
        Objection("repair", "metadata", problem.text)
        for problem in all_problems(metadata, codelists=False)
        if problem.severity == "error"
    ]
    return contradictions + found


def no_data(path: Path | None) -> DataError | None:
    """Why the path is not that of a data file, as far as its name and kind tell; None where it may be one."""
    name = "" if path is None else str(path)
    if path is not None and path.is_dir():
        return DataError("file-is-folder", mark("{file} is a folder."), mark("Choose a file in it."), file=name)
    if path is None or not is_file(path):
        return DataError("file-missing", mark("There is no file {file}."), mark("Check the path."), file=name)
    text = _NO_DATA.get(path.suffix.lower())
    if text is None and path.suffix.lower() in FOREIGN_SUFFIXES:
        text = mark("{file} is, by its name, no file of records that can be read here.")
        hint = mark("Choose fixed or delimited text, SPSS, Stata, SAS, Parquet or Excel (.xlsx), or say the format.")
        return DataError("file-of-another-kind", text, hint, file=path.name)
    if text is None:
        return None
    hint = mark("Use Open Session.") if path.suffix.lower() == ".pavo" else mark("Choose the data file itself.")
    return DataError("file-without-data", text, hint, file=path.name)


def _absent(source: Input) -> tuple[Objection, ...]:
    found = []
    error = no_data(source.data)
    is_said = {"file-without-data": source.format is not None, "file-of-another-kind": source.format or source.metadata}
    if error is not None and not is_said.get(error.id):
        found.append(Objection("refused", "data", str(error)))
    if source.metadata is not None and not is_file(source.metadata):
        text, hint = mark("There is no metadata file {file}."), mark("Check the path, or leave it empty.")
        error_ = MetadataError("metadata-missing", text, hint, file=str(source.metadata))
        found.append(Objection("refused", "metadata", str(error_)))
    return tuple(found)


def _check_first_line(path: Path, beginning: bytes) -> None:
    """Refuse text of one huge line, whose fields would be columns without number."""
    if len(beginning) >= SAMPLE and not any(end in beginning for end in b"\n\r\0"):
        raise DataError(
            "data-no-line-ends",
            mark("{file}: the first line has no end within a megabyte."),
            mark("Check that this is a text file with one record a line."),
            file=path,
        )


def _header(path: Path, metadata: Metadata, first: Preview) -> DataError | None:
    """Why the names in a header are none by which columns can be told apart."""
    if metadata.format != "delimited" or not metadata.header:
        return None
    try:
        check_names(path, first.header)
    except DataError as error:
        return error
    return None


def _unreadable(source: Input, metadata: Metadata, first: Preview, progress: Progress) -> DataError | None:
    """Why the records cannot be cut into fields, as far as the file is read here."""
    path = source.data or Path()
    if metadata.format not in _TEXT:
        described_by_itself = source.metadata is None  # else none of its variables may be there
        return no_records(path) if described_by_itself and not first.rows else None
    from ..formats.text.digests import open_records

    try:
        with BlockFile(path) as file:
            for _ in open_records(path, replace(metadata, variables=()), ()).blocks(file):
                progress.report(file.read, min(file.size, READ_THROUGH), translate(mark("Checking the file")))
                progress.check()
                if file.read >= READ_THROUGH:
                    break
    except DataError as error:
        return error
    return None


def _mixed(metadata: Metadata, beginning: bytes) -> list[Objection]:
    """That a file begins in UTF-8 and goes on otherwise, as where files were joined."""
    if metadata.format not in _TEXT or metadata.encoding.lower().startswith("utf"):
        return []
    line = second_encoding(beginning)
    text = mark(
        "This file seems to be in two encodings: line {line} is not in UTF-8, letters in lines before it are. "
        "Read as {encoding}, those letters become others; save the whole file in one encoding."
    )
    notice = Notice.of("encoding-mixed", text, line=line, encoding=metadata.encoding)
    return [Objection("warning", "encoding", notice.text, line)] if line else []


def _of_records(problems: tuple[Notice, ...], error: DataError | None) -> list[Objection]:
    """What is wrong with the first records, and why the rest cannot be read where that does not tell it already."""
    told = [_of_preview(notice) for notice in problems]
    if error is None:
        return told
    vague = all(notice.where or notice.id == "data-quotes" for notice in problems)
    if not vague and error.id not in _CAUSES:
        return told
    return [_refused(error), *(objection for objection in told if objection.severity != "refused")]


def _refused(error: PavoError) -> Objection:
    if error.id in _ADVICE:
        error = type(error)(error.id, error.template, _ADVICE[error.id], **error.values)
    if error.id in _FIELDS:
        return Objection("refused", _FIELDS[error.id], str(error))
    field: Field = "metadata" if isinstance(error, MetadataError) else "data"
    line = error.values.get("line", 0)
    return Objection("refused", field, str(error), line if isinstance(line, int) and field == "data" else 0)


def _note(template: str) -> Objection:
    return Objection("note", "metadata", Notice.of("note", template).text)


def _of_preview(notice: Notice) -> Objection:
    line = dict(notice.values).get("line", 0)
    if notice.where:  # a variable reaches beyond the record: its place can be mended
        return Objection("repair", "metadata", notice.text, line)
    return Objection("refused", _FIELDS.get(notice.id, "preview"), notice.text, line)
