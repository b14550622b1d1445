"""Households of a file in parts give the figures and records of the same file in one piece, to the last bit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.check import verify
from core.parts.safe_parts import PartPlan
from core.results import kinds_of_household as households
from core.results.kinds_of_household import HouseholdsTask
from tests.core.parts.files import SurveyInParts

NAMES = ("HOME", "REGION", "SEX", "AGE", "JOB", "WEIGHT", "ROOMS")

RECIPE = """recipe = 1
[input]
data = {data}
[variables.HOME]
role = "household-id"
[variables.WEIGHT]
role = "weight"
[variables.AGE]
missing = ["", "98"]
[variables.ROOMS]
household = true
missing = ["-"]
[[derived]]
name = "HHSIZE"
kind = "household-size"
[[combinations]]
variables = ["HHSIZE", "REGION", "SEX", "AGE"]
[[combinations]]
variables = ["SEX", "JOB"]
model = "frequency"
count_threshold = 2
[threshold]
household_risk = 0.06
[output]
data = "{out}"
metadata = "{out}.rda"
summary = "summary.json"
records = "records.csv"
report = "report.html"
household_id = "sequence"
"""

Home = list[tuple[str, ...]]


def homes(number: int = 150, seed: int = 1) -> list[Home]:
    """Households, some alike, of one weight each; the order of identifiers is not that of the file."""
    draw = np.random.default_rng(seed)
    found = []
    for place in range(number):
        name, region = str(place * 7919 % 10007), str(draw.integers(1, 4))
        rooms, weight = str(draw.integers(1, 5)), str(round(float(draw.gamma(2, 15)), int(draw.integers(0, 3))))
        home = []
        for _ in range(int(draw.choice([1, 1, 2, 2, 3, 4, 5]))):
            age = "" if draw.random() < 0.03 else str(min(draw.geometric(0.3), 9))
            job = f"j{min(draw.geometric(0.4), 6)}"
            home.append((name, region, str(draw.integers(1, 3)), age, job, weight, rooms))
        found.append(home)
    return found


def divided(survey: SurveyInParts, found: list[Home], number: int) -> None:
    """Write the households as `number` parts of different sizes, and all records as one file."""
    cuts = np.random.default_rng(number).choice(np.arange(1, len(found)), number - 1, replace=False)
    for i, places in enumerate(np.split(np.arange(len(found)), np.sort(cuts))):
        path = survey.folder / "parts" / f"p{i:03}{survey.suffix}"
        survey.write(path, [person for place in places for person in found[place]], NAMES)
    survey.write(survey.folder / f"all{survey.suffix}", [person for home in found for person in home], NAMES)


def outputs(survey: SurveyInParts, recipe: str, data: str, out: str) -> tuple[Any, ...]:
    """Summary, records of the safe file, figures of records, and figures and charts of the report."""
    assert survey.run(recipe.format(data=data, out=out)) == 0
    summary = survey.summary()
    summary["warnings"] = [w for w in summary["warnings"] if not re.search(AWAY, w["id"])]
    folder = survey.folder / out
    names = [folder]
    if folder.is_dir():
        names = [folder / part["name"] for part in json.loads((folder / "manifest.json").read_text("utf-8"))["parts"]]
    lines = (survey.folder / "report.html").read_text(encoding="utf-8").splitlines()
    figures = [line for line in lines if re.match(r"<td|<svg", line)]
    return (
        summary,
        [record for name in names for record in survey.read(name)],
        (survey.folder / "records.csv").read_text(encoding="utf-8"),
        [line for line in figures if not re.search(r"\.csv|\.parquet|>safe[._\w]*<|[0-9a-f]{64}", line)],
    )


AWAY = "give-aways-not-examined|gives?-away|given-away"
"""Ids of warnings about what gives values away, which nobody looks for in parts."""


def assert_alike(tmp_path: Path, recipe: str, found: list[Home], numbers: tuple[int, ...], suffix: str = ".csv") -> Any:
    """That the outputs are the same as one file and in so many parts; the summary."""
    one = SurveyInParts(tmp_path / "one", suffix)
    divided(one, found, 1)
    whole = outputs(one, recipe, f'"all{suffix}"', f"safe{suffix}")
    for number in numbers:
        several = SurveyInParts(tmp_path / f"in{number}", suffix)
        divided(several, found, number)
        for mine, theirs in zip(outputs(several, recipe, f'"parts/*{suffix}"', "safe"), whole, strict=True):
            assert mine == theirs
    return whole[0]


SHARED = RECIPE.replace('"HHSIZE", "REGION", "SEX", "AGE"', '"ROOMS", "SEX", "AGE"')
PERSONS = RECIPE.replace('"HHSIZE", "REGION", "SEX", "AGE"', '"SEX", "AGE", "JOB"').replace(
    '"SEX", "JOB"]\nmodel', '"REGION", "ROOMS"]\nmodel'
).replace("household_risk = 0.06", "individual_risk = 0.03")  # fmt: skip
EFFORT = "[suppression]\neffort = 50\n"
CHEAP_ROOMS = SHARED.replace("0.06", "0.5").replace("household = true", "household = true\nsuppression_weight = 1")
CHEAP_ROOMS = CHEAP_ROOMS.replace("[variables.WEIGHT]", "[variables.JOB]\nsuppression_weight = 90\n[variables.WEIGHT]")
BY_KEYS = PERSONS + f'{EFFORT}mode = "released-keys"\nleast_records = 2\n'
K_ANONYMITY = '[[combinations]]\nvariables = [{}]\nmodel = "k-anonymity"\nk = 3\n'
DRAWN = {
    "released keys": BY_KEYS,
    "k-anonymity of a household variable": CHEAP_ROOMS
    + K_ANONYMITY.format('"ROOMS", "JOB"').replace("3", "9")
    + f'{EFFORT}criterion = "weights"\n',
    "k-anonymity of a household's size": RECIPE + K_ANONYMITY.format('"HHSIZE", "JOB", "AGE"') + EFFORT,
    "both, in turns": BY_KEYS + K_ANONYMITY.format('"JOB", "REGION"') + K_ANONYMITY.format('"REGION", "ROOMS"'),
    "gaps closed": SHARED.replace("0.06", "0.03") + "[suppression]\nclose_gaps = true\n",
    "gaps closed, by persons": PERSONS + "[suppression]\nclose_gaps = true\n",
}


@pytest.mark.parametrize("model", sorted(DRAWN))
def test_which_members_lose_what_is_drawn_as_in_the_whole(tmp_path: Path, model: str) -> None:
    """Households that were alike differ where one of their members is drawn."""
    found = [home for home in homes(90) for _ in range(2)]
    found = [[(f"{place}", *person[1:]) for person in home] for place, home in enumerate(found)] + homes(40, 3)
    found[-40:] = [[(f"x{person[0]}", *person[1:]) for person in home] for home in found[-40:]]
    summary = assert_alike(tmp_path, DRAWN[model], found, (1, 2, 7))
    assert summary["suppression"]["total"] > 10
    assert "variable" not in model or summary["suppression"]["by_variable"]["ROOMS"] > 100


@pytest.mark.parametrize("living", [True, False])
def test_values_that_the_written_parts_tell_are_counted_as_in_the_whole(
    tmp_path: Path, living: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both of two alike households, for each member: both lose their rooms, and for one of them it can be only 2."""
    told = []
    count = verify._told_of
    monkeypatch.setattr(verify, "_told_of", lambda *given: told.append(count(*given)) or told[-1])
    kinds = [("1", "5", "3")] * 30 + [("2", "3", "4")] * 30 + [("2", "3", "5")] * 2
    found = [
        [(str(place), "1", "1", age, "j1", "3", rooms) for age in ages] for place, (rooms, *ages) in enumerate(kinds)
    ]
    recipe = SHARED.replace('"ROOMS", "SEX", "AGE"', '"ROOMS", "AGE"').replace("household_risk", "individual_risk")
    recipe = recipe.replace('["", "98"]', '["", "98"]\nsuppressible = false')
    if not living:
        recipe = recipe.replace('role = "household-id"', 'role = "other"').replace("household = true\n", "")
        recipe = recipe[: recipe.index("[[derived]]")] + recipe[recipe.index("[[combinations]]") :]
    assert_alike(tmp_path, recipe + "[suppression]\nclose_gaps = true\n", found, (1, 3))
    assert told == [4 if living else 2] * 3


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_households_are_judged_and_protected_as_in_the_whole(suffix: str, tmp_path: Path) -> None:
    summary = assert_alike(tmp_path, RECIPE, homes(), (1, 2, 7), suffix)
    assert summary["suppression"]["total"] > 10
    assert summary["combinations"][0]["household_risk"]["households"] == 150


