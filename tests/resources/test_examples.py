"""The two further examples: made by their script to the byte, with known figures, and teaching what they say."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from core.batch import main as run
from core.recipe.toml import load
from core.session import Session
from tests.core.whatif.test_advice import advice_on, unsafe_of


@pytest.fixture(scope="module")
def examples(repo: Path) -> Path:
    return repo / "resources" / "examples"


def carried_out(session: Path, folder: Path) -> dict[str, Any]:
    assert run([str(session), "--out", str(folder), "--quiet"]) == 0
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text("utf-8"))
    return summary


def test_the_script_makes_the_committed_files(repo: Path, examples: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-B", repo / "resources" / "demo" / "make_examples.py", tmp_path], check=True)
    made = {file.relative_to(tmp_path): file.read_bytes() for file in tmp_path.glob("*/*")}
    kept = {file.relative_to(examples): file.read_bytes() for file in examples.glob("*/*") if file.suffix != ".pavo"}
    assert made == kept
    assert sum(map(len, kept.values())) < 1_000_000


def test_the_survey_of_households_is_released_with_households_safe_and_renumbered(
    examples: Path, tmp_path: Path
) -> None:
    session = examples / "housing" / "housing.pavo"
    summary = carried_out(session, tmp_path)
    assert (summary["verified"], summary["unsafe_left"], summary["records"]) == (True, 0, 2855)
    threshold = summary["combinations"][0]["threshold"]
    assert (threshold["household_risk"], threshold["unsafe_households"], threshold["unsafe_records"]) == (0.1, 218, 378)
    assert summary["suppression"]["total"] == 419
    with (examples / "housing" / "housing.csv").open(encoding="utf-8", newline="") as file:
        numbers = {row["HHNO"] for row in csv.DictReader(file)}
    with (tmp_path / "housing_safe.csv").open(encoding="utf-8", newline="") as file:
        written: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in csv.DictReader(file):
            written[row["HHNO"]].append(row)
    assert [*written] == [str(number) for number in range(1, 1401)]
    assert numbers.isdisjoint(written)
    assert all(len({(row["DISTRICT"], row["DWELLING"]) for row in members}) == 1 for members in written.values())


def test_the_survey_of_communes_can_be_released_as_it_is_at_a_high_price(examples: Path, tmp_path: Path) -> None:
    summary = carried_out(examples / "communes" / "communes.pavo", tmp_path)
    assert (summary["verified"], summary["unsafe_left"], summary["records"]) == (True, 0, 6000)
    assert summary["combinations"][0]["threshold"]["unsafe_records"] == 5845
    assert summary["suppression"]["total"] == 11524  # 9575 while the records of others counted as the cell's own


def test_three_proposals_of_the_guidance_make_nearly_all_persons_in_communes_safe(examples: Path) -> None:
    session, recipe = Session(), load(examples / "communes" / "communes.pavo")
    assert len(session.derive(recipe).columns["COMMUNE"].codes) == 301, "300 communes, and missing"
    found = []
    for _ in range(3):
        best = advice_on(session, recipe).candidates[0]
        assert best.coarser is not None
        found.append((best.variable, best.coarser.kind, best.coarser.by, best.unsafe))
        recipe = best.applied_to(recipe, 0)
    assert found == [
        ("COMMUNE", "prefix", 2, (5845, 3881)),
        ("AGE", "bands", 20, (3881, 883)),
        ("INDUSTRY", "prefix", 1, (883, 311)),
    ]
    assert unsafe_of(session, recipe) == 311, "below one in ten"
