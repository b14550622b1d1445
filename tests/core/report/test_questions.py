"""What review boards ask: answered from the session with figures, by a person, or left as lines to write on."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.recipe.model import Input, Recipe, Report, VariableEdit
from core.recipe.toml import dumps, parse
from core.release.run import carry_out
from core.report.blocks import AnswerField, Heading, Section
from core.report.board_facts import Area, BoardFacts
from core.report.build_board import board_facts
from core.report.compose import compose, for_outsiders
from core.report.facts import ReportInput
from core.report.html import render_html
from core.report.numbers import count
from core.report.questions import IDS, QUESTIONS
from core.report.section_board import questions, signatures
from core.session import Session
from tests.core.report.examples import demodata, empty

BOARD = BoardFacts(
    areas=(Area("REGION", 18, 120, 950.4),),
    people=80_000.0,
    weight_released=True,
    identifiers=("NAME",),
    sensitive=("ILLNESS",),
    numbers=("INCOME", "HOURS"),
    cut=("INCOME",),
    held={"stratum": ("PSU",), "date": ("VISIT",)},
    order_is_random=True,
)


def blanks(section: Section) -> dict[str, AnswerField]:
    found = [block for block in section.blocks if isinstance(block, AnswerField)]
    return dict(zip(IDS, found, strict=True))


def known(given: ReportInput) -> dict[str, str]:
    return {id: block.known for id, block in blanks(questions(given)).items()}


def test_the_session_answers_with_figures() -> None:
    told = known(demodata(board=BOARD))
    assert told["geography"] == (
        "REGION: 18 areas, the smallest with 120 records that stand for 950 in the population."
    )
    assert told["geography_elsewhere"] == "In no combination, and released: PSU."
    assert "REGION, SEX, AGE and MARSTAT" in told["known_variables"]
    assert "3,031 in the original file" in told["rare"]
    assert told["outliers"] == "Numerical variables: top or bottom coded: INCOME; as they are at both ends: HOURS."
    assert "a sampling fraction of 5.00 %" in told["sampling"].replace("\u00a0", " ")
    assert told["sensitive"] == "Marked as sensitive, and released: ILLNESS."
    assert told["file_order"] == "The records are written in random order."
    assert told["identifiers"] == "Left out as direct identifiers: NAME."
    assert told["blanks"].startswith("397 values were suppressed in 397 records.")


def test_what_only_a_person_can_know_is_left_to_be_written() -> None:
    asked = {question.id for question in QUESTIONS if question.answer is None}
    assert asked == {"contextual", "participation", "earlier_releases", "longitudinal", "strata", "review"}
    found = blanks(questions(demodata(board=BOARD)))
    assert all(not found[id].known and found[id].lines for id in asked)


def test_of_an_empty_session_every_question_can_be_asked() -> None:
    assert len(known(empty())) == len(QUESTIONS) == len(set(IDS))


def test_an_answer_takes_the_place_of_the_lines_and_stands_beside_the_figures() -> None:
    details = replace(demodata().details, answers=(("geography", "Provinces only."), ("review", "In <2027>.")))
    given = demodata(board=BOARD, details=details)
    found = blanks(questions(given))
    assert (found["geography"].answer, found["geography"].lines) == ("Provinces only.", 0)
    assert found["geography"].known
    assert found["users"].lines == 2
    html = render_html(compose(given))
    assert "Provinces only." in html
    assert "In &lt;2027&gt;." in html
    blank = sum(block.lines for block in found.values()) + sum(b.lines for b in signatures(given).blocks
                                                                if isinstance(b, AnswerField))  # fmt: skip
    assert html.count('<div class="line"') == blank
    assert f"{len(QUESTIONS) - 2} answers are left" in html


def test_every_question_stands_under_its_heading() -> None:
    blocks = questions(demodata()).blocks
    groups = [block.text for block in blocks if isinstance(block, Heading)]
    assert groups == list(dict.fromkeys(question.group for question in QUESTIONS))


def test_outsiders_are_told_of_no_variable_that_they_do_not_know() -> None:
    told = " ".join(known(for_outsiders(demodata("external", board=replace(BOARD, weight_released=False)))).values())
    for secret in ("PSU", "VISIT", "NAME", "ILLNESS", "INCOME", "population"):
        assert secret not in told
    assert "REGION: 18 areas" in told


def test_the_facts_are_those_of_the_file(tmp_path: Path) -> None:
    rows = ["CITY;INCOME;CASE;W", *(f"{city};{i};{i};{weight}" for i, (city, weight) in enumerate(
        [("A", "2.5"), ("A", "3.5"), ("A", "4"), ("B", "10"), ("B", "20")]))]  # fmt: skip
    (tmp_path / "a.csv").write_text("\n".join(rows), encoding="utf-8")
    text = """
