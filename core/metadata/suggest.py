"""What is proposed from a file's names and contents, for review, never by itself.

`suggest`: uses of variables, each with its reason. `generate`: a whole description (*Generate metadata*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ..base.errors import MetadataError, Notice
from ..base.texts import DecimalText, mark, plural
from ..data.households import FEWEST
from ..data.variable_uses import USE_NAMES, Use, uses_of, with_use
from ..data.variables import Metadata, Variable
from .guess_use import (
    ENOUGH,
    identifies,
    is_amount,
    is_birth_date,
    is_household_id,
    is_key,
    is_sensitive,
    is_weight,
    key_level,
    likely_order,
    why_left_out,
)
from .missing_codes import looks_missing, unused_missing_code
from .profile import Profile
from .survey import Survey

Labels = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class UseSuggestion:
    """One proposal.

    Attributes
    ----------
    variable : str
    use : what it would be used for; empty where only attributes change
    proposal, reason : sentences
    changes : attributes of the variable, as (name, value)
    adds : missing codes that are added to those that the variable has
    kind : what it concerns; ``related`` is what is suppressed with it, ``size`` is length and decimals, ``order``
        whether codes have one
    sure : whether to take it over unless the user says otherwise
    """

    variable: str
    use: Use | None
    proposal: Notice
    reason: Notice
    changes: tuple[tuple[str, object], ...]
    kind: Literal["use", "related", "type", "missing", "order", "size"] = "use"
    sure: bool = True
    adds: tuple[str, ...] = ()

    def followed(self, variable: Variable) -> Variable:
        """The variable after this proposal."""
        values: dict[str, Any] = dict(self.changes)
        if self.adds:
            values["missing"] = tuple(dict.fromkeys((*variable.missing, *self.adds)))
        return replace(variable, **values)


def together(
    suggestions: Iterable[UseSuggestion], variables: Iterable[Variable]
) -> list[tuple[str, tuple[tuple[str, object], ...]]]:
    """What follows from all `suggestions`, one after the other: variables with their changed attributes."""
    before = {variable.name: variable for variable in variables}
    after = dict(before)
    for suggestion in suggestions:
        after[suggestion.variable] = suggestion.followed(after[suggestion.variable])
    return [(name, changed) for name in after if (changed := _changes(before[name], after[name]))]


def suggest(metadata: Metadata, survey: Survey, labels: Labels) -> tuple[UseSuggestion, ...]:
    """Proposals for variables that are not used so yet, in file order.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file
    labels : labels of codes by variable
    """
    found: list[UseSuggestion] = []
    takers: dict[Use, str] = {}
    for role in ("weight", "household-id"):
        holder = next((v.name for v in metadata.variables if v.role == role), None)
        if holder:
            takers[role] = holder
    for variable in metadata.variables:
        if variable.removed or variable.role != "other":
            continue
        profile = survey.profiles.get(variable.name)
        found += _of(variable, profile, survey, labels.get(variable.name, {}), takers, metadata)
    return tuple(_once(found, metadata, survey))


def _once(found: list[UseSuggestion], metadata: Metadata, survey: Survey) -> Iterator[UseSuggestion]:
    """One key of those that tell the same, as name and code of a region; the others are to be suppressed with it.

    So is one that follows from a finer key, as the province from the municipality.
    """
    proposed = [suggestion.variable for suggestion in found if suggestion.use == "key"]
    keys = [v.name for v in metadata.variables if "key" in uses_of(v) and not v.removed]
    alike: dict[bytes, list[str]] = {}
    for name in (*keys, *sorted(proposed, key=lambda name: _is_text(survey.profiles.get(name)))):
        profile = survey.profiles.get(name)
        if profile is not None and profile.partition and profile.records >= ENOUGH:
            alike.setdefault(profile.partition, []).append(name)
    first = {name: names[0] for names in alike.values() for name in names[1:] if name in proposed}
    every, coarser = {*keys, *proposed}, set()
    for name in proposed:
        finer = [each for each in survey.followed.get(name, ()) if each in every and each not in first]
        if finer and name not in first:  # the least fine of them, so that each is suppressed with the next
            first[name] = min(finer, key=lambda each: survey.profiles[each].distinct)
            coarser.add(name)
    related = {variable.name: variable.related for variable in metadata.variables}
    for suggestion in found:
        if suggestion.use != "key" or suggestion.variable not in first:
            yield suggestion
            continue
        last, other = first[suggestion.variable], suggestion.variable
        passed = {last}
        while last != other and (following := related.get(last)) and following not in passed:
            last = following
            passed.add(last)
        if last != other:  # it is not suppressed with the key yet
            related[last] = other
            yield _related(last, other, other in coarser)


def _related(key: str, other: str, is_coarser: bool) -> UseSuggestion:
    proposal = Notice.of("suggest-related", mark("Suppress {other} with it"), other=other)
    text = mark(
        "{other} tells the same: each of its values stands with one value of {key}. Of the two one is a key, and the "
        "other is suppressed with it; where {key} is recoded, leave {other} out."
    )
    if is_coarser:
        text = mark(
            "{other} follows from {key}: records with one value of {key} have one of {other}. The finer one is a key, "
            "and the other is suppressed with it; where {key} is recoded, recode it to {other} or leave {other} out."
        )
    reason = Notice.of("suggest-related-reason", text, other=other, key=key)
    return UseSuggestion(key, None, proposal, reason, (("related", other),), kind="related")


def _is_text(profile: Profile | None) -> bool:
    """Whether values are names rather than codes."""
    return profile is None or not profile.numbers.only


def _of(
    variable: Variable,
    profile: Profile | None,
    survey: Survey,
    labels: Mapping[str, str],
    takers: dict[Use, str],
    metadata: Metadata,
) -> Iterator[UseSuggestion]:
    is_free = uses_of(variable) == ("keep",)
    identity = identifies(variable, profile)
    why = why_left_out(variable, profile) if identity is None else None
    if why is not None:
        yield UseSuggestion(variable.name, None, left_out(), why, (("removed", True),), sure=is_free)
        return
    if identity is not None and not is_free:
        changes = _changes(variable, with_use(variable, "direct-identifier"))
        proposal = Notice.of("suggest-direct-identifier", USE_NAMES["direct-identifier"])
        yield UseSuggestion(variable.name, "direct-identifier", proposal, identity, changes, sure=False)
        return
    now = variable
    for use, reason in _likely_uses(variable, profile, survey, labels, takers):
        if use in ("weight", "household-id"):
            takers[use] = variable.name
        changed = with_use(now, use)
        if use == "key":
            changed = replace(changed, identification_level=key_level(variable))
        proposal = Notice.of(f"suggest-{use}", USE_NAMES[use])
        sure = reason.id not in ("identifier-number", "suggest-varies-little")
        if use == "key" and profile is not None and is_birth_date(variable, profile):
            proposal, reason, sure = *_by_year(profile), False
        yield UseSuggestion(variable.name, use, proposal, reason, _changes(now, changed), sure=sure)
        now = changed
    if "key" not in uses_of(now) and now.role == "other":
        yield from _numerical(variable, profile, labels)
    if "key" in uses_of(now) and metadata.format == "fixed" and not now.missing and now.length > 0:
        yield from _missing_code(now, profile)


def _by_year(profile: Profile) -> tuple[Notice, Notice]:
    """What is proposed for a date of birth, and why: it is the source of keys."""
    text = mark(
        "It holds {distinct} different dates, and hardly anybody shares one: it is no key, but keys can be made of it. "
        "Group the codes in Global Recode by their year, or by the age on a day that you say; or leave it out."
    )
    reason = Notice.of("suggest-birth-date", text, distinct=profile.distinct)
    return Notice.of("suggest-key-of-date", mark("Key, by year or age")), reason


_ORDERS = {
    True: (mark("Codes in order"), mark("Its codes are numbers of something: neighbours may be merged.")),
    False: (mark("Codes without order"), mark("Its codes are names: that two are neighbours means nothing.")),
}


def _order(variable: Variable, profile: Profile | None, labels: Mapping[str, str]) -> Iterator[UseSuggestion]:
    order = likely_order(variable, profile, labels)
    if variable.ordered is not None or order is None:
        return
    proposal, reason = (Notice.of(f"suggest-order-{order}", text) for text in _ORDERS[order])
    yield UseSuggestion(variable.name, None, proposal, reason, (("ordered", order),), kind="order")


def left_out() -> Notice:
    """What is proposed for free text, days and numbers of persons."""
    return Notice.of("suggest-leave-out", mark("Leave out of the safe file"))


def _changes(old: Variable, new: Variable) -> tuple[tuple[str, object], ...]:
    names = (field.name for field in fields(Variable))
    return tuple((name, getattr(new, name)) for name in names if getattr(new, name) != getattr(old, name))


def _likely_uses(
    variable: Variable,
    profile: Profile | None,
    survey: Survey,
    labels: Mapping[str, str],
    takers: Mapping[Use, str],
) -> Iterator[tuple[Use, Notice]]:
    if uses_of(variable) == ("keep",):
        for use, test in _SINGLE:
            reason = None if use in takers else test(variable, profile)
            if reason is not None:
                yield use, reason
                return
        reason = is_key(variable, profile, labels)
        if reason is not None:
            yield "key", reason
        else:
            reason = is_sensitive(variable)
            if reason is not None:
                yield "sensitive", reason
    inside = profile.within if profile is not None and profile.distinct > 1 else None
    if inside is not None and inside.constant and variable.categorical and not variable.household:
        text = mark("No household of {identifier} has two values, in {compared} that could have.")
        values: dict[str, Any] = {"identifier": survey.identifier, "compared": inside.compared}
        yield "household", Notice.of("suggest-household-reason", text, **values)
    elif profile is not None and variable.categorical and not variable.household and varies_little(profile):
        yield "household", _varies_little(profile, survey)


LITTLE = 0.05
"""Share of households with two values up to which a variable varies little within them."""
BY_CHANCE = 0.1
"""The same as a share of what two persons taken by chance would have: what is rare differs rarely, too."""


def varies_little(profile: Profile) -> bool:
    """Whether a variable differs within few households, as that of a household does where some values are wrong."""
    inside = profile.within
    if inside is None or not inside.varying or inside.compared < FEWEST or not profile.complete:
        return False
    shares = profile.counts[: profile.n_valid] / max(int(profile.counts[: profile.n_valid].sum()), 1)
    by_chance = 1.0 - float((shares * shares).sum())
    return inside.varying <= inside.compared * min(LITTLE, BY_CHANCE * by_chance)


def _varies_little(profile: Profile, survey: Survey) -> Notice:
    assert profile.within is not None, "asked before"
    varying, compared = profile.within.varying, profile.within.compared
    text = plural(
        varying,
        "It differs within one of {compared} households of {identifier} only ({share}): is that one wrong?",
        "It differs within {varying} of {compared} households of {identifier} only ({share}): are those wrong?",
    )
    share = DecimalText(f"{100 * varying / compared:.2g} %")
    values: dict[str, Any] = {"varying": varying, "compared": compared, "identifier": survey.identifier}
    return Notice.of("suggest-varies-little", text, share=share, **values)


_Test = Callable[[Variable, Profile | None], Notice | None]
_SINGLE: tuple[tuple[Use, _Test], ...] = (
    ("weight", is_weight),
    ("household-id", is_household_id),
    ("direct-identifier", identifies),
)


NAMED = 0.1
"""Share of a variable's codes with labels from which on they are codes: of amounts only some are, as “none”."""


