"""Global Recode: codes of a variable made fewer and broader, by hand, as text or all at once, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from core.base.texts import mark, plural, translate
from core.metadata.guess_use import is_named
from core.recipe.edits import is_judged
from core.recipe.model import Recipe
from core.recipe.set_keys import columns_of
from core.recoding.draft import Draft
from gui.document import engine
from gui.document.document import Document
from gui.global_recode.code_editor import CodeEditor, button_of
from gui.global_recode.drafts import SLOT, Made, RecodeDrafts, with_recode
from gui.global_recode.edits import Edit, RecodeWork, merging, work_out
from gui.global_recode.group_codes_dialog import GroupCodes, without_order
from gui.global_recode.model import Labels, RecodeRows, candidates, variable_columns, variable_in
from gui.global_recode.preview import RecodePreview
from gui.global_recode.scheme_text import RecodeText
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.numbers import format_count
from gui.paint_queue import paint_apart
from gui.shared.choice import ChoiceBox
from gui.shared.draft_window import NOT_APPLIED, DraftWindow
from gui.shared.layout.beside_or_below import BesideOrBelow
from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.buttons import allow
from gui.shared.parts.effect import EffectCard
from gui.shared.parts.fold_line import FoldLine
from gui.shared.table.data_table import DataTable
from gui.shared.tool_window import ToolWindow
from gui.theme import muted, scaled

if TYPE_CHECKING:
    from core.results.results import RecodedData, Results
    from core.whatif.recode_effect import Effect


class RecodeDialogs:
    """Opens them over a window; what they make goes to `edit` as an edit of the draft."""

    def __init__(self, window: ToolWindow, edit: Callable[[Edit], None]) -> None:
        self._window, self._edit = window, edit

    def group(self, draft: Draft, prepared: RecodedData, method: str) -> None:
        """Intervals, truncation and the like."""
        name = draft.column.name
        variable, labels = variable_in(prepared, name), prepared.labels.get(name, {})
        dialog = GroupCodes(self._window.document, draft, variable, labels, method, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda made: self._edit(lambda _: made))
        dialog.open()

    def suggest(self, draft: Draft, prepared: RecodedData, recipe: Recipe) -> None:
        """Merges that make records safe; `recipe` is the session's with the draft in it."""
        name = draft.column.name
        if not is_judged(recipe, name):
            self._ask_for_threshold()
            return
        labels = dict(prepared.labels.get(name, {}))
        dialog = SuggestMerges(self._window.document, recipe, draft.column, labels, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda groups: self._edit(merging(groups)))
        dialog.open()

    def _ask_for_threshold(self) -> None:
        window = self._window
        window.messages.show_text(
            translate("Choose a threshold first: it says which records are unsafe, and so which merges help."),
            [(translate("Open Risk Chart"), lambda: window.open_window("riskChart"))],
        )


_ROOM_FOR_LIST, _ROOM_FOR_TEXT = 810, 1100
"""Widths of the page, in logical pixels, from which on the list, and the text, stand beside the codes."""
_SHOW_SLOT = "recode shown"
_APART_MS = 1
"""Without any time Qt would not let another pass begin."""


def _sizes(beside: bool) -> list[int]:
    """List, codes and text; the list is a box where they stand below each other."""
    return [280, 550, 300] if beside else [0, 500, 300]


