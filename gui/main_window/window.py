"""The main window: assembles menus, steps, tables, messages and status; computes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from core.base.errors import DataError, PavoError
from core.base.texts import mark, translate
from core.recipe.in_parts import is_in_parts
from core.recipe.located import files_named
from core.recipe.model import Recipe
from gui.document import autosave
from gui.document.autosave import Autosave, AutosaveRecord
from gui.document.document import Document
from gui.document.engine import INPUT_CHANGED
from gui.document.session_files import is_session
from gui.errors import CrashHandler
from gui.main_window import demonstration, recent_sessions, workflow
from gui.main_window.actions import Actions, allow
from gui.main_window.commands import Commands
from gui.main_window.empty_page import EmptyPage
from gui.main_window.overview_page import OverviewPage
from gui.main_window.parts import Part, go_round
from gui.main_window.status_line import StatusLine
from gui.main_window.workflow import NextWindow
from gui.main_window.workflow_bar import WorkflowBar
from gui.settings import OPEN_NEXT, THEME, settings
from gui.shared.layout.by_room import ByRoom
from gui.shared.message_area import MessageArea, Offer
from gui.shared.mnemonics import letter_of
from gui.shared.reading_order import put_in_order
from gui.shared.tool_window import press_by_enter
from gui.shared.windows import WINDOWS, Windows, reason_against
from gui.theme import icon, theme
from gui.workspace.arrangement import HOME, shape_of
from gui.workspace.header import Offer as StepOffer
from gui.workspace.hints import Hints
from gui.workspace.pages import text_of
from gui.workspace.workspace import Workspace


class MainWindow(QMainWindow):
    """`mainWindow`. `document` is the open session, `windows` are its pages, `workspace` is where they stand."""

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="mainWindow")
        self.document = document
        self.windows = Windows(document, self)
        self.commands = Commands(document, self.windows, self, self)
        self.menu_actions = Actions(self, self.commands.named)
        self._going_on = NextWindow(document, self.windows, self)
        self._autosave = Autosave(document, self)
        self._crashes = CrashHandler(self._autosave.write, document.failed.emit, self)
        self._crashes.install()
        self._placed = False
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(660, 340)
        self.resize(1160, 700)
        self._refresh()

    def show_hints(self) -> None:
        """Show hints at the first visit of each page from now on."""
        self._hints = Hints(self.document, self.workspace)

    def window_named(self, name: str) -> QWidget | None:
        """An open window by its name, or None."""
        return self if name == self.objectName() else self.windows.window_named(name)

    # Assembly ----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        examples = [(example, self.menu_actions[example.action]) for example in demonstration.EXAMPLES]
        for example, action in examples:
            action.setEnabled(demonstration.available(example))
        # what is moved with all it holds is styled anew, so each part is put in its place before it is filled
        centre = QWidget(self)
        self.setCentralWidget(centre)
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.steps = WorkflowBar(workflow.steps(self.document))
        row.addWidget(self.steps)
        right = QVBoxLayout()
        right.setSpacing(0)
        row.addLayout(right, 1)
        self.pages = QStackedWidget(objectName="home")
        self.workspace: Workspace = Workspace(self.windows, self.pages, self._reason)
        right.addWidget(self.workspace, 1)
        self.messages = MessageArea()
        right.addWidget(self.messages)
        begin = self.menu_actions["actionOpenMicrodata"], self.menu_actions["actionOpenSession"]
        self.empty_page = EmptyPage(begin, examples, self.commands.open_path)
        self.pages.addWidget(self.empty_page)
        self.overview = OverviewPage(self.document)
        self.pages.addWidget(self.overview)
        menus = self.menuBar().actions()
        self.workspace.keep_letters(frozenset(letter_of(menu.text()) for menu in menus))
        self.status = StatusLine(self.document)
        self.work = self.status.work
        self.setStatusBar(self.status)
        self.menu_actions.show_choices(theme.choice, settings.get(OPEN_NEXT))
        settings.told.changed.connect(self._show_theme)
        self._window_items = len(self.menu_actions.menus["Window"].actions())

    def _connect(self) -> None:
        document = self.document
        document.changed.connect(lambda _changes: self._on_changed())
        document.results_changed.connect(self._refresh)
        document.session_changed.connect(self._show_session)
        document.failed.connect(self.show_error)
        document.edit_stopped.connect(self._say_stopped)
        self.commands.said.connect(self.messages.show_good)
        self.commands.noted.connect(self.messages.show_text)
        self.commands.said_all.connect(self.messages.clear)
        self.steps.chosen.connect(self._open_step)
        self.steps.home_wanted.connect(self.workspace.show_home)
        self.steps.undo_wanted.connect(self.commands.undo)
        self.steps.history_wanted.connect(lambda: self.open_window("history"))
        self.status.wanted.connect(self._open_step)
        self.status.remarks_wanted.connect(self._show_remarks)
        self.workspace.wanted.connect(self._open_step)
        self.workspace.moved.connect(self._show_places)
        ByRoom(self).always(self._show_places)
        for news in (document.idle, self.workspace.moved):
            news.connect(self._order_for_tools)
        self.overview.window_requested.connect(self.open_window)
        self.overview.remarks.known.connect(self._refresh)
        self.menu_actions.menus["Window"].aboutToShow.connect(self._list_windows)
        self.menu_actions.menus["recent"].aboutToShow.connect(self._list_recent)
        theme.changed.connect(self._refresh)

    # What is shown -----------------------------------------------------------------------------------------------

    def open_window(self, name: str, variable: str = "") -> None:
        """Open a window, on a variable where one is named; nothing happens where it cannot be opened now."""
        if name == "makeProtectedFile":
            self.menu_actions["actionMakeProtectedFile"].trigger()
        elif not reason_against(name, self.document):
            self.windows.visit(name, **({"variable": variable} if variable else {}))

    def _say_stopped(self, label: str) -> None:
        """Say that the calculation of an edit was stopped, and offer the edit again."""
        text = translate(mark("The calculation was stopped, so “{edit}” is not applied.")).format(edit=label)
        self.messages.show_text(text, [(translate(mark("Apply it again")), self.commands.redo)])

    def show_error(self, error: PavoError) -> None:
        """Say an expected error, with what helps against it."""
        self.messages.show_error(error, self._offers(error))

    def _offers(self, error: PavoError) -> list[Offer]:
        data = self.document.recipe.input.place
        if data is None or error is not self.document.session.error:
            return []
        offers: list[Offer] = []
        if not isinstance(error, DataError):
            missing = _missing_file(error, self.document.recipe)
            if missing is not None:
                offers.append((translate(mark("Locate…")), lambda: self.commands.locate_file(missing)))
            if error.id == INPUT_CHANGED:
                several = len(error.values.get("changed", ())) > 1
                accept = mark("Accept the changed files") if several else mark("Accept the changed file")
                offers.append((translate(accept), self.commands.accept_changed_file))
        elif not (data.is_file() or is_in_parts(self.document.recipe.input)):
            offers.append((translate(mark("Locate…")), self.commands.locate_data))
        elif error.id == INPUT_CHANGED:
            offers.append((translate(mark("Accept the changed file")), self.commands.accept_changed_file))
        elif error.id == "data-changed":
            offers.append((translate(mark("Read it again")), self.commands.calculate_again))
        return offers

    def _on_changed(self) -> None:
        self.messages.clear()
        self._refresh()

    def _refresh(self) -> None:
        document = self.document
        is_open = document.recipe.input.place is not None
        self._turn_to(1 if is_open else 0)
        if not is_open:
            self.empty_page.show_recent(settings.recent_sessions())
        self.overview.refresh()
        reasons = {name: self._reason(name) for name in WINDOWS}
        steps = workflow.steps(document)
        self.steps.show_steps(steps, reasons)
        self.workspace.show_steps([StepOffer(step.window, step.title, reasons.get(step.window, "")) for step in steps])
        recent_sessions.remember(document)
        self.overview.next.show_next(workflow.next_thing(document), reasons.__getitem__)
        self.status.refresh()
        self._show_actions(is_open, reasons)
        self._show_session()
        self._show_places()

    def _show_theme(self, key: str) -> None:
        if key == THEME.key:
            self.menu_actions[f"actionTheme{settings.get(THEME).capitalize()}"].setChecked(True)

    def _order_for_tools(self) -> None:
        """Assistive tools are told of everything as one reads it, too; nobody waits for that where none listens."""
        if QAccessible.isActive():
            QTimer.singleShot(0, self, lambda: put_in_order(self))

    def _show_places(self) -> None:
        """The rail follows the pages in sight, and both follow the size of the window."""
        scale = max(self.font().pointSizeF(), 10.0) / 10
        size = self.width() / scale, self.height() / scale
        shape, of_two = (shape_of(*size, two) for two in (self.workspace.pair, True))
        self.steps.arrange(shape.rail, shape.low)
        self.workspace.set_shape(shape, self.width() - self.steps.width_as(of_two.rail))
        self.status.set_width(self.width() / scale)
        current = self.workspace.current
        own = frozenset(text_of(name).step for name in self.workspace.out)
        is_open = self.document.recipe.input.place is not None
        is_home = current == HOME
        self.steps.show_places(text_of(current).step if is_open or not is_home else "Data", is_home and is_open, own)
        head, holder = self.workspace.home.header, self.workspace.in_sight()[0]
        if head is not None:
            head.setVisible(is_open or shape.rail == "box")
            head.title.setVisible(is_open)
        if shape.rail == "box" and holder.header is not None:
            holder.header.lead_with(self.steps.box)
            self.steps.box.show()

    def _turn_to(self, page: int) -> None:
        if self.pages.currentIndex() != page:
            self.pages.setCurrentIndex(page)
            if self.workspace.current == HOME:
                self._begin_by_keyboard()

    def _begin_by_keyboard(self) -> None:
        """Put the focus where work starts, so that it never stays on what is hidden."""
        first = self.overview.variables.view if self.pages.currentIndex() else self.empty_page.first
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _reason(self, name: str) -> str:
        """Why a step or window cannot be opened; opening and making files work without their windows too."""
        if name == "openMicrodata":
            return ""
        reason = reason_against(name, self.document)
        if name == "makeProtectedFile":
            return self.commands.reason_against_protecting()
        return reason

    def _show_remarks(self) -> None:
        """Say what was accepted and has to be known."""
        derived = self.document.derived
        if derived is not None:
            self.messages.show_text("\n".join(notice.text for notice in derived.notices))

    def _show_actions(self, is_open: bool, reasons: Mapping[str, str]) -> None:
        """`reasons` : against each window."""
        for name, action in self.menu_actions.windows.items():
            allow(action, reasons[name])
        for action in self.menu_actions.methods:
            allow(action, reasons["perturb"])
        allow(self.menu_actions["actionGenerateMetadata"], reasons["specifyMetadata"])
        allow(self.menu_actions["actionMakeProtectedFile"], reasons["makeProtectedFile"])
        nothing_open = "" if is_open else translate(mark("No session is open."))
        for name in ("actionSave", "actionSaveAs", "actionCloseSession", "actionCalculateAgain"):
            allow(self.menu_actions[name], nothing_open)

    def _show_session(self) -> None:
        document = self.document
        parts = [document.session.name] if document.session.name else []
        if document.session.modified:
            parts.append(translate(mark("modified")))
        if document.session.read_only:
            parts.append(translate(mark("read-only")))
        self.setWindowTitle(f"{' · '.join(parts)} — Pavo" if parts else "Pavo")
        kept = mark("saved") if document.session.path is not None else mark("not saved yet")
        standing = translate(kept if document.session.name else mark("seven steps to a safe file"))
        undo_label = document.session.history.undo_label
        self.steps.show_session(document.session.name, ", ".join(parts[1:]) or standing, undo_label)
        undo, redo = mark("&Undo"), mark("&Redo")
        for name, label, text in (
            ("actionUndo", document.session.history.undo_label, undo),
            ("actionRedo", document.session.history.redo_label, redo),
        ):
            action = self.menu_actions[name]
            action.setText(f"{translate(text)} {label}" if label else translate(text))
            allow(action, "" if label else translate(mark("There is nothing to go back or forward to.")))

    def _list_recent(self) -> None:
        menu = self.menu_actions.menus["recent"]
        menu.clear()
        for path in settings.recent_sessions():
            menu.addAction(str(path), partial(self.commands.open_path, path))
        if menu.isEmpty():
            none = menu.addAction(translate(mark("None yet")))
            allow(none, translate(mark("Sessions that were opened or saved will be here.")))

    def _list_windows(self) -> None:
        """Below the steps, the other pages that are open; what cannot be done now says why."""
        menu = self.menu_actions.menus["Window"]
        for action in menu.actions()[self._window_items :]:
            menu.removeAction(action)
            action.deleteLater()
        for name in self.windows.names():
            if not text_of(name).step:
                menu.addAction(translate(WINDOWS[name].title), partial(self.windows.open_window, name))
        nothing = translate(mark("The overview always stays.")) if self.workspace.current == HOME else ""
        for name in ("actionTakeOutIntoAWindow", "actionClosePage"):
            allow(self.menu_actions[name], nothing)
        none_out = "" if self.workspace.out else translate(mark("No page has a window of its own."))
        allow(self.menu_actions["actionPutAllBack"], none_out)
        for step in workflow.steps(self.document):
            allow(self.menu_actions[f"action{step.name}"], self._reason(step.window))

    def open_step(self, step: str) -> None:
        """Open the page of a step, by its English name."""
        self._open_step(next(each.window for each in workflow.steps(self.document) if each.name == step))

    def go_to_part(self, by: int) -> None:
        """The next (1) or the previous (-1) of rail, page, second page, status line has the focus."""
        parts: list[Part] = [(self.steps, self.steps.take_focus)]
        parts += [(holder, holder.take_focus) for holder in self.workspace.in_sight()]
        parts.append((self.status, self.status.take_focus))
        go_round(parts, QApplication.focusWidget(), by)

    def _open_step(self, window: str) -> None:
        if window == "openMicrodata":
            self.commands.open_microdata()
        else:
            self.open_window(window)

    # Qt ----------------------------------------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes as one reads, whenever a control was made."""
        put_in_order(self)
        return super().focusNextPrevChild(forward)

    def showEvent(self, event: QShowEvent) -> None:
        if not self._placed:
            self._placed = True
            QApplication.setWindowIcon(icon("pavo"))  # dialogs and pages taken out have it too
            geometry = settings.geometry(self.objectName())
            if geometry:
                self.restoreGeometry(geometry)
            self.resize(self.size().boundedTo(self.screen().availableGeometry().size()))
            self._begin_by_keyboard()
            QTimer.singleShot(0, self._look_back)
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(self, event):
            super().keyPressEvent(event)

    def _look_back(self) -> None:
        """Have it looked for what a crash left behind; not here, where the window would wait for it."""
        run = self.document.tasks.run
        run("outputs of a crash", autosave.recovered_outputs, done=self._say_recovered, background=True)
        run("sessions of a crash", autosave.look_back, done=self._offer_recovery, background=True)

    def _say_recovered(self, runs: int) -> None:
        if runs:
            told = mark(
                "Files were being written when Pavo or the computer ended unexpectedly ({n} times). What was "
                "unfinished was removed, and what stood in its place before is back."
            )
            self._say_at_rest(translate(told).format(n=runs))

    def _offer_recovery(self, found: tuple[list[AutosaveRecord], list[Path]]) -> None:
        left, aside = found
        if aside:
            self._say_at_rest(autosave.said_of(aside))
        if left and not self.document.busy and self.document.recipe.input.place is None:
            text = translate(mark("Pavo ended unexpectedly with a session open: {name}."))
            offer = (translate(mark("Recover Session…")), self.commands.recover)
            self.messages.add_text(text.format(name=left[0].name or "…"), [offer])

    def _say_at_rest(self, text: str) -> None:
        """Say it now, or once a file is open that is being opened: that takes messages away."""
        if self.document.busy:
            once = Qt.ConnectionType.SingleShotConnection
            self.document.idle.connect(lambda: self.messages.add_text(text), once)
        else:
            self.messages.add_text(text)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.commands.may_discard() or not self.commands.may_close_windows(lasting=True):
            event.ignore()
            return
        settings.set_geometry(self.objectName(), self.saveGeometry())
        settings.save()
        self.finish()
        event.accept()

    def finish(self) -> None:
        """End the work on the document: nothing is kept of it for another start, and nothing is computed any more."""
        self._crashes.uninstall()
        self._autosave.finish()
        self.document.shut_down()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            opened: Callable[[], object] = partial(self.commands.open_path, paths[0])
            if len(paths) > 1 and not any(map(is_session, paths)):
                opened = partial(self.windows.open_window, "openMicrodata", paths=paths)
            QTimer.singleShot(0, opened)


def _missing_file(error: PavoError, recipe: Recipe) -> Path | None:
    """The file that an error is about, where the recipe names it and it is not there."""
    about = str(error.values.get("file", ""))
    found = (path for path in files_named(recipe) if about in (str(path), path.name) and not path.is_file())
    return next(found, None) if about else None
