"""Ways of coding a variable more coarsely that keep what its codes mean: digits, levels, another column, bands."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PavoError
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..formats.argus.recode_scheme import Scheme, scheme_text
from ..formats.argus.text_files import BLANKS
from ..metadata.guess_use import is_called_nominal, is_classification, is_quantity, says_none
from ..recipe.model import Recode
from ..recoding.dates import are_dates, read_dates
from ..recoding.grouping import outline, scheme_of
from ..recoding.intervals import by_prefix, equal_width, prefix_levels, quantiles
from ..recoding.recode import recode
from ..tables.grouping import blocks

Kind = Literal["truncate", "prefix", "column", "bands", "quantiles", "years"]
_BANDS = (20, 10, 5)
"""Numbers of bands that are tried; their width is the next round one."""
_YEARS = (1, 10)
"""Years of dates that become one code."""
_LONG = 3
"""Characters from which beginnings of equally long codes may be a level of a hierarchy."""
_DENSE = 1.5
"""Numbers that run on with fewer gaps than this are counted up, and have no hierarchy by prefix."""
_FEW = 8
"""Codes from which a variable is looked for in other columns."""
_FIRST = 4096
"""Records by which most columns are seen not to be constant within the codes of another one."""


@dataclass(frozen=True, eq=False)
class CoarserCodes:
    """A recode of the original codes of a variable.

    Attributes
    ----------
    by : characters removed (truncate) or kept (prefix), width of a band, number of groups (quantiles),
        of years (years); 0: a column
    column : the column whose codes are taken, else empty
    recode : as the recipe says it
    onto : (n_valid,) int64, the place of each original valid code's category
    """

    variable: str
    kind: Kind
    by: float
    column: str
    recode: Recode
    onto: NDArray[np.int64]


def has_order(variable: Variable, column: EncodedColumn) -> bool:
    """Whether neighbouring codes may be merged: as the metadata says, else where its numbers are known quantities."""
    if variable.ordered is not None:
        return variable.ordered
    if is_called_nominal(variable):
        return False
    return (variable.numeric or is_quantity(variable)) and _numbers(column) is not None


def coarser_codes(
    column: EncodedColumn, variable: Variable, labels: Mapping[str, str], others: Collection[EncodedColumn] = ()
) -> Iterator[CoarserCodes]:
    """Ways of coding `column` more coarsely, each from its original codes.

    They are taken from another column that is constant within each of them; grouped by their beginnings where these are
    a level of a hierarchy (`is_level`), by truncation where the metadata allow it; put into bands where they have an
    order (`has_order`). A code whose label says that there is none joins no group by beginnings. Dates become years or
    decades, and nothing else.

    Parameters
    ----------
    column : as read from the file
    labels : its codelist
    others : columns of the same records, whose codes may be groups of these
    """
    for kind, by, other, spec in _specs(column, variable, labels, others):
        try:
            done = recode(outline(column), spec, variable)
        except PavoError:
            continue
        if not done.lost and not done.blanked and not done.merged and 1 < done.column.n_valid < column.n_valid:
            onto = done.lut[: column.n_valid].astype(np.int64)
            yield CoarserCodes(variable.name, kind, by, other, spec, onto)


def _specs(
    column: EncodedColumn, variable: Variable, labels: Mapping[str, str], others: Collection[EncodedColumn]
) -> Iterator[tuple[Kind, float, str, Recode]]:
    name, ordered, told = variable.name, has_order(variable, column), False
    for other in others if column.n_valid >= _FEW else ():
        if other.name != name and (assigned := _constant_within(column, other)) is not None:
            told = True
            yield "column", 0, other.name, Recode(name, scheme=scheme_text(scheme_of(column, assigned)))
    if are_dates(column.codes[: column.n_valid]):
        days = read_dates(column.codes[: column.n_valid])
        for years in _YEARS:
            of_code = {code: _years(day.year, years) for code, day in days.items()}
            yield "years", years, "", Recode(name, scheme=scheme_text(scheme_of(column, of_code)))
        return
    if variable.truncable:
        yield from _truncated(column, variable, labels, others)
    elif not ordered and not told:  # a column says the levels for certain
        yield from _levels(column, variable, labels, others)
    if ordered:
        for kind, by, scheme in _bands(column, fixed=variable.start > 0):
            yield kind, by, "", Recode(name, scheme=scheme_text(scheme))


def _truncated(
    column: EncodedColumn, variable: Variable, labels: Mapping[str, str], others: Collection[EncodedColumn]
) -> Iterator[tuple[Kind, float, str, Recode]]:
    """Without the last characters of each field; codes of none stay."""
    name, longest = variable.name, max(map(len, column.codes[: column.n_valid]), default=0)
    for digits in range(1, column.width):
        if not is_level(column, longest - digits, variable, labels, others):
            continue
        fields = (field[:-digits].strip(BLANKS) for field in column.padded[: column.n_valid])
        begins = dict(zip(column.codes, fields, strict=False))
        if not (stays := _of_none(begins, labels)):
            yield "truncate", digits, "", Recode(name, truncate=digits)
        elif all(begins.values()):
            scheme = scheme_of(column, {code: begin for code, begin in begins.items() if code not in stays})
            yield "prefix", column.width - digits, "", Recode(name, scheme=scheme_text(scheme))


def _levels(
    column: EncodedColumn, variable: Variable, labels: Mapping[str, str], others: Collection[EncodedColumn]
) -> Iterator[tuple[Kind, float, str, Recode]]:
    """Up to the levels of a hierarchy by prefix; codes of none stay."""
    codes = column.codes[: column.n_valid]
    for level in prefix_levels(column, labels):
        if is_level(column, level.length, variable, labels, others):
            stays = _of_none({code: code[: level.length] for code in codes}, labels)
            grouped = [code for code in codes if code not in stays] if stays else None
            made = by_prefix(column, level.length, codes=grouped, fixed=variable.start > 0)
            yield "prefix", level.length, "", Recode(variable.name, scheme=scheme_text(made))


def _years(year: int, together: int) -> str:
    """A year, or the decade that it is in."""
    return f"{year:04}" if together == 1 else f"{year - year % together:04}s"


def _of_none(begins: Mapping[str, str], labels: Mapping[str, str]) -> set[str]:
    """Codes labelled as none of the kind ("No job") that share their beginning with codes of the kind; they stay."""
    none = {code for code in begins if code in labels and says_none(labels[code])}
    of_kind = {begin for code, begin in begins.items() if code not in none}
    return {code for code in none if begins[code] in of_kind}


def is_level(
    column: EncodedColumn,
    length: int,
    variable: Variable,
    labels: Mapping[str, str],
    others: Collection[EncodedColumn] = (),
) -> bool:
    """Whether the first `length` characters of the codes are a broader level of a hierarchy.

    So they are where the codelist has them all as codes, and where the codes begin alike in groups and something tells
    that this has a meaning: another column that follows from the beginnings, the metadata (truncation allowed), a
    classification by name (ISCO, NACE), or by how its codes are written (NUTS, ICD). Numbers that are counted up, as
    those of places in the order of their names, begin alike by chance.
    """
    codes = column.codes[: column.n_valid]
    if length < 1:
        return False
    if all(code[:length] in labels for code in codes) and not is_counted_up(column):
        return True  # of numbers that are counted up some are the beginnings of others
    lengths = set(map(len, codes))
    if len(lengths) != 1 or length >= max(lengths) or (len(codes) < _FEW and not variable.truncable):
        return False
    begins = {code[:length] for code in codes}
    if not 1 < len(begins) < len(codes):
        return False
    if not is_counted_up(column):
        classified = variable.truncable or is_classification(variable) or _is_written_as_classification(codes)
        if classified and max(lengths) >= (2 if variable.truncable else _LONG):
            return True
    return any(_follows_from(column, other, length) for other in others if other.name != variable.name)


_WRITTEN = re.compile(r"[A-Z]{2}[0-9][0-9A-Z]{0,2}|[A-Z][0-9]{2}\.?[0-9A-Z]{0,4}|[0-9]{2}\.[0-9]{1,2}")
"""NUTS, ICD and NACE."""


def _is_written_as_classification(codes: Sequence[str]) -> bool:
    return all(_WRITTEN.fullmatch(code) is not None for code in codes)


def is_counted_up(column: EncodedColumn) -> bool:
    """Whether the codes are numbers that run on with few gaps, as those of a list do; few codes are not."""
    found = _numbers(column)
    return found is not None and len(found) >= _FEW and float(found.max() - found.min()) + 1 <= _DENSE * len(found)


def _follows_from(column: EncodedColumn, other: EncodedColumn, length: int) -> bool:
    """Whether each beginning of this length has one code of `other`, and hardly two of them the same."""
    begins = [code[:length] for code in column.codes[: column.n_valid]]
    if not 1 < other.n_valid <= len(set(begins)) <= 2 * other.n_valid:
        return False
    assigned = _constant_within(column, other)
    if assigned is None:
        return False
    found: dict[str, str] = {}
    return all(found.setdefault(code[:length], theirs) == theirs for code, theirs in assigned.items())


def named_by(coarser: CoarserCodes, metadata: Metadata) -> CoarserCodes:
    """The same with the codelist of the column whose codes are taken: its labels are those of the new codes."""
    if not coarser.column or coarser.column not in metadata:
        return coarser
    path = metadata[coarser.column].codelist
    return coarser if path is None else replace(coarser, recode=replace(coarser.recode, codelist=path))


def _constant_within(column: EncodedColumn, other: EncodedColumn) -> dict[str, str] | None:
    """The code of `other` by code of `column`; None unless each has exactly one, and they are at most half as many."""
    if not 1 < other.n_valid <= column.n_valid // 2:
        return None
    found = np.full(column.n_valid, -1, np.int64)
    for part in (slice(0, _FIRST), *blocks(len(column.values))):
        values, theirs = column.values[part], other.values[part].astype(np.int64)
        known = values < column.n_valid
        values, theirs = values[known], theirs[known]
        if (theirs >= other.n_valid).any():
            return None
        new = found.copy()
        new[values] = theirs
        if (new[values] != theirs).any() or ((found >= 0) & (new != found)).any():
            return None
        found = new
    if (found < 0).any() or len(np.unique(found)) < 2:
        return None
    return {code: other.codes[place] for code, place in zip(column.codes, found.tolist(), strict=False)}


def _bands(column: EncodedColumn, *, fixed: bool) -> Iterator[tuple[Kind, float, Scheme]]:
    numbers = _numbers(column)
    if numbers is not None and len(numbers) >= _FEW:
        extent = _extent(numbers)
        for width in dict.fromkeys(_round_width(extent / wanted) for wanted in _BANDS):
            yield "bands", width, equal_width(column, width, fixed=fixed)
        return
    for groups in dict.fromkeys((column.n_valid // 2, column.n_valid // 3)):
        if groups > 1:
            yield "quantiles", groups, quantiles(column, groups)


def _extent(numbers: NDArray[np.float64]) -> float:
    """How far the numbers reach; a largest one of nines far from the others (999 among ages) may be a missing code."""
    ordered = np.unique(numbers)
    rest = ordered[:-1]
    apart = len(rest) > 1 and set(f"{ordered[-1]:g}") == {"9"} and ordered[-1] - rest[-1] > rest[-1] - rest[0]
    reached = rest if apart else ordered
    return float(reached[-1] - reached[0]) + 1


def _round_width(least: float) -> float:
    """The smallest of …, 1, 2, 5, 10, 20, 50, … that is not below `least`, less a rounding."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * 0.8)


def _numbers(column: EncodedColumn) -> NDArray[np.float64] | None:
    """The valid codes as numbers; None where one is none, or there are none."""
    try:
        found = np.array([float(code) for code in column.codes[: column.n_valid]])
    except ValueError:
        return None
    return found if len(found) and bool(np.isfinite(found).all()) else None
