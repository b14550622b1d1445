"""Global Recode: codes of a variable made fewer and broader, by hand or as text, with what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout

from core.recipe.edits import is_judged
from core.recipe.model import Recipe
from core.recoding.draft import Draft
from core.texts import mark, translate
from gui import dialogs
from gui.document import Document
from gui.models.recode import Labels, Rows, candidates, variable_columns
from gui.widgets.code_editor import CodeEditor, button_of
from gui.widgets.data_table import DataTable
from gui.widgets.recode_preview import RecodePreview
from gui.widgets.recode_text import RecodeText
from gui.windows.base import ToolWindow
from gui.windows.group_codes import GroupCodes
from gui.windows.recode_drafts import RecodeDrafts, with_recode
from gui.windows.recode_work import Edit, RecodeWork, merging
from gui.windows.suggest_merges import SuggestMerges

if TYPE_CHECKING:
    from core.derive.recode_effect import Effect
    from core.derive.results import Prepared


_SLOT = "global recode"


class GlobalRecode(ToolWindow):
    """Edits one draft a variable; *Apply* puts the one shown into the recipe."""

    name = "globalRecode"
    title = mark("Global Recode")
    default_size = (1240, 700)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(1020, 520)
        self._variable = ""
        self._prepared: Prepared | None = None
        self._unsafe_of_code: Any = None
        self.drafts = RecodeDrafts(document)
        self.work = RecodeWork(document, self._take_edited, self.show_error)
        self._make_controls()
        self._lay_out()
        self._connect()
        self._say_reading()
        self._ask_columns()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.variables = DataTable("recodeVariables", translate("Variables"))
        self.variables.stretch(0)
        self.codes = CodeEditor()
        self.text = RecodeText()
        self.preview = RecodePreview(self.document)
        self.apply = button_of("apply", translate("A&pply"), translate("Make this recode one step of the session"))
        self.apply.setDefault(True)
        self.undo_recode = button_of(
            "undoRecode", translate("&Undo recode"), translate("Back to the original codes; the text stays")
        )
        self.drop = button_of("dropDraft", translate("D&rop changes"), translate("Back to what the session has"))

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal, objectName="recodeSplitter")
        for pane, stretch, least in ((self.variables, 2, 230), (self.codes, 5, 470), (self.text, 3, 260)):
            splitter.addWidget(pane)
            splitter.setStretchFactor(splitter.count() - 1, stretch)
            pane.setMinimumWidth(least)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(14)
        splitter.setSizes([290, 560, 360])
        self.content.addWidget(splitter, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.preview, 1)
        buttons = QVBoxLayout()
        buttons.addStretch(1)
        for button in (self.drop, self.undo_recode, self.apply):
            buttons.addWidget(button)
        bottom.addLayout(buttons)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        self.variables.current_changed.connect(self._choose)
        self.codes.edited.connect(self._edit)
        self.codes.group_wanted.connect(self._group_codes)
        self.codes.suggest_wanted.connect(self._suggest)
        self.text.edited.connect(self._edit)
        self.text.failed.connect(self.show_error)
        self.text.said.connect(self.messages.show_good)
        self.preview.arrived.connect(self._effect_arrived)
        self.preview.failed.connect(self.show_error)
        self.apply.clicked.connect(self._apply)
        self.undo_recode.clicked.connect(self._undo_recode)
        self.drop.clicked.connect(self._drop)
        self.closed.connect(self._stop)
        self.greyed(self.variables)

    # What the document says --------------------------------------------------------------------------------------

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
        self.work.settle()
        if changes.input or changes.metadata:
            self._prepared = None
            self.drafts.put_away()
            self._say_reading()
            self._ask_columns()
        elif self._prepared is not None:
            self.drafts.follow()
            self._show_variables()
            self._show_draft(fresh=not self.drafts.touched(self._variable))
            self._offer_reload()

    def results_changed(self) -> None:
        """Show the figures of the session."""
        if self._prepared is not None:
            self._show_variables()
            self._show_effects()

    def _ask_columns(self) -> None:
        recipe = self.document.recipe
        if recipe.input.data is not None:
            bare = recipe.with_(combinations=(), recodes=(), measures=())
            self.document.prepare(_SLOT, bare, self._prepared_arrived, self.show_error)

    def _prepared_arrived(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self.drafts.use(prepared)
        names = candidates(prepared)
        if not names:
            self.variables.show_empty(translate("The metadata names no categorical variable."))
            return
        keys = [name for c in self.document.recipe.combinations for name in c.variables if name in names]
        wanted = self._variable if self._variable in names else next(iter(keys), names[0])
        self._variable = ""
        self._show_variables()
        self.variables.select(wanted)
        if not self._variable:
            self._choose(wanted)
        self.variables.view.setFocus()

    def _say_reading(self) -> None:
        self.variables.show_empty(translate("Reading the file…"))
        self.codes.show_empty(translate("The codes of the variable chosen at the left will be here."))
        for widget in (self.text, self.apply, self.undo_recode, self.drop):
            widget.setEnabled(False)

    def _offer_reload(self) -> None:
        if self.drafts.overtaken(self._variable):
            self.messages.show_text(
                translate("The session changed."),
                [(translate("Reload"), self._drop), (translate("Keep mine"), self._keep_mine)],
            )
        else:
            self.messages.clear()

    def _keep_mine(self) -> None:
        self.drafts.keep(self._variable)
        self.messages.clear()

    # Showing -----------------------------------------------------------------------------------------------------

    def _choose(self, name: Any) -> None:
        if not isinstance(name, str) or name == self._variable or self._prepared is None:
            return
        if self._variable:
            self._settle()
        self._variable, self._unsafe_of_code = name, None
        self._set_title()
        self._show_draft(fresh=True)
        self._offer_reload()

    def _show_variables(self) -> None:
        assert self._prepared is not None
        derived, document = self.document.derived, self.document
        now = {} if derived is None else {name: column.n_valid for name, column in derived.columns.items()}
        recipe = document.recipe if derived is None else derived.recipe
        counted = {} if derived is None else document.unsafe_records
        unsafe = {name: count for name, count in counted.items() if is_judged(recipe, name)}
        touched = self.drafts.all_touched()
        self.variables.set_columns(variable_columns(self._prepared, document.recipe, now, unsafe, touched))

    def _edit(self, edit: Edit, selected: Sequence[str] = ()) -> None:
        self.work.edit(self.draft, self.drafts.labels_of(self._variable), edit, selected)

    def _take_edited(self, draft: Draft, rows: Rows | None, selected: Sequence[str]) -> None:
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

    def _set_draft(self, draft: Draft) -> None:
        """The user changed the draft, in the table or in the text."""
        self.messages.clear()
        was = self.drafts.touched(self._variable)
        self.drafts[self._variable] = draft
        if self.drafts.touched(self._variable) != was:
            self._show_variables()
        self._show_draft()

    def _show_draft(self, fresh: bool = False) -> None:
        """Table, text and preview of the draft; all three are made from it."""
        if self._prepared is None or not self._variable:
            return
        draft = self.draft
        self.text.setEnabled(True)
        self.text.show_draft(draft, self.drafts.warnings(self._variable), fresh)
        self.text.source.setText(self.drafts.source(self._variable))
        self._show_codes()
        self._show_buttons()
        self._show_effects()

    def _show_codes(self) -> None:
        assert self._prepared is not None
        draft, name = self.draft, self._variable
        variable = self._prepared.metadata[name]
        title = f"{name} · {variable.label}" if variable.label else name
        self.codes.show_draft(title, draft, self._labels(), self._unsafe_of_code, self.drafts.touched(name))

    def _labels(self) -> Labels:
        assert self._prepared is not None
        return Labels(self._prepared.labels.get(self._variable, {}), self.drafts.new_labels(self._variable))

    def _show_buttons(self) -> None:
        name, draft = self._variable, self.draft
        recoded = any(recode.variable == name for recode in self.document.recipe.recodes)
        touched = self.drafts.touched(name)
        self.apply.setEnabled(touched and draft.error is None and (not draft.is_empty or recoded))
        self.undo_recode.setEnabled(recoded)
        self.drop.setEnabled(touched)
        self.codes.suggest.setEnabled(any(name in c.variables for c in self.document.recipe.combinations))

    def _show_effects(self) -> None:
        """Ask for the figures of the session and, where there is one, of the draft."""
        if self._prepared is None or not self._variable:
            return
        name, derived = self._variable, self.document.derived
        original = self._prepared.microdata.columns[name].n_valid
        now = derived.columns[name].n_valid if derived is not None and name in derived.columns else original
        touched = self.drafts.touched(name)
        recipe = self._draft_recipe() if touched and self.draft.error is None else None
        self.codes.table.set_greyed(touched or self.document.stale)
        self.preview.show_draft(recipe, self._categories())
        self.preview.show_session(name, now)

    def _categories(self) -> int:
        draft = self.draft
        return draft.column.n_valid if draft.is_empty else draft.recoding().column.n_valid

    def _effect_arrived(self, effect: Effect) -> None:
        if effect.variable == self._variable:
            self._unsafe_of_code = None if effect.unsafe is None else effect.unsafe_of_code
            self._show_codes()
            self.codes.table.set_greyed(False)

    # Grouping all codes at once ----------------------------------------------------------------------------------

    def _group_codes(self, method: str) -> None:
        assert self._prepared is not None
        self._settle()
        variable, labels = self._prepared.metadata[self._variable], self._prepared.labels.get(self._variable, {})
        dialog = GroupCodes(self.draft, variable, labels, method, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda draft: self._edit(lambda _: draft))
        dialog.open()

    def _suggest(self) -> None:
        assert self._prepared is not None
        self._settle()
        recipe = self._draft_recipe()
        if not is_judged(recipe, self._variable):
            self._ask_for_threshold()
            return
        labels = dict(self._prepared.labels.get(self._variable, {}))
        dialog = SuggestMerges(self.document, recipe, self.draft.column, labels, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._suggested)
        dialog.open()

    def _ask_for_threshold(self) -> None:
        self.messages.show_text(
            translate("Choose a threshold first: it says which records are unsafe, and so which merges help."),
            [(translate("Open Risk Chart"), lambda: self.open_window("riskChart"))],
        )

    def _suggested(self, groups: list[tuple[str, ...]]) -> None:
        self._edit(merging(groups))

    # The recipe --------------------------------------------------------------------------------------------------

    def _draft_recipe(self) -> Recipe:
        """The session's recipe with the draft in place of the variable's recode."""
        return with_recode(self.document.recipe, self._variable, self.draft.recode())

    def _apply(self) -> None:
        self._settle()
        draft, name = self.draft, self._variable
        if draft.error is not None:
            return
        categories = self._categories()
        label = translate("Recode {name}, {n} categories").format(name=name, n=categories)
        if draft.is_empty:
            label = translate("Undo recode of {name}").format(name=name)
        recipe = self._draft_recipe()
        self.drafts.applied(name, draft)
        self.document.commit(label, recipe)

    def _undo_recode(self) -> None:
        """Back to the original codes; the text stays, as a draft."""
        name = self._variable
        self._settle()
        self.drafts.keep_text(name)
        recipe = with_recode(self.document.recipe, name, None)
        self.document.commit(translate("Undo recode of {name}").format(name=name), recipe)

    def _drop(self) -> None:
        self.work.drop()
        self.drafts.drop(self._variable)
        self.messages.clear()
        self._show_variables()
        self._show_draft(fresh=True)

    def may_close(self) -> bool:
        """Drafts that are not applied are dropped only with the user's consent."""
        if self._prepared is None:
            return True
        self._settle()
        touched = self.drafts.all_touched()
        if not touched:
            return True
        answer = dialogs.ask(
            self,
            translate("Drop the recodes that are not applied?"),
            translate("Not applied: {names}.").format(names=", ".join(touched)),
            [translate("Drop"), translate("Keep editing")],
        )
        if answer == 0:
            self.drafts.forget()
        return answer == 0

    def _stop(self) -> None:
        self.text.stop()
        self.work.drop()
        self.preview.stop()
        self.document.tasks.drop(_SLOT)

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
