"""Writes the guide's page of perturbations from their declarations: python -m tests.perturbations_guide."""

from __future__ import annotations

from collections.abc import Iterator

from core.perturbation.registry import REGISTRY
from core.recipe.declared import COMMON, Declaration, Parameter
from tests.measures_guide import PAGE as OF_MEASURES
from tests.measures_guide import shown, values

PAGE = OF_MEASURES.with_name("perturbations.md")

HEAD = """# Perturbations

Values changed at random: a [recipe](recipe.md) can ask for any number of them.

```toml
[[perturbations]]
method = "noise"
variables = ["INCOME", "RENT"]
kind = "moments-kept"
share = 0.1
within = ["REGION"]
```

They are done **before recodes and tables**, in the order of the recipe, each on what the one before left: what is \
recoded, counted, judged, suppressed, rounded and written afterwards is the changed file. Only `weight-noise` is done \
as the file is written, so that risks are those of the original weights; it needs no `variables`, and can name the \
weight there. Missing values are neither changed nor used. \
Identifiers, the weight and what the safe file does not have cannot be changed. A key variable of a combination that \
is perturbed is warned of: its risk is counted from values that are not the true ones.

The draws follow from the entry itself, its seed and the values of the variables that it names, in the order of the \
records; where households matter, from who lives together, too. Titles, paths, other entries, what variables are \
called, the order in which an entry lists them (but for `geography`, `similar` and `relation`), what it says that is \
so anyhow, line ends, encoding and format of the file draw nothing anew: two releases of the same values by the same \
entry have the same draw, so that their mean tells nothing more. The check of the written file perturbs the original \
once more and compares. Summary and report say how many values changed and what came of what the method promises to \
keep; outsiders are not told that.

**What outsiders are told.** Reports for users and others outside, the metadata and the codebook beside the file name \
the variables and the method, and what corrects estimates: PRAM's matrix where the safe file has its codes, else that \
of the recoded ones where it holds (none where strata are recoded or left out, or a code has no record any more), the \
variance of noise; with `withhold` not even that. A table of `keep` by code stays in the house. They never name seeds \
and what would help to undo the change: whom record swapping takes and how many, how far rank swapping goes, the \
`protect` of PRAM, the `alpha` and the threshold of synthetic data, how many values changed or stayed, and warnings \
of what order, households or other variables still tell. The codebook says the same of this whoever the report is \
for. The report for your own house and `summary.json` have everything (the summary beside a report for outsiders does \
not); keep them there.

**What still averages.** Another seed, share, window or stratum, another order of records, one value of these \
variables that was corrected, added or left out, and another variable more or less where the draws of several are \
mixed (correlated noise, noise with moments kept, `ipso`, PRAM): then everything is drawn anew. It has to be, because \
the same draws beside another standard deviation or another set of records would together give the values themselves. \
Users who have several such releases come near the true values. Microaggregation draws nothing, and several of it \
tell more: means of groups of three and of groups of four, of the same records, give single values by subtraction. So \
perturb once and keep what came out: make later releases of the same records (fewer variables, other recodes, next \
month's corrections of other variables) from the perturbed columns, or repeat entry and values as they were. Whoever \
can guess the values of a whole column can check the guess with seed 1: for small files give each entry a seed that \
nobody knows, a long number, and keep it with the recipe.

What all but `weight-noise` take besides their own parameters:

| Parameter | Values | Default | |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD + "\n".join(map(_row, COMMON)) + "\n"]
    for group in dict.fromkeys(each.group for each in REGISTRY.declarations):
        parts.append(f"## {group}\n")
        parts += ["\n".join(_method(each)) for each in REGISTRY.declarations if each.group == group]
    coming = ", ".join(f"`{name}`" for name in REGISTRY.coming)
    if coming:
        parts.append(
            f"## Not available in this version\n\n{coming}: a recipe that asks for one of these is refused by name.\n"
        )
    return "\n".join(parts)


def _method(each: Declaration) -> Iterator[str]:
    yield f"### {each.title}: `{each.name}`\n\n{each.sentence}\n\n| Parameter | Values | Default | |\n|---|---|---|---|"
    yield from map(_row, each.parameters)
    if each.figures:
        yield "\n| Told in summary and report | |\n|---|---|"
    for figure in each.figures:
        yield f"| `{figure.name}` | {figure.sentence} |"
        yield from (f"| `{figure.name}`: `{inner.name}` | {inner.sentence} |" for inner in figure.rows)
    if each.guide:
        yield f"\n**It assumes:** {each.guide.assumes}\n"
        yield f"**Not for:** {each.guide.not_for}\n"
        yield f"**Formula:** {each.guide.formula}\n"
        yield f"**Source:** {each.guide.source}"
    yield ""


def _row(parameter: Parameter) -> str:
    default = "required" if parameter.required else shown(parameter.default)
    return f"| `{parameter.name}` | {values(parameter)} | {default} | {parameter.sentence} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
