"""Every page that shows figures dims them, and says so, until they are of the recipe as it is now."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Measure, Recipe
from gui.document import engine
from gui.main_window.window import MainWindow
from gui.theme import is_greyed
from tests.gui.held import Held
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.perturb.test_perturb import say, tick
from tests.gui.waiting import wait_idle

UPDATING, OUT_OF_DATE = "Updating…", "Out of date."


@dataclass(frozen=True)
class Shown:
    """Figures of a page by their names, what is done for them to be there, and what the page is opened with."""

    figures: Sequence[str]
    by: Sequence[str] = ()
    arguments: tuple[tuple[str, object], ...] = ()
    session: str = "survey.pavo"
    select: str = ""
    seldom: bool = False
    """Whether they come anew only where the user asks for them."""


PAGES = {
    "home": Shown(("overviewVariables", "overviewCodes", "guidance", "nextSentence", "statusUnsafe")),
    "showTables": Shown(("tableCollection", "tableCells", "tablesSummary", "cellsSummary")),
    "globalRecode": Shown(("recodeVariables", "codeTable", "previewNowUnsafe")),
    "riskChart": Shown(("riskHistogram", "forecastChart", "guidance", "actualLevel", "forecastSuppressions")),
    "householdRiskChart": Shown(
        ("riskHistogram", "forecastChart", "guidance", "actualLevel", "fileRate"), session="survey-households.pavo"
    ),
    "numericalVariables": Shown(("afterMean", "changedRecords"), select="INCOME"),
    "perturb": Shown(("previewHeadline", "previewAbout", "previewFigures"), session="survey-households.pavo"),
    "riskLaboratory": Shown(("measureHeadline", "measureFigures", "measureChart"), ("runMeasure",), seldom=True),
    "keySets": Shown(
        ("keySetsHeadline", "keySetsTable"), (), (("measure", Measure("key-sets", ("REGION", "SEX", "AGE"))),)
    ),
    "findPlan": Shown(("planFront", "planMap", "planSummary"), ("planSearch",), seldom=True),
    "compare": Shown(("alternatives", "riskUtilityMap")),
    "makeProtectedFile": Shown(
        ("previewHeadline", "previewRisk", "previewLoss", "certainBlanks"), ("preview",), seldom=True
    ),
    "profileCheck": Shown(("profileRules", "profileTold", "profileSummary"), ("profileCheckNow",), seldom=True),
    "utility": Shown(("utilityVariables", "utilityDistribution", "utilityTold"), ("utilityEmptyButton",)),
}


def page_with_figures(qtbot: QtBot, main: MainWindow, name: str) -> QWidget:
    shown = PAGES[name]
    if name == "home":
        return main
    page = main.windows.open_window(name, **dict(shown.arguments))
    wait_idle(qtbot, main.document)
    if name == "perturb":
        page.list.choose("noise")
        tick(page, "INCOME")
        say(page, share=0.1)
        qtbot.waitUntil(lambda: page.view.found is not None, timeout=60_000)
    if name == "findPlan":
        page.aims.seconds.set_value(1)  # how good the plans are is seen elsewhere
    if shown.select:
        page.variables.select(shown.select)
    ask(qtbot, main, page, shown.by)
    return page


def ask(qtbot: QtBot, main: MainWindow, page: QWidget, buttons: Sequence[str]) -> None:
    """Press what computes figures."""
    for name in buttons:
        button = page.findChild(QPushButton, name)
        assert button is not None and button.isEnabled(), name
        button.click()
    wait_idle(qtbot, main.document)


def fewer_keys(recipe: Recipe) -> Recipe:
    """The recipe with another last key of its first combination: every figure is another one."""
    first, *others = recipe.combinations
    return recipe.with_(combinations=(replace(first, variables=first.variables[:-1]), *others))


def marks(page: QWidget, names: Sequence[str]) -> dict[str, tuple[bool, str]]:
    """Of figures by name: whether they are dimmed, and what assistive tools hear first of them."""
    found = {}
    for name in names:
        widget = page.findChild(QWidget, name)
        assert widget is not None and (isinstance(widget, QLabel) or widget.isVisible()), name
        said: QWidget | None = widget
        while said is not None and not said.accessibleDescription().startswith((UPDATING, OUT_OF_DATE)):
            said = said.parentWidget()
        start = "" if said is None else said.accessibleDescription()
        found[name] = is_greyed(widget), next((each for each in (UPDATING, OUT_OF_DATE) if start.startswith(each)), "")
    return found


@pytest.mark.parametrize("name", PAGES)
def test_figures_are_dimmed_until_they_are_new(
    qtbot: QtBot,
    open_window: Callable[..., MainWindow],
    demo: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    shown = PAGES[name]
    copy_survey(demo, tmp_path)
    main = open_window(tmp_path / shown.session)
    main.resize(1300, 850)
    document = main.document
    page = page_with_figures(qtbot, main, name)
    plain = dict.fromkeys(shown.figures, (False, ""))
    assert marks(page, shown.figures) == plain
    held = Held(monkeypatch, document._engine, "derive_shown")
    document.commit("Fewer keys", fewer_keys(document.recipe))
    qtbot.waitUntil(held.begun.is_set)
    said = OUT_OF_DATE if shown.seldom else UPDATING
    assert marks(page, shown.figures) == dict.fromkeys(shown.figures, (True, said))
    held.go.set()
    wait_idle(qtbot, document)
    if shown.by:
        assert marks(page, shown.figures) == dict.fromkeys(shown.figures, (True, OUT_OF_DATE))
        ask(qtbot, main, page, [{"utilityEmptyButton": "previewUtility"}.get(each, each) for each in shown.by])
    qtbot.waitUntil(lambda: marks(page, shown.figures) == plain, timeout=60_000)


@pytest.mark.parametrize(
    ("name", "question", "figure"),
    [
        ("home", engine.advice, "guidance"),
        ("riskChart", engine.advice, "guidance"),
        ("keySets", engine.tried_measure, "keySetsTable"),
        ("compare", engine.alternative, "alternatives"),
    ],
)
def test_what_takes_longer_is_dimmed_for_longer(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch,
    name: str, question: Callable[..., object], figure: str,
) -> None:  # fmt: skip
    main = open_window(demo / "survey.pavo")
    document, page = main.document, page_with_figures(qtbot, main, name)
    wait_idle(qtbot, document)
    held = Held(monkeypatch, document._engine, "ask", question)
    document.commit("Fewer keys", fewer_keys(document.recipe))
    qtbot.waitUntil(held.begun.is_set)
    assert not document.stale
    assert marks(page, [figure])[figure][0]
    held.go.set()
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: marks(page, [figure]) == {figure: (False, "")})


def test_numbers_are_dimmed_before_they_are_compared_anew(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    page = page_with_figures(qtbot, main, "numericalVariables")
    figures = PAGES["numericalVariables"].figures
    held = Held(monkeypatch, main.document._engine, "ask", engine.compare_numbers)
    main.document.commit("Fewer keys", fewer_keys(main.document.recipe))
    qtbot.waitUntil(held.begun.is_set)
    assert marks(page, figures) == dict.fromkeys(figures, (True, UPDATING))
    held.go.set()
    qtbot.waitUntil(lambda: marks(page, figures) == dict.fromkeys(figures, (False, "")))


@pytest.mark.parametrize("owner", ["core.tables.table_cells.table_cells", "core.whatif.recode_effect.recode_effect"])
def test_cells_and_codes_are_dimmed_until_their_own_come(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch, owner: str
) -> None:
    module, function = owner.rsplit(".", 1)
    name, figure = ("showTables", "tableCells") if function == "table_cells" else ("globalRecode", "codeTable")
    main = open_window(demo / "survey.pavo")
    document, page = main.document, page_with_figures(qtbot, main, name)
    held = Held(monkeypatch, importlib.import_module(module), function)
    document.commit("Fewer keys", fewer_keys(document.recipe))
    qtbot.waitUntil(held.begun.is_set)
    assert not document.stale
    assert marks(page, [figure])[figure][0]
    held.go.set()
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: marks(page, [figure]) == {figure: (False, "")})


def test_a_report_is_dimmed_once_the_session_is_another(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path
) -> None:
    main = open_window(copy_survey(demo, tmp_path))
    document = main.document
    document.amend(document.recipe.with_(output=replace(document.recipe.output, data=tmp_path / "safe.csv")))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    page = main.windows.open_window("report")
    assert marks(page, ["reportView"]) == {"reportView": (False, "")}
    document.commit("Fewer keys", fewer_keys(document.recipe))
    wait_idle(qtbot, document)
    assert marks(page, ["reportView"]) == {"reportView": (True, OUT_OF_DATE)}
    document.undo()
    wait_idle(qtbot, document)
    assert marks(page, ["reportView"]) == {"reportView": (False, "")}
