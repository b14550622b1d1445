"""What parts of pages say, do and announce; all of them are drawn in light and dark."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from docs.gallery import PARTS
from gui.numbers import MISSING, format_one_in, tries
from gui.shared.charts.log_axis import RiskAxis
from gui.shared.number_box import NumberBox
from gui.shared.parts.card import STALE_AFTER_MS, Card
from gui.shared.parts.checklist_row import ChecklistRow
from gui.shared.parts.choice_card import ChoiceCard, ChoiceCards
from gui.shared.parts.count_bars import CountBars
from gui.shared.parts.effect import EffectCard
from gui.shared.parts.fold_line import FoldLine
from gui.shared.parts.guidance import GuidanceCandidate, GuidanceCard
from gui.shared.parts.segments import Segments
from gui.shared.parts.side_column import SideColumn
from gui.shared.parts.signs import Sign
from gui.shared.parts.told_for_a_while import ToldForAWhile
from gui.shared.parts.warnings_card import WarningLine, WarningsCard
from gui.shared.parts.wrapped_label import WIDEST, WrappedLabel
from gui.theme import set_greyed, theme

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_every_part_is_drawn(qtbot: QtBot, choice: str) -> None:
    theme.use(choice)
    try:
        for name, part in PARTS.items():
            widget = part()
            qtbot.addWidget(widget)
            image = widget.grab().toImage()
            colours = {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
            assert len(colours) > 3, name
    finally:
        theme.use("light")


@given(st.floats(1e-9, 1.0))
def test_no_risk_is_shown_smaller_than_it_is(risk: float) -> None:
    assert 1 / tries(risk) >= risk * (1 - 1e-9)


def test_risks_in_words(qapp: QApplication) -> None:
    shown = [format_one_in(risk) for risk in (0.02, 1 / 49, 0.0205, 0.00125, 0.7, 1.0, 0.0, None)]
    assert shown == ["1 in 50", "1 in 49", "1 in 48", "1 in 800", "1 in 1.4", "1 in 1", MISSING, MISSING]
    assert format_one_in(0.0005) == "1 in 2,000"
    assert [format_one_in(risk) for risk in (0.44, 0.5, 1 / 9.99, 0.1)] == ["1 in 2.2", "1 in 2", "1 in 9.9", "1 in 10"]
    QLocale.setDefault(QLocale("de_DE"))
    assert format_one_in(0.44) == "1 in 2,2"


def test_ticks_are_dropped_from_the_safe_end(qapp: QApplication) -> None:
    axis = RiskAxis()
    ((_, wide),) = axis.tickValues(-4.0, -1.0, 2000)
    assert axis.tickStrings(wide, 1, 1)[:4] == ["1 in 10", "1 in 20", "1 in 50", "1 in 100"]
    ((_, narrow),) = axis.tickValues(-4.0, -1.0, 400)
    places = [(tick + 4.0) * 400 / 3 for tick in narrow]
    assert narrow[0] == -1.0
    assert all(before - after >= 78 for before, after in pairwise(places))


def test_guidance_tells_and_leads_on(qtbot: QtBot) -> None:
    card, done = GuidanceCard(), []
    qtbot.addWidget(card)
    steps = ("Recode Age", lambda: done.append("main")), ("Other ways…", lambda: done.append("other"))
    card.show_guidance("Half is unsafe.", "Age in bands.", *steps)
    card.show()
    assert (card.accessibleName(), card.accessibleDescription()) == ("Half is unsafe.", "Age in bands.")
    qtbot.mouseClick(card.findChild(QPushButton, "guidanceButton"), LEFT)
    qtbot.mouseClick(card.findChild(QPushButton, "guidanceOther"), LEFT)
    assert done == ["main", "other"]
    ways = [
        GuidanceCandidate(f"way {n}", (9, 3), (80, 40), 100, ("Recode…", lambda n=n: done.append(n))) for n in (1, 2)
    ]
    card.show_candidates(ways, 14)
    assert card.all.text() == "All 14 candidates…"
    qtbot.mouseClick(card.findChild(QPushButton, "guidanceCandidate2"), LEFT)
    assert done[-1] == 2
    assert [b.property("role") for b in (card.findChild(QPushButton, f"guidanceCandidate{n}") for n in (1, 2))] == [
        "filled",
        "plain",
    ]
    card.show_guidance("", "")
    assert card.isHidden()


@pytest.mark.parametrize("title", ["", "What a blank costs"])
def test_nothing_outlives_its_card(qtbot: QtBot, title: str) -> None:
    before = len(QApplication.topLevelWidgets())
    card = Card(title, "card")
    qtbot.addWidget(card)
    card.show()
    assert len(QApplication.topLevelWidgets()) == before + 1
    assert card.heading.isVisible() == bool(title)


def test_an_effect_is_applied_or_dropped(qtbot: QtBot) -> None:
    card = EffectCard()
    qtbot.addWidget(card)
    card.show_effect(4163, 1206, "Nothing is changed yet.")
    assert card.accessibleName() == "4,163 → 1,206 unsafe records"
    with qtbot.waitSignal(card.applied):
        card.apply.click()
    with qtbot.waitSignal(card.dropped):
        card.drop.click()


def test_what_to_look_at_opens_into_a_list(qtbot: QtBot) -> None:
    shown, mended = WarningsCard(), []
    qtbot.addWidget(shown)
    shown.show_remarks([])
    assert shown.isHidden()
    shown.show_remarks([WarningLine("one", "One sentence.", "Mend", lambda: mended.append(1))])
    assert shown.accessibleName() == "Also to look at (1): one"
    shown.toggle.click()
    button = shown.findChild(QPushButton, "warningListMend1")
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)
    assert mended == [1]
    shown.toggle.click()
    assert not button.isVisible()


def test_what_to_look_at_is_never_cut_off_in_a_low_page(qtbot: QtBot) -> None:
    shown = WarningsCard()
    qtbot.addWidget(shown)
    sentence = "A value that was suppressed can be told from what stays in the file. " * 4
    shown.show_remarks([WarningLine("told", sentence, "Mend", lambda: None) for _ in range(6)])
    assert shown.accessibleName() == "Also to look at (6): told"
    shown.toggle.click()
    shown.resize(700, 150)
    qtbot.waitUntil(lambda: shown.width() == 700)
    labels = [label for label in shown.findChildren(WrappedLabel) if label.text() == sentence]
    assert len(labels) == 6
    qtbot.waitUntil(lambda: all(label.height() >= label.heightForWidth(label.width()) for label in labels))
    assert shown.sizeHint().height() < sum(label.height() for label in labels)


def test_a_proposal_counts_once_it_is_confirmed(qtbot: QtBot) -> None:
    row = ChecklistRow("AGE", "91 codes", [("Leave out", "out"), ("As it is", "as-is")])
    qtbot.addWidget(row)
    assert (row.box.currentText(), row.is_decided) == ("Decide…", False)
    row.show_decision("out", proposed=True)
    assert (row.box.currentText(), row.is_decided) == ("Leave out (proposed)", False)
    with qtbot.waitSignal(row.decided) as decided:
        row.box.activated.emit(0)
    assert decided.args == ["out"]
    assert (row.box.currentText(), row.is_decided) == ("Leave out", True)


def test_segments_are_one_stop_and_go_by_arrow_keys(qtbot: QtBot) -> None:
    segments = Segments("views", "Views", [("a", "A"), ("b", "B"), ("c", "C")])
    window = QWidget()
    layout = QVBoxLayout(window)
    layout.addWidget(segments)
    layout.addWidget(QPushButton("next", objectName="next"))
    qtbot.addWidget(window)
    window.show()
    seen: list[str] = []
    segments.chosen.connect(seen.append)
    segments.buttons["a"].setFocus()
    QTest.keyClick(segments.buttons["a"], Qt.Key.Key_Right)
    QTest.keyClick(segments.buttons["b"], Qt.Key.Key_Right)
    QTest.keyClick(segments.buttons["c"], Qt.Key.Key_Right)
    assert seen == ["b", "c", "a"]
    qtbot.mouseClick(segments.buttons["b"], LEFT)
    qtbot.mouseClick(segments.buttons["b"], LEFT)
    assert (segments.current, seen[-1], len(seen)) == ("b", "b", 4)
    segments.buttons["b"].setChecked(False)
    assert segments.current == "a", "what is taken back leaves the first view"
    stops = [button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in segments.buttons.values()]
    assert [bool(stop) for stop in stops] == [True, False, False]


def test_a_choice_is_made_anywhere_on_its_card(qtbot: QtBot) -> None:
    cards = [ChoiceCard(name, name, "Holds against somebody.") for name in ("one", "two")]
    choices = ChoiceCards(cards)
    for card in cards:
        qtbot.addWidget(card)
        card.resize(300, 60)
    choices.choose(0)
    qtbot.mouseClick(cards[1], LEFT)
    assert (choices.current, cards[0].property("chosen"), cards[1].property("chosen")) == (1, False, True)
    cards[1].radio.click()
    assert choices.current == 1 and cards[1].radio.isChecked()
    QTest.keyClick(cards[1].radio, Qt.Key.Key_Down)
    assert choices.current == 0


def test_a_refused_box_has_an_edge_and_its_sentence_gives_way(qtbot: QtBot) -> None:
    box, sentence = NumberBox("box"), WrappedLabel("What it means.")
    for widget in (box, box.message, sentence):
        qtbot.addWidget(widget)
    box.explain_by(sentence)
    box.set_value(1.0)
    size = box.sizeHint()
    box.refuse("Not a number.")
    assert box.property("refused") and sentence.isHidden() and not box.message.isHidden()
    assert box.sizeHint() == size, "nothing moves"
    box.drop_typing()
    assert not box.property("refused") and not sentence.isHidden()


def test_figures_that_are_counted_are_said_to_be_after_a_while(qtbot: QtBot) -> None:
    card = Card("Forecast", "card")
    qtbot.addWidget(card)
    set_greyed(card, True)
    set_greyed(card, False)
    qtbot.wait(STALE_AFTER_MS + 30)
    assert card.heading_note.text() == "", "a quick answer does not flicker"
    set_greyed(card, True)
    qtbot.waitUntil(lambda: card.heading_note.text() == "being counted …", timeout=1000)


def test_headings_boxes_and_their_labels_are_no_figures_and_stay_black(qtbot: QtBot) -> None:
    card = Card("Threshold", "card")
    qtbot.addWidget(card)
    label, box, button, figure = QLabel("&Threshold"), QLineEdit("0.02"), QPushButton("Choose"), QLabel("4,163")
    label.setBuddy(box)
    for widget in (label, box, button, figure):
        card.body.addWidget(widget)
    set_greyed(card, True)
    grey = QColor(theme.scheme.disabled)
    assert figure.palette().color(QPalette.ColorRole.WindowText) == grey
    for widget in (card.heading, label, box, button):
        assert widget.palette().color(widget.foregroundRole()) != grey, widget


def test_what_is_folded_is_in_sight_once_its_line_is_pressed(qtbot: QtBot) -> None:
    place, folded = QWidget(), QLabel("four boxes")
    qtbot.addWidget(place)
    column = QVBoxLayout(place)
    line = FoldLine("More: order, seed", "more", folded)
    for widget in (line, folded):
        column.addWidget(widget)
    place.show()
    assert not folded.isVisible()
    line.click()
    assert folded.isVisible() and line.arrowType() == Qt.ArrowType.DownArrow


def test_cards_of_a_column_are_lent_to_a_page_without_room_for_it(qtbot: QtBot) -> None:
    place, cards = QWidget(), [Card(f"card {number}", f"card{number}") for number in range(3)]
    qtbot.addWidget(place)
    column, grid, outer = SideColumn(*cards, name="side"), QGridLayout(), QVBoxLayout(place)
    outer.addWidget(column)
    outer.addLayout(grid)
    column.lend(grid)
    place.show()
    assert not column.isVisible() and all(card.isVisible() for card in cards)
    assert cards[2].width() > cards[0].width() + cards[1].width(), "the last one has its row to itself"
    column.take_back()
    assert grid.count() == 0 and all(card.isVisible() for card in cards)


def test_a_wrapped_label_asks_for_one_line_and_takes_what_it_needs(qtbot: QtBot) -> None:
    label = WrappedLabel("many words " * 40)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().height() == label.fontMetrics().height()
    assert label.heightForWidth(200) > 5 * label.fontMetrics().height()
    assert label.heightForWidth(5000) == label.heightForWidth(WIDEST), "it is never wider than a paragraph"


def test_a_wrapped_label_is_measured_again_once_its_text_or_its_font_is_another(qtbot: QtBot) -> None:
    label = WrappedLabel("many words " * 40)
    qtbot.addWidget(label)
    first = label.heightForWidth(300)
    label.setText("many words " * 80)
    longer = label.heightForWidth(300)
    font = label.font()
    font.setPointSizeF(2 * font.pointSizeF())
    label.setFont(font)
    assert first < longer < label.heightForWidth(300)
    label.setText("few words")
    assert label.heightForWidth(300) < first


def test_what_went_well_is_told_for_a_while(qtbot: QtBot) -> None:
    line = ToldForAWhile()
    qtbot.addWidget(line)
    line._ends.setInterval(20)
    line.tell("Saved.")
    assert (line.text(), line.accessibleName()) == ("Saved.", "Saved.")
    qtbot.waitUntil(lambda: line.text() == "", timeout=1000)


def test_signs_and_counts_are_read_aloud(qtbot: QtBot) -> None:
    sign, bars = Sign("now", 22, 3), CountBars()
    for widget in (sign, bars):
        qtbot.addWidget(widget)
    assert sign.accessibleName() == "now"
    assert sign.size() == QSize(sign.sizeHint())
    sign.set_state("done")
    assert sign.accessibleName() == "done"
    bars.set_counts([("AGE", 1200), ("SEX", 3)])
    assert [number.text() for _, _, number in bars._rows] == ["1,200", "3"]
    bars.set_counts([("AGE", 4)])
    assert bars._rows[1][0].isHidden()
