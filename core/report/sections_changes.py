"""Parts of the report that say what was done to the file, what it cost, and whether it was checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from ..base.texts import translate as _
from .blocks import Block, ReportColumn, ReportTable, Section, Terms, Text
from .facts import Key, ReportInput, SuppressionFacts
from .numbers import Value, amount, column, count, percent
from .sections_risk import at_threshold
from .words import (
    CRITERIA,
    HOUSEHOLD_RULE,
    MODES,
    counted,
    limits,
    table_name,
    threshold_text,
)

_Item = TypeVar("_Item")


def modifications(given: ReportInput) -> Section:
    """Changes other than recoding and suppression."""
    title = _("Other modifications")
    if not given.modifications:
        return Section("modifications", title, (Text(_("No other modifications.")),))
    columns = (ReportColumn(_("Method")), ReportColumn(_("Variables"), "code"), ReportColumn(_("Parameters, remarks")))
    rows = tuple((m.method, m.variables, m.remarks) for m in given.modifications)
    return Section("modifications", title, (ReportTable(columns, rows),))


def checklist(given: ReportInput) -> Section | None:
    """The columns that no model judges, and what was decided on each; left out where there are none."""
    if not given.checklist:
        return None
    optional = (("holds", _("It holds")), ("by", _("Decided by")), ("reason", _("Reason")))
    shown = [(name, title) for name, title in optional if any(getattr(each, name) for each in given.checklist)]
    columns = [ReportColumn(_("Variable"), "code"), ReportColumn(_("Decision"))]
    columns += [ReportColumn(title) for _name, title in shown]
    rows = tuple(
        (each.variable, each.decision or _("undecided"), *(getattr(each, name) for name, _title in shown))
        for each in given.checklist
    )
    open_ = sum(not each.decision for each in given.checklist)
    said = _("These columns are in no combination: no record was judged by them.")
    if open_:
        said += " " + counted(open_, "Nobody has decided on {n} of them.", "Nobody has decided on {n} of them.")
    blocks = (Text(said), ReportTable(tuple(columns), rows))
    return Section("checklist", _("Columns that no model judges"), blocks)


def suppression(given: ReportInput) -> Section:
    """Newly missing values by variable, and what they cost."""
    title = _("Suppression overview")
    facts = given.suppression
    if facts is None or facts.criterion == "none":
        return Section("suppression", title, (Text(_("No local suppression.")),))
    blocks: list[Block] = [Terms(tuple(_facts_outside(facts) if facts.in_safe_file else _facts(facts)))]
    if given.keys:
        blocks.append(_by_variable(given, facts))
    return Section("suppression", title, tuple(blocks))


def suppression_by_variable(given: ReportInput) -> Section:
    """Newly missing values by variable alone."""
    section = suppression(given)
    facts = given.suppression
    if facts is None or facts.criterion == "none":
        return section
    rows = (_missing_values(facts),)
    tables: list[Block] = []
    if given.keys:
        whole = _by_variable(given, facts)
        if facts.criterion == "weights":
            whole = replace(whole, columns=_without_price(whole.columns), rows=tuple(map(_without_price, whole.rows)))
        tables.append(whole)
    return Section(section.id, section.title, (Terms(rows), *tables))


def _without_price(row: tuple[_Item, ...]) -> tuple[_Item, ...]:
    """A row of `_by_variable` without what a suppression costs."""
    return row[:1] + row[2:]


def _settings(facts: SuppressionFacts) -> list[tuple[str, Value, str]]:
    return [
        (_("Criterion"), _(CRITERIA[facts.criterion]), "text"),
        *([(_("Mode"), _(MODES[facts.mode]), "text")] if facts.mode else []),
        *([(_("Households"), _(HOUSEHOLD_RULE), "text")] if facts.by_households else []),
    ]


def _facts_outside(facts: SuppressionFacts) -> list[tuple[str, Value, str]]:
    """The settings, and what is missing: how much was suppressed, and what that cost, are figures of the original."""
    return [*_settings(facts), _missing_values(facts)]


def _missing_values(facts: SuppressionFacts) -> tuple[str, Value, str]:
    return (_("Missing values in the safe file, suppressed values included"), facts.total, "count")


def _facts(facts: SuppressionFacts) -> list[tuple[str, Value, str]]:
    rows: list[tuple[str, Value, str]] = [
        *_settings(facts),
        (_("Suppressed values"), facts.total, "count"),
        (_("Records with a suppressed value"), facts.records_touched, "count"),
    ]
    if facts.loss is not None and facts.criterion == "weights":
        rows.append((_("Loss (sum of suppression weights)"), amount(facts.loss), "text"))
    if facts.entropy_loss is not None:
        rows.append((_("Entropy loss (bits)"), facts.entropy_loss, "number:1"))
    if facts.with_gaps is not None:
        rows += _gaps(facts, *facts.with_gaps)
    rows += _bound(facts)
    if facts.mode == "released-keys" and facts.effort is not None:
        rows.append((_("Effort"), facts.effort, "count"))
    return rows


def _gaps(facts: SuppressionFacts, total: int, told: int, bits: float) -> Iterator[tuple[str, Value, str]]:
    """Values that the rules tell, and what it cost that they do not."""
    yield _("Suppressed values that the rules tell"), facts.told, "count"
    without = _("{told} of {total}, {bits} bits of loss").format(
        told=count(told), total=count(total), bits=column([bits], "number:1")[0]
    )
    yield _("The same if that were not prevented"), without, "text"


def _bound(facts: SuppressionFacts) -> list[tuple[str, Value, str]]:
    if facts.lower_bound is None or facts.loss is None:
        return []
    name = _("No solution can lose less than")
    if facts.loss <= facts.lower_bound * (1 + 1e-9):
        return [(name, _("{bound}: this one loses no more").format(bound=amount(facts.lower_bound)), "text")]
    gap = facts.gap if facts.gap is not None else (facts.loss - facts.lower_bound) / facts.loss
    told = _("{bound}: optimality gap at most {gap}")
    return [(name, told.format(bound=amount(facts.lower_bound), gap=percent(gap, 2)), "text")]


def _missing_by_variable(given: ReportInput, facts: SuppressionFacts) -> ReportTable:
    """What the safe file lacks, by variable: for outsiders."""
    weights, keys = facts.criterion == "weights", given.keys + given.also_suppressed
    columns = (
        ReportColumn(_("Variable"), "code"),
        *((ReportColumn(_("Suppression weight"), "exact"),) if weights else ()),
        ReportColumn(_("Missing in the safe file"), "count"),
        ReportColumn(_("Share of records"), "percent"),
        ReportColumn(_("Written as"), "code"),
    )
    rows = []
    for name, price, _before, missing, share, written in (_row(key, weights, given.records) for key in keys):
        rows.append((name, *((price,) if weights else ()), missing, share, written))
    note = _("Suppressed and originally missing values. Written as: the code that replaces a suppressed value.")
    return ReportTable(columns, tuple(rows), caption=_("Missing values by variable"), note=note)


def _by_variable(given: ReportInput, facts: SuppressionFacts) -> ReportTable:
    if facts.in_safe_file:
        return _missing_by_variable(given, facts)
    weights = facts.criterion == "weights"
    price = ReportColumn(_("Suppression weight"), "exact") if weights else ReportColumn(_("Entropy (bits)"), "number:2")
    columns = (
        ReportColumn(_("Variable"), "code"),
        price,
        ReportColumn(_("Originally missing"), "count"),
        ReportColumn(_("Newly missing"), "count"),
        ReportColumn(_("Share of values"), "percent"),
        ReportColumn(_("Written as"), "code"),
    )
    keys = given.keys + given.also_suppressed
    rows: list[tuple[Value, ...]] = [_row(key, weights, given.records) for key in keys]
    originally, newly = sum(key.missing_before for key in keys), sum(key.suppressed for key in keys)
    possible = given.records * len(keys) - originally
    rows.append((_("Total"), "", originally, newly, newly / possible if possible else None, ""))
    note = _(
        "Share of values: newly missing among the values that were there after recoding. Written as: the code that "
        "stands in place of a suppressed value."
    )
    return ReportTable(columns, tuple(rows), caption=_("Newly missing values by variable"), total=True, note=note)


def _row(key: Key, weights: bool, n: int) -> tuple[Value, ...]:
    price: Value = key.suppression_weight if weights else key.entropy
    if not key.suppressible:
        price = _("never suppressed")
    present = n - key.missing_before
    written = "" if key.written is None or not key.suppressed else key.written or _("(empty)")
    share = key.suppressed / present if present else None
    return (key.name, price, key.missing_before, key.suppressed, share, written)


def warnings(given: ReportInput) -> Section:
    """What a reader has to weigh."""
    told = [Text(text, "warning") for text in given.warnings]
    if given.external:
        more = _("Warnings that rest on the original file are in the internal report.")
        return Section("warnings", _("Warnings"), (*told, Text(more)))
    if not given.warnings:
        return Section("warnings", _("Warnings"), (Text(_("No warnings.")),))
    return Section("warnings", _("Warnings"), tuple(told))


def verification(given: ReportInput) -> Section:
    """Whether the written file is what was decided, in plain words."""
    return Section("verification", _("Verification"), verdict(given))


def profile(given: ReportInput) -> Section | None:
    """The rules that the safe file was to keep; left out where there were none."""
    facts = given.profile
    if facts is None:
        return None
    yes, no = _("yes"), _("no")
    columns = [ReportColumn(_("Rule")), ReportColumn(_("Holds")), ReportColumn(_("Records behind"), "count")]
    rows: list[tuple[Value, ...]] = [(rule.words, yes if rule.holds else no, rule.records) for rule in facts.rules]
    if given.external:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    name = _("{name} ({source})") if facts.source else _("{name}")
    said = Text(_("Profile: {profile}.").format(profile=name.format(name=facts.name, source=facts.source)))
    return Section("profile", _("Release profile"), (said, ReportTable(tuple(columns), tuple(rows))))


def verdict(given: ReportInput) -> tuple[Text, ...]:
    """The statement of the verification section."""
    if given.verified is None:
        return (Text(_("No safe file was written, so there was nothing to verify.")),)
    if not given.verified:
        return (Text(_("The check of the written file FAILED. The file must not be released."), "warning"),)
    read = _("The safe file was read back after it was written and compared with the original by a part of the program "
             "that shares nothing with the one that protects. Every value is what was decided.")  # fmt: skip
    texts = [Text(read, "good")]
    if given.suppression is not None and given.suppression.criterion != "none":
        texts += _reached(given)
    if given.unsafe_left:
        texts.append(_left(given))
    return tuple(texts)


def _reached(given: ReportInput) -> list[Text]:
    """One sentence a table: nobody reaches its threshold."""
    told = []
    if given.unsafe_left:
        return []
    for table in given.tables:
        name = table_name(table)
        if table.model == "k-anonymity":
            sentence = _("No record shares its values of {names} with fewer than {k}.").format(names=name, k=table.k)
        elif table.sensitive is not None:
            sentence = _("No record shares its values of {names} with records of fewer than {l} values of {variable}.")
            sentence = sentence.format(names=name, l=table.l, variable=table.sensitive)
        elif table.judges_margins:
            sentence = _("No record has all values of an unsafe combination of {names}.").format(names=name)
        elif table.has_risk and (table.threshold is not None or table.household_threshold is not None):
            sentence = _("No record reaches {threshold} on {names}.").format(threshold=at_threshold(table), names=name)
            if table.household_threshold is not None:
                at = threshold_text(limits(table)[1])
                by = _("No household reaches the household risk threshold {threshold} on {names}.")
                if table.threshold is None:
                    sentence = by.format(threshold=at, names=name)
                else:
                    told.append(Text(by.format(threshold=at, names=name), "good"))
        else:
            continue
        told.append(Text(sentence, "good"))
    return told


def _left(given: ReportInput) -> Text:
    told = counted(
        given.unsafe_left,
        "{n} unsafe record (at or above a threshold, or below k) was not protected.",
        "{n} unsafe records (at or above a threshold, or below k) were not protected.",
    )
    return Text(told, "warning")
