"""The safe file beside the original, as the recipe made it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import DataError
from core.browse.side_by_side import side_by_side
from core.recipe.toml import load
from core.release.run import Result, carry_out
from core.session import Session


def made(demo: Path, folder: Path, **output: object) -> Result:
    recipe = load(demo / "survey.pavo")
    target = replace(recipe.output, data=folder / "safe.asc", metadata=None, report=None, summary=None, **output)
    return carry_out(Session(), recipe.with_(output=target))


@pytest.mark.parametrize("shuffle", [False, True])
def test_every_record_stands_beside_its_own_and_changes_are_known(demo: Path, tmp_path: Path, shuffle: bool) -> None:
    result = made(demo, tmp_path, shuffle=shuffle, seed=7, add_risk=True)
    assert result.protection is not None
    beside = side_by_side(result.protection, tmp_path / "safe.asc")
    assert beside.left_out == ("PERSONNO",)
    assert {"FREQ_1", "POPFREQ_1", "RISK_1"} <= set(beside.layout.names)
    lines = (demo / "survey.asc").read_text("utf-8").splitlines()
    suppressed = 0
    for place in range(beside.safe.records):
        record = beside.record(place)
        assert beside.original.text(record, 0) == lines[record][:5].strip()
        assert beside.safe.text(place, beside.safe.names.index("HHID")) == lines[record][:5].strip()
        for name in ("SEX", "MARSTAT", "EDUC"):
            before = beside.original.text(record, beside.original.names.index(name))
            after = beside.safe.text(place, beside.safe.names.index(name))
            gone = beside.is_suppressed(name, place)
            suppressed += gone
            assert after == (beside.layout[name].missing[0] if gone else before)
            if gone:
                assert place in beside.touched
    assert suppressed == result.protection.plan.total
    assert len(beside.touched) == result.protection.plan.records_touched
    beside.close()


def test_a_safe_file_that_is_gone_is_said(demo: Path, tmp_path: Path) -> None:
    result = made(demo, tmp_path)
    (tmp_path / "safe.asc").unlink()
    assert result.protection is not None
    with pytest.raises(DataError) as refusal:
        side_by_side(result.protection, tmp_path / "safe.asc")
    assert refusal.value.id == "data-missing"
