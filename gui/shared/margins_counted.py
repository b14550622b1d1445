"""Up to which dimension unsafe combinations are counted, where a table has very many margins; and all, on request."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.base.texts import plural, translate
from gui.document.document import Document
from gui.numbers import format_count
from gui.theme import muted


def margins_counted(document: Document) -> str:
    """Up to which dimension they are counted, and that the others are being counted; empty where all are."""
    derived = document.derived
    if derived is None or derived.overview.is_whole:
        return ""
    overview, is_done = derived.overview, document.session.margins_of is derived
    if is_done:
        text = translate("Counted: unsafe combinations of up to {counted} of {dimensions} key variables.")
    elif overview.counted:
        text = translate("Counted so far: unsafe combinations of up to {counted} key variables. Counting larger ones…")
    else:
        text = translate("Counting unsafe combinations… The risks do not depend on them.")
    return text.format(counted=format_count(overview.counted), dimensions=format_count(overview.dimensions))


class MarginsRow(QWidget):
    """`marginsCounted` with `marginsText` and the button `countMargins`; hidden where everything is counted."""

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="marginsCounted")
        self._document = document
        self._text = QLabel(objectName="marginsText")
        self._text.setWordWrap(True)
        muted(self._text)
        self._count = QPushButton(translate("&Count all"), objectName="countMargins")
        self._count.clicked.connect(self._count_all)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._text, 1)
        row.addWidget(self._count)
        self.hide()

    def refresh(self) -> None:
        """Follow the session."""
        said, derived = margins_counted(self._document), self._document.derived
        is_done = derived is not None and self._document.session.margins_of is derived
        if said and derived is not None and is_done:
            from core.warnings.margins_left_out import minutes

            left = minutes(derived.overview)
            told = plural(left, "The others take about {count} minute.", "The others take about {count} minutes.")
            said = f"{said} {translate(told).format(count=format_count(left))}"
        self._text.setText(said)
        self._count.setVisible(is_done)
        self._count.setEnabled(not self._document.stale)
        self.setVisible(bool(said))

    def _count_all(self) -> None:
        self._count.setEnabled(False)
        self._document.count_all_margins()
