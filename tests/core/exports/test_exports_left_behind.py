"""Former files that an export could not remove are named with what it wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import exports
from core.session import Session
from tests.core.base.test_left_behind import held, left_in
from tests.core.exports.demodata import demodata


@pytest.mark.parametrize(("kind", "file"), [("sdcmicro", "check.R"), ("muargus", "check.rda")])
def test_a_former_file_that_cannot_be_removed_is_named(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, file: str
) -> None:
    derived = Session().derive(demodata(shared))
    export = getattr(exports, f"export_{kind}")
    (tmp_path / file).write_text("an earlier one")
    with monkeypatch.context() as context:
        held(context)
        exported = export(derived, tmp_path / file)
    (name,) = left_in(tmp_path)
    assert [notice.id for notice in exported.left] == ["former-file-left"]
    assert name in exported.left[0].text
    assert (tmp_path / file).read_text(encoding="utf-8") != "an earlier one"
    assert export(derived, tmp_path / file).left == ()
    assert left_in(tmp_path) == []
