"""Global recoding by truncation: characters removed from the right of the field."""

from __future__ import annotations

from ..base.errors import RecipeError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..formats.argus.text_files import BLANKS
from .recoding import CodeWidth, Recoding, longest, moved_missing, recoded_column


def truncate(column: EncodedColumn, digits: int, missing: tuple[str, ...] | None = None) -> Recoding:
    """Remove the last `digits` characters of every valid code's field.

    A code that is shorter than the field counts with its blanks: of a right-aligned ``1`` in a field of two
    nothing is left but a blank. Missing codes stay, or become those given.

    Parameters
    ----------
    column : EncodedColumn
        As read from the file.
    digits : int
        1 to one less than the field's width.
    missing : tuple of str, optional
        New missing codes; the old one i becomes the new one i, the last where there are fewer.

    Raises
    ------
    RecipeError
        `digits` is out of range.
    """
    _check_digits(column, digits)
    old_missing = column.codes[column.n_valid :]
    new_missing = tuple(dict.fromkeys(code.strip(BLANKS) for code in missing or old_missing))
    fields = [field[:-digits] for field in column.padded[: column.n_valid]]
    codes = [field.strip(BLANKS) for field in fields]
    kept = moved_missing(old_missing, new_missing)
    width = longest(CodeWidth(column), (*fields, *new_missing))
    recoded, lut = recoded_column(column, codes + kept, new_missing, width)
    return Recoding(
        recoded,
        lut,
        lost=tuple(old for old, new in zip(column.codes, codes, strict=False) if new in new_missing),
        kind="truncate",
        truncated=digits,
        text="1 digit has been truncated" if digits == 1 else f"{digits} digits have been truncated",
    )


def _check_digits(column: EncodedColumn, digits: int) -> None:
    if not 1 <= digits < column.width:
        raise RecipeError(
            "truncate-digits",
            mark("{variable} cannot be truncated by {digits} characters: its codes have {width}."),
            mark("Choose a number from 1 to {most}.") if column.width > 1 else mark("Recode it instead."),
            variable=column.name,
            digits=digits,
            width=column.width,
            most=column.width - 1,
        )
