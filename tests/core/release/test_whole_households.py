"""Synthetic households from the recipe to the written file: identifiers, sizes, what is checked and what is said."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import ProtectionError, RecipeError
from core.base.texts import use_language
from core.check.judged import Verification
from core.recipe.model import HouseholdKey, Output, Perturbation, Recipe, Suppression, VariableEdit
from core.recipe.toml import parse
from core.release import run
from core.release.run import carry_out
from core.results import perturbed_columns
from core.session import Session

ENTRY = Perturbation("synthetic", ("REG", "AGE", "SEX"), (("kind", "margins"), ("margins", (("REG",), ("AGE", "SEX")))))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    random, rows = np.random.default_rng(3), ["HH,REG,AGE,SEX,INC,W"]
    for household in range(90):
        region, sex = random.integers(1, 4), int(random.integers(1, 3))
        for member in range(household % 3 + 1):
            age = 1 if member == 2 else random.integers(2, 5)
            rows.append(f"{7000 + household},{region},{age},{sex},{random.integers(900)},{10 + household % 7}")
            sex = 3 - sex
    (tmp_path / "d.csv").write_text("\n".join(rows) + "\n")
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', tmp_path).input,
        variables=(
            VariableEdit("HH", role="household-id"),
            VariableEdit("W", role="weight"),
            VariableEdit("REG", categorical=True, household=True),
            VariableEdit("AGE", categorical=True),
            VariableEdit("SEX", categorical=True),
            VariableEdit("INC", numeric=True),
        ),
        perturbations=(ENTRY,),
        suppression=Suppression(criterion="none"),
        output=Output(data=tmp_path / "safe.csv", summary=tmp_path / "summary.json"),
    )


def rows(path: Path | None) -> list[dict[str, str]]:
    assert path is not None
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("household_id", ["keep", "sequence", "remove"])
def test_a_file_of_whole_households_is_written_and_checked(recipe: Recipe, household_id: str) -> None:
    wanted = replace(recipe.output, household_id=household_id, shuffle=household_id == "sequence")
    carry_out(Session(), recipe.with_(output=wanted))
    before, after = rows(recipe.input.data), rows(recipe.output.data)
    assert sorted(row["INC"] for row in before) == sorted(row["INC"] for row in after)  # stays with its record
    assert ("HH" in after[0]) == (household_id != "remove")
    if household_id != "remove":
        sizes = Counter(row["HH"] for row in after)
        assert {int(h) for h in sizes} == {*range(1, len(sizes) + 1)}
        assert len({(row["HH"], row["REG"]) for row in after}) == len(sizes)
        assert {*sizes.values()} <= {1, 2, 3}
    summary = json.loads((recipe.output.summary or Path()).read_text())
    (done,) = summary["perturbations"]
    assert done["variables"] == ["REG", "AGE", "SEX", "HH"]
    assert done["invariants"]["synthetic_households"] == len(Session().derive(recipe).households or ())
    (said,) = [each["text"] for each in summary["warnings"] if each["id"] == "synthetic-others-stay"]
    assert "INC, W stay as they are" in said


def test_what_follows_is_of_the_new_households(recipe: Recipe) -> None:
    """Sizes as keys, and a perturbation of household variables after it."""
    again = Perturbation("pram", ("REG",), (("keep", 0.5),))
    sized = recipe.with_(derived=(HouseholdKey("SIZE", "household-size"),), perturbations=(ENTRY, again))
    session = Session()
    session.derive(recipe.with_(perturbations=()))  # whatever is kept from before
    derived = session.derive(sized)
    assert derived.households is not None
    assert derived.perturbed is not None
    identifier, region = derived.perturbed.columns["HH"], derived.perturbed.columns["REG"]
    texts = [identifier.codes[code] for code in identifier.values]
    assert len({*zip(texts, region.values.tolist(), strict=True)}) == len({*texts})
    assert Counter(derived.households.size.tolist()) == Counter(Counter(texts).values())
    bare = session.derive(recipe.with_(perturbations=()))
    assert bare.households is not None
    assert len(bare.households) == 90
    carry_out(session, sized)


def test_whole_households_are_drawn_once(recipe: Recipe) -> None:
    both = replace(ENTRY, variables=("REG", "AGE"), parameters=(("kind", "margins"), ("margins", (("AGE",),))))
    other = replace(both, variables=("REG", "SEX"), parameters=(("kind", "margins"), ("margins", (("SEX",),))))
    with pytest.raises(RecipeError, match=r"perturbations\[2\] draws whole households, as perturbations\[1\] does"):
        Session().derive(recipe.with_(perturbations=(both, other)))
    persons = Perturbation("synthetic", ("SEX",), (*other.parameters, ("households", False)))
    assert Session().derive(recipe.with_(perturbations=(both, persons))).households is not None


def test_other_identifiers_of_the_same_households_draw_the_same(recipe: Recipe, tmp_path: Path) -> None:
    carry_out(Session(), recipe)
    first = rows(recipe.output.data)
    lines = (tmp_path / "d.csv").read_text().splitlines()
    other = [lines[0], *(f"x{line}" for line in lines[1:])]
    (tmp_path / "d.csv").write_text("\n".join(other) + "\n")
    carry_out(Session(), recipe)
    assert rows(recipe.output.data) == first
    seeded = replace(ENTRY, parameters=(*ENTRY.parameters, ("seed", 2)))
    carry_out(Session(), recipe.with_(perturbations=(seeded,)))
    assert rows(recipe.output.data) != first


def test_households_that_the_recipe_does_not_give_are_found(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    derived = session.derive(recipe)
    assert derived.perturbed is not None
    drawn = perturbed_columns.step_of

    def other(entry: Perturbation, given: perturbed_columns.PerturbationInput) -> perturbed_columns.PerturbationStep:
        step = drawn(entry, given)
        identifier = step.columns["HH"]
        return replace(step, columns={**step.columns, "HH": replace(identifier, values=identifier.values[::-1].copy())})

    monkeypatch.setattr(perturbed_columns, "step_of", other)
    with pytest.raises(ProtectionError, match="values of HH are not those that the recipe's perturbations give"):
        carry_out(session, recipe)


def test_identifiers_that_are_no_sequence_are_found(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the original in their place part the records alike, and tell whose they are."""
    check = run.verified

    def tampered(path: Path, *given: Any) -> Verification:
        header, *lines = path.read_text().splitlines()
        numbered = (line.split(",", 1) for line in lines)
        path.write_text("\n".join([header, *(f"{7000 + int(own)},{rest}" for own, rest in numbered)]) + "\n")
        return check(path, *given)

    monkeypatch.setattr(run, "verified", tampered)
    sequence = recipe.with_(output=replace(recipe.output, household_id="sequence"))
    with pytest.raises(ProtectionError, match="are not 1, 2, 3, … in the order of its records"):
        carry_out(Session(), sequence)


def test_tables_for_users_are_in_the_language_of_the_report_and_what_is_kept_in_none(recipe: Recipe) -> None:
    """The session of the windows keeps what it made while their language changes, and the recipe may name another."""
    assert recipe.input.data is not None
    page = recipe.input.data.with_name("report.html")
    session, recipe = Session(), recipe.with_(output=replace(recipe.output, report=page))
    pram = Perturbation("pram", ("SEX",), (("keep", 0.5),))
    for entry, one, other in (
        (ENTRY, "whatever is not named is not kept", "was nicht genannt ist, bleibt nicht erhalten"),
        (pram, "was released as another (column)", "als ein anderer (Spalte) freigegeben wurde"),
    ):
        perturbed = recipe.with_(perturbations=(entry,))
        try:
            carry_out(session, perturbed)
            assert one in page.read_text("utf-8")
            use_language("de")
            carry_out(session, perturbed)
            assert one not in page.read_text("utf-8")
        finally:
            use_language(None)
        carry_out(session, perturbed.with_(report=replace(recipe.report, language="de")))
        assert one not in page.read_text("utf-8")
        assert other in page.read_text("utf-8")
