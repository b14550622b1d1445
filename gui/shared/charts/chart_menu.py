"""Menu of every chart: its figures as a table, a picture to save, a picture to copy."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from gui import dialogs
from gui.document.session_files import write_atomically
from gui.shared.accessible import ChartPart, speak_as
from gui.shared.charts.told import told_of
from gui.shared.over import resize_over
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.table.table_dialog import TableDialog
from gui.shared.tool_window import page_of

_SCALE = 2
TABLE_KEY = "F4"


class ChartMenu(QObject):
    """Gives a chart a context menu and the key F4 for its figures.

    Parameters
    ----------
    chart : the widget
    name : file name proposed for pictures, without suffix, and the table's objectName
    svg : makes the picture as it stands; an empty one where there is nothing to draw
    columns : makes the figures as columns
    refuse : shows why a picture could not be written
    told : what the chart shows in a sentence, for who cannot see it; without it what its figures have in common
    """

    def __init__(
        self,
        chart: QWidget,
        name: str,
        svg: Callable[[], str],
        columns: Callable[[], Sequence[Column]],
        refuse: Callable[[PavoError], None],
        told: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(chart)
        self._refuse = refuse
        self._chart, self._name, self._svg, self._columns = chart, name, svg, columns
        self.actions = [
            self._action(translate("Figures as a &table"), self.show_table, TABLE_KEY),
            self._action(translate("&Copy picture"), self.copy),
            self._action(translate("&Save picture…"), self.save),
        ]
        self.told = told or (lambda: told_of(columns()))
        menu = weakref.ref(self)  # the chart must not keep what keeps the chart
        speak_as(chart, lambda widget: ChartPart(widget, menu))
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
        title = self._chart.accessibleName()
        table = DataTable(f"{self._name}Table", title)
        table.set_columns(self._columns())
        dialog = TableDialog(f"{self._name}Figures", title, table, page_of(self._chart))
        dialog.export.setObjectName("exportFigures")
        resize_over(dialog, 560, 420)
        dialog.open()

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        svg = self._svg()
        if svg:
            QGuiApplication.clipboard().setImage(_image(svg))

    def save(self) -> None:
        """Ask for a file and write the picture as SVG or PNG, by its suffix."""
        svg = self._svg()
        if not svg:
            return
        proposed = dialogs.last_folder() / f"{self._name}.svg"
        path = dialogs.save_file(self._chart, translate("Save picture"), proposed, "SVG (*.svg);;PNG (*.png)")
        if path is None:
            return
        picture = _png(svg) if path.suffix.lower() == ".png" else svg.encode("utf-8")
        try:
            write_atomically(path, picture)
        except PavoError as error:
            self._refuse(error)

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self._chart)
        menu.addActions(self.actions)
        menu.popup(self._chart.mapToGlobal(place))


def _png(svg: str) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    _image(svg).save(buffer, "PNG")
    return bytes(data.data())


def _image(svg: str) -> QImage:
    renderer = QSvgRenderer(QByteArray(svg.encode("utf-8")))
    size: QSize = renderer.defaultSize() * _SCALE
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
