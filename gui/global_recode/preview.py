"""Preview of what a recode would change: categories, unsafe records, rate and forecast, now and after it is applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.recipe.model import Recipe
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.document.tasks import told_of_stop
from gui.shared.loss_texts import ABOUT_LOSS
from gui.shared.parts.card import Card
from gui.shared.protection_mode import is_searched, protection_mode
from gui.texts import as_tip
from gui.theme import muted, set_greyed

if TYPE_CHECKING:
    from core.session import Results
    from core.suppression.forecast import Forecast, Point
    from core.suppression.plan import Plan
    from core.whatif.recode_effect import Effect

_WAIT_MS = 250
_NOW_SLOTS = ("recode now", "recode now forecast", "recode now loss")
_DRAFT_SLOTS = ("recode draft", "recode after", "recode after forecast", "recode after loss")
_FIGURES = (
    ("Categories", mark("categories"), ""),
    ("Unsafe", mark("unsafe records"), mark("Records that are unsafe in a combination with this variable")),
    ("Rate", mark("re-identification rate"), mark("Of the risk table with this variable")),
    (
        "Suppressions",
        mark("values to suppress"),
        mark("Forecast: values that must be suppressed to make all records safe"),
    ),
    (
        "Loss",
        mark("loss by recoding and suppression"),
        ABOUT_LOSS,
    ),
)


class RecodePreview(Card):
    """Labels ``previewNow<Figure>`` and ``previewAfter<Figure>`` for Categories, Unsafe, Rate, Suppressions, Loss.

    Signals
    -------
    arrived(Effect) : unsafe records of the state last asked for are known.
    failed(PavoError) : the draft cannot be carried out.
    told() : `unsafe` or `blanks`, of now and of after the recode, are others.
    """

    arrived = Signal(object)
    failed = Signal(object)
    told = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(name="recodeFigures", parent=parent)
        self._document = document
        self._variable = ""
        self._draft: Recipe | None = None
        self.now = _Row("Now")
        self.after = _Row("After")
        self.note = QLabel(objectName="previewNote")
        self.note.setWordWrap(True)
        muted(self.note)
        self._lay_out()
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self._ask_draft)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(3)
        self.body.addLayout(grid)
        self._heads: dict[str, QLabel] = {}
        for row, (key, title, tip) in enumerate(_FIGURES, start=1):
            head = self._heads[key] = QLabel(translate(title))
            head.setToolTip(as_tip(translate(tip)))
            grid.addWidget(head, row, 0)
        for column, (title, state) in enumerate(((mark("now"), self.now), (mark("after Apply"), self.after)), start=1):
            top = QLabel(translate(title))
            muted(top)
            grid.addWidget(top, 0, column, Qt.AlignmentFlag.AlignRight)
            for row, label in enumerate(state.labels.values(), start=1):
                label.setAccessibleName(f"{translate(_FIGURES[row - 1][1])}, {translate(title)}")
                grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.note, len(_FIGURES) + 1, 0, 1, 4)
        grid.setColumnStretch(3, 1)

    @property
    def is_waiting(self) -> bool:
        """Whether a draft is about to be derived, once typing pauses."""
        return self._wait.isActive()

    def show_session(self, variable: str, categories: int) -> None:
        """Show a variable as the session has it; `categories` is its number of codes now."""
        self._drop(_NOW_SLOTS)
        self._variable = variable
        self.now.clear()
        self.now["Categories"] = numbers.format_count(categories)
        derived = self._document.derived
        if derived is None or self._document.stale:
            self.now.grey(True)
            return
        self._effect("now", derived, self.now)

    def show_draft(self, draft: Recipe | None, categories: int) -> None:
        """Show another recipe beside the session's, soon; None where there is no draft."""
        self._wait.stop()
        self._drop(_DRAFT_SLOTS)
        self._draft = draft
        if draft is None:
            self.after.clear()
            self.after.grey(False)
            return
        self.after["Categories"] = numbers.format_count(categories)
        self.after.grey(True)
        self._wait.start()

    def wait(self, fresh: bool) -> None:
        """The draft to be shown is on its way; `fresh`: that of another variable."""
        self.stop()
        for row in (self.now, self.after):
            if fresh:
                row.clear()
            row.grey(True)

    def stop(self) -> None:
        """Ask for nothing more: the window closes."""
        self._wait.stop()
        self._drop((*_DRAFT_SLOTS, *_NOW_SLOTS))

    def _drop(self, slots: Iterable[str]) -> None:
        """What comes late would be taken for a figure of what is shown by then."""
        for slot in slots:
            self._document.tasks.drop(slot)

    def _ask_draft(self) -> None:
        if self._draft is not None:
            self._document.ask("recode draft", engine.derive, self._draft, done=self._derived, failed=self._failed)

    def _derived(self, derived: Results) -> None:
        self._effect("after", derived, self.after)

    def _failed(self, error: PavoError) -> None:
        self.after.clear()
        self.failed.emit(error)

    def _effect(self, name: str, derived: Results, row: _Row) -> None:
        from core.whatif.recode_effect import recode_effect

        variable = self._variable
        if variable not in derived.columns:
            row.grey(False)
            self._say(translate("No combination uses {name}: recoding it changes no risk.").format(name=variable))
            return

        def done(effect: Effect) -> None:
            row.show_effect(effect)
            self._name_figures(effect)
            row.grey(False)
            self.told.emit()
            self._say(_note(effect))
            last = row is self.after or self._draft is None
            if last:
                self.arrived.emit(effect)
            self._ask_forecast(name, derived, effect, row)

        self._document.compute(
            f"recode {name}", recode_effect, derived, variable, done=done, failed=self._failed,
            cancelled=told_of_stop(self._failed),
        )  # fmt: skip

    def _name_figures(self, effect: Effect) -> None:
        """Unsafe households beside their rate, or unsafe records beside theirs."""
        homes = effect.by == "household"
        unsafe = mark("unsafe households") if homes else mark("unsafe records")
        rate = mark("household rate") if homes else mark("re-identification rate")
        for key, text in (("Unsafe", unsafe), ("Rate", rate)):
            self._heads[key].setText(translate(text))
            for row, state in ((self.now, mark("now")), (self.after, mark("after Apply"))):
                row.labels[key].setAccessibleName(f"{translate(text)}, {translate(state)}")

    def _ask_forecast(self, name: str, derived: Results, effect: Effect, row: _Row) -> None:
        suppression = derived.recipe.suppression
        judged = effect.rare if effect.table < 0 else effect.threshold is not None
        if not judged or suppression.criterion == "none":
            return

        def done(forecast: Forecast | Point | Plan) -> None:
            args = derived, forecast, effect.threshold
            self._document.compute(
                f"recode {name} loss", _in_all, *args, done=shown, failed=failed,
                cancelled=told_of_stop(failed),
            )  # fmt: skip

        def shown(found: tuple[int, float, bool]) -> None:
            row.show_forecast(found)
            self.told.emit()

        def failed(_error: PavoError) -> None:
            for key in ("Suppressions", "Loss"):
                row[key] = numbers.MISSING

        slot, mode = f"recode {name} forecast", protection_mode(self._document, derived.recipe)
        if effect.rare:
            self._document.ask(slot, engine.plan_of_rare, derived.recipe, done=done, failed=failed)
            return
        if is_searched(derived.recipe, mode):
            at = effect.table, effect.threshold, mode, effect.by
            self._document.ask(slot, engine.forecast_at, derived.recipe, *at, done=done, failed=failed)
            return
        wanted = effect.table, mode, effect.by
        self._document.ask(slot, engine.forecast, derived.recipe, *wanted, done=done, failed=failed)

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))


