"""What can be typed in, moved or ticked is seen in light and dark, and nothing moves when the theme changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionSlider,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.risk_chart.view import STEPS, RiskSlider
from gui.theme import theme

SEEN = 3.0
"""The contrast that parts of controls need (WCAG 2.1, 1.4.11)."""


@pytest.fixture(params=["light", "dark"])
def scheme_name(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    theme.use(request.param)
    yield request.param
    theme.use("light")


def contrast(one: QColor, other: QColor) -> float:
    """Ratio of relative luminances, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def picture(qtbot: QtBot, widget: QWidget) -> tuple[QImage, QRect, QWidget]:
    """Picture of a window that holds a widget, where the widget is, the window; something else has the focus."""
    window = QWidget()
    layout = QVBoxLayout(window)
    other = QPushButton("other")
    layout.addWidget(other)
    layout.addWidget(widget)
    window.resize(400, 160)
    qtbot.addWidget(window)
    window.show()
    other.setFocus()
    return window.grab().toImage(), widget.geometry(), window


def pixels(image: QImage) -> NDArray[np.uint32]:
    """The colours of an image, as numbers 0xffRRGGBB."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


def test_both_parts_of_a_slider_and_its_handle_are_seen(qtbot: QtBot, scheme_name: str) -> None:
    slider = RiskSlider()
    slider.set_range_of_risk(0.001, 0.1)
    slider.setValue(STEPS // 2)
    image, place, _ = picture(qtbot, slider)
    back, middle = QColor(theme.scheme.canvas), place.center().y()
    chosen, rest = (image.pixelColor(place.left() + round(place.width() * share), middle) for share in (0.25, 0.75))
    assert contrast(chosen, back) >= SEEN
    assert contrast(rest, back) >= SEEN
    assert chosen != rest
    column = [image.pixelColor(place.center().x(), y) for y in range(place.top(), place.bottom() + 1)]
    assert max(contrast(colour, back) for colour in column) >= SEEN


def test_a_slider_s_handle_stands_where_its_chart_expects_it(qtbot: QtBot, scheme_name: str) -> None:
    slider = RiskSlider()
    slider.set_range_of_risk(0.001, 0.1)
    _, _, window = picture(qtbot, slider)
    length = slider.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength)
    for position, centre in ((0, length // 2), (STEPS, slider.width() - 1 - length // 2)):
        slider.setValue(position)
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        parts = QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
        assert abs(slider.style().subControlRect(*parts).center().x() - centre) <= 1
    assert window.isVisible()


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_a_box_to_type_in_has_an_edge(qtbot: QtBot, scheme_name: str, kind: type[QWidget]) -> None:
    image, place, _ = picture(qtbot, kind())
    edge = image.pixelColor(place.left(), place.center().y())
    assert contrast(edge, QColor(theme.scheme.canvas)) >= SEEN


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QListWidget, QTableView, QCheckBox, QRadioButton])
def test_what_has_the_focus_differs_though_nothing_is_in_it(
    qtbot: QtBot, scheme_name: str, kind: type[QWidget]
) -> None:
    widget = kind()
    before, _, window = picture(qtbot, widget)
    window.activateWindow()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(widget.hasFocus)
    after, place = window.grab().toImage(), widget.geometry()
    seen, unseen = (pixels(image.copy(place)) for image in (after, before))
    changed = np.unique(seen[seen != unseen]).tolist()
    back = QColor(theme.scheme.canvas)
    assert max((contrast(QColor(colour), back) for colour in changed), default=0) >= SEEN


def test_nothing_moves_when_the_theme_changes(qtbot: QtBot) -> None:
    widgets: list[QWidget] = [QCheckBox("A choice"), QRadioButton("A choice"), QLineEdit("A text"), RiskSlider()]
    sizes = []
    for name in ("light", "dark"):
        theme.use(name)
        sizes.append([widget.sizeHint() for widget in widgets])
    theme.use("light")
    for widget in widgets:
        qtbot.addWidget(widget)
    assert sizes[0] == sizes[1]
    assert widgets[0].sizeHint().height() > widgets[0].fontMetrics().height()