def _are_named(profile: Profile, labels: Mapping[str, str]) -> bool:
    """Whether codes are named, other than the missing ones and a few."""
    valid = profile.codes[: profile.n_valid]
    return sum(code in labels for code in valid) > NAMED * len(valid)


def _numerical(variable: Variable, profile: Profile | None, labels: Mapping[str, str]) -> Iterator[UseSuggestion]:
    if profile is None or variable.numeric or not is_amount(profile, variable) or _are_named(profile, labels):
        return
    changed = (("categorical", False), ("numeric", True))
    text = mark("It holds numbers from {low} to {high}, {distinct} different ones.")
    numbers = profile.numbers
    values: dict[str, Any] = {
        "low": DecimalText(f"{numbers.minimum:.10g}"),
        "high": DecimalText(f"{numbers.maximum:.10g}"),
        "distinct": profile.distinct,
    }
    reason = Notice.of("suggest-numerical-reason", text, **values)
    proposal = Notice.of("suggest-numerical", mark("Numerical"))
    yield UseSuggestion(
        variable.name, None, proposal, reason, changed if variable.categorical else changed[1:], kind="type"
    )


def _missing_code(variable: Variable, profile: Profile | None) -> Iterator[UseSuggestion]:
    code = unused_missing_code(profile, variable.length)
    if code:
        proposal = Notice.of("suggest-missing", mark("Missing code {code}"), code=code)
        reason = Notice.of("suggest-missing-reason", mark("Suppression writes a missing code; no record has this one."))
        yield UseSuggestion(variable.name, None, proposal, reason, (("missing", (code,)),), kind="missing")


