"""How fast text files are read and written: ``python -m tests.benchmarks.bench_read`` (a million records)."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from core.io import files
from core.io.writing import FieldEdit
from core.microdata.variables import Metadata, Variable

FIXED = Metadata(
    "fixed",
    (
        Variable("REGION", 1, 4, missing=("9999",)),
        Variable("SEX", 5, 1, missing=("9",)),
        Variable("AGE", 6, 2, missing=("99",)),
        Variable("MARSTAT", 8, 1, missing=("9",)),
        Variable("WEIGHT", 9, 9, role="weight"),
    ),
)
DELIMITED = Metadata(
    "delimited",
    (*(Variable(name, missing=("",)) for name in FIXED.names[:4]), Variable("WEIGHT", role="weight")),
)


def best(work: Callable[[], object], times: int = 5) -> float:
    """Shortest of some runs, in seconds."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def make(folder: Path, n: int) -> tuple[Path, Path]:
    """The same random survey in both formats."""
    random = np.random.default_rng(1)
    columns = [
        random.integers(1, 500, n),
        random.integers(1, 3, n),
        random.integers(15, 75, n),
        random.integers(1, 5, n),
    ]
    rows = list(zip(*(column.tolist() for column in columns), (random.random(n) * 500).tolist(), strict=True))
    fixed, delimited = folder / "data.asc", folder / "data.csv"
    fixed.write_text("".join(f"{a:4d}{b}{c:2d}{d}{w:9.2f}\n" for a, b, c, d, w in rows))
    lines = "".join(f"{a},{b},{c},{d},{w:.2f}\n" for a, b, c, d, w in rows)
    delimited.write_text(",".join(DELIMITED.names) + "\n" + lines)
    return fixed, delimited


def write(path: Path, metadata: Metadata) -> float:
    """Seconds to write the file with a tenth of the records edited in every key."""
    read = files.read(path, metadata, metadata.names)
    mask = np.random.default_rng(1).random(read.records) < 0.1
    edits = {
        name: FieldEdit(np.full(read.records, column.n_valid, dtype=column.values.dtype), column.codes, mask)
        for name, column in read.columns.items()
    }
    layout = files.safe_layout(metadata, edits, frozenset())
    return best(lambda: files.write(read.source, metadata, io.BytesIO(), edits, layout))


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        fixed, delimited = make(Path(name), n)
        for path, metadata in ((fixed, FIXED), (delimited, DELIMITED)):
            seconds = best(lambda path=path, metadata=metadata: files.read(path, metadata, metadata.names))
            print(f"{metadata.format:9s} {n} records: read {seconds:.3f} s, write {write(path, metadata):.3f} s")
        print(f"pandas (pyarrow)        : read {best(lambda: pd.read_csv(delimited, engine='pyarrow')):.3f} s")


if __name__ == "__main__":
    main()
