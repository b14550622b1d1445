"""What the page needs next, on its card: a key that nobody can use as it is, or a beginning where nothing is chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from core.base.errors import Notice, PavoError
from core.base.texts import translate
from core.recipe.model import Recipe
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.shared.parts.guidance import GuidanceCard, Step

_SLOT = "unwieldy keys"
_DATES, _MANY = "key-of-dates", "key-with-many-codes"


class KeyGuidance(QObject):
    """Asks what is to be said of the keys chosen, and says the first of it with the button that mends it.

    Parameters
    ----------
    leave_out, recode, use_year : what the buttons do with a variable

    Signals
    -------
    changed()
        The card says something else, or nothing.
    """

    changed = Signal()

    def __init__(
        self,
        card: GuidanceCard,
        document: Document,
        leave_out: Callable[[str], None],
        recode: Callable[[str], None],
        use_year: Callable[[str], None],
    ) -> None:
        super().__init__(card)
        self._card, self._document = card, document
        self._leave_out, self._recode, self._use_year = leave_out, recode, use_year
        self._asked: tuple[Recipe, tuple[str, ...]] | None = None
        self._names: tuple[str, ...] = ()
        self._found: list[Notice] = []
        self._beginning: tuple[str, str, Step] | None = None
        card.hide()

    def look_at(self, recipe: Recipe, names: tuple[str, ...]) -> None:
        """These keys are chosen; of those that were looked at nothing is asked again."""
        self._names = names
        if self._asked is None or self._asked[0] is not recipe or not set(names).issubset(self._asked[1]):
            self._asked = asked = recipe, names

            def arrived(found: list[Notice]) -> None:
                if self._asked is asked:
                    self._found = found
                    self._show()

            def failed(_error: PavoError) -> None:
                arrived([])

            self._document.ask(_SLOT, engine.unwieldy, recipe, names, done=arrived, failed=failed, background=True)
        self._show()

    def begin_with(self, headline: str, sentence: str, step: Step) -> None:
        """Say how to begin, as long as nothing is chosen."""
        self._beginning = headline, sentence, step
        self._show()

    def has_begun(self) -> None:
        """Something is chosen."""
        self._beginning = None
        self._show()

    def forget(self) -> None:
        """Nothing is known of the file: nothing is said of its variables."""
        self._asked, self._found, self._beginning = None, [], None
        self._document.tasks.drop(_SLOT)
        self._show()

    def _show(self) -> None:
        found = [notice for notice in self._found if notice.where in self._names]
        if found:
            first = found[0]
            head = translate("{name} needs another look").format(name=first.where)
            if found[1:]:
                head = translate("{count} keys need another look, first {name}").format(
                    count=numbers.format_count(len(found)), name=first.where
                )
            self._card.show_guidance(head, first.text, self._step(first))
        elif self._beginning is not None:
            self._card.show_guidance(*self._beginning)
        else:
            self._card.show_guidance("", "")
        self.changed.emit()

    def _step(self, notice: Notice) -> Step:
        name = notice.where
        if notice.id == _DATES:
            return translate("Use the year"), lambda: self._use_year(name)
        if notice.id == _MANY:
            return translate("Recode {name}…").format(name=name), lambda: self._recode(name)
        return translate("Leave out {name}").format(name=name), lambda: self._leave_out(name)
