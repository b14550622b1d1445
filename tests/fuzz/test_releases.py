"""A few random runs of `tests.fuzz.releases`, and that its recount finds what is planted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.releases import MISSING, carry_out_case, draw_case, fuzz, read_safe, wrong


def test_random_releases_hold_by_the_definitions() -> None:
    outcomes, faults = fuzz(25, 20261123)
    assert not faults, faults
    assert outcomes["safe"] >= 15, outcomes


def test_recount_finds_a_value_put_back_and_a_value_changed(tmp_path: Path) -> None:
    found = 0
    for number in range(12):
        case, folder = draw_case(random.Random(number)), tmp_path / str(number)
        folder.mkdir()
        outcome, faults = carry_out_case(case, folder)
        if outcome != "safe":
            continue
        assert not faults
        safe = read_safe(folder, case)
        blanks = [
            (i, name)
            for i, record in enumerate(safe)
            for name, before in zip(case.survey.keys, case.survey.rows[i], strict=True)
            if record[name] == MISSING and before is not None
        ]
        if not blanks:
            continue
        restored = [dict(record) for record in safe]
        for i, name in blanks:
            restored[i][name] = str(case.survey.rows[i][case.survey.column(name)])
        assert list(wrong(case, restored))
        safe[0]["ID"] = "x"
        assert list(wrong(case, safe)) == ["record 0: another column changed"]
        found += 1
    if not found:
        pytest.fail("no drawn case suppressed anything")
