"""How fast text files are read and written, and how pandas reads them: ``python -m tests.benchmarks.bench_read [n]``.

Every reader runs in a process of its own; memory is what its first reading adds to that process. Seconds of the
processor (all threads) are given beside those of the clock, because other programs slow only the latter; each is the
least of some runs.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from core.data.variables import Metadata, Variable
from core.formats import registry
from core.formats.text.writing import FieldEdit, Rewrite

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


Timing = tuple[float, float]


def best(work: Callable[[], object], times: int = 5) -> Timing:
    """Least seconds of clock and of processor among some runs."""
    clocks, processors = [], []
    for _ in range(times):
        begin, spent = time.perf_counter(), time.process_time()
        work()
        clocks.append(time.perf_counter() - begin)
        processors.append(time.process_time() - spent)
    return min(clocks), min(processors)


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


def write(path: Path, metadata: Metadata) -> Timing:
    """Seconds to write the file with a tenth of the records edited in every key."""
    read = registry.read(path, metadata, metadata.names)
    mask = np.random.default_rng(1).random(read.records) < 0.1
    edits = {
        name: FieldEdit(np.full(read.records, column.n_valid, dtype=column.values.dtype), column.codes, mask)
        for name, column in read.columns.items()
    }
    layout = registry.safe_layout(metadata, edits, frozenset())
    rewrite = Rewrite(read.source, metadata, edits, layout)
    return best(lambda: registry.write(rewrite, io.BytesIO()))


def _fwf(path: Path) -> None:
    widths = [variable.length for variable in FIXED.variables]
    pd.read_fwf(path, widths=widths, header=None, names=list(FIXED.names))


READERS: dict[str, Callable[[Path], object]] = {
    "fixed, Pavo": lambda path: registry.read(path, FIXED, FIXED.names),
    "fixed, pandas.read_fwf": _fwf,
    "delimited, Pavo": lambda path: registry.read(path, DELIMITED, DELIMITED.names),
    "delimited, pandas C": lambda path: pd.read_csv(path, engine="c"),
    "delimited, pandas pyarrow": lambda path: pd.read_csv(path, engine="pyarrow"),
}


def highest() -> float:
    """MiB that this process had in memory at the most (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def one(reader: str, path: Path, small: Path) -> None:
    """Print what a reader takes: seconds of clock and processor, MiB."""
    READERS[reader](small)  # loads what it needs
    Path("/proc/self/clear_refs").write_text("5")  # forget the highest figure so far
    before = highest()
    READERS[reader](path)
    memory = highest() - before
    print(json.dumps([*best(lambda: READERS[reader](path), 2 if "fwf" in reader else 5), memory]))


def measured(reader: str, path: Path, small: Path) -> tuple[float, float, float]:
    """`one` in a process of its own."""
    call = [sys.executable, "-m", "tests.benchmarks.bench_read", "--one", reader, str(path), str(small)]
    clock, processor, memory = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    print(f"{reader:28s} read {clock:7.3f} s ({processor:7.3f} s of processor), {memory:6.0f} MiB", flush=True)
    return clock, processor, memory


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
        return
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "small").mkdir()
        large, small = make(folder, n), make(folder / "small", 1000)
        print(f"{n:,} records; {', '.join(f'{path.name} {path.stat().st_size / 2**20:.0f} MiB' for path in large)}")
        found = {
            reader: measured(reader, large[which], small[which])
            for reader in READERS
            for which in [int(reader.startswith("delimited"))]
        }
        for path, metadata in zip(large, (FIXED, DELIMITED), strict=True):
            clock, processor = write(path, metadata)
            print(f"{metadata.format}, Pavo: written in {clock:.3f} s ({processor:.3f} s of processor)")
    fixed = [a / b for a, b in zip(found["fixed, pandas.read_fwf"][:2], found["fixed, Pavo"][:2], strict=True)]
    print(f"read_fwf takes {fixed[0]:.1f} times our clock, {fixed[1]:.1f} times our processor (10 at least is the aim)")
    fastest = min((r for r in found if "pandas" in r and "delimited" in r), key=lambda r: found[r][0])
    ratios = [a / b for a, b in zip(found["delimited, Pavo"][:2], found[fastest][:2], strict=True)]
    print(f"we take {ratios[0]:.2f} times the clock of {fastest}, {ratios[1]:.2f} times its processor (2 at most)")


if __name__ == "__main__":
    main()
