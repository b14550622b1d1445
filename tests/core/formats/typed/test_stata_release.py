"""A Stata file of an old release comes back in a later one, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.formats.typed.stata import release
from core.metadata.describe import describe_unverified
from core.recipe.model import Input
from tests.typed_files import dta, written


@pytest.mark.parametrize(("version", "found", "now"), [(115, 114, 117), (117, 117, 117), (118, 118, 118)])
def test_what_is_said_is_what_is_written(tmp_path: Path, version: int, found: int, now: int) -> None:
    path, out = dta(tmp_path / "a.dta", version), tmp_path / "b.dta"
    said = [notice.text for notice in describe_unverified(Input(path))[1]]
    text = "a.dta is in release 114 of Stata's format; a Stata file made of it is in release 117, "
    assert said == ([text + "which Stata 13 and later read."] if found != now else [])
    written(path, out)
    assert (release(path), release(out)) == (found, now)
