"""The drafts of Global Recode, one a variable: they follow the session while untouched and stay once touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import PavoError
from core.io.recode_file import scheme_text
from core.recipe.model import Recipe, Recode
from core.recoding.draft import Draft
from core.texts import translate
from gui.document import Document
from gui.models.recode import Labels

if TYPE_CHECKING:
    from core.derive.results import Prepared

_KEPT = "globalRecode"
_FEW = 12


class RecodeDrafts:
    """Drafts by variable. What is touched is kept in `Document.drafts` too, as plain values."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._prepared: Prepared | None = None
        self._drafts: dict[str, Draft] = {}
        self._bases: dict[str, tuple[Recode | None, Draft]] = {}
        self._labels: dict[Path, Mapping[str, str]] = {}
        self._made_of: tuple[Draft | None, Mapping[str, str]] = None, {}
        self._known: dict[tuple[str, Recode | None], Draft] = {}
        """Drafts as recipes say them, the last few: undo and redo come back to them."""

    def use(self, prepared: Prepared) -> None:
        """Draft on these original columns from now on; takes up what was kept of an earlier sitting."""
        self._prepared = prepared
        self._drafts.clear()
        self._bases.clear()
        self._labels.clear()
        self._known.clear()
        for name, plain in dict(self._document.drafts.get(_KEPT, {})).items():
            if name in prepared.microdata.columns and name in prepared.metadata:
                self[name] = self[name].restored(plain)

    def forget(self) -> None:
        """Drop every draft."""
        self.put_away()
        self._document.drafts.pop(_KEPT, None)

    def put_away(self) -> None:
        """The columns are read anew: what is touched stays kept with the document until `use`."""
        self._drafts.clear()
        self._bases.clear()

    def __getitem__(self, name: str) -> Draft:
        if name not in self._drafts:
            self._load(name)
        return self._drafts[name]

    def __setitem__(self, name: str, draft: Draft) -> None:
        self[name]
        self._drafts[name] = draft
        self._keep()

    def touched(self, name: str) -> bool:
        """Whether the draft differs from what it was made from."""
        return name in self._drafts and not self._drafts[name].says_the_same(self._bases[name][1])

    def all_touched(self) -> list[str]:
        """Variables with a recode that is not applied."""
        return [name for name in self._drafts if self.touched(name)]

    def overtaken(self, name: str) -> bool:
        """Whether the session has another recode than the touched draft was made from."""
        return self.touched(name) and self._bases[name][0] != self._spec(name)

    def follow(self) -> None:
        """The recipe is another one: untouched drafts follow it."""
        for name in list(self._drafts):
            if self._bases[name][0] != self._spec(name) and not self.touched(name):
                self._load(name)

    def keep(self, name: str) -> None:
        """Keep the draft against the session as it is now."""
        self._bases[name] = self._spec(name), self._made(name)
        self._keep()

    def keep_text(self, name: str) -> None:
        """The session's recode is about to go: the draft stays and counts as not applied."""
        draft = self[name]
        self._bases[name] = None, Draft.of(draft.column, None, draft.fixed, self._folder(name))
        self._keep()

    def applied(self, name: str, draft: Draft) -> None:
        """The draft is about to become the session's recode."""
        self._drafts[name] = draft
        spec = draft.recode()
        self._bases[name] = spec, draft
        if spec is not None and spec.codelist is None and draft.text == scheme_text(draft.scheme):
            self._remember(name, spec, draft)
        self._keep()

    def drop(self, name: str) -> None:
        """Back to what the session has."""
        self._load(name)
        self._keep()

    def source(self, name: str) -> str:
        """Where the recode shown comes from, in words."""
        spec = self._spec(name)
        if self.touched(name):
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
        texts = [notice.text for notice in draft.recoding().notices]
        assert self._prepared is not None
        if draft.truncate is not None and not self._prepared.metadata[name].truncable:
            texts.append(translate("The metadata does not say that truncation makes sense for this variable."))
        path = draft.codelist
        if path is not None and not self.new_labels(name):
            texts.append(
                translate("The codelist {file} cannot be read: new codes have no labels.").format(file=path.name)
            )
        return "\n".join(texts)

    def new_labels(self, name: str) -> Mapping[str, str]:
        """Labels of the codes after recoding: of the codelist that the draft names, if it can be read; else made."""
        path = self[name].codelist
        if path is None:
            return self._made_labels(name)
        if path not in self._labels:
            from core.io.codelist import read_codelist

            try:
                self._labels[path] = read_codelist(path)
            except PavoError:
                return {}
        return self._labels[path]

    def _made_labels(self, name: str) -> Mapping[str, str]:
        draft = self[name]
        if self._prepared is None:
            return {}
        if self._made_of[0] is not draft:
            self._made_of = draft, self.labels_of(name)(draft).new
        return self._made_of[1]

    def labels_of(self, name: str) -> Callable[[Draft], Labels]:
        """Makes a draft's labels, in whichever thread; of new codes only where it names no codelist."""
        assert self._prepared is not None
        own, ranges = self._prepared.labels.get(name, {}), self._prepared.metadata[name].missing_ranges

        def labels(draft: Draft) -> Labels:
            from core.recoding.default_labels import default_labels

            if draft.is_empty or draft.scheme.codelist is not None:
                return Labels(own, {})
            return Labels(own, default_labels(draft.column, draft.recoding(), own, ranges))

        return labels

    def know_labels(self, draft: Draft, labels: Mapping[str, str]) -> None:
        """Take up what `labels_of` made of a draft."""
        if draft.codelist is None:
            self._made_of = draft, labels

    def _spec(self, name: str) -> Recode | None:
        return next((r for r in self._document.recipe.recodes if r.variable == name), None)

    def _folder(self, name: str) -> Path | None:
        """Where a codelist without a folder is looked for: beside the variable's own, else beside the data."""
        assert self._prepared is not None
        own, data = self._prepared.metadata[name].codelist, self._document.recipe.input.data
        beside = own or data
        return None if beside is None else beside.absolute().parent

    def _made(self, name: str) -> Draft:
        assert self._prepared is not None
        spec = self._spec(name)
        found = self._known.get((name, spec))
        if found is None:
            column, variable = self._prepared.microdata.columns[name], self._prepared.metadata[name]
            found = Draft.of(column, spec, variable.start > 0, self._folder(name))
            self._remember(name, spec, found)
        return found

    def _remember(self, name: str, spec: Recode | None, draft: Draft) -> None:
        if spec is not None and spec.scheme_file is not None:  # the file may be another one by then
            return
        while len(self._known) >= _FEW:
            del self._known[next(iter(self._known))]
        self._known[name, spec] = draft

    def _load(self, name: str) -> None:
        made = self._made(name)
        self._drafts[name], self._bases[name] = made, (self._spec(name), made)

    def _keep(self) -> None:
        plain = {name: self._drafts[name].plain() for name in self.all_touched()}
        if plain:
            self._document.drafts[_KEPT] = plain
        else:
            self._document.drafts.pop(_KEPT, None)


def with_recode(recipe: Recipe, variable: str, recode: Recode | None) -> Recipe:
    """The recipe with this recode in place of the variable's own; None takes that away."""
    others = tuple(r for r in recipe.recodes if r.variable != variable)
    if recode is None:
        return recipe.with_(recodes=others)
    place = next((i for i, r in enumerate(recipe.recodes) if r.variable == variable), len(others))
    return recipe.with_(recodes=(*others[:place], recode, *others[place:]))
