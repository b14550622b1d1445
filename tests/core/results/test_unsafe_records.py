"""Unsafe records of a variable, counted record by record."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.recipe.model import Combination, Input, Recipe, Threshold
from core.results.unsafe_records import unsafe_counts
from core.session import Session

NAMES = ("A", "B", "C", "D")
Rows = list[tuple[str, ...]]

rows = st.lists(st.tuples(*[st.sampled_from(["1", "2", "3", ""]) for _ in NAMES]), min_size=1, max_size=25)


def _frequency(data: Rows, record: int, places: tuple[int, ...]) -> int:
    """Records with the same codes; 0 where one of them is missing."""
    values = [data[record][place] for place in places]
    return 0 if "" in values else sum(all(row[p] == v for p, v in zip(places, values, strict=True)) for row in data)


def _by_frequency(data: Rows, record: int, place: int, table: tuple[int, ...]) -> bool:
    margins = (m for size in range(1, len(table) + 1) for m in itertools.combinations(table, size) if place in m)
    return any(1 <= _frequency(data, record, margin) <= 1 for margin in margins)


@settings(max_examples=25)
@given(rows)
def test_frequency_risk_and_k_each_judge_the_records_of_their_own_variables(data: Rows) -> None:
    combinations = (
        Combination(("A", "B"), "frequency", count_threshold=1),
        Combination(("B", "C"), "individual-risk", threshold=Threshold(individual_risk=0.5), missing_rule="category"),
        Combination(("D",), "k-anonymity", k=3, missing_rule="category"),
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.csv"
        # a column that is never empty: no line of the file is blank
        lines = [",".join((*row, "x")) for row in data]
        file.write_text("\n".join((",".join((*NAMES, "FULL")), *lines)) + "\n", encoding="utf-8")
        derived = Session().derive(Recipe(input=Input(data=file), combinations=combinations))
    n = range(len(data))
    by_frequency = {place: {i for i in n if _by_frequency(data, i, place, (0, 1))} for place in (0, 1)}
    # the whole population (no weight): the risk is 1/f, here with missing as a category, unsafe where f <= 2
    same = {i: sum(row[1:3] == data[i][1:3] for row in data) for i in n}
    by_risk = {i for i in n if 1 / same[i] >= 0.5}
    by_k = {i for i in n if sum(row[3] == data[i][3] for row in data) < 3}
    assert unsafe_counts(derived)[0] == {
        "A": len(by_frequency[0]),
        "B": len(by_frequency[1] | by_risk),
        "C": len(by_risk),
        "D": len(by_k),
    }


def test_a_risk_table_without_threshold_makes_nothing_unsafe(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("A,B\n1,1\n1,2\n2,2\n", encoding="utf-8")
    derived = Session().derive(Recipe(input=Input(data=file), combinations=(Combination(("A", "B")),)))
    assert unsafe_counts(derived)[0] == {"A": 0, "B": 0}
