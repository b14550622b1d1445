"""What a report is made from: plain values that any part of the program can fill in.

Risks and rates are fractions; None means that a figure does not apply or was not computed, and leaves its line out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ..data.risk_figures import RiskFigures, TableState
from ..perturbation.method import PublishedTable
from ..recipe.criteria import JudgedByCriterion, MissingRule, Model
from ..recipe.model import Criterion, Mode, Report, Scenario, Threshold, Units
from ..risk.distribution import LargestSafeRisk
from ..risk.measures.shown import Headline, Picture
from ..risk.released_opinion import ReleasedOpinion
from ..verdict.model import ReleaseVerdict
from ..whatif.utility import FileUtility
from .blocks import ReportTable
from .board_facts import BoardFacts
from .numbers import Value

FileRole = Literal[
    "data", "metadata", "safe-data", "safe-metadata", "safe-codelist", "report",
    "report-pdf", "summary", "records", "ddi", "table-schema", "recipe", "codelist", "scheme", "profile", "other-input",
]  # fmt: skip
"""What a file is to the report."""


@dataclass(frozen=True)
class NamedFile:
    """A file that was read or written. `role` is one of ROLES in `core.report.sections_data`."""

    role: FileRole
    path: Path
    sha256: str = ""


@dataclass(frozen=True)
class Key:
    """An identifying variable: one that a combination uses.

    `categories` counts its codes after recoding, without missing codes; `missing_codes` those. `missing_before` and
    `suppressed` count records; `share_remaining` is not stored, it follows from `records`.
    `written` is the code that suppression writes; None where there is none. `categories_released` counts the codes that
    the safe file holds, `missing_released` its records without one; None where there is none.
    """

    name: str
    label: str = ""
    categories: int = 0
    categories_before: int = 0
    missing_codes: int = 0
    household: bool = False
    related: str = ""
    suppression_weight: float | None = None
    entropy: float | None = None
    missing_before: int = 0
    suppressed: int = 0
    suppressible: bool = True
    written: str | None = None
    categories_released: int | None = None
    missing_released: int | None = None


@dataclass(frozen=True)
class Opinion:
    """The second opinion on a table's risk: by a model of the whole table, or where one judges by the individual risk.

    `interval` bounds the expected re-identifications of a model, and ends at all records where `at_most_all`; `ratio`
    is its expected re-identifications over those of the table; `edges` are the key variables that it takes to go
    together; `rests_on_model`: too few records to check it by.
    """

    figures: RiskFigures
    interval: tuple[float, float] | None
    ratio: float | None
    edges: tuple[tuple[str, str], ...] = ()
    rests_on_model: bool = False
    at_most_all: bool = False


@dataclass(frozen=True)
class TableFacts(JudgedByCriterion):
    """One combination: its model, its threshold and its figures in every state.

    Attributes
    ----------
    unsafe_combinations : (dimension, number of them), before suppression
    records_in_these : (dimension, records that take part in one), where rare combinations judge
    threshold, household_threshold : individual and household risk; None where there is none
    asked : whether a threshold was asked for; a rate or number that the file keeps as it is comes to none
    asked_for : what was
    named : what is told outside in place of thresholds that follow from the original: of records, of households
    exceedance : the chance allowed that a record's true 1/F reaches the threshold, where that judges
    threshold_rate : bound of the re-identification rate at the threshold, [P04] eq. 17
    actual : highest risk that stays below the threshold, with its own rate; None where no record is below
    original : before recoding; None where nothing was recoded
    recoded : after recoding, before suppression; the original file where nothing was recoded
    safe : the safe file, judged by the mode of suppression; None where nothing was written
    released : the safe file recounted on itself, blanks matching anything
    modelled : outside in place of `opinion`: whether the internal report has a population model's estimate
    later : the other estimate of the risk of the safe file; None where there is none
    below_exact : records of the safe file that the exact risk finds unsafe, where an estimator below it judges
    hidden : records that only members of their own household make safe; None: not counted
    group_max, group_unsafe : largest group risk and records at or above the threshold by it; under the mode
        released-keys the largest 1 / records of its key of a record that was unsafe, and None
    mode : which risk a record with suppressed values has
    edges : class limits of the histograms, the threshold among them
    histogram_risk : whose threshold and risk the histograms show; they count records either way
    curve : (threshold, loss), ascending
    curve_remaining : loss above all of these, which another threshold takes
    """

    variables: tuple[str, ...]
    model: Model = "individual-risk"
    missing_rule: MissingRule = "observed"
    alpha: float = 1.0
    estimator: str = "exact"
    count_threshold: int = 1
    k: int | None = None
    l: int | None = None  # noqa: E741
    sensitive: str | None = None
    unsafe_combinations: tuple[tuple[int, int], ...] = ()
    records_in_these: tuple[tuple[int, int], ...] = ()
    threshold: float | None = None
    household_threshold: float | None = None
    asked: bool = False
    asked_for: Threshold = field(default_factory=Threshold)
    named: tuple[str, str] = ("", "")
    exceedance: float | None = None
    threshold_rate: float | None = None
    actual: LargestSafeRisk | None = None
    rate_observed: float | None = None
    opinion: Opinion | None = None
    modelled: bool = False
    later: ReleasedOpinion | None = None
    below_exact: int | None = None
    hidden: int | None = None
    original: TableState | None = None
    recoded: TableState = field(default_factory=TableState)
    safe: TableState | None = None
    released: TableState | None = None
    group_max: float | None = None
    group_unsafe: int | None = None
    mode: Mode = "original-counts"
    edges: tuple[float, ...] = ()
    histogram_risk: Literal["individual", "household"] = "individual"
    curve: tuple[tuple[float, float], ...] = ()
    curve_exact: bool = True
    curve_remaining: float = 0.0


@dataclass(frozen=True)
class RecodeFacts:
    """A recode that was applied. `lines` are (new code, label, original codes); a truncation has a sentence instead.

    `missing` and `untouched` are codes as the file has them.
    """

    variable: str
    lines: tuple[tuple[str, str, str], ...] = ()
    missing: tuple[str, ...] = ()
    sentence: str = ""
    untouched: tuple[str, ...] = ()
    codelist: str = ""


@dataclass(frozen=True)
class Modification:
    """Another change to the file: method, variables concerned, parameters in words.

    Attributes
    ----------
    kind : what an analysis has to know of it: a key of `core.report.analysis_effects.EFFECTS`
    parameters : of a perturbation, as used: (what it says, value, format)
    matrices : parameters that are matrices: (what it says, rows)
    """

    method: str
    variables: str
    remarks: str
    kind: str = ""
    parameters: tuple[tuple[str, Value, str], ...] = ()
    matrices: tuple[tuple[str, tuple[tuple[float, ...], ...]], ...] = ()


@dataclass(frozen=True)
class PublishedPerturbation:
    """What outsiders are told of a perturbation: what was done, names of parameters, tables."""

    told: str = ""
    parameters: tuple[str, ...] = ()
    published: tuple[PublishedTable, ...] = ()


@dataclass(frozen=True)
class PerturbationFacts:
    """A perturbation before recodes and tables.

    Attributes
    ----------
    method, sentence, told : its title, what it does, and what was done
    parameters : (name, as written, variables that it names) as they were used
    changed : values that it changed; None for outsiders
    invariants : (title, value, format) what it promises to keep, with what came of it; none for outsiders
    tables : the same that are tables
    published : tables for users of the file
    kind : its name in the recipe
    outside : what of this is told outside
    """

    method: str
    variables: tuple[str, ...]
    sentence: str
    told: str
    parameters: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    changed: int | None = None
    invariants: tuple[tuple[str, Value, str], ...] = ()
    tables: tuple[ReportTable, ...] = ()
    published: tuple[PublishedTable, ...] = ()
    kind: str = ""
    outside: PublishedPerturbation = PublishedPerturbation()


@dataclass(frozen=True)
class SuppressionFacts:
    """What local suppression did; `loss` is in the unit of the criterion, `entropy_loss` in bits.

    `mode` says which risk a record with suppressed values has; None where no combination is judged by risk.
    `with_gaps`: values suppressed, of them such that the rules tell, and loss in bits without ``close_gaps``; None
    where that is not asked; `told`: how many the rules tell with it.
    `in_safe_file`: `total` counts all missing values of key variables in the safe file, and nothing else is counted:
    how many were missing before is not told outside.
    """

    criterion: Criterion
    mode: Mode | None
    total: int = 0
    records_touched: int = 0
    loss: float | None = None
    entropy_loss: float | None = None
    lower_bound: float | None = None
    gap: float | None = None
    effort: int | None = None
    by_households: bool = False
    with_gaps: tuple[int, int, float] | None = None
    told: int = 0
    in_safe_file: bool = False


@dataclass(frozen=True)
class SafeVariable:
    """A variable as it stands in the safe file."""

    name: str
    label: str = ""
    start: int | None = None
    length: int | None = None
    decimals: int = 0


@dataclass(frozen=True)
class SafeLayout:
    """How the safe file is laid out; `removed` are the variables left out of it, `left_out` counts unnamed ones."""

    format: str
    variables: tuple[SafeVariable, ...]
    delimiter: str = ""
    removed: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables of the safe file."""
        return tuple(variable.name for variable in self.variables)


