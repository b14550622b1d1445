"""Specify Metadata: what each variable is, in a table of all and a form of the selected ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import Notice, PavoError
from core.base.texts import mark, plural, translate
from core.data.variable_uses import Use, with_use, without_use
from core.data.variables import Variable
from core.metadata.check_file import coordinates
from core.metadata.description import Loaded
from core.metadata.problems import Problem
from core.metadata.profile import Profile
from core.metadata.suggest import UseSuggestion, together
from core.recipe.in_parts import is_in_parts
from core.recipe.model import Recipe
from gui import dialogs
from gui.document.document import Document
from gui.document.history import Label
from gui.document.tasks import STOPPED
from gui.numbers import format_count
from gui.places import typed_path
from gui.shared.draft_window import SESSION_CHANGED, DraftWindow
from gui.shared.in_sight import size_in_sight
from gui.shared.layout.beside_or_below import BesideOrBelow, least_of
from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.buttons import allow
from gui.shared.problem_list import Problems
from gui.specify_metadata.draft import MetadataDraft
from gui.specify_metadata.empty_page import EmptyMetadata
from gui.specify_metadata.files import MetadataFiles
from gui.specify_metadata.proposals import Proposals
from gui.specify_metadata.variable_form import CODELISTS, VariableForm
from gui.specify_metadata.variable_model import (
    CODELIST,
    LABEL,
    MISSING,
    NAME,
    TYPE,
    missing_besides,
    parse_codes,
    type_changes,
)
from gui.specify_metadata.variable_profile import VariableProfile
from gui.specify_metadata.variable_table import VariableTable
from gui.texts import as_tip
from gui.theme import scaled

if TYPE_CHECKING:
    from core.metadata.description import Description

_LISTED = 12
_PROBLEMS = 180
"""Height that problems get when there are some again."""
_LIST = 360
"""Height that *Check my file* gets at least when it is asked for, as far as there is room."""


_STOPPED = mark("Reading the file was stopped.")


_THREE_PANES, _TWO_PANES = 1050, 846
"""Width of the page from which three panes, or two, stand beside each other."""
_LEAST_HEIGHT, _STACKED = 460, 900
"""Least height of the page, and where no panes stand beside each other."""


class SpecifyMetadata(DraftWindow):
    """`specifyMetadata`: edits a draft; *OK* commits it as one step."""

    name = "specifyMetadata"
    title = mark("Specify Metadata")
    first = "variableList"
    default_size = (1260, 700)
    drop_question = mark("Drop the changes to the metadata?")
    drop_detail = mark("They do not count yet.")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(540, _LEAST_HEIGHT)
        self.data_file: Path | None = None
        self._describe_when_loaded = False
        self.overtaken = False
        """The session changed under the draft, and the user has not said yet which of the two it shall be."""
        self._when_examined: Callable[[], None] | None = None
        self._held = False
        self._make_panes()
        for step in (
            self._make_table, self._make_form, self._make_profile, self._make_problems, self._make_bottom, self._begin,
            self._arrange_by_room, self.load,
        ):  # fmt: skip
            self.later(step)

    def _make_panes(self) -> None:
        """What all stands in, and is put into at once: it then gets its looks part by part."""
        # below it the form scrolls, and the profile has to be seen at once
        room = self._by_room = ByRoom(self, lambda: size_in_sight(self), is_late=True)
        self._right = BesideOrBelow(
            least=self._three_panes, sizes=lambda beside: () if beside else (300, 260), room=room
        )
        self._across = BesideOrBelow(least=self._two_panes, room=room)
        self.panes = QSplitter(Qt.Orientation.Vertical)
        self.pages = QStackedWidget()
        self.content.addWidget(self.pages, 1)
        self.pages.addWidget(self.panes)
        self.panes.addWidget(self._across)

    def _make_table(self) -> None:
        self.table = VariableTable()
        self.new = _button("addVariable", translate("&New"), translate("Add a variable behind the selected one"))
        self.remove = _button("removeVariable", translate("Remove"), translate("Take the selected variables out"))
        self.describe = _button("describeColumns", translate("Describe &columns…"))
        self.up = _arrow("moveUp", "↑", translate("Move up"), "Alt+Up")
        self.down = _arrow("moveDown", "↓", translate("Move down"), "Alt+Down")
        self._table_pane = left = QWidget()
        self._across.addWidget(left)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        row = QHBoxLayout()
        for button in (self.new, self.remove, self.describe):
            row.addWidget(button)
        row.addStretch(1)
        for arrow in (self.up, self.down):
            row.addWidget(arrow)
        column.addLayout(row)
        self._across.addWidget(self._right)

    def _make_form(self) -> None:
        self.form = VariableForm()
        self._right.addWidget(self.form)

    def _make_profile(self) -> None:
        self.profile = VariableProfile()
        self._right.addWidget(self.profile)
        for splitter, stretches in ((self._right, (3, 3)), (self._across, (5, 6))):
            for place, stretch in enumerate(stretches):
                splitter.setStretchFactor(place, stretch)
        self._right.setSizes([380, 300])
        self._across.setSizes([540, 680])

    def _make_problems(self) -> None:
        self.proposals = Proposals()
        self.problems = Problems(self.proposals)
        self.panes.addWidget(self.problems)
        self.panes.setStretchFactor(0, 1)
        self._room = scaled(_PROBLEMS)
        self.empty = EmptyMetadata()
        self.pages.addWidget(self.empty)

    def _make_bottom(self) -> None:
        self.read = _button("readMetadata", translate("Read metadata…"), translate("Describe the variables by a .rda"))
        self.save = _button("saveMetadataAs", translate("Save metadata &as…"))
        self.suggest = _button(
            "suggest",
            translate("Check and su&ggest"),
            translate("Uses, types, missing codes, lengths and decimals proposed from the file, and what is odd in it"),
        )
        self.cancel = _button("cancel", translate("Cancel"))
        self.accept = QPushButton(translate("&OK"), objectName="accept")
        self.accept.setDefault(True)
        bottom = QHBoxLayout()
        for button in (self.suggest, self.read, self.save):
            bottom.addWidget(button)
        bottom.addStretch(1)
        bottom.addWidget(self.cancel)
        bottom.addWidget(self.accept)
        self.content.addLayout(bottom)

    def _begin(self) -> None:
        """What works behind the page."""
        self.unfinished = self.draft = MetadataDraft(self.document, self)
        self.files = MetadataFiles(self, self.draft)
        self._connect()
        self.table.view.setFocus()

    def _arrange_by_room(self) -> None:
        """Three panes beside each other; the profile below the form, and both below the table, where it is narrow."""
        for least in (self._three_panes, self._two_panes):
            self._by_room.width(least, lambda _: self._give_height())
        self._by_room.always(self._keep_problems_low)
        self._by_room.watch(self)  # panes whose content came may need more width than before

    def _give_height(self) -> None:
        is_stacked = self._across.orientation() == Qt.Orientation.Vertical
        self.setMinimumHeight(_STACKED if is_stacked else _LEAST_HEIGHT)
        self.pages.updateGeometry()  # a splitter in a splitter does not tell it

    def _two_panes(self) -> int:
        return max(scaled(_TWO_PANES), self._width_of(self._table_pane, self.form))

    def _three_panes(self) -> int:
        return max(scaled(_THREE_PANES), self._width_of(self._table_pane, self.form, self.profile))

    def _width_of(self, *panes: QWidget) -> int:
        margins = self.contentsMargins() + self.content.contentsMargins()
        around = margins.left() + margins.right() + 2 * self._across.handleWidth()
        return around + sum(least_of(pane).width() for pane in panes)

    def _keep_problems_low(self) -> None:
        """A splitter keeps to a greatest height only where it is told."""
        if self.panes.sizes()[1] > self.problems.maximumHeight():
            self._give_room(False)

    def shortcut(self, key: QKeySequence | Qt.Key) -> QShortcut:
        """A key of the table of variables."""
        made = QShortcut(QKeySequence(key), self.table.view)
        made.setContext(Qt.ShortcutContext.WidgetShortcut)
        return made

    def _connect(self) -> None:
        self.draft.changed.connect(self._show)
        self.draft.examined.connect(self._examined)
        self.draft.stopped.connect(self._stopped)
        self.draft.failed.connect(self._failed)
        self.draft.restored.connect(self._restored)
        self.draft.overtaken.connect(self.ask_which)
        self.table.selection_changed.connect(self._show_selected)
        self.table.filter.textChanged.connect(self._show_selected)  # what is filtered out is no longer selected
        self.table.use_chosen.connect(self._use_chosen)
        self.table.cell_edited.connect(self._cell_edited)
        self.table.menu_wanted.connect(self._fill_menu)
        self.form.changed.connect(self._form_changed)
        self.form.use_chosen.connect(lambda use, wanted: self._use_chosen(self.places, use, wanted))
        self.profile.labelled.connect(self._labelled)
        self.profile.save_wanted.connect(lambda: self.files.save_labels(self.draft.variables[self.places[0]].name))
        self.profile.read_wanted.connect(self.read_again)
        self.profile.histogram.refused.connect(self.show_error)
        self.problems.filled.connect(self._give_room)
        self.problems.chosen.connect(self.go_to)
        self.problems.apply_wanted.connect(self._follow)
        self.proposals.counted.connect(self.problems.show_count)
        self.proposals.chosen.connect(self.go_to)
        self.proposals.taken.connect(self._take)
        self.proposals.gridded.connect(self.draft.round_to_grid)
        for button, do in (
            (self.new, self._add), (self.remove, self._remove), (self.describe, self.files.describe),
            (self.empty.describe, self.files.describe), (self.empty.read, self.files.read),
            (self.read, self.files.read),
            (self.save, self._save), (self.suggest, self._suggest),
            (self.cancel, self.close), (self.accept, self._accept),
        ):  # fmt: skip
            button.clicked.connect(lambda _=False, do=do: do())
        self.shortcut(Qt.Key.Key_Delete).activated.connect(self._remove)
        for arrow, keys, down in ((self.up, "Alt+Up", False), (self.down, "Alt+Down", True)):
            arrow.clicked.connect(partial(self._move, down))
            self.shortcut(QKeySequence(keys)).activated.connect(partial(self._move, down))

    # What the document says --------------------------------------------------------------------------------------

    def show_for(
        self, describe: bool = False, check: bool = False, generate: bool = False, variable: str = "", **_: Any
    ) -> None:
        """Begin with Describe columns, with Check my file, with what is suggested, or at a variable."""
        if generate or check:
            self._suggest()
        if variable:
            self.go_to(variable, "")
        if describe:
            self._describe_when_loaded = self.draft.description is None
            if not self._describe_when_loaded:
                self.files.describe()

    def recipe_changed(self, changes: Any) -> None:
        """An untouched draft follows; a touched one stays until the user says which."""
        if not (changes.input or changes.metadata):
            return
        if self.document.recipe.input.place is None:
            self.close()
        elif not self.draft.touched:
            self.load()
        elif self.document.recipe.input.place != self.data_file:
            lost = self.data_file.name if self.data_file is not None else ""
            self.load()
            text = translate("Another file was opened; the unfinished changes to {file} were dropped.")
            self.messages.show_text(text.format(file=lost))
        else:
            self.ask_which()

    def ask_which(self, text: str = SESSION_CHANGED) -> None:
        """Ask which it shall be: what the session says, or the draft."""
        self.overtaken = True
        super().ask_which(text)

    def load(self) -> None:
        """Begin anew from the session, with what was left unfinished where something was."""
        self._settled()
        self.data_file = self.document.recipe.input.place
        self.draft.load()
        self._enable()

    def _settled(self) -> None:
        self.overtaken = False
        self.messages.clear()

    def reload(self) -> None:
        """Give the draft up for what the session says."""
        self._settled()
        self.draft.reload()
        self._enable()

    def _restored(self, loaded: Loaded) -> None:
        """Unfinished changes of a sitting that ended without warning."""
        if loaded.lost is not None:
            self.show_error(loaded.lost)
        elif self.draft.touched and loaded.overtaken:
            self.ask_which()
        elif self.draft.touched:
            text = translate("Your unfinished changes to the metadata are here again.")
            self.messages.show_good(text, [(translate("Drop them"), self.reload)])

    def keep_mine(self) -> None:
        """Go on with the draft; unless the recipe can be read, it stays to be said which of the two it shall be."""
        self.messages.clear()
        self.draft.keep(self._settled)

    def _failed(self, error: PavoError) -> None:
        if error.id == STOPPED and self.draft.description is None:
            self._stopped()
            return
        self.show_error(error)
        self._when_examined = None
        self._show()

    def _stopped(self) -> None:
        self._when_examined = None
        self._say_stopped()
        self._show()

    def read_again(self) -> None:
        """Begin anew what the user stopped: reading the description, or looking at the file."""
        if self.draft.description is None:
            self.load()
        else:
            self.draft.examine_now()
        self._show_findings()
        self._show()

    # Showing -----------------------------------------------------------------------------------------------------

    @property
    def places(self) -> list[int]:
        """The selected variables, by their places in the draft."""
        return [place for place in self.table.selected_keys if place < len(self.draft.variables)]

    def hold(self, held: bool) -> None:
        """Let nothing be edited while *OK* takes over what is there, or let it again."""
        self._held = held
        self._enable()

    def _enable(self) -> None:
        there = bool(self.draft.variables) and not self._held
        for button in (self.suggest, self.save):
            button.setEnabled(there)
        reading = translate("Reading the file…") if self._held or self.draft.loading else ""
        allow(self.accept, "" if there and not reading else reading or translate("No variable is described yet."))
        self.new.setEnabled(there)
        for widget in (self.pages, self.read):
            widget.setEnabled(not self._held)

    def _show(self) -> None:
        description = self.draft.description
        variables = self.draft.variables
        self.pages.setCurrentIndex(0 if variables else 1)
        self._enable()
        if not variables or description is None:
            self._show_empty()
            return
        fixed = description.metadata.format == "fixed"
        problems = self.draft.problems
        wrong = {problem.variable for problem in problems if problem.severity == "error"}
        places = frozenset(i for i, variable in enumerate(variables) if variable.name in wrong)
        result = self.draft.result
        self.table.show_variables(variables, self._profiles, places, description.names_are_given)
        if not self.places:
            self.table.select_places([0])
        self.new.setVisible(not description.names_are_given)
        for arrow in (self.up, self.down):
            arrow.setVisible(self.draft.can_move)
        self.describe.setVisible(fixed)
        self.problems.show_problems(problems)
        if result is None:
            self._show_findings()
        self._show_selected()
        if self._describe_when_loaded:
            self._describe_when_loaded = False
            self.files.describe()

    @property
    def _profiles(self) -> Mapping[str, Profile]:
        result = self.draft.result
        return result.survey.profiles if result is not None and result.survey is not None else {}

    def _show_empty(self) -> None:
        description = self.draft.description
        self.empty.show_state(self.data_file, description, bool(self.messages.text))
        if description is not None and self._describe_when_loaded:
            self._describe_when_loaded = False
            self.files.describe()

    def _show_selected(self) -> None:
        description, places = self.draft.description, self.places
        if description is None:
            return
        variables = [self.draft.variables[place] for place in places]
        folder = self.data_file.parent if self.data_file is not None else None
        one = variables[0] if len(variables) == 1 else None
        besides = missing_besides(one, self._profiles.get(one.name)) if one is not None else ""
        self.form.show_variables(variables, description.metadata, folder, description.names_are_given, besides)
        problems = [problem for problem in self.draft.problems if one is not None and problem.variable == one.name]
        self.form.show_problems(problems)
        self.remove.setEnabled(bool(places))
        self._show_profile(one)

    def _examined(self) -> None:
        self._show()
        self._show_findings()
        if self.draft.result is not None and self.draft.result.error is not None:
            self.show_error(self.draft.result.error)
        do, self._when_examined = self._when_examined, None
        if do is not None:
            do()

    def when_examined(self, do: Callable[[], None]) -> None:
        """Do something as soon as what was edited last is examined."""
        if self.draft.examine_now():
            self._when_examined = do
        else:
            do()

    def go_to(self, variable: str, field: str) -> None:
        """Select a variable and go to one of its fields."""
        places = [i for i, v in enumerate(self.draft.variables) if v.name == variable] or [-1]
        place = places[-1 if field == "name" else 0]  # of two of the same name the later one is to be called otherwise
        if place >= 0:
            if self.table.model.row_of(place) < 0:
                self.table.filter.clear()
            self.table.select_places([place])
            if field:
                self.form.focus_field(field)

    # Editing -----------------------------------------------------------------------------------------------------

    def _use_chosen(self, places: list[int], use: str, wanted: bool) -> None:
        change = with_use if wanted else without_use
        if places:
            self.draft.apply(places, lambda variable: change(variable, cast(Use, use)))

    def _cell_edited(self, places: list[int], column: int, value: Any) -> None:
        if column == NAME:
            self._rename(places[0], str(value))
        elif column == TYPE:
            self.draft.change(places, **type_changes(value))
        elif column == MISSING:
            self.draft.change(places, missing=self._with_absent(parse_codes(str(value))))
        elif column == CODELIST:
            self._set_codelist(places, str(value))
        elif column == LABEL:
            self.draft.change(places, label=str(value).strip())

    def _form_changed(self, attributes: dict[str, Any]) -> None:
        if not self.places:  # typing that ends after its variable is gone
            return
        if "name" in attributes:
            self._rename(self.places[0], attributes["name"])
        elif "codelist" in attributes:
            self._set_codelist(self.places, attributes["codelist"])
        elif "missing" in attributes:
            self.draft.change(self.places, missing=self._with_absent(attributes["missing"]))
        else:
            self.draft.change(self.places, **attributes)

    def _with_absent(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Missing codes that were typed; in a file with types an absent value is missing whatever else is."""
        format = self.draft.description.metadata.format if self.draft.description is not None else "fixed"
        if format == "fixed" or (codes and format == "delimited"):
            return codes
        return tuple(dict.fromkeys((*codes, "")))

    def _rename(self, place: int, name: str) -> None:
        self.draft.rename(place, name.strip())

    def _set_codelist(self, places: list[int], text: str) -> None:
        shown = {v.codelist.name if v.codelist else "" for v in (self.draft.variables[place] for place in places)}
        if text in shown:  # the cell shows the name only: nothing was typed
            return
        folder = self.data_file.parent if self.data_file is not None else None
        self.draft.change(places, codelist=typed_path(text, folder))

    def _labelled(self, code: str, text: str) -> None:
        self.draft.label(self.draft.variables[self.places[0]].name, code, text)

    def _fill_menu(self, menu: QMenu) -> None:
        menu.addAction(translate("Choose a code&list…"), self._choose_codelist)
        menu.addAction(translate("&Remove from the description"), self._remove)

    def _choose_codelist(self) -> None:
        start = self.data_file.parent if self.data_file is not None else None
        path = dialogs.open_file(self, translate("Codelist"), CODELISTS, start)
        if path is not None:
            self.draft.change(self.places, codelist=path)

    def _add(self) -> None:
        place = self.draft.add(max(self.places, default=len(self.draft.variables) - 1))
        self.table.select_places([place])
        self.form.focus_field("name")

    def _remove(self) -> None:
        if self.places:
            self.draft.remove(self.places)

    def _move(self, down: bool) -> None:
        """Move the selected variables; where the table is sorted otherwise, back to their own order first."""
        if self.places and self.draft.can_move:
            self.table.unsort()
            self.table.select_places(self.draft.move(self.places, down))

    def _follow(self, problems: Sequence[Problem]) -> None:
        """Do what problems propose, as one edit."""
        self.draft.change_each([change for problem in problems for change in problem.changes])

    def _take(self, suggestions: Sequence[UseSuggestion]) -> None:
        """Follow what is ticked in *Check my file*, as one edit."""
        self.draft.change_each(together(suggestions, self.draft.variables))

    def _save(self) -> None:
        """Save the description, once lengths that are not declared are known."""
        description = self.draft.description
        if description is not None and description.metadata.format == "delimited":
            self.when_examined(self.files.save)
        else:
            self.files.save()

    def end(self) -> None:
        super().end()
        self.draft.stop()
        self.files.stop()

    # What looking at the file came to ---------------------------------------------------------------------------------

    def _show_findings(self) -> None:
        """Bring *Check my file* up to date."""
        result, proposals, messages = self.draft.result, self.proposals, self.messages
        if not self.draft.was_stopped and messages.text == translate(_STOPPED):
            messages.clear()
        if result is None:
            proposals.show_none(self._lacking)
        elif result.error is not None:
            proposals.show_none(_not_looked_at(result.error))
        else:
            on_grid = coordinates(result.findings, result.survey) if result.survey is not None else ()
            proposals.show_findings(result.findings, result.description.metadata.variables, on_grid)

    @property
    def _lacking(self) -> str:
        return translate(_STOPPED) if self.draft.was_stopped else translate("The file is being read…")

    def _say_stopped(self) -> None:
        """Say that the user stopped the reading, and offer to begin it again."""
        self.messages.show_text(translate(_STOPPED), [(translate("Read again"), self.read_again)])

    def _show_profile(self, variable: Variable | None) -> None:
        """Show what one variable holds."""
        profile, draft = self.profile, self.draft
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
            in_parts = is_in_parts(self.document.recipe.input)
            profile.show_profile(variable, result.survey.profiles[variable.name], labels, unsaved, in_parts)

    def _give_room(self, is_filled: bool) -> None:
        """Problems get the room back that they had before there were none."""
        above, below = self.panes.sizes()
        total = above + below or 2 * scaled(_LIST)  # nothing has a size before the page is shown
        if not is_filled:
            self._room = max(below, scaled(_PROBLEMS))
        wanted = min(self._room, total * 2 // 3) if is_filled else self.problems.maximumHeight()
        self.panes.setSizes([total - wanted, wanted])

    def _suggest(self) -> None:
        """Bring *Check my file* forward, with room enough to be read."""
        self.problems.show_check()
        self._room = max(self._room, scaled(_LIST))
        if self.panes.sizes()[1] < self._room:
            self._give_room(True)
        self.proposals.table.view.setFocus()

    # Into the session -------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        """*OK*: take over what is typed, look whether anything stands against it, commit and close."""
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            focus.clearFocus()  # takes what is being typed
        if self.draft.loading:
            return  # the button is disabled; what was edited is looked at again when the variables are there
        if self.form.refused:
            self.messages.show_text(self.form.refused)
        elif not self.draft.touched:
            self.close()
            self.go_on()
        elif self.overtaken:
            self.ask_which()
        else:
            self.when_examined(self._accept_examined)

    def _accept_examined(self) -> None:
        if not self._has_errors() and self.files.labels_are_settled():
            self.hold(True)
            self.draft.to_recipe(partial(self._commit, self.draft.description, self.document.recipe), self._refused)

    def _has_errors(self) -> bool:
        errors = [problem for problem in self.draft.problems if problem.severity == "error"]
        if not errors:
            return False
        text = plural(
            len(errors), "An error has to be solved first: {first}", "{count} errors have to be solved first: {first}"
        )
        self.messages.show_text(translate(text).format(count=format_count(len(errors)), first=errors[0].text))
        self.problems.tabs.setCurrentIndex(0)
        self.problems.list.setCurrentRow(0)
        self.go_to(errors[0].variable, errors[0].field)
        return True

    def _commit(self, description: Description | None, over: Recipe, recipe: Recipe, said: tuple[Notice, ...]) -> None:
        self.hold(False)
        if self.draft.description is not description or self.document.recipe is not over:
            self._accept()  # the session went on meanwhile: what it has now is not to be lost
            return
        if said and not self._agreed(said):
            return
        document, label = self.document, self._label(recipe)
        self.draft.forget()
        self.close()
        document.commit(label, recipe)
        self.go_on()

    def _agreed(self, said: tuple[Notice, ...]) -> bool:
        lines = [notice.text for notice in said[:_LISTED]] + (["…"] if len(said) > _LISTED else [])
        answer = dialogs.ask(
            self,
            translate("The changed variables make other parts of the session impossible."),
            "\n".join(lines),
            [translate("Go on"), translate("Cancel")],
        )
        return answer == 0

    def _label(self, recipe: Recipe) -> Label:
        old = {edit.name: edit for edit in self.document.recipe.variables}
        new = {edit.name: edit for edit in recipe.variables}
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        if not names or len(names) > 3:
            count = len(names) or len(self.draft.variables)
            return lambda: translate("Metadata of {count} variables").format(count=format_count(count))
        return lambda: translate("Metadata: {names}").format(names=", ".join(names))

    def _refused(self, error: PavoError) -> None:
        self.hold(False)
        self.show_error(error)


def _form_and_profile(beside: bool) -> Sequence[int]:
    """Below the form, which scrolls, the profile has to be seen at once."""
    return () if beside else (300, 260)


def _button(name: str, text: str, tip: str = "") -> QPushButton:
    button = QPushButton(text, objectName=name)
    button.setToolTip(as_tip(tip))
    button.setAutoDefault(False)
    return button


def _arrow(name: str, text: str, says: str, keys: str) -> QToolButton:
    button = QToolButton(objectName=name, text=text)
    button.setAccessibleName(says)
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    told = translate("{says} ({keys}): the order of lists and of the saved metadata")
    button.setToolTip(as_tip(told.format(says=says, keys=shown)))
    return button


def _not_looked_at(error: PavoError) -> str:
    text = translate("The file could not be looked at: {reason}")
    return text.format(reason=error.sentence)
