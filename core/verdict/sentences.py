"""The verdict in sentences: what is stated of the file, and a second line."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.texts import mark, plural, translate
from ..profiles.released import grouped
from .model import OTHER_ESTIMATE, ReleaseVerdict

_READY = {
    "public-use": mark("Ready for release as a public use file"),
    "scientific-use": mark("Ready for release as a scientific use file"),
    "in-house": mark("Ready for use inside the institution"),
}


def sentence(verdict: ReleaseVerdict) -> str:
    """What is stated of the file."""
    if not verdict.target:
        return translate(mark("No target yet."))
    if verdict.stage == "differs":
        return translate(mark("The written file is not what was decided."))
    if verdict.state == "not-safe":
        return translate(mark("Not safe for release"))
    if verdict.state == "ready":
        own = translate(mark("Ready for release by the rules “{name}”"))
        return translate(_READY[verdict.target]) if verdict.target in _READY else own.format(name=verdict.name)
    if verdict.state == "by-decision":
        names = ", ".join(dict.fromkeys(rule.by for rule in verdict.those("accepted", "stops") if rule.by))
        if not names:  # outsiders are told none
            return translate(mark("Released by decision"))
        return translate(mark("Released by decision of {names}")).format(names=names)
    if verdict.those("open") or not verdict.counted:
        return translate(mark("Not ready for release"))
    told = plural(len(verdict.counted), "The rule holds in the plan", "All {n} rules hold in the plan")
    if verdict.those("accepted"):
        told = mark("All rules of the plan hold or are accepted")
    return translate(told).format(n=grouped(len(verdict.counted)))


def second_line(verdict: ReleaseVerdict) -> str:
    """What else is to be known at once."""
    if not verdict.target:
        return translate(mark("Choose who will receive the file."))
    if verdict.stage == "differs":
        return translate(mark("Do not release it. Write the file again."))
    if verdict.state == "not-safe":
        causes = " ".join(rule.cause for rule in verdict.counted if rule.fails).strip()
        return causes or translate(mark("By the chosen criterion, records are unsafe."))
    if verdict.those("open"):
        if verdict.only_other_estimate:
            found = (rule.cause for rule in verdict.those("open"))
            told = translate(mark("By the chosen criterion, no record is unsafe. {found}"))
            return told.format(found=" ".join(found)).strip()
        return translate(mark("{parts}.")).format(parts=", ".join(_open(verdict)))
    if verdict.stage != "written":
        return translate(mark("Write the file; then it is read back and assessed."))
    return _held(verdict)


def count(verdict: ReleaseVerdict) -> str:
    """How many rules hold."""
    total, held = len(verdict.counted), len(verdict.those("holds"))
    accepted = len(verdict.those("accepted"))
    if accepted:
        told = plural(total, "{held} of {n} rule holds, {m} accepted", "{held} of {n} rules hold, {m} accepted")
    else:
        told = plural(total, "{held} of {n} rule holds", "{held} of {n} rules hold")
    return translate(told).format(held=grouped(held), n=grouped(total), m=grouped(accepted))


def _open(verdict: ReleaseVerdict) -> Iterator[str]:
    stops, decide = len(verdict.those("open", "stops")), len(verdict.those("open", "decide"))
    if stops:
        told = plural(stops, "{n} rule stops the release", "{n} rules stop the release")
        yield translate(told).format(n=grouped(stops))
    if decide:
        yield translate(plural(decide, "{n} is to be decided", "{n} are to be decided")).format(n=grouped(decide))


def _held(verdict: ReleaseVerdict) -> str:
    total, held = len(verdict.counted), len(verdict.those("holds"))
    stops, accepted = len(verdict.those("accepted", "stops")), len(verdict.those("accepted"))
    if not accepted:
        return translate(
            plural(total, "The rule holds in the written file.", "All {n} rules hold in the written file.")
        ).format(n=grouped(total))
    if verdict.state == "by-decision":
        told = plural(
            stops,
            "{held} of {n} rules hold; {m} that stops the release was accepted.",
            "{held} of {n} rules hold; {m} that stop the release were accepted.",
        )
        line = translate(told).format(held=grouped(held), n=grouped(total), m=grouped(stops))
    else:
        told = plural(
            accepted,
            "{held} of {n} rules hold in the written file, {m} was accepted.",
            "{held} of {n} rules hold in the written file, {m} were accepted.",
        )
        line = translate(told).format(held=grouped(held), n=grouped(total), m=grouped(accepted))
    found = (rule.cause for rule in verdict.those("accepted") if rule.id == OTHER_ESTIMATE)
    return " ".join(filter(None, [line, *found]))
