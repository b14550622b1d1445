"""What is exported of a session that perturbs: the perturbed values, and that is said in every file to be read."""

from __future__ import annotations

import csv
from pathlib import Path

from core.exports import export_muargus, export_sdcmicro
from core.recipe.model import Combination, Input, Perturbation, Recipe, Threshold, VariableEdit
from core.session import Session

SAID = "Perturbed before tables are made: AGE."


def survey(folder: Path) -> Recipe:
    rows = [f"{18 + i * 7 % 60},{i % 3},{10 + i % 5}" for i in range(80)]
    (folder / "d.csv").write_text("\n".join(["AGE,REG,W", *rows]) + "\n")
    return Recipe(
        input=Input(folder / "d.csv"),
        variables=(
            VariableEdit("AGE", categorical=True, numeric=True),
            VariableEdit("REG", categorical=True),
            VariableEdit("W", role="weight"),
        ),
        combinations=(Combination(("REG", "AGE")),),
        threshold=Threshold(individual_risk=0.05),
        perturbations=(Perturbation("noise", ("AGE",), (("share", 0.5),)),),
    )


def test_the_perturbed_values_are_exported_and_both_exports_say_so(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    derived = Session().derive(recipe)
    script, data = export_sdcmicro(derived, tmp_path / "check.R").files
    rda, asc, guide, *_ = export_muargus(derived, tmp_path / "check.rda").files
    column, original = derived.columns["AGE"], derived.original.columns["AGE"]
    perturbed = [column.codes[value] for value in column.values.tolist()]
    assert perturbed != [original.codes[value] for value in original.values.tolist()]
    with data.open(newline="") as file:
        assert [row["AGE"] for row in csv.DictReader(file)] == perturbed
    again = Session().derive(Recipe(input=Input(asc, rda), combinations=recipe.combinations))
    read = again.columns["AGE"]
    assert [read.codes[value].strip() for value in read.values.tolist()] == perturbed
    assert SAID in script.read_text() and SAID in guide.read_text()


def test_without_perturbations_nothing_is_said(tmp_path: Path) -> None:
    derived = Session().derive(survey(tmp_path).with_(perturbations=()))
    script, _ = export_sdcmicro(derived, tmp_path / "check.R").files
    guide = export_muargus(derived, tmp_path / "check.rda").files[2]
    assert "erturbed" not in script.read_text() and "erturbed" not in guide.read_text()
