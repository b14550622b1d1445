"""Pipes and devices that a recipe names are refused at once: nothing waits for them, or reads them without end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.base import plain_file
from core.base.errors import PavoError
from core.formats.argus.text_files import read_text
from core.profiles.read import load_profile
from core.recipe.toml import load
from core.session import Session

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
DELIMITED = 'format = "delimited"\n'
NAMED = {
    "data": f"data = '{{}}'\n{DELIMITED}",
    "metadata": "data = 'd.csv'\nmetadata = '{}'\n",
}

SMALL: dict[str, Callable[[Path], object]] = {
    "codelist or recode": read_text,
    "profile": load_profile,
    "recipe": load,
}


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    (tmp_path / "d.csv").write_text("A,B\n1,2\n1,3\n")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("kind", [*NAMED, *SMALL])
@pytest.mark.parametrize("named", ["pipe", "/dev/zero"])
def test_it_is_refused_and_not_waited_for(pipe: Path, kind: str, named: str) -> None:
    path = pipe.parent / named  # an absolute name stays what it is
    read: Callable[[Path], object] = lambda recipe: Session().derive(load(recipe))  # noqa: E731
    if kind in NAMED:
        path = pipe.with_name("r.pavo")
        path.write_text(f"recipe = 1\n[input]\n{NAMED[kind].format(named)}")
    with pytest.raises(PavoError, match="no ordinary file"):
        SMALL.get(kind, read)(path)


@pytest.mark.parametrize("suffix", ["parquet", "sav", "dta", "xlsx", "sas7bdat"])
def test_nor_are_those_that_libraries_read(pipe: Path, suffix: str) -> None:
    path = pipe.rename(pipe.with_suffix(f".{suffix}"))
    recipe = path.with_name("r.pavo")
    recipe.write_text(f"recipe = 1\n[input]\ndata = '{path.name}'\n")
    with pytest.raises(PavoError, match="no ordinary file"):
        Session().derive(load(recipe))


def test_a_small_file_that_is_far_too_large_is_not_read(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_file, "LARGEST", 9)
    with pytest.raises(PavoError, match="far too large"):
        load(pipe.with_name("d.csv"))
