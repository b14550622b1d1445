"""Compare: alternatives kept as session files beside this one, their figures, and the risk–utility map."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.model import Analysis, Recipe
from gui import dialogs
from gui.compare.alternatives_list import alternatives_of, forget, remember, same_file
from gui.compare.columns import alternative_columns
from gui.compare.columns_view import NamedRows
from gui.compare.pages import ComparePictures
from gui.document import engine
from gui.document.document import Document
from gui.document.session_files import read_recipe, write_recipe
from gui.shared.parts.buttons import allow, role_button
from gui.shared.parts.panes import BESIDE, panes
from gui.shared.table.data_table import DataTable
from gui.shared.tool_window import ToolWindow
from gui.texts import as_tip
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.whatif.alternatives import Alternative
    from core.whatif.utility_loss import UtilityLoss

_LOSS_SLOT = "alternative loss {name}"


class Compare(ToolWindow):
    """`alternatives`, `compareTable`, `riskAxis`, `utilityAxis`, `riskUtilityMap`, `overlaidHistograms`.

    `computeUtility` has what each alternative loses of what the file is made for computed, in the background.

    The current session is the first alternative.
    """

    name = "compare"
    title = mark("Compare")
    default_size = (1200, 620)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._files: dict[str, Path] = {}
        self._offered: dict[str, Recipe] = {}
        self._found: dict[str, Alternative] = {}
        self._problems: dict[str, str] = {}
        self._lost: dict[str, tuple[Recipe, tuple[Analysis, ...], UtilityLoss]] = {}
        """By name: the recipe that it is of, the analyses by which it was looked at, and what its safe file loses."""
        self._looking: set[str] = set()
        self._own = document.session.path
        self.table = DataTable("alternatives", translate("Alternatives"))
        NamedRows(self.table.view)
        self.pictures = ComparePictures(self.current_name, self.show_error)
        self.keep = QPushButton(translate("&Keep the current session as…"), objectName="keepAlternative")
        self.add = QPushButton(translate("&Add a session…"), objectName="addAlternative")
        self.remove = QPushButton(translate("&Remove from the list"), objectName="removeAlternative")
        self.utility = role_button(translate("Utilit&y"), "openUtility", "quiet")
        self.utility.setToolTip(translate("What the safe file of the current session preserves"))
        self.compute = role_button(translate("Compute &utility"), "computeUtility", "quiet")
        self.take = QPushButton(translate("&Use this alternative"), objectName="takeOver")
        self._lay_out()
        self._connect()
        self._look_beside()
        self._ask_all()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self.pictures.table_row)
        self.table.head.addWidget(self.compute)
        self.table.head.addWidget(self.utility)
        column.addWidget(self.table, 1)
        self.content.addWidget(panes(BESIDE, (left, self.pictures), (740, 440), GAP), 1)
        row = QHBoxLayout()
        for button in (self.keep, self.add, self.remove):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(self.take)
        self.content.addLayout(row)
        self.greyed(self.table, self.pictures.map, self.pictures.histograms)

    def _connect(self) -> None:
        self.keep.clicked.connect(self._keep)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.utility.clicked.connect(lambda: self.open_window("utility"))
        self.compute.clicked.connect(lambda _checked: self._compute_utility())
        self.take.clicked.connect(self._take_over)
        self.table.activated.connect(lambda _name: self._take_over())
        self.table.current_changed.connect(lambda _name: self._selected())
        self.pictures.chosen.connect(self.table.select)
        self.pictures.table_chosen.connect(self._show)
        self.document.session_changed.connect(self._session_changed)
        self.closed.connect(lambda _name: self.document.session_changed.disconnect(self._session_changed))

    # Which alternatives ------------------------------------------------------------------------------------------

    @property
    def current_name(self) -> str:
        """What the current session is called in the list."""
        return translate("Current session")

    def show_for(self, alternative: str = "", recipe: Recipe | None = None, **_: Any) -> None:
        """Show a recipe that is in no file as an alternative of this name, until the window is closed."""
        if recipe is not None:
            self._offered[alternative] = recipe
            self._compute(alternative, recipe)

    def _look_beside(self) -> None:
        """Session files about the same data beside this one, and those that were kept or added before."""
        for path in alternatives_of(self.document.recipe.input.place, self.document.session.path):
            self._name(path)

    def _name(self, path: Path) -> str:
        """What an alternative is called: its file's name, with the folder where two have the same."""
        known = next((name for name, other in self._files.items() if same_file(path, other)), None)
        if known is not None:
            return known
        name = path.stem if path.stem not in self._files else f"{path.stem} ({path.parent})"
        self._files[name] = path
        return name

    def _keep(self) -> None:
        self.clear_error()
        own = self.document.session.path
        folder = own.parent if own is not None else dialogs.last_folder()
        stem = own.stem if own is not None else self.document.session.name or "session"
        proposed = folder / f"{stem}-{len(self._files) + 1}.pavo"
        title = translate("Keep the current session as an alternative")
        path = dialogs.save_as(self, title, proposed, dialogs.SESSIONS, dialogs.SESSION_SUFFIXES)
        if path is None:
            return
        if self._is_own(path):
            said = translate("{name} is the open session's own file. Save the session there, or choose another name.")
            offers = [] if self.document.session.read_only else [(translate("Save"), self._save)]
            self.messages.show_text(said.format(name=path.name), offers)
            return
        try:
            write_recipe(path, self.document.recipe)
        except PavoError as error:
            self.show_error(error)
            return
        self._include(path)

    def _add(self) -> None:
        self.clear_error()
        path = dialogs.open_file(self, translate("Add a session"), dialogs.SESSIONS)
        if path is None:
            return
        if self._is_own(path):
            said = translate("{name} is the open session's own file. The session stands in the list already.")
            self.messages.show_text(said.format(name=path.name))
            return
        self._include(path)

    def _is_own(self, path: Path) -> bool:
        return self.document.session.path is not None and same_file(path, self.document.session.path)

    def _save(self) -> None:
        """Save the session where it is, as File ‣ Save does."""
        self.clear_error()
        try:
            self.document.save()
        except PavoError as error:
            self.show_error(error)

    def _include(self, path: Path) -> None:
        remember(self.document.recipe.input.place, path)
        self._ask(self._name(path))

    def _remove(self) -> None:
        name = self.table.current_key
        if name is None or (name not in self._files and name not in self._offered):
            return
        self.clear_error()
        self._offered.pop(name, None)
        if (path := self._files.pop(name, None)) is not None:
            forget(self.document.recipe.input.place, path)
        self._found.pop(name, None)
        self._problems.pop(name, None)
        self._show()

    # Their figures -----------------------------------------------------------------------------------------------

    def _session_changed(self) -> None:
        """Saved under another name: an alternative that stood there is the session now."""
        if self.document.session.path != self._own:
            self._own = self.document.session.path
            self._show()

    def results_changed(self) -> None:
        """The current session is one of the alternatives."""
        if not self.document.stale:
            self._ask_current()

    def is_stale(self) -> bool:
        """Also until the optimiser is done with the session as it is now."""
        current = self._found.get(self.current_name)
        return super().is_stale() or (current is not None and current.recipe != self.document.recipe)

    def is_updating(self) -> bool:
        """The optimiser is at work on the session as it is now."""
        return self.document.session.error is None

    def _ask_all(self) -> None:
        self._ask_current()
        for name in self._files:
            self._ask(name)

    def _ask_current(self) -> None:
        if self.document.derived is not None:
            self._compute(self.current_name, self.document.recipe)
        else:
            self._show()

    def _ask(self, name: str) -> None:
        try:
            recipe = read_recipe(self._files[name])
        except PavoError as error:
            self._failed(name, error)
            return
        if not same_file(recipe.input.place, self.document.recipe.input.place):
            self._problems[name] = translate("It is about another data file.")
            self._show()
            return
        self._compute(name, recipe)

    def _compute(self, name: str, recipe: Recipe) -> None:
        slot, failed = f"alternative {name}", partial(self._failed, name)
        self.document.ask(slot, engine.alternative, name, recipe, done=self._arrived, failed=failed)

    def _arrived(self, found: Alternative) -> None:
        self._found[found.name] = found
        self._problems.pop(found.name, None)
        if found.problem:
            self._problems[found.name] = found.problem
        self._show()
        self._grey()

    def _failed(self, name: str, error: PavoError) -> None:
        self._found.pop(name, None)
        self._problems[name] = str(error)
        self._show()
        self._grey()

    # What they lose of what the file is made for -----------------------------------------------------------------

    def _compute_utility(self) -> None:
        """Ask for what each alternative loses; a second press stops what is under way."""
        self.clear_error()
        if self._looking:
            for name in tuple(self._looking):
                self.document.tasks.cancel(_LOSS_SLOT.format(name=name))
            return
        found = [self._found[name] for name in self._order() if name in self._found and self._found[name].protected]
        among = (self.document.recipe, *(each.recipe for each in found))
        for each in found:
            self._looking.add(each.name)
            self.document.ask(
                _LOSS_SLOT.format(name=each.name), engine.alternative_loss, each.recipe, among,
                done=partial(self._loss_arrived, each.name, each.recipe, among[0].utility),
                failed=partial(self._no_loss, each.name),
                cancelled=partial(self._no_loss, each.name),
            )  # fmt: skip
        self._selected()

    def _loss_arrived(self, name: str, recipe: Recipe, by: tuple[Analysis, ...], loss: UtilityLoss) -> None:
        self._looking.discard(name)
        self._lost[name] = recipe, by, loss
        self._show()

    def _no_loss(self, name: str, error: PavoError | None = None) -> None:
        self._looking.discard(name)
        if error is not None:
            self.show_error(error)
        self._selected()

    def _losses(self) -> dict[str, UtilityLoss]:
        """Those that are of the recipes that are shown now, by the session's own analyses."""
        own = self.document.recipe.utility
        there = ((name, *known) for name, known in self._lost.items() if name in self._found)
        return {name: loss for name, recipe, by, loss in there if self._found[name].recipe == recipe and by == own}

    # Showing them ------------------------------------------------------------------------------------------------

    def _order(self) -> list[str]:
        """Their names; the session's own file is no other alternative, though it was one before it was opened."""
        own = self.document.session.path
        others = (name for name, path in self._files.items() if own is None or not same_file(path, own))
        there = (self.current_name, *others, *self._offered)
        return [name for name in there if name in self._found or name in self._problems]

    def _show(self) -> None:
        names = self._order()
        if not names:
            self.table.show_empty(
                translate("Ways of protecting this file stand here side by side, each with its risk and its cost.")
            )
            return
        found = [self._found.get(name) for name in names]
        losses = self._losses()
        self.pictures.set_alternatives([each for each in found if each is not None])
        self.pictures.set_losses(losses)
        self.table.set_columns(alternative_columns(names, found, self.pictures.table, self._problems, losses))
        self.table.fit_columns()
        self._selected()

    def _selected(self) -> None:
        name = self.table.current_key
        other = name is not None and name != self.current_name
        self.remove.setEnabled(other)
        why = "" if other else translate("Select another alternative than the current session.")
        if not why and name not in self._found:
            why = self._problems.get(name or "", translate("Computing…"))
        allow(self.take, why, translate("Make the selected alternative the current session, as one step to undo"))
        self.utility.setEnabled(bool(self.document.recipe.combinations))
        self.compute.setText(translate("Sto&p") if self._looking else translate("Compute &utility"))
        self.compute.setEnabled(bool(self._looking) or any(each.protected for each in self._found.values()))
        tip = translate("What each alternative loses of your own analyses, distributions and associations")
        self.compute.setToolTip(as_tip(tip))
        self.keep.setEnabled(self.document.recipe.input.place is not None)

    def _take_over(self) -> None:
        found = self._found.get(self.table.current_key or "")
        if found is None or found.name == self.current_name:
            return
        self.clear_error()
        now = self.document.recipe
        recipe = replace(found.recipe, output=now.output, report=now.report)
        self.document.commit(lambda: translate("Use {name}").format(name=found.name), recipe)
