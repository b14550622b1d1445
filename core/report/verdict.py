"""Head of the report: what was reached, in one sentence, and three large figures beside what they were."""

from __future__ import annotations

from core.base.texts import translate as _
from core.data.risk_figures import RiskFigures
from core.report.blocks import LargeFigure, Verdict
from core.report.facts import ReportInput, TableFacts
from core.report.numbers import count, one_in, percent, significant
from core.report.opening import in_states
from core.report.sections_risk import household_threshold, individual_threshold
from core.report.words import counted, is_risk, records, table_name


def verdict(given: ReportInput) -> Verdict | None:
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
        return Verdict(left, _("Verified: the written file is what was decided.") + more, "warning")
    told = _("The written file was read back, measured again, and is what was decided.")
    return Verdict(_("Verified: {holds}.").format(holds=_holds(given)), told + more, "good")


def _holds(given: ReportInput) -> str:
    """What is true of every record of the safe file."""
    found = [
        threshold
        for table in given.tables
        for threshold in (
            individual_threshold(table) if table.threshold is not None else "",
            household_threshold(table) if table.household_threshold is not None else "",
        )
        if threshold
    ]
    if len(found) == len(given.tables) == 1:
        return _("no record is at or above {threshold}").format(threshold=found[0])
    if any(not is_risk(table) for table in given.tables):
        return _("no record is unsafe")
    if found:
        return _("no record is at or above a threshold")
    if any(table.asked for table in given.tables):
        return _("what was asked for holds without suppression, and so no record counts as unsafe")
    return _("no threshold was set, and so no record counts as unsafe")


def large_figures(given: ReportInput) -> tuple[LargeFigure, ...]:
    """Largest risk, re-identification rate and blanked values of the safe file; empty where there is none."""
    if not any(file.role == "safe-data" for file in given.files):
        return ()
    found = [(table, *judged) for table in given.tables if is_risk(table) and (judged := _before_after(table))]
    riskiest = max(found, key=lambda each: each[2].max_risk, default=None)
    blanked = suppressed_figure(given)
    figures = () if riskiest is None else _of_risk(*riskiest, given.records, several=len(found) > 1)
    return (*figures, *((blanked,) if blanked else ()))


def _by_households(table: TableFacts) -> bool:
    """Whether only households have a threshold."""
    return table.threshold is None and table.household_threshold is not None


def _before_after(table: TableFacts) -> tuple[RiskFigures, RiskFigures] | None:
    found = in_states(table, _by_households(table))
    return None if table.safe is None or len(found) < 2 else (found[0][1], found[-1][1])


def _of_risk(
    table: TableFacts, before: RiskFigures, after: RiskFigures, total: int, several: bool
) -> tuple[LargeFigure, ...]:
    """Of the riskiest table, which is named where there are others."""
    largest = (
        _("the largest risk of a household in the safe file")
        if _by_households(table)
        else _("the largest risk of a record in the safe file")
    )
    if several:
        largest = _("{largest}, by {table}").format(largest=largest, table=table_name(table))
    expected = _("{after} of {records} would be found, instead of {before}").format(
        after=significant(after.expected, 3), records=records(total), before=significant(before.expected, 3)
    )
    return (
        LargeFigure(_one_in(after.max_risk), _was(_one_in(before.max_risk)), largest),
        LargeFigure(percent(after.rate, 3), _was(percent(before.rate, 3)), expected),
    )


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


def _one_in(risk: float) -> str:
    """So that no risk is shown smaller than it is; as it stands where "1 in 1" would be all."""
    return one_in(risk) or percent(risk, 3)


def _was(figure: str) -> str:
    return _("was {figure}").format(figure=figure)
