"""The guide's tutorials are carried out as they stand: every button is there, and every figure is the one they say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docs.guide_walk import GUIDE, PAGES, Walk
from gui.main_window.window import MainWindow


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_shows_what_it_says(page: str, open_window: Callable[..., MainWindow]) -> None:
    text = (GUIDE / f"{page}.md").read_text("utf-8")
    assert Walk(open_window()).follow(text) == text


def test_a_tutorial_with_another_figure_is_found(open_window: Callable[..., MainWindow]) -> None:
    walk = Walk(open_window())
    done = walk.follow("Press **Try the Demonstration Survey**. You read “329 of 5,003 records are unsafe, mainly”.")
    assert "“329 of 5,002 records are unsafe" in done
    with pytest.raises(LookupError, match="Try something else"):
        walk.follow("Press **Try something else**.")
