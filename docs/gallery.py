"""Draws every part of the look in its states, light and dark, to look at: ``python -m docs.gallery FOLDER``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def _nothing() -> None:
    """What a button of the gallery does."""


def _buttons() -> QWidget:
    from PySide6.QtWidgets import QGridLayout, QWidget

    from gui.shared.parts.buttons import Role, role_button

    shown = QWidget()
    grid = QGridLayout(shown)
    roles: tuple[Role, ...] = ("filled", "plain", "quiet")
    for row, role in enumerate(roles):
        for column, enabled in enumerate((True, False)):
            button = role_button(f"{role.title()} button", f"{role}{column}", role)
            button.setEnabled(enabled)
            grid.addWidget(button, row, column)
    return shown


def _guidance() -> QWidget:
    from gui.shared.parts.guidance import GuidanceCandidate, GuidanceCard

    card = GuidanceCard()
    card.show_guidance("Almost all records are unsafe, mainly through Commune.", "What would help most:")
    rows = (
        ("Commune to Province", (304, 11), 4163, "5750", "40 %"),
        ("Age in five-year bands", (91, 18), 6871, "6813", "39 %"),
    )
    card.show_candidates(
        [
            GuidanceCandidate(name, codes, (7938, after), 8000, ("Recode…", _nothing), blank=blank, lost=lost)
            for name, codes, after, blank, lost in rows
        ],
        14,
    )
    return card


def _guidance_plain() -> QWidget:
    from gui.shared.parts.guidance import GuidanceCard

    card = GuidanceCard()
    steps = ("Recode Age", _nothing), ("Other ways…", _nothing)
    card.show_guidance("Half of the records are unsafe.", "Age in bands: 4,163 → 1,206.", *steps)
    return card


def _effect() -> QWidget:
    from gui.shared.parts.effect import EffectCard

    card = EffectCard()
    card.show_effect(4163, 1206, "Values to blank 9,404 → 2,310. Nothing is changed yet.")
    return card


def _hint() -> QWidget:
    from gui.shared.parts.hint import Hint

    return Hint("Choose a variable at the left and a way above its codes.")


def _to_look_at() -> QWidget:
    from gui.shared.parts.warnings_card import WarningLine, WarningsCard

    shown = WarningsCard()
    shown.show_remarks(
        [
            WarningLine("households are not judged", "No household threshold is chosen.", "Choose…", _nothing),
            WarningLine("two keys stand in no combination", "Industry and Sex are in no table.", "Add", _nothing),
        ]
    )
    shown.open_list(True)
    return shown


def _checklist() -> QWidget:
    from PySide6.QtWidgets import QVBoxLayout

    from gui.shared.parts.card import Card
    from gui.shared.parts.checklist_row import ChecklistRow

    card = Card()
    card.body.setContentsMargins(1, 1, 1, 4)
    rows = QVBoxLayout()
    rows.setSpacing(0)
    card.body.addLayout(rows)
    for name, value, proposed in (
        ("Date of birth", None, False),
        ("Interviewer", "out", True),
        ("Sex", "as-is", False),
    ):
        row = ChecklistRow(name, "7,412 different dates", [("Leave out", "out"), ("As it is", "as-is")])
        row.show_decision(value, proposed)
        rows.addWidget(row)
    return card


def _choices() -> QWidget:
    from PySide6.QtWidgets import QVBoxLayout, QWidget

    from gui.shared.parts.choice_card import ChoiceCard, ChoiceCards

    shown = QWidget()
    column = QVBoxLayout(shown)
    cards = [
        ChoiceCard("original", "Judged by the original file", "Holds against somebody who has the safe file."),
        ChoiceCard("released", "Judged by what is released", "Holds against somebody who also knows the rules."),
    ]
    for card, blanks in zip(cards, ("431 blanks", "436 blanks"), strict=True):
        card.forecast.setText(blanks)
        column.addWidget(card)
    ChoiceCards(cards, shown).choose(1)
    return shown


def _segments() -> QWidget:
    from gui.shared.parts.segments import Segments

    shown = Segments("views", "Views", [("one", "Histogram"), ("two", "Cumulative"), ("three", "Riskiest")])
    shown.choose("two")
    return shown


def _signs() -> QWidget:
    from PySide6.QtWidgets import QHBoxLayout, QWidget

    from gui.shared.parts.signs import Sign, SignState

    shown = QWidget()
    row = QHBoxLayout(shown)
    states: tuple[SignState, ...] = ("attention", "done", "now", "open", "later")
    for number, state in enumerate(states, 1):
        row.addWidget(Sign(state, 22, number))
    return shown


def _boxes() -> QWidget:
    from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QRadioButton, QWidget

    from gui.shared.number_box import NumberBox

    shown = QWidget()
    grid = QGridLayout(shown)
    for column, state in enumerate(("plain", "refused", "disabled")):
        box = NumberBox(f"box{state}")
        box.set_value(1.6)
        if state == "refused":
            box.refuse("Not a number. Type for example 1.6; nothing was changed.")
        choices, tick, ring = QComboBox(), QCheckBox("Ticked"), QRadioButton("Chosen")
        choices.addItems(["Leave out"])
        tick.setChecked(True)
        ring.setChecked(True)
        for row, widget in enumerate((box, box.message, choices, tick, ring)):
            grid.addWidget(widget, row, column)
            widget.setEnabled(state != "disabled")
    return shown


def _counts(stale: bool) -> QWidget:
    from gui.shared.parts.card import Card
    from gui.shared.parts.count_bars import CountBars
    from gui.theme import set_greyed

    card, bars = Card("Forecast at this threshold", "gallery"), CountBars()
    bars.set_counts([("Occupation", 1165), ("Education", 1119), ("Age", 52)])
    card.body.addWidget(bars)
    set_greyed(card, stale)
    return card


def _refused() -> QWidget:
    from gui.shared.parts.card import Card
    from gui.shared.parts.wrapped_label import WrappedLabel

    card = Card(tone="refused")
    card.body.addWidget(WrappedLabel("The file cannot be written. Choose a folder that is yours.", role="head"))
    return card


PARTS: dict[str, Callable[[], QWidget]] = {
    "buttons": _buttons,
    "guidance": _guidance_plain,
    "guidance with candidates": _guidance,
    "effect": _effect,
    "to look at": _to_look_at,
    "hint": _hint,
    "checklist": _checklist,
    "choices": _choices,
    "segments": _segments,
    "signs": _signs,
    "boxes": _boxes,
    "counts": lambda: _counts(stale=False),
    "counts, stale": lambda: _counts(stale=True),
    "refused": _refused,
}
"""Each part by what it is called."""


def draw(folder: Path) -> None:
    """Write one picture of all parts for each theme."""
    from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

    from gui.theme import theme

    for name in ("light", "dark"):
        theme.use(name)
        sheet = QWidget()
        column = QVBoxLayout(sheet)
        for title, part in PARTS.items():
            column.addWidget(QLabel(title))
            column.addWidget(part())
        sheet.resize(800, sheet.sizeHint().height())
        sheet.show()
        sheet.grab().save(str(folder / f"parts-{name}.png"))
        sheet.close()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import main

    main.build_application(["pavo"])
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    draw(target)
