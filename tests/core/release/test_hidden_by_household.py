"""Records that only members of their own household make safe: counted, verified, and at the head of the report."""

from __future__ import annotations

import csv
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.base.errors import PavoError
from core.batch import main
from core.parts.run import carry_out_parts
from core.recipe.toml import parse
from core.release.run import Result, carry_out
from core.session import Session
from core.warnings.hidden import HIDDEN
from tests.naive_hidden import Survey
from tests.naive_suppression import Row

KEYS = ("AREA", "ROOF", "AGE")
HEAD = """recipe = 1
[input]
data = "persons.csv"
[variables.HH]
role = "household-id"
[variables.W]
role = "weight"
[variables.AREA]
household = true
"""
OUTPUT = """
[output]
data = "out/safe.csv"
summary = "out/summary.json"
report = "out/report.html"
household_id = "keep"
"""
ONLY_DATA = """
[output]
data = "out/safe.csv"
household_id = "keep"
"""


def persons(folder: Path, seed: int, homes: int = 30, missing: float = 0.05) -> list[dict[str, str]]:
    """Households whose members mostly agree, written to ``persons.csv``."""
    draw = random.Random(seed)
    rows = []
    for home in range(homes):
        area, roof = draw.choice("AAABBC"), draw.choice("1123")
        for _ in range(draw.choice([1, 2, 4, 6])):
            age = draw.choice("yyyo")
            roof = draw.choice("123") if draw.random() < 0.2 else roof
            rows.append({"HH": str(100 + home), "AREA": area, "ROOF": roof if draw.random() > missing else "",
                         "AGE": age if draw.random() > missing else "", "W": str(draw.randint(5, 40))})  # fmt: skip
    draw.shuffle(rows)
    for number, row in enumerate(rows):
        row["NOTE"] = f"n{number}"
    write(folder / "persons.csv", rows)
    return rows


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def result_of(folder: Path, recipe: str) -> Result:
    return carry_out(Session(), parse(HEAD + recipe + OUTPUT, folder))


def survey(folder: Path, rows: list[dict[str, str]], *files: str) -> Survey:
    """The records by their original and by their released codes."""
    written: dict[str, dict[str, str]] = {}
    for name in files or ("out/safe.csv",):
        with (folder / name).open() as lines:
            written |= {row["NOTE"]: row for row in csv.DictReader(lines)}
    codes: dict[str, int] = {}

    def coded(some: list[dict[str, str]]) -> list[Row]:
        return [tuple(codes.setdefault(row[key], len(codes)) if row[key] else None for key in KEYS) for row in some]

    before, after = coded(rows), coded([written[row["NOTE"]] for row in rows])
    return Survey(before, after, [int(row["W"]) for row in rows], [row["HH"] for row in rows])


def hidden(result: Result) -> int:
    (combination,) = result.summary["combinations"]
    assert result.verification is not None
    found: int = combination["hidden_by_own_household"]
    assert result.verification.after[0].hidden == found, "the check counts the same"
    return found


@pytest.mark.parametrize("mode", ["original-counts", "released-keys"])
@pytest.mark.parametrize(
    "limits", [(0.05, None), (0.02, None), (None, 0.2), (0.04, 0.15)], ids=["individual", "low", "household", "both"]
)
@pytest.mark.parametrize("seed", range(3))
def test_hidden_records_are_those_of_the_twin(
    tmp_path: Path, mode: str, limits: tuple[float | None, float | None], seed: int
) -> None:
    rows = persons(tmp_path, seed)
    names = ("individual_risk", "household_risk")
    asked = "\n".join(f"{name} = {value}" for name, value in zip(names, limits, strict=True) if value is not None)
    recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
[threshold]
{asked}
[suppression]
mode = "{mode}"
effort = 5
"""
    found = hidden(result_of(tmp_path, recipe))
    assert found == survey(tmp_path, rows).hidden_by_risk(*limits, mode == "released-keys")


@pytest.mark.parametrize("k", [2, 3, 5])
def test_hidden_records_of_k_anonymity_are_those_of_the_twin(tmp_path: Path, k: int) -> None:
    totals = []
    for seed in range(3):
        rows = persons(tmp_path, seed)
        recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
model = "k-anonymity"
k = {k}
"""
        result = result_of(tmp_path, recipe)
        totals.append(survey(tmp_path, rows).hidden_by_k(k))
        assert hidden(result) == totals[-1]
    assert k == 2 or any(totals)


@pytest.mark.parametrize("threshold", [1, 2, 4])
def test_hidden_records_of_the_threshold_rule_are_those_of_the_twin(tmp_path: Path, threshold: int) -> None:
    for seed in range(2):
        rows = persons(tmp_path, seed, homes=15)
        recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
