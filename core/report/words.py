"""Words that several parts of the report share: names of models and rules, numbers in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.inputs import TableFacts
from core.report.numbers import count, one_in, threshold
from core.texts import mark
from core.texts import translate as _

MODELS = {
    "individual-risk": mark("individual risk"),
    "frequency": mark("threshold rule"),
    "k-anonymity": mark("k-anonymity"),
}

MISSING_RULES = {
    "observed": mark("observed: a missing value never makes another record safer"),
    "wildcard": mark("wildcard: a missing value agrees with every value"),
    "category": mark("category: a missing value is a value like any other"),
    "listwise": mark("listwise: records with a missing key value are left out"),
}

MODES = {
    "original-counts": mark("each record judged by the original file"),
    "released-counts": mark("judged by the released file, blanks match anything"),
}

CRITERIA = {
    "none": mark("none"),
    "entropy": mark("entropy: lose the least information"),
    "weights": mark("suppression weights: 0 goes first, 100 last"),
}

HOUSEHOLD_RULES = {
    "sufficient": mark("every member of an unsafe household is brought below the threshold divided by its size"),
    "exact": mark("the risk of every household is brought below the threshold, at the least loss"),
}

FORMATS = {
    "fixed": mark("fixed format"),
    "delimited": mark("delimited text"),
    "spss": mark("SPSS system file"),
    "stata": mark("Stata file"),
    "sas": mark("SAS file"),
    "parquet": mark("Parquet file"),
    "excel": mark("Excel workbook"),
}


def counted(number: int, one: str, many: str) -> str:
    """``1 record`` or ``12 records``; `one` and `many` are translatable texts with a place ``{n}``."""
    return _(one if number == 1 else many).format(n=count(number))


def records(number: int) -> str:
    """A number of records in a sentence."""
    return counted(number, mark("{n} record"), mark("{n} records"))


def values(number: int) -> str:
    """A number of suppressed values in a sentence."""
    return counted(number, mark("{n} suppressed value"), mark("{n} suppressed values"))


def names(items: Sequence[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    if len(items) < 2:
        return "".join(items)
    return _("{several} and {last}").format(several=", ".join(items[:-1]), last=items[-1])


def risk(value: float) -> str:
    """A risk or threshold in a sentence, with what it means: ``0.00125 (1 in 800)``."""
    ratio = one_in(value)
    return f"{threshold(value)} ({ratio})" if ratio else threshold(value)


def table_name(table: TableFacts) -> str:
    """A combination's name: its variables joined by ``×``."""
    return " × ".join(table.variables)


def is_risk(table: TableFacts) -> bool:
    """Whether the table is judged by individual or household risk."""
    return table.model == "individual-risk"
