"""The report of a session or a batch run: what was derived, decided, written and checked becomes a ReportInput."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path

from ..base.errors import Notice
from ..base.texts import current_language, language_in_use, language_of_outputs, shown
from ..base.texts import translate as _
from ..check.judged import Verification
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..perturbation.registry import before_recodes
from ..profiles.judge import JudgedProfile
from ..recipe.available import HOLD_LABELS
from ..recipe.model import Reader, Recipe, Threshold
from ..recipe.toml import dumps
from ..results.households import variable_of
from ..results.inference import CERTAIN
from ..results.released_columns import after_suppression
from ..results.results import PlanWithoutPrevention, RemainingRisks, Results
from ..results.second_opinions import TableEstimate
from ..results.set_keys import original_column, written_code
from ..risk.released_opinion import ReleasedOpinion
from ..suppression.costs import entropy
from ..suppression.forecast import Forecast
from ..suppression.plan import Plan
from ..tables.cells import Cells
from ..verdict.model import ReleaseVerdict
from ..warnings.checklist import DECISIONS, UNDECIDED, ChecklistEntry
from ..warnings.direct_identifiers import RELEASED_AS_IT_IS
from ..warnings.gravity import GIVES_AWAY, by_gravity
from ..warnings.hidden import HIDDEN
from ..warnings.pattern_risk import ABOVE
from ..warnings.perturbed import PERTURBED_KEY
from ..warnings.perturbed_values import LEFT_VALUES
from ..warnings.recipe import unmeasured
from ..warnings.safe_file_risk import BELOW_EXACT, OTHER_ESTIMATE
from ..warnings.second_opinion import TOO_HIGH, TOO_LOW
from ..warnings.told_of_perturbed import KEPT_INSIDE
from ..warnings.unassessed import KEYS_NOT_JUDGED, UNJUDGED
from ..whatif.measures import Measured
from ..whatif.utility import FileUtility
from . import outside
from .blocks import ReportData, Verdict
from .build_board import ReleasedWeights, board_facts
from .build_changes import (
    held_codes,
    modifications,
    perturbation_facts,
    recode_facts,
    suppression_facts,
)
from .build_tables import table_facts
from .compose import compose
from .facts import (
    CheckedColumn,
    Key,
    MeasureShown,
    NamedFile,
    ProfileFacts,
    ReportInput,
    RuleFacts,
    SafeLayout,
    SafeVariable,
    TableFacts,
)
from .verdict import verdict


@dataclass(frozen=True, eq=False)
class ReleaseOutcome:
    """What was decided, written and checked: all that `Results` does not know.

    Attributes
    ----------
    plan : None where nothing was to be suppressed
    verification : of the written file; None where none was written
    unsafe_left : records that the plan leaves unsafe
    measured : what the recipe's ``[[measures]]`` found
    layout : metadata of the safe file; None where none was written
    files : read and written, in the order in which the report names them
    original : derived from `original_recipe`, for the risk before recoding
    after : by combination, the records of the safe file as the mode judges them
    forecasts : by combination
    cells : by combination, for those without a risk: their k-anonymity profile
    original_cells : likewise, before recoding
    safe_cells : likewise, after suppression
    notices : all that was accepted and has to be said; None before protection: what the session says
    recipe_text, recipe_sha256 : of the file that was run; else the recipe is written out
    created : when the outputs were made; default now
    opinions : by combination, the second opinion on its risk
    later : by combination, the other estimate of the risk of the safe file
    below_exact : by combination, records of the safe file that the exact risk finds unsafe and the estimator does not
    hidden : by combination, records that only members of their own household make safe
    with_gaps : what would be suppressed without ``close_gaps``, and `told` values with it; None where that is not asked
    checklist : the columns that no model judges
    profile : the rules of the recipe's release profile, and whether they hold
    release : the verdict by the rules of the recipe's target, in the language of the report
    utility : what is preserved; None where nobody asked
    released_weights : of the safe file, where they are others than the original's
    """

    program: str
    version: str
    plan: Plan | None = None
    verification: Verification | None = None
    unsafe_left: int = 0
    measured: tuple[Measured, ...] = ()
    layout: Metadata | None = None
    files: tuple[NamedFile, ...] = ()
    original: Results | None = None
    after: Mapping[int, RemainingRisks] = field(default_factory=dict)
    forecasts: Mapping[int, Forecast] = field(default_factory=dict)
    cells: Mapping[int, Cells] = field(default_factory=dict)
    original_cells: Mapping[int, Cells] = field(default_factory=dict)
    safe_cells: Mapping[int, Cells] = field(default_factory=dict)
    notices: tuple[Notice, ...] | None = None
    recipe_text: str = ""
    recipe_sha256: str = ""
    created: datetime | None = None
    opinions: Mapping[int, TableEstimate] = field(default_factory=dict)
    later: Mapping[int, ReleasedOpinion] = field(default_factory=dict)
    below_exact: Mapping[int, int] = field(default_factory=dict)
    hidden: Mapping[int, int] = field(default_factory=dict)
    with_gaps: PlanWithoutPrevention | None = None
    told: int = 0
    checklist: tuple[ChecklistEntry, ...] = ()
    profile: JudgedProfile | None = None
    release: ReleaseVerdict | None = None
    utility: FileUtility | None = None
    released_weights: ReleasedWeights | None = None


def build_report(derived: Results, outcome: ReleaseOutcome, reader: Reader | None = None) -> ReportData:
    """The release report, in the language that the recipe says, else in that of the program.

    Parameters
    ----------
    derived : what follows from the recipe
    outcome : what was done with it, as far as it was
    reader : whom it is written for; None: whom the recipe says
    """
    with language_in_use(derived.recipe.report.language or language_of_outputs()):
        return compose(report_input(derived, outcome, reader or derived.recipe.report.reader))


def statement(derived: Results, outcome: ReleaseOutcome) -> Callable[[], Verdict | None]:
    """What is stated at the head of the report on the written file, in the language that is in use when it is called.

    Parameters
    ----------
    derived, outcome : as of `build_report`
    """
    bare = replace(outcome, after={}, forecasts={}, original=None, original_cells={}, safe_cells={}, cells={})
    given = ReportInput(
        program=outcome.program,
        version=outcome.version,
        created=outcome.created or creation_time(),
        records=derived.records,
        weight=derived.metadata.weight.name if derived.metadata.weight else "",
        units=None if derived.metadata.weight else derived.recipe.input.units,
        tables=tuple(_tables(derived, bare)),
        verified=None if outcome.verification is None else outcome.verification.verified,
        unsafe_left=outcome.unsafe_left,
    )
    return lambda: verdict(given)


def original_recipe(recipe: Recipe) -> Recipe | None:
    """The recipe that gives the risk of the original file; None where nothing is recoded or perturbed before."""
    if not recipe.recodes and not before_recodes(recipe):
        return None
    bare = tuple(replace(combination, threshold=Threshold()) for combination in recipe.combinations)
    return Recipe(recipe.input, recipe.variables, recipe.derived, recipe.households, bare)


def creation_time(environment: Mapping[str, str] = os.environ) -> datetime:
    """Now, with the offset from UTC; the time of ``SOURCE_DATE_EPOCH`` where that is set to one."""
    epoch = environment.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdecimal():
        with contextlib.suppress(OverflowError, OSError, ValueError):  # beyond the calendar
            return datetime.fromtimestamp(int(epoch), UTC)
    return datetime.now().astimezone()


_STATA = re.compile(r"-?[0-9]+|[.]?[a-z]")
AT_THE_HEAD = (
    KEYS_NOT_JUDGED, UNJUDGED, TOO_LOW, TOO_HIGH, CERTAIN, *RELEASED_AS_IT_IS, ABOVE, UNDECIDED,
    PERTURBED_KEY, LEFT_VALUES, HIDDEN, OTHER_ESTIMATE, BELOW_EXACT,
)  # fmt: skip
"""Ids of warnings that stand at the report's head, too: by what no record was judged, which risks are not true, which
blanks are none or tell something, what looks like a name of a person, which columns nobody has judged."""


def report_input(derived: Results, outcome: ReleaseOutcome, reader: Reader = "internal") -> ReportInput:
    """The plain values of the report."""
    recipe, metadata, verification = derived.recipe, derived.metadata, outcome.verification
    notices = by_gravity(_notices(derived, outcome, reader))
    tell = attrgetter("text" if reader == "internal" else "external")
    texts = tuple(dict.fromkeys(map(tell, notices)))
    household = metadata.household_id.name if metadata.household_id else ""
    by_households = any(table.household_threshold is not None for table in derived.risk_tables)
    keys, also = _keys(derived, outcome, reader)
    return ReportInput(
        program=outcome.program,
        version=outcome.version,
        created=outcome.created or creation_time(),
        records=derived.records,
        variables=len(metadata.variables),
        details=recipe.report.written_for(reader),
        files=outcome.files,
        weight=metadata.weight.name if metadata.weight else "",
        units=None if metadata.weight else recipe.input.units,
        household_id=household,
        keys=keys,
        also_suppressed=also,
        tables=tuple(_tables(derived, outcome)),
        recodes=tuple(recode_facts(derived, name) for name in derived.recodings),
        modifications=modifications(
            _without_early(recipe), household, metadata.weight.name if metadata.weight else "", reader != "internal"
        ),
        perturbations=perturbation_facts(derived, outcome.plan),
        checklist=tuple(map(_checked, outcome.checklist)),
        suppression=suppression_facts(recipe, outcome.plan, by_households, outcome.with_gaps, outcome.told),
        utility=outcome.utility,
        scenarios=recipe.scenarios,
        measures=tuple(done.summary() for done in outcome.measured),
        measures_shown=tuple(MeasureShown(d.evaluation.headline, d.evaluation.picture) for d in outcome.measured),
        warnings=texts,
        at_the_head=tuple(notice.external for notice in notices if notice.id in AT_THE_HEAD),
        given_away=sum(notice.id.endswith(GIVES_AWAY) for notice in notices),
        verified=None if verification is None else verification.verified,
        profile=_profile(outcome.profile),
        release=outcome.release,
        unsafe_left=outcome.unsafe_left,
        layout=_layout(metadata, outcome.layout),
        recipe_text=_recipe_text(recipe, outcome),
        language=current_language(),
        recipe_sha256=outcome.recipe_sha256,
        held=held_codes(derived, outcome.plan, _written_labels(outcome)),
        board=board_facts(derived, outcome.plan, outcome.layout, outcome.checklist, outcome.released_weights),
    )


def _without_early(recipe: Recipe) -> Recipe:
    """`recipe` without the perturbations that have a part of their own."""
    early = before_recodes(recipe)
    return recipe.with_(perturbations=tuple(entry for entry in recipe.perturbations if entry not in early))


def _profile(judged: JudgedProfile | None) -> ProfileFacts | None:
    if judged is None:
        return None
    rules = tuple(
        RuleFacts(rule.words, rule.found.holds, rule.found.records, rule.check.parameters.get("variables", ()))
        for rule in judged.rules
    )
    return ProfileFacts(shown(judged.profile.name), judged.profile.source, rules)


def _checked(entry: ChecklistEntry) -> CheckedColumn:
    decision = _(DECISIONS[entry.decision]) if entry.decision else ""
    holds = entry.contents.holds.text
    return CheckedColumn(entry.variable, holds, decision, entry.by, entry.reason, entry.released)


def _notices(derived: Results, outcome: ReleaseOutcome, reader: Reader) -> Iterator[Notice]:
    """All that was said; before something was decided, what the session says. Outsiders hear of no other variables.

    They know those of the safe file, and those by which it was judged; and only of warnings that follow from
    decisions and from what the safe file holds.
    """
    notices = outcome.notices
    if notices is None:
        notices = (*derived.notices, *unmeasured(derived.recipe))
    judged = {name for combination in derived.recipe.combinations for name in combination.variables}
    known = judged.copy()
    known |= set(outcome.layout.names) if outcome.layout else set()
    hidden = set(derived.metadata.names) - known if reader != "internal" else set()
    for notice in notices:
        if reader != "internal" and (notice.id not in outside.WARNINGS or notice.id in KEPT_INSIDE):
            continue
        if reader != "internal" and notice.id in RELEASED_AS_IT_IS and notice.where in judged:
            continue  # it counts values, of which some may have been suppressed
        named = {part for _place, value in notice.values for part in re.split(", |; ", str(value))}
        if not hidden & {notice.where, *named}:
            yield notice


def _written_labels(outcome: ReleaseOutcome) -> dict[str, dict[str, str]]:
    """Labels that are written with the safe file, by variable; none where neither it nor metadata hold any."""
    if outcome.layout is None:
        return {}
    layout = outcome.layout
    beside = any(file.role == "safe-codelist" for file in outcome.files)
    inside = layout.format == "spss" or (beside and layout.format not in HOLD_LABELS)
    return {v.name: dict(v.labels) if inside or _labelled_in_stata(layout, v) else {} for v in layout.variables}


def _labelled_in_stata(layout: Metadata, variable: Variable) -> bool:
    """Whether a Stata file holds the variable's labels: it has them for numbers, and their missing codes, only."""
    return layout.format == "stata" and all(_STATA.fullmatch(code) for code, _label in variable.labels)


