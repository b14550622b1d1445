"""Compiled kernels are kept where that is possible; a full disk costs time, not results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

KERNEL = """
import sys
from core.kernels.declare import kernel as declare


@declare("int64(int64)")
def kernel(x):
    return x + {added}

sys.stdout.write(str(kernel(1)))
"""


def run(folder: Path, added: int, before: str = "\n" * 5) -> str:
    script = folder / "kernel.py"
    script.write_text(before + KERNEL.format(added=added))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(Path.cwd())}
    return subprocess.run(
        [sys.executable, str(script)], env=environment, check=True, capture_output=True, text=True
    ).stdout


FULL = """import errno
from numba.core.caching import IndexDataCacheFile
def full(self, name, data):
    raise OSError(errno.ENOSPC, "full")
IndexDataCacheFile._save_data = full
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_full_disk_neither_stops_a_run_nor_leaves_older_code_behind(tmp_path: Path) -> None:
    assert hasattr(IndexDataCacheFile, "_save_data")
    assert run(tmp_path, 1) == "2"
    assert list((tmp_path / "cache").rglob("*.nbc"))
    assert run(tmp_path, 20, FULL) == "21"
    assert not list((tmp_path / "cache").rglob("*.nbi"))
    assert run(tmp_path, 300) == "301"
