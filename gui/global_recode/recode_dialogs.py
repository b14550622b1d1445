"""The dialogs of Global Recode that group or merge all codes of a variable at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.base.texts import translate
from core.recipe.edits import is_judged
from core.recipe.model import Recipe
from core.recoding.draft import Draft
from gui.global_recode.edits import Edit, merging
from gui.global_recode.group_codes_dialog import GroupCodes
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.shared.tool_window import ToolWindow

if TYPE_CHECKING:
    from core.results.results import Prepared


class RecodeDialogs:
    """Opens them over a window; what they make goes to `edit` as an edit of the draft."""

    def __init__(self, window: ToolWindow, edit: Callable[[Edit], None]) -> None:
        self._window, self._edit = window, edit

    def group(self, draft: Draft, prepared: Prepared, method: str) -> None:
        """Intervals, truncation and the like."""
        name = draft.column.name
        variable, labels = prepared.metadata[name], prepared.labels.get(name, {})
        dialog = GroupCodes(self._window.document, draft, variable, labels, method, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda made: self._edit(lambda _: made))
        dialog.open()

    def suggest(self, draft: Draft, prepared: Prepared, recipe: Recipe) -> None:
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
