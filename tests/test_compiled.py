"""Kernels are compiled once for a user, from whatever folder the program is started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = """
import sys
sys.path.insert(0, sys.argv[1])
import main
main.keep_compiled_kernels()
from core.kernels import decimals
kernels = [kernel for kernel in vars(decimals).values() if type(kernel).__name__ == "Kernel"]
assert not any(kernel.signatures for kernel in kernels)  # importing compiles nothing
for kernel in kernels:
    kernel.prepare()
compiled = [kernel.stats for kernel in kernels]
print(sum(sum(s.cache_hits.values()) for s in compiled), sum(sum(s.cache_misses.values()) for s in compiled))
"""

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


def start(repo: Path, cwd: Path, home: Path) -> tuple[int, int]:
    """Kernels found in the cache and compiled anew, in a process of this user, started in this folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        environment[name] = str(home)
    cwd.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", START, str(repo)], cwd=cwd, env=environment, capture_output=True, text=True, check=True
    )
    hits, misses = map(int, done.stdout.split())
    return hits, misses


def test_the_second_start_compiles_nothing_from_any_folder_and_another_user_compiles_anew(
    repo: Path, tmp_path: Path
) -> None:
    first = start(repo, tmp_path / "one place", tmp_path / "ann")
    assert first[0] == 0
    assert first[1] > 0
    assert start(repo, tmp_path / "another place", tmp_path / "ann") == (first[1], 0)
    assert start(repo, tmp_path / "one place", tmp_path / "bob") == first
