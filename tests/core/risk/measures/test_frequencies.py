from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.risk.individual import individual_risk
from tests.core.risk.measures.taken import ROWS, RULES, taken
from tests.naive_tables import Row


@given(ROWS, st.floats(0.01, 1), st.floats(0, 1), st.sampled_from(RULES))
def test_figures_by_the_definition(rows: list[Row], above: float, share: float, rule: str) -> None:
    (cells, index), evaluation = taken("frequencies", rows, missing_rule=rule, above=above, risks=True)
    found = dict(evaluation.figures)
    risks = individual_risk(cells.f, cells.F)[index.of_record]
    assert_array_equal(index.spread(evaluation.columns["risk", ""]), risks)
    known = risks[~np.isnan(risks)]
    assert found["cells"] == len(set(rows))
    assert found["sample_uniques"] == (cells.f[index.of_record] == 1).sum()
    if not len(known):
        assert list(found) == ["cells", "sample_uniques"]
        return
    assert found["max"] == known.max()
    assert found["expected"] == pytest.approx(known.sum())
    assert found["mean"] == pytest.approx(known.mean())
    assert found["n_above"] == (known > above * (1 + 1e-12)).sum()
    assert found["share_above"] == found["n_above"] / len(known)
    by_quantile = taken("frequencies", rows, missing_rule=rule, quantile=share)[1].figures["n_above"]
    # numpy's default is type 7
    assert by_quantile == (known > np.quantile(known, share) * (1 + 1e-9)).sum()
