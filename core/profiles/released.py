"""What checks look at: the safe file as it is decided, record by record in the original's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.one_in import tries
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate, with_marks
from ..data.columns import EncodedColumn, Weights
from ..data.times import Times
from ..data.variables import Metadata, Variable
from ..recipe.criteria import MissingRule
from ..recipe.declared import Parameter
from ..recipe.model import Recipe
from ..results.households import members_apart
from ..risk.individual import TOLERANCE, lowest_unsafe
from ..risk.released_opinion import ReleasedOpinion
from ..tables.tabulate import tabulate_records
from .model import Flags, Judgement

NAMES = 5
"""Names that a sentence lists; of more than these the others are counted."""

VARIABLES = Parameter(
    "variables", "variables", mark("Variables in place of those that the check takes by itself."), as_read=True
)


@dataclass(frozen=True, eq=False)
class JudgedRisk:
    """A combination judged by risk: its variables and what each record is judged by, (n,) float64, nan: left out."""

    variables: tuple[str, ...]
    risk: NDArray[np.float64]


@dataclass(frozen=True)
class TableEstimates:
    """What each estimate finds in the safe file by one combination.

    Attributes
    ----------
    variables : of the combination
    estimator : that decides, as a recipe names it; empty: a criterion without a risk
    limit : threshold of its individual risk; None: none
    k : of k-anonymity; None: another criterion
    unsafe : records that its own criterion finds unsafe; None: nothing was asked
    household_limit, unsafe_households, largest_household_risk : of households, likewise; None: none, not assessed
    other : the other estimate; None: there is none
    exact : whether there is none because the risk is known: the file is its own population
    below_exact : records that the exact individual risk finds unsafe, where an estimator below it decides
    hidden : records that only their own household makes safe; None: not counted
    """

    variables: tuple[str, ...]
    estimator: str = ""
    limit: float | None = None
    k: int | None = None
    unsafe: int | None = None
    household_limit: float | None = None
    unsafe_households: int | None = None
    largest_household_risk: float | None = None
    other: ReleasedOpinion | None = None
    exact: bool = False
    below_exact: int = 0
    hidden: int | None = None

    @property
    def name(self) -> str:
        """The combination in a sentence."""
        return " × ".join(self.variables)

    def found_by_others(self, most: float | None = None) -> int:
        """Records at or above the threshold by another estimate; all of them where their number is not counted.

        `most` : a limit of the rules; the lower one of both counts
        """
        found = self.below_exact if self.other is None else max(self.below_exact, self.other.unsafe or 0)
        if self.other is None or self.uncounted(most) is None:
            return found
        return max(found, self.other.records)

    def uncounted(self, most: float | None) -> float | None:
        """The largest risk by the other estimate where it is not below `most` and records were not counted by that."""
        if self.other is None or most is None or self.other.maximum < lowest_unsafe(most):
            return None
        return None if self.limit is not None and self.limit <= most else self.other.maximum


@dataclass(frozen=True, eq=False)
class ReleasedFile:
    """A safe file of n rows: its records, or where it is in parts cells that stand for several records each.

    Attributes
    ----------
    recipe : that makes it
    original, layout : metadata of the original and of the safe file
    records : number of records
    released : (name) -> its released values, recoded, changed and suppressed
    before : (name) -> its values in the original
    labels : of released codes, by variable
    weights : of the original; None where every record weighs 1
    household_of_record : (n,) uint32; None without a household identifier
    risks : one a combination judged by individual risk, as the mode of suppression judges
    calibrated : (variables) -> (n,) the calibrated risk of a model that is fitted to the released keys
    certain : suppressed values that follow from others
    undecided : names of released columns that no combination judges and on which nobody has decided
    telling : names of released columns that look like direct identifiers
    records_of_rows : (n,) how many records each row stands for; None: one each
    amounts : names of released columns that look like amounts, declared or not; None: any may be
    goals : what each own table or mean with a goal is called, and whether the goal is kept
    estimates : one a combination
    suppressed : suppressed values, and records that have one
    disclosures : variables by which, or findings from which, suppressed values can be inferred
    keys_left_out : names of released key variables in no combination, and not set aside with a reason
    """

    recipe: Recipe
    original: Metadata
    layout: Metadata
    records: int
    released: Callable[[str], EncodedColumn]
    before: Callable[[str], EncodedColumn]
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    weights: Weights | None = None
    household_of_record: NDArray[np.uint32] | None = None
    risks: Callable[[], Sequence[JudgedRisk]] = tuple
    calibrated: Callable[[tuple[str, ...]], NDArray[np.float64]] | None = None
    certain: int = 0
    undecided: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    amounts: tuple[str, ...] | None = None
    goals: Callable[[], Sequence[tuple[str, bool]]] = tuple
    estimates: Callable[[], Sequence[TableEstimates]] = tuple
    suppressed: tuple[int, int] = (0, 0)
    disclosures: tuple[str, ...] = ()
    keys_left_out: tuple[str, ...] = ()
    progress: Progress = SILENT
    records_of_rows: NDArray[np.int64] | None = None

    @property
    def shows_households(self) -> bool:
        """Whether data users can see which records are of one household."""
        return self.household_of_record is not None and not members_apart(self.recipe)

    @property
    def is_weighted(self) -> bool:
        """Whether the records have weights."""
        return self.weights is not None

    @property
    def rows(self) -> int:
        """Number of rows n."""
        return self.records if self.records_of_rows is None else len(self.records_of_rows)

    def count(self, flagged: Flags) -> int:
        """Records of the rows that `flagged` (n,) marks."""
        return Times(self.records_of_rows).count(flagged)

    def identifying(self) -> tuple[str, ...]:
        """The identifying variables that it holds, in file order: of level 1 or more, or in a combination."""
        used = {name for combination in self.recipe.combinations for name in combination.variables}
        return self.those(lambda v: v.identification_level >= 1 or v.name in used)

    def of_no_identifying(self, parameters: Mapping[str, Any]) -> Judgement | None:
        """That a rule on identifying variables is not shown to hold, where nobody has said which these are; else None.

        A file of other variables that nobody has looked at would keep all such rules.
        """
        if parameters.get(VARIABLES.name) is not None or self.identifying() or not self.those(lambda v: True):
            return None
        return Judgement.of_file(False, self.records, translate(mark("no variable is said to be identifying")))

    def those(self, wanted: Callable[[Variable], bool]) -> tuple[str, ...]:
        """The released variables of a kind, in file order; weights and identifiers are none."""
        return tuple(
            v.name
            for v in self.original.variables
            if v.name in self.layout and v.role == "other" and not v.removed and wanted(v)
        )

    def named(self, parameters: Mapping[str, Any], otherwise: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """The released ones of the variables that a rule names; those of `otherwise` where it names none."""
        said = parameters.get(VARIABLES.name)
        if said is None:
            return otherwise()
        derived = {spec.name for spec in self.recipe.derived}
        return tuple(name for name in said if name in self.layout or name in derived)

    def frequencies(self, names: Sequence[str], rule: MissingRule, weighted: bool) -> tuple[NDArray[np.float64], Flags]:
        """Of each record how many share its values of `names`, (n,), and whether it has a value of each.

        weighted : whether the sum of weights is wanted, people, rather than the number of records
        """
        weights = self.weights if weighted else None
        columns = [self.released(name) for name in names]
        cells, index = tabulate_records(columns, weights, rule, progress=self.progress)
        return index.spread(cells.F if weighted else cells.f), index.spread(cells.missing == 0)

    def too_few_people(self, sets: Iterable[tuple[str, ...]], least: float) -> Judgement:
        """Which records have values of one of `sets`, all of them, that stand for fewer than `least` people."""

        def rare(names: tuple[str, ...]) -> Flags:
            people, has_all = self.frequencies(names, "category", weighted=True)
            return has_all & (people < least * (1.0 - TOLERANCE))

        return self.by_part((names, rare(names)) for names in sets)

    def by_part(self, parts: Iterable[tuple[tuple[str, ...], Flags]]) -> Judgement:
        """A rule that is asked of several keys or variables: (names, (n,) bool, which records break it there)."""
        flagged = np.zeros(self.rows, np.bool_)
        by_names: dict[str, int] = {}
        about: dict[str, None] = {}
        for names, here in parts:
            self.progress.check()
            if here.any():
                by_names[" × ".join(names)] = self.count(here)
                about |= dict.fromkeys(names)
                flagged |= here
        return Judgement.of(flagged, by_records(by_names), self.records_of_rows, tuple(about))


def one_in(risk: float) -> str:
    """A limit of risk in words, "1 in 20"; as a number where that would say nothing."""
    told = tries(risk) if 0 < risk < 1 else 1
    if told == 1:
        return with_marks(f"{risk:.6g}")
    return translate("1 in {n}").format(n=with_marks(f"{told:g}" if told < 1e6 else str(round(told))))


def grouped(number: int) -> str:
    """A whole number, in groups as the language in use has them."""
    return with_marks(str(number))


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first few of them."""
    if len(names) <= NAMES:
        return ", ".join(names)
    return translate("{names} and {more} more").format(names=", ".join(names[:NAMES]), more=len(names) - NAMES)


def by_records(found: Mapping[str, int]) -> str:
    """What has how many records, the most first."""
    most = sorted(found, key=lambda name: (-found[name], name))
    return listed([translate("{name} ({n})").format(name=name, n=grouped(found[name])) for name in most])


def asked_of(words: str, parameters: Mapping[str, Any]) -> str:
    """`words`, with the variables that a rule names."""
    names = parameters.get(VARIABLES.name)
    return words if names is None else translate("{rule} ({names})").format(rule=words, names=", ".join(names))
