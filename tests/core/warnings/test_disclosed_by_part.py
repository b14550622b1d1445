"""Files divided by a variable tell its values again, however they were suppressed or made coarser."""

from __future__ import annotations

from pathlib import Path

from tests.core.parts.files import RECIPE, SurveyInParts, records


def given_away(survey: SurveyInParts) -> list[str]:
    assert survey.run(RECIPE.format(data='"parts"', out="safe")) == 0
    return [warning["text"] for warning in survey.summary()["warnings"] if warning["id"] == "part-gives-away"]


def test_a_part_a_region_undoes_the_recode_of_regions(tmp_path: Path) -> None:
    """Regions 1 to 6 became two, and nothing was done to 7, 8 and 9 but that some were suppressed."""
    survey, rows = SurveyInParts(tmp_path), records(300)
    for region in "123456789":
        survey.write(tmp_path / "parts" / f"r{region}.csv", [row for row in rows if row[0] == region])
    (said,) = given_away(survey)
    assert said == (
        "In 9 parts, for example r1.csv, all records have the same value of REGION, so that its suppressed and recoded "
        "values can be told there. Divide the records among the parts otherwise."
    )


def test_one_part_among_others_is_named(tmp_path: Path) -> None:
    survey, rows = SurveyInParts(tmp_path), records(300)
    own = [row for row in rows if row[0] == "2"]
    for name, part in {"a": [row for row in rows if row not in own], "b": own}.items():
        survey.write(tmp_path / "parts" / f"{name}.csv", part)
    (said,) = given_away(survey)
    assert said.startswith("All records of the part b.csv have the same value of REGION, so that")


def test_what_chance_does_and_what_is_released_anyhow_is_not_told(tmp_path: Path) -> None:
    """Parts of one record have one value of everything; sex is released as it is."""
    survey, rows = SurveyInParts(tmp_path), records(60)
    for sex in "12":
        survey.write(tmp_path / "parts" / f"s{sex}.csv", [("7", sex, "30", "j1", *row[4:]) for row in rows] * 5)
    survey.write(tmp_path / "parts" / "t.csv", [("7", "1", "31", "j1", "20", "40", "r")])
    assert given_away(survey) == []
