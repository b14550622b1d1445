"""A file in parts gives the figures and the records of the same file in one piece, to the last bit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.check import pairs
from core.recipe.in_parts import OF_CELLS
from core.results import cell_tables
from core.utility import own_models
from core.utility.pairwise_sum import SumInOrder
from tests.core.parts.files import NAMES, RECIPE, SurveyInParts, records

RISK_COLUMNS = "add_risk = true\n"
FINE_WEIGHTS = "0.1234567890123456789012"


def comparable(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the warning that nobody looked for what gives values away, which in parts nobody can."""
    kept = [warning for warning in summary["warnings"] if warning["id"] != "give-aways-not-examined-in-parts"]
    return summary | {"warnings": kept}


def both(
    folder: Path, suffix: str, rows: list[tuple[str, ...]], number: int, recipe: str = RECIPE
) -> tuple[SurveyInParts, SurveyInParts]:
    """The survey protected as one file, and in parts."""
    one, several = SurveyInParts(folder / "one", suffix), SurveyInParts(folder / "several", suffix)
    one.write(one.folder / f"all{suffix}", rows)
    several.split(rows, number)
    assert one.run(recipe.format(data=f'"all{suffix}"', out=f"safe{suffix}")) == 0
    assert several.run(recipe.format(data=f'"parts/*{suffix}"', out="safe")) == 0
    return one, several


