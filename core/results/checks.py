"""What a recipe must not say about the variables of its file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ..base.errors import Notice, PavoError, RecipeError
from ..base.texts import mark
from ..data.variables import Metadata, Variable
from ..data.weights import parse_text
from ..perturbation.registry import REGISTRY
from ..recipe.analyses import variables_of_analysis
from ..recipe.available import household_thresholds
from ..recipe.declared import measured_variables, variables_of
from ..recipe.edits import risk_tables
from ..recipe.model import MultiResponseKey, NumericEdit, Perturbation, Recipe
from ..recipe.scenarios import taken_measures
from ..recipe.set_keys import columns_of
from ..recoding.numerical import check_base
from .perturbed_columns import changed_by, identifier_changed

NOT_CATEGORICAL = "variable-not-categorical"
"""Id of the refusal of a variable that is used as a key and is not categorical."""


def check_variables(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse names of variables that do not exist or cannot be used so.

    Raises
    ------
    RecipeError
        Naming the key and the variable.
    """
    check_households(recipe, metadata)
    derived = {spec.name for spec in recipe.derived}
    keys = [(key, name) for key, name in _key_uses(recipe) if name not in derived]
    of_scenarios = [
        (f"scenarios[{number}].variables", name)
        for number, scenario in enumerate(recipe.scenarios, 1)
        for name in scenario.variables
        if name not in derived
    ]
    for key, name in (*of_scenarios, *keys, *_other_uses(recipe)):
        _check_known(key, name, metadata, derived)
    for key, name in _measured(recipe, keys=False):
        _check_known(key, name, metadata)
    for key, name in keys:
        _check_key(key, metadata[name])
    check_sensitive(recipe, metadata)
    check_units(recipe, metadata)
    check_numeric(recipe, metadata)
    check_perturbations(recipe, metadata)