@pytest.mark.parametrize(
    "recipe",
    [
        SHARED,
        SHARED.replace("household_risk = 0.06", "household_risk = 0.06\nindividual_risk = 0.05"),
        SHARED.replace("household_risk = 0.06", "unsafe_households = 9"),
        SHARED.replace("household_risk = 0.06", "individual_risk = 0.05"),
        SHARED.replace('"AGE"]', '"AGE"]\nmissing_rule = "wildcard"').replace('"sequence"', '"keep"\nadd_risk = true'),
        SHARED.replace('"SEX", "JOB"', '"SEX", "JOB", "ROOMS"'),
        SHARED.replace('"sequence"', '"remove"')
        + '[[measures]]\nkind = "frequencies"\nvariables = ["SEX", "AGE"]\nrisks = true\n',
        SHARED.replace('kind = "household-size"', 'kind = "household-type"\nmembers = ["SEX"]').replace(
            '"ROOMS", ', '"HHSIZE", '
        ),
    ],
)
def test_every_way_to_judge_households_is_that_of_the_whole(recipe: str, tmp_path: Path) -> None:
    """Household variables, both thresholds, numbers linked to one, types of households by members."""
    summary = assert_alike(tmp_path, recipe, homes(), (3,))
    assert summary["suppression"]["total"] > 10