_MOST_DECIMALS = 15


def generate(metadata: Metadata, survey: Survey, labels: Labels) -> tuple[UseSuggestion, ...]:
    """Uses with identification levels, types, missing codes, orders, lengths and decimals that differ.

    Those of each variable are in the order in which they are to be followed. Codes that only look like missing are
    not `UseSuggestion.sure`.

    Parameters
    ----------
    metadata : Metadata, as described so far
    survey : Survey of the file
    labels : labels of codes by variable
    """
    uses: dict[str, list[UseSuggestion]] = {}
    for suggestion in suggest(metadata, survey, labels):
        uses.setdefault(suggestion.variable, []).append(suggestion)
    found: list[UseSuggestion] = []
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
        found += _order(now, profile, labels.get(variable.name, {})) if "key" in uses_of(now) else ()
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


def _missing(variable: Variable, profile: Profile, labels: Mapping[str, str]) -> Iterator[UseSuggestion]:
    if variable.role != "other":
        return
    for code in looks_missing(profile, dict(labels)):
        count = profile.count_of(code)
        proposal = Notice.of("suggest-missing", mark("Missing code {code}"), code=code)
        text = plural(
            count,
            "It looks like missing, in one record: is it?",
            "It looks like missing, in {count} records: is it?",
        )
        if code in labels:
            text = plural(
                count,
                "It is called “{label}”, in one record: is it missing?",
                "It is called “{label}”, in {count} records: is it missing?",
            )
        reason = Notice.of("suggest-looks-missing", text, count=count, label=labels.get(code, ""))
        yield UseSuggestion(variable.name, None, proposal, reason, (), kind="missing", sure=False, adds=(code,))


def _size(variable: Variable, profile: Profile, metadata: Metadata) -> Iterator[UseSuggestion]:
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
    yield UseSuggestion(
        variable.name,
        None,
        Notice.of("suggest-size", proposal, **values),
        Notice.of("suggest-size-reason", reason, **values),
        tuple(changes.items()),
        kind="size",
    )
