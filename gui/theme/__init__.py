"""Light and dark: tokens, palette and style sheet put on together; sizes of type, figures of equal width, icons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QWidget,
)

from core.base.texts import mark, translate
from gui.paint_queue import paint_apart
from gui.places import RESOURCES
from gui.theme.palette import palette_of
from gui.theme.sheet import style_sheet
from gui.theme.tokens import DARK, LEAST_POINTS, LIGHT, SAFE_AREA, TYPE, UNSAFE_AREA, Colours

_ROLE, _SYSTEM, _SAID = "typeRole", "systemPoints", "saidMeanwhile"
"""Properties: of a widget its role of type, of the application the system's size of text, of a widget what its
description begins by while its figures are greyed."""

GREYED = 0.4
"""Opacity of pictures whose figures are not true at the moment."""

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
        for widget in app.allWidgets():  # the style sheet took their palettes away
            if widget.property("greyed"):
                _colour(widget, _figures_in(widget), True)


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


UPDATING, OUT_OF_DATE = mark("Updating…"), mark("Out of date.")
"""What is said of greyed figures: they are being computed anew, or are only where the user asks for that."""


def set_greyed(widget: QWidget, greyed: bool, said: str = UPDATING) -> None:
    """Grey a widget whose figures are not true at the moment; it can still be used, and keeps the focus.

    Custom painting asks `is_greyed`, what is drawn in a scene fades. What the widget holds is greyed one by one: under
    a style sheet a palette does not reach the children. Boxes, buttons and their labels, and what has the dynamic
    property ``stays``, as headings do, are no figures: they keep their colour; a box with the dynamic property
    ``figure`` shows one.

    Parameters
    ----------
    said : what assistive tools read before what else is said of the figures; marked for translation
    """
    if not greyed and not widget.property("greyed"):
        return
    inner = _figures_in(widget)
    _say_before(widget, inner, translate(said) if greyed else "")
    if bool(widget.property("greyed")) != greyed:
        widget.setProperty("greyed", greyed)
        if inner and not isinstance(widget, QGraphicsView):  # a chart's place for its axes is known once it is painted
            paint_apart(widget, 0)
        _colour(widget, inner, greyed)


def _figures_in(widget: QWidget) -> list[QWidget]:
    return [each for each in widget.findChildren(QWidget) if not _is_no_figure(each)]


def _colour(widget: QWidget, inner: Sequence[QWidget], greyed: bool) -> None:
    palette = QPalette()
    if greyed:
        colour = QColor(theme.scheme.disabled)
        role = QPalette.ColorRole
        for text in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText):
            palette.setColor(text, colour)
        palette.setColor(role.Highlight, QColor(theme.scheme.line))
    for each in (widget, *inner):
        if isinstance(each, QAbstractItemView):
            dress_as(each, pale=greyed)  # the row that is chosen has its colour from the style sheet
        each.setPalette(palette)
        if isinstance(each, QGraphicsView):
            _fade(each, greyed)
        each.update()


def is_greyed(widget: QWidget | None) -> bool:
    """Whether the figures of a widget, or of what it stands in, are not true at the moment."""
    while widget is not None and not widget.property("greyed"):
        widget = widget.parentWidget()
    return widget is not None


def _fade(chart: QGraphicsView, greyed: bool) -> None:
    """Pale all that is drawn in a chart, also what is drawn meanwhile."""
    for item in chart.scene().items() if chart.scene() is not None else ():
        if item.parentItem() is None:
            item.setOpacity(GREYED if greyed else 1.0)


def _say_before(widget: QWidget, inner: Sequence[QWidget], said: str) -> None:
    """Let the descriptions of a widget, and of what has the focus in it, begin by this; empty: as they were."""
    for each in (widget, *(each for each in inner if each.focusPolicy() != Qt.FocusPolicy.NoFocus)):
        before = each.property(_SAID) or ""
        if before != said:
            each.setProperty(_SAID, said)
            own = each.accessibleDescription().removeprefix(before).lstrip()
            each.setAccessibleDescription(" ".join(filter(None, (said, own))))


def _is_no_figure(widget: QWidget) -> bool:
    """Whether what a widget says is true whatever is being counted."""
    if isinstance(widget, QLabel):
        return widget.buddy() is not None or bool(widget.property("stays"))
    if isinstance(widget, QLineEdit):
        return not widget.property("figure")
    return isinstance(widget, (QAbstractButton, QComboBox))


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
