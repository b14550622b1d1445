"""The recipe as immutable values: the whole state of a session.

Attribute names are those of the TOML form (docs: the recipe). Paths are absolute in memory. None means
"not said": the default then applies where the recipe is carried out, and Save leaves the key out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

Model = Literal["individual-risk", "frequency", "k-anonymity"]
MissingRule = Literal["observed", "wildcard", "category", "listwise"]
Estimator = Literal["exact", "truncated", "calibrated", "log-linear", "plug-in"]
Role = Literal["weight", "household-id", "direct-identifier", "other"]
Format = Literal["fixed", "delimited", "spss", "stata", "sas", "parquet", "excel"]
Criterion = Literal["none", "entropy", "weights"]
Mode = Literal["original-counts", "released-keys", "released-counts"]
POPULATION_ESTIMATORS: tuple[Estimator, ...] = ("calibrated", "log-linear")
"""Those that judge a cell by a model of the whole table."""
Units = Literal["sample", "population"]
Variant = Literal["internal", "external"]
Audience = Literal["auditor", "users"]
Reader = Literal["internal", "external", "users"]
"""For whom a report is written: auditors in the house or outside it, or users of the file."""
HouseholdId = Literal["keep", "sequence", "remove"]
Decision = Literal["keep", "leave-out", "renumber", "round", "top-code", "round-and-top-code", "recode", "perturb"]
"""What becomes of a released column that no model judges: the release checklist."""

FORMATS: tuple[Format, ...] = get_args(Format)
TYPED: frozenset[Format] = frozenset(FORMATS) - {"fixed", "delimited"}
"""Formats whose files describe their variables themselves."""

MOST_RECORDS = 2**31 - 1
"""More records than that are in no file, so nothing asks for as many under a key."""

LARGEST_EFFORT = 1_000_000
"""A thousand usual searches. In the demonstration ten of them already lose as little as a hundred."""


@dataclass(frozen=True)
class Input:
    """``[input]``: the microdata file, its metadata file, and how to read a delimited file.

    `units` : what the records are where no weight says it; None: nobody was asked.
    `parts` : the files, where ``data`` lists several of one layout; then `data` is None. A pattern or a folder is
    `data`.
    `sha256`, `checksums` : what the data, and each other file that is read, was when the recipe was saved.
    """

    data: Path | None = None
    metadata: Path | None = None
    format: Format | None = None
    delimiter: str | None = None
    header: bool | None = None
    encoding: str | None = None
    decimal: str | None = None
    units: Units | None = None
    sha256: str | None = None
    variables: Literal["from-metadata", "here"] = "from-metadata"
    parts: tuple[Path, ...] = ()
    checksums: tuple[tuple[Path, str], ...] = ()

    @property
    def place(self) -> Path | None:
        """The file, folder or pattern; of a list of files the first; None where no data are named."""
        return self.parts[0] if self.parts else self.data


@dataclass(frozen=True)
class VariableEdit:
    """``[variables.NAME]``: attributes that override or complete the metadata; None = as the metadata says."""

    name: str
    start: int | None = None
    length: int | None = None
    column: int | None = None
    decimals: int | None = None
    label: str | None = None
    categorical: bool | None = None
    numeric: bool | None = None
    household: bool | None = None
    sensitive: bool | None = None
    truncable: bool | None = None
    removed: bool | None = None
    role: Role | None = None
    identification_level: int | None = None
    missing: tuple[str, ...] | None = None
    codelist: Path | None = None
    related: str | None = None
    suppression_weight: int | None = None
    suppressible: bool | None = None
    ordered: bool | None = None
    decision: Decision | None = None
    decided_by: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class HouseholdKey:
    """``[[derived]]``: a key variable computed from the household identifier.

    `members` of a type: variables by whose values in all members a household is of one type; none: its size in classes.
    """

    name: str
    kind: Literal["household-size", "household-type"]
    members: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Variables of the file, as they are after recoding, that it is made of."""
        return self.members