def check_sensitive(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse a sensitive variable that is suppressed with another one: what it tells would change with the plan.

    Raises
    ------
    RecipeError
        Naming the key and the variables.
    """
    by_related = {variable.related: variable.name for variable in metadata.variables if variable.related}
    for number, combination in enumerate(recipe.combinations, 1):
        if combination.sensitive in by_related:
            raise RecipeError(
                "sensitive-related",
                mark("{key}: {variable} is suppressed with {other}, so it cannot be the sensitive variable."),
                mark("Remove the relation of {other}, or name another variable."),
                key=f"combinations[{number}].sensitive",
                variable=combination.sensitive,
                other=by_related[combination.sensitive],
            )


def check_units(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse risk tables of a sample without weights: nothing says how many people share a combination.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    if recipe.input.units != "sample" or metadata.weight is not None or not risk_tables(recipe):
        return
    raise RecipeError(
        "sample-without-weight",
        mark('{key}: a sample (input.units = "sample") cannot be judged by risk without a weight.'),
        mark('Choose the weight, or use model = "frequency" or "k-anonymity".'),
        key=f"combinations[{risk_tables(recipe)[0] + 1}].model",
    )


def check_households(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse what needs a household identifier where there is none, and derived variables with names in use.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    taken = {name.casefold() for name in metadata.names}
    for number, spec in enumerate(recipe.derived, 1):
        key = f"derived[{number}]"
        if spec.name.casefold() in taken:
            raise _refused(
                "derived-name-taken",
                f"{key}.name",
                spec.name,
                mark("{key}: there is already a variable {variable}."),
                mark("Give the derived variable another name."),
            )
        taken.add(spec.name.casefold())
        if isinstance(spec, MultiResponseKey):
            _check_set(f"{key}.{'variable' if spec.separator else 'set'}", spec, metadata)
            continue
        for member in spec.members:
            _check_member(f"{key}.members", member, metadata)
        if metadata.household_id is None:
            raise _without_identifier(key)
    if metadata.household_id is None:
        for key in household_thresholds(recipe):
            raise _without_identifier(key)


def _check_set(key: str, spec: MultiResponseKey, metadata: Metadata) -> None:
    """The columns of a set go missing together and with nothing else."""
    for name in spec.columns:
        _check_member(key, name, metadata)
    homes = [name for name in spec.columns if metadata[name].household]
    if homes and len(homes) < len(spec.columns):
        raise _refused(
            "set-of-household-and-person",
            key,
            homes[0],
            mark("{key}: {variable} is a household variable, but not all columns of {set} are."),
            mark("Declare all of them household variables, or none."),
            set=spec.name,
        )
    related = [(v.name, v.related) for v in metadata.variables if v.related]
    for pair in related:
        for name, other in (pair, pair[::-1]):
            if name in spec.columns and other not in spec.columns:
                raise _refused(
                    "set-column-related",
                    key,
                    name,
                    mark("{key}: {variable} is suppressed together with {other}, which is no column of {set}."),
                    mark("Take the relation away in Specify Metadata, or make {other} a column, too."),
                    other=other,
                    set=spec.name,
                )


def _check_member(key: str, name: str, metadata: Metadata) -> None:
    """Keys are made of variables of the file that have codes and that may stay in it."""
    _check_known(key, name, metadata)
    _check_key(key, metadata[name])


def _check_known(key: str, name: str, metadata: Metadata, derived: Collection[str] = ()) -> None:
    if name not in metadata:
        raise _refused(
            "variable-unknown",
            key,
            name,
            mark("{key}: the file has no variable {variable}."),
            mark("Its variables are {known}."),
            known=_listed((*metadata.names, *sorted(derived))),
        )


def _without_identifier(key: str) -> PavoError:
    return RecipeError(
        "no-household-identifier",
        mark("{key} needs a household identifier, but no variable has that role."),
        mark('Give a variable the role "household-id", or leave {key} out.'),
        key=key,
    )


def _other_uses(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for number, numeric in enumerate(recipe.numeric, 1):
        yield f"numeric[{number}].variable", numeric.variable
    for edit in recipe.variables:
        yield f"variables.{edit.name}", edit.name
        if edit.related:
            yield f"variables.{edit.name}.related", edit.related
    for number, entry in enumerate(recipe.perturbations, 1):
        for key, name in variables_of("perturbations", entry):
            yield f"perturbations[{number}].{key}", name
    for number, analysis in enumerate(recipe.utility, 1):
        for key, name in variables_of_analysis(analysis):
            yield f"utility[{number}].{key}", name


def _key_uses(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for number, combination in enumerate(recipe.combinations, 1):
        for name in combination.variables:
            yield f"combinations[{number}].variables", name
        if combination.sensitive is not None:
            yield f"combinations[{number}].sensitive", combination.sensitive
    for number, recode in enumerate(recipe.recodes, 1):
        yield f"recodes[{number}].variable", recode.variable
    yield from _measured(recipe, keys=True)


def _measured(recipe: Recipe, *, keys: bool) -> Iterator[tuple[str, str]]:
    """The variables of measures; see `measured_variables`."""
    for number, measure in enumerate(taken_measures(recipe), 1):
        for key, name in measured_variables(measure, keys=keys):
            yield f"measures[{number}].{key}", name


def _check_key(key: str, variable: Variable) -> None:
    if not variable.categorical:
        raise _refused(
            NOT_CATEGORICAL,
            key,
            variable.name,
            mark("{key}: {variable} is not categorical."),
            mark("Declare it categorical, or take another variable."),
        )
    if variable.removed or variable.role == "direct-identifier":
        raise _refused(
            "variable-removed",
            key,
            variable.name,
            mark("{key}: {variable} is removed from the safe file."),
            mark("Keep the variable, or take it out here."),
        )


def _refused(id: str, key: str, name: str, template: str, hint: str, **values: object) -> PavoError:
    return RecipeError(id, template, hint, key=key, variable=name, **values)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")


def check_numeric(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse changes to variables that are not released as they are, needless decimals, and weights made unreadable.

    Raises
    ------
    RecipeError
        Naming the key and the variable.
    """
    used = used_otherwise(recipe)
    for number, numeric in enumerate(recipe.numeric, 1):
        where, variable = f"numeric[{number}]", metadata[numeric.variable]
        _check_changed(where, variable, used)
        check_base(numeric, f"{where}.round")
        _check_weight(where, numeric, variable, metadata.decimal)


def check_perturbations(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse perturbations of variables that there are not or that are not released, and what stands twice.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    used, done = used_otherwise(recipe), [entry.method for entry in recipe.perturbations]
    for number, entry in enumerate(recipe.perturbations, 1):
        where, method = f"perturbations[{number}]", REGISTRY[entry.method]
        for key, name in variables_of("perturbations", entry):
            _check_known(_said_at(recipe, f"{where}.{key}", name), name, metadata)
        if method.DECLARATION.of_the_weight and entry.variables:
            _check_weight_named(recipe, where, entry.variables, metadata)
        if method.DECLARATION.of_the_weight and metadata.weight is None:
            raise RecipeError(
                "perturbation-without-weight",
                mark('{key}: method "{method}" needs a weight, but no variable has that role.'),
                mark('Give a variable the role "weight", or leave {key} out.'),
                key=where,
                method=entry.method,
            )
        if method.DECLARATION.once and done.count(entry.method) > 1:
            raise RecipeError(
                "recipe-contradiction",
                mark('{key}: method "{method}" is said twice; noise in [[numeric]] counts as "weight-noise".'),
                mark("Keep one of them."),
                key=where,
                method=entry.method,
            )
        for name in method.variables(entry, metadata):
            if method.DECLARATION.at_writing:
                _check_changed(where, metadata[name], used)
            elif metadata[name].role != "household-id" or name in entry.variables:  # whole households get a new one
                _check_perturbed(where, entry, metadata[name])
        for name in dict(entry.parameters).get("within", ()):
            if not metadata[name].categorical:
                raise _refused(
                    NOT_CATEGORICAL,
                    f"{where}.within",
                    name,
                    mark("{key}: {variable} is not categorical, so it cannot make strata."),
                    mark("Declare it categorical in Specify Metadata, or choose another variable."),
                )
    _check_households_once(recipe, metadata)
    _check_unjudged(recipe)


def _check_households_once(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse whole households that are drawn twice: what the first drew would stay with members of other households."""
    drawn = [
        f"perturbations[{number}]"
        for number, entry in enumerate(recipe.perturbations, 1)
        if identifier_changed(changed_by(entry, metadata), metadata)
    ]
    if len(drawn) > 1:
        raise RecipeError(
            "recipe-contradiction",
            mark(
                "{key} draws whole households, as {other} does: members of the households of the first would be torn "
                "apart by the second."
            ),
            mark("Name the variables of both in one entry, or say households = false in one of them."),
            key=drawn[1],
            other=drawn[0],
        )


def _check_perturbed(where: str, entry: Perturbation, variable: Variable) -> None:
    """Refuse a perturbation before the recodes of what is not released, or of what says who and how many one is."""
    role = {
        "weight": mark("the weight, by which risks are judged"),
        "household-id": mark("the household identifier"),
        "direct-identifier": mark("a direct identifier"),
    }.get(variable.role, mark("removed from the safe file") if variable.removed else "")
    if role:
        raise RecipeError(
            "perturbation-of-other",
            mark("{key}: {method} cannot change {variable}: it is {role}."),
            mark('Take another variable; noise on the weight is method = "weight-noise".')
            if variable.role == "weight"
            else mark("Take another variable, or change what {variable} is used for."),
            key=where,
            method=entry.method,
            variable=variable.name,
            role=role,
        )


def _check_unjudged(recipe: Recipe) -> None:
    """Refuse tables of risk with a variable whose released codes are linked to the true ones by known probabilities."""
    for number, entry in enumerate(recipe.perturbations, 1):
        if not REGISTRY[entry.method].DECLARATION.unjudged:
            continue
        for place in risk_tables(recipe):
            names = recipe.combinations[place].variables
            made_of = {spec.name: spec.sources for spec in recipe.household_keys}
            columns = (*columns_of(recipe, names), *(source for name in names for source in made_of.get(name, ())))
            keys = [name for name in columns if name in entry.variables]
            if keys:
                raise RecipeError(
                    "perturbation-of-risk-key",
                    mark(
                        "{key}: {variable} is perturbed by {method} in {other}, so its codes in the safe file are not "
                        "the true ones and no risk can be counted from them. P(true | released), the probability that "
                        "a released code is the true one, is given with the perturbation instead."
                    ),
                    mark(
                        'Take {variable} out of the combination, give the combination model = "frequency" or '
                        '"k-anonymity", or perturb another variable.'
                    ),
                    key=f"combinations[{place + 1}].variables",
                    variable=keys[0],
                    method=entry.method,
                    other=f"perturbations[{number}]",
                )


def _check_changed(where: str, variable: Variable, used: Mapping[str, str]) -> None:
    """Refuse a change of a variable that is used otherwise or not released."""
    if variable.name in used:
        raise RecipeError(
            "numeric-key",
            mark("{key}: {variable} is also in {other}, which works with its original values."),
            mark("Recode the variable instead, or take it out there."),
            key=where,
            variable=variable.name,
            other=used[variable.name],
        )
    if variable.removed or variable.role in ("direct-identifier", "household-id"):
        raise RecipeError(
            "numeric-not-released",
            mark("{key}: {variable} is an identifier or removed from the safe file, so it cannot be changed."),
            mark("Take another variable, or change what {variable} is used for."),
            key=where,
            variable=variable.name,
        )


def missing_replacements(recipe: Recipe, metadata: Metadata) -> Iterator[Notice]:
    """Cuts whose replacement is a missing code: what lies beyond them counts as missing in the safe file."""
    for number, numeric in enumerate(recipe.numeric, 1):
        missing = {code.strip() for code in metadata[numeric.variable].missing}
        for name, cut in (("top", numeric.top), ("bottom", numeric.bottom)):
            if cut is not None and cut.replacement.strip() in missing:
                yield Notice.of(
                    "numeric-replaced-by-missing",
                    mark(
                        '{key}: the replacement "{text}" is a missing code of {variable}, so the values that it '
                        "replaces count as missing in the safe file."
                    ),
                    mark("{key}: the values of {variable} that it replaces count as missing in the safe file."),
                    where=numeric.variable,
                    key=f"numeric[{number}].{name}",
                    text=cut.replacement.strip(),
                    variable=numeric.variable,
                )


def released_numbers(metadata: Metadata) -> tuple[Variable, ...]:
    """The numerical variables, and the weight, that a safe file contains."""
    return tuple(
        variable
        for variable in metadata.variables
        if (variable.numeric or variable.role == "weight")
        and not variable.removed
        and variable.role not in ("direct-identifier", "household-id")
    )


def used_otherwise(recipe: Recipe) -> dict[str, str]:
    """Where else variables are used in a way that excludes changes of their numbers."""
    used = {name: f"combinations[{i}]" for i, c in enumerate(recipe.combinations, 1) for name in c.variables}
    sets = ((i, spec) for i, spec in enumerate(recipe.derived, 1) if isinstance(spec, MultiResponseKey))
    used |= {name: f"derived[{i}]" for i, spec in sets for name in spec.columns}
    return used | {recode.variable: f"recodes[{i}]" for i, recode in enumerate(recipe.recodes, 1)}


def _said_at(recipe: Recipe, key: str, name: str) -> str:
    """The key by which the recipe's file named the variable `name`, where that was a former one; else `key`."""
    return next((dict(notice.values)["key"] for notice in recipe.read_as if notice.where == name), key)


def _check_weight_named(recipe: Recipe, where: str, names: tuple[str, ...], metadata: Metadata) -> None:
    """Refuse noise on the weight that names another variable."""
    other = next((name for name in names if metadata[name].role != "weight"), None)
    if other is not None:
        raise RecipeError(
            "noise-on-other",
            mark("{key}: noise is for the weight variable, and {variable} is not."),
            mark("Remove it."),
            key=_said_at(recipe, f"{where}.variables", other),
            variable=other,
        )


def _check_weight(where: str, numeric: NumericEdit, variable: Variable, decimal: str) -> None:
    if variable.role != "weight":
        return
    for name, cut in (("top", numeric.top), ("bottom", numeric.bottom)):
        if cut is None:
            continue
        value = parse_text(cut.replacement.strip(), decimal)
        if value is None or value < 0:
            raise RecipeError(
                "weight-replacement",
                mark('{key} = "{text}", but the weight {variable} must stay a number of at least 0.'),
                mark("Give a number."),
                key=f"{where}.{name}.replacement",
                text=cut.replacement,
                variable=variable.name,
            )
