"""A recode that is being made: one immutable scheme, and the text in which it is being written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..base.errors import PavoError
from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, parse_scheme, read_scheme, scheme_text
from ..formats.argus.text_files import find_beside, is_file
from ..recipe.model import Recode
from .grouping import EMPTY, outcome, outline
from .intervals import truncation
from .recoding import Recoding
from .truncate import truncate

NOTHING_WRITTEN = ""


@dataclass(frozen=True)
class Draft:
    """The draft of one variable's recode. `column` is its outline: codes and counts, no records.

    Attributes
    ----------
    column : EncodedColumn
    fixed : whether codes stand in a field of fixed width
    scheme : the last scheme that could be carried out; `EMPTY` recodes nothing
    truncate : characters cut from the right, while the scheme is still the one that this makes
    folder : where a codelist named without a folder is looked for
    text : what is written; that of `scheme` unless `error` says why it is no scheme
    error : what is wrong with `text`, with values `line` and `column`
    """

    column: EncodedColumn
    fixed: bool = True
    scheme: Scheme = EMPTY
    truncate: int | None = None
    folder: Path | None = None
    text: str = NOTHING_WRITTEN
    error: PavoError | None = None

    @classmethod
    def of(cls, column: EncodedColumn, recode: Recode | None, fixed: bool, folder: Path | None) -> Draft:
        """The draft that says what a recipe says; what is wrong with it stands in `error`.

        `folder` is that of the variable's own codelist, if it has one.
        """
        empty = cls(outline(column), fixed, folder=folder)
        if recode is None:
            return empty
        if recode.scheme_file is not None:
            folder = recode.scheme_file.absolute().parent
        like = Scheme((), recode.missing or (), _name_in(folder, recode.codelist))
        empty = replace(empty, folder=folder)
        try:
            if recode.truncate is not None:
                return empty.truncated(recode.truncate, like)
            if recode.scheme_file is not None:
                scheme = read_scheme(recode.scheme_file)
            else:
                scheme = parse_scheme(recode.scheme or "", recode.variable)
        except PavoError as error:
            return replace(empty, text=recode.scheme or "", error=error)
        scheme = replace(scheme, missing=like.missing or scheme.missing, codelist=like.codelist or scheme.codelist)
        return empty.with_scheme(scheme)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is recoded."""
        return not self.scheme.lines

    @property
    def codelist(self) -> Path | None:
        """The file that the scheme's codelist names."""
        name = self.scheme.codelist
        if name is None:
            return None
        return Path(name) if self.folder is None else find_beside(self.folder, name)

    def written(self, text: str) -> Draft:
        """The draft with this text: its scheme, or the scheme as it was and an error."""
        if not text.strip():
            return replace(self, scheme=EMPTY, truncate=None, text=text, error=None)
        try:
            scheme = parse_scheme(text)
            done = self._outcome if scheme == self.scheme else outcome(self.column, scheme, fixed=self.fixed)
        except PavoError as error:
            return replace(self, text=text, error=error)
        kept = self.truncate if scheme.lines == self.scheme.lines else None
        made = replace(self, scheme=scheme, truncate=kept, text=text, error=None)
        made.__dict__["_outcome"] = done
        return made

    def with_scheme(self, scheme: Scheme) -> Draft:
        """The draft with this scheme, written in its normal form."""
        if not scheme.lines:
            return replace(self, scheme=EMPTY, truncate=None, text=NOTHING_WRITTEN, error=None)
        return replace(self, truncate=None).written(scheme_text(scheme))

    def truncated(self, digits: int, like: Scheme | None = None) -> Draft:
        """The draft that cuts `digits` characters from the right of every code; raises as `truncate` does."""
        like = self.scheme if like is None else like
        truncate(self.column, digits, like.missing or None)
        made = self.with_scheme(truncation(self.column, digits, Scheme((), like.missing, like.codelist)))
        return replace(made, truncate=digits)

    def recoding(self) -> Recoding:
        """What becomes of the codes; raises where the scheme recodes nothing."""
        if self.truncate is not None:
            return self._truncated
        return self._outcome

    @cached_property
    def _outcome(self) -> Recoding:
        """What the scheme makes of the codes; of tens of thousands it takes long, and is asked for often."""
        return outcome(self.column, self.scheme, fixed=self.fixed)

    @cached_property
    def _truncated(self) -> Recoding:
        assert self.truncate is not None
        return truncate(self.column, self.truncate, self.scheme.missing or None)

    def becomes(self) -> tuple[str, ...]:
        """New code of every code of the column."""
        return self._becomes

    @cached_property
    def _becomes(self) -> tuple[str, ...]:
        if self.is_empty:
            return tuple(self.column.codes)
        done = self.recoding()
        return tuple(done.column.codes[new] for new in done.lut.tolist())

    def missing(self) -> tuple[str, ...]:
        """Missing codes after recoding."""
        return self.scheme.missing or tuple(self.column.codes[self.column.n_valid :])

    def recode(self) -> Recode | None:
        """The draft as a recipe says it: inline, with its codelist named outright; None recodes nothing."""
        if self.is_empty:
            return None
        name = self.column.name
        if self.truncate is not None:
            return Recode(name, truncate=self.truncate, missing=self.scheme.missing or None, codelist=self.codelist)
        return Recode(name, scheme=scheme_text(self.scheme), codelist=self.codelist)

    def says_the_same(self, other: Draft) -> bool:
        """Whether both recode alike; half-written text is a difference."""
        if (self.error is None) != (other.error is None):
            return False
        if self.error is not None and self.text != other.text:
            return False
        mine, theirs = self.scheme, other.scheme
        same = (mine.lines, mine.missing, self.truncate) == (theirs.lines, theirs.missing, other.truncate)
        return same and self.codelist == other.codelist

    def scheme_for(self, folder: Path) -> Scheme:
        """The scheme as a file in `folder` says it: its codelist by name where it lies there, else by its path."""
        path = self.codelist
        if path is None or not is_file(path):
            return self.scheme
        return replace(self.scheme, codelist=_name_in(folder, path))

    def plain(self) -> dict[str, Any]:
        """Plain values from which `restored` makes the draft again."""
        return {"text": self.text, "truncate": self.truncate, "folder": str(self.folder) if self.folder else None}

    def restored(self, plain: Mapping[str, Any]) -> Draft:
        """The same draft with the text that `plain` kept."""
        folder = Path(plain["folder"]) if plain.get("folder") else self.folder
        made = replace(self, folder=folder).written(str(plain.get("text", "")))
        digits = plain.get("truncate")
        return replace(made, truncate=digits) if isinstance(digits, int) and made.error is None else made


def _name_in(folder: Path | None, path: Path | None) -> str | None:
    """What a scheme in `folder` calls a file: its name where it lies there, else its whole path."""
    if path is None:
        return None
    beside = folder is not None and path.absolute().parent == folder.absolute()
    return path.name if beside else str(path.absolute())
