"""Somebody who has the safe file and knows the rules fills in blanks: three recipes, from the written files alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.recipe.toml import parse
from core.release.run import carry_out
from core.session import Session
from tests.naive_elimination import Row, possible, possible_in_households

RDA = """H 1 3
  <HOUSE_ID>
A 4 1 "9"
  <RECODABLE>
  <HOUSEHOLD>
B 5 1 "9"
  <RECODABLE>
C 6 1 "9"
  <RECODABLE>
D 7 1 "9"
  <RECODABLE>
"""
TWO_TABLES = (
    '[[combinations]]\nvariables = ["A", "B", "C"]\n[[combinations]]\nvariables = ["C", "D"]\nmodel = "frequency"\n'
)
ONE_TABLE = '[[combinations]]\nvariables = ["A", "B", "C", "D"]\n'
CASES = {
    "households": (ONE_TABLE, "individual_risk = 0.4", 'close_gaps = true\nmode = "original-counts"'),
    "two tables": (TWO_TABLES, "individual_risk = 0.4", 'close_gaps = true\nmode = "original-counts"'),
    "released keys": (ONE_TABLE, "household_risk = 0.7", 'mode = "released-keys"'),
}


def records(seed: int) -> tuple[list[str], list[Row]]:
    """Lines of a file of 100 households, and their keys."""
    random = np.random.default_rng(seed)
    lines = []
    for household in range(100):
        a = min(int(random.geometric(0.4)), 3)
        for _ in range(min(int(random.geometric(0.5)), 3)):
            b, c, d = (min(int(code), most) for code, most in zip(random.geometric(0.4, 3), (5, 4, 5), strict=True))
            lines.append(f"{household:03}{a}{b}{c}{d}")
    return lines, [keys_of(line) for line in lines]


def keys_of(line: str) -> Row:
    return tuple(None if code == "9" else int(code) for code in line[3:7])


@pytest.mark.parametrize("which", CASES)
def test_nobody_fills_in_a_blank(tmp_path: Path, which: str) -> None:
    tables, threshold, suppression = CASES[which]
    lines, rows = records(1)
    (tmp_path / "small.asc").write_text("".join(line + "\n" for line in lines), encoding="ascii")
    (tmp_path / "small.rda").write_text(RDA, encoding="ascii")
    text = f"""recipe = 1
[input]
data = "small.asc"
metadata = "small.rda"
{tables}
[threshold]
{threshold}
[suppression]
criterion = "entropy"
{suppression}
[output]
data = "safe.asc"
metadata = "safe.rds"
"""
    result = carry_out(Session(), parse(text, tmp_path))
    written = [keys_of(line) for line in (tmp_path / "safe.asc").read_text(encoding="ascii").splitlines()]
    lost = [{j for j in range(4) if now[j] is None and was[j] is not None}
            for was, now in zip(rows, written, strict=True)]  # fmt: skip
    household = [int(line[:3]) for line in lines]
    assert result.summary["verified"] and any(lost)
    if "released" in which:
        under: dict[Row, set[Row]] = {}
        for row, now, gone in zip(rows, written, lost, strict=True):
            if gone:
                under.setdefault(now, set()).add(row)
        assert min(map(len, under.values())) > 1
        assert not any(0 in gone for gone in lost), "no household's size tells who lent"
        return
    shared = frozenset({0})
    found = possible_in_households(rows, lost, shared, shared, household)
    assert set(found) == set(possible(rows, lost)) and min(found.values()) > 1
