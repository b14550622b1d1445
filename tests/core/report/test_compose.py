"""What the report says, and what it leaves out where there is nothing to say."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from core.base.texts import plural
from core.data.risk_figures import RiskFigures, TableState
from core.recipe.model import Combination, Model, Recipe, Report, Scenario
from core.report.blocks import (
    Curve,
    Heading,
    MeasurePicture,
    ReportData,
    ReportTable,
    RiskHistograms,
    Section,
    Terms,
    Text,
)
from core.report.build_changes import suppression_facts
from core.report.compose import compose
from core.report.facts import (
    Key,
    MeasureShown,
    NamedFile,
    RecodeFacts,
    ReportInput,
    SuppressionFacts,
    TableFacts,
)
from core.report.html import render_html
from core.risk.measures.shown import BarPicture, Headline
from core.suppression.plan import Plan, ValueMasks
from tests.core.report.examples import CREATED, FOLDER, demodata, empty, table

ORDER = [
    "files", "variables", "tables", "related", "recodings", "risk", "k-anonymity", "modifications", "suppression",
    "warnings", "verification", "questions", "record", "recipe", "program", "terms", "signatures",
]  # fmt: skip


def part(report: ReportData, id: str) -> Section:
    return next(section for section in report.sections if section.id == id)


def said(section: Section) -> str:
    return "\n".join(block.text for block in section.blocks if isinstance(block, Text | Heading))


def opening(given: ReportInput) -> str:
    report = compose(given)
    verdict = [] if report.verdict is None else [report.verdict.headline, report.verdict.sentence]
    return "\n".join([*verdict, *(text.text for text in report.summary)])


def only_table(section: Section) -> ReportTable:
    (found,) = [block for block in section.blocks if isinstance(block, ReportTable)]
    return found


def test_parts_stand_in_the_order_of_the_field() -> None:
    assert [section.id for section in compose(demodata()).sections] == ORDER


def test_parts_without_contents_are_left_out() -> None:
    ids = [section.id for section in compose(empty()).sections]
    assert ids == [i for i in ORDER if i not in ("related", "risk", "k-anonymity", "record", "recipe")]


def test_files_are_named_with_folders_inside_and_outside_those_written_alone() -> None:
    (inside,) = part(compose(demodata()), "files").blocks
    (outside,) = part(compose(demodata("external")), "files").blocks
    assert isinstance(inside, Terms)
    assert isinstance(outside, Terms)
    assert ("Original data file", str(FOLDER / "Demodata.asc")) in inside.cells()
    assert ("Safe data file", "Demodata.saf") in outside.cells()
    assert "Demodata.asc" not in str(outside)
    assert ("Number of records", "4,000") in outside.cells()


def test_key_variables_with_categories_after_recoding() -> None:
    rows = only_table(part(compose(demodata()), "variables")).cells()
    assert rows[0] == ["REGION", "Municipality", "182", "18 (2)", "0", ""]
    assert rows[2][-1] == "yes"


def test_recodes_code_by_code_with_missing_codes_last() -> None:
    section = part(compose(demodata()), "recodings")
    rows = only_table(section).cells()
    assert rows[0] == ["1", "Region 1", "1-10"]
    assert rows[-2:] == [["98", "missing 1", ""], ["99", "missing 2", ""]]
    assert "1 digit has been truncated." in said(section)


def test_a_recode_of_two_hundred_categories_is_complete() -> None:
    lines = tuple((str(i), f"Gemeente <{i}>", f"{i}-{i + 4}") for i in range(200))
    report = compose(demodata(recodes=(RecodeFacts("REGION", lines),)))
    assert len(only_table(part(report, "recodings")).cells()) == 200


def test_no_recodes_is_said() -> None:
    assert said(part(compose(empty()), "recodings")) == "No global recodings have been applied."


def test_risk_before_and_after() -> None:
    section = part(compose(demodata()), "risk")
    rows = {row[0]: row[1:] for row in only_table(section).cells()}
    assert rows["Largest individual risk"] == ["0.04230", "0.04230", "0.00124"]
    assert rows["Expected re-identifications (records)"] == ["78.26", "4.99", "1.20"]
    assert rows["Re-identification rate"] == ["1.9564\u00a0%", "0.1249\u00a0%", "0.0301\u00a0%"]
    assert rows["Unsafe records"] == ["3,968", "397", "0"]
    histogram = next(block for block in section.blocks if isinstance(block, RiskHistograms))
    assert [panel.title for panel in histogram.panels] == [
        "Original file: 3,968 records unsafe",
        "After recoding: 397 records unsafe",
        "Safe file: none unsafe",
    ]
    assert histogram.threshold == 0.00125
    assert [sum(panel.records) for panel in histogram.panels] == [4000, 4000, 4000]


def test_the_group_risk_is_a_warning_where_it_reaches_the_threshold() -> None:
    def tone(unsafe: int) -> str:
        given = demodata(tables=(replace(table(), group_unsafe=unsafe),))
        return next(
            b.tone for b in part(compose(given), "risk").blocks if isinstance(b, Text) and "Group risk" in b.text
        )

    assert tone(12) == "warning"
    assert tone(0) == "note"


@pytest.mark.parametrize(("largest", "explained"), [(0.04, True), (0.02, False)])
def test_a_group_risk_above_the_threshold_is_no_contradiction(largest: float, explained: bool) -> None:
    """Whichever threshold there is: "no record is at or above it" stands beside a larger risk."""
    given = replace(table(), threshold=None, household_threshold=1 / 30, group_max=largest, group_unsafe=None)
    section = part(compose(demodata(tables=(given,))), "risk")
    told = "It may exceed the threshold, which judges each record by what remains of it"
    assert (told in said(section)) == explained
    assert "'0.0333333 (1 in 30)'" in repr(section)


def test_the_current_point_of_the_curve_is_what_the_plan_lost() -> None:
    curve = next(b for b in part(compose(demodata()), "risk").blocks if isinstance(b, Curve))
    assert curve.current == (0.00125, 19850.0)
    without = demodata(suppression=None)
    curve = next(b for b in part(compose(without), "risk").blocks if isinstance(b, Curve))
    assert curve.current is not None
    assert curve.current[1] == max(y for x, y in curve.points if x >= 0.00125)


def test_suppression_by_variable_apart_from_what_was_missing() -> None:
    found = only_table(part(compose(demodata()), "suppression"))
    assert found.total
    assert found.cells()[0] == ["REGION", "50", "0", "379", "9.475\u00a0%", ""]
    assert found.cells()[-1][:4] == ["Total", "", "3", "397"]


def test_entropy_is_shown_where_it_is_the_criterion() -> None:
    facts = SuppressionFacts("entropy", "original-counts", 397, 397, 473.7, 473.7)
    found = only_table(part(compose(demodata(suppression=facts)), "suppression"))
    assert found.columns[1].title == "Entropy (bits)"
    assert [row[1] for row in found.cells()] == ["4.07", "1.00", "2.52", "1.31", ""]


@pytest.mark.parametrize("model", ["individual-risk", "k-anonymity", "frequency"])
def test_the_mode_is_said_where_a_combination_is_judged_by_risk(model: Model) -> None:
    recipe = Recipe(combinations=(Combination(("SEX",), model),))
    facts = suppression_facts(recipe, Plan(ValueMasks.of_flags({}), {}, {}, 1, 1, 2.0, 2.0, 2.0), by_households=False)
    (terms,) = [b for b in part(compose(demodata(suppression=facts)), "suppression").blocks if isinstance(b, Terms)]
    assert ("Mode" in [name for name, _text in terms.cells()]) == (model == "individual-risk")


def test_a_bound_that_is_not_reached_says_the_gap() -> None:
    facts = SuppressionFacts("entropy", "released-keys", 40, 40, 50.0, 50.0, 45.0, 0.1, 1000)
    (terms,) = [b for b in part(compose(demodata(suppression=facts)), "suppression").blocks if isinstance(b, Terms)]
    assert ("No solution can lose less than", "45: optimality gap at most 10\u00a0%") in terms.cells()


def test_no_suppression_no_modifications_no_warnings_are_said() -> None:
    report = compose(empty())
    assert said(part(report, "suppression")) == "No local suppression."
    assert said(part(report, "modifications")) == "No other modifications."
    assert said(part(report, "warnings")) == "No warnings."
    assert report.subtitle == "Statistical disclosure control report"
    assert said(part(report, "verification")) == "No safe file was written, so there was nothing to verify."


def test_the_opening_says_what_how_risky_what_it_cost_and_verified() -> None:
    text = opening(demodata())
    assert "Demodata.saf was made from Demodata.asc; it holds 4,000 records of 2 variables" in text
    assert "re-identify 78.3 of 4,000 records in the original file (rate 1.96\u00a0%)" in text
    assert (
        "By the individual risk, no record is at or above the threshold 0.00125 (1 in 800); before suppression 397 "
        "records were." in text
    )
    assert "a global recoding of REGION and AGE, 397 suppressed values in 397 records" in text
    assert "Checked: by the individual risk, every record is below 1 in 800." in text


def test_the_head_shows_what_the_safe_file_is_beside_what_the_original_was() -> None:
    report = compose(demodata())
    assert report.verdict is not None
    assert report.verdict.tone == "good"
    assert report.verdict.headline == "Checked: by the individual risk, every record is below 1 in 800."
    largest, rate, blanked = report.figures
    before, after = table().original or table().recoded, table().safe
    assert before.individual is not None and after is not None and after.individual is not None
    assert largest.value == f"1 in {int(1 / after.individual.max_risk + 1e-9)}", "never smaller than it is"
    assert largest.beside == f"was 1 in {int(1 / before.individual.max_risk + 1e-9)}"
    assert (rate.beside, rate.meaning.rsplit(" ", 1)[1]) == ("was 1.96\u00a0%", "78.3)")
    assert (blanked.value, blanked.beside) == ("397", "values blanked")
    assert blanked.meaning == "in 397 records; 2 variables have coarser codes"
    warned = compose(demodata(warnings=("One.", "Two."))).verdict
    assert warned is not None and warned.sentence.endswith("2 warnings stand below.")


def test_what_was_not_written_has_no_head() -> None:
    bare = compose(demodata(verified=None, files=()))
    assert bare.verdict is None and not bare.figures
    assert "nothing was verified" in opening(demodata(verified=None, files=()))


def test_the_opening_never_praises_what_failed_or_was_left() -> None:
    failed = opening(demodata(verified=False))
    assert "must not be released" in failed
    assert "Checked: " not in failed
    after = replace(table().safe or TableState(), individual=RiskFigures(0.04, 4.0, 0.001, 3))
    left = opening(demodata(tables=(replace(table(), safe=after),), unsafe_left=3))
    assert "3 records are still at or above the threshold" in left
    assert "no record is at or above" not in left
    assert "No record reaches" not in said(part(compose(demodata(unsafe_left=3)), "verification"))


def test_without_a_threshold_nothing_is_unsafe_and_that_is_said() -> None:
    given = demodata(tables=(replace(table(), threshold=None),))
    report = compose(given)
    terms = part(report, "risk").blocks[1]
    assert isinstance(terms, Terms)
    assert terms.cells()[0] == ("Threshold", "none: no record counts as unsafe")
    assert "No threshold was set." in opening(given)
    assert "No record reaches" not in said(part(report, "verification"))


def test_a_rate_or_number_that_holds_as_it_is_was_asked_for() -> None:
    given = demodata(tables=(replace(table(), threshold=None, asked=True),))
    assert "What was asked for holds without suppression" in opening(given)
    assert "No threshold was set." not in opening(given)
    verdict = compose(given).verdict
    assert verdict is not None and "no threshold was set" not in verdict.headline


def test_of_several_risk_tables_the_head_shows_the_riskiest_and_the_opening_all() -> None:
    riskier = TableState(RiskFigures(0.2, 30.0, 0.0075, None))
    other = TableFacts(("EDUC", "INCOME"), recoded=riskier, safe=riskier)
    given = demodata(tables=(table(), other))
    largest, rate, _blanked = compose(given).figures
    assert (largest.value, largest.meaning) == (
        "1 in 5",
        "the largest risk of a record in the safe file, by EDUC × INCOME",
    )
    assert rate.value == "0.750\u00a0%"
    text = opening(given)
    assert "Someone who knows REGION, SEX, AGE and MARSTAT" in text
    assert "Someone who knows EDUC and INCOME" in text


def test_the_profile_says_by_which_rule_tables_of_the_threshold_rule_are_counted() -> None:
    rare = replace(table(), model="frequency")
    assert "“observed”" in said(part(compose(demodata(tables=(rare,))), "k-anonymity"))
    assert "“observed”" not in said(part(compose(demodata()), "k-anonymity"))


def test_one_record_is_spoken_of_as_one() -> None:
    one = demodata(unsafe_left=1)
    assert "1 unsafe record was left as it was." in opening(one)
    verdict = said(part(compose(one), "verification"))
    assert "1 unsafe record (at or above a threshold, or below k) was not protected." in verdict
    assert "2 unsafe records were left as they were." in opening(demodata(unsafe_left=2))


def test_nothing_done_is_said() -> None:
    files = (NamedFile("data", FOLDER / "a.csv"), NamedFile("safe-data", FOLDER / "b.csv"))
    text = opening(empty(files=files, records=1, verified=True))
    assert text.splitlines()[2].startswith("b.csv was made from a.csv; it holds 1 record.")
    assert "Nothing was recoded, suppressed or otherwise modified." in text


def test_household_risk() -> None:
    state = TableState(RiskFigures(0.01, 2.0, 0.02), RiskFigures(0.05, 4.0, 0.04, 12, 40, 5), histogram=(60, 40))
    safe = TableState(RiskFigures(0.01, 1.0, 0.01), RiskFigures(0.02, 2.0, 0.02, 0, 40, 0), histogram=(100, 0))
    given = demodata(
        tables=(
            TableFacts(
                ("AGE", "SEX"), household_threshold=0.025, recoded=state, safe=safe,
                edges=(0.01, 0.025, 0.06), histogram_risk="household",
            ),
        ),
        household_id="HHID",
    )  # fmt: skip
    report = compose(given)
    section = part(report, "risk")
    assert section.title == "Base household risk"
    rows = {row[0]: row[1:] for row in only_table(section).cells()}
    assert rows["Unsafe households"] == ["5", "0"]
    assert rows["Unsafe records by household risk"] == ["12", "0"]
    histogram = next(block for block in section.blocks if isinstance(block, RiskHistograms))
    assert [panel.title for panel in histogram.panels] == [
        "Original file: 5 households unsafe",
        "Safe file: none unsafe",
    ]
    assert histogram.caption.startswith("Bars count all members of a household.")
    told = "By the individual risk, no household is at or above the household risk threshold 0.025 (1 in 40); before "
    assert told + "suppression 5 households were." in opening(given)
    assert any(name == "Household risk" for name, _v, _s in part(report, "terms").blocks[0].rows)  # type: ignore[union-attr]


def test_both_kinds_of_risk_stand_in_short_with_the_state_of_the_file_and_are_explained() -> None:
    original = TableState(RiskFigures(0.3, 20.0, 0.2), RiskFigures(0.5, 48.5, 0.485, 60, 40, 30))
    recoded = TableState(RiskFigures(0.2, 13.9, 0.139), RiskFigures(0.4, 42.2, 0.422, 50, 40, 20))
    safe = TableState(RiskFigures(0.01, 2.96, 0.03), RiskFigures(0.02, 7.65, 0.0765, 0, 40, 0))
    one = TableFacts(
        ("AGE", "SEX"), household_threshold=0.025, original=original, recoded=recoded, safe=safe,
        edges=(0.01, 0.025, 0.06), histogram_risk="household",
    )  # fmt: skip
    report = compose(demodata(tables=(one,), records=100))
    text = "\n".join(t.text for t in report.summary)
    assert "re-identify 20.0 of 100 records in the original file (rate 20.0\u00a0%)" in text
    assert "After recoding: 13.9 expected re-identifications" in text
    assert "In the safe file: 2.96 expected re-identifications" in text
    assert "Expected records of re-identified households" in text
    assert "of 100 records, 48.5 in the original file (rate 48.5" in text
    assert "42.2 after recoding (" in text
    assert "7.65 in the safe file (" in text
    assert "no household is at or above" in text and "before suppression 20 households were." in text
    assert "Unsafe records by household risk before suppression: 50." in text
    rows = {row[0]: row[1:] for row in only_table(part(report, "risk")).cells()}
    assert rows["Expected re-identifications (records)"] == ["20.00", "13.90", "2.96"]
    assert rows["Expected records of re-identified households"] == ["48.50", "42.20", "7.65"]
    terms = part(report, "terms").blocks[0]
    assert isinstance(terms, Terms)
    assert {"Expected re-identifications", "Expected records of re-identified households"} <= {
        name for name, _v in terms.cells()
    }


def test_where_nothing_was_recoded_the_file_before_is_the_original_one() -> None:
    one = replace(table(), original=None)
    report = compose(demodata(tables=(one,), recodes=()))
    columns = [column.title for column in only_table(part(report, "risk")).columns]
    assert columns == ["Measure", "original file", "safe file"]


def test_without_key_variables_nothing_is_called_protected() -> None:
    files = (NamedFile("data", FOLDER / "a.csv"), NamedFile("safe-data", FOLDER / "b.csv"))
    text = opening(empty(files=files, records=10, verified=True))
    assert "no risk of re-identification was measured" in text
    assert "unprotected copy" in text
    assert "Verified" not in text
    assert "protection" not in text


def test_k_anonymity_before_and_after() -> None:
    one = TableFacts(
        ("A", "B"), "k-anonymity", "wildcard", k=3,
        recoded=TableState(violations=((2, 4), (3, 10))), safe=TableState(violations=((2, 0), (3, 0))),
    )  # fmt: skip
    report = compose(demodata(tables=(one,)))
    section = part(report, "k-anonymity")
    assert only_table(section).cells() == [["k = 2", "4", "0"], ["k = 3", "10", "0"]]
    assert "Every record shares its key with at least 3 records" in said(section)
    assert "Before suppression 10 records shared" in opening(demodata(tables=(one,)))
    left = replace(one, safe=TableState(violations=((2, 0), (3, 1))))
    assert "1 record shares its key with fewer" in said(part(compose(demodata(tables=(left,))), "k-anonymity"))


def test_the_rate_under_observed_stands_beside_wildcard() -> None:
    given = demodata(tables=(replace(table(), missing_rule="wildcard", rate_observed=0.0185),))
    assert "“observed” the re-identification rate before suppression is 1.850\u00a0%" in said(
        part(compose(given), "risk")
    )


def test_a_variable_that_is_never_suppressed_is_named_so() -> None:
    given = demodata(keys=(Key("SEX", suppressible=False, suppression_weight=50),))
    assert only_table(part(compose(given), "suppression")).cells()[0][1] == "never suppressed"


def test_measures_are_told_as_they_are_declared() -> None:
    figures = {"missing_rule": "observed", "k": 3, "violations": 12345, "profile": {"2": 5, "3": 7}}
    given = demodata(measures=({"kind": "frequencies", "variables": ["A", "B"], **figures},))
    _heading, sentence, terms = part(compose(given), "measures").blocks
    assert isinstance(sentence, Text)
    assert sentence.text.startswith("How many records share each key")
    assert isinstance(terms, Terms)
    assert terms.cells() == [
        ("missing rule", "observed"),
        ("k", "3"),
        ("violations", "12,345"),
        ("violations by k · 2", "5"),
        ("violations by k · 3", "7"),
    ]


def test_the_date_carries_its_zone() -> None:
    assert compose(empty(created=CREATED)).created == "Created 2025-03-01, 14:05:09 UTC"


def test_the_actual_level_stands_with_its_own_rate_beside_the_threshold() -> None:
    terms = next(block for block in part(compose(demodata()), "risk").blocks if isinstance(block, Terms))
    found = {name: text.replace("\xa0", " ") for name, text in terms.cells()}
    assert found["Highest risk below the threshold (actual level)"] == "0.00124413 (1 in 803)"
    assert found["Re-identification rate at the actual level"] == "0.04298 %"


def test_unsafe_combinations_of_many_dimensions_stand_under_each_other_with_the_records_in_them() -> None:
    by_dimension = tuple((d, 10 * d) for d in range(1, 12))
    rare = replace(
        table(), variables=tuple("ABCDEFGHIJK"), model="frequency", unsafe_combinations=by_dimension,
        records_in_these=tuple((d, d) for d in range(1, 12)),
    )  # fmt: skip
    tables = [b for b in part(compose(demodata(tables=(rare,))), "tables").blocks if isinstance(b, ReportTable)][1:]
    titles = [[column.title for column in found.columns[2:]] for found in tables]
    assert titles == [[f"dim {d}" for d in range(1, 7)], [f"dim {d}" for d in range(7, 12)]]
    assert [row[0] for row in tables[1].rows] == [" × ".join("ABCDEFGHIJK"), "records in them"]
    assert [row[2:] for row in tables[1].rows] == [(70, 80, 90, 100, 110), (7, 8, 9, 10, 11)]
    assert not tables[0].note and tables[1].note


def test_whom_the_report_is_for_is_said_in_plain_words() -> None:
    def whom(variant: Literal["internal", "external"], release_type: str) -> str:
        details = Report(release_type=release_type, variant=variant)
        return dict(compose(replace(demodata(variant), details=details)).details)["Meant for"]

    assert whom("internal", "scientific use file") == "use inside the institution only"
    assert "no type of release was chosen yet" in whom("internal", "") and "Report Details" in whom("internal", "")
    for chosen in ("", "public use file"):
        outside = whom("external", chosen)
        assert outside.startswith("outsiders: nothing of the original") and "chosen" not in outside


def test_a_measure_says_what_it_comes_to_above_its_figures_and_has_its_picture() -> None:
    said = Headline("{n} of the records are alone.", {"n": (12345, "count")})
    picture = BarPicture("variable", "share of all scores", ("A",), np.array([0.5]), "share")
    given = demodata(
        measures=({"kind": "suda", "variables": ["A"], "scored": 12345},),
        measures_shown=(MeasureShown(said, picture),),
    )
    _heading, _sentence, found, terms, drawn = part(compose(given), "measures").blocks
    assert found == Text("12,345 of the records are alone.")
    assert terms == Terms((("records with a score", 12345, "count"),))
    assert isinstance(drawn, MeasurePicture)
    assert (drawn.title, drawn.caption) == ("SUDA", "Share of all scores, by variable.")


def test_outsiders_are_told_of_measures_which_were_taken_and_of_scenarios_their_variables() -> None:
    said = Headline(plural(1, "{n} record of {all} is alone.", "{n} records of {all} are alone."),
                    {"n": (1, "count"), "all": (900, "count")})  # fmt: skip
    given = demodata(
        "external",
        measures=({"kind": "frequencies", "variables": ["REGION"], "k": 2, "violations": 2,
                   "profile": {"2": 0, "3": 1, "4": 7}},),
        measures_shown=(MeasureShown(said, BarPicture("k", "records", ("2", "3"), np.array([1.0, 7.0]))),),
        scenarios=(Scenario("Neighbour", ("REGION",), "hearsay", "2024", "public", "knows a person of 103"),),
    )  # fmt: skip
    outside = compose(given)
    blocks = part(outside, "measures").blocks
    (terms,) = (block for block in blocks if isinstance(block, Terms))
    assert [(title, value) for title, value, _format in terms.rows] == [("k", 2)], "what was asked for is no count"
    assert not any(isinstance(block, MeasurePicture) for block in blocks)
    assert "alone" not in str(blocks)
    page = render_html(outside)
    assert "Neighbour" in page
    assert not any(word in page for word in ("hearsay", "2024", "knows a person"))
    inside = compose(replace(given, details=replace(given.details, variant="internal")))
    assert Text("1 record of 900 is alone.") in part(inside, "measures").blocks
