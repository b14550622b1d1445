"""What looking at the file came to, in Specify Metadata: profile, findings, suggestions; or why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.data.variables import Variable
from core.metadata.suggest import together
from gui.specify_metadata.suggestions_dialog import Suggestions

if TYPE_CHECKING:
    from gui.specify_metadata.window import SpecifyMetadata

_STOPPED = mark("Reading the file was stopped.")


class MetadataLook:
    """Shows what the examination of a window's draft found, or says why the file could not be looked at."""

    def __init__(self, window: SpecifyMetadata) -> None:
        self._window = window

    def show_findings(self) -> None:
        """Bring *Check my file* up to date."""
        result, problems, messages = self._window.draft.result, self._window.problems, self._window.messages
        if not self._window.draft.was_stopped and messages.text == translate(_STOPPED):
            messages.clear()
        if result is None:
            problems.show_none(self._lacking)
        elif result.error is not None:
            problems.show_none(_not_looked_at(result.error))
        else:
            problems.show_findings(result.findings)

    @property
    def _lacking(self) -> str:
        return translate(_STOPPED) if self._window.draft.was_stopped else translate("The file is being read…")

    def say_stopped(self) -> None:
        """Say that the user stopped the reading, and offer to begin it again."""
        self._window.messages.show_text(translate(_STOPPED), [(translate("Read again"), self._window.read_again)])

    def show_profile(self, variable: Variable | None) -> None:
        """Show what one variable holds."""
        profile, draft = self._window.profile, self._window.draft
        result = draft.result
        title = translate("Profile")
        if variable is None:
            profile.show_text(title, translate("Select one variable to see what it holds."))
        elif result is None:
            profile.show_text(title, self._lacking, can_read=draft.was_stopped)
        elif result.survey is None:
            profile.show_text(title, str(result.error) if result.error is not None else "")
        elif variable.name not in result.survey.profiles:
            text = translate("{name} has no place in the file that could be read.")
            profile.show_text(title, text.format(name=variable.name))
        else:
            unsaved = variable.name in draft.new_labels
            labels = draft.labels_of(variable.name)
            profile.show_profile(variable, result.survey.profiles[variable.name], labels, unsaved)

    def suggest(self) -> None:
        """Propose what names and contents suggest."""
        window, draft = self._window, self._window.draft
        if not draft.variables or draft.result is None:
            return
        if draft.result.error is not None:
            window.messages.show_text(_not_looked_at(draft.result.error))
            return
        suggestions = draft.result.suggestions
        if not suggestions:
            window.messages.show_good(translate("Names and contents suggest nothing that is not set already."))
            return
        dialog = Suggestions(suggestions, draft.variables, window)
        dialog.taken.connect(lambda taken: draft.change_each(together(taken, draft.variables)))
        dialog.open()


def _not_looked_at(error: PavoError) -> str:
    text = translate("The file could not be looked at: {reason}")
    return text.format(reason=error.sentence)
