"""The opening: a few sentences for a reader who reads no further."""

from __future__ import annotations

from ..base.texts import translate as _
from ..data.risk_figures import RiskFigures
from .blocks import Text
from .estimates import estimator_name, expected_sentence, modelled_sentence
from .facts import ReportInput, TableFacts
from .numbers import Limit, beside, count, percent, significant
from .sections_risk import household_threshold, individual_threshold, states
from .words import counted, limits, names, records, risk_beside, values


def summary(given: ReportInput) -> tuple[Text, ...]:
    """What was released, how risky it was and is, and what that cost; the verdict says whether it was verified."""
    told = [Text(in_the_file(given)), *_unmeasured(given), *_left_by_choice(given)]
    told += _given_away(given)
    told += [Text(text, "warning") for text in given.at_the_head]
    for table in given.tables:
        if table.has_risk:
            told += _risk(table, given)
    told += _k_anonymity(given)
    told += what_it_took(given)
    if given.verified is None:
        told.append(Text(_("Nothing was written, so nothing was verified.")))
    return tuple(told)


def _given_away(given: ReportInput) -> list[Text]:
    """That being below the threshold is not all: suppressed values can be told from what else was released."""
    if not given.given_away:
        return []
    told = counted(
        given.given_away,
        "Suppressed values can be told from what else is in the safe file: {n} of the warnings below says from what.",
        "Suppressed values can be told from what else is in the safe file: {n} of the warnings below say from what.",
    )
    return [Text(told, "warning")]


def _file(given: ReportInput, role: str) -> str:
    return next((file.path.name for file in given.files if file.role == role), "")


def in_the_file(given: ReportInput) -> str:
    """Of how many records and variables the safe file is, and from what it was made."""
    original, safe = _file(given, "data") or _("the original file"), _file(given, "safe-data")
    if not safe:
        told = _("This report describes {original} with {records}; no safe file was written.")
        return told.format(original=original, records=records(given.records))
    told = _("{safe} was made from {original}; it holds {records}")
    sentence = told.format(safe=safe, original=original, records=records(given.records))
    if given.layout is None:
        return sentence + "."
    n = len(given.layout.variables)
    kept = counted(n, "{n} variable", "{n} variables")
    removed = len(given.layout.removed)
    if not removed:
        return _("{sentence} of {variables}.").format(sentence=sentence, variables=kept)
    return _("{sentence} of {variables}; {removed} left out.").format(
        sentence=sentence,
        variables=kept,
        removed=counted(removed, "{n} variable was", "{n} variables were"),
    )


def _risk(table: TableFacts, given: ReportInput) -> list[Text]:
    """Records and, under a household threshold, households: in the original file, after recoding, in the safe file."""
    after = None if table.safe is None else table.safe.individual
    both = "" if after is None else expected_sentence(table, after, given)
    told = [_of_records(table, given), both, _of_households(table, given)]
    return [*(Text(sentence) for sentence in told if sentence), *_against_threshold(table, given)]


def in_states(table: TableFacts, household: bool) -> list[tuple[str, RiskFigures]]:
    """Figures of the file as it was, as it was recoded and as it is released, with the names of these states."""
    main = (table.original, table.recoded, table.safe)
    found = [(name, state.household if household else state.individual) for name, state in states(table)
             if any(state is each for each in main)]  # fmt: skip
    return [(name, figures) for name, figures in found if figures is not None]


def _of_records(table: TableFacts, given: ReportInput) -> str:
    found = in_states(table, household=False)
    if not found:
        return ""
    told = _("Someone who knows {keys} of everybody in the population would be expected to re-identify {expected} of "
             "{records} in the {state} (rate {rate}); the largest individual risk is {risk}.")  # fmt: skip
    (first, figures), later, at = found[0], found[1:], limits(table)[0]
    sentence = told.format(
        keys=names(table.variables),
        expected=significant(figures.expected, 3),
        records=records(given.records),
        state=first,
        rate=percent(figures.rate, 3),
        risk=risk_beside(figures.max_risk, 3, at),
    )
    return " ".join([sentence, *(_later(name, figures, at) for name, figures in later)])


def _later(name: str, figures: RiskFigures, at: Limit | None) -> str:
    told = _("{state}: {expected} expected re-identifications (rate {rate}), largest individual risk {risk}.")
    place = place_of(name)
    return told.format(
        state=place[:1].upper() + place[1:],
        expected=significant(figures.expected, 3),
        rate=percent(figures.rate, 3),
        risk=risk_beside(figures.max_risk, 3, at),
    )


def place_of(name: str) -> str:
    """The name of a state of the file as part of a sentence."""
    places = {_("original file"): _("in the original file"), _("safe file"): _("in the safe file")}
    return places.get(name, name)


def _of_households(table: TableFacts, given: ReportInput) -> str:
    found = in_states(table, household=True) if table.household_threshold is not None else []
    if not found:
        return ""
    each = _("{expected} {state} (rate {rate}, largest household risk {risk})")
    figures = [
        each.format(
            state=place_of(name),
            expected=significant(figures.expected, 3),
            rate=percent(figures.rate, 3),
            risk=beside(figures.max_risk, 3, limits(table)[1]),
        )
        for name, figures in found
    ]
    told = _("Expected records of re-identified households (households of which at least one member is re-identified): "
             "of {records}, {figures}.")  # fmt: skip
    return told.format(records=records(given.records), figures=names(figures))


