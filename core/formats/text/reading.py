"""Reading of any text format: from records to encoded columns, weights and numbers, in one pass over the file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.columns import Microdata, Source, Weights
from ...data.encoding import BLANKS, ColumnEncoder
from ...data.variables import Metadata, Variable
from ...data.weights import WeightReader, parse_fields, parse_text
from ...kernels.decimals import BLANK, NEGATIVE, NUMBER, OTHER, equals_text
from .block_file import BlockFile
from .records import FoldedBlock, RecordBlock, ahead, python_encoding

R = TypeVar("R")


class Records(Protocol):
    """Interface of what cuts a text format into records and fields."""

    fixed: bool
    path: Path
    metadata: Metadata
    record_length: int

    @property
    def slots(self) -> Mapping[str, int]:
        """Slot of each variable asked for."""

    def blocks(self, file: BlockFile) -> Iterator[RecordBlock]:
        """Whole records in file order."""


RecordsOf = Callable[[Path, Metadata, Collection[str]], R]
"""A text format: makes the records of a file from its path, its metadata and the variables wanted."""


def read_records(
    records_of: RecordsOf[Records],
    path: Path,
    metadata: Metadata,
    names: Collection[str],
    progress: Progress = SILENT,
    known: Weights | None = None,
) -> Microdata:
    """Read a file once and encode the variables named.

    Parameters
    ----------
    records_of : finds the records
    path : Path
    metadata : Metadata, of the format
    names : variables to encode; the weight variable among them becomes `Microdata.weights`
    progress : Progress
    known : weights that the file may have: these very ones are given back where it has them

    Returns
    -------
    Microdata

    Raises
    ------
    DataError
        With file, line and variable: what cannot be read.
    """
    records = records_of(path, metadata, names)
    encoding = python_encoding(metadata.encoding)

    @contextmanager
    def blocks(file: BlockFile) -> Iterator[Iterator[RecordBlock | FoldedBlock]]:
        with ahead(records.blocks(file)) as found:
            yield _told(found, file, progress)

    source, encoders, reader = encode_records(records, names, blocks, encoding, metadata.decimal, progress, known)
    return finished(metadata, source, encoders, reader, progress)


def _told(blocks: Iterator[RecordBlock], file: BlockFile, progress: Progress) -> Iterator[RecordBlock]:
    """The blocks of a file; after each it is told how far the reading is."""
    for block in blocks:
        yield block
        progress.report(file.read, max(file.size, 1), translate(mark("Reading the data")))


def encode_records(
    records: Records,
    names: Collection[str],
    blocks: Callable[[BlockFile], AbstractContextManager[Iterator[RecordBlock | FoldedBlock]]],
    encoding: str,
    decimal: str,
    progress: Progress,
    known: Weights | None = None,
) -> tuple[Source, list[ColumnEncoder], WeightReader | None]:
    """One pass over a file: what it is, and its columns and weights, which are still to be finished.

    Parameters
    ----------
    blocks : gives the records of the opened file
    encoding, decimal : of the texts in them
    known : as of `read_records`
    """
    weight = records.metadata.weight
    reader = None
    if weight is not None and weight.name in names:
        reader = WeightReader(weight, decimal, encoding, records.path, known)
    encoders = [
        ColumnEncoder(variable, encoding, records.fixed)
        for variable in map(records.metadata.__getitem__, names)
        if variable is not weight or variable.categorical
    ]
    n = 0
    with BlockFile(records.path) as file, blocks(file) as found:
        for block in found:
            for encoder in encoders:
                slot = records.slots[encoder.variable.name]
                if isinstance(block, FoldedBlock):
                    encoder.add_folded(block.texts(slot))
                else:
                    encoder.add(block.data, *block.field(slot))
                progress.check()
            if weight is not None and reader is not None:
                _read_weights(reader, block, records.slots[weight.name])
                progress.check()
            n += len(block)
        sha256, size, mtime_ns = file.identity()
    return Source(records.path, sha256, size, mtime_ns, n, records.record_length), encoders, reader


def _read_weights(reader: WeightReader, block: RecordBlock | FoldedBlock, slot: int) -> None:
    if not isinstance(block, FoldedBlock):
        reader.add(block.data, *block.field(slot), block.lines)
        return
    numbers = block.numbers(slot)
    if numbers is None or not reader.add_numbers(numbers):
        texts = block.texts(slot)
        table = texts.table
        reader.add(table.data, table.starts[texts.index], table.lengths[texts.index], block.lines)


def finished(
    metadata: Metadata,
    source: Source,
    encoders: Iterable[ColumnEncoder],
    reader: WeightReader | None,
    progress: Progress,
) -> Microdata:
    """What `encode_records` found, as it is used."""
    weights, notices = reader.finish() if reader is not None else (None, [])
    columns = {}
    for encoder in encoders:
        progress.check()
        columns[encoder.variable.name], said = encoder.finish(progress)
        notices += said
    return Microdata(metadata, source, columns, weights, tuple(notices))


def numbers_of_records(
    records_of: RecordsOf[Records], path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> list[NDArray[np.float64]]:
    """Numerical variables of one reading, (n,) float64 each, nan where one is missing or blank.

    Raises
    ------
    DataError
        ``not-a-number``, naming line and variable; and all that `read_records` raises.
    """
    records, variables = records_of(path, metadata, list(names)), [metadata[name] for name in names]
    codes = [[np.frombuffer(code.strip(BLANKS).encode(), np.uint8) for code in v.missing] for v in variables]
    blocks: list[list[NDArray[np.float64]]] = [[] for _ in variables]
    with BlockFile(records.path) as file, ahead(records.blocks(file)) as found:
        for block in _told(found, file, progress):
            for variable, missing, numbers in zip(variables, codes, blocks, strict=True):
                progress.check()
                numbers.append(_numbers(block, records, variable, missing))
    return joined(blocks)


def joined(blocks: list[list[NDArray[np.float64]]]) -> list[NDArray[np.float64]]:
    """The blocks of each variable as one array, the blocks of one after the other given free."""
    found = []
    for place, of_variable in enumerate(blocks):
        found.append(np.concatenate(of_variable))
        blocks[place] = []
    return found


def _numbers(
    block: RecordBlock, records: Records, variable: Variable, missing: list[NDArray[np.uint8]]
) -> NDArray[np.float64]:
    starts, lengths = block.field(records.slots[variable.name])
    whole, fraction, places, kind = parse_fields(block.data, starts, lengths, records.metadata.decimal)
    digits = places.astype(np.int64)
    # Both the digits (below 2**53) and the power of ten (below 10**23) are exact: one rounding, the right one.
    exact = whole < (1 << 53) // 10**digits
    numbers: NDArray[np.float64] = (whole * 10**digits * exact + fraction) / 10.0**digits
    absent = kind == BLANK
    for code in missing:
        equals_text(block.data, starts, lengths, code, absent)
    numbers[absent] = np.nan
    for i in np.flatnonzero(~absent & (~exact | (kind == OTHER))).tolist():
        text = block.data[starts[i] : starts[i] + lengths[i]].tobytes().decode("latin-1").strip(BLANKS)
        value = parse_text(text, records.metadata.decimal)
        if value is None:
            raise DataError(
                "not-a-number",
                mark("{file}, line {line}: variable {variable} is not a number."),
                mark("Correct the data, declare a missing code, or check the variable's place and the decimal mark."),
                file=records.path,
                line=int(block.lines[i]),
                variable=variable.name,
            )
        numbers[i] = abs(float(value))
        kind[i] = NEGATIVE if value.is_signed() else NUMBER
    numbers[kind == NEGATIVE] *= -1
    return numbers
