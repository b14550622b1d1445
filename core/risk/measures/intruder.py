"""What somebody finds in the safe file who knows the records of the original: the program's own test of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.texts import mark, plural
from core.recipe.declared import Declaration, Figure, Parameter
from core.risk.measures.evaluation import COUNTING, INTRUDERS, Evaluation, MeasureInput
from core.risk.measures.shown import BarPicture, Headline

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
    ),
    figures=(
        Figure("targets", mark("targets"), "count", mark("records that he looks for: all of the original")),
        Figure(
            "right",
            mark("found by chance"),
            "number:2",
            mark("records found if he takes any of those that agree wherever both have a value: the sum of 1/m"),
        ),
        Figure("right_unique", mark("one record fits"), "count", mark("targets with a single such record")),
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
)  # fmt: skip


def evaluate(given: MeasureInput) -> Evaluation:
    """Matching, elimination, prediction and order [method: What an intruder does with the safe file]."""
    from core.risk.individual import individual_risk
    from core.risk.measures.matching import Attack, matches
    from core.risk.measures.prediction import predicted

    cells, release = given.cells, given.release
    names = [*cells.variables, *given.parameters["known"]]
    original = [release.original[name] for name in names]
    released = [release.released[name] for name in names]
    attack = Attack.of(original, released, given.progress)
    risk = individual_risk(cells.f, cells.F, progress=given.progress)
    keys = len(cells.variables)
    gone = {
        before.name: int(np.count_nonzero((before.values < before.n_valid) & (after.values >= after.n_valid)))
        for before, after in zip(original[:keys], released[:keys], strict=True)
    }
    figures: dict[str, Any] = {
        "targets": len(attack.right),
        "right": float((1.0 / np.maximum(attack.fitting, 1)).sum()),
        "right_unique": int(np.count_nonzero(attack.fitting == 1)),
        "nearest": float(attack.right.sum()),
        "alone": int(np.count_nonzero(attack.alone)),
        "pinned": int(np.count_nonzero(attack.pinned)),
        "one_original": int(np.count_nonzero(matches(released, original, given.progress).fitting == 1)),
        "expected": float(np.nansum(risk * cells.count)),
        "blanks": sum(gone.values()),
    }
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
    text = plural(
        figures["pinned"],
        "{n} of {records} targets can be told with certainty: a single record is left, and it is the right one.",
        "{n} of {records} targets can be told with certainty: a single record is left, and it is the right one.",
    )
    ways = {name: float(figures[name]) for name in ("expected", "right", "nearest", "pinned")}
    titles = {figure.name: figure.title for figure in DECLARATION.figures}
    return Evaluation(
        figures,
        headline=Headline(text, {"n": (figures["pinned"], "count"), "records": (figures["targets"], "count")}),
        picture=BarPicture(
            mark("what he does"),
            mark("records"),
            tuple(titles[name] for name in ways),
            np.array(list(ways.values())),
            "number:1",
        ),
    )
