"""The recipe's release profile: what its checks look at, and the end of a run where a rule does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, ProtectionError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural, shown
from ..check.judged import Verification
from ..data.columns import EncodedColumn
from ..data.variables import Metadata
from ..profiles.judge import JudgedProfile, judge
from ..profiles.model import ProfileRule, ReleaseProfile
from ..profiles.read import load_profile, load_target
from ..profiles.registry import CHECKS
from ..profiles.released import JudgedRisk, ReleasedFile, TableEstimates, grouped
from ..recipe.analyses import words_of_analysis
from ..recipe.model import Recipe
from ..results.released_columns import after_suppression
from ..results.results import Protection, RiskTable
from ..results.risk_tables import risks_of
from ..results.second_opinions import population_model
from ..risk.individual import is_unsafe
from ..session import Session
from ..tables.tabulate import tabulate_records
from ..utility.own import keeps_goal
from ..warnings.checklist import ChecklistEntry, checklist, undecided
from ..warnings.gravity import GIVES_AWAY
from .safe_file import SafeFile, safe_file

_TELLING = ("identifier", "person-number", "free-text")
"""What columns hold that look like direct identifiers."""


def asked_profile(recipe: Recipe) -> ReleaseProfile | None:
    """The profile that a recipe names; None where it names none.

    Raises
    ------
    ProfileError
        It cannot be used.
    RecipeError
        Id ``profile-without-data``: no safe file is asked for that could keep it.
    """
    if recipe.profile.file is None:
        return None
    if recipe.output.data is None:
        raise RecipeError(
            "profile-without-data",
            mark("profile.file says rules for a safe file, but the recipe writes none."),
            mark("Say output.data, or leave [profile] out."),
        )
    return load_profile(recipe.profile.file)


def asked_target(recipe: Recipe) -> ReleaseProfile | None:
    """The rules of the target that a recipe names; None where it names none.

    Raises
    ------
    ProfileError
        They cannot be used.
    RecipeError
        Id ``accepted-rule-unknown``: a point is accepted of a rule that there is not.
    """
    for number, point in enumerate(recipe.accepted, 1):
        if point.rule not in CHECKS.names:
            raise RecipeError(
                "accepted-rule-unknown",
                mark("The recipe's accepted[{number}].rule is “{rule}”, and no rule is called so."),
                mark("Known are: {known}."),
                number=number,
                rule=point.rule,
                known=", ".join(CHECKS.names),
            )
    return None if recipe.target.profile is None else load_target(recipe.target.profile)


def refuse_broken(judged: JudgedProfile) -> None:
    """End a run whose safe file breaks a rule.

    Raises
    ------
    ProtectionError
        Id ``profile-broken``, naming the rules and how many records are behind each.
    """
    broken = judged.broken
    if not broken:
        return
    text = plural(
        len(broken),
        "The safe file breaks a rule of the profile {name}, so nothing was written: {rules}",
        "The safe file breaks {count} rules of the profile {name}, so nothing was written: {rules}",
    )
    rules = " ".join(f"{rule.words.rstrip('.')} ({grouped(rule.found.records)})." for rule in broken)
    raise ProtectionError(
        "profile-broken",
        text,
        mark("Change what is released, or the profile; Output > Check against a Profile shows the records behind."),
        name=f"“{shown(judged.profile.name)}”",
        count=len(broken),
        rules=rules,
    )


def check_profile(
    session: Session,
    recipe: Recipe,
    profile: ReleaseProfile,
    progress: Progress = SILENT,
    made: Callable[[Protection, Progress], SafeFile] = safe_file,
) -> JudgedProfile:
    """What the safe file that `recipe` asks for comes to under a profile; nothing is written.

    `made` : gives the safe file of a plan

    Raises
    ------
    PavoError
        The thresholds cannot be met, or the profile names what there is not.
    """
    protection = session.protect(recipe, progress)
    contents = session.contents(recipe, progress)
    entries = checklist(recipe, protection.derived.metadata, contents)
    return judge(profile, released_file(session, protection, made(protection, progress), entries, progress))


def released_file(
    session: Session,
    protection: Protection,
    safe: SafeFile,
    entries: Sequence[ChecklistEntry],
    progress: Progress = SILENT,
    verification: Verification | None = None,
    notices: Iterable[Notice] | None = None,
) -> ReleasedFile:
    """What checks look at; columns that nothing changes are read from the original when they are asked for.

    Parameters
    ----------
    entries : the checklist of the columns that no model judges
    verification : what the check of the written file found; None: figures are those of the plan
    notices : all warnings of the safe file; None: those of the plan
    """
    derived = protection.derived
    weights = derived.microdata.weights

    @cache
    def original(name: str) -> EncodedColumn:
        return session.codes(derived, progress, (name,)).columns[name]

    @cache
    def released(name: str) -> EncodedColumn:
        found = safe.modified.get(name) or safe.released.get(name)
        return after_suppression(original(name), protection.plan.suppressed) if found is None else found

    def before(name: str) -> EncodedColumn:
        return derived.microdata.columns.get(name) or original(name)

    @cache
    def calibrated(names: tuple[str, ...]) -> NDArray[np.float64]:
        table = tabulate_records([released(name) for name in names], weights, "observed", progress=progress)
        combination = next(c for c in derived.recipe.combinations if c.variables == names)
        by_model = replace(combination, missing_rule="observed", estimator="calibrated")
        model = population_model(table, weights, progress)
        return table.cell_index.spread(risks_of(table.cells, by_model, progress, model).risk)

    @cache
    def risks() -> tuple[JudgedRisk, ...]:
        tables, judged = derived.risk_tables, partial(protection.judged, progress=progress)
        return tuple(JudgedRisk(table.combination.variables, judged(table).risk) for table in tables)

    @cache
    def estimates() -> tuple[TableEstimates, ...]:
        return tuple(_estimates(session, protection, verification, progress))

    @cache
    def goals() -> tuple[tuple[str, bool], ...]:
        with_goal = tuple(entry for entry in derived.recipe.utility if entry.goal is not None)
        if not with_goal:
            return ()
        found = session.own_analyses(protection, with_goal, progress, safe.modified)
        pairs = zip(with_goal, found, strict=True)
        return tuple((words_of_analysis(entry), keeps_goal(each) is not False) for entry, each in pairs)

    return ReleasedFile(
        derived.recipe,
        derived.metadata,
        safe.layout,
        derived.records,
        released,
        before,
        derived.labels,
        weights,
        derived.households.household_of_record if derived.households else None,
        risks,
        calibrated,
        sum(max(told.certain, told.counted or 0) for told in protection.inferences.values()),
        undecided([entry for entry in entries if entry.released]),
        tuple(e.variable for e in entries if e.released and e.contents.kind in _TELLING and not _looked_into(e)),
        tuple(e.variable for e in entries if e.released and e.contents.looks_like_amounts),
        goals,
        estimates,
        (protection.plan.total, protection.plan.records_touched),
        tuple(n.where for n in (protection.notices if notices is None else notices) if n.id.endswith(GIVES_AWAY)),
        tuple(e.variable for e in entries if _left_out(e, derived.metadata)),
        progress,
        derived.times.records,
    )


def _left_out(entry: ChecklistEntry, metadata: Metadata) -> bool:
    """Whether a column is a released key variable that nobody set aside with a reason."""
    set_aside = entry.decision is not None and entry.reason.strip()
    return entry.released and metadata[entry.variable].identification_level > 0 and not set_aside


def _estimates(
    session: Session, protection: Protection, verification: Verification | None, progress: Progress
) -> Iterator[TableEstimates]:
    """What each estimate finds, by combination: of the written file where it was checked, else of the plan."""
    derived = protection.derived
    before = session.second_opinions(derived, progress)
    is_population = derived.microdata.weights is None and derived.recipe.input.units == "population"
    after = verification.after if verification is not None else ()
    for index, combination in enumerate(derived.recipe.combinations):
        table, other = derived.tables[index], protection.opinions.get(index)
        state = (after[index].by_mode or after[index].released) if after else None
        household = None if state is None else state.household
        unsafe = state.unsafe if state is not None else _planned(protection, table, progress)
        exact = is_population
        if table is not None and derived.microdata.weights is not None and index in before:
            exact = other is None and before[index].refused is None
        yield TableEstimates(
            combination.variables,
            combination.estimator if table is not None else "",
            None if table is None else table.threshold,
            combination.k,
            unsafe,
            None if table is None or table.household is None else table.household.threshold,
            None if household is None else household.unsafe_households,
            None if household is None else household.max_risk,
            other,
            exact,
            protection.below_exact.get(index, 0),
            protection.hidden.get(index),
        )


def _planned(protection: Protection, table: RiskTable | None, progress: Progress) -> int | None:
    """Unsafe records that the plan leaves by a combination; None where nothing was asked."""
    if table is None:
        return protection.unsafe_left
    if table.threshold is None:
        return None
    risk = protection.judged(table, progress).risk
    return protection.derived.times.count(is_unsafe(risk, table.threshold))


def columns_looked_at(recipe: Recipe, metadata: Metadata, profile: ReleaseProfile) -> dict[str, tuple[str, ...]]:
    """By check the variables whose values it looks at: those that it asks for of a file without records.

    Raises
    ------
    ProfileError
        A rule names a variable that the file does not have.
    """
    found: dict[str, set[str]] = {}

    def looked_at_by(check: ProfileRule) -> ReleasedFile:
        def nothing(name: str) -> EncodedColumn:
            found.setdefault(check.name, set()).add(name)
            none = np.zeros(0, np.uint8)
            return EncodedColumn(name, none, (), (), none.astype(np.int64), 0, 0)

        return ReleasedFile(recipe, metadata, metadata, 0, nothing, nothing)

    for check in profile.checks:
        judge(replace(profile, checks=(check,)), looked_at_by(check))
    return {name: tuple(sorted(names)) for name, names in found.items()}


def _looked_into(entry: ChecklistEntry) -> bool:
    """Whether somebody decided on a column."""
    return entry.decision is not None
