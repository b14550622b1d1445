"""All warnings of the session in one list, as soon as they are known, each with the button that mends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui.document import engine
from gui.document.document import Document
from gui.main_window.unassessed_keys import UnassessedKeys
from gui.shared.parts.warnings_card import WarningLine, WarningsCard
from gui.shared.windows import WINDOWS

if TYPE_CHECKING:
    from core.base.errors import Notice
    from core.recipe.model import Recipe

_NAMES = {
    "household-risk-not-judged": mark("Households not judged"),
    "key-with-many-codes": mark("Key with very many codes"),
    "key-of-dates": mark("Date as a key"),
    "key-of-amounts": mark("Amount as a key"),
    "key-like-a-number": mark("Key with a code for each person"),
    "individual-risk-too-low": mark("Second opinion is higher"),
    "individual-risk-too-high": mark("Second opinion is lower"),
    "released-identifier": mark("Direct identifier"),
    "released-free-text": mark("Free text"),
    "group-risk-above-threshold": mark("Risk seen through the blanks"),
    "guess-gives-away": mark("Blanks that other columns tell"),
    "pair-gives-away": mark("Blanks that other columns tell"),
    "other-variable-gives-away": mark("Blanks that other columns tell"),
    "columns-not-decided": mark("Columns that nobody has judged"),
    "perturbed-key": mark("Perturbed key"),
    "perturbed-measure": mark("Measure of perturbed values"),
    "perturbed-several-times": mark("Perturbed several times"),
    "perturbation-left-values": mark("Values left as they were"),
    "perturbed-order": mark("Order tells perturbed values"),
    "perturbed-told": mark("Variable tells perturbed values"),
    "perturbed-by-person": mark("Household told by its members"),
    "pram-tells-counts": mark("Small counts that PRAM tells"),
    "record-swapping-stayed": mark("Rare households that stay"),
    "synthetic-others-stay": mark("Variables that are not drawn"),
}
_WINDOWS = {
    "key-with-many-codes": "globalRecode",
    "key-of-dates": "globalRecode",
    "key-of-amounts": "globalRecode",
    "key-like-a-number": "selectCombinations",
    "individual-risk-too-low": "riskChart",
    "individual-risk-too-high": "riskChart",
    "released-identifier": "specifyMetadata",
    "released-free-text": "specifyMetadata",
    "perturbed-key": "perturb",
    "perturbed-measure": "riskLaboratory",
    "perturbed-several-times": "perturb",
    "perturbation-left-values": "perturb",
    "perturbed-order": "makeProtectedFile",
    "perturbed-told": "perturb",
    "perturbed-by-person": "specifyMetadata",
    "pram-tells-counts": "perturb",
    "record-swapping-stayed": "perturb",
    "synthetic-others-stay": "perturb",
}
_KEYS = "keys-not-judged"


class Remarks(QObject):
    """Asks for the warnings of the current recipe and shows them in `warningList`, keys in no combination in `keys`.

    Signals
    -------
    known()
        The session has other warnings.
    """

    known = Signal()

    def __init__(self, document: Document, shown: WarningsCard, open_window: Callable[[str, str], None]) -> None:
        super().__init__(shown)
        self._document, self._shown, self._open = document, shown, open_window
        self.keys = UnassessedKeys(lambda: open_window("selectCombinations", ""))
        self._asked: Recipe | None = None
        self._listed: tuple[Notice, ...] = ()

    def refresh(self) -> None:
        """Follow the session: ask where the recipe is another one, and show what is known."""
        document = self._document
        if document.derived is None or not document.recipe.combinations:
            self._asked = None
            document.tasks.drop("warnings")
            self._show(())
        elif not document.stale and self._asked is not document.recipe:
            self._asked = recipe = document.recipe
            sitting = document.session

            def arrived(found: tuple[Notice, ...]) -> None:
                if self._asked is recipe and document.session is sitting:
                    sitting.early, sitting.early_for = found, recipe
                    self.known.emit()

            def failed(_error: PavoError) -> None:
                arrived(())

            document.ask("warnings", engine.warnings, recipe, done=arrived, failed=failed, background=True)
        self._show(document.session.warnings)

    def _show(self, notices: tuple[Notice, ...]) -> None:
        if notices != self._listed:
            self._listed = notices
            keys = next((notice for notice in notices if notice.id == _KEYS), None)
            self.keys.show_notice(keys)
            self._shown.show_remarks([self._remark(notice) for notice in notices if notice is not keys])

    def _remark(self, notice: Notice) -> WarningLine:
        from core.warnings.mending import mending_of

        document, name = self._document, translate(_NAMES.get(notice.id, mark("Warning")))
        derived = document.derived
        mending = None if derived is None else mending_of(notice, document.recipe, derived.metadata)
        if mending is None:
            window = _WINDOWS.get(notice.id, "")
            window = window if window in WINDOWS else "makeProtectedFile"
            text = translate(mark("Open {window}")).format(window=translate(WINDOWS[window].title))
            return WarningLine(name, notice.text, text, lambda: self._open(window, notice.where))

        def mend() -> None:
            now = None if document.derived is None else mending_of(notice, document.recipe, document.derived.metadata)
            if now is not None:
                what = f" {notice.where}" if notice.where else ""
                document.commit(lambda: translate(now.name) + what, now.recipe)

        return WarningLine(name, notice.text, translate(mending.name), mend)
