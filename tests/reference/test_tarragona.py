"""Numerical measures on the Tarragona file and two releases of it, against sdcMicro 5.8.1 (numeric-tarragona.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.recipe.model import Input, Measure, Recipe
from core.release.run import carry_out
from core.session import Session

MDAV, NOISE = "pert_Tarragona_mdav3.csv", "pert_Tarragona_additive10.csv"


def figures(shared: Path, kind: str, released: str, **said: Any) -> dict[str, Any]:
    data = shared / "data" / "Tarragona.csv"
    names = tuple(data.read_text("ascii").splitlines()[0].replace('"', "").split(","))
    measure = Measure(kind, names, tuple(sorted({"released": shared / "data" / released, **said}.items())))
    found: dict[str, Any] = carry_out(Session(), Recipe(Input(data), measures=(measure,))).summary["measures"][0]
    return found


DRISK = [(MDAV, 0.05, 38), (MDAV, 0.1, 216), (MDAV, 0.01, 0), (NOISE, 0.05, 0), (NOISE, 0.1, 9), (NOISE, 0.001, 0)]


@pytest.mark.parametrize(("released", "width", "inside"), DRISK)
def test_interval_disclosure_is_drisk(shared: Path, released: str, width: float, inside: int) -> None:
    found = figures(shared, "interval", released, width=width, compat="sdcmicro")
    assert (found["n_inside"], found["inside"]) == (inside, inside / 834)


ONE_TO_ONE = [(MDAV, 107 + 2 / 3, 138), (NOISE, 284.0, 286)]


@pytest.mark.parametrize(("released", "mean", "solver"), ONE_TO_ONE)
def test_one_to_one_in_the_units_of_the_variables(shared: Path, released: str, mean: float, solver: int) -> None:
    """sdcMicro counts one solution; ours is the mean over ways of giving equal records to equal ones.

    Of the groups of three equal records of microaggregation one in three is right by chance; sdcMicro's solver gives
    them in the order of the file, so more of them. Between original and noise only equal originals differ.
    """
    found = figures(shared, "record-linkage", released, method="one-to-one", compat="sdcmicro")
    assert found["linked"] == pytest.approx(mean, abs=3)
    assert found["linked"] <= solver


def test_the_nearest_record_of_the_standardised_file(shared: Path) -> None:
    """By every pair of records, worked out apart: 712 / 3 and 486."""
    assert figures(shared, "record-linkage", MDAV)["linked"] == pytest.approx(712 / 3)
    found = figures(shared, "record-linkage", NOISE)
    assert (found["linked"], found["share"], found["alone"]) == (486, 486 / 834, 486)
