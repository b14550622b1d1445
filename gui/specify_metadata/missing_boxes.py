"""The boxes of a variable's missing codes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.base.texts import translate
from gui.specify_metadata.form_boxes import SEVERAL, TextBox
from gui.specify_metadata.variable_model import EMPTY, code_text, codes_text, parse_codes


class MissingBoxes(QWidget):
    """`missing1`, `missing2` and `missing3`, the last for all further codes.

    Signals
    -------
    typed(tuple of str)
        The codes as they are to be.
    """

    typed = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.edits = [TextBox(name, text) for name, text in (
            ("missing1", translate("First missing code")), ("missing2", translate("Second missing code")),
            ("missing3", translate("More missing codes")),
        )]  # fmt: skip
        self.edits[0].setToolTip(translate("What suppression writes"))
        self.edits[2].setToolTip(translate("More missing codes, separated by blanks"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for place, edit in zip(("1", "2", translate("more")), self.edits, strict=True):
            row.addWidget(QLabel(place))
            row.addWidget(edit, 1)
            edit.entered.connect(lambda _text: self.typed.emit(self._codes()))

    def show_codes(self, missing: Any) -> None:
        """Show codes, or that the selected variables have several."""
        if missing is SEVERAL:
            for box in self.edits:
                box.show_value(SEVERAL)
            return
        texts = [code_text(code) for code in missing[:2]] + ["", ""]
        self.edits[0].show_value(texts[0])
        self.edits[1].show_value(texts[1])
        self.edits[2].show_value(codes_text(missing[2:]))

    def _codes(self) -> tuple[str, ...]:
        codes: list[str] = []
        for box in self.edits[:2]:
            text = box.text().strip()
            codes += ["" if text in (EMPTY, translate(EMPTY), '""') else text] if text else []
        codes += parse_codes(self.edits[2].text())
        return tuple(dict.fromkeys(codes))
