"""Time and memory of protecting very large files in batch: ``python -m tests.benchmarks.bench_sizes [options]``.

The files are made in a temporary folder and deleted. Memory is that of the program with all its child processes,
looked at twenty times a second, beside the highest figure that the system recorded for the program alone. Seconds of
the processor are given beside those of the clock, because other programs slow only the latter.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.big_file import KEYS, make_file

ROOT = Path(__file__).parents[2]
PHASES = ("read", "tables", "risk", "suppress", "write", "verify")
_TICK = 0.05
MEAN_WEIGHT = 155


def tree_rss(root: int) -> int:
    """Bytes that a process and all below it have in memory now (Linux); pages they share count once for each."""
    children: dict[int, list[int]] = {}
    resident: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            resident[int(entry.name)] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    found, pending = 0, [root]
    while pending:
        process = pending.pop()
        found += resident.get(process, 0)
        pending += children.get(process, ())
    return found


def measured(session: Path) -> tuple[float, float, int, int]:
    """Carry a session out in a process of its own: seconds of clock and processor, bytes of the tree and of it."""
    begin = time.perf_counter()
    process = subprocess.Popen([sys.executable, str(ROOT / "main.py"), "run", str(session)], cwd=ROOT)
    highest = 0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        highest = max(highest, tree_rss(process.pid))
        time.sleep(_TICK)
    if status:
        raise SystemExit(f"the run failed with status {status}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, highest, usage.ru_maxrss << 10


def usual_threshold(records: int) -> float:
    """The risk in cells with three standard deviations fewer records than the mean."""
    mean = records / math.prod(list(KEYS.values())[:4])
    return min(1 / (MEAN_WEIGHT * mean * max(1 - 3 / math.sqrt(mean), 0.1)), 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millions", type=float, nargs="*", default=[10.0])
    parser.add_argument("--no-household", action="store_true")
    parser.add_argument("--threshold", type=float, help="of the individual risk; default: some cells in a thousand")
    parser.add_argument("--others", type=int, default=15, help="bytes of each record that nothing is decided about")
    parser.add_argument("--output", default="", help="a further line of the session's [output], such as shuffle = true")
    parser.add_argument("--format", default="", help="suffix of the safe file, such as .csv")
    given = parser.parse_args()
    for millions in given.millions:
        records = int(millions * 1e6)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            session = make_file(
                folder,
                records,
                threshold=given.threshold or usual_threshold(records),
                household=not given.no_household,
                others=given.others,
                output=given.output,
            )
            if given.format:
                session.write_text(session.read_text().replace("big.saf", "big" + given.format))
            size = (folder / "big.asc").stat().st_size
            seconds, processor, tree, alone = measured(session)
            summary = json.loads((folder / "safe" / "summary.json").read_text())
            free = shutil.disk_usage(folder).free
        phases = ", ".join(f"{phase} {summary['seconds'][phase]:.1f}" for phase in PHASES)
        print(
            f"{records:,} records ({size / 2**20:,.0f} MiB), {summary['suppression']['total']:,} suppressions: "
            f"{seconds:.1f} s ({processor:.1f} s of processor); peak {tree / 2**20:,.0f} MiB "
            f"(program alone {alone / 2**20:,.0f})\n    {phases}; {free / 2**30:.0f} GiB of disk left",
            flush=True,
        )


if __name__ == "__main__":
    main()
