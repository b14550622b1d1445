"""The command on recipes with the threshold rule, k-anonymity and changes to numerical variables."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from core.batch import main
from tests.core.small_survey import Survey
from tests.naive_numeric import changed

HEAD = """recipe = 1
[input]
data = "survey.asc"
metadata = "survey.rda"
"""
OUTPUT = """[output]
data = "out/safe.asc"
metadata = "out/safe.rds"
report = "out/report.html"
"""
RARE = """[[combinations]]
variables = ["REGION", "SEX", "AGE"]
model = "frequency"
count_threshold = 2
"""
K = """[[combinations]]
variables = ["REGION", "AGE"]
model = "k-anonymity"
missing_rule = "category"
k = 4
"""
NUMERIC = """[[numeric]]
variable = "INCOME"
top = { at = 900, replacement = "900+" }
bottom = { at = 110, replacement = "110" }
round = 20
"""


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


def run(survey: Survey, recipe: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Carry a recipe out; its summary."""
    survey.recipe = recipe
    survey.write()
    status = survey.run()
    said = capsys.readouterr()
    assert status == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def refused(survey: Survey, recipe: str, capsys: pytest.CaptureFixture[str]) -> str:
    survey.recipe = recipe
    survey.write()
    assert survey.run() == 1
    assert not survey.out.exists()
    return capsys.readouterr().err


def keys(path: Path) -> list[tuple[str, str, str]]:
    """REGION, SEX and AGE of each record."""
    lines = path.read_text(encoding="ascii").splitlines()
    return [(line[:2].strip(), line[2], line[3:5].strip()) for line in lines]


MISSING = ("99", "9", "99")


def rare_records(original: list[tuple[str, str, str]], safe: list[tuple[str, str, str]], most: int) -> int:
    """Records of the safe file whose remaining values contain a combination of at most so many original records."""
    unsafe = set()
    for size in (1, 2, 3):
        for margin in combinations(range(3), size):
            count = Counter(tuple(row[j] for j in margin) for row in original)
            for i, row in enumerate(safe):
                values = tuple(row[j] for j in margin)
                if all(row[j] != MISSING[j] for j in margin) and count[values] <= most:
                    unsafe.add(i)
    return len(unsafe)


