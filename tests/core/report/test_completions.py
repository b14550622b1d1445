"""What outsiders get is the same whatever was suppressed: no file that the original may have been is excluded by it."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from core.recipe.toml import parse
from core.release.run import carry_out
from core.report.outside import rounded_up
from core.session import Session
from tests.completions import tried

FILES, ALTERNATIVES = 36, 6


@pytest.mark.parametrize("first", range(0, FILES, 6))
def test_no_suppressed_value_is_told_by_what_outsiders_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Reports, codebook, schema, metadata and codelists beside the safe file are the same to a byte."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    found = [tried(seed, tmp_path / str(seed), ALTERNATIVES) for seed in range(first, first + 6)]
    assert [done.differs for done in found if done.excluded] == []
    possible, told_inside = (sum(getattr(done, name) for done in found) for name in ("possible", "told_inside"))
    assert possible >= 3, "nothing was tried"
    assert told_inside, f"the internal report would tell nothing either: {[astuple(done) for done in found]}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.00125, 0.00125), (0.1, 0.1), (0.00125190354, 0.002), (0.13431, 0.2), (0.9999, 1.0), (1.0, 1.0), (1e-7, 1e-7)],
)
def test_thresholds_taken_from_the_original_are_rounded_up(value: float, shown: float) -> None:
    assert rounded_up(value) == shown


SECOND_CODE = """recipe = 1
[input]
data = "a.csv"
[variables.A]
categorical = true
missing = ["9", "8"]
[variables.B]
categorical = true
missing = ["9"]
[[combinations]]
variables = ["A", "B"]
[[recodes]]
variable = "A"
scheme = "7: 3-4"
[threshold]
individual_risk = 0.6
[suppression]
mode = "released-keys"
secret = "000102030405060708090a0b0c0d0e0f"
[report]
variant = "external"
[output]
data = "safe.csv"
metadata = "safe.rds"
report = "report.html"
"""


def test_a_missing_code_that_is_written_as_the_first_one_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Released keys have one missing code; a report that lists the other would say which codes the original has."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    found = []
    for code in ("9", "8"):
        rows = [f"{1 + i * i % 3},{1 + i % 2}" for i in range(40)] + [f"{code},1", "9,1", "4,2"]
        (tmp_path / "a.csv").write_text("\n".join(["A,B", *rows]) + "\n")
        carry_out(Session(), parse(SECOND_CODE, tmp_path))
        found.append([(tmp_path / name).read_bytes() for name in ("safe.csv", "safe.rds", "report.html")])
    assert found[0] == found[1]
