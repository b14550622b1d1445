from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.tables.sdcmicro_frequencies import sdcmicro_frequencies
from core.tables.tabulate import tabulate_records
from tests import naive_tables as naive
from tests.naive_tables import Row


def partners(rows: list[Row], mine: Row, alpha: float) -> list[float]:
    """How much each record counts, by the description of sdcMicro's freqCalc."""
    counts = []
    for other in rows:
        compatible = all(a is None or b is None or a == b for a, b in zip(mine, other, strict=True))
        nameless = all(b is None for b in other)
        if all(a is None for a in mine) or other == mine:
            counts.append(1.0)
        elif not compatible or (None not in mine and nameless and len(mine) > 1):
            counts.append(0.0)
        else:
            counts.append(1.0 if None in mine and None not in other else alpha)
    return counts


@given(
    st.integers(1, 3).flatmap(
        lambda k: st.lists(st.tuples(*[st.sampled_from([None, 0, 1])] * k), min_size=1, max_size=10)
    ),
    st.sampled_from([0.0, 0.25, 1.0]),
)
def test_by_the_description(rows: list[Row], alpha: float) -> None:
    weights = [Fraction(10 * (i + 1)) for i in range(len(rows))]
    cells, index = tabulate_records(naive.columns_of(rows, [2] * len(rows[0])), naive.weights_of(weights))
    f, population = sdcmicro_frequencies(cells, alpha)
    for record, row in enumerate(rows):
        cell = index.of_record[record]
        shares = partners(rows, row, alpha)
        assert_allclose(f[cell], sum(shares))
        assert_allclose(population[cell], sum(s * float(w) for s, w in zip(shares, weights, strict=True)))
