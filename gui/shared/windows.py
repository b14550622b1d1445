"""Every page of the program by its name, made when first asked for.

To add one: write ``gui/<name>/window.py`` with a subclass of `gui.shared.tool_window.ToolWindow` that takes the
document as its only argument. If its name stands in `WINDOWS` already, nothing else is needed: its menu item and
workflow step work as soon as the module exists. Until then they are disabled and say so.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QGraphicsView, QWidget

from core.base.texts import mark, translate
from core.recipe.in_parts import Whole
from gui.document.document import Document
from gui.paint_queue import paint_ground_first
from gui.shared.in_parts import reason_in_parts
from gui.shared.tool_window import ToolWindow, made_in_steps, made_on

Need = Literal["nothing", "data", "tables", "risk", "households", "numeric", "report", "released"]


@dataclass(frozen=True)
class WindowEntry:
    """Where a window is made, what it is called, and what must be there before it is of use."""

    module: str
    factory: str
    title: str
    need: Need


WINDOWS: dict[str, WindowEntry] = {
    "openMicrodata": WindowEntry("open_microdata.window", "OpenMicrodata", mark("Open Microdata"), "nothing"),
    "specifyMetadata": WindowEntry("specify_metadata.window", "SpecifyMetadata", mark("Specify Metadata"), "data"),
    "selectCombinations": WindowEntry(
        "select_combinations.window", "SelectCombinations", mark("Select Combinations"), "data"
    ),
    "showTables": WindowEntry("show_tables.window", "ShowTables", mark("Show Table Collection"), "tables"),
    "globalRecode": WindowEntry("global_recode.window", "GlobalRecode", mark("Global Recode"), "tables"),
    "riskChart": WindowEntry("risk_chart.window", "RiskChart", mark("Risk Chart"), "risk"),
    "householdRiskChart": WindowEntry(
        "risk_chart.household_window", "HouseholdRiskChart", mark("Household Risk Chart"), "households"
    ),
    "numericalVariables": WindowEntry(
        "numerical_variables.window", "NumericalVariables", mark("Modify Numerical Variables"), "numeric"
    ),
    "perturb": WindowEntry("perturb.window", "Perturb", mark("Perturb"), "data"),
    "riskLaboratory": WindowEntry("risk_laboratory.window", "RiskLaboratory", mark("Risk Laboratory"), "data"),
    "keySets": WindowEntry("risk_laboratory.key_sets", "KeySets", mark("Key Sets Side by Side"), "data"),
    "findPlan": WindowEntry("find_plan.window", "FindPlan", mark("Find a Plan"), "tables"),
    "compare": WindowEntry("compare.window", "Compare", mark("Compare"), "data"),
    "makeProtectedFile": WindowEntry(
        "make_protected_file.window", "MakeProtectedFile", mark("Make Protected File"), "tables"
    ),
    "report": WindowEntry("report.window", "ViewReport", mark("View Report"), "report"),
    "reportDetails": WindowEntry("report.details_window", "ReportDetails", mark("Report Details"), "nothing"),
    "memo": WindowEntry("report.memo_window", "Memo", mark("Differences to the Last Release"), "data"),
    "history": WindowEntry("history_window.window", "HistoryWindow", mark("History"), "nothing"),
    "profileCheck": WindowEntry("profile_check.window", "ProfileCheck", mark("Check against a Profile"), "tables"),
    "utility": WindowEntry("utility.window", "Utility", mark("Utility"), "tables"),
    "browseData": WindowEntry("browse.data_window", "BrowseData", mark("Browse Data"), "data"),
    "browseSafeFile": WindowEntry("browse.safe_file_window", "BrowseSafeFile", mark("Browse Safe File"), "released"),
    "exportForSdcMicro": WindowEntry("export.window", "ExportForSdcMicro", mark("Export for sdcMicro"), "tables"),
    "exportForMuArgus": WindowEntry("export.window", "ExportForMuArgus", mark("Export for μ-ARGUS"), "tables"),
    "settings": WindowEntry("settings_window.window", "SettingsWindow", mark("Settings"), "nothing"),
    "help": WindowEntry("help.window", "Help", mark("Help Contents"), "nothing"),
}

_LASTING = ("help", "openMicrodata", "settings")
"""Windows that are of no session."""

_NOT_IN_PARTS: Mapping[str, Whole] = {
    "perturb": "redrawn", "exportForSdcMicro": "records", "exportForMuArgus": "records"
}  # fmt: skip
"""Windows that look at all records at once."""

_REASONS = {
    "data": mark("Open a microdata file first."),
    "tables": mark("Choose at least one combination of key variables first."),
    "risk": mark("Set a combination for the risk model first."),
    "households": mark("This needs a combination for the risk model and a household identifier in the metadata."),
    "numeric": mark("The file has no numerical variable."),
    "report": mark("Make a protected file first; its report is shown here."),
    "released": mark("Make a protected file first."),
}


@cache
def exists(name: str) -> bool:
    """Whether this version of the program has the window."""
    try:
        return importlib.util.find_spec(f"gui.{WINDOWS[name].module}") is not None
    except ModuleNotFoundError:  # its folder is not there either
        return False


def reason_against(name: str, document: Document) -> str:
    """Why a window cannot be opened now, in words; empty where it can."""
    if not exists(name):
        return translate(mark("Not available in this version."))
    need = WINDOWS[name].need
    if not _met(need, document):
        return translate(_REASONS[need])
    reason = _NOT_IN_PARTS.get(name)
    return "" if reason is None else reason_in_parts(document, translate(WINDOWS[name].title), reason)


def _met(need: Need, document: Document) -> bool:
    derived, recipe = document.derived, document.recipe
    if need == "nothing":
        return True
    if need == "report" and document.session.earlier_report is not None:
        return True
    if need in ("report", "released"):
        return document.session.released is not None
    if recipe.input.place is None:
        return False
    if need == "data":
        return True
    if need == "numeric":
        return derived is not None and any(v.numeric or v.role == "weight" for v in derived.metadata.variables)
    if derived is None or not recipe.combinations:
        return False
    if need == "tables":
        return True
    has_risk = any(c.has_risk for c in recipe.combinations)
    return has_risk and (need == "risk" or derived.metadata.household_id is not None)


class PageStage(Protocol):
    """Where pages stand: the workspace of the main window."""

    def place_for(self, name: str) -> QWidget:
        """What a page that is about to be made shall stand on, out of sight."""

    def adopt(self, page: ToolWindow) -> None:
        """Take a page on that was just made there."""

    def complete(self, page: ToolWindow) -> None:
        """Look at a page again that was made in steps, after the last one."""

    def bring(self, name: str) -> None:
        """Show a page where it belongs, and let it have the focus."""


_BETWEEN_MS = 1
"""Between two steps of a page: after 0, Qt does all of them before it looks at what the user does."""


class Windows(QObject):
    """The open pages: makes, finds and closes them; where they stand is the affair of the `stage`.

    Without a stage each is a window of its own.
    """

    opened = Signal(str)
    closed = Signal(str)
    went_on = Signal(str)
    """The work of a page is done; its name."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.stage: PageStage | None = None
        self._open: dict[str, ToolWindow] = {}
        self._coming: tuple[str, dict[str, Any]] | None = None

    def visit(self, name: str, **arguments: Any) -> None:
        """As `open_window`, for a hand: a new page that takes long comes in steps, between which the window answers.

        Whoever asks for a page meanwhile finds it complete and shown.
        """
        self._arrive()
        if name not in self._open:
            with made_in_steps():
                page = self._make(name)
                if self.stage is not None and not page.is_complete:
                    page.later(partial(self.stage.complete, page))
            if not page.is_complete:
                self._coming = name, arguments
                QTimer.singleShot(_BETWEEN_MS, self, self._go_on)
                return
        self.open_window(name, **arguments)

    def _go_on(self) -> None:
        if self._coming is None:
            return
        name, arguments = self._coming
        page = self._open.get(name)
        if page is None:
            self._coming = None
        elif not page.is_complete:
            page.go_on_making()
            QTimer.singleShot(_BETWEEN_MS, self, self._go_on)
        else:
            self._coming = None
            for chart in page.findChildren(QGraphicsView):
                paint_ground_first(chart)
            self._bring(name, arguments)
            QTimer.singleShot(_BETWEEN_MS, self, lambda: self._note(name))

    def _note(self, name: str) -> None:
        """The page was looked at, which may be told anywhere."""
        if name in self._open:
            self.document.look_at(name)

    def _arrive(self) -> None:
        """Let the page that is on its way be there."""
        if self._coming is None:
            return
        (name, arguments), self._coming = self._coming, None
        if name in self._open:
            self._open[name].complete()
            self.open_window(name, **arguments)

    def open_window(self, name: str, **arguments: Any) -> ToolWindow:
        """Show a page, made if necessary, and pass `arguments` on to its ``show_for``."""
        page = self._bring(name, arguments)
        self.document.look_at(name)
        return page

    def _bring(self, name: str, arguments: dict[str, Any]) -> ToolWindow:
        page = self.ready(name)
        if arguments:
            page.show_for(**arguments)
        self._show(page)
        page.came_forward()
        return page

    def ready(self, name: str) -> ToolWindow:
        """A page, made if necessary; where it is new it is not in sight yet."""
        self._arrive()
        return self._open.get(name) or self._make(name)

    def window_named(self, name: str) -> QWidget | None:
        """An open page, or None."""
        self._arrive()
        return self._open.get(name)

    def names(self) -> list[str]:
        """Names of the open pages, oldest first."""
        return list(self._open)

    def close_all(self) -> bool:
        """Close every page; False where one refused (unfinished input kept by the user's wish)."""
        self._arrive()
        refused = [window for window in list(self._open.values()) if not window.close()]
        return not refused

    def close_those_of_session(self) -> bool:
        """Close what shows the open session, before another is opened; False where one refused."""
        self._arrive()
        refused = [window for name, window in list(self._open.items()) if name not in _LASTING and not window.close()]
        return not refused

    def _make(self, name: str) -> ToolWindow:
        entry = WINDOWS[name]
        module = importlib.import_module(f"gui.{entry.module}")
        with made_on(self.stage.place_for(name) if self.stage is not None else None):
            page: ToolWindow = getattr(module, entry.factory)(self.document)
        page.setObjectName(name)
        page.closed.connect(self._on_closed)
        page.window_requested.connect(self._on_requested)
        page.went_on.connect(self.went_on)
        self._open[name] = page
        if self.stage is not None:
            self.stage.adopt(page)
            page.sight_wanted.connect(self.stage.bring)
        self.opened.emit(name)
        return page

    def _show(self, page: ToolWindow) -> None:
        if self.stage is not None:
            self.stage.bring(page.name)
            return
        page.show()
        page.raise_()
        page.activateWindow()

    def _on_closed(self, name: str) -> None:
        page = self._open.pop(name, None)
        if page is not None:
            page.deleteLater()
            self.closed.emit(name)

    def _on_requested(self, name: str, arguments: dict[str, Any]) -> None:
        if not reason_against(name, self.document):
            self.visit(name, **arguments)
