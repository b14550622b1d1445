"""What a household identifier brings: households, key variables derived from them, and household risks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural, translate
from ..data.columns import EncodedColumn, Microdata
from ..data.encoding import frozen, smallest_type
from ..data.households import Households
from ..data.variables import Metadata, Variable
from ..recipe.model import HouseholdKey as DerivedKey
from ..recipe.model import Recipe, Threshold
from ..risk.distribution import RiskDistribution
from ..risk.household import HouseholdRisk, HouseholdStaircase, household_risk
from ..tables.cell_index import CellIndex
from .set_keys import set_variables

TYPES = ((1, "1"), (2, "2"), (4, "3-4"), (None, "5+"))
"""Largest size and code of each household type: the identifier alone tells no more than how many members there are."""

_LABELS = {
    "household-size": mark("Number of household members in the file"),
    "household-type": mark("Household type: members in the file, in classes"),
}


def derived_variable(recipe: Recipe, name: str) -> Variable | None:
    """A key variable of the household, in the recipe's ``[[derived]]``, as if it were declared; None for others."""
    spec = next((spec for spec in recipe.household_keys if spec.name == name), None)
    if spec is None:
        return None
    label = translate(_LABELS[spec.kind])
    if spec.members:
        label = translate(mark("Household type: members by {names}")).format(names=", ".join(spec.members))
    return Variable(name, label=label, categorical=True, household=True, suppressible=False)


def variable_of(recipe: Recipe, metadata: Metadata, name: str) -> Variable:
    """The variable `name`, declared or derived; KeyError where it is neither."""
    sets = set_variables(recipe, metadata) if name not in metadata else {}
    return sets.get(name) or derived_variable(recipe, name) or metadata[name]


def derived_column(spec: DerivedKey, households: Households) -> EncodedColumn:
    """Household size or type of each record, encoded; it has no missing code, for it stands in no file.

    Size counts the members in the file; members that were not sampled are not known. Type is the size in the classes
    of `TYPES`.
    """
    if spec.kind == "household-size":
        sizes, of_household = np.unique(households.size, return_inverse=True)
        codes = tuple(map(str, sizes.tolist()))
    else:
        limits = [largest for largest, _ in TYPES if largest is not None]
        classes, of_household = np.unique(np.searchsorted(limits, households.size), return_inverse=True)
        codes = tuple(TYPES[number][1] for number in classes.tolist())
    width = max(map(len, codes), default=1)
    small: NDArray[np.unsignedinteger] = of_household.astype(smallest_type(max(len(codes), 1)))
    counts = np.zeros(len(codes), np.int64)
    np.add.at(counts, households.of_file(of_household), households.of_file(households.size))
    values = frozen(small[households.household_of_record])
    padded = tuple(code.rjust(width) for code in codes)
    records = households.records_of_rows
    return EncodedColumn(spec.name, values, codes, padded, frozen(counts), len(codes), width, records)


def with_identifier(names: Sequence[str], metadata: Metadata) -> tuple[str, ...]:
    """`names` and the household identifier, where there is one."""
    identifier = metadata.household_id
    return tuple(dict.fromkeys((*names, identifier.name) if identifier else names))


def with_derived(
    microdata: Microdata, derived: Mapping[str, EncodedColumn], identifier: str, names: Sequence[str]
) -> Microdata:
    """`microdata` with the derived columns, and without the identifier unless it is itself among `names`."""
    columns = {name: c for name, c in microdata.columns.items() if name != identifier or name in names}
    return replace(microdata, columns={**columns, **derived})


def household_names(recipe: Recipe, metadata: Metadata) -> frozenset[str]:
    """Variables with one value a household; none without an identifier."""
    if metadata.household_id is None:
        return frozenset()
    declared = (*metadata.variables, *set_variables(recipe, metadata).values())
    return frozenset((*(v.name for v in declared if v.household), *(spec.name for spec in recipe.household_keys)))


def members_apart(recipe: Recipe) -> bool:
    """Whether nobody can tell from the safe file who lives together: no identifier, and members not side by side."""
    output = recipe.output
    return output.household_id == "remove" and output.shuffle and not output.keep_households_together


def refuse_shared_by_single_persons(recipe: Recipe, metadata: Metadata, households: Households | None) -> None:
    """Refuse to write an identifier as it is that persons share who are assessed as single persons.

    Users of the file would count the group, whose size no risk was assessed with.

    Raises
    ------
    RecipeError
        ``single-persons-share-identifier``
    """
    identifier, output = metadata.household_id, recipe.output
    if identifier is None or households is None or not len(households.single) or identifier.removed:
        return
    if output.data is None or output.household_id != "keep":
        return
    raise RecipeError(
        "single-persons-share-identifier",
        plural(
            len(households.single),
            "{groups} group of more than {limit} records with the same {variable} is assessed as single persons, but "
            "the safe file would keep {variable}: users of the file could count the group.",
            "{groups} groups of more than {limit} records with the same {variable} are assessed as single persons, but "
            "the safe file would keep {variable}: users of the file could count these groups.",
        ),
        mark('Set output.household_id = "sequence", which gives each of these persons a number of their own, or '
             '"remove"; or remove single_persons_above from [households].'),
        groups=len(households.single),
        limit=recipe.households.single_persons_above,
        variable=identifier.name,
    )  # fmt: skip


