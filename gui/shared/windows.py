"""Every window of the program by its name, made when first asked for.

To add a window: write ``gui/<name>/window.py`` with a subclass of `gui.shared.tool_window.ToolWindow` that takes the
document as its only argument. If its name stands in `WINDOWS` already, nothing else is needed: its menu item and
workflow step work as soon as the module exists. Until then they are disabled and say so.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.base.texts import mark, translate
from gui.document.document import Document

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
    "riskLaboratory": WindowEntry("risk_laboratory.window", "RiskLaboratory", mark("Risk Laboratory"), "data"),
    "compare": WindowEntry("compare.window", "Compare", mark("Compare"), "data"),
    "makeProtectedFile": WindowEntry(
        "make_protected_file.window", "MakeProtectedFile", mark("Make Protected File"), "tables"
    ),
    "report": WindowEntry("report.window", "ViewReport", mark("View Report"), "report"),
    "reportDetails": WindowEntry("report.details_window", "ReportDetails", mark("Report Details"), "nothing"),
    "history": WindowEntry("history_window.window", "HistoryWindow", mark("History"), "nothing"),
    "browseData": WindowEntry("browse.data_window", "BrowseData", mark("Browse Data"), "data"),
    "browseSafeFile": WindowEntry("browse.safe_file_window", "BrowseSafeFile", mark("Browse Safe File"), "released"),
    "exportForSdcMicro": WindowEntry("export.window", "ExportForSdcMicro", mark("Export for sdcMicro"), "tables"),
    "exportForMuArgus": WindowEntry("export.window", "ExportForMuArgus", mark("Export for μ-ARGUS"), "tables"),
    "help": WindowEntry("help.window", "Help", mark("Help Contents"), "nothing"),
}

_LASTING = ("help", "openMicrodata")
"""Windows that are of no session."""

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
    return "" if _met(need, document) else translate(_REASONS[need])


def _met(need: Need, document: Document) -> bool:
    derived, recipe = document.derived, document.recipe
    if need == "nothing":
        return True
    if need == "report" and document.session.earlier_report is not None:
        return True
    if need in ("report", "released"):
        return document.session.released is not None
    if recipe.input.data is None:
        return False
    if need == "data":
        return True
    if need == "numeric":
        return derived is not None and any(v.numeric or v.role == "weight" for v in derived.metadata.variables)
    if derived is None or not recipe.combinations:
        return False
    if need == "tables":
        return True
    has_risk = any(c.model == "individual-risk" for c in recipe.combinations)
    return has_risk and (need == "risk" or derived.metadata.household_id is not None)


class Windows(QObject):
    """The open windows beside the main one: opens, finds and closes them."""

    opened = Signal(str)
    closed = Signal(str)
    went_on = Signal(str)
    """The work of a window is done; its name."""
    left = Signal()
    """The window that had the focus was closed."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._open: dict[str, QWidget] = {}
        self._latest = ""
        self._openers: dict[str, str] = {}

    def open_window(self, name: str, **arguments: Any) -> QWidget:
        """Show a window, made if necessary, and pass `arguments` on to its ``show_for``."""
        self._openers[name] = next((other for other, window in self._open.items() if window.isActiveWindow()), "")
        window = self._open.get(name) or self._make(name)
        if arguments:
            window.show_for(**arguments)  # type: ignore[attr-defined]
        if window.isMinimized():
            window.showNormal()
        self._latest = name
        window.show()
        window.raise_()
        window.activateWindow()
        self._document.look_at(name)
        return window

    def window_named(self, name: str) -> QWidget | None:
        """An open window, or None."""
        return self._open.get(name)

    def names(self) -> list[str]:
        """Names of the open windows, oldest first."""
        return list(self._open)

    def close_all(self) -> bool:
        """Close every window; False where one refused (unfinished input kept by the user's wish)."""
        refused = [window for window in list(self._open.values()) if not window.close()]
        return not refused

    def close_those_of_session(self) -> bool:
        """Close what shows the open session, before another is opened; False where one refused."""
        refused = [window for name, window in list(self._open.items()) if name not in _LASTING and not window.close()]
        return not refused

    def _make(self, name: str) -> QWidget:
        entry = WINDOWS[name]
        module = importlib.import_module(f"gui.{entry.module}")
        window: QWidget = getattr(module, entry.factory)(self._document)
        window.setObjectName(name)
        window.closed.connect(self._on_closed)  # type: ignore[attr-defined]
        window.window_requested.connect(self._on_requested)  # type: ignore[attr-defined]
        window.went_on.connect(self.went_on)  # type: ignore[attr-defined]
        self._open[name] = window
        self.opened.emit(name)
        return window

    def _on_closed(self, name: str) -> None:
        window = self._open.pop(name, None)
        if window is not None:
            had_focus = window.isActiveWindow()
            window.deleteLater()
            self.closed.emit(name)
            opener = self._open.get(self._openers.pop(name, ""))
            latest = self._open.get(self._latest)  # it was opened by the one that closes, or after it
            following = latest if latest is not None else opener
            if had_focus and following is not None:
                following.activateWindow()
            elif had_focus:
                self.left.emit()

    def _on_requested(self, name: str, arguments: dict[str, Any]) -> None:
        if not reason_against(name, self._document):
            self.open_window(name, **arguments)
