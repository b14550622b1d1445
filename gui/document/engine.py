"""Core's session as the compute thread uses it: made there on first use, so that starting the program is quick."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, TypeVarTuple

from core.base.errors import DataError, PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.recipe.in_parts import is_in_parts
from core.recipe.model import Measure, Mode, MultiResponseKey, NumericEdit, Perturbation, ProfileFile, Recipe

if TYPE_CHECKING:
    from core.base.errors import Notice
    from core.base.progress import Enough
    from core.browse.records import Browser
    from core.data.columns import EncodedColumn
    from core.metadata.column_contents import ColumnContents
    from core.profiles.goals import Goal
    from core.profiles.judge import JudgedProfile
    from core.profiles.model import ReleaseProfile
    from core.recoding.numerical import Comparison
    from core.release.run import Result
    from core.results.input_files import Checksums
    from core.results.results import RecodedData
    from core.results.second_opinions import TableEstimate
    from core.session import Protection, Results, Session
    from core.suppression.forecast import Forecast, Point
    from core.suppression.households.forecast import By
    from core.suppression.households.limits import UnprotectableHouseholds
    from core.suppression.plan import Plan
    from core.tables.margins import Overview
    from core.whatif.advice import Advice
    from core.whatif.alternatives import Alternative
    from core.whatif.household_type_preview import HouseholdTypePreview
    from core.whatif.laboratory import TriedMeasure
    from core.whatif.perturbation_preview import PerturbationPreview
    from core.whatif.plans.hierarchies import Hierarchy
    from core.whatif.plans.opinions import PlanEstimate
    from core.whatif.plans.search import ParetoFront
    from core.whatif.set_preview import SetPreview
    from core.whatif.strongest import Strongest
    from core.whatif.utility import FileUtility
    from core.whatif.utility_loss import UtilityLoss

INPUT_CHANGED = "input-changed"
PROFILE_BROKEN = "profile-broken"
"""Id of the refusal of a safe file that breaks a rule of the session's profile."""
CHANGED_HINT = mark("The session is open with its edits, without results, until you accept the file as it is now.")


_FEW_CELLS = 1 << 18
"""Cells up to which nobody notices that a population model is fitted to them."""
_SMALL = 1 << 28
"""Bytes of a file up to which all its categorical columns are read."""

Arguments = TypeVarTuple("Arguments")
Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)


class Work(Protocol[*Arguments, Answer_co]):
    """A function of core that tells how far it is, and can be stopped."""

    def __call__(self, *args: *Arguments, progress: Progress) -> Answer_co:
        """What it makes of its arguments."""


class SessionQuestion(Protocol[*Arguments, Answer_co]):
    """What core's session is asked in the compute thread: a function of it and of what is asked about."""

    def __call__(self, session: Session, /, *args: *Arguments, progress: Progress) -> Answer_co:
        """The session's answer."""


def _core_session() -> Session:
    from core.parts.session import PartsSession

    return PartsSession()


