"""What somebody finds in the safe file who knows the records of the original: the program's own test of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.progress import Progress
from ...base.texts import mark, plural
from ...data.columns import EncodedColumn
from ...recipe.declared import Declaration, Figure, Guide, Parameter
from .evaluation import COUNTING, INTRUDERS, Evaluation, MeasureInput
from .shown import BarPicture, Headline

DECLARATION = Declaration(
    name="intruder",
    title=mark("Intruder"),
    group=INTRUDERS,
    sentence=mark(
        "What somebody finds in the safe file who knows the variables of every record in the original: a test of the "
        "result, never a proof."
    ),
    parameters=(
        *COUNTING,
        Parameter(
            "known",
            "variables",
            mark("Further variables of the safe file that he knows, and from which suppressed values are predicted."),
            default=(),
            apart=True,
        ),
        Parameter(
            "targets",
            "file",
            mark("A register of the people that he looks for, with the variables as in the original."),
        ),
        Parameter(
            "identifier",
            "variables",
            mark("The variables that say in register and original who somebody is: only so is it known who is right."),
            as_read=True,
            apart=True,
        ),
    ),
    figures=(
        Figure("targets", mark("targets"), "count", mark("whom he looks for: all of the original, or a register")),
        Figure(
            "right",
            mark("found by chance"),
            "number:2",
            mark("records found if he takes any of those that agree wherever both have a value: the sum of 1/m"),
        ),
        Figure("right_unique", mark("one record fits"), "count", mark("targets whom a single record fits, their own")),
        Figure(
            "nearest",
            mark("found among the fullest"),
            "number:2",
            mark("records found if he takes, of these, one with the fewest blanks"),
        ),
        Figure("alone", mark("one record left"), "count", mark("targets for whom a single such record is left")),
        Figure("pinned", mark("pinned"), "count", mark("those of them for whom it is the right one")),
        Figure(
            "one_original",
            mark("one original fits"),
            "count",
            mark("released records that a single record of the original fits"),
        ),
        Figure(
            "expected",
            mark("expected re-identifications"),
            "number:2",
            mark("the sum of the individual risks of the original: who was sampled is not known"),
        ),
        Figure("in_file", mark("targets in the file"), "count", mark("people of the register who are in the file")),
        Figure("fit_none", mark("no record fits"), "count", mark("people of the register whom no record fits")),
        Figure("fit_one", mark("one record fits somebody"), "count", mark("those whom a single one fits")),
        Figure(
            "wrong_unique",
            mark("one record, not theirs"),
            "count",
            mark("those of them whose record it is not: they are not in the file, or are written otherwise there"),
        ),
        Figure(
            "one_target",
            mark("one target fits"),
            "count",
            mark("released records that a single one of the people in the register fits"),
        ),
        Figure(
            "right_if_there",
            mark("found if all were there"),
            "number:2",
            mark("people found by chance if all were in the file: the sum of 1/m, where it is not known who is"),
        ),
        Figure("targets_sha256", mark("SHA-256 of the register"), "text", mark("checksum of the register")),
        Figure("blanks", mark("suppressed values"), "count", mark("values suppressed in the variables")),
        Figure(
            "certain_blanks",
            mark("certain"),
            "count",
            mark("those that the rules tell; of tables that are decided by the same variables only"),
        ),
        Figure("candidates", mark("values possible"), "count", mark("number of values possible: suppressed values")),
        Figure(
            "predicted",
            mark("predicted"),
            "count",
            mark("by variable: suppressed values, and how many are guessed rightly by the most frequent value, by the "
                 "best other variable, by the best two and by all together"),
        ),
        Figure(
            "order",
            mark("told by the order"),
            "count",
            mark("by variable: suppressed values that equal the nearest remaining ones before and after, and how many "
                 "would by chance; not where the order is random"),
        ),
    ),
    guide=Guide(
        assumes="He knows `variables`, as they are in the original, of every record or of everybody in the register, "
                "how the program works and how the recipe recodes; he takes records that agree wherever both have a "
                "value. A value of the register that is written otherwise than in the original fits nothing.",
        not_for="A proof that nobody can be found: he may know more than the variables. Numbers that were changed, "
                "see `record-linkage`.",
        formula="Each target counts 1/m where m released records fit, if the own one is among them. Without "
                "`identifier` nobody knows who of a register is in the file, and the sum of 1/m is what would be "
                "found if all were.",
        source="SDC Practice Guide, *Disclosure scenarios*; formulas in [methods](methods.md).",
    ),
)  # fmt: skip

_WAYS = ("expected", "right", "nearest", "pinned")
_WAYS_OF_TARGETS = ("right_if_there", "right", "fit_one", "right_unique", "wrong_unique", "fit_none")
"""Figures of the picture, of those that there are."""


def evaluate(given: MeasureInput) -> Evaluation:
    """Matching, elimination, prediction and order [method: What an intruder does with the safe file]."""
    from ..individual import individual_risk
    from .prediction import predicted

    cells, release = given.cells, given.release
    names = [*cells.variables, *given.parameters["known"]]
    original = [release.original[name] for name in names]
    released = [release.released[name] for name in names]
    risk = individual_risk(cells.f, cells.F, progress=given.progress)
    keys = len(cells.variables)
    gone = {
        before.name: int(np.count_nonzero((before.values < before.n_valid) & (after.values >= after.n_valid)))
        for before, after in zip(original[:keys], released[:keys], strict=True)
    }
    figures: dict[str, Any] = (
        _every_record(original, released, given.progress)
        if release.targets is None
        else release.targets.found(given.progress)
    )
    figures |= {"expected": float(np.nansum(risk * cells.count)), "blanks": sum(gone.values())}
    if release.candidates is not None:
        figures["certain_blanks"] = release.candidates.get(1, 0)
        figures["candidates"] = {str(number): blanks for number, blanks in release.candidates.items()}
    found = [
        predicted(before, after, [other for other in released if other.name != before.name], given.progress)
        for before, after in zip(original[:keys], released[:keys], strict=True)
    ]
    figures["predicted"] = [each for each in found if each]
    if release.order is not None:
        figures["order"] = [
            {"variable": name, "blanks": gone[name], "right": told, "chance": chance}
            for name, (told, chance) in release.order.items()
            if gone.get(name)
        ]
    shown = _WAYS if release.targets is None else _WAYS_OF_TARGETS
    ways = {name: float(figures[name]) for name in shown if name in figures}
    titles = {figure.name: figure.title for figure in DECLARATION.figures}
    return Evaluation(
        figures,
        headline=_headline(figures),
        picture=BarPicture(
            mark("what he does"),
            mark("records"),
            tuple(titles[name] for name in ways),
            np.array(list(ways.values())),
            "number:1",
        ),
    )


def _every_record(
    original: Sequence[EncodedColumn], released: Sequence[EncodedColumn], progress: Progress
) -> dict[str, Any]:
    """What is found by who looks for every record of the original."""
    from .matching import Attack, matches

    attack = Attack.of(original, released, progress)
    return {
        "targets": len(attack.right),
        "right": float((1.0 / np.maximum(attack.fitting, 1)).sum()),
        "right_unique": int(np.count_nonzero(attack.fitting == 1)),
        "nearest": float(attack.right.sum()),
        "alone": int(np.count_nonzero(attack.alone)),
        "pinned": int(np.count_nonzero(attack.pinned)),
        "one_original": int(np.count_nonzero(matches(released, original, progress).fitting == 1)),
    }


def _headline(figures: Mapping[str, Any]) -> Headline:
    told = next(name for name in ("pinned", "right_unique", "fit_one") if name in figures)
    n = figures[told]
    texts = {
        "pinned": plural(
            n,
            "{n} of {records} targets can be told with certainty: a single record is left, and it is the right one.",
            "{n} of {records} targets can be told with certainty: a single record is left, and it is the right one.",
        ),
        "right_unique": plural(
            n,
            "{n} of {records} people of the register is told: a single record fits, and it is the right one.",
            "{n} of {records} people of the register are told: a single record fits, and it is the right one.",
        ),
        "fit_one": plural(
            n,
            "A single released record fits {n} of {records} people of the register, whether it is theirs or not.",
            "A single released record fits {n} of {records} people of the register, whether it is theirs or not.",
        ),
    }
    return Headline(texts[told], {"n": (n, "count"), "records": (figures["targets"], "count")})
