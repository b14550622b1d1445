"""Common ground of the tests of core: journals of outputs stay out of the user's own folders; a small survey."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.persons import Persons


@pytest.fixture(autouse=True)
def journals(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("PAVO_STATE", str(folder))
    return folder


@pytest.fixture
def persons(tmp_path: Path) -> Persons:
    return Persons(tmp_path)
