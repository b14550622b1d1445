"""The safe file: a second pass over the original that copies what stays and re-encodes what changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.errors import OutputError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.columns import Source
from ...data.variables import Metadata, Variable
from ...kernels.write import assemble_records, place_records
from .block_file import BlockFile, changed
from .quoting import quoted_columns
from .reading import Records, RecordsOf
from .records import RecordBlock, ahead, python_encoding

PIECES = 1 << 20
"""Pieces put together in one call of a kernel."""

_REST_BYTES = 1 << 16

SHUFFLE_BYTES = 1 << 29
"""Of a file in another order than the original, so much is put together at a time."""


@dataclass(frozen=True, eq=False)
class FieldEdit:
    """New contents of one variable.

    Attributes
    ----------
    values : (n,) unsigned, index into `codes` for each record of the original
    codes : sequence of str, what is written
    changed_only : (n,) bool or None, the records to re-encode, the others keep their bytes; None = all
    """

    values: NDArray[np.unsignedinteger]
    codes: Sequence[str]
    changed_only: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class Rewrite:
    """A file that was read, with new contents for some variables, to be written.

    Attributes
    ----------
    source : Source, the file as it was read
    metadata : Metadata, of the original
    edits : FieldEdit of each changed or added variable
    layout : Metadata, from the format's `safe_layout`, perhaps with variables added that are in `edits`
    order : (n,) int or None, which record of the original comes first, second, ...; None = as they are
    """

    source: Source
    metadata: Metadata
    edits: Mapping[str, FieldEdit]
    layout: Metadata
    order: NDArray[np.integer] | None = None

    @property
    def originals(self) -> list[str]:
        """The variables written that the original has."""
        return [name for name in self.layout.names if name in self.metadata]


class WritableRecords(Records, Protocol):
    """A text format that can be written back."""

    opening: bytes

    def heading(self, layout: Metadata, as_it_was: bool) -> bytes:
        """What stands before the first record of a file laid out like `layout`; known after the first block.

        `as_it_was`: no field is changed, and the records stand in the original's order.
        """


def safe_variables(metadata: Metadata, removed: frozenset[str]) -> tuple[Variable, ...]:
    """The variables that are written at all: not `removed`, by the metadata or here, nor direct identifiers.

    Raises
    ------
    OutputError
        ``nothing-to-write``: none is left.
    """
    kept = tuple(
        variable
        for variable in metadata.variables
        if not (variable.removed or variable.role == "direct-identifier" or variable.name in removed)
    )
    if not kept:
        raise OutputError(
            "nothing-to-write",
            mark("All variables are removed; there is nothing to write."),
            mark("Keep at least one variable that is not a direct identifier."),
        )
    return kept


def edited_width(variable: Variable, edit: FieldEdit | None, encoding: str) -> int:
    """Bytes that the variable needs in the safe file: its own length where bytes of the original stay."""
    if edit is None:
        return variable.length
    width = max((len(code.encode(encoding, "replace")) for code in edit.codes), default=0)
    return max(width, 1) if edit.changed_only is None else max(width, variable.length)


def write_records(
    records_of: RecordsOf[WritableRecords], rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT
) -> None:
    """Write the safe file: the variables of the layout, in its order.

    Fields that stay are copied as they are. In fixed format edited ones are put right-justified in their place, in
    delimited text they are quoted where they must be, or where all others of the column are. Line ends and header are
    the original's.

    Parameters
    ----------
    records_of : finds the records of the original
    rewrite : Rewrite, what is written
    out : BinaryIO, partly written where an error is raised: its owner removes it
    progress : Progress

    Raises
    ------
    DataError
        ``data-changed``: the original is not the file that was read.
    OutputError
        ``code-not-encodable``: a code cannot be written in the file's encoding.
    """
    records = records_of(rewrite.source.path, rewrite.metadata, rewrite.originals)
    check_unchanged(rewrite.source, progress)
    changes = {name: edit.changed_only for name, edit in rewrite.edits.items() if name in records.slots}
    quoted = frozenset[str]() if records.fixed else quoted_columns(records, changes, progress)
    writer, order = _Writer(records, rewrite, quoted), rewrite.order
    if order is None:
        for head, text, _ in _assembled(records, writer, rewrite, progress):
            out.write(head)
            out.write(text.data)
        out.write(_rest(rewrite.source.path))
        return
    places, starts = _places_in_order(records, writer, rewrite, order, progress)
    low = 0
    while low < len(order):
        # As many records as fit: the file is gone through once for each such part of the output.
        high = max(int(np.searchsorted(starts, starts[low] + SHUFFLE_BYTES, "right")) - 1, low + 1)
        buffer = np.empty(int(starts[high] - starts[low]), dtype=np.uint8)
        done = 0
        for head, text, ends in _assembled(records, writer, rewrite, progress):
            if low == 0:
                out.write(head)
            part = places[done : done + len(ends)]
            place_records(text, ends, part, int(starts[low]), int(starts[high]), buffer)
            done += len(ends)
        out.write(buffer.data)
        low = high
    out.write(_rest(rewrite.source.path))


def _rest(path: Path) -> bytes:
    """What stands behind the last record: empty lines, and the end-of-file mark of DOS programs."""
    with BlockFile(path) as file:
        wide, size = file.wide or "latin-1", file.size
    with path.open("rb") as raw:
        raw.seek(max(size - _REST_BYTES, 0) // 2 * 2)
        text = raw.read().decode(wide, "ignore")
    rest = text[len(text.rstrip("\r\n\x1a")) :]
    # The first line end is that of the last record; CR alone is one in a file without LF.
    end = "\n" if "\n" in text else "\r"
    return rest[rest.find(end) + 1 :].encode(wide)


def _assembled(
    records: WritableRecords, writer: _Writer, rewrite: Rewrite, progress: Progress
) -> Iterator[tuple[bytes, NDArray[np.uint8], NDArray[np.int64]]]:
    """The safe file some records at a time: what stands before them (the heading), their bytes, and where each ends.

    Raises
    ------
    DataError
        ``data-changed``.
    """
    source, as_it_was = rewrite.source, not rewrite.edits and rewrite.order is None
    fresh = copy(records)  # a pass leaves traces in it
    with BlockFile(source.path) as file, ahead(fresh.blocks(file)) as blocks:
        back = Back(file)
        first = True
        for block in blocks:
            if block.first + len(block) > source.records:
                raise changed(source.path)
            head = back.text(fresh.heading(rewrite.layout, as_it_was)) if first else b""
            first = False
            for text, ends in writer.write(block):
                progress.check()
                yield head, *back.records(text, ends)
                head = b""
            progress.report(file.read, max(file.size, 1), translate(mark("Writing the safe file")))
        if file.identity()[0] != source.sha256:
            raise changed(source.path)


def _places_in_order(
    records: WritableRecords,
    writer: _Writer,
    rewrite: Rewrite,
    order: NDArray[np.integer],
    progress: Progress,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where in the output each record of the original begins, and where the first, second, … written one does."""
    lengths = np.empty(len(order), dtype=np.uint32)
    done = 0
    for _, _, ends in _assembled(records, writer, rewrite, progress):
        lengths[done : done + len(ends)] = np.diff(ends, prepend=0)
        done += len(ends)
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(lengths[order], out=starts[1:])
    places = np.empty(len(order), dtype=np.int64)
    places[order] = starts[:-1]
    return places, starts


