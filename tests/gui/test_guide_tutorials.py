"""The guide's tutorials are carried out as they stand: every button is there, and every figure is the one they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.suppression.point_forecast import point_forecast
from docs.guide_walk import GUIDE, PAGES, Walk
from gui.main_window.window import MainWindow


def _hurried(text: str) -> Callable[..., Any]:
    """Forecasts at thresholds that a text does not name are searched for shortly: their figures are not in it."""

    def forecast(table: Any, threshold: Any, columns: Any, costs: Any, rules: Any, settings: Any, *more: Any) -> Any:
        if f"**{threshold}**" not in text:
            settings = replace(settings, effort=settings.effort // 50)
        return point_forecast(table, threshold, columns, costs, rules, settings, *more)

    return forecast


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_shows_what_it_says(
    page: str, open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (GUIDE / f"{page}.md").read_text("utf-8")
    monkeypatch.setattr("core.pipeline.plan.point_forecast", _hurried(text))
    assert Walk(open_window()).follow(text) == text


def test_a_tutorial_with_another_figure_is_found(open_window: Callable[..., MainWindow]) -> None:
    walk = Walk(open_window())
    done = walk.follow("Press **Try the Demonstration Survey**. You read “329 of 5,003 records are unsafe, mainly”.")
    assert "“329 of 5,002 records are unsafe" in done
    with pytest.raises(LookupError, match="Try something else"):
        walk.follow("Press **Try something else**.")
