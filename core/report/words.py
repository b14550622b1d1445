"""Words that several parts of the report share: names of models and rules, numbers in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.texts import mark, plural
from ..base.texts import translate as _
from ..risk.measures.shown import Headline
from .facts import TableFacts
from .numbers import Limit, NamedLimit, beside, column, count, limit, one_in

MISSING_RULES = {
    "observed": mark("observed: a missing value never makes another record safer"),
    "wildcard": mark("wildcard: a missing value agrees with every value"),
    "category": mark("category: a missing value is a value like any other"),
    "listwise": mark("listwise: records with a missing key value are left out"),
}

MODES = {
    "original-counts": mark("each record judged by the original file"),
    "released-keys": mark("each record judged by its released key, a blank being a value of its own"),
}

CRITERIA = {
    "none": mark("none"),
    "entropy": mark("entropy: lose the least information"),
    "weights": mark("suppression weights: 0 goes first, 100 last"),
}

HOUSEHOLD_RULE = mark("every member of an unsafe household is brought below the threshold divided by its size")

FORMATS = {
    "fixed": mark("fixed format"),
    "delimited": mark("delimited text"),
    "spss": mark("SPSS system file"),
    "stata": mark("Stata file"),
    "sas": mark("SAS file"),
    "parquet": mark("Parquet file"),
    "excel": mark("Excel workbook"),
}


def counted(number: int, one: str, many: str, **places: str) -> str:
    """``1 record`` or ``12 records``; `one` and `many` are literals with a place ``{n}``, and `places`."""
    return _(plural(number, one, many)).format(n=count(number), **places)


def headline(said: Headline) -> str:
    """What a measure comes to, in words."""
    written = {place: column([value], spec)[0] for place, (value, spec) in said.values.items()}
    return _(said.text).format(**written)


def records(number: int) -> str:
    """A number of records in a sentence."""
    return counted(number, "{n} record", "{n} records")


def values(number: int) -> str:
    """A number of suppressed values in a sentence."""
    return counted(number, "{n} suppressed value", "{n} suppressed values")


def names(items: Sequence[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    if len(items) < 2:
        return "".join(items)
    return _("{several} and {last}").format(several=", ".join(items[:-1]), last=items[-1])


def risk_beside(value: float, digits: int, at: Limit | None) -> str:
    """A risk to so many digits, or as many more as tell it from its threshold where it is below, with what it means."""
    return _with_ratio(beside(value, digits, at), one_in(value, at))


def _with_ratio(number: str, ratio: str) -> str:
    return f"{number} ({ratio})" if ratio else number


def limits(table: TableFacts) -> tuple[Limit | None, Limit | None]:
    """The thresholds of the individual and of the household risk, as they are shown beside the table's risks."""
    states = [s for s in (table.original, table.recoded, table.safe, table.released) if s]
    of_records = [s.individual.max_risk for s in states if s.individual]
    of_homes = [s.household.max_risk for s in states if s.household]
    actual = None if table.actual is None else table.actual.level
    lowest = [level for level in (actual, table.group_max) if level is not None]
    individual, household = table.threshold, table.household_threshold
    return (
        None if individual is None else _limit(individual, table.named[0], *of_records, *lowest),
        None if household is None else _limit(household, table.named[1], *of_homes, *lowest),
    )


def _limit(value: float, name: str, *beside: float) -> Limit:
    return NamedLimit(1.0, 1.0, name) if name else limit(value, *beside)


def threshold_text(at: Limit | None) -> str:
    """A threshold in a sentence, with what it means."""
    return "" if at is None else at.text if isinstance(at, NamedLimit) else _with_ratio(at.text, one_in(at.shown))


def table_name(table: TableFacts) -> str:
    """A combination's name: its variables joined by ``×``."""
    return " × ".join(table.variables)
