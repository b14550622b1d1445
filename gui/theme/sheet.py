"""The one style sheet, made from the tokens.

A rule for a widget ends Fusion's own drawing of it, so arrows and indicators are given here, as pictures of each theme.
States change colours only: sizes are taken from the plain state. The same rules stand in light and dark, so that
nothing moves when the theme changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from string import Template

from gui.theme import tokens
from gui.theme.tokens import Colours


def style_sheet(scheme: Colours, icons: str, scaled: Callable[[int], int]) -> str:
    """The style sheet of a theme.

    Parameters
    ----------
    scheme : the colours
    icons : folder of the theme's pictures, with forward slashes
    scaled : makes a height at text of ten points one of the text in use
    """
    heights = {
        "h_head": scaled(tokens.HEAD) - 1,
        "h_quiet": scaled(tokens.QUIET_BUTTON),
        "h_rail": scaled(tokens.RAIL_HEAD),
    }
    edged = {"button": tokens.BUTTON, "box": tokens.BOX, "linked": tokens.LINKED_BOX, "segment": tokens.SEGMENT}
    for name, height in edged.items():  # less both edges: 1 px, and 2 px with the focus
        heights |= {f"h_{name}": scaled(height) - 2, f"h_{name}_focus": scaled(height) - 4}
    heights["h_quiet_focus"] = heights["h_quiet"] - 4
    areas = {"safe": tokens.SAFE_AREA, "unsafe": tokens.UNSAFE_AREA, "icons": icons}
    every = _GROUND + _CARDS + _BOXES + _BUTTONS + _INDICATORS + _TABLES + _SLIDERS + _BARS + _SEGMENTS + _OTHERS
    return Template(every).substitute(asdict(scheme), **areas, **heights)


_GROUND = """
    QToolTip { color: $text; background: $surface; border: 1px solid $rule; padding: 4px 6px; }
    QMenuBar { background: $canvas; border-bottom: 1px solid $line; }
    QMenuBar::item { padding: 5px 10px; background: transparent; border-radius: 4px; }
    QMenuBar::item:selected { background: $soft; }
    QMenu { background: $surface; border: 1px solid $rule; padding: 4px; }
    QMenu::item { padding: 5px 28px 5px 24px; border-radius: 4px; }
    QMenu::item:selected { background: $soft; color: $text; }
    QMenu::item:disabled { color: $disabled; background: transparent; }
    QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
    QMenu::indicator { width: 14px; height: 14px; left: 5px; }
    QMenu::indicator:checked { image: url("$icons/check.svg"); }
    QStatusBar { background: $canvas; border-top: 1px solid $line; }
    QStatusBar::item { border: none; }
    QSplitter::handle { background: transparent; }
    QSplitter::handle:hover { background: $line; }
    #workflowBar { background: $rail; border-right: 1px solid $line; }
    """

_CARDS = """
    Card { background: $surface; border: 1px solid $line; border-radius: 8px; }
    Card[tone="guidance"] { background: $amber_ground; border-color: $amber_line; }
    Card[tone="hint"] { background: $rail; }
    Card[tone="effect"] { background: $ok_ground; border-color: $ok_line; }
    Card[tone="refused"] { background: $refused_ground; border-color: $refused; }
    Card[focused="true"] { border-color: $accent; }
    SideColumn { border: none; }
    ChoiceCard { background: $surface; border: 1px solid $line; border-radius: 8px; padding: 1px; }
    ChoiceCard:hover { background: $sunken; }
    ChoiceCard[chosen="true"] { border: 2px solid $accent; padding: 0; background: $surface; }
    QGroupBox { background: $surface; border: 1px solid $line; border-radius: 8px; margin: 0;
        padding: 22px 6px 2px 6px; }
    QGroupBox::title { subcontrol-origin: border; subcontrol-position: top left; left: 16px; top: 9px; padding: 0;
        color: $text; }
    QGroupBox::title:disabled { color: $disabled; }
    QFrame[rule="true"] { background: $line; border: none; }
    """

_BOXES = """
    QLineEdit { background: $surface; border: 1px solid $outline; border-radius: 5px; padding: 0 5px;
        min-height: ${h_box}px; selection-background-color: $soft; selection-color: $text;
        placeholder-text-color: $muted; }
    QLineEdit:focus { border: 2px solid $accent; padding: 0 4px; min-height: ${h_box_focus}px; }
    QLineEdit:disabled, QLineEdit:read-only { background: transparent; border-color: $line; color: $disabled; }
    QLineEdit:read-only:enabled { color: $text; }
    QLineEdit[refused="true"] { border: 2px solid $refused; padding: 0 4px; min-height: ${h_box_focus}px; }
    QLineEdit[linked="true"] { min-height: ${h_linked}px; }
    QLineEdit[linked="true"]:focus, QLineEdit[linked="true"][refused="true"] { min-height: ${h_linked_focus}px; }
    QComboBox { background: $surface; border: 1px solid $outline; border-radius: 5px; padding: 0 5px 0 8px;
        min-height: ${h_box}px; combobox-popup: 0; }
    QComboBox:hover, QLineEdit:enabled:hover { border-color: $muted; }
    QComboBox:focus { border: 2px solid $accent; padding: 0 4px 0 7px;
        min-height: ${h_box_focus}px; }
    QComboBox:disabled { background: transparent; border-color: $line; color: $disabled; }
    QComboBox[undecided="true"] { border-color: $amber_text; }
    QComboBox::drop-down { subcontrol-origin: padding; subcontrol-position: center right; width: 20px; border: none; }
    QComboBox::down-arrow { image: url("$icons/down.svg"); width: 12px; height: 12px; }
    QComboBox::down-arrow:disabled { image: url("$icons/down-disabled.svg"); }
    QComboBox QAbstractItemView { background: $surface; border: 1px solid $rule; selection-background-color: $soft;
        selection-color: $text; outline: none; }
    QComboBox QLineEdit { border: none; padding: 0; min-height: 0; background: transparent; }
    QTableView QLineEdit, QTableView QComboBox, QTreeView QLineEdit { min-height: 0; border-radius: 0; }
    QPlainTextEdit, QTextEdit { background: $surface; border: 1px solid $line; border-radius: 5px;
        selection-background-color: $soft; selection-color: $text; }
    QPlainTextEdit:enabled, QTextEdit:enabled { border-color: $outline; }
    QPlainTextEdit:focus, QTextEdit:focus { border-color: $accent; }
    """

_BUTTONS = """
    QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
    QPushButton { background: $surface; border: 1px solid $rule; border-radius: 6px; padding: 0 14px; color: $text;
        min-height: ${h_button}px; }
    QPushButton:hover { background: $sunken; }
    QPushButton:pressed, QPushButton:checked { background: $soft; }
    QPushButton:focus { border: 2px solid $accent; padding: 0 13px; min-height: ${h_button_focus}px; }
    QPushButton:default, QPushButton[role="filled"] { background: $accent; border-color: $accent; color: $on_accent; }
    QPushButton:default:hover, QPushButton[role="filled"]:hover { background: $accent_hover;
        border-color: $accent_hover; }
    QPushButton:default:pressed, QPushButton[role="filled"]:pressed { background: $accent_press; }
    QPushButton:default:focus, QPushButton[role="filled"]:focus { border-color: $text; }
    QPushButton:disabled, QPushButton:default:disabled, QPushButton[role="filled"]:disabled { color: $disabled;
        border-color: $line; background: transparent; }
    QPushButton[role="short"] { padding: 0; }
    QPushButton[role="quiet"], QToolButton[role="quiet"] { background: transparent; border: none; color: $accent;
        padding: 0; min-height: ${h_quiet}px; border-radius: 2px; text-align: left; }
    QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover { color: $accent_hover;
        text-decoration: underline; }
    QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus { border: none; border-bottom: 2px solid $accent;
        padding: 2px 0 0 0; min-height: ${h_quiet_focus}px; }
    QPushButton[role="quiet"]:disabled, QToolButton[role="quiet"]:disabled { color: $disabled; }
    QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 2px 4px; }
    QToolButton[role="plain"] { background: $surface; border: 1px solid $rule; border-radius: 6px;
        padding: 0 24px 0 12px; min-height: ${h_button}px; max-height: ${h_button}px; }
    QToolButton[role="plain"]:focus { border-color: $accent; }
    QToolButton[role="plain"]::menu-indicator { image: url("$icons/down.svg"); width: 12px; height: 12px;
        subcontrol-origin: padding; subcontrol-position: center right; right: 8px; }
    QToolButton:hover { background: $sunken; }
    QToolButton:pressed, QToolButton:checked { background: $soft; }
    QToolButton:focus { border-color: $accent; }
    QToolButton[flat="true"] { padding: 1px 4px 1px 1px; color: $accent; }
    QToolButton[flat="true"]:checked { background: transparent; }
    QToolButton#statusRemarks { border-color: $outline; }
    QToolButton#statusRemarks:focus { border-color: $accent; }
    QScrollArea { border: 1px solid transparent; background: transparent; }
    QScrollArea:focus { border: 1px solid $accent; }
    StepButton, QPushButton[role="rail"] { border: 1px solid transparent; border-radius: 4px; background: transparent;
        padding: 0; }
    StepButton { min-height: 0; }
    QPushButton[role="rail"], QPushButton[role="rail"]:focus { min-height: ${h_rail}px; }
    StepButton:hover, QPushButton[role="rail"]:hover { background: $sunken; }
    StepButton:checked, QPushButton[role="rail"]:checked { background: $surface; }
    StepButton:disabled { border-color: transparent; }
    StepButton:focus, QPushButton[role="rail"]:focus { border: 2px solid $accent; padding: 0; }
    """

_INDICATORS = """
    QCheckBox, QRadioButton { spacing: 7px; padding: 3px 4px 3px 0; background: transparent; }
    QCheckBox::indicator, QTableView::indicator, QListView::indicator, QTreeView::indicator { width: 14px;
        height: 14px; border: 1px solid $outline; border-radius: 4px; background: $surface; }
    QRadioButton::indicator { width: 16px; height: 16px; border: 1px solid $outline; border-radius: 9px;
        background: $surface; }
    QCheckBox::indicator:checked, QTableView::indicator:checked, QListView::indicator:checked,
    QTreeView::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/ticked.svg"); }
    QCheckBox::indicator:indeterminate, QTableView::indicator:indeterminate { background: $accent;
        border-color: $accent; image: url("$icons/partly.svg"); }
    QRadioButton::indicator:checked { width: 8px; height: 8px; border: 5px solid $accent; }
    QCheckBox::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }
    QCheckBox::indicator:checked:focus, QCheckBox::indicator:indeterminate:focus { border-color: $text; }
    QRadioButton::indicator:focus { border: 2px solid $accent; width: 14px; height: 14px; }
    QRadioButton::indicator:checked:focus { border: 5px solid $accent; width: 8px; height: 8px;
        background: $text; }
    QCheckBox:focus, QRadioButton:focus { color: $accent; }
    QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: transparent; }
    QCheckBox::indicator:checked:disabled, QCheckBox::indicator:indeterminate:disabled { background: $disabled; }
    QRadioButton::indicator:checked:disabled { border-color: $disabled; }
    """

_TABLES = """
    QTableView, QListView, QTreeView { background: $surface; border: 1px solid $line; border-radius: 8px;
        padding: 2px; selection-background-color: $soft; selection-color: $text; gridline-color: $grid;
        outline: none; }
    QTableView:focus, QListView:focus, QTreeView:focus { border: 2px solid $accent; padding: 1px; }
    QTableView::item { padding: 0 7px; border-bottom: 1px solid $grid; }
    QTableView::item:selected { background: $soft; color: $text; }
    QTableView[pale="true"]::item:selected, QTreeView[pale="true"]::item:selected { color: $disabled; }
    QListView::item { padding: 2px 6px; }
    Card QTableView, Card QListView { border: none; padding: 0; }
    QHeaderView { background: transparent; }
    QHeaderView::section { background: $surface; color: $muted; border: none; border-bottom: 1px solid $rule;
        padding: 0 10px; min-height: ${h_head}px; }
    QHeaderView::section:vertical { min-height: 0; border-bottom: 1px solid $grid; }
    QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: center right; width: 9px; height: 9px;
        right: 2px; }
    QHeaderView::up-arrow { image: url("$icons/up-muted.svg"); }
    QHeaderView::down-arrow { image: url("$icons/down-muted.svg"); }
    QTableCornerButton::section { background: $surface; border: none; border-bottom: 1px solid $rule; }
    """

_SLIDERS = """
    RiskSlider:horizontal { min-height: 22px; }
    QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $outline; }
    QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
    QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border: 2px solid $text;
        border-radius: 8px; background: $surface; }
    QSlider::handle:horizontal:hover { border-color: $accent; }
    QSlider::handle:horizontal:focus { border-color: $accent; background: $accent; }
    QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: $line; }
    QSlider::handle:horizontal:disabled { border-color: $line; background: $canvas; }
    RiskSlider::groove:horizontal { background: $unsafe; }
    RiskSlider::sub-page:horizontal { background: $safe; }
    RiskSlider::handle:horizontal:focus { border-color: $text; background: $accent; }
    RiskSlider::groove:horizontal:disabled, RiskSlider::sub-page:horizontal:disabled { background: $line; }
    """

_BARS = """
    QProgressBar { border: none; border-radius: 3px; background: $line; max-height: 6px; min-height: 6px; }
    QProgressBar::chunk { background: $accent; border-radius: 3px; }
    QScrollBar:vertical { width: 12px; background: transparent; margin: 0; }
    QScrollBar:horizontal { height: 12px; background: transparent; margin: 0; }
    QScrollBar::handle { background: $rule; border-radius: 4px; margin: 2px; }
    QScrollBar::handle:vertical { min-height: 28px; }
    QScrollBar::handle:horizontal { min-width: 28px; }
    QScrollBar::handle:hover { background: $outline; }
    QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: transparent; }
    QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
    """

_SEGMENTS = """
    QTabWidget::pane { border: none; border-top: 1px solid $line; }
    QTabBar { qproperty-drawBase: 0; }
    QTabBar::tab { background: $surface; border: 1px solid $rule; color: $muted; padding: 0 12px; margin-left: -1px;
        height: ${h_segment}px; }
    QTabBar::tab:first, QTabBar::tab:only-one { border-top-left-radius: 6px; border-bottom-left-radius: 6px;
        margin-left: 0; }
    QTabBar::tab:last, QTabBar::tab:only-one { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
    QTabBar::tab:hover { background: $sunken; }
    QTabBar::tab:selected { background: $soft; color: $text; }
    QTabBar::tab:disabled { color: $disabled; }
    QTabBar:focus::tab:selected { border-color: $accent; }
    SegmentButton { spacing: 0; background: $surface; border: 1px solid $rule; color: $muted; padding: 0 12px;
        margin-left: -1px; min-height: ${h_segment}px; border-radius: 0; }
    SegmentButton[edge="first"] { border-top-left-radius: 6px; border-bottom-left-radius: 6px; margin-left: 0; }
    SegmentButton[edge="last"] { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
    SegmentButton:hover { background: $sunken; }
    SegmentButton:checked { background: $soft; color: $text; }
    SegmentButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: ${h_segment_focus}px; }
    SegmentButton[dense="true"] { padding: 0 6px; }
    SegmentButton[dense="true"]:focus { padding: 0 5px; }
    SegmentButton::indicator, SegmentButton::indicator:checked, SegmentButton::indicator:focus,
    SegmentButton::indicator:checked:focus { width: 0; height: 0; border: none; }
    """

_OTHERS = """
    RiskHistogram, RiskUtilityChart, UtilityMap, OverlaidHistograms { border: 1px solid $surface; }
    RiskHistogram:focus, RiskUtilityChart:focus, UtilityMap:focus, OverlaidHistograms:focus {
        border-color: $accent; }
    QToolButton#messageClose:focus { border-color: $accent; }
    """
