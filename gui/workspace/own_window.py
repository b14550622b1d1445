"""A window of its own for a page that was taken out of the workspace."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.settings import settings
from gui.shared.reading_order import put_in_order
from gui.shared.tool_window import ToolWindow, press_by_enter
from gui.workspace.holder import Holder


class OwnWindow(QWidget):
    """Top-level and without parent: one with a parent would stay above it on Windows and macOS."""

    def __init__(self, holder: Holder, page: ToolWindow) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName(f"window_{page.name}")
        self._page = page
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(holder)
        holder.show()
        self.setWindowTitle(page.windowTitle())
        page.windowTitleChanged.connect(self.setWindowTitle)
        self.resize(QSize(*page.default_size) + QSize(0, 40))
        geometry = settings.geometry(page.name)
        if geometry:
            self.restoreGeometry(geometry)
        self.resize(self.size().boundedTo(self.screen().availableGeometry().size()))

    def keep_geometry(self) -> None:
        """Remember where it stands."""
        settings.set_geometry(self._page.name, self.saveGeometry())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes as one reads, whenever a control was made."""
        put_in_order(self)
        return super().focusNextPrevChild(forward)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The page is closed with it, or neither."""
        if not self._page.close():
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(self, event):
            super().keyPressEvent(event)