model = "frequency"
count_threshold = {threshold}
[[combinations]]
variables = ["AREA", "ROOF"]
model = "frequency"
count_threshold = 5
"""
        result = result_of(tmp_path, recipe)
        assert result.verification is not None
        first, second = result.summary["combinations"]
        twin = survey(tmp_path, rows)
        expected = twin.hidden_by_rare(lambda chosen: 5 if 2 not in chosen else threshold)
        assert first["hidden_by_own_household"] == expected == result.verification.after[0].hidden
        assert second["hidden_by_own_household"] == result.verification.after[1].hidden


def six_alone(folder: Path) -> str:
    """A household of six, alone with ROOF = Z, in a file that is safe otherwise; and its recipe."""
    rows = [
        {"HH": str(1 + number // 2), "AREA": "A", "ROOF": "XY"[number % 2], "AGE": "y", "W": "10", "NOTE": str(number)}
        for number in range(40)
    ]
    rows += [{"HH": "99", "AREA": "A", "ROOF": "Z", "AGE": "y", "W": "10", "NOTE": f"z{i}"} for i in range(6)]
    write(folder / "persons.csv", rows)
    return '[[combinations]]\nvariables = ["ROOF"]\nmodel = "k-anonymity"\nk = 5\n'


def test_a_household_of_six_alone_is_not_five_anonymous(tmp_path: Path) -> None:
    result = result_of(tmp_path, six_alone(tmp_path))
    assert hidden(result) == 6 and result.summary["suppression"]["total"] == 0 and result.summary["verified"]
    (told,) = [warning for warning in result.summary["warnings"] if warning["id"] == HIDDEN]
    assert told["text"].startswith("6 records of ROOF are safe only because members of their own household")
    assert result.report.verdict is not None
    assert result.report.verdict.tone == "warning"
    assert "6 records are safe only through their own household." in result.report.verdict.headline
    assert any("6 records of ROOF are safe only" in text.text for text in result.report.summary)
    assert result.summary["checked"] == {"statement": result.report.verdict.headline, "estimates_agree": False}


def test_no_number_stands_where_nobody_lives_together(tmp_path: Path) -> None:
    recipe = six_alone(tmp_path)
    without = parse((HEAD + recipe + OUTPUT).replace('role = "household-id"', 'role = "other"'), tmp_path)
    result = carry_out(Session(), without)
    assert "hidden_by_own_household" not in result.summary["combinations"][0]
    assert result.report.verdict is not None and result.report.verdict.tone == "good"


def test_a_file_that_is_only_measured_has_the_number_too(tmp_path: Path) -> None:
    recipe = parse((HEAD + six_alone(tmp_path) + OUTPUT).replace('data = "out/safe.csv"\n', ""), tmp_path)
    summary = carry_out(Session(), recipe).summary
    assert summary["combinations"][0]["hidden_by_own_household"] == 6
    assert HIDDEN in [warning["id"] for warning in summary["warnings"]]


WILDCARD = 'missing_rule = "wildcard"\nalpha = 0.5'


@pytest.mark.parametrize(
    "model", ['model = "k-anonymity"\nk = 4', "", WILDCARD, 'model = "frequency"\ncount_threshold = 4']
)
def test_parts_count_as_the_whole(tmp_path: Path, model: str) -> None:
    rows = sorted(persons(tmp_path, 3), key=lambda row: row["HH"])
    write(tmp_path / "persons.csv", rows)
    threshold = "" if "model" in model else "[threshold]\nindividual_risk = 0.03\n"
    recipe = f'[[combinations]]\nvariables = ["AREA", "ROOF", "AGE"]\n{model}\n{threshold}'
    whole = result_of(tmp_path, recipe)
    folder = tmp_path / "parts"
    folder.mkdir()
    middle = next(i for i in range(len(rows) // 2, len(rows)) if rows[i]["HH"] != rows[i - 1]["HH"])
    write(folder / "1.csv", rows[:middle])
    write(folder / "2.csv", rows[middle:])
    text = (HEAD + recipe + OUTPUT).replace('"persons.csv"', '"parts/*.csv"').replace("out/safe.csv", "out/safe")
    parts = carry_out_parts(parse(text, tmp_path))
    if model.startswith('model = "k'):  # of the records of a cell others may be drawn
        assert hidden(parts) == survey(tmp_path, rows, "out/safe/1.csv", "out/safe/2.csv").hidden_by_k(4) > 0
        return
    assert hidden(parts) == hidden(whole) > 0
    assert opinion(parts) == pytest.approx(opinion(whole))


def opinion(result: Result) -> dict[str, Any]:
    """The other estimate of the safe file, in one level."""
    after: dict[str, Any] = result.summary["combinations"][0].get("second_opinion", {}).get("after", {})
    return {key: value for key, value in after.items() if key != "interval"} | after.get("interval", {})


def test_the_command_says_it_in_the_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.pavo").write_text(HEAD + six_alone(tmp_path) + OUTPUT.replace('summary = "out/summary.json"\n', ""))
    assert main([str(tmp_path / "r.pavo")]) == 0
    assert '"hidden_by_own_household": 6' in capsys.readouterr().out


def test_parts_count_equal_households_with_missing_values(tmp_path: Path) -> None:
    drawn: list[Any] = [(10, "1", "", "1", 9), (10, "1", "1", "", 3), (20, "2", "", "2", 5), (20, "2", "", "2", 5)]
    drawn += [(home + number, *rest) for number in (30, 60, 90) for home, *rest in drawn]
    rows = small_file(tmp_path, drawn)
    recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
{WILDCARD}
[threshold]
individual_risk = 0.05
[suppression]
criterion = "none"
"""
    folder = tmp_path / "parts"
    folder.mkdir()
    middle = next(i for i in range(len(rows) // 2, len(rows)) if rows[i]["HH"] != rows[i - 1]["HH"])
    write(folder / "1.csv", rows[:middle])
    write(folder / "2.csv", rows[middle:])
    head = HEAD.replace("[variables.AREA]\nhousehold = true\n", "")
    text = (head + recipe + OUTPUT).replace('"persons.csv"', '"parts/*.csv"').replace("out/safe.csv", "out/safe")
    parts = carry_out_parts(parse(text, tmp_path))
    twin = by_rule(survey(tmp_path, rows, "out/safe/1.csv", "out/safe/2.csv"), 0.5)
    assert hidden(parts) == twin.hidden_by_risk(0.05, None, False) > 0


SMALL = st.lists(
    st.tuples(st.integers(0, 4), *[st.sampled_from(["1", "2", ""])] * 3, st.integers(1, 30)), min_size=3, max_size=14
)
WILDCARDS = st.sampled_from([None, 0.0, 0.25, 0.5, 1.0])
"""Alpha; None: the rule is `observed`."""


def small_file(folder: Path, drawn: list[tuple[int, str, str, str, int]]) -> list[dict[str, str]]:
    rows = [
        {"HH": str(home), "AREA": area, "ROOF": roof, "AGE": age, "W": str(weight), "NOTE": f"n{number}"}
        for number, (home, area, roof, age, weight) in enumerate(sorted(drawn))
    ]
    write(folder / "persons.csv", rows)
    return rows


def rule_of(alpha: float | None) -> str:
    return "" if alpha is None else f'missing_rule = "wildcard"\nalpha = {alpha}\n'


def by_rule(twin: Survey, alpha: float | None) -> Survey:
    return replace(twin, rule="observed" if alpha is None else "wildcard", alpha=Fraction(alpha or 0))


@given(drawn=SMALL, alpha=WILDCARDS, k=st.integers(2, 4))
@settings(max_examples=60, deadline=None)  # each is a whole run; the cases drawn above count the same
def test_hidden_records_of_k_hold_with_missing_values(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[int, str, str, str, int]], alpha: float | None, k: int
) -> None:
    folder = tmp_path_factory.mktemp("k")
    rows = small_file(folder, drawn)
    recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
model = "k-anonymity"
k = {k}
{rule_of(alpha) or 'missing_rule = "observed"'}
[suppression]
criterion = "none"
"""
    head = HEAD.replace("[variables.AREA]\nhousehold = true\n", "")
    result = carry_out(Session(), parse(head + recipe + ONLY_DATA, folder))
    assert hidden(result) == by_rule(survey(folder, rows), alpha).hidden_by_wildcards(k)


@given(
    drawn=SMALL, alpha=WILDCARDS, limits=st.sampled_from([(0.05, None), (0.02, None), (None, 0.2), (0.04, 0.15)]),
    mode=st.sampled_from(["original-counts", "released-keys"]), suppressed=st.booleans(),
)  # fmt: skip
@settings(max_examples=60, deadline=None)  # each is a whole run; the cases drawn above count the same
def test_hidden_records_of_risk_hold_with_missing_values(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[int, str, str, str, int]], alpha: float | None,
    limits: tuple[float | None, float | None], mode: str, suppressed: bool,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("risk")
    rows = small_file(folder, drawn)
    names = ("individual_risk", "household_risk")
    asked = "\n".join(f"{name} = {value}" for name, value in zip(names, limits, strict=True) if value is not None)
    by_keys = mode == "released-keys" and suppressed
    recipe = f"""[[combinations]]
variables = ["AREA", "ROOF", "AGE"]
{rule_of(alpha)}
[threshold]
{asked}
[suppression]
{f'mode = "{mode}"' if suppressed else 'criterion = "none"'}
"""
    head = HEAD.replace("[variables.AREA]\nhousehold = true\n", "")
    try:
        result = carry_out(Session(), parse(head + recipe + ONLY_DATA, folder))
    except PavoError:
        assume(False)
    assert hidden(result) == by_rule(survey(folder, rows), alpha).hidden_by_risk(*limits, by_keys)
