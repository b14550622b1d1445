"""Carrying out a recipe: plan, write, read back, verify, and let all outputs appear together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..base.clock import Clock
from ..base.errors import DataError, Notice, OutputError, RecipeError
from ..base.lazy_sequence import ByPlace, LazySequence
from ..base.outputs import Outputs, check_targets
from ..base.plain_file import checksum_of
from ..base.progress import SILENT, Progress
from ..base.texts import language_in_use, language_of_outputs, mark
from ..check.judged import Verification
from ..data.variables import Metadata
from ..formats.argus.rda_writer import rda_text
from ..formats.formulas import formula_notice, formula_texts, named_like_formulas
from ..formats.registry import write
from ..formats.text.widths import with_true_widths
from ..formats.text.writing import Rewrite
from ..metadata.column_contents import ColumnContents
from ..perturbation.numbers import numbers_of
from ..perturbation.registry import REGISTRY, before_recodes
from ..profiles.judge import JudgedProfile, judge
from ..profiles.model import ProfileRule, ReleaseProfile
from ..profiles.read import found_profile
from ..profiles.released import ReleasedFile
from ..recipe.available import check_output_format, check_time_limit
from ..recipe.declared import files_of
from ..recipe.model import OUTPUT_FILES, OutputFile, Reader, Recipe
from ..report.blocks import ReportData, Verdict
from ..report.build import ReleaseOutcome, build_report, creation_time, original_recipe, statement
from ..report.build_board import ReleasedWeights
from ..report.facts import FileRole, NamedFile
from ..report.html import render_html
from ..report.pdf import render_pdf
from ..results.input_files import Checksums
from ..results.record_files import description_beside
from ..results.released_columns import released_cells
from ..results.remaining_risks import remaining_risks_of
from ..results.results import Protection, RecodedData, RemainingRisks, Results, RiskTable
from ..risk.measures.evaluation import RecordNumbers
from ..session import Session
from ..suppression.costs import Costs
from ..suppression.forecast import Forecast
from ..suppression.households.forecast import By
from ..suppression.plan import merge
from ..tables.cell_index import Tabulation
from ..tables.cells import Cells
from ..tables.margins import Overview
from ..verdict.judged import judge_target
from ..verdict.model import ReleaseVerdict
from ..warnings.checklist import ChecklistEntry, checklist, undecided_columns
from ..warnings.hidden import hidden_households
from ..warnings.margins_left_out import margins_left_out
from ..warnings.pattern_risk import group_risks
from ..warnings.perturbed_values import left_values
from ..warnings.recipe import unmeasured
from ..warnings.second_opinion import second_opinion_notices
from ..whatif.measures import measure
from ..whatif.utility import FileUtility
from .ddi import ddi_text
from .described import described
from .pinned_inputs import (
    INPUT_CHANGED,
    RecipeFile,
    inputs_of,
    named_inputs,
    refuse_changed,
    with_checksums,
    without_checksums,
)
from .profile import asked_profile, asked_target, refuse_broken, released_file
from .record_file import record_columns, write_records
from .safe_codelists import codelist_targets, role, with_codelists, write_codelists
from .safe_file import SafeFile, occurring_codes, safe_file
from .summary import (
    PROGRAM,
    after_part,
    checklist_part,
    combination_part,
    file_part,
    files_part,
    inference_parts,
    measure_part,
    overview_part,
    peak_rss_mib,
    perturbations_part,
    summary_text,
    suppression_part,
    utility_part,
    verdict_part,
    warnings_part,
)
from .table_schema import table_schema_text
from .verification import verified

ACCEPT_HINT = mark("Check the files, or add --accept-changed to use them as they are now.")

_BESIDE: dict[OutputFile, FileRole] = {
    "report": "report", "report_pdf": "report-pdf", "summary": "summary", "records": "records", "ddi": "ddi",
    "table_schema": "table-schema",
}  # fmt: skip
"""Files beside safe file and metadata, in the order in which the report names them, and what it calls them."""


@dataclass(frozen=True, eq=False)
class Result:
    """What a run did. `protection` and `verification` are None where no safe file was asked for."""

    summary: dict[str, Any]
    derived: Results
    protection: Protection | None
    verification: Verification | None
    report: ReportData
    files: tuple[Path, ...]
    left: tuple[Notice, ...] = ()
    """Former files that could not be removed, and outputs that could not be made."""
    warnings: tuple[Notice, ...] = ()
    """All that the summary warns of, but for what was said of the input and of the outputs themselves."""
    report_for: Callable[[Reader, Progress], ReportData] | None = None
    """The report as it is written for the house, for outsiders, or for users of the file."""
    stated: Callable[[], Verdict | None] = lambda: None
    """What the head of the report states of the written file, in the language that is in use."""
    file: RecipeFile = field(default_factory=RecipeFile)
    """The recipe's own file, with the checksums of inputs that were accepted."""
    verdict: ReleaseVerdict | None = None
    """Whether the written file is ready for release; None: the recipe has no target, or writes no file."""


