"""The rail: the session, the seven steps, and the last change, at the left of the pages; where it is low, a box."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.main_window.workflow import WorkStep
from gui.shared.accessible import PAGE_TABS, PageStep, speak_as
from gui.shared.labels import ElidedLabel
from gui.shared.parts.signs import Sign
from gui.texts import as_tip
from gui.theme import dress_as, icon, muted, scaled, set_greyed, theme, write_as
from gui.workspace.arrangement import Rail

WIDTH, WIDEST, NARROW, LESS_NARROW = 216, 248, 100, 124
"""Widths of the rail: the wide one is as wide as its longest line in the language in use, within these bounds."""
_STEP, _NARROW_STEP = 54, 62
_BESIDE_NAME = 4
_SIGN = 22
_BAR = 4
_STATE_TEXT = {
    "later": mark("not yet"),
    "open": mark("to do"),
    "done": mark("done"),
    "but": mark("done, but something is to be looked at"),
    "attention": mark("needs attention"),
}
_PURPOSE = {
    "Data": mark("Open a file"),
    "Metadata": mark("What each column is"),
    "Combinations": mark("What others may know"),
    "Risk": mark("Who could be found"),
    "Recode": mark("Coarser codes"),
    "Protect": mark("Write the safe file"),
    "Report": mark("Show what was done"),
}


class StepButton(QPushButton):
    """Number or sign, name, and below it one line; in the narrow rail the sign stands over the name."""

    spoken_as = PageStep

    def __init__(self, number: int, step: WorkStep) -> None:
        super().__init__(objectName=f"step{step.name}", flat=True, checkable=True)
        self._number, self._step = str(number), step
        self._rail: Rail = "wide"
        self._own = False
        self._sign = Sign("open", _SIGN, number)
        self._title = ElidedLabel(step.title)
        self._detail = ElidedLabel()
        muted(self._detail)
        write_as(self._detail, "small")
        for label in (self._title, self._detail):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._grid = QGridLayout(self)
        self._grid.setVerticalSpacing(0)
        self._place()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # the page in sight decides, not the click
        self.clicked.connect(lambda: self.setChecked(self.property("chosen") is True))

    def _place(self) -> None:
        grid, centre = self._grid, Qt.AlignmentFlag.AlignHCenter
        for label in (self._sign, self._title, self._detail):
            grid.removeWidget(label)
        narrow = self._rail != "wide"
        grid.setContentsMargins(*((_BESIDE_NAME, 6, _BESIDE_NAME, 6) if narrow else (14, 5, 8, 5)))
        grid.setHorizontalSpacing(0 if narrow else 10)
        grid.setColumnStretch(1, 0 if narrow else 1)
        if narrow:
            grid.addWidget(self._sign, 0, 0, centre | Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(self._title, 1, 0, centre | Qt.AlignmentFlag.AlignTop)
        else:
            grid.addWidget(self._sign, 0, 0, 2, 1)
            grid.addWidget(self._title, 0, 1, Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(self._detail, 1, 1, Qt.AlignmentFlag.AlignTop)
        self._show_detail()

    def arrange(self, rail: Rail) -> None:
        """Wide with details, or narrow."""
        if rail != self._rail:
            self._rail = rail
            self._place()
            self.updateGeometry()

    def show_step(self, step: WorkStep, reason_against: str) -> None:
        """Show the state of a step; `reason_against` says why its page cannot be opened."""
        self._step = step
        self._title.setEnabled(step.state != "later")
        self._show_sign()
        self._show_detail()
        set_greyed(self._detail, bool(step.meanwhile))
        self.setEnabled(not reason_against)
        state = translate(_STATE_TEXT[step.state])
        self.setAccessibleName(f"{self._number} {step.title}: {state}")
        self.setAccessibleDescription(" ".join(filter(None, (step.meanwhile, step.detail, step.reason))))
        self.setToolTip(as_tip(reason_against or step.reason or f"{step.title}: {step.detail or state}"))

    def show_place(self, chosen: bool, own_window: bool) -> None:
        """Whether its page is in sight, and whether it stands in a window of its own."""
        self.setProperty("chosen", chosen)
        self.setChecked(chosen)
        self._show_sign()
        if own_window != self._own:
            self._own = own_window
            self._show_detail()

    def _show_sign(self) -> None:
        """A step that is worked on and not done yet has its number in a filled ring."""
        state = self._step.state
        is_now = self.isChecked() and state in ("later", "open")
        self._sign.set_state("now" if is_now else "attention" if state == "but" else state)

    def _show_detail(self) -> None:
        said = translate(mark("in its own window")) if self._own else self._step.detail
        self._detail.setText(said or translate(_PURPOSE[self._step.name]))
        self._detail.setVisible(self._rail == "wide")

    @property
    def wide(self) -> int:
        """The width in which the name and what the step is for are not cut."""
        edges, metrics = self._grid.contentsMargins(), self._detail.fontMetrics()
        purpose = metrics.horizontalAdvance(translate(_PURPOSE[self._step.name]))
        text = max(purpose, self._title.fontMetrics().horizontalAdvance(self._step.title))
        return edges.left() + _SIGN + self._grid.horizontalSpacing() + text + edges.right() + 1

    @property
    def narrow(self) -> int:
        """The width in which the name below its sign is not cut."""
        return self._title.fontMetrics().horizontalAdvance(self._step.title) + 2 * _BESIDE_NAME + 1

    def sizeHint(self) -> QSize:
        narrow = self._rail != "wide"
        hint = self._grid.sizeHint()
        return QSize(NARROW if narrow else WIDTH, max(hint.height(), _NARROW_STEP if narrow else _STEP))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), self._grid.minimumSize().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.isChecked():
            painter = QPainter(self)
            painter.fillRect(0, 0, _BAR, self.height(), QColor(theme.scheme.accent))


class WorkflowBar(QWidget):
    """`workflowBar` with `railSession`, `stepData` … `stepReport`, `railUndo` and `railHistory`; `stepBox` instead.

    `chosen(page)` when a step is clicked, `home_wanted` when the session is.
    """

    spoken_as = PAGE_TABS
    chosen = Signal(str)
    home_wanted = Signal()
    undo_wanted = Signal()
    history_wanted = Signal()

    def __init__(self, steps: Sequence[WorkStep]) -> None:
        super().__init__(objectName="workflowBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(translate(mark("Steps")))
        self._rail: Rail = "wide"
        self._steps = tuple(steps)
        self._reasons: dict[str, str] = {}
        self._low = self._saved = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(0)
        self._make_head(layout)
        self._buttons: dict[str, StepButton] = {}
        for number, step in enumerate(steps, start=1):
            button = StepButton(number, step)
            button.clicked.connect(lambda _=False, name=step.name: self.chosen.emit(self._page_of(name)))
            layout.addWidget(button)
            self._buttons[step.name] = button
        layout.addStretch(1)
        self._make_foot(layout)
        self._make_box()
        self.setFixedWidth(self._wide)

    @property
    def _wide(self) -> int:
        return min(max(WIDTH, *(button.wide for button in self._buttons.values())), WIDEST)

    @property
    def _narrow(self) -> int:
        return min(max(NARROW, *(button.narrow for button in self._buttons.values())), LESS_NARROW)

    def _make_head(self, layout: QBoxLayout) -> None:
        self.session = QPushButton(objectName="railSession", flat=True, checkable=True)
        speak_as(self.session, PageStep)
        self.session.setCursor(Qt.CursorShape.PointingHandCursor)
        self.session.setToolTip(translate(mark("Overview of the session")))
        dress_as(self.session, role="rail")
        self.session.clicked.connect(self.home_wanted)
        self._name = ElidedLabel("", "railName", least=20)
        write_as(self._name, "section")
        self._kept = ElidedLabel("", "railKept", least=20)
        write_as(self._kept, "small")
        muted(self._kept)
        inner = QVBoxLayout(self.session)
        inner.setContentsMargins(14, 8, 8, 8)
        inner.setSpacing(0)
        inner.addStretch(1)
        for label in (self._name, self._kept):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(label)
        inner.addStretch(1)
        layout.addWidget(self.session)

    def _make_foot(self, layout: QBoxLayout) -> None:
        self.foot = QWidget()
        title = QLabel(translate(mark("Last change")))
        muted(title)
        self._last = ElidedLabel("", "railLast", least=20)
        self._undo = _quiet("railUndo", translate(mark("Undo")))
        self._undo.clicked.connect(self.undo_wanted)
        self._history = _quiet("railHistory", translate(mark("History…")))
        self._history.clicked.connect(self.history_wanted)
        grid = QGridLayout(self.foot)
        grid.setContentsMargins(14, 4, 8, 4)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(2, 1)
        grid.addWidget(title, 0, 0, 1, 3)
        grid.addWidget(self._last, 1, 0, 1, 3)
        grid.addWidget(self._undo, 2, 0)
        beside = self._undo.sizeHint().width() + self._history.sizeHint().width() + grid.horizontalSpacing() + 14 + 8
        place = (2, 1, 1, 1) if beside <= self._wide else (3, 0, 1, 2)
        grid.addWidget(self._history, *place)
        layout.addWidget(self.foot)

    def _make_box(self) -> None:
        self.box = QToolButton(self, objectName="stepBox")
        self.box.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.box.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._menu = QMenu(self.box)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.box.setMenu(self._menu)
        self.box.setFixedHeight(scaled(32))  # as the header's buttons, on whose line it stands
        self.box.hide()

    def show_steps(self, steps: Sequence[WorkStep], reasons_against: dict[str, str]) -> None:
        """Show the steps as they stand; reasons by page name."""
        self._steps, self._reasons = tuple(steps), reasons_against
        for step in steps:
            self._buttons[step.name].show_step(step, reasons_against.get(step.window, ""))

    def show_session(self, name: str, kept: str, last_change: str) -> None:
        """Show which session is open, whether it is saved, and what was changed last."""
        self._saved = bool(last_change)
        self._name.setText(name or translate(mark("No file open")))
        self._kept.setText(kept)
        self.session.setAccessibleName(translate(mark("Overview of the session")) + f": {self._name.text()}, {kept}")
        self._last.setText(last_change)
        self._show_foot()

    def show_places(self, step: str, home: bool, own: frozenset[str]) -> None:
        """Show which step is worked on, whether the session's overview is, and which have windows of their own."""
        for name, button in self._buttons.items():
            button.show_place(name == step, name in own)
        self.session.setChecked(home)
        shown = next((each for each in self._steps if each.name == step), None)
        number = list(self._buttons).index(step) + 1 if shown is not None else 0
        self.box.setText(f"{number} {shown.title}" if shown is not None else translate(mark("Steps")))
        signs = {"done": "check", "but": "attention", "attention": "attention"}
        sign = signs.get(shown.state, "") if shown is not None else ""
        self.box.setIcon(icon(sign) if sign else icon("pavo"))
        self.box.setAccessibleName(self.box.text())

    def arrange(self, rail: Rail, low: bool) -> None:
        """Wide, narrow, or only the box, which stands in the header of the page."""
        self._low = low
        if rail != self._rail:
            self._rail = rail
            for button in self._buttons.values():
                button.arrange(rail)
            self.setFixedWidth(self.width_as(rail) or NARROW)
            self.setVisible(rail != "box")
            if rail != "box":
                self.box.setParent(self)  # out of the header of a page, with which it would end
            self.box.setVisible(rail == "box")
        self.session.setVisible(rail == "wide" or not low)
        self._show_foot()

    def width_as(self, rail: Rail) -> int:
        """The width that a rail of this kind takes of the window."""
        return {"wide": self._wide, "narrow": self._narrow, "box": 0}[rail]

    def take_focus(self) -> bool:
        """Let the step that is worked on have the focus."""
        buttons = [button for button in self._buttons.values() if button.isEnabled()]
        chosen = [button for button in buttons if button.isChecked()]
        target: QWidget = self.box if self._rail == "box" else (chosen or buttons or [self.session])[0]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return target.isVisible()

    def button(self, name: str) -> StepButton:
        """The button of a step, by its English name."""
        return self._buttons[name]

    def _page_of(self, step: str) -> str:
        return next(each.window for each in self._steps if each.name == step)

    def _show_foot(self) -> None:
        self.foot.setVisible(self._saved and self._rail == "wide" and not self._low)

    def _fill_menu(self) -> None:
        self._menu.clear()
        self._menu.addAction(translate(mark("Overview of the session")), self.home_wanted.emit)
        for number, step in enumerate(self._steps, start=1):
            text = f"{number} {step.title}"
            detail = step.detail.replace("\n", " ")
            action = self._menu.addAction(f"{text}: {detail}" if detail else text)
            action.triggered.connect(lambda _=False, page=step.window: self.chosen.emit(page))
            action.setEnabled(not self._reasons.get(step.window, ""))
            action.setToolTip(as_tip(self._reasons.get(step.window, "") or step.reason))


def _quiet(name: str, text: str) -> QToolButton:
    button = QToolButton(objectName=name, text=text, autoRaise=True)
    button.setProperty("role", "quiet")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
