"""Changes to a numerical variable: rounding, top and bottom coding, noise on weights.

Arithmetic is decimal and exact, on the numbers as they are written: 0.3 is a multiple of 0.1, and 2.675 lies halfway
between 2.67 and 2.68. Missing codes and blanks stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, plural, translate
from core.data.columns import EncodedColumn
from core.data.encoding import smallest_type
from core.data.variables import Variable
from core.data.weights import parse_text
from core.recipe.model import Numeric

BINS = 40
MOST_PLACES = 15
"""Decimals that a base of rounding may need: more are never meant, and every number would be written with them."""
_EXACT = Context(prec=5000, rounding=ROUND_HALF_UP)
"""Room for every number that a field can hold."""
_BLOCK = 1 << 13


@dataclass(frozen=True, eq=False)
class Distribution:
    """A numerical variable in one state of the file.

    Attributes
    ----------
    numbers : records with a number
    others : records without one: missing, blank, or with a replacement that is no number
    least, greatest, mean : of the numbers; None where there is none
    records : (bins,) int64, in the classes of `Comparison.edges`
    """

    numbers: int
    others: int
    least: float | None
    greatest: float | None
    mean: float | None
    records: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A numerical variable before and after a change.

    Attributes
    ----------
    edges : (bins + 1,) float64, common to both
    changed : records with another number or text than before
    """

    edges: NDArray[np.float64]
    before: Distribution
    after: Distribution
    changed: int


def modify(
    column: EncodedColumn, spec: Numeric, variable: Variable, *, decimal: str = ".", seed: int | Sequence[int] = 1,
    progress: Progress = SILENT,
) -> EncodedColumn:  # fmt: skip
    """`column` as the safe file has it: first rounded, then cut at top and bottom, then with noise.

    Rounded numbers are multiples of the base nearest to the original ones, halves away from zero, with the decimals of
    the variable or, if it has more, of the base. A number at or beyond a cut, tested after rounding, becomes the
    replacement. Noise multiplies each record's number by 1 + u, u uniform between minus and plus the fraction, and
    keeps the number's decimals or the variable's, if it has more.

    Parameters
    ----------
    column : the variable's texts as codes
    decimal : decimal mark of the file
    seed : of the noise; where it may be guessed, together with what only the owner of the original file knows:
        whoever has all of it can divide the noise out again

    Raises
    ------
    DataError
        A text that is neither a number nor a missing code.
    RecipeError
        A base with too many decimals.
    """
    check_base(spec)
    missing = tuple(column.codes[column.n_valid :])
    with localcontext(_EXACT):
        texts = [_changed(text, spec, variable, decimal) for text in _numbers_only(column, variable, decimal)]
        if not spec.noise:
            return _recoded(column, texts, missing)
        values = np.minimum(column.values, column.n_valid)
        factors = _factors(len(values), spec.noise, seed)
        noisy = list(_noisy(values, texts, factors, variable.decimals, decimal, progress))
    distinct = list(dict.fromkeys(text for text in noisy if text is not None))
    place = {text: number for number, text in enumerate(distinct)}
    own = column.values.astype(np.int64) - column.n_valid + len(distinct)
    found = np.array([-1 if text is None else place[text] for text in noisy], np.int64)
    codes = (*distinct, *missing)
    indices: NDArray[np.unsignedinteger] = np.where(found < 0, own, found).astype(smallest_type(len(codes)))
    of_file = replace(column, values=indices, codes=codes, padded=codes, n_valid=len(distinct))
    return _recoded(of_file, distinct, missing)


def compare(
    column: EncodedColumn, spec: Numeric, variable: Variable, *, decimal: str = ".", seed: int | Sequence[int] = 1,
    bins: int = BINS, progress: Progress = SILENT,
) -> Comparison:  # fmt: skip
    """The distribution before and after `modify`, in classes of equal width over both."""
    after = modify(column, spec, variable, decimal=decimal, seed=seed, progress=progress)
    numbers = [_floats(one, decimal) for one in (column, after)]
    there = np.concatenate([found[~np.isnan(found)] for found in numbers])
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    states = [_distribution(one, found, edges) for one, found in zip((column, after), numbers, strict=True)]
    old, new = (np.array(one.codes, dtype=object)[one.values] for one in (column, after))
    return Comparison(edges, states[0], states[1], int((old != new).sum()))


def plain(column: EncodedColumn, decimal: str) -> EncodedColumn:
    """`column` with its numbers as a file of numbers tells them: no needless zeros, a decimal point."""
    missing = tuple(column.codes[column.n_valid :])
    texts = []
    for text in column.codes[: column.n_valid]:
        value = parse_text(text, decimal)
        if value is not None:
            text = f"{value:f}" if value else "0"
            text = text.rstrip("0").rstrip(".") if "." in text else text
        texts.append(text)
    return _recoded(column, texts, missing)


def round_to(value: Decimal, base: Decimal) -> Decimal:
    """The multiple of `base` (> 0) nearest to `value`, halves away from zero; exact."""
    with localcontext(_EXACT):
        times, rest = divmod(abs(value), base)
        rounded = (times + 1 if 2 * rest >= base else times) * base
        return rounded if value > 0 else -rounded if rounded else Decimal(0)


