"""Uses proposed from names and contents, and what *Check my file* finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.variables import Metadata, Variable
from core.metadata.check_file import Finding, check_file
from core.metadata.description import load_description
from core.metadata.missing_codes import unused_missing_code
from core.metadata.suggest import UseSuggestion, generate, suggest
from core.metadata.survey import survey
from core.recipe.model import Input, VariableEdit
from core.recoding.labels import labels


def of_file(data: Path, rda: Path | None = None, edits: tuple[VariableEdit, ...] = ()) -> tuple[UseSuggestion, ...]:
    metadata = load_description(Input(data, rda), edits).metadata
    return suggest(metadata, survey(data, metadata), labels(metadata, {}))


def csv(folder: Path, header: str, *columns: list[object]) -> Path:
    path = folder / "x.csv"
    rows = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def said(found: tuple[UseSuggestion, ...]) -> list[tuple[str, str]]:
    return [(suggestion.variable, suggestion.proposal.text) for suggestion in found]


def test_the_demonstration_survey_as_csv(demo: Path) -> None:
    found = of_file(demo / "survey.csv")
    assert said(found) == [
        ("HHID", "Household identifier"),
        ("PERSONNO", "Direct identifier"),
        ("REGION", "Key"),
        ("REGION", "Household variable"),
        *((name, "Key") for name in ("SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP")),
        ("INCOME", "Sensitive"),
        ("INCOME", "Numerical"),
        ("ILLNESS", "Sensitive"),
        ("WEIGHT", "Weight"),
    ]
    assert found[0].reason.text == "It is called HHID, and 5,002 records have 2,433 different values."
    assert dict(found[-1].changes) == {"role": "weight", "numeric": True, "categorical": False}


def test_name_and_code_of_a_region_are_one_key(tmp_path: Path) -> None:
    places = ["Aba", "Bor", "Cel", "Dun", "Eli"]
    numbers = [7 * i % 5 for i in range(100)]
    names: list[object] = [places[number] if i else "" for i, number in enumerate(numbers)]
    codes: list[object] = [f"1{number}" if i else "" for i, number in enumerate(numbers)]
    ages: list[object] = [20 + i % 50 for i in range(100)]
    data = csv(tmp_path, "REGION_NAME,REGION,AGE", names, codes, ages)
    found = of_file(data)
    assert said(found) == [("REGION", "Suppress REGION_NAME with it"), ("REGION", "Key"), ("AGE", "Key")]
    key = VariableEdit("REGION_NAME", identification_level=1)
    assert said(of_file(data, edits=(key,)))[0] == ("REGION_NAME", "Suppress REGION with it"), "the user's key stays"
    done = VariableEdit("REGION", identification_level=1, related="REGION_NAME")
    assert said(of_file(data, edits=(done,))) == [("AGE", "Key")]
    codes[50] = "10" if codes[50] != "10" else "11"
    two = of_file(csv(tmp_path, "REGION_NAME,REGION,AGE", names, codes, ages))
    assert said(two) == [(name, "Key") for name in ("REGION_NAME", "REGION", "AGE")], "it tells more"


def test_amounts_stay_amounts_where_only_their_missing_codes_or_a_few_values_have_names(tmp_path: Path) -> None:
    amounts = [37 * i for i in range(300)]
    data = csv(tmp_path, "COSTS,SCORE", amounts, [*range(9, 308), 1])
    metadata = load_description(Input(data), (VariableEdit("COSTS", missing=("11063",)),)).metadata
    few = {"0": "none", "11063": "refused"}
    all_named = {str(amount): f"group {amount}" for amount in amounts}
    found = survey(data, metadata)
    assert ("COSTS", "Numerical") in said(suggest(metadata, found, {"COSTS": few}))
    assert ("COSTS", "Numerical") not in said(suggest(metadata, found, {"COSTS": all_named}))


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
    reason = "No household of HHID has two values, in 1,558 that could have."
    assert reason in {suggestion.reason.text for suggestion in found}


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
    found = check_file(metadata, survey(path, metadata), {})
    return [told(finding) for finding in found if finding.variables == (header,) and not finding.is_size]


def told(finding: Finding) -> str:
    """What a row of *Check my file* says: the proposal, where there is one, and why."""
    return f"{finding.proposal.text}: {finding.reason.text}" if finding.proposal else finding.reason.text


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
        (["Arzt", "Koch", "Kasse", "k. A.", "keine Angabe"], ["k. A.", "keine Angabe"]),
        ([1, 2, 999], ["999"]),
        ([1.5, 2, 9], []),
    ],
)
def test_codes_that_look_like_missing(tmp_path: Path, values: list[object], codes: list[str]) -> None:
    texts = [f"Missing code {code}: It looks like missing, in one record: is it?" for code in codes]
    assert [text for text in findings(tmp_path, "q", values) if text.startswith("Missing")] == texts


def test_declaring_keeps_what_was_declared(tmp_path: Path) -> None:
    path = csv(tmp_path, "q,other", [1, 2, 9], ["x", "y", "x"])
    metadata = load_description(Input(path), ()).metadata
    found = [row for row in check_file(metadata, survey(path, metadata), {}) if not row.is_size]
    assert [(told(f), f.is_sure) for f in found] == [
        ("Missing code 9: It looks like missing, in one record: is it?", False)
    ]
    assert found[0].suggestions[0].followed(metadata["q"]).missing == ("", "9")


def test_a_label_tells_what_a_code_means(tmp_path: Path) -> None:
    path = csv(tmp_path, "q,other", [1, 8, 9], ["x", "y", "x"])
    metadata = load_description(Input(path), ()).metadata
    found = survey(path, metadata)
    rows = check_file(metadata, found, {"q": {"1": "Yes", "8": "Refused", "9": "Nine"}})
    assert [told(row) for row in rows if not row.is_size] == [
        "Missing code 8: It is called “Refused”, in one record: is it missing?"
    ]


def test_odd_weights_are_found(tmp_path: Path) -> None:
    weight = {"role": "weight", "numeric": True, "categorical": False}
    assert findings(tmp_path, "w", [1.0, 1.0, 1.0], **weight) == [
        "The weights w add up to 3 over 3 records: they look normalised.",
        "The weight w is 1 in every record.",
    ]
    assert findings(tmp_path, "w", [0, 5, 7], **weight) == ["The weight w is zero in one record: it stands for nobody."]
    assert findings(tmp_path, "w", [1, 50, 2000], **weight) == [
        "The weights w go from 1 to 2,000: are some of them wrong?"
    ]


def test_constant_and_empty_columns_are_found(tmp_path: Path) -> None:
    assert findings(tmp_path, "q", [4, 4, 4]) == ["q has the same value in every record: 4."]
    assert findings(tmp_path, "q", ["", "", ""]) == ["q is empty or missing in every record."]
    assert findings(tmp_path, "q", [4, 4, 5]) == []
    assert findings(tmp_path, "q", [4, 4, 4], removed=True) == []


def test_identifiers_and_keys_are_found(demo: Path) -> None:
    metadata = load_description(Input(demo / "survey.csv"), ()).metadata
    found = check_file(metadata, survey(demo / "survey.csv", metadata), {})
    assert found[0].variables == ("PERSONNO",)
    assert told(found[0]).startswith("Direct identifier: It is called PERSONNO, and 5,002 records")
    assert found[0].suggestions[0].changes == (("role", "direct-identifier"),)
    keys = [f.variables[0] for f in found if f.proposal is not None and f.proposal.id == "suggest-key"]
    assert keys == ["REGION", "SEX", "AGE", "MARSTAT", "HHPOS", "EDUC", "OCCUP"]
    orders = [(f.variables, f.suggestions[0].changes) for f in found if f.field == "ordered"]
    named = ("REGION", "MARSTAT", "HHPOS", "OCCUP")
    assert orders == [(named, (("ordered", False),)), (("AGE",), (("ordered", True),))]


def test_names_and_numbers_of_persons_are_direct_identifiers(tmp_path: Path) -> None:
    n = 600
    names = [f"Person {chr(65 + i % 8)}{chr(97 + i % 5)}" for i in range(n)]  # 40 names, each many times
    places = [f"Place {chr(65 + i % 8)}{chr(97 + i % 5)}" for i in range(n)]
    numbers = [3 * i + i % 3 for i in range(n)]
    counts = [i * 7 % n + 1 for i in range(n)]
    amounts = [1000 + 13 * i for i in range(n)]
    header = "Respondent name,Municipality name,RESP_ID,Q1,Q2"
    path = csv(tmp_path, header, names, places, numbers, counts, amounts)
    found = {s.variable: s.reason.text for s in of_file(path) if s.use == "direct-identifier"}
    assert found == {
        "Respondent name": "It is called Respondent name, and 600 records have 40 different values.",
        "RESP_ID": "It is called RESP_ID, and 600 records have 600 different values.",
        "Q1": "Every record has a number of its own, from 1 to 600.",
    }


def remarks(n: int) -> list[object]:
    """What interviewers wrote: much the same of most persons, something of its own of every eighth."""
    usual = ("nothing to add", "asked to call back", "spoke with the partner")
    return [f"only dentist in village {i}" if i % 8 == 0 else usual[i % 3] for i in range(n)]


def test_free_text_is_proposed_to_be_left_out(tmp_path: Path) -> None:
    n = 2000
    blank = [text if i % 8 == 0 else "" for i, text in enumerate(remarks(n))]
    path = csv(tmp_path, "Q1,REMARKS,NOTES", [i % 9 for i in range(n)], remarks(n), blank)
    found = {s.variable: s for s in of_file(path)}
    assert found["REMARKS"].proposal.text == "Leave out of the safe file"
    assert found["REMARKS"].reason.text == (
        "It holds 253 different texts in 2,000 records, 250 of them in one record only."
    )
    assert found["REMARKS"].changes == (("removed", True),)
    assert dict(found["NOTES"].changes).keys() & {"role", "removed"}
    metadata = load_description(Input(path), ()).metadata
    first = check_file(metadata, survey(path, metadata), {})[0]
    assert (first.variables, first.suggestions) == (("REMARKS",), (found["REMARKS"],))
    edits = (VariableEdit("REMARKS", removed=True),)
    assert "REMARKS" not in {s.variable for s in of_file(path, edits=edits)}


DAYS = [f"{1 + i % 28:02}.{1 + i % 12:02}.2023" for i in range(600)]


@pytest.mark.parametrize(
    ("header", "values", "reason"),
    [
        ("INTDATE", DAYS, "It holds 84 different dates: whoever knows that day of a person finds the record."),
        ("date of visit", [f"2023-03-{1 + i % 31:02}" for i in range(600)], "It holds 31 different dates: whoever"),
        ("PERSNR", [1 + i % 6 for i in range(600)], "It is called PERSNR: it tells members of a household apart"),
        ("REMARK", ["", "good", "n/a"] * 200, "It is called REMARK: what people wrote may tell who they are."),
        ("BIRTHDATE", DAYS, None),
        ("Q1", DAYS, None),
        ("day", [1 + i % 7 for i in range(600)], None),
        ("remark", [1 + i % 7 for i in range(600)], None),
        ("PERSNR", ["a", "b", "c"] * 200, None),
    ],
)
def test_days_numbers_of_persons_and_remarks_are_proposed_to_be_left_out(
    tmp_path: Path, header: str, values: list[object], reason: str | None
) -> None:
    path = csv(tmp_path, f"{header},other", values, [i % 2 for i in range(600)])
    found = [s for s in of_file(path) if s.proposal.text == "Leave out of the safe file"]
    assert [(s.variable, s.changes, s.sure) for s in found] == [(header, (("removed", True),), True)] * (
        reason is not None
    )
    metadata = load_description(Input(path), ()).metadata
    rows = [f for f in check_file(metadata, survey(path, metadata), {}) if f.field == "removed"]
    assert [row.suggestions for row in rows] == [(suggestion,) for suggestion in found]
    if reason is not None:
        assert found[0].reason.text.startswith(reason)


@pytest.mark.parametrize(
    "values",
    [
        [f"Municipality of {chr(65 + i % 8)}{chr(97 + i % 5)}" for i in range(600)],
        [f"Manufacture of goods of kind {i % 60 if i % 4 else i % 9}" for i in range(600)],
        [f"{chr(65 + i % 26)}{i % 90}" if i % 8 == 0 else "A1" for i in range(600)],
        [f"2025-03-{1 + i % 28:02} 10:{i % 60:02}" if i % 4 == 0 else "2025-01-01 00:00" for i in range(600)],
        [1000000 + i if i % 4 == 0 else 0 for i in range(600)],
    ],
)
def test_classifications_codes_and_numbers_are_no_free_text(tmp_path: Path, values: list[object]) -> None:
    path = csv(tmp_path, "Q1,Q2", values, [i % 2 for i in range(len(values))])
    assert "Leave out of the safe file" not in {s.proposal.text for s in of_file(path)}


@pytest.mark.parametrize(
    ("header", "word", "expected"),
    [
        ("Occupation", "dental nurse", "Key"),
        ("Occupation", "was a dentist in village", "Leave out of the safe file"),
        ("Municipality name", "Place Upon River", "Key"),
        ("Answer", "dental nurse", "Leave out of the safe file"),
    ],
)
def test_rare_names_of_a_key_are_no_free_text_but_sentences_are(
    tmp_path: Path, header: str, word: str, expected: str
) -> None:
    values: list[object] = [f"{word}{i}" if i % 8 == 0 else "not known" for i in range(600)]
    found = of_file(csv(tmp_path, f"{header},other", values, [i % 2 for i in range(600)]))
    assert [text for name, text in said(found) if name == header] == [expected]


@pytest.mark.parametrize(
    ("header", "values", "told"),
    [
        ("INCOME", [100001 + 7919 * i % 899999 for i in range(200)], False),
        ("total expenses", [100001 + 7919 * i % 899999 for i in range(200)], False),
        ("Q7", [100000 + 100 * (7919 * i % 8999) for i in range(200)], False),
        ("Q7", [f"{(7919 * i % 899999) * (i % 9 > 0):06}" for i in range(200)], False),
        ("Q7", [100000 + int(899999 * (i / 200) ** 5) for i in range(60, 200)], False),
        ("Q7", [100001 + 7919 * i % 899999 for i in range(200)], True),
        ("Q7", [100001 + 7919 * i % 80000 for i in range(199)] + [999999], True),
    ],
)
def test_amounts_are_no_numbers_of_persons(tmp_path: Path, header: str, values: list[object], told: bool) -> None:
    path = csv(tmp_path, f"{header},other", values, [i % 2 for i in range(len(values))])
    found = [s for s in of_file(path) if s.use == "direct-identifier"]
    assert [(s.variable, s.sure) for s in found] == [(header, False)] * told
    metadata = load_description(Input(path), ()).metadata
    rows = [f for f in check_file(metadata, survey(path, metadata), {}) if f.rank == 0]
    assert [(row.reason.id, row.is_sure) for row in rows] == [("identifier-number", False)] * told
    numeric = (VariableEdit(header, numeric=True, categorical=False),)
    assert not [s for s in of_file(path, edits=numeric) if s.use == "direct-identifier"]


def test_what_endangers_persons_is_said_first(tmp_path: Path) -> None:
    n = 200
    path = csv(
        tmp_path, "Q1,SEX,EMPTY,NAME", [(1, 2, 9)[i % 3] for i in range(n)], [i % 2 + 1 for i in range(n)], [""] * n,
        [f"Person {i}" for i in range(n)],
    )  # fmt: skip
    metadata = load_description(Input(path), ()).metadata
    found = check_file(metadata, survey(path, metadata), {})
    assert [(f.rank, f.variables[0]) for f in found if not f.is_size] == [
        (0, "NAME"), (2, "SEX"), (4, "Q1"), (6, "EMPTY"),
    ]  # fmt: skip
    assert found[-1].is_size


def test_what_is_the_same_of_many_variables_is_one_row(tmp_path: Path) -> None:
    """One line and one tick, in a file of many variables with the same code of nines."""
    names = [f"q{i}" for i in range(1, 6)]
    path = csv(tmp_path, ",".join([*names, "e1,e2,e3,e4"]), *[[1, 2, 9, 9]] * 4, [1, 2, 99, 1], *[[""] * 4] * 4)
    metadata = load_description(Input(path), ()).metadata
    found = survey(path, metadata)
    nine, other, empty = (f for f in check_file(metadata, found, {}) if not f.is_size)
    assert told(nine) == "Missing code 9: It looks like missing in 4 variables: is it?"
    assert nine.variables == ("q1", "q2", "q3", "q4")
    assert [s.followed(metadata[s.variable]).missing for s in nine.suggestions] == [("", "9")] * 4
    assert (other.variables, told(empty)) == (("q5",), "4 variables are empty or missing in every record.")
    assert not nine.is_sure and not empty.suggestions
    labels = {name: {"9": "refused"} for name in names}
    text = told(check_file(metadata, found, labels)[0])
    assert text == "Missing code 9: It is called “refused” in 4 variables: is it missing?"


def test_a_variable_that_differs_within_few_households_may_be_theirs(tmp_path: Path) -> None:
    homes = [i // 2 for i in range(400)]
    region = [f"r{home % 7}" for home in homes]
    region[1] = "r6"
    rare = [int(i in (5, 50)) for i in range(400)]
    path = csv(tmp_path, "hhid,q1,q2", homes, region, rare)
    found = [s for s in of_file(path) if s.use == "household"]
    assert [(s.variable, s.sure) for s in found] == [("q1", False)]
    assert found[0].reason.text == "It differs within one of 200 households of hhid only (0.5 %): is that one wrong?"


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("MARSTAT", "Its name says “marital status”."),
        ("birthCountry", "Its name says “country of birth”."),
        ("BIRTHCTRY", "Its name says “country of birth”."),
        ("Herkomst", "Its name says “origin”."),
        ("EMPSTAT", "Its name says “labour status”."),
        ("Geschlecht", "Its name says “sex”."),
        ("SEX", "Its name says so."),
    ],
)
def test_the_reason_for_a_key_is_never_its_own_name(tmp_path: Path, header: str, reason: str) -> None:
    assert findings(tmp_path, header, [1, 2] * 20)[0] == f"Key: {reason}"
    found = findings(tmp_path, "q", [1, 2] * 20, label="Marital status")
    assert found[0] == "Key: Its label says “marital status”."


def generated(folder: Path, header: str, values: list[object], **attributes: object) -> dict[str, object]:
    """What *Generate* would change of a column, in a file of as many records."""
    path = csv(folder, f"{header},other", values, [i % 2 for i in range(len(values))])
    edits = (VariableEdit(header, **attributes),) if attributes else ()  # type: ignore[arg-type]
    metadata = load_description(Input(path), edits).metadata
    found = generate(metadata, survey(path, metadata), labels(metadata, {}))
    return {name: value for s in found if s.variable == header for name, value in s.changes}


@pytest.mark.parametrize(
    "header", ["Country of birth", "birth_country", "CITIZENSHIP", "Staatsangehörigkeit", "LANGUE", "REGION", "ISCO"]
)
def test_what_is_named_by_numbers_has_no_order_and_is_no_amount(tmp_path: Path, header: str) -> None:
    codes = [1 + (i * i) % 997 for i in range(3000)]  # many numbers, of one to three digits
    found = generated(tmp_path, header, codes)
    assert found.get("ordered") is False and "numeric" not in found
    assert found["identification_level"]


def test_numbers_that_count_households_are_no_amounts(tmp_path: Path) -> None:
    numbers = [1 + i // 3 for i in range(3000)]
    assert "numeric" not in generated(tmp_path, "Q1", numbers)
    assert generated(tmp_path, "Q1", [(i * i * i) % 7919 for i in range(3000)]).get("numeric"), "and with gaps they are"
    assert "numeric" not in generated(tmp_path, "CLUSTER", [(i * i * i) % 7919 for i in range(3000)])


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("LATITUDE", lambda i: f"{46 + i % 300 / 777:.5f}"),
        ("gps_lon", lambda i: f"{6 + i % 300 / 777:.5f}"),
        ("Breitengrad", lambda i: f"{46 + i % 300 / 777:.4f}"),
        ("E_KOORD", lambda i: 2_600_000 + i % 300 * 13),
        ("Q9", lambda i: f"46.{10000 + i % 200} 7.{20000 + i % 200}"),
    ],
)
def test_coordinates_are_proposed_to_be_left_out(tmp_path: Path, header: str, value: Callable[[int], object]) -> None:
    path = csv(tmp_path, f"{header},other", [value(i) for i in range(600)], [i % 2 for i in range(600)])
    (found,) = [s for s in of_file(path) if s.variable == header]
    assert (found.changes, found.reason.id) == ((("removed", True),), "coordinates")


def test_a_column_called_lat_of_few_whole_numbers_is_no_coordinate(tmp_path: Path) -> None:
    path = csv(tmp_path, "LAT,other", [i % 5 for i in range(600)], [i % 2 for i in range(600)])
    assert not [s for s in of_file(path) if s.variable == "LAT"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (lambda i: f"p{i % 150}@mail.example", "e-mail addresses"),
        (lambda i: f"+41 44 {1000000 + i % 150}", "telephone numbers"),
        (lambda i: f"044 {100 + i % 150} 12 34", "telephone numbers"),
        (lambda i: f"Bahnhofstrasse {i % 150}", "postal addresses"),
        (lambda i: f"{i % 150} High Street", "postal addresses"),
        (lambda i: f"rue du Lac {i % 150}", "postal addresses"),
    ],
)
def test_what_reaches_a_person_is_known_by_how_it_is_written(
    tmp_path: Path, value: Callable[[int], object], told: str
) -> None:
    path = csv(tmp_path, "Q1,other", [value(i) for i in range(600)], [i % 2 for i in range(600)])
    (found,) = [s for s in of_file(path) if s.variable == "Q1"]
    assert (found.use, found.reason.text) == ("direct-identifier", f"Its values are {told}.")


def test_dates_and_padded_codes_are_no_telephone_numbers(tmp_path: Path) -> None:
    for value in (
        [f"0{1 + i % 9}/0{1 + i % 9}/20{10 + i % 9}" for i in range(600)],
        [f"{i % 99:08}" for i in range(600)],
    ):
        path = csv(tmp_path, "Q1,other", list(value), [i % 2 for i in range(600)])
        assert not [s for s in of_file(path) if s.use == "direct-identifier"]


@pytest.mark.parametrize(
    ("texts", "ordered"),
    [
        (["0-4", "5-9", "10-19", "20 and over"], True),
        (["very good", "good", "fair", "poor"], True),
        (["sehr zufrieden", "eher zufrieden", "eher unzufrieden"], True),
        (["farm", "flat", "house"], None),
        (["3 rooms", "1 room", "2 rooms"], None),
    ],
)
def test_an_order_is_guessed_from_labels_that_rise(tmp_path: Path, texts: list[str], ordered: bool | None) -> None:
    path = csv(tmp_path, "walls,other", [1 + i % len(texts) for i in range(600)], [i % 2 for i in range(600)])
    metadata = load_description(Input(path), ()).metadata
    named = {"walls": {str(number): text for number, text in enumerate(texts, 1)}}
    found = generate(metadata, survey(path, metadata), named)
    changes = {name: value for s in found if s.variable == "walls" for name, value in s.changes}
    assert changes.get("ordered") is ordered
