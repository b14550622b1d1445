"""The recipe as immutable values: the whole state of a session.

Attribute names are those of the TOML form (docs: the recipe). Paths are absolute in memory. None means
"not said": the default then applies where the recipe is carried out, and Save leaves the key out.

An attribute that is a key of the TOML form says so by `key`: reading, writing, what is refused, and the guide's page of
all keys follow from that (`core.recipe.sections`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..base.charsets import USABLE, charset
from ..base.texts import mark, phrase
from .criteria import JudgedByCriterion, MissingRule, Model

if TYPE_CHECKING:
    from ..base.errors import Notice

Estimator = Literal["exact", "truncated", "calibrated", "log-linear", "plug-in"]
Role = Literal["weight", "household-id", "direct-identifier", "other"]
Format = Literal["fixed", "delimited", "spss", "stata", "sas", "parquet", "excel"]
Criterion = Literal["none", "entropy", "weights"]
Mode = Literal["original-counts", "released-keys"]
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

MOST_GOAL = 100.0
"""The largest relative change that a goal can allow: nothing that is larger would be one."""

_OTHER_MODES = mark(
    'Say "released-keys" for the risk judged on the released file, or "original-counts" for the risk judged by the '
    "original file. How many records match is still a measure."
)


def key(sentence: str, **declared: Any) -> Mapping[str, Any]:
    """The metadata of an attribute that is a key of the recipe.

    Parameters
    ----------
    sentence : what it says, with Markdown, for the guide
    declared : ``always``: whether Save writes it where it is the default, too, or a function of the entry that tells
        it; all others as in `core.recipe.declared.Parameter`, where type, default and choices of the attribute do not
        tell them
    """
    return {"sentence": sentence, **declared}


def _is_delimiter(text: str) -> bool:
    return len(text) == 1 and text not in '"\r\n'


def _is_charset(text: str) -> bool:
    return charset(text) is not None


_VARIABLE = {"holds": str.strip, "expected": mark("the name of a variable")}


@dataclass(frozen=True)
class Input:
    """``[input]``: the microdata file, its metadata file, and how to read a delimited file.

    `units` : what the records are where no weight says it; None: nobody was asked.
    `parts` : the files, where ``data`` lists several of one layout; then `data` is None. A pattern or a folder is
    `data`.
    `sha256`, `checksums` : what the data, and each other file that is read, was when the recipe was saved.
    """

    data: Path | None = field(
        default=None,
        metadata=key(
            "The data. A pattern, a folder or a list of paths names the parts of one file. Every run needs it.",
            type="files",
        ),
    )
    metadata: Path | None = field(
        default=None,
        metadata=key("The `.rda` file that describes the data. Without it the header or the file itself does."),
    )
    format: Format | None = field(default=None, metadata=key("Which format it is, where the suffix does not tell."))
    delimiter: str | None = field(
        default=None,
        metadata=key(
            "One character between the columns of a delimited file.",
            holds=_is_delimiter,
            expected=mark("one character that is neither a quote nor an end of line"),
        ),
    )
    header: bool | None = field(default=None, metadata=key("Whether the first line of a delimited file has the names."))
    encoding: str | None = field(
        default=None,
        metadata=key(
            "The encoding of a text file: `utf-8`, `utf-16`, or one of one byte a character, such as `cp1252` or "
            "`latin-1`. Another name is refused.",
            holds=_is_charset,
            expected=phrase("one of these: {usable}", usable=USABLE),
        ),
    )
    decimal: str | None = field(
        default=None, metadata=key("The decimal mark of the numbers in a text file.", type="choice", choices=(".", ","))
    )
    units: Units | None = field(
        default=None,
        metadata=key(
            "What the records are where no variable is the weight. A `sample` without weights is not judged by risk; "
            "of a whole `population` the risk is 1/f."
        ),
    )
    sha256: str | None = field(
        default=None,
        metadata=key(
            "The checksum of the data, which Save writes. A file with another one is refused.", type="checksum"
        ),
    )
    variables: Literal["from-metadata", "here"] = field(
        default="from-metadata",
        metadata=key("`here`: only the variables of this recipe are described, not those of the header."),
    )
    parts: tuple[Path, ...] = ()
    checksums: tuple[tuple[Path, str], ...] = field(
        default=(),
        metadata=key(
            "`[input.checksums]`: the checksums of the other files that are read, by path. Save writes them. A file "
            "with another one is refused.",
            type="checksums",
        ),
    )

    @property
    def place(self) -> Path | None:
        """The file, folder or pattern; of a list of files the first; None where no data are named."""
        return self.parts[0] if self.parts else self.data


@dataclass(frozen=True)
class VariableEdit:
    """``[variables.NAME]``: attributes that override or complete the metadata; None = as the metadata says."""

    name: str
    start: int | None = field(
        default=None,
        metadata=key("Fixed format: the first place of the field. Fields that overlap are refused.", low=1),
    )
    length: int | None = field(default=None, metadata=key("Fixed format: how many characters the field has.", low=1))
    column: int | None = field(
        default=None, metadata=key("Delimited file without names: the number of the column.", low=1)
    )
    decimals: int | None = field(default=None, metadata=key("Digits behind the decimal mark.", low=0, high=18))
    label: str | None = field(default=None, metadata=key("What the variable is, in words."))
    categorical: bool | None = field(default=None, metadata=key("Whether it has codes. Key variables have to."))
    numeric: bool | None = field(default=None, metadata=key("Whether it is a number."))
    household: bool | None = field(
        default=None, metadata=key("A household variable: one value for the whole household.")
    )
    sensitive: bool | None = field(default=None, metadata=key("What an intruder would like to learn."))
    truncable: bool | None = field(default=None, metadata=key("Whether cutting digits from the right makes sense."))
    removed: bool | None = field(default=None, metadata=key("Not written to the safe file."))
    role: Role | None = field(
        default=None, metadata=key("What the variable is for. Two weights, or two household identifiers, are refused.")
    )
    identification_level: int | None = field(
        default=None, metadata=key("How well it identifies: 1 best, 5 least, 0 not.", low=0, high=5)
    )
    missing: tuple[str, ...] | None = field(
        default=None, metadata=key("The codes that mean unknown. The first is what suppression writes.", type="texts")
    )
    codelist: Path | None = field(default=None, metadata=key("The file with the labels of its codes."))
    related: str | None = field(default=None, metadata=key("A variable that is suppressed wherever this one is."))
    suppression_weight: int | None = field(
        default=None,
        metadata=key(
            'How dear its values are: 0 goes first, 100 last. Counts with `criterion = "weights"`.', low=0, high=100
        ),
    )
    suppressible: bool | None = field(
        default=None, metadata=key("`false`: never suppressed. Records that stay unsafe because of it are an error.")
    )
    ordered: bool | None = field(default=None, metadata=key("Whether neighbouring codes may be merged."))
    decision: Decision | None = field(
        default=None,
        metadata=key("What becomes of a released column that no model judges. Only `keep` decides by itself."),
    )
    decided_by: str | None = field(default=None, metadata=key("Who decided."))
    reason: str | None = field(default=None, metadata=key("Why."))


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
class MultiResponseKey:
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
    """``[households]``: how household identifiers are read."""

    empty_id: Literal["error", "own-household"] = field(
        default="error", metadata=key("Records without an identifier: refused, or each a household of its own.")
    )
    single_persons_above: int | None = field(
        default=None,
        metadata=key(
            "Members of larger groups, such as institutions, are judged as single persons. The safe file then needs "
            '`household_id = "sequence"` or `"remove"`: users could count a group whose identifier is kept.',
            low=1,
        ),
    )


@dataclass(frozen=True)
class Threshold:
    """A threshold by any one of its linked numbers; rates are fractions, counts are records or households.

    `exceedance`, beside an individual risk: the chance allowed that a record's true 1/F reaches that.
    """

    individual_risk: float | None = field(
        default=None, metadata=key("A record at this risk or above is unsafe.", low=0.0, high=1.0, low_included=False)
    )
    reidentification_rate: float | None = field(
        default=None,
        metadata=key(
            "The threshold by which at most this rate is left. At the rate of the file or above no record is unsafe.",
            low=0.0,
            high=1.0,
            low_included=False,
        ),
    )
    unsafe_records: int | None = field(
        default=None, metadata=key("The smallest threshold at which at most so many records are unsafe.", low=0)
    )
    household_risk: float | None = field(
        default=None,
        metadata=key("A household at this risk or above is unsafe.", low=0.0, high=1.0, low_included=False),
    )
    household_rate: float | None = field(
        default=None, metadata=key("As `reidentification_rate`, of households.", low=0.0, high=1.0, low_included=False)
    )
    unsafe_households: int | None = field(default=None, metadata=key("As `unsafe_records`, of households.", low=0))
    exceedance: float | None = field(
        default=None,
        metadata=key(
            "The promise: the chance allowed that somebody stands at `individual_risk` or above. Needs `estimator = "
            '"calibrated"`, and no household threshold.',
            low=0.0,
            high=1.0,
            low_included=False,
            high_included=False,
        ),
    )

    def __bool__(self) -> bool:
        return any(value is not None for value in vars(self).values())


@dataclass(frozen=True)
class Combination(JudgedByCriterion):
    """``[[combinations]]``: a set of key variables and the model by which it is judged."""

    variables: tuple[str, ...] = field(
        metadata=key("The key variables, each once. Risk tables with a variable in common are refused.")
    )
    model: Model = field(
        default="individual-risk",
        metadata=key("How it is judged: by risk, the threshold rule, k-anonymity, or l-diversity.", always=True),
    )
    count_threshold: int = field(
        default=1,
        metadata=key(
            "Threshold rule: a combination of values is unsafe that occurs, but at most so often.",
            low=0,
            always=lambda entry: entry.judges_margins,
        ),
    )
    k: int | None = field(
        default=None,
        metadata=key(
            "`k-anonymity`: how many records share a key at least; required there, and refused for another model.",
            low=1,
            high=MOST_RECORDS,
        ),
    )
    l: int | None = field(  # noqa: E741
        default=None,
        metadata=key(
            "`l-diversity`: how many different values of the sensitive variable stand behind a key at least; required "
            "there, and refused for another model. A missing value is none, and a key with missing values alone is not "
            "judged.",
            low=1,
            high=MOST_RECORDS,
        ),
    )
    sensitive: str | None = field(
        default=None,
        metadata=key(
            "`l-diversity`: the sensitive variable, which is no key; required there, and refused for another model.",
            **_VARIABLE,
        ),
    )
    missing_rule: MissingRule = field(
        default="observed",
        metadata=key(
            "How records with missing values count for each other. For k-anonymity the default is `category`. The "
            "threshold rule and l-diversity have none.",
            always=lambda entry: entry.criterion.has_missing_rule,
        ),
    )
    alpha: float = field(
        default=1.0,
        metadata=key(
            "Under `wildcard`: the share with which a record counts that has a missing value where the other has "
            "one. Under another rule refused.",
            low=0.0,
            high=1.0,
        ),
    )
    estimator: Estimator = field(
        default="exact",
        metadata=key(
            "`individual-risk`: how the risk of a cell is found. `truncated` and `plug-in` are for comparison only; "
            "by `plug-in` nothing is protected. `calibrated` and `log-linear` need `observed`."
        ),
    )
    threshold: Threshold = field(
        default_factory=Threshold, metadata=key("The threshold of this combination, with the keys of `[threshold]`.")
    )

    @property
    def looked_at(self) -> tuple[str, ...]:
        """All variables by which it judges: the keys, and the sensitive one."""
        return self.variables if self.sensitive is None else (*self.variables, self.sensitive)

    @property
    def least_size(self) -> int | None:
        """How many records every released key must have; None where the criterion does not say it."""
        name = self.criterion.least_size
        found: int | None = getattr(self, name) if name else None
        return found


@dataclass(frozen=True)
class Recode:
    """``[[recodes]]``: a global recode by scheme (file or text) or by truncation; always of the original codes."""

    variable: str = field(metadata=key("The variable, once in all recodes.", **_VARIABLE))
    scheme_file: Path | None = field(
        default=None,
        metadata=key("A `.grc` file with the scheme. Exactly one of this, `scheme` and `truncate` is said."),
    )
    scheme: str | None = field(default=None, metadata=key("The scheme itself, as text."))
    truncate: int | None = field(default=None, metadata=key("How many characters are cut from the right.", low=1))
    missing: tuple[str, ...] | None = field(
        default=None, metadata=key("The missing codes afterwards, in place of those of the scheme.", type="texts")
    )
    codelist: Path | None = field(
        default=None, metadata=key("The labels of the new codes, in place of those of the scheme.")
    )


@dataclass(frozen=True)
class TopBottomCode:
    """Top or bottom coding: values at or beyond `at` become `replacement`."""

    at: float = field(metadata=key("Values at or beyond it become the replacement. `bottom` has to be below `top`."))
    replacement: str = field(metadata=key("What is written, as text of one line."))


@dataclass(frozen=True)
class NumericEdit:
    """``[[numeric]]``: changes to one numerical variable."""

    variable: str = field(
        metadata=key("The variable, once in all entries. A key, or a recoded variable, is refused.", **_VARIABLE)
    )
    top: TopBottomCode | None = field(default=None, metadata=key("Top and bottom coding, below."))
    bottom: TopBottomCode | None = field(default=None, metadata=key("Top and bottom coding, below."))
    round: float | None = field(
        default=None, metadata=key("The base to whose multiples values are rounded.", low=0.0, low_included=False)
    )


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

    name: str = field(
        metadata=key(
            "By which measures and combinations say it.",
            holds=str.strip,
            expected=mark("a name by which measures can say it"),
        )
    )
    variables: tuple[str, ...] = field(metadata=key("What is known of people."))
    source: str = field(default="", metadata=key("From where."))
    year: str = field(default="", metadata=key("Of when; a number or a text.", type="text-or-integer"))
    release_type: str = field(default="", metadata=key("Of what kind of release it is thought."))
    assumptions: str = field(default="", metadata=key("What else is assumed."))


@dataclass(frozen=True)
class Suppression:
    """``[suppression]``: how missing codes are placed.

    `secret` : 128 random bits in hexadecimal, from which it is drawn which records lose values; None: see
        `core.results.record_draws`. No output may contain it.
    """

    criterion: Criterion = field(
        default="entropy",
        metadata=key(
            "What a blank costs: information, or weights. Each risk table then needs a threshold. `none`: nothing is "
            "suppressed.",
            always=True,
        ),
    )
    mode: Mode = field(
        default="original-counts",
        metadata=key(
            "How a record with blanks is judged. `released-counts` is refused: say one of these.",
            always=True,
            retired=(("released-counts", _OTHER_MODES),),
        ),
    )
    close_gaps: bool = field(default=False, metadata=key("`original-counts` only: no blank that the rules tell."))
    least_records: int = field(
        default=1,
        metadata=key("`released-keys` only: the least records under every released key.", low=1, high=MOST_RECORDS),
    )
    thorough: bool = field(
        default=False,
        metadata=key(
            "Solve small tables exactly, where a search would look for a good solution. For `released-keys` and for "
            "k-anonymity."
        ),
    )
    effort: int = field(
        default=1000,
        metadata=key(
            "How long a search goes on, in rounds; never seconds. The largest is a thousand usual searches.",
            low=0,
            high=LARGEST_EFFORT,
        ),
    )
    seed: int = field(default=1, metadata=key("What the search for suppressions follows from.", low=0))
    secret: str | None = field(
        default=None,
        repr=False,
        metadata=key(
            "32 hexadecimal digits (128 random bits): with the records' original values it decides which records of "
            "a cell lose values. Keep it from release to release, and give it to nobody. Without one the seed, the "
            "key variables and all variables that are not released decide.",
            type="secret",
        ),
    )
    time_limit: float | None = field(
        default=None, metadata=key("Seconds; in the windows only. Refused by the command.", low=0.0, low_included=False)
    )


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

    file: Path | None = field(
        default=None,
        metadata=key("A [release profile](profile-check.md). A rule that is broken ends the run, status 1."),
    )


TARGETS = ("public-use", "scientific-use", "in-house")
"""Targets whose rules come with the program."""


@dataclass(frozen=True)
class Target:
    """``[target]``: for whom the safe file is, as the rules by which its release is decided; None: not said."""

    profile: str | Path | None = field(
        default=None,
        metadata=key(
            "The rules of the [verdict](verdict.md). `[profile]` is refused then. An open rule never ends the run.",
            type="name-or-file",
            choices=TARGETS,
        ),
    )


LEAST_REASON = 10
"""Characters of a reason, at least."""


@dataclass(frozen=True)
class Accepted:
    """``[[accepted]]``: an open rule of the target that a named person accepts."""

    rule: str = field(
        metadata=key("The `check` of the rule.", holds=str.strip, expected=mark("the name of a check")),
    )
    about: tuple[str, ...] = field(
        default=(),
        metadata=key("Variables that are accepted; a finding on another one opens the rule again. None: any."),
    )
    by: str = field(default="", metadata=key("Who accepts it.", holds=str.strip, expected=mark("the name of a person")))
    on: date | None = field(default=None, metadata=key("When."))
    reason: str = field(
        default="",
        metadata=key(
            "Why; at least 10 characters.",
            holds=lambda text: len(text.strip()) >= LEAST_REASON,
            expected=mark("a reason of at least 10 characters"),
        ),
    )
    number: int | None = field(
        default=None,
        metadata=key("The accepted number, as the summary has it. A larger number opens the rule again.", low=0),
    )


@dataclass(frozen=True)
class Analysis:
    """``[[utility]]``: one of `table`, `mean` and `model`, made of the original and of the released file alike.

    `table` : variables by whose codes weights are counted
    `mean` : a number, by the codes of the variables `by` where there are some
    `model` : formula of a regression; see `core.recipe.model_formula`
    `goal` : the largest relative change of a count or a mean that is wanted, a fraction; None: none is said
    """

    table: tuple[str, ...] = field(
        default=(),
        metadata=key(
            "Variables by whose codes weights are counted. Each entry says one of `table`, `mean` and `model`."
        ),
    )
    mean: str = field(default="", metadata=key("A number whose mean is taken."))
    by: tuple[str, ...] = field(default=(), metadata=key("With `mean`: the groups."))
    model: str = field(default="", metadata=key("The formula of a regression, such as `INCOME ~ AGE + SEX`."))
    goal: float | None = field(
        default=None,
        metadata=key(
            "Of a `table` or a `mean`: the largest relative change that is wanted, a fraction.",
            low=0.0,
            high=MOST_GOAL,
            low_included=False,
        ),
    )


@dataclass(frozen=True)
class Report:
    """``[report]``: what the release report says of itself.

    `answers` : (id, text) of the questions that boards ask (`core.report.questions`), in the order of the recipe.
    `thresholds` : whether users of the file are told the thresholds, too; other readers always are.
    """

    title: str = field(default="", metadata=key("The title."))
    institution: str = field(default="", metadata=key("The institution."))
    author: str = field(default="", metadata=key("Who made it."))
    release_type: str = field(default="", metadata=key("For whom the file is, and under which terms."))
    remarks: str = field(default="", metadata=key("Anything else; lines are kept."))
    language: str = field(default="", metadata=key("The language of the report."))
    variant: Variant = field(
        default="internal", metadata=key("`external`: without paths, seeds and figures of the original.")
    )
    audience: Audience = field(
        default="auditor", metadata=key("`users`: what was done and what it does to analyses, without risks.")
    )
    thresholds: bool = field(default=False, metadata=key("Whether users of the file are told the thresholds."))
    answers: tuple[tuple[str, str], ...] = field(
        default=(), metadata=key("What you say to the questions of boards, by their ids.", type="answers")
    )

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

    data: Path | None = field(
        default=None,
        metadata=key(
            "The safe file; the suffix says the format. Without it nothing is protected. An input is refused."
        ),
    )
    metadata: Path | None = field(default=None, metadata=key("Its description, `.rds`, with codelists beside it."))
    report: Path | None = field(default=None, metadata=key("The report as HTML."))
    report_pdf: Path | None = field(default=None, metadata=key("The report as PDF."))
    summary: Path | None = field(
        default=None, metadata=key("All figures as JSON. Without it they go to standard output.")
    )
    records: Path | None = field(
        default=None, metadata=key("The risks of each record of the original, as csv. Never release it.")
    )
    ddi: Path | None = field(default=None, metadata=key("A DDI-Codebook 2.5 of the safe file."))
    table_schema: Path | None = field(default=None, metadata=key("A Table Schema of a delimited safe file."))
    household_id: HouseholdId = field(default="keep", metadata=key("What becomes of the household identifier."))
    shuffle: bool = field(default=False, metadata=key("Records in random order."))
    add_risk: bool = field(
        default=False, metadata=key("Frequencies and risks as columns of the safe file. For use inside the house.")
    )
    seed: int = field(
        default=1, metadata=key("What the random order follows from, with the data and all choices.", low=0)
    )
    keep_households_together: bool = field(
        default=True, metadata=key("In random order the members of a household stay side by side.")
    )


@dataclass(frozen=True)
class Recipe:
    """The whole state of a session. Everything else is derived from it and the files it names."""

    input: Input = field(default_factory=Input)
    variables: tuple[VariableEdit, ...] = ()
    derived: tuple[HouseholdKey | MultiResponseKey, ...] = ()
    households: HouseholdSettings = field(default_factory=HouseholdSettings)
    combinations: tuple[Combination, ...] = ()
    recodes: tuple[Recode, ...] = ()
    numeric: tuple[NumericEdit, ...] = ()
    perturbations: tuple[Perturbation, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    threshold: Threshold = field(default_factory=Threshold)
    suppression: Suppression = field(default_factory=Suppression)
    measures: tuple[Measure, ...] = ()
    profile: ProfileFile = field(default_factory=ProfileFile)
    target: Target = field(default_factory=Target)
    accepted: tuple[Accepted, ...] = ()
    utility: tuple[Analysis, ...] = ()
    report: Report = field(default_factory=Report)
    output: Output = field(default_factory=Output)
    read_as: tuple[Notice, ...] = field(default=(), compare=False)
    """What its file says in a former way; never written."""

    @property
    def household_keys(self) -> tuple[HouseholdKey, ...]:
        """The derived key variables that follow from the household identifier."""
        return tuple(spec for spec in self.derived if isinstance(spec, HouseholdKey))

    @property
    def set_keys(self) -> tuple[MultiResponseKey, ...]:
        """The derived key variables that are made of several columns, or of several values in one."""
        return tuple(spec for spec in self.derived if isinstance(spec, MultiResponseKey))

    def with_(self, **changes: Any) -> Recipe:
        """A changed copy."""
        return replace(self, **changes)