def test_persons_alone_scattered_households_and_varying_variables_are_told_as_in_the_whole(tmp_path: Path) -> None:
    found = homes(120)
    found[7] = [("", *person[1:]) for person in found[7]]
    found[90] = [("", *person[1:]) for person in found[90]]
    found[40] = [("5000", "1", "1", "2", "j1", "20", "3")] * 9
    found[12][-1] = (*found[12][-1][:-1], "4")
    found[81] = [(*person[:-1], str(place + 1)) for place, person in enumerate(found[81] * 2)]
    found[30] = [*found[30][:1], *found[31], *found[30]]
    found[31] = []
    settings = '[households]\nempty_id = "own-household"\nsingle_persons_above = 8\n'
    summary = assert_alike(tmp_path, SHARED + settings, found, (2, 5))
    said = {warning["id"] for warning in summary["warnings"]}
    assert said >= {"household-id-empty", "households-as-single-persons", "households-scattered"}
    assert "household-variable-varies" in said
    one = tmp_path / "keep"
    assert_alike(one, SHARED.replace('"sequence"', '"remove"') + settings, found, (4,))


def test_households_are_put_together_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(households, "_MERGE_AT", 0)
    assert_alike(tmp_path, SHARED, homes(), (9,))


@pytest.mark.parametrize(
    "mean", ["WEIGHT", 'WEIGHT"\n[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n[[utility]]\nmean = "ROOMS']
)
def test_own_tables_of_households_in_parts_are_those_of_the_whole(tmp_path: Path, mean: str) -> None:
    """Every household by its own values, though rows stand for several that are alike."""
    entries = f'[[utility]]\ntable = ["ROOMS", "JOB"]\ngoal = 0.1\n[[utility]]\nmean = "{mean}"\nby = ["JOB"]\n'
    entries += '[[utility]]\nmodel = "SEX ~ JOB + ROOMS"\n'
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(100), 5)
    whole = outputs(survey, SHARED + entries, '"all.csv"', "safe.csv")
    assert outputs(survey, SHARED + entries, '"parts/*.csv"', "safe")[:3] == whole[:3]
    assert whole[0]["utility"][0]["max_change"] > 0 and whole[0]["utility"][-1]["coefficients"]