@dataclass(eq=False)
class ReleaseRun:
    """One run, step by step; every step adds what it found.

    `core.parts.run` overrides what is otherwise of a file in parts.
    """

    session: Session
    recipe: Recipe
    file: RecipeFile
    progress: Progress
    curves: bool = True
    planned: Protection | None = None
    """The plan, where it is known; None: it is searched for."""
    contents: Mapping[str, ColumnContents] | None = None
    """What the columns of the checklist hold, where it is known; None: they are looked at."""
    beside: Mapping[str, Path] = field(default_factory=dict)
    """Where codelists may appear."""
    codelists: Mapping[str, Path] = field(default_factory=dict)
    """Those written."""
    clock: Clock = field(default_factory=Clock)
    left_out: tuple[Notice, ...] = ()
    """Outputs that could not be made, without which the run goes on."""
    told: tuple[Notice, ...] = ()
    """What is to be said of the outputs themselves."""
    profile: JudgedProfile | None = None
    """What the safe file comes to under the recipe's profile."""
    verdict: ReleaseVerdict | None = None
    """Whether the written file is ready for release by the rules of the recipe's target; None: it has none."""
    verdict_in_report: ReleaseVerdict | None = None
    """The same in the language of the report."""
    sums: Checksums = ()
    """The files that were read, the data among them."""
    output_sums: dict[str, str] = field(default_factory=dict)
    """SHA-256 of the outputs that were written so far, by role."""

    def check_named(self) -> None:
        """Refuse files that the recipe itself names and that are not those that it was saved with."""
        refuse_changed(self.recipe, self.session.checksums(named_inputs(self.recipe), self.progress), ACCEPT_HINT)

    def check_inputs(self) -> None:
        """Refuse any file that was read and is not the one that the recipe was saved with."""
        _check_same_data(self.derived)
        refuse_changed(self.recipe, self.sums, ACCEPT_HINT, inputs_of(self.derived))

    def input_sums(self) -> Checksums:
        """The files that were read, by the paths of the recipe: the data, or their parts, then the others."""
        source, parts = self.derived.microdata.source, self.derived.microdata.parts
        data = {part.path: part.sha256 for part in parts} or {self.recipe.input.data or source.path: source.sha256}
        others = self.session.checksums(inputs_of(self.derived), self.progress)
        return tuple((data | dict(others)).items())

    def accept_inputs(self) -> None:
        """Take the files as they are: the recipe's own file gets their checksums."""
        data = self.derived.microdata.source.sha256
        others = self.session.checksums(inputs_of(self.derived), self.progress)
        self.file = with_checksums(self.file, data, others)

    def inputs(self, metadata: Metadata) -> tuple[Path, ...]:
        """The files that are read."""
        return input_files(self.recipe, metadata, self.file.path)

    def targets(self, metadata: Metadata | None = None) -> dict[str, Path]:
        """The outputs, by role; with `metadata` (of the original) codelists that may come too."""
        return targets(self.recipe, metadata)

    @property
    def safe_data(self) -> Path | None:
        """Where the safe file appears; None: none is written."""
        return self.recipe.output.data

    def check_unchanged(self) -> None:
        """Refuse inputs that are no longer what they were."""
        self.session.check_unchanged(self.derived, self.progress)

    def derive(self) -> None:
        """Everything short of suppression, and the plan where a safe file is asked for."""
        self.protection: Protection | None = None
        with self.session.margins.held():  # the forecast comes with the plan, which needs the same margins
            if self.recipe.output.data is not None:
                self.protection = self.planned or self.session.protect(self.recipe, self.progress, self.clock)
            found = self.protection.derived if self.protection else None
            derived = found or self.session.derive(self.recipe, self.progress, clock=self.clock)
            with self.clock("tables"):
                overview = self.session.overview(derived, progress=self.progress)
            with self.clock("suppress"):
                held = [table for table in derived.risk_tables if self.session.margins.holds(table.cells)]
                self.remaining, self.forecasts = self._remaining(held), self._forecasts(derived, held)
        with self.clock("risk"):
            self.opinions = self.session.second_opinions(derived, self.progress)
        with self.clock("tables"):
            # Summary and report want each table's overview: counted once, whatever the session forgets meanwhile.
            same = len(derived.overviews) == 1
            overviews = (replace(overview, unsafe_records={}),) if same else tuple(self._one_by_one(derived.overviews))
            self.derived = replace(derived, overview=overview, overviews=overviews)
            # Of very many combinations the cells are made anew rather than held together.
            self.tables = self._tables(self.derived)
            later = self.protection.opinions if self.protection else {}
            self.parts = [
                combination_part(self.derived, index, table.cells, self.opinions.get(index), later.get(index))
                for index, table in enumerate(self.tables)
            ]
        with self.clock("risk"):
            plan = self.protection
            self.hidden = plan.hidden if plan else self.session.hidden(derived, None, self.progress)
        self.checklist: tuple[ChecklistEntry, ...] = ()
        if self.protection is not None:
            with self.clock("read"):
                contents = self.contents
                if contents is None:
                    contents = self.session.contents(self.recipe, self.progress)
            self.checklist = checklist(self.recipe, self.derived.metadata, contents)
        with self.clock("risk"):
            numbers = self._record_numbers
            self.measured = [
                measure(self.derived, wanted, self.progress, self.protection, record_numbers=numbers)
                for wanted in self.recipe.measures
            ]

    def _tables(self, derived: RecodedData) -> Sequence[Tabulation]:
        """The table of every combination, made when it is asked for."""
        return LazySequence(len(self.recipe.combinations), lambda i: self.session.tabulation(derived, i, self.progress))

    def _one_by_one(self, overviews: Sequence[Overview]) -> Iterator[Overview]:
        for overview in overviews:
            self.progress.check()
            yield overview

    def write_data(self, outputs: Outputs) -> None:
        """Write the safe file and its metadata, read the file back and verify it."""
        self.safe: SafeFile | None = None
        self.verification: Verification | None = None
        self.said: tuple[Notice, ...] = ()
        output = self.recipe.output
        if self.protection is None and not (output.metadata or output.ddi or output.table_schema):
            return
        protection = self.protection or _unprotected(self.derived)
        with self.clock("write"):
            self.safe = self._safe_file(protection)
            if self.protection is None:
                self._write_metadata(outputs, self.safe, ())
                return
            written = self._write_safe_file(outputs, self.protection, self.safe)
            self._write_metadata(outputs, self.safe, written)
            found: Counter[str] = Counter()
            for path in written:
                found.update(formula_texts(path, self.safe.layout, self.progress))
            self.said = (*named_like_formulas(self.safe.layout), *formula_notice(found))
        with self.clock("verify"):
            self.verification = self._verified(outputs, self.protection, self.safe)

    def _safe_file(self, protection: Protection) -> SafeFile:
        return safe_file(protection, self.progress)

    def _write_safe_file(self, outputs: Outputs, protection: Protection, safe: SafeFile) -> tuple[Path, ...]:
        """Write the safe file; the files that it consists of."""
        derived = protection.derived
        rewrite = Rewrite(derived.microdata.source, derived.metadata, safe.edits, safe.layout, safe.order)
        with outputs.open("data") as out:
            write(rewrite, out, self.progress)
        return (outputs.path("data"),)

    def _verified(self, outputs: Outputs, protection: Protection, safe: SafeFile) -> Verification:
        checked = verified(outputs.path("data"), protection, safe, self.progress)
        self.output_sums["data"] = checked.sha256
        return checked

    def _write_metadata(self, outputs: Outputs, safe: SafeFile, written: Sequence[Path]) -> None:
        """Describe the safe file, which consists of the files `written`; none: no data are written."""
        target = self.recipe.output.metadata
        if target is not None:
            occurring = occurring_codes(safe, self.beside)
            self.codelists = write_codelists(outputs, self.beside, safe.layout, self.derived.metadata, occurring)
            described = with_codelists(safe.layout, self.codelists)
            for path in written if described.format == "delimited" else ():
                described = with_true_widths(path, described, self.progress)
            outputs.write("metadata", rda_text(described, safe=True, folder=target.parent))

    def write_rest(self, outputs: Outputs) -> Result:
        """Write records, report and summary."""
        with self.clock("risk"):
            self.utility = self._utility()
        with self.clock("write"):
            self.notices = self._notices()
            self._note_written(outputs)
            report = self._report()
            if "report_pdf" in outputs:
                report = self._write_pdf(outputs, report)
            if "records" in outputs:
                with outputs.open("records") as out:
                    columns = record_columns(self.derived, self.tables, self.measured)
                    write_records(out, self.derived.records, columns, self.progress, self._rows_of_parts())
            if "report" in outputs:
                outputs.write("report", render_html(report))
            self._describe(outputs)
            self._note_written(outputs)
        with language_in_use("en", grouped=False):  # an interface: programs read it, whatever its author's language
            summary = self._summary()
        if "summary" in outputs:
            outputs.write("summary", summary_text(summary))
        files = (*self.targets().values(), *self.codelists.values())
        return Result(
            summary, self.derived, self.protection, self.verification, report, files,
            warnings=tuple(self._warnings()), report_for=self._report_for, stated=self.stated, file=self.file,
            verdict=self.verdict,
        )  # fmt: skip

    def _write_pdf(self, outputs: Outputs, report: ReportData) -> ReportData:
        """Write the report as PDF; the report, which says so where that could not be made: the run goes on without."""
        try:
            content = render_pdf(report)
        except OutputError as error:
            self.left_out = (_left_out(self.recipe.output.report_pdf, error),)
            self.recipe = self.recipe.with_(output=replace(self.recipe.output, report_pdf=None))
            self.notices = self._notices()
            return self._report()
        with outputs.open("report_pdf") as out:
            out.write(content)
        return report

    def _note_written(self, outputs: Outputs) -> None:
        """Take the checksums of what was written since the last time."""
        for each in outputs.written:
            if each not in self.output_sums:
                self.output_sums[each] = checksum_of(outputs.path(each), self.progress)

    def keep_rules(self, profile: ReleaseProfile) -> None:
        """Judge the safe file by the recipe's profile; end the run where a rule does not hold."""
        assert self.protection is not None and self.safe is not None, "a profile is asked for with data only"
        with self.clock("verify"):
            self.profile = judge(profile, self._released(self.protection, self.safe))
        refuse_broken(self.profile)

    def decide(self, target: ReleaseProfile) -> None:
        """Judge the written file by the rules of the recipe's target; an open rule does not end the run."""
        if self.protection is None or self.safe is None:
            return
        given, unexamined = self._released(self.protection, self.safe), self._unexamined(target)
        with self.clock("verify"), language_in_use("en", grouped=False):  # as all of the summary
            self.verdict = judge_target(target, given, self.recipe.accepted, "written", unexamined)
        with self.clock("verify"), language_in_use(self.recipe.report.language or language_of_outputs()):
            self.verdict_in_report = judge_target(target, given, self.recipe.accepted, "written", unexamined)

    def _unexamined(self, target: ReleaseProfile) -> Callable[[ProfileRule], str]:
        """Says why a rule of the target cannot be judged on the file; empty: it can."""
        return lambda rule: ""

    def _released(self, protection: Protection, safe: SafeFile) -> ReleasedFile:
        """What the rules of a profile look at."""
        warned = tuple(self._warnings())
        return released_file(self.session, protection, safe, self.checklist, self.progress, self.verification, warned)

    def _utility(self) -> FileUtility | None:
        """What is preserved, where the recipe asks for it or perturbs; None: it does neither, or nothing is written."""
        protection, recipe = self.protection, self.recipe
        if protection is None or self.safe is None or not (recipe.utility or before_recodes(recipe)):
            return None
        return self.session.utility(protection, progress=self.progress, modified=self.safe.modified)

    @property
    def _record_numbers(self) -> RecordNumbers | None:
        """Tells where records stand whose rows are those of a file in parts."""
        return None

    def _rows_of_parts(self) -> Iterable[NDArray[np.uint32]] | None:
        """Of a file in parts the row of each record, part by part; None: a row is a record."""
        return None

    def _describe(self, outputs: Outputs) -> None:
        """What archives and other programs read of the safe file."""
        if self.safe is None or not ("ddi" in outputs or "table_schema" in outputs):
            return
        with language_in_use(self.recipe.report.language or language_of_outputs()):
            file = described(self.protection or _unprotected(self.derived), self.safe, self.safe_data)
        if "ddi" in outputs:
            outputs.write("ddi", ddi_text(file, self.recipe.report, f"{creation_time():%Y-%m-%d}"))
        if "table_schema" in outputs:
            outputs.write("table_schema", table_schema_text(file))

    def _notices(self) -> tuple[Notice, ...]:
        return (*self.derived.notices, *self._warnings(), *self.said, *self.told)

    def _warnings(self) -> Iterator[Notice]:
        if self.protection:
            yield from self.protection.notices
        else:
            yield from (*unmeasured(self.recipe), *second_opinion_notices(self.derived, self.opinions))
            yield from hidden_households(self.recipe, self.hidden)
        for done in self.safe.perturbed if self.safe else ():
            if REGISTRY[done.entry.method].DECLARATION.at_writing:
                yield from left_values(done, self.derived.metadata)
        yield from group_risks(self.recipe, self.verification.after if self.verification else ())
        yield from undecided_columns(self.checklist)
        yield from margins_left_out(self.derived.overview)
        yield from self.left_out

    def after(self) -> list[Mapping[str, Any]]:
        """Figures of the written file by combination; empty where there is no such file."""
        if self.verification is None or self.protection is None:
            return [{} for _ in self.recipe.combinations]
        # Of what was decided: the file is verified to be that.
        told = inference_parts(self.protection)
        return [after_part(found) | told.get(index, {}) for index, found in enumerate(self.verification.after)]

    def _summary(self) -> dict[str, Any]:
        after, derived = self.after(), self.derived
        combinations = [
            part
            | ({"hidden_by_own_household": self.hidden[index]} if index in self.hidden else {})
            | ({"after": dict(later)} if later else {})
            for index, (part, later) in enumerate(zip(self.parts, after, strict=True))
        ]
        summary = file_part(derived, self.recipe, self.file.sha256, self.sums)
        summary |= {
            "combinations": combinations,
            "overview": overview_part(derived.overview),
            "warnings": warnings_part(self.recipe, self.notices),
        }
        if self.protection is not None:
            summary["suppression"] = suppression_part(self.recipe, self.protection)
            if self.safe is not None and self.safe.perturbed:
                summary["perturbations"] = perturbations_part(self.recipe, self.safe.perturbed, self.safe.layout.names)
            summary["checklist"] = checklist_part(self.recipe, self.checklist)
        summary["measures"] = [measure_part(self.recipe, done.summary()) for done in self.measured]
        if self.profile is not None:
            summary["profile"] = self.profile.summary()
        if self.verdict is not None:
            summary["verdict"] = verdict_part(self.recipe, self.verdict, self.safe.layout.names if self.safe else ())
        if self.utility is not None and self.recipe.utility:
            summary["utility"] = utility_part(self.recipe, self.utility.own)
        if self.protection is not None:
            summary |= {"verified": True, "unsafe_left": self.protection.unsafe_left}
            if stated := self.stated():
                summary["checked"] = {"statement": stated.headline, "estimates_agree": stated.tone == "good"}
        codelists = {name: (path, role(name)) for name, path in self.codelists.items()}
        summary |= {"files": files_part(self.recipe, codelists, self.output_sums), "seconds": self._seconds()}
        peak = peak_rss_mib()
        return summary if peak is None else summary | {"peak_rss_mib": peak}

    def _seconds(self) -> dict[str, float]:
        phases = ("read", "tables", "risk", "suppress", "write", "verify")
        return {phase: self.clock.seconds.get(phase, 0.0) for phase in phases} | {"total": self.clock.total}

    def _report(self) -> ReportData:
        derived, protection, before = self.derived, self.protection, self._before()
        plan = protection.plan if protection else None
        late = [table for table in derived.risk_tables if table.index not in self.remaining]
        self.outcome = ReleaseOutcome(
            PROGRAM,
            __version__,
            plan=plan,
            verification=self.verification,
            unsafe_left=protection.unsafe_left if protection else 0,
            measured=tuple(self.measured),
            with_gaps=protection.with_gaps if protection else None,
            told=sum(found.certain for found in protection.inferences.values()) if protection else 0,
            layout=self.safe.layout if self.safe and protection else None,
            files=self._named_files(),
            opinions=self.opinions,
            later=protection.opinions if protection else {},
            below_exact=protection.below_exact if protection else {},
            hidden=self.hidden,
            original=before,
            after=self.remaining | self._remaining(late),
            forecasts=self.forecasts | self._forecasts(derived, late),
            cells=_cells(self.tables),
            original_cells=_cells(self._tables(before)) if before else {},
            safe_cells=released_cells(derived, plan, self.progress) if plan else {},
            notices=self.notices,
            checklist=self.checklist,
            profile=self.profile,
            release=self.verdict_in_report,
            utility=self.utility,
            released_weights=self._released_weights(),
            recipe_text=self.file.text,
            recipe_sha256=self.file.sha256,
        )
        self.stated = statement(derived, self.outcome)
        return build_report(derived, self.outcome)

    def _report_for(self, reader: Reader, progress: Progress = SILENT) -> ReportData:
        progress.check()
        self.progress = progress
        try:
            return build_report(self.derived, self.outcome, reader)
        finally:
            self.progress = SILENT

    def _released_weights(self) -> ReleasedWeights | None:
        """The weights of the safe file; None where they are the original's."""
        weight, safe = self.derived.metadata.weight, self.safe
        if self.protection is None or safe is None or weight is None:
            return None
        column = safe.modified.get(weight.name)
        if column is not None:
            return ReleasedWeights(numbers_of(column, self.derived.metadata.decimal))
        late = (done for done in safe.perturbed if REGISTRY[done.entry.method].DECLARATION.at_writing)
        return ReleasedWeights(None) if any(weight.name in done.variables for done in late) else None

    def _named_files(self) -> tuple[NamedFile, ...]:
        """What was read and is written, as the report names it."""
        source, output, sums = self.recipe.input, self.recipe.output, dict(self.sums)
        named: tuple[tuple[FileRole, Path | None, str], ...] = (
            ("data", source.data, self.derived.microdata.source.sha256),
            ("metadata", source.metadata, sums.get(source.metadata, "") if source.metadata else ""),
            *self._other_inputs(sums),
            ("recipe", self.file.path, self.file.sha256),
            ("safe-data", self.safe_data, self._safe_data_sum),
            ("safe-metadata", output.metadata, self.output_sums.get("metadata", "")),
            *(("safe-codelist", path, self.output_sums.get(role(n), "")) for n, path in self.codelists.items()),
            *((called, getattr(output, name), "") for name, called in _BESIDE.items()),
        )
        return tuple(NamedFile(role, path, sha256) for role, path, sha256 in named if path)

    def _other_inputs(self, sums: Mapping[Path, str]) -> Iterator[tuple[FileRole, Path, str]]:
        """The codelists, schemes, rules and other files that were read."""
        recipe = self.recipe
        schemes = {recode.scheme_file for recode in recipe.recodes}
        others = {*files_of(recipe), *map(description_beside, files_of(recipe))}
        for path in inputs_of(self.derived):
            if path != recipe.input.metadata and path in sums:
                kind: FileRole = "codelist"
                if path in (recipe.profile.file, recipe.target.profile):
                    kind = "profile"
                elif path in schemes:
                    kind = "scheme"
                elif path in others:
                    kind = "other-input"
                yield kind, path, sums[path]

    @property
    def _safe_data_sum(self) -> str:
        return self.output_sums.get("data", "")

    def _before(self) -> Results | None:
        """The same before recoding."""
        plain = original_recipe(self.recipe)
        return None if plain is None else self.session.derive(plain, self.progress)

    def _remaining(self, tables: Sequence[RiskTable]) -> dict[int, RemainingRisks]:
        protection = self.protection
        return {table.index: protection.judged(table, self.progress) for table in tables} if protection else {}

    def _forecasts(self, derived: Results, tables: Sequence[RiskTable]) -> dict[int, Forecast]:
        found = {table.index: self._forecast(derived, table.index) for table in tables}
        return {index: forecast for index, forecast in found.items() if forecast is not None}

    def _forecast(self, derived: Results, index: int) -> Forecast | None:
        table = derived.tables[index]
        asked = self.recipe.suppression
        suppressing = self.protection is not None and asked.criterion != "none"
        if table is None or not suppressing or not self.curves:
            return None
        if table.threshold is None and (table.household is None or table.household.threshold is None):
            return None
        by: By = "household" if table.threshold is None else "individual"
        try:
            return self.session.forecast(self.recipe, index, asked.mode, by, self.progress)
        except RecipeError as error:
            if error.id != "no-forecast":
                raise
            return None


