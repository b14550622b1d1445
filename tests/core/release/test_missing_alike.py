"""In the safe file a suppressed value and one that was missing before are the same bytes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.batch import run

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
