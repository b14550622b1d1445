"""Key variables in no combination, above the unsafe combinations: none of those tables counts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.shared.parts.buttons import role_button
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import theme

if TYPE_CHECKING:
    from core.base.errors import Notice


class UnassessedKeys(QFrame):
    """`unassessedKeys` with `unassessedKeysText` and `assessKeys`; hidden where every key is in a combination."""

    def __init__(self, select: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="unassessedKeys")
        self._text = WrappedLabel("")
        self._text.setObjectName("unassessedKeysText")
        self._button = role_button(translate(mark("Select Combinations")), "assessKeys")
        self._button.clicked.connect(lambda _checked: select())
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(Sign("attention", 18))
        row.addWidget(self._text, 100)
        row.addStretch(1)
        row.addWidget(self._button)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_notice(self, notice: Notice | None) -> None:
        """Show the warning of keys in no combination; None: there are none."""
        if notice is not None:
            values = dict(notice.values)
            text = mark("Key variables in no combination, not covered by the risk assessment: {names}.")
            if values["more"]:
                text = mark(
                    "Key variables in no combination, not covered by the risk assessment: {names} and {more} more."
                )
            self._text.setText(translate(text).format(**values))
            self.setToolTip(as_tip(notice.text))
            self.setAccessibleName(self._text.text())
        self.setVisible(notice is not None)

    def _dress(self) -> None:
        ground, line = theme.scheme.amber_ground, theme.scheme.amber_text
        self.setStyleSheet(f"#unassessedKeys {{ background: {ground}; border: 1px solid {line}; border-radius: 6px; }}")