recipe = 1
[input]
data = "a.csv"
delimiter = ";"
header = true
[variables.INCOME]
numeric = true
[variables.CASE]
role = "direct-identifier"
[variables.W]
role = "weight"
[[combinations]]
variables = ["CITY"]
model = "k-anonymity"
k = 2
"""
    derived = Session().derive(parse(text, tmp_path))
    found = board_facts(derived, None, None, ())
    assert found.areas == (Area("CITY", 2, 2, 10.0),)
    assert found.people == 40.0
    assert (found.numbers, found.identifiers, found.order_is_random) == (("INCOME",), ("CASE",), False)


def test_an_unknown_id_is_refused_by_name() -> None:
    with pytest.raises(RecipeError, match=r"report\.answers\.geografy.*Did you mean .geography") as refused:
        parse('recipe = 1\n[report]\nanswers = { geografy = "x" }\n', Path("/"))
    assert refused.value.id == "recipe-unknown-key"
    with pytest.raises(RecipeError, match=r"report\.answers\.geography"):
        parse("recipe = 1\n[report.answers]\ngeography = 3\n", Path("/"))


def test_answers_are_kept_in_the_order_of_the_questions_and_written_as_they_are() -> None:
    text = 'recipe = 1\n[report]\nanswers = { review = "b\\nc", geography = "a", users = "" }\n'
    recipe = parse(text, Path("/"))
    assert recipe.report.answers == (("geography", "a"), ("review", "b\nc"))
    assert parse(dumps(recipe, Path("/")), Path("/")) == recipe
    assert "[report.answers]" in dumps(recipe, Path("/"))
    assert "answers" not in dumps(Recipe(Input(), (VariableEdit("A"),), report=Report("x")), Path("/"))


def test_the_guide_names_all_questions() -> None:
    guide = Path(__file__).resolve().parents[3] / "resources" / "help" / "report.md"
    text = guide.read_text(encoding="utf-8")
    table = text[text.index("| id |") : text.index("## For users")]
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(IDS)


def test_people_are_sums_of_the_weights_that_are_released(tmp_path: Path) -> None:
    """Sums of the original weights would tell how much noise those of the safe file have."""
    rows = [f"{i % 3},{i % 2},{10 + i % 7}" for i in range(90)]
    (tmp_path / "d.csv").write_text("\n".join(["REGION,SEX,W", *rows]) + "\n")
    recipe = parse(
        """recipe = 1
[input]
data = "d.csv"
[variables.W]
role = "weight"
decimals = 2
[[combinations]]
variables = ["REGION", "SEX"]
model = "frequency"
[[perturbations]]
method = "weight-noise"
share = 0.3
[output]
data = "safe.csv"
""",
        tmp_path,
    )
    result = carry_out(Session(), recipe)
    with (tmp_path / "safe.csv").open() as lines:
        written = list(csv.DictReader(lines))
    original = sum(float(row.rsplit(",", 1)[1]) for row in rows)
    people = sum(float(row["W"]) for row in written)
    areas = [sum(float(row["W"]) for row in written if row["REGION"] == code) for code in "012"]
    assert abs(people - original) > 1
    answers = {
        block.known for part in result.report.sections for block in part.blocks if isinstance(block, AnswerField)
    }
    told = " ".join(filter(None, answers))
    assert f"stand for {count(round(min(areas)))} in the population" in told
    assert f"90 records stand for {count(round(people))} in the population" in told
