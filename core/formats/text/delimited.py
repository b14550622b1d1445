"""Delimited text: csv and its relatives (RFC 4180), with or without a header."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.texts import mark
from ...data.variables import Metadata
from ...kernels.fields import (
    COMPLETE,
    CONSUMED,
    FIELDS,
    LINES,
    QUOTES,
    RAGGED,
    RECORDS,
    STATUS,
    STATUS_LINE,
    split_records,
    unquote,
)
from .block_file import RECORD_BYTES, BlockFile
from .header import (
    column_names,
    delimiter_byte,
    header_names,
    malformed,
    named_columns,
    numbered_columns,
    separator_line,
    unquoted,
)
from .reading import numbers_of_records, read_records
from .records import (
    BLOCK_RECORDS,
    RecordBlock,
    Spans,
    TextCheck,
    check_line_ends,
    no_line_ends,
    no_records,
    open_text,
    python_encoding,
)
from .writing import FieldEdit, edited_width, needs_quotes, safe_variables, write_records

_SEPARATOR_BYTES, _FIELD_BYTES = 64, 8


class DelimitedRecords:
    """The records of a delimited file, block after block.

    Attributes
    ----------
    opening : bytes, what stands before the first line (a byte order mark and ``sep=;``, or nothing)
    header : list of bytes, the header's fields as they stand; empty where the metadata say there is none
    lacking : bool, whether the header names all columns but the first, see `core.formats.text.header.lacks_one`
    header_eol : int, as in `RecordBlock.eols`
    encoding : str, Python's name of it
    columns : list of int, 0-based column of each name, known after the first block
    """

    fixed = False
    record_length = 0

    def __init__(self, path: Path, metadata: Metadata, names: Collection[str]) -> None:
        self.path = path
        self.metadata = metadata
        self.slots = {name: i for i, name in enumerate(names)}
        self._delimiter = delimiter_byte(metadata.delimiter)
        self.encoding = python_encoding(metadata.encoding)
        self.opening = b""
        self.header: list[bytes] = []
        self.header_eol = 0
        self.lacking = False
        self.columns: list[int] = []
        self._line = 1
        self._taken = 0
        self._found: NDArray[np.int64] = np.zeros(7, dtype=np.int64)

    def blocks(self, file: BlockFile) -> Iterator[RecordBlock]:
        """Whole records, in file order; each block stays valid.

        Raises
        ------
        DataError
            Text that is not in the encoding, a header that cannot be used, records with another number of
            fields than the first, quotes that do not match, no records.
        """
        check = TextCheck(self.metadata.encoding)
        fields = self._first_fields(file, check)
        file.expect(_FIELD_BYTES * fields)
        if not self.columns:
            self.columns = self._find_columns(fields)
        slots = np.full(fields, -1, dtype=np.int32)
        order: list[int] = []
        for column in self.columns:
            if slots[column] < 0:
                slots[column] = len(order)
                order.append(column)
        rows = [int(slots[column]) for column in self.columns]
        capacity = min(BLOCK_RECORDS, max((1 << 21) // max(len(order), 1), 1))
        first = 0
        while True:
            # Rows a multiple of 4096 bytes long would compete for the same places of the processor's cache.
            starts, lengths = (np.empty((max(len(order), 1), capacity + 80), dtype=np.int32) for _ in range(2))
            lines, eols = np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.uint8)
            if not self._split(file, check, slots, starts, lengths, lines, eols):
                break
            n = int(self._found[RECORDS])
            if n:
                yield self._block(file, first, rows, starts[:, :n], lengths[:, :n], lines[:n], eols[:n])
                first += n
            self._take(file)
        if not first:
            raise no_records(self.path)

    def _split(
        self,
        file: BlockFile,
        check: TextCheck,
        slots: NDArray[np.int32],
        starts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        lines: NDArray[np.int32],
        eols: NDArray[np.uint8],
    ) -> bool:
        """Find records in the file's data, reading on as needed; whether anything was left to find."""
        while True:
            split_records(file.data, file.last, self._delimiter, slots, starts, lengths, lines, eols, self._found)
            if self._found[CONSUMED]:
                return True
            if self._found[STATUS] != COMPLETE:
                check_line_ends(self.path, file.data[: 1 << 16], self._line, self._delimiter)
                raise self._malformed(len(slots))
            if file.last:
                return False
            self._more(file, check)

    def _more(self, file: BlockFile, check: TextCheck) -> None:
        if len(file.data) > RECORD_BYTES:
            raise no_line_ends(self.path, self._line)
        begin = file.read == 0
        if file.wide and self.encoding != "utf-8":
            raise DataError(
                "encoding-wide",
                mark("{file} is in UTF-16, not in {encoding}."),
                mark("Say utf-16, or leave the encoding out."),
                file=self.path,
                encoding=self.metadata.encoding,
            )
        file.more()
        if begin:
            self.opening = open_text(file, self._delimiter)
            length, _ = separator_line(file.data[:_SEPARATOR_BYTES].tobytes().decode("latin-1"))
            self.opening += file.data[:length].tobytes()
            file.take(length)
            self._line += length > 0
        check.check(file, self._line, self._taken)
        self._taken = 0

    def _take(self, file: BlockFile) -> None:
        used = int(self._found[CONSUMED])
        file.take(used)
        self._taken += used
        self._line += int(self._found[LINES])

    def _first_fields(self, file: BlockFile, check: TextCheck) -> int:
        """Number of fields of the first record; takes it from the data where it is the header."""
        none = np.empty(0, dtype=np.int32)
        room = np.empty((1, 1), dtype=np.int32)
        lines, eols = np.empty(1, dtype=np.int32), np.empty(1, dtype=np.uint8)
        while True:
            split_records(file.data, file.last, self._delimiter, none, room, room, lines, eols, self._found)
            if self._found[STATUS] == RAGGED:
                break
            if self._found[STATUS] != COMPLETE:
                raise self._malformed(0)
            self._take(file)
            if file.last:
                raise no_records(self.path)
            self._more(file, check)
        self._take(file)
        fields = int(self._found[FIELDS])
        if self.metadata.header:
            starts, lengths = (np.empty((fields, 1), dtype=np.int32) for _ in range(2))
            every = np.arange(fields, dtype=np.int32)
            split_records(file.data, file.last, self._delimiter, every, starts, lengths, lines, eols, self._found)
            text = file.data.tobytes()
            check_line_ends(self.path, file.data[: int(self._found[CONSUMED])], self._line, self._delimiter)
            spans = zip(starts[:, 0].tolist(), lengths[:, 0].tolist(), strict=True)
            self.header = [text[start : start + length] for start, length in spans]
            self.header_eol = int(eols[0])
            self._take(file)
            self.lacking = self._lacks_one(file, check, fields)
        return fields + self.lacking

    def _lacks_one(self, file: BlockFile, check: TextCheck, fields: int) -> bool:
        """Whether the header, just taken, has one name fewer than the record behind it, as R writes it."""
        none, room = np.empty(0, dtype=np.int32), np.empty((1, 1), dtype=np.int32)
        lines, eols = np.empty(1, dtype=np.int32), np.empty(1, dtype=np.uint8)
        if not all(field.strip(b" ").startswith(b'"') for field in self.header):
            return False
        while True:
            split_records(file.data, file.last, self._delimiter, none, room, room, lines, eols, self._found)
            if self._found[STATUS] != COMPLETE:
                break
            self._take(file)
            if file.last:
                return False
            self._more(file, check)
        if self._found[FIELDS] != fields + 1:
            return False
        starts, lengths = (np.empty((fields + 1, 1), dtype=np.int32) for _ in range(2))
        every = np.arange(fields + 1, dtype=np.int32)
        split_records(file.data, file.last, self._delimiter, every, starts, lengths, lines, eols, self._found)
        text = file.data[: starts[-1, 0] + lengths[-1, 0]].tobytes()
        return text.lstrip(b" ").startswith(b'"') and text[starts[-1, 0] :] not in (b"", b'""')

    def heading(self, layout: Metadata, as_it_was: bool) -> bytes:
        """What stands before the first record of a file laid out like `layout`.

        A name of the header stays as it stands unless it would mean another there. Only where the file is `as_it_was`
        the header lacks the name that the original's lacks.
        """
        if not self.metadata.header:
            return self.opening
        given = [self._given(name) for name in layout.names]
        lacking = self.lacking and as_it_was and given[1:] == self.header
        names = column_names([unquoted(field.decode(self.encoding)) for field in given[lacking:]], lacking)
        between = layout.delimiter.encode()
        fields = [
            field if found == name and (between not in field or field.startswith(b'"'))
            else self._written(name, ord(layout.delimiter))
            for field, found, name in zip(given, names, layout.names, strict=True)
        ]  # fmt: skip
        line = between.join(fields[lacking:])
        opening = self.opening
        if layout.delimiter != self.metadata.delimiter:  # it may be named in a first line such as sep=;
            opening = opening.replace(f"={self.metadata.delimiter}".encode(), f"={layout.delimiter}".encode())
        return opening + line + (b"", b"\n", b"\r\n")[self.header_eol]

    def _given(self, name: str) -> bytes:
        """What the header has above a column, which may be nothing; the name where it has no place for it."""
        column = self.columns[self.slots[name]] - self.lacking if name in self.slots else -1
        return self.header[column] if column >= 0 else self._written(name, self._delimiter)

    def _written(self, name: str, delimiter: int) -> bytes:
        text = name.encode(self.encoding, "replace")
        quoted = b'"' + text.replace(b'"', b'""') + b'"'
        return quoted if self.lacking or needs_quotes(text, delimiter) else text

    def _find_columns(self, fields: int) -> list[int]:
        if self.metadata.header:
            given = [unquoted(field.decode(self.encoding)) for field in self.header]
            return named_columns(
                self.path, given, header_names(self.path, self.header, self.encoding, self.lacking), self.slots
            )
        return numbered_columns(self.path, self.metadata, fields, self.slots)

    def _block(
        self,
        file: BlockFile,
        first: int,
        rows: Sequence[int],
        starts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        lines: NDArray[np.int32],
        eols: NDArray[np.uint8],
    ) -> RecordBlock:
        used = int(self._found[CONSUMED])
        data = file.data[:used]
        check_line_ends(self.path, data, self._line, self._delimiter)
        quotes = bool(self._found[QUOTES])
        spare = used
        texts: dict[int, Spans] = {}
        if quotes:
            data = np.empty(2 * used, dtype=np.uint8)
            data[:used] = file.data[:used]

        def raw(slot: int) -> Spans:
            return starts[rows[slot]], lengths[rows[slot]]

        def field(slot: int) -> Spans:
            nonlocal spare
            row = rows[slot]
            if not quotes:
                return raw(slot)
            if row not in texts:
                spans = starts[row].copy(), lengths[row].copy()
                spare = unquote(data, *spans, spare)
                texts[row] = spans
            return texts[row]

        return RecordBlock(data, first, lines + np.int64(self._line), eols, field, raw)

    def _malformed(self, fields: int) -> DataError:
        found = self._found
        line = self._line + int(found[STATUS_LINE])
        return malformed(self.path, line, int(found[STATUS]), int(found[FIELDS]), fields)


def safe_layout(metadata: Metadata, edits: Mapping[str, FieldEdit], removed: frozenset[str]) -> Metadata:
    """Metadata of the safe file: the variables that are written, in consecutive columns.

    See `core.formats.text.fixed.safe_layout`. A variable with a declared length gets that of its longest code.
    """
    encoding = python_encoding(metadata.encoding)
    variables = [
        replace(v, column=i, length=edited_width(v, edits.get(v.name), encoding) if v.length else 0)
        for i, v in enumerate(safe_variables(metadata, removed), 1)
    ]
    return replace(metadata, variables=tuple(variables))


read, read_numbers = partial(read_records, DelimitedRecords), partial(numbers_of_records, DelimitedRecords)
write = partial(write_records, DelimitedRecords)
