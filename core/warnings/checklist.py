"""The release checklist: every released column that no model judges, what it holds, and what somebody decided on it."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from ..base.errors import Notice
from ..base.texts import mark, plural, translate, with_marks
from ..data.variables import Metadata, Variable
from ..formats.argus.recode_scheme import quoted_code
from ..metadata.column_contents import ColumnContents, Kind
from ..recipe.declared import declaration_of
from ..recipe.edits_checklist import HOUSEHOLDS, ColumnDecision, judged_variables
from ..recipe.edits_perturbations import variables_changed
from ..recipe.model import Decision, Recipe

UNDECIDED = "columns-not-decided"
_NAMES = 5
"""Names that are listed; of more than these the others are counted."""

_PROPOSED: dict[Kind, tuple[Decision, ...]] = {
    "household-id": ("renumber", "leave-out"),
    "identifier": ("leave-out",),
    "free-text": ("leave-out",),
    "date": ("leave-out",),
    "person-number": ("leave-out",),
    "interviewer": ("leave-out",),
    "stratum": ("leave-out",),
    "area": ("leave-out",),
    "amount": ("round", "top-code", "leave-out"),
    "outlier": ("top-code", "leave-out"),
    "codes": ("keep",),
}
"""By what a column holds, what is proposed: the first of these that can be done. Of a key nobody else can say."""

DECISIONS: dict[Decision, str] = {
    "leave-out": mark("Leave out"),
    "renumber": mark("Renumber"),
    "round": mark("Round"),
    "top-code": mark("Top-code"),
    "round-and-top-code": mark("Round and top-code"),
    "keep": mark("Keep as it is"),
    "recode": mark("Recode"),
    "perturb": mark("Perturb"),
}


_OF_NUMBERS: tuple[Decision, ...] = ("round", "top-code", "round-and-top-code")
"""Decisions that `[[numeric]]` carries out."""


@dataclass(frozen=True)
class ChecklistEntry:
    """One column of the checklist.

    Attributes
    ----------
    contents : what it holds
    offers : what can be decided, as (words, decision), in the order in which it is offered
    proposal : the decision that is proposed; None: none
    decision : what the recipe does with it, or that somebody keeps it as it is; None: undecided
    by, reason : who decided, as typed, and why; may be empty
    released : whether the safe file has it
    sensitive : whether it is declared to be
    """

    contents: ColumnContents
    offers: tuple[tuple[str, Decision], ...]
    proposal: Decision | None
    decision: Decision | None
    by: str = ""
    reason: str = ""
    released: bool = True
    sensitive: bool = False

    @property
    def variable(self) -> str:
        """The column's name."""
        return self.contents.variable

    @property
    def is_telling(self) -> bool:
        """Whether somebody has to look at this column by itself."""
        return self.contents.is_telling or self.sensitive


def unjudged_columns(recipe: Recipe, metadata: Metadata) -> tuple[str, ...]:
    """Columns that the checklist is about, in file order: those released that no combination has, but the weight.

    Besides, those that somebody decided to leave out: such a decision can be taken back.
    """
    judged = judged_variables(recipe)
    return tuple(
        variable.name
        for variable in metadata.variables
        if variable.name not in judged
        and variable.role in ("other", "household-id")
        and (not variable.removed or variable.decision == "leave-out")
    )


def checklist(recipe: Recipe, metadata: Metadata, contents: Mapping[str, ColumnContents]) -> tuple[ChecklistEntry, ...]:
    """The checklist of a recipe: first what holds something telling, then the others, each in file order.

    The order does not depend on what is decided.
    """
    entries = [_entry(recipe, metadata[name], contents[name]) for name in unjudged_columns(recipe, metadata)]
    return tuple(sorted(entries, key=lambda entry: not entry.contents.is_telling))


