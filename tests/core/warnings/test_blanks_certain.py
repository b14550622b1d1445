"""Suppressed values that can be filled in again: counted for the tables where rules tell it, said at each place."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from core.recipe.model import (
    Combination,
    Input,
    Output,
    Recipe,
    Report,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import load, parse
from core.release.run import carry_out
from core.results.inference import CERTAIN
from core.session import Session
from core.suppression.inference.elimination import possible_values

DEMO = Path(__file__).parents[3] / "resources" / "demo"
RARE = Combination(("A", "B"), model="frequency", count_threshold=1)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """A x B has all keys twice or more but one: its B goes, and it is certain."""
    rows = [(a, b, c, h) for h, (a, b, c) in enumerate([*product("12", "12", "12")] * 2) if (a, b) != ("2", "2")]
    rows.append(("2", "2", "1", 99))
    text = "A,B,C,H,W\n" + "".join(f"{a},{b},{c},{h},10\n" for a, b, c, h in rows)
    (tmp_path / "d.csv").write_text(text)
    return Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=tuple(VariableEdit(name, missing=("9",)) for name in "ABC"),
        combinations=(RARE,),
        suppression=Suppression("entropy"),
        output=Output(data=tmp_path / "safe.csv", summary=tmp_path / "s.json", report=tmp_path / "r.html"),
    )


def test_said_in_summary_and_at_the_head_of_the_report(recipe: Recipe) -> None:
    result = carry_out(Session(), recipe)
    summary = json.loads(Path(recipe.output.summary or "").read_text())
    assert summary["combinations"][0]["after"]["inference"] == {"blanks": 1, "certain": 1, "candidates": {"1": 1}}
    (text,) = [warning["text"] for warning in summary["warnings"] if warning["id"] == CERTAIN]
    assert text.startswith("1 of 1 suppressed values of A x B can be filled in with certainty")
    assert result.protection is not None and CERTAIN in [notice.id for notice in result.protection.notices]
    page = Path(recipe.output.report or "").read_text()
    first, second = (part.find("can be filled in with certainty") for part in page.split("<h2", 2)[1:])
    assert first > 0 and second > 0
    external = carry_out(Session(), recipe.with_(report=Report(variant="external")))
    assert external.summary["warnings"] == summary["warnings"]


def test_variables_of_two_combinations_are_told_of_once(recipe: Recipe) -> None:
    looser = replace(RARE, variables=("B", "A"), count_threshold=0)
    summary = carry_out(Session(), recipe.with_(combinations=(RARE, looser))).summary
    assert all(part["after"]["inference"]["certain"] == 1 for part in summary["combinations"])
    assert [warning["id"] for warning in summary["warnings"]].count(CERTAIN) == 1


def test_the_figures_are_those_of_the_written_file(recipe: Recipe) -> None:
    """One value is missing in it, and all keys but one that it could have stand there."""
    carry_out(Session(), recipe)
    with Path(recipe.output.data or "").open() as file:
        rows = [(row["A"], row["B"]) for row in csv.DictReader(file)]
    (blank,) = [row for row in rows if "9" in row]
    whole = {row for row in rows if "9" not in row}
    fillings = [tuple(v if w == "9" else w for w in blank) for v in "12"]
    assert sum(filling not in whole for filling in fillings) == 1


def test_nothing_is_said_where_nothing_was_suppressed(recipe: Recipe) -> None:
    found = carry_out(Session(), recipe.with_(suppression=Suppression("none")))
    assert "inference" not in found.summary["combinations"][0]["after"]
    assert CERTAIN not in [warning["id"] for warning in found.summary["warnings"]]


def test_coupled_tables_are_looked_at_by_their_joint_key(recipe: Recipe) -> None:
    """The joint key has fewer records than each table's own, so it excludes less; a table apart changes nothing."""
    coupled = Combination(("B", "C"), model="frequency", count_threshold=1)
    alone = Session().protect(recipe).inferences
    both = Session().protect(recipe.with_(combinations=(RARE, coupled)))
    assert both.plan.total == alone[0].blanks == 1
    assert possible_values([both.derived.columns[name] for name in "ABC"], both.plan.suppressed) == {
        name: [number] for number, blanks in both.inferences[0].candidates.items() for name in "AB"
        if both.plan.by_variable[name]
    }  # fmt: skip
    apart = Session().protect(recipe.with_(combinations=(RARE, replace(coupled, variables=("C",))))).inferences
    assert apart == alone


def test_a_table_of_k_anonymity_lends_and_excludes_nothing(recipe: Recipe) -> None:
    anonymous = Combination(("A", "B"), model="k-anonymity", missing_rule="category", k=2)
    found = Session().protect(recipe.with_(combinations=(anonymous,)))
    assert found.plan.total and not found.inferences


def test_household_variables_go_because_of_others(recipe: Recipe) -> None:
    """Where only they are gone, a record may have been safe, but not who lives alone, and not all of a household."""
    person = recipe.with_(variables=(*recipe.variables, VariableEdit("H", role="household-id")))
    assert Session().protect(person).inferences[0].certain == 1
    variables = (replace(v, household=v.name in "AB") for v in person.variables)
    found = Session().protect(person.with_(variables=tuple(variables)))
    assert found.inferences[0].candidates == {1: found.plan.total}


def test_what_counting_tells_besides(shared: Path, tmp_path: Path) -> None:
    folder = (shared / "data" / "demodata").as_posix()
    found = Session().protect(
        parse(
            f"""recipe = 1
[input]
data = "{folder}/Demodata.asc"
metadata = "{folder}/Demodata.rda"
[[combinations]]
variables = ["REGION", "SEX", "AGE", "MARSTAT"]
[[recodes]]
variable = "REGION"
scheme_file = "{folder}/Region.grc"
[[recodes]]
variable = "AGE"
scheme_file = "{folder}/Age.grc"
[threshold]
individual_risk = 0.02
[suppression]
criterion = "entropy"
""",
            tmp_path,
        )
    )
    assert found.inferences[0].summary()["certain_by_counting"] == 31
    (said,) = [notice.text for notice in found.notices if notice.id == CERTAIN]
    assert said.startswith("31 of 58 suppressed values") and "28 of them without counting" in said


def test_household_thresholds_treat_members_of_one_key_differently(recipe: Recipe) -> None:
    judged = Combination(("A", "B"), threshold=Threshold(household_risk=0.1))
    variables = (*recipe.variables, VariableEdit("H", role="household-id"), VariableEdit("W", role="weight"))
    found = Session().protect(recipe.with_(combinations=(judged,), variables=variables))
    assert found.plan.total and not found.inferences


def test_the_demonstration_survey() -> None:
    recipe = load(DEMO / "survey.pavo")
    by_entropy = Session().protect(recipe.with_(suppression=Suppression("entropy")))
    assert (by_entropy.inferences[0].certain, by_entropy.inferences[0].blanks) == (95, 345)
    by_weights = Session().protect(recipe)
    assert by_weights.inferences[0].certain == 0 and by_weights.inferences[0].blanks == by_weights.plan.total
    assert CERTAIN not in [notice.id for notice in by_weights.notices]
    assert Threshold(individual_risk=0.05) == recipe.threshold
