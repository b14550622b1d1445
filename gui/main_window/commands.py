"""Commands of the main window's menus, beside opening windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.in_parts import is_in_parts
from core.recipe.located import with_file_located
from core.recipe.model import Input
from gui import dialogs
from gui.document import autosave
from gui.document.document import Document
from gui.document.session_files import is_session, read_recipe
from gui.main_window import demonstration, recent_sessions
from gui.main_window.licences_dialog import LicencesDialog
from gui.main_window.workflow import has_threshold
from gui.settings import CHECK_AFTER, OPEN_NEXT, THEME, folder_for_safe_files, settings
from gui.shared.released import about_earlier
from gui.shared.windows import Windows, exists
from gui.theme import theme
from gui.workspace.arrangement import HOME

if TYPE_CHECKING:
    from core.release.run import Result
    from gui.workspace.workspace import Workspace

Offers = list[tuple[str, Callable[[], None]]]


class Frame(Protocol):
    """What commands ask of the main window, beside that dialogs stand above it."""

    workspace: Workspace

    def open_step(self, step: str) -> None:
        """Open the page of a step, by its English name."""

    def go_to_part(self, by: int) -> None:
        """Give the next (1) or the previous (-1) part the focus."""


class Commands(QObject):
    """Commands by name. `said(text, offers)` is a sentence for the main window's message area.

    `noted(text, offers)` is one that has to be known, and not that something went well.
    """

    said = Signal(str, list)
    noted = Signal(str, list)
    said_all = Signal()
    """What was said last is over."""

    def __init__(self, document: Document, windows: Windows, window: QWidget, frame: Frame) -> None:
        super().__init__(window)
        self._document = document
        self._windows = windows
        self._window, self._frame = window, frame
        document.may_discard = self._may_open_another
        dialogs.start_beside(lambda: document.recipe.input.place)

    def named(self, name: str) -> Callable[[], object]:
        """The command of a menu item; ``window:<name>`` opens that window, ``method:<name>`` Perturb at that method."""
        if name == "window:help":
            return self.help
        if name.startswith("step:"):
            return lambda: self._frame.open_step(name.removeprefix("step:"))
        if name.startswith("method:"):
            return lambda: self._windows.open_window("perturb", method=name.removeprefix("method:"))
        if name.startswith("window:"):
            return lambda: self._windows.visit(name.removeprefix("window:"))
        command: Callable[[], object] = getattr(self, name)
        return command

    # Opening -----------------------------------------------------------------------------------------------------

    def open_microdata(self) -> None:
        """Open a microdata file: by its window, else by a file dialog."""
        if exists("openMicrodata"):
            self._windows.open_window("openMicrodata")
            return
        path = dialogs.open_file(self._window, translate(mark("Open microdata")), dialogs.MICRODATA)
        if path is not None:
            self.open_path(path)

    def open_session(self) -> None:
        """Open a session by a file dialog."""
        path = dialogs.open_file(self._window, translate(mark("Open session")), dialogs.SESSIONS)
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path, *, checked: bool = True) -> None:
        """Open a session or a microdata file, after asking about unsaved edits.

        `checked` : whether a microdata file is checked in Specify Metadata, as after Open Microdata.
        """
        if not self.may_discard():
            return
        try:
            if is_session(path):
                if not self._open_session_file(path):
                    return
                self._say_read_only()
                self._offer_earlier_report()
            else:
                from core.metadata.opening import no_data  # not before the main window shows

                error = None if is_in_parts(Input(data=path)) else no_data(path)
                if error is not None:
                    raise error
                if not self.may_close_windows():
                    return
                self._document.open_data(path)
                if checked and settings.get(CHECK_AFTER):
                    self._windows.open_window("specifyMetadata", check=True)
        except PavoError as error:
            self._document.failed.emit(error)

    def locate_data(self) -> None:
        """Say where the data file is now."""
        path = dialogs.open_file(self._window, translate(mark("Locate the data file")), dialogs.MICRODATA)
        if path is not None:
            recipe = self._document.recipe
            self._document.commit(
                lambda: translate(mark("Data file {file}")).format(file=path.name),
                recipe.with_(input=replace(recipe.input, data=path)),
            )

    def locate_file(self, old: Path) -> None:
        """Say where a file is that the session names and that is not there."""
        title = translate("Locate {file}").format(file=old.name)
        path = dialogs.open_file(self._window, title, mark("All files (*)"))
        if path is not None:
            recipe = with_file_located(self._document.recipe, old, path)
            self._document.commit(lambda: translate("Located {file}").format(file=path.name), recipe)

    def accept_changed_file(self) -> None:
        """Go on with the files as they are now: those that the message names."""
        recipe, error = self._document.recipe, self._document.session.error
        changed: tuple[Path, ...] = () if error is None else error.values.get("changed", ())
        if not changed:
            label = mark("Accept the changed data file")
            self._document.commit(lambda: translate(label), recipe.with_(input=replace(recipe.input, sha256=None)))
            return
        names = ", ".join(path.name for path in changed)
        rest = tuple(each for each in recipe.input.checksums if each[0] not in changed)
        accepted = recipe.with_(input=replace(recipe.input, checksums=rest))
        self._document.commit(lambda: translate("Accept the changed {files}").format(files=names), accepted)

    def try_demonstration(self) -> None:
        """Copy the demonstration survey to the documents and open it."""
        self._try(demonstration.SURVEY)

    def try_households(self) -> None:
        """Likewise the survey of households."""
        self._try(demonstration.HOUSING)

    def try_communes(self) -> None:
        """Likewise the survey in many communes."""
        self._try(demonstration.COMMUNES)

    def _try(self, example: demonstration.Example) -> None:
        if not self.may_discard():
            return
        try:
            self._open_session_file(demonstration.copy_to_documents(example))
        except PavoError as error:
            self._document.failed.emit(error)

    def _open_session_file(self, path: Path) -> bool:
        """Open a session; False where a window stays. Windows are given up only for a file that can be opened."""
        recipe = read_recipe(path)
        if not self.may_close_windows():
            return False
        self._document.open_session(path, recipe)
        settings.add_recent_session(path.absolute())
        return True

    def recover(self) -> None:
        """Offer sessions that a crash left behind, newest first."""
        left, aside = autosave.look_back()
        if aside:
            self.noted.emit(autosave.said_of(aside))
        elif not left:
            self.said.emit(translate(mark("No session was left behind by a crash.")), [])
        for kept in left:
            text = translate(mark("Recover the session “{name}”?")).format(name=kept.name or "…")
            when = kept.when.strftime("%Y-%m-%d %H:%M")
            detail = translate(mark("Pavo ended unexpectedly. The session was kept at {when}.")).format(when=when)
            answers = [translate(mark("&Recover")), translate(mark("&Delete it")), translate(mark("&Later"))]
            answer = dialogs.ask(self._window, text, detail, answers)
            if answer == 0 and self._may_open_another():
                self._document.restore(kept.sitting)
                autosave.forget(kept)
                return
            if answer == 1:
                autosave.forget(kept)
                self.said_all.emit()

    def generate_metadata(self) -> None:
        """Propose a description of the file, in Specify Metadata."""
        self._windows.open_window("specifyMetadata", generate=True)

    # Saving ------------------------------------------------------------------------------------------------------

    def save(self) -> bool:
        """Save where the session is kept, else ask where; False where it was not saved."""
        if self._document.session.path is None or self._document.session.read_only:
            return self.save_as()
        return self._write(None)

    def save_as(self) -> bool:
        """Ask where, and save; False where it was not saved."""
        document = self._document
        if document.recipe.input.place is None:
            return False
        data = document.recipe.input.place
        folder = document.session.path.parent if document.session.path is not None else data.parent
        proposed = folder / f"{document.session.name or data.stem}.pavo"
        title, suffixes = translate(mark("Save session")), dialogs.SESSION_SUFFIXES
        path = dialogs.save_as(self._window, title, proposed, dialogs.SESSIONS, suffixes)
        return path is not None and self._write(path)

    def close_session(self) -> None:
        """Back to the empty state."""
        if self.may_discard() and self.may_close_windows(lasting=True):
            self._document.close()

    def _may_open_another(self) -> bool:
        """Whether another file may be opened: the session may be left, and so may the windows that show it."""
        return self.may_discard() and self.may_close_windows()

    def may_close_windows(self, *, lasting: bool = False) -> bool:
        """Close the windows of the session, or also the `lasting` ones; False where one stays.

        All stay where a protected file is being made or previewed and the user wants that to go on.
        """
        protecting: Any = self._windows.window_named("makeProtectedFile")
        if protecting is not None and not protecting.may_stop():
            return False
        return self._windows.close_all() if lasting else self._windows.close_those_of_session()

    def may_discard(self) -> bool:
        """Whether the open session may be left: saved, or the user said so."""
        document = self._document
        if not document.session.modified:
            return True
        text = translate(mark("Save the changes to “{name}”?")).format(name=document.session.name)
        detail = translate(mark("Otherwise they are lost."))
        answers = [translate(mark("&Save")), translate(mark("&Don't save")), translate(mark("&Cancel"))]
        answer = dialogs.ask(self._window, text, detail, answers)
        return self.save() if answer == 0 else answer == 1

    def _write(self, path: Path | None) -> bool:
        try:
            self._document.save(path)
        except PavoError as error:
            self._document.failed.emit(error)
            return False
        assert self._document.session.path is not None
        settings.add_recent_session(self._document.session.path)
        recent_sessions.remember(self._document)
        return True

    def _say_read_only(self) -> None:
        if self._document.session.read_only:
            self.noted.emit(
                translate(mark("This session is open in another Pavo. Save it under another name to keep changes.")), []
            )

    def _offer_earlier_report(self) -> None:
        earlier = self._document.session.earlier_report
        if earlier is not None and not self._document.session.read_only:
            self.noted.emit(about_earlier(earlier), [(translate(mark("Open that report")), self._view_report)])

    # Editing and output ------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Go back one step."""
        self._document.undo()

    def redo(self) -> None:
        """Go on one step."""
        self._document.redo()

    def copy(self) -> None:
        """Copy what is selected in the control that has the focus."""
        focus: Any = QApplication.focusWidget()
        if hasattr(focus, "copy"):
            focus.copy()

    def calculate_again(self) -> None:
        """Derive the current recipe anew."""
        self._document.retry()

    def make_protected_file(self) -> None:
        """Open the window for it; where this version has none, ask for the file and carry out the recipe."""
        if exists("makeProtectedFile"):
            self._windows.open_window("makeProtectedFile")
            return
        if self._document.recipe.output.data is None and not self._choose_outputs():
            return
        self._document.make_protected_file(done=self._say_made)

    def reason_against_protecting(self) -> str:
        """Why no protected file can be made now; empty where one can."""
        document = self._document
        derived = document.derived
        if document.recipe.input.place is None:
            return translate(mark("Open a microdata file first."))
        if derived is None:
            return translate(mark("The file has to be read first."))
        if exists("makeProtectedFile"):
            return ""
        chosen = all(has_threshold(table) for table in derived.risk_tables)
        if not chosen and document.recipe.suppression.criterion != "none":
            return translate(mark("Choose a threshold for every risk table first."))
        return ""

    def _choose_outputs(self) -> bool:
        document = self._document
        data = document.recipe.input.place
        assert data is not None, "offered only with a file"
        proposed = folder_for_safe_files(data, document.session.path) / f"{data.stem}_safe{data.suffix}"
        title = translate(mark("Make protected file"))
        path = dialogs.save_file(self._window, title, proposed, translate(mark("All files (*)")))
        if path is None:
            return False
        output = replace(
            document.recipe.output,
            data=path,
            metadata=path.with_suffix(".rds"),
            report=path.with_suffix(".html"),
            summary=path.with_suffix(".json"),
        )
        document.commit(
            lambda: translate(mark("Output to {file}")).format(file=path.name), document.recipe.with_(output=output)
        )
        return True

    def _say_made(self, result: Result) -> None:
        data = self._document.recipe.output.data
        sentence = translate(mark("The protected file {file} is written and verified."))
        offers: Offers = [(translate(mark("View Report")), self._view_report)]
        told, found = sentence.format(file=data.name if data is not None else ""), result.stated()
        say = self.said if found is None or found.tone == "good" else self.noted
        say.emit(f"{told} {found.headline}" if found else told, offers)

    def _view_report(self) -> None:
        self._windows.open_window("report")

    # View and help -----------------------------------------------------------------------------------------------

    def theme_auto(self) -> None:
        """Light or dark as the system is."""
        self._use_theme("auto")

    def theme_light(self) -> None:
        """Always light."""
        self._use_theme("light")

    def theme_dark(self) -> None:
        """Always dark."""
        self._use_theme("dark")

    def _use_theme(self, choice: str) -> None:
        settings.set(THEME, choice)
        theme.use(choice)

    def open_next(self) -> None:
        """Let the next window open by itself from now on, or no longer."""
        settings.set(OPEN_NEXT, not settings.get(OPEN_NEXT))

    def show_overview(self) -> None:
        """Show what is unsafe through each variable, where no page stands."""
        self._frame.workspace.show_home()

    def take_out(self) -> None:
        """Let the page that is worked on stand in a window of its own."""
        self._frame.workspace.take_out_current()

    def put_all_back(self) -> None:
        """Let all pages stand in the main window."""
        self._frame.workspace.put_all_back()

    def close_page(self) -> None:
        """Close the page that is worked on."""
        self._frame.workspace.close_current()

    def next_part(self) -> None:
        """Let the next part of the window have the focus."""
        self._frame.go_to_part(1)

    def previous_part(self) -> None:
        """Let the part before have the focus."""
        self._frame.go_to_part(-1)

    def help(self) -> None:
        """The guide on the page that is worked on; from the guide itself on the main window."""
        current = self._frame.workspace.current
        self._windows.open_window("help", page="mainWindow" if current in (HOME, "help") else current)

    def whats_new(self) -> None:
        """The guide on what is new in this version."""
        self._windows.open_window("help", page="whats-new")

    def about(self) -> None:
        """Say what this program is."""
        from core import __version__

        detail = translate(
            mark(
                "Statistical disclosure control of microdata: measures the risk that a person in the file is "
                "recognised, and lowers it by recoding and suppression.\n\nThe methods are those of the literature "
                "and of μ-ARGUS; every figure is defined in the guide."
            )
        )
        answers = [translate(mark("&Libraries and licences")), translate(mark("&Close"))]
        if dialogs.ask(self._window, f"Pavo {__version__}", detail, answers, default=1) == 0:
            LicencesDialog(self._window).exec()

    def exit(self) -> None:
        """Close the main window, and with it the program."""
        self._window.close()
