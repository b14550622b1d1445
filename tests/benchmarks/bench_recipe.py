"""A whole recipe (read, tabulate, forecast, suppress, write, verify, report) against plain pandas and scipy.

Run as ``python -m tests.benchmarks.bench_recipe [records in millions, default 1]``. The plain implementation makes no
forecast, no report and no search for leaks, and its results are compared with ours. Seconds of the processor are
given beside those of the clock, because other programs slow only the latter.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from core.recipe.toml import load
from core.release.pinned_inputs import RecipeFile
from core.release.run import carry_out
from core.session import Session
from tests.benchmarks import plain
from tests.big_file import KEYS, make_file

RUNS = 3
PHASES = ("read", "tables", "risk", "suppress", "write", "verify")


def ours(session: Path) -> tuple[float, float, dict[str, Any]]:
    """Seconds of clock and processor, and the summary."""
    recipe = load(session)
    file = RecipeFile(session, session.read_text("utf-8"), "")
    clock, processor = time.perf_counter(), time.process_time()
    summary = carry_out(Session(), recipe, file=file).summary
    return time.perf_counter() - clock, time.process_time() - processor, summary


def theirs(folder: Path, keys: int, threshold: float) -> tuple[float, float, dict[str, int]]:
    """The same by pandas and scipy; the suppressions by variable."""
    layout, start = {}, 0
    for name in list(KEYS)[:keys]:
        width = len(str(KEYS[name])) + (KEYS[name] < 10)
        layout[name] = (start, start + width)
        start += width
    clock, processor = time.perf_counter(), time.process_time()
    frame = plain.read(folder / "big.asc", layout)
    lost = plain.suppress(frame, list(layout), threshold)
    plain.write(folder / "plain.asc", frame, lost, layout)
    if not plain.verify(folder / "plain.asc", frame, lost, layout, threshold):
        raise SystemExit("the plain implementation failed its own check")
    taken = time.perf_counter() - clock, time.process_time() - processor
    return (*taken, {name: int(flags.sum()) for name, flags in lost.items()})


def compare(records: int, keys: int, threshold: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        session = make_file(Path(name), records, keys, threshold)
        runs = [ours(session) for _ in range(RUNS)]
        seconds, processor = (median(run[i] for run in runs) for i in (0, 1))
        summary = runs[-1][2]
        plain_seconds, plain_processor, lost = theirs(Path(name), keys, threshold)
    if summary["suppression"]["by_variable"] != lost:
        raise SystemExit(f"the two disagree: {summary['suppression']['by_variable']} and {lost}")
    phases = ", ".join(f"{phase} {summary['seconds'][phase]:.2f}" for phase in PHASES if phase in summary["seconds"])
    print(
        f"{records:>10,} records, {keys} keys, {summary['combinations'][0]['cells']:,} cells, "
        f"{summary['suppression']['total']:,} suppressions: {seconds:.2f} s ({processor:.2f} s of processor); "
        f"plain {plain_seconds:.1f} s ({plain_processor:.1f}); ratio {plain_processor / processor:.1f}\n"
        f"{'':>10} last run: {phases}; peak {summary.get('peak_rss_mib', 0):.0f} MiB"
    )


def main() -> None:
    n = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        ours(make_file(Path(name), 1000, 4, 0.05))  # loads the kernels
    compare(n, 4, 0.002)
    compare(n, 6, 0.02)


if __name__ == "__main__":
    main()
