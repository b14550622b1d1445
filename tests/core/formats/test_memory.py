"""Writers that need all records in memory ask first whether they fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import OutputError
from core.formats import memory
from core.formats.typed import sas, spss
from core.formats.typed.columns import TypedField, TypedFile

FILE = TypedFile("spss", (TypedField("a"), TypedField("b", storage="string", width=10)), 10_000_000)


def test_the_system_says_what_there_is() -> None:
    found = memory.available_bytes()
    assert found is None or 1 << 26 < found < 1 << 46


@pytest.mark.parametrize("module", [spss, sas])
def test_what_does_not_fit_is_refused_before_it_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object
) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 30)
    with pytest.raises(OutputError) as caught:
        module.write(tmp_path / "x", FILE, iter([]))  # type: ignore[attr-defined]
    assert caught.value.id == "typed-memory"
    assert 1000 < caught.value.values["needed"] < 2000  # type: ignore[operator]
    assert not list(tmp_path.iterdir())


def test_where_nothing_is_known_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: None)
    memory.check_memory(FILE, "sav")
