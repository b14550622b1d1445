"""*Generate metadata*: a whole description proposed from a file's names and contents, for review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.base.errors import MetadataError, Notice
from core.base.texts import by_count, mark
from core.data.variables import Metadata, Variable
from core.metadata.missing_codes import looks_missing
from core.metadata.profile import Profile
from core.metadata.suggest import Labels, Suggestion, suggest
from core.metadata.survey import Survey

_MOST_DECIMALS = 15


def generate(metadata: Metadata, survey: Survey, labels: Labels) -> tuple[Suggestion, ...]:
    """Uses with identification levels, types, missing codes, lengths and decimals that differ from the description.

    Those of each variable are in the order in which they are to be followed. Codes that only look like missing are
    not `Suggestion.sure`.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file
    labels : labels of codes by variable
    """
    uses: dict[str, list[Suggestion]] = {}
    for suggestion in suggest(metadata, survey, labels):
        uses.setdefault(suggestion.variable, []).append(suggestion)
    found: list[Suggestion] = []
    for variable in metadata.variables:
        proposed = uses.get(variable.name, [])
        found += proposed
        profile = survey.profiles.get(variable.name)
        if profile is None or variable.removed:
            continue
        now = variable
        for suggestion in proposed:
            now = suggestion.followed(now)
        if now.removed:
            continue
        found += _missing(now, profile, labels.get(variable.name, {}))
        found += _size(now, profile, metadata)
    return tuple(found)


def to_save(metadata: Metadata, survey: Survey | None) -> Metadata:
    """The metadata as an .rda file can say them: lengths that hold every value, columns in their order.

    Raises
    ------
    MetadataError
        ``columns-not-described``: a file without a header has columns that no variable describes; the .rda counts
        columns by the order of its variables.
    """
    if metadata.format != "delimited":
        return metadata
    variables = metadata.variables
    if not metadata.header:
        variables = tuple(sorted(variables, key=lambda v: v.column))
        for column, variable in enumerate(variables, 1):
            if variable.column != column:
                raise MetadataError(
                    "columns-not-described",
                    mark("No variable describes column {column}; an .rda file has to describe every column."),
                    mark("Add a variable for it."),
                    column=column,
                )
    profiles = survey.profiles if survey is not None else {}
    long = (
        replace(v, length=max(v.length, _needed(v, profiles[v.name], metadata))) if v.name in profiles else v
        for v in variables
    )
    return replace(metadata, variables=tuple(long))


def _needed(variable: Variable, profile: Profile, metadata: Metadata) -> int:
    """Bytes of the longest value; 0 where the format has no lengths to declare."""
    if metadata.format != "delimited":
        return 0
    codes = (*profile.codes, *variable.missing)
    return max(1, profile.longest, *(len(code.encode(metadata.encoding, "replace")) for code in codes))


def _missing(variable: Variable, profile: Profile, labels: Mapping[str, str]) -> Iterator[Suggestion]:
    if variable.role != "other":
        return
    for code in looks_missing(profile, dict(labels)):
        count = profile.count_of(code)
        proposal = Notice.of("suggest-missing", mark("Missing code {code}"), code=code)
        text = by_count(
            count,
            mark("It looks like missing, in one record: is it?"),
            mark("It looks like missing, in {count} records: is it?"),
        )
        reason = Notice.of("suggest-looks-missing", text, count=count)
        yield Suggestion(variable.name, None, proposal, reason, (), kind="missing", sure=False, adds=(code,))


def _size(variable: Variable, profile: Profile, metadata: Metadata) -> Iterator[Suggestion]:
    changes: dict[str, object] = {}
    needed = _needed(variable, profile, metadata)
    if needed > variable.length:
        changes["length"] = needed
    decimals = min(profile.numbers.decimals, _MOST_DECIMALS) if profile.numbers.only else 0
    if variable.numeric and decimals > variable.decimals:
        changes["decimals"] = decimals
    if not changes:
        return
    texts: dict[tuple[str, ...], tuple[str, str]] = {
        ("length",): (mark("Length {length}"), mark("Length of the longest value: {length}.")),
        ("decimals",): (mark("{decimals} decimals"), mark("Most digits behind the decimal mark: {decimals}.")),
        ("length", "decimals"): (
            mark("Length {length}, {decimals} decimals"),
            mark("Length of the longest value: {length}; most digits behind the decimal mark: {decimals}."),
        ),
    }
    proposal, reason = texts[tuple(changes)]
    values: dict[str, Any] = {"length": needed, "decimals": decimals}
    yield Suggestion(
        variable.name,
        None,
        Notice.of("suggest-size", proposal, **values),
        Notice.of("suggest-size-reason", reason, **values),
        tuple(changes.items()),
        kind="size",
    )
