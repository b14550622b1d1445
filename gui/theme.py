"""Light and dark, the accent colour, the two colours of safe and unsafe, figures of equal width, outlines, icons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from string import Template

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from gui.paint_queue import paint_apart
from gui.places import RESOURCES

SAFE = QColor("#0072B2")
UNSAFE = QColor("#D55E00")
"""Okabe–Ito blue and vermilion, the same in light and dark; never the only sign of what they tell."""


@dataclass(frozen=True)
class Colours:
    """The colours of one theme."""

    window: str
    base: str
    alternate: str
    text: str
    muted: str
    disabled: str
    line: str
    outline: str
    accent: str
    selection: str
    on_selection: str
    unsafe_text: str
    attention: str
    attention_back: str


LIGHT = Colours(
    "#F4F6F6", "#FFFFFF", "#F7FAFA", "#1B2526", "#5B6A6C", "#9AA5A6", "#D3DADB", "#828E90", "#0B7A75", "#0B7A75",
    "#FFFFFF", "#A84A00", "#A84A00", "#FDF1E7",
)  # fmt: skip
DARK = Colours(
    "#2A3133", "#171C1E", "#1C2224", "#E3E9E9", "#A6B3B5", "#738183", "#48565A", "#829092", "#3FB5AC", "#1D6964",
    "#FFFFFF", "#F0883E", "#F0883E", "#33261C",
)  # fmt: skip


class Theme(QObject):
    """The theme in use; `changed` when light becomes dark or the other way round."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.choice = "auto"
        self.scheme = LIGHT

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

    def apply(self) -> None:
        """Put the colours of the theme in use on the application."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        dark = self.choice == "dark" or (
            self.choice == "auto" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.scheme = DARK if dark else LIGHT
        app.setPalette(_palette(self.scheme))
        app.setStyleSheet(_style_sheet(self.scheme))
        _pixmap.cache_clear()
        self.changed.emit()


def _palette(scheme: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for roles, colour in (
        ((role.Window, role.Button), scheme.window),
        ((role.Base, role.ToolTipBase), scheme.base),
        ((role.AlternateBase,), scheme.alternate),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), scheme.text),
        ((role.PlaceholderText,), scheme.muted),
        ((role.Accent, role.Link), scheme.accent),
        ((role.Highlight,), scheme.selection),
        ((role.HighlightedText,), scheme.on_selection),
        ((role.Light,), QColor(scheme.window).lighter(110).name()),
        ((role.Midlight, role.Mid), scheme.line),
        ((role.Dark, role.Shadow), QColor(scheme.line).darker(125).name()),
    ):
        for each in roles:
            palette.setColor(each, QColor(colour))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(scheme.disabled))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(scheme.line))
    return palette


def _style_sheet(scheme: Colours) -> str:
    return f"""
    QToolTip {{ color: {scheme.text}; background: {scheme.base}; border: 1px solid {scheme.line}; padding: 3px; }}
    QHeaderView::section {{ background: {scheme.window}; color: {scheme.muted}; border: none;
        border-bottom: 1px solid {scheme.line}; padding: 4px 6px; }}
    QTableView {{ gridline-color: {scheme.line}; }}
    QTableView::item {{ padding: 0 4px; }}
    QStatusBar::item {{ border: none; }}
    RiskHistogram, RiskUtilityChart, UtilityMap, OverlaidHistograms {{ border: 1px solid {scheme.base}; }}
    RiskHistogram:focus, RiskUtilityChart:focus, UtilityMap:focus, OverlaidHistograms:focus {{
        border-color: {scheme.accent}; }}
    QToolButton[flat="true"] {{ border: 1px solid transparent; border-radius: 3px; padding: 1px 4px 1px 1px; }}
    QToolButton[flat="true"]:hover {{ background: {scheme.line}; }}
    QToolButton[flat="true"]:focus {{ border-color: {scheme.accent}; }}
    #workflowBar {{ background: {scheme.alternate}; border-right: 1px solid {scheme.line}; }}
    """ + outlines(scheme)


def apply_fonts(app: QApplication) -> None:
    """Figures of equal width everywhere, so that numbers under each other can be compared."""
    font = app.font()
    font.setFeature(QFont.Tag("tnum"), 1)
    app.setFont(font)


def heading(widget: QWidget, factor: float = 1.15, bold: bool = True) -> None:
    """Make a label's text a heading."""
    font = widget.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    font.setBold(bold)
    widget.setFont(font)


def muted(widget: QWidget) -> None:
    """Show a label as secondary text, in light and dark."""
    widget.setForegroundRole(QPalette.ColorRole.PlaceholderText)


