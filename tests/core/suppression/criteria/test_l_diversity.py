"""Suppression for l-diversity: against exhaustive search, and from the recipe to the checked file."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.batch import main
from core.recipe.criteria import CRITERIA
from core.recipe.model import Combination
from core.suppression.costs import Costs
from core.suppression.criteria.l_diversity import LDiversity
from core.suppression.criteria.registry import whole_file_criterion
from core.suppression.joint.optimise import JointSettings
from core.suppression.models import Models, optimise_models
from tests import naive_models as naive
from tests.core.suppression.demodata import column
from tests.core.suppression.files import CARD
from tests.core.suppression.test_models import chosen

QUICK = JointSettings(effort=20, by_released_keys=False)
VALUE = st.sampled_from([0, 0, 1, 2, None])


@given(
    st.lists(st.tuples(VALUE, VALUE, st.sampled_from([0, 0, 1, 2, None])), min_size=2, max_size=6), st.integers(1, 3)
)
def test_every_key_is_diverse_and_the_bound_is_at_or_below_the_optimum(
    rows: list[tuple[int | None, ...]], least: int
) -> None:
    def of(name: str, j: int) -> Any:
        return column(name, np.array([CARD if row[j] is None else row[j] for row in rows]), CARD)

    columns = {name: of(name, j) for j, name in enumerate("ABS")}
    keys, sensitive = [row[:2] for row in rows], [row[2] for row in rows]

    def is_diverse(released: list[tuple[int | None, ...]]) -> bool:
        found = naive.least_values(released, sensitive)
        return found is None or found >= least

    best = naive.least_loss(keys, (2.0, 3.0), is_diverse)
    costs = Costs("weights", {"A": 2.0, "B": 3.0}, {"A": 1.0, "B": 1.0})
    models = Models(whole_file=(LDiversity(("A", "B"), least, "S"),), order=("A", "B"))
    if best is None:
        with pytest.raises(ProtectionError):
            optimise_models(models, columns, costs, joint=QUICK)
        return
    plan = optimise_models(models, columns, costs, joint=QUICK)
    released = [
        tuple(None if name in chosen(plan, i) else value for name, value in zip("AB", key, strict=True))
        for i, key in enumerate(keys)
    ]
    assert is_diverse(released)
    assert each_alone(keys, sensitive, (2.0, 3.0), least) - 1e-9 <= plan.lower_bound
    assert plan.lower_bound <= best + 1e-9 <= plan.loss + 2e-9
    assert not plan.exact or plan.loss == pytest.approx(best)


def each_alone(
    keys: list[tuple[int | None, ...]], sensitive: list[int | None], costs: tuple[float, ...], least: int
) -> float:
    """What records with a value lose at least for what they keep to be shared by enough values in the original file."""
    total = 0.0
    for key, value in zip(keys, sensitive, strict=True):
        there = [j for j, code in enumerate(key) if code is not None]
        losses = []
        for size in range(len(there) + 1):
            for kept in combinations(there, size):
                behind = {s for other, s in zip(keys, sensitive, strict=True) if all(other[j] == key[j] for j in kept)}
                if value is None or len(behind - {None}) >= least:
                    losses.append(sum(costs[j] for j in there if j not in kept))
        total += min(losses)
    return total


def test_the_bound_knows_of_keys_that_are_large_and_too_uniform(tmp_path: Path) -> None:
    alike = [("1", str(sex), str(age), "a") for sex in (1, 2) for age in range(5) for _ in range(20)]
    others = [("2", str(sex), str(age), ill) for sex in (1, 2) for age in range(5) for ill in "abcd" * 5]
    assert run(tmp_path, alike + others, RECIPE.format(l=3)) == 0
    told = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["suppression"]
    assert 200 < told["total"] < 300  # REGION of the 200 goes, and of some others, so that they share a key with these
    assert 200 / told["total"] <= told["lower_bound"] / told["loss"] < 1


def test_every_criterion_of_the_whole_file_can_be_made() -> None:
    whole = [model for model, declared in CRITERIA.items() if declared.judges_whole_file]
    assert len(whole) >= 2
    for model in whole:
        combination = Combination(("A",), model, k=3, l=3, sensitive="S")
        assert whole_file_criterion(combination).variables == ("A",)


RECIPE = """recipe = 1
[input]
data = "data.csv"
[[combinations]]
variables = ["REGION", "SEX", "AGE"]
model = "l-diversity"
l = {l}
sensitive = "ILLNESS"
[suppression]
criterion = "entropy"
effort = 50
[output]
data = "safe.csv"
summary = "summary.json"
report = "report.html"
"""


@pytest.fixture(scope="module")
def records() -> list[tuple[str, ...]]:
    draw = np.random.default_rng(4)
    n = 600
    ill = np.where(draw.random(n) < 0.05, "", draw.choice(["a", "b", "c", "d"], n, p=[0.7, 0.15, 0.1, 0.05]))
    others = (draw.integers(1, 5, n), draw.integers(1, 3, n), np.minimum(draw.geometric(0.1, n), 25))
    return [tuple(map(str, row)) for row in zip(*others, ill, strict=True)]


def run(folder: Path, records: list[tuple[str, ...]], recipe: str) -> int:
    lines = ["REGION,SEX,AGE,ILLNESS", *(",".join(row) for row in records)]
    (folder / "data.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / "recipe.pavo").write_text(recipe, encoding="utf-8")
    return main([str(folder / "recipe.pavo")])


def least_behind_a_key(path: Path) -> int:
    behind: dict[tuple[str, ...], set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        *key, ill = line.split(",")
        behind.setdefault(tuple(key), set()).update({ill} - {""})
    return min(len(values) for values in behind.values() if values)


def test_the_written_file_is_diverse(tmp_path: Path, records: list[tuple[str, ...]]) -> None:
    assert run(tmp_path, records, RECIPE.format(l=3)) == 0
    assert least_behind_a_key(tmp_path / "data.csv") == 1
    assert least_behind_a_key(tmp_path / "safe.csv") >= 3
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["verified"] is True
    (table,) = summary["combinations"]
    assert (table["l_diversity"]["l"], table["l_diversity"]["sensitive"]) == (3, "ILLNESS")
    assert table["l_diversity"]["violations"] > 100
    assert 0 < summary["suppression"]["total"] < 1800
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "l = 3 values of ILLNESS" in report


def test_more_values_than_there_are_cannot_be_had(
    tmp_path: Path, records: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, records, RECIPE.format(l=5)) == 1
    assert "cannot stand under a key with 5 different values of ILLNESS" in capsys.readouterr().err
    assert not (tmp_path / "safe.csv").exists()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('sensitive = "SEX"', "SEX is a key variable of combinations[1], so it cannot be sensitive"),
        ('sensitive = "NOWHERE"', "NOWHERE"),
        ("", 'combinations[1].sensitive is missing: model "l-diversity" needs it'),
        ('sensitive = "ILLNESS"\nk = 3', 'combinations[1].k means nothing for model "l-diversity"'),
        ('sensitive = "ILLNESS"\nmissing_rule = "observed"', "missing_rule means nothing for model"),
    ],
)
def test_what_means_nothing_is_refused(
    tmp_path: Path, records: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str], said: str, told: str
) -> None:
    recipe = RECIPE.format(l=3).replace('sensitive = "ILLNESS"', said)
    assert run(tmp_path, records, recipe) == 1
    assert told in capsys.readouterr().err


def test_a_sensitive_variable_that_goes_with_another_is_refused(
    tmp_path: Path, records: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = RECIPE.format(l=3).replace("[[combinations]]", '[variables.SEX]\nrelated = "ILLNESS"\n[[combinations]]')
    assert run(tmp_path, records, recipe) == 1
    assert "ILLNESS is suppressed with SEX" in capsys.readouterr().err
