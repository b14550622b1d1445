"""What other variables give away of suppressed values is searched for in files of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import core.pipeline.column_store
from core.base.errors import DataError, Notice
from core.data.columns import Microdata
from core.recipe.model import Combination, Input, Output, Recipe, Suppression, Threshold, VariableEdit
from core.session import Session
from core.warnings import given_away

OTHERS = tuple(f"O{i}" for i in range(5))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    rng = random.Random(2)
    lines = ["R,A,HALF,W," + ",".join(OTHERS)]
    for _ in range(2000):
        region = rng.randrange(40)
        some = (str(rng.randrange(4) if i else region // 4) for i in range(len(OTHERS)))
        row = (f"{region:02d}", str(rng.randrange(8)), str(region // 2), str(rng.randrange(5, 40)), *some)
        lines.append(",".join(row))
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    return Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(
            VariableEdit("R", missing=("99",), suppression_weight=1),
            VariableEdit("A", missing=("9",)),
            VariableEdit("W", role="weight"),
        ),
        combinations=(Combination(("R", "A"), threshold=Threshold(individual_risk=0.008)),),
        suppression=Suppression("weights"),
        output=Output(data=tmp_path / "safe.csv"),
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The variables that each pass over the file reads."""
    found: list[tuple[str, ...]] = []
    honest = core.pipeline.column_store.read

    def read(path: Path, metadata: object, names: Sequence[str], progress: object) -> Microdata:
        found.append(tuple(names))
        return honest(path, metadata, names, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(core.pipeline.column_store, "read", read)
    return found


def said(recipe: Recipe) -> list[Notice]:
    return [notice for notice in Session().protect(recipe).notices if "give" in notice.id]


@pytest.mark.parametrize(("bytes_at_a_time", "passes"), [(1 << 28, 1), (2 * 4 * 2000, 3), (1, 6)])
def test_a_large_file_is_searched_like_a_small_one(
    recipe: Recipe, asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, bytes_at_a_time: int, passes: int
) -> None:
    small = said(recipe)
    assert {dict(notice.values)["other"] for notice in small} == {"HALF", "O0"}
    assert asked == [("R", "A", "HALF", *OTHERS, "W")]
    asked.clear()
    monkeypatch.setattr("core.session.LEAK_CHECK_BYTES", 10)
    monkeypatch.setattr(given_away, "AT_A_TIME", bytes_at_a_time)
    assert set(said(recipe)) == set(small)
    assert asked[0] == ("R", "A", "W")
    assert len(asked) == 1 + passes and sum(asked[1:], ()) == ("HALF", *OTHERS)


def test_where_nothing_is_suppressed_no_more_is_read(
    recipe: Recipe, asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.session.LEAK_CHECK_BYTES", 10)
    assert said(recipe.with_(suppression=Suppression("none"))) == []
    assert asked == [("R", "A", "W")]


def test_what_cannot_be_examined_is_said(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.session.LEAK_CHECK_BYTES", 10)
    honest = core.pipeline.column_store.read

    def read(path: Path, metadata: object, names: Sequence[str], progress: object) -> Microdata:
        if "O1" in names:
            raise DataError("codes-too-many", "free text")
        return honest(path, metadata, names, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(core.pipeline.column_store, "read", read)
    *others, last = said(recipe)
    assert {dict(notice.values)["other"] for notice in others} == {"HALF", "O0"}
    assert last.text == "Whether O1 gives suppressed values away was not examined: it cannot be read as codes."
