"""In the safe file a suppressed value and one that was missing before are the same bytes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.batch import run
from core.check.judged import CheckSpec
from core.check.verify import verify
from core.data.columns import EncodedColumn

FORMS = ["99", '"99"', " 99", '" 99 "', "99  "]
RECIPE = """recipe = 1
[input]
data = "{data}"
[variables.A]
missing = ["99", "98"]
[[combinations]]
variables = ["A", "B"]
model = "frequency"
count_threshold = 3
[suppression]
criterion = "weights"
[output]
data = "safe{suffix}"
"""


@pytest.mark.parametrize("rest", ["98", '"98"'])
@pytest.mark.parametrize("common", ["1", '"1"'])
def test_quotes_and_blanks_around_the_missing_code_tell_nothing(tmp_path: Path, common: str, rest: str) -> None:
    """All else is copied byte for byte, the other missing code included."""
    lines = [f"{common},x,{n}" for n in range(30)] + [f"{form},x,{30 + n}" for n, form in enumerate(FORMS)]
    lines += [f"{rest},x,40", ' "2",x,41', "3,x,42", '"4",x,43', '"1",x,44']
    (tmp_path / "a.csv").write_text("\n".join(["A,B,N", *lines]) + "\n", encoding="utf-8")
    (tmp_path / "r.pavo").write_text(RECIPE.format(data="a.csv", suffix=".csv"), encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["verified"] is True
    written = (tmp_path / "safe.csv").read_text(encoding="utf-8").splitlines()[1:]
    changed = [n for n, (was, now) in enumerate(zip(lines, written, strict=True)) if was != now]
    missing = [line.split(",")[0] for line in written[30:35]]
    suppressed = [line.split(",")[0] for line in written[36:39]]
    assert len(set(missing + suppressed)) == 1
    assert set(missing) <= {"99", '"99"'}
    assert set(changed) <= {*range(30, 35), 36, 37, 38}
    assert written[35] == lines[35]


def test_absent_and_empty_texts_of_a_parquet_file_become_one(tmp_path: Path) -> None:
    values = [*["1"] * 30, None, "", None, "2", "3"]
    columns = {"A": values, "B": ["x"] * len(values)}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    text = RECIPE.format(data="a.parquet", suffix=".parquet").replace('missing = ["99", "98"]', 'missing = [""]')
    (tmp_path / "r.pavo").write_text(text, encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["verified"] is True
    written = pq.read_table(tmp_path / "safe.parquet").column("A").to_pylist()
    assert written[:30] == ["1"] * 30
    assert len(set(written[30:])) == 1


BY_KEYS = """recipe = 1
[input]
data = "a.csv"
[variables.A]
missing = ["9", "8"]
suppression_weight = 10
[variables.B]
missing = ["9", "8"]
suppression_weight = 90
[variables.W]
role = "weight"
[[combinations]]
variables = ["A", "B"]
{model}
[suppression]
criterion = "weights"
mode = "{mode}"
[output]
data = "safe.csv"
"""
ROWS = [("1", "1"), *[("8", "1")] * 3, *[("1", "2")] * 4, *[("2", "2")] * 4]


@pytest.mark.parametrize(
    ("model", "mode"),
    [
        ('model = "k-anonymity"\nk = 2\nmissing_rule = "category"', "original-counts"),
        ('model = "individual-risk"\nthreshold = { individual_risk = 0.1 }', "released-keys"),
    ],
)
def test_a_second_missing_code_does_not_split_a_released_key(tmp_path: Path, model: str, mode: str) -> None:
    """The new blank stands with those that were missing before, whatever they were called; and it is said."""
    lines = ["A,B,W", *(",".join((*row, "10")) for row in ROWS)]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "r.pavo").write_text(BY_KEYS.format(model=model, mode=mode), encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["verified"] is True
    written = [line.split(",")[0] for line in (tmp_path / "safe.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert sorted(written) == ["1"] * 4 + ["2"] * 4 + ["9"] * 4
    assert "missing-codes-as-one" in [warning["id"] for warning in summary["warnings"]]


def test_a_written_file_with_two_missing_codes_in_a_released_key_is_refused() -> None:
    """The check has its own rule: two codes are two values of the key."""
    values = np.array([0, 1, 1, 2, 2, 2], np.uint8)
    codes = ("1", "9", "8")
    key = EncodedColumn("A", values, codes, codes, np.bincount(values, minlength=3), 1, 1)
    judged = [CheckSpec(("A",), model="k-anonymity", rule="category", k=1)]
    written: Any = SimpleNamespace(records=6, columns={"A": key}, weights=None)
    problems = verify(written, {"A": key}, None, {}, judged).problems
    assert [problem.id for problem in problems] == ["written-values-differ"]
