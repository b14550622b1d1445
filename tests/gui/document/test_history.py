"""Undo and redo against a plain model: two stacks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.recipe.model import Recipe, Threshold
from gui.document.history import History


def recipe(number: int) -> Recipe:
    return Recipe(threshold=Threshold(unsafe_records=number))


def number(history: History) -> int | None:
    return history.recipe.threshold.unsafe_records


operations = st.lists(
    st.one_of(
        st.tuples(st.just("commit"), st.integers(0, 5)), st.tuples(st.sampled_from(["undo", "redo"]), st.just(0))
    ),
    max_size=40,
)


@given(operations)
def test_undo_and_redo_are_two_stacks(todo: list[tuple[str, int]]) -> None:
    history = History("start", recipe(0))
    past, now, future = [], 0, []
    for what, value in todo:
        if what == "commit" and value != now:
            past, now, future = [*past, now], value, []
        elif what == "undo" and past:
            past, now, future = past[:-1], past[-1], [now, *future]
        elif what == "redo" and future:
            past, now, future = [*past, now], future[0], future[1:]
        if what == "commit":
            history.commit(f"to {value}", recipe(value))
        else:
            history.jump(history.index + (1 if what == "redo" else -1))
        assert number(history) == now
        assert history.can_undo == bool(past)
        assert history.can_redo == bool(future)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_consecutive_commits_with_one_key_are_one_step(values: list[int]) -> None:
    history = History("start", recipe(0))
    for value in values:
        history.commit(f"to {value}", recipe(value), "threshold 0")
    assert len(history.steps) == 2
    assert number(history) == values[-1]
    history.jump(0)
    assert number(history) == 0


def test_merging_back_to_where_it_began_leaves_no_step() -> None:
    history = History("start", recipe(0))
    history.commit("to 1", recipe(1), "key")
    history.commit("to 0", recipe(0), "key")
    assert [step.label for step in history.steps] == ["start"]


def test_another_key_an_undo_or_a_save_ends_merging() -> None:
    history = History("start", recipe(0))
    history.commit("a", recipe(1), "one")
    history.commit("b", recipe(2), "two")
    assert len(history.steps) == 3
    history.end_merging()
    history.commit("c", recipe(3), "two")
    assert len(history.steps) == 4
    history.jump(2)
    history.commit("d", recipe(4), "two")
    assert [number.label for number in history.steps] == ["start", "a", "b", "d"]


def test_what_is_amended_belongs_to_its_step_and_leaves_what_was_undone() -> None:
    history = History("start", recipe(0))
    history.commit("one", recipe(1))
    history.commit("two", recipe(2))
    history.jump(1)
    assert history.amend(recipe(7))
    assert not history.amend(recipe(7))
    assert [step.label for step in history.steps] == ["start", "one", "two"]
    assert (number(history), history.can_redo) == (7, True)
    history.jump(0)
    assert number(history) == 0
