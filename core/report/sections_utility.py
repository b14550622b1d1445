"""The part of the report that says what is preserved: the original, recoded alike, beside the safe file."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..base.texts import translate as _
from ..base.texts import with_marks
from ..utility.compared import LARGEST
from ..utility.distributions import VariableUtility
from ..utility.intervals import Estimate
from ..utility.own import Compared, NotCompared, goal_sentence, keeps_goal
from ..utility.own_models import ComparedModel
from ..utility.own_tables import ComparedMeans, ComparedTable
from ..utility.propensity import NOT_FOR_SUPPRESSION, Propensity
from ..utility.sdcmicro import SdcMicroFigures
from ..whatif.utility import FileUtility
from .blocks import Block, Heading, ReportColumn, ReportTable, Section, Terms, Text
from .facts import ReportInput
from .numbers import Value, count, percent
from .words import counted, names

LISTED = 15
"""Pairs, cells and groups that are listed: those that changed most."""

Row = tuple[Value, ...]


def utility(given: ReportInput) -> Section | None:
    """What is preserved of variables, of pairs of them, and of the user's own analyses."""
    found = given.utility
    if found is None:
        return None
    told = _("The original, recoded as the safe file is, is compared with the safe file, as its users see it.")
    counts = _("Distributions, means and associations count by {weight}.").format(weight=given.weight)
    blocks: list[Block] = [Text(f"{told} {counts}" if given.weight and found.weighted else told)]
    if found.too_large:
        blocks.append(Text(told_of_too_large(found), "warning"))
    if found.variables:
        blocks += [Heading(_("Variables")), _variables(found.variables)]
    blocks += _pairs(found)
    if found.variables:
        blocks += _told_apart(found.propensity, found.suppressed)
    if found.numbers is not None:
        blocks += _of_sdcmicro(found.numbers)
    for number, each in enumerate(found.own, 1):
        blocks += _own(number, each)
    return Section("utility", _("What is preserved"), tuple(blocks))


def told_of_too_large(found: FileUtility) -> str:
    """That numbers of some variables are left out."""
    told = _("{names}: numbers beyond {largest} are left out of all figures of numbers, which could not hold them.")
    return told.format(names=names(found.too_large), largest=f"{LARGEST:g}")


def _variables(variables: Sequence[VariableUtility]) -> ReportTable:
    columns = [
        ReportColumn(_("Variable")),
        ReportColumn(_("Values changed"), "count"),
        ReportColumn(_("Newly missing"), "count"),
        ReportColumn(_("Hellinger distance"), "number:4"),
    ]
    rows: list[list[Value]] = [[v.name, v.changed, v.added, v.hellinger] for v in variables]
    if any(v.recode_removed is not None for v in variables):
        columns.append(ReportColumn(_("Detail removed by recoding"), "share"))
        rows = [[*row, v.recode_removed] for row, v in zip(rows, variables, strict=True)]
    if any(v.means[0] is not None for v in variables):
        columns += [ReportColumn(_("Mean before")), ReportColumn(_("Mean after"))]
        rows = [[*row, *map(_figure, v.means)] for row, v in zip(rows, variables, strict=True)]
    note = _("Hellinger distance of the distributions of the values that are there: 0 the same, 1 nothing in common.")
    return ReportTable(tuple(columns), tuple(map(tuple, rows)), note=note)


def _pairs(found: FileUtility) -> list[Block]:
    """The pairs of variables whose association changed most."""
    matrix, ratio = found.associations, found.propensity_by_pair
    size = len(matrix.names)
    rows: list[Row] = []
    for i in range(size):
        for j in range(i):
            before, after = float(matrix.before[i, j]), float(matrix.after[i, j])
            both = None if math.isnan(before) else before, None if math.isnan(after) else after
            rows.append((f"{matrix.names[j]} × {matrix.names[i]}", *both, float(ratio[i, j])))
    if not rows:
        return []
    rows.sort(key=_size_of_change, reverse=True)
    caption = ""
    if len(rows) > LISTED:
        caption = _("The {n} pairs whose association changed most.").format(n=LISTED)
    columns = (
        ReportColumn(_("Pair")),
        ReportColumn(_("Association before"), "number:3"),
        ReportColumn(_("Association after"), "number:3"),
        ReportColumn("S_pMSE", "number:2"),
    )
    note = _(
        "Association: Cramér's V, of two numbers the correlation, of a number and a category the correlation ratio."
    )
    return [Heading(_("Pairs of variables")), ReportTable(columns, tuple(rows[:LISTED]), caption=caption, note=note)]


def _size_of_change(row: Row) -> float:
    before, after = row[1], row[2]
    return abs(after - before) if isinstance(before, float) and isinstance(after, float) else 0.0


def _told_apart(found: Propensity, suppressed: int) -> list[Block]:
    model = _("main effects and pairs") if found.pairs else _("main effects")
    rows: tuple[tuple[str, Value, str], ...] = (
        (_("Model"), _("logistic, {terms}, {n} coefficients").format(terms=model, n=count(found.coefficients)), "text"),
        (_("Records of each file"), found.records, "count"),
        ("pMSE", found.pmse, "number:6"),
        (_("Expected if drawn anew"), found.expected, "number:6"),
        (_("S_pMSE, their ratio"), found.ratio, "number:3"),
    )
    said = _(
        "How well a model tells released records from original ones: a ratio of 0 says that nothing is changed, one of "
        "about 1 that the values are like values drawn anew from the right model, a larger one that they are not."
    )
    blocks: list[Block] = [Heading(_("Released records told from original ones")), Text(said), Terms(rows)]
    if suppressed:
        blocks.append(Text(_(NOT_FOR_SUPPRESSION), "note"))
    return blocks


