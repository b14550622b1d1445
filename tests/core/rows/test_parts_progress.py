"""How far the work on parts is, is told in records and bytes, with the time that is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.progress import Cancelled
from core.parts.session import PartsSession
from core.recipe.toml import parse
from core.rows import parts_progress
from core.rows.parts_progress import OfOnePart, PartsProgress
from tests.core.parts.files import RECIPE, SurveyInParts, records


class Heard:
    """Keeps what it is told; stops the work once so much of it is done."""

    def __init__(self, stop_at: float = 2.0) -> None:
        self.said: list[tuple[float, str]] = []
        self._stop_at = stop_at

    def report(self, done: float, total: float, text: str) -> None:
        self.said.append((done / total, text))

    def check(self) -> None:
        if self.said and self.said[-1][0] >= self._stop_at:
            raise Cancelled


def test_records_bytes_and_time_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        with path.open("wb") as file:
            file.truncate(50_000_000)
    clock = [0.0]
    monkeypatch.setattr(parts_progress.time, "monotonic", lambda: clock[0])
    heard = Heard()
    work = PartsProgress(heard, paths, "Counting")
    OfOnePart(work, heard).report(1, 2, "reading")
    assert heard.said[-1] == (0.25, "Counting: 0 records, 25 of 100 MB")
    clock[0] = 180.0
    work.part(12_345)
    assert heard.said[-1] == (0.5, "Counting: 12,345 records, 50 of 100 MB, about 3 minutes left")
    OfOnePart(work, heard).report(3, 4, "reading")
    assert heard.said[-1][1] == "Counting: 12,345 records, 88 of 100 MB, less than a minute left"
    work.part(5)
    assert heard.said[-1] == (1.0, "Counting: 12,350 records, 100 of 100 MB")


def test_counting_is_stopped_and_goes_on_when_asked_again(tmp_path: Path) -> None:
    survey = SurveyInParts(tmp_path)
    survey.split(records(200), 3)
    recipe = parse(RECIPE.format(data='"parts"', out="safe"), tmp_path)
    session = PartsSession()
    with pytest.raises(Cancelled):
        session.derive(recipe, Heard(stop_at=0.1))
    heard = Heard()
    assert session.derive(recipe, heard).records == 200
    assert any(text.startswith("Counting the parts: 200 records") for _, text in heard.said)
