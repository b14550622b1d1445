"""What a perturbation left as it was, and what order and households tell of what it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.recipe.model import Output, Perturbation, Recipe, VariableEdit
from core.recipe.toml import parse
from core.session import Session
from core.warnings.perturbed_values import BY_PERSON, COUNTS_TOLD, LEFT_VALUES, ORDER, STAYED

N = 120
HOUSEHOLD = np.arange(N) // 3
RANDOM = np.random.default_rng(1)
MIXED = RANDOM.integers(1000, 9000, N)


def told(
    folder: Path,
    columns: Mapping[str, Sequence[object]],
    entry: Perturbation,
    *edits: VariableEdit,
    shuffle: bool = False,
) -> list[tuple[str, str]]:
    """Ids and variables of what is said of the perturbed columns."""
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (folder / "d.csv").write_text("\n".join(rows) + "\n")
    numbers = tuple(VariableEdit(name, numeric=True) for name in columns if name == "X")
    recipe = Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', folder).input,
        variables=(*numbers, *edits),
        perturbations=(entry,),
        output=Output(shuffle=shuffle),
    )
    found = Session(one_recipe=True).derive(recipe).notices
    return [(n.id, n.where) for n in found if n.id in (LEFT_VALUES, ORDER, BY_PERSON, STAYED, COUNTS_TOLD)]


def noise(share: float) -> Perturbation:
    return Perturbation("noise", ("X",), (("share", share),))


SWAPPED = Perturbation("rank-swapping", ("X",), (("percent", 5.0), ("within", ("G",))))


@pytest.mark.parametrize(
    ("columns", "entry", "left"),
    [
        ({"X": MIXED}, noise(0.1), False),
        ({"X": 1 + MIXED % 2}, noise(0.01), True),  # all is rounded away
        ({"X": [7] * N}, noise(0.1), True),
        ({"X": MIXED, "G": np.arange(N) % 24}, SWAPPED, True),  # 5 per cent of strata of five are no rank
        ({"X": MIXED, "G": np.arange(N) % 2}, SWAPPED, False),
        ({"C": [7] * N}, Perturbation("pram", ("C",), (("keep", 0.5),)), True),
        ({"C": MIXED % 3}, Perturbation("pram", ("C",), (("keep", 0.9),)), False),
    ],
)
def test_values_that_stay_are_told(
    tmp_path: Path, columns: dict[str, Sequence[object]], entry: Perturbation, left: bool
) -> None:
    edits = [VariableEdit(name, categorical=True) for name in columns if name != "X"]
    assert told(tmp_path, columns, entry, *edits) == ([(LEFT_VALUES, entry.variables[0])] if left else [])


def test_a_number_written_with_more_zeros_is_not_changed(tmp_path: Path) -> None:
    """All get the two decimals that one of them has."""
    columns = {"X": ["1" if i % 2 else "2" for i in range(N - 1)] + ["1.25"]}
    assert told(tmp_path, columns, Perturbation("microaggregation", ("X",), (("k", 3),))) == [(LEFT_VALUES, "X")]


def test_the_order_of_the_file_tells_what_it_is_sorted_by(tmp_path: Path) -> None:
    by_number = {"X": np.sort(MIXED)}
    assert told(tmp_path, by_number, noise(0.1)) == [(ORDER, "X")]
    assert told(tmp_path, by_number, noise(0.1), shuffle=True) == []
    pram, edit = Perturbation("pram", ("C",), (("keep", 0.5),)), VariableEdit("C", categorical=True)
    assert told(tmp_path, {"C": [3] * 40 + [1] * 40 + [2] * 40}, pram, edit) == [(ORDER, "C")]
    assert told(tmp_path, {"C": RANDOM.integers(0, 3, N)}, pram, edit) == []


def test_members_of_a_household_that_are_drawn_for_one_by_one_are_told(tmp_path: Path) -> None:
    edits = VariableEdit("HH", role="household-id"), VariableEdit("X", numeric=True, household=True)
    columns = {"HH": HOUSEHOLD, "X": MIXED[HOUSEHOLD]}
    assert told(tmp_path, columns, noise(0.1), edits[0]) == [(BY_PERSON, "X")]
    assert told(tmp_path, {"HH": HOUSEHOLD, "X": MIXED}, noise(0.1), edits[0]) == []
    assert told(tmp_path, columns, noise(0.1), *edits) == []


def test_rare_households_that_nobody_is_like_are_told(tmp_path: Path) -> None:
    region, kind = RANDOM.integers(0, 4, N)[HOUSEHOLD], RANDOM.integers(0, 2, N)[HOUSEHOLD]
    kind[:3] = 7
    said = ("geography", ("R",)), ("k", 4), ("rate", 0.2), ("risk_variables", ("T",)), ("similar", (("T",),))
    edits = [VariableEdit(name, categorical=True, household=True) for name in "RT"]
    columns = {"HH": HOUSEHOLD, "R": region, "T": kind}
    entry = Perturbation("record-swapping", (), said)
    assert told(tmp_path, columns, entry, VariableEdit("HH", role="household-id"), *edits) == [(STAYED, "R")]


@pytest.mark.parametrize(("times", "rare"), [(2, True), (3, False)])
def test_small_counts_that_follow_from_the_published_matrix_are_told(tmp_path: Path, times: int, rare: bool) -> None:
    codes = [1] * 60 + [2] * (60 - times) + [3] * times
    shuffled = np.random.default_rng(2).permutation(codes)
    entry = Perturbation("pram", ("C",), (("keep", 0.5),))
    assert told(tmp_path, {"C": shuffled}, entry, VariableEdit("C", categorical=True)) == [(COUNTS_TOLD, "C")] * rare