def _against_threshold(table: TableFacts, given: ReportInput) -> list[Text]:
    """Whether any record reaches a threshold; empty where there is no safe file yet."""
    if table.safe is None:
        return []
    if table.threshold is None and table.household_threshold is None:
        return [Text(_without_threshold(table))] if table.safe.individual else []
    told, by = [], estimator_name(table.estimator, given)
    if table.threshold is not None:
        told += _verdict(table.recoded.individual, table.safe.individual, individual_threshold(table), by)
    if table.household_threshold is not None:
        told += _household_verdict(table.recoded.household, table.safe.household, household_threshold(table), by)
    return told


def _without_threshold(table: TableFacts) -> str:
    if table.asked:
        return _("What was asked for holds without suppression, so no record counts as unsafe.")
    return _("No threshold was set.")


def _verdict(before: RiskFigures | None, after: RiskFigures | None, threshold: str, estimator: str) -> list[Text]:
    if before is None or after is None or after.unsafe is None:
        return []
    if after.unsafe:
        left = counted(after.unsafe, "{n} record is", "{n} records are")
        told = _("By {estimator}, {left} still at or above {threshold} in the safe file.")
        return [Text(told.format(estimator=estimator, left=left, threshold=threshold), "warning")]
    unsafe = counted(before.unsafe or 0, "{n} record was", "{n} records were")
    told = _("By {estimator}, no record is at or above {threshold}; before suppression {unsafe}.")
    return [Text(told.format(estimator=estimator, threshold=threshold, unsafe=unsafe))]


def _household_verdict(
    before: RiskFigures | None, after: RiskFigures | None, threshold: str, estimator: str
) -> list[Text]:
    """Of households; which of their members are unsafe records is a sentence of its own."""
    if before is None or after is None or after.unsafe_households is None:
        return []
    if after.unsafe_households:
        left = counted(after.unsafe_households, "{n} household is", "{n} households are")
        told = _("By {estimator}, {left} still at or above {threshold} in the safe file.")
        return [Text(told.format(estimator=estimator, left=left, threshold=threshold), "warning")]
    unsafe = counted(before.unsafe_households or 0, "{n} household was", "{n} households were")
    told = _("By {estimator}, no household is at or above {threshold}; before suppression {unsafe}.")
    told = told.format(estimator=estimator, threshold=threshold, unsafe=unsafe)
    members = _("Unsafe records by household risk before suppression: {n}.").format(n=count(before.unsafe or 0))
    return [Text(f"{told} {members}" if before.unsafe_households else told)]


def _unmeasured(given: ReportInput) -> list[Text]:
    """That a file without key variables is no protected file."""
    if given.tables:
        return []
    told = _("No key variables were chosen, so no risk of re-identification was measured.")
    if given.measures:
        told = _("No combination of key variables was chosen, so no record was judged.")
    if _file(given, "safe-data"):
        told += " " + _("The file that was written is an unprotected copy: no value was suppressed.")
    return [Text(told, "warning")]


def _left_by_choice(given: ReportInput) -> list[Text]:
    """That a file in which nothing was suppressed although records are unsafe is no protected file."""
    if not (given.unsafe_left and given.suppression is None and _file(given, "safe-data")):
        return []
    left = counted(given.unsafe_left, "{n} record remains", "{n} records remain")
    told = _("{left} unsafe (at or above a threshold, or below k): by choice, no value was suppressed. The file is not "
             "protected.")  # fmt: skip
    return [Text(told.format(left=left), "warning")]


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
        shared = counted(before, "{n} record shared its", "{n} records shared their")
        sentence = _("Before suppression {shared} values of {keys} with fewer than {k}.").format(
            shared=shared, keys=names(table.variables), k=table.k
        )
        told.append(Text(sentence + now, "warning" if after else "plain"))
        told += [Text(modelled)] if (modelled := modelled_sentence(table, given)) else []
    return told


def what_it_took(given: ReportInput) -> list[Text]:
    """What was recoded, suppressed and otherwise changed; empty where nothing was written."""
    if not _file(given, "safe-data"):
        return []
    recoded = names([recode.variable for recode in given.recodes])
    facts = given.suppression
    parts = [_("a global recoding of {names}").format(names=recoded)] if recoded else []
    if facts is not None and facts.in_safe_file and facts.criterion != "none":
        parts.append(_("local suppression"))
    elif facts is not None and facts.total:
        part = _("{values} in {records}").format(values=values(facts.total), records=records(facts.records_touched))
        if facts.entropy_loss is not None:
            part += " " + _("({bits} bits of information)").format(bits=significant(facts.entropy_loss, 4))
        parts.append(part)
    perturbed = [name for each in given.perturbations for name in each.variables]
    modified = [each.variables for each in given.modifications if each.variables]
    changed = names(list(dict.fromkeys([*perturbed, *modified])))
    if changed:
        parts.append(_("a modification of {names}").format(names=changed))
    if not parts:
        return [Text(_("Nothing was recoded, suppressed or otherwise modified."))]
    if not given.tables:
        return [Text(_("What was changed: {parts}.").format(parts=names(parts)))]
    return [Text(_("The protection took {parts}.").format(parts=names(parts)))]
