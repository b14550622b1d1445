"""Random draws: two releases of different contents have nothing in common, the same contents are drawn the same."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recipe.model import (
    Combination,
    Input,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Report,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import dumps, parse
from core.release.run import carry_out
from core.results.drawing import Sources, noise_seed, order_seed, what_decides
from core.session import Session
from tests.core.recipe.strategies import FOLDER, combinations, edits, numerics, recipes, recodes

DATA = "ab" * 32
SOURCES = Sources(DATA, "cd" * 32, {"A": "1: 1-10\n"}, {"A": "ef" * 32})
HOUSEKEEPING = {
    "input": {"data", "metadata", "sha256", "checksums"},
    "output": {"data", "metadata", "report", "report_pdf", "summary", "records"},
}
"""Fields that say where files lie."""
SECTIONS = ("input", "households", "threshold", "suppression", "output")


def changed(recipe: Recipe, other: Recipe) -> list[tuple[Recipe, bool]]:
    """`recipe` with one field as in `other`, each in turn, and whether what it decides is to be another."""
    found = []
    for section in SECTIONS:
        own, new = getattr(recipe, section), getattr(other, section)
        for field in fields(own):
            value = getattr(new, field.name)
            decides = field.name not in HOUSEKEEPING.get(section, ()) and value != getattr(own, field.name)
            found.append((recipe.with_(**{section: replace(own, **{field.name: value})}), decides))
    found += [(recipe.with_(report=other.report), False), (recipe.with_(measures=other.measures), False)]
    found.append((recipe.with_(derived=other.derived), recipe.derived != other.derived))
    return found


@given(recipes, recipes)
def test_every_field_that_decides_counts_and_no_other(recipe: Recipe, other: Recipe) -> None:
    before = what_decides(recipe, SOURCES)
    for one, decides in changed(recipe, other):
        assert (what_decides(one, SOURCES) != before) is decides


@given(st.data())
@pytest.mark.parametrize(
    ("section", "elements"),
    [("variables", edits), ("combinations", combinations), ("recodes", recodes), ("numeric", numerics)],
)
def test_every_field_of_an_element_counts_but_paths(section: str, elements: st.SearchStrategy[Any], data: Any) -> None:
    one, other = data.draw(elements), data.draw(elements)
    before = what_decides(Recipe(**{section: (one,)}), SOURCES)
    for field in fields(one):
        if field.name in ("scheme", "scheme_file"):
            continue  # they count as what they say
        value = getattr(other, field.name)
        after = what_decides(Recipe(**{section: (replace(one, **{field.name: value}),)}), SOURCES)
        decides = field.name != "codelist" and value != getattr(one, field.name)
        if section == "recodes" and field.name == "variable" and one.scheme_file is not None:
            continue  # another variable has another file
        assert (after != before) is decides, field.name


@given(recipes)
def test_saved_and_read_again_it_is_the_same(recipe: Recipe) -> None:
    again = parse(dumps(recipe, FOLDER), FOLDER)
    assert what_decides(again, SOURCES) == what_decides(recipe, SOURCES)
    assert order_seed(again, SOURCES) == order_seed(recipe, SOURCES)


@pytest.mark.parametrize(
    "sources",
    [
        replace(SOURCES, data="ac" * 32),
        replace(SOURCES, metadata=""),
        replace(SOURCES, schemes={"A": "1: 1-9\n"}),
        replace(SOURCES, codelists={}),
    ],
)
def test_contents_count(sources: Sources) -> None:
    recipe = Recipe(recodes=(Recode("A", scheme_file=Path("/x/A.grc")),))
    assert what_decides(recipe, sources) != what_decides(recipe, SOURCES)
    assert order_seed(recipe, sources) != order_seed(recipe, SOURCES)


def test_a_scheme_counts_as_what_it_says() -> None:
    by_file = Recipe(recodes=(Recode("A", scheme_file=Path("/x/A.grc")),))
    elsewhere = Recipe(recodes=(Recode("A", scheme_file=Path("/y/B.grc"), codelist=Path("/y/A.cdl")),))
    inline = Recipe(recodes=(Recode("A", scheme="1 :1 - 10\r\n<CODELIST> C.cdl"),))
    other = Recipe(recodes=(Recode("A", scheme="1: 1-9"),))
    texts = [what_decides(recipe, SOURCES) for recipe in (by_file, elsewhere, inline, other)]
    assert texts[0] == texts[1] == texts[2] != texts[3]


def test_what_could_not_be_said_before_counts_only_where_it_is_said() -> None:
    plain = Recipe(suppression=Suppression(mode="released-keys"))
    assert b"least_records" not in what_decides(plain, SOURCES)
    assert b"ddi" not in what_decides(plain, SOURCES) and b"table_schema" not in what_decides(plain, SOURCES)
    said = plain.with_(suppression=replace(plain.suppression, least_records=2))
    assert b"least_records" in what_decides(said, SOURCES)
    risk = Threshold(individual_risk=0.1)
    promise = replace(risk, exceedance=0.05)
    judged = Recipe(combinations=(Combination(("A",), threshold=risk),), threshold=risk)
    assert b"exceedance" not in what_decides(judged, SOURCES)
    assert b"exceedance" in what_decides(judged.with_(threshold=promise), SOURCES)
    assert b"exceedance" in what_decides(judged.with_(combinations=(Combination(("A",), threshold=promise),)), SOURCES)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.sampled_from("AB"))
def test_noise_follows_from_its_own_entry(share: float, second: float, name: str) -> None:
    output = Output(seed=4)
    one, other = (Perturbation("weight-noise", ("A",), (("share", each),)) for each in (share, second))
    seeds = {spec: noise_seed(output, spec, DATA) for spec in (one, other, replace(one, variables=(name,)))}
    assert len(set(seeds.values())) == len(seeds)
    assert noise_seed(replace(output, shuffle=True, data=Path("/x")), one, DATA) == seeds[one]
    assert noise_seed(Output(seed=5), one, DATA) != seeds[one]
    assert noise_seed(output, one, "ac" * 32) != seeds[one]


N = 4000


def survey(folder: Path) -> Recipe:
    """Records of which each can be told from the others by a variable that is no key, and by its weight."""
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(3)
    a, b, c = random.integers(1, 30, N), random.integers(1, 8, N), random.integers(1, 90, N)
    rows = [f"{a[i]},{b[i]},{c[i]},{2000 + 7 * i},{i}\n" for i in range(N)]
    (folder / "d.csv").write_text("A,B,C,W,TAG\n" + "".join(rows))
    return Recipe(
        input=Input(data=folder / "d.csv"),
        variables=(VariableEdit("W", role="weight", decimals=2),),
        combinations=(Combination(("A", "B", "C"), "frequency"),),
        suppression=Suppression(criterion="weights"),
        output=Output(data=folder / "safe.csv", shuffle=True),
    )


def written(recipe: Recipe) -> list[dict[str, str]]:
    carry_out(Session(), recipe)
    assert recipe.output.data is not None
    with recipe.output.data.open(newline="") as file:
        return list(csv.DictReader(file))


def same_place(one: list[dict[str, str]], other: list[dict[str, str]]) -> int:
    return sum(a["TAG"] == b["TAG"] for a, b in zip(one, other, strict=True))


def test_two_releases_cannot_be_laid_side_by_side(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    judged = replace(recipe.combinations[0], count_threshold=2)
    first, second = written(recipe), written(recipe.with_(combinations=(judged,)))
    assert any(a != b for a, b in zip(sorted(map(str, first)), sorted(map(str, second)), strict=True))
    assert same_place(first, second) < 12, "about one in a random order"
    assert [row["TAG"] for row in first] != [str(i) for i in range(N)]


def test_the_same_protection_saved_elsewhere_is_the_same_file(tmp_path: Path) -> None:
    recipe = survey(tmp_path).with_(perturbations=(Perturbation("weight-noise", (), (("share", 0.1),)),))
    first = written(recipe)
    renamed = replace(recipe.output, data=tmp_path / "b" / "other.csv", report=tmp_path / "b" / "r.html")
    again = written(recipe.with_(output=renamed, report=Report(title="Another title", variant="external")))
    assert first == again
    moved = survey(tmp_path / "elsewhere").with_(perturbations=recipe.perturbations)
    assert written(moved) == first


def test_noise_of_two_releases_cannot_be_taken_off(tmp_path: Path) -> None:
    """From one draw u, W (1 + 0.05 u) and W (1 + 0.1 u) give W = 2 x - y exactly."""
    plain = survey(tmp_path)
    releases = [
        {
            row["TAG"]: float(row["W"])
            for row in written(plain.with_(perturbations=(Perturbation("weight-noise", (), (("share", share),)),)))
        }
        for share in (0.05, 0.1)
    ]
    true = {str(i): 2000.0 + 7 * i for i in range(N)}
    found = sum(abs(2 * releases[0][tag] - releases[1][tag] - true[tag]) < 1e-4 * true[tag] for tag in true)
    assert found < 40
    u, v = (np.array([release[tag] / true[tag] - 1 for tag in true]) for release in releases)
    assert abs(np.corrcoef(u, v)[0, 1]) < 0.08


def test_what_is_drawn_stays_what_it_was() -> None:
    """Parts that recipes get later change no draw of a recipe without them, or old releases could not be made again."""
    recipe = Recipe(combinations=(Combination(("A", "B")),), suppression=Suppression(mode="released-keys"))
    decided = hashlib.sha256(what_decides(recipe, Sources("0" * 64))).hexdigest()
    assert decided == "7c0455d5440ef74ba05a8b5bd14164fbc3ac0b460260870d9e7f0230b0b7b12d"
