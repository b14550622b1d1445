"""The report of a real session: the demonstration survey of μ-ARGUS, as [P04] 7.5 protects it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import Notice
from core.base.progress import SILENT
from core.check.judged import TableVerification, Verification
from core.data.risk_figures import RiskFigures, TableState
from core.recipe.model import (
    Combination,
    Input,
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
from core.recipe.toml import load
from core.report.build import ReleaseOutcome, build_report, creation_time, original_recipe, report_input
from core.report.facts import NamedFile
from core.report.html import render_html
from core.report.sections_data import recodings
from core.results.results import Protection
from core.session import Session
from tests.core.persons import Persons

KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def published(folder: Path) -> Recipe:
    return Recipe(
        input=Input(folder / "Demodata.asc", folder / "Demodata.rda"),
        combinations=(Combination(KEYS),),
        recodes=(
            Recode("REGION", scheme_file=folder / "Region.grc"),
            Recode("AGE", scheme_file=folder / "Age.grc"),
        ),
        threshold=Threshold(individual_risk=0.00125),
        suppression=Suppression("weights"),
    )


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture(scope="module")
def protected(session: Session, shared: Path) -> Protection:
    return session.protect(published(shared / "data" / "demodata"))


@pytest.fixture(scope="module")
def outcome(session: Session, protected: Protection) -> ReleaseOutcome:
    derived = protected.derived
    raw = original_recipe(derived.recipe)
    assert raw is not None
    return ReleaseOutcome(
        "Pavo",
        "0.1.0",
        plan=protected.plan,
        verification=Verification(True, (), ()),
        layout=derived.metadata,
        files=(
            NamedFile("data", Path("/home/anna/Demodata.asc")),
            NamedFile("safe-data", Path("/home/anna/Demodata.saf")),
        ),
        original=session.derive(raw),
        after={0: protected.remaining(derived.risk_tables[0], SILENT)},
        forecasts={0: session.forecast(derived.recipe, 0)},
        recipe_sha256="5e" * 32,
        notices=(Notice.of("x", "See {place}.", place="/home/anna/x.cdl"),),
    )


def test_published_figures(protected: Protection, outcome: ReleaseOutcome) -> None:
    given = report_input(protected.derived, outcome)
    (table,) = given.tables
    assert table.original is not None
    assert table.original.individual is not None
    assert table.recoded.individual is not None
    assert table.original.individual.max_risk == pytest.approx(0.0422983833576, rel=1e-11)
    assert table.original.individual.expected == pytest.approx(78.2550159921, rel=1e-11)
    assert (table.original.individual.unsafe, table.recoded.individual.unsafe) == (3968, 397)
    assert table.recoded.individual.rate == pytest.approx(0.00124851184754, rel=1e-11)
    assert table.threshold_rate == pytest.approx(0.000430925, rel=1e-5)
    assert {key.name: key.suppressed for key in given.keys} == {"REGION": 379, "SEX": 0, "AGE": 11, "MARSTAT": 7}
    assert [(key.categories_before, key.categories, key.missing_codes) for key in given.keys] == [
        (182, 18, 2), (2, 2, 1), (60, 6, 2), (4, 4, 1),
    ]  # fmt: skip
    assert given.recodes[0].lines[17] == ("18", "regio 18", "171-")
    assert given.recodes[0].missing == ("98", "99")


def test_pictures_count_every_record_and_show_no_unsafe_one_after(
    protected: Protection, outcome: ReleaseOutcome
) -> None:
    (table,) = report_input(protected.derived, outcome).tables
    assert table.safe is not None
    assert table.original is not None
    unsafe = [edge >= 0.00125 * (1 - 1e-9) for edge in table.edges[:-1]]
    for state, expected in ((table.original, 3968), (table.recoded, 397), (table.safe, 0)):
        assert sum(state.histogram) == 4000
        assert sum(n for n, above in zip(state.histogram, unsafe, strict=True) if above) == expected
    assert dict(table.safe.violations)[2] == 0


def test_risks_after_are_those_of_the_remaining_values(protected: Protection) -> None:
    table, plan = protected.derived.tables[0], protected.plan
    assert table is not None
    after = protected.remaining(table, SILENT)
    assert float(after.risk.max()) < 0.00125
    touched = np.logical_or.reduce([plan.suppressed[name] for name in KEYS])
    assert np.array_equal(after.risk[~touched], table.risk[table.cell_index.of_record][~touched])
    columns = protected.derived.columns
    for record in np.flatnonzero(touched)[:40].tolist():
        kept = [name for name in KEYS if not plan.suppressed[name][record]]
        same = np.logical_and.reduce([columns[n].values == columns[n].values[record] for n in kept])
        assert after.frequency[record] == same.sum()


def test_figures_of_the_check_come_before_our_own(protected: Protection, outcome: ReleaseOutcome) -> None:
    risk = RiskFigures(0.001, 2.0, 0.0005, 0)
    checked = TableVerification(
        TableState(risk, unsafe=0), TableState(replace(risk, max_risk=0.0007), unsafe=0), group_max=0.02, group_unsafe=5
    )
    with_check = replace(outcome, verification=Verification(True, (), (checked,)))
    (table,) = report_input(protected.derived, with_check).tables
    assert table.safe is not None
    assert table.safe.individual is not None
    assert (table.safe.individual.max_risk, table.safe.individual.unsafe) == (0.001, 0)
    assert table.released is not None
    assert (table.group_max, table.group_unsafe) == (0.02, 5)
    html = render_html(build_report(protected.derived, with_check))
    assert "safe file alone" in html
    assert "By this measure 5 records" in html


def test_household_figures_of_the_check(persons: Persons) -> None:
    assert persons.run({"household_risk = 0.12": "household_risk = 0.12\nindividual_risk = 0.07"}) == 0
    recipe = load(persons.folder / "persons.pavo")
    derived = Session().derive(recipe)
    homes = RiskFigures(0.04, 9.0, 0.002, households=40, unsafe_households=0)
    state = TableState(RiskFigures(0.03, 2.0, 0.001, 0), homes, unsafe=3)
    checked = Verification(True, (), (TableVerification(state, state),))
    (table,) = report_input(derived, ReleaseOutcome("Pavo", "0.1.0", verification=checked)).tables
    stairs = derived.risk_tables[0].household.staircase  # type: ignore[union-attr]
    assert table.household_threshold == 0.12
    assert table.recoded.household is not None
    assert table.recoded.household.unsafe_households == stairs.unsafe_households(0.12) > 0
    assert table.recoded.household.unsafe == stairs.unsafe(0.12) > 0
    for judged in (table.safe, table.released):
        assert judged is not None and judged.individual is not None
        assert judged.household == replace(homes, unsafe=3)
        assert judged.individual.unsafe == 3  # by either threshold


def test_an_external_report_shows_no_folder(protected: Protection, outcome: ReleaseOutcome, shared: Path) -> None:
    derived = protected.derived
    outside = replace(derived, recipe=derived.recipe.with_(report=Report(variant="external")))
    html = render_html(build_report(outside, outcome))
    for secret in ("/home", "anna", str(shared), "5e5e5e"):
        assert secret not in html
    assert "There is a warning" not in html and "Warnings that rest on the original file are" in html
    assert "Region.grc" not in html


def test_before_protection_nothing_is_claimed(protected: Protection) -> None:
    report = build_report(protected.derived, ReleaseOutcome("Pavo", "0.1.0"))
    said = " ".join(text.text for text in report.summary)
    assert "no safe file was written" in said
    assert "Verified" not in said


def test_other_models_have_a_profile(session: Session, shared: Path) -> None:
    folder = shared / "data" / "demodata"
    recipe = Recipe(
        input=Input(folder / "Demodata.asc", folder / "Demodata.rda"),
        combinations=(Combination(("SEX", "MARSTAT"), "k-anonymity", k=4), Combination(("AGE",), "frequency")),
        suppression=Suppression("none"),
    )
    derived = session.derive(recipe)
    cells = {0: session.tabulation(derived, 0).cells}
    first, second = report_input(derived, ReleaseOutcome("Pavo", "0.1.0", cells=cells)).tables
    assert [k for k, _n in first.recoded.violations] == [2, 3, 4, 5, 10]
    assert second.recoded.violations == ()
    assert first.safe is None


def test_truncation_is_a_sentence_and_untouched_codes_are_counted(session: Session, shared: Path) -> None:
    folder = shared / "data" / "demodata"
    recipe = Recipe(
        input=Input(folder / "Demodata.asc", folder / "Demodata.rda"),
        combinations=(Combination(("REGION", "AGE")),),
        recodes=(Recode("REGION", scheme="1: 1-10"), Recode("AGE", truncate=1)),
    )
    given = report_input(session.derive(recipe), ReleaseOutcome("Pavo", "0.1.0"))
    region, age = given.recodes
    assert len(region.untouched) == 172
    assert "11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, and 152 more" in str(
        recodings(given)
    )
    assert not age.lines
    assert "truncated" in age.sentence


def test_modifications_in_words(protected: Protection, outcome: ReleaseOutcome) -> None:
    recipe = protected.derived.recipe.with_(
        numeric=(NumericEdit("INCOME", TopBottomCode(100000, "99999"), TopBottomCode(0, "0"), 100.0),),
        perturbations=(Perturbation("weight-noise", (), (("share", 0.05),)),),
        output=Output(household_id="remove", shuffle=True, add_risk=True),
    )
    done = report_input(replace(protected.derived, recipe=recipe), outcome).modifications
    assert [(m.method, m.variables, m.remarks) for m in done] == [
        ("Top coding", "INCOME", "values of 100000 or more become 99999"),
        ("Bottom coding", "INCOME", "values of 0 or less become 0"),
        ("Rounding", "INCOME", "to multiples of 100"),
        ("Weight noise", "WEIGHT", "each weight changed at random by at most 5.00\u00a0%"),
        ("Household identifier", "", "removed from the safe file"),
        ("Order of records", "", "random"),
        ("Risk", "", "frequencies and risks were added to every record"),
    ]


def test_a_variable_left_out_is_named(protected: Protection, outcome: ReleaseOutcome) -> None:
    metadata = protected.derived.metadata
    safe = replace(metadata, variables=tuple(v for v in metadata.variables if v.name != "ETNI"))
    layout = report_input(protected.derived, replace(outcome, layout=safe)).layout
    assert layout is not None
    assert layout.removed == ("ETNI",)


def test_the_original_recipe_only_measures(shared: Path) -> None:
    recipe = published(shared / "data" / "demodata").with_(variables=(VariableEdit("SEX", label="Sex"),))
    raw = original_recipe(recipe)
    assert raw is not None
    assert (raw.recodes, raw.variables, raw.threshold) == ((), recipe.variables, Threshold())
    assert original_recipe(recipe.with_(recodes=())) is None


def test_the_date_is_that_of_the_source_where_one_is_given() -> None:
    assert creation_time({"SOURCE_DATE_EPOCH": "1740837909"}) == datetime(2025, 3, 1, 14, 5, 9, tzinfo=UTC)
    for odd in ("", "soon", "-5", "99999999999999", "9" * 30):
        assert abs(creation_time({"SOURCE_DATE_EPOCH": odd}) - datetime.now(tz=UTC)) < timedelta(minutes=5)
    assert creation_time({}).tzinfo is not None
