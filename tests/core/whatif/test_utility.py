"""Original, recoded alike, against the released file: of a plan, of a run, in summary and report."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import RecipeError
from core.base.progress import Cancelled, Silent
from core.recipe.model import (
    Analysis,
    Combination,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Report,
    Suppression,
    Threshold,
    TopBottomCode,
    VariableEdit,
)
from core.recipe.toml import parse
from core.release.run import Result, carry_out
from core.session import Session
from core.utility.own import NotCompared
from core.utility.own_models import ComparedModel
from core.utility.own_tables import ComparedMeans, ComparedTable
from core.whatif.utility import file_utility, names_to_compare

OWN = (
    Analysis(table=("REG", "AGE")),
    Analysis(mean="INC", by=("REG",)),
    Analysis(model="INC ~ AGE + REG"),
    Analysis(table=("NAME",)),
)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    random, rows = np.random.default_rng(2), ["NAME,REG,AGE,INC,OTHER,W"]
    for i in range(200):
        income = "" if i % 19 == 5 else int(np.exp(random.normal(7, 0.6)))
        rows.append(f"n{i},{i % 4},{random.integers(18, 80)},{income},{i % 5},{3 + i % 7}.5")
    (tmp_path / "d.csv").write_text("\n".join(rows) + "\n")
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', tmp_path).input,
        variables=(
            VariableEdit("NAME", role="direct-identifier"),
            VariableEdit("REG", categorical=True, missing=("9",)),
            VariableEdit("AGE", categorical=True, numeric=True, missing=("99",)),
            VariableEdit("INC", numeric=True),
            VariableEdit("W", role="weight"),
        ),
        combinations=(Combination(("REG", "AGE")),),
        recodes=(Recode("AGE", scheme="1: - 40\n2: 41 - 60\n3: 61 -\n"),),
        numeric=(NumericEdit("INC", top=TopBottomCode(3000, "3000"), round=10),),
        threshold=Threshold(individual_risk=0.013),
        suppression=Suppression(criterion="entropy"),
        utility=OWN,
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "safe.html", summary=tmp_path / "s.json"),
    )


def rows(path: Path | None) -> list[dict[str, str]]:
    assert path is not None
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def done(recipe: Recipe) -> Result:
    result = carry_out(Session(one_recipe=True), recipe)
    assert result.summary["verified"] is True
    return result


def recoded(row: dict[str, str]) -> str:
    age = int(row["AGE"])
    return "1" if age <= 40 else "2" if age <= 60 else "3"


def test_what_is_compared_is_what_is_written(recipe: Recipe) -> None:
    result = done(recipe)
    assert result.protection is not None and result.protection.plan.total > 0
    original, released = rows(recipe.input.data), rows(recipe.output.data)
    file = Session().compared_file(result.protection, ("REG", "AGE", "INC", "OTHER", "W", "NAME"))
    assert set(file.variables) == {"REG", "AGE", "INC", "OTHER", "W"} and file.weights is not None
    before = [(r["REG"], recoded(r)) for r in original]
    for name, old, new in (
        ("REG", [b[0] for b in before], [r["REG"] for r in released]),
        ("AGE", [b[1] for b in before], [r["AGE"] for r in released]),
        ("OTHER", [r["OTHER"] for r in original], [r["OTHER"] for r in released]),
    ):
        both = file.variables[name]
        codes = [*both.codes, "missing"]
        lost = {"9", "99", ""}
        for places, texts in zip(both.places, (old, new), strict=True):
            assert [codes[p] for p in places] == ["missing" if t in lost else t for t in texts]
    assert [x for x in file.variables["INC"].numbers[0] if x == x] == [float(r["INC"]) for r in original if r["INC"]]
    assert [x for x in file.variables["INC"].numbers[1] if x == x] == [float(r["INC"]) for r in released if r["INC"]]
    assert file.weights[0].tolist() == [float(r["W"]) for r in original]

    counts, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row, key in zip(original, before, strict=True):
        counts[key] += float(row["W"])  # type: ignore[assignment]
    for row in released:
        if row["REG"] != "9" and row["AGE"] != "99":
            after[row["REG"], row["AGE"]] += float(row["W"])  # type: ignore[assignment]
    changes = [abs(after[key] - count) / count for key, count in counts.items()]
    table = result.summary["utility"][0]
    assert table["max_change"] == pytest.approx(max(changes)) and table["cells"] == len(counts)
    assert table["mean_change"] == pytest.approx(sum(changes) / len(changes))


def test_summary_and_report_have_every_entry_in_its_order(recipe: Recipe, tmp_path: Path) -> None:
    result = done(recipe)
    told = result.summary["utility"]
    assert [sorted(each)[0] for each in told] == ["cells", "by", "coefficients", "not_possible"]
    assert told[1]["mean"] == "INC" and told[1]["groups"] == 4 and set(told[1]["worst"]) == {"group", "change"}
    assert told[2]["model"] == "INC ~ AGE + REG" and told[2]["kind"] == "least-squares"
    names = [each["name"] for each in told[2]["coefficients"]]
    assert names == ["(intercept)", "AGE[2]", "AGE[3]", "REG[1]", "REG[2]", "REG[3]"]
    assert "The safe file has no NAME" in told[3]["not_possible"]
    html = (tmp_path / "safe.html").read_text()
    for text in ("What is preserved", "1. Table of REG × AGE", "2. Mean of INC by REG", "3. INC ~ AGE + REG", "S_pMSE",
                 "IL1s", "does not hold for suppression", "The safe file has no NAME", "count by W"):  # fmt: skip
        assert text in html, text


@pytest.mark.parametrize("report", [Report(variant="external"), Report(audience="users")], ids=["external", "users"])
def test_outsiders_get_no_estimate_and_no_code(recipe: Recipe, tmp_path: Path, report: Report) -> None:
    result = done(recipe.with_(report=report, perturbations=(Perturbation("weight-noise", (), (("share", 0.1),)),)))
    told = result.summary["utility"]
    assert "seed" not in result.summary["perturbations"][0]
    assert "worst" not in told[1] and not {"before", "after"} & {*told[2]["coefficients"][1]}
    assert [each["name"] for each in told[2]["coefficients"]] == ["(intercept)", *["AGE"] * 2, *["REG"] * 3]
    assert told[3] == {"not_possible": "It cannot be made of both files."}
    assert "What is preserved" not in (tmp_path / "safe.html").read_text()


def test_the_safe_file_is_the_same_with_and_without(recipe: Recipe) -> None:
    done(recipe)
    assert recipe.output.data is not None
    first = recipe.output.data.read_bytes()
    plain = done(recipe.with_(utility=()))
    assert recipe.output.data.read_bytes() == first and "utility" not in plain.summary


def test_a_plan_is_compared_before_it_is_saved(recipe: Recipe) -> None:
    session = Session()
    recipe = recipe.with_(output=Output())
    protection = session.protect(recipe)
    names = names_to_compare(protection)
    assert names == ("REG", "AGE", "INC")
    file = session.compared_file(protection, names)
    assert session.compared_file(protection, names) is file
    found = session.utility(protection)
    by_name = {each.name: each for each in found.variables}
    assert by_name["AGE"].recode_removed is not None and 0 < by_name["AGE"].recode_removed < 1
    assert by_name["REG"].added + by_name["AGE"].added == protection.plan.total == found.suppressed
    assert by_name["INC"].means[1] is not None and by_name["INC"].changed > 100
    assert found.associations.names == names and found.propensity_by_pair.shape == (3, 3)
    assert found.numbers is not None and found.numbers.variables == ("INC",) and found.numbers.eigenvalues is None
    assert [type(each) for each in found.own] == [ComparedTable, ComparedMeans, ComparedModel, NotCompared]


def test_a_perturbed_key_is_compared_with_the_original_recoded(recipe: Recipe) -> None:
    noise = Perturbation("noise", ("AGE", "INC"), (("share", 0.3),))
    recipe = recipe.with_(perturbations=(noise,), numeric=(), utility=(), threshold=Threshold(individual_risk=0.5))
    result = done(recipe)
    assert result.protection is not None and "utility" not in result.summary
    file = Session().compared_file(result.protection, ("AGE", "INC"))
    age = file.variables["AGE"]
    assert [age.codes[p] for p in age.places[0]] == list(map(recoded, rows(recipe.input.data)))
    assert [age.codes[p] for p in age.places[1]] == [r["AGE"] for r in rows(recipe.output.data)]
    assert age.changed > 10 and file.variables["INC"].changed > 100
    assert "What is preserved" in Path(str(recipe.output.report)).read_text()


def test_weights_are_those_of_each_file_and_none_where_none_is_released(recipe: Recipe) -> None:
    noisy = recipe.with_(perturbations=(Perturbation("weight-noise", (), (("share", 0.2),)),), utility=OWN[:2])
    result = done(noisy)
    assert result.protection is not None
    file = Session().compared_file(result.protection, ("REG", "W"))
    assert file.weights is not None
    assert file.weights[1].tolist() == [float(r["W"]) for r in rows(recipe.output.data)]
    hidden = tuple(replace(e, removed=True) if e.name == "W" else e for e in recipe.variables)
    result = done(recipe.with_(variables=hidden))
    assert result.protection is not None
    assert Session().compared_file(result.protection, ("REG", "W")).weights is None


def test_unknown_variables_are_refused_by_their_entry(recipe: Recipe) -> None:
    with pytest.raises(RecipeError, match=r"utility\[1\]\.model: the file has no variable WEALTH"):
        Session().derive(recipe.with_(utility=(Analysis(model="INC ~ WEALTH"),)))


def test_it_can_be_cancelled(recipe: Recipe) -> None:
    class Stopped(Silent):
        def check(self) -> None:
            raise Cancelled

    session = Session()
    protection = session.protect(recipe)
    file = session.compared_file(protection, ("REG", "AGE"))
    with pytest.raises(Cancelled):
        file_utility(file, ("REG", "AGE"), progress=Stopped())