class Engine:
    """Functions for `gui.document.tasks.Tasks.run`; nothing else here may be called from the GUI thread."""

    def __init__(self, factory: Callable[[], Session] | None = None) -> None:
        self._factory = factory or _core_session
        self._session: Session | None = None
        self._may_be_old = False

    def renew(self) -> None:
        """Read files that have changed again, before what is done next. The one call for the GUI thread."""
        self._may_be_old = True

    def _made(self) -> Session:
        if self._session is None:
            self._session = self._factory()
        if self._may_be_old:
            self._may_be_old = False
            self._session.renew()
        return self._session

    def ask(
        self, question: SessionQuestion[*Arguments, Answer], *args: *Arguments, progress: Progress = SILENT
    ) -> Answer:  # fmt: skip
        """What the session answers to a question about these arguments."""
        return question(self._made(), *args, progress=progress)

    def derive_shown(
        self, recipe: Recipe, read: Callable[[], None] | None = None, progress: Progress = SILENT
    ) -> tuple[Results, Checksums, dict[str, int], dict[int, int]]:
        """What the windows show of the current recipe: `derive`, and the unsafe records of variables and of tables.

        Beside the results stand the checksums of all files but the data, which Save writes.

        Parameters
        ----------
        read : of a file that is being opened: called in the compute thread as soon as it is read

        Raises
        ------
        DataError, MetadataError
            A file is another one than the session was saved with: nothing is shown before the user accepts it.
        """
        from core.release.pinned_inputs import inputs_of, named_inputs, refuse_changed
        from core.results.unsafe_records import unsafe_counts

        session = self._made()
        # before they are read: what does not fit together any more is told by which file is another one
        refuse_changed(recipe, session.checksums(named_inputs(recipe), progress), CHANGED_HINT)
        if read is not None:
            session.prepare(recipe, progress, "keys")
            read()
        derived = session.derive(recipe, progress)
        derived = replace(derived, overview=session.known_overview(derived))
        for notice in derived.notices:
            if notice.id == INPUT_CHANGED:
                raise DataError(notice.id, notice.template, CHANGED_HINT, **dict(notice.values))
        files = inputs_of(derived)
        sums = session.checksums(files, progress)
        refuse_changed(recipe, sums, CHANGED_HINT, files)
        return derived, sums, *unsafe_counts(derived, progress)

    def carry_out(self, recipe: Recipe, as_saved: Recipe, path: Path | None, progress: Progress = SILENT) -> Result:
        """Write, read back and verify what the recipe asks for: `core.release.run.Result`.

        `path` is the session's file, None before it is saved, `as_saved` what Save would write there: report and
        summary name that.
        """
        from core.recipe.toml import dumps
        from core.release.pinned_inputs import RecipeFile
        from core.release.run import carry_out

        beside = path or as_saved.input.data  # not saved yet: as it would be beside the data
        text = dumps(as_saved, beside.parent if beside is not None else Path.home())
        file = RecipeFile(path, text, hashlib.sha256(text.encode("utf-8")).hexdigest())
        try:
            if is_in_parts(recipe.input):
                from core.parts.session import PartsSession, carry_out_counted

                session = self._made()
                assert isinstance(session, PartsSession)
                return carry_out_counted(session, recipe, progress, file)
            return carry_out(self._made(), recipe, progress, file, same_data=True)
        except PavoError as error:
            if error.id == INPUT_CHANGED:
                error.hint = CHANGED_HINT
            raise


def derive(session: Session, recipe: Recipe, progress: Progress = SILENT) -> Results:
    """Metadata, columns, recodes, tables and risks of a recipe."""
    return session.derive(recipe, progress=progress)


def prepare(session: Session, recipe: Recipe, progress: Progress = SILENT) -> RecodedData:
    """The columns of a recipe after recoding, of every categorical variable; no tables."""
    return session.prepare(recipe, progress=progress)


def count_cells(session: Session, recipe: Recipe, variables: tuple[str, ...], progress: Progress = SILENT) -> int:
    """How many distinct keys the file has on `variables`."""
    return session.count_cells(recipe, variables, progress=progress)


def contents(session: Session, recipe: Recipe, progress: Progress = SILENT) -> dict[str, ColumnContents]:
    """What each column of the release checklist holds, by name."""
    return session.contents(recipe, progress=progress)


def compare_numbers(session: Session, recipe: Recipe, spec: NumericEdit, progress: Progress = SILENT) -> Comparison:
    """The numerical variable of `spec` before and after its changes."""
    return session.compare_numbers(recipe, spec, progress=progress)


def preview_perturbation(
    session: Session, recipe: Recipe, entry: Perturbation, place: int | None, everything: bool, by: str | None,
    progress: Progress = SILENT,
) -> PerturbationPreview:  # fmt: skip
    """What `entry` does to its variables, in place of the perturbation at `place`."""
    return session.preview_perturbation(recipe, entry, place, everything, by, progress=progress)


def strongest_perturbation(
    session: Session, recipe: Recipe, entry: Perturbation, place: int | None, by: str, goal: float,
    progress: Progress = SILENT,
) -> Strongest:  # fmt: skip
    """The strongest form of `entry` that keeps a goal."""
    return session.strongest_perturbation(recipe, entry, place, by, goal, progress=progress)


def second_opinion(session: Session, derived: Results, index: int, progress: Progress = SILENT) -> TableEstimate:
    """What the population model says of combination `index`."""
    return session.second_opinion(derived, index, progress=progress)


