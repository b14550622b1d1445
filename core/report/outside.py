"""What outsiders are told of risk: the rules by which the file was judged, and what follows from them alone.

A figure of the original at full precision, beside the safe file and the rules of suppression, excludes some of the
files that the original may have been: with few of them left, suppressed values can be filled in. So an external report
is the same whatever was suppressed: it has figures of the safe file, and bounds that hold for every file that the same
rules have passed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from ..base.texts import translate as _
from ..recipe.model import Combination, Suppression, Threshold
from .blocks import Text
from .facts import Key, ReportInput, SuppressionFacts, TableFacts
from .numbers import NamedLimit, amount, count, percent
from .words import limits, records, table_name, threshold_text

DIGITS = 3
"""Thresholds with more significant digits were taken from the risks of the original."""

WARNINGS = frozenset(
    {
        "keys-not-judged", "no-combinations", "not-judged", "unsafe-by-choice", "columns-not-decided", "perturbed-key",
        "perturbed-measure", "perturbed-several-times", "formula-name", "formula-text", "households-kept-together",
        "no-weight", "released-identifier", "released-free-text",
    }
)  # fmt: skip
"""Ids of warnings that follow from decisions and from what the safe file holds; no others are told outside."""


def rounded_up(value: float) -> float:
    """A threshold as it was typed; one with more digits than `DIGITS` rounded up to one, so that it holds as well."""
    exact = Decimal(repr(value))
    if not exact.is_finite() or exact <= 0 or len(exact.normalize().as_tuple().digits) <= DIGITS:
        return value
    return _ceiling(exact, 1)


def _ceiling(exact: Decimal, digits: int) -> float:
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_CEILING))


def _up(value: float | None) -> float | None:
    return None if value is None else rounded_up(value)


def _tens(number: int | None) -> int | None:
    return None if number is None else -(-number // 10) * 10


def table_outside(table: TableFacts) -> TableFacts:
    """A combination by its rules, without any figure: those of the safe file are judged by the original, too."""
    asked = threshold_outside(table.asked_for)
    named = (
        _named(asked.reidentification_rate, asked.unsafe_records),
        _named(asked.household_rate, asked.unsafe_households, households=True),
    )
    return TableFacts(
        variables=table.variables,
        model=table.model,
        missing_rule=table.missing_rule,
        alpha=table.alpha,
        estimator=table.estimator,
        count_threshold=table.count_threshold,
        k=table.k,
        threshold=_up(table.threshold) if not named[0] else 1.0,
        household_threshold=_up(table.household_threshold) if not named[1] else 1.0,
        asked=table.asked,
        asked_for=asked,
        named=named,
        exceedance=table.exceedance,
        modelled=table.modelled or table.opinion is not None,
        mode=table.mode,
    )


def _named(rate: float | None, number: int | None, households: bool = False) -> str:
    """A threshold by the rate or the number that it was asked for with: its value is one of the original's risks."""
    if rate is not None:
        share = percent(rate, DIGITS)
        if households:
            return _("for a household re-identification rate of {rate}").format(rate=share)
        return _("for a re-identification rate of {rate}").format(rate=share)
    if number is None:
        return ""
    told = _("for at most {n} unsafe records")
    return (_("for at most {n} unsafe households") if households else told).format(n=count(number))


def suppression_outside(facts: SuppressionFacts, keys: Sequence[Key]) -> SuppressionFacts:
    """The settings, and how many values of `keys` are missing in the safe file, for whatever reason."""
    return SuppressionFacts(
        facts.criterion,
        facts.mode,
        total=sum(key.suppressed for key in keys),
        by_households=facts.by_households,
        in_safe_file=True,
    )


def key_outside(key: Key, written: bool) -> Key:
    """A key variable as the safe file has it; one that it does not have without any number."""
    there = (key.categories_released or 0) if written else 0
    return replace(
        key,
        categories=there,
        categories_before=there,
        categories_released=key.categories_released if written else None,
        missing_codes=0,
        missing_before=0,
        suppressed=(key.missing_released or 0) if written else 0,
        missing_released=key.missing_released if written else None,
        entropy=None,
    )


def threshold_outside(given: Threshold) -> Threshold:
    """Thresholds as `rounded_up` has them, numbers of records rounded up to tens."""
    return replace(
        given,
        individual_risk=_up(given.individual_risk),
        reidentification_rate=_up(given.reidentification_rate),
        unsafe_records=_tens(given.unsafe_records),
        household_risk=_up(given.household_risk),
        household_rate=_up(given.household_rate),
        unsafe_households=_tens(given.unsafe_households),
    )


def combination_outside(combination: Combination) -> Combination:
    """The combination with its own threshold as `threshold_outside` has it."""
    return replace(combination, threshold=threshold_outside(combination.threshold))


def suppression_rules(given: Suppression) -> Suppression:
    """The settings of suppression without what tells how records were drawn, or how long the search took."""
    fields = vars(Suppression())
    hidden = {name: fields[name] for name in ("seed", "secret", "effort", "time_limit") if name in fields}
    return replace(given, **hidden)


def bounds(given: ReportInput) -> list[Text]:
    """What follows from the thresholds for each risk table: no figure of the original is needed for it."""
    if not given.external or not given.verified or given.unsafe_left:
        return []
    return [text for table in given.tables for text in table_bounds(table, given)]


def table_bounds(table: TableFacts, given: ReportInput) -> list[Text]:
    """How many re-identifications are expected at most in a file without a risk at or above the threshold."""
    individual, household = limits(table)
    at = individual or household
    judged = given.external and given.verified and not given.unsafe_left and given.suppression is not None
    if not judged or not table.has_risk or at is None:
        return []
    if isinstance(at, NamedLimit) or (individual is not None and table.exceedance is not None):
        return []  # the promise is one about frequencies, no bound of the risk
    told = _("{combination}: fewer than {expected} expected re-identifications among {records} of the safe file, since "
             "every record's estimated risk is below {threshold}.")  # fmt: skip
    if individual is None:
        told = _("{combination}: fewer than {expected} expected re-identifications among {records} of the safe file, "
                 "since every household's estimated risk is below {threshold}.")  # fmt: skip
    most = at.shown * given.records
    expected = count(math.ceil(most)) if most >= 10 else amount(_ceiling(Decimal(repr(most)), 2) if most else 0.0, 2)
    sentence = told.format(
        combination=table_name(table), expected=expected, records=records(given.records), threshold=threshold_text(at)
    )
    texts = [Text(sentence)]
    if table.modelled and table.estimator in ("exact", "truncated", "plug-in"):
        more = _("The individual risk examines each combination of values separately and may underestimate. The "
                 "population model's estimate is in the internal report.")  # fmt: skip
        texts.append(Text(more, "note"))
    return texts
