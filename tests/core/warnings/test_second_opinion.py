"""The second opinion on a table's risk: in the summary, in the report, and as a warning where the risk is not true."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.recipe.model import Combination, Input, Output, Recipe, Suppression, Threshold, VariableEdit
from core.release.run import carry_out
from core.results.second_opinions import unsafe_by_opinion
from core.session import Session
from core.warnings.second_opinion import TOO_HIGH, TOO_LOW

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def written(recipe: Recipe, folder: Path) -> tuple[dict[str, Any], str]:
    """The summary's combination with its warnings, and the report."""
    output = replace(recipe.output, summary=folder / "s.json", report=folder / "r.html")
    carry_out(Session(), recipe.with_(output=output))
    summary = json.loads((folder / "s.json").read_text())
    return summary["combinations"][0] | {"warnings": summary["warnings"]}, (folder / "r.html").read_text()


@pytest.fixture
def demodata(shared: Path) -> Recipe:
    folder = shared / "data" / "demodata"
    return Recipe(
        input=Input(data=folder / "Demodata.asc", metadata=folder / "Demodata.rda"),
        combinations=(Combination(KEYS),),
        threshold=Threshold(individual_risk=0.05),
    )


def survey(folder: Path, weight: float | None, records: int = 400, spread: int = 40) -> Recipe:
    """A survey of two keys that do not depend on each other, with one weight for all; None: no weight."""
    draw = random.Random(7)
    lines = ["A,B" + ("" if weight is None else ",W")]
    for _ in range(records):
        a, b = draw.randrange(spread), draw.randrange(spread)
        lines.append(f"{a},{b}" + ("" if weight is None else f",{weight}"))
    (folder / "d.csv").write_text("\n".join(lines) + "\n")
    edits = () if weight is None else (VariableEdit("W", role="weight"),)
    return Recipe(input=Input(data=folder / "d.csv"), variables=edits, combinations=(Combination(("A", "B")),))


def test_demodata_raw_has_the_published_figures(demodata: Recipe, tmp_path: Path) -> None:
    found, report = written(demodata, tmp_path)
    opinion = found["second_opinion"]
    assert opinion["estimator"] == "calibrated"
    assert opinion["expected_reidentifications"] == pytest.approx(227.931707244, rel=1e-9)
    assert opinion["max"] == pytest.approx(0.982602931755, rel=1e-9)
    assert opinion["a"] == pytest.approx(5.9329041907, rel=1e-9)
    assert opinion["interval"]["low"] == pytest.approx(185.195, abs=5e-4)
    assert opinion["interval"]["high"] == pytest.approx(280.530, abs=5e-4)
    assert opinion["edges"] == [["AGE", "MARSTAT"], ["SEX", "MARSTAT"]]
    assert opinion["tau2"] == pytest.approx(212.691895643, rel=1e-9)
    assert opinion["unsafe_records"] == 1055
    assert opinion["ratio"] == pytest.approx(227.931707244 / found["individual_risk"]["expected_reidentifications"])
    assert opinion["rate"] == pytest.approx(227.931707244 / 4000)
    (text,) = [warning["text"] for warning in found["warnings"] if warning["id"] == TOO_LOW]
    assert "78.3 by the individual risk" in text and "228 (185 to 281)" in text and "AGE with MARSTAT" in text
    opening, rest = report.split('<section id="', 1)
    assert "228 (185 to 281) re-identifications expected by the population model" in opening
    assert "AGE with MARSTAT, SEX with MARSTAT" in rest and "185 and 281" in rest


def test_recoded_demodata_needs_no_warning(demodata: Recipe, shared: Path, tmp_path: Path) -> None:
    from core.recipe.model import Recode

    folder = shared / "data" / "demodata"
    recodes = tuple(Recode(name, scheme_file=folder / f"{name.title()}.grc") for name in ("REGION", "AGE"))
    found, _report = written(demodata.with_(recodes=recodes), tmp_path)
    assert found["second_opinion"]["expected_reidentifications"] == pytest.approx(3.03593222941, rel=1e-9)
    assert "a" not in found["second_opinion"]
    warned = {warning["id"] for warning in found["warnings"]}
    assert (TOO_HIGH in warned) == (found["second_opinion"]["ratio"] < 0.8)


def test_a_population_needs_no_second_opinion(tmp_path: Path) -> None:
    for recipe in (survey(tmp_path, None), survey(tmp_path, 1.0)):
        found, report = written(recipe, tmp_path)
        assert "second_opinion" not in found
        assert "Second opinion" not in report


def test_weights_that_tell_no_population_are_named(tmp_path: Path) -> None:
    draw = random.Random(3)
    recipe = survey(tmp_path, 1.0)
    lines = (tmp_path / "d.csv").read_text().splitlines()
    weights = [0.5 + draw.random() for _ in lines[1:]]
    mean = sum(weights) / len(weights)
    changed = [f"{line.rsplit(',', 1)[0]},{w / mean:.9f}" for line, w in zip(lines[1:], weights, strict=True)]
    (tmp_path / "d.csv").write_text("\n".join([lines[0], *changed]) + "\n")
    found, _report = written(recipe, tmp_path)
    assert "second_opinion" not in found
    assert "no-second-opinion" in [warning["id"] for warning in found["warnings"]]


def test_before_a_file_is_made_the_preview_is_told(tmp_path: Path) -> None:
    recipe = survey(tmp_path, 50.0, records=900).with_(
        threshold=Threshold(individual_risk=0.9),
        suppression=Suppression("entropy"),
        output=Output(data=tmp_path / "safe.csv"),
    )
    session = Session()
    protection = session.protect(recipe)
    table = protection.derived.risk_tables[0]
    opinion = session.second_opinion(protection.derived, 0).opinion
    assert opinion is not None
    verdict = opinion.verdict(table.staircase.expected_reidentifications)
    ids = [notice.id for notice in protection.notices]
    assert (TOO_LOW in ids, TOO_HIGH in ids) == (verdict == "too low", verdict == "too high")
    assert session.second_opinion(protection.derived, 0).opinion is opinion


def test_where_no_chart_is_drawn_the_unsafe_are_counted_at_once(tmp_path: Path) -> None:
    recipe = survey(tmp_path, 50.0, records=900).with_(threshold=Threshold(individual_risk=0.02))
    found = []
    for one_recipe in (False, True):
        session = Session(one_recipe=one_recipe)
        derived = session.derive(recipe)
        opinion = session.second_opinion(derived, 0)
        assert opinion.opinion is not None and (len(opinion.opinion.risk) == 0) == one_recipe
        found.append((unsafe_by_opinion(derived.risk_tables[0], opinion), opinion.opinion.expected_reidentifications))
    assert found[0] == found[1] and 0 < (found[0][0] or 0) < 900


def test_no_more_than_all_records_are_told_to_be_found(tmp_path: Path) -> None:
    """The summary has the formula's interval; in words it ends at the records there are."""
    found, report = written(survey(tmp_path, 1.3, spread=400), tmp_path)
    opinion = found["second_opinion"]
    assert opinion["expected_reidentifications"] < 400 < opinion["interval"]["high"]
    assert f"{opinion['interval']['low']:.0f} and 400 (at most all)" in report
