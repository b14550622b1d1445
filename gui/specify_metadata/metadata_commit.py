"""*OK* of Specify Metadata: what stands in its way, what it makes impossible, and the one step into the recipe."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from core.base.errors import Notice, PavoError
from core.base.texts import translate
from core.recipe.model import Recipe
from gui import dialogs

if TYPE_CHECKING:
    from core.metadata.description import Description
    from gui.specify_metadata.window import SpecifyMetadata

_LISTED = 12


class MetadataCommit:
    """Takes the draft of a window into the recipe, or says why not."""

    def __init__(self, window: SpecifyMetadata) -> None:
        self._window = window

    def accept(self) -> None:
        """Take over what is typed, look whether anything stands against it, commit and close."""
        window = self._window
        focus = QApplication.focusWidget()
        if focus is not None and window.isAncestorOf(focus):
            focus.clearFocus()  # takes what is being typed
        if window.draft.loading:
            return  # the button is disabled; what was edited is looked at again when the variables are there
        if window.form.refused:
            window.messages.show_text(window.form.refused)
        elif not window.draft.touched:
            window.close()
            window.go_on()
        elif window.overtaken:
            window.say_changed()
        else:
            window.when_examined(self._accept_examined)

    def labels_are_settled(self) -> bool:
        """Ask about labels that are in no codelist; False where the user wants to stay."""
        window = self._window
        for name in list(window.draft.new_labels):
            answer = dialogs.ask(
                window,
                translate("Save the labels of {name}?").format(name=name),
                translate("Labels of codes are kept in a codelist file (.cdl)."),
                [translate("Save…"), translate("Drop the labels"), translate("Cancel")],
            )
            if answer == 2 or (answer == 0 and not window.files.save_labels(name)):
                return False
        window.draft.drop_labels()
        return True

    def _accept_examined(self) -> None:
        window = self._window
        if not self._has_errors() and self.labels_are_settled():
            window.hold(True)
            window.draft.to_recipe(
                partial(self._commit, window.draft.description, window.document.recipe), self._refused
            )

    def _has_errors(self) -> bool:
        window = self._window
        errors = [problem for problem in window.draft.problems if problem.severity == "error"]
        if not errors:
            return False
        text = translate("{count} errors have to be solved first: {first}")
        if len(errors) == 1:
            text = translate("An error has to be solved first: {first}")
        window.messages.show_text(text.format(count=len(errors), first=errors[0].text))
        window.problems.tabs.setCurrentIndex(0)
        window.problems.list.setCurrentRow(0)
        window.go_to(errors[0].variable, errors[0].field)
        return True

    def _commit(self, description: Description | None, over: Recipe, recipe: Recipe, said: tuple[Notice, ...]) -> None:
        window = self._window
        window.hold(False)
        if window.draft.description is not description or window.document.recipe is not over:
            self.accept()  # the session went on meanwhile: what it has now is not to be lost
            return
        if said and not self._agreed(said):
            return
        label, document = self._label(recipe), window.document
        window.draft.forget()
        window.close()
        document.commit(label, recipe)
        window.go_on()

    def _agreed(self, said: tuple[Notice, ...]) -> bool:
        lines = [notice.text for notice in said[:_LISTED]] + (["…"] if len(said) > _LISTED else [])
        answer = dialogs.ask(
            self._window,
            translate("The changed variables make other parts of the session impossible."),
            "\n".join(lines),
            [translate("Go on"), translate("Cancel")],
        )
        return answer == 0

    def _label(self, recipe: Recipe) -> str:
        old = {edit.name: edit for edit in self._window.document.recipe.variables}
        new = {edit.name: edit for edit in recipe.variables}
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        if not names or len(names) > 3:
            count = len(names) or len(self._window.draft.variables)
            return translate("Metadata of {count} variables").format(count=count)
        return translate("Metadata: {names}").format(names=", ".join(names))

    def _refused(self, error: PavoError) -> None:
        self._window.hold(False)
        self._window.show_error(error)
