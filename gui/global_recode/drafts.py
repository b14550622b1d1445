"""The drafts of Global Recode, one a variable: they follow the session while untouched and stay once touched."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import translate
from core.formats.argus.recode_scheme import scheme_text
from core.recipe.model import Recipe, Recode
from core.recoding.draft import Draft as RecodeDraft
from gui.document.document import Document
from gui.document.draft import SessionDraft
from gui.global_recode.edits import are_many, work_out
from gui.global_recode.model import Labels, RecodeRows, variable_in

if TYPE_CHECKING:
    from core.results.results import RecodedData

SLOT = "global recode"
"""Of what the window needs before it can show anything."""
_KEEP_SLOT = "recode keep"
_KEPT = "globalRecode"
_FEW = 12


class Made(NamedTuple):
    """A draft ready to be shown: of which variable, by which recode of the session."""

    name: str
    spec: Recode | None
    rows: RecodeRows


class VariableDraft(SessionDraft[RecodeDraft]):
    """The recode of one variable under edit.

    Attributes
    ----------
    spec : recode of the session that `base` says
    """

    def __init__(self, spec: Recode | None, base: RecodeDraft, value: RecodeDraft | None = None) -> None:
        self.spec = spec
        self.begin(base, value)

    @property
    def touched(self) -> bool:
        """Whether it says another thing than it was made from."""
        return not self.value.says_the_same(self.base)

    def keep_against(self, spec: Recode | None, base: RecodeDraft) -> None:
        """It is wanted over the recode that the session has now."""
        self.spec = spec
        self.keep_over(base)


class RecodeDrafts:
    """Drafts by variable. What is touched is kept in `SessionState.drafts` too, as plain values."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._prepared: RecodedData | None = None
        self._drafts: dict[str, VariableDraft] = {}
        self._before: dict[str, tuple[Recode | None, RecodeDraft]] = {}
        """What a draft was made from before it was applied."""
        self._labels: dict[Path, Mapping[str, str]] = {}
        self._made_of: deque[tuple[RecodeDraft, Mapping[str, str]]] = deque(maxlen=_FEW)
        """Labels of the last few drafts."""
        self._known: dict[tuple[str, Recode | None], RecodeDraft] = {}
        """Drafts as recipes say them, the last few: undo and redo come back to them."""

    def use(self, prepared: RecodedData, done: Callable[[], None], failed: Callable[[PavoError], None]) -> None:
        """Draft on these original columns from now on; takes up what was kept of an earlier sitting, then `done`."""
        self._prepared = prepared
        for kept in (self._drafts, self._before, self._labels, self._known, self._made_of):
            kept.clear()
        columns, plain = prepared.microdata.columns, dict(self._document.session.drafts.get(_KEPT, {}))
        specs = {name: self._spec(name) for name in plain if name in columns}
        if not specs:
            done()
            return
        makers = {name: (self._maker(name), plain[name]) for name in specs}

        def restored(found: Mapping[str, tuple[RecodeDraft, RecodeDraft]]) -> None:
            for name, (base, draft) in found.items():
                self._drafts[name] = VariableDraft(specs[name], base, draft)
            self._keep()
            done()

        largest = max((columns[name] for name in specs), key=lambda column: len(column.codes))
        work_out(self._document, SLOT, largest, _restore, makers, done=restored, failed=failed)

    def forget(self) -> None:
        """Drop every draft."""
        self.put_away()
        self._document.session.keep_draft(_KEPT, None)

    def put_away(self) -> None:
        """The columns are read anew: what is touched stays kept with the document until `use`."""
        self._document.tasks.drop(_KEEP_SLOT)
        self._drafts.clear()

    def __getitem__(self, name: str) -> RecodeDraft:
        return self._of(name).value

    def __setitem__(self, name: str, draft: RecodeDraft) -> None:
        self._of(name).take(draft)
        self._keep()

    @property
    def touched(self) -> bool:
        """Whether there is a recode that is not applied."""
        return bool(self.all_touched())

    def is_touched(self, name: str) -> bool:
        """Whether the draft differs from what it was made from."""
        return name in self._drafts and self._drafts[name].touched

    def all_touched(self) -> list[str]:
        """Variables with a recode that is not applied."""
        return [name for name in self._drafts if self.is_touched(name)]

    def overtaken(self, name: str) -> bool:
        """Whether the session has another recode than the touched draft was made from."""
        return self.is_touched(name) and self._drafts[name].spec != self._spec(name)

    def follow(self) -> None:
        """The recipe is another one: untouched drafts follow it."""
        for name, draft in list(self._drafts.items()):
            if draft.spec != self._spec(name) and not draft.touched:
                del self._drafts[name]

    def keep(self, name: str, failed: Callable[[PavoError], None]) -> None:
        """Keep the draft against the session as it is now."""
        assert self._prepared is not None
        spec = self._spec(name)

        def done(base: RecodeDraft) -> None:
            if name in self._drafts:
                self._drafts[name].keep_against(spec, base)
                self._keep()

        column = self._prepared.microdata.columns[name]
        work_out(self._document, _KEEP_SLOT, column, self._maker(name), done=done, failed=failed)

    def keep_text(self, name: str) -> None:
        """The session's recode is about to go: the draft stays and counts as not applied."""
        draft = self[name]
        self._drafts[name].keep_against(None, RecodeDraft.of(draft.column, None, draft.fixed, self._folder(name)))
        self._keep()

    def applied(self, name: str, draft: RecodeDraft) -> None:
        """The draft is about to become the session's recode."""
        before, spec = self._drafts[name], draft.recode()
        self._before[name] = before.spec, before.base
        self._drafts[name] = VariableDraft(spec, draft)
        if spec is not None and spec.codelist is None and draft.text == scheme_text(draft.scheme):
            self._remember(name, spec, draft)
        self._keep()

    def take_back(self, recipe: Recipe) -> bool:
        """Keep the recodes that were applied in `recipe`, which is given up; False where none was."""
        found = False
        for name, (spec, base) in self._before.items():
            draft = self._drafts.get(name)
            if draft is not None and draft.spec == _recode_of(recipe, name) != self._spec(name) == spec:
                draft.keep_against(spec, base)
                found = True
        self._before.clear()
        self._keep()
        return found

    def drop(self, name: str) -> None:
        """Back to what the session has: it is made again when it is asked for."""
        self._drafts.pop(name, None)
        self._keep()

    # What is ready to be shown, and what has to be made for it in the compute thread ------------------------------

    def is_ready(self, name: str, has_rows: Callable[[RecodeDraft, Labels], bool]) -> bool:
        """Whether the draft, its labels and rows are there, or of so few codes that they are made at once."""
        assert self._prepared is not None
        if not are_many(self._prepared.microdata.columns[name]):
            return True
        draft = self._there(name)
        if draft is None:
            return False
        new = {} if draft.is_empty else self._known_labels(draft)
        return new is not None and has_rows(draft, Labels(self._prepared.labels.get(name, {}), new))

    def maker(self, name: str) -> Callable[..., Made]:
        """Makes the draft, its labels and the rows of both tables, in whichever thread; `take` takes them up."""
        spec, there, labels, make = self._spec(name), self._there(name), self.labels_of(name), self._maker(name)

        def made(progress: Progress = SILENT) -> Made:
            draft = make(progress) if there is None else there
            rows = RecodeRows(draft, labels(draft))
            rows.make(progress)
            return Made(name, spec, rows)

        return made

    def take(self, made: Made) -> None:
        """Take up what `maker` made."""
        name, spec, rows = made
        if name not in self._drafts and spec == self._spec(name):
            self._remember(name, spec, rows.draft)
            self._drafts[name] = VariableDraft(spec, rows.draft)
        self.know_labels(rows.draft, rows.labels.new)

    def _there(self, name: str) -> RecodeDraft | None:
        return self[name] if name in self._drafts else self._known.get((name, self._spec(name)))

    def source(self, name: str) -> str:
        """Where the recode shown comes from, in words."""
        spec = self._spec(name)
        if self.is_touched(name):
            return translate("not applied yet")
        if spec is None:
            return translate("not recoded")
        if spec.scheme_file is not None:
            return translate("applied, from {file}").format(file=spec.scheme_file.name)
        return translate("applied: truncated by {n}").format(n=spec.truncate) if spec.truncate else translate("applied")

    def warnings(self, name: str) -> str:
        """What is to be said of the recode, a line each."""
        draft = self[name]
        if draft.is_empty or draft.error is not None:
            return ""
        from core.whatif.coarser_codes import has_order, is_counted_up

        texts = [notice.text for notice in draft.recoding().notices]
        assert self._prepared is not None
        if draft.truncate is not None and not variable_in(self._prepared, name).truncable:
            texts.append(translate("The metadata does not say that truncation makes sense for this variable."))
        variable = variable_in(self._prepared, name)
        if draft.truncate is not None and not has_order(variable, draft.column) and is_counted_up(draft.column):
            texts.append(translate("The codes are consecutive numbers: the same first digits have no common meaning."))
        path = draft.codelist
        if path is not None and not self.new_labels(name):
            texts.append(
                translate("The codelist {file} cannot be read: new codes have no labels.").format(file=path.name)
            )
        return "\n".join(texts)

    def new_labels(self, name: str) -> Mapping[str, str]:
        """Labels of the codes after recoding: of the codelist that the draft names, if it can be read; else made."""
        draft = self[name]
        known = self._known_labels(draft)
        if known is not None:
            return known
        if self._prepared is None:
            return {}
        labels = self.labels_of(name)(draft).new
        if draft.codelist is None:
            self.know_labels(draft, labels)
        return labels

    def labels_of(self, name: str) -> Callable[[RecodeDraft], Labels]:
        """Makes a draft's labels, in whichever thread: of new codes those of the codelist it names, if any."""
        assert self._prepared is not None
        own, ranges = self._prepared.labels.get(name, {}), variable_in(self._prepared, name).missing_ranges
        read = self._labels

        def labels(draft: RecodeDraft) -> Labels:
            from core.recoding.labels_made import default_labels

            if draft.is_empty:
                return Labels(own, {})
            if draft.scheme.codelist is None:
                return Labels(own, default_labels(draft.column, draft.recoding(), own, ranges))
            path = draft.codelist
            return Labels(own, {} if path is None else _read(path, read))

        return labels

    def know_labels(self, draft: RecodeDraft, labels: Mapping[str, str]) -> None:
        """Take up what `labels_of` made of a draft."""
        if self._known_labels(draft) is None:
            self._made_of.append((draft, labels))

    def _known_labels(self, draft: RecodeDraft) -> Mapping[str, str] | None:
        return next((labels for known, labels in self._made_of if known is draft), None)

    def _spec(self, name: str) -> Recode | None:
        return _recode_of(self._document.recipe, name)

    def _folder(self, name: str) -> Path | None:
        """Where a codelist without a folder is looked for: beside the variable's own, else beside the data."""
        assert self._prepared is not None
        own, data = variable_in(self._prepared, name).codelist, self._document.recipe.input.place
        beside = own or data
        return None if beside is None else beside.absolute().parent

    def _maker(self, name: str) -> Callable[..., RecodeDraft]:
        """Makes the draft that says what the session does, in whichever thread."""
        assert self._prepared is not None
        spec, folder = self._spec(name), self._folder(name)
        column, variable = self._prepared.microdata.columns[name], variable_in(self._prepared, name)
        known = self._known.get((name, spec))

        def made(progress: Progress = SILENT) -> RecodeDraft:
            progress.check()
            return RecodeDraft.of(column, spec, variable.start > 0, folder) if known is None else known

        return made

    def _remember(self, name: str, spec: Recode | None, draft: RecodeDraft) -> None:
        if spec is not None and spec.scheme_file is not None:  # the file may be another one by then
            return
        while len(self._known) >= _FEW:
            del self._known[next(iter(self._known))]
        self._known[name, spec] = draft

    def _of(self, name: str) -> VariableDraft:
        """The draft of a variable; where there is none yet, that of what the session says."""
        if name not in self._drafts:
            spec, made = self._spec(name), self._maker(name)()
            self._remember(name, spec, made)
            self._drafts[name] = VariableDraft(spec, made)
        return self._drafts[name]

    def _keep(self) -> None:
        plain = {name: self[name].plain() for name in self.all_touched()}
        self._document.session.keep_draft(_KEPT, plain)


