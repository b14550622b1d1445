"""PRAM before a recode, a rounding or a cut: what its bound and its matrix are of the codes that are released."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.perturbation import pram
from core.perturbation.method import PublishedTable
from core.perturbation.registry import REGISTRY
from core.recipe.model import NumericEdit, Output, Perturbation, Recipe, Recode, Report, TopBottomCode, VariableEdit
from core.recipe.toml import parse
from core.release.run import carry_out
from core.results.recoded_codes import _lumped, matrix_of_recoded
from core.session import Session
from tests.core.perturbation.inputs import given_of

SHARES = (0.3, 0.2, 0.1, 0.25, 0.15)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    codes = np.random.default_rng(1).choice(5, (400, 2), p=SHARES) + 1
    rows = [f"{i % 2},{roof},{rooms}\n" for i, (roof, rooms) in enumerate(codes.tolist())]
    (tmp_path / "d.csv").write_text("REG,ROOF,ROOMS\n" + "".join(rows))
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', tmp_path).input,
        variables=(
            *(VariableEdit(name, categorical=True) for name in ("REG", "ROOF")),
            VariableEdit("ROOMS", categorical=True, numeric=True),
        ),
        recodes=(Recode("ROOF", scheme="a: 1-2\nb: 3-5"),),
        numeric=(NumericEdit("ROOMS", top=TopBottomCode(3, "3")),),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "safe.html"),
    )


def table_of(recipe: Recipe, name: str, **said: Any) -> tuple[PublishedTable | None, Mapping[str, Any]]:
    entry = Perturbation("pram", (name,), tuple(sorted(said.items())))
    derived = Session().derive(recipe.with_(perturbations=(entry,)))
    assert derived.perturbed is not None
    (done,) = derived.perturbed.done
    return matrix_of_recoded(done, derived, {}), {"done": done, "derived": derived}


def full(seen: Mapping[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """The matrix of the original codes, and their counts before and after."""
    done, perturbed = seen["done"], seen["derived"].perturbed
    name = done.variables[0]
    matrix = np.array([row[1:] for row in done.published[0].rows], np.float64)
    return matrix, perturbed.before[name].counts[:5], perturbed.columns[name].counts[:5]


GROUPS = {"ROOF": (["a", "b"], [[0, 1], [2, 3, 4]]), "ROOMS": (["1", "2", "3"], [[0], [1], [2, 3, 4]])}


@pytest.mark.parametrize("name", GROUPS)
def test_a_matrix_that_changes_all_codes_alike_holds_in_every_part(recipe: Recipe, name: str) -> None:
    table, seen = table_of(recipe, name, keep=0.6, invariant=False)
    matrix, _before, _after = full(seen)
    names, groups = GROUPS[name]
    assert table is not None and "every part" in table.title
    assert list(table.headings) == [name, *names] and [row[0] for row in table.rows] == names
    for row, own in zip(table.rows, groups, strict=True):
        expected = [matrix[np.ix_(own, other)].sum(axis=1) for other in groups]
        assert all(np.ptp(each) < 1e-12 for each in expected)
        assert row[1:] == pytest.approx([each[0] for each in expected])


@pytest.mark.parametrize("name", GROUPS)
def test_an_invariant_matrix_takes_the_shares_of_the_changed_file(recipe: Recipe, name: str) -> None:
    table, seen = table_of(recipe, name, keep=0.5)
    matrix, before, after = full(seen)
    assert table is not None and "on average" in table.title
    assert (before != after).any()
    counts = np.array([after[own].sum() for own in GROUPS[name][1]])
    rows = np.array([row[1:] for row in table.rows], np.float64)
    assert counts @ rows == pytest.approx(counts, abs=0.4), "what invariance means"
    for row, own in zip(table.rows, GROUPS[name][1], strict=True):
        shares = after[own] / after[own].sum()
        expected = [float(shares @ matrix[np.ix_(own, other)].sum(axis=1)) for other in GROUPS[name][1]]
        assert row[1:] == pytest.approx(expected, abs=0.05)
        assert all(round(float(each), 3) == each for each in row[1:]), "more digits would tell counts"


def test_correcting_by_a_matrix_of_recoded_codes_is_right_on_average() -> None:
    """With the shares of the changed file alone counts near 210 came back with a deviation of 27 instead of 9."""
    codes = np.random.default_rng(1).choice(5, 400, p=SHARES)
    group = np.array([0, 0, 1, 1, 1])
    same, half = np.equal.outer(group, np.arange(2)).astype(np.float64), np.arange(400) % 2 == 0
    texts, found = {"A": (codes + 1).astype(str).tolist()}, []
    for seed in range(100):
        links = pram.perturb(given_of("pram", texts, keep=0.5, seed=seed)).links
        assert links is not None
        inverse = np.linalg.inv(_lumped(links, 0, same).rows.round(3))
        released = group[links.after]
        found.append([np.bincount(each) @ inverse for each in (released, released[half])])
    for true, own in zip((group[codes], group[codes][half]), np.array(found).swapaxes(0, 1), strict=True):
        error = own.std(axis=0, ddof=1) / 10
        assert (np.abs(own.mean(axis=0) - np.bincount(true)) <= 4 * error).all()
    assert np.array(found)[:, 0, 0].std() < 12


def test_strata_have_a_matrix_each(recipe: Recipe) -> None:
    table, _seen = table_of(recipe, "ROOF", keep=0.5, within=("REG",))
    assert table is not None
    assert table.headings == ("REG", "ROOF", "a", "b")
    assert [row[:2] for row in table.rows] == [("0", "a"), ("0", "b"), ("1", "a"), ("1", "b")]
    assert all(sum(row[2:]) == pytest.approx(1, abs=2e-3) for row in table.rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [{"keep": 0.5, "invariant": False, "band": 1}])
def test_where_it_would_hold_for_no_counts_there_is_none(recipe: Recipe, said: dict[str, Any]) -> None:
    assert table_of(recipe, "ROOF", **said)[0] is None
    lost = recipe.with_(recodes=(Recode("ROOF", scheme="a: 1-4", missing=("5",)),))
    assert table_of(lost, "ROOF", keep=0.5)[0] is None
    plain = recipe.with_(recodes=(), numeric=())
    assert table_of(plain, "ROOF", keep=0.5)[0] is None, "it has that of its codes"


def test_users_are_told_to_correct_only_by_a_matrix_that_they_have(recipe: Recipe, tmp_path: Path) -> None:
    found = []
    for said in ({"keep": 0.5}, {"keep": 0.5, "withhold": True}, {"keep": 0.5, "invariant": False, "band": 1}):
        entry = Perturbation("pram", ("ROOF",), tuple(sorted(said.items())))
        carry_out(Session(), recipe.with_(perturbations=(entry,), report=Report(audience="users")))
        text = (tmp_path / "safe.html").read_text()
        found.append(("as recoded (row)" in text, "by the published matrix" in text, "cannot be corrected" in text))
        assert "that users of the file are told" not in text
    assert found == [(True, True, False), (False, False, True), (False, False, True)]
    assert "users" not in REGISTRY["pram"].DECLARATION.sentence


def test_protect_is_told_of_codes_that_are_cut_afterwards(recipe: Recipe) -> None:
    _table, seen = table_of(recipe, "ROOMS", keep=0.2, protect=0.6)
    matrix, before, _after = full(seen)
    joint = before[:, None] * matrix

    def largest(groups: list[list[int]]) -> float:
        return max(float(joint[np.ix_(own, own)].sum() / joint[:, own].sum()) for own in groups)

    cut, rounded = largest(GROUPS["ROOMS"][1]), largest([[0, 1], [2, 3], [4]])
    assert seen["done"].figures["largest_true_of_recoded_codes"] == pytest.approx(cut)
    assert cut > 0.6 and rounded > 0.6 and cut != rounded
    assert [notice.where for notice in seen["derived"].notices if notice.id == "pram-tells-recoded"] == ["ROOMS"]
    coarser = recipe.with_(numeric=(NumericEdit("ROOMS", round=2.0),))
    table, seen = table_of(coarser, "ROOMS", keep=0.2, protect=0.6)
    assert table is not None and [row[0] for row in table.rows] == ["2", "4", "6"]
    assert seen["done"].figures["largest_true_of_recoded_codes"] == pytest.approx(rounded)