def _tables(derived: Results, outcome: ReleaseOutcome) -> list[TableFacts]:
    found = outcome.verification.after if outcome.verification else ()
    return [
        table_facts(
            derived,
            index,
            opinion=outcome.opinions.get(index),
            later=outcome.later.get(index),
            below_exact=outcome.below_exact.get(index),
            hidden=outcome.hidden.get(index),
            original=outcome.original,
            found=found[index] if found else None,
            after=outcome.after.get(index),
            forecast=outcome.forecasts.get(index),
            cells=outcome.cells.get(index),
            original_cells=outcome.original_cells.get(index),
            safe_cells=outcome.safe_cells.get(index),
        )
        for index in range(len(derived.tables))
    ]


def _keys(derived: Results, outcome: ReleaseOutcome, reader: Reader) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Variables that a combination uses, and those that are suppressed with them, in file order.

    For outsiders these are all that could be, and have a missing value in the safe file.
    """
    used = {name for combination in derived.recipe.combinations for name in combination.variables}
    by_variable = outcome.plan.by_variable if outcome.plan else {}
    names = (*derived.metadata.names, *(spec.name for spec in derived.recipe.derived))
    keys = tuple(_key(derived, n, outcome.plan) for n in names if n in used)
    related = derived.metadata.suppressed_with(used)
    also = tuple(
        _key(derived, n, outcome.plan)
        for n in derived.metadata.names
        if n not in used and n in derived.columns and (by_variable.get(n) if reader == "internal" else n in related)
    )
    return keys, also if reader == "internal" else tuple(key for key in also if key.missing_released)


def _key(derived: Results, name: str, plan: Plan | None) -> Key:
    variable, column = variable_of(derived.recipe, derived.metadata, name), derived.columns[name]
    before = original_column(derived, name)
    after = None if plan is None else after_suppression(column, plan.suppressed)
    return Key(
        name=name,
        label=variable.label,
        categories=_present(column),
        categories_before=_present(before),
        categories_released=None if after is None else _present(after),
        missing_codes=column.n_missing_codes,
        household=variable.household,
        related=variable.related or "",
        suppression_weight=variable.suppression_weight,
        entropy=entropy(column),
        missing_before=int(column.counts[column.n_valid :].sum()),
        suppressed=plan.by_variable.get(name, 0) if plan else 0,
        suppressible=variable.suppressible,
        written=written_code(derived, name),
        missing_released=None if after is None else int(after.counts[after.n_valid :].sum()),
    )


def _present(column: EncodedColumn) -> int:
    return int((column.counts[: column.n_valid] > 0).sum())


def _layout(metadata: Metadata, safe: Metadata | None) -> SafeLayout | None:
    if safe is None:
        return None
    fixed = safe.format == "fixed"
    variables = tuple(
        SafeVariable(v.name, v.label, v.start if fixed else None, v.length if fixed else None, v.decimals)
        for v in safe.variables
    )
    removed = tuple(name for name in metadata.names if name not in safe)
    return SafeLayout(safe.format, variables, safe.delimiter if safe.format == "delimited" else "", removed)


def _recipe_text(recipe: Recipe, outcome: ReleaseOutcome) -> str:
    """The recipe as it was run, without the secret of its draws, which no reader may have."""
    text, secret = outcome.recipe_text, recipe.suppression.secret
    if text and secret is None:
        return text
    if text and secret is not None:
        line = re.compile(rf"^[ \t]*secret[ \t]*=[ \t]*[\"']{secret}[\"'][^\n]*\n?", re.IGNORECASE | re.MULTILINE)
        text = line.sub("", text)
        if secret.lower() not in text.lower() and "secret" not in tomllib.loads(text).get("suppression", {}):
            return text
    beside = recipe.input.place.parent if recipe.input.place else Path.cwd()
    return dumps(recipe.with_(suppression=replace(recipe.suppression, secret=None)), beside)