def forecast(
    session: Session, recipe: Recipe, combination: int, mode: Mode, by: By = "individual", progress: Progress = SILENT
) -> Forecast:
    """Suppressions, loss and risk of a risk table for every threshold at once."""
    return session.forecast(recipe, combination, mode, by, progress=progress)


def forecast_at(
    session: Session, recipe: Recipe, combination: int, threshold: float | None, mode: Mode, by: By,
    progress: Progress = SILENT,
) -> Point:  # fmt: skip
    """Suppressions and loss of a risk table at one threshold, where no curve is exact."""
    return session.forecast_at(recipe, combination, threshold, mode, by, progress=progress)


def plan_of_rare(session: Session, recipe: Recipe, progress: Progress = SILENT) -> Plan:
    """The suppressions that the tables of the threshold rule ask for."""
    return session.plan_of_rare(recipe, progress=progress)


def plan_without_gaps(session: Session, recipe: Recipe, progress: Progress = SILENT) -> Plan:
    """The suppressions by the original file after which no suppressed value is certain by elimination."""
    return session.plan_without_gaps(recipe, progress=progress)


def protect(
    session: Session, recipe: Recipe, stop: Callable[[], bool] | None = None, progress: Progress = SILENT
) -> Protection:
    """The plan of suppressions; with `stop` one searched for until that says that what was found will do."""
    return session.protect(recipe, progress) if stop is None else session.protect(recipe, progress, stop=stop)


def margins(session: Session, derived: Results, every: bool = False, progress: Progress = SILENT) -> Overview:
    """Unsafe combinations of the margins that take long: up to `core.tables.margins.LIMIT`, or of `every` one."""
    return session.overview(derived, math.inf, progress) if every else session.overview(derived, progress=progress)


def profile_checked(session: Session, recipe: Recipe, path: Path, progress: Progress = SILENT) -> JudgedProfile:
    """What the safe file of a recipe comes to under the profile in a file; nothing is written."""
    from core.profiles.read import load_profile
    from core.release.profile import check_profile

    if is_in_parts(recipe.input):
        from core.parts.input_parts import refuse_what_needs_the_whole
        from core.parts.session import PartsSession

        assert isinstance(session, PartsSession)
        recipe = recipe.with_(profile=ProfileFile(path))
        refuse_what_needs_the_whole(recipe, session.metadata(recipe))
        return check_profile(session, recipe, load_profile(path), progress, session.safe_file)
    return check_profile(session, recipe, load_profile(path), progress)


def offered_profiles(
    others: Collection[Path], progress: Progress = SILENT
) -> tuple[dict[Path, ReleaseProfile], dict[Path, Path]]:
    """The profiles that come with the program and those in other files, by file; and where each of `others` was found.

    Raises
    ------
    PavoError
        One of them cannot be used.
    """
    from core.profiles.read import found_profile, load_profile, shipped

    progress.check()
    places = {path: found_profile(path) for path in others}
    return {path: load_profile(path) for path in dict.fromkeys((*shipped(), *places.values()))}, places


def profile_goals(path: Path, progress: Progress = SILENT) -> tuple[Goal, ...]:
    """What a search for a plan can aim at by the profile in a file; `PavoError` where it cannot be used."""
    from core.profiles.goals import goals
    from core.profiles.read import found_profile, load_profile

    progress.check()
    return goals(load_profile(found_profile(path)))


def unprotectable(
    session: Session, recipe: Recipe, combination: int, progress: Progress = SILENT
) -> UnprotectableHouseholds | None:
    """Households that no suppression can make safe, and what is said of them; None where there are none."""
    from core.results.suppression_problem import unprotectable_households

    return unprotectable_households(session.derive(recipe, progress), combination)


def preserved(session: Session, recipe: Recipe, search: bool, progress: Progress = SILENT) -> FileUtility | None:
    """What the safe file of a recipe preserves; None where its plan is not known by now and nobody wants a `search`.

    Of a file in parts the recipe's own analyses are made, for which all parts are read, and nothing else.
    """
    protection = session.protect(recipe, progress) if search else session.planned(recipe, progress)
    return None if protection is None else session.utility(protection, progress=progress)


def alternative(session: Session, name: str, recipe: Recipe, progress: Progress = SILENT) -> Alternative:
    """The figures by which another way of protecting the same file is compared."""
    from core.whatif.alternatives import alternative

    derived = session.derive(recipe, progress)
    protection: Protection | PavoError
    try:
        protection = session.protect(recipe, progress)
    except PavoError as error:
        protection = error
    return alternative(name, derived, protection, progress)