def test_no_written_record_has_an_unsafe_combination(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(survey, HEAD + RARE + OUTPUT, capsys)
    original, safe = keys(survey.data), keys(survey.out / "safe.asc")
    before = rare_records(original, original, 2)
    assert before > 0
    assert rare_records(original, safe, 2) == 0
    assert found["suppression"]["total"] == sum(
        a != b for old, new in zip(original, safe, strict=True) for a, b in zip(old, new, strict=True)
    )
    assert (found["verified"], found["unsafe_left"]) == (True, 0)
    assert found["combinations"][0]["after"]["by_mode"] == {"unsafe_records": 0}
    assert found["suppression"]["gap"] == 0
    report = (survey.out / "report.html").read_text(encoding="utf-8")
    assert "No record has all values of an unsafe combination of REGION × SEX × AGE." in report


def test_every_written_key_occurs_k_times(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(survey, HEAD + K + OUTPUT, capsys)
    after = [(region, age) for region, _sex, age in keys(survey.out / "safe.asc")]
    assert min(Counter(after).values()) >= 4
    before = [(region, age) for region, _sex, age in keys(survey.data)]
    part = found["combinations"][0]
    assert part["k_anonymity"] == {"k": 4, "violations": sum(n for n in Counter(before).values() if n < 4)}
    assert part["k_anonymity"]["violations"] > 0
    assert part["after"]["by_mode"] == {"unsafe_records": 0}
    assert found["suppression"]["lower_bound"] <= found["suppression"]["loss"]
    report = (survey.out / "report.html").read_text(encoding="utf-8")
    assert "No record shares its values of REGION × AGE with fewer than 4." in report


def test_all_models_together_hold_together(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    risk = '[[combinations]]\nvariables = ["SEX", "AGE"]\n[threshold]\nindividual_risk = 0.02\n'
    found = run(survey, HEAD + RARE + K + risk + OUTPUT, capsys)
    original, safe = keys(survey.data), keys(survey.out / "safe.asc")
    assert rare_records(original, safe, 2) == 0
    assert min(Counter((region, age) for region, _sex, age in safe).values()) >= 4
    assert [part["after"]["by_mode"]["unsafe_records"] for part in found["combinations"]] == [0, 0, 0]
    assert found["combinations"][2]["after"]["by_mode"]["individual_risk"]["max"] < 0.02


def test_without_suppression_the_unsafe_records_are_counted(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(survey, HEAD + RARE + '[suppression]\ncriterion = "none"\n' + OUTPUT, capsys)
    original = keys(survey.data)
    assert found["unsafe_left"] == rare_records(original, original, 2) > 0
    assert found["combinations"][0]["after"]["by_mode"]["unsafe_records"] == found["unsafe_left"]
    observed = K.replace("category", "observed")
    found = run(survey, HEAD + observed + '[suppression]\ncriterion = "none"\n' + OUTPUT, capsys)
    assert found["unsafe_left"] == found["combinations"][0]["k_anonymity"]["violations"] > 0
    assert found["combinations"][0]["after"]["by_mode"]["unsafe_records"] == found["unsafe_left"]


def test_k_anonymity_by_wildcards_is_refused_by_name(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(survey, HEAD + K.replace("category", "wildcard") + OUTPUT, capsys)
    assert 'combinations[1].model = "k-anonymity" with missing_rule = "wildcard"' in said
    said = refused(survey, HEAD + K.replace("category", "observed") + OUTPUT, capsys)
    assert 'combinations[1].missing_rule = "observed" is for measuring only' in said


def test_more_than_all_records_alike_are_refused(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be made" in refused(survey, HEAD + K.replace("k = 4", "k = 61") + OUTPUT, capsys)


def incomes(path: Path) -> list[str]:
    return [line[10:].strip() for line in path.read_text(encoding="ascii").splitlines()]


def test_numbers_are_changed_in_fixed_format_and_widths_follow(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    survey.lines[0] = survey.lines[0][:10] + "9999"
    survey.lines[1] = survey.lines[1][:10] + "  90"
    found = run(survey, HEAD + NUMERIC.replace("900+", "900 or more") + OUTPUT, capsys)
    assert found["verified"] is True
    expected = [
        t if t == "9999" else changed(t, 0, "20", ("900", "900 or more"), ("110", "110")) for t in incomes(survey.data)
    ]
    assert incomes(survey.out / "safe.asc") == expected
    assert {"9999", "110", "900 or more", "140"} <= set(expected)
    assert {len(line) for line in (survey.out / "safe.asc").read_text(encoding="ascii").splitlines()} == {21}
    assert "INCOME 11 11" in (survey.out / "safe.rds").read_text(encoding="utf-8")
    assert keys(survey.out / "safe.asc") == keys(survey.data)
    report = (survey.out / "report.html").read_text(encoding="utf-8")
    assert "values of 900 or more become 900 or more" in report


def test_noise_on_the_weight_follows_the_seed(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    noise = '[[numeric]]\nvariable = "WEIGHT"\nnoise = 0.1\n'
    run(survey, HEAD + noise + OUTPUT, capsys)
    first = (survey.out / "safe.asc").read_bytes()
    weights = [float(line[5:10]) for line in first.decode().splitlines()]
    assert all(18 <= weight <= 22 for weight in weights)
    assert len(set(weights)) > 20
    run(survey, HEAD + noise + OUTPUT, capsys)
    assert (survey.out / "safe.asc").read_bytes() == first
    run(survey, HEAD + noise + OUTPUT + "seed = 7\n", capsys)
    assert (survey.out / "safe.asc").read_bytes() != first


def test_numbers_are_changed_together_with_suppression_and_random_order(
    survey: Survey, capsys: pytest.CaptureFixture[str]
) -> None:
    related = '[variables.AGE]\nrelated = "INCOME"\n[variables.INCOME]\ncategorical = true\n'
    found = run(survey, HEAD + related + RARE + NUMERIC + OUTPUT + "shuffle = true\n", capsys)
    assert found["verified"] is True
    written = incomes(survey.out / "safe.asc")
    assert written.count("9999") == found["suppression"]["by_variable"]["INCOME"] > 0
    assert {text for text in written if text != "9999"} <= {str(n) for n in range(120, 900, 20)} | {"110", "900+"}


def test_numbers_are_changed_in_delimited_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text('name;pay\n"x, y";1234,55\nz;\nz;"0,25"\n', encoding="utf-8")
    (tmp_path / "a.pavo").write_text(
        'recipe = 1\n[input]\ndata = "a.csv"\ndelimiter = ";"\ndecimal = ","\n'
        '[variables.pay]\nnumeric = true\ncategorical = false\n[[numeric]]\nvariable = "pay"\nround = 0.1\n'
        'top = { at = 1000, replacement = "1000; more" }\n[output]\ndata = "b.csv"\n',
        encoding="utf-8",
    )
    assert main([str(tmp_path / "a.pavo")]) == 0, capsys.readouterr().err
    expected = 'name;pay\n"x, y";"1000; more"\nz;\nz;0,3\n'
    assert (tmp_path / "b.csv").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize("replacement", ["1000", "1000+"])
def test_numbers_are_changed_in_a_typed_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], replacement: str
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "a.csv").write_text("n,pay\n1,77.125\n2,\n3,5000\n4,-3.0\n5,10.3\n", encoding="utf-8")
    (tmp_path / "a.pavo").write_text(
        'recipe = 1\n[input]\ndata = "a.csv"\n[variables.pay]\nnumeric = true\ncategorical = false\n[[numeric]]\n'
        f'variable = "pay"\nround = 0.5\ntop = {{ at = 1000, replacement = "{replacement}" }}\n'
        '[output]\ndata = "b.parquet"\n',
        encoding="utf-8",
    )
    assert main([str(tmp_path / "a.pavo")]) == 0, capsys.readouterr().err
    written = parquet.read_table(tmp_path / "b.parquet").column("pay").to_pylist()
    assert [None if value in (None, "") else str(value).removesuffix(".0") for value in written] == [
        "77", None, replacement, "-3", "10.5",
    ]  # fmt: skip


WRONG = [
    ('variable = "NOBODY"\nround = 5\n', "no variable NOBODY"),
    ('variable = "INCOME"\nnoise = 0.1\n', "noise is for the weight variable"),
    ('variable = "AGE"\nround = 5\n', "AGE is also in combinations[1]"),
    ('variable = "WEIGHT"\ntop = { at = 5, replacement = "high" }\n', "must stay a number"),
    ('variable = "WEIGHT"\ntop = { at = 5, replacement = "-1" }\n', "must stay a number"),
]


@pytest.mark.parametrize(("numeric", "says"), WRONG)
def test_impossible_changes_of_numbers_are_refused(
    survey: Survey, capsys: pytest.CaptureFixture[str], numeric: str, says: str
) -> None:
    assert says in refused(survey, HEAD + RARE + "[[numeric]]\n" + numeric + OUTPUT, capsys)


def test_a_letter_among_the_numbers_is_told_by_its_record(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.lines[6] = survey.lines[6][:10] + " x7 "
    said = refused(survey, HEAD + NUMERIC + OUTPUT, capsys)
    assert "INCOME is not a number in record 7" in said


@pytest.mark.parametrize(
    ("recoded", "threshold", "criterion", "expected"),
    [
        (True, 1, "entropy", {"REGION": 0, "SEX": 64, "AGE": 0, "MARSTAT": 50}),
        (True, 1, "weights", {"REGION": 114, "SEX": 0, "AGE": 0, "MARSTAT": 0}),
        (False, 5, "entropy", {"REGION": 1326, "SEX": 289, "AGE": 2388, "MARSTAT": 391}),
    ],
)
def test_demodata_by_the_threshold_rule(
    shared: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    recoded: bool,
    threshold: int,
    criterion: str,
    expected: dict[str, int],
) -> None:
    """Suppressions of the mu-ARGUS engine: golden/muargus-engine.md."""
    for source in (shared / "data" / "demodata").iterdir():
        shutil.copy(source, tmp_path)
    recodes = '[[recodes]]\nvariable = "REGION"\nscheme_file = "Region.grc"\n'
    recodes += '[[recodes]]\nvariable = "AGE"\nscheme_file = "Age.grc"\n'
    recipe = (
        'recipe = 1\n[input]\ndata = "Demodata.asc"\nmetadata = "Demodata.rda"\n[[combinations]]\nmodel = "frequency"\n'
        f'variables = ["REGION", "SEX", "AGE", "MARSTAT"]\ncount_threshold = {threshold}\n{recodes * recoded}'
        f'[suppression]\ncriterion = "{criterion}"\n[output]\ndata = "safe/d.saf"\n'
    )
    (tmp_path / "d.pavo").write_text(recipe, encoding="utf-8")
    assert main([str(tmp_path / "d.pavo")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["suppression"]["by_variable"] == expected
    assert found["verified"] is True


def test_metadata_of_a_delimited_safe_file_have_room_for_its_longest_values(tmp_path: Path) -> None:
    """μ-ARGUS cuts values to the length that the metadata state; of a column that no table reads, too."""
    rows = [f"{name},{place},{9 + i % 3}" for i, (name, place) in enumerate([("Anna", "Oslo"), ("Bartholomew", "Rom")])]
    (tmp_path / "people.csv").write_text("\n".join(["NAME,PLACE,AGE", *rows * 4, ""]), encoding="utf-8")
    recipe = """recipe = 1
[input]
data = "people.csv"
[variables.PLACE]
categorical = true
[[combinations]]
variables = ["PLACE"]
model = "frequency"
[output]
data = "safe.csv"
metadata = "safe.rds"
"""
    (tmp_path / "people.pavo").write_text(recipe, encoding="utf-8")
    assert main([str(tmp_path / "people.pavo"), "--quiet"]) == 0
    described = (tmp_path / "safe.rds").read_text(encoding="utf-8").split()
    found = {name: int(described[described.index(name) + 1]) for name in ("NAME", "PLACE", "AGE")}
    assert found == {"NAME": len("Bartholomew"), "PLACE": len("Oslo"), "AGE": len("10")}
