"""A session: everything that follows from a recipe, computed when asked for and kept as long as memory allows.

Below it are pure functions (`core.results`); here they are put in order and their results are kept by what they
depend on, so that undo and redo compute nothing twice. No Qt, no globals; one thread at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .base.clock import Clock
from .base.errors import DataError, Notice, PavoError, RecipeError
from .base.lazy_sequence import LazySequence
from .base.progress import SILENT, Progress
from .base.texts import mark
from .base.trim_heap import trim_heap
from .data.columns import EncodedColumn, Microdata, Source
from .data.variables import Metadata, Variable
from .effects.perturbation_preview import (
    PerturbationPreview,
    preview_perturbation,
    strongest_perturbation,
)
from .effects.strongest import STRENGTHS, Strongest, strength_of, with_strength
from .effects.utility import FileUtility, compared_file, file_utility, names_to_compare
from .formats.text.writing import check_unchanged
from .metadata.column_contents import ColumnContents, contents_of
from .metadata.survey import passes
from .perturbation.done import PerturbedColumns
from .perturbation.weight_noise import NumericWithNoise, alone_with
from .recipe.analyses import variables_of_analyses, variables_of_analysis
from .recipe.edits import effective_threshold
from .recipe.edits_perturbations import replace_perturbation, with_perturbation
from .recipe.in_parts import of_first
from .recipe.model import (
    POPULATION_ESTIMATORS,
    Analysis,
    Combination,
    Mode,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
)
from .recipe.validate import check, check_protectable
from .recoding.numerical import Comparison, compare
from .results.cache import Cache
from .results.cell_store import cells_of, fewer_recodes
from .results.checks import check_variables
from .results.column_store import ColumnStore
from .results.hidden_by_household import hidden_by_household
from .results.household_store import HouseholdStore
from .results.households import refuse_shared_by_single_persons, with_identifier
from .results.inference import certain_blanks, inferences
from .results.input_files import Checksums, InputFiles, small_files
from .results.known_keys import sets_known, told_with_keys
from .results.metadata import verified_metadata
from .results.needed_columns import Which, needed_columns
from .results.numeric import as_codes, change_numbers, modified_columns
from .results.perturbed_store import PerturbedStore
from .results.recode_store import RecodeStore
from .results.record_draws import ValueDraw, digests_of_records, draw_source
from .results.released_opinions import modelled_opinion, released_opinion, unsafe_by_exact
from .results.remaining_risks import released_risks_of, remaining_risks_of
from .results.result_keys import ResultKeys
from .results.results import PlanWithoutPrevention, Protection, RecodedData, RemainingRisks, Results, RiskTable
from .results.risk_tables import Risks, risk_table, risks_of
from .results.second_opinions import TableEstimate, opinion_of, population_model
from .results.set_keys import check_missing_codes_of_columns, with_columns
from .results.suppression_problem import (
    costs_of,
    homes_of,
    joint_settings,
    judged_table,
    models_of,
    rare_tables,
    rules_of,
    unsafe_by_any,
    with_effort,
)
from .risk.measures.evaluation import RecordNumbers
from .risk.population_model import PopulationModel
from .risk.released_opinion import ReleasedOpinion
from .risk.upper_bound import UpperRiskBound, promise_of
from .suppression.forecast import Forecast, Point, forecast
from .suppression.households.forecast import By, household_forecast
from .suppression.households.optimise import couples
from .suppression.joint.forecast import released_forecast
from .suppression.joint.optimise import JointSettings
from .suppression.joint.row_draws import RowDraws
from .suppression.models import Models, optimise_models
from .suppression.plan import Plan, ValueMasks
from .suppression.point_forecast import point_forecast
from .suppression.record_draws import START
from .suppression.search_budget import RestartWithBudget, SearchBudget, never, within
from .tables.cached_margins import CachedMargins
from .tables.cell_index import Tabulation
from .tables.margins import AT_ONCE, LIMIT, Overview, UnsafeSpec, unsafe_combinations
from .tables.tabulate import tabulate
from .utility.compared import ComparedFile
from .utility.own import Compared, compared
from .warnings.checklist import unjudged_columns
from .warnings.direct_identifiers import direct_identifiers
from .warnings.given_away import given_away, given_away_by_others, given_away_in_parts
from .warnings.hidden import hidden_households
from .warnings.missing_codes import written_as_one
from .warnings.perturbed import of_perturbed
from .warnings.perturbed_values import of_perturbed_values
from .warnings.recipe import left_by_choice, notices_of, unmeasured
from .warnings.safe_file_risk import below_exact_risk, other_estimates
from .warnings.second_opinion import second_opinion_notices
from .warnings.told_of_perturbed import told_of_perturbed
from .warnings.unassessed import unjudged_households, unjudged_keys

__all__ = ["Protection", "Results", "RiskTable", "Session"]

CACHE_BYTES = 1 << 30
LEAK_CHECK_BYTES = 1 << 28
"""In larger files variables that may give suppressed values away are not read with those that the recipe uses, but
later, some at a time."""


class Session:
    """Derives results from recipes.

    Parameters
    ----------
    cache_bytes : int
        Memory for results that are not in use at the moment.
    one_recipe : bool
        Whether it is for one recipe only: the columns are in use to the end, and stay whatever memory they take.
    cells : Microdata, optional
        The cells of a file in parts, in place of the records of the recipe's file.
    draws : RowDraws, optional
        Which records of these cells lose what, as far as it was drawn.

    Attributes
    ----------
    margins : HeldMargins
        Those of the tables, for whoever says that they are to be held.
    """

    def __init__(
        self, cache_bytes: int = CACHE_BYTES, one_recipe: bool = False, cells: Microdata | None = None,
        draws: RowDraws | None = None,
    ) -> None:  # fmt: skip
        self._cache, self._one_recipe, self._cells, self._draws = Cache(cache_bytes), one_recipe, cells, draws
        self.margins = CachedMargins()
        self._begin()

    def _begin(self) -> None:
        self._inputs = InputFiles()
        self._columns = self._column_store()
        self._perturbed = PerturbedStore(self._cache, self._columns, self._one_recipe)
        self._gathered = self._household_store()
        self._keys = self._result_keys()
        self._recodes = RecodeStore(self._cache, self._inputs, self._keys)

    def _result_keys(self) -> ResultKeys:
        return ResultKeys(self._inputs, self._columns, self._gathered)

    def _household_store(self) -> HouseholdStore:
        return HouseholdStore(self._cache, self._perturbed)

    def _column_store(self) -> ColumnStore:
        return ColumnStore(self._cache, self._inputs, self._one_recipe, self._cells)

    def check_unchanged(self, derived: RecodedData, progress: Progress = SILENT) -> None:
        """Before what follows from the inputs is released: raise `PavoError` if one of them is not what it was."""
        self._inputs.check_unchanged(*small_files(derived))
        self._inputs.check_others_unchanged(progress)
        if self._cells is None:
            check_unchanged(derived.microdata.source, progress)

    def checksums(self, files: Mapping[Path, Path], progress: Progress = SILENT) -> Checksums:
        """SHA-256 of files by name, as they were when they were first needed; of those that can be read."""
        found = ((name, self._inputs.checksum(path, progress)) for name, path in files.items())
        return tuple((name, sha256) for name, sha256 in found if sha256)

    def renew(self) -> None:
        """Forget every input where one of them has changed: the next results are those of the files as they are now."""
        if self._inputs.are_changed():
            self._cache.clear()
            self._begin()

    def metadata(self, recipe: Recipe) -> Metadata:
        """The description of the recipe's input, verified; reads no more of the data than a header.

        Raises
        ------
        PavoError
            A contradiction in the recipe or the metadata.
        """
        check(recipe)
        return self._metadata(recipe)[0]

    def derive(
        self, recipe: Recipe, progress: Progress = SILENT, columns: Which = "keys", clock: Clock | None = None
    ) -> Results:
        """Metadata, columns, recodes, tables, risks, thresholds and unsafe combinations of `recipe`.

        Parameters
        ----------
        columns : "keys" encodes what the recipe uses, "all" every categorical variable; see `needed_columns`
        clock : told how long reading, tabulating and computing risks took

        Raises
        ------
        PavoError
            What is wrong with the recipe, the metadata, the data or a recode.
        """
        phase = clock or Clock()
        prepared, said = self._prepared(recipe, columns, phase, progress)
        with phase("tables"):
            cells = self._cells_at_hand(prepared, progress)
            overview = self._overview(prepared, cells, AT_ONCE, progress)
        tables = tuple(self._risk_table(prepared, i, phase, progress) for i in range(len(recipe.combinations)))
        # Of thousands of tables reports and summaries alone want each one's own overview.
        each = recipe.combinations
        same = replace(overview, unsafe_records={}) if len(each) == 1 and overview.is_whole else None
        overviews = LazySequence(len(each), lambda i: same or self._own_overview(prepared, each[i], cells))
        return Results(**vars(prepared), tables=tables, overviews=overviews, overview=overview, notices=said)

    def overview(self, derived: Results, limit: float = LIMIT, progress: Progress = SILENT) -> Overview:
        """Unsafe combinations of all tables and margins, those included that take long; see `unsafe_combinations`.

        `derive` counts only what takes no time beside the risks.
        """
        if derived.overview.is_whole:
            return derived.overview
        return self._overview(derived, self._cells_at_hand(derived, progress), limit, progress)

    def known_overview(self, derived: Results) -> Overview:
        """What `overview` has counted most of by now."""
        keys = (self._overview_key(derived, limit) for limit in (math.inf, LIMIT))
        found = (self._cache.get(key) for key in keys)
        return next((overview for overview in found if overview is not None), derived.overview)

    def _prepared(
        self, recipe: Recipe, which: Which, phase: Clock, progress: Progress
    ) -> tuple[RecodedData, tuple[Notice, ...]]:
        check(recipe.with_(output=Output()))  # what can be measured need not be what can be written
        with phase("read"):
            metadata, said = self._metadata(recipe)
            check_variables(recipe, metadata)
            names = self._needed(recipe, metadata, which)
            microdata, households = self._gathered.microdata(recipe, metadata, names, progress)
            perturbed = self._perturbed.perturbed(recipe, metadata, progress)
        with phase("tables"):
            microdata, made = self._recodes.with_derived(recipe, microdata, households, progress)
            recodings = self._recodes.recodings(recipe, microdata)
            columns = {**microdata.columns, **{name: done.column for name, done in recodings.items()}}
            labels, said_of_labels = self._recodes.labels(metadata, recodings, microdata)
            own = {
                spec.name: made[spec.name].labels([columns[name] for name in spec.sources], labels)
                for spec in recipe.derived
                if spec.name in made
            }
            labels = {**labels, **self._recodes.labels_of_derived(made, recodings, own)}
        notices = dict.fromkeys((*said, *said_of_labels, *notices_of(recipe, microdata, recodings)))
        said_of_households = self._gathered.notices(recipe, microdata, households, progress)
        prepared = RecodedData(
            recipe, metadata, microdata, recodings, columns, labels, households,
            labels_of_derived=own, perturbed=perturbed,
        )  # fmt: skip
        prepared = replace(prepared, perturbed=self._told_with_keys(prepared, progress))
        return prepared, tuple(dict.fromkeys((*notices, *of_perturbed_values(prepared), *said_of_households)))

    def _told_with_keys(self, prepared: RecodedData, progress: Progress) -> PerturbedColumns | None:
        """What was perturbed, with what its released codes tell whoever knows the keys."""
        perturbed = prepared.perturbed
        if perturbed is None or all(done.links is None for done in perturbed.done):
            return perturbed
        known = sets_known(prepared)
        own = {name for each in perturbed.done for name in each.variables}
        recoded = tuple(sorted(own & set(prepared.recodings)))
        keys = (
            *(self._keys.columns(prepared, names) for names in (*known, recoded)),
            tuple(spec for spec in prepared.recipe.numeric if spec.variable in own),
        )
        done = tuple(
            each if each.links is None else replace(
                each,
                with_keys=self._cache.made(
                    ("told with keys", each.links, keys), partial(told_with_keys, each, prepared, known, progress)
                ),
            )
            for each in perturbed.done
        )  # fmt: skip
        return replace(perturbed, done=done)

    def sources(self, recipe: Recipe, progress: Progress = SILENT) -> tuple[Source, ...]:
        """The recipe's data as they were read: the file, or all parts of it."""
        return (self.derive(recipe, progress).microdata.source,)

    def record_numbers(self, derived: RecodedData, progress: Progress = SILENT) -> RecordNumbers | None:
        """Tells where records stand whose rows are those of a file in parts; None: a row is a record."""
        return None

    def _needed(self, recipe: Recipe, metadata: Metadata, which: Which) -> tuple[str, ...]:
        return needed_columns(recipe, metadata, which)

    def prepare(self, recipe: Recipe, progress: Progress = SILENT, columns: Which = "all") -> RecodedData:
        """The columns of `recipe` after recoding, by default of every categorical variable; no tables.

        Raises
        ------
        PavoError
            What is wrong with the recipe, the metadata, the data or a recode.
        """
        return self._prepared(recipe, columns, Clock(), progress)[0]

    def count_cells(self, recipe: Recipe, variables: tuple[str, ...], progress: Progress = SILENT) -> int:
        """How many distinct keys the file has on `variables` after recoding, a missing value being one value each."""
        prepared = self.prepare(recipe, progress)
        key = "number of cells", self._keys.columns(prepared, variables)
        columns = [prepared.columns[name] for name in variables]
        return self._cache.made(key, lambda: len(tabulate(columns, None, "category", progress=progress)))

    def compare_numbers(self, recipe: Recipe, spec: NumericEdit, progress: Progress = SILENT) -> Comparison:
        """The numerical variable of `spec` before and after its changes, whatever the recipe's own say.

        Raises
        ------
        DataError
            A value that is no number.
        """
        metadata = self.metadata(recipe)
        noisy = isinstance(spec, NumericWithNoise) and bool(spec.noise)
        names = with_identifier((spec.variable,), metadata) if noisy else (spec.variable,)
        microdata = self._perturbed.microdata(recipe, metadata, names, progress, codes=True)
        living = self._perturbed.households(recipe, metadata, microdata.columns, progress) if noisy else None
        before, alone = microdata.columns[spec.variable], alone_with(recipe, spec)
        of_record = None if living is None else living.household_of_record
        changed = change_numbers({spec.variable: before}, alone, metadata, progress, of_record)
        return compare(before, changed.columns[spec.variable], decimal=metadata.decimal)

    def preview_perturbation(
        self, recipe: Recipe, entry: Perturbation, place: int | None = None, everything: bool = False,
        by: str | None = None, progress: Progress = SILENT,
    ) -> PerturbationPreview:  # fmt: skip
        """What `entry` does to its variables, in place of the perturbation at `place` or, with None, after all others.

        Parameters
        ----------
        everything : whether all records are looked at; else, of a larger file, a sample
        by : a categorical variable by whose codes figures are taken, too; empty: of all records together; None: none

        Raises
        ------
        PavoError
            The recipe cannot have it, or the file does not bear it.
        """
        tried, before, metadata = self._tried(recipe, entry, place)
        found = preview_perturbation(self._perturbed, before, metadata, entry, everything, by, progress)
        changed = {each.name for each in found.variables}
        return replace(found, notices=tuple(each for each in of_perturbed(tried, metadata) if each.where in changed))

    def strongest_perturbation(
        self, recipe: Recipe, entry: Perturbation, place: int | None, by: str, goal: float,
        progress: Progress = SILENT,
    ) -> Strongest:  # fmt: skip
        """The strongest form of `entry` that keeps a goal; see `core.effects.perturbation_preview`.

        Parameters
        ----------
        place : as of `preview_perturbation`

        Raises
        ------
        PavoError
            The recipe cannot have it, the file does not bear it, or nothing of it can be stronger or weaker.
        """
        start = with_strength(entry, STRENGTHS[entry.method].steps[0]) if strength_of(entry) else entry
        _tried, before, metadata = self._tried(recipe, start, place)
        return strongest_perturbation(self._perturbed, before, metadata, entry, by, goal, progress)

    def _tried(self, recipe: Recipe, entry: Perturbation, place: int | None) -> tuple[Recipe, Recipe, Metadata]:
        """`recipe` with `entry`, refused if it cannot have it; with what comes before it alone; and the metadata."""
        if place is None:
            tried, earlier = with_perturbation(recipe, entry), recipe.perturbations
        else:
            tried, earlier = replace_perturbation(recipe, place, entry), recipe.perturbations[:place]
        check(tried.with_(output=Output()))
        metadata, _said = self._metadata(tried)
        check_variables(tried, metadata)
        return tried, recipe.with_(perturbations=earlier), metadata

    def contents(self, recipe: Recipe, progress: Progress = SILENT) -> dict[str, ColumnContents]:
        """What each column of the release checklist holds, by name; found in the data, a few columns at a time.

        Raises
        ------
        PavoError
            The data cannot be read, or have changed.
        """
        metadata, _said = self._metadata(recipe)
        names = unjudged_columns(recipe, metadata)
        described = as_codes(metadata, list(names))
        keys = {name: self._contents_key(recipe, described, name) for name in names}
        found: dict[str, ColumnContents] = {n: known for n in names if (known := self._cache.get(keys[n])) is not None}
        lacking = [name for name in names if name not in found]
        first = of_first(recipe.input).data
        if lacking and first is not None:
            records = self._columns.microdata(recipe.input, metadata, (), progress).records
            for part in passes(first, described, lacking, records):
                microdata = self._columns.microdata(recipe.input, described, part, progress, passing=True)
                for name in part:
                    contents = contents_of(microdata.columns[name], metadata[name], metadata.decimal, progress)
                    found[name] = self._cache.put(keys[name], contents, self._one_recipe)
        now = self._perturbed_contents(recipe, metadata, names, progress)
        return {name: found[name].perturbed(now[name]) if name in now else found[name] for name in names}

    def _perturbed_contents(
        self, recipe: Recipe, metadata: Metadata, names: Sequence[str], progress: Progress
    ) -> dict[str, ColumnContents]:
        """The same of the columns that are perturbed, as they are afterwards."""
        perturbed = self._perturbed.perturbed(recipe, metadata, progress)
        if perturbed is None:
            return {}
        found: dict[str, ColumnContents] = {}
        for name in (name for name in names if name in perturbed.columns):
            key = "contents perturbed", self._perturbed.key(recipe, metadata, name), _undecided(metadata[name])
            look = partial(contents_of, perturbed.columns[name], metadata[name], metadata.decimal, progress)
            found[name] = replace(self._cache.made(key, look), left=name in perturbed.left)
        return found

    def _contents_key(self, recipe: Recipe, described: Metadata, name: str) -> Hashable:
        """All on which it depends what a column holds; not what was decided about it."""
        return "contents", self._columns.key(recipe.input, described, name), _undecided(described[name])

    def tabulation(self, derived: RecodedData, index: int, progress: Progress = SILENT) -> Tabulation:
        """The distinct keys of combination `index` after recoding, whatever its model, and that of each record."""
        combination = derived.recipe.combinations[index]
        key = self._keys.cells(derived, combination)
        recoded = [name for name in combination.variables if name in derived.recodings]
        before = ((names, self._keys.cells(derived, combination, names)) for names in fewer_recodes(recoded))
        return self._cache.made(key, lambda: cells_of(self._cache, derived, combination, before, progress))

    def forecast(
        self,
        recipe: Recipe,
        combination: int,
        mode: Mode = "original-counts",
        by: By = "individual",
        progress: Progress = SILENT,
    ) -> Forecast:
        """Suppressions, loss and risk of the risk table `combination` for every threshold at once.

        Parameters
        ----------
        by : whether over thresholds of the individual or of the household risk; the other one stays as it is

        Raises
        ------
        RecipeError
            The combination has no risk, its missing rule is for measuring only, or the mode has no forecast.
        """
        if mode == "released-keys" and by == "household":
            raise _without_forecast(mode)
        derived = self.derive(recipe, progress)
        table = derived.tables[combination]
        if table is None:
            raise _without_risk(combination)
        costs, rules = costs_of(derived), rules_of(derived)
        key = ("forecast", self._keys.table(derived, table), self._keys.suppression(derived), costs.criterion)
        judged, homes = judged_table(table), homes_of(derived)
        if mode == "released-keys":
            least = recipe.suppression.least_records
            given = judged, derived.columns, costs, rules, least, homes, progress
            at = mode, least, judged.threshold, judged.household_threshold, self._keys.homes(derived, rules)
            return self._cache.made((key, at), lambda: released_forecast(*given))
        if homes is None or (by == "individual" and not couples((judged,), rules, homes)):
            return self._cache.made(key, lambda: forecast(judged, derived.columns, costs, rules, progress))
        other = judged.threshold if by == "household" else judged.household_threshold
        return self._cache.made(
            (key, by, other, self._keys.homes(derived, rules)),
            lambda: household_forecast(judged, derived.columns, costs, rules, homes, by, progress),
        )

    def forecast_at(
        self,
        recipe: Recipe,
        combination: int,
        threshold: float | None,
        mode: Mode,
        by: By = "individual",
        progress: Progress = SILENT,
    ) -> Point:
        """Suppressions and loss of the risk table `combination` at one threshold, where no staircase is exact.

        Parameters
        ----------
        threshold : of the individual or, by `by`, of the household risk; the other one stays as it is
        mode : ``released-keys``, or ``original-counts`` where the recipe closes gaps

        Raises
        ------
        RecipeError
            The combination has no risk.
        """
        derived = self.derive(recipe, progress)
        table = derived.tables[combination]
        if table is None:
            raise _without_risk(combination)
        costs, rules, homes = costs_of(derived), rules_of(derived), homes_of(derived)
        asked, judged = recipe.suppression, judged_table(table)
        judged = (
            replace(judged, household_threshold=threshold)
            if by == "household"
            else replace(judged, threshold=threshold)
        )
        limits = judged.threshold, judged.household_threshold
        settings = JointSettings(
            asked.effort, asked.seed, False, asked.least_records, by_released_keys=mode == "released-keys"
        )
        if derived.times.are_one:  # rows of parts are drawn in a pass of their own
            draw = ValueDraw(draw_source(recipe, derived.metadata), partial(self._digests, derived))
            settings = replace(settings, draw=draw)
        gapless = asked.close_gaps and mode == "original-counts"
        key = (
            "forecast at", self._keys.table(derived, table), self._keys.suppression(derived), costs.criterion, by,
            limits, settings, gapless, self._keys.homes(derived, rules),
        )  # fmt: skip
        given = judged, threshold, derived.columns, costs, rules, settings, homes, gapless, progress
        return self._cache.made(key, lambda: point_forecast(*given))

    def plan_of_rare(self, recipe: Recipe, progress: Progress = SILENT) -> Plan:
        """The suppressions that the tables of the threshold rule ask for, whatever other tables do."""
        derived = self.derive(recipe, progress)
        costs, rules, homes = costs_of(derived), rules_of(derived), homes_of(derived)
        rare = rare_tables(derived)
        models = Models(rare=rare, order=tuple(dict.fromkeys(name for spec in rare for name in spec.variables)))
        homes_key, asked = self._keys.homes(derived, rules), self._keys.suppression(derived)
        columns = tuple(self._keys.columns(derived, spec.variables) for spec in rare)
        key = "plan of rare", columns, rare, homes_key, asked
        return self._cache.made(
            (key, costs.criterion), lambda: optimise_models(models, derived.columns, costs, rules, progress, homes)
        )

    def plan_without_gaps(self, recipe: Recipe, progress: Progress = SILENT) -> Plan:
        """The suppressions by the original file after which no suppressed value is certain by elimination.

        Whatever mode `recipe` has: the cheaper protection, to be set against released keys.

        Raises
        ------
        ProtectionError
            The thresholds cannot be met.
        """
        asked = replace(recipe.suppression, mode="original-counts", close_gaps=True, least_records=1, thorough=False)
        return self.plan(self.derive(recipe.with_(suppression=asked), progress), progress)

    def second_opinion(self, derived: Results, index: int, progress: Progress = SILENT) -> TableEstimate:
        """What the population model says of combination `index`; nothing of one without an individual risk."""
        table = derived.tables[index]
        if table is None:
            return TableEstimate()

        def make() -> TableEstimate:
            both = Tabulation(table.cells, table.cell_index)
            model = self._population_model(derived, table.combination, both, progress)
            return opinion_of(table, model, progress, chart=not self._one_recipe)

        return self._cache.made(("second opinion", self._keys.table(derived, table)), make)

    def _population_model(
        self, derived: RecodedData, combination: Combination, table: Tabulation, progress: Progress
    ) -> PopulationModel | DataError:
        """The population model of a table; the error that says why there is none."""

        def make() -> PopulationModel | DataError:
            try:
                return population_model(table, derived.microdata.weights, progress)
            except DataError as error:
                return error

        asked_again = combination.estimator in POPULATION_ESTIMATORS or derived.recipe.output.data is not None
        if self._one_recipe and not asked_again:
            return make()  # of one recipe without a safe file it is asked once, by the second opinion
        return self._cache.made(("population model", self._keys.cells(derived, combination)), make)

    def second_opinions(self, derived: Results, progress: Progress = SILENT) -> dict[int, TableEstimate]:
        """Those of all risk tables, by their place in the recipe."""
        return {table.index: self.second_opinion(derived, table.index, progress) for table in derived.risk_tables}

    def hidden(self, derived: Results, plan: Plan | None = None, progress: Progress = SILENT) -> Mapping[int, int]:
        """Records that only members of their own household make safe, by place of the combination.

        Parameters
        ----------
        plan : of the safe file; None: before suppression
        """
        homes = self._gathered.key(derived.recipe, derived.metadata)
        cells = tuple(self._keys.cells(derived, combination) for combination in derived.recipe.combinations)
        thresholds = tuple(
            (table.threshold, table.household_threshold, table.asked.exceedance) for table in derived.risk_tables
        )
        judged = derived.recipe.combinations, thresholds, _by_keys(derived)
        key = "hidden", plan, cells, homes, judged
        suppressed = ValueMasks.of_flags({}) if plan is None else plan.suppressed
        return self._cache.made(key, lambda: hidden_by_household(derived, suppressed, progress))

    def released_opinions(
        self, derived: Results, plan: Plan, progress: Progress = SILENT
    ) -> dict[int, ReleasedOpinion]:
        """The other estimate of the risk of the safe file, by place of the combination; where there is one."""
        found = {table.index: self._released_opinion(derived, plan, table, progress) for table in derived.risk_tables}
        found |= {
            index: self._modelled_opinion(derived, plan, index, progress)
            for index, combination in enumerate(derived.recipe.combinations)
            if combination.model == "k-anonymity" and derived.microdata.weights is not None
        }
        return {index: opinion for index, opinion in found.items() if opinion is not None}

    def _modelled_opinion(self, derived: Results, plan: Plan, index: int, progress: Progress) -> ReleasedOpinion | None:
        """What the population model expects of the safe file, by a table that is judged by k-anonymity."""
        combination = derived.recipe.combinations[index]

        def make() -> ReleasedOpinion | None:
            table = self.tabulation(derived, index, progress)
            model = self._population_model(derived, combination, table, progress)
            if isinstance(model, DataError):
                return None
            return modelled_opinion(table, model, plan.suppressed, derived.times.records, progress)

        return self._cache.made(("modelled opinion", plan, self._keys.cells(derived, combination)), make)

    def _released_opinion(
        self, derived: Results, plan: Plan, table: RiskTable, progress: Progress
    ) -> ReleasedOpinion | None:
        before = self.second_opinion(derived, table.index, progress)
        both = Tabulation(table.cells, table.cell_index)

        def make() -> ReleasedOpinion | None:
            model = None
            if before.opinion is not None:
                model = self._population_model(derived, table.combination, both, progress)
            records = derived.times.records
            judge = None if isinstance(model, DataError) else model
            return released_opinion(table, before, judge, plan.suppressed, _by_keys(derived), records, progress)

        key = "released opinion", plan, self._keys.table(derived, table), table.threshold, _by_keys(derived)
        return self._cache.made(key, make)

    def _below_exact(self, derived: Results, plan: Plan, progress: Progress) -> dict[int, int]:
        """Of tables judged by an estimator below the individual risk the records that this one finds unsafe."""
        records = derived.times.records
        return {
            table.index: unsafe_by_exact(table, plan.suppressed, _by_keys(derived), records, progress)
            for table in derived.risk_tables
            if table.combination.estimator in ("truncated", "plug-in") and table.threshold is not None
        }

    def protect(
        self, recipe: Recipe, progress: Progress = SILENT, clock: Clock | None = None, stop: Callable[[], bool] = never
    ) -> Protection:
        """The plan of suppressions that the recipe asks for; nothing is written.

        Parameters
        ----------
        stop : asked while searches go on; True from then on: end them, and keep the best. The same is done after the
            recipe's time limit. The plan's own recipe says what effort was reached, and no time limit: it gives the
            same plan again.

        Raises
        ------
        RecipeError
            A risk table has no threshold.
        ProtectionError
            The thresholds cannot be met.
        """
        check(recipe)
        check_protectable(recipe)
        stop = within(recipe.suppression.time_limit, stop)
        recipe = recipe.with_(suppression=replace(recipe.suppression, time_limit=None))
        derived = self.derive(recipe, progress, self._which(recipe), clock)
        refuse_shared_by_single_persons(recipe, derived.metadata, derived.households)
        with (clock or Clock())("suppress"):
            derived, plan = self._plan_within(derived, stop, progress)
            recipe = derived.recipe
            eliminated = inferences(derived, plan, progress, recipe.suppression.close_gaps)
            with_gaps = self._with_gaps(derived, progress)
            if self._cells is not None:
                trim_heap()  # cells of a file in parts may be very many
            notices = (*unmeasured(recipe), *plan.notices, *certain_blanks(derived, eliminated))
            notices += tuple(written_as_one(derived))
            if self._cells is None:
                notices += given_away(derived, plan, progress)
                notices += self._given_away_by_others(derived, plan, progress)
                notices += self._told_of_perturbed(derived, progress)
            else:
                notices += tuple(given_away_in_parts(recipe, plan))
            remaining = partial(self._remaining, derived, plan)
            notices += (*unjudged_households(derived, remaining, progress), *unjudged_keys(derived))
            notices += tuple(second_opinion_notices(derived, self.second_opinions(derived, progress)))
            hidden = self.hidden(derived, plan, progress)
            others = self.released_opinions(derived, plan, progress)
            below = self._below_exact(derived, plan, progress)
            notices += tuple(hidden_households(recipe, hidden))
            notices += (*other_estimates(derived, others), *below_exact_risk(recipe, below))
            notices += direct_identifiers(derived, progress)
        left = unsafe_by_any(derived, progress) if recipe.suppression.criterion == "none" else plan.unsafe_left
        notices = left_by_choice(recipe, left, derived.unjudged) + notices
        by_mode = None if recipe.suppression.mode == "original-counts" else partial(self._released, derived, plan)
        return Protection(
            derived, plan, left, remaining, notices, eliminated, by_mode, with_gaps, hidden, others, below
        )

    def _with_gaps(self, derived: Results, progress: Progress) -> PlanWithoutPrevention | None:
        """What would be suppressed if values could be told by the rules; None where that is so, or nobody is judged."""
        asked = derived.recipe.suppression
        if not asked.close_gaps or not self._gapless(derived):
            return None
        plain = replace(derived, recipe=derived.recipe.with_(suppression=replace(asked, close_gaps=False)))
        plan = self.plan(plain, progress)
        return PlanWithoutPrevention(plan, inferences(plain, plan, progress, at_most=True))

    @staticmethod
    def _gapless(derived: Results) -> bool:
        """Whether gaps are to be closed, and there is a table in which there can be some."""
        models = models_of(derived)
        return derived.recipe.suppression.close_gaps and bool(models.risk or models.rare)

    def _released(self, derived: Results, plan: Plan, table: RiskTable, progress: Progress) -> RemainingRisks:
        """The records' risks after the plan, judged by their released keys."""
        homes = self._gathered.key(derived.recipe, derived.metadata)
        limit = table.household.threshold if table.household else None
        key = "released", plan, self._keys.table(derived, table), table.threshold, limit, homes
        records = derived.times.records
        return self._cache.made(key, lambda: released_risks_of(table, plan, derived.households, progress, records))

    def _remaining(self, derived: Results, plan: Plan, table: RiskTable, progress: Progress) -> RemainingRisks:
        """The records' risks after the plan; warnings, figures, risk columns and report want the same ones."""
        homes = self._gathered.key(derived.recipe, derived.metadata)
        key = "remaining", plan, self._keys.table(derived, table), homes
        records = derived.times.records
        found = self._cache.made(key, lambda: remaining_risks_of(table, plan, derived.households, progress))
        return found if records is None else replace(found, records=records)

    def _given_away_by_others(self, derived: Results, plan: Plan, progress: Progress) -> tuple[Notice, ...]:
        recipe, metadata = derived.recipe, derived.metadata
        key = (
            "given away",
            plan,  # the same one as long as nothing that it depends on has changed
            metadata,
            self._keys.columns(derived, tuple(derived.columns)),
            tuple(combination.variables for combination in recipe.combinations),
            (recipe.numeric, recipe.perturbations, replace(recipe.output, report=None, summary=None, records=None)),
            self._gathered.key(recipe, metadata),
        )
        read = partial(self.codes, derived, progress)
        return self._cache.made(key, lambda: tuple(given_away_by_others(derived, plan, read, progress)))

    def _told_of_perturbed(self, derived: Results, progress: Progress) -> tuple[Notice, ...]:
        if derived.perturbed is None:
            return ()
        recipe, metadata = derived.recipe, derived.metadata
        key = (
            "told of perturbed",
            metadata,
            self._keys.columns(derived, tuple(derived.columns)),
            (recipe.perturbations, recipe.output.household_id),
            self._gathered.key(recipe, metadata),
        )
        read = partial(self.codes, derived, progress)
        return self._cache.made(key, lambda: tuple(told_of_perturbed(derived, read, progress)))

    def codes(self, derived: RecodedData, progress: Progress, names: Sequence[str]) -> Microdata:
        """The columns `names` as codes, whatever they are, perturbed, for once."""
        return self._perturbed.microdata(derived.recipe, derived.metadata, names, progress, passing=True, codes=True)

    def _which(self, recipe: Recipe) -> Which:
        """Other variables are searched for what they give away; if the file is large, they are read by themselves."""
        data = recipe.input.data
        return (
            "keys"
            if self._cells is not None or data is None or self._inputs.data(data).size > LEAK_CHECK_BYTES
            else "telling"
        )

    def compared_file(
        self,
        protection: Protection,
        names: Sequence[str],
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> ComparedFile:
        """The variables `names` of the original, recoded alike, beside those that `protection` releases.

        Parameters
        ----------
        modified : the changed numbers of `protection`, where they are at hand

        Raises
        ------
        PavoError
            The data cannot be read, or have changed.
        """
        derived = protection.derived
        recipe, metadata = derived.recipe, derived.metadata

        def read(lacking: Sequence[str], told: Progress) -> Mapping[str, EncodedColumn]:
            described = as_codes(metadata, list(lacking))
            return self._columns.microdata(recipe.input, described, lacking, told).columns if lacking else {}

        def make() -> ComparedFile:
            changed = modified
            if changed is None:
                changed = modified_columns(derived, protection.plan.suppressed, progress).columns
            return compared_file(protection, names, changed, read, progress)

        decided = recipe.numeric, recipe.perturbations, recipe.suppression, recipe.combinations, recipe.output
        columns = self._keys.columns(derived, tuple(derived.columns))
        key = "compared", protection.plan, metadata, columns, decided, tuple(names)
        return self._cache.made(key, make)

    def utility(
        self,
        protection: Protection,
        names: Sequence[str] | None = None,
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> FileUtility:
        """What is preserved of the variables `names` and of the recipe's own tables, means and models.

        Parameters
        ----------
        names : None: as `core.effects.utility.names_to_compare` chooses them
        modified : as of `compared_file`
        """
        recipe = protection.derived.recipe
        chosen = names_to_compare(protection) if names is None else tuple(names)
        wanted = tuple(dict.fromkeys((*chosen, *variables_of_analyses(recipe))))
        file = self.compared_file(protection, wanted, progress, modified)
        return file_utility(file, chosen, recipe.utility, protection.plan.total, progress)

    def own_analyses(
        self,
        protection: Protection,
        entries: Sequence[Analysis],
        progress: Progress = SILENT,
        modified: Mapping[str, EncodedColumn] | None = None,
    ) -> tuple[Compared, ...]:
        """The tables, means and models `entries` of the original and of the safe file of `protection`.

        Parameters
        ----------
        modified : as of `compared_file`
        """
        wanted = tuple(dict.fromkeys(name for entry in entries for _key, name in variables_of_analysis(entry)))
        file = self.compared_file(protection, wanted, progress, modified)
        return tuple(compared(file, entry, progress) for entry in entries)

    def planned(self, recipe: Recipe, progress: Progress = SILENT) -> Protection | None:
        """What `protect` gives, where its plan is known by now; None where it would have to be searched for."""
        try:
            check(recipe)
            check_protectable(recipe)
            known = self._cache.get(self._plan_key(self.derive(recipe, progress, self._which(recipe))))
        except PavoError:
            return None
        return None if known is None else self.protect(recipe, progress)

    def plan(self, derived: Results, progress: Progress = SILENT) -> Plan:
        """The plan that the recipe asks for."""
        return self._plan_within(derived, never, progress)[1]

    def _plan_within(
        self, derived: Results, stop: Callable[[], bool], progress: Progress
    ) -> tuple[Results, Plan]:  # fmt: skip
        """The plan, and the results whose recipe asks for it: with less effort where the search was stopped."""
        kept: Plan | None = self._cache.get(self._plan_key(derived))
        if kept is not None:
            return derived, kept
        asked = derived.recipe.suppression
        reach = SearchBudget(asked.effort, asked.thorough, stop)
        while True:
            try:
                plan = self._searched(derived, reach, progress)
                break
            except RestartWithBudget as again:
                derived = with_effort(derived, again.effort)
                reach = SearchBudget(again.effort)
        if reach.ended:
            derived = with_effort(derived, reach.effort)
        return derived, self._cache.put(self._plan_key(derived), plan)

    def _plan_key(self, derived: Results) -> Hashable:
        models, rules = models_of(derived), rules_of(derived)
        return (
            "plan",
            tuple(map(partial(self._keys.table, derived), derived.risk_tables)) if models.risk else (),
            tuple((table.threshold, table.household_threshold) for table in models.risk),
            self._keys.homes(derived, rules),
            (models.rare, models.anonymous, models.order),
            self._keys.suppression(derived),
            costs_of(derived).criterion,
            joint_settings(derived, self._no_digests),
            self._gapless(derived),
        )

    def _searched(self, derived: Results, reach: SearchBudget, progress: Progress) -> Plan:
        models = models_of(derived)
        joint = joint_settings(derived, partial(self._digests, derived))
        if joint is not None:
            joint = replace(joint, rows=self._draws)
        if models.order:
            check_missing_codes_of_columns(derived)
        plan = optimise_models(
            models, derived.columns, costs_of(derived), rules_of(derived), progress, homes_of(derived),
            joint, self._gapless(derived), reach,
        )  # fmt: skip
        return with_columns(derived, plan)

    def _digests(self, derived: RecodedData, names: tuple[str, ...], progress: Progress) -> NDArray[np.uint64]:
        """(n,) a digest of the values that each record of the original file has of the variables `names`."""
        source, metadata = derived.recipe.input, as_codes(derived.metadata, list(names))
        key = "record digests", metadata.decimal, tuple(self._columns.key(source, metadata, name) for name in names)

        def make() -> NDArray[np.uint64]:
            data, found = of_first(source).data, None
            assert data is not None, "it was read before"
            for part in passes(data, metadata, names, derived.records):
                columns = self._columns.microdata(source, metadata, part, progress, passing=True).columns
                found = digests_of_records(columns, part, metadata.decimal, found)
            return np.full(derived.records, START) if found is None else found

        return self._cache.made(key, make)

    @staticmethod
    def _no_digests(_names: tuple[str, ...], _progress: Progress) -> NDArray[np.uint64]:
        """In keys of results no draw is made."""
        raise NotImplementedError

    def _metadata(self, recipe: Recipe) -> tuple[Metadata, tuple[Notice, ...]]:
        source = recipe.input
        key = (
            "metadata",
            source,
            recipe.variables,
            self._inputs.small(source.metadata),
            None if source.data is None else self._inputs.data(source.data),
        )

        def make() -> tuple[Metadata, tuple[Notice, ...]]:
            self._inputs.check_unchanged(source.metadata)
            return verified_metadata(source, recipe.variables)

        return self._cache.made(key, make)

    def _cells_at_hand(self, derived: RecodedData, progress: Progress) -> dict[frozenset[str], Tabulation]:
        """The cells that risks are made from anyway, by their variables."""
        combinations = derived.recipe.combinations
        judged = (index for index, c in enumerate(combinations) if c.model == "individual-risk")
        return {frozenset(combinations[index].variables): self.tabulation(derived, index, progress) for index in judged}

    def _overview(
        self,
        derived: RecodedData,
        cells: Mapping[frozenset[str], Tabulation],
        limit: float,
        progress: Progress,
    ) -> Overview:
        specs = tuple(map(_unsafe_spec, derived.recipe.combinations))
        found = partial(unsafe_combinations, specs, derived.columns, progress, cells, self.margins.cube, limit)
        return self._cache.made(self._overview_key(derived, limit), found)

    def _overview_key(self, derived: RecodedData, limit: float) -> Hashable:
        specs = tuple(map(_unsafe_spec, derived.recipe.combinations))
        return "overview", specs, tuple(self._keys.columns(derived, spec.variables) for spec in specs), limit

    def _own_overview(
        self, derived: RecodedData, combination: Combination, cells: Mapping[frozenset[str], Tabulation]
    ) -> Overview:
        """The overview of one combination, without the records: of very many combinations they would fill memory."""
        spec, key = _unsafe_spec(combination), self._keys.columns(derived, combination.variables)
        found = partial(unsafe_combinations, (spec,), derived.columns, SILENT, cells, limit=LIMIT)
        return self._cache.made(("own overview", spec, key), lambda: replace(found(), unsafe_records={}))

    def _risk_table(self, derived: RecodedData, index: int, phase: Clock, progress: Progress) -> RiskTable | None:
        combination = derived.recipe.combinations[index]
        if combination.model != "individual-risk":
            return None
        with phase("tables"):
            table = self.tabulation(derived, index, progress)
        with phase("risk"):
            key = "risk", self._keys.cells(derived, combination), combination.estimator
            risks: Risks = self._cache.made(key, lambda: self._risks(derived, combination, table, progress))
            both = key, self._gathered.key(derived.recipe, derived.metadata)
            household = self._gathered.risks(both, table.cell_index, risks, derived.households, progress)
            asked = effective_threshold(derived.recipe, combination)
            promise = None
            if asked.exceedance is not None:
                promise = self._cache.made(
                    ("promise", key, asked.exceedance), partial(self._promise, table, risks, asked.exceedance, progress)
                )
            found = risk_table(index, combination, table, risks, asked, household, promise)
            return replace(found, held=self.margins)

    def _risks(self, derived: RecodedData, combination: Combination, table: Tabulation, progress: Progress) -> Risks:
        if combination.estimator not in POPULATION_ESTIMATORS:
            return risks_of(table.cells, combination, progress)
        model = self._population_model(derived, combination, table, progress)
        if isinstance(model, DataError):
            raise model
        return risks_of(table.cells, combination, progress, model)

    def _promise(self, table: Tabulation, risks: Risks, exceedance: float, progress: Progress) -> UpperRiskBound:
        """What judges the records of a table where the recipe says an exceedance, which the reader checked."""
        assert risks.population is not None
        return promise_of(table.cells, risks.population.model, exceedance, risks.staircase, progress)


def _by_keys(derived: Results) -> bool:
    """Whether records are judged by their released keys."""
    asked = derived.recipe.suppression
    return asked.mode == "released-keys" and asked.criterion != "none"


def _without_forecast(mode: Mode) -> RecipeError:
    return RecipeError(
        "no-forecast",
        mark("There is no forecast for the mode {mode}."),
        mark("The plan itself says what it costs."),
        mode=mode,
    )


def _without_risk(combination: int) -> RecipeError:
    return RecipeError(
        "no-risk-table",
        mark("combinations[{number}] has no individual risk, so there is nothing to forecast."),
        mark('Give it model = "individual-risk".'),
        number=combination + 1,
    )


def _unsafe_spec(combination: Combination) -> UnsafeSpec:
    return UnsafeSpec(combination.variables, combination.count_threshold, combination.model == "frequency")


def _undecided(variable: Variable) -> Variable:
    """A variable without what was decided on it."""
    return replace(variable, removed=False, decision=None, decided_by="", reason="")
