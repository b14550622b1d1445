"""A session: everything that follows from a recipe, computed when asked for and kept as long as memory allows.

Below it are pure functions (`core.results`); here they are put in order and their results are kept by what they
depend on, so that undo and redo compute nothing twice. No Qt, no globals; one thread at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from .base.clock import Clock
from .base.errors import Notice, PavoError
from .base.lazy_sequence import LazySequence
from .base.progress import SILENT, Progress
from .base.trim_heap import trim_heap
from .data.columns import EncodedColumn, Microdata, Source
from .data.variables import Metadata
from .formats.text.writing import check_unchanged
from .metadata.column_contents import ColumnContents
from .perturbation.weight_noise import NumericWithNoise, alone_with
from .pipeline.comparison import compared_of
from .pipeline.contents import contents_of_columns
from .pipeline.households import notices_of_households, with_households
from .pipeline.metadata import METADATA, UNDESCRIBED
from .pipeline.opinions import HIDDEN, below_exact, released_opinions, second_opinion, thresholds_of
from .pipeline.perturbed import PerturbedFile
from .pipeline.plan import PLAN_OF_RARE, forecast_at, forecast_of, is_gapless, plan_of, plan_within, without_forecast
from .pipeline.recodes import recoded
from .pipeline.remaining import released, remaining
from .pipeline.risks import risk_table_of
from .pipeline.stage import Facts, Pipeline
from .pipeline.tables import NUMBER_OF_CELLS, cells, cells_at_hand, overview_of, own_overview_of
from .pipeline.warnings import GIVEN_AWAY, TOLD_OF_PERTURBED
from .recipe.analyses import variables_of_analyses, variables_of_analysis
from .recipe.edits_perturbations import replace_perturbation, with_perturbation
from .recipe.model import Analysis, Mode, NumericEdit, Output, Perturbation, Recipe
from .recipe.validate import check, check_protectable
from .recoding.numerical import Comparison, compare
from .results.checks import check_variables
from .results.households import refuse_shared_by_single_persons, with_identifier
from .results.inference import certain_blanks, inferences
from .results.input_files import Checksums, small_files
from .results.needed_columns import Which, needed_columns
from .results.numeric import change_numbers
from .results.results import PlanWithoutPrevention, Protection, RecodedData, Results, RiskTable
from .results.second_opinions import TableEstimate
from .results.suppression_problem import unsafe_by_any
from .risk.measures.evaluation import RecordNumbers
from .risk.released_opinion import ReleasedOpinion
from .suppression.forecast import Forecast, Point
from .suppression.households.forecast import By
from .suppression.plan import Plan
from .suppression.search_budget import never, within
from .tables.cell_index import Tabulation
from .tables.margins import AT_ONCE, LIMIT, Overview
from .utility.compared import ComparedFile
from .utility.own import Compared, compared
from .warnings.checklist import unjudged_columns
from .warnings.direct_identifiers import direct_identifiers
from .warnings.given_away import given_away, given_away_in_parts
from .warnings.hidden import hidden_households
from .warnings.missing_codes import written_as_one
from .warnings.perturbed import of_perturbed
from .warnings.perturbed_values import of_perturbed_values
from .warnings.recipe import left_by_choice, notices_of, unmeasured
from .warnings.safe_file_risk import below_exact_risk, other_estimates
from .warnings.second_opinion import second_opinion_notices
from .warnings.unassessed import unjudged_households, unjudged_keys
from .whatif.perturbation_preview import (
    PerturbationPreview,
    preview_perturbation,
    strongest_perturbation,
)
from .whatif.strongest import STRENGTHS, Strongest, strength_of, with_strength
from .whatif.utility import FileUtility, file_utility, names_to_compare

__all__ = ["Protection", "Results", "RiskTable", "Session"]

LEAK_CHECK_BYTES = 1 << 28
"""In larger files variables that may give suppressed values away are not read with those that the recipe uses, but
later, some at a time."""


class Session(Pipeline):
    """Derives results from recipes; see `Pipeline` for the parameters.

    Attributes
    ----------
    perturbed : the columns after the perturbations
    """

    def _begin(self) -> None:
        super()._begin()
        self.perturbed = PerturbedFile(self)

    def check_unchanged(self, derived: RecodedData, progress: Progress = SILENT) -> None:
        """Before what follows from the inputs is released: raise `PavoError` if one of them is not what it was."""
        self.inputs.check_unchanged(*small_files(derived))
        self.inputs.check_others_unchanged(progress)
        for source in derived.microdata.sources:
            check_unchanged(source, progress)

    def checksums(self, files: Mapping[Path, Path], progress: Progress = SILENT) -> Checksums:
        """SHA-256 of files by name, as they were when they were first needed; of those that can be read."""
        found = ((name, self.inputs.checksum(path, progress)) for name, path in files.items())
        return tuple((name, sha256) for name, sha256 in found if sha256)

    def renew(self) -> None:
        """Forget every input where one of them has changed: the next results are those of the files as they are now."""
        if self.inputs.are_changed():
            self.cache.clear()
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
        each = recipe.combinations
        with phase("tables"):
            at_hand = cells_at_hand(self, prepared, progress)
            overview = self.get(overview_of(prepared, AT_ONCE), prepared, progress, at_hand)
        tables = tuple(self._risk_table(prepared, i, phase, progress) for i in range(len(each)))
        # Of thousands of tables reports and summaries alone want each one's own overview.
        same = replace(overview, unsafe_records={}) if len(each) == 1 and overview.is_whole else None
        overviews = LazySequence(
            len(each), lambda i: same or self.get(own_overview_of(prepared, i), prepared, SILENT, at_hand)
        )
        return Results(**vars(prepared), tables=tables, overviews=overviews, overview=overview, notices=said)

    def overview(self, derived: Results, limit: float = LIMIT, progress: Progress = SILENT) -> Overview:
        """Unsafe combinations of all tables and margins, those included that take long; see `unsafe_combinations`.

        `derive` counts only what takes no time beside the risks.
        """
        if derived.overview.is_whole:
            return derived.overview
        at_hand = cells_at_hand(self, derived, progress)
        return self.get(overview_of(derived, limit), derived, progress, at_hand)

    def known_overview(self, derived: Results) -> Overview:
        """What `overview` has counted most of by now."""
        found = (self.known(overview_of(derived, limit), derived) for limit in (math.inf, LIMIT))
        return next((overview for overview in found if overview is not None), derived.overview)

    def _prepared(
        self, recipe: Recipe, which: Which, phase: Clock, progress: Progress
    ) -> tuple[RecodedData, tuple[Notice, ...]]:
        check(recipe.with_(output=Output()))  # what can be measured need not be what can be written
        with phase("read"):
            metadata, said = self._metadata(recipe)
            check_variables(recipe, metadata)
            names, facts = self._needed(recipe, metadata, which), self.facts(recipe, metadata)
            microdata = self._read(recipe, metadata, names, progress)
            households = self.perturbed.households(recipe, metadata, microdata.columns, progress)
            if households is not None:
                microdata = with_households(self, facts, microdata, households, names, progress)
            perturbed = self.perturbed.perturbed(recipe, metadata, progress)
        with phase("tables"):
            prepared, of_labels = recoded(self, facts, microdata, households, perturbed, progress)
        notices = (*said, *of_labels, *notices_of(recipe, prepared.microdata, prepared.recodings))
        of_households = notices_of_households(self, facts, prepared.microdata, households, progress)
        return prepared, tuple(dict.fromkeys((*notices, *of_perturbed_values(prepared), *of_households)))

    def _read(self, recipe: Recipe, metadata: Metadata, names: tuple[str, ...], progress: Progress) -> Microdata:
        """The columns `names`, perturbed, and the household identifier."""
        return self.perturbed.microdata(recipe, metadata, with_identifier(names, metadata), progress)

    def sources(self, recipe: Recipe, progress: Progress = SILENT) -> tuple[Source, ...]:
        """The recipe's data as they were read: the file, or all parts of it."""
        return self.derive(recipe, progress).microdata.sources

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
        return self.get(NUMBER_OF_CELLS(variables), self.prepare(recipe, progress), progress)

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
        microdata = self.perturbed.microdata(recipe, metadata, names, progress, codes=True)
        living = self.perturbed.households(recipe, metadata, microdata.columns, progress) if noisy else None
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
        found = preview_perturbation(self.perturbed, before, metadata, entry, everything, by, progress)
        changed = {each.name for each in found.variables}
        return replace(found, notices=tuple(each for each in of_perturbed(tried, metadata) if each.where in changed))

    def strongest_perturbation(
        self, recipe: Recipe, entry: Perturbation, place: int | None, by: str, goal: float,
        progress: Progress = SILENT,
    ) -> Strongest:  # fmt: skip
        """The strongest form of `entry` that keeps a goal; see `core.whatif.perturbation_preview`.

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
        return strongest_perturbation(self.perturbed, before, metadata, entry, by, goal, progress)

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
        perturbed = self.perturbed.perturbed(recipe, metadata, progress)
        names = unjudged_columns(recipe, metadata)
        return contents_of_columns(self, self.facts(recipe, metadata), names, perturbed, progress)

    def tabulation(self, derived: RecodedData, index: int, progress: Progress = SILENT) -> Tabulation:
        """The distinct keys of combination `index` after recoding, whatever its model, and that of each record."""
        return self.get(cells(derived.recipe.combinations[index]), derived, progress)

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
            raise without_forecast(mode)
        return forecast_of(self, self.derive(recipe, progress), combination, mode, by, progress)

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
        return forecast_at(self, self.derive(recipe, progress), combination, threshold, mode, by, progress)

    def plan_of_rare(self, recipe: Recipe, progress: Progress = SILENT) -> Plan:
        """The suppressions that the tables of the threshold rule ask for, whatever other tables do."""
        derived = self.derive(recipe, progress)
        return self.get(PLAN_OF_RARE(tuple(derived.columns)), derived, progress)

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
        return second_opinion(self, derived, index, progress)

    def second_opinions(self, derived: Results, progress: Progress = SILENT) -> dict[int, TableEstimate]:
        """Those of all risk tables, by their place in the recipe."""
        return {table.index: self.second_opinion(derived, table.index, progress) for table in derived.risk_tables}

    def hidden(self, derived: Results, plan: Plan | None = None, progress: Progress = SILENT) -> Mapping[int, int]:
        """Records that only members of their own household make safe, by place of the combination.

        Parameters
        ----------
        plan : of the safe file; None: before suppression
        """
        return self.get(HIDDEN(plan, thresholds_of(derived)), derived, progress)

    def released_opinions(
        self, derived: Results, plan: Plan, progress: Progress = SILENT
    ) -> dict[int, ReleasedOpinion]:
        """The other estimate of the risk of the safe file, by place of the combination; where there is one."""
        return released_opinions(self, derived, plan, progress)

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
            derived, plan = plan_within(self, derived, stop, progress)
            recipe = derived.recipe
            eliminated = inferences(derived, plan, progress, recipe.suppression.close_gaps)
            with_gaps = self._with_gaps(derived, progress)
            if self.cells is not None:
                trim_heap()  # cells of a file in parts may be very many
            notices = (*unmeasured(recipe), *plan.notices, *certain_blanks(derived, eliminated))
            notices += tuple(written_as_one(derived))
            if self.cells is None:
                notices += given_away(derived, plan, progress)
                notices += self.get(GIVEN_AWAY(tuple(derived.columns), plan), derived, progress)
                if derived.perturbed is not None:
                    notices += self.get(TOLD_OF_PERTURBED(tuple(derived.columns)), derived, progress)
            else:
                notices += tuple(given_away_in_parts(recipe, plan))
            left = partial(remaining, self, derived, plan)
            notices += (*unjudged_households(derived, left, progress), *unjudged_keys(derived))
            notices += tuple(second_opinion_notices(derived, self.second_opinions(derived, progress)))
            hidden = self.hidden(derived, plan, progress)
            others = self.released_opinions(derived, plan, progress)
            below = below_exact(derived, plan, progress)
            notices += tuple(hidden_households(recipe, hidden))
            notices += (*other_estimates(derived, others), *below_exact_risk(recipe, below))
            notices += direct_identifiers(derived, progress)
        unsafe = unsafe_by_any(derived, progress) if recipe.suppression.criterion == "none" else plan.unsafe_left
        notices = left_by_choice(recipe, unsafe, derived.unjudged) + notices
        by_mode = None if recipe.suppression.mode == "original-counts" else partial(released, self, derived, plan)
        return Protection(derived, plan, unsafe, left, notices, eliminated, by_mode, with_gaps, hidden, others, below)

    def _with_gaps(self, derived: Results, progress: Progress) -> PlanWithoutPrevention | None:
        """What would be suppressed if values could be told by the rules; None where that is so, or nobody is judged."""
        asked = derived.recipe.suppression
        if not asked.close_gaps or not is_gapless(derived):
            return None
        plain = replace(derived, recipe=derived.recipe.with_(suppression=replace(asked, close_gaps=False)))
        plan = self.plan(plain, progress)
        return PlanWithoutPrevention(plan, inferences(plain, plan, progress, at_most=True))

    def codes(self, derived: RecodedData, progress: Progress, names: Sequence[str]) -> Microdata:
        """The columns `names` as codes, whatever they are, perturbed, for once."""
        return self.perturbed.microdata(derived.recipe, derived.metadata, names, progress, passing=True, codes=True)

    def _which(self, recipe: Recipe) -> Which:
        """Other variables are searched for what they give away; if the file is large, they are read by themselves."""
        data = recipe.input.data
        return (
            "keys"
            if self.cells is not None or data is None or self.inputs.data(data).size > LEAK_CHECK_BYTES
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
        return compared_of(self, protection, names, progress, modified)

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
        names : None: as `core.whatif.utility.names_to_compare` chooses them
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
            derived = self.derive(recipe, progress, self._which(recipe))
            known = self.known(plan_of(derived), derived)
        except PavoError:
            return None
        return None if known is None else self.protect(recipe, progress)

    def plan(self, derived: Results, progress: Progress = SILENT) -> Plan:
        """The plan that the recipe asks for."""
        return plan_within(self, derived, never, progress)[1]

    def _metadata(self, recipe: Recipe) -> tuple[Metadata, tuple[Notice, ...]]:
        return self.get(METADATA(), Facts(recipe, UNDESCRIBED, self))

    def _risk_table(self, derived: RecodedData, index: int, phase: Clock, progress: Progress) -> RiskTable | None:
        if not derived.recipe.combinations[index].has_risk:
            return None
        with phase("tables"):
            table = self.tabulation(derived, index, progress)
        with phase("risk"):
            return risk_table_of(self, derived, index, table, progress)