@pytest.mark.parametrize(
    ("suffix", "noise", "alone"),
    [
        (".csv", '[[numeric]]\nvariable = "WEIGHT"\nround = 0.5\nnoise = 0.2\n', False),
        (".csv", '[[numeric]]\nvariable = "WEIGHT"\nround = 0.25\n', False),
        (".parquet", '[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n', False),
        (".csv", '[[perturbations]]\nmethod = "weight-noise"\nshare = 0.3\n', True),
    ],
)
def test_members_of_a_household_share_noise_as_in_the_whole(
    tmp_path: Path, suffix: str, noise: str, alone: bool
) -> None:
    """Also where a household has several weights, stands apart or is one person; alone, each is drawn for by itself."""
    found = homes(70)
    for place in range(0, 70, 5):
        found[place] = [(*person[:5], f"{person[5]}.0" if n else "7", *person[6:]) for n, person in enumerate(
            [(*each[:5], each[5].partition(".")[0], *each[6:]) for each in found[place]]
        )]  # fmt: skip
    found[40] = [("5000", "1", "1", "2", "j1", "20", "3")] * 9
    found[41] = [("", *person[1:]) for person in found[41]]
    found[12] = [*found[12], *found[13], *found[12]]
    found[13] = []
    if alone:
        found = [home[:1] for home in found]
    settings = '[households]\nempty_id = "own-household"\nsingle_persons_above = 8\n'
    assert_alike(tmp_path, SHARED + settings + noise, found, (1, 2, 7), suffix)
    places = {(person[0], person[5]) for home in found for person in home}
    written = [(row[0], row[5]) for row in SurveyInParts(tmp_path / "in7", suffix).read(
        tmp_path / "one" / f"safe{suffix}")]  # fmt: skip
    assert (len(set(written)) < len(written)) != alone  # members of a household have equal weights still
    assert len(set(written)) > len(places) - 10


