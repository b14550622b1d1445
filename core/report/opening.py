"""The opening box: a few sentences for a reader who reads no further."""

from __future__ import annotations

from core.report.data import Text
from core.report.inputs import Figures, ReportInput, State, TableFacts
from core.report.numbers import count, percent, significant
from core.report.sections_risk import at_threshold, states
from core.report.words import counted, is_risk, names, records, risk, values
from core.texts import mark
from core.texts import translate as _


def summary(given: ReportInput) -> tuple[Text, ...]:
    """What was released, how risky it was and is, what that cost, and whether it was verified."""
    told = [Text(_released(given))]
    main = next((t for t in given.tables if is_risk(t)), None)
    if main is not None:
        told += _risk(main, given)
    told += _k_anonymity(given)
    told += _cost(given)
    told.append(_verified(given))
    return tuple(told)


def _file(given: ReportInput, role: str) -> str:
    return next((file.path.name for file in given.files if file.role == role), "")


def _released(given: ReportInput) -> str:
    original, safe = _file(given, "data") or _("the original file"), _file(given, "safe-data")
    if not safe:
        told = _("This report describes {original} with {records}; no safe file was written.")
        return told.format(original=original, records=records(given.records))
    told = _("{safe} was made from {original}; it holds {records}")
    sentence = told.format(safe=safe, original=original, records=records(given.records))
    if given.layout is None:
        return sentence + "."
    n = len(given.layout.variables)
    kept = counted(n, mark("{n} variable"), mark("{n} variables"))
    removed = len(given.layout.removed)
    if not removed:
        return _("{sentence} of {variables}.").format(sentence=sentence, variables=kept)
    return _("{sentence} of {variables}; {removed} left out.").format(
        sentence=sentence,
        variables=kept,
        removed=counted(removed, mark("{n} variable was"), mark("{n} variables were")),
    )


def _shown(state: State, household: bool) -> Figures | None:
    return state.household if household else state.individual


def _risk(table: TableFacts, given: ReportInput) -> list[Text]:
    household = table.histogram_risk == "household"
    _name, before = states(table)[0]
    figures = _shown(before, household)
    if figures is None:
        return []
    told = _("Someone who knows {keys} of everybody in the population would be expected to re-identify {expected} of "
             "{records} in the {state} file (rate {rate}); the largest {kind} is {risk}.")  # fmt: skip
    sentence = told.format(
        keys=names(table.variables),
        expected=significant(figures.expected, 3),
        records=records(given.records),
        state=_("original") if table.original or not given.recodes else _("recoded"),
        rate=percent(figures.rate, 3),
        kind=_("household risk") if household else _("individual risk"),
        risk=risk(float(f"{figures.max_risk:.3g}")),
    )
    return [Text(sentence), *_risk_after(table, given, household)]


def _risk_after(table: TableFacts, given: ReportInput, household: bool) -> list[Text]:
    before = _shown(table.recoded, household)
    after = _shown(table.safe, household) if table.safe else None
    if after is None or before is None:
        return []
    sentence = _("In the safe file {expected} are expected (rate {rate}); the largest risk is {risk}.").format(
        expected=significant(after.expected, 3),
        rate=percent(after.rate, 3),
        risk=risk(float(f"{after.max_risk:.3g}")),
    )
    if table.threshold is None and table.household_threshold is None:
        return [Text(f"{sentence} {_('No threshold was set.')}")]
    if after.unsafe is None:
        return [Text(sentence)]
    unsafe = counted(before.unsafe or 0, mark("{n} record was"), mark("{n} records were"))
    if after.unsafe:
        left = counted(after.unsafe, mark("{n} record is"), mark("{n} records are"))
        more = _("{left} still at or above {threshold}.").format(left=left, threshold=at_threshold(table))
        return [Text(f"{sentence} {more}", "warning")]
    more = _("No record is at or above {threshold}; before suppression {unsafe}.").format(
        threshold=at_threshold(table), unsafe=unsafe
    )
    return [Text(f"{sentence} {more}")]


def _k_anonymity(given: ReportInput) -> list[Text]:
    told = []
    for table in given.tables:
        if table.model != "k-anonymity" or not table.k:
            continue
        before = dict(table.recoded.violations).get(table.k)
        after = dict(table.safe.violations).get(table.k) if table.safe else None
        if before is None:
            continue
        now = "" if after is None else " " + _("In the safe file: {after}.").format(after=count(after))
        sentence = _("Before suppression {records} shared their values of {keys} with fewer than {k}.").format(
            records=records(before), keys=names(table.variables), k=table.k
        )
        told.append(Text(sentence + now))
    return told


def _cost(given: ReportInput) -> list[Text]:
    if not _file(given, "safe-data"):
        return []
    recoded = names([recode.variable for recode in given.recodes])
    facts = given.suppression
    parts = [_("a global recoding of {names}").format(names=recoded)] if recoded else []
    if facts is not None and facts.total:
        part = _("{values} in {records}").format(values=values(facts.total), records=records(facts.records_touched))
        if facts.entropy_loss is not None:
            part += " " + _("({bits} bits of information)").format(bits=significant(facts.entropy_loss, 4))
        parts.append(part)
    changed = names(list(dict.fromkeys(m.variables for m in given.modifications if m.variables)))
    if changed:
        parts.append(_("a modification of {names}").format(names=changed))
    if not parts:
        return [Text(_("Nothing was recoded, suppressed or otherwise modified."))]
    return [Text(_("The protection took {parts}.").format(parts=names(parts)))]


def _verified(given: ReportInput) -> Text:
    if given.verified is None:
        return Text(_("Nothing was written, so nothing was verified."))
    if not given.verified:
        return Text(_("Not verified: the check of the written file failed. It must not be released."), "warning")
    if given.unsafe_left:
        told = _("Verified: the written file is what was decided; {records} at or above a threshold were left.")
        return Text(told.format(records=records(given.unsafe_left)), "warning")
    return Text(_("Verified: the written file was read back, measured again, and is what was decided."), "good")
