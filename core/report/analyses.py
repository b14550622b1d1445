"""The report for users of the file: what was done to the data, and what that does to analyses; no figure of risk.

Nor a threshold, unless ``report.thresholds`` wishes them told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..base.texts import translate as _
from . import sections_changes as changes
from . import sections_data as data
from . import sections_perturbations as perturbed
from .analysis_effects import EFFECTS, effect_of
from .blocks import Block, Heading, ReportColumn, ReportTable, Section, Terms, Text, Verdict
from .facts import Modification, ReportInput
from .numbers import count, percent
from .opening import in_the_file, what_it_took
from .words import counted, names, records


def for_users(given: ReportInput) -> ReportInput:
    """The report's input without variables that the safe file does not have."""
    if given.layout is None:
        return given
    written = set(given.layout.names)
    return replace(
        given,
        keys=tuple(key for key in given.keys if key.name in written),
        recodes=tuple(recode for recode in given.recodes if recode.variable in written),
    )


def sections(given: ReportInput) -> tuple[Section, ...]:
    """The parts of the report for users."""
    parts = (
        data.files(given),
        data.recodings(given),
        changes.suppression_by_variable(given),
        data.related(given),
        perturbed.perturbations(given),
        _modifications(given),
        _effects(given),
        _checks(given),
        data.thresholds(given) if given.details.thresholds else None,
        data.layout(given),
        data.program(given),
        _terms(given),
    )
    return tuple(part for part in parts if part is not None)


def summary(given: ReportInput) -> tuple[Text, ...]:
    """What was released, and what was changed in it."""
    return (Text(in_the_file(given)), *what_it_took(given))


def verdict(given: ReportInput) -> Verdict | None:
    """Whether the written file is what was decided; None where none was written."""
    if given.verified is None:
        return None
    if not given.verified:
        told = _("The check of the written file failed. It must not be used.")
        return Verdict(_("Not verified: the file is not what was decided."), told, "warning")
    told = _("The written file was read back and compared with the original, value by value.")
    return Verdict(_("Verified: every value is what this report says."), told, "good")


def _modifications(given: ReportInput) -> Section:
    """Other changes, with the parameters that an analysis may need."""
    section = changes.modifications(given)
    blocks: list[Block] = list(section.blocks)
    for done in given.modifications:
        if not (done.parameters or done.matrices):
            continue
        blocks.append(Heading(f"{done.method}: {done.variables}" if done.variables else done.method))
        if done.parameters:
            blocks.append(Terms(done.parameters))
        blocks += [_matrix(title, rows) for title, rows in done.matrices]
    return Section(section.id, section.title, tuple(blocks))


def _matrix(title: str, rows: Sequence[Sequence[float]]) -> ReportTable:
    columns = (
        ReportColumn(_("Row"), "count"),
        *(ReportColumn(str(j), "number:4") for j in range(1, len(rows[0]) + 1)),
    )
    return ReportTable(columns, tuple((i, *row) for i, row in enumerate(rows, 1)), caption=title)


def _effects(given: ReportInput) -> Section:
    """What the changes do to analyses, in sentences with figures."""
    told = [
        *_of_recodes(given),
        *_of_suppression(given),
        *_of_perturbations(given),
        *_of_modifications(given.modifications),
    ]
    if not told:
        told = [_("Nothing was changed: analyses of the variables released give what the original gives.")]
    if given.layout is not None and (given.layout.removed or given.layout.left_out):
        told.append(_("Variables that are left out can be missing as explanations of those that are there."))
    return Section("analyses", _("What it means for analyses"), tuple(map(Text, told)))


def _of_recodes(given: ReportInput) -> Iterator[str]:
    before = {key.name: key for key in given.keys}
    coarser = [recode.variable for recode in given.recodes]
    if not coarser:
        return
    yield _("{names}: differences inside a new code cannot be studied any more, and associations are as a rule weaker "
            "than by the original codes.").format(names=names(coarser))  # fmt: skip
    codes = [
        _("{name} has {codes}").format(name=name, codes=count(key.categories_released))
        for name in coarser
        if (key := before.get(name)) is not None and key.categories_released
    ]
    if codes:
        yield _("Numbers of codes in the file: {counted}.").format(counted=names(codes))


def _of_suppression(given: ReportInput) -> Iterator[str]:
    facts = given.suppression
    if facts is None or not facts.total:
        return
    told = _("{values} of the key variables are missing in {records}, suppressed values included: an analysis of "
             "complete records alone loses their records.")  # fmt: skip
    yield told.format(values=counted(facts.total, "{n} value", "{n} values"), records=records(given.records))
    told = _("Values are suppressed where combinations of values are rare, not at random: rare groups lose more than "
             "others, and frequencies of the values that remain are too low there. Methods for missing data have to "
             "take in {names}, on which it depends what is missing.")  # fmt: skip
    yield told.format(names=names([key.name for key in given.keys]))
    touched = [key for key in (*given.keys, *given.also_suppressed) if key.suppressed]
    most = max(touched, key=lambda key: key.suppressed, default=None)
    if most is not None and given.records:
        told = _("The most are missing of {name}: {share} of its values.")
        yield told.format(name=most.name, share=percent(most.suppressed / given.records, 3))


def _of_perturbations(given: ReportInput) -> Iterator[str]:
    for each in given.perturbations:
        if effect := effect_of(each.kind, any(not table.of_the_house for table in each.published)):
            yield _(effect).format(names=names(each.variables))


def _of_modifications(done: Sequence[Modification]) -> Iterator[str]:
    for change in done:
        if change.kind in EFFECTS:
            yield _(EFFECTS[change.kind]).format(names=change.variables or _("some variables"))


def _checks(given: ReportInput) -> Section:
    """What was checked, without thresholds."""
    if given.verified is None:
        told = Text(_("No safe file was written, so there was nothing to verify."))
    elif given.verified:
        told = Text(
            _("The file was read back after it was written and compared with the original by a part of the program "
              "that shares nothing with the one that protects. Every value is what was decided, and the figures of "
              "this report are those of the file."), "good",
        )  # fmt: skip
    else:
        told = Text(_("The check of the written file FAILED. The file must not be used."), "warning")
    return Section("verification", _("Verification"), (told,))


def _terms(given: ReportInput) -> Section:
    rows: list[tuple[str, str]] = [
        (_("Global recoding"), _("replacing the codes of a variable by fewer, broader ones in all records.")),
        (_("Local suppression"), _("replacing single values of key variables by a missing code.")),
        (
            _("Perturbation"),
            _("changing values at random, by a method and to an extent that are told, so that analyses can allow for "
              "it."),
        ),
        data.not_anonymous(),
        (_("What users owe"), _("not to try to recognise anybody, and to report where somebody was recognised.")),
    ]  # fmt: skip
    return Section("terms", _("What the terms mean"), (Terms(tuple((a, b, "text") for a, b in rows), True),))