def set_greyed(widget: QWidget, greyed: bool) -> None:
    """Grey a widget whose figures are not true at the moment; it can still be used, and keeps the focus.

    Custom painting looks at the dynamic property ``greyed``. What the widget holds is greyed one by one: under a
    style sheet a palette does not reach the children.
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
    inner = widget.findChildren(QWidget)
    if inner and not isinstance(widget, QGraphicsView):  # a chart's place for its axes is known once it is painted
        paint_apart(widget, 0)
    for each in (widget, *inner):
        each.setPalette(palette)
    widget.update()


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


_BOXES = """
    QLineEdit { background: $base; border: 1px solid $outline; border-radius: 2px; padding: 2px 0; }
    QLineEdit:focus { border-color: $accent; }
    QLineEdit:disabled, QLineEdit:read-only { background: $window; }
    QLineEdit:disabled { border-color: $line; }
    QComboBox QLineEdit { border: none; padding: 0; background: transparent; }
    QPlainTextEdit, QTextEdit, QTableView, QListView { border: 1px solid $line; }
    QPlainTextEdit:enabled, QTextEdit:enabled { border-color: $outline; }
    QPlainTextEdit:focus, QTextEdit:focus, QTableView:focus, QListView:focus { border-color: $accent; }
    """

_BUTTONS = """
    QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
    QPushButton:focus { border: 2px solid $accent; border-radius: 3px; padding: 2px 5px; min-width: 66px;
        background: $base; }
    QPushButton:focus:pressed { background: $line; }
    QScrollArea { border: 1px solid transparent; }
    QScrollArea:focus { border: 1px solid $accent; }
    StepButton { border: 1px solid transparent; border-radius: 4px; background: transparent; }
    StepButton:hover { background: $line; }
    StepButton:focus { border: 2px solid $accent; }
    QToolButton#messageClose, QToolButton#statusRemarks { border: 1px solid transparent; border-radius: 3px;
        padding: 1px 4px; }
    QToolButton#messageClose:hover, QToolButton#statusRemarks:hover { background: $line; }
    QToolButton#statusRemarks { border-color: $outline; }
    QToolButton#messageClose:focus, QToolButton#statusRemarks:focus { border-color: $accent; }
    """

_INDICATORS = """
    QCheckBox, QRadioButton { spacing: 5px; padding: 2px 4px 3px 0; }
    QCheckBox::indicator, QTableView::indicator, QRadioButton::indicator { width: 12px; height: 12px;
        border: 1px solid $outline; background: $base; }
    QCheckBox::indicator, QTableView::indicator { border-radius: 2px; }
    QRadioButton::indicator { border-radius: 7px; }
    QCheckBox::indicator:checked, QTableView::indicator:checked { background: $selection; border-color: $accent;
        image: url("$icons/ticked.svg"); }
    QCheckBox::indicator:indeterminate, QTableView::indicator:indeterminate { background: $selection;
        border-color: $accent; image: url("$icons/partly.svg"); }
    QRadioButton::indicator:checked { background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
        stop: 0 $accent, stop: 0.55 $accent, stop: 0.65 $base, stop: 1 $base); }
    QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $accent; width: 10px; height: 10px; }
    QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: $window; }
    QCheckBox::indicator:checked:disabled, QCheckBox::indicator:indeterminate:disabled { background: $disabled; }
    QRadioButton::indicator:checked:disabled { background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5,
        fy: 0.5, stop: 0 $disabled, stop: 0.55 $disabled, stop: 0.65 $window, stop: 1 $window); }
    """

_SLIDERS = """
    QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $outline; }
    QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
    QSlider::handle:horizontal { width: 13px; height: 13px; margin: -6px 0; border: 1px solid $muted;
        border-radius: 7px; background: $on_selection; }
    QSlider::handle:horizontal:hover { border-color: $accent; }
    QSlider::handle:horizontal:focus { border-color: $accent; background: $accent; }
    QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: $line; }
    QSlider::handle:horizontal:disabled { border-color: $line; background: $window; }
    """


def outlines(scheme: Colours) -> str:
    """Rules of a style sheet for outlines of boxes, sliders, indicators and lists, in the colours of `scheme`.

    Fusion derives outlines from the window's colour by darkening it: on a dark window they cannot be seen. The same
    rules are used in light and dark, so that nothing moves when the theme changes.
    """
    icons = (RESOURCES / "icons").as_posix()
    return Template(_BOXES + _BUTTONS + _INDICATORS + _SLIDERS).substitute(vars(scheme), icons=icons)


theme = Theme()
