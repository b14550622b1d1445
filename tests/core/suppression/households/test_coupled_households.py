"""From a recipe to the verified file where two coupled tables judge households and no choice is sufficient."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from core.recipe.model import Combination, Input, Output, Recipe, Suppression, Threshold, VariableEdit
from core.release.run import carry_out
from core.session import Session
from tests.naive_households import Twin

RECORDS = (
    "6,3,12,0,7/3,1,6,0,5/99,,99,0,3/3,1,6,3,2/4,1,4,0,2/5,NA,13,40,7/1,3,4,0,4/2,2,13,40,4/4,NA,5,3,7/5,2,13,40,6/"
    "5,1,12,0,6/5,2,13,3,3/5,5,4,3,2/2,1,4,40,4"
)
LIMITS = {"K1": 0.04173819210945444, "K0": 0.01855322153242093}
MISSING = {"K0": ("99",), "K1": ("", "NA")}


def rows_of(path: Path) -> list[dict[str, str | None]]:
    """The records of a file, None where a key is missing."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [{name: None if text in MISSING.get(name, ()) else text for name, text in row.items()} for row in rows]


def test_households_of_two_coupled_tables_are_protected_at_least_loss(tmp_path: Path) -> None:
    data, safe = tmp_path / "d.csv", tmp_path / "safe.csv"
    data.write_text("K0,K1,X,W,H\n" + RECORDS.replace("/", "\n") + "\n")
    recipe = Recipe(
        input=Input(data=data),
        variables=(
            VariableEdit("K1", missing=MISSING["K1"], categorical=True, suppression_weight=50),
            VariableEdit("K0", missing=MISSING["K0"], categorical=True, suppression_weight=50, related="K1"),
            VariableEdit("W", role="weight"),
            VariableEdit("H", role="household-id"),
        ),
        combinations=tuple(
            Combination((name,), missing_rule="observed", threshold=Threshold(household_risk=limit))
            for name, limit in LIMITS.items()
        ),
        suppression=Suppression(criterion="weights", household_rule="exact"),
        output=Output(data=safe),
    )
    carry_out(Session(), recipe)
    before, after = rows_of(data), rows_of(safe)
    tables = [((n,), [(r[n],) for r in before], None, limit, "observed", Fraction(1)) for n, limit in LIMITS.items()]
    weights = [int(row["W"] or 0) for row in before]
    missing = [{name for name in LIMITS if row[name] is None} for row in before]
    twin = Twin(tables, weights, missing, dict.fromkeys(LIMITS, 50.0), {"K0": "K1"}, set(), set())
    for household in {row["H"] for row in before}:
        members = [i for i, row in enumerate(before) if row["H"] == household]
        gone = [frozenset(n for n in LIMITS if after[i][n] is None and n not in missing[i]) for i in members]
        best = twin.best(members, exact=True)
        assert best is not None and twin.safe(members, gone, exact=True)
        assert sum(map(len, gone)) * 50 == pytest.approx(best[0])
    assert any(twin.best([i for i, r in enumerate(before) if r["H"] == h], exact=False) is None for h in "765432")
