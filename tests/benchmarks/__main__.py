"""Runs every benchmark after the other, each in a process of its own: ``python -m tests.benchmarks``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """0 where all ran to their end."""
    status = 0
    for module in sorted(Path(__file__).parent.glob("bench_*.py")):
        name = f"tests.benchmarks.{module.stem}"
        print(f"\n{name}", flush=True)
        status |= subprocess.run([sys.executable, "-m", name], check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
