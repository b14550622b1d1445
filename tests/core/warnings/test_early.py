"""Warnings before there is a plan, and the edits that mend what they say."""

from __future__ import annotations

from pathlib import Path

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.session import Session
from core.warnings.early import early_warnings
from core.warnings.mending import mending_of


def written(folder: Path, header: str, *lines: str) -> Path:
    path = folder / "people.csv"
    path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return path


def warned(session: Session, recipe: Recipe) -> dict[str, object]:
    derived = session.derive(recipe)
    return {notice.id: notice for notice in early_warnings(derived, {})}


def test_households_without_a_threshold_are_warned_of_and_mended(demo: Path) -> None:
    session = Session()
    recipe = Recipe(
        input=Input(data=demo / "survey.asc", metadata=demo / "survey.rda"),
        combinations=(Combination(("REGION", "AGE", "SEX")),),
        threshold=Threshold(individual_risk=0.02),
    )
    derived = session.derive(recipe)
    found = {notice.id: notice for notice in early_warnings(derived, {})}
    mending = mending_of(found["household-risk-not-judged"], recipe, derived.metadata)
    assert mending is not None
    assert mending.recipe.threshold == Threshold(individual_risk=0.02, household_risk=0.02)
    assert "household-risk-not-judged" not in warned(session, mending.recipe)


def test_dates_and_thousands_of_codes_are_warned_of_as_keys(tmp_path: Path) -> None:
    lines = [f"{1950 + n % 50}-0{n % 9 + 1}-1{n % 10},p{n % 1200},{n % 2}" for n in range(2400)]
    data = written(tmp_path, "BORN,PLACE,SEX", *lines)
    keys = ("BORN", "PLACE", "SEX")
    recipe = Recipe(
        input=Input(data=data),
        variables=tuple(VariableEdit(name, categorical=True) for name in keys),
        combinations=(Combination(keys, model="k-anonymity", k=2, missing_rule="category"),),
    )
    derived = Session().derive(recipe)
    assert {n.id: n.where for n in early_warnings(derived, {}) if n.id.startswith("key-")} == {
        "key-of-dates": "BORN",
        "key-with-many-codes": "PLACE",
    }


def test_amounts_and_a_code_for_each_person_are_warned_of_as_keys(tmp_path: Path) -> None:
    lines = [f"{(n * 7919) % 100_000},{n * 3},{n % 60}.{n % 7},{n % 60}" for n in range(1200)]
    data = written(tmp_path, "INCOME,SERIAL,RATE,AGE", *lines)
    keys = ("INCOME", "SERIAL", "RATE", "AGE")
    recipe = Recipe(
        input=Input(data=data),
        variables=tuple(VariableEdit(name, categorical=True) for name in keys),
        recodes=(Recode("SERIAL", scheme="1:-1799\n2:1800-"),),
        combinations=(Combination(keys, model="k-anonymity", k=2, missing_rule="category"),),
    )
    found = {n.where: n.id for n in early_warnings(Session().derive(recipe), {}) if n.id.startswith("key-")}
    assert found == {"INCOME": "key-of-amounts", "RATE": "key-of-amounts"}
    amounts = recipe.with_(recodes=(), variables=(VariableEdit("SERIAL", categorical=True),))
    alone = amounts.with_(combinations=(Combination(("SERIAL",), model="k-anonymity", k=2, missing_rule="category"),))
    text = written(tmp_path, "SERIAL", *(f"P{n:04}" for n in range(1200)))
    found = {
        n.where: n.id
        for n in early_warnings(Session().derive(alone.with_(input=Input(data=text))), {})
        if n.id.startswith("key-")
    }
    assert found == {"SERIAL": "key-like-a-number"}


def test_what_looks_like_a_name_of_a_person_can_be_left_out(tmp_path: Path) -> None:
    lines = [f"{n % 2},person{n}@example.org" for n in range(300)]
    recipe = Recipe(
        input=Input(data=written(tmp_path, "SEX,EMAIL", *lines)),
        variables=(VariableEdit("SEX", categorical=True),),
        combinations=(Combination(("SEX",), model="k-anonymity", k=2, missing_rule="category"),),
    )
    session = Session()
    derived = session.derive(recipe)
    (notice,) = (notice for notice in early_warnings(derived, {}) if notice.where == "EMAIL")
    mending = mending_of(notice, recipe, derived.metadata)
    assert mending is not None
    assert session.metadata(mending.recipe)["EMAIL"].removed
    assert notice.id not in warned(session, mending.recipe)
