"""What every chart offers: its figures as a table, a picture to save, a picture to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMenu, QVBoxLayout, QWidget

from core.texts import translate
from gui import dialogs
from gui.models.columns import Column
from gui.session_files import write_atomically
from gui.widgets.data_table import DataTable

_SCALE = 2
TABLE_KEY = "F4"


class ChartMenu(QObject):
    """Gives a chart a context menu and the key F4 for its figures.

    Parameters
    ----------
    chart : the widget
    name : file name proposed for pictures, without suffix, and the table's objectName
    svg : makes the picture as it stands
    columns : makes the figures as columns
    """

    def __init__(
        self, chart: QWidget, name: str, svg: Callable[[], str], columns: Callable[[], Sequence[Column]]
    ) -> None:
        super().__init__(chart)
        self._chart, self._name, self._svg, self._columns = chart, name, svg, columns
        self._actions = [
            self._action(translate("Figures as a &table"), self.show_table, TABLE_KEY),
            self._action(translate("&Copy picture"), self.copy),
            self._action(translate("&Save picture…"), self.save),
        ]
        chart.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.customContextMenuRequested.connect(self._show_menu)

    def _action(self, text: str, do: Callable[[], None], key: str = "") -> QAction:
        action = QAction(text, self._chart)
        action.triggered.connect(do)
        if key:
            action.setShortcut(key)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._chart.addAction(action)
        return action

    def show_table(self) -> None:
        """Show the chart's figures in a table that can be sorted, filtered, copied and exported."""
        dialog = QDialog(self._chart.window(), objectName=f"{self._name}Figures")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self._chart.accessibleName())
        table = DataTable(f"{self._name}Table", self._chart.accessibleName())
        table.set_columns(self._columns())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(dialog.reject)
        layout = QVBoxLayout(dialog)
        layout.addWidget(table)
        layout.addWidget(buttons)
        dialog.resize(560, 420)
        dialog.open()

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setImage(self._image())

    def save(self) -> None:
        """Ask for a file and write the picture as SVG or PNG, by its suffix."""
        proposed = dialogs.last_folder() / f"{self._name}.svg"
        path = dialogs.save_file(self._chart, translate("Save picture"), proposed, "SVG (*.svg);;PNG (*.png)")
        if path is None:
            return
        if path.suffix.lower() == ".png":
            self._save_png(path)
        else:
            write_atomically(path, self._svg().encode("utf-8"))

    def _save_png(self, path: Path) -> None:
        from PySide6.QtCore import QBuffer, QIODevice

        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._image().save(buffer, "PNG")
        write_atomically(path, bytes(data.data()))

    def _image(self) -> QImage:
        renderer = QSvgRenderer(QByteArray(self._svg().encode("utf-8")))
        size: QSize = renderer.defaultSize() * _SCALE
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        return image

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self._chart)
        menu.addActions(self._actions)
        menu.exec(self._chart.mapToGlobal(place))
