"""What released variables, pairs of them, and orders by them tell of suppressed values and recoded codes is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import Notice
from core.recipe.model import (
    Combination,
    Input,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.release.safe_file import safe_file
from core.session import Session

Row = dict[str, Any]


def survey(
    folder: Path, others: Callable[[random.Random, Row], Row], records: int = 3000, ages: int = 8, **output: Any
) -> Recipe:
    """Persons in 20 regions of very different size; some regions are suppressed; `others` adds to each record."""
    rng = random.Random(11)
    rows = []
    for number in range(records):
        region = min(int(rng.expovariate(0.2)), 19)
        row = {
            "R": f"{region:02d}",
            "S": str(rng.randrange(2)),
            "A": str(rng.randrange(ages)),
            "W": rng.randrange(5, 40),
        }
        rows.append(row | others(rng, row | {"NUMBER": number, "REGION": region}))
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    (folder / "d.csv").write_text("\n".join(lines) + "\n")
    return Recipe(
        input=Input(data=folder / "d.csv"),
        variables=(
            VariableEdit("R", missing=("99",), suppression_weight=1),
            VariableEdit("S", missing=("9",)),
            VariableEdit("A", missing=("99",)),
            VariableEdit("W", role="weight"),
        ),
        combinations=(Combination(("R", "S", "A"), threshold=Threshold(individual_risk=0.008)),),
        suppression=Suppression("weights"),
        output=Output(data=folder / "safe.csv", **output),
    )


def said(recipe: Recipe) -> list[Notice]:
    found = Session().protect(recipe).notices
    return [notice for notice in found if "give" in notice.id or "undone" in notice.id]


def values(notice: Notice) -> Row:
    return dict(notice.values)


def the_one(recipe: Recipe, **wanted: str) -> Notice:
    (found,) = [n for n in said(recipe) if wanted.items() <= values(n).items()]
    return found


def test_variables_that_have_nothing_to_do_with_a_suppressed_one_are_not_named(tmp_path: Path) -> None:
    recipe = survey(tmp_path, lambda rng, row: {f"X{i}": rng.randrange(3**i) for i in range(1, 8)})
    plan = Session().protect(recipe).plan
    assert plan.by_variable["R"] > 100
    assert said(recipe) == []


def test_a_twin_that_is_equal_nearly_always_tells(tmp_path: Path) -> None:
    def twin(rng: random.Random, row: Row) -> Row:
        return {"TWIN": row["R"] if rng.random() < 0.97 else f"{rng.randrange(20):02d}"}

    recipe = survey(tmp_path, twin, 20_000, 50)
    found = the_one(recipe, variable="R")
    figures = values(found)
    assert (found.id, figures["other"]) == ("guess-gives-away", "TWIN")
    assert figures["right"] > 0.7 * figures["asked"] > 3 * figures["base"]
    assert "Declare R and TWIN related in Specify Metadata" in found.text
    related = recipe.with_(variables=(*recipe.variables, VariableEdit("TWIN", missing=("99",))))
    related = related.with_(variables=(replace(related.variables[0], related="TWIN"), *related.variables[1:]))
    assert said(related) == []
    left_out = recipe.with_(variables=(*recipe.variables, VariableEdit("TWIN", removed=True)))
    assert said(left_out) == []


@pytest.mark.parametrize(
    "form", ["{region}{x:03d}", "{x:03d}{region:02d}", "N{region:02d}-{x:03d}", "{region}{x:03d}.5"]
)
@pytest.mark.parametrize("numeric", [False, True])
def test_a_number_that_contains_the_region_tells(tmp_path: Path, form: str, numeric: bool) -> None:
    recipe = survey(tmp_path, lambda rng, row: {"GEO": form.format(region=row["REGION"] + 10, x=rng.randrange(1000))})
    if numeric and not form.startswith("N"):
        recipe = recipe.with_(variables=(*recipe.variables, VariableEdit("GEO", numeric=True, categorical=False)))
    figures = values(the_one(recipe, variable="R"))
    assert figures["other"] == "GEO"
    assert figures.get("right", figures.get("equal")) > 0.6 * figures.get("asked", figures.get("suppressed"))


def test_two_variables_that_tell_together_are_named(tmp_path: Path) -> None:
    def halves(rng: random.Random, row: Row) -> Row:
        first = rng.randrange(20)
        return {"X": rng.randrange(20), "P": first, "Q": (row["REGION"] - first) % 20, "Y": rng.randrange(7)}

    recipe = survey(tmp_path, halves)
    found = the_one(recipe, variable="R")
    figures = values(found)
    assert (found.id, figures["other"], figures["second"]) == ("pair-gives-away", "P", "Q")
    assert figures["right"] > 0.5 * figures["asked"] > 2 * figures["base"]  # some regions are nowhere left to learn
    assert said(recipe.with_(variables=(*recipe.variables, VariableEdit("Q", removed=True)))) == []


def test_a_town_beside_a_recoded_region_undoes_the_recode(tmp_path: Path) -> None:
    recipe = survey(tmp_path, lambda rng, row: {"TOWN": row["REGION"] * 10 + rng.randrange(10)})
    halved = Recode("R", scheme="\n".join(f"{i}:{2 * i:02d}-{2 * i + 1:02d}" for i in range(10)))
    recipe = recipe.with_(recodes=(halved,), suppression=Suppression("none"))
    found = the_one(recipe, variable="R")
    figures = values(found)
    assert (found.id, figures["other"]) == ("recode-undone", "TOWN")
    assert figures["right"] > 0.95 * figures["asked"]
    assert "Recode TOWN, too, in Global Recode" in found.text
    of_town = "\n".join(f"{i}:{20 * i}-{20 * i + 19}" for i in range(10))
    assert said(recipe.with_(recodes=(halved, Recode("TOWN", scheme=of_town)))) == []


def test_two_variables_that_undo_a_recode_together_are_named(tmp_path: Path) -> None:
    recipe = survey(tmp_path, lambda rng, row: {"P": (p := rng.randrange(2)), "Q": (row["REGION"] + p) % 2})
    halved = Recode("R", scheme="\n".join(f"{i}:{2 * i:02d}-{2 * i + 1:02d}" for i in range(10)))
    found = the_one(recipe.with_(recodes=(halved,), suppression=Suppression("none")), variable="R")
    assert (found.id, values(found)["other"], values(found)["second"]) == ("recode-undone-by-two", "P", "Q")


def test_serial_numbers_undo_no_recode(tmp_path: Path) -> None:
    recipe = survey(tmp_path, lambda rng, row: {"SERIAL": row["NUMBER"] + 1000, "AMOUNT": rng.randrange(10**6)})
    halved = Recode("R", scheme="\n".join(f"{i}:{2 * i:02d}-{2 * i + 1:02d}" for i in range(10)))
    assert said(recipe.with_(recodes=(halved,), suppression=Suppression("none"))) == []


def in_order(folder: Path, household: int = 1, shuffle: bool = True) -> Recipe:
    """A file sorted by region, with the serial number of each record or household."""
    recipe = survey(folder, lambda rng, row: {}, shuffle=shuffle)
    head, *lines = (folder / "d.csv").read_text().splitlines()
    numbered = [f"{line},{1000 + 7 * (number // household)}" for number, line in enumerate(sorted(lines))]
    (folder / "d.csv").write_text("\n".join([head + ",SERIAL", *numbered]) + "\n")
    return recipe


@pytest.mark.parametrize("numeric", [False, True])
def test_random_order_does_not_help_while_serial_numbers_stay(tmp_path: Path, numeric: bool) -> None:
    recipe = in_order(tmp_path)
    if numeric:
        recipe = recipe.with_(variables=(*recipe.variables, VariableEdit("SERIAL", numeric=True, categorical=False)))
    found = the_one(recipe, variable="R")
    figures = values(found)
    assert (found.id, figures["other"]) == ("sorting-gives-away", "SERIAL")
    assert figures["equal"] > 10 * figures["expected"]
    assert "Leave SERIAL out" in found.text
    assert said(recipe.with_(variables=(*recipe.variables[:4], VariableEdit("SERIAL", removed=True)))) == []


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_household_identifier_tells_by_its_order_until_it_is_renumbered(tmp_path: Path, shuffle: bool) -> None:
    recipe = in_order(tmp_path, household=2, shuffle=shuffle)
    home = VariableEdit("SERIAL", role="household-id")
    declared = recipe.with_(variables=(replace(recipe.variables[0], household=True), *recipe.variables[1:], home))
    found = the_one(declared, variable="R", other="SERIAL")
    assert found.id == "identifier-gives-away"
    assert values(found)["equal"] > 5 * values(found)["expected"]
    assert "replace SERIAL by a sequence number" in found.text
    renumbered = declared.with_(output=replace(declared.output, household_id="sequence", shuffle=True))
    assert said(renumbered) == []
    assert [n.id for n in said(renumbered.with_(output=replace(renumbered.output, shuffle=False)))] == [
        "order-gives-away"
    ]
    undeclared = the_one(recipe, variable="R", other="SERIAL")
    assert undeclared.id in ("sorting-gives-away", "guess-gives-away")


def test_sequence_numbers_follow_the_written_order_and_no_other(tmp_path: Path) -> None:
    recipe = in_order(tmp_path, household=2, shuffle=True)
    home = VariableEdit("SERIAL", role="household-id")
    recipe = recipe.with_(
        variables=(*recipe.variables, home), output=replace(recipe.output, household_id="sequence", shuffle=True)
    )
    session = Session()
    safe = safe_file(session.protect(recipe))
    assert safe.order is not None
    written = safe.edits["SERIAL"].values[safe.order].astype(int)
    assert (np.diff(written) >= 0).all() and written[0] == 0
    assert abs(np.corrcoef(written, safe.order)[0, 1]) < 0.1


def by_weight(folder: Path) -> Recipe:
    return survey(folder, lambda rng, row: {"W": 30 + row["REGION"] / 10})


def test_a_weight_that_is_rounded_is_judged_as_it_is_written(tmp_path: Path) -> None:
    recipe = by_weight(tmp_path)
    assert "Round the weight" in the_one(recipe, variable="R", other="W").text
    assert said(recipe.with_(numeric=(NumericEdit("W", round=10),))) == []
    assert (
        "Round the weight"
        in the_one(recipe.with_(numeric=(NumericEdit("W", round=0.1),)), variable="R", other="W").text
    )


def test_a_weight_with_noise_is_judged_as_it_is_written(tmp_path: Path) -> None:
    recipe = by_weight(tmp_path)
    assert said(recipe.with_(perturbations=(Perturbation("weight-noise", (), (("share", 0.3),)),))) == []
