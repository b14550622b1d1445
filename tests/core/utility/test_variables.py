"""Distributions, associations and the figures of sdcMicro, against plain twins and published figures."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.sections_utility import told_of_too_large
from core.utility import sdcmicro
from core.utility.associations import association, association_matrix
from core.utility.compared import joint_codes
from core.utility.distributions import variable_utility
from core.utility.moments import weighted_mean, weighted_quantiles
from core.whatif.utility import file_utility
from tests.core.utility.inputs import column, file, variable

rng = np.random.default_rng(3)


def twin_v(a: list[object], b: list[object], w: list[float]) -> float | None:
    """Cramér's V from the χ² of the table, cell by cell."""
    complete = [(x, y, z) for x, y, z in zip(a, b, w, strict=True) if x is not None and y is not None]
    rows, columns = sorted({x for x, _, _ in complete}), sorted({y for _, y, _ in complete})
    if min(len(rows), len(columns)) < 2:
        return None
    total, chi = sum(z for _, _, z in complete), 0.0
    for x in rows:
        for y in columns:
            seen = sum(z for r, c, z in complete if (r, c) == (x, y))
            expected = sum(z for r, _, z in complete if r == x) * sum(z for _, c, z in complete if c == y) / total
            chi += (seen - expected) ** 2 / expected
    return math.sqrt(chi / total / (min(len(rows), len(columns)) - 1))


codes = st.lists(
    st.tuples(st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "a", "b"]), st.integers(1, 4)), min_size=1
)


@given(codes)
def test_cramers_v_is_that_of_the_chi_squared_of_the_table(records: list[tuple[object, object, int]]) -> None:
    a, b, w = (list(each) for each in zip(*records, strict=True))
    found = association(variable("A", a), variable("B", b), np.array(w, float), False)
    assert found == (None if (twin := twin_v(a, b, w)) is None else pytest.approx(twin, abs=1e-7))


def test_association_of_numbers_is_pearsons_and_of_a_number_with_groups_eta() -> None:
    x, y, g = rng.normal(size=40), rng.normal(size=40), rng.integers(0, 3, 40)
    weights = np.repeat([1, 3], 20)
    a, b = variable("X", x.tolist(), number=True), variable("Y", y.tolist(), number=True)
    groups = variable("G", g.tolist())
    # a weight of 3 is the same record three times
    xx, yy, gg = (np.repeat(each, weights) for each in (x, y, g))
    assert association(a, b, weights.astype(float), False) == pytest.approx(np.corrcoef(xx, yy)[0, 1], rel=1e-12)
    between = sum((gg == k).sum() * (xx[gg == k].mean() - xx.mean()) ** 2 for k in range(3))
    eta = math.sqrt(between / ((xx - xx.mean()) ** 2).sum())
    assert association(a, groups, weights.astype(float), False) == pytest.approx(eta, rel=1e-12)
    assert association(groups, a, weights.astype(float), True) == pytest.approx(eta, rel=1e-12)
    matrix = association_matrix(file(a, b, groups, weights=weights), ("X", "Y", "G"))
    assert matrix.before[2, 0] == matrix.before[0, 2] == pytest.approx(eta)
    assert np.isnan(np.diag(matrix.before)).all() and not np.nan_to_num(matrix.change).any()


def test_what_does_not_vary_has_no_association() -> None:
    constant, other = variable("C", [1, 1, 1]), variable("D", [1, 2, 3])
    number = variable("N", [1, 2, None], number=True)
    ones = np.ones(3)
    assert association(constant, other, ones, False) is None
    assert association(constant, number, ones, False) == 0.0
    assert association(variable("E", [None] * 3), number, ones, False) is None
    assert association(variable("K", [5, 5, 5], number=True), number, ones, False) is None


def test_a_distribution_of_categories_with_what_was_suppressed() -> None:
    sex = variable("SEX", [1, 1, 2, 2, None], [1, None, 2, 2, None])
    found = variable_utility(sex, (np.array([1.0, 1, 1, 1, 5]), np.array([1.0, 1, 1, 1, 5])))
    assert found.codes == ("1", "2") and found.shares == ((0.5, 0.5), (1 / 3, 2 / 3))
    by_hand = math.sqrt(((math.sqrt(1 / 2) - math.sqrt(1 / 3)) ** 2 + (math.sqrt(1 / 2) - math.sqrt(2 / 3)) ** 2) / 2)
    assert found.hellinger == pytest.approx(by_hand, rel=1e-14)
    assert (found.missing, found.added, found.changed) == ((1, 2), 1, 1)
    assert found.recode_removed is None


def test_a_distribution_of_a_number() -> None:
    income = variable("INC", ["10", "20", "20.0", "90"], ["10.0", "25", "20", ">50"], number=True)
    found = variable_utility(income, (np.array([1.0, 1, 1, 1]), np.array([2.0, 1, 1, 1])))
    assert found.means == (35.0, (2 * 10 + 25 + 20) / 4)
    assert found.quantiles == ((10, 10, 20, 20, 90), (10, 10, 10, 20, 25))
    assert found.changed == 2  # not those that are only written otherwise
    assert found.shares[0] == (0.25, 0.5, 0.0, 0.25) and found.shares[1] == (0.5, 0.25, 0.25, 0.0)
    assert len(found.edges) == 5 and found.edges[1:4] == (15.0, 22.5, 57.5)
    nothing = variable_utility(variable("N", [1, 2], [None, None], number=True), (np.ones(2), np.ones(2)))
    assert nothing.hellinger == 1.0 and nothing.means == (1.5, None) and nothing.added == 2


