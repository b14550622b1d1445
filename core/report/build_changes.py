"""What was done to the file, for the report: recodes, other modifications, suppression."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from ..base.texts import mark
from ..base.texts import translate as _
from ..formats.argus.recode_scheme import parse_scheme
from ..perturbation.registry import REGISTRY, parameters_used
from ..perturbation.told import parameters_told, sentence_told, tables_told
from ..recipe.declared import Declaration, variables_of
from ..recipe.model import NumericEdit, Perturbation, Recipe
from ..results.needed_columns import hidden_variables
from ..results.recoded_codes import changed_after, matrix_of_recoded
from ..results.released_columns import after_suppression, released_columns
from ..results.results import PlanWithoutPrevention, Results
from ..suppression.plan import Plan
from .facts import Modification, PerturbationFacts, PublishedPerturbation, RecodeFacts, SuppressionFacts
from .measure_figures import figure_lines, figure_tables
from .numbers import Value, column, exact, typed
from .words import counted


def recode_facts(derived: Results, name: str) -> RecodeFacts:
    """The recode of variable `name` as it was applied: from what was kept in memory, not from the file again."""
    recoding, labels = derived.recodings[name], derived.labels.get(name, {})
    column = recoding.column
    missing = tuple(column.codes[column.n_valid :])
    codelist = recoding.codelist.name if recoding.codelist else ""
    if recoding.kind == "truncate":
        said = counted(recoding.truncated, "1 digit has been truncated", "{n} digits have been truncated")
        return RecodeFacts(name, (), missing, said, codelist=codelist)
    lines = tuple(
        (line.code, labels.get(line.code, ""), ", ".join(item.text for item in line.items))
        for line in parse_scheme(recoding.text).lines
    )
    return RecodeFacts(name, lines, missing, untouched=recoding.untouched, codelist=codelist)


def held_codes(
    derived: Results, plan: Plan | None, labels: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Of every recoded variable the codes that a record of the safe file has, and their labels.

    Parameters
    ----------
    plan : what becomes missing; without one there is no safe file, and it holds nothing
    labels : written with the safe file, by variable; of variables that it does not have there is no entry
    """
    if plan is None:
        return {}
    found = {}
    released = released_columns(derived, plan.suppressed)  # with all missing codes as one, where they are written so
    for name in derived.recodings:
        if name in labels:
            column = released[name]
            codes = (code for code, count in zip(column.codes, column.counts.tolist(), strict=True) if count)
            found[name] = {code: labels[name].get(code, "") for code in codes}
    return found


def modifications(
    recipe: Recipe, household_id: str = "", weight: str = "", outside: bool = False
) -> tuple[Modification, ...]:
    """Changes to numerical variables, perturbations, and changes to identifiers and the order of records.

    Parameters
    ----------
    outside : whether those are told who must not learn what helps to undo a perturbation
    """
    done = [change for numeric in recipe.numeric for change in _numeric(numeric)]
    done += [_perturbation(entry, weight, outside) for entry in recipe.perturbations]
    output = recipe.output
    if output.household_id == "sequence":
        done.append(Modification(_("Household identifier"), household_id, _("replaced by 1, 2, 3 … in file order")))
    if output.household_id == "remove":
        done.append(
            Modification(
                _("Household identifier"), household_id, _("removed from the safe file"), "household-id-remove"
            )
        )
    if output.shuffle:
        done.append(Modification(_("Order of records"), "", _("random"), "order"))
    if output.add_risk:
        done.append(Modification(_("Risk"), "", _("frequencies and risks were added to every record")))
    return tuple(done)


def _numeric(numeric: NumericEdit) -> list[Modification]:
    done = []
    cuts = (
        ("top", mark("Top coding"), mark("values of {at} or more become {new}"), numeric.top),
        ("bottom", mark("Bottom coding"), mark("values of {at} or less become {new}"), numeric.bottom),
    )
    for kind, method, remark, cut in cuts:
        if cut is not None:
            told = _(remark).format(at=typed(cut.at), new=cut.replacement)
            done.append(Modification(_(method), numeric.variable, told, kind))
    if numeric.round is not None:
        told = _("to multiples of {base}").format(base=exact(numeric.round))
        done.append(Modification(_("Rounding"), numeric.variable, told, "round"))
    return done


def _perturbation(entry: Perturbation, weight: str, outside: bool) -> Modification:
    declared = REGISTRY[entry.method].DECLARATION
    names = weight if declared.of_the_weight else ", ".join(entry.variables)
    told = _told(entry, outside)
    return Modification(_(declared.title), names, told, entry.method, *_known_parameters(declared, entry))


def _told(entry: Perturbation, outside: bool = False) -> str:
    """What was done, in words."""
    return _(sentence_told(entry, outside)).format_map(_AsWritten(_parameters(entry)))


class _AsWritten(dict[str, str]):
    """Parameters that say nothing are written as nothing."""

    def __missing__(self, key: str) -> str:
        return ""