def alternative_loss(
    session: Session, recipe: Recipe, among: tuple[Recipe, ...], progress: Progress = SILENT
) -> UtilityLoss:
    """What the safe file of `recipe` loses, by the analyses of the first of `among`, which it is compared with.

    Of a file in parts distributions and pairs are those of the variables that the cells of all of `among` are on, both
    counted by the original weights.
    """
    from core.recipe.analyses import variables_of_analyses
    from core.utility.own import compared
    from core.whatif.utility_loss import names_in_common, utility_loss

    protection = session.protect(recipe, progress)
    metadata, entries = protection.derived.metadata, among[0].utility
    names = names_in_common(among, metadata)
    if is_in_parts(recipe.input):
        from core.parts.input_parts import names_of_cells
        from core.parts.session import PartsSession

        assert isinstance(session, PartsSession)
        of_all = [names_of_cells(each, metadata) for each in (recipe, *among)]
        names = tuple(name for name in names if all(name in cells for cells in of_all))
        modified = {n: c for n, c in session.safe_file(protection, progress).modified.items() if n in names}
        file = session.compared_file(protection, names, progress, modified)
        return utility_loss(file, names, session.own_analyses(protection, entries, progress), progress)
    wanted = tuple(dict.fromkeys((*names, *variables_of_analyses(among[0]))))
    file = session.compared_file(protection, wanted, progress)
    return utility_loss(file, names, [compared(file, entry, progress) for entry in entries], progress)


def household_type(session: Session, recipe: Recipe, name: str, progress: Progress = SILENT) -> HouseholdTypePreview:
    """What the household type `name` of a recipe's ``[[derived]]`` would be."""
    from core.whatif.household_type_preview import household_type_preview

    return household_type_preview(session.prepare(recipe, progress), name, progress=progress)


def unwieldy(session: Session, recipe: Recipe, names: tuple[str, ...], progress: Progress = SILENT) -> list[Notice]:
    """What is to be said of these variables as keys, in their order."""
    from core.warnings.unwieldy_keys import unwieldy_keys

    return list(unwieldy_keys(session.prepare(recipe, progress), names, progress))


def with_years(session: Session, recipe: Recipe, variable: str, progress: Progress = SILENT) -> Recipe:
    """The recipe with a variable of dates recoded to years; `PavoError` where its dates have no year of four digits."""
    from core.recoding.dates import to_years

    recode = to_years(session.prepare(recipe, progress).microdata.columns[variable])
    return recipe.with_(recodes=(*(each for each in recipe.recodes if each.variable != variable), recode))


def tried_measure(
    session: Session,
    recipe: Recipe,
    wanted: Measure,
    protects: bool = False,
    patience: float = math.inf,
    progress: Progress = SILENT,
) -> TriedMeasure:
    """A measure on the file of `recipe`; `protects`: values to suppress are searched for, if none are known yet.

    One that is known to take longer than `patience`, in seconds, is refused with `TAKES_LONG`.
    """
    from core.whatif.laboratory import recipe_to_try, try_measure

    asked = recipe_to_try(recipe, session.metadata(recipe), wanted)
    derived, numbers = session.derive(asked, progress), None
    if is_in_parts(recipe.input):
        from core.parts.input_parts import refuse_what_needs_the_whole

        refuse_what_needs_the_whole(asked, derived.metadata)
        recipe, numbers = asked, session.record_numbers(derived, progress)
    find = session.protect if protects else session.planned
    return try_measure(derived, wanted, find(recipe, progress), progress, patience, numbers)


def advice(
    session: Session, recipe: Recipe, combination: int, threshold: float | None = None, by: By = "individual",
    progress: Progress = SILENT,
) -> Advice | None:  # fmt: skip
    """What makes the records of a combination unsafe, and what would help.

    Parameters
    ----------
    threshold : of the individual or, by `by`, of the household risk, in place of the recipe's
    """
    from core.warnings.unwieldy_keys import unwieldy_keys
    from core.whatif.advice import advise

    def found() -> Advice | None:
        derived = session.derive(recipe, progress)
        table = session.tabulation(derived, combination, progress)
        found = advise(derived, combination, table, _others(session, derived, progress), threshold, progress, by)
        names = recipe.combinations[combination].variables
        unwieldy = tuple(unwieldy_keys(derived, names, progress))
        return None if found is None else replace(found, unwieldy=unwieldy)

    return session.cache.made(("advice", recipe, combination, threshold, by), found)  # several pages ask for the same


