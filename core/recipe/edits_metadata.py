"""What the rest of a recipe has to give up or to call otherwise when its variables change."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ..base.errors import Notice
from ..base.texts import mark
from .analyses import renamed_analysis, variables_of_analysis
from .declared import declaration_of, variables_of
from .model import (
    Analysis,
    Combination,
    HouseholdKey,
    Measure,
    MultiResponseKey,
    NumericEdit,
    Perturbation,
    Recipe,
    Recode,
    Scenario,
)
from .scenarios import scenarios_of, taken_measures


@dataclass(frozen=True)
class Variables:
    """The variables as they will be.

    Attributes
    ----------
    renamed : new name by old name, of those that are called otherwise; empty for those that are gone
    names : all new names
    keys : new names of those that combinations and recodes can use
    weight : new name of the weight variable; empty where there is none
    """

    renamed: Mapping[str, str]
    names: Collection[str]
    keys: Collection[str]
    weight: str = ""

    def new(self, name: str) -> str:
        """What a variable is called from now on; empty where it is gone."""
        return self.renamed.get(name, name)

    def key(self, name: str) -> str:
        """What a variable is called from now on; empty where combinations and recodes cannot use it."""
        return name if (name := self.new(name)) in self.keys else ""


def follow(recipe: Recipe, variables: Variables) -> tuple[Recipe, tuple[Notice, ...]]:
    """The recipe without what the variables make impossible, and what that is; new names are put in silently.

    A combination, scenario or measure goes on without the variables that it loses, and goes with the last of them; of
    two combinations that thereby become the same the first stays. A measure goes with its scenario.
    """
    said: list[Notice] = []
    derived = tuple(_derived(recipe.derived, variables, said))
    gone = {spec.name: "" for spec in recipe.derived} | {spec.name: spec.name for spec in derived}
    kept = [name for name in gone.values() if name]
    variables = replace(
        variables,
        renamed={**variables.renamed, **gone},
        names=[*variables.names, *kept],
        keys=[*variables.keys, *kept],
    )
    scenarios = tuple(_scenarios(recipe.scenarios, variables, said))
    changed = recipe.with_(
        derived=derived,
        scenarios=scenarios,
        combinations=tuple(_combinations(recipe.combinations, variables, said)),
        recodes=tuple(_recodes(recipe.recodes, variables, said)),
        numeric=tuple(_numeric(recipe.numeric, variables, said)),
        perturbations=tuple(_perturbations(recipe.perturbations, variables, said)),
        measures=tuple(_measures(recipe.measures, variables, scenarios, said)),
        utility=tuple(_analyses(recipe.utility, variables, said)),
    )
    return changed, tuple(said)


def without_key(recipe: Recipe, name: str) -> Recipe:
    """The recipe without a derived key; combinations and measures go on without it, or go with their last variable."""
    gone = recipe.with_(derived=tuple(spec for spec in recipe.derived if spec.name != name))
    names = {each for combination in recipe.combinations for each in combination.variables}
    names |= {each for measure in taken_measures(recipe) for _key, each in variables_of("measures", measure)}
    names |= {each for scenario in recipe.scenarios for each in scenario.variables}
    variables = Variables({name: ""}, names - {name}, names - {name})
    scenarios = tuple(_scenarios(recipe.scenarios, variables, []))
    return gone.with_(
        combinations=tuple(_combinations(recipe.combinations, variables, [])),
        scenarios=scenarios,
        measures=tuple(_measures(recipe.measures, variables, scenarios, [])),
    )


def _derived(
    old: tuple[HouseholdKey | MultiResponseKey, ...], variables: Variables, said: list[Notice]
) -> Iterator[HouseholdKey | MultiResponseKey]:
    """Keys made of variables: one that loses a variable goes on with the others, as long as they make such a key."""
    for spec in old:
        left = tuple(name for each in spec.sources if (name := variables.key(each)))
        if isinstance(spec, HouseholdKey):
            made: HouseholdKey | MultiResponseKey = replace(spec, members=left)
            complete = bool(left) or not spec.members
        else:
            made, complete = replace(spec, columns=left), len(left) >= (1 if spec.separator else 2)
        if not complete or spec.name in variables.names:
            said.append(Notice.of("derived-goes", mark("The key {name} is removed."), name=spec.name))
            continue
        if len(left) < len(spec.sources):
            lost = ", ".join(each for each in spec.sources if not variables.key(each))
            said.append(
                Notice.of("derived-shrinks", mark("The key {name} goes on without {lost}."), name=spec.name, lost=lost)
            )
        yield made if left != spec.sources else spec


def _combinations(old: tuple[Combination, ...], variables: Variables, said: list[Notice]) -> Iterator[Combination]:
    seen: dict[frozenset[str], bool] = {}
    for combination in old:
        left = tuple(variables.new(name) for name in combination.variables if variables.new(name) in variables.keys)
        lost = [name for name in combination.variables if variables.new(name) not in variables.keys]
        values = {"combination": " × ".join(combination.variables), "lost": ", ".join(lost)}
        if not left or (frozenset(left) in seen and (lost or seen[frozenset(left)])):
            said.append(Notice.of("combination-goes", mark("The combination {combination} is removed."), **values))
            continue
        if lost:
            text = mark("The combination {combination} goes on without {lost}.")
            said.append(Notice.of("combination-shrinks", text, **values))
        seen[frozenset(left)] = bool(lost)
        yield combination if left == combination.variables else replace(combination, variables=left)


def _recodes(old: tuple[Recode, ...], variables: Variables, said: list[Notice]) -> Iterator[Recode]:
    for recode in old:
        name = variables.new(recode.variable)
        if name in variables.keys:
            yield recode if name == recode.variable else replace(recode, variable=name)
        else:
            text = mark("The recode of {variable} is removed.")
            said.append(Notice.of("recode-goes", text, variable=recode.variable))


def _numeric(old: tuple[NumericEdit, ...], variables: Variables, said: list[Notice]) -> Iterator[NumericEdit]:
    for numeric in old:
        name = variables.new(numeric.variable)
        if name not in variables.names:
            text = mark("The changes to the numerical variable {variable} are removed.")
            said.append(Notice.of("numeric-goes", text, variable=numeric.variable))
            continue
        yield numeric if name == numeric.variable else replace(numeric, variable=name)


def _perturbations(old: tuple[Perturbation, ...], variables: Variables, said: list[Notice]) -> Iterator[Perturbation]:
    for entry in old:
        declaration = declaration_of("perturbations", entry)
        if declaration is not None and declaration.of_the_weight and not variables.weight:
            text = mark("The perturbation {method} is removed: there is no weight any more.")
            said.append(Notice.of("perturbation-goes", text, method=entry.method))
            continue
        other = next((name for name in entry.variables if variables.new(name) != variables.weight), "")
        if declaration is not None and declaration.of_the_weight and other:
            text = mark("The noise on {variable}, which is no longer the weight, is removed.")
            said.append(Notice.of("noise-goes", text, variable=other))
            continue

        def called(name: str) -> str:
            return new if (new := variables.new(name)) in variables.names else ""

        left = tuple(new for name in entry.variables if (new := called(name)))
        lost = dict.fromkeys(name for _key, name in variables_of("perturbations", entry) if not called(name))
        changed = replace(entry, variables=left)
        if declaration is not None and (lost or variables.renamed):
            changed = replace(changed, parameters=tuple(declaration.renamed(entry, called)))
        if declaration is not None and not declaration.is_complete(changed):
            text = mark("The perturbation {method} of {variables} is removed.")
            said.append(Notice.of("perturbation-goes", text, method=entry.method, variables=", ".join(entry.variables)))
            continue
        if lost:
            text = mark("The perturbation {method} of {variables} goes on without {lost}.")
            values = {"variables": ", ".join(entry.variables), "lost": ", ".join(lost)}
            said.append(Notice.of("perturbation-shrinks", text, method=entry.method, **values))
        yield changed


def _scenarios(old: tuple[Scenario, ...], variables: Variables, said: list[Notice]) -> Iterator[Scenario]:
    for scenario in old:
        left = tuple(name for each in scenario.variables if (name := variables.new(each)) in variables.names)
        lost = [each for each in scenario.variables if variables.new(each) not in variables.names]
        if not left:
            said.append(Notice.of("scenario-goes", mark("The scenario {name} is removed."), name=scenario.name))
            continue
        if lost:
            text = mark("The scenario {name} goes on without {lost}.")
            said.append(Notice.of("scenario-shrinks", text, name=scenario.name, lost=", ".join(lost)))
        yield scenario if left == scenario.variables else replace(scenario, variables=left)


def _measures(
    old: tuple[Measure, ...], variables: Variables, scenarios: Collection[Scenario], said: list[Notice]
) -> Iterator[Measure]:
    known = {scenario.name for scenario in scenarios}
    for measure in old:
        left = tuple(name for each in measure.variables if (name := variables.key(each)))
        lost = dict.fromkeys(name for _key, name in variables_of("measures", measure) if not variables.key(name))
        values = {"kind": measure.kind, "variables": ", ".join(measure.variables), "lost": ", ".join(lost)}
        declaration = declaration_of("measures", measure)
        changed = replace(measure, variables=left)
        if declaration is not None:
            changed = replace(changed, parameters=tuple(declaration.renamed(measure, variables.key)))
        complete = bool(left) if declaration is None else declaration.is_complete(changed)
        if not complete or any(name not in known for _key, name in scenarios_of(measure)):
            text = mark("The measure {kind} of {variables} is removed.")
            said.append(Notice.of("measure-goes", text, **values))
            continue
        if lost:
            text = mark("The measure {kind} of {variables} goes on without {lost}.")
            said.append(Notice.of("measure-shrinks", text, **values))
        yield changed


def _analyses(old: tuple[Analysis, ...], variables: Variables, said: list[Notice]) -> Iterator[Analysis]:
    """Tables, means and models of the user's own: without one of its variables it would be another one."""
    for entry in old:
        names = [name for _key, name in variables_of_analysis(entry)]
        lost = [name for name in names if variables.new(name) not in variables.names]
        if lost:
            text = mark("The comparison of original and safe file by {variables} is removed.")
            said.append(Notice.of("utility-goes", text, variables=", ".join(names)))
        else:
            yield renamed_analysis(entry, variables.new)
