"""What is different where the program is installed."""

from __future__ import annotations

import os
import sys

import pytest

from core.base.program import called, is_installed, system_libraries


def test_sources_are_called_by_their_file_and_leave_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    with system_libraries():
        assert (is_installed(), called(), os.environ["LD_LIBRARY_PATH"]) == (False, "main.py", "/opt/lib")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere no such path is set")
@pytest.mark.parametrize("before", [None, "/opt/lib"])
def test_what_an_installed_program_starts_finds_the_system_s_libraries(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/usr/lib/pavo/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before or "")
    with system_libraries():
        assert (called(), os.environ.get("LD_LIBRARY_PATH")) == ("pavo", before)
    assert os.environ["LD_LIBRARY_PATH"] == "/usr/lib/pavo/_internal"
