"""The libraries that the program names are those that it needs and that are installed."""

from __future__ import annotations

import re
from email.message import Message
from importlib.metadata import Distribution, version
from pathlib import Path
from typing import Any

import pytest

from core.base import libraries as module
from core.base.libraries import NEEDED, libraries, others, python


def test_named_are_those_of_the_requirements(repo: Path) -> None:
    lines = (repo / "installer" / "requirements.in").read_text("utf-8").splitlines()
    names = [match[0] for line in lines if (match := re.match(r"[\w-]+", line))]
    assert list(NEEDED) == names


def test_each_has_its_version_and_licence_and_brings_those_it_needs() -> None:
    found = {one.name: one for one in libraries()}
    assert {"numpy", "llvmlite", "MarkupSafe", "shiboken6"} <= set(found)  # the last three are needed by others
    assert not {"pytest", "ruff", "pip"} & set(found)
    assert all(one.version == version(one.name) and one.licence != "see the text" for one in found.values())
    assert found["pyarrow"].licence == "Apache-2.0"
    assert "Permission is hereby granted" in found["platformdirs"].text()
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in python().text().upper()


def test_texts_that_come_with_an_installed_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "libffi8_3.4.4-1.txt").write_text("MIT licence", "utf-8")
    (tmp_path / "LGPL-3.0.txt").write_text("GNU LESSER", "utf-8")
    monkeypatch.setattr(module, "TEXTS", tmp_path)
    assert [(one.name, one.version, one.text()) for one in others()] == [("libffi8", "3.4.4-1", "MIT licence")]
    qt = next(one for one in libraries() if one.name.startswith("PySide6"))
    assert qt.text().endswith("GNU LESSER")


def test_a_library_need_not_say_its_licence_in_every_way() -> None:
    """Asked for what is not there, metadata gives nothing in some versions, and an error in others."""

    class Said(Message):
        def __getitem__(self, name: str) -> Any:
            if name not in self:
                raise KeyError(name)
            return super().__getitem__(name)

    class Named(Distribution):
        metadata = Said()  # type: ignore[assignment]

        def read_text(self, filename: str) -> None:
            return None

        def locate_file(self, path: Any) -> Path:
            return Path(path)

    Named.metadata["Classifier"] = "License :: OSI Approved :: MIT License"
    assert module._licence(Named()) == "MIT License"
