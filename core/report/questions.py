"""The questions that disclosure review boards ask of a release, and how a session answers them.

After the "Checklist on Disclosure Potential of Data" (Interagency Confidentiality and Data Access Group of the Federal
Committee on Statistical Methodology, 1999, and its later versions for the review board of the US Census Bureau), in
words of our own. A recipe answers by id: ``[report] answers = {geography = "..."}``. What a session answers is a
sentence with figures; what only a person can know has no such answer, and is a blank in the report until somebody
fills it in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..base.texts import mark
from ..base.texts import translate as _
from .facts import ReportInput
from .numbers import count, percent, significant
from .opening import place_of
from .outside import bounds
from .sections_risk import states
from .words import counted, names, records

Answer = Callable[[ReportInput], str | None]
"""A sentence with figures; None where the session does not tell."""


@dataclass(frozen=True)
class BoardQuestion:
    """One question of a board.

    Attributes
    ----------
    id : as the recipe says it
    group : what it is about, one of the headings
    text : the question
    answer : how the session answers it; None: only a person can
    """

    id: str
    group: str
    text: str
    answer: Answer | None = None


def _geography(given: ReportInput) -> str | None:
    if not given.board.areas:
        return None
    told = []
    for area in given.board.areas:
        each = _("{name}: {areas}, the smallest with {records}").format(
            name=area.name, areas=counted(area.areas, "{n} area", "{n} areas"), records=records(area.least_records)
        )
        if area.least_people is not None:
            people = round(area.least_people)
            each += " " + _("that stand for {people} in the population").format(people=count(people))
        told.append(each)
    return "; ".join(told) + "."


def _geography_elsewhere(given: ReportInput) -> str | None:
    found = given.board.columns_of("area", "stratum", "interviewer")
    if not found:
        return None
    return _("In no combination, and released: {names}.").format(names=names(found))


def _known(given: ReportInput) -> str | None:
    if not given.keys:
        return _("No variable was taken to be known to an intruder.")
    told = _("Taken to be known to an intruder: {names}.").format(names=names([key.name for key in given.keys]))
    if given.scenarios:
        each = [f"{s.name} ({s.source})" if s.source else s.name for s in given.scenarios]
        told += " " + _("Scenarios: {scenarios}.").format(scenarios="; ".join(each))
    return told


def _detail(given: ReportInput) -> str | None:
    if not given.keys:
        return None
    finest = sorted(given.keys, key=lambda key: -key.categories)[:3]
    each = [
        _("{name} has {codes}").format(name=key.name, codes=counted(key.categories, "{n} code", "{n} codes"))
        for key in finest
    ]
    return _("The key variables with the most codes: {each}.").format(each=names(each))


def _dates_and_texts(given: ReportInput) -> str | None:
    found = given.board.columns_of("date", "free-text")
    if not found:
        return None
    return _("Released, and in no combination, with dates or what people wrote: {names}.").format(names=names(found))


def _rare(given: ReportInput) -> str | None:
    told = []
    for table in given.tables:
        each = [
            f"{count(state.sample_uniques)} {place_of(name)}"
            for name, state in states(table)
            if state is not table.released and state.sample_uniques is not None
        ]
        if each:
            told.append(_("{names}: {each}").format(names=" × ".join(table.variables), each=", ".join(each)))
    if not told:
        return None
    return _("Records that nobody shares the key with – {told}.").format(told="; ".join(told))


def _outliers(given: ReportInput) -> str | None:
    board = given.board
    if not board.numbers:
        return _("No numerical variable is released.")
    uncut = [name for name in board.numbers if name not in board.cut]
    told = [_("top or bottom coded: {names}").format(names=names(board.cut))] if board.cut else []
    told += [_("as they are at both ends: {names}").format(names=names(uncut))] if uncut else []
    return _("Numerical variables: {told}.").format(told="; ".join(told))


def _matching(given: ReportInput) -> str | None:
    kinds = [measure["kind"] for measure in given.measures]
    linked = [kind for kind in dict.fromkeys(kinds) if "link" in kind]
    if not linked:
        return None
    return _("Linkage with another file was tried out: {kinds}, under “Further risk measures”.").format(
        kinds=names(linked)
    )


def _sampling(given: ReportInput) -> str | None:
    if given.units == "population":
        return _("The file has {records}, said to be the whole population: nobody is protected by sampling.").format(
            records=records(given.records)
        )
    people = given.board.people
    if not people or not given.records:
        return None
    told = _("{records} stand for {people} in the population: a sampling fraction of {fraction}.")
    return told.format(
        records=records(given.records), people=count(round(people)), fraction=percent(given.records / people, 3)
    )


def _weights(given: ReportInput) -> str | None:
    if not given.board.weight_released:
        return _("No weight is released.")
    changed = [done for done in given.modifications if given.weight and given.weight in done.variables.split(", ")]
    if changed:
        return _("The weight is released, changed: {how}.").format(how="; ".join(done.remarks for done in changed))
    return _("The weight is released as it is.")


def _sensitive(given: ReportInput) -> str | None:
    if not given.board.sensitive:
        return _("No released variable is marked as sensitive.")
    return _("Marked as sensitive, and released: {names}.").format(names=names(given.board.sensitive))


def _households(given: ReportInput) -> str | None:
    if not given.household_id:
        return None
    judged = any(table.household_threshold is not None for table in given.tables)
    how = {
        "keep": _("The household identifiers are written as they are."),
        "sequence": _("The household identifiers are replaced by sequence numbers."),
        "remove": _("The household identifiers are left out."),
    }
    risk = _("The risk of households was judged.") if judged else _("The risk of households was not judged.")
    return f"{how[given.board.household_ids]} {risk}"


def _order(given: ReportInput) -> str | None:
    if given.layout is None:
        return None
    if given.board.order_is_random:
        return _("The records are written in random order.")
    return _("The records are written in the order of the original file.")


def _identifiers(given: ReportInput) -> str | None:
    told = []
    if given.board.identifiers:
        told.append(_("Left out as direct identifiers: {names}.").format(names=names(given.board.identifiers)))
    if found := given.board.columns_of("identifier", "person-number"):
        told.append(_("Released, and looking like identifiers: {names}.").format(names=names(found)))
    return " ".join(told) or None


def _blanks(given: ReportInput) -> str | None:
    facts = given.suppression
    if facts is not None and facts.in_safe_file:
        return counted(
            facts.total,
            "{n} value of the key variables is missing in the safe file, for whatever reason.",
            "{n} values of the key variables are missing in the safe file, suppressed values included.",
        )
    if facts is None or not facts.total:
        return _("No value was suppressed.")
    told = _("{values} in {records}.").format(
        values=counted(facts.total, "{n} value was suppressed", "{n} values were suppressed"),
        records=records(facts.records_touched),
    )
    if given.given_away:
        return (
            told
            + " "
            + counted(
                given.given_away,
                "{n} of the warnings says from what such values can be told.",
                "{n} of the warnings say from what such values can be told.",
            )
        )
    return told


def _left(given: ReportInput) -> str | None:
    if given.external:
        return " ".join(text.text for text in bounds(given) if text.tone == "plain") or None
    expected = [
        _("{names}: {expected} of {records}").format(
            names=" × ".join(table.variables), expected=significant(table.safe.individual.expected, 3),
            records=count(given.records),
        )
        for table in given.tables
        if table.safe is not None and table.safe.individual is not None
    ]  # fmt: skip
    if not expected:
        return None
    return _("Expected re-identifications in the safe file – {expected}.").format(expected="; ".join(expected))


def _release_type(given: ReportInput) -> str | None:
    kind = given.details.release_type
    return _("Type of release: {kind}.").format(kind=kind) if kind else None


GEOGRAPHY, KNOWN = mark("Geography"), mark("What others may know")
OTHER_FILES, SAMPLE = mark("Other files"), mark("Sample and weights")
CONTENTS, RELEASE = mark("Contents and order of the file"), mark("The release")

QUESTIONS = (
    BoardQuestion(
        "geography",
        GEOGRAPHY,
        mark("How fine is the geography that is released, and how many people live in the smallest area?"),
        _geography,
    ),
    BoardQuestion(
        "geography_elsewhere",
        GEOGRAPHY,
        mark("Does anything else tell where somebody lives: strata, clusters, interviewers, distances, kind of place?"),
        _geography_elsewhere,
    ),
    BoardQuestion(
        "contextual",
        GEOGRAPHY,
        mark(
            "Are there variables that describe the area or the surroundings, and could an area be recognised by them?"
        ),
    ),
    BoardQuestion(
        "known_variables",
        KNOWN,
        mark("Which variables can be known of a person from elsewhere: by acquaintances, in registers, in public?"),
        _known,
    ),
    BoardQuestion(
        "detail",
        KNOWN,
        mark("Are any of these finer than the uses of the file need: ages, dates, occupations?"),
        _detail,
    ),
    BoardQuestion(
        "rare", KNOWN, mark("Who stands out by a rare combination of values or a visible characteristic?"), _rare
    ),
    BoardQuestion(
        "outliers",
        KNOWN,
        mark("Do incomes, sizes and other amounts show extreme values, and are they top or bottom coded?"),
        _outliers,
    ),
    BoardQuestion(
        "participation", KNOWN, mark("Could somebody know who is in the sample: relatives, interviewers, the persons?")
    ),
    BoardQuestion(
        "matching",
        OTHER_FILES,
        mark("With which files, of administration, commerce or research, could the records be matched?"),
        _matching,
    ),
    BoardQuestion(
        "earlier_releases",
        OTHER_FILES,
        mark("Which tables and files of the same units are published, and do they give this file away together?"),
    ),
    BoardQuestion(
        "longitudinal",
        OTHER_FILES,
        mark("Are the units observed repeatedly, and can their records be linked across waves or files of a panel?"),
    ),
    BoardQuestion("sampling", SAMPLE, mark("How large is the sampling fraction, also in small groups?"), _sampling),
    BoardQuestion(
        "weights", SAMPLE, mark("Do weights tell strata, areas or groups that the file does not show?"), _weights
    ),
    BoardQuestion("strata", SAMPLE, mark("Are strata, clusters or replicates released, and what do they tell?")),
    BoardQuestion(
        "households",
        CONTENTS,
        mark("Can members of a household or other groups be told to belong together?"),
        _households,
    ),
    BoardQuestion(
        "sensitive",
        CONTENTS,
        mark("Which information is sensitive, and what harm would its disclosure do?"),
        _sensitive,
    ),
    BoardQuestion(
        "texts_and_dates",
        CONTENTS,
        mark("Are there texts that people wrote, exact dates, or traces of the interview?"),
        _dates_and_texts,
    ),
    BoardQuestion(
        "identifiers",
        CONTENTS,
        mark("Are all names, addresses, numbers of persons and cases left out or replaced?"),
        _identifiers,
    ),
    BoardQuestion(
        "file_order", CONTENTS, mark("Does the order of the records tell anything: area, household, day?"), _order
    ),
    BoardQuestion(
        "blanks", CONTENTS, mark("Can what was suppressed be told from other variables or from the rules?"), _blanks
    ),
    BoardQuestion("risk_left", RELEASE, mark("What risk is left, and why is it acceptable?"), _left),
    BoardQuestion("users", RELEASE, mark("Who receives the file, and under which conditions?"), _release_type),
    BoardQuestion(
        "review", RELEASE, mark("When will the release be reviewed again, and what would have it withdrawn?")
    ),
)

IDS = tuple(question.id for question in QUESTIONS)


def groups() -> Sequence[tuple[str, Sequence[BoardQuestion]]]:
    """The questions under their headings, in order."""
    titles = dict.fromkeys(question.group for question in QUESTIONS)
    return [(title, [question for question in QUESTIONS if question.group == title]) for title in titles]
