"""Libraries that the program is made of, and the texts of their licences."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from core.base.libraries import Library, libraries, others, python
from core.base.texts import mark, translate
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.parts.panes import BESIDE, panes


class LicencesDialog(OrderedDialog):
    """`licencesDialog`: Python and every library with version and licence, beside them the text of the chosen one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="licencesDialog")
        self.setWindowTitle(translate(mark("Libraries and licences — Pavo")))
        self._shown = (python(), *libraries(), *others())
        about = QLabel(
            translate(mark("Pavo is under the MIT licence. It is made of these libraries, each under its own licence."))
        )
        about.setWordWrap(True)
        self.list = QListWidget(objectName="librariesList", accessibleName=translate(mark("Libraries")), wordWrap=True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.addItems([_line(one) for one in self._shown])
        self.text = QPlainTextEdit(
            objectName="licenceText", readOnly=True, accessibleName=translate(mark("Text of the licence"))
        )
        self.list.currentRowChanged.connect(self._show_text)
        buttons = QDialogButtonBox()
        buttons.addButton(translate(mark("&Close")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(about)
        layout.addWidget(panes(BESIDE, (self.list, self.text), (330, 500)), 1)
        layout.addWidget(buttons)
        self.resize(860, 520)
        self.list.setCurrentRow(0)

    def _show_text(self, row: int) -> None:
        one = self._shown[row]
        none = mark("Its text does not come with the library; it is the published one of this licence: {licence}.")
        self.text.setPlainText(one.text() or translate(none).format(licence=one.licence))


def _line(one: Library) -> str:
    return f"{one.name} {one.version}  ·  {one.licence}"
