"""The release checklist: every released column that no model judges, a row each, with the box to decide on it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, plural, translate
from core.data.variables import Metadata
from core.recipe.edits_checklist import decide, decided_by, explained, signed
from core.recipe.model import Decision, Recipe
from gui.document import engine
from gui.document.document import Document
from gui.document.history import Label
from gui.make_protected_file.output_form import random_seed, with_own_seed
from gui.shared.accessible import as_heading
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card, add_rule, empty_layout
from gui.shared.parts.checklist_row import ChecklistRow
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import muted, write_as

if TYPE_CHECKING:
    from core.metadata.column_contents import ColumnContents
    from core.warnings.checklist import ChecklistEntry

Edit = Callable[[Recipe], Recipe]

_SLOT = "release checklist"
_LOOKING = mark("Looking at the columns that no model judges …")


class ReleaseChecklist(QWidget):
    """`releaseChecklist`: rows, `decideNext`, `keepOthers`, `showOthers`, `decidedBy`, `decisionReason`.

    What has to be looked at by itself has a row from the beginning; all others have theirs behind `showOthers`, and
    can be kept together. Decisions go to the session at once.

    Signals
    -------
    decided(label, edit, merge_key)
        A decision: the name of its undo step, what it makes of a recipe, and what it goes on with (or empty).
    changed()
        What is to be decided is something else.
    """

    decided = Signal(object, object, str)
    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="releaseChecklist")
        self._document = document
        self._recipe = document.recipe
        self._contents: dict[str, ColumnContents] = {}
        self._asked_of: object = None
        self._looking = False
        self._failed = ""
        self._entries: tuple[ChecklistEntry, ...] = ()
        self._rows: dict[str, ChecklistRow] = {}
        self._shown: dict[str, tuple[Decision | None, bool]] = {}
        self._others_shown = False
        self._current = ""
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        self._title = QLabel(translate("Columns that no model judges"), objectName="checklistHeading")
        write_as(self._title, "section")
        as_heading(self._title)
        self._counter = QLabel(objectName="checklistCounter")
        muted(self._counter)
        self._card = Card(name="checklistCard")
        self._card.setAccessibleName(self._title.text())
        self._note = WrappedLabel(name="checklistNote", is_muted=True)
        self._show_others = role_button("", "showOthers", "quiet")
        self._show_others.clicked.connect(self._toggle_others)
        self._next = role_button("", "decideNext")
        self._next.clicked.connect(self.go_to_next)
        self._keep = role_button("", "keepOthers")
        self._keep.clicked.connect(self._keep_others)
        self.by = QLineEdit(objectName="decidedBy", placeholderText=translate("name or initials, optional"))
        self.by.setToolTip(translate("Stands in the recipe and in the internal report, never in an external one."))
        self.by.editingFinished.connect(self._sign)
        self.reason = QLineEdit(objectName="decisionReason", placeholderText=translate("optional"))
        self.reason.editingFinished.connect(self._explain)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._counter)
        self._list, self._others = QVBoxLayout(), QVBoxLayout()
        for rows in (self._list, self._others):
            rows.setSpacing(0)
        self._card.body.setContentsMargins(1, 1, 1, 4)
        self._card.body.setSpacing(0)
        self._card.body.addLayout(self._list)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 6, 10, 6)
        foot.addWidget(self._note, 1)
        foot.addWidget(self._show_others)
        self._card.body.addLayout(foot)
        self._card.body.addLayout(self._others)
        buttons = QHBoxLayout()
        for button in (self._next, self._keep):
            button.setMinimumWidth(80)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._reason_label = QLabel(translate("Wh&y"))
        self._reason_label.setBuddy(self.reason)
        by_label = QLabel(translate("Decided &by"))
        by_label.setBuddy(self.by)
        self._form.addRow(by_label, self.by)
        self._form.addRow(self._reason_label, self.reason)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._card)
        column.addLayout(buttons)
        column.addLayout(self._form)

    # What is to be decided --------------------------------------------------------------------------------------------

    @property
    def undecided(self) -> tuple[str, ...]:
        """Names of the columns on which nobody has decided, in the order of the rows."""
        return tuple(entry.variable for entry in self._entries if entry.decision is None)

    def finding(self) -> str:
        """What would be released that nobody has judged, in a sentence; empty where everything is decided.

        It is no reason against a file. Without combinations no model judges any column, and the window asks about an
        unprotected copy instead.
        """
        names = self.undecided if self._recipe.combinations else ()
        if not names:
            return ""
        text = plural(
            len(names),
            "{first} would be released, and nobody has judged it.",
            "{count} columns would be released that nobody has judged.",
        )
        return translate(text).format(first=names[0], count=len(names))

    def show_for(self, recipe: Recipe) -> None:
        """Show the checklist of a recipe: the session's, with the choices that are not in it yet."""
        self._recipe = recipe
        derived = self._document.derived
        if derived is None:
            self._asked_of, self._looking, self._entries = None, False, ()
        elif self._asked_of is not derived:
            self._ask(derived)
        self._show()

    def _ask(self, derived: Any) -> None:
        self._asked_of, self._looking, self._failed = derived, not self._contents, ""
        self._document.ask(_SLOT, engine.contents, derived.recipe, done=self._found, failed=self._not_found)

    def _found(self, contents: dict[str, ColumnContents]) -> None:
        self._looking, self._contents = False, contents
        self._show()
        self.changed.emit()

    def _not_found(self, error: PavoError) -> None:
        self._looking, self._failed, self._contents = False, str(error), {}
        self._show()
        self.changed.emit()

    def _metadata(self) -> Metadata | None:
        """The description of the file with the recipe's decisions, which results may not have yet."""
        from core.warnings.checklist import with_decisions

        derived = self._document.derived
        return None if derived is None else with_decisions(derived.metadata, self._recipe)

    def _show(self) -> None:
        from core.warnings.checklist import checklist, unjudged_columns

        metadata = self._metadata()
        if metadata is not None and not self._failed:
            names = unjudged_columns(self._recipe, metadata)
            self._looking = any(name not in self._contents for name in names)
            known = () if self._looking else checklist(self._recipe, metadata, self._contents)
            known = tuple(sorted(known, key=lambda entry: not entry.is_telling))
            self._entries = known or (self._entries if self._looking else ())
        self._show_rows()
        self._show_rest()

    # Rows -------------------------------------------------------------------------------------------------------------

    def _show_rows(self) -> None:
        telling = [entry for entry in self._entries if entry.is_telling]
        others = [entry for entry in self._entries if not entry.is_telling]
        wanted = [*telling, *(others if self._others_shown else ())]
        if [_made_of(entry) for entry in wanted] != self._made_for():
            self._make_rows(telling, others if self._others_shown else [])
        for entry in wanted:
            proposed = entry.decision is None and entry.proposal is not None
            shown = entry.proposal if proposed else entry.decision, proposed
            if self._shown.get(entry.variable) != shown:  # an open box is left alone
                self._shown[entry.variable] = shown
                self._rows[entry.variable].show_decision(*shown)

    def _made_for(self) -> list[Any]:
        return [row.property("madeFor") for row in self._rows.values()]

    def _make_rows(self, telling: Sequence[ChecklistEntry], others: Sequence[ChecklistEntry]) -> None:
        focused = next((name for name, row in self._rows.items() if row.box.hasFocus()), "")
        self._rows, self._shown = {}, {}
        for layout, entries in ((self._list, telling), (self._others, others)):
            empty_layout(layout)
            for entry in entries:
                if self._rows:
                    add_rule(layout)
                holds = entry.contents.holds.text
                if entry.sensitive:
                    holds = translate("sensitive; {holds}").format(holds=holds)
                row = ChecklistRow(entry.variable, holds, list(entry.offers))
                row.setProperty("madeFor", _made_of(entry))
                row.decided.connect(partial(self._decide, entry.variable))
                layout.addWidget(row)
                self._rows[entry.variable] = row
        if focused in self._rows:
            self._rows[focused].box.setFocus()

    def _show_rest(self) -> None:
        total, open_ = len(self._entries), self.undecided
        others = [entry for entry in self._entries if not entry.is_telling]
        to_keep = [entry.variable for entry in others if entry.decision is None]
        self._counter.setText(
            translate("{decided} of {total} decided").format(decided=total - len(open_), total=total) if total else ""
        )
        self._note.setText(self._note_text(len(others), sum(entry.contents.kind == "key" for entry in others)))
        self._note.setVisible(bool(self._note.text()))
        self._show_others.setVisible(bool(others))
        self._show_others.setText(translate("Hide them") if self._others_shown else translate("Show them"))
        self._next.setVisible(bool(open_) or bool(self._failed))
        self._next.setText(
            translate("Look again")
            if self._failed
            else translate("Decide on {name}").format(name=next(iter(open_), ""))
        )
        self._keep.setVisible(bool(to_keep))
        keep = plural(len(to_keep), "Keep the other one: looked at", "Keep the other {count}: looked at")
        self._keep.setText(translate(keep).format(count=len(to_keep)))
        if not self.by.hasFocus() and not self.by.text():
            self.by.setText(decided_by(self._recipe))
        current = next((entry for entry in self._entries if entry.variable == self._current and entry.decision), None)
        self.reason.setEnabled(current is not None)
        self._reason_label.setText(
            translate("Wh&y") if current is None else translate("Wh&y {name}").format(name=self._current)
        )
        if not self.reason.hasFocus():
            self.reason.setText("" if current is None else current.reason)

    def _note_text(self, others: int, keys: int) -> str:
        if self._failed:
            return self._failed
        if self._looking:
            return translate(_LOOKING)
        if not self._entries:
            return translate("Every released column is in a combination.")
        if not others:
            return ""
        parts, rest = [], others - keys
        if keys:
            text = plural(
                keys,
                "One key variable is in no combination: its disclosure risk is not assessed.",
                "{count} key variables are in no combination: their disclosure risk is not assessed.",
            )
            parts.append(translate(text).format(count=keys))
        if rest:
            text = plural(
                rest, "In one other column nothing stands out.", "In {count} other columns nothing stands out."
            )
            parts.append(translate(text).format(count=rest))
        return " ".join(parts)

    def _toggle_others(self) -> None:
        self._others_shown = not self._others_shown
        self._show()

    # Deciding --------------------------------------------------------------------------------------------------------

    def go_to_next(self) -> None:
        """Go to the next column on which nobody has decided, and open its box; after a failure look again."""
        if self._failed:
            self._asked_of = None
            self.show_for(self._recipe)
            return
        name = next(iter(self.undecided), "")
        if name and name not in self._rows:
            self._toggle_others()
        row = self._rows.get(name)
        if row is None:
            return
        scroll: QWidget | None = self.parentWidget()
        while scroll is not None and not isinstance(scroll, QScrollArea):
            scroll = scroll.parentWidget()
        if isinstance(scroll, QScrollArea):
            scroll.ensureWidgetVisible(row)
        row.box.setFocus()
        row.box.showPopup()

    def _decide(self, name: str, decision: Decision) -> None:
        entry = next(entry for entry in self._entries if entry.variable == name)
        if decision == entry.decision and entry.by == self.by.text().strip():
            return
        self._current, self._shown[name] = name, (decision, False)

        def label() -> str:
            from core.warnings.checklist import words_of_decision

            words = words_of_decision(decision, entry.contents)
            return translate("Decide on {name}: {decision}").format(name=name, decision=words)

        self._commit(label, [(entry, decision)])

    def _keep_others(self) -> None:
        kept = [(e, "keep") for e in self._entries if not e.is_telling and e.decision is None]
        self._commit(lambda: translate("Keep {count} columns as they are").format(count=len(kept)), kept)  # type: ignore[arg-type]

    def _commit(self, label: Label, decisions: Iterable[tuple[ChecklistEntry, Decision]]) -> None:
        from core.warnings.checklist import made_of

        metadata, source = self._metadata(), secrets.SystemRandom()
        if metadata is None:
            return
        made = [made_of(entry, metadata[entry.variable], decision, source) for entry, decision in decisions]
        identifier = metadata.household_id.name if metadata.household_id is not None else ""
        by, seed = self.by.text().strip(), random_seed()

        def edit(recipe: Recipe) -> Recipe:
            changed = recipe
            for decision in made:
                changed = decide(changed, decision, identifier, by)
            if changed.output.shuffle and not recipe.output.shuffle:
                changed = changed.with_(output=with_own_seed(changed.output, seed))
            return changed

        self.decided.emit(label, edit, "")

    def _sign(self) -> None:
        """Who decides stands with the decisions that nobody has signed yet."""
        by = self.by.text().strip()
        names = [entry.variable for entry in self._entries if entry.decision is not None and not entry.by]
        if by and signed(self._recipe, names, by) != self._recipe:
            self.decided.emit(
                lambda: translate("Decided by {name}").format(name=by), lambda r: signed(r, names, by), "decided by"
            )

    def _explain(self) -> None:
        name, reason = self._current, self.reason.text().strip()
        if name and explained(self._recipe, name, reason) != self._recipe:
            self.decided.emit(
                lambda: translate("Reason for the decision on {name}").format(name=name),
                lambda recipe: explained(recipe, name, reason),
                f"reason {name}",
            )


def _made_of(entry: ChecklistEntry) -> tuple[Any, ...]:
    """What a row is made of: what does not change with a decision."""
    return entry.variable, entry.contents, entry.sensitive, [decision for _words, decision in entry.offers]