def carry_out(
    session: Session,
    recipe: Recipe,
    progress: Progress = SILENT,
    file: RecipeFile | None = None,
    same_data: bool = False,
    curves: bool = True,
    write_in: Sequence[Path] | None = None,
    accept_changed: bool = False,
) -> Result:
    """Do what the recipe says: measure, protect, write, read back, verify.

    Parameters
    ----------
    file : the recipe's own file; report and summary are then about it
    same_data : whether files other than those the recipe was saved with are refused
    curves : whether the report has risk–utility curves, which cost a forecast of every threshold
    write_in : folders in and below which outputs may appear; None: everywhere, as where the user was asked
    accept_changed : whether all files are taken as they are; the result's `file` then has their checksums

    Returns
    -------
    Result

    Raises
    ------
    PavoError
        The recipe, its files or its outputs cannot be used, the thresholds cannot be met, or the written file is
        not what was decided. Then no output has appeared and everything stands as before.
    """
    run = ReleaseRun(session, recipe, file or RecipeFile(), progress, curves)
    return carried_out(run, same_data, write_in, accept_changed)


def carried_out(
    run: ReleaseRun, same_data: bool, write_in: Sequence[Path] | None, accept_changed: bool = False
) -> Result:
    """`carry_out`, in the words of the recipe."""
    if accept_changed:
        run.recipe = without_checksums(run.recipe)
    recipe, progress = run.recipe, run.progress
    check_time_limit(recipe)
    if same_data:
        run.check_named()
    metadata = run.session.metadata(recipe)
    check_output_format(recipe, metadata.format)
    profile, target = asked_profile(recipe), asked_target(recipe)
    inputs = run.inputs(metadata)
    run.beside, appearing = codelists_beside(recipe, metadata), run.targets(metadata)
    with Outputs(appearing, inputs, write_in) as outputs:
        run.told = outputs.notices
        run.derive()
        run.sums = run.input_sums()
        if same_data:
            run.check_inputs()
        if accept_changed:
            run.accept_inputs()
        check_targets(appearing, [r.codelist for r in run.derived.recodings.values() if r.codelist])
        run.write_data(outputs)
        if profile is not None:
            run.keep_rules(profile)
        if target is not None:
            run.decide(target)
        result = run.write_rest(outputs)
        run.check_unchanged()
        progress.check()
        left = outputs.commit()
        result = replace(result, left=(*run.left_out, *outputs.left, *left))
        if left:
            result = _with_warnings(result, recipe, left)
            if "summary" in outputs:
                outputs.write_again("summary", summary_text(result.summary))
    run.progress = SILENT  # the result keeps the run, for other reports: whoever stopped it late stops none of these
    return result