def to_judge(recipe: Recipe, metadata: Metadata, left: Collection[str] = ()) -> tuple[str, ...]:
    """Names of the columns on which nobody has decided, in file order; what they hold need not be known.

    Parameters
    ----------
    metadata : of the file, of this recipe or of an earlier one
    left : names of columns that are perturbed without any value changed
    """
    now = with_decisions(metadata, recipe)
    nothing: tuple[Decision | None, ...] = (None, "perturb")
    return tuple(
        name
        for name in unjudged_columns(recipe, now)
        if decision_of(recipe, now[name]) in (nothing if name in left else nothing[:1])
    )


def undecided(entries: Sequence[ChecklistEntry]) -> tuple[str, ...]:
    """Names of the columns on which nobody has decided."""
    return tuple(entry.variable for entry in entries if entry.decision is None)


def undecided_columns(entries: Sequence[ChecklistEntry]) -> Iterator[Notice]:
    """One warning that names the columns on which nobody has decided."""
    names = undecided(entries)
    if not names:
        return
    text = plural(
        len(names),
        (
            "{names} is released, no model judges it, and nobody has decided on it. Look at what it holds, and decide "
            "in Make Protected File, or say decision in the recipe."
        ),
        (
            "{names} are released, no model judges them, and nobody has decided on them. Look at what they hold, and "
            "decide in Make Protected File, or say decision in the recipe."
        ),
    )
    if len(names) > _NAMES:
        text = plural(
            len(names) - _NAMES,
            (
                "{names} and 1 more column are released, no model judges them, and nobody has decided on them. Look "
                "at what they hold, and decide in Make Protected File, or say decision in the recipe."
            ),
            (
                "{names} and {more} more columns are released, no model judges them, and nobody has decided on them. "
                "Look at what they hold, and decide in Make Protected File, or say decision in the recipe."
            ),
        )
    listed, more = ", ".join(names[:_NAMES]), max(len(names) - _NAMES, 0)
    yield Notice.of(UNDECIDED, text, where=names[0], names=listed, more=more)


def _entry(recipe: Recipe, variable: Variable, contents: ColumnContents) -> ChecklistEntry:
    offers = tuple(_offers(variable, contents))
    possible = [decision for _words, decision in offers]
    proposal = next((decision for decision in _PROPOSED.get(contents.kind, ()) if decision in possible), None)
    if contents.kind == "amount" and contents.holds.values and "top-code" in possible:
        proposal = "top-code"  # some amounts stand alone
    found = decision_of(recipe, variable)
    if found == "perturb" and contents.left:
        found = None  # nothing came of it
    if found in _OF_NUMBERS and found in possible and not _is_offered(recipe, contents, found):
        # what was set elsewhere is not what is offered here, so it has not its numbers
        offers = tuple((translate(DECISIONS[each]) if each == found else words, each) for words, each in offers)
    if found is not None and found not in possible:
        offers = (*offers, (_words_of_done(recipe, contents.variable, found), found))
    gone = variable.removed or (variable.role == "household-id" and found == "leave-out")
    return ChecklistEntry(
        contents, offers, proposal, found, variable.decided_by, variable.reason, not gone, variable.sensitive
    )


def _words_of_done(recipe: Recipe, variable: str, decision: Decision) -> str:
    """A decision that the checklist does not offer, as it was made elsewhere; of perturbations by which methods."""
    if decision != "perturb":
        return translate(DECISIONS[decision])
    done = (entry for entry in recipe.perturbations if variable in variables_changed(entry))
    declared = filter(None, (declaration_of("perturbations", entry) for entry in done))
    methods = dict.fromkeys(translate(each.title) for each in declared)
    return translate(mark("Perturb: {methods}")).format(methods=", ".join(methods))


def _is_offered(recipe: Recipe, contents: ColumnContents, decision: Decision) -> bool:
    """Whether a recipe rounds or cuts a column just as the checklist offers it."""
    spec = next(spec for spec in recipe.numeric if spec.variable == contents.variable)
    if decision != "top-code" and spec.round != contents.base:
        return False
    return decision == "round" or (spec.top, spec.bottom) == (contents.top, contents.bottom)


