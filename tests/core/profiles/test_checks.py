"""Each check of a profile against a recount of the written file, in plain Python."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.progress import SILENT
from core.batch import main
from core.profiles.model import Judgement
from core.profiles.read import parse_profile
from core.recipe.model import Analysis, NumericEdit, Perturbation, Recipe, TopBottomCode, VariableEdit
from core.recipe.toml import load
from core.release.profile import check_profile
from core.session import Session

RECIPE = """recipe = 1
[input]
data = "persons.csv"
format = "delimited"
[variables.HH]
role = "household-id"
[variables.W]
role = "weight"
[variables.REGION]
household = true
identification_level = 1
[variables.TENURE]
household = true
identification_level = 0
[variables.AGE]
identification_level = 2
[variables.INCOME]
numeric = true
categorical = false
[variables.ILLNESS]
sensitive = true
[[combinations]]
variables = ["REGION", "SEX", "AGE"]
[[recodes]]
variable = "AGE"
scheme = "0: 0-9\\n1: 10-14\\n2: 15-"
[threshold]
individual_risk = 0.01
[output]
data = "out/safe.csv"
summary = "out/summary.json"
"""


@dataclass
class Released:
    """A file, its recipe, and the safe file that was written of it."""

    recipe: Recipe
    session: Session
    original: list[dict[str, str]]
    safe: list[dict[str, str]]

    def found(self, check: str, **said: Any) -> Judgement:
        """What a profile of one rule finds."""
        text = "\n".join(f"{key} = {_toml(value)}" for key, value in {"check": check, **said}.items())
        profile = parse_profile(f'profile = 1\nname = "one"\n[[checks]]\n{text}\n', Path("one.toml"))
        return check_profile(self.session, self.recipe, profile).rules[0].found

    def people(self, names: tuple[str, ...]) -> Callable[[dict[str, str]], int]:
        """The sum of weights by the values of a record."""
        total: Counter[tuple[str, ...]] = Counter()
        for row in self.safe:
            total[tuple(row[name] for name in names)] += int(row["W"])
        return lambda row: total[tuple(row[name] for name in names)]

    def rare(self, sets: Sequence[tuple[str, ...]], least: int) -> list[bool]:
        """Records with all values of a set that too few people have."""
        flags = [False] * len(self.safe)
        for names in sets:
            people = self.people(names)
            for i, row in enumerate(self.safe):
                flags[i] |= all(row[name] for name in names) and people(row) < least
        return flags


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value).replace("(", "[").replace(")", "]")


def rows() -> list[dict[str, str]]:
    rng = random.Random(3)
    homes = [(str(i), rng.choice("AAAABBC"), rng.choice("123")) for i in range(90)]
    persons = [rng.choice(homes) for _ in range(200)]
    return [
        {"HH": home, "REGION": region, "TENURE": tenure, "SEX": rng.choice("12"), "AGE": str(rng.randrange(18)),
         "INCOME": str(min(rng.randrange(1000), 900)), "ILLNESS": rng.choice("xy"), "W": str(rng.randint(8, 30))}
        for home, region, tenure in persons
    ]  # fmt: skip


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Released:
    folder, original = tmp_path_factory.mktemp("profile"), rows()
    with (folder / "persons.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, list(original[0]))
        writer.writeheader()
        writer.writerows(original)
    path = folder / "persons.pavo"
    path.write_text(RECIPE)
    assert main([str(path)]) == 0
    with (folder / "out" / "safe.csv").open(newline="") as file:
        safe = list(csv.DictReader(file))
    assert any(not row[name] for row in safe for name in KEYS), "nothing is suppressed: the file is too easy"
    return Released(load(path), Session(), original, safe)


KEYS = "REGION", "SEX", "AGE"


def assert_flagged(found: Judgement, expected: list[bool]) -> None:
    assert found.holds is (not any(expected))
    assert found.records == sum(expected)
    if any(expected):
        assert found.flagged is not None
        assert found.flagged.tolist() == expected


@pytest.mark.parametrize("least", [1, 700, 1300, 10000])
def test_people_are_counted_by_weight(released: Released, least: int) -> None:
    each, regions = [(name,) for name in KEYS], [("REGION",)]
    assert_flagged(released.found("population-per-value", least=least), released.rare(each, least))
    assert_flagged(
        released.found("population-per-pair", least=least), released.rare(list(combinations(KEYS, 2)), least)
    )
    assert_flagged(released.found("region-detail", least=least), released.rare(regions, least))
    named = released.found("population-per-value", least=least, variables=["TENURE"])
    assert_flagged(named, released.rare([("TENURE",)], least))


@pytest.mark.parametrize("least", [1, 60, 300, 10000])
def test_levels_say_which_combinations_are_counted(released: Released, least: int) -> None:
    """REGION is of level 1, AGE of level 2, SEX a key without a level; TENURE is none."""
    assert_flagged(released.found("population-per-level", least=least), released.rare([KEYS], least))
    edits = tuple(replace(e, identification_level=1) if e.name == "AGE" else e for e in released.recipe.variables)
    no_second = replace(released, recipe=released.recipe.with_(variables=edits))
    pairs = [("REGION", "SEX"), ("AGE", "SEX"), ("REGION", "AGE")]
    assert_flagged(no_second.found("population-per-level", least=least), released.rare(pairs, least))


def test_nothing_is_shown_where_no_variable_is_said_to_be_identifying(released: Released) -> None:
    unsaid = replace(
        released,
        recipe=released.recipe.with_(
            variables=tuple(replace(edit, identification_level=None) for edit in released.recipe.variables),
            combinations=(),
        ),
    )
    people: list[tuple[str, dict[str, Any]]] = [
        (f"population-per-{of}", {"least": 1}) for of in ("value", "pair", "level")
    ]
    for check, said in (*people, ("least-records", {"k": 1, "keys": "identifying"})):
        found = unsaid.found(check, **said)
        assert (found.holds, found.told) == (False, "no variable is said to be identifying")
    assert unsaid.found("population-per-value", least=1, variables=["TENURE"]).holds


@pytest.mark.parametrize("least", [2, 9, 14, 40])
def test_households_of_several_are_counted_by_their_variables(released: Released, least: int) -> None:
    members = Counter(row["HH"] for row in released.safe)
    living = defaultdict(set)
    for row in released.safe:
        living[row["REGION"], row["TENURE"]].add(row["HH"])
    expected = [members[row["HH"]] >= 2 and len(living[row["REGION"], row["TENURE"]]) < least for row in released.safe]
    assert_flagged(released.found("households-per-combination", least=least), expected)


def naive_f(safe: list[dict[str, str]], names: tuple[str, ...], rule: str) -> list[int]:
    """How many records share the key of each, itself included."""

    def agree(mine: str, other: str) -> bool:
        if rule == "category":
            return mine == other
        return not mine or mine == other or (rule == "wildcard" and not other)

    return [sum(all(agree(row[n], other[n]) for n in names) for other in safe) for row in safe]


@pytest.mark.parametrize("rule", ["category", "wildcard", "observed"])
def test_records_of_a_released_key(released: Released, rule: str) -> None:
    for names, said in (
        (KEYS, {}),
        (KEYS, {"keys": "identifying"}),
        (("SEX", "TENURE"), {"variables": ["SEX", "TENURE"]}),
    ):
        expected = [f < 5 for f in naive_f(released.safe, names, rule)]
        assert_flagged(released.found("least-records", k=5, missing_rule=rule, **said), expected)


def test_risks_are_those_that_the_recipe_judges_by(released: Released) -> None:
    derived = released.session.derive(released.recipe)
    protection = released.session.protect(released.recipe)
    risk = protection.judged(derived.risk_tables[0], SILENT).risk
    assert released.found("largest-risk", most=0.01).holds
    most = float(risk.max())
    assert released.found("largest-risk", most=most).holds
    assert_flagged(released.found("largest-risk", most=most * 0.99), (risk > most * 0.99).tolist())
    rate = float(risk.mean())
    assert released.found("reidentification-rate", most=rate * 1.001).holds
    assert_flagged(released.found("reidentification-rate", most=rate * 0.999), (risk > rate * 0.999).tolist())


def test_the_calibrated_risk_is_that_of_the_released_keys(released: Released) -> None:
    unsuppressed = released.recipe.with_(suppression=replace(released.recipe.suppression, criterion="none"))
    combination = replace(unsuppressed.combinations[0], estimator="calibrated")
    by_model = Session().derive(unsuppressed.with_(combinations=(combination,))).risk_tables[0]
    expected = by_model.cell_index.spread(by_model.risk)
    plain = replace(released, recipe=unsuppressed)
    most = float(np.median(expected))
    assert_flagged(plain.found("calibrated-risk", most=most), (expected > most * (1 + 1e-9)).tolist())


def test_without_a_risk_nothing_is_shown(released: Released) -> None:
    by_count = replace(released.recipe.combinations[0], model="k-anonymity", missing_rule="category", k=2)
    counted = replace(released, recipe=released.recipe.with_(combinations=(by_count,)))
    for check in ("largest-risk", "reidentification-rate", "calibrated-risk"):
        found = counted.found(check, most=1)
        assert (found.holds, found.records) == (False, 200)


def test_width_of_age_classes(released: Released) -> None:
    """Classes begin at 0, 10 and 15; the last is open."""
    assert released.found("age-detail", least=5).holds
    narrow = released.found("age-detail", least=6)
    assert_flagged(narrow, [row["AGE"] == "1" for row in released.safe])
    one_year = replace(released, recipe=released.recipe.with_(recodes=(), output=replace(released.recipe.output)))
    plain = replace(
        one_year, recipe=one_year.recipe.with_(suppression=replace(one_year.recipe.suppression, criterion="none"))
    )
    assert_flagged(plain.found("age-detail", least=2), [row["AGE"] != "17" for row in released.original])
    unnumbered = plain.found("age-detail", least=2, variables=["REGION"])
    assert (unnumbered.holds, unnumbered.records) == (False, 200)


@pytest.mark.parametrize(("share", "bottom"), [(0.001, False), (0.08, False), (0.2, False), (0.08, True)])
def test_extremes_are_shared(released: Released, share: float, bottom: bool) -> None:
    numbers = [int(row["INCOME"]) for row in released.safe]
    expected = [False] * len(numbers)
    for extreme in (max(numbers), min(numbers)) if bottom else (max(numbers),):
        if numbers.count(extreme) < share * len(numbers):
            expected = [found or number == extreme for found, number in zip(expected, numbers, strict=True)]
    assert_flagged(released.found("top-coded", share=share, bottom=bottom), expected)


def test_nothing_is_top_coded_where_no_number_is_said_to_be_one(released: Released) -> None:
    recipe = released.recipe
    silent = recipe.with_(variables=tuple(e for e in recipe.variables if e.name != "INCOME"))
    for share in (0.001, 0.2):
        found, declared = (replace(released, recipe=each).found("top-coded", share=share) for each in (silent, recipe))
        assert (found.holds, found.told) == (declared.holds, declared.told), "it looks like amounts"
    others = tuple(e for e in recipe.variables if e.name not in ("INCOME", "HH"))
    numbers = recipe.with_(variables=(*others, VariableEdit("INCOME", removed=True)))
    found = replace(released, recipe=numbers).found("top-coded", share=0.001)
    assert not found.holds
    assert found.told.endswith("there are numbers in HH"), "TENURE has codes"
    assert replace(released, recipe=silent).found("top-coded", share=0.001, variables=["TENURE"]).holds


def test_amounts_that_nobody_declared_are_top_coded_too(released: Released, tmp_path: Path) -> None:
    """WEALTH is read as codes: the rule held as soon as another variable was declared to be numerical."""
    data = released.recipe.input.data
    assert data is not None
    lines = data.read_text().splitlines()
    wealth = [3 * int(row["INCOME"]) + 100 + i for i, row in enumerate(released.original)]
    added = [f"{lines[0]},WEALTH,CODE", *(f"{line},{w},{w % 4}" for line, w in zip(lines[1:], wealth, strict=True))]
    (tmp_path / "persons.csv").write_text("\n".join(added) + "\n")
    recipe = released.recipe.with_(input=replace(released.recipe.input, data=tmp_path / "persons.csv"))
    found = replace(released, recipe=recipe, session=Session()).found("top-coded", share=0.02)
    assert released.found("top-coded", share=0.02).holds
    assert not found.holds
    assert found.told == "WEALTH (1)", "CODE has four"
    cut = recipe.with_(numeric=(NumericEdit("WEALTH", top=TopBottomCode(2000, "2000")),))
    assert replace(released, recipe=cut, session=Session()).found("top-coded", share=0.02).holds


def test_a_number_with_a_list_of_codes_is_top_coded_unless_its_codes_are_judged(released: Released) -> None:
    listed = tuple(replace(e, categorical=True) if e.name == "INCOME" else e for e in released.recipe.variables)
    coded = replace(released, recipe=released.recipe.with_(variables=listed))
    found = coded.found("top-coded", share=0.2)
    assert not found.holds and found.told == released.found("top-coded", share=0.2).told


def test_what_top_coding_cut_off_is_the_largest_value(released: Released) -> None:
    cut = (NumericEdit("INCOME", top=TopBottomCode(500.0, "500 or more")),)
    coded = replace(released, recipe=released.recipe.with_(numeric=cut))
    share = sum(int(row["INCOME"]) >= 500 for row in released.original) / len(released.original)
    assert coded.found("top-coded", share=share).holds
    assert coded.found("top-coded", share=share + 0.001).records == round(share * len(released.original))


def test_goals_of_analyses_are_asked_of_the_released_file(released: Released) -> None:
    assert "no table or mean has a goal" in released.found("goals-kept").told
    kept = Analysis(mean="INCOME", by=("ILLNESS",), goal=1e-9)
    lost = Analysis(table=("REGION", "SEX", "AGE"), goal=1e-9)
    with_goals = replace(released, recipe=released.recipe.with_(utility=(kept,)))
    assert with_goals.found("goals-kept").holds, "nothing of it is suppressed"
    with_goals = replace(released, recipe=released.recipe.with_(utility=(kept, lost)))
    found = with_goals.found("goals-kept")
    assert not found.holds and found.told == "Table of REGION × SEX × AGE"


def test_rules_about_columns_and_the_file(released: Released) -> None:
    def now(check: str, recipe: Recipe | None = None, **said: Any) -> bool:
        return replace(released, recipe=recipe or released.recipe).found(check, **said).holds

    recipe = released.recipe
    assert now("no-direct-identifiers")
    assert not now("no-sensitive-variables")
    assert now("identifying-variables", most=3)
    assert not now("identifying-variables", most=2)
    assert "TENURE" in released.found("columns-decided").told
    names = ("HH", "TENURE", "INCOME", "ILLNESS")
    text_of = {edit.name: edit for edit in recipe.variables}
    kept = tuple(replace(edit, decision="keep") if name in names else edit for name, edit in text_of.items())
    assert now("columns-decided", recipe.with_(variables=kept))
    gone = tuple(replace(edit, removed=True) if name == "ILLNESS" else edit for name, edit in text_of.items())
    assert now("no-sensitive-variables", recipe.with_(variables=gone))
    assert not now("random-order")
    assert now("random-order", recipe.with_(output=replace(recipe.output, shuffle=True)))
    assert not now("household-id-renumbered")
    for way in ("sequence", "remove"):
        assert now("household-id-renumbered", recipe.with_(output=replace(recipe.output, household_id=way)))
    drawn = Perturbation("synthetic", ("TENURE", "SEX"), (("kind", "margins"), ("margins", (("TENURE",), ("SEX",)))))
    assert now("household-id-renumbered", recipe.with_(perturbations=(drawn,))), "whole households have new identifiers"


def test_certain_blanks_are_counted(released: Released) -> None:
    protection = released.session.protect(released.recipe)
    certain = sum(max(told.certain, told.counted or 0) for told in protection.inferences.values())
    found = released.found("no-certain-blanks")
    assert (found.holds, found.records) == (certain == 0, certain)
    closed = released.recipe.with_(suppression=replace(released.recipe.suppression, close_gaps=True))
    assert replace(released, recipe=closed).found("no-certain-blanks").holds
