"""What changed between two releases, in words and in tables side by side: a memo for those who approved the last one.

From two recipes and, for the figures, the summaries of their runs. A memo names files and decisions of the house and
stays there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..base.texts import current_language, language_in_use, language_of_outputs, mark
from ..base.texts import translate as _
from ..data.variables import Metadata
from ..recipe.key_words import key_in_words
from ..recipe.model import Measure, Perturbation, Recipe, Report
from .blocks import Block, Heading, ReportColumn, ReportData, ReportTable, Section, Text
from .numbers import NOTHING, Value, column, typed
from .words import counted, names

Parts = Mapping[str, Mapping[str, str]]
"""Things by name, each with what is said of it: attribute -> text."""


@dataclass(frozen=True)
class MemoSide:
    """One of the two releases.

    Attributes
    ----------
    name : how the memo calls it
    recipe : its recipe
    summary : of its run, as in ``output.summary``; None: its figures are not known
    schemes : by variable the text of a recode scheme, also of one in a file
    metadata : of its original file; None where that cannot be read any more: then what the recipe says of variables
    """

    name: str
    recipe: Recipe
    summary: Mapping[str, Any] | None
    schemes: Mapping[str, str]
    metadata: Metadata | None = None


@dataclass(frozen=True)
class _Part:
    """A section: its title, and how the things in it are gathered from a release."""

    id: str
    title: str
    gather: Any


def memo(old: MemoSide, new: MemoSide, created: datetime, program: str) -> ReportData:
    """The memo of the differences of `new` to `old`.

    Parameters
    ----------
    created : its date
    program : name and version of what made it

    Returns
    -------
    ReportData
        One section a part of the recipe, then the figures; what is equal is said to be.
    """
    with language_in_use(new.recipe.report.language or language_of_outputs()):
        return _memo(old, new, created, program)


def _memo(old: MemoSide, new: MemoSide, created: datetime, program: str) -> ReportData:
    sections, said = [], []
    for part in _PARTS:
        before, after = part.gather(old), part.gather(new)
        said.append(Text(f"{_(part.title)}: {_in_words(before, after)}"))
        sections.append(Section(part.id, _(part.title), tuple(_blocks(before, after))))
    sections.append(Section("figures", _("Figures"), tuple(_figures(old, new))))
    return ReportData(
        title=new.recipe.report.title or _("Differences between two releases"),
        subtitle=_("Memo: what changed since {name}").format(name=old.name),
        created=_("Created {when}").format(when=created.strftime("%Y-%m-%d")),
        language=current_language(),
        details=(
            (_("Last release"), old.name),
            (_("This release"), new.name),
            (_("Meant for"), _("use inside the institution only")),
        ),
        summary=tuple(said),
        sections=tuple(sections),
        footer=_("Made with {program}.").format(program=program),
        contents_title=_("Contents"),
        summary_title=_("In short"),
    )


def _in_words(old: Parts, new: Parts) -> str:
    """What is new, what is gone and what is another, by name."""
    there = [name for name in new if name in old]
    kinds = (
        (_("new: {names}"), [name for name in new if name not in old]),
        (_("no longer there: {names}"), [name for name in old if name not in new]),
        (_("changed: {names}"), [name for name in there if dict(old[name]) != dict(new[name])]),
    )
    told = [text.format(names=names(found)) for text, found in kinds if found]
    return "; ".join(told) + "." if told else _("nothing changed.")


def _blocks(old: Parts, new: Parts) -> Iterator[Block]:
    rows = list(_rows(old, new))
    if not rows:
        equal = counted(len(new), "{n} entry, the same in both.", "{n} entries, the same in both.")
        yield Text(equal if new else _("None in either."))
        return
    columns = [_("What"), _("Which part of it"), _("Last release"), _("This release")]
    yield ReportTable(tuple(map(ReportColumn, columns)), tuple(rows))


def _rows(old: Parts, new: Parts) -> Iterator[tuple[str, str, str, str]]:
    """One row an attribute that differs; of what is new or gone all that was said of it."""
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            whole = _whole(before if after is None else after) or _("without more")
            yield (name, "", NOTHING if before is None else whole, NOTHING if after is None else whole)
            continue
        for attribute in dict.fromkeys([*before, *after]):
            values = before.get(attribute, NOTHING), after.get(attribute, NOTHING)
            if values[0] != values[1]:
                yield (name, attribute, *values)


def _whole(said: Mapping[str, str] | None) -> str:
    return "; ".join(f"{attribute}: {value}" for attribute, value in (said or {}).items())


# What is gathered of a recipe ----------------------------------------------------------------------------------------


def _said(item: object, without: Sequence[str] = ()) -> dict[str, str]:
    """Attributes of a part of the recipe that are not as they are by default, as text."""
    found: dict[str, str] = {}
    for field in fields(item):  # type: ignore[arg-type]
        value = getattr(item, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if field.name in without or value == default:
            continue
        if is_dataclass(value) and not isinstance(value, type):
            found |= {f"{key_in_words(field.name)}, {inner}": text for inner, text in _said(value).items()}
        else:
            found[key_in_words(field.name)] = _text(value)
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Path):
        return value.name
    if isinstance(value, float):
        return typed(value)
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))
    return NOTHING if value is None else str(value)


def _named(items: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, Mapping[str, str]]:
    """Things by name; one that has the name of another is counted."""
    found: dict[str, Mapping[str, str]] = {}
    for name, said in items:
        count, unique = 1, name
        while unique in found:
            count += 1
            unique = f"{name} ({count})"
        found[unique] = said
    return found


def _input(release: MemoSide) -> Parts:
    return {_("Input"): _said(release.recipe.input, without=("sha256", "checksums"))}


def _variables(release: MemoSide) -> Parts:
    recipe = release.recipe
    without = ("name", "decided_by", "reason", "labels")
    described = release.metadata.variables if release.metadata else recipe.variables
    named = {variable.name: _said(variable, without) for variable in described}
    derived = {key.name: _said(key, ("name",)) | {_("kind"): key.kind} for key in recipe.derived}
    return named | derived


def _models(release: MemoSide) -> Parts:
    recipe = release.recipe
    each = ((" × ".join(c.variables), {_("model"): c.model} | _said(c, ("variables",))) for c in recipe.combinations)
    found = _named(each)
    if recipe.threshold:
        found[_("Threshold of all")] = _said(recipe.threshold)
    if households := _said(recipe.households):
        found[_("Households")] = households
    return found


def _recodes(release: MemoSide) -> Parts:
    found = {}
    for recode in release.recipe.recodes:
        said = _said(recode, ("variable", "scheme", "scheme_file"))
        scheme = release.schemes.get(recode.variable)
        if scheme is not None:
            said[_("scheme")] = scheme.strip()
        elif recode.scheme_file is not None:
            said[_("scheme")] = recode.scheme_file.name
        found[recode.variable] = said
    return found


def _changes(release: MemoSide) -> Parts:
    recipe = release.recipe
    numbers = [(change.variable, _said(change, ("variable",))) for change in recipe.numeric]
    return _named([*numbers, *((entry.method, _entry(entry)) for entry in recipe.perturbations)])


def _entry(entry: Measure | Perturbation) -> dict[str, str]:
    said = {_("variables"): _text(entry.variables)} if entry.variables else {}
    return said | {key_in_words(name): _text(value) for name, value in entry.parameters}


def _protection(release: MemoSide) -> Parts:
    recipe = release.recipe
    suppression = {_("criterion"): recipe.suppression.criterion, _("mode"): recipe.suppression.mode}
    files = ("data", "metadata", "report", "report_pdf", "summary", "records", "ddi", "table_schema")
    return {
        _("Suppression"): suppression | _said(recipe.suppression),
        _("Safe file"): _said(recipe.output, files)
        | ({_("format"): recipe.output.data.suffix or NOTHING} if recipe.output.data else {}),
    }


def _scenarios(release: MemoSide) -> Parts:
    recipe = release.recipe
    known = [(scenario.name, _said(scenario, ("name",))) for scenario in recipe.scenarios]
    return _named([*known, *((measure.kind, _entry(measure)) for measure in recipe.measures)])


def _report(release: MemoSide) -> Parts:
    details: Report = release.recipe.report
    return {
        _("Report"): _said(details, ("answers",)),
        **({_("Answers"): dict(details.answers)} if details.answers else {}),
    }


_PARTS = (
    _Part("input", mark("Data"), _input),
    _Part("variables", mark("Variables"), _variables),
    _Part("models", mark("Key variables, models and thresholds"), _models),
    _Part("recodings", mark("Global recodings"), _recodes),
    _Part("changes", mark("Numerical variables and perturbations"), _changes),
    _Part("protection", mark("Suppression and output"), _protection),
    _Part("scenarios", mark("Scenarios and further measures"), _scenarios),
    _Part("report", mark("Report"), _report),
)

# Figures -------------------------------------------------------------------------------------------------------------

_OF_A_TABLE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (mark("Cells"), ("cells",), "count"),
    (mark("Records alone with their key (f = 1)"), ("sample_uniques",), "count"),
    (mark("Largest individual risk, before"), ("individual_risk", "max"), "risk"),
    (mark("Largest individual risk, safe file"), ("after", "by_mode", "individual_risk", "max"), "risk"),
    (mark("Expected re-identifications, before"), ("individual_risk", "expected_reidentifications"), "risk"),
    (
        mark("Expected re-identifications, safe file"),
        ("after", "by_mode", "individual_risk", "expected_reidentifications"),
        "risk",
    ),
    (mark("Re-identification rate, before"), ("individual_risk", "rate"), "percent"),
    (mark("Re-identification rate, safe file"), ("after", "by_mode", "individual_risk", "rate"), "percent"),
    (mark("Largest household risk, before"), ("household_risk", "max"), "risk"),
    (mark("Largest household risk, safe file"), ("after", "by_mode", "household_risk", "max"), "risk"),
    (mark("Threshold as individual risk"), ("threshold", "individual_risk"), "exact"),
    (mark("Threshold as household risk"), ("threshold", "household_risk"), "exact"),
    (mark("Unsafe records before suppression"), ("threshold", "unsafe_records"), "count"),
    (mark("Unsafe households before suppression"), ("threshold", "unsafe_households"), "count"),
)
_OF_THE_FILE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (mark("Records"), ("records",), "count"),
    (mark("Variables described"), ("variables",), "count"),
    (mark("Suppressed values"), ("suppression", "total"), "count"),
    (mark("Records with a suppressed value"), ("suppression", "records_touched"), "count"),
    (mark("Entropy loss (bits)"), ("suppression", "entropy_loss"), "number:1"),
    (mark("Unsafe records left"), ("unsafe_left",), "count"),
)


def _figures(old: MemoSide, new: MemoSide) -> Iterator[Block]:
    """Figures of both runs, with their difference, as far as both summaries are there."""
    if old.summary is None or new.summary is None:
        missing = names([release.name for release in (old, new) if release.summary is None])
        yield Text(_("Figures are left out: there is no summary of {missing}.").format(missing=missing), "note")
        return
    yield from _table(_("The file"), _OF_THE_FILE, old.summary, new.summary)
    before, after = _by_table(old.summary), _by_table(new.summary)
    for name in dict.fromkeys([*before, *after]):
        yield from _table(name, _OF_A_TABLE, before.get(name, {}), after.get(name, {}))
    variables = dict.fromkeys([*_suppressed(old.summary), *_suppressed(new.summary)])
    wanted = tuple((name, ("suppression", "by_variable", name), "count") for name in variables)
    yield from _table(_("Suppressed values by variable"), wanted, old.summary, new.summary)
    yield from _warnings(old.summary, new.summary)


def _suppressed(summary: Mapping[str, Any]) -> list[str]:
    found = _at(summary, ("suppression", "by_variable"))
    return list(found) if isinstance(found, dict) else []


def _by_table(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parts of the summary on combinations, by their variables."""
    found = _at(summary, ("combinations",))
    parts = [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []
    each = ((" × ".join(map(str, part.get("variables", ()))), part) for part in parts)
    return dict(_named(each))


def _at(part: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = part
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _table(
    title: str, wanted: Sequence[tuple[str, tuple[str, ...], str]], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Block]:
    rows: list[tuple[Value, ...]] = []
    for name, path, spec in wanted:
        before, after = _number(_at(old, path)), _number(_at(new, path))
        if before is None and after is None:
            continue
        change = None if before is None or after is None else after - before
        rows.append((_(name), *column([before, after, change], spec)))
    if rows:
        specs = ("text",) * len(rows)
        titles = (_("Figure"), _("Last release"), _("This release"), _("Difference"))
        yield Heading(title)
        yield ReportTable(tuple(map(ReportColumn, titles)), tuple(rows), row_specs=specs)


def _number(value: object) -> float | int | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _warnings(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Block]:
    """Warnings of this release that the last one did not have, and the other way round."""
    before, after = _told(old), _told(new)
    kinds = (
        (_("Warnings that are new"), [text for text in after if text not in before]),
        (_("Warnings of the last release that are gone"), [text for text in before if text not in after]),
    )
    for title, texts in kinds:
        if texts:
            yield Heading(title)
            yield from (Text(text, "warning" if texts is kinds[0][1] else "plain") for text in texts)


def _told(summary: Mapping[str, Any]) -> list[str]:
    found = _at(summary, ("warnings",))
    parts = found if isinstance(found, list) else []
    return [str(part["text"]) for part in parts if isinstance(part, dict) and "text" in part]
