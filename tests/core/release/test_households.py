"""Recipes about households carried out: thresholds, derived keys, checks and refusals."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import RecipeError
from core.batch import main
from core.check.households import verify_households
from core.check.judged import TableVerification, Verification
from core.data.risk_figures import TableState
from core.formats.registry import read
from core.recipe.model import Output
from core.recipe.toml import load, parse
from core.release.verification import household_identifiers, judged_tables
from core.results.numeric import as_codes
from core.session import Session
from tests.core.persons import Persons, by_note, partition


@pytest.mark.parametrize("seed", range(4))
def test_no_household_of_the_written_file_reaches_the_threshold(persons: Persons, seed: int) -> None:
    persons.seed = seed
    assert persons.run({"= 0.12": "= 0.05"}) == 0
    (combination,) = persons.summary["combinations"]
    after = combination["after"]["by_mode"]
    assert after["unsafe_households"] == after["unsafe_records"] == 0
    assert after["household_risk"]["max"] < 0.05 <= combination["household_risk"]["max"]
    assert combination["threshold"]["unsafe_households"] > 0
    assert persons.summary["verified"] and persons.summary["unsafe_left"] == 0
    original, released = by_note(persons.rows()), by_note(persons.safe())
    for group in partition(persons.rows()):
        gone = {released[note]["AREA"] == "" for note in group}
        assert len(gone) == 1, "a household variable is suppressed for all members or for none"
    assert {n: r["W"] for n, r in released.items()} == {n: r["W"] for n, r in original.items()}


def test_a_number_of_households_that_none_exceeds_leaves_none_unsafe(persons: Persons) -> None:
    assert persons.run({"household_risk = 0.12": "unsafe_households = 0"}) == 0
    (combination,) = persons.summary["combinations"]
    assert "household_risk" not in combination["threshold"]
    for judged in ("by_mode", "released"):
        assert combination["after"][judged]["unsafe_households"] == 0
        assert combination["after"][judged]["unsafe_records"] == 0


def test_individual_and_household_thresholds_are_both_met(persons: Persons) -> None:
    assert persons.run({"household_risk = 0.12": "household_risk = 0.12\nindividual_risk = 0.07"}) == 0
    (combination,) = persons.summary["combinations"]
    threshold, after = combination["threshold"], combination["after"]["by_mode"]
    assert threshold["individual_risk"] == 0.07 and threshold["household"]["household_risk"] == 0.12
    assert after["individual_risk"]["max"] < 0.07 and after["household_risk"]["max"] < 0.12


def test_household_rule_is_read_or_refused_by_what_it_says(persons: Persons) -> None:
    assert persons.run() == 0
    written = persons.safe()
    before = 'criterion = "weights"'
    assert persons.run({before: before + '\nhousehold_rule = "sufficient"'}) == 0
    assert persons.safe() == written
    text = (persons.folder / "persons.pavo").read_text().replace('"sufficient"', '"exact"')
    with pytest.raises(RecipeError, match=r'suppression.household_rule = "exact" is no longer offered') as refused:
        parse(text, persons.folder)
    assert "divided by the number of members" in refused.value.hint


def test_rates_and_numbers_of_households_are_resolved(persons: Persons) -> None:
    assert persons.run({"household_risk = 0.12": "unsafe_households = 5"}) == 0
    by_number = persons.summary["combinations"][0]["threshold"]
    assert 0 < by_number["unsafe_households"] <= 5
    rate = by_number["rate"]
    assert persons.run({"household_risk = 0.12": f"household_rate = {rate!r}"}) == 0
    assert persons.summary["combinations"][0]["threshold"]["household_risk"] == pytest.approx(
        by_number["household_risk"], rel=1e-9
    )
    assert persons.run({"household_risk = 0.12": "unsafe_households = 1000"}) == 1


def test_a_household_variable_goes_for_all_members_at_an_individual_threshold(persons: Persons) -> None:
    # AREA first to go, so that it is what suppression takes.
    changes = {"household_risk = 0.12": "individual_risk = 0.06", "suppression_weight = 60": "suppression_weight = 1"}
    assert persons.run(changes) == 0
    released = by_note(persons.safe())
    emptied = 0
    for group in partition(persons.rows()):
        gone = [released[note]["AREA"] == "" for note in group]
        assert all(gone) or not any(gone)
        emptied += all(gone)
    assert 0 < emptied < len(partition(persons.rows()))


def test_household_size_as_a_key_is_recoded_but_never_suppressed(persons: Persons) -> None:
    derived = '[[derived]]\nname = "SIZE"\nkind = "household-size"\n[[combinations]]'
    changes = {"[[combinations]]": derived, '"SEX", "AGE"': '"SEX", "AGE", "SIZE"', "= 0.12": "= 0.6"}
    recode = '[[recodes]]\nvariable = "SIZE"\nscheme = "4+: 4-"\n[threshold]'
    assert persons.run(changes | {"[threshold]": recode}) == 0
    assert persons.summary["suppression"]["by_variable"]["SIZE"] == 0
    assert "SIZE" not in persons.safe()[0]
    assert "SIZE" in (persons.folder / "out" / "report.html").read_text()
    session = Session()
    derived_ = session.derive(load(persons.folder / "persons.pavo").with_(recodes=(), output=Output()))
    sizes = derived_.columns["SIZE"]
    of_records = np.array(sizes.codes)[sizes.values].astype(int)
    counted = {note: len(group) for group in partition(persons.rows()) for note in group}
    assert of_records.tolist() == [counted[row["NOTE"]] for row in persons.rows()]


def test_household_types_are_classes_of_size(persons: Persons) -> None:
    derived = '[[derived]]\nname = "KIND"\nkind = "household-type"\n[[combinations]]'
    assert persons.run({"[[combinations]]": derived, '"SEX", "AGE"': '"SEX", "KIND"', "= 0.12": "= 0.6"}) == 0
    found = Session().derive(load(persons.folder / "persons.pavo").with_(output=Output()))
    codes = found.columns["KIND"]
    size = found.households.size[found.households.household_of_record]  # type: ignore[union-attr]
    expected = ["1" if s == 1 else "2" if s == 2 else "3-4" if s < 5 else "5+" for s in size]
    assert [codes.codes[v] for v in codes.values] == expected


def test_household_types_are_what_the_members_are_after_recoding(persons: Persons) -> None:
    """Numbered by how many households there are of each, labelled by content; the written file is verified by them."""
    derived = '[[derived]]\nname = "KIND"\nkind = "household-type"\nmembers = ["AGE", "SEX"]\n[[combinations]]'
    recode = '[[recodes]]\nvariable = "AGE"\nscheme = "young: child,young"\n[threshold]'
    changes = {"[[combinations]]": derived, '"SEX", "AGE"': '"KIND"', "= 0.12": "= 0.9", "[threshold]": recode}
    assert persons.run(changes) == 0
    found = Session().derive(load(persons.folder / "persons.pavo").with_(output=Output()))
    kinds = found.columns["KIND"]
    homes: dict[str, list[str]] = {}
    for row in persons.rows():
        age = f"AGE {'young' if row['AGE'] == 'child' else row['AGE'] or '(empty)'}"
        homes.setdefault(row["HH"], []).append(f"{age} SEX {row['SEX']}")
    frequency = Counter(tuple(sorted(home)) for home in homes.values())
    labels = found.labels["KIND"]
    told = [labels[kinds.codes[v]] for v in kinds.values]
    for row, label in zip(persons.rows(), told, strict=True):
        parts = (part.split(" ", 1) for part in label.split(", "))
        assert {text: int(count) for count, text in parts} == Counter(homes[row["HH"]])
    assert len(kinds.codes) == len(set(labels.values())) == len(frequency) > 5
    code_of = {row["HH"]: int(kinds.codes[v]) for row, v in zip(persons.rows(), kinds.values, strict=True)}
    numbered = sorted(homes, key=lambda home: code_of[home])
    of_households = [frequency[tuple(sorted(homes[home]))] for home in numbered]
    assert of_households == sorted(of_households, reverse=True)


def test_unprotectable_households_are_named_before_anything_is_written(
    persons: Persons, capsys: pytest.CaptureFixture[str]
) -> None:
    derived = '[[derived]]\nname = "SIZE"\nkind = "household-size"\n[[combinations]]'
    changes = {"[[combinations]]": derived, '"SEX", "AGE"': '"SEX", "AGE", "SIZE"', "= 0.12": "= 0.01"}
    assert persons.run(changes) == 1
    said = capsys.readouterr().err
    assert "cannot be brought below the household threshold 0.01" in said and "identifiers" in said
    assert not (persons.folder / "out").exists()
    apart = '[output]\nshuffle = true\nkeep_households_together = false\nhousehold_id = "remove"'
    assert persons.run(changes | {"[output]": apart, "= 0.12": "= 0.05"}) == 0
    assert persons.summary["suppression"]["by_variable"]["SIZE"] > 0


def test_household_risks_of_records(persons: Persons) -> None:
    assert persons.run() == 0
    with (persons.folder / "out" / "records.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["record", "f_1", "F_1", "risk_1", "household_risk_1"]
    for group in partition(persons.rows()):
        places = [i for i, row in enumerate(persons.rows()) if row["NOTE"] in group]
        product = np.prod([1 - float(rows[i]["risk_1"]) for i in places])
        for i in places:
            assert float(rows[i]["household_risk_1"]) == pytest.approx(1 - product, rel=1e-9)


def test_frequency_tables_keep_household_variables_together(persons: Persons) -> None:
    model = {'"SEX", "AGE"]': '"SEX", "AGE"]\nmodel = "frequency"', "[threshold]\nhousehold_risk = 0.12\n": "",
             "suppression_weight = 60": "suppression_weight = 1"}  # fmt: skip
    assert persons.run(model) == 0
    released = by_note(persons.safe())
    gone = [{released[note]["AREA"] == "" for note in group} for group in partition(persons.rows())]
    assert all(len(each) == 1 for each in gone) and {True} in gone


def test_k_anonymous_tables_keep_household_variables_together(persons: Persons) -> None:
    model = {'"SEX", "AGE"]': '"SEX", "AGE"]\nmodel = "k-anonymity"\nk = 4\nmissing_rule = "category"',
             "[threshold]\nhousehold_risk = 0.12\n": "",
             "suppression_weight = 60": "suppression_weight = 1"}  # fmt: skip
    assert persons.run(model) == 0
    assert persons.summary["verified"]
    rows = persons.safe()
    released = by_note(rows)
    gone = [{released[note]["AREA"] == "" for note in group} for group in partition(persons.rows())]
    assert all(len(each) == 1 for each in gone) and {True} in gone
    keys = Counter((row["AREA"], row["SEX"], row["AGE"]) for row in rows)
    assert min(keys.values()) >= 4


def test_the_check_finds_what_a_defect_would_leave(persons: Persons) -> None:
    assert persons.run({"suppression_weight = 60": "suppression_weight = 1"}) == 0
    recipe = load(persons.folder / "persons.pavo")
    session = Session()
    protection = session.protect(recipe)
    plan, safe = protection.plan, persons.folder / "out" / "safe.csv"
    passed = Verification(True, (), (TableVerification(TableState(), TableState()),))
    derived = protection.derived
    identifiers = household_identifiers(derived)
    assert identifiers is not None

    def problems(suppressed: dict[str, Any], path: Path = safe) -> list[str]:
        described = as_codes(derived.metadata, ["HH"])
        found = verify_households(
            passed, read(path, described, ("HH", "W")), derived.columns, derived.microdata.weights, suppressed,
            judged_tables(derived, {}), identifiers,
        )  # fmt: skip
        return [notice.id for notice in found.problems]

    assert problems(dict(plan.suppressed)) == []
    nothing = {name: np.zeros_like(flags) for name, flags in plan.suppressed.items()}
    assert problems(nothing) == ["written-households-unsafe"]
    one = plan.suppressed["AREA"].copy()
    group = partition(persons.rows())
    touched = next(g for g in group if len(g) > 1 and by_note(persons.safe())[min(g)]["AREA"] == "")
    one[[i for i, row in enumerate(persons.rows()) if row["NOTE"] == min(touched)]] = False
    assert "household-variable-readable" in problems({**plan.suppressed, "AREA": one})
    text = safe.read_text().splitlines()
    text[1] = text[1].replace(text[1].split(",")[0], "4711", 1)
    other = persons.folder / "other.csv"
    other.write_text("\n".join(text) + "\n")
    assert problems(dict(plan.suppressed), other) == ["written-households-differ"]


TYPE = '[[derived]]\nname = "KIND"\nkind = "household-type"\n'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('role = "household-id"', "categorical = true", "threshold.household_risk needs a household identifier"),
        ("[suppression]", '[[derived]]\nname = "SEX"\nkind = "household-size"\n[suppression]', "already a variable"),
        ("[suppression]", f'{TYPE}members = ["NONE"]\n[suppression]', "the file has no variable NONE"),
        ("[suppression]", f'{TYPE}members = ["W"]\n[suppression]', "W is not categorical"),
        ("[suppression]", f"{TYPE}members = []\n[suppression]", "a list with at least one entry"),
    ],
)
def test_refusals(persons: Persons, old: str, new: str, says: str) -> None:
    assert persons.run() == 0
    text = (persons.folder / "persons.pavo").read_text().replace(old, new)
    (persons.folder / "persons.pavo").write_text(text)
    with pytest.raises(RecipeError, match=says):
        Session().derive(load(persons.folder / "persons.pavo"))


def test_the_forecast_over_household_thresholds_is_the_plan(persons: Persons) -> None:
    assert persons.run() == 0
    recipe = load(persons.folder / "persons.pavo")
    session = Session()
    found = session.forecast(recipe, 0, by="household")
    assert found.at(0.12).by_variable == session.protect(recipe).plan.by_variable
    assert found.exact and found.at(None).total == 0


def test_the_survey_by_households(demo: Path, tmp_path: Path) -> None:
    assert main([str(demo / "survey-households.pavo"), "--out", str(tmp_path), "--quiet"]) == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    (combination,) = summary["combinations"]
    assert combination["household_risk"]["households"] == 2433
    assert combination["threshold"]["unsafe_households"] == 43 and combination["threshold"]["unsafe_records"] == 76
    assert combination["after"]["by_mode"]["unsafe_households"] == 0
    assert summary["suppression"]["total"] == 77 and summary["suppression"]["gap"] == 0


def test_testdata_has_the_frequencies_of_sdcmicro(shared: Path, tmp_path: Path) -> None:
    golden = json.loads((shared / "golden" / "testdata_risk.json").read_text())["values"]
    keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
    edits = "".join(f'[variables.{key}]\nmissing = ["NA"]\n' for key in keys)
    text = f"""recipe = 1