def _parameters(entry: Perturbation) -> dict[str, str]:
    """The parameters as they were used, as the report writes them."""
    known = REGISTRY[entry.method].DECLARATION.all_parameters("perturbations")
    formats = {parameter.name: parameter.format for parameter in known}
    return {name: _written(value, formats[name]) for name, value in parameters_used(entry).items()}


def _written(value: Any, spec: str) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_written(each, spec)}" for name, each in value.items())
    if isinstance(value, tuple | list):
        parts = [
            " × ".join(map(str, each)) if isinstance(each, tuple | list) else _written(each, spec) for each in value
        ]
        return ", ".join(parts)
    return column([value], spec)[0]


def _named(entry: Perturbation) -> dict[str, tuple[str, ...]]:
    """Variables that each parameter names."""
    found: dict[str, tuple[str, ...]] = {}
    for key, name in variables_of("perturbations", entry):
        found[key] = (*found.get(key, ()), name)
    return found


def perturbation_facts(derived: Results, plan: Plan | None) -> tuple[PerturbationFacts, ...]:
    """What was perturbed before recodes and tables, in order; `for_outsiders` takes out what stays in the house."""
    found = []
    released = partial(_has_codes, derived, plan)
    suppressed = {} if plan is None else plan.suppressed
    for done in derived.perturbed.done if derived.perturbed else ():
        declared = REGISTRY[done.entry.method].DECLARATION
        lines, named = figure_lines(declared, done.figures), _named(done.entry)
        recoded = matrix_of_recoded(done, derived, suppressed)
        published = (*done.published, *(() if recoded is None else (recoded,)))
        found.append(
            PerturbationFacts(
                _(declared.title),
                done.variables,
                _(declared.sentence),
                _told(done.entry),
                tuple((name, text, named.get(name, ())) for name, text in _parameters(done.entry).items()),
                done.changed,
                tuple((line.title, line.value, line.format) for line in lines),
                tuple(figure_tables(declared, done.figures)),
                published,
                done.entry.method,
                PublishedPerturbation(
                    _told(done.entry, outside=True),
                    tuple(parameters_told(done.entry)),
                    tables_told(done.entry, published, released),
                ),
            )
        )
    return tuple(found)


def _has_codes(derived: Results, plan: Plan | None, name: str, codes: Collection[str]) -> bool:
    """Whether records of the safe file have all `codes` of the variable `name`, which nothing makes others."""
    if name in changed_after(derived.recipe) | hidden_variables(derived.metadata):
        return False
    perturbed = {} if derived.perturbed is None else derived.perturbed.columns
    column = derived.columns.get(name) or perturbed.get(name)
    if column is None:
        return True
    after = after_suppression(column, {} if plan is None else plan.suppressed)
    lost = {code for code, count in zip(after.codes, after.counts[: after.n_valid].tolist(), strict=False) if not count}
    known = {*after.codes} - lost  # missing codes are told by the metadata
    return known.issuperset(codes)


_Matrix = tuple[tuple[float, ...], ...]


def _known_parameters(
    declared: Declaration, entry: Perturbation
) -> tuple[tuple[tuple[str, Value, str], ...], tuple[tuple[str, _Matrix], ...]]:
    """What a user of the file may know of a perturbation, as used."""
    plain: list[tuple[str, Value, str]] = []
    matrices: list[tuple[str, _Matrix]] = []
    used = parameters_told(entry)
    for parameter in declared.parameters:
        value = used.get(parameter.name)
        if value is None or parameter.type == "file":
            continue
        if parameter.type == "matrix":
            matrices.append((_(parameter.sentence), tuple(tuple(row) for row in value)))
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, tuple | list) else value
            plain.append((_(parameter.sentence), shown, "text" if isinstance(shown, str) else parameter.format))
    return tuple(plain), tuple(matrices)


def suppression_facts(
    recipe: Recipe,
    plan: Plan | None,
    by_households: bool,
    with_gaps: PlanWithoutPrevention | None = None,
    told: int = 0,
) -> SuppressionFacts | None:
    """What the plan does; None where nothing was to be suppressed.

    Parameters
    ----------
    by_households : whether these have a threshold
    with_gaps, told : the plan without ``close_gaps``, and how many values the rules tell with it
    """
    settings = recipe.suppression
    if plan is None or settings.criterion == "none":
        return None
    plain = plan if with_gaps is None else with_gaps.plan
    return SuppressionFacts(
        criterion=settings.criterion,
        mode=settings.mode if any(c.has_risk for c in recipe.combinations) else None,
        total=plan.total,
        records_touched=plan.records_touched,
        loss=plan.loss,
        entropy_loss=plan.entropy_loss,
        lower_bound=plan.lower_bound,
        gap=plan.gap,
        effort=settings.effort,
        by_households=by_households,
        with_gaps=None if with_gaps is None else (plain.total, with_gaps.certain, plain.entropy_loss),
        told=told,
    )