def decision_of(recipe: Recipe, variable: Variable) -> Decision | None:
    """What a recipe does with a column, or ``keep`` where it says so; None where nobody has decided.

    What a recipe says of a decision that it does not carry out counts for nothing.
    """
    said, name = variable.decision, variable.name
    if variable.removed:
        return "leave-out"
    if variable.role == "household-id":
        done = next((each for each, id in HOUSEHOLDS.items() if id == recipe.output.household_id), None)
        return done or ("keep" if said == "keep" else None)
    numeric = next((spec for spec in recipe.numeric if spec.variable == name), None)
    if numeric is not None:
        is_cut = numeric.top is not None or numeric.bottom is not None
        if is_cut and numeric.round and said in ("round", "round-and-top-code"):
            return said
        return "top-code" if is_cut else "round"
    if any(recode.variable == name for recode in recipe.recodes):
        return "renumber" if said == "renumber" else "recode"
    if any(name in variables_changed(entry) for entry in recipe.perturbations):
        return "perturb"
    return "keep" if said == "keep" else None


def _offers(variable: Variable, contents: ColumnContents) -> Iterator[tuple[str, Decision]]:
    possible: list[Decision] = ["leave-out"]
    if variable.role == "household-id" or (contents.codes and variable.categorical):
        possible.append("renumber")
    if contents.base is not None:
        possible.append("round")
    if contents.top is not None or contents.bottom is not None:
        possible.append("top-code")
        if contents.base is not None:
            possible.append("round-and-top-code")
    for decision in (*possible, "keep"):
        yield words_of_decision(decision, contents), decision


def words_of_decision(decision: Decision, contents: ColumnContents) -> str:
    """A decision as it is offered for such a column, with what it would be rounded to and cut at."""
    if decision == "round" and contents.base is not None:
        return translate(mark("Round to {base}")).format(base=with_marks(f"{contents.base:.12g}"))
    if decision == "top-code" and (contents.top is not None or contents.bottom is not None):
        return translate(mark("Top-code, {percent} %")).format(percent=contents.percent)
    if decision == "round-and-top-code" and contents.base is not None:
        both = translate(mark("Round to {base}, top-code {percent} %"))
        return both.format(base=with_marks(f"{contents.base:.12g}"), percent=contents.percent)
    return translate(DECISIONS[decision])


def made_of(entry: ChecklistEntry, variable: Variable, decision: Decision, source: random.Random) -> ColumnDecision:
    """A decision on a column with what carries it out; `source` draws the order in which codes are numbered anew."""
    found = entry.contents
    scheme = renumbering(found.codes, variable.missing, source) if decision == "renumber" and found.codes else ""
    return ColumnDecision(found.variable, decision, found.base, found.top, found.bottom, scheme)


def renumbering(codes: Sequence[str], missing: Sequence[str], source: random.Random) -> str:
    """The text of a recode that numbers `codes` 1, 2, 3, … in random order, leaving out missing codes."""
    shuffled = list(codes)
    source.shuffle(shuffled)
    free = (str(number) for number in count(1) if str(number) not in missing)
    return "\n".join(f"{new}: {quoted_code(old)}" for new, old in zip(free, shuffled, strict=False))


def with_decisions(metadata: Metadata, recipe: Recipe) -> Metadata:
    """`metadata` with the decisions of `recipe`, and with what it leaves out, in place of its own."""
    edits = {edit.name: edit for edit in recipe.variables}
    variables = (
        replace(
            variable,
            decision=edit.decision,
            decided_by=edit.decided_by or "",
            reason=edit.reason or "",
            removed=variable.removed if edit.removed is None else edit.removed,
        )
        if (edit := edits.get(variable.name)) is not None
        else replace(variable, decision=None, decided_by="", reason="")
        for variable in metadata.variables
    )
    return replace(metadata, variables=tuple(variables))
