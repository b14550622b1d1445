"""What released codes tell whoever knows the keys, against enumeration; what `protect` bounds and what it does not."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.perturbation.done import PerturbationDone
from core.perturbation.links import true_given_known
from core.perturbation.pram import perturb
from core.recipe.model import Combination, Output, Perturbation, Recipe, Recode, Report, VariableEdit
from core.recipe.toml import parse
from core.release.run import carry_out
from core.session import Session
from tests.core.perturbation.test_numbers import texts_of
from tests.core.perturbation.test_pram import given_for, matrix_of, released

SLACK = 1e-8


@pytest.mark.parametrize("invariant", [True, False])
def test_it_is_what_enumeration_of_all_releases_gives(invariant: bool) -> None:
    """All releases of a part of three records, each with its probability: how often a released code is the true one."""
    texts, known = ["1", "2", "3", "1", "2", "1", "1"], [0, 0, 0, 1, 1, 1, 1]
    done = perturb(given_for({"A": texts}, keep=0.4, invariant=invariant))
    matrix, (after,) = matrix_of(done), released(done)
    assert done.links is not None
    found = true_given_known(done.links, np.array(known))
    for record, part in enumerate(known):
        there = [int(text) - 1 for text, own in zip(texts, known, strict=True) if own == part]
        joint = np.zeros((3, 3))
        for drawn in product(range(3), repeat=len(there)):
            chance = float(np.prod([matrix[i, j] for i, j in zip(there, drawn, strict=True)]))
            for i, j in zip(there, drawn, strict=True):  # the person may be any of the part
                joint[i, j] += chance / len(there)
        code = int(after[record]) - 1
        assert found[record] == pytest.approx(joint[code, code] / joint[:, code].sum())


def test_many_parts_and_strata_are_those_of_each_alone() -> None:
    random = np.random.default_rng(4)
    texts, within, known = (random.choice(list(codes), 300).tolist() for codes in ("1234", "ab", "uvwxyz"))
    done = perturb(given_for({"A": texts}, within=within, keep=0.5))
    assert done.links is not None
    parts = np.array(["uvwxyz".index(each) for each in known])
    found = true_given_known(done.links, parts)
    (after,) = released(done)
    rows = {(row[0], row[1]): np.array(row[2:], np.float64) for row in done.published[0].rows}
    for record in range(0, 300, 7):
        own = [i for i in range(300) if (within[i], known[i]) == (within[record], known[record])]
        code = "1234".index(after[record])
        released_so = sum(rows[within[i], texts[i]][code] for i in own)
        true = sum(rows[within[i], texts[i]][code] for i in own if texts[i] == after[record])
        assert found[record] == pytest.approx(true / released_so)


def test_protect_holds_within_each_stratum_and_not_within_finer_parts() -> None:
    random = np.random.default_rng(4)
    within = random.choice(["a", "b"], 400).tolist()
    texts = [str(random.choice([1, 2, 3], p=(0.6, 0.2, 0.2) if each == "a" else (0.1, 0.3, 0.6))) for each in within]
    strata = np.array(["ab".index(each) for each in within])
    both = perturb(given_for({"A": texts}, within=within, keep=0.2, protect=0.7))
    alone = perturb(given_for({"A": texts}, keep=0.2, protect=0.7))
    assert both.links is not None and alone.links is not None
    assert true_given_known(both.links, strata).max() <= 0.7 + SLACK
    assert true_given_known(alone.links, np.zeros(400, np.int64)).max() <= 0.7 + SLACK
    assert true_given_known(alone.links, strata).max() > 0.75
    assert both.invariants["largest_true_given_released"] <= 0.7 + SLACK


def test_one_variable_of_several_is_told_by_itself() -> None:
    texts = {"A": ["1"] * 30 + ["2"] * 10, "B": ["x", "y"] * 20}
    done = perturb(given_for(texts, keep=0.2, protect=0.6))
    matrix, codes = matrix_of(done), [("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")]
    joint = np.array([15, 15, 5, 5])[:, None] * matrix
    true = joint / joint.sum(axis=0)
    expected = max(
        sum(true[i, j] for i in range(4) if codes[i][place] == codes[j][place])
        for j, place in product(range(4), range(2))
    )
    assert done.invariants["largest_true_of_one_variable"] == pytest.approx(expected)
    assert expected > 0.6 >= done.invariants["largest_true_given_released"] - SLACK


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    random, rows = np.random.default_rng(1), ["REG,AGE,ILL,W"]
    for _ in range(300):
        age = int(random.integers(1, 5))
        rows.append(f"{random.integers(1, 3)},{age},{random.choice([1, 2, 3], p=(0.2 * age, 0.1, 0.9 - 0.2 * age))},10")
    (tmp_path / "d.csv").write_text("\n".join(rows) + "\n")
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', tmp_path).input,
        variables=(
            VariableEdit("W", role="weight"),
            *(VariableEdit(n, categorical=True) for n in ("REG", "AGE", "ILL")),
        ),
        combinations=(Combination(("REG", "AGE"), "frequency"), Combination(("ILL", "REG"), "frequency")),
        perturbations=(Perturbation("pram", ("ILL",), (("keep", 0.3), ("protect", 0.75))),),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "safe.html", summary=tmp_path / "safe.json"),
    )


def done_of(recipe: Recipe) -> PerturbationDone:
    perturbed = Session().derive(recipe).perturbed
    assert perturbed is not None
    return perturbed.done[0]


def test_it_stands_in_summary_and_report_and_is_warned_of(recipe: Recipe, tmp_path: Path) -> None:
    result = carry_out(Session(), recipe)
    told = result.summary["perturbations"][0]["invariants"]
    done = done_of(recipe)
    derived = Session().derive(recipe)
    assert done.links is not None
    region = derived.columns["REG"].values.astype(np.int64)
    of_region, of_both = (
        true_given_known(done.links, each) for each in (region, region * 10 + derived.columns["AGE"].values)
    )
    assert told["largest_true_given_released_and_keys"] == of_both.max() > 0.75
    above = (of_region > 0.75 + 1e-9) | (of_both > 0.75 + 1e-9)
    assert told["records_above_protect_given_keys"] == above.sum() > 0
    (warned,) = (each for each in result.summary["warnings"] if each["id"] == "pram-tells-with-keys")
    assert "protect = 0.75" in warned["text"]
    assert "Largest P(true | released) of whoever knows the keys" in (tmp_path / "safe.html").read_text()
    carry_out(Session(), recipe.with_(report=Report(variant="external")))
    assert "whoever knows the keys" not in (tmp_path / "safe.html").read_text()


def test_keys_named_in_within_are_bounded(recipe: Recipe) -> None:
    entry = Perturbation("pram", ("ILL",), (("keep", 0.1), ("protect", 0.85), ("within", ("AGE", "REG"))))
    session = Session()
    derived = session.derive(recipe.with_(perturbations=(entry,)))
    assert derived.perturbed is not None
    figures = derived.perturbed.done[0].figures
    assert figures["largest_true_given_released_and_keys"] <= 0.85 + SLACK
    assert figures["records_above_protect_given_keys"] == 0
    assert not any(notice.id == "pram-tells-with-keys" for notice in derived.notices)
    assert texts_of(derived.perturbed.columns["ILL"]) != texts_of(derived.perturbed.before["ILL"])


def test_what_is_perturbed_is_no_key_that_is_known(recipe: Recipe) -> None:
    alone = recipe.with_(combinations=(Combination(("ILL",), "frequency"),))
    assert "largest_true_given_released_and_keys" not in done_of(alone).figures
    free = recipe.with_(perturbations=(Perturbation("pram", ("ILL",), (("keep", 0.3),)),))
    assert set(done_of(free).with_keys) == {"largest_true_given_released_and_keys"}


@pytest.mark.parametrize("scheme", ["a: 1-2", "a: 1-3"])
def test_codes_that_are_recoded_afterwards_tell_more(recipe: Recipe, scheme: str) -> None:
    """The probability of the code that is released: 1 and 2 become a, so that 2 instead of 1 changes nothing."""
    recoded = recipe.with_(recodes=(Recode("ILL", scheme=scheme),))
    derived = Session().derive(recoded)
    assert derived.perturbed is not None
    (done,) = derived.perturbed.done
    before = [int(text) - 1 for text in texts_of(derived.perturbed.before["ILL"])]
    matrix = np.array([row[1:] for row in done.published[0].rows], np.float64)
    joint = np.bincount(before)[:, None] * matrix
    groups = ([0, 1, 2],) if scheme == "a: 1-3" else ([0, 1], [2])
    expected = max(joint[np.ix_(own, own)].sum() / joint[:, own].sum() for own in groups)
    assert done.figures["largest_true_of_recoded_codes"] == pytest.approx(expected)
    assert done.figures["largest_true_given_released_and_keys"] >= expected > 0.75 + SLACK
    assert [notice.id for notice in derived.notices].count("pram-tells-recoded") == 1
    plain = Session().derive(recipe)
    assert "pram-tells-recoded" not in {notice.id for notice in plain.notices}
    assert plain.perturbed is not None
    assert "largest_true_of_recoded_codes" not in plain.perturbed.done[0].figures
