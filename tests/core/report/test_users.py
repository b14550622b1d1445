"""The report for users of the file: what was done and what it does to analyses, without a figure of risk."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.perturbation.registry import REGISTRY
from core.recipe.model import NumericEdit, Output, Perturbation, Recipe, Report
from core.report.analysis_effects import EFFECTS
from core.report.blocks import ReportTable, Text
from core.report.build_changes import modifications
from core.report.compose import compose
from core.report.facts import Modification, ReportInput, SafeLayout, SafeVariable
from core.report.html import render_html, render_plain
from tests.core.report.examples import demodata

USERS = Report("Labour force survey 2025", audience="users")
LAYOUT = SafeLayout("delimited", tuple(SafeVariable(n) for n in ("REGION", "AGE", "MARSTAT", "INCOME")), removed=("X",))


def users(**changes: object) -> ReportInput:
    return demodata(**({"details": USERS, "layout": LAYOUT} | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("unsafe_left", [0, 397])
def test_it_has_no_figure_of_risk_and_no_threshold(unsafe_left: int) -> None:
    report = compose(users(unsafe_left=unsafe_left, at_the_head=("a risk of 0.03",), warnings=("a risk of 0.04",)))
    for html in (render_html(report), render_plain(report)):
        text = re.sub(r"(?s)<style.*?</style>|<[^>]+>", " ", html)
        assert not re.search(r"(?i)\brisk|threshold|unsafe|re-identif|0\.00125|1 in \d|k-anonym", text)
    ids = [section.id for section in report.sections]
    assert not {"risk", "tables", "k-anonymity", "measures", "warnings", "recipe", "questions"} & set(ids)


def test_it_tells_thresholds_where_that_is_wished_and_no_risk_even_then() -> None:
    judged = demodata().tables[0].variables
    layout = replace(LAYOUT, variables=tuple(SafeVariable(name) for name in (*judged, "INCOME")))
    report = compose(users(details=replace(USERS, thresholds=True), layout=layout))
    (section,) = (section for section in report.sections if section.id == "thresholds")
    (table,) = (block for block in section.blocks if isinstance(block, ReportTable))
    assert table.cells()[0][0] == " × ".join(judged)
    assert "r* = 0.00125" in table.cells()[0][2]
    others = replace(report, sections=tuple(each for each in report.sections if each.id != "thresholds"))
    assert not re.search(r"(?i)re-identif|unsafe|1 in \d", re.sub(r"<[^>]+>", " ", render_html(others)))


def test_a_threshold_of_a_combination_that_the_file_does_not_have_is_not_told() -> None:
    ids = [section.id for section in compose(users(details=replace(USERS, thresholds=True))).sections]
    assert "thresholds" not in ids


def test_it_says_what_was_done_and_what_that_does() -> None:
    report = compose(users())
    (effects,) = (section for section in report.sections if section.id == "analyses")
    told = [block.text for block in effects.blocks if isinstance(block, Text)]
    assert any(text.startswith("REGION and AGE: differences inside a new code") for text in told)
    assert "Numbers of codes in the file: REGION has 18 and AGE has 6." in told
    assert any(text.startswith("400 values of the key variables are missing in 4,000 records") for text in told)
    assert any(text.startswith("The most are missing of REGION: 9.4") for text in told)


def test_suppressions_are_told_by_variable_without_their_price() -> None:
    (section,) = (section for section in compose(users()).sections if section.id == "suppression")
    (table,) = (block for block in section.blocks if isinstance(block, ReportTable))
    assert [column.title for column in table.columns] == [
        "Variable", "Missing in the safe file", "Share of records", "Written as",
    ]  # fmt: skip
    assert [row[:2] for row in table.cells()] == [["REGION", "379"], ["AGE", "11"], ["MARSTAT", "10"]]


def test_variables_that_the_file_does_not_have_are_not_in_it() -> None:
    layout = replace(LAYOUT, variables=LAYOUT.variables[1:])
    text = render_html(compose(users(layout=layout)))
    assert "REGION" not in text


def test_it_never_names_files_of_the_house() -> None:
    text = render_html(compose(users()))
    for secret in ("anna", "Demodata.asc", "records.csv", "9f9f9f"):
        assert secret not in text


def test_a_perturbation_is_told_with_its_parameters() -> None:
    recipe = Recipe(
        numeric=(NumericEdit("INCOME", round=10.0),),
        perturbations=(Perturbation("weight-noise", (), (("share", 0.05),)),),
        output=Output(shuffle=True, household_id="remove"),
    )
    done = modifications(recipe, "HHID", "WEIGHT")
    assert [change.kind for change in done] == ["round", "weight-noise", "household-id-remove", "order"]
    (parameter,) = done[1].parameters
    assert parameter[1:] == (0.05, "percent")
    text = render_html(compose(users(modifications=done)))
    assert "5.00" in text
    assert "Weighted estimates scatter" in text


def test_a_matrix_is_published_as_it_was_used() -> None:
    done = Modification("PRAM", "AGE", "", "pram", matrices=(("Transition matrix", ((0.9, 0.1), (0.25, 0.75))),))
    (section,) = (s for s in compose(users(modifications=(done,))).sections if s.id == "modifications")
    table = section.blocks[-1]
    assert isinstance(table, ReportTable)
    assert table.cells() == [["1", "0.9000", "0.1000"], ["2", "0.2500", "0.7500"]]


def test_every_method_says_what_it_does_to_analyses() -> None:
    assert set(REGISTRY.names) <= set(EFFECTS)


@pytest.mark.parametrize(("verified", "tone"), [(True, "good"), (False, "warning"), (None, None)])
def test_it_says_whether_the_file_was_checked(verified: bool | None, tone: str | None) -> None:
    found = compose(users(verified=verified)).verdict
    assert (found.tone if found else None) == tone
