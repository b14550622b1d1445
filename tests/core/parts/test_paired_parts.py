"""The safe file in parts beside the original: as the same file in one piece is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import DataError
from core.base.progress import Cancelled
from core.browse import parts as browsing
from core.browse.found import FoundRecords
from core.browse.parts import NOT_YET, OneOfTheParts, PartsBrowser
from core.browse.records import RecordQuery
from core.browse.side_by_side import SideBySide, choose_places
from core.parts.paired_parts import PartsBeside, beside
from core.parts.run import carry_out_parts
from core.recipe.toml import load
from core.release.run import Result, carry_out
from core.session import Session
from tests.core.parts.files import RECIPE, SurveyInParts, records
from tests.core.parts.test_drawn_records import OBSERVED, RELEASED_KEYS
from tests.core.parts.test_households import SHARED, divided, homes

ROWS = records(220)
TEXTS = ("", "SEX=1", "j", "1", "hand = r", "REGION=77", "no such", "AGE=")
DIVIDED = OBSERVED + RELEASED_KEYS


def protected(folder: Path, suffix: str, number: int, text: str = RECIPE) -> Result:
    """The survey protected as one file (`number` 0) or in parts, with the same draws."""
    survey = SurveyInParts(folder, suffix)
    data, out = ('"parts"', "safe") if number else (f'"all{suffix}"', f"safe{suffix}")
    if number:
        survey.split(ROWS, number)
    else:
        survey.write(folder / f"all{suffix}", ROWS)
    path = folder / "recipe.pavo"
    path.write_text(text.format(data=data, out=out), encoding="utf-8")
    recipe = load(path)
    return carry_out_parts(recipe) if number else carry_out(Session(), recipe)


@pytest.fixture(scope="module", params=[(".csv", RECIPE), (".csv", DIVIDED), (".parquet", RECIPE)])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    suffix, recipe = request.param
    folder = tmp_path_factory.mktemp("whole")
    result = protected(folder, suffix, 0, recipe)
    found = beside(result, folder / f"safe{suffix}")
    assert isinstance(found, SideBySide) and found.any_touched
    source = Session().prepare(result.derived.recipe).original
    yield suffix, recipe, found, source
    found.close()


@pytest.mark.parametrize("number", [1, 2, 7])
def test_parts_stand_beside_each_other_as_the_whole(whole: Any, number: int, tmp_path: Path) -> None:
    suffix, recipe, one, source = whole
    several = beside(protected(tmp_path, suffix, number, recipe), tmp_path / "safe")
    assert isinstance(several, PartsBeside)
    assert several.safe.records == several.original.records == len(ROWS)
    assert (several.layout.names, several.left_out) == (one.layout.names, one.left_out)
    assert several.redefined == one.redefined
    for part in range(1, number):
        several.keep(part, several.opened(part))
    for place in range(len(ROWS)):
        assert several.original.row(place) == one.original.row(place)
        assert several.safe.row(place) == one.safe.row(place)
        for name in several.layout.names:
            assert several.is_suppressed(name, place) == one.is_suppressed(name, place)
    for only in (False, True):
        for text in TEXTS:
            shown = choose_places(one, RecordQuery(text), only, source, {})
            places = range(len(ROWS)) if shown.places is None else shown.places.tolist()
            again, touched = FoundRecords(), FoundRecords()
            for part in range(number):
                found = several.found(part, text, only, {})
                again.add(several.first_of(part), found.shown)
                assert found.touched is not None
                touched.add(several.first_of(part), found.touched)
            assert [*touched] == [places[row] for row in shown.touched], (text, only)
            if text or only:
                assert [*again] == [*places], (text, only)
    several.close()


@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_search_of_the_original_is_that_of_the_whole(whole: Any, number: int, tmp_path: Path) -> None:
    suffix, _, _, source = whole
    survey = SurveyInParts(tmp_path, suffix)
    survey.split(ROWS, number)
    sources = protected(tmp_path, suffix, number).written.sources  # type: ignore[attr-defined]
    parts = PartsBrowser(sources, source.metadata)
    assert parts.searched == tuple(source.columns)
    codes = {"SEX": {"1": "Man", "2": "Woman"}}
    for text in (*TEXTS[1:], "woman"):
        found = FoundRecords()
        for part in range(number):
            found.add(parts.first_of(part), parts.found(part, text, codes).shown)
        wanted = [i for i, row in enumerate(ROWS) if _fits(dict(zip(source.metadata.names, row, strict=True)), text)]
        assert [*found] == wanted, text


def _fits(row: dict[str, str], text: str) -> bool:
    name, equals, code = (part.strip() for part in text.partition("="))
    texts = {key: value for key, value in row.items() if key != "WEIGHT"}
    if equals:
        return texts[name.upper()] == code
    label = {"1": "man", "2": "woman"}[row["SEX"]]
    return any(text in value for value in texts.values()) or text in label


@pytest.fixture
def several(tmp_path: Path) -> Iterator[PartsBeside]:
    found = beside(protected(tmp_path, ".csv", 4), tmp_path / "safe")
    assert isinstance(found, PartsBeside)
    yield found
    found.close()


def test_parts_are_opened_when_they_are_looked_at(several: PartsBeside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsing, "_KEPT_RECORDS", 0)
    asked: list[int] = []
    several.wanted = asked.append
    last = several.safe.records - 1
    assert several.safe.text(last, 0) == several.original.text(last, 0) == NOT_YET
    assert not any(several.is_suppressed(name, last) for name in several.layout.names)
    assert set(asked) == {3}
    for part in (3, 2):
        several.keep(part, several.opened(part))
    assert several.is_open(last) and not several.is_open(0)
    assert several.original.text(last, 0) == ROWS[-1][0]


def test_what_changed_or_is_gone_has_its_sentence(several: PartsBeside, tmp_path: Path) -> None:
    several.found(3, "", True, {})
    (tmp_path / "parts" / "p003.csv").unlink()
    (tmp_path / "safe" / "p002.csv").write_text("A\n1\n", encoding="utf-8")
    SurveyInParts(tmp_path).write(tmp_path / "parts" / "p001.csv", ROWS[:3])
    for part, id in ((3, "data-missing"), (2, "browsed-file-changed"), (1, "data-changed")):
        with pytest.raises(DataError) as refusal:
            several.opened(part)
        assert (refusal.value.id, f"p00{part}.csv" in str(refusal.value)) == (id, True)
    for part, id in ((3, "data-missing"), (1, "data-changed")):
        with pytest.raises(DataError) as refusal:
            several.found(part, "SEX=1", False, {})
        assert refusal.value.id == id


def test_nothing_suppressed_needs_no_reading(tmp_path: Path) -> None:
    found = beside(protected(tmp_path, ".csv", 2, RECIPE + '[suppression]\ncriterion = "none"\n'), tmp_path / "safe")
    assert isinstance(found, PartsBeside) and not found.any_touched
    (tmp_path / "parts" / "p001.csv").unlink()
    assert len(found.found(1, "", True, {}).shown) == 0
    assert not found.is_suppressed("SEX", 0)
    found.close()


class Told:
    """Notes what is told, and stops after `looks` looks."""

    def __init__(self, looks: int) -> None:
        self.looks, self.told = looks, []

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise Cancelled

    def report(self, done: float, total: float, text: str) -> None:
        self.told.append((done, total, text))


def test_a_search_tells_records_and_stops(several: PartsBeside) -> None:
    told = Told(1000)
    several.found(1, "j", False, {}, OneOfTheParts(told, 60, several.records_of(1), 220))
    assert {total for _, total, _ in told.told} == {220}
    assert told.told[0] == (60, 220, "Looking through the records: 60 of 220")
    assert 60 < max(done for done, _, _ in told.told) <= 60 + several.records_of(1)
    with pytest.raises(Cancelled):
        several.found(2, "j", False, {}, OneOfTheParts(Told(0), 0, several.records_of(2), 220))


def test_a_search_opens_nothing_and_what_was_closed_stays_closed(several: PartsBeside) -> None:
    for part in range(4):
        several.found(part, "", True, {})
    assert [*several._open] == [0]
    several.close()
    several.keep(1, several.opened(1))
    assert not several._open


@pytest.mark.parametrize("identifier", ["sequence", "remove"])
def test_households_of_parts_stand_beside_the_original_as_those_of_the_whole(identifier: str, tmp_path: Path) -> None:
    """Rows are then members of households, which the identifier of the original tells."""
    survey, shown = SurveyInParts(tmp_path), []
    divided(survey, homes(60), 3)
    for data, out in (('"all.csv"', "safe.csv"), ('"parts"', "safe")):
        path = tmp_path / "recipe.pavo"
        path.write_text(SHARED.replace('"sequence"', f'"{identifier}"').format(data=data, out=out), encoding="utf-8")
        recipe = load(path)
        result = carry_out_parts(recipe) if out == "safe" else carry_out(Session(), recipe)
        shown.append(beside(result, tmp_path / out))
    one, several = shown
    assert isinstance(one, SideBySide) and isinstance(several, PartsBeside) and several.any_touched
    for part in range(3):
        several.keep(part, several.opened(part))
    again = FoundRecords()
    for part in range(3):
        again.add(several.first_of(part), several.found(part, "", True, {}).shown)
    assert [*again] == one.touched.tolist()
    for place in range(one.safe.records):
        assert (several.original.row(place), several.safe.row(place)) == (one.original.row(place), one.safe.row(place))
        for name in one.layout.names:
            assert several.is_suppressed(name, place) == one.is_suppressed(name, place)
    one.close()
    several.close()


def test_a_part_that_was_opened_twice_is_held_once(several: PartsBeside) -> None:
    """It was wanted, then another one, then it again, before it had come."""

    class Again:
        closed = False

        def close(self) -> None:
            self.closed = True

    before, again = several._open[0], Again()
    several.keep(0, again)  # type: ignore[arg-type]
    assert again.closed and several._open[0] is before
