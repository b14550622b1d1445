"""Specify Metadata: what each variable is, in a table of all and a form of the selected ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.data.variable_uses import Use, with_use, without_use
from core.metadata.check_file import Finding
from core.metadata.kept import Loaded
from core.metadata.problems import Problem
from core.metadata.profile import Profile
from gui import dialogs
from gui.document.document import Document
from gui.document.tasks import STOPPED
from gui.places import typed_path
from gui.specify_metadata.draft import MetadataDraft
from gui.specify_metadata.files import MetadataFiles
from gui.specify_metadata.metadata_commit import MetadataCommit
from gui.specify_metadata.metadata_controls import MetadataControls
from gui.specify_metadata.metadata_look import MetadataLook
from gui.specify_metadata.variable_form import CODELISTS
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


class SpecifyMetadata(MetadataControls):
    """`specifyMetadata`: edits a draft; *OK* commits it as one step."""

    name = "specifyMetadata"
    title = mark("Specify Metadata")
    default_size = (1260, 700)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.draft = MetadataDraft(document, self)
        self.data_file: Path | None = None
        self._describe_when_loaded = False
        self.overtaken = False
        """The session changed under the draft, and the user has not said yet which of the two it shall be."""
        self._when_examined: Callable[[], None] | None = None
        self._held = False
        self.files = MetadataFiles(self)
        self.commit = MetadataCommit(self)
        self.look = MetadataLook(self)
        self._connect()
        self.table.view.setFocus()
        self._load()

    def _connect(self) -> None:
        self.draft.changed.connect(self._show)
        self.draft.examined.connect(self._examined)
        self.draft.stopped.connect(self._stopped)
        self.draft.failed.connect(self._failed)
        self.draft.restored.connect(self._restored)
        self.draft.overtaken.connect(self.say_changed)
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
        self.problems.chosen.connect(self.go_to)
        self.problems.apply_wanted.connect(self._follow)
        suggest = partial(self.when_examined, self.look.suggest)
        for button, do in (
            (self.new, self._add), (self.remove, self._remove), (self.describe, self.files.describe),
            (self.empty.describe, self.files.describe), (self.empty.read, self.files.read),
            (self.read, self.files.read),
            (self.save, self.files.save), (self.suggest, suggest),
            (self.check, self.problems.show_check),
            (self.cancel, self.close), (self.accept, self.commit.accept),
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
        if generate:
            self.when_examined(self.look.suggest)
        if check:
            self.problems.show_check()
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
        if self.document.recipe.input.data is None:
            self.close()
        elif not self.draft.touched:
            self._load()
        elif self.document.recipe.input.data != self.data_file:
            lost = self.data_file.name if self.data_file is not None else ""
            self._load()
            text = translate("Another file was opened; the unfinished changes to {file} were dropped.")
            self.messages.show_text(text.format(file=lost))
        else:
            self.say_changed()

    def say_changed(self) -> None:
        """Ask which it shall be: what the session has, or the draft."""
        self.overtaken = True
        offers = [(translate("Reload"), self._reload), (translate("Keep mine"), self._keep)]
        self.messages.show_text(translate("The session changed."), offers)

    def _load(self) -> None:
        self._settled()
        self.data_file = self.document.recipe.input.data
        self.draft.load()
        self._enable()

    def _settled(self) -> None:
        self.overtaken = False
        self.messages.clear()

    def _reload(self) -> None:
        self._settled()
        self.draft.reload()
        self._enable()

    def _restored(self, loaded: Loaded) -> None:
        """Unfinished changes of a sitting that ended without warning."""
        if loaded.lost is not None:
            self.show_error(loaded.lost)
        elif self.draft.touched and loaded.overtaken:
            self.say_changed()
        elif self.draft.touched:
            text = translate("Your unfinished changes to the metadata are here again.")
            self.messages.show_good(text, [(translate("Drop them"), self._reload)])

    def _keep(self) -> None:
        """Unless the recipe can be read, it stays to be said which of the two it shall be."""
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
        self.look.say_stopped()
        self._show()

    def read_again(self) -> None:
        """Begin anew what the user stopped: reading the description, or looking at the file."""
        if self.draft.description is None:
            self._load()
        else:
            self.draft.examine_now()
        self.look.show_findings()
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
        for button in (self.suggest, self.check, self.save):
            button.setEnabled(there)
        self.accept.setEnabled(there and not self.draft.loading)
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
            self.look.show_findings()
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
        self.look.show_profile(one)

    def _examined(self) -> None:
        self._show()
        self.look.show_findings()
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

    def _follow(self, proposals: Sequence[Finding | Problem]) -> None:
        """Do what problems or findings propose, as one edit."""
        changes: list[tuple[str, tuple[tuple[str, object], ...]]] = []
        for proposal in proposals:
            if isinstance(proposal, Problem):
                changes += proposal.changes
            else:
                changes += [(part.variable, part.changes) for part in proposal.each]
        self.draft.change_each(changes)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.draft.stop()
            self.files.stop()

    def may_close(self) -> bool:
        """A touched draft is dropped only with the user's consent."""
        if not self.draft.touched:
            return True
        answer = dialogs.ask(
            self,
            translate("Drop the changes to the metadata?"),
            translate("They were not taken over yet."),
            [translate("&Drop"), translate("Keep &editing")],
            1,
        )
        if answer == 0:
            self.draft.forget()
        return answer == 0
