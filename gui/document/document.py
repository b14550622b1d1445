"""The one object between the windows and core: the current recipe, its history, and what is derived from it.

A window reads `Document.recipe` and `Document.derived`, and edits by `Document.commit` of a changed copy of the
recipe. It never computes: what it needs for a draft it asks core's session for by `ask`, and gets it in a callback in
the GUI thread. Where the user stops everything, what is `failed` (or `cancelled`) for a window is told, and can be
asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe import edits_protection
from core.recipe.changes import Changes, changes
from core.recipe.in_parts import names_part
from core.recipe.model import Input, Recipe
from gui.document.engine import PLANNING, Answer, Arguments, Engine, SessionQuestion, Work, margins
from gui.document.history import Label
from gui.document.session_files import SessionLock, guard, metadata_beside, read_recipe, write_recipe
from gui.document.session_state import SessionState
from gui.document.tasks import Task, Tasks, stopped, told_of_stop

if TYPE_CHECKING:
    from core.release.run import Result
    from core.results.input_files import Checksums
    from core.session import Results, Session
    from core.tables.margins import Overview


PROTECT = "protect"
DERIVE = "derive"
MARGINS = "margins"


class Document(QObject):
    """The open session.

    Signals
    -------
    changed(Changes) : the recipe is another one; `Changes` says in which parts. Results are stale from now on.
    results_changed() : `derived`, `error` or `released` is another one; what is greyed can be shown.
    session_changed() : name, file, saved or not, what can be undone.
    started(), progressed(fraction, text), idle() : work for the windows; fraction is -1 where not known.
    planned() : what was asked for needed a plan of the current recipe, so that it is known by now.
    failed(PavoError) : work could not be done; the main window shows it.
    edit_stopped(str) : the results of an edit were stopped, so that it is taken back; with its label. Redo has it.
    """

    changed = Signal(object)
    results_changed = Signal()
    session_changed = Signal()
    started = Signal()
    progressed = Signal(float, str)
    idle = Signal()
    planned = Signal()
    failed = Signal(object)
    _read = Signal(object)
    edit_stopped = Signal(str)

    def __init__(self, session_factory: Callable[[], Session] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = SessionState.empty()
        self.tasks = Tasks(self)
        self._engine = Engine(session_factory)
        self.tasks.started.connect(self._on_started)
        self.tasks.progressed.connect(self.progressed)
        self.tasks.idle.connect(self._on_idle)
        self.tasks.refused.connect(self._on_refused)
        self.tasks.rested.connect(self._count_margins)
        self._before: SessionState | None = None
        """What was open when the file was chosen that is being read: Cancel comes back to it."""
        self._read.connect(self._is_read, Qt.ConnectionType.QueuedConnection)
        self._expected = 0
        self.given_up: Recipe | None = None
        """While `changed` tells that an edit is taken back because its results were stopped: the recipe with it."""
        self._lock = SessionLock()
        self.may_discard: Callable[[], bool] = lambda: True
        """Asks about unsaved edits before another file is opened; the main window sets it."""
        guard(self._inputs)

    @property
    def busy(self) -> bool:
        """Whether results are being computed or a file is about to be opened; `idle` says when that is over."""
        return self._expected > 0 or self.tasks.busy

    @property
    def session(self) -> SessionState:
        """All that is known of the open session; to be read, not written."""
        return self._session

    @property
    def recipe(self) -> Recipe:
        """The current recipe."""
        return self._session.recipe

    @property
    def derived(self) -> Results | None:
        """The last valid results of this session; they belong to the current recipe unless `stale`."""
        return self._session.derived

    @property
    def stale(self) -> bool:
        """Whether `derived` belongs to another recipe than the current one (show it greyed)."""
        return self._session.stale

    # Edits -------------------------------------------------------------------------------------------------------

    def commit(self, label: Label, recipe: Recipe, merge_key: str | None = None) -> bool:
        """Make `recipe` the current one, as one undo step called `label`; False where nothing differs.

        A label with translated texts is given as what says it, so that files keep it in English.

        Consecutive commits with the same `merge_key` (for example ``"threshold 1"``) become one step.
        """
        old = self.recipe
        if not self._session.history.commit(label, recipe, merge_key):
            return False
        self._recipe_changed(old)
        return True

    def amend(self, recipe: Recipe) -> bool:
        """Make `recipe` the current one without an undo step of its own; False where nothing differs."""
        old = self.recipe
        if not self._session.history.amend(recipe):
            return False
        self._recipe_changed(old)
        return True

    def undo(self) -> bool:
        """Go back to the previous recipe."""
        return self.jump(self._session.history.index - 1)

    def redo(self) -> bool:
        """Go on to the next recipe."""
        return self.jump(self._session.history.index + 1)

    def jump(self, index: int) -> bool:
        """Go to step `index` of `history`; False where there is none, or it is the current one."""
        old = self.recipe
        if not self._session.history.jump(index):
            return False
        self._recipe_changed(old)
        return True

    def retry(self) -> None:
        """Derive the current recipe again, from the files as they are now."""
        self._engine.renew()
        self._session.derived_for = None
        self._derive()

    def look_at(self, window: str) -> None:
        """Note that a window was opened in this session."""
        if window not in self._session.looked_at:
            self._session.looked_at.add(window)
            self.results_changed.emit()

    # Files -------------------------------------------------------------------------------------------------------

    def open_session(self, path: Path, recipe: Recipe | None = None) -> None:
        """Open a session file; raises `PavoError` (and keeps what is open) where it cannot be read.

        `recipe` : what was read of it already.
        """
        path = path.absolute()
        recipe = read_recipe(path) if recipe is None else recipe
        self._lock.release()
        sitting = SessionState.of(lambda: translate("Open {file}").format(file=path.name), recipe, path)
        sitting.read_only = not self._lock.acquire(path)
        self._resume(sitting)

    def open_data(self, path: Path, metadata: Path | None = None, **settings: Any) -> None:
        """Start a new session on a microdata file; a metadata file beside it is found by itself.

        `settings` are further fields of `core.recipe.model.Input` (format, delimiter, header, encoding, decimal).
        """
        path = path.absolute()
        found = metadata or metadata_beside(path)
        recipe = edits_protection.new_recipe(Input(data=path, metadata=found, **settings))
        self.start(lambda: translate("Open {file}").format(file=path.name), recipe)

    def start(self, label: Label, recipe: Recipe) -> None:
        """Start a new, unsaved session with `recipe`."""
        self._lock.release()
        self._start(SessionState.of(label, recipe))

    def restore(self, sitting: SessionState) -> None:
        """Take over a session kept by autosave: its history, file and drafts."""
        self._lock.release()
        if sitting.path is not None:
            sitting.read_only = not self._lock.acquire(sitting.path)
        self._resume(sitting)

    def close(self) -> None:
        """Back to the empty state; unsaved edits are lost (the main window asks before)."""
        self._lock.release()
        self._start(SessionState.empty())

    def save(self, path: Path | None = None) -> None:
        """Write the session to `path` (None: where it is kept); raises `PavoError` where that fails."""
        target = path or self._session.path
        assert target is not None, "save without a path is offered only where the session has one"
        target = target.absolute()
        if not self._lock.can_acquire(target):
            raise PavoError(
                "session-locked",
                mark("{file} is open in another Pavo."),
                mark("Save under another name."),
                file=target.name,
            )
        recipe = self._with_checksums(self.recipe)
        write_recipe(target, recipe)
        self._lock.move_to(target)
        self._session.path, self._session.saved, self._session.read_only = target, self.recipe, False
        self._session.history.end_merging()
        self.session_changed.emit()

    def shut_down(self) -> None:
        """End the compute thread and give the session file free; for closing the program."""
        self.tasks.stop()
        self._lock.release()

    def _with_checksums(self, recipe: Recipe) -> Recipe:
        derived = self.derived
        if derived is None or self.stale or derived.microdata is None:
            return recipe
        sums = self._session.checksums
        return recipe.with_(input=replace(recipe.input, sha256=derived.microdata.source.sha256, checksums=sums))

    def _inputs(self) -> list[Path]:
        return self._session.inputs()

    # Work --------------------------------------------------------------------------------------------------------

    def expect(self) -> None:
        """Be busy from now on: a file is opened as soon as the event loop runs. End with `expected`."""
        self._expected += 1

    def expected(self) -> None:
        """What `expect` announced was begun, or failed."""
        self._expected -= 1
        if not self.busy:
            self.idle.emit()

    def cancel(self) -> None:
        """Stop what the user waits for; the session is as it was before. What nobody would be told of runs on."""
        self.tasks.cancel()

    @property
    def stoppable(self) -> bool:
        """Whether `cancel` would stop anything."""
        return self.tasks.stoppable

    def ask(
        self,
        slot: str,
        question: SessionQuestion[*Arguments, Answer],
        *args: *Arguments,
        done: Callable[[Answer], None],
        failed: Callable[[PavoError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
        background: bool = False,
        gives_way: bool = False,
    ) -> None:
        """Have core's session answer in the compute thread; a newer question in the same slot replaces this one.

        Parameters
        ----------
        question : a function of a session: one of `gui.document.engine`
        args : what follows the session, up to `progress`
        done, failed, cancelled, background, gives_way : as for `Tasks.run`; who says only what failed is told of a stop
            by that
        """
        plans = question in PLANNING and self.recipe in args
        noted = (lambda _answer: self.planned.emit()) if plans else None
        cancelled = cancelled or told_of_stop(failed)
        self.tasks.run(
            slot, self._engine.ask, question, *args, done=done, failed=failed, cancelled=cancelled, noted=noted,
            background=background, gives_way=gives_way,
        )  # fmt: skip

    def compute(
        self,
        slot: str,
        f: Work[*Arguments, Answer],
        *args: *Arguments,
        done: Callable[[Answer], None] | None = None,
        failed: Callable[[PavoError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
        noted: Callable[[Answer], None] | None = None,
        background: bool = False,
        lasting: bool = False,
    ) -> Task:
        """Run any function of core in the compute thread: ``f(*args, progress=...)``; see `Tasks.run`."""
        return self.tasks.run(
            slot, f, *args, done=done, failed=failed, cancelled=cancelled, noted=noted,
            background=background, lasting=lasting,
        )  # fmt: skip

    def make_protected_file(
        self,
        done: Callable[[Result], None] | None = None,
        failed: Callable[[PavoError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Carry out the current recipe: write, read back, verify. `released` holds the result then."""
        recipe, sitting = self.recipe, self._session

        def written(result: Result) -> None:
            sitting.released, sitting.released_for = result, recipe
            self.results_changed.emit()

        told, inputs = failed or self.failed.emit, (recipe, self._with_checksums(recipe), self._session.path)
        self.tasks.run(
            PROTECT, self._engine.carry_out, *inputs, noted=written, done=done, failed=told, cancelled=cancelled
        )

    # How results follow the recipe -------------------------------------------------------------------------------

    def count_all_margins(self) -> None:
        """Count the unsafe combinations of every margin, however long it takes."""
        self._ask_margins(every=True)

    def _count_margins(self) -> None:
        """At rest, count the margins that risks did not wait for; whatever else is asked for comes first."""
        session = self._session
        if session.derived is None or session.stale or session.margins_of is session.derived:
            return
        if session.derived.overview.is_whole:
            session.margins_of = session.derived
        else:
            self._ask_margins(every=False)

    def _ask_margins(self, every: bool) -> None:
        sitting, derived = self._session, self._session.derived
        if derived is None:
            return

        def counted(overview: Overview) -> None:
            if sitting.derived is derived:
                sitting.derived = sitting.margins_of = replace(derived, overview=overview)
                self.results_changed.emit()

        def failed(error: PavoError) -> None:
            sitting.margins_of = derived
            self.failed.emit(error)
            self.results_changed.emit()

        stopped = self.results_changed.emit if every else None
        self.tasks.run(
            MARGINS, self._engine.ask, margins, derived, every,
            done=counted, failed=failed, cancelled=stopped, background=not every, gives_way=not every,
        )  # fmt: skip

    def _recipe_changed(self, old: Recipe) -> None:
        difference = changes(old, self.recipe)
        self._before = None
        if difference.input:
            self._session.derived = self._session.derived_for = None
        self._session.error = None
        self.changed.emit(difference)
        self.session_changed.emit()
        self._derive()

    def _resume(self, sitting: SessionState) -> None:
        sitting.note_given_outputs()
        if sitting.recipe.combinations:  # whoever chose combinations had seen the metadata
            sitting.looked_at.add("specifyMetadata")
        self._start(sitting)

    def _start(self, sitting: SessionState) -> None:
        # Who gives up an opening for another one comes back to what they saw, not to the file that was never read.
        before, self._session = self._before or self._session, sitting
        self._before = before
        self.tasks.give_up()
        self._engine.renew()
        self.changed.emit(Changes.all())
        self.session_changed.emit()
        self.results_changed.emit()
        self._derive()

    def _derive(self) -> None:
        """Compute what belongs to the current recipe, unless it is there."""
        recipe, sitting = self.recipe, self._session
        if recipe.input.place is None or sitting.derived_for is recipe:
            self.tasks.drop(DERIVE)
            self._before = None
            self.results_changed.emit()
            return

        def done(shown: tuple[Results, Checksums, dict[str, int], dict[int, int]]) -> None:
            if task.progress.cancelled:  # the results came while the user said stop
                self._derive_cancelled()
                return
            sitting.derived, sitting.checksums, sitting.unsafe_records, sitting.unsafe_by_either = shown
            sitting.derived_for, sitting.error = recipe, None
            self._before = None
            self.results_changed.emit()

        def failed(error: PavoError) -> None:
            sitting.error = error
            self._before = None
            self.results_changed.emit()
            self.failed.emit(error)

        read = None if self._before is None else partial(self._read.emit, sitting)
        callbacks: dict[str, Any] = {"done": done, "failed": failed, "cancelled": self._derive_cancelled}
        task = self.tasks.run(DERIVE, self._engine.derive_shown, recipe, read, **callbacks)

    @Slot(object)
    def _is_read(self, sitting: SessionState) -> None:
        """The file of a session that is being opened was read: from now on Cancel stops work on it, and it stays."""
        if sitting is self._session:
            self._before = None

    def _derive_cancelled(self) -> None:
        """Leave everything as before: back to the recipe that has results, or to what was open before."""
        if self._before is not None:
            before, self._before = self._before, None
            self._lock.release()
            if before.path is not None and not before.read_only:
                self._lock.acquire(before.path)
            self._start(before)
            self._before = None
            return
        steps, valid = self._session.history.steps, self._session.derived_for
        for index in range(len(steps) - 1, -1, -1):
            if steps[index].recipe is valid:
                self._take_back(index)
                return
        self._session.error = stopped()
        self.results_changed.emit()

    def _take_back(self, index: int) -> None:
        """Go to step `index`, away from one whose results were stopped; drafts keep what that had of theirs."""
        history = self._session.history
        is_edit = index < history.index
        self.given_up = self.recipe if is_edit else None
        try:
            self.jump(index)
        finally:
            self.given_up = None
        if is_edit:
            self.edit_stopped.emit(history.redo_label)

    def _on_refused(self, error: PavoError) -> None:
        """A file is no longer what was read: results are out of date until it is read again."""
        file = error.values.get("file")
        is_data = bool(file) and names_part(self.recipe.input, Path(str(file)))
        gone = error.id == "input-file-changed" or (error.id in ("data-changed", "data-missing") and is_data)
        if gone and error is not self._session.error:
            self._engine.renew()
            self._session.derived_for, self._session.error = None, error
            self.results_changed.emit()
            self.failed.emit(error)

    def _on_started(self) -> None:
        self.started.emit()

    def _on_idle(self) -> None:
        if not self.busy:
            self.idle.emit()