def places(number: float) -> int:
    """Decimals of a number as it is typed: 0.05 has 2."""
    return max(-int(_as_typed(number).normalize().as_tuple().exponent), 0)


def check_base(spec: Numeric, key: str = "round") -> None:
    """Refuse a base of rounding that needs more than `MOST_PLACES` decimals.

    Raises
    ------
    RecipeError
    """
    if spec.round is not None and places(spec.round) > MOST_PLACES:
        raise RecipeError(
            "numeric-base-too-fine",
            mark("{key}: {base} needs {places} decimals in {variable}; at most {most} are possible."),
            mark("Round to multiples of a larger number."),
            key=key,
            base=repr(spec.round),
            places=places(spec.round),
            variable=spec.variable,
            most=MOST_PLACES,
        )


def _as_typed(number: float) -> Decimal:
    return Decimal(repr(number))


def _numbers_only(column: EncodedColumn, variable: Variable, decimal: str) -> list[str]:
    """The valid codes, each of which is a number or blank."""
    codes = column.codes[: column.n_valid]
    wrong = [i for i, text in enumerate(codes) if text and parse_text(text, decimal) is None]
    if wrong:
        records = np.flatnonzero(np.isin(column.values, wrong))
        raise DataError(
            "numeric-not-a-number",
            plural(
                len(records),
                "Variable {variable} is not a number in record {record}.",
                "Variable {variable} is not a number in {count} records, the first of which is record {record}.",
            ),
            mark("Correct the data, declare a missing code, or check the variable's place and the decimal mark."),
            variable=variable.name,
            count=len(records),
            record=int(records[0]) + 1,
        )
    return list(codes)


def _changed(text: str, spec: Numeric, variable: Variable, decimal: str) -> str:
    value = parse_text(text, decimal)
    if value is None:
        return text
    if spec.round is not None:
        value = round_to(value, _as_typed(spec.round))
        text = _printed(value, max(variable.decimals, places(spec.round)), decimal)
    for cut, direction in ((spec.top, 1), (spec.bottom, -1)):
        if cut is not None and (value - _as_typed(cut.at)) * direction >= 0:
            return cut.replacement.strip()
    return text


def _printed(value: Decimal, decimals: int, decimal: str) -> str:
    text = f"{value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    return text.replace(".", decimal)


def _factors(n: int, fraction: float, seed: int | Sequence[int]) -> Iterator[Decimal]:
    # A stream of its own: the order of records is drawn from the first one of the same seed.
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,))))
    width = _as_typed(fraction)
    for start in range(0, n, _BLOCK):
        for u in random.random(min(_BLOCK, n - start)).tolist():
            yield 1 + width * (2 * Decimal(u) - 1)


def _noisy(
    values: NDArray[np.unsignedinteger], texts: list[str], factors: Iterator[Decimal], decimals: int, decimal: str,
    progress: Progress,
) -> Iterator[str | None]:  # fmt: skip
    """Each record's text with noise; None where its value is missing, its text where it is no number."""
    numbers = [parse_text(text, decimal) for text in texts]
    digits = [max(decimals, -int(n.as_tuple().exponent)) if n is not None else 0 for n in numbers]
    for start in range(0, len(values), _BLOCK):
        progress.check()
        progress.report(start, len(values), translate(mark("Adding noise")))
        for code in values[start : start + _BLOCK].tolist():
            factor = next(factors)
            if code == len(texts):
                yield None
                continue
            number = numbers[code]
            yield texts[code] if number is None else _printed(number * factor, digits[code], decimal)


def _recoded(column: EncodedColumn, texts: list[str], missing: tuple[str, ...]) -> EncodedColumn:
    """`column` with other texts in place of its valid codes; one that is a missing code counts as missing."""
    valid = [text for text in dict.fromkeys(texts) if text not in missing]
    codes = (*valid, *missing)
    place = {text: number for number, text in reversed(tuple(enumerate(codes)))}
    lut = np.array([place[text] for text in (*texts, *missing)], np.int64)
    values = lut[column.values].astype(smallest_type(len(codes)))
    counts = np.bincount(values, minlength=len(codes)).astype(np.int64)
    width = max(map(len, codes), default=1)
    return EncodedColumn(column.name, values, codes, codes, counts, len(valid), max(width, 1))


def _floats(column: EncodedColumn, decimal: str) -> NDArray[np.float64]:
    """Each code as a number; nan where it is none or missing."""
    parsed = [parse_text(text, decimal) for text in column.codes[: column.n_valid]]
    numbers = [np.nan if value is None else float(value) for value in parsed]
    return np.array([*numbers, *([np.nan] * column.n_missing_codes)], np.float64)


def _distribution(column: EncodedColumn, numbers: NDArray[np.float64], edges: NDArray[np.float64]) -> Distribution:
    there = ~np.isnan(numbers) & (column.counts > 0)
    found, counts = numbers[there], column.counts[there]
    records = np.histogram(found, edges, weights=counts.astype(np.float64))[0]
    total = int(counts.sum())
    empty = not total
    return Distribution(
        numbers=total,
        others=int(column.counts.sum()) - total,
        least=None if empty else float(found.min()),
        greatest=None if empty else float(found.max()),
        mean=None if empty else float(np.average(found, weights=counts)),
        records=records.astype(np.int64),
    )
