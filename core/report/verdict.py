"""Head of the report: what was reached, in one sentence, and three large figures beside what they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ..base.texts import translate as _
from ..base.texts import with_marks
from ..data.risk_figures import RiskFigures
from ..verdict.sentences import count as count_rules
from ..verdict.sentences import second_line, sentence
from .blocks import LargeFigure, Verdict
from .estimates import estimator_name, expected_sentence
from .facts import ReportInput, TableFacts
from .numbers import Limit, NamedLimit, count, one_in, percent, significant
from .opening import in_states
from .words import counted, limits, records, table_name


def verdict(given: ReportInput) -> Verdict | None:
    """The verdict by the target, else whether the written file holds; None where no file was written."""
    checked, release = _checked(given), given.release
    if checked is None or release is None or not given.verified:
        return checked
    told = " ".join([second_line(release), f"{count_rules(release)}.", checked.headline, checked.sentence])
    tone: Literal["good", "plain", "warning"] = "plain" if release.state in ("ready", "by-decision") else "warning"
    return Verdict(sentence(release), told, "good" if release.is_green and checked.tone == "good" else tone)


def _checked(given: ReportInput) -> Verdict | None:
    """Whether the written file holds, and how many warnings there are; None where no file was written."""
    if given.verified is None:
        return None
    if not given.verified:
        told = _("The check of the written file failed. It must not be released.")
        return Verdict(_("Not verified: the file is not what was decided."), told, "warning")
    warned = counted(len(given.warnings), "{n} warning stands below.", "{n} warnings stand below.")
    more = " " + warned if given.warnings else ""
    if not given.tables:
        told = _("The written file was read back and is what was decided; whether it is safe was not examined.")
        return Verdict(_("Not protected: no record was judged."), told + more, "warning")
    if given.unsafe_left:
        left = counted(
            given.unsafe_left,
            "{n} unsafe record was left as it was.",
            "{n} unsafe records were left as they were.",
        )
        return Verdict(left, _("The written file was read back and is what was decided.") + more, "warning")
    told = _("The written file was read back, measured again, and is what was decided.")
    against = _against(given)
    checked = _("Checked: {holds}.").format(holds=_holds(given))
    agreeing = [] if against else _agreeing(given)
    tone: Literal["good", "warning"] = "warning" if against else "good"
    return Verdict(" ".join([checked, *against, *agreeing]), told + more, tone)


def _holds(given: ReportInput) -> str:
    """What is true of every record of the safe file, and by which estimate."""
    found = [sentence for table in given.tables for sentence in _reached(table, given)]
    if len(found) == len(given.tables) == 1:
        return found[0]
    if any(not table.has_risk for table in given.tables):
        return _("no record is unsafe by the criteria chosen")
    if found:
        by = {estimator_name(table.estimator, given) for table in given.tables}
        if len(by) == 1:
            return _("by {estimator}, no record is at or above a threshold").format(estimator=by.pop())
        return _("by the estimators chosen, no record is at or above a threshold")
    if any(table.asked for table in given.tables):
        return _("what was asked for holds without suppression, and so no record counts as unsafe")
    return _("no threshold was set, and so no record counts as unsafe")


def _reached(table: TableFacts, given: ReportInput) -> Iterator[str]:
    """What the safe file keeps by one table: one sentence a threshold."""
    by = estimator_name(table.estimator, given)
    if table.model == "k-anonymity" and table.k:
        yield _("every record shares its key with at least {k} records, itself included").format(k=table.k)
    if table.sensitive is not None:
        behind = _("behind every key stand at least {l} different values of {variable}, or none")
        yield behind.format(l=table.l, variable=table.sensitive)
    if table.threshold is not None:
        at = limits(table)[0]
        told = _("by {estimator}, every record is below {threshold}")
        if table.exceedance is not None:
            told = _("by {estimator}, every record reaches {threshold} with less than {chance} % probability")
        chance = "" if table.exceedance is None else with_marks(f"{100 * table.exceedance:g}")
        yield told.format(estimator=by, threshold=_ratio(at), chance=chance)
    if table.household_threshold is not None:
        told = _("by {estimator}, every household is below {threshold}")
        yield told.format(estimator=by, threshold=_ratio(limits(table)[1]))


def _ratio(at: Limit | None) -> str:
    """A threshold as "1 in 10"; as a number where that would say nothing; one without a value by what it is for."""
    if isinstance(at, NamedLimit):
        return _("the threshold {risk}").format(risk=at.text)
    return "" if at is None else one_in(at.shown) or at.text


def _against(given: ReportInput) -> list[str]:
    """What other estimates, or the same by households, find in the safe file."""
    told = []
    several = len(given.tables) > 1
    for table in given.tables:
        others = [] if table.later is None else [(table.later.estimator, table.later.unsafe)]
        for estimator, unsafe in [*others, ("exact", table.below_exact)]:
            if unsafe and not several:
                told.append(
                    counted(unsafe, "By {estimator}, {n} record is not.", "By {estimator}, {n} records are not.",
                            estimator=estimator_name(estimator, given))
                )  # fmt: skip
            elif unsafe:
                told.append(
                    counted(
                        unsafe,
                        "By {estimator}, {n} record is at or above the threshold of {table}.",
                        "By {estimator}, {n} records are at or above the threshold of {table}.",
                        estimator=estimator_name(estimator, given),
                        table=table_name(table),
                    )
                )
        if table.hidden:
            told.append(
                counted(
                    table.hidden,
                    "{n} record is safe only through its own household.",
                    "{n} records are safe only through their own household.",
                )
            )
    return told


def _agreeing(given: ReportInput) -> list[str]:
    """That the other estimates find no unsafe record, either, where there is one for every table with a threshold."""
    judged = [table for table in given.tables if table.has_risk and table.threshold is not None]
    found = {table.later.estimator for table in judged if table.later is not None and table.later.unsafe == 0}
    if len(found) != 1 or any(table.later is None for table in judged):
        return []
    agreed = {
        "calibrated": _("The population model also finds no unsafe record."),
        "exact": _("The individual risk also finds no unsafe record."),
    }
    return [agreed[found.pop()]]


def large_figures(given: ReportInput) -> tuple[LargeFigure, ...]:
    """Largest risk, re-identification rate and blanked values of the safe file; empty where there is none."""
    if not any(file.role == "safe-data" for file in given.files):
        return ()
    found = [(table, *judged) for table in given.tables if table.has_risk and (judged := _before_after(table))]
    riskiest = max(found, key=lambda each: each[2].max_risk, default=None)
    blanked = suppressed_figure(given)
    figures = () if riskiest is None else _of_risk(*riskiest, given, several=len(found) > 1)
    return (*figures, *((blanked,) if blanked else ()))


def _by_households(table: TableFacts) -> bool:
    """Whether only households have a threshold."""
    return table.threshold is None and table.household_threshold is not None


def _before_after(table: TableFacts) -> tuple[RiskFigures, RiskFigures] | None:
    found = in_states(table, _by_households(table))
    return None if table.safe is None or len(found) < 2 else (found[0][1], found[-1][1])


def _of_risk(
    table: TableFacts, before: RiskFigures, after: RiskFigures, given: ReportInput, several: bool
) -> tuple[LargeFigure, ...]:
    """Of the riskiest table, which is named where there are others; the larger of two estimates first."""
    later = None if _by_households(table) else table.later
    largest = (
        _("the largest risk of a household in the safe file")
        if _by_households(table)
        else _("the largest risk of a record in the safe file")
    )
    if several:
        largest = _("{largest}, by {table}").format(largest=largest, table=table_name(table))
    own, at = estimator_name(table.estimator, given), limits(table)[_by_households(table)]
    if later is None or later.maximum <= after.max_risk:
        named = largest if later is None else f"{largest} ({own})"
        risk = LargeFigure(_one_in(after.max_risk, at), _was(_one_in(before.max_risk)), named)
    else:
        other = estimator_name(later.estimator, given)
        beside = _("{risk} by {estimator}").format(risk=_one_in(after.max_risk, at), estimator=own)
        risk = LargeFigure(_one_in(later.maximum), beside, f"{largest} ({other})")
    told = expected_sentence(table, after, given) if later is not None else ""
    if not told:
        told = _("expected re-identifications: {after} of {records} (before: {before})").format(
            after=significant(after.expected, 3), records=records(given.records), before=significant(before.expected, 3)
        )
    rate = after.rate if later is None else max(after.rate, later.rate)
    was = _was(percent(before.rate, 3)) if rate == after.rate else _("{rate} by {estimator}").format(
        rate=percent(after.rate, 3), estimator=own
    )  # fmt: skip
    return risk, LargeFigure(percent(rate, 3), was, told)


def suppressed_figure(given: ReportInput) -> LargeFigure | None:
    """Suppressed values; None where nothing was to be suppressed."""
    facts = given.suppression
    if facts is None:
        return None
    recoded = len({recode.variable for recode in given.recodes})
    if facts.in_safe_file:
        told = _("in key variables of the safe file, suppressed values included")
        unit = _("value missing") if facts.total == 1 else _("values missing")
        return LargeFigure(count(facts.total), unit, told)
    parts = [_("in {records}").format(records=records(facts.records_touched))] if facts.total else []
    if recoded:
        parts.append(counted(recoded, "{n} variable has coarser codes", "{n} variables have coarser codes"))
    unit = _("values blanked") if facts.total != 1 else _("value blanked")
    return LargeFigure(count(facts.total), unit, "; ".join(parts))


def _one_in(risk: float, at: Limit | None = None) -> str:
    """So that no risk is shown smaller than it is; as it stands where "1 in 1" would be all."""
    return one_in(risk, at) or percent(risk, 3)


def _was(figure: str) -> str:
    return _("was {figure}").format(figure=figure)