def refused(survey: SurveyInParts, recipe: str, data: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a run after which nothing is there that was not there before."""
    before = sorted(survey.folder.rglob("*"))
    assert survey.run(recipe.format(data=data, out="safe" if data == '"parts"' else "safe.csv")) == 1
    (survey.folder / "recipe.pavo").unlink()
    assert [path for path in sorted(survey.folder.rglob("*")) if path not in before] == []
    return capsys.readouterr().err


@pytest.mark.parametrize("data", ['"all.csv"', '"parts"'])
def test_single_persons_who_would_share_an_identifier_are_refused(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, found = SurveyInParts(tmp_path), homes(120)
    found[40] = [("5000", "1", "1", "2", "j1", "20", "3")] * 9
    found[41] = [("5001", "1", "1", "2", "j1", "20", "3")] * 10
    divided(survey, found, 3)
    recipe = SHARED.replace('"sequence"', '"keep"') + "[households]\nsingle_persons_above = 8\n"
    said = refused(survey, recipe, data, capsys)
    assert "2 groups of more than 8 records with the same HOME are assessed as single persons" in said
    assert 'Set output.household_id = "sequence"' in said
    larger = recipe.replace("above = 8", "above = 10")
    assert survey.run(larger.format(data=data, out="safe" if data == '"parts"' else "safe.csv")) == 0


@pytest.mark.parametrize("data", ['"all.csv"', '"parts"'])
def test_check_finds_single_persons_who_share_an_identifier(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.session.refuse_shared_by_single_persons", lambda *_given: None)
    survey, found = SurveyInParts(tmp_path), homes(120)
    found[40] = [("5000", "1", "1", "2", "j1", "20", "3")] * 9
    divided(survey, found, 3)
    recipe = SHARED.replace('"sequence"', '"keep"') + "[households]\nsingle_persons_above = 8\n"
    said = refused(survey, recipe, data, capsys)
    assert "9 records are assessed as single persons, but share their HOME in the written file." in said


def test_a_household_across_parts_is_refused_with_its_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, found = SurveyInParts(tmp_path), [home[:1] for home in homes(40)]
    divided(survey, found, 4)
    path = survey.folder / "parts" / "p002.csv"
    path.write_text(path.read_text("utf-8") + ",".join(found[1][0]) + "\n", encoding="utf-8")
    records = len(path.read_text("utf-8").splitlines()) - 1
    said = refused(survey, RECIPE, '"parts"', capsys)
    assert f"HOME is the same in record 2 of p000.csv and in record {records} of p002.csv." in said
    assert "Put all members of each household into one part." in said
    path.write_text(path.read_text("utf-8") + ",".join(found[0][0]) + "\n", encoding="utf-8")
    said = refused(survey, RECIPE, '"parts"', capsys)
    assert "2 households have members in several parts" in said
    assert f"in record 1 of p000.csv and in record {records + 1} of p002.csv." in said


@pytest.mark.parametrize(
    "recipe",
    [
        RECIPE.replace("household_risk = 0.06", "household_risk = 0.0001"),
        SHARED.replace("household = true", "household = true\nsuppressible = false").replace("0.06", "0.0012"),
    ],
)
def test_households_that_stay_unsafe_are_told_as_in_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recipe: str
) -> None:
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(60), 6)
    said = refused(survey, recipe, '"parts"', capsys)
    assert "cannot be brought below" in said
    assert said == refused(survey, recipe, '"all.csv"', capsys)


def test_records_without_a_household_are_told_as_in_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, found = SurveyInParts(tmp_path), homes(60)
    for place in (3, 44):
        found[place] = [("", *person[1:]) for person in found[place]]
    divided(survey, found, 6)
    said = refused(survey, RECIPE, '"parts"', capsys)
    assert "The household identifier HOME is empty or missing" in said
    assert said == refused(survey, RECIPE, '"all.csv"', capsys)


@pytest.mark.parametrize(
    ("recipe", "named"),
    [
        (BY_KEYS.replace('"SEX", "AGE", "JOB"', '"SEX", "ROOMS", "JOB"'), " of ROOMS"),
        (BY_KEYS.replace('"SEX", "AGE", "JOB"', '"SEX", "HHSIZE"'), " of HHSIZE"),
        (BY_KEYS.replace("[variables.WEIGHT]", '[variables.SEX]\nrelated = "ROOMS"\n[variables.WEIGHT]'), " of ROOMS"),
        (BY_KEYS.replace("individual_risk = 0.03", "household_risk = 0.06"), ", threshold.household_risk"),
    ],
)
def test_released_keys_are_refused_where_members_decide_for_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recipe: str, named: str
) -> None:
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(30), 3)
    said = refused(survey, recipe, '"parts"', capsys)
    assert f'role = "household-id" (HOME), suppression.mode = "released-keys"{named} cannot be carried out' in said


def test_a_part_that_puts_others_together_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if two parts had been given the same numbers."""
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(30), 3)
    write = PartPlan.write

    def again(self: PartPlan, part: Any, cell: Any, out: Any, progress: Any, first: int) -> None:
        write(self, part, cell, out, progress, 0 if len(self.households.places.of_parts[first][0]) else first)

    monkeypatch.setattr(PartPlan, "write", again)
    said = refused(survey, RECIPE, '"parts"', capsys)
    assert "put other records together than the original ones" in said


def test_a_household_that_changes_between_the_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    survey, gather = SurveyInParts(tmp_path), HouseholdsTask.__call__
    divided(survey, homes(30), 3)
    path = survey.folder / "parts" / "p002.csv"

    def changed(asked: Any, rows: Any, progress: Any) -> Any:
        path.write_text(path.read_text("utf-8").replace("j1", "j2"), encoding="utf-8")
        return gather(asked, rows, progress)

    monkeypatch.setattr(HouseholdsTask, "__call__", changed)
    assert "p002.csv has changed since it was read" in refused(survey, RECIPE, '"parts"', capsys)
