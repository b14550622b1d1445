"""What a perturbation would do, before it is applied: on a sample and on all records, and what is refused or said."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import PavoError, RecipeError
from core.base.progress import Cancelled
from core.recipe.edits_perturbations import with_perturbation
from core.recipe.model import ByCode, Combination, Input, Perturbation, Recipe, VariableEdit
from core.session import Session
from core.whatif import perturbation_preview
from core.whatif.perturbation_preview import cramers_v, part_of, sampled_records
from tests.core.perturbation.inputs import given_of
from tests.core.perturbation.test_numbers import column

N = 400
NOISE = Perturbation("noise", ("X", "Y"), (("kind", "correlated"), ("share", 0.25)))
PRAM = Perturbation("pram", ("C",), (("keep", 0.7),))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    random = np.random.default_rng(7)
    x = random.normal(50, 10, N)
    y = x + random.normal(0, 5, N)
    rows = zip(
        [f"{i // 4}" for i in range(N)], [f"{v:.2f}" for v in x], [f"{v:.2f}" for v in y],
        random.choice(list("abc"), N), random.choice(list("pq"), N), strict=True,
    )  # fmt: skip
    with (tmp_path / "d.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("H", "X", "Y", "C", "D"), *rows])
    numbers = tuple(VariableEdit(name, numeric=True, categorical=False) for name in "XY")
    return Recipe(input=Input(data=tmp_path / "d.csv"), variables=numbers)


def values(path: Path | None, name: str) -> list[str]:
    assert path is not None
    with path.open(encoding="utf-8", newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


def test_figures_of_all_records_are_those_of_the_file_once_it_is_applied(recipe: Recipe) -> None:
    session = Session()
    found = session.preview_perturbation(recipe, NOISE)
    perturbed = session.derive(with_perturbation(recipe, NOISE)).perturbed
    assert perturbed is not None and not found.is_sample
    assert vars(found.done) == vars(perturbed.done[0])
    first = found.variables[0]
    assert first.numbers is not None
    old = np.array(values(recipe.input.data, "X"), float)
    column = perturbed.columns["X"]
    new = np.array([float(column.codes[value]) for value in column.values])
    figures = first.numbers.figures_after
    assert figures.mean == pytest.approx(new.mean()) and figures.sd == pytest.approx(new.std(ddof=1))
    assert figures.quantiles == pytest.approx(np.quantile(new, perturbation_preview.QUANTILES))
    assert (figures.least, figures.greatest) == (new.min(), new.max())
    assert first.changed == int((old != new).sum())
    assert first.numbers.before.sum() == first.numbers.after.sum() == N
    assert first.numbers.correlation == pytest.approx(np.corrcoef(old, new)[0, 1])
    (pair,) = found.relations
    others = np.array(values(recipe.input.data, "Y"), float)
    assert (pair.variables, pair.kind) == (("X", "Y"), "correlation")
    assert pair.before == pytest.approx(np.corrcoef(old, others)[0, 1])


def test_codes_are_counted_before_and_after_and_a_matrix_tells_what_a_released_one_means(recipe: Recipe) -> None:
    session = Session()
    found = session.preview_perturbation(recipe, PRAM)
    (variable,) = found.variables
    assert variable.codes is not None
    before = Counter(values(recipe.input.data, "C"))
    assert dict(zip(variable.codes.codes, variable.codes.before.tolist(), strict=True)) == before
    assert variable.changed == N - variable.codes.kept.sum() > 0
    assert variable.codes.after.sum() == N
    _matrix, told = found.done.published
    assert [row[0] for row in told.rows] == sorted(before)
    assert all(0 < float(row[1]) <= 1 for row in told.rows), "P(true | released)"


def test_a_sample_is_the_same_for_all_parameters_and_smaller_than_the_file(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perturbation_preview, "SAMPLE", 100)
    session = Session()
    found = session.preview_perturbation(recipe, PRAM)
    assert found.is_sample and (found.records, found.of_records) == (100, N)
    other = session.preview_perturbation(recipe, Perturbation("pram", ("C",), (("keep", 0.2),)))
    assert found.variables[0].codes is not None and other.variables[0].codes is not None
    assert found.variables[0].codes.before.tolist() == other.variables[0].codes.before.tolist()
    assert other.variables[0].changed > found.variables[0].changed
    assert not session.preview_perturbation(recipe, PRAM, everything=True).is_sample


def test_what_a_sample_does_not_bear_is_tried_on_all_records(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perturbation_preview, "SAMPLE", 2)
    within = Perturbation("pram", ("C",), (("keep", 0.5), ("protect", 0.9)))
    assert not Session().preview_perturbation(recipe, within).is_sample
    with pytest.raises(PavoError, match="which C does not have in this file"):
        Session().preview_perturbation(recipe, Perturbation("pram", ("C",), (("keep", ByCode({"z": 0.5})),)))


def test_of_households_whole_ones_are_looked_at() -> None:
    households = [i // 3 for i in range(300)]
    given = given_of("pram", {"C": ["a", "b", "c"] * 100}, households=households, shared=["C"], keep=0.5)
    records = sampled_records(given, 50)
    assert records is not None
    assert {3} == set(Counter(households[record] for record in records.tolist()).values())
    assert 50 <= len(records) <= 53


def test_a_part_of_very_many_codes_has_its_own_only(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = column(["5", "3", "99", "8", "3"])
    records = np.array([1, 2, 4])
    assert part_of(whole, records).codes == whole.codes
    monkeypatch.setattr(perturbation_preview, "_ALL_CODES", 1)
    part = part_of(whole, records)
    assert [part.codes[value] for value in part.values] == ["3", "99", "3"]
    assert (part.n_valid, part.missing_codes) == (1, whole.missing_codes)
    assert part.counts.tolist() == [2, *(int(code == "99") for code in whole.missing_codes)]


def test_cramers_v_is_that_of_the_table_of_counts() -> None:
    first, second = column(list("1122211991")), column(list("3434434334"))
    pairs = [(a, b) for a, b in zip("1122211991", "3434434334", strict=True)]
    table = np.array([[pairs.count((a, b)) for b in "34"] for a in "129"], float)
    expected = table.sum(1, keepdims=True) * table.sum(0) / table.sum()
    chi = ((table - expected) ** 2 / expected).sum()
    assert cramers_v(first, second) == pytest.approx(math.sqrt(chi / table.sum()))
    assert math.isnan(cramers_v(first, column(["7"] * 10)))


def test_a_key_of_a_risk_table_is_refused_or_warned_of_before_it_is_applied(recipe: Recipe) -> None:
    judged = recipe.with_(combinations=(Combination(("C", "D"), model="individual-risk"),))
    session = Session()
    with pytest.raises(RecipeError, match="no risk can be counted"):
        session.preview_perturbation(judged, PRAM)
    counted = recipe.with_(combinations=(Combination(("C", "D"), model="frequency"),))
    (notice,) = session.preview_perturbation(counted, PRAM).notices
    assert notice.id == "perturbed-key"
    assert session.preview_perturbation(counted, NOISE).notices == ()


def test_it_comes_after_the_others_or_in_place_of_one(recipe: Recipe) -> None:
    session = Session()
    twice = with_perturbation(recipe, NOISE)
    found = session.preview_perturbation(twice, Perturbation("rank-swapping", ("X",)))
    first = session.preview_perturbation(recipe, NOISE).variables[0].numbers
    assert found.variables[0].numbers is not None and first is not None
    assert found.variables[0].numbers.figures_before == first.figures_after
    assert [notice.id for notice in found.notices] == ["perturbed-several-times"]
    instead = session.preview_perturbation(twice, Perturbation("rank-swapping", ("X",)), 0).variables[0].numbers
    assert instead is not None and instead.figures_before == first.figures_before


def test_it_can_be_stopped(recipe: Recipe) -> None:
    class Stopped:
        def report(self, _done: float, _total: float, _text: str) -> None:
            """Nobody looks."""

        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        Session().preview_perturbation(recipe, NOISE, progress=Stopped())


def test_figures_by_group_are_those_of_each_group(recipe: Recipe) -> None:
    found = Session().preview_perturbation(recipe, NOISE, None, True, "C")
    whole = Session().preview_perturbation(recipe, NOISE, None, True, "")
    groups, first = found.groups[0], whole.groups[0]
    x, c = np.array(values(recipe.input.data, "X"), float), np.array(values(recipe.input.data, "C"))
    assert [each.variable for each in found.groups] == ["X", "Y"] and groups.groups == (("a",), ("b",), ("c",))
    for place, code in enumerate("abc"):
        own = x[c == code]
        assert groups.before.records[place] == len(own)
        assert groups.before.goal[place] == groups.before.mean[place] == pytest.approx(own.mean())
        assert groups.before.median[place] == pytest.approx(np.median(own))
        assert groups.before.sd[place] == pytest.approx(own.std(ddof=1))
    sizes = np.abs(groups.after.mean / groups.before.mean - 1)
    assert groups.worst == int(np.argmax(sizes)) and groups.largest() == pytest.approx(sizes.max())
    assert groups.failing(float(np.sort(sizes)[1])) == (groups.worst,)
    assert first.groups == ((),) and first.before.mean[0] == pytest.approx(x.mean())


def test_codes_are_counted_by_group_also_where_these_are_changed(recipe: Recipe) -> None:
    (found,) = Session().preview_perturbation(recipe, PRAM, None, True, "D").groups
    c, d = (values(recipe.input.data, name) for name in "CD")
    counts = zip(found.groups, found.before.goal.tolist(), strict=True)
    assert dict(counts) == Counter(zip(c, d, strict=True))
    assert found.before.goal.sum() == found.after.goal.sum() == N


def test_the_strongest_that_keeps_a_goal_is_found_between_steps_and_beyond_it_none_was(recipe: Recipe) -> None:
    session, start = Session(), Perturbation("noise", ("X",), (("seed", 3),))
    found = session.strongest_perturbation(recipe, start, None, "C", 0.005)
    assert found.entry is not None and found.best is not None
    beyond = found.tried[found.tried.index(found.best) + 1 :]
    assert beyond and not any(each.kept for each in beyond)
    (groups,) = session.preview_perturbation(recipe, found.entry, None, True, "C").groups
    assert groups.largest() == found.best.change and not groups.failing(0.005)
    none = session.strongest_perturbation(recipe, start, None, "C", 1e-9)
    assert (
        none.entry is None
        and none.nearest is not None
        and none.nearest.change == min(each.change for each in none.tried if each.change is not None)
    )
    by_code = Perturbation("pram", ("C",), (("keep", ByCode({"a": 0.8})),))
    with pytest.raises(RecipeError, match="no single number"):
        session.strongest_perturbation(recipe, by_code, None, "D", 0.1)


def test_a_goal_is_asked_of_codes_by_themselves_too(recipe: Recipe) -> None:
    """Where nothing was compared, every goal was kept."""
    session, start = Session(), Perturbation("pram", ("C",), (("invariant", False), ("keep", 0.9), ("seed", 3)))
    found = session.strongest_perturbation(recipe, start, None, "C", 1e-6)
    assert found.entry is None and found.nearest is not None
    assert found == session.strongest_perturbation(recipe, start, None, "", 1e-6)
    (groups,) = session.preview_perturbation(recipe, start, None, True, "C").groups
    assert [codes[0] for codes in groups.groups] == sorted(set(values(recipe.input.data, "C")) - {""})


def test_large_numbers_of_a_few_do_not_put_all_others_into_one_bar() -> None:
    random = np.random.default_rng(5)
    bell, skewed = random.normal(50, 10, 2000), random.lognormal(8, 2.5, 2000)
    with_zeros = np.where(np.arange(2000) % 4 == 0, 0.0, skewed)
    for numbers, scale in ((bell, "width"), (skewed, "log"), (with_zeros, "quantiles")):
        found = perturbation_preview._compare_numbers(numbers, numbers)
        assert found.scale == scale and found.before.sum() == 2000
        assert scale == "width" or found.before.max() < 0.3 * 2000
    assert perturbation_preview._compare_numbers(np.zeros(5), np.zeros(5)).scale == "width"


def test_looking_for_the_strongest_can_be_stopped(recipe: Recipe) -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None:
            if "Trying" in text and done >= 2:
                raise Cancelled

        def check(self) -> None:
            pass

    with pytest.raises(Cancelled):
        Session().strongest_perturbation(recipe, Perturbation("noise", ("X",)), None, "C", 1e-9, Stop())