def together_all_the_same(recipe: Recipe, households: Households) -> Iterator[Notice]:
    """Where the safe file shows who lives together though the recipe wants members apart, or removes the identifier."""
    output = recipe.output
    if output.shuffle and not output.keep_households_together and output.household_id != "remove":
        yield Notice.of(
            "households-kept-together",
            mark(
                "keep_households_together = false has no effect: the safe file has a household identifier, so the "
                'members of a household stay side by side. Set household_id = "remove" to write them apart.'
            ),
        )
    if output.data is None:
        return
    yield from _single_persons_side_by_side(recipe, households)
    if output.household_id != "remove" or members_apart(recipe):
        return
    adjacent = households.count(households.size > 1) - (0 if output.shuffle else households.scattered)
    if adjacent > 0:
        text = plural(
            adjacent,
            "The record order shows who lives together in {n} household, although the identifier is removed. Write the "
            "records in random order and separate the members of a household.",
            "The record order shows who lives together in {n} households, although the identifier is removed. Write "
            "the records in random order and separate the members of a household.",
        )
        yield Notice.of("order-shows-households", text, n=adjacent)


def _single_persons_side_by_side(recipe: Recipe, households: Households) -> Iterator[Notice]:
    """Where large groups are assessed as single persons, and the order of the file shows that they are one group."""
    if recipe.output.shuffle or not len(households.single):
        return
    shown = len(households.single)
    if households.times is None:
        code = households.code_of_household[households.household_of_record]
        beside = code[1:][code[1:] == code[:-1]]
        steps = np.bincount(beside[np.isin(beside, households.single)])
        shown = int((2 * steps > (recipe.households.single_persons_above or 0)).sum())
    if shown:
        text = plural(
            shown,
            "{n} group is assessed as single persons, but its records are side by side in the safe file, so users can "
            "see that it is one group. Write the records in random order.",
            "{n} groups are assessed as single persons, but their records are side by side in the safe file, so users "
            "can see that each is one group. Write the records in random order.",
        )
        yield Notice.of("order-shows-single-persons", text, n=shown)


def household_risks(
    cell_index: CellIndex, risk: NDArray[np.float64], households: Households, progress: Progress = SILENT
) -> HouseholdRisk:
    """Household risks by the individual risks of the records' cells, whatever the threshold."""
    of_households = household_risk(risk, cell_index.of_record, households, progress)
    staircase = HouseholdStaircase.of(risk, cell_index.of_record, of_households, households, progress)
    return HouseholdRisk(of_households, staircase, None, False)


def at_threshold(found: HouseholdRisk, asked: Threshold) -> HouseholdRisk:
    """`found` with the threshold that `asked` comes to.

    Raises
    ------
    RecipeError
        A rate or a number of households that does not exist.
    """
    return replace(found, threshold=_household_threshold(asked, found.staircase), asked=asks_household(asked))


def asks_household(asked: Threshold) -> bool:
    """Whether a household threshold is asked for, by any of its linked numbers."""
    return any(x is not None for x in (asked.household_risk, asked.household_rate, asked.unsafe_households))


def _household_threshold(asked: Threshold, staircase: HouseholdStaircase) -> float | None:
    error = RecipeError(
        "unsafe-households-too-many",
        mark("The recipe's threshold asks for {number} unsafe households, but there are only {households}."),
        mark("Give a number from 0 to {households}."),
        number=asked.unsafe_households,
        households=staircase.households,
    )
    fixed, rate, unsafe = asked.household_risk, asked.household_rate, asked.unsafe_households
    return resolved(fixed, rate, unsafe, staircase, staircase.households, staircase.threshold_for_households, error)


def resolved(
    fixed: float | None,
    rate: float | None,
    unsafe: int | None,
    staircase: RiskDistribution,
    most: int,
    for_number: Callable[[int], float | None],
    too_many: RecipeError,
) -> float | None:
    """The threshold that one of three linked numbers asks for; None where none is given, or nothing is unsafe at it.

    Parameters
    ----------
    fixed, rate, unsafe : a risk, a rate, a number of unsafe records or households
    staircase : of the risks
    most : raises `too_many` where `unsafe` is larger
    for_number : the threshold with so many unsafe
    """
    if fixed is not None:
        return fixed
    if rate is not None:
        return staircase.threshold_for_rate(rate)
    if unsafe is None:
        return None
    if unsafe > most:
        raise too_many
    return for_number(unsafe)
