"""Whatever the file, the thresholds and the rule: no household of the written file reaches them, judged by plain code.

The written file is read with the standard library alone, and its risks are computed by the definition from it and the
original: nothing of the program, not its summary either, is asked.
"""

from __future__ import annotations

import csv
import math
import random
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.batch import main
from tests.naive_households import household_risk
from tests.naive_suppression import frequencies, risk

KEYS = ("AREA", "SEX", "AGE", "EDUC")
RECIPE = """recipe = 1
[input]
data = "persons.csv"
[variables.HH]
role = "household-id"
[variables.W]
role = "weight"
[variables.AREA]
household = true
suppression_weight = {cost}
[[combinations]]
variables = ["AREA", "SEX", "AGE", "EDUC"]
missing_rule = "{rule}"
alpha = {alpha}
[threshold]
{thresholds}
[suppression]
criterion = "{criterion}"
[output]
data = "safe.csv"
household_id = "{identifier}"
shuffle = {shuffle}
"""


@st.composite
def files(draw: st.DrawFn) -> list[dict[str, str]]:
    """Persons in households of one to eight, scattered; some without a value in a key."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    homes = [(str(10 + 3 * h), rng.choice("AABC")) for h in range(draw(st.integers(3, 30)))]
    lacking = draw(st.sampled_from([0.0, 0.1, 0.3]))
    rows = []
    for home, area in homes:
        for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 8])):
            values = {"AREA": area, "SEX": rng.choice("12"), "AGE": rng.choice("ABCD"), "EDUC": rng.choice("xyyzz")}
            values = {name: "" if name != "AREA" and rng.random() < lacking else v for name, v in values.items()}
            rows.append({"HH": home, **values, "W": str(rng.choice([1, 5, 12, 40]) + rng.randint(0, 9))})
    rng.shuffle(rows)
    return [{**row, "NOTE": str(i)} for i, row in enumerate(rows)]


@st.composite
def recipes(draw: st.DrawFn) -> dict[str, Any]:
    rule = draw(st.sampled_from(["observed", "wildcard"]))
    limits = {"household_risk": draw(st.one_of(st.none(), st.floats(0.02, 0.9))),
              "individual_risk": draw(st.one_of(st.none(), st.floats(0.02, 0.9)))}  # fmt: skip
    if limits["household_risk"] is None and limits["individual_risk"] is None:
        limits["household_risk"] = 0.2
    return {
        "limits": limits,
        "rule": rule,
        "alpha": draw(st.sampled_from([0.25, 1.0])) if rule == "wildcard" else 1.0,
        "cost": draw(st.sampled_from([1, 60])),
        "criterion": draw(st.sampled_from(["entropy", "weights"])),
        "identifier": draw(st.sampled_from(["keep", "sequence", "remove"])),
        "shuffle": draw(st.sampled_from(["true", "false"])),
    }


def carried_out(folder: Path, rows: list[dict[str, str]], recipe: dict[str, Any]) -> list[dict[str, str]] | None:
    """The rows of the safe file; None where the thresholds cannot be met."""
    with (folder / "persons.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    limits = "\n".join(f"{name} = {value!r}" for name, value in recipe["limits"].items() if value is not None)
    (folder / "persons.pavo").write_text(RECIPE.format(thresholds=limits, **recipe))
    (folder / "safe.csv").unlink(missing_ok=True)
    if main([str(folder / "persons.pavo"), "--quiet"]):
        assert not (folder / "safe.csv").exists()
        return None
    with (folder / "safe.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def risks(rows: list[dict[str, str]], written: list[dict[str, str]], recipe: dict[str, Any]) -> dict[str, float]:
    """By note, the risk of what is written of a person, in the original file."""
    known = [tuple(row[name] or None for name in KEYS) for row in rows]
    weights, alpha = [int(row["W"]) for row in rows], Fraction(recipe["alpha"])
    found, cells = {}, {}
    for row in written:
        left = tuple(row[name] or None for name in KEYS)
        if left not in cells:
            cells[left] = risk(*frequencies(known, weights, left, recipe["rule"], alpha))  # type: ignore[arg-type]
        found[row["NOTE"]] = cells[left]
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files(), recipes())
def test_no_household_of_a_written_file_reaches_a_threshold(
    tmp_path: Path, rows: list[dict[str, str]], recipe: dict[str, Any]
) -> None:
    written = carried_out(tmp_path, rows, recipe)
    members = defaultdict(list)
    for row in rows:
        members[row["HH"]].append(row["NOTE"])
    limits = {name: value * (1 - 1e-9) for name, value in recipe["limits"].items() if value is not None}
    bare = risks(rows, [{**dict.fromkeys(KEYS, ""), "NOTE": "none"}], recipe)["none"]
    if written is None:  # refused only where even with every key missing a household is at a threshold
        largest = max(map(len, members.values()))
        assert bare >= limits.get("individual_risk", 2.0) or bare * largest >= limits.get("household_risk", 2.0)
        return
    found, safe = risks(rows, written, recipe), {row["NOTE"]: row for row in written}
    assert safe.keys() == {row["NOTE"] for row in rows} and len(safe) == len(written)
    if "individual_risk" in limits:
        assert max(found.values()) < recipe["limits"]["individual_risk"]
    if "household_risk" in limits:
        for notes in members.values():
            assert household_risk([found[note] for note in notes]) < recipe["limits"]["household_risk"]
    for row in rows:
        kept = [name for name in row if name != "HH"]
        assert all(safe[row["NOTE"]][name] in (row[name], "" if name in KEYS else row[name]) for name in kept)
    assert all(len({safe[note]["AREA"] for note in notes}) == 1 for notes in members.values())


def test_a_threshold_that_cannot_be_met_is_refused(tmp_path: Path) -> None:
    rows = [{"HH": "1", "AREA": "A", "SEX": "1", "AGE": "A", "EDUC": "x", "W": "2", "NOTE": str(i)} for i in range(4)]
    recipe = {"limits": {"household_risk": 0.1, "individual_risk": None}, "rule": "observed", "alpha": 1.0, "cost": 1,
              "criterion": "entropy", "identifier": "keep", "shuffle": "false"}  # fmt: skip
    assert carried_out(tmp_path, rows, recipe) is None


@pytest.mark.parametrize("limit", [None, 50])
def test_ten_thousand_persons_in_one_institution(tmp_path: Path, limit: int | None) -> None:
    """As one household and as single persons: a whole run, its figures by hand from the written file."""
    rng, threshold = random.Random(11), 0.2 if limit is None else 0.005

    def person(home: str, area: str, i: int) -> dict[str, str]:
        return {"HH": home, "AREA": area, "SEX": rng.choice("12"), "AGE": rng.choice("ABCD"), "EDUC": rng.choice("xyz"),
                "W": str(rng.randint(20, 60)), "NOTE": str(i)}  # fmt: skip

    rows = [person(str(i // 3), "ABC"[i % 9 // 3], i) for i in range(600)]
    rows += [person("9999", "A", i) for i in range(600, 10_600)]
    rng.shuffle(rows)
    limits = {"household_risk": threshold, "individual_risk": None}
    recipe = {"limits": limits, "rule": "observed", "alpha": 1.0, "cost": 1, "criterion": "entropy",
              "identifier": "sequence", "shuffle": "true"}  # fmt: skip
    if limit is not None:
        recipe["criterion"] = f'entropy"\n[households]\nsingle_persons_above = {limit}\n#"'
    written = carried_out(tmp_path, rows, recipe)
    together = defaultdict(list)
    assert written is not None
    found = risks(rows, written, recipe)
    for row in rows:
        own = limit is not None and row["HH"] == "9999"
        together[row["NOTE"] if own else row["HH"]].append(found[row["NOTE"]])
    assert len({row["HH"] for row in written}) == len(together) == (201 if limit is None else 10_200)
    assert max(map(_together, together.values())) < threshold
    assert any(row[name] == "" for row in written for name in KEYS)


def _together(members: list[float]) -> float:
    """The household risk of very many members, for which fractions take too long."""
    return -math.expm1(math.fsum(map(math.log1p, (-r for r in members))))
