"""Select Combinations: which sets of key variables an outsider could know, and how each is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QCloseEvent

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe import edits_combinations
from gui import dialogs
from gui.document.document import Document
from gui.select_combinations import draft as combination_draft
from gui.select_combinations.checks import too_many_keys, unusable
from gui.select_combinations.combination_controls import variable_columns
from gui.select_combinations.combination_editing import CombinationEditing

if TYPE_CHECKING:
    from core.results.results import Prepared

_PREPARE = "select combinations"
_CHANGED = mark("The session changed.")
_LATER = mark("The file is still being read; the tables are calculated as soon as it is.")


class SelectCombinations(CombinationEditing):
    """Edits a draft of the recipe's combinations; *Calculate tables* commits it."""

    name = "selectCombinations"
    first = "categoricalVariables"
    title = mark("Select Combinations")
    default_size = (1020, 600)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.cancel.clicked.connect(self.close)
        self.calculate.clicked.connect(self._calculate)
        self._load()

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """A list that was not edited follows; an edited one stays until the user says which."""
        if changes.input or changes.metadata:
            self._forget_columns()
        if not self.touched:
            self._load()
        elif self._draft == self._base:  # what is under construction stays
            self._follow()
        else:
            self._ask_columns()
            if self.document.recipe.combinations != self._base or changes.input or changes.metadata:
                self.messages.show_text(
                    translate(_CHANGED),
                    [(translate("Reload"), self._reload), (translate("Keep mine"), self._keep_mine)],
                )

    def _reload(self) -> None:
        self.document.drafts.pop(self.name, None)
        self._load()

    def _keep_mine(self) -> None:
        self._base = self.document.recipe.combinations
        self.messages.clear()
        self._ask_columns()

    def _follow(self) -> None:
        self._base = self.document.recipe.combinations
        self.messages.clear()
        self._set_draft(self._base)
        self._ask_columns()

    def _load(self) -> None:
        self._base = self.document.recipe.combinations
        self.messages.clear()
        kept = self.document.drafts.get(self.name)
        self._draft = self._base
        if self._base and not self.builder.names:
            self.builder.set_own_threshold(self._base[-1].count_threshold)
        if kept is not None:
            self._draft = combination_draft.restore(kept, self.builder)
        self._set_draft(self._draft)
        self._ask_columns()

    def _ask_columns(self) -> None:
        self._take_refusal_back()
        draft = self.document.recipe.with_(combinations=())
        self._reads = draft.input.data is not None
        if not self._reads:  # opening it was stopped
            self.document.tasks.drop(_PREPARE)
            to_open = translate("Open Microdata"), lambda: self.open_window("openMicrodata")
            self.variables.show_empty(translate("Open a microdata file first."), *to_open)
            return
        self._show_variables()
        self.document.prepare(_PREPARE, draft, self._prepared_arrived, self._not_read, self._stopped)

    def _forget_columns(self) -> None:
        self._prepared, self._levels = None, {}

    def _stopped(self) -> None:
        self._read_no_more(translate("Reading the file was stopped."))

    def _not_read(self, error: PavoError) -> None:
        self._read_no_more(translate("The file could not be read."))
        self._refusal = str(error)
        self.show_error(error)

    def _read_no_more(self, why: str) -> None:
        self._reads = False
        self._take_refusal_back()  # tables that were to be calculated then are not
        self._forget_columns()
        self.variables.show_empty(why, translate("Read again"), self._ask_columns)

    def _prepared_arrived(self, prepared: Prepared) -> None:
        is_first, self._prepared, self._reads = self._prepared is None, prepared, False
        calculates = self._refusal == self.messages.text == translate(_LATER)  # and nothing was changed since
        self._take_refusal_back()
        self._levels = {
            v.name: v.identification_level
            for v in prepared.metadata.variables
            if v.name in prepared.columns and v.role not in ("household-id", "direct-identifier") and not v.removed
        }
        self._show_variables()
        self.builder.set_prepared(prepared)
        if self.messages.text != translate(_CHANGED):  # which is to be answered first
            self._say_unusable(self._draft)
        if is_first:
            self.begin_by_keyboard()
        if calculates:
            self._calculate()

    def _show_variables(self) -> None:
        if self._prepared is None:
            self.variables.show_empty(translate("Reading the file…"))
            return
        self.variables.set_columns(variable_columns(self._prepared, self._levels))

    # Commit ------------------------------------------------------------------------------------------------------

    def _wanted(self) -> edits_combinations.Draft | None:
        """The list with what was typed for it; None where that is refused, and said why."""
        if self.builder.edited:  # a set that was only taken out of the list is not meant
            return self._with_construction()
        if self.builder.unused:
            return self._with_count(self.combinations.places, self.builder.count_threshold)
        return self._draft

    def _calculate(self) -> None:
        if (self._draft or self.builder.edited) and self._lacks_columns():
            if self._reads:
                self._refuse(translate(_LATER))
            return
        draft = self._wanted()
        if draft is None:
            return
        nothing = "" if draft or self._base else translate("Choose at least one variable first.")
        reason = nothing or too_many_keys(c.variables for c in draft)
        if reason:
            self.messages.show_text(reason)
            return
        if draft and self._say_unusable(draft):
            return
        recipe = self.document.recipe.with_(combinations=draft)
        label = translate("Combinations: {count}").format(count=len(draft))
        self._base = self._draft = draft
        self.builder.set_names()
        self.document.commit(label, recipe)
        self.close()
        self.go_on()

    def _say_unusable(self, draft: edits_combinations.Draft) -> bool:
        """Name variables that no table can be made of, and offer to remove their combinations."""
        assert self._prepared is not None, "read before anything is judged by it"
        places, text = unusable(draft, self._prepared.columns)
        if text:
            remove = (translate("Remove their combinations"), lambda: self._remove_unusable(draft, places))
            to_metadata = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
            self.messages.show_text(text, [remove, to_metadata])
        return bool(text)

    def _remove_unusable(self, draft: edits_combinations.Draft, places: tuple[int, ...]) -> None:
        self.messages.clear()
        self._set_draft(edits_combinations.without(draft, places))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.document.tasks.drop(_PREPARE)
            self.builder.stop()

    def may_close(self) -> bool:
        """A touched draft is dropped only with the user's consent."""
        if not self.touched:
            return True
        answer = dialogs.ask(
            self,
            translate("Drop the changes to the combinations?"),
            translate("They were not calculated yet."),
            [translate("&Drop"), translate("Keep &editing")],
            1,
        )
        if answer == 0:
            self.document.drafts.pop(self.name, None)
        return answer == 0