def _read(path: Path, known: dict[Path, Mapping[str, str]]) -> Mapping[str, str]:
    """Labels of a codelist; none where it cannot be read, which may be otherwise the next time."""
    from core.formats.argus.codelist import read_codelist

    if path not in known:
        try:
            known[path] = read_codelist(path)
        except PavoError:
            return {}
    return known[path]


def _restore(
    makers: Mapping[str, tuple[Callable[..., RecodeDraft], Mapping[str, Any]]], progress: Progress = SILENT
) -> dict[str, tuple[RecodeDraft, RecodeDraft]]:
    """By variable: the draft of the session, and with it the one that plain values keep."""
    bases = {name: (make(progress), plain) for name, (make, plain) in makers.items()}
    return {name: (base, base.restored(plain)) for name, (base, plain) in bases.items()}


def _recode_of(recipe: Recipe, name: str) -> Recode | None:
    return next((recode for recode in recipe.recodes if recode.variable == name), None)


def with_recode(recipe: Recipe, variable: str, recode: Recode | None) -> Recipe:
    """The recipe with this recode in place of the variable's own; None takes that away."""
    others = tuple(r for r in recipe.recodes if r.variable != variable)
    if recode is None:
        return recipe.with_(recodes=others)
    place = next((i for i, r in enumerate(recipe.recodes) if r.variable == variable), len(others))
    return recipe.with_(recodes=(*others[:place], recode, *others[place:]))
