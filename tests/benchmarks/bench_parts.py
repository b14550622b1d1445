"""A recipe on a file in Parquet parts: records a second, seconds of the processor, peak of memory.

Run as ``python -m tests.benchmarks.bench_parts [records in millions, default 1] [parts, default 10] [folder]``; more
arguments are those of the command (``--workers 2``); ``--many``: six keys whose codes are drawn evenly: fifty million
combinations of a hundred million records. Beside it, in one process and in turns, the pass that counts the cells, what
of it is decoding by pyarrow, and, where DuckDB is installed, its ``GROUP BY`` over the same parts, which counts and
nothing else, with one thread and with as many as there are cores.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.formats.typed.parquet import ROWS
from core.recipe.toml import load
from core.results.cell_tables import CellSum, CountingTask
from core.rows.scan import Once, scan
from core.rows.source import FileParts
from core.session import Session

KEYS = {"REGION": 90, "SEX": 2, "AGE": 100, "JOB": 40}
MANY_KEYS = {**KEYS, "EDUCATION": 29, "STATUS": 3}

RECIPE = """recipe = 1
[input]
data = "parts"
[variables.WEIGHT]
role = "weight"
[[combinations]]
variables = {keys}
[threshold]
individual_risk = {risk}
[output]
data = "safe"
summary = "summary.json"
"""

ROUNDS = 3
PHASES = ("read", "tables", "risk", "suppress", "write", "verify")


def make_parts(folder: Path, records: int, parts: int, many: bool = False) -> None:
    """Write the parts: keys of geometric frequencies as texts, or `many` keys evenly; and weights of one decimal."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    keys = MANY_KEYS if many else KEYS
    codes = {name: pa.array([f"{code:02}" for code in range(size)]) for name, size in keys.items()}
    for number in range(parts):
        n = records * (number + 1) // parts - records * number // parts
        draw = np.random.default_rng(number)
        columns: dict[str, pa.Array] = {}
        for name, size in keys.items():
            index = draw.integers(0, size, n) if many else draw.geometric(min(0.5, 5 / size), n) - 1
            index = np.minimum(index, size - 1).astype(np.int32)
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(index), codes[name]).cast(pa.string())
        columns["WEIGHT"] = pa.array(np.round(draw.gamma(4, 5, n) + 1, 1))
        pq.write_table(pa.table(columns), folder / "parts" / f"part-{number:04}.parquet")


def ours(folder: Path, arguments: list[str], many: bool = False) -> None:
    """Carry the recipe out as the command does, in a process of its own."""
    keys, risk = (MANY_KEYS, 0.3) if many else (KEYS, 0.01)
    (folder / "recipe.pavo").write_text(RECIPE.format(keys=json.dumps([*keys]), risk=risk), encoding="utf-8")
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "main.py", "run", str(folder / "recipe.pavo"), "--quiet", *arguments]
    subprocess.run(command, check=True)
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    phases = ", ".join(f"{phase} {found['seconds'][phase]:.1f}" for phase in PHASES)
    print(
        f"{found['records']:,} records, {found['combinations'][0]['cells']:,} cells, "
        f"{found['suppression']['total']:,} suppressions: {seconds:.1f} s, {processor:.1f} s of processor, "
        f"{found['records'] / processor:,.0f} records a second of processor; peak {found['peak_rss_mib']:.0f} MiB\n"
        f"    {phases}"
    )


def tabulation(folder: Path, many: bool = False) -> None:
    """The cells of the parts: by the pass that a run makes, by DuckDB, and the decoding that the pass begins with."""
    recipe, names = load(folder / "recipe.pavo"), tuple(MANY_KEYS if many else KEYS)
    metadata, parts = Session().metadata(recipe), sorted((folder / "parts").glob("*.parquet"))

    def cells(of: Sequence[Path] = parts) -> int:
        with CellSum(metadata) as found:
            scan(FileParts.unread(metadata, of), [Once(CountingTask(names), found.add)])
            return len(found.whole().count)

    def decoding() -> int:
        found = 0
        for part in parts:
            with pq.ParquetFile(part, read_dictionary=list(names)) as source:
                found += sum(batch.num_rows for batch in source.iter_batches(ROWS, use_threads=False))
        return found

    cells(parts[:1])  # loads the kernels
    tasks = {"the reading pass": cells, "decoding alone": decoding, **_of_duckdb(folder, names)}
    taken: dict[str, list[tuple[int, float, float]]] = {what: [] for what in tasks}
    for _ in range(ROUNDS):
        for what, task in tasks.items():
            begin, processor = time.perf_counter(), time.process_time()
            found = task()
            taken[what].append((found, time.perf_counter() - begin, time.process_time() - processor))
    for what, rounds in taken.items():
        (found, *_), clock, processors = rounds[0], [each[1] for each in rounds], [each[2] for each in rounds]
        listed = " ".join(f"{seconds:.2f}" for seconds in processors)
        print(f"{what}: {found:,}, {min(clock):.2f} s at best, {median(processors):.2f} s of processor ({listed})")


def _of_duckdb(folder: Path, names: Sequence[str]) -> dict[str, Callable[[], int]]:
    """The cells of the parts by DuckDB, by the number of its threads."""
    try:
        import duckdb  # type: ignore[import-not-found]
    except ImportError:
        print("DuckDB is not installed")
        return {}
    listed = ", ".join(names)
    query = (
        f"SELECT count(*) FROM (SELECT {listed}, count(*), sum(WEIGHT) FROM '{folder}/parts/*.parquet' GROUP BY ALL)"
    )

    def cells(threads: int) -> int:
        duckdb.sql(f"SET threads = {threads}")
        return int(duckdb.sql(query).fetchall()[0][0])

    numbers = sorted({1, os.cpu_count() or 1})
    return {f"DuckDB GROUP BY, threads: {number}": partial(cells, number) for number in numbers}


def main() -> None:
    many = "--many" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--many"]
    records = int(float(arguments[0]) * 1e6) if arguments else 1_000_000
    parts = int(arguments[1]) if len(arguments) > 1 else 10
    kept = len(arguments) > 2 and not arguments[2].startswith("-")
    folder = Path(arguments[2]) if kept else Path(tempfile.mkdtemp())
    try:
        if not (folder / "parts").is_dir():
            make_parts(folder, records, parts, many)
        ours(folder, arguments[3 if kept else 2 :], many)
        tabulation(folder, many)
    finally:
        if not kept:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