def _with_warnings(result: Result, recipe: Recipe, notices: tuple[Notice, ...]) -> Result:
    """The result with what was found once all outputs had appeared."""
    with language_in_use("en", grouped=False):
        warnings = [*result.summary["warnings"], *warnings_part(recipe, notices)]
    return replace(result, summary=result.summary | {"warnings": warnings})


def targets(recipe: Recipe, metadata: Metadata | None = None) -> dict[str, Path]:
    """The outputs that the recipe names, by role; with `metadata` (of the original) codelists that may come too."""
    named: dict[str, Path] = {name: path for name in OUTPUT_FILES if (path := getattr(recipe.output, name)) is not None}
    return named if metadata is None else named | {role(v): p for v, p in codelists_beside(recipe, metadata).items()}


def codelists_beside(recipe: Recipe, metadata: Metadata) -> dict[str, Path]:
    """Where codelists may appear, by variable: at no input and no other output."""
    return codelist_targets(recipe, metadata, (*targets(recipe).values(), *input_files(recipe, metadata)))


def input_files(recipe: Recipe, metadata: Metadata, recipe_file: Path | None = None) -> tuple[Path, ...]:
    """All files that are read for `recipe`, as far as its own text and the metadata name them."""
    named = [recipe.input.data, recipe.input.metadata, recipe_file]
    named += [path for recode in recipe.recodes for path in (recode.scheme_file, recode.codelist)]
    named += [variable.codelist for variable in metadata.variables]
    others = files_of(recipe)
    named += [*others, *map(description_beside, others)]
    named += [] if recipe.profile.file is None else [found_profile(recipe.profile.file)]
    named += [recipe.target.profile] if isinstance(recipe.target.profile, Path) else []
    return tuple(path for path in named if path is not None)


def _unprotected(derived: Results) -> Protection:
    """A plan that suppresses nothing: for the metadata of a safe file that is not asked for."""
    plan = merge([], Costs("entropy", {}, {}))
    return Protection(
        derived, plan, 0, lambda table, progress: remaining_risks_of(table, plan, derived.households, progress)
    )


def _check_same_data(derived: Results) -> None:
    for notice in derived.notices:
        if notice.id == INPUT_CHANGED:
            raise DataError(notice.id, notice.template, ACCEPT_HINT, **dict(notice.values))


def _left_out(target: Path | None, error: OutputError) -> Notice:
    return Notice.of(
        "pdf-left-out",
        mark("{refusal} All other files were written; {file}, where it is there, is of an earlier run."),
        mark("The report could not be made as PDF; all other files were written."),
        refusal=error.sentence,
        file=str(target),
    )


def _cells(tables: Sequence[Tabulation]) -> Mapping[int, Cells]:
    return ByPlace(LazySequence(len(tables), lambda i: tables[i].cells))
