"""Uses proposed from names and contents, and what *Check my file* finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.microdata.check_file import check_file
from core.microdata.codes import unused_missing_code
from core.microdata.description import load_description
from core.microdata.suggest import Suggestion, suggest
from core.microdata.survey import survey
from core.microdata.variables import Metadata, Variable
from core.recipe.model import Input, VariableEdit
from core.recoding.labels import labels


def of_file(data: Path, rda: Path | None = None, edits: tuple[VariableEdit, ...] = ()) -> tuple[Suggestion, ...]:
    metadata = load_description(Input(data, rda), edits).metadata
    return suggest(metadata, survey(data, metadata), labels(metadata, {}))


def csv(folder: Path, header: str, *columns: list[object]) -> Path:
    path = folder / "x.csv"
    rows = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def said(found: tuple[Suggestion, ...]) -> list[tuple[str, str]]:
    return [(suggestion.variable, suggestion.proposal.text) for suggestion in found]


def test_the_demonstration_survey_as_csv(demo: Path) -> None:
    found = of_file(demo / "survey.csv")
    assert said(found) == [
        ("HHID", "Household identifier"),
        ("PERSONNO", "Direct identifier"),
        *((name, "Key") for name in ("REGION", "SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP")),
        ("INCOME", "Sensitive"),
        ("INCOME", "Numerical"),
        ("ILLNESS", "Sensitive"),
        ("WEIGHT", "Weight"),
    ]
    assert found[0].reason.text == "It is called HHID, and 5002 records have 2433 different values."
    assert dict(found[-1].changes) == {"role": "weight", "numeric": True, "categorical": False}


def test_what_is_used_already_is_left_alone(demo: Path) -> None:
    found = of_file(demo / "survey.asc", demo / "survey.rda")
    assert said(found) == [
        ("PERSONNO", "Direct identifier"),
        ("INCOME", "Sensitive"),
        ("ILLNESS", "Sensitive"),
    ]


def test_household_variables_follow_from_the_identifier(demo: Path) -> None:
    found = of_file(demo / "survey.csv", edits=(VariableEdit("HHID", role="household-id"),))
    assert ("REGION", "Household variable") in said(found)
    assert ("SEX", "Household variable") not in said(found)
    assert "All 2433 households have one value each." in {suggestion.reason.text for suggestion in found}


@pytest.mark.parametrize(
    ("header", "values", "expected"),
    [
        ("naam", [f"Jan {chr(97 + i % 26)}{i}" for i in range(40)], ["Direct identifier"]),
        ("remark", [f"text {chr(97 + i % 26)}{i}" for i in range(40)], ["Direct identifier"]),
        ("number", [1000000 + i for i in range(40)], ["Direct identifier"]),
        ("number", [10 + i % 7 for i in range(40)], []),
        ("gewicht", [1.5 + i for i in range(40)], ["Weight"]),
        ("gewicht", [-1.5 + i for i in range(40)], ["Numerical"]),
        ("q1", ["m", "f"] * 20, ["Key"]),
        ("q1", ["a", "b"] * 20, []),
        ("birthCountry", ["NL", "DE"] * 20, ["Key"]),
        ("sex", [1] * 40, []),
        ("amount", [i / 7 for i in range(40)], ["Numerical"]),
        ("salary", [i / 7 for i in range(40)], ["Sensitive", "Numerical"]),
    ],
)
def test_names_and_contents_decide(tmp_path: Path, header: str, values: list[object], expected: list[str]) -> None:
    other: list[object] = ["x", "y"] * 20
    found = of_file(csv(tmp_path, f"{header},other", values, other))
    assert [text for name, text in said(found) if name == header] == expected


def test_a_second_weight_is_not_proposed(tmp_path: Path) -> None:
    path = csv(tmp_path, "weight,wgt", [2.5] * 30, [3.5] * 30)
    assert [text for _, text in said(of_file(path))].count("Weight") == 1


def test_a_key_without_missing_code_gets_unused_nines(tmp_path: Path) -> None:
    data, rda = tmp_path / "x.asc", tmp_path / "x.rda"
    data.write_text("".join(f"{i % 10}{90 + i % 10}\n" for i in range(30)), encoding="utf-8")
    rda.write_text("SEX 1 1\n <RECODABLE>\n <IDLEVEL> 1\nAGE 2 2\n <RECODABLE>\n <IDLEVEL> 1\n", encoding="utf-8")
    found = of_file(data, rda)
    assert said(found) == [("AGE", "Missing code 89")]
    assert found[0].changes == (("missing", ("89",)),)


def test_an_unused_missing_code() -> None:
    assert unused_missing_code(None, 3) == "999"
    assert unused_missing_code(None, 2, ("99",)) == "98"
    assert unused_missing_code(None, 8) == "99999999"


def findings(folder: Path, header: str, values: list[object], **attributes: object) -> list[str]:
    path = csv(folder, f"{header},other", values, ["x"] * (len(values) - 1) + ["y"])
    metadata = load_description(Input(path), ()).metadata
    first = Variable(**{**vars(metadata.variables[0]), **attributes})  # type: ignore[arg-type]
    metadata = Metadata("delimited", (first, metadata.variables[1]))
    return [f.notice.text for f in check_file(metadata, survey(path, metadata), {}) if f.variable == header]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 9], ["9"]),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], []),
        ([15, 42, 98, 99], []),
        ([15, 42, 60, 99], ["99"]),
        ([1, 2, -1], ["-1"]),
        ([1, -5, -1], []),
        (["a", "NA"], ["NA"]),
        ([1, 2, 999], ["999"]),
        ([1.5, 2, 9], []),
    ],
)
def test_codes_that_look_like_missing(tmp_path: Path, values: list[object], codes: list[str]) -> None:
    texts = [f"q: the code {code} looks like missing and is not declared; 1 records." for code in codes]
    assert findings(tmp_path, "q", values) == texts


def test_declaring_keeps_what_was_declared(tmp_path: Path) -> None:
    path = csv(tmp_path, "q,other", [1, 2, 9], ["x", "y", "x"])
    metadata = load_description(Input(path), ()).metadata
    found = check_file(metadata, survey(path, metadata), {})
    assert [(f.proposal.text, f.changes) for f in found if f.proposal] == [
        ("Declare 9 missing", (("missing", ("", "9")),))
    ]


def test_a_label_tells_what_a_code_means(tmp_path: Path) -> None:
    path = csv(tmp_path, "q,other", [1, 8, 9], ["x", "y", "x"])
    metadata = load_description(Input(path), ()).metadata
    found = survey(path, metadata)
    told = check_file(metadata, found, {"q": {"1": "Yes", "8": "Refused", "9": "Nine"}})
    assert [f.notice.text for f in told] == [
        "q: the code 8 (Refused) looks like missing and is not declared; 1 records."
    ]


def test_odd_weights_are_found(tmp_path: Path) -> None:
    weight = {"role": "weight", "numeric": True, "categorical": False}
    assert findings(tmp_path, "w", [1.0, 1.0, 1.0], **weight) == [
        "The weights w add up to 3 over 3 records: they look normalised.",
        "The weight w is 1 in every record.",
    ]
    assert findings(tmp_path, "w", [0, 5, 7], **weight) == [
        "The weight w is zero in 1 record(s): they stand for nobody."
    ]
    assert findings(tmp_path, "w", [1, 50, 2000], **weight) == [
        "The weights w go from 1 to 2000: are some of them wrong?"
    ]


def test_constant_and_empty_columns_are_found(tmp_path: Path) -> None:
    assert findings(tmp_path, "q", [4, 4, 4]) == ["q has the same value in every record: 4."]
    assert findings(tmp_path, "q", ["", "", ""]) == ["q is empty or missing in every record."]
    assert findings(tmp_path, "q", [4, 4, 5]) == []
    assert findings(tmp_path, "q", [4, 4, 4], removed=True) == []


def test_identifiers_and_keys_are_found(demo: Path) -> None:
    metadata = load_description(Input(demo / "survey.csv"), ()).metadata
    found = check_file(metadata, survey(demo / "survey.csv", metadata), {})
    identifier = next(f for f in found if f.variable == "PERSONNO")
    assert identifier.notice.text.startswith("PERSONNO is likely to identify persons directly. It is called PERSONNO")
    assert identifier.changes == (("role", "direct-identifier"),)
    keys = [f.variable for f in found if f.notice.id == "check-key"]
    assert keys == ["REGION", "SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP"]
