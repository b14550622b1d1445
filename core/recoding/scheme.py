"""Global recoding by a scheme: always of the original codes, a later line wins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine, scheme_text
from ..formats.argus.text_files import BLANKS
from .recoding import CodeWidth, Recoding, longest, moved_missing, recoded_column


def apply_scheme(
    column: EncodedColumn, scheme: Scheme, missing: tuple[str, ...] | None = None, *, fixed: bool = True
) -> Recoding:
    """Recode a column of original codes.

    Single codes are compared without surrounding blanks, ranges bytewise on fields: bounds are padded with blanks
    on the left to the field's width, and both belong to the range. A range never includes a missing code. A code
    that no item names keeps itself. With new missing codes the old missing code i becomes the new one i, the last
    new one where there are fewer; a new code equal to a missing code makes its codes missing.

    Parameters
    ----------
    column : EncodedColumn
        As read from the file.
    scheme : Scheme
    missing : tuple of str, optional
        New missing codes in place of those of the scheme; without either the old ones stay.
    fixed : bool
        Whether codes stand in a field that a code of the scheme can be too long for.

    Returns
    -------
    Recoding
        Its width is the length of the longest new code, untouched code or missing code.

    Raises
    ------
    RecipeError
        With values `line` and `column` (1-based): a code is longer than the field, a range's lower bound is above
        the upper one, or a missing code would become a valid one.
    """
    new_missing = _new_missing(column, scheme, missing)
    assignment = _Assignment(column, scheme, new_missing, fixed)
    for number, line in enumerate(scheme.lines):
        for item in line.items:
            assignment.assign(number, line, item)
    return assignment.recoding()


def _new_missing(column: EncodedColumn, scheme: Scheme, missing: tuple[str, ...] | None) -> tuple[str, ...]:
    given = missing or scheme.missing or column.codes[column.n_valid :]
    return tuple(dict.fromkeys(code.strip(BLANKS) for code in given))


class _Assignment:
    """Which line of the scheme each valid code is assigned to, so far."""

    def __init__(self, column: EncodedColumn, scheme: Scheme, missing: tuple[str, ...], fixed: bool) -> None:
        self.column, self.scheme, self.missing, self.fixed = column, scheme, missing, fixed
        self.measure = CodeWidth(column)
        self.width = column.width if fixed else max(column.width, longest(self.measure, _bounds(scheme)))
        self.valid = dict(zip(column.codes[: column.n_valid], range(column.n_valid), strict=True))
        self.old_missing = {code: index for index, code in enumerate(column.codes[column.n_valid :])}
        fields = self.measure.padded(column.padded[: column.n_valid], self.width)
        self.order: NDArray[np.intp] = np.array(sorted(range(len(fields)), key=fields.__getitem__), np.intp)
        self.fields = sorted(fields)
        self.line: NDArray[np.int64] = np.full(len(fields), -1, np.int64)
        self.times: NDArray[np.int64] = np.zeros(len(fields), np.int64)
        self.from_missing: dict[int, str] = {}
        self.nonsense: list[str] = []

    def assign(self, number: int, line: SchemeLine, item: SchemeItem) -> None:
        """Assign what `item` names to line `number`."""
        found = self._range(item) if item.is_range else self._single(line, item)
        self.line[found] = number
        self.times[found] += 1

    def recoding(self) -> Recoding:
        """The column after all assignments."""
        old = self.column.codes
        lines = self.scheme.lines
        valid = [lines[n].code if n >= 0 else old[i] for i, n in enumerate(self.line.tolist())]
        untouched = tuple(old[i] for i in np.flatnonzero(self.times == 0).tolist())
        new = {line.code for line in lines}
        column, lut = recoded_column(
            self.column,
            valid + self._missing_codes(),
            self.missing,
            longest(self.measure, (*new, *untouched, *self.missing)),
        )
        return Recoding(
            column,
            lut,
            untouched=untouched,
            overlapping=tuple(old[i] for i in np.flatnonzero(self.times > 1).tolist()),
            nonsense=tuple(self.nonsense),
            merged=tuple(code for code in untouched if code in new and code not in self.missing),
            lost=tuple(code for code in untouched if code in self.missing),
            blanked=tuple(old[i] for i, n in enumerate(self.line.tolist()) if n >= 0 and lines[n].code in self.missing),
            text=scheme_text(self.scheme),
        )

    def _missing_codes(self) -> list[str]:
        moved = moved_missing(list(self.old_missing), self.missing)
        return [self.from_missing.get(i, code) for i, code in enumerate(moved)]

    def _single(self, line: SchemeLine, item: SchemeItem) -> list[int]:
        code = (item.low or "").strip(BLANKS)
        self._check_length(code, item)
        if code in self.valid:
            return [self.valid[code]]
        if code not in self.old_missing:
            self.nonsense.append(item.text)
        elif line.code in self.missing:
            self.from_missing[self.old_missing[code]] = line.code
        else:
            self._fail(
                item,
                "recode-missing-to-valid",
                mark(
                    "{where}, line {line}, position {column}: {code} is a missing code of {variable} and would become "
                    "the valid code {new}."
                ),
                mark("Remove it from the line, or give {new} as a missing code."),
                code=code,
                new=line.code,
            )
        return []

    def _range(self, item: SchemeItem) -> NDArray[np.intp]:
        low, high = self._bound(item.low, item), self._bound(item.high, item)
        if low is not None and high is not None and low > high:
            self._fail(
                item,
                "recode-bounds",
                mark(
                    "{where}, line {line}, position {column}: in the range {range} of {variable} the lower bound "
                    "comes after the upper one; codes are compared character by character."
                ),
                mark("Exchange the bounds."),
                range=item.text,
            )
        first = 0 if low is None else bisect_left(self.fields, low)
        end = len(self.fields) if high is None else bisect_right(self.fields, high)
        if first >= end:
            self.nonsense.append(item.text)
        return self.order[first:end]

    def _bound(self, text: str | None, item: SchemeItem) -> str | None:
        if text is None:
            return None
        if self.measure.length(text) > self.width:
            text = text.strip(BLANKS)
        self._check_length(text, item)
        return self.measure.pad(text, self.width)

    def _check_length(self, code: str, item: SchemeItem) -> None:
        # Characters: a column of ASCII codes does not show how many bytes another character takes.
        if self.fixed and len(code) > self.width:
            self._fail(
                item,
                "recode-code-too-long",
                mark(
                    "{where}, line {line}, position {column}: code {code} is longer than the field of {variable} "
                    "({width} characters)."
                ),
                mark("Correct the code."),
                code=code,
                width=self.width,
            )

    def _fail(self, item: SchemeItem, id: str, template: str, hint: str, **values: Any) -> NoReturn:
        raise RecipeError(
            id,
            template,
            hint,
            where=self.scheme.where,
            variable=self.column.name,
            line=item.line,
            column=item.column,
            **values,
        )


def _bounds(scheme: Scheme) -> list[str]:
    return [bound for line in scheme.lines for item in line.items for bound in (item.low, item.high) if bound]
