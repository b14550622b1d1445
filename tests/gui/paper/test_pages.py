"""Rows on pages: nothing is cut, nothing stands alone that belongs to the next, headers are repeated."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gui.paper.pages import Page, Row, pages_of


def nothing(_painter: object, _left: float, _top: float) -> None:
    """Draw nothing."""


def row(height: float = 10.0, **more: object) -> Row:
    return Row(height, nothing, **more)  # type: ignore[arg-type]


def tops(page: Page) -> list[float]:
    return [top for top, _row in page.rows]


def test_rows_follow_each_other_and_go_on_on_the_next_page() -> None:
    pages = pages_of([row(space=5.0) for _ in range(7)], 50.0, 30.0)
    assert [tops(page) for page in pages] == [[0.0, 15.0, 30.0], [0.0, 15.0, 30.0], [0.0]]


def test_a_heading_goes_with_what_it_is_of() -> None:
    pages = pages_of([row(35.0), row(keep=True), row(), row()], 50.0, 30.0)
    assert [len(page.rows) for page in pages] == [1, 3]


def test_a_header_is_repeated_where_a_page_begins_inside_a_table() -> None:
    header = row(keep=True)
    body = [row(head=(header,)) for _ in range(6)]
    pages = pages_of([header, *body], 40.0, 30.0)
    assert [[each is header for _top, each in page.rows] for page in pages] == [[True, False, False, False]] * 2


def test_wide_rows_stand_on_pages_of_their_own() -> None:
    pages = pages_of([row(), row(wide=True), row(20.0, wide=True), row(wide=True), row()], 50.0, 30.0)
    assert [(page.wide, len(page.rows)) for page in pages] == [(False, 1), (True, 2), (True, 1), (False, 1)]


def test_what_is_higher_than_a_page_when_kept_together_is_parted() -> None:
    pages = pages_of([row(keep=True) for _ in range(12)], 50.0, 30.0)
    assert [len(page.rows) for page in pages] == [5, 5, 2]


rows = st.lists(
    st.builds(
        row,
        st.floats(0.5, 40.0),
        space=st.floats(0.0, 9.0),
        keep=st.booleans(),
        head=st.sampled_from([(), (row(5.0, keep=True),)]),
        wide=st.booleans(),
    ),
    max_size=40,
)


@given(rows)
def test_no_row_is_lost_and_none_goes_over_the_end(given_rows: list[Row]) -> None:
    pages = pages_of(given_rows, 60.0, 50.0)
    heads = {id(head) for each in given_rows for head in each.head}
    placed = [each for page in pages for _top, each in page.rows if id(each) not in heads]
    assert [id(each) for each in placed] == [id(each) for each in given_rows]
    for page in pages:
        limit = 50.0 if page.wide else 60.0
        assert all(top + each.height <= limit + 1e-9 for top, each in page.rows)
        assert page.rows == sorted(page.rows, key=lambda placed: placed[0])


def test_a_row_keeps_what_it_draws() -> None:
    kept = replace(row(), anchor="files")
    assert pages_of([kept], 50.0, 30.0)[0].rows[0][1] is kept