class GlobalRecode(DraftWindow):
    """Edits one draft a variable; *Apply* puts the one shown into the recipe."""

    name = "globalRecode"
    title = mark("Global Recode")
    default_size = (1240, 700)
    drop_question = mark("Drop the recodes that are not applied?")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(520, 380)
        self._variable = ""
        self._prepared: RecodedData | None = None
        self._arrived: RecodedData | None = None
        self._unsafe_of_code: Any = None
        self._unsafe_of: Results | None = None
        """Results that the unsafe records of codes are of."""
        self._waits = self._fresh = False
        """Whether the draft to be shown is being worked out, and whether it is that of another variable."""
        self.drafts = RecodeDrafts(document)
        self.work = RecodeWork(document, self._take_edited, self.show_error)
        self.dialogs = RecodeDialogs(self, self._edit)
        self._is_stopped = False
        """Whether the file was not read, which the list of variables says."""
        self._make_head()
        self._make_panes()
        self._make_foot()
        self._connect()
        self._ask_columns()

    def _make_head(self) -> None:
        """What the draft shown would change, and where there is little width the key in one line."""
        self.effect = EffectCard()
        self.apply, self.drop = self.effect.apply, self.effect.drop
        self.apply.setObjectName("apply")
        self.apply.setDefault(True)
        self.drop.setObjectName("dropDraft")
        self.drop.setToolTip(translate("Back to what the session has"))
        self.keys = ChoiceBox(objectName="recodeKey")
        self.keys.setAccessibleName(translate("Variable to recode"))
        self.keys.setMinimumContentsLength(14)
        self.key_codes = QLabel(objectName="recodeKeyCodes")
        muted(self.key_codes)
        self._key_row = QWidget()
        row = QHBoxLayout(self._key_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(QLabel(translate("Variable")))
        row.addWidget(self.keys)
        row.addWidget(self.key_codes, 1)
        self.content.addWidget(self.effect)
        self.content.addWidget(self._key_row)

    def _make_panes(self) -> None:
        # each made where it stands: what is moved with all that it holds is styled a second time
        room = ByRoom(self)
        splitter = BesideOrBelow(self, "recodeSplitter", _ROOM_FOR_LIST, _sizes, room)
        room.always(self._arrange)
        self.content.addWidget(splitter, 1)
        self.variables = DataTable("recodeVariables", translate("Variables"), splitter)
        self.variables.stretch(0)
        self.variables.keep_in_sight(translate("unsafe"))
        self.codes = CodeEditor(splitter)
        self.text = RecodeText(splitter)
        for pane, stretch, least in ((self.variables, 2, 252), (self.codes, 5, 0), (self.text, 3, 0)):
            splitter.addWidget(pane)
            splitter.setStretchFactor(splitter.count() - 1, stretch)
            pane.setMinimumWidth(least)
        splitter.setHandleWidth(14)
        self._panes = splitter

    def _make_foot(self) -> None:
        self.preview = RecodePreview(self.document, self)
        self.figures = FoldLine(translate("All figures, now and after Apply"), "recodeFiguresFold", self.preview)
        self.undo_recode = button_of(
            "undoRecode", translate("&Undo recode"), translate("Back to the original codes; the text stays")
        )
        foot = QHBoxLayout()
        foot.addWidget(self.figures)
        foot.addStretch(1)
        foot.addWidget(self.undo_recode)
        self.content.addLayout(foot)
        self.content.addWidget(self.preview)

    def _arrange(self) -> None:
        """List, codes and text beside each other; where there is less width the text is a way, and the key a box."""
        has_list, has_text = self.width() >= scaled(_ROOM_FOR_LIST), self.width() >= scaled(_ROOM_FOR_TEXT)
        as_text = self.codes.ways.current == "textWay"
        shows_list = (has_list and (has_text or not as_text)) or self._is_stopped
        self.variables.setVisible(shows_list)
        self._key_row.setVisible(not shows_list)
        self.text.setVisible(has_text or as_text)
        self.codes.table.setVisible(has_list or not as_text)
        if as_text and not has_text:
            self._panes.setSizes([0, 500, 300] if has_list else [0, 1, 1000])

    def _way_chosen(self, way: str) -> None:
        self._arrange()
        if way == "textWay":
            self.text.edit.setFocus()

    def say_stopped(self) -> None:
        """Reading the file was stopped; it can be begun anew."""
        self._is_stopped = True
        self._arrange()
        self.variables.show_empty(
            translate("Reading the file was stopped."), translate("Read again"), self._ask_columns
        )

    def enable(self, button: QPushButton, enabled: bool) -> None:
        """Enable a button or not; where it had the focus, that goes to the codes, on which one works on."""
        if not enabled and self.focusWidget() is button:
            self.codes.table.take_focus()
        button.setEnabled(enabled)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for pane in (self.variables, self.codes, self.text, self.preview):
            paint_apart(pane, 0)

    def event(self, event: QEvent) -> bool:
        """Ctrl+Z undoes steps of the draft as long as there are any, then steps of the session."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._undoes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._undoes(event):
            edit = self.text.edit
            (edit.undo if event.matches(QKeySequence.StandardKey.Undo) else edit.redo)()
            return
        super().keyPressEvent(event)

    def _undoes(self, event: QKeyEvent) -> bool:
        text = self.text.edit.document()
        return (event.matches(QKeySequence.StandardKey.Undo) and text.isUndoAvailable()) or (
            event.matches(QKeySequence.StandardKey.Redo) and text.isRedoAvailable()
        )

    def _connect(self) -> None:
        self.variables.current_changed.connect(self._choose)
        self.codes.edited.connect(self._edit)
        self.codes.group_wanted.connect(self._group_codes)
        self.codes.suggest_wanted.connect(self._suggest)
        self.text.edited.connect(self._edit)
        self.text.failed.connect(self.show_error)
        self.text.warned.connect(self.messages.show_text)
        self.text.missing_read.connect(self._show_buttons)
        self.text.said.connect(self.messages.show_good)
        self.codes.ways.chosen.connect(self._way_chosen)
        self.codes.ways.refused.connect(self.show_error)
        self.codes.ways.edited.connect(lambda _edit: self._warn_of_order())
        self.keys.activated.connect(self._key_chosen)
        self.preview.told.connect(self._tell_effect)
        self.preview.arrived.connect(self._effect_arrived)
        self.preview.failed.connect(self.show_error)
        self.apply.clicked.connect(self._apply)
        self.undo_recode.clicked.connect(self._undo_recode)
        self.drop.clicked.connect(self.reload)
        self.closed.connect(self._stop)
        self.greyed(self.variables)

    # What the document says --------------------------------------------------------------------------------------

    @property
    def unfinished(self) -> RecodeDrafts:
        """The drafts of all variables."""
        return self.drafts

    @property
    def draft(self) -> Draft:
        """The draft shown."""
        return self.drafts[self._variable]

    def subject(self) -> str:
        """The variable shown."""
        return getattr(self, "_variable", "")

    def show_for(self, variable: str = "", **_: Any) -> None:
        """Turn to a variable."""
        if self._prepared is None:
            self._variable = variable or self._variable
        elif variable in candidates(self._prepared):
            self.variables.select(variable)
            self._choose(variable)

    def recipe_changed(self, changes: Any) -> None:
        """Untouched drafts follow; a touched one stays, and the user says which of the two it shall be."""
        if changes.input or changes.metadata:
            (self.work.settle if changes.input else self._settle)()  # what is typed is of the file it was typed for
            self._prepared = self._arrived = None
            self.document.tasks.drop(_SHOW_SLOT)
            self.drafts.put_away()
            self._ask_columns()
        else:
            given_up = self.document.given_up
            kept = given_up is not None and self.drafts.take_back(given_up)
            self.work.then(self._follow, always=True)
            if kept:
                self.messages.show_text(translate(NOT_APPLIED))

    def _follow(self) -> None:
        if self._prepared is not None:
            self.drafts.follow()
            self._show_variables()
            self._show_draft(fresh=not self.drafts.is_touched(self._variable))
            self._offer_reload()

    def results_changed(self) -> None:
        """Show the figures of the session."""
        if self._prepared is not None:
            self._show_variables()
            self._show_effects()

    def _ask_columns(self) -> None:
        """Read what is to be recoded; until it is there, nothing can be edited and no figure or offer holds."""
        self._waits, self._is_stopped = True, False
        self._arrange()
        self.preview.stop()
        self.messages.clear()
        self.variables.show_empty(translate("Reading the file…"))
        self.codes.show_empty(translate("The codes of the variable chosen at the left will be here."))
        for widget in (self.text, self.undo_recode, self.drop):
            widget.setEnabled(False)
        self._allow_apply(translate("Reading the file…"))
        recipe = self.document.recipe
        if recipe.input.place is not None:
            bare = recipe.with_(combinations=(), recodes=(), measures=())
            done, failed = self._prepared_arrived, self.show_error
            self.document.ask(SLOT, engine.prepare, bare, done=done, failed=failed, cancelled=self.say_stopped)

    def _prepared_arrived(self, prepared: RecodedData) -> None:
        """The columns are there; they are shown in a pass of their own, for the window itself may be new."""
        self._arrived = prepared
        self.document.expect()
        QTimer.singleShot(_APART_MS, self.document, partial(self._use, prepared))

    def _use(self, prepared: RecodedData) -> None:
        if isValid(self) and self._arrived is prepared:
            self._arrived = None
            self.drafts.use(prepared, partial(self._begin, prepared), self.show_error)
        self.document.expected()

    def _begin(self, prepared: RecodedData) -> None:
        self._prepared = prepared
        names = candidates(prepared)
        if not names:
            text = translate("Variables with codes will be here. The metadata names no categorical variable.")
            to_metadata = translate("Specify Metadata"), lambda: self.open_window("specifyMetadata")
            self.variables.show_empty(text, *to_metadata)
            return
        recipe = self.document.recipe
        keys = [name for c in recipe.combinations for name in columns_of(recipe, c.variables) if name in names]
        wanted = self._variable if self._variable in names else next(iter(keys), names[0])
        self._variable = ""
        self._show_variables()
        self.variables.select(wanted)
        if not self._variable:
            self._choose(wanted)
        self.variables.view.setFocus()

    def _offer_reload(self) -> None:
        if self.drafts.overtaken(self._variable):
            self.ask_which()
        else:
            self.messages.clear()

    def keep_mine(self) -> None:
        """Go on with the draft shown over the session as it is now."""
        self.drafts.keep(self._variable, self.show_error)
        self.messages.clear()

    # Showing -----------------------------------------------------------------------------------------------------

    def _choose(self, name: Any) -> None:
        if not isinstance(name, str) or name == self._variable or self._prepared is None:
            return
        if self._variable:
            self._settled(partial(self._turn_to, name), always=True)
        else:
            self._turn_to(name)

    def _key_chosen(self, _place: int) -> None:
        name = self.keys.currentData()
        self.variables.select(name)
        self._choose(name)

    def _turn_to(self, name: str) -> None:
        self._variable, self._unsafe_of_code = name, None
        self.keys.setCurrentIndex(self.keys.findData(name))
        self.codes.ways.clear()
        self._set_title()
        self._show_draft(fresh=True)
        self._offer_reload()

    def _show_variables(self) -> None:
        assert self._prepared is not None
        derived, document = self.document.derived, self.document
        now = {} if derived is None else {name: column.n_valid for name, column in derived.columns.items()}
        recipe = document.recipe if derived is None else derived.recipe
        counted = {} if derived is None else document.session.unsafe_records
        unsafe = {name: count for name, count in counted.items() if is_judged(recipe, name)}
        touched = self.drafts.all_touched()
        self.variables.set_columns(variable_columns(self._prepared, document.recipe, now, unsafe, touched))
        names = candidates(self._prepared)
        if names != [self.keys.itemData(place) for place in range(self.keys.count())]:
            self.keys.clear()
            for name in names:
                self.keys.addItem(name, name)
            self.keys.setCurrentIndex(self.keys.findData(self._variable))

    def _edit(self, edit: Edit, selected: Sequence[str] = ()) -> None:
        if not self._waits:
            self.work.edit(self.draft, self.drafts.labels_of(self._variable), edit, selected)

    def _take_edited(self, draft: Draft, rows: RecodeRows | None, selected: Sequence[str]) -> None:
        if rows is not None:
            self.codes.table.keep(rows)
            self.drafts.know_labels(draft, rows.labels.new)
        self._set_draft(draft)
        if selected:
            self.codes.table.select_codes(selected)

    def _settle(self) -> None:
        """Take what is edited and not worked out yet, typed text included."""
        self.work.settle()
        self.text.flush()
        self.work.settle()

    def _settled(self, do: Callable[[], None], always: bool = False) -> None:
        """Do something once all that was edited is taken, typed text included; `always`: or dropped."""
        self.text.flush()
        self.work.then(do, always)

    def _set_draft(self, draft: Draft) -> None:
        """The user changed the draft, in the table or in the text."""
        self.messages.clear()
        was = self.drafts.is_touched(self._variable)
        self.drafts[self._variable] = draft
        if self.drafts.is_touched(self._variable) != was:
            self._show_variables()
        self._show_draft()

    def _show_draft(self, fresh: bool = False) -> None:
        """Table, text and preview of the draft; all three are made from it, which of many codes takes a while."""
        if self._prepared is None or not self._variable:
            return
        self.document.tasks.drop(_SHOW_SLOT)
        fresh = fresh or self._fresh
        if not self.drafts.is_ready(self._variable, self.codes.table.has):
            self._await_draft(fresh)
            return
        self._waits = self._fresh = False
        draft = self.draft
        self.text.setEnabled(True)
        self.text.edit.setReadOnly(False)
        self.text.show_draft(draft, self.drafts.warnings(self._variable), fresh)
        self.text.source.setText(self.drafts.source(self._variable))
        self._show_codes()
        self._show_buttons()
        self._show_effects()

    def _await_draft(self, fresh: bool) -> None:
        """Have the draft and its rows made in the compute thread; until then nothing of it can be edited."""
        assert self._prepared is not None
        name = self._variable
        self._waits, self._fresh = True, fresh
        if fresh:
            self.codes.show_empty(translate("Computing…"))
            self.codes.table.set_title(self._codes_title())
            self.text.show_nothing()
            self.text.setEnabled(False)
            self.text.source.setText("")
        self.codes.table.set_greyed(True)
        self.preview.wait(fresh)
        self.text.edit.setReadOnly(True)
        for button in (self.undo_recode, self.drop):
            self.enable(button, False)
        self._allow_apply(translate("Computing…"))
        column = self._prepared.microdata.columns[name]
        done, failed = self._draft_arrived, self.show_error
        work_out(self.document, _SHOW_SLOT, column, self.drafts.maker(name), done=done, failed=failed)

    def _draft_arrived(self, made: Made) -> None:
        self.drafts.take(made)
        self.codes.table.keep(made.rows)
        self._show_draft()
        self._offer_reload()

    def _codes_title(self) -> str:
        assert self._prepared is not None
        label = variable_in(self._prepared, self._variable).label
        return f"{self._variable} · {label}" if label else self._variable

    def _show_codes(self) -> None:
        draft, title = self.draft, self._codes_title()
        if draft.error is not None:  # nothing can be applied, so there are no figures of after that
            self._unsafe_of_code = None
        touched = self.drafts.is_touched(self._variable)
        self.codes.show_draft(title, draft, self._labels(), self._unsafe_of_code, touched)

    def _labels(self) -> Labels:
        assert self._prepared is not None
        return Labels(self._prepared.labels.get(self._variable, {}), self.drafts.new_labels(self._variable))

    def _show_buttons(self) -> None:
        if self._waits:
            return
        name = self._variable
        recoded = any(recode.variable == name for recode in self.document.recipe.recodes)
        touched = self.drafts.is_touched(name)
        self._allow_apply(self._refusal(touched, recoded))
        self.enable(self.undo_recode, recoded)
        self.enable(self.drop, touched or self.text.refused)
        self.codes.suggest.setEnabled(any(name in c.variables for c in self.document.recipe.combinations))

    def _refusal(self, touched: bool, recoded: bool) -> str:
        """Why the draft shown cannot be applied; empty where it can."""
        if self.text.refused:
            return translate("The text cannot be read as it is: mend it first.")
        if self.draft.error is not None:
            return str(self.draft.error)
        return "" if touched and (recoded or not self.draft.is_empty) else translate("Nothing is changed.")

    def _allow_apply(self, reason: str) -> None:
        """Let the draft be applied, or say why it cannot."""
        self.enable(self.apply, not reason)
        allow(self.apply, reason, translate("Make this recode one step of the session"))

    def _show_effects(self) -> None:
        """Ask for the figures of the session and, where there is one, of the draft."""
        if self._prepared is None or not self._variable or self._waits:
            return
        name, derived = self._variable, self.document.derived
        original = self._prepared.microdata.columns[name].n_valid
        now = derived.columns[name].n_valid if derived is not None and name in derived.columns else original
        touched = self.drafts.is_touched(name)
        recipe = self._draft_recipe() if touched and self.draft.error is None else None
        if not touched and derived is not None and name not in derived.columns and self._unsafe_of_code is not None:
            self._unsafe_of_code = None  # it is no key any more
            self._show_codes()
        is_old = self._unsafe_of_code is not None and self._unsafe_of is not derived
        self.codes.table.set_greyed(touched or self.document.stale or is_old)
        self.preview.show_draft(recipe, self._categories())
        self.preview.show_session(name, now)
        codes, after = format_count(original), format_count(self._categories())
        self.key_codes.setText(translate("{codes} codes → {after} categories").format(codes=codes, after=after))
        self._tell_effect()

    def _tell_effect(self) -> None:
        """Say what the draft shown would change, or what there is to be changed."""
        now, after, touched = self.preview.now, self.preview.after, self.drafts.is_touched(self._variable)
        if touched and now.unsafe is not None and after.unsafe is not None:
            said = translate("Nothing is changed yet.")
            if now.blanks and after.blanks:
                cost = translate("Values to blank {now} → {after}.").format(now=now.blanks, after=after.blanks)
                said = f"{cost} {said}"
            self.effect.show_effect(now.unsafe, after.unsafe, said)
        elif touched:
            text = translate("{name} would have {n} categories")
            said = format_count(self._categories()) if self.draft.error is None else "…"
            self.effect.say(text.format(name=self._variable, n=said), translate("Nothing is changed yet."))
        else:
            unsafe = format_count(now.unsafe) if now.unsafe else ""
            text = translate("{name}: {n} unsafe records in its tables") if unsafe else translate("Codes of {name}")
            told = translate("Choose a way below; what it would change is told here.")
            self.effect.say(text.format(n=unsafe, name=self._variable), told)

    def _categories(self) -> int:
        draft = self.draft
        return draft.column.n_valid if draft.is_empty else draft.recoding().column.n_valid

    def _effect_arrived(self, effect: Effect) -> None:
        if effect.variable == self._variable and not self._waits and self.draft.error is None:
            self._unsafe_of_code = None if effect.unsafe is None else effect.unsafe_of_code
            self._unsafe_of = self.document.derived
            self._show_codes()
            self.codes.table.set_greyed(False)

    def _warn_of_order(self) -> None:
        """Say so where bands are made of codes whose neighbours need have nothing in common."""
        if self._prepared is not None and is_named(variable_in(self._prepared, self._variable)):
            self.messages.show_text(without_order(self._variable))

    def _group_codes(self, method: str) -> None:
        def group() -> None:
            if self._prepared is not None and not self._waits:
                self.dialogs.group(self.draft, self._prepared, method)

        self._settled(group)

    def _suggest(self) -> None:
        def suggest() -> None:
            if self._prepared is not None and not self._waits:
                self.dialogs.suggest(self.draft, self._prepared, self._draft_recipe())

        self._settled(suggest)

    # The recipe --------------------------------------------------------------------------------------------------

    def _draft_recipe(self) -> Recipe:
        """The session's recipe with the draft in place of the variable's recode."""
        return with_recode(self.document.recipe, self._variable, self.draft.recode())

    def _apply(self) -> None:
        self._settled(self._apply_draft)

    def _apply_draft(self) -> None:
        draft, name = self.draft, self._variable
        if draft.error is not None or self.text.refused:
            return
        n = self._categories()
        label = plural(n, "Recode {name}, 1 category", "Recode {name}, {n} categories")
        if draft.is_empty:
            label = mark("Undo recode of {name}")
        recipe = self._draft_recipe()
        self.drafts.applied(name, draft)
        self.document.commit(lambda: translate(label).format(name=name, n=format_count(n)), recipe)

    def _undo_recode(self) -> None:
        """Back to the original codes; the text stays, as a draft."""
        self._settled(self._take_recode_away)

    def _take_recode_away(self) -> None:
        name = self._variable
        self.drafts.keep_text(name)
        recipe = with_recode(self.document.recipe, name, None)
        self.document.commit(lambda: translate("Undo recode of {name}").format(name=name), recipe)

    def reload(self) -> None:
        """Give the draft shown up for what the session says."""
        self.drafts.drop(self._variable)
        self.messages.clear()
        self._show_variables()
        self._show_draft(fresh=True)
        self.work.drop()  # last: it may go on to another variable

    def give_up(self) -> None:
        """What is being typed is part of the draft that Escape drops."""
        if self._prepared is not None:
            self._settle()
        super().give_up()

    def may_close(self) -> bool:
        """Drafts that are not applied are dropped only with the user's consent."""
        if self._prepared is None:
            return True
        self._settle()
        return self.may_drop()

    def drop_said(self) -> str:
        """Whose recodes are not applied."""
        return translate("Not applied: {names}.").format(names=", ".join(self.drafts.all_touched()))

    def _stop(self) -> None:
        self._arrived = None
        self.text.stop()
        self.work.drop()
        self.preview.stop()
        for slot in (SLOT, _SHOW_SLOT):
            self.document.tasks.drop(slot)