@pytest.fixture(scope="module", params=[".csv", ".parquet"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The records of the survey, and what protecting them as one file gives."""
    survey = SurveyInParts(tmp_path_factory.mktemp("whole"), request.param)
    rows = records()
    survey.write(survey.folder / f"all{survey.suffix}", rows)
    recipe = RECIPE.format(data=f'"all{survey.suffix}"', out=f"safe{survey.suffix}") + RISK_COLUMNS
    assert survey.run(recipe) == 0
    return rows, survey.summary(), survey.read(survey.folder / f"safe{survey.suffix}"), survey.suffix


@pytest.mark.parametrize("number", [1, 2, 7, 50])
def test_parts_give_the_figures_and_records_of_the_whole(whole: Any, number: int, tmp_path: Path) -> None:
    rows, figures, safe, suffix = whole
    survey = SurveyInParts(tmp_path, suffix)
    survey.split(rows, number)
    assert survey.run(RECIPE.format(data='"parts"', out="safe") + RISK_COLUMNS) == 0
    assert comparable(survey.summary()) == comparable(figures)
    assert figures["suppression"]["total"] > 20
    assert figures["combinations"][0]["after"]["inference"]["candidates"]
    assert survey.written() == safe


@pytest.mark.parametrize("memory", [None, 0])
def test_cells_that_are_added_up_as_they_come_are_the_same(
    whole: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int | None
) -> None:
    """As they are where the parts have very many; and where all have to be put down in a file."""
    for module in (cell_tables, pairs):
        monkeypatch.setattr(module, "_MERGE_AT", 0)
    if memory is not None:
        monkeypatch.setattr(cell_tables, "_share_of_memory", lambda: memory)
    rows, figures, safe, suffix = whole
    survey = SurveyInParts(tmp_path, suffix)
    survey.split(rows, 9)
    assert survey.run(RECIPE.format(data='"parts"', out="safe") + RISK_COLUMNS) == 0
    assert comparable(survey.summary()) == comparable(figures)
    assert survey.written() == safe


@pytest.mark.parametrize("estimator", ['"calibrated"', '"log-linear"', '"truncated"'])
def test_population_models_are_those_of_the_whole(estimator: str, tmp_path: Path) -> None:
    """Also where a record's true risk may reach the threshold with a small chance only."""
    said = f'variables = ["REGION", "SEX", "AGE"]\nestimator = {estimator}\n'
    recipe = RECIPE.replace('variables = ["REGION", "SEX", "AGE"]\n', said)
    if "calibrated" in estimator:
        promise = "threshold = {{ individual_risk = 0.2, exceedance = 0.05 }}\n"
        recipe = recipe.replace(said, said + promise)
    one, several = both(tmp_path, ".csv", records(200), 4, recipe)
    assert comparable(several.summary()) == comparable(one.summary())
    assert one.summary()["suppression"]["total"] > 0
    assert several.written() == one.read(one.folder / "safe.csv")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_numbers_are_cut_and_rounded_as_in_the_whole(suffix: str, tmp_path: Path) -> None:
    """By the numbers of all parts, of which one part may have few."""
    numeric = """[variables.SHOE]
numeric = true
categorical = false
[[numeric]]
variable = "SHOE"
round = 2
top = { at = 44, replacement = "44+" }
"""
    recipe = RECIPE.replace('[variables.JOB]\nrelated = "SHOE"\n', "").replace("[threshold]", "@[threshold]")
    both_of = both(
        tmp_path, suffix, records(120), 8, recipe.replace("@", numeric.replace("{", "{{").replace("}", "}}"))
    )
    one, several = both_of
    assert comparable(several.summary()) == comparable(one.summary())
    safe = one.read(one.folder / f"safe{suffix}")
    assert several.written() == safe
    assert {row[5] for row in safe} == {"36", "38", "40", "42", "44+"}


@pytest.mark.parametrize("kind", sorted(OF_CELLS))
def test_measures_of_cells_are_those_of_the_whole(kind: str, tmp_path: Path) -> None:
    """Several records stand for most of the rows."""
    said = {
        "l-diversity": 'sensitive = ["SHOE"]\n',
        "t-closeness": 'sensitive = ["SHOE"]\n',
        "subsample": "fraction = 0.3\n",
    }
    recipe = f'{RECIPE}[[measures]]\nkind = "{kind}"\nvariables = ["REGION", "SEX", "AGE"]\n{said.get(kind, "")}'
    rows = [row for row in records(60) for _ in range(3)] + records(40, seed=2)
    one, several = both(tmp_path, ".csv", rows, 4, recipe)
    assert several.summary()["measures"] == one.summary()["measures"]
    assert one.summary()["measures"]


@pytest.mark.parametrize("protected", [True, False])
def test_figures_of_records_are_those_of_the_whole(protected: bool, tmp_path: Path) -> None:
    """Also without a safe file."""
    added = 'records = "records.csv"\n[suppression]\nmode = "released-keys"\neffort = 50\n' if protected else ""
    recipe = RECIPE.replace('missing_rule = "wildcard"', "") + added
    if not protected:
        recipe = recipe[: recipe.index("[output]")] + '[output]\nrecords = "records.csv"\nsummary = "summary.json"\n'
    recipe += '[[measures]]\nkind = "l-diversity"\nvariables = ["REGION", "SEX"]\nsensitive = ["SHOE"]\n'
    one, several = both(tmp_path, ".csv", records(150), 4, recipe)
    listed = (several.folder / "records.csv").read_bytes()
    assert listed == (one.folder / "records.csv").read_bytes()
    assert listed.startswith(b"record,f_1,F_1,risk_1,f_2")
    assert listed.count(b"\n") == 151


PROFILE = """profile = 1
name = "Office"
[[checks]]
check = "least-records"
k = 2
keys = "identifying"
[[checks]]
check = "largest-risk"
most = 0.9
[[checks]]
check = "reidentification-rate"
most = 0.5
[[checks]]
check = "population-per-pair"
least = 500
[[checks]]
check = "top-coded"
share = 0.99
variables = ["AGE"]
[[checks]]
check = "age-detail"
least = 3
variables = ["REGION"]
[[checks]]
check = "calibrated-risk"
most = 0.02
"""


def test_rules_of_a_profile_are_judged_as_in_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of columns that no combination has, too; where rules are broken, by as many records."""
    survey = SurveyInParts(tmp_path)
    survey.split(records(150), 4)
    survey.write(tmp_path / "all.csv", records(150))
    (tmp_path / "office.toml").write_text(PROFILE, encoding="utf-8")
    recipe = RECIPE.replace("[variables.AGE]", "[variables.SHOE]\nidentification_level = 3\n[variables.AGE]")
    recipe += '[profile]\nfile = "office.toml"\n'
    told = []
    for data, out in (("parts", "safe"), ("all.csv", "safe.csv")):
        assert survey.run(recipe.format(data=f'"{data}"', out=out)) == 1
        told.append(capsys.readouterr().err)
    assert told[0] == told[1]
    assert "breaks 5 rules" in told[0]
    monkeypatch.setattr("core.release.run.refuse_broken", lambda judged: None)
    figures = []
    for data, out in (("parts", "safe"), ("all.csv", "safe.csv")):
        assert survey.run(recipe.format(data=f'"{data}"', out=out)) == 0
        figures.append(comparable(survey.summary()))
    assert figures[0] == figures[1]
    assert [rule["holds"] for rule in figures[0]["profile"]].count(True) == 2


def test_parts_of_which_nobody_is_judged(tmp_path: Path) -> None:
    """Without combinations variables are left out all the same."""
    recipe = RECIPE[: RECIPE.index("[[combinations]]")] + "[variables.SHOE]\nremoved = true\n"
    recipe += RECIPE[RECIPE.index("[output]") :]
    one, several = both(tmp_path, ".csv", records(60), 3, recipe)
    assert several.summary() == one.summary()
    assert several.written() == one.read(one.folder / "safe.csv")


def test_a_column_of_very_many_codes_is_told_by_the_first_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is judged by it: only the words of the checklist are about fewer records then."""
    monkeypatch.setattr(cell_tables, "MOST_CODES", 15)
    rows = [(*row[:5], str(30 + i // 6), row[6]) for i, row in enumerate(records(120))]
    recipe = RECIPE.replace('[variables.JOB]\nrelated = "SHOE"\n', "")
    one, several = both(tmp_path, ".csv", rows, 4, recipe)
    told = [survey.summary().pop("checklist") for survey in (one, several)]
    assert told[0] == [{"variable": "SHOE", "holds": "20 codes"}]
    assert told[1][0]["holds"] != "20 codes"
    assert several.summary()["suppression"] == one.summary()["suppression"]


def test_weights_of_many_digits_add_up_exactly(tmp_path: Path) -> None:
    """One part has so many digits that the sums take two limbs; the others are read as one."""
    rows = records(200)
    rows[5] = (*rows[5][:4], FINE_WEIGHTS, *rows[5][5:])
    one, several = both(tmp_path, ".csv", rows, 5)
    assert comparable(several.summary()) == comparable(one.summary())
    assert several.written() == one.read(one.folder / "safe.csv")


def test_without_suppression_the_figures_are_those_of_the_whole(tmp_path: Path) -> None:
    """k-anonymity too, of which only the suppression needs the whole; and nothing is suppressed by choice."""
    recipe = RECIPE.replace(
        "[[recodes]]", '[[combinations]]\nvariables = ["AGE", "SHOE"]\nmodel = "k-anonymity"\nk = 3\n[[recodes]]'
    ).replace("[output]", '[suppression]\ncriterion = "none"\n[output]')
    one, several = both(tmp_path, ".csv", records(200), 3, recipe)
    assert several.summary() == one.summary()
    assert any(warning["id"] == "unsafe-by-choice" for warning in several.summary()["warnings"])


def test_figures_and_charts_of_the_report_are_those_of_the_whole(tmp_path: Path) -> None:
    one, several = both(tmp_path, ".csv", records(150), 4, RECIPE + 'report = "report.html"\n')

    def figures(survey: SurveyInParts) -> list[str]:
        lines = (survey.folder / "report.html").read_text(encoding="utf-8").splitlines()
        files = re.compile(r"\.csv|>safe[._\w]*<|[0-9a-f]{64}")
        return [line for line in lines if re.match(r"<td|<svg", line) and not files.search(line)]

    assert len(figures(one)) > 100
    assert figures(several) == figures(one)


EDITED = 'round = 0.5\ntop = {{ at = 60, replacement = "60.25" }}\nbottom = {{ at = 2.5, replacement = "2.5" }}\n'


@pytest.mark.parametrize("edit", ["", "noise = 0.9", EDITED])
def test_fixed_records_and_their_metadata_serve_every_part(tmp_path: Path, edit: str) -> None:
    """Codes stand in the same places in all parts, and one metadata file describes them all."""
    rda = 'REGION 1 1 "9"\n  <RECODABLE>\nAGE 2 2 "99"\n  <RECODABLE>\n'
    rda += "WEIGHT 4 5\n  <NUMERIC>\n  <DECIMALS> 1\n  <WEIGHT>\n"
    lines = [f"{1 + i % 3}{i % 7 * (3 if i % 11 else 5):>2}{1.5 + i % 4:>5}" for i in range(90)]
    recipe = """recipe = 1
[input]
data = {data}
metadata = "survey.rda"
[[combinations]]
variables = ["REGION", "AGE"]
[threshold]
individual_risk = 0.2
[output]
data = "{out}"
metadata = "safe.rda"
summary = "summary.json"
"""
    if edit:
        recipe = recipe.replace("[threshold]", f'[[numeric]]\nvariable = "WEIGHT"\n{edit}\n[threshold]')
    survey = SurveyInParts(tmp_path)
    (tmp_path / "survey.rda").write_text(rda, encoding="ascii")
    (tmp_path / "all.asc").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    names = [f"p{i}.asc" for i in range(3)]
    for i, name in enumerate(names):
        text = "".join(f"{line}\n" for line in lines[i * 30 : (i + 1) * 30])
        (tmp_path / name).write_text(text, encoding="ascii")
    assert survey.run(recipe.format(data='"all.asc"', out="safe.asc")) == 0
    figures, described = survey.summary(), (tmp_path / "safe.rda").read_bytes()
    assert survey.run(recipe.format(data=json.dumps(names), out="safe")) == 0
    of_list = survey.summary()
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in (*names, "survey.rda"):
        (folder / name).write_bytes((tmp_path / name).read_bytes())
    of_folder = recipe.replace('"survey.rda"', '"folder/survey.rda"').format(data='"folder"', out="of_folder")
    assert survey.run(of_folder) == 0
    assert survey.summary() == of_list
    assert comparable(survey.summary()) == comparable(figures)
    assert (tmp_path / "safe.rda").read_bytes() == described
    assert b"".join((tmp_path / "safe" / name).read_bytes() for name in names) == (tmp_path / "safe.asc").read_bytes()


ANALYSES = """
[[numeric]]
variable = "SHOE"
round = 3
[[utility]]
table = ["REGION", "AGE"]
goal = 0.05
[[utility]]
table = ["HAND", "DAY"]
[[utility]]
mean = "SHOE"
by = ["SEX"]
goal = 0.01
[[utility]]
mean = "INCOME"
by = ["AGE", "HAND"]
goal = 0.2
[[utility]]
mean = "WEIGHT"
[[utility]]
mean = "JOB"
"""


@pytest.mark.parametrize(("suffix", "weight"), [(".csv", True), (".parquet", True), (".csv", False)])
def test_own_tables_and_means_are_those_of_the_whole(
    suffix: str, weight: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of keys that lose values, of columns that no model judges, of rounded numbers; by weights with decimals."""
    rows = [(*row, str(i % 5), "" if i % 9 == 4 else f"{i * 37 % 1000}.{i % 10}") for i, row in enumerate(records(300))]
    names = (*NAMES, "DAY", "INCOME")
    kinds = "[variables.SHOE]\nnumeric = true\ncategorical = false\n[variables.INCOME]\nnumeric = true\n"
    recipe = RECIPE.replace('[variables.JOB]\nrelated = "SHOE"\n', kinds).replace(
        "[threshold]", ANALYSES + "[threshold]"
    )
    if not weight:
        recipe = recipe.replace('role = "weight"', "numeric = true")
    rules = 'profile = 1\nname = "Office"\n[[checks]]\ncheck = "goals-kept"\n'
    found, refusals = [], set()
    for number in (0, 2, 7) if weight and suffix == ".csv" else (0, 7):
        survey = SurveyInParts(tmp_path / str(number), suffix)
        for place, part in enumerate(np.array_split(np.arange(len(rows)), max(number, 1))):
            name = f"parts/p{place:02}{suffix}" if number else f"all{suffix}"
            survey.write(survey.folder / name, [rows[i] for i in part], names)
        (survey.folder / "office.toml").write_text(rules, encoding="utf-8")
        data, out = (f'"parts/*{suffix}"', "safe") if number else (f'"all{suffix}"', f"safe{suffix}")
        assert survey.run(recipe.format(data=data, out=out)) == 0
        found.append(comparable(survey.summary()))
        capsys.readouterr()
        if number in (0, 7):
            assert survey.run(f'{recipe.format(data=data, out=out)}[profile]\nfile = "office.toml"\n') == 1
            refusals.add(capsys.readouterr().err)
    assert len(refusals) == 1 and "own tables and means" in refusals.pop()
    assert all(each == found[0] for each in found)
    told = found[0]["utility"]
    assert told[0]["goal"]["failing"] and told[2]["mean_change"] and told[3]["goal"]["groups"]
    assert "not_possible" in told[5]


MODELS = {
    "INCOME ~ AGE + SEX": "",  # a key that loses values, and one that no model judges
    "SEX ~ INCOME + SHOE:C(DAY)": "",
    "SHOE ~ INCOME + HAND + DAY:AGE": "",  # rounded
    "C(DAY) ~ SEX": "on the left side, has 5 different values",
    "TWO ~ JOB + HAND": "",
    "SHOE ~ 1": "",
    "TWO ~ TWICE": "tells the two values of the left side apart",
    "INCOME ~ NOTHING": "has values of all variables",
}


@pytest.mark.parametrize(("suffix", "weight"), [(".csv", True), (".parquet", False)])
def test_own_models_are_those_of_the_whole(
    suffix: str, weight: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In blocks of which several are in a part, and of which some are in several."""
    monkeypatch.setattr(own_models, "ROWS", 64)
    rows = [
        (*row, str(i % 5), "" if i % 9 == 4 else f"{i * 37 % 1000}.{i % 10}", *[str(i * 7 % 11 % 2)] * 2, "")
        for i, row in enumerate(records(500))
    ]
    names = (*NAMES, "DAY", "INCOME", "TWO", "TWICE", "NOTHING")
    kinds = "".join(f"[variables.{name}]\nnumeric = true\ncategorical = false\n" for name in ("INCOME", "SHOE"))
    kinds += '[variables.NOTHING]\nmissing = [""]\n'
    entries = '[[numeric]]\nvariable = "SHOE"\nround = 3\n'
    entries += "".join(f'[[utility]]\nmodel = "{model}"\n' for model in MODELS) + '[[utility]]\nmean = "INCOME"\n'
    recipe = RECIPE.replace('[variables.JOB]\nrelated = "SHOE"\n', kinds).replace(
        "[threshold]", entries + "[threshold]"
    )
    if not weight:
        recipe = recipe.replace('role = "weight"', "numeric = true").replace("0.02", "0.4")
    found = []
    for number in (0, 1, 2, 7) if weight else (0, 7):
        survey = SurveyInParts(tmp_path / str(number), suffix)
        for place, part in enumerate(np.array_split(np.arange(len(rows)), max(number, 1))):
            name = f"parts/p{place:02}{suffix}" if number else f"all{suffix}"
            survey.write(survey.folder / name, [rows[i] for i in part], names)
        data, out = (f'"parts/*{suffix}"', "safe") if number else (f'"all{suffix}"', f"safe{suffix}")
        assert survey.run(recipe.format(data=data, out=out)) == 0
        found.append(comparable(survey.summary()))
    assert all(each == found[0] for each in found)
    for told, refused in zip(found[0]["utility"], MODELS.values(), strict=False):
        assert refused in told["not_possible"] if refused else told["coefficients"][0]["overlap"] is not None
    assert {told["kind"] for told in found[0]["utility"] if "kind" in told} == {"least-squares", "logistic"}
    assert found[0]["utility"][0]["records"]["before"] > found[0]["utility"][0]["records"]["after"]


@pytest.mark.parametrize("n", [1, 7, 128, 129, 1000, 8193, 100_003])
def test_numbers_are_added_up_in_parts_as_in_one_array(n: int) -> None:
    values = np.random.default_rng(n).gamma(2, 10, n)
    found = SumInOrder(n)
    for part in np.array_split(values, 7):
        found.add(part)
    assert found.total == values.sum()


OF_KEYS = '[[utility]]\ntable = ["SEX", "JOB"]\n[[utility]]\nmean = "AGE"\nby = ["SEX"]\n'
OF_WEIGHTS = '[[utility]]\nmean = "WEIGHT"\nby = ["SEX"]\n[[utility]]\nmodel = "SEX ~ WEIGHT + JOB"\n'


NOISES = [
    '[[numeric]]\nvariable = "WEIGHT"\nnoise = 0.1\n',
    f'[[numeric]]\nvariable = "WEIGHT"\nround = 0.5\nnoise = 0.1\n{OF_WEIGHTS}',
    f'[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n{OF_KEYS}',
    '[[perturbations]]\nmethod = "weight-noise"\nshare = 0.2\n[[numeric]]\nvariable = "WEIGHT"\nround = 0.25\n',
]


@pytest.mark.parametrize(
    ("suffix", "noise"), [*((".csv", noise) for noise in NOISES), (".parquet", NOISES[0]), (".parquet", NOISES[2])]
)
def test_noise_on_the_weight_is_that_of_the_whole(suffix: str, noise: str, tmp_path: Path) -> None:
    """Drawn for each record by its place in the whole file, whatever part it is in."""
    rows = records(250)
    recipe = RECIPE.replace("[threshold]", f"{noise}[threshold]")
    if "0.3" in noise:
        recipe = recipe.replace('role = "weight"', 'role = "weight"\ndecimals = 4')
    one = SurveyInParts(tmp_path / "one", suffix)
    one.write(one.folder / f"all{suffix}", rows)
    assert one.run(recipe.format(data=f'"all{suffix}"', out=f"safe{suffix}")) == 0
    safe = one.read(one.folder / f"safe{suffix}")
    for number in (1, 7) if "utility" in noise else (1, 2, 7):
        several = SurveyInParts(tmp_path / f"in{number}", suffix)
        several.split(rows, number)
        assert several.run(recipe.format(data='"parts"', out="safe")) == 0
        assert several.written() == safe
        assert comparable(several.summary()) == comparable(one.summary())
    assert one.summary()["perturbations"][0]["changed"] > 200


BY_WEIGHTS = '[[utility]]\nmean = "SHOE"\nby = ["WEIGHT"]\n[[utility]]\nmodel = "WEIGHT ~ SEX"\n'
CODED = RECIPE.replace('related = "SHOE"', "suppression_weight = 3")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("added", ["", OF_WEIGHTS + OF_KEYS + BY_WEIGHTS])
def test_weights_that_are_rounded_and_cut_are_those_of_the_whole(suffix: str, added: str, tmp_path: Path) -> None:
    """Each record counts for its new weight in the written file, and in analyses of it."""
    rows = records(250)
    edit = f'[[numeric]]\nvariable = "WEIGHT"\n{EDITED}{added}'
    recipe = CODED.replace("[threshold]", f"{edit}[threshold]")
    one = SurveyInParts(tmp_path / "one", suffix)
    one.write(one.folder / f"all{suffix}", rows)
    assert one.run(recipe.format(data=f'"all{suffix}"', out=f"safe{suffix}")) == 0
    safe = one.read(one.folder / f"safe{suffix}")
    assert {row[4] for row in safe} > {"60.25", "2.5"}
    for number in (1, 2, 7):
        several = SurveyInParts(tmp_path / f"in{number}", suffix)
        several.split(rows, number)
        assert several.run(recipe.format(data='"parts"', out="safe")) == 0
        assert several.written() == safe
        assert comparable(several.summary()) == comparable(one.summary())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_numbers_that_are_suppressed_with_a_key_are_those_of_the_whole(suffix: str, tmp_path: Path) -> None:
    """SHOE goes where JOB goes; what is left of it is rounded and cut, in analyses and under a profile, too."""
    added = '[[numeric]]\nvariable = "SHOE"\nround = 3\ntop = {{ at = 45, replacement = "46" }}\n'
    added += '[[utility]]\nmean = "SHOE"\nby = ["SEX"]\n[[utility]]\ntable = ["SHOE", "SEX"]\n'
    recipe = RECIPE.replace("[threshold]", f'{added}[profile]\nfile = "../office.toml"\n[threshold]')
    recipe = recipe.replace("count_threshold = 2", "count_threshold = 8")
    profile = 'profile = 1\nname = "Office"\n[[checks]]\ncheck = "top-coded"\nshare = 0.1\nvariables = ["SHOE"]\n'
    (tmp_path / "office.toml").write_text(profile, encoding="utf-8")
    one, several = both(tmp_path, suffix, records(250), 4, recipe)
    assert several.written() == one.read(one.folder / f"safe{suffix}")
    assert comparable(several.summary()) == comparable(one.summary())
    assert {row[5] for row in several.written()} == {"", "36", "39", "42", "46"}
    assert one.summary()["suppression"]["by_variable"]["SHOE"] > 5
