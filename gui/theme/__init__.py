"""Light and dark: tokens, palette and style sheet put on together; sizes of type, figures of equal width, icons."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QGraphicsView, QLabel, QLineEdit, QWidget

from gui.paint_queue import paint_apart
from gui.places import RESOURCES
from gui.theme.palette import palette_of
from gui.theme.sheet import style_sheet
from gui.theme.tokens import DARK, LEAST_POINTS, LIGHT, SAFE_AREA, TYPE, UNSAFE_AREA, Colours

_ROLE, _SYSTEM = "typeRole", "systemPoints"
"""Properties: of a widget its role of type, of the application the system's size of text."""

SAFE = QColor(SAFE_AREA)
UNSAFE = QColor(UNSAFE_AREA)


class Theme(QObject):
    """The theme in use; `changed` when light becomes dark or the other way round."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.choice = "auto"
        self.points = 0
        """Size of body text that the user chose; 0: the system's."""
        self.scheme: Colours = LIGHT

    @property
    def dark(self) -> bool:
        """Whether the dark theme is in use."""
        return self.scheme is DARK

    def use(self, choice: str) -> None:
        """Use ``"light"``, ``"dark"`` or ``"auto"`` (as the system has it)."""
        self.choice = choice
        hints = QGuiApplication.styleHints()
        wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(choice, Qt.ColorScheme.Unknown)
        hints.setColorScheme(wanted)
        self.apply()

    def use_points(self, points: int) -> None:
        """Write everything in this size of body text, in points; 0: in the system's."""
        self.points = points
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_fonts(app)
            self.apply()
            for widget in app.allWidgets():
                if widget.property(_ROLE) is not None:
                    write_as(widget, widget.property(_ROLE))

    def apply(self) -> None:
        """Put the colours of the theme in use on the application."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        dark = self.choice == "dark" or (
            self.choice == "auto" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.scheme = DARK if dark else LIGHT
        icons = RESOURCES / "icons" / ("dark" if dark else "light")
        app.setPalette(palette_of(self.scheme))
        app.setStyleSheet(style_sheet(self.scheme, icons.as_posix(), scaled))
        _pixmap.cache_clear()
        self.changed.emit()


def body_points() -> float:
    """Size of body text: the one chosen, else that of the system, but then at least ten points."""
    return float(theme.points or max(_system_points(), LEAST_POINTS))


def _system_points() -> float:
    """The system's size of text, also when another one was put on."""
    app = QApplication.instance()
    if app is None:
        return float(LEAST_POINTS)
    if app.property(_SYSTEM) is None:
        app.setProperty(_SYSTEM, QApplication.font().pointSizeF())
    return float(app.property(_SYSTEM))


_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip, Qt.UIEffect.UI_AnimateToolBox,
)  # fmt: skip


def move_less(less: bool) -> None:
    """Let menus, lists and tips appear at once, or move where the system lets them."""
    for effect in _EFFECTS:
        QApplication.setEffectEnabled(effect, not less)


def scaled(height: float) -> int:
    """A height or width at text of ten points, made one of the text in use; in logical pixels."""
    return round(height * body_points() / LEAST_POINTS)


def apply_fonts(app: QApplication) -> None:
    """Body text; figures of equal width everywhere, so that numbers under each other can be compared."""
    font = app.font()
    font.setPointSizeF(body_points())
    font.setFeature(QFont.Tag("tnum"), 1)
    app.setFont(font)


def heading(widget: QWidget, factor: float = TYPE["head"].size, bold: bool = True) -> None:
    """Make a label's text a heading."""
    font = widget.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    widget.setFont(font)


def write_as(widget: QWidget, role: str) -> None:
    """Give a widget's text the size and weight of a role of type: display, title, head, section, body, small."""
    widget.setProperty(_ROLE, role)
    font = QFont(QApplication.font())
    font.setPointSizeF(body_points() * TYPE[role].size)
    font.setWeight(QFont.Weight.DemiBold if TYPE[role].strong else QFont.Weight.Normal)
    widget.setFont(font)


def dress_as(widget: QWidget, **properties: str | bool) -> None:
    """Set properties that the style sheet asks for, as ``role="filled"``, and draw the widget accordingly."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def muted(widget: QWidget) -> None:
    """Show a label as secondary text, in light and dark."""
    widget.setForegroundRole(QPalette.ColorRole.PlaceholderText)


def set_greyed(widget: QWidget, greyed: bool) -> None:
    """Grey a widget whose figures are not true at the moment; it can still be used, and keeps the focus.

    Custom painting looks at the dynamic property ``greyed``. What the widget holds is greyed one by one: under a
    style sheet a palette does not reach the children. Boxes, buttons and their labels, and what has the dynamic
    property ``stays``, as headings do, are no figures: they keep their colour.
    """
    if bool(widget.property("greyed")) == greyed:
        return
    widget.setProperty("greyed", greyed)
    palette = QPalette()
    if greyed:
        colour = QColor(theme.scheme.disabled)
        role = QPalette.ColorRole
        for text in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
            palette.setColor(text, colour)
        palette.setColor(role.Highlight, QColor(theme.scheme.line))
    inner = [each for each in widget.findChildren(QWidget) if not _is_no_figure(each)]
    if inner and not isinstance(widget, QGraphicsView):  # a chart's place for its axes is known once it is painted
        paint_apart(widget, 0)
    for each in (widget, *inner):
        each.setPalette(palette)
    widget.update()


def _is_no_figure(widget: QWidget) -> bool:
    """Whether what a widget says is true whatever is being counted."""
    if isinstance(widget, QLabel):
        return widget.buddy() is not None or bool(widget.property("stays"))
    return isinstance(widget, (QAbstractButton, QComboBox, QLineEdit))


def icon(name: str) -> QIcon:
    """An icon of ``resources/icons``, drawn in the colours of the theme in use."""
    result = QIcon()
    for size in (16, 20, 24, 32, 48, 64):
        result.addPixmap(_pixmap(name, size, theme.scheme.text))
        result.addPixmap(_pixmap(name, size, theme.scheme.disabled), QIcon.Mode.Disabled)
    return result


def pixmap(name: str, size: int, colour: str | None = None, ratio: float = 1.0) -> QPixmap:
    """An icon as a picture `size` points wide, sharp on a screen with `ratio` pixels a point."""
    result = QPixmap(_pixmap(name, round(size * ratio), colour or theme.scheme.text))
    result.setDevicePixelRatio(ratio)
    return result


@cache
def _pixmap(name: str, size: int, colour: str) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    text = (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    result = QPixmap(QSize(size, size))
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return result


theme = Theme()
