"""What has to be said of variables that are perturbed before recodes and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..base.errors import Notice
from ..base.texts import mark
from ..data.variables import Metadata
from ..perturbation.registry import before_recodes
from ..recipe.declared import declaration_of
from ..recipe.model import Recipe
from ..recipe.scenarios import taken_measures
from ..recipe.set_keys import columns_of
from ..results.needed_columns import hidden_variables
from ..results.perturbed_columns import changed_by, identifier_changed

PERTURBED_KEY = "perturbed-key"
STAYING = "synthetic-others-stay"


def of_perturbed(recipe: Recipe, metadata: Metadata) -> Iterator[Notice]:
    """Keys and variables of measures that are perturbed, and variables that several perturbations change."""
    methods: dict[str, list[str]] = {}
    for entry in before_recodes(recipe):
        for name in changed_by(entry, metadata):
            methods.setdefault(name, []).append(entry.method)
    members = {spec.name: spec.sources for spec in recipe.household_keys}
    for combination in recipe.combinations:
        keys = columns_of(recipe, combination.variables)
        keys = (*keys, *(source for name in combination.variables for source in members.get(name, ())))
        for name in dict.fromkeys(keys):
            if name in methods:
                yield Notice.of(
                    PERTURBED_KEY,
                    mark(
                        "{variable} is a key of {combination}, and is perturbed by {method} before the table is made: "
                        "what is counted are the perturbed values, taken as if they were true. Somebody who looks for "
                        "a person by the true value may find nobody, or somebody else; how safe that makes the file "
                        "no figure of this table says."
                    ),
                    where=name,
                    variable=name,
                    combination=" x ".join(combination.variables),
                    method=", ".join(methods[name]),
                )
    for measure in taken_measures(recipe):
        declared = declaration_of("measures", measure)
        if declared is None or declared.of_records:  # these compare the released values with the true ones
            continue
        keys = columns_of(recipe, measure.variables)
        for name in dict.fromkeys((*keys, *(source for key in measure.variables for source in members.get(key, ())))):
            if name in methods:
                yield Notice.of(
                    "perturbed-measure",
                    mark(
                        "The measure {measure} is taken on {variable}, which is perturbed by {method} before: what is "
                        "counted are the perturbed values, taken as if they were true, so its figures are no risk of "
                        "the persons in the file."
                    ),
                    where=name,
                    measure=measure.kind,
                    variable=name,
                    method=", ".join(methods[name]),
                )
    yield from _staying(recipe, metadata, methods)
    for name, done in methods.items():
        if len(done) > 1:
            yield Notice.of(
                "perturbed-several-times",
                mark("{variable} is perturbed {times} times, each time as the one before left it: {methods}."),
                where=name,
                variable=name,
                times=len(done),
                methods=", ".join(done),
            )


def _staying(recipe: Recipe, metadata: Metadata, changed: Collection[str]) -> Iterator[Notice]:
    """Variables that stay with their records where these become members of other households."""
    if not identifier_changed(changed, metadata):
        return
    within = {name for entry in before_recodes(recipe) for name in dict(entry.parameters).get("within", ())}
    known = hidden_variables(metadata) | within | {*changed}
    names = [variable.name for variable in metadata.variables if variable.name not in known]
    if names:
        yield Notice.of(
            STAYING,
            mark(
                "Whole households are drawn, but {names} stay as they are, each in its record, which now belongs to "
                "another household. Where such a variable is the same for all members, a weight for example, equal "
                "values tell how large the original household was. Draw them, too, or leave them out of the safe file."
            ),
            where=names[0],
            names=", ".join(names),
        )