@dataclass(frozen=True)
class CheckedColumn:
    """A column that no model judges.

    Attributes
    ----------
    variable : str
    holds : what it holds; empty for outsiders
    decision : in words; empty where nobody has decided
    by, reason : who decided and why; empty for outsiders
    released : whether the safe file has it
    """

    variable: str
    holds: str = ""
    decision: str = ""
    by: str = ""
    reason: str = ""
    released: bool = True


@dataclass(frozen=True, eq=False)
class MeasureShown:
    """What a measure comes to, in a sentence and in a picture; None: it has none."""

    headline: Headline | None = None
    picture: Picture | None = None


@dataclass(frozen=True)
class RuleFacts:
    """A rule of a release profile, the variables that it names, and how many records are behind it if it is broken."""

    words: str
    holds: bool
    records: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProfileFacts:
    """A release profile: its name, where it is from, and its rules."""

    name: str
    source: str
    rules: tuple[RuleFacts, ...]


@dataclass(frozen=True)
class ReportInput:
    """Everything a report is made from. `at_the_head`: those of the warnings that belong there, too.

    `held`: of recoded variables the codes that the safe file has, with the labels that are written with it; an
    external report names no others.
    """

    program: str
    version: str
    created: datetime
    records: int
    variables: int = 0
    details: Report = field(default_factory=Report)
    language: str = "en"
    files: tuple[NamedFile, ...] = ()
    weight: str = ""
    weighted: bool = False
    """Whether there is a weight whose name is not told."""
    units: Units | None = None
    """What the records are, of a file without a weight, as the recipe says it."""
    household_id: str = ""
    keys: tuple[Key, ...] = ()
    also_suppressed: tuple[Key, ...] = ()
    """Variables that no combination uses and that are suppressed with one that does."""
    tables: tuple[TableFacts, ...] = ()
    recodes: tuple[RecodeFacts, ...] = ()
    modifications: tuple[Modification, ...] = ()
    perturbations: tuple[PerturbationFacts, ...] = ()
    checklist: tuple[CheckedColumn, ...] = ()
    suppression: SuppressionFacts | None = None
    scenarios: tuple[Scenario, ...] = ()
    utility: FileUtility | None = None
    """What is preserved; None: nobody asked."""
    measures: tuple[dict[str, Any], ...] = ()
    measures_shown: tuple[MeasureShown, ...] = ()
    """What is said and drawn of each of them."""
    warnings: tuple[str, ...] = ()
    verified: bool | None = None
    profile: ProfileFacts | None = None
    release: ReleaseVerdict | None = None
    """The verdict on the written file by the rules of its target."""
    unsafe_left: int = 0
    layout: SafeLayout | None = None
    recipe_text: str = ""
    at_the_head: tuple[str, ...] = ()
    given_away: int = 0
    """Warnings that say from what suppressed values can be told."""
    recipe_sha256: str = ""
    held: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    board: BoardFacts = field(default_factory=BoardFacts)

    @property
    def external(self) -> bool:
        """Whether the report leaves the house: see `core.report.compose`."""
        return self.details.reader != "internal"