class Back:
    """Bytes of a file made again from what was read of it, where they are not UTF-8 lines that end with LF."""

    def __init__(self, file: BlockFile) -> None:
        self._wide = file.wide
        self._file = file

    def text(self, text: bytes) -> bytes:
        """The file's own form of what stands before the first record."""
        text = text.replace(b"\n", b"\r") if self._file.returns else text
        return ("\ufeff" * self._file.marked + text.decode()).encode(self._wide) if self._wide else text

    def records(self, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The file's own form of some records, and where each ends in it."""
        if self._file.returns:
            text = np.where(text == 10, np.uint8(13), text)
        if not self._wide:
            return text, ends
        # A byte that begins a character becomes two; one that begins four bytes of UTF-8 becomes four.
        units = np.concatenate([np.zeros(1, np.int64), np.cumsum(((text & 0xC0) != 0x80) + (text >= 0xF0) * 1)])
        wide = np.frombuffer(text.tobytes().decode().encode(self._wide), dtype=np.uint8)
        return wide, 2 * units[ends]


def check_unchanged(source: Source, progress: Progress) -> None:
    """Refuse a changed file before anything is written; a new time alone is looked into."""
    with BlockFile(source.path) as file:
        same = file.size == source.size
        if same and file.modified_ns != source.mtime_ns:
            while file.more():
                file.take(len(file.data))
                progress.check()
            same = file.identity()[0] == source.sha256
    if not same:
        raise changed(source.path)


@dataclass(frozen=True, eq=False)
class _Piece:
    """One stretch of every output record: bytes of a field (or of adjacent ones), or an edit's text."""

    slot: int
    length: int
    width: int
    edit: FieldEdit | None
    offsets: NDArray[np.int32]
    sizes: NDArray[np.int32]


class _Writer:
    """Turns blocks of records into bytes of the safe file."""

    def __init__(self, records: WritableRecords, rewrite: Rewrite, quoted: frozenset[str]) -> None:
        self._records, self._quoted = records, quoted
        self._encoding = python_encoding(records.metadata.encoding)
        self._delimiter = -1 if records.fixed else ord(rewrite.layout.delimiter)
        before = records.metadata
        self._other = not records.fixed and before.format == "delimited" and ord(before.delimiter) != self._delimiter
        """Whether fields of the original stand between other delimiters in the safe file."""
        self._texts = bytearray(b" ")
        self._shuffled = rewrite.order is not None
        self._eol: np.uint8 | None = None
        self._pieces: list[_Piece] = []
        for variable in rewrite.layout.variables:
            self._add(variable, rewrite.edits.get(variable.name))
        self._arena = np.frombuffer(bytes(self._texts), dtype=np.uint8)
        self._widths = np.array([piece.width for piece in self._pieces], dtype=np.int32)

    def _add(self, variable: Variable, edit: FieldEdit | None) -> None:
        slot = self._records.slots.get(variable.name, -1)
        original = self._records.metadata[variable.name] if slot >= 0 else None
        none = np.empty(0, dtype=np.int32)
        length = original.length if original and self._records.fixed else 0
        width = variable.length if self._records.fixed else 0
        if length > width and (edit is None or edit.changed_only is not None):
            raise ValueError(f"{variable.name}: {length} bytes do not fit into {width}")
        if edit is not None:
            self._pieces.append(_Piece(slot, length, width, edit, *self._place(variable, edit, width)))
        elif original is None:
            raise KeyError(variable.name)
        elif self._follows(original) and width == length:
            last = self._pieces[-1]
            self._pieces[-1] = replace(last, length=last.length + length, width=last.width + width)
        else:
            self._pieces.append(_Piece(slot, length, width, None, none, none))

    def _follows(self, variable: Variable) -> bool:
        """Whether the variable's bytes come directly behind those of the last piece."""
        if not self._records.fixed or not self._pieces:
            return False
        last = self._pieces[-1]
        begin = self._start(last.slot) if last.edit is None and last.width == last.length else -1
        return begin > 0 and begin + last.length == variable.start

    def _start(self, slot: int) -> int:
        name = next(name for name, number in self._records.slots.items() if number == slot)
        return self._records.metadata[name].start

    def _place(self, variable: Variable, edit: FieldEdit, width: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Put the edit's codes among the new texts, in delimited text in quotes where these must or shall stand."""
        offsets, sizes = [], []
        for code in edit.codes:
            form = self._encode(code, variable)
            if width and len(form) > width:
                raise ValueError(f"{variable.name}: a code of {len(form)} bytes does not fit into {width}")
            if not self._records.fixed and (variable.name in self._quoted or needs_quotes(form, self._delimiter)):
                form = b'"' + form.replace(b'"', b'""') + b'"'
            offsets.append(len(self._texts))
            sizes.append(len(form))
            self._texts += form
        return np.array(offsets, dtype=np.int32), np.array(sizes, dtype=np.int32)

    def _encode(self, text: str, variable: Variable) -> bytes:
        try:
            if "\0" in text:  # with it no file is one of text
                raise UnicodeEncodeError(self._encoding, text, 0, 1, "zero character")
            return text.encode(self._encoding)
        except UnicodeEncodeError:
            raise OutputError(
                "code-not-encodable",
                mark("Variable {variable}: the code {code} cannot be written in {encoding}."),
                mark("Use another code, or convert the original file to UTF-8."),
                variable=variable.name,
                code=text,
                encoding=self._encoding,
            ) from None

    def write(self, block: RecordBlock) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
        """The block's records in the safe file, some at a time: bytes, and where each record ends in them."""
        eols = block.eols
        if self._eol is None:
            self._eol = eols[0]
        if self._shuffled:
            eols = np.full(len(block), self._eol)
        step = max(PIECES // len(self._pieces), 1)
        for begin in range(0, len(block), step):
            rows = slice(begin, min(begin + step, len(block)))
            n, k = rows.stop - rows.start, len(self._pieces)
            starts, lengths = np.empty((k, n), dtype=np.int32), np.empty((k, n), dtype=np.int32)
            new = np.zeros((k, n), dtype=np.bool_)
            for j, piece in enumerate(self._pieces):
                self._fill(block, rows, piece, starts[j], lengths[j], new[j])
            arena = self._quote(block.data, starts, lengths, new) if self._other else self._arena
            room = int(np.maximum(lengths, self._widths[:, None]).sum(dtype=np.int64)) + n * (k + 4)
            out, ends = np.empty(room, dtype=np.uint8), np.empty(n, dtype=np.int64)
            used = assemble_records(
                block.data, arena, starts, lengths, new, self._widths, self._delimiter, eols[rows], out, ends
            )
            yield out[:used], ends

    def _quote(
        self, data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32], new: NDArray[np.bool_]
    ) -> NDArray[np.uint8]:
        """The new texts, behind which original fields stand in quotes that have the safe file's delimiter in them."""
        marks = np.flatnonzero(data == self._delimiter)
        has = ~new & (np.searchsorted(marks, starts) < np.searchsorted(marks, starts + lengths))
        texts = bytearray()
        for place in zip(*np.nonzero(has), strict=True):
            text = data[starts[place] : starts[place] + lengths[place]].tobytes().strip(b" ")
            if text.startswith(b'"'):
                continue
            form = b'"' + text.replace(b'"', b'""') + b'"'
            starts[place], lengths[place], new[place] = len(self._arena) + len(texts), len(form), True
            texts += form
        return np.concatenate([self._arena, np.frombuffer(bytes(texts), np.uint8)]) if texts else self._arena

    def _fill(
        self,
        block: RecordBlock,
        rows: slice,
        piece: _Piece,
        starts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        new: NDArray[np.bool_],
    ) -> None:
        """Find one piece of some records: places in the original or, where `new`, among the new texts."""
        if piece.slot >= 0:
            raw_starts, raw_lengths = block.raw(piece.slot)
            starts[:] = raw_starts[rows]
            lengths[:] = piece.length if self._records.fixed else raw_lengths[rows]
        if piece.edit is None:
            return
        records = slice(block.first + rows.start, block.first + rows.stop)
        index = piece.edit.values[records].astype(np.int64)
        if piece.edit.changed_only is None:
            new[:] = True
            np.take(piece.offsets, index, out=starts)
            np.take(piece.sizes, index, out=lengths)
            return
        new[:] = piece.edit.changed_only[records]
        np.copyto(starts, piece.offsets[index], where=new)
        np.copyto(lengths, piece.sizes[index], where=new)


def needs_quotes(text: bytes, delimiter: int) -> bool:
    """Whether a field with this text must stand in quotes to be read back as it is."""
    return any(byte in text for byte in (delimiter, 34, 10, 13)) or text[:1] == b" " or text[-1:] == b" "
