"""What to choose in mu-ARGUS to repeat a session there, and the figures that it should show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import fill

from .. import __version__
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..recipe.model import Combination
from ..results.households import variable_of
from ..results.results import Results, RiskTable
from ..results.second_opinions import individual_staircase
from ..risk.distribution import RiskDistribution
from ..risk.individual import individual_risk
from ..tables.tabulate import with_rule
from .records import about_perturbed

MOST_VARIABLES = 10
"""In one combination of mu-ARGUS."""
_ABOUT_FIGURES = mark(
    "Figures after that, of Pavo and as mu-ARGUS should show them. mu-ARGUS lets a missing value match any value, and"
    " cuts the series of the risk after seven terms, always too low for 4 records and more. Where values are missing"
    " its re-identification rate is another one, too: the risk of each cell counts once for every record that matches"
    " the cell, in it or not (the sum of f r over the cells, divided by the number of records), and its household risks"
    " can differ. Records that miss every variable have no risk there that is defined; they are left out here."
)
_WIDTH = 120


def guide_text(
    derived: Results,
    names: Mapping[str, str],
    rda: str,
    files: Iterable[str],
    changed: Iterable[str] = (),
    progress: Progress = SILENT,
) -> str:
    """Plain text in the language in use, a line for each step; menus of mu-ARGUS are called as they are there.

    Parameters
    ----------
    names : what mu-ARGUS calls the variables
    rda : the metadata
    files : those beside the data
    changed : the ones of them that say what numbers stand for
    """
    recodes = ", ".join(name for name in files if name.endswith(".grc"))
    lines = [
        translate(mark("A session of Pavo {version} for mu-ARGUS 5.1")).format(version=__version__),
        "",
        translate(mark("The data file holds the codes of every record: it is as confidential as the survey itself.")),
        *about_perturbed(derived),
        "",
        translate(mark("1. Open Microdata: the data, with {metadata} as metadata.")).format(metadata=rda),
    ]
    renamed, stands = mark("{shown} is {name} in Pavo."), mark("{file} says which codes the numbers stand for.")
    lines += [
        "   " + translate(renamed).format(shown=shown, name=repr(name))
        for name, shown in names.items()
        if name != shown
    ]
    lines += ["   " + translate(stands).format(file=name) for name in changed]
    lines.append(translate(mark("2. Specify Combinations, then Calculate tables:")))
    lines += [f"   {_combination(c, names)}" for c in derived.recipe.combinations]
    if recodes:
        lines.append(translate(mark("3. Global Recode: Read and Apply {files}.")).format(files=recodes))
    lines += _suppression(derived, names, 4 if recodes else 3)
    lines += ["", fill(translate(_ABOUT_FIGURES), _WIDTH, break_long_words=False, break_on_hyphens=False)]
    for table in derived.risk_tables:
        lines += ["", *_figures(derived, table, names, progress)]
    return "\n".join(lines) + "\n"


def _combination(combination: Combination, names: Mapping[str, str]) -> str:
    names_there = " x ".join(names.get(name, name) for name in combination.variables)
    limit = combination.count_threshold
    if combination.has_risk:
        text = mark("{variables}, threshold k = {limit}, Set combination for Risk model")
    elif combination.least_size is not None:
        text, limit = mark("{variables}, threshold k = {limit}, (k+1)-anonymity"), combination.least_size - 1
    elif combination.judges_margins:
        text = mark("{variables}, threshold k = {limit}")
    else:
        text = mark("{variables}: by {criterion}, which mu-ARGUS does not have")
    criterion = translate(combination.criterion.title)
    told = translate(text).format(variables=names_there, limit=limit, criterion=criterion)
    if len(combination.variables) > MOST_VARIABLES:
        told += " " + translate(mark("(mu-ARGUS takes at most {most} variables)")).format(most=MOST_VARIABLES)
    return told


def _suppression(derived: Results, names: Mapping[str, str], step: int) -> list[str]:
    """How local suppression is asked for there: the criterion, and the priorities where they decide."""
    recipe = derived.recipe
    thresholds = [table.threshold for table in derived.risk_tables if table.threshold is not None]
    lines = []
    if thresholds:
        chosen = ", ".join(map(repr, thresholds))
        text = mark("{step}. Risk Chart: risk threshold {threshold}.")
        lines.append(translate(text).format(step=step, threshold=chosen))
    choices = {"none": mark("No suppression"), "entropy": mark("Use entropy"), "weights": mark("Use priority")}
    choice = translate(choices[recipe.suppression.criterion])
    number = step + len(lines)
    lines.append(translate(mark("{step}. Make Protected File: {choice}.")).format(step=number, choice=choice))
    if recipe.suppression.criterion == "weights":
        keys = dict.fromkeys(name for combination in recipe.combinations for name in combination.variables)
        weights = ((n, variable_of(recipe, derived.metadata, n).suppression_weight) for n in keys)
        lines += [f"   {names.get(name, name)}: {weight}" for name, weight in weights]
    return lines


def _figures(derived: Results, table: RiskTable, names: Mapping[str, str], progress: Progress) -> list[str]:
    cells = with_rule(table.cells, "wildcard", 1.0, progress)
    any_key = cells.missing != (1 << len(cells.variables)) - 1
    f, count = cells.f[any_key], cells.count[any_key]
    risk = individual_risk(f, cells.F[any_key], "truncated", progress)
    there = RiskDistribution.from_cells(risk, count)
    rate_there = float((f * risk).sum()) / max(cells.records, 1)
    # mu-ARGUS has no model of the whole table: what can be compared is the individual risk
    own = table.staircase if table.population is None else individual_staircase(table, progress)
    none, may_differ, alike = mark("not defined"), mark("may differ"), mark("nearly the same")
    largest, rate, homes = (
        mark("maximum individual risk"),
        mark("re-identification rate"),
        mark("maximum household risk"),
    )
    rows = [
        (translate(largest), f"{own.max_risk:.5f}", f"{there.max_risk:.5f}" if len(f) else translate(none)),
        (translate(rate), f"{100 * own.rate:.3f} %", f"{100 * rate_there:.3f} %" if len(f) else translate(none)),
    ]
    if table.threshold is not None:
        mine, theirs = own.unsafe(table.threshold), there.unsafe(table.threshold)
        told = translate(mark("unsafe records at {threshold}")).format(threshold=repr(table.threshold))
        rows.append((told, str(mine), str(theirs)))
    household = translate(may_differ if cells.missing.any() else alike)
    if table.household is not None and table.population is None:
        rows.append((translate(homes), f"{table.household.staircase.max_risk:.5f}", household))
    title = " x ".join(names.get(name, name) for name in table.combination.variables)
    rows = [("", "Pavo", "mu-ARGUS"), *rows]
    first, last = max(36, *(len(row[0]) + 1 for row in rows)), max(18, *(len(row[2]) + 2 for row in rows))
    return [title, *(f"   {what:<{first}}{pavo:>14}{other:>{last}}" for what, pavo, other in rows)]
