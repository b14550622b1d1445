"""Values kept as masks are those that plain flags say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.data.times import Times
from core.suppression.plan import ValueMasks

Flags = dict[str, NDArray[np.bool_]]


@st.composite
def flags_by_variable(draw: st.DrawFn) -> Flags:
    """Up to 70 variables, so that one integer does not hold all, of up to 12 rows."""
    rows, variables = draw(st.integers(0, 12)), draw(st.integers(0, 9) | st.just(70))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return {f"v{i}": rng.random(rows) < 0.4 for i in range(variables)}


def as_sets(values: ValueMasks) -> dict[str, list[bool]]:
    return {name: flags.tolist() for name, flags in values.items()}


@given(flags_by_variable())
def test_masks_give_back_the_flags_they_were_made_of(flags: Flags) -> None:
    values = ValueMasks.of_flags(flags)
    assert as_sets(values) == {name: each.tolist() for name, each in flags.items()}
    assert [*values] == [*flags] and len(values) == len(flags)
    assert "other" not in values and values.get("other") is None
    some = [each.tolist() for each in flags.values()]
    assert values.touched.tolist() == [any(row) for row in zip(*some, strict=True)]


@given(flags_by_variable(), st.data())
def test_masks_of_some_variables_have_the_bits_asked_for(flags: Flags, data: st.DataObject) -> None:
    rows = len(next(iter(flags.values()), ()))
    names = data.draw(st.lists(st.sampled_from([*flags, "other"]), unique=True, max_size=20))
    masks = ValueMasks.of_flags(flags).masks_of(tuple(names), rows)
    assert len(masks) == rows
    for row, mask in enumerate(masks.tolist()):
        assert mask == sum(1 << j for j, name in enumerate(names) if name in flags and flags[name][row])


@given(flags_by_variable(), st.data())
def test_rows_counts_and_groups_follow_the_flags(flags: Flags, data: st.DataObject) -> None:
    rows = len(next(iter(flags.values()), ()))
    values = ValueMasks.of_flags(flags)
    records = np.array(data.draw(st.lists(st.integers(1, 5), min_size=rows, max_size=rows)), np.int64)
    assert values.by_variable() == {name: int(each.sum()) for name, each in flags.items()}
    assert values.by_variable(Times(records)) == {name: int(records[each].sum()) for name, each in flags.items()}
    some = np.array(data.draw(st.lists(st.integers(0, rows - 1), max_size=9) if rows else st.just([])), np.int64)
    assert as_sets(values.of_rows(some)) == {name: each[some].tolist() for name, each in flags.items()}
    more = {"other": records > 2}
    assert as_sets(values.with_flags(more)) == {n: each.tolist() for n, each in (flags | more).items()}
