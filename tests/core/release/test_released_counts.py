"""Blanks that match anything, from the recipe to the verified file; for comparison only, and that is said."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError, RecipeError
from core.batch import run
from core.data.columns import Weights
from core.suppression.costs import Costs
from core.suppression.counts.exact import is_safe
from core.suppression.counts.optimise import CountsSettings, optimise_released_counts
from core.suppression.counts.problem import CountsTable, Rule, build, ways_of
from core.suppression.counts.search import losses
from core.suppression.problem import ProtectedTable, Rules
from core.tables.tabulate import tabulate_records
from core.warnings.released_counts import MATCHES_ANYTHING
from tests.core.suppression.demodata import KEYS, column, load
from tests.naive_suppression import Row, frequencies, risk


@given(st.data())
def test_every_record_is_safe_counted_in_the_released_file(data: st.DataObject) -> None:
    keys, size = data.draw(st.integers(2, 3)), data.draw(st.integers(3, 20))
    rows = [tuple(data.draw(st.sampled_from([0, 0, 1, 2, None])) for _ in range(keys)) for _ in range(size)]
    weights = [data.draw(st.integers(1, 20)) for _ in range(size)]
    limit, most = data.draw(st.sampled_from([0.03, 0.1, 0.3])), data.draw(st.integers(1, 2))
    names = "ABC"[:keys]
    columns = {n: column(n, np.array([3 if r[j] is None else r[j] for r in rows]), 3) for j, n in enumerate(names)}
    counted = Weights((np.array(weights, np.int64),), (0,))
    table = ProtectedTable(*tabulate_records(list(columns.values()), counted, "wildcard"), limit)
    costs = Costs("weights", dict.fromkeys(names, 1.0), dict.fromkeys(names, 1.0))
    asked = CountsSettings(effort=1, most=most)
    try:
        plan = optimise_released_counts([table], columns, costs, Rules(), asked, counted)
    except ProtectionError:
        assert risk(Fraction(size), Fraction(sum(weights))) >= limit * (1 - 1e-9)
        return
    left: list[Row] = [
        tuple(None if plan.suppressed[n][i] else row[j] for j, n in enumerate(names)) for i, row in enumerate(rows)
    ]
    for row in left:
        assert risk(*frequencies(left, weights, row, "wildcard", Fraction(1))) < limit * (1 + 1e-9)
    blanks = np.sum([plan.suppressed[n] for n in names], axis=0)
    assert not (blanks > most).any() or plan.notices


@pytest.mark.parametrize(("most", "blanks"), [(1, 55), (2, 27)])
def test_k_anonymity_of_demodata(shared: Path, most: int, blanks: int) -> None:
    columns, weights = load(shared / "data" / "demodata", recoded=True)
    cells, index = tabulate_records([columns[name] for name in KEYS], weights, "wildcard")
    ways = ways_of([1.0] * 4, [1, 2, 4, 8], 4, 0)
    people = np.ones(len(index))
    table = CountsTable(
        cells.codes, cells.cards, index.of_record, cells.f, cells.f, people, Rule.by_count(3), ways, most
    )
    found = losses(build(table), 20, 1, thorough=False)
    assert not found.left.any() and found.bound <= blanks <= found.cost <= 1.05 * blanks
    assert is_safe(table, found.lost) and np.bitwise_count(found.lost).sum() == found.cost


def recipe(shared: Path, folder: Path, more: str = "", rule: str = "wildcard") -> Path:
    data = shared / "data" / "demodata"
    path = folder / "r.pavo"
    path.write_text(f"""recipe = 1
[input]
data = {json.dumps(str(data / "Demodata.asc"))}
metadata = {json.dumps(str(data / "Demodata.rda"))}
[[combinations]]
variables = ["REGION", "SEX", "AGE", "MARSTAT"]
missing_rule = "{rule}"
[[recodes]]
variable = "REGION"
scheme_file = {json.dumps(str(data / "Region.grc"))}
[[recodes]]
variable = "AGE"
scheme_file = {json.dumps(str(data / "Age.grc"))}
[threshold]
individual_risk = 0.00125
{more}[suppression]
criterion = "weights"
mode = "released-counts"
effort = 200
[output]
data = "safe.asc"
metadata = "safe.rda"
report = "r.html"
""", encoding="utf-8")  # fmt: skip
    return path


def test_it_is_verified_and_never_said_without_its_warning(shared: Path, tmp_path: Path) -> None:
    found = run(recipe(shared, tmp_path))[0]
    plan, after = found["suppression"], found["combinations"][0]["after"]
    assert 82 <= plan["total"] <= 92  # the best is 87 where a record is safe by what remains
    assert (plan["mode"], plan["max_per_record"]) == ("released-counts", 1)
    assert 0.5 * plan["loss"] <= plan["lower_bound"] <= plan["loss"]
    assert plan["records_touched"] == plan["total"]
    assert found["verified"] and after["by_mode"] == after["released"]
    assert after["by_mode"]["individual_risk"]["max"] < 0.00125
    assert after["original"]["unsafe_records"] > 300
    (text,) = [warning["text"] for warning in found["warnings"] if warning["id"] == MATCHES_ANYTHING]
    assert "Of 397 records" in text and "still carry all their key values" in text
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    first, second = (part.find("are as recognisable as before") for part in page.split("<h2", 2)[1:])
    assert first > 0 and second > 0


@pytest.mark.parametrize(
    ("more", "rule", "says"),
    [("household_risk = 0.2\n", "wildcard", "household_risk"), ("", "observed", "a blank matches anything")],
)
def test_what_it_cannot_judge_is_refused(shared: Path, tmp_path: Path, more: str, rule: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        run(recipe(shared, tmp_path, more, rule))