class _Row:
    """The figures of one state."""

    def __init__(self, name: str) -> None:
        self.labels = {key: QLabel(objectName=f"preview{name}{key}") for key, _, _ in _FIGURES}
        for label in self.labels.values():
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance("00000 (00.0 %)"))
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.clear()

    def __setitem__(self, key: str, text: str) -> None:
        self.labels[key].setText(text)

    def clear(self) -> None:
        self.unsafe: int | None = None
        self.blanks = ""
        for label in self.labels.values():
            label.setText(numbers.MISSING)

    def grey(self, greyed: bool) -> None:
        for label in self.labels.values():
            set_greyed(label, greyed)

    def show_effect(self, effect: Effect) -> None:
        self["Categories"] = numbers.format_count(effect.categories)
        counted, of_all = effect.unsafe, effect.records
        if effect.by == "household" and effect.risk is not None:
            counted, of_all = effect.risk.unsafe_households, effect.risk.households or 0
        self.unsafe, self.blanks = effect.unsafe, ""  # records, whoever is judged: the headline says so
        share = counted / of_all if counted is not None and of_all else None
        unsafe = numbers.format_count(counted)
        self["Unsafe"] = unsafe if share is None else f"{unsafe} ({numbers.format_percent(share, 1)})"
        self["Rate"] = numbers.format_percent(None if effect.risk is None else effect.risk.rate)
        for key in ("Suppressions", "Loss"):
            self[key] = numbers.MISSING

    def show_forecast(self, found: tuple[int, float, bool]) -> None:
        total, loss, exact = found
        sign = "" if exact else "≤ "
        self.blanks = sign + numbers.format_count(total)
        self["Suppressions"] = sign + numbers.format_count(total)
        self["Loss"] = translate("{bits} bits").format(bits=sign + numbers.format_number(loss, 0))


def _in_all(
    derived: Results, found: Forecast | Point | Plan, threshold: float | None, progress: Progress = SILENT
) -> tuple[int, float, bool]:
    """Values to suppress at a threshold, the loss by which recodes are compared, whether both are exact."""
    from core.suppression.forecast import Forecast
    from core.whatif.recode_effect import comparable_loss

    progress.check()
    point = found.at(threshold) if isinstance(found, Forecast) else found
    return point.total, comparable_loss(derived, point.by_variable), point.exact


def _note(effect: Effect) -> str:
    if not effect.is_key:
        return translate("No combination uses {name}: recoding it changes no risk.").format(name=effect.variable)
    if effect.unsafe is None:
        return translate("No threshold is chosen yet (Risk Chart): what is unsafe is not known.")
    return ""