def test_classes_of_many_values_hold_all_of_both_files() -> None:
    before = rng.lognormal(size=500)
    after = before * rng.normal(1, 0.1, 500)
    both = variable("X", before.tolist(), after.tolist(), number=True)
    found = variable_utility(both, (np.ones(500), np.ones(500)))
    assert len(found.shares[0]) == len(found.edges) - 1 <= 30
    assert math.fsum(found.shares[0]) == pytest.approx(1) and math.fsum(found.shares[1]) == pytest.approx(1)
    assert found.edges[0] == min(before.min(), after.min()) and 0 < found.hellinger < 0.2


def test_a_recode_says_what_share_of_the_entropy_it_took() -> None:
    from core.utility.compared import ComparedVariable

    detailed, coarse = column("A", ["1", "2", "3", "4"]), column("A", ["1", "1", "2", "2"])
    assert ComparedVariable(coarse, coarse, unrecoded=detailed).recode_removed == 0.5
    assert ComparedVariable(coarse, coarse, unrecoded=coarse).recode_removed == 0.0


def test_means_and_quantiles_of_nothing_are_none() -> None:
    nothing = np.full(3, np.nan)
    assert weighted_mean(nothing, np.ones(3)) is None and weighted_quantiles(nothing, np.ones(3), (0.5,)) == ()
    assert weighted_quantiles(np.array([3.0, 1, 2]), np.array([1.0, 1, 1]), (1 / 3, 0.5, 1.0)) == (1, 2, 3)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=1))
def test_joint_codes_are_the_distinct_combinations(records: list[tuple[int, int, int]]) -> None:
    places, sizes = [np.array(each, np.int64) for each in zip(*records, strict=True)], (2, 3, 1)
    found = joint_codes(places, sizes, whole=False)
    assert [tuple(key) for key in found.keys.tolist()] == sorted(set(records))
    assert [tuple(found.keys[place].tolist()) for place in found.of_record] == records
    whole = joint_codes(places, sizes)
    complete = [record for record in records if all(map(int.__lt__, record, sizes))]
    assert [tuple(key) for key in whole.keys.tolist()] == sorted(set(complete))
    assert whole.sums(np.ones(len(records))).tolist() == [complete.count(key) for key in sorted(set(complete))]


def test_the_figures_of_sdcmicro(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "perturbation.json").read_text())
    tiny = golden["tiny"]
    x, y = (np.array(tiny[name], float).T for name in "xy")
    assert sdcmicro.il1(x, y) == pytest.approx(tiny["IL1"], rel=1e-10)
    assert sdcmicro.il1s(x, y) == pytest.approx(tiny["IL1s"], rel=1e-10)
    assert sdcmicro.il1_mean(x, y) == pytest.approx(tiny["IL1old"], rel=1e-10)
    assert sdcmicro.eigenvalue_distance(x, y) == pytest.approx(tiny["eigen"], rel=1e-10)
    assert sdcmicro.correlation_loss(x, y) == pytest.approx(tiny["IL_correl"], abs=1e-10)
    assert sdcmicro.inside_intervals(x, y, 0.1) == pytest.approx(tiny["dRisk_0.1"], rel=1e-10)

    def read(name: str) -> np.ndarray:
        with (shared / "data" / name).open() as lines:
            return np.array(list(csv.reader(lines))[1:], float)

    x, y, figures = read("Tarragona.csv"), read("pert_Tarragona_mdav3.csv"), golden["tarragona"]["mdav_3"]
    # the released file was written with fifteen digits
    assert sdcmicro.il1(x, y) == pytest.approx(figures["IL1"], rel=1e-10)
    assert sdcmicro.il1s(x, y) == pytest.approx(figures["IL1s"], rel=1e-10)
    assert sdcmicro.il1_mean(x, y) == pytest.approx(figures["IL1old"], rel=1e-10)
    assert sdcmicro.eigenvalue_distance(x, y) == pytest.approx(figures["eigen"], rel=1e-10)
    assert sdcmicro.correlation_loss(x, y) == pytest.approx(figures["IL_correl"], rel=1e-10)
    for width in (0.01, 0.05, 0.1):
        assert sdcmicro.inside_intervals(x, y, width) == pytest.approx(figures[f"dRisk_{width}"], rel=1e-10)


def test_numbers_beyond_all_reckoning_are_left_out_and_told() -> None:
    """Their squares would be infinite, and a table would have inf or nan in it."""
    income = ["1", "2", "1e300", "4", "5", "-1e300", "7", "8e71"]
    changed = ["1", "2", "2e300", "4", "6", "", "7", "8e71"]
    plain = [str(i) for i in range(8)]
    whole = file(variable("X", income, changed, True), variable("Y", plain, number=True))
    with np.errstate(all="raise"):
        found = file_utility(whole, ["X", "Y"])
    assert found.too_large == ("X",)
    x = found.variables[0]
    assert x.means == (pytest.approx(19 / 5), pytest.approx(20 / 5))
    assert x.changed == 3
    assert np.isfinite(np.array([*x.quantiles[0], *x.quantiles[1], *x.edges, x.hellinger])).all()
    off_diagonal = ~np.eye(2, dtype=bool)
    assert np.isfinite(found.associations.before[off_diagonal]).all()
    assert np.isfinite(found.propensity_by_pair).all()
    assert "X: numbers beyond 1e+70 are left out" in told_of_too_large(found)
