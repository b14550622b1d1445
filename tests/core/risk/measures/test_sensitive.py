"""l-diversity and t-closeness against plain twins, the Practice Guide and sdcMicro."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.base.progress import SILENT
from core.recipe.model import Measure
from core.risk.measures import l_diversity
from core.risk.measures.evaluation import MeasureInput
from core.tables.tabulate import tabulate_records
from tests import naive_measures as naive
from tests.core.risk.measures.taken import CARDS, RULES, taken
from tests.naive_tables import Row, column
from tests.reference.files import TWELVE_DIGITS, golden, small_file

RECORDS = st.lists(st.tuples(*(st.none() | st.integers(0, card - 1) for card in (*CARDS, 4))), min_size=1, max_size=14)
ALPHAS = st.sampled_from([0.0, 0.25, 1.0])


def split(records: list[Row]) -> tuple[list[Row], list[int | None]]:
    return [record[:-1] for record in records], [record[-1] for record in records]


@given(RECORDS, st.sampled_from(RULES), ALPHAS, st.sampled_from([0.5, 2.0, 3.0]), st.integers(1, 4))
def test_diversity_is_that_of_the_twin(records: list[Row], rule: str, alpha: float, c: float, wanted: int) -> None:
    rows, values = split(records)
    said = {"missing_rule": rule, "c": c, "l": wanted, "beyond": 0.6} | ({"alpha": alpha} if rule == "wildcard" else {})
    table, found = taken("l-diversity", rows, {"S": column("S", values, 5)}, sensitive=("S",), **said)
    expected, largest = [], []
    for row in rows:
        counts = naive.spread(rows, values, row, rule, Fraction(alpha))
        expected.append(naive.diversity(counts, Fraction(c)) if counts else (np.nan,) * 3)
        largest += [max(counts.values()) / sum(counts.values())] if counts else []
    for place, name in enumerate(("distinct", "entropy", "recursive")):
        one = np.array([triple[place] for triple in expected], float)
        assert_allclose(found.columns[f"l_{name}", "S"][table.cell_index.of_record], one, rtol=1e-12)
        if np.isnan(one).all():
            assert found.figures[name] == {}
        else:
            assert found.figures[name]["S"] == {
                "min": pytest.approx(np.nanmin(one), rel=1e-12),
                "violations": (one < wanted * (1 - 1e-9)).sum(),
            }
    given_away = sum(share >= Fraction(6, 10) for share in largest)
    disclosed = {"S": {"records": given_away, "share": given_away / len(largest)}} if largest else {}
    assert found.figures["disclosed"] == disclosed


@given(RECORDS, st.sampled_from(RULES), ALPHAS, st.booleans())
def test_closeness_is_that_of_the_twin(records: list[Row], rule: str, alpha: float, ordered: bool) -> None:
    rows, values = split(records)
    said = {"missing_rule": rule, "ordered": ordered} | ({"alpha": alpha} if rule == "wildcard" else {})
    _table, found = taken("t-closeness", rows, {"S": column("S", values, 5)}, sensitive=("S",), **said)
    of_file = {value: Fraction(values.count(value)) for value in values if value is not None}
    spreads = (naive.spread(rows, values, row, rule, Fraction(alpha)) for row in rows)
    expected = [float(naive.distance(counts, of_file, ordered)) for counts in spreads if counts]
    if not expected:
        assert found.figures == {"max": {}, "mean": {}}
        return
    assert found.figures["max"]["S"] == pytest.approx(max(expected), rel=1e-12, abs=1e-15)
    assert found.figures["mean"]["S"] == pytest.approx(np.mean(expected), rel=1e-12, abs=1e-15)


def test_three_values_alike_are_three_diverse() -> None:
    others, said = {"S": column("S", [0, 1, 2] * 2, 3)}, {"sensitive": ("S",), "l": 3, "c": 1.0}
    _table, found = taken("l-diversity", [(0, 0)] * 6, others, **said)
    assert [found.figures[name]["S"]["violations"] for name in ("distinct", "entropy", "recursive")] == [0, 0, 6]


def test_neighbours_are_near_where_codes_are_ordered() -> None:
    rows, values = [(0, 0), (1, 0), (1, 1)], {"S": column("S", [0, 1, 2], 3)}
    by_order = taken("t-closeness", rows, values, sensitive=("S",), ordered=True)[1].figures
    assert by_order["max"]["S"] == pytest.approx(0.5)
    assert by_order["mean"]["S"] == pytest.approx((0.5 + 1 / 3 + 0.5) / 3)
    assert taken("t-closeness", rows, values, sensitive=("S",))[1].figures["mean"]["S"] == pytest.approx(2 / 3)


def test_practice_guide_table_4_3(shared: Path) -> None:
    columns, _weights = small_file(shared / "data" / "table41.csv", ("Residence", "Gender", "Educ", "Lstat", "Health"))
    table = tabulate_records(columns[:4], None)
    parameters = l_diversity.DECLARATION.used(
        Measure("l-diversity", ("Residence", "Gender", "Educ", "Lstat"), (("sensitive", ("Health",)),))
    )
    found = l_diversity.evaluate(MeasureInput(table, {"Health": columns[4]}, parameters, SILENT))
    assert found.columns["l_distinct", "Health"][table.cell_index.of_record].tolist() == [1, 1, 1, 2, 1, 2, 1, 1, 2, 2]


@pytest.mark.parametrize(("name", "c"), [("relat", 2.0), ("relat_c0.5", 0.5), ("relat_hhcivil", 2.0)])
def test_testdata_as_sdcmicro(shared: Path, name: str, c: float) -> None:
    keys, sensitive = ("urbrur", "roof", "walls", "water", "electcon", "sex"), ("relat", "hhcivil")
    columns, _weights = small_file(shared / "data" / "testdata.csv", (*keys, *sensitive))
    table, expected = tabulate_records(columns[: len(keys)], None), golden(shared, "testdata_ldiversity.json")[name]
    parameters = l_diversity.DECLARATION.used(Measure("l-diversity", keys, (("c", c), ("sensitive", sensitive))))
    others = dict(zip(sensitive, columns[len(keys) :], strict=True))
    found = l_diversity.evaluate(MeasureInput(table, others, parameters, SILENT)).columns
    compared = 0
    for variable in sensitive:
        for kind in ("Distinct", "Entropy", "Recursive"):
            theirs = expected.get(f"{variable}_{kind}_Ldiversity")
            if theirs is not None:
                ours = found[f"l_{kind.lower()}", variable][table.cell_index.of_record]
                assert_allclose(ours, theirs, rtol=TWELVE_DIGITS)
                compared += 1
    assert compared == 3 * (1 + ("hhcivil" in name))
