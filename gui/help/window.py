"""Help: the bundled guide, opened on the page of the window that was asked from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import mark, of_guide, translate
from gui.document.document import Document
from gui.help import whats_new
from gui.help.guide_view import GuideView
from gui.help.paragraphs import in_language, paragraphs
from gui.places import RESOURCES
from gui.shared.layout.beside_or_below import BesideOrBelow
from gui.shared.list_rows import Row, replace_rows
from gui.shared.tool_window import ToolWindow
from gui.theme import scaled, theme

GUIDE = RESOURCES / "help"
MAIN = "overview"
_BESIDE, _LIST = 676, 150
"""Width from which the list of pages stands beside the text, and the list's height above it."""
_PAGES = {
    "mainWindow": MAIN,
    "householdRiskChart": "risk-chart",
    "exportForSdcMicro": "exports",
    "exportForMuArgus": "exports",
    "memo": "report",
    "help": "index",
}
"""Pages of windows that are not called after them."""
_FIRST = ("index", "tutorial", "tutorial-households", "tutorial-batch", "coming-from-mu-argus",
          "coming-from-sdcmicro", "coming-from-arx", "overview", "open-microdata", "specify-metadata",
          "select-combinations", "show-tables", "browse-data", "risk-chart", "household-risk-chart", "risk-laboratory",
          "key-sets", "global-recode", "find-plan", "numerical-variables", "perturb", "pram", "compare",
          "make-protected-file", "profile-check", "verdict", "utility", "browse-safe-file", "report", "report-details",
          "exports")  # fmt: skip
_LAST = ("models", "methods", "measures", "perturbations", "recipe", "recipe-reference", "command-reference",
         "file-formats", "glossary")  # fmt: skip


def page_of(window: str) -> str:
    """The page about a window: its name with hyphens, else the main window's."""
    own = re.sub(r"([A-Z])", lambda found: "-" + found[1].lower(), window)
    for page in (own, _PAGES.get(window, "")):
        if page and (GUIDE / f"{page}.md").is_file():
            return page
    return MAIN


def pages() -> list[tuple[str, str]]:
    """Name and heading of every page, in the order of the work."""
    names = sorted(path.stem for path in GUIDE.glob("*.md"))
    rank = {name: place for place, name in enumerate(_FIRST)} | {name: 100 + i for i, name in enumerate(_LAST)}
    return [(name, _heading(name)) for name in sorted(names, key=lambda name: rank.get(name, 50))]


class Help(ToolWindow):
    """`helpView` with `helpPages` and `helpSearch` at its left, `helpBack` and `helpForward` above."""

    name = "help"
    title = mark("Help Contents")
    default_size = (900, 640)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(420, 340)
        self.view = GuideView()
        self.search = QLineEdit(objectName="helpSearch", clearButtonEnabled=True)
        self.search.setPlaceholderText(translate("Search the guide"))
        self.search.setAccessibleName(translate("Search the guide"))
        self.list = QListWidget(objectName="helpPages")
        self.list.setAccessibleName(translate("Pages of the guide"))
        self.list.setSpacing(2)
        self.back = QPushButton(translate("← &Back"), objectName="helpBack")
        self.forward = QPushButton(translate("&Forward →"), objectName="helpForward")
        self._texts: dict[str, str] = {}
        self._lay_out()
        self._connect()
        self._fill("")
        self.splitter.setSizes(self._sizes(beside=True))
        self._show_buttons()
        self.show_for()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        self.splitter = splitter = BesideOrBelow(least=_BESIDE, sizes=self._sizes)
        splitter.setHandleWidth(12)
        splitter.addWidget(left)
        splitter.addWidget(self.view)
        splitter.setStretchFactor(1, 1)
        buttons = QHBoxLayout()
        for button in (self.back, self.forward):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch()
        self.content.addLayout(buttons)
        self.content.addWidget(splitter, 1)

    def _sizes(self, beside: bool) -> list[int]:
        """The list of pages as wide as its longest title, or a few lines high; the page what is left."""
        if not beside:
            return [scaled(_LIST), max(self.height() - scaled(_LIST), scaled(_LIST))]
        bar = self.list.verticalScrollBar().sizeHint().width() + 2 * (self.list.frameWidth() + self.list.spacing())
        wanted = self.list.sizeHintForColumn(0) + bar
        return [wanted, max(self.default_size[0] - wanted, wanted)]

    def _connect(self) -> None:
        self.back.clicked.connect(self.view.backward)
        self.forward.clicked.connect(self.view.forward)
        for key, do in ((QKeySequence.StandardKey.Back, self.view.backward),
                        (QKeySequence.StandardKey.Forward, self.view.forward)):  # fmt: skip
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)
        self.view.sourceChanged.connect(self._arrived)
        self.view.historyChanged.connect(self._show_buttons)
        self.list.currentItemChanged.connect(self._chosen)
        self.search.textChanged.connect(self._fill)
        theme.changed.connect(self.view.dress)

    @property
    def page(self) -> str:
        """The page that is shown."""
        return Path(self.view.source().path()).stem

    def show_for(self, page: str = "mainWindow", heading: str = "", **_: Any) -> None:
        """Turn to the page of a window, or to a page by its name, and there to a heading that begins so."""
        name = page if page == whats_new.PAGE or (GUIDE / f"{page}.md").is_file() else page_of(page)
        self._turn_to(name)
        if heading:
            self.view.go_to_heading(of_guide(heading))

    def _turn_to(self, name: str) -> None:
        self.view.setSource(QUrl.fromLocalFile(str(GUIDE / f"{name}.md")))

    def _fill(self, text: str) -> None:
        """Show the pages that contain `text`, the current one selected if it is among them."""
        wanted = text.strip().casefold()
        self.list.blockSignals(True)
        display, own = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole
        new = [(whats_new.PAGE, whats_new.title())] if whats_new.is_there() else []
        found: list[Row] = [{display: title, own: name} for name, title in (*pages(), *new)
                            if not wanted or wanted in self._text(name)]  # fmt: skip
        replace_rows(self.list, found or [{display: translate("Nothing found")}])
        if not found:
            self.list.item(0).setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.blockSignals(False)
        self._select(self.page)
        self.view.mark_text(text.strip())

    def _text(self, name: str) -> str:
        if name not in self._texts:
            if name == whats_new.PAGE:
                text = whats_new.page()
            else:
                text = in_language((GUIDE / f"{name}.md").read_text("utf-8"), of_guide)
            self._texts[name] = text.casefold()
        return self._texts[name]

    def _select(self, page: str) -> None:
        self.list.blockSignals(True)
        self.list.setCurrentRow(-1)
        model = self.list.model()
        for row in range(self.list.count()):
            if model.index(row, 0).data(Qt.ItemDataRole.UserRole) == page:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _chosen(self, item: QListWidgetItem | None, _before: QListWidgetItem | None = None) -> None:
        if item is not None:
            self._turn_to(str(item.data(Qt.ItemDataRole.UserRole)))

    def _arrived(self, url: QUrl) -> None:
        self._select(Path(url.path()).stem)
        self.view.mark_text(self.search.text().strip())

    def _show_buttons(self) -> None:
        self.back.setEnabled(self.view.isBackwardAvailable())
        self.forward.setEnabled(self.view.isForwardAvailable())


def _heading(name: str) -> str:
    with (GUIDE / f"{name}.md").open(encoding="utf-8") as page:
        pieces = paragraphs(page.readline())
    return next((of_guide(piece.text) for piece in pieces if piece.is_heading), name)
