"""Means by group and the goal that a perturbation shall keep: asked for, told as kept or not, and looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from core.base.texts import mark, plural, translate
from core.recipe.model import Analysis
from gui import numbers
from gui.shared.choice import ChoiceBox
from gui.shared.form.parameter_fields import parameter_title
from gui.shared.form.variables_table import TIMES, Offered
from gui.shared.goal_texts import goal_typed, share_text
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.figure_columns import FigureValue
from gui.shared.table.model import Column
from gui.theme import scaled

if TYPE_CHECKING:
    from core.whatif.group_figures import GroupFigures
    from core.whatif.perturbation_preview import PerturbationPreview
    from core.whatif.strongest import Strongest

_GOAL, _NAMED = 70, 3
_NO_GROUPS, _ALL = None, ""


class GoalRow(QWidget):
    """`previewBy`, `goalPercent` with `goalPercentMessage`, `findStrongest`, `keepGoal`; `goalTold`, `strongestTold`.

    Signals
    -------
    by_changed() : figures by other groups are wanted
    find_wanted() : the strongest perturbation that keeps the goal
    keep_wanted() : the goal shall stand in the session
    """

    by_changed = Signal()
    find_wanted = Signal()
    keep_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="goalRow")
        self._shown: GroupFigures | None = None
        self._of: PerturbationPreview | None = None
        self._offered: tuple[Offered, ...] = ()
        self.by = ChoiceBox(objectName="previewBy", accessibleName=translate("Figures by group"))
        self.by.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.by.setMinimumContentsLength(10)
        self.goal = QLineEdit(objectName="goalPercent", accessibleName=translate("Goal: change at most (%)"))
        self.goal.setPlaceholderText(translate("no goal"))
        self.goal.setToolTip(translate("The largest relative change of a mean or a count that is wanted, in per cent"))
        self.goal.setFixedWidth(scaled(_GOAL))
        self.goal_label = QLabel(translate("Chan&ge at most (%)"), buddy=self.goal)
        self.message = WrappedLabel(name="goalPercentMessage")
        self.search = role_button(translate("&Find"), "findStrongest")
        self.search.setToolTip(translate("Look for the strongest protection by this method that keeps the goal"))
        self.keep = role_button(translate("&Keep as goal"), "keepGoal", "quiet")
        self.keep.setToolTip(
            translate("Put the goal into the session: Utility, report and summary say whether it is kept")
        )
        self.told = WrappedLabel(name="goalTold")
        self.strongest = WrappedLabel(name="strongestTold", is_muted=True)
        self.offer(())
        self._lay_out()
        self.by.currentIndexChanged.connect(lambda _place: self._by_chosen())
        self.goal.textChanged.connect(lambda _text: self._goal_typed())
        self.goal.returnPressed.connect(self.search.click)
        self.search.clicked.connect(lambda _checked: self.find_wanted.emit())
        self.keep.clicked.connect(lambda _checked: self.keep_wanted.emit())
        self._goal_typed()
        self.say_strongest("")

    def _lay_out(self) -> None:
        groups, goal = QHBoxLayout(), QHBoxLayout()
        groups.addWidget(QLabel(translate("Figures &by"), buddy=self.by))
        groups.addWidget(self.by, 1)
        for part in (self.goal_label, self.goal, self.search, self.keep):
            goal.addWidget(part)
        goal.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(groups)
        column.addLayout(goal)
        for part in (self.message, self.told, self.strongest):
            column.addWidget(part)

    # What is asked -----------------------------------------------------------------------------------------------

    @property
    def group(self) -> str | None:
        """The variable of the groups; empty: all records together; None: no figures by group."""
        chosen: str | None = self.by.currentData()
        return chosen

    @property
    def wanted(self) -> float | None:
        """The goal, a fraction; None where there is none, or what is typed is none."""
        try:
            return None if self.group is None else goal_typed(self.goal.text())
        except ValueError:
            return None

    def offer(self, categorical: Sequence[Offered]) -> None:
        """Offer these variables as groups; the chosen one stays."""
        if self.by.count() and tuple(categorical) == self._offered:
            return
        before, self._offered = self.group if self.by.count() else None, tuple(categorical)
        with QSignalBlocker(self.by):
            self.by.clear()
            self.by.addItem(translate("no groups"), _NO_GROUPS)
            self.by.addItem(translate("all records together"), _ALL)
            for each in categorical:
                self.by.addItem(f"{each.name} · {each.label}" if each.label else each.name, each.name)
        self.ask(before, self.wanted_text)

    @property
    def wanted_text(self) -> str:
        """The goal as it is typed."""
        return self.goal.text()

    def ask(self, by: str | None, goal: str) -> None:
        """Choose groups and goal without a signal."""
        place = next((at for at in range(self.by.count()) if self.by.itemData(at) == by), 0)
        with QSignalBlocker(self.by), QSignalBlocker(self.goal):
            self.by.setCurrentIndex(place)
            self.goal.setText(goal)
        self._goal_typed()

    def _by_chosen(self) -> None:
        self.say_strongest("")
        self._goal_typed()
        self.by_changed.emit()

    def _goal_typed(self) -> None:
        refused = ""
        try:
            goal_typed(self.goal.text())
        except ValueError as error:
            refused = str(error)
        has_groups = self.group is not None
        self.message.setText(refused)
        self.message.setVisible(bool(refused) and has_groups)
        for part in (self.goal_label, self.goal, self.search, self.keep):
            part.setVisible(has_groups)
        for button in (self.search, self.keep):
            button.setEnabled(self.wanted is not None)
        self._tell()

    # What is told ------------------------------------------------------------------------------------------------

    def show_figures(self, shown: GroupFigures | None, of: PerturbationPreview | None) -> None:
        """Tell of the figures of the variable that is shown, and of goals that others do not keep; None: none are."""
        self._shown, self._of = shown, of
        self._tell()

    def say_strongest(self, text: str) -> None:
        """What came of looking for the strongest perturbation."""
        self.strongest.setText(text)
        self.strongest.setVisible(bool(text))

    def _tell(self) -> None:
        text = "" if self._shown is None or self.group is None else self._text(self._shown)
        self.told.setText(text)
        self.told.setVisible(bool(text))

    def _text(self, shown: GroupFigures) -> str:
        parts, goal, of = [told_of_groups(shown, self.wanted)], self.wanted, self._of
        if of is not None and goal is not None:
            others = [each.variable for each in of.groups if each is not shown and each.failing(goal)]
            if others:
                said = translate("Of {names} it is not kept either.") if shown.failing(goal) else translate(
                    "Of {names} it is not kept."
                )  # fmt: skip
                parts.append(said.format(names=", ".join(others)))
        if of is not None and of.is_sample:
            parts.append(translate("This is of the sample; Find looks at all records."))
        return " ".join(parts)


def analysis_of(found: GroupFigures, goal: float | None) -> Analysis:
    """The entry of the recipe that says the same."""
    by = (found.by,) if found.by else ()
    if found.kind == "mean":
        return Analysis(mean=found.variable, by=by, goal=goal)
    return Analysis(table=(found.variable, *by), goal=goal)


def _name(found: GroupFigures, place: int) -> str:
    """A group in a sentence."""
    names = (found.variable, found.by) if found.kind == "count" else (found.by,)
    pairs = zip(names, found.groups[place], strict=False)
    return TIMES.join(f"{name} {code}" for name, code in pairs) or translate("all records")


def _signed(change: float) -> str:
    return ("+" if change > 0 else "−" if change < 0 else "") + share_text(abs(change))


def told_of_groups(found: GroupFigures, goal: float | None) -> str:
    """The largest change in a sentence and, where a goal is wanted, whether it is kept and which groups fail."""
    worst, parts = found.worst, []
    if goal is not None:
        parts.append(_goal_sentence(found, goal))
    if worst is not None:
        said = _MOST[found.kind, found.weighted]
        parts.append(
            translate(said).format(
                variable=found.variable,
                group=_name(found, worst),
                before=_figure(float(found.before.goal[worst])),
                after=_figure(float(found.after.goal[worst])),
                change=_signed(float(found.changes[worst])),
            )
        )
    return " ".join(parts)


_MOST = {
    ("mean", True): mark(
        "Of the weighted means of {variable} that of {group} changes most: {before} before, {after} after ({change})."
    ),
    ("mean", False): mark(
        "Of the means of {variable} that of {group} changes most: {before} before, {after} after ({change})."
    ),
    ("count", True): mark(
        "Of the weighted counts that of {group} changes most: {before} before, {after} after ({change})."
    ),
    ("count", False): mark("Of the counts that of {group} changes most: {before} before, {after} after ({change})."),
}


def _goal_sentence(found: GroupFigures, goal: float) -> str:
    failing, share = found.failing(goal), share_text(goal)
    if not failing:
        if found.kind == "mean":
            return translate("✓ Goal kept: no mean of {variable} changes by more than {share}.").format(
                variable=found.variable, share=share
            )
        return translate("✓ Goal kept: no count of {variable} changes by more than {share}.").format(
            variable=found.variable, share=share
        )
    named = [_name(found, place) for place in failing[:_NAMED]]
    if len(failing) > _NAMED:
        named.append(translate("{n} more").format(n=numbers.format_count(len(failing) - _NAMED)))
    said = plural(
        len(failing),
        "✗ Goal not kept: of {all} groups one changes by more than {share}: {groups}.",
        "✗ Goal not kept: of {all} groups {count} change by more than {share}: {groups}.",
    )
    return translate(said).format(
        all=numbers.format_count(len(found.groups)), count=numbers.format_count(len(failing)), share=share,
        groups=", ".join(named),
    )  # fmt: skip


def told_of_strongest(found: Strongest) -> str:
    """What came of looking for the strongest, in sentences."""
    name, best, nearest = parameter_title(found.parameter), found.best, found.nearest
    if best is not None:
        assert best.change is not None, "it is kept"
        said = translate(
            "{name} = {value} is the strongest of {n} tried that keeps the goal: the largest change is {change}."
        )
        told = said.format(
            name=name, value=numbers.format_exact(best.value), n=len(found.tried), change=share_text(best.change)
        )
        if any(each.change is None for each in found.tried):
            told += " " + translate("The file does not bear stronger ones: some groups are too small.")
        return told
    told = translate("None of {n} tried keeps the goal.").format(n=len(found.tried))
    if nearest is None or nearest.change is None:
        return told
    if nearest.change == float("inf"):
        return told + " " + translate("With each of them some count that was 0 is no longer, or one is lost.")
    near = translate("{name} = {value} comes nearest: the largest change is {change}.")
    return told + " " + near.format(
        name=name, value=numbers.format_exact(nearest.value), change=share_text(nearest.change)
    )  # fmt: skip


def group_title(found: GroupFigures) -> str:
    """What the table of the groups is called."""
    if not found.by:
        return translate("All records together")
    if found.kind == "mean":
        return translate("Means by {by}").format(by=found.by)
    return translate("Counts by {by}").format(by=found.by)


def group_columns(found: GroupFigures, labels: Callable[[str, str], str]) -> list[Column]:
    """The table of the groups, those that changed most first.

    Parameters
    ----------
    labels : (variable, code) -> its label, empty without one
    """
    sizes = [abs(change) if change == change else -1.0 for change in found.changes.tolist()]
    order = sorted(range(len(found.groups)), key=lambda place: (-sizes[place], place))
    names = (*((found.variable,) if found.kind == "count" else ()), *((found.by,) if found.by else ()))
    columns = []
    for at, name in enumerate(names):
        codes = [found.groups[place][at] for place in order]
        columns.append(Column(name, [f"{c} · {labels(name, c)}" if labels(name, c) else c for c in codes]))
    if not names:
        columns.append(Column(translate("Group"), [translate("all records") for _ in order]))

    def state(title: str, before: Sequence[float], after: Sequence[float]) -> list[Column]:
        pairs = ((translate("{figure}, before"), before), (translate("{figure}, after"), after))
        return [
            Column(head.format(figure=title), [FigureValue(values[p], _figure(values[p])) for p in order],
                   lambda each: each.text, True)
            for head, values in pairs
        ]  # fmt: skip

    changes = [FigureValue(c, numbers.MISSING if c != c else _signed(c)) for c in found.changes.tolist()]
    what = translate("weighted mean") if found.kind == "mean" else translate("weighted count")
    counted = translate("mean") if found.kind == "mean" else translate("records")
    before, after = found.before, found.after
    tip = translate("Relative change of what a goal is asked of")
    columns.append(Column(translate("change"), [changes[p] for p in order], lambda each: each.text, True, tip))
    if found.weighted:
        columns += state(what, before.goal.tolist(), after.goal.tolist())
    if found.kind == "count":
        return columns + state(counted, before.records.tolist(), after.records.tolist())
    columns += state(counted, before.mean.tolist(), after.mean.tolist())
    columns += state(translate("median"), before.median.tolist(), after.median.tolist())
    columns += state(translate("standard deviation"), before.sd.tolist(), after.sd.tolist())
    records = before.records.tolist()
    return [*columns, Column(translate("numbers"), [records[p] for p in order], numbers.format_count, True)]


def _figure(value: float) -> str:
    return numbers.MISSING if value != value else numbers.format_exact(float(f"{value:.6g}"))
