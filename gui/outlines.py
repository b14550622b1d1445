"""Outlines of boxes, sliders, indicators and lists, drawn in the colours of the theme.

Fusion derives outlines from the window's colour by darkening it: on a dark window they cannot be seen. The same rules
are used in light and dark, so that nothing moves when the theme changes.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from gui.places import RESOURCES

if TYPE_CHECKING:
    from gui.theme import Scheme

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


def outlines(scheme: Scheme) -> str:
    """Rules of a style sheet, in the colours of `scheme`."""
    icons = (RESOURCES / "icons").as_posix()
    return Template(_BOXES + _BUTTONS + _INDICATORS + _SLIDERS).substitute(vars(scheme), icons=icons)
