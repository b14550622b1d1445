"""What an intruder finds: against every pair of records, and by hand."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import PavoError
from core.recipe.model import Combination, Input, Measure, Output, Recipe, Recode, Suppression, VariableEdit
from core.release.run import carry_out
from core.risk.measures.matching import Attack, matches
from core.risk.measures.prediction import predicted
from core.session import Session
from tests.naive_tables import Row, columns_of

CARDS = (2, 3, 2)
ROW = st.tuples(*(st.none() | st.integers(0, card - 1) for card in CARDS))


def fits(one: Row, other: Row) -> bool:
    return all(a == b or a is None or b is None for a, b in zip(one, other, strict=True))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(ROW, st.sets(st.integers(0, 2))), min_size=1, max_size=15))
def test_matching_is_that_of_every_pair(drawn: list[tuple[Row, set[int]]]) -> None:
    rows = [row for row, _gone in drawn]
    safe = [tuple(None if j in gone else v for j, v in enumerate(row)) for row, gone in drawn]
    original, released = columns_of(rows, CARDS), columns_of(safe, CARDS)
    attack, back = Attack.of(original, released), matches(released, original)
    for i, row in enumerate(rows):
        fitting = [k for k, other in enumerate(safe) if fits(row, other)]
        fewest = min(safe[k].count(None) for k in fitting)
        nearest = [k for k in fitting if safe[k].count(None) == fewest]
        assert attack.fitting[i] == len(fitting)
        assert attack.right[i] == (1 / len(nearest) if i in nearest else 0)
        assert (bool(attack.alone[i]), bool(attack.pinned[i])) == (len(nearest) == 1, nearest == [i])
        assert back.fitting[i] == sum(fits(safe[i], other) for other in rows)


def test_a_file_that_nobody_fits() -> None:
    found = matches(columns_of([(0,)], (2,)), columns_of([(1,)], (2,)))
    assert (found.fitting.tolist(), found.least.tolist(), found.nearest.tolist()) == ([0], [-1], [0])


def test_values_are_predicted_by_one_two_and_all_variables() -> None:
    """X is A xor B: neither tells it alone; the two of them do. C tells it nearly."""
    rows = [(a ^ b, a, b, (a ^ b) if i else 1 - (a ^ b)) for i in range(4) for a in (0, 1) for b in (0, 1)]
    safe = [(None, *row[1:]) if i < 3 else row for i, row in enumerate(rows)]
    original, released = columns_of(rows, (2, 2, 2, 2)), columns_of(safe, (2, 2, 2, 2))
    found = predicted(original[0], released[0], released[1:3])
    names = [column.name for column in released]
    assert (found["variable"], found["blanks"]) == (names[0], 3)
    assert found["pair"] == {"right": 3, "by": names[1:3]} and found["single"]["right"] < 3
    alone = predicted(original[0], released[0], released[3:])
    assert alone["single"]["by"] == names[3:] and "pair" not in alone and "together" not in alone
    assert predicted(original[1], released[1], released[2:]) == {}
    clear = [(x, x, x) for x in (0, 1)] * 5
    hidden = columns_of([(None, *row[1:]) if i < 4 else row for i, row in enumerate(clear)], (2, 2, 2))
    assert predicted(columns_of(clear, (2, 2, 2))[0], hidden[0], hidden[1:])["together"] == 4


def test_in_a_recipe_that_protects_and_in_one_that_does_not(tmp_path: Path) -> None:
    """All keys twice but one: its second value goes, and nothing else could stand there."""
    rows = [("1", "1"), ("1", "2"), ("2", "1")] * 2 + [("2", "2")]
    (tmp_path / "d.csv").write_text("A,B,C\n" + "".join(f"{a},{b},{a}\n" for a, b in rows))
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=tuple(VariableEdit(name, missing=("9",)) for name in "ABC"),
        combinations=(Combination(("A", "B"), model="frequency", count_threshold=1),),
        suppression=Suppression("entropy"),
        measures=(Measure("intruder", ("A", "B"), (("known", ("C",)),)),),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "r.html"),
    )
    (found,) = carry_out(Session(), recipe).summary["measures"]
    assert (found["targets"], found["blanks"], found["certain_blanks"]) == (7, 1, 1)
    assert found["candidates"] == {"1": 1}
    lost = found["predicted"][0]["variable"]
    assert found["pinned"] == found["alone"] == 1  # whoever is sought has nobody whole, and one with a blank
    assert found["nearest"] == pytest.approx(6 / 2 + 1)
    assert found["right_unique"] == 1 and found["one_original"] == 1
    assert found["order"] == [{"variable": lost, "blanks": 1, "right": 0, "chance": found["order"][0]["chance"]}]
    assert "What somebody finds in the safe file" in (tmp_path / "r.html").read_text(encoding="utf-8")
    bare = recipe.with_(output=Output(summary=tmp_path / "s.json"))
    (found,) = carry_out(Session(), bare).summary["measures"]
    assert (found["blanks"], found["predicted"], found["pinned"]) == (0, [], 1)
    assert "certain_blanks" not in found
    assert np.isclose(found["right"], 4)


def test_people_of_a_register_are_looked_for_after_the_recodes_of_the_file(tmp_path: Path) -> None:
    """Ages in groups of ten: Z is not in the file, D lives elsewhere now, C shares his group with nobody."""
    (tmp_path / "d.csv").write_text("ID,A,B\nA,31,x\nB,38,x\nC,44,x\nD,52,y\n")
    (tmp_path / "people.csv").write_text("B,ID,A\nx,C,44\nx,A,31\nw,D,52\nx,Z,41\n")
    scheme = "30:30-39\n40:40-49\n50:50-59"

    def found(**said: object) -> dict[str, object]:
        known = tuple(sorted({"targets": tmp_path / "people.csv", **said}.items()))
        recipe = Recipe(
            input=Input(data=tmp_path / "d.csv"),
            variables=(VariableEdit("ID", role="direct-identifier"),),
            recodes=(Recode("A", scheme=scheme),),
            measures=(Measure("intruder", ("A", "B"), known),),
            output=Output(report=tmp_path / "r.html"),
        )
        figures: dict[str, object] = carry_out(Session(), recipe).summary["measures"][0]
        return figures

    named = found(identifier=("ID",))
    said = {"targets": 4, "in_file": 3, "fit_none": 1, "fit_one": 2, "right": 1.5, "right_unique": 1, "wrong_unique": 1}
    assert {name: named[name] for name in said} == said
    assert named["targets_sha256"] == sha256((tmp_path / "people.csv").read_bytes()).hexdigest()
    unnamed = found()
    assert (unnamed["right_if_there"], unnamed["one_target"]) == (2.5, 2)
    assert "right" not in unnamed and "in_file" not in unnamed
    (tmp_path / "people.csv").write_text("B,ID\nx,C\n")
    with pytest.raises(PavoError, match="has no variable A"):
        found()