@dataclass(frozen=True)
class SetKey:
    """``[[derived]]`` of kind ``set``: a key variable whose value is the set of values in the `columns` of a record.

    `separator`: between the values in one column, which is then the only one; empty: one value a column.
    """

    name: str
    columns: tuple[str, ...]
    separator: str = ""
    kind: Literal["set"] = "set"

    @property
    def sources(self) -> tuple[str, ...]:
        """Variables of the file, as they are after recoding, that it is made of."""
        return self.columns


@dataclass(frozen=True)
class HouseholdSettings:
    """``[households]``: how household identifiers are read; `word`: what the groups are called, where no households."""

    empty_id: Literal["error", "own-household"] = "error"
    single_persons_above: int | None = None
    word: str = ""


@dataclass(frozen=True)
class Threshold:
    """A threshold by any one of its linked numbers; rates are fractions, counts are records or households.

    `exceedance`, beside an individual risk: the chance allowed that a record's true 1/F reaches that.
    """

    individual_risk: float | None = None
    reidentification_rate: float | None = None
    unsafe_records: int | None = None
    household_risk: float | None = None
    household_rate: float | None = None
    unsafe_households: int | None = None
    exceedance: float | None = None

    def __bool__(self) -> bool:
        return any(value is not None for value in vars(self).values())


@dataclass(frozen=True)
class Combination:
    """``[[combinations]]``: a set of key variables and the model by which it is judged."""

    variables: tuple[str, ...]
    model: Model = "individual-risk"
    count_threshold: int = 1
    k: int | None = None
    missing_rule: MissingRule = "observed"
    alpha: float = 1.0
    estimator: Estimator = "exact"
    threshold: Threshold = field(default_factory=Threshold)


@dataclass(frozen=True)
class Recode:
    """``[[recodes]]``: a global recode by scheme (file or text) or by truncation; always of the original codes."""

    variable: str
    scheme_file: Path | None = None
    scheme: str | None = None
    truncate: int | None = None
    missing: tuple[str, ...] | None = None
    codelist: Path | None = None


@dataclass(frozen=True)
class Cut:
    """Top or bottom coding: values at or beyond `at` become `replacement`."""

    at: float
    replacement: str


@dataclass(frozen=True)
class Numeric:
    """``[[numeric]]``: changes to one numerical variable."""

    variable: str
    top: Cut | None = None
    bottom: Cut | None = None
    round: float | None = None
    noise: float | None = None


