"""The part of the report that says which values were changed at random, and what users of the file can do about it."""

from __future__ import annotations

from ..base.texts import translate as _
from .blocks import Block, Heading, ReportColumn, ReportTable, Section, Terms, Text
from .facts import PerturbationFacts, ReportInput
from .numbers import Value
from .words import counted


def perturbations(given: ReportInput) -> Section | None:
    """Every perturbation before recodes and tables, in order; left out where there is none."""
    if not given.perturbations:
        return None
    told = _(
        "These values are not what was asked or measured, but were changed at random, before recodes and tables, in "
        "this order. Risks and suppression are those of the changed file."
    )
    blocks: list[Block] = [Text(told)]
    for number, each in enumerate(given.perturbations, 1):
        blocks += _one(number, each)
    return Section("perturbations", _("Values changed at random"), tuple(blocks))


def _one(number: int, each: PerturbationFacts) -> list[Block]:
    blocks: list[Block] = [Heading(f"{number}. {each.method}: {', '.join(each.variables)}")]
    blocks.append(Text(each.sentence, "note"))
    if each.told:
        blocks.append(Text(f"{each.told[:1].upper()}{each.told[1:]}."))
    rows: list[tuple[str, Value, str]] = [(name, value, "text") for name, value, _names in each.parameters]
    if each.changed is not None:
        rows.append((_("Values changed"), counted(each.changed, "{n} value", "{n} values"), "text"))
    rows += list(each.invariants)
    blocks += [Terms(tuple(rows)), *each.tables]
    for table in (published.translated() for published in each.published):
        formats = table.formats or ("text",) * len(table.headings)
        columns = tuple(ReportColumn(title, spec) for title, spec in zip(table.headings, formats, strict=True))
        blocks.append(ReportTable(columns, table.rows, caption=table.title))
    return blocks
