"""The report from its input: which parts, in which order.

What an external report may show: what was decided, and nothing of the original that the safe file does not hold. It
has no figure of the original either: see `core.report.outside`.

Everything passes `for_outsiders`. Names of files that were read, codes that no record of the safe file has, labels
that are not written with it, names of variables that are left out, checksums and seeds stay in the house.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.errors import RecipeError
from ..base.texts import translate as _
from ..perturbation.told import entry_of_released, entry_told
from ..recipe.declared import registry
from ..recipe.model import (
    Input,
    Measure,
    Output,
    Perturbation,
    ProfileFile,
    Recipe,
    Scenario,
    Target,
    VariableEdit,
)
from ..recipe.scenarios import taken_measures
from ..recipe.toml import dumps, parse
from . import analyses, outside
from . import section_board as board
from . import sections_changes as changes
from . import sections_data as data
from . import sections_perturbations as perturbed
from . import sections_risk as risk
from . import sections_utility as preserved
from .blocks import ReportData, Section
from .board_facts import BoardFacts
from .facts import CheckedColumn, Key, PerturbationFacts, ProfileFacts, RecodeFacts, ReportInput
from .opening import summary
from .section_rules import rules, rules_outside
from .verdict import large_figures, suppressed_figure, verdict
from .words import records

_PATH = re.compile(r"""(?x)
    (?<![\w.~<>/\\]) (?: [A-Za-z]:[\\/] | \\\\ | ~?/ | \.\.?[\\/] )   # C:\  \\server  /  ~/  ../
    (?: [^\\/\n"'“”<>|]+ [\\/]+ )*                                     # folders
    (?= [^\\/\s"'“”<>|] )                                              # the name that stays
""")

WRITTEN = ("safe-data", "safe-metadata", "safe-codelist", "report", "report-pdf", "ddi", "table-schema")
"""Files that outsiders get; the others are not mentioned."""
_OF_THE_HOUSE = ("released", "released_sha256", "targets", "targets_sha256", "seed")
"""Parameters of measures that name files, or tell how to draw the same. Of perturbations: `core.perturbation.told`."""


def for_outsiders(given: ReportInput) -> ReportInput:
    """The report's input without what must stay in the house. Texts that the user wrote for the report stay."""
    known = known_outside(given)
    written = set(given.layout.names) if given.layout else set()
    keys = tuple(_key(key, written, known) for key in given.keys)
    also = tuple(_key(key, written, known) for key in given.also_suppressed)
    return replace(
        given,
        files=tuple(
            replace(file, path=Path(file.path.name)) for file in given.files if file.role in WRITTEN
        ),
        weight=_if_in(given.weight, written),
        weighted=given.weighted or bool(given.weight),
        household_id=_if_in(given.household_id, written),
        keys=keys,
        also_suppressed=also,
        tables=tuple(map(outside.table_outside, given.tables)),
        recodes=tuple(_recode(recode, given.held.get(recode.variable, {})) for recode in given.recodes
                      if recode.variable in known),
        modifications=tuple(replace(done, variables=_if_in(done.variables, written)) for done in given.modifications),
        perturbations=tuple(_perturbations(given.perturbations, written)),
        checklist=tuple(_checked(given)),
        profile=given.profile and _profile(given.profile, known),
        release=given.release and rules_outside(given.release, set(known)),
        suppression=given.suppression and outside.suppression_outside(given.suppression, keys + also),
        given_away=0,
        utility=None,
        scenarios=tuple(_scenarios(given.scenarios, known.union(*(each["variables"] for each in given.measures)))),
        measures=tuple(map(_measure, given.measures)),
        measures_shown=(),
        warnings=tuple(map(without_folders, given.warnings)),
        layout=given.layout and replace(given.layout, left_out=len(given.layout.removed), removed=()),
        recipe_text=_external_recipe(given.recipe_text, written),
        recipe_sha256="",
        board=_board(given, known),
    )  # fmt: skip


def _measure(measure: dict[str, Any]) -> dict[str, Any]:
    """A measure by its parameters: its figures are those of the original, and of files that stay in the house."""
    declared = registry("measures").declaration(measure["kind"])
    asked = {parameter.name for parameter in declared.parameters} if declared else set()
    asked -= {figure.name for figure in declared.figures} if declared else set()
    shown = {"kind", "variables", *asked}.difference(_OF_THE_HOUSE)
    return {key: value for key, value in measure.items() if key in shown}


def _board(given: ReportInput, known: Collection[str]) -> BoardFacts:
    """What a board's questions are answered from; no sum of weights that the safe file does not have as they were."""
    board = given.board.for_outsiders(known.__contains__)
    changed = {name for done in given.modifications for name in done.variables.split(", ")}
    changed |= {name for done in given.perturbations for name in done.variables}
    if given.weight not in changed:
        return board
    areas = tuple(replace(area, least_people=None) for area in board.areas)
    return replace(board, people=None, areas=areas)


def _perturbations(done: Iterable[PerturbationFacts], written: set[str]) -> Iterator[PerturbationFacts]:
    """Perturbations of the variables of the safe file, without figures of the original and what tells how to draw."""
    for each in done:
        if names := tuple(name for name in each.variables if name in written):
            shown = tuple(
                parameter
                for parameter in each.parameters
                if parameter[0] in each.outside.parameters and written.issuperset(parameter[2])
            )
            yield replace(
                each,
                variables=names,
                told=each.outside.told,
                parameters=shown,
                changed=None,
                invariants=(),
                tables=(),
                published=each.outside.published,
            )


def _profile(profile: ProfileFacts, known: Collection[str]) -> ProfileFacts:
    """A profile by the rules that name no variable but those that outsiders may know of."""
    rules = (replace(rule, records=0) for rule in profile.rules if set(rule.variables) <= set(known))
    return replace(profile, rules=tuple(rules))


def _scenarios(scenarios: Iterable[Scenario], known: Collection[str]) -> Iterator[Scenario]:
    """Scenarios by their names and the variables that outsiders may know of, without what was written about them."""
    for scenario in scenarios:
        if names := tuple(name for name in scenario.variables if name in known):
            yield Scenario(scenario.name, names)


def known_outside(given: ReportInput) -> set[str]:
    """Variables that outsiders may know of: those of the safe file, and those by which it was judged."""
    judged = {name for table in given.tables for name in table.variables} | {key.name for key in given.keys}
    return judged | (set(given.layout.names) if given.layout else set())


def _outside(entry: Measure) -> Measure:
    """A measure without what stays in the house."""
    return replace(entry, parameters=tuple((k, v) for k, v in entry.parameters if k not in _OF_THE_HOUSE))


def _perturbed(entry: Perturbation, written: set[str]) -> Perturbation:
    """A perturbation by the variables of the safe file, without what outsiders are not told."""
    if registry("perturbations").declaration(entry.method) is None:
        return replace(entry, variables=tuple(name for name in entry.variables if name in written), parameters=())
    return entry_told(entry_of_released(entry, written))


def _if_in(name: str, names: set[str]) -> str:
    return name if name in names else ""


def _key(key: Key, written: set[str], known: set[str]) -> Key:
    label = key.label if key.name in written else ""
    return outside.key_outside(replace(key, label=label, related=_if_in(key.related, known)), key.name in written)


def _checked(given: ReportInput) -> Iterator[CheckedColumn]:
    """What was decided on the columns of the safe file, in its order: another one would tell what they hold."""
    decided = {column.variable: column.decision for column in given.checklist}
    for name in given.layout.names if given.layout else ():
        if name in decided:
            yield CheckedColumn(name, decision=decided[name])


def _recode(recode: RecodeFacts, held: Mapping[str, str]) -> RecodeFacts:
    """A recode by the codes that the safe file has and the labels that are written with it."""
    return RecodeFacts(
        recode.variable,
        tuple((code, held[code], "") for code, _label, _items in recode.lines if code in held),
        tuple(code for code in recode.missing if code in held),
        recode.sentence,
        tuple(code for code in recode.untouched if code in held),
    )


def _external_recipe(text: str, written: set[str]) -> str:
    """The recipe for outsiders; nothing where the text is not one, as then nobody knows what it gives away."""
    if not text:
        return ""
    try:
        return external_text(parse(text, Path(Path.cwd().anchor)), written)
    except RecipeError:
        return ""


def external_text(recipe: Recipe, written: set[str]) -> str:
    """The recipe's TOML text as far as outsiders may know it: which risk was measured how, and what was done about it.

    What was read, codes, labels and schemes are left out, and so are seeds: with the seed somebody who has the original
    could put shuffled records back into their old order.

    Parameters
    ----------
    written : names of the variables of the safe file
    """
    root = Path(Path.cwd().anchor)
    judged = {name for combination in recipe.combinations for name in combination.variables}
    judged |= {name for measure in taken_measures(recipe) for name in measure.variables}
    output, none, target = recipe.output, Output(), recipe.target.profile
    shown = Recipe(
        variables=tuple(_edit(edit, written) for edit in recipe.variables if edit.name in written),
        input=Input(),
        derived=recipe.derived,
        households=recipe.households,
        combinations=tuple(map(outside.combination_outside, recipe.combinations)),
        recodes=tuple(
            replace(recode, scheme_file=None, scheme=None, missing=None, codelist=None)
            for recode in recipe.recodes
            if recode.variable in written
        ),
        numeric=tuple(change for change in recipe.numeric if change.variable in written),
        perturbations=tuple(_perturbed(entry, written) for entry in recipe.perturbations),
        scenarios=tuple(_scenarios(recipe.scenarios, written | judged)),
        threshold=outside.threshold_outside(recipe.threshold),
        suppression=outside.suppression_rules(recipe.suppression),
        measures=tuple(map(_outside, recipe.measures)),
        profile=ProfileFile(recipe.profile.file and root / recipe.profile.file.name),
        target=Target(root / target.name if isinstance(target, Path) else target),
        report=recipe.report,
        output=replace(
            output,
            data=output.data and root / output.data.name,
            metadata=output.metadata and root / output.metadata.name,
            report=output.report and root / output.report.name,
            report_pdf=output.report_pdf and root / output.report_pdf.name,
            summary=None,
            records=None,
            ddi=output.ddi and root / output.ddi.name,
            table_schema=output.table_schema and root / output.table_schema.name,
            seed=none.seed,
        ),
    )
    return dumps(shown, root)


def _edit(edit: VariableEdit, written: set[str]) -> VariableEdit:
    related: str | None = edit.related if edit.related in written else None
    plain = replace(edit, label=None, missing=None, codelist=None, related=related)
    return replace(plain, decided_by=None, reason=None)


def without_folders(text: str) -> str:
    """A sentence with every path in it cut to its name."""
    return _PATH.sub("", text)


def compose(given: ReportInput) -> ReportData:
    """The release report.

    Parameters
    ----------
    given : ReportInput
        Plain values; what is None or empty leaves its line or part out. The external variant holds nothing of the
        original that the safe file does not: see `core.report.compose`.

    Returns
    -------
    ReportData
        Sections in the order a μ-ARGUS report has them, risk before and after added; for users of the file those of
        `core.report.analyses`.
    """
    if given.external:
        given = for_outsiders(given)
    for_users = given.details.reader == "users"
    if for_users:
        given = analyses.for_users(given)
    blanked = tuple(figure for figure in (suppressed_figure(given),) if figure)
    return ReportData(
        title=given.details.title or _("Release report"),
        subtitle=_subtitle(given),
        created=_("Created {when}").format(when=data.created_text(given)),
        language=given.language,
        details=_details(given),
        summary=analyses.summary(given) if for_users else (*summary(given), *outside.bounds(given)),
        sections=analyses.sections(given) if for_users else _all_sections(given),
        footer=_("Made with {program} {version}.").format(program=given.program, version=given.version),
        contents_title=_("Contents"),
        summary_title=_("In short"),
        verdict=analyses.verdict(given) if for_users else verdict(given),
        figures=blanked if for_users else large_figures(given),
    )


def _all_sections(given: ReportInput) -> tuple[Section, ...]:
    """What an auditor reads: everything."""
    parts = (
        rules(given),
        data.files(given),
        data.identifying_variables(given),
        data.frequency_tables(given),
        data.related(given),
        data.recodings(given),
        risk.scenarios(given),
        risk.base_risk(given),
        risk.k_profile(given),
        risk.measures(given),
        perturbed.perturbations(given),
        changes.modifications(given),
        changes.checklist(given),
        changes.suppression(given),
        preserved.utility(given),
        changes.warnings(given),
        changes.verification(given),
        changes.profile(given),
        board.questions(given),
        data.layout(given),
        data.recipe(given),
        data.program(given),
        data.terms(given),
        board.signatures(given),
    )
    return tuple(part for part in parts if part is not None)


def _subtitle(given: ReportInput) -> str:
    by_role = {file.role: file.path.name for file in given.files}
    name = by_role.get("safe-data") or by_role.get("data")
    if not name:
        return _("Statistical disclosure control report")
    told = _("Statistical disclosure control report for {name}, {records}")
    return told.format(name=name, records=records(given.records))


def _details(given: ReportInput) -> tuple[tuple[str, str], ...]:
    details = given.details
    meant = {
        "internal": _("use inside the institution only"),
        "external": _("outsiders: nothing of the original that the safe file does not hold"),
        "users": _("users of the file: what was done to the data, and what it does to analyses"),
    }
    whom = meant[details.reader]
    if details.reader == "internal" and not details.release_type:
        whom = _(
            "use inside the institution only, as long as nothing else is said: no type of release was chosen yet. "
            "Report Details in the menu Specify ask for it, and for whom the report is written."
        )
    rows = (
        (_("Institution"), details.institution),
        (_("Author"), details.author),
        (_("Type of release"), details.release_type),
        (_("Remarks"), details.remarks),
        (_("Meant for"), whom),
    )
    return tuple((name, value) for name, value in rows if value)
