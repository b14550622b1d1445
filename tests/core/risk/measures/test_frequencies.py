from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.recipe.model import Combination, Input, MissingRule, Recipe
from core.release.run import carry_out
from core.risk.individual import individual_risk
from core.session import Session
from tests.core.risk.measures.taken import ROWS, RULES, taken
from tests.naive_tables import Row


@given(ROWS, st.floats(0.01, 1), st.floats(0, 1), st.sampled_from(RULES))
def test_figures_by_the_definition(rows: list[Row], above: float, share: float, rule: str) -> None:
    (cells, index), evaluation = taken("frequencies", rows, missing_rule=rule, above=above, risks=True)
    found = dict(evaluation.figures)
    risks = individual_risk(cells.f, cells.F)[index.of_record]
    assert_array_equal(index.spread(evaluation.columns["risk", ""]), risks)
    known = risks[~np.isnan(risks)]
    judged = {row for row in rows if rule != "listwise" or None not in row}
    assert found["cells"] == len(judged)
    sizes = cells.f[index.of_record]
    counted = sizes[~np.isnan(sizes)]
    assert found["records"] == len(counted)
    assert found["profile"] == {str(k): (counted < k).sum() for k in range(2, 11)}
    assert found["violations"] == found["profile"]["3"]
    assert [found[name] for name in ("unique", "below_5", "below_10")] == [(counted < k).sum() for k in (2, 5, 10)]
    if not len(known):
        assert "max" not in found and "share" not in found
        return
    assert (found["share"], found["share_of_file"]) == (found["unique"] / len(counted), found["unique"] / len(rows))
    assert found["max"] == known.max()
    assert found["expected"] == pytest.approx(known.sum())
    assert found["mean"] == pytest.approx(known.mean())
    assert found["n_above"] == (known > above * (1 + 1e-12)).sum()
    assert found["share_above"] == found["n_above"] / len(known)
    by_quantile = taken("frequencies", rows, missing_rule=rule, quantile=share)[1].figures["n_above"]
    # numpy's default is type 7
    assert by_quantile == (known > np.quantile(known, share) * (1 + 1e-9)).sum()


def test_keys_that_listwise_leaves_out_are_not_counted(tmp_path: Path) -> None:
    rows = [(0, 0), (0, 0), (1, 2), (None, 2), (1, None)]
    found = {rule: taken("frequencies", rows, missing_rule=rule)[1].figures["cells"] for rule in RULES}
    assert found == {"observed": 4, "wildcard": 4, "category": 4, "listwise": 2}
    (tmp_path / "d.csv").write_text("A,B\n0,0\n0,0\n1,2\n,2\n1,\n", encoding="utf-8")
    for rule, cells in found.items():
        combination = Combination(("A", "B"), model="k-anonymity", k=2, missing_rule=cast(MissingRule, rule))
        recipe = Recipe(input=Input(data=tmp_path / "d.csv"), combinations=(combination,))
        (told,) = carry_out(Session(), recipe).summary["combinations"]
        assert told["cells"] == cells
