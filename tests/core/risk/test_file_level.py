from __future__ import annotations

import numpy as np

from core.risk.file_level import unsafe_records_by_variable


def test_each_record_counts_once_for_each_variable() -> None:
    by_count = {"A": np.array([True, False, False]), "B": np.array([False, False, False])}
    judged = [(("A", "C"), np.array([True, True, False])), (("C",), np.array([False, False, True]))]
    assert unsafe_records_by_variable(by_count, judged) == {"A": 2, "B": 0, "C": 3}
    assert by_count["A"].tolist() == [True, False, False]


def test_by_count_only() -> None:
    assert unsafe_records_by_variable({"A": np.array([True, True])}) == {"A": 2}