[input]
data = '{shared / "data" / "testdata.csv"}'
{edits}[variables.ori_hid]
role = "household-id"
[variables.sampling_weight]
role = "weight"
[[combinations]]
variables = {keys!r}
"""
    (tmp_path / "testdata.pavo").write_text(text)
    found = Session().derive(load(tmp_path / "testdata.pavo"))
    (table,) = found.risk_tables
    f, F = (values[table.cell_index.of_record] for values in (table.cells.f, table.cells.F))
    assert f.tolist() == golden["fk"] and F.tolist() == golden["Fk"]
    assert table.household is not None and found.households is not None
    # sdcMicro's individual risk is approximate from f = 3 on; by household that makes at most a percent.
    of_records = table.household.risk[found.households.household_of_record]
    assert of_records == pytest.approx(np.array(golden["hier_risk"]), rel=0.05)
    expected = golden["global"]["hier_risk_ER"]
    assert table.household.staircase.expected_reidentifications == pytest.approx(expected, rel=0.02)
    survived: dict[int, float] = defaultdict(lambda: 1.0)
    for household, risk in zip(found.households.household_of_record.tolist(), table.risk[table.cell_index.of_record],
                               strict=True):  # fmt: skip
        survived[household] *= 1 - float(risk)
    assert 1 - np.array([survived[g] for g in range(len(survived))]) == pytest.approx(table.household.risk, rel=1e-9)