def codes_of(session: Session, recipe: Recipe, name: str, progress: Progress = SILENT) -> EncodedColumn:
    """The variable `name` of the original file as codes, whatever else it is."""
    return session.codes(session.derive(recipe, progress), progress, (name,)).columns[name]


def _others(session: Session, derived: Results, progress: Progress) -> tuple[EncodedColumn, ...]:
    """Columns that may be groupings of a key; those of a larger file are not read for that."""
    if derived.microdata.source.size > _SMALL or is_in_parts(derived.recipe.input):
        return ()
    return tuple(session.prepare(derived.recipe, progress, "telling").microdata.columns.values())


def plan_hierarchies(
    session: Session, recipe: Recipe, combination: int | None, progress: Progress = SILENT
) -> tuple[Hierarchy, ...]:
    """The hierarchies of the keys of a combination, or of all, so few levels that all plans can be looked at."""
    from core.whatif.plans.hierarchies import hierarchies
    from core.whatif.plans.search import thinned

    derived = session.derive(recipe, progress)
    return thinned(hierarchies(derived, combination, _others(session, derived, progress), progress))


def found_plans(
    session: Session, recipe: Recipe, combination: int | None, hierarchies: tuple[Hierarchy, ...], seconds: float,
    most_suppressions: int | None, tell: Callable[[ParetoFront], None], enough: Enough, progress: Progress = SILENT,
) -> ParetoFront:  # fmt: skip
    """The plans for a combination or for all that none beats, `tell` called in the compute thread as they grow more."""
    from core.whatif.plans.plan_figures import PlanProblem
    from core.whatif.plans.search import find_plans

    problem = PlanProblem(session.derive(recipe, progress), combination, hierarchies, progress)
    figures = partial(alternative, session, "")
    return find_plans(problem, seconds, most_suppressions, progress, tell, enough, figures)


def plan_opinion(session: Session, recipe: Recipe, progress: Progress = SILENT) -> PlanEstimate | None:
    """The second opinion on the recipe of a plan, before suppression; None where there is none."""
    from core.whatif.plans.opinions import plan_opinion

    derived = session.derive(recipe, progress)
    return plan_opinion(derived, session.second_opinions(derived, progress))


def browsed(session: Session, recipe: Recipe, progress: Progress = SILENT) -> tuple[Browser, dict[str, dict[str, str]]]:
    """The records of the file to look at, of which parts are opened when they are looked at; and labels by variable."""
    from core.browse.parts import PartsBrowser
    from core.browse.records import open_labelled
    from core.recoding.labels import labels

    sources, metadata = session.sources(recipe, progress), session.metadata(recipe)
    if not is_in_parts(recipe.input):
        return open_labelled(sources[0].path, metadata, progress)
    browser = PartsBrowser(sources, metadata)
    browser.keep(0, browser.opened(0, progress))
    return browser, labels(metadata, {})


def set_preview(session: Session, recipe: Recipe, key: MultiResponseKey, progress: Progress = SILENT) -> SetPreview:
    """What a key made of several columns would hold; other keys and the combinations of `recipe` are of no matter."""
    from core.whatif.set_preview import set_preview

    alone = recipe.with_(derived=(key,), combinations=(), measures=())
    return set_preview(session.prepare(alone, progress), key.name)


def warnings(session: Session, recipe: Recipe, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """What can be warned of before a plan is made; the second opinion on large tables only once it was asked for."""
    from core.warnings.early import early_warnings

    derived = session.derive(recipe, progress)
    small = [table.index for table in derived.risk_tables if len(table.cells) <= _FEW_CELLS]
    opinions = {index: session.second_opinion(derived, index, progress) for index in small}
    return early_warnings(derived, opinions, progress)


PLANNING: frozenset[Callable[..., object]] = frozenset({protect, alternative, profile_checked, tried_measure})
"""Questions whose answer needs, or may need, the plan of the recipe that is among their arguments."""
