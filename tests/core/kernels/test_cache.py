"""Compiled kernels are kept where that is possible; a full disk costs time, not results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from core.kernels.cache import KernelFiles

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
    assert run(tmp_path, 300) == "301"


def kept(files: KernelFiles, *keys: str) -> list[object]:
    return [files.load(key) for key in keys]  # type: ignore[no-untyped-call]


def test_two_processes_at_one_kernel_find_no_code_of_each_other_by_the_wrong_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (KernelFiles(str(tmp_path), "kernel-1.py311", "new") for _ in range(2))  # type: ignore[no-untyped-call]
    write = one._save_index

    def after_the_other(named: object) -> None:
        other.save("second", "code of the second")
        write(named)  # of what was there before

    monkeypatch.setattr(one, "_save_index", after_the_other)
    one.save("first", "code of the first")
    assert kept(one, "first", "second") == ["code of the first", None]  # which is compiled again
    other.save("second", "code of the second")
    assert kept(one, "first", "second") == ["code of the first", "code of the second"]


def test_older_code_is_never_found_and_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = (KernelFiles(str(tmp_path), "kernel-1.py311", stamp) for stamp in ("old", "new"))  # type: ignore[no-untyped-call]
    older.save("first", "old code")
    write = newer._save_data

    def found_meanwhile(name: str, data: object) -> None:
        assert kept(newer, "first") == [None]
        write(name, data)

    monkeypatch.setattr(newer, "_save_data", found_meanwhile)
    newer.save("first", "new code")
    assert kept(newer, "first") == ["new code"]
    assert len(list(tmp_path.glob("*.nbc"))) == 1
