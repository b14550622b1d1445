"""Locks of the program's own folder, as Windows has them."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.base import state_folder


@pytest.mark.parametrize("held", [False, True])
def test_lock_on_windows_leaves_the_text_to_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """A run reads which files another one writes from the journal that it could not lock."""

    def locking(_number: int, _mode: int, _length: int) -> None:
        if held:
            raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(state_folder, "sys", SimpleNamespace(platform="win32"))
    path = tmp_path / "journal"
    path.write_bytes(b"what it writes")

    with path.open("r+b", buffering=0) as file:
        assert state_folder.lock(file) is not held
        assert file.read() == b"what it writes"
