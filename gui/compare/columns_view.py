"""The first column of a table, kept in view where the table is scrolled to the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QHeaderView, QTableView


class NamedRows(QObject):
    """Draws the first column, which names the rows, once more over the left edge of a table that is scrolled.

    Only to look at: a click there is one on the row.
    """

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self.rows = QTableView(view)
        self.rows.setModel(view.model())
        self.rows.setSelectionModel(view.selectionModel())
        self.rows.setSelectionBehavior(view.selectionBehavior())
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.rows.setAutoScroll(False)
        self.rows.setAlternatingRowColors(view.alternatingRowColors())
        self.rows.setShowGrid(False)
        self.rows.setWordWrap(False)
        self.rows.setTextElideMode(view.textElideMode())
        edge = "border: none; border-right: 1px solid palette(mid); border-radius: 0; padding: 0;"
        self.rows.setStyleSheet(f"QTableView, QTableView:focus {{ {edge} }}")
        self.rows.verticalHeader().setDefaultSectionSize(view.verticalHeader().defaultSectionSize())
        for header in (self.rows.verticalHeader(), self.rows.horizontalHeader()):
            header.hide()
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.head = QHeaderView(Qt.Orientation.Horizontal, view)
        self.head.setModel(view.model())
        self.head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self._place)
        for changed in (view.horizontalHeader().sectionResized, view.model().modelReset):
            changed.connect(self._place)
        view.viewport().installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self, *_: object) -> None:
        """Over the first column's place at the left edge, as far down as the table."""
        view, heads = self._view, self._view.horizontalHeader()
        is_scrolled = view.horizontalScrollBar().value() > 0
        for widget in (self.rows, self.head):
            widget.setVisible(is_scrolled)
        if not is_scrolled:
            return
        width, shown = view.columnWidth(0), view.viewport().geometry()
        self.head.setGeometry(shown.left(), heads.geometry().top(), width, heads.height())
        self.rows.setGeometry(shown.left(), shown.top(), width, shown.height())
        self.head.resizeSection(0, width)
        self.rows.setColumnWidth(0, width)
        self.rows.verticalScrollBar().setValue(view.verticalScrollBar().value())
