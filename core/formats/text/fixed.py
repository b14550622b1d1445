"""Fixed format: one record a line, every field at its own bytes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.texts import mark
from ...data.variables import Metadata, Variable
from ...kernels.lines import find_lines
from .block_file import RECORD_BYTES, BlockFile
from .reading import numbers_of_records, read_records
from .records import (
    BLOCK_RECORDS,
    RecordBlock,
    Spans,
    TextCheck,
    no_line_ends,
    no_records,
    open_text,
    python_encoding,
)
from .writing import FieldEdit, edited_width, safe_variables, write_records


class FixedRecords:
    """The records of a fixed-format file, block after block.

    Attributes
    ----------
    record_length : int, bytes of each record without its end of line; known after the first block
    opening : bytes, what stands before the first record (a byte order mark, or nothing)
    """

    fixed = True

    def __init__(self, path: Path, metadata: Metadata, names: Collection[str]) -> None:
        self.path = path
        self.metadata = metadata
        self.slots = {name: i for i, name in enumerate(names)}
        self._fields = [metadata[name] for name in names]
        self.record_length = 0
        self.opening = b""

    def blocks(self, file: BlockFile) -> Iterator[RecordBlock]:
        """Whole records, in file order; each block stays valid.

        Raises
        ------
        DataError
            Text that is not in the encoding, records of unequal length, no records.
        """
        check = TextCheck(self.metadata.encoding)
        line, first, taken = 1, 0, 0
        while True:
            starts, lengths, lines = (np.empty(BLOCK_RECORDS, dtype=np.int32) for _ in range(3))
            eols = np.empty(BLOCK_RECORDS, dtype=np.uint8)
            n, used, feeds = find_lines(file.data, file.last, starts, lengths, lines, eols)
            if used == 0:
                if file.last:
                    break
                self._more(file, check, line, taken, first)
                taken = 0
                continue
            if n:
                block = self._block(file, first, lines[:n] + np.int64(line), starts[:n], lengths[:n], eols[:n])
                yield block
                first += n
            line += feeds
            file.take(used)
            taken += used
        if not first:
            raise no_records(self.path)

    def _more(self, file: BlockFile, check: TextCheck, line: int, taken: int, first: int) -> None:
        if len(file.data) > RECORD_BYTES:
            raise no_line_ends(self.path, line)
        begin = file.read == 0
        if file.wide:
            raise DataError(
                "fixed-wide",
                mark("{file} is in UTF-16, in which fixed positions are not those of bytes."),
                mark("Save the data as UTF-8 or in an encoding of one byte a character."),
                file=self.path,
            )
        file.more()
        if begin:
            self.opening = open_text(file)
        check.check(file, line, taken)

    def _block(
        self,
        file: BlockFile,
        first: int,
        lines: NDArray[np.int64],
        starts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        eols: NDArray[np.uint8],
    ) -> RecordBlock:
        if not first:
            self.record_length = int(lengths[0])
            file.expect(self.record_length)
            self._check_fields(int(lines[0]))
        wrong = np.flatnonzero(lengths != self.record_length)
        if len(wrong):
            i = int(wrong[0])
            raise self._wrong_length(int(lines[i]), int(lengths[i]), eols[i] == 0)

        def field(slot: int) -> Spans:
            variable = self._fields[slot]
            return starts + np.int32(variable.start - 1), np.full(len(starts), variable.length, dtype=np.int32)

        return RecordBlock(file.data, first, lines, eols, field, field)

    def _check_fields(self, line: int) -> None:
        last = max(self.metadata.variables, key=lambda v: v.start + v.length, default=Variable(""))
        end = last.start + last.length - 1
        if end > self.record_length:
            raise DataError(
                "data-record-too-short",
                mark("{file}, line {line}: the record has {length} bytes, but variable {variable} ends at {end}."),
                mark("Check starting positions and lengths in the metadata, and that this is the right data file."),
                file=self.path,
                line=line,
                length=self.record_length,
                variable=last.name,
                end=end,
            )

    def _wrong_length(self, line: int, length: int, unfinished: bool) -> DataError:
        values = {"file": self.path, "line": line, "length": length, "expected": self.record_length}
        if length > self.record_length:
            return DataError(
                "data-line-too-long",
                mark("{file}, line {line}: the record has {length} bytes, more than the first record's {expected}."),
                mark("In fixed format all records have the same length in bytes; correct the line."),
                **values,
            )
        if unfinished:
            return DataError(
                "data-truncated",
                mark("{file}, line {line}: the file ends within a record, after {length} of {expected} bytes."),
                mark("The file is incomplete: fetch it again."),
                **values,
            )
        return DataError(
            "data-line-too-short",
            mark("{file}, line {line}: the record has {length} bytes, fewer than the first record's {expected}."),
            mark("In fixed format all records have the same length in bytes; correct the line."),
            **values,
        )

    def heading(self, layout: Metadata, as_it_was: bool) -> bytes:
        """What stands before the first record."""
        return self.opening


def safe_layout(metadata: Metadata, edits: Mapping[str, FieldEdit], removed: frozenset[str]) -> Metadata:
    """Metadata of the safe file: variables one directly behind another, each as wide as what will be written.

    Parameters
    ----------
    metadata : Metadata, of the original
    edits : FieldEdit of each changed variable; `codes` holds all that may be written, missing codes included
    removed : names not to be written, beside direct identifiers and variables that the metadata call removed

    Raises
    ------
    OutputError
        ``nothing-to-write``: no variable is left.
    """
    encoding = python_encoding(metadata.encoding)
    variables = []
    start = 1
    for variable in sorted(safe_variables(metadata, removed), key=lambda v: v.start):
        width = edited_width(variable, edits.get(variable.name), encoding)
        variables.append(replace(variable, start=start, length=width))
        start += width
    return replace(metadata, variables=tuple(variables))


read, read_numbers = partial(read_records, FixedRecords), partial(numbers_of_records, FixedRecords)
write = partial(write_records, FixedRecords)
