"""The check of windows draws one, in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.app import self_check
from gui.app.self_check import check_windows


def test_the_main_window_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    found = check_windows()
    assert "drew the main window" in found
    assert found.endswith("settings.ini")
    assert not [path for path in (tmp_path / "data").rglob("*") if path.is_file()], "no lock of a session is left"


@pytest.mark.parametrize(("answered", "said"), [(None, "cannot open a window"), ((1, "6", "xcb", ""), "is empty")])
def test_a_window_that_is_not_drawn_is_said(monkeypatch: pytest.MonkeyPatch, answered: object, said: str) -> None:
    monkeypatch.setattr(self_check, "answer", lambda _: answered)
    with pytest.raises(RuntimeError, match=said):
        check_windows()
