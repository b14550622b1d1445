"""What to choose in mu-ARGUS to repeat a session there, and the figures that it should show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import core
from core.base.progress import SILENT, Progress
from core.exports.records import about_perturbed
from core.recipe.model import Combination
from core.results.results import Results, RiskTable
from core.results.second_opinions import individual_staircase
from core.risk.individual import individual_risk
from core.risk.staircase import Staircase
from core.tables.tabulate import with_rule

MOST_VARIABLES = 10
"""In one combination of mu-ARGUS."""
_ABOUT_FIGURES = (
    "Figures after that, of Pavo and as mu-ARGUS should show them. mu-ARGUS lets a missing value match any value, and",
    "cuts the series of the risk after seven terms, always too low for 4 records and more. Where values are missing",
    "its re-identification rate is another one, too: the risk of each cell counts once for every record that matches",
    "the cell, in it or not (the sum of f r over the cells, divided by the number of records), and its household risks",
    "can differ. Records that miss every variable have no risk there that is defined; they are left out here.",
)


def guide_text(
    derived: Results,
    names: Mapping[str, str],
    rda: str,
    files: Iterable[str],
    changed: Iterable[str] = (),
    progress: Progress = SILENT,
) -> str:
    """Plain text, a line for each step.

    Parameters
    ----------
    names : what mu-ARGUS calls the variables
    rda : the metadata
    files : those beside the data
    changed : the ones of them that say what numbers stand for
    """
    lines = [
        f"A session of Pavo {core.__version__} for mu-ARGUS 5.1",
        "",
        "The data file holds the codes of every record: it is as confidential as the survey itself.",
        *about_perturbed(derived),
        "",
        f"1. Open Microdata: the data, with {rda} as metadata.",
    ]
    renamed = [f"   {shown} is {name!r} in Pavo." for name, shown in names.items() if name != shown]
    recodes = [name for name in files if name.endswith(".grc")]
    numbered = [f"   {name} says which codes the numbers stand for." for name in changed]
    lines += [*renamed, *numbered, "2. Specify Combinations, then Calculate tables:"]
    lines += [f"   {_combination(c, names)}" for c in derived.recipe.combinations]
    lines += [f"3. Global Recode: Read and Apply {', '.join(recodes)}."] if recodes else []
    lines += ["", *_ABOUT_FIGURES]
    for table in derived.risk_tables:
        lines += ["", *_figures(derived, table, names, progress)]
    return "\n".join(lines) + "\n"


def _combination(combination: Combination, names: Mapping[str, str]) -> str:
    text = " x ".join(names.get(name, name) for name in combination.variables)
    limit = combination.count_threshold
    if combination.model == "individual-risk":
        text += f", threshold k = {limit}, Set combination for Risk model"
    elif combination.model == "k-anonymity" and combination.k is not None:
        text += f", threshold k = {combination.k - 1}, (k+1)-anonymity"
    else:
        text += f", threshold k = {limit}"
    if len(combination.variables) > MOST_VARIABLES:
        text += f" (mu-ARGUS takes at most {MOST_VARIABLES} variables)"
    return text


def _figures(derived: Results, table: RiskTable, names: Mapping[str, str], progress: Progress) -> list[str]:
    cells = with_rule(table.cells, "wildcard", 1.0, progress)
    any_key = cells.missing != (1 << len(cells.variables)) - 1
    f, count = cells.f[any_key], cells.count[any_key]
    risk = individual_risk(f, cells.F[any_key], "truncated", progress)
    there = Staircase.from_cells(risk, count)
    rate_there = float((f * risk).sum()) / max(cells.records, 1)
    # mu-ARGUS has no model of the whole table: what can be compared is the individual risk
    own = table.staircase if table.population is None else individual_staircase(table, progress)
    rows = [
        ("maximum individual risk", f"{own.max_risk:.5f}", f"{there.max_risk:.5f}" if len(f) else "not defined"),
        ("re-identification rate", f"{100 * own.rate:.3f} %", f"{100 * rate_there:.3f} %" if len(f) else "not defined"),
    ]
    if table.threshold is not None:
        mine, theirs = own.unsafe(table.threshold), there.unsafe(table.threshold)
        rows.append((f"unsafe records at {table.threshold!r}", str(mine), str(theirs)))
    household = "may differ" if cells.missing.any() else "nearly the same"
    if table.household is not None and table.population is None:
        rows.append(("maximum household risk", f"{table.household.staircase.max_risk:.5f}", household))
    title = " x ".join(names.get(name, name) for name in table.combination.variables)
    return [title, *(f"   {what:<36}{pavo:>14}{other:>18}" for what, pavo, other in (("", "Pavo", "mu-ARGUS"), *rows))]
