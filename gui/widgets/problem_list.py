"""Everything that is wrong or odd, each a click away from its field; and what *Check my file* found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.microdata.check_file import Finding
from core.microdata.problems import Problem
from core.texts import mark, translate
from gui.theme import muted, pixmap, theme

ITEM = Qt.ItemDataRole.UserRole
_PREFIX = {
    "error": mark("Error: {text}"),
    "warning": mark("Warning: {text}"),
    "notice": mark("Note: {text}"),
    "finding": "{text}",
}


class ProblemList(QListWidget):
    """A list of sentences with a sign and a word for how serious each is; `chosen(object)` when one is clicked."""

    chosen = Signal(object)

    def __init__(self, name: str, title: str) -> None:
        super().__init__(objectName=name)
        self.setAccessibleName(title)
        self.setWordWrap(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setIconSize(QSize(16, 16))
        self.itemClicked.connect(lambda item: self.chosen.emit(item.data(ITEM)))
        self.itemActivated.connect(lambda item: self.chosen.emit(item.data(ITEM)))

    def show_items(self, items: Sequence[tuple[str, str, object]]) -> None:
        """Show triples of severity (error, warning, notice, finding), sentence and what is chosen by a click."""
        kept = self.currentRow()
        self.clear()
        for severity, text, data in items:
            item = QListWidgetItem(
                _icon(severity, self.devicePixelRatioF()), translate(_PREFIX[severity]).format(text=text)
            )
            item.setData(ITEM, data)
            item.setToolTip(translate("Click to go to the field"))
            self.addItem(item)
        if 0 <= kept < self.count():
            self.setCurrentRow(kept)


def _icon(severity: str, ratio: float) -> QIcon:
    scheme = theme.scheme
    colours = {"error": scheme.unsafe_text, "notice": scheme.muted}
    colour = colours.get(severity, scheme.attention)
    return QIcon(pixmap("attention" if severity != "notice" else "check", 16, colour, ratio))


class Problems(QWidget):
    """`problemTabs` with `metadataProblems` and `fileCheck`, and `applyFindings`.

    Signals
    -------
    chosen(str, str)
        A variable and a field to go to.
    apply_wanted(list)
        Findings whose proposals are to be followed.
    """

    chosen = Signal(str, str)
    apply_wanted = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.list = ProblemList("metadataProblems", translate("Problems"))
        self.check = ProblemList("fileCheck", translate("Check my file"))
        self.list.chosen.connect(lambda problem: self.chosen.emit(problem.variable, problem.field))
        self.check.chosen.connect(lambda finding: self.chosen.emit(finding.variable, finding.field))
        self.check.itemSelectionChanged.connect(self._show_offer)
        self.apply = QPushButton(objectName="applyFindings")
        self.apply.clicked.connect(lambda: self.apply_wanted.emit(self._selected()))
        self._state = QLabel()
        muted(self._state)
        self.tabs = QTabWidget(objectName="problemTabs", documentMode=True)
        self.tabs.addTab(self.list, "")
        self.tabs.addTab(self._check_page(), "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self.show_problems([])
        self.show_findings(None)

    def _check_page(self) -> QWidget:
        page = QWidget()
        row = QHBoxLayout()
        row.addWidget(self._state, 1)
        row.addWidget(self.apply)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.check, 1)
        column.addLayout(row)
        return page

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show all problems of the description."""
        self.list.show_items([(problem.severity, problem.text, problem) for problem in problems])
        errors = sum(1 for problem in problems if problem.severity == "error")
        title = translate("Problems ({count})").format(count=len(problems))
        if errors:
            title = translate("Problems ({count}, errors {errors})").format(count=len(problems), errors=errors)
        self.tabs.setTabText(0, title if problems else translate("No problems"))

    def show_findings(self, findings: Sequence[Finding] | None) -> None:
        """Show what *Check my file* found; None while the file is not looked at yet."""
        items = [("finding", finding.notice.text, finding) for finding in findings or ()]
        self.check.show_items(items)
        count = len(findings or ())
        title = translate("Check my file ({count})").format(count=count) if count else translate("Check my file")
        self.tabs.setTabText(1, title)
        if findings is None:
            self._state.setText(translate("The file is being read…"))
        elif not findings:
            self._state.setText(translate("Nothing odd was found in the file."))
        else:
            self._state.setText(translate("For you to decide: nothing of this is changed by itself."))
        self._show_offer()

    def show_check(self) -> None:
        """Bring *Check my file* forward."""
        self.tabs.setCurrentIndex(1)

    def _selected(self) -> list[Finding]:
        found = [item.data(ITEM) for item in self.check.selectedItems()]
        return [finding for finding in found if finding.proposal is not None]

    def _show_offer(self) -> None:
        selected = self._selected()
        self.apply.setEnabled(bool(selected))
        if len(selected) == 1 and selected[0].proposal is not None:
            self.apply.setText(selected[0].proposal.text)
        elif selected:
            self.apply.setText(translate("Do what is proposed ({count})").format(count=len(selected)))
        else:
            self.apply.setText(translate("Do what is proposed"))
