"""The draft of Specify Metadata: the variables as they are to be, examined in the compute thread after every edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.errors import Notice, PavoError
from core.base.texts import mark
from core.data.variables import Variable
from core.formats.argus.codelist import codelist_text
from core.metadata.description import Description, Loaded, load_description, to_plain
from core.metadata.description import load as load_kept
from core.metadata.field_grid import Place
from core.metadata.problems import Problem, all_problems
from core.recipe.edits_checklist import judged_variables, on_grid
from core.recipe.edits_metadata import Variables, follow
from core.recipe.model import Input, Recipe, VariableEdit
from gui.document.document import Document
from gui.document.draft import SessionDraft
from gui.document.session_files import write_atomically
from gui.document.tasks import STOPPED

if TYPE_CHECKING:
    from core.metadata.examine import Examined

_EXAMINE_AFTER_MS = 150
_LOAD = "specify metadata: load"
_READ = "specify metadata: read"
_ACCEPT = "specify metadata: accept"
_EXAMINE = "specify metadata: examine"
_KEPT = "specifyMetadata"
Edits = tuple[Input, tuple[VariableEdit, ...]]
V = TypeVar("V")


@dataclass(frozen=True)
class Described:
    """What Specify Metadata edits.

    Attributes
    ----------
    description : the variables as they are to be; None where they could not be read
    labels : labels of codes that are in no codelist yet, by variable
    grid : coordinates that are to be rounded, and to multiples of what
    """

    description: Description | None = None
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    grid: Mapping[str, float] = field(default_factory=dict)

    def renamed(self, old: str, new: str) -> Described:
        """A copy in which what is kept of a variable by its name is kept by another one."""
        return replace(self, labels=_renamed(self.labels, old, new), grid=_renamed(self.grid, old, new))

    def with_labels(self, variable: str, labels: Mapping[str, str]) -> Described:
        """A copy with these labels of a variable and no others."""
        known = {**self.labels, variable: labels}
        return replace(self, labels={name: each for name, each in known.items() if each})


class MetadataDraft(QObject, SessionDraft[Described]):
    """Edits of variables that are not in the recipe yet; kept in `SessionState.drafts` against crashes.

    Signals
    -------
    changed() : the variables are others, or were loaded anew.
    restored(Loaded) : unfinished changes of an earlier sitting were taken up, or could not be.
    examined() : profiles, labels, problems and findings are there.
    overtaken() : edits were made while the description was loaded anew; they stay, and it was not taken.
    stopped() : the user stopped the examination; `examine_now` begins it again.
    failed(PavoError) : the description, or what was asked for beside it, cannot be read.
    """

    changed = Signal()
    restored = Signal(object)
    examined = Signal()
    overtaken = Signal()
    stopped = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.base = self.value = Described()
        self.result: Examined | None = None
        self._timer = QTimer(self, singleShot=True, interval=_EXAMINE_AFTER_MS)
        self._timer.timeout.connect(self._examine)
        self.loading = False
        """Whether the variables by the recipe are being read."""
        self.was_stopped = False
        """Whether the user stopped the last examination."""

    # What is there -----------------------------------------------------------------------------------------------

    @property
    def description(self) -> Description | None:
        """The variables as they are to be; None where they could not be read, or are not yet."""
        return self.value.description

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables as they are to be."""
        return self.description.metadata.variables if self.description is not None else ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems: those of the description as it is now, those with the data as they were last examined."""
        if self.description is None:
            return ()
        if self.result is not None and self.result.description is self.description:
            return self.result.problems
        now = [p for p in all_problems(self.description.metadata, self._combined, codelists=False) if p.id != "gap"]
        known = {(p.id, p.variable) for p in now}
        late = [p for p in (self.result.problems if self.result else ()) if p.is_of_data]
        return (*now, *(p for p in late if (p.id, p.variable) not in known))

    @property
    def _combined(self) -> frozenset[str]:
        """What the variables that combinations use are called here."""
        assert self.description is not None, "asked of a description"
        used = judged_variables(self._document.recipe)
        pairs = zip(self.description.origins, self.description.metadata.names, strict=True)
        return frozenset(name for origin, name in pairs if origin in used)

    def labels_of(self, name: str) -> dict[str, str]:
        """Labels of a variable's codes: of its codelist, and those given here."""
        known = self.result.labels.get(name, {}) if self.result is not None else {}
        return {**known, **self.value.labels.get(name, {})}

    # Loading -----------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Begin anew from the recipe, with the unfinished changes that the session kept."""
        recipe, kept = self._document.recipe, self._document.session.drafts.get(_KEPT)
        before = self.value

        def edited() -> bool:
            """Whether the same file was edited while it was read; edits of another file are no longer wanted."""
            now = self.description
            return now is not None and now.input.place == recipe.input.place and self.value != before

        def done(loaded: Loaded) -> None:
            self.loading = False
            if edited():
                self.take(self.value)
                self.overtaken.emit()
                return
            grid = {} if kept is None else dict(kept.get("grid", {}))
            self.begin(Described(loaded.base), Described(loaded.draft, loaded.labels, grid))
            self._examine()
            if kept is not None:
                self.restored.emit(loaded)

        def failed(error: PavoError) -> None:
            self.loading = False
            if edited():
                self.overtaken.emit()
                self.take(self.value)
            else:
                self.begin(Described(), replace(self.value, description=None))
            self.failed.emit(error)

        self._timer.stop()
        self.loading = True
        hint = mark("Close this window and open it again.")
        self._run(_LOAD, hint, load_kept, recipe.input, recipe.variables, kept, done=done, failed=failed)

    def reload(self) -> None:
        """Give the changes up and begin anew from the recipe."""
        self._document.session.keep_draft(_KEPT, None)
        self.load()

    def keep(self, kept: Callable[[], None]) -> None:
        """Stay as it is over a recipe that has changed; `kept` is called once that is so."""
        recipe = self._document.recipe

        def done(description: Description) -> None:
            now = self._document.recipe
            if (now.input, now.variables) != (recipe.input, recipe.variables):  # it changed again: to be asked again
                return
            if self.description is not None:
                known = set(description.metadata.names)
                origins = tuple(origin if origin in known else "" for origin in self.description.origins)
                self.value = replace(self.value, description=replace(self.description, origins=origins))
            self.keep_over(Described(description))
            kept()

        self.loading = False  # what is being loaded is not wanted any more
        hint = mark("Choose Keep mine again.")
        self._run(_LOAD, hint, load_description, recipe.input, recipe.variables, done=done, failed=self.failed.emit)

    def read_metadata(self, path: Path) -> None:
        """Describe the variables as a metadata file does."""
        recipe = self._document.recipe
        source = replace(recipe.input, metadata=path, variables="from-metadata")

        def done(description: Description) -> None:
            known = self.base.description.metadata.names if self.base.description is not None else ()
            origins = tuple(name if name in known else "" for name in description.metadata.names)
            self.take(replace(self.value, description=replace(description, origins=origins)))
            self._examine()

        hint = mark("Choose Read metadata again; the variables are as they were.")
        self._run(_READ, hint, load_description, source, (), done=done, failed=self.failed.emit)

    def _run(
        self,
        slot: str,
        hint: str,
        f: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], None],
        failed: Callable[[PavoError], None],
    ) -> None:
        stopped = PavoError(STOPPED, mark("Looking at the file was stopped."), hint)
        self._document.compute(slot, f, *args, done=done, failed=failed, cancelled=lambda: failed(stopped))

    def remember(self) -> None:
        """Keep what is touched with the document, and tell of it; what cannot be shown now stays kept as it is."""
        base, value = self.base.description, self.value
        if not self.loading and base is not None and value.description is not None:
            plain = to_plain(value.description, base, value.labels) | {"grid": dict(value.grid)}
            self._document.session.keep_draft(_KEPT, plain if self.touched else None)
        self.changed.emit()

    # Editing -----------------------------------------------------------------------------------------------------

    def change(self, places: Iterable[int], **attributes: Any) -> None:
        """Give variables other attributes."""
        self.apply(places, lambda variable: replace(variable, **attributes))

    def rename(self, place: int, name: str) -> None:
        """Call a variable otherwise; relations to it follow."""
        old = self.variables[place].name
        renamed = [replace(v, name=name) if i == place else v for i, v in enumerate(self.variables)]
        if old and sum(v.name == old for v in self.variables) == 1:
            renamed = [replace(v, related=name) if v.related == old else v for v in renamed]
        self.value = self.value.renamed(old, name)
        self._set_variables(renamed)

    def apply(self, places: Iterable[int], change: Callable[[Variable], Variable]) -> None:
        """Change variables by a function."""
        chosen = set(places)
        self._set_variables([change(v) if i in chosen else v for i, v in enumerate(self.variables)])

    def change_each(self, changes: Iterable[tuple[str, Iterable[tuple[str, object]]]]) -> None:
        """Give variables other attributes, each by its name, as one edit."""
        wanted: dict[str, dict[str, Any]] = {}
        for name, attributes in changes:
            wanted.setdefault(name, {}).update(attributes)
        self._set_variables([replace(v, **wanted.pop(v.name, {})) for v in self.variables])

    def round_to_grid(self, names: Sequence[str], step: float) -> None:
        """Keep coordinates as numbers that are rounded to multiples of one step, as one edit."""
        self.value = replace(self.value, grid={**self.value.grid, **dict.fromkeys(names, step)})
        kept = (("numeric", True), ("categorical", False), ("removed", False), ("decision", "round"))
        self.change_each((name, kept) for name in names)

    @property
    def can_move(self) -> bool:
        """Whether the order of the variables is free: their places in the file are told by something else."""
        if self.description is None:
            return False
        metadata = self.description.metadata
        return metadata.format == "fixed" or (metadata.format == "delimited" and metadata.header)

    def move(self, places: Iterable[int], down: bool) -> list[int]:
        """Move variables up or down by one; their places then."""
        assert self.description is not None, "offered only where there is a description"
        order = list(range(len(self.variables)))
        chosen = set(places)
        for place in sorted(chosen, reverse=down):
            other = place + (1 if down else -1)
            if 0 <= other < len(order) and order[other] not in chosen:
                order[place], order[other] = order[other], order[place]
        origins = self.description.origins
        self._set_variables([self.variables[i] for i in order], [origins[i] for i in order])
        return [place for place, was in enumerate(order) if was in chosen]

    def add(self, after: int) -> int:
        """Add a variable behind a place; its own place. It begins where the one before it ends."""
        assert self.description is not None, "offered only where there is a description"
        place = min(after + 1, len(self.variables))
        before = self.variables[place - 1] if place else Variable("", length=1)
        names = {v.name.casefold() for v in self.variables}
        name = next(name for name in ("New", *(f"New{i}" for i in range(2, 10**6))) if name.casefold() not in names)
        fixed = self.description.metadata.format == "fixed"
        start = before.start + before.length if fixed else 0
        column = 0 if fixed else max((v.column for v in self.variables), default=0) + 1
        missing = () if fixed else ("",)
        new = Variable(name, start=max(start, 1) if fixed else 0, length=1 if fixed else 0, column=column,
                       categorical=True, missing=missing)  # fmt: skip
        variables = (*self.variables[:place], new, *self.variables[place:])
        origins = (*self.description.origins[:place], "", *self.description.origins[place:])
        self._set_variables(variables, origins)
        return place

    def remove(self, places: Iterable[int]) -> None:
        """Take variables out of the description."""
        assert self.description is not None, "offered only where there is a description"
        gone = set(places)
        kept = [i for i in range(len(self.variables)) if i not in gone]
        self._set_variables([self.variables[i] for i in kept], [self.description.origins[i] for i in kept])

    def describe(self, fields: Sequence[Place]) -> None:
        """Take these fields; what is known of a variable of the same name, else of the same place, stays."""
        assert self.description is not None, "offered only where there is a description"
        by_name = {v.name: i for i, v in enumerate(self.variables)}
        by_place = {(v.start, v.length): i for i, v in enumerate(self.variables)}
        variables, origins = [], []
        for place in fields:
            known = by_name.get(place.name, by_place.get((place.start, place.length)))
            old = Variable(place.name, categorical=True) if known is None else self.variables[known]
            variables.append(replace(old, name=place.name, start=place.start, length=place.length))
            origins.append("" if known is None else self.description.origins[known])
        self._set_variables(variables, origins)

    def label(self, name: str, code: str, text: str) -> None:
        """Give a code a label."""
        known = self.result.labels.get(name, {}) if self.result is not None else {}
        mine = {**self.value.labels.get(name, {}), code: text}
        if known.get(code, "") == text:
            del mine[code]
        self.take(self.value.with_labels(name, mine))

    def save_labels(self, place: int, path: Path) -> None:
        """Write a variable's labels to a codelist that it then has; raises `PavoError`."""
        name = self.variables[place].name
        labels = {code: text for code, text in self.labels_of(name).items() if text}
        write_atomically(path, codelist_text(labels).encode("utf-8"))
        self.value = self.value.with_labels(name, {})
        self.change([place], codelist=path)

    def forget(self) -> None:
        """What is here is in the recipe now, or is given up."""
        self.value = Described(self.description)
        super().forget()
        self._document.session.keep_draft(_KEPT, None)

    def drop_labels(self) -> None:
        """Forget labels that were not saved."""
        self.take(replace(self.value, labels={}))

    # Into the recipe ---------------------------------------------------------------------------------------------

    def to_recipe(
        self, done: Callable[[Recipe, tuple[Notice, ...]], None], failed: Callable[[PavoError], None]
    ) -> None:
        """The document's recipe with this description, and what it has to give up for it."""
        from core.metadata.description import edits_of

        description, recipe = self.description, self._document.recipe
        assert description is not None, "offered only where there is a description"
        followers = self._followers(description)
        kept = {v.name for v in description.metadata.variables if v.numeric and v.decision == "round" and not v.removed}
        steps = {name: step for name, step in self.value.grid.items() if name in kept}

        def made(edits: Edits) -> None:
            changed, said = follow(recipe.with_(input=edits[0], variables=edits[1]), followers)
            done(on_grid(changed, steps), said)

        self._run(_ACCEPT, mark("Press OK again."), edits_of, description, done=made, failed=failed)

    def _followers(self, description: Description) -> Variables:
        assert self.base.description is not None, "it was read from the recipe"
        new = dict(zip(description.origins, description.metadata.names, strict=True))
        renamed: Mapping[str, str] = {name: new.get(name, "") for name in self.base.description.metadata.names}
        variables = description.metadata.variables
        keys = [v.name for v in variables if v.categorical and not v.removed and v.role != "direct-identifier"]
        weight = description.metadata.weight
        return Variables(renamed, [v.name for v in variables], keys, weight.name if weight else "")

    # Examining ---------------------------------------------------------------------------------------------------

    def _set_variables(self, variables: Sequence[Variable], origins: Sequence[str] | None = None) -> None:
        assert self.description is not None, "offered only where there is a description"
        new = self.description.with_variables(variables, origins)
        if new != self.description:
            self.was_stopped = False
            self._timer.start()
            self.take(replace(self.value, description=new))

    def _examine(self) -> None:
        if self.description is None:
            return
        from core.metadata.examine import examine

        known = self.result.survey if self.result is not None else None
        self.was_stopped = False
        self._document.compute(
            _EXAMINE, examine, self.description, known, self._combined,
            done=self._examined, failed=self.failed.emit, cancelled=self._examination_stopped,
        )  # fmt: skip

    def _examination_stopped(self) -> None:
        self.was_stopped = True
        self.stopped.emit()

    def examine_now(self) -> bool:
        """Examine what was edited last without waiting; False where that is done already."""
        if self.result is not None and self.result.description is self.description:
            return False
        self._timer.stop()
        self._examine()
        return True

    def stop(self) -> None:
        """The window closes: nobody waits for what is being computed any more."""
        self._timer.stop()
        for slot in (_LOAD, _READ, _ACCEPT, _EXAMINE):
            self._document.tasks.drop(slot)

    def _examined(self, result: Examined) -> None:
        self.result = result
        self.examined.emit()


def _renamed(of: Mapping[str, V], old: str, new: str) -> Mapping[str, V]:
    if old not in of:
        return of
    return {**{name: each for name, each in of.items() if name != old}, new: of[old]}
