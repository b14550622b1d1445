"""Every kind of the registry is run from the page, with its defaults, on the demonstration survey."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.recipe.declared import Parameter
from core.risk.measures.registry import REGISTRY
from gui.main_window.window import MainWindow
from gui.risk_laboratory.window import RiskLaboratory
from gui.shared.form.choice_titles import choice_title
from tests.gui.waiting import wait_idle


def required_value(parameter: Parameter, demo: Path) -> Any:
    """What somebody would say who has to."""
    if parameter.type == "variables":
        return ("ILLNESS",)
    if parameter.type in ("integer", "number"):
        return (parameter.low or 0.0) + 1 if parameter.high is None else ((parameter.low or 0.0) + parameter.high) / 2
    if parameter.type == "file":
        return demo / "survey.asc"
    if parameter.type == "choice":
        return parameter.choices[0]
    pytest.fail(f"no value is known for {parameter.name} of type {parameter.type}")


def test_every_kind_is_run_with_its_defaults(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("riskLaboratory")
    assert isinstance(window, RiskLaboratory)
    wait_idle(qtbot, main.document)
    for each in REGISTRY.declarations:
        window.list.choose(each.name)
        for parameter in each.parameters:
            if parameter.required:
                window.form._fields[parameter.name].set_value(required_value(parameter, demo))
        window._run()
        wait_idle(qtbot, main.document)
        assert each.name in window._found, f"{each.name}: {window.messages.text}"
        assert not window.messages.text
        assert window.result.headline.text()
        assert window.result.figures.model.total or window.result.behind.model.total


def test_missing_rules_are_called_by_words() -> None:
    rules = {
        choice
        for each in REGISTRY.declarations
        for parameter in each.parameters
        if parameter.name == "missing_rule"
        for choice in parameter.choices
    }
    assert rules == {"observed", "wildcard", "category", "listwise"}
    assert not rules & {choice_title("missing_rule", rule) for rule in rules}