class ByCode(dict[str, float]):
    """A number for each of some codes, as a parameter that may also be one number for all; never changed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


@dataclass(frozen=True)
class Perturbation:
    """``[[perturbations]]``: values changed at random; `parameters` are those of its method, as (name, value)."""

    method: str
    variables: tuple[str, ...] = ()
    parameters: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Scenario:
    """``[[scenarios]]``: what an intruder could know, and from where; measures can be taken on its `variables`."""

    name: str
    variables: tuple[str, ...]
    source: str = ""
    year: str = ""
    release_type: str = ""
    assumptions: str = ""


@dataclass(frozen=True)
class Suppression:
    """``[suppression]``: how missing codes are placed.

    `secret` : 128 random bits in hexadecimal, from which it is drawn which records lose values; None: see
        `core.results.record_draws`. No output may contain it.
    """

    criterion: Criterion = "entropy"
    mode: Mode = "original-counts"
    household_rule: Literal["sufficient", "exact"] = "sufficient"
    close_gaps: bool = False
    least_records: int = 1
    thorough: bool = False
    max_per_record: int = 1
    effort: int = 1000
    seed: int = 1
    secret: str | None = field(default=None, repr=False)
    time_limit: float | None = None


@dataclass(frozen=True)
class Measure:
    """``[[measures]]``: a risk measure beside the models; `parameters` are those of its kind, as (name, value).

    Without `variables` it is taken on those of a scenario, or of its sets: see `core.recipe.scenarios`.
    """

    kind: str
    variables: tuple[str, ...] = ()
    parameters: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class ProfileFile:
    """``[profile]``: the file with the rules that the safe file is to keep; None: none."""

    file: Path | None = None


@dataclass(frozen=True)
class Analysis:
    """``[[utility]]``: one of `table`, `mean` and `model`, made of the original and of the released file alike.

    `table` : variables by whose codes weights are counted
    `mean` : a number, by the codes of the variables `by` where there are some
    `model` : formula of a regression; see `core.recipe.model_formula`
    `goal` : the largest relative change of a count or a mean that is wanted, a fraction; None: none is said
    """

    table: tuple[str, ...] = ()
    mean: str = ""
    by: tuple[str, ...] = ()
    model: str = ""
    goal: float | None = None


@dataclass(frozen=True)
class Report:
    """``[report]``: what the release report says of itself.

    `answers` : (id, text) of the questions that boards ask (`core.report.questions`), in the order of the recipe.
    `thresholds` : whether users of the file are told the thresholds, too; other readers always are.
    """

    title: str = ""
    institution: str = ""
    author: str = ""
    release_type: str = ""
    remarks: str = ""
    language: str = ""
    variant: Variant = "internal"
    audience: Audience = "auditor"
    thresholds: bool = False
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def reader(self) -> Reader:
        """For whom it is written; users of the file are outside the house, whatever the variant."""
        return "users" if self.audience == "users" else self.variant

    def written_for(self, reader: Reader) -> Report:
        """The same for another reader."""
        if reader == "users":
            return replace(self, audience="users")
        return replace(self, audience="auditor", variant=reader)


OutputFile = Literal["data", "metadata", "report", "report_pdf", "summary", "records", "ddi", "table_schema"]
OUTPUT_FILES: tuple[OutputFile, ...] = get_args(OutputFile)
"""The files that ``[output]`` may name, in the order in which they are said."""


@dataclass(frozen=True)
class Output:
    """``[output]``: the files to write and how."""

    data: Path | None = None
    metadata: Path | None = None
    report: Path | None = None
    report_pdf: Path | None = None
    summary: Path | None = None
    records: Path | None = None
    ddi: Path | None = None
    table_schema: Path | None = None
    household_id: HouseholdId = "keep"
    shuffle: bool = False
    add_risk: bool = False
    seed: int = 1
    keep_households_together: bool = True


@dataclass(frozen=True)
class Recipe:
    """The whole state of a session. Everything else is derived from it and the files it names."""

    input: Input = field(default_factory=Input)
    variables: tuple[VariableEdit, ...] = ()
    derived: tuple[HouseholdKey | SetKey, ...] = ()
    households: HouseholdSettings = field(default_factory=HouseholdSettings)
    combinations: tuple[Combination, ...] = ()
    recodes: tuple[Recode, ...] = ()
    numeric: tuple[Numeric, ...] = ()
    perturbations: tuple[Perturbation, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    threshold: Threshold = field(default_factory=Threshold)
    suppression: Suppression = field(default_factory=Suppression)
    measures: tuple[Measure, ...] = ()
    profile: ProfileFile = field(default_factory=ProfileFile)
    utility: tuple[Analysis, ...] = ()
    report: Report = field(default_factory=Report)
    output: Output = field(default_factory=Output)

    @property
    def household_keys(self) -> tuple[HouseholdKey, ...]:
        """The derived key variables that follow from the household identifier."""
        return tuple(spec for spec in self.derived if isinstance(spec, HouseholdKey))

    @property
    def set_keys(self) -> tuple[SetKey, ...]:
        """The derived key variables that are made of several columns, or of several values in one."""
        return tuple(spec for spec in self.derived if isinstance(spec, SetKey))

    def with_(self, **changes: Any) -> Recipe:
        """A changed copy."""
        return replace(self, **changes)