def _of_sdcmicro(found: SdcMicroFigures) -> list[Block]:
    rows: list[tuple[str, Value, str]] = [
        (_("Numbers"), ", ".join(found.variables), "text"),
        (_("Complete records"), found.records, "count"),
        ("IL1", _figure(found.il1), "text"),
        ("IL1s", _figure(found.il1s), "text"),
        (_("IL1s by value"), _figure(found.il1_mean), "text"),
        (_("Eigenvalues"), _figure(found.eigenvalues), "text"),
        ("IL_correl", _figure(found.correlations), "text"),
        (_("dRisk at 0.05 standard deviations"), found.inside, "percent"),
    ]
    told = Heading(_("Numbers, as sdcMicro measures them"))
    return [told, Terms(tuple(row for row in rows if row[1] is not None))]


def _own(number: int, each: Compared) -> list[Block]:
    if isinstance(each, NotCompared):
        entry = each.entry
        asked = entry.model or ", ".join((*entry.table, *([entry.mean] if entry.mean else []), *entry.by))
        return [Heading(f"{number}. {asked}"), Text(str(each.reason), "warning"), *_goal(each)]
    if isinstance(each, ComparedTable):
        made = _table(number, each)
    else:
        made = _means(number, each) if isinstance(each, ComparedMeans) else _model(number, each)
    return [made[0], *_goal(each), *made[1:]]


def _goal(each: Compared) -> list[Block]:
    """Whether the goal is kept, with the groups that fail; nothing where there is none."""
    said = goal_sentence(each, lambda share: percent(share, 3), LISTED)
    return [Text(said, "plain" if keeps_goal(each) else "warning")] if said else []


def _largest(changes: Sequence[float | None]) -> list[int]:
    """Places of the changes that are listed: what is new or lost first, then the largest."""
    sizes = [math.inf if change is None else abs(change) for change in changes]
    return sorted(range(len(sizes)), key=lambda place: (-sizes[place], place))[:LISTED]


def _caption(shown: int, all_of_them: int) -> str:
    return (
        _("The {n} that changed most, of {all}.").format(n=shown, all=count(all_of_them)) if shown < all_of_them else ""
    )


def _table(number: int, each: ComparedTable) -> list[Block]:
    name = " × ".join(each.variables)
    title = _("{number}. Table of {name}").format(number=number, name=name)
    figures, changes = each.summary(), each.changes
    cells = counted(figures["cells"], "{n} cell", "{n} cells")
    rows: list[tuple[str, Value, str]] = [
        (_("Cells"), cells, "text"),
        (_("Cells that are new"), figures["new_cells"], "count"),
        (_("Cells that are empty now"), figures["empty_cells"], "count"),
        (_("Largest change of a count"), figures.get("max_change"), "percent"),
        (_("Mean change of a count"), figures.get("mean_change"), "percent"),
    ]
    places = _largest(changes)
    columns = (
        *map(ReportColumn, each.variables),
        ReportColumn(_("Before"), "number:1"),
        ReportColumn(_("After"), "number:1"),
        ReportColumn(_("Change"), "share"),
    )
    listed = tuple((*each.cells[p], each.before[p], each.after[p], changes[p]) for p in places)
    caption = _caption(len(places), len(changes))
    return [Heading(title), Terms(tuple(rows)), ReportTable(columns, listed, caption=caption)]


def _means(number: int, each: ComparedMeans) -> list[Block]:
    by = " × ".join(each.by)
    title = _("{number}. Mean of {variable} by {by}") if by else _("{number}. Mean of {variable}")
    changes, shared = each.changes, each.overlaps
    places = _largest(changes)
    columns = (
        *map(ReportColumn, each.by),
        ReportColumn(_("Before")),
        ReportColumn(_("After")),
        ReportColumn(_("Change"), "share"),
        ReportColumn(_("Overlap"), "number:2"),
    )
    listed = tuple(
        (*each.groups[p], _with_interval(each.before[p]), _with_interval(each.after[p]), changes[p], shared[p])
        for p in places
    )
    caption = _caption(len(places), len(changes))
    heading = Heading(title.format(number=number, variable=each.variable, by=by))
    return [heading, ReportTable(columns, listed, caption=caption, note=_overlaps_note())]


def _model(number: int, each: ComparedModel) -> list[Block]:
    kind = _("logistic regression") if each.kind == "logistic" else _("least squares")
    columns = (
        ReportColumn(_("Coefficient")),
        ReportColumn(_("Before")),
        ReportColumn(_("After")),
        ReportColumn(_("Overlap"), "number:2"),
    )
    listed = tuple(
        (name, _with_interval(before), _with_interval(after), shared)
        for name, before, after, shared in zip(each.coefficients, each.before, each.after, each.overlaps, strict=True)
    )
    records = _("Complete records: {before} before, {after} after.")
    caption = f"{kind}. {records.format(before=count(each.records[0]), after=count(each.records[1]))}"
    return [
        Heading(f"{number}. {each.formula}"),
        ReportTable(columns, listed, caption=caption[:1].upper() + caption[1:], note=_overlaps_note()),
    ]


def _overlaps_note() -> str:
    return _(
        "In brackets 95 % confidence intervals, by the weights of a sample without strata or clusters. Overlap of the "
        "two: 1 the same, below 0 apart."
    )


def _with_interval(estimate: Estimate | None) -> str | None:
    if estimate is None:
        return None
    if estimate.low is None or estimate.high is None:
        return _figure(estimate.value)
    return f"{_figure(estimate.value)} ({_figure(estimate.low)}; {_figure(estimate.high)})"


def _figure(value: float | None) -> str | None:
    """A number with the digits that say something."""
    if value is None:
        return None
    text = f"{value:.5g}"
    return with_marks((f"{value:.0f}" if "e+" in text else text).replace("-", "−"))
