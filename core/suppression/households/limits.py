"""Whether households can be brought below their thresholds at all, told before protection starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...base.errors import ProtectionError
from ...base.texts import DecimalText, mark, phrase
from ...data.columns import EncodedColumn
from ...data.households import LISTED, Households
from ...risk.household import household_risk
from ...risk.individual import TOLERANCE, lowest_unsafe
from ..costs import Costs
from ..individual import UnprotectableRecords, all_of
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable, RecordClasses, Rules, build_units
from .sharing import Demand, HouseholdProblem, demand, lowest_risks


@dataclass(frozen=True, eq=False)
class Unprotectable:
    """Households that stay at or above a threshold whatever is suppressed.

    Attributes
    ----------
    households : (H,) bool
    number, records : of these
    lowest : the largest of their lowest household risks
    reachable : the smallest threshold bound: a threshold above it can be met
    """

    households: NDArray[np.bool_]
    number: int
    records: int
    lowest: float
    reachable: float


@dataclass(frozen=True)
class UnprotectableHouseholds:
    """All households that no suppression makes safe, and the error by which protection would refuse their threshold."""

    refusal: ProtectionError
    identifiers: tuple[str, ...]
    members: tuple[int, ...]


def staying_households(
    table: ProtectedTable, columns: Mapping[str, EncodedColumn], rules: Rules, homes: HouseholdProblem
) -> UnprotectableHouseholds | None:
    """The households that keep the table's household threshold from being met; None where it can be met.

    Parameters
    ----------
    table : its `household_threshold` is not None
    columns, rules : as `core.suppression.individual.optimise`
    """
    free = Costs("weights", dict.fromkeys(columns, 0.0), dict.fromkeys(columns, 0.0))  # whatever suppression costs
    units = build_units((table,), columns, free, rules)
    risk = MarginRisks(table)
    stay = unprotectable(units, 0, risk, demand((table,), [risk], homes), homes)
    if not stay.number:
        return None
    households = homes.households
    identifiers = households.identifiers_of(stay.households)
    members = tuple(households.of_file(households.size)[households.of_file(stay.households)].tolist())
    return UnprotectableHouseholds(_households(units, table, stay, homes), identifiers, members)


def refusal(
    table: ProtectedTable, columns: Mapping[str, EncodedColumn], rules: Rules, homes: HouseholdProblem
) -> ProtectionError | None:
    """The error by which protection would refuse the table's household threshold; None where it can be met."""
    found = staying_households(table, columns, rules, homes)
    return None if found is None else found.refusal


def unprotectable(
    units: RecordClasses, table: int, risk: MarginRisks, found: Demand, homes: HouseholdProblem
) -> Unprotectable:
    """Households that no suppression brings below the household threshold of the units' table number `table`.

    With all values gone but those that must stay (a household-size key, say: the table {size} alone), a member's risk
    is r_s and the household's 1 - (1 - r_s)^size; without such keys r_s is r(n, total weight).

    Parameters
    ----------
    risk, found : of that table, and what the tables ask for
    """
    households = homes.households
    bare = lowest_risks(units, table, risk)
    of_households = household_risk(bare, units.unit_of_record, households)
    size = households.size
    largest = np.zeros(len(households))
    np.maximum.at(largest, households.household_of_record, bare[units.unit_of_record])
    needed = largest * size
    limit = lowest_unsafe(units.tables[table].household_threshold)
    stay = found.unsafe_households[table] & (needed >= limit)
    return Unprotectable(
        stay,
        households.count(stay),
        households.count_members(stay),
        float(of_households[stay].max(initial=0.0)),
        float(needed[stay].max(initial=0.0)),
    )


def check_protectable(
    units: RecordClasses,
    risks: Sequence[MarginRisks],
    found: Demand,
    homes: HouseholdProblem,
    columns: Mapping[str, EncodedColumn],
    rules: Rules,
) -> None:
    """Refuse thresholds that cannot be met, and variables to be suppressed that have no missing code.

    Raises
    ------
    ProtectionError
    """
    for name in units.variables:
        if name not in rules.fixed and name not in rules.unseen and columns[name].n_missing_codes == 0:
            raise _no_missing_code(name)
    all_of(partial(_check_table, units, number, risk, found, homes) for number, risk in enumerate(risks))


def _check_table(units: RecordClasses, number: int, risk: MarginRisks, found: Demand, homes: HouseholdProblem) -> None:
    table = units.tables[number]
    if table.threshold is not None:
        _check_records(units, number, risk)
    if table.household_threshold is not None:
        stay = unprotectable(units, number, risk, found, homes)
        if stay.number:
            raise _households(units, table, stay, homes)


def _check_records(units: RecordClasses, number: int, risk: MarginRisks) -> None:
    table = units.tables[number]
    bare = lowest_risks(units, number, risk)
    unsafe = risk.own()[units.cells[number]] >= lowest_unsafe(table.threshold)
    stay = unsafe & (bare >= lowest_unsafe(table.threshold))
    if not stay.any():
        return
    names = [name for v, name in enumerate(units.variables) if units.choices.fixed >> v & 1]
    shown, enough = told_apart(table.threshold, float(bare[stay].max()))
    raise UnprotectableRecords(
        "records-stay-unsafe" if names else "threshold-cannot-be-met",
        mark(
            "{records} of {total} records cannot be brought below the threshold {shown} of the combination "
            "{combination}, not even without all values that may be suppressed."
        ),
        mark("Choose a threshold of {enough} or more, recode more coarsely, or allow more suppression.")
        if enough
        else mark("Recode more coarsely, or allow more suppression."),
        records=int(units.records[stay].sum()),
        total=int(units.records.sum()),
        threshold=table.threshold,
        shown=shown,
        enough=enough,
        lowest=float(bare[stay].max()),
        combination=" x ".join(table.cells.variables),
        variables=", ".join(names),
    ).about(stay[units.unit_of_record], names)


def told_apart(threshold: float | None, reachable: float) -> tuple[str, str]:
    """A threshold that cannot be met and the nearest round one that can, in as few digits as tell them apart.

    Parameters
    ----------
    reachable : thresholds above it can be met

    Returns
    -------
    both in six significant digits or more; the second is empty where no risk is that high
    """
    if threshold is None or reachable * (1 + 2 * TOLERANCE) >= 1:
        return DecimalText(f"{threshold or 0.0:.6g}"), ""
    for digits in range(6, 17):
        shown = DecimalText(f"{threshold:.{digits}g}")
        enough = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(reachable * (1 + 2 * TOLERANCE)))
        if float(shown) < float(enough):
            break
    return shown, DecimalText(f"{float(enough):.{digits}g}")


def _no_missing_code(name: str) -> ProtectionError:
    return ProtectionError(
        "no-missing-code",
        mark("The variable {variable} has no missing code, so its values cannot be suppressed."),
        mark("Declare a missing code for {variable}, or say that it may not be suppressed."),
        variable=name,
    )


def _households(
    units: RecordClasses, table: ProtectedTable, stay: Unprotectable, homes: HouseholdProblem
) -> ProtectionError:
    shown, enough = told_apart(table.household_threshold, stay.reachable)
    return ProtectionError(
        "households-unprotectable",
        mark(
            "The household {identifiers}, of size {sizes}, cannot be brought below the household threshold {shown} of "
            "the combination {combination} by any suppression."
        )
        if stay.number == 1
        else mark(
            "{households} households with {records} records cannot be brought below the household threshold {shown} "
            "of the combination {combination} by any suppression: sizes {sizes}, identifiers {identifiers}."
        ),
        _advice(enough),
        households=stay.number,
        records=stay.records,
        threshold=table.household_threshold,
        shown=shown,
        enough=enough,
        combination=" x ".join(table.cells.variables),
        sizes=_sizes(homes.households, stay.households),
        identifiers=_identifiers(homes.households, stay.households),
        lowest=stay.lowest,
        reachable=stay.reachable,
    )


def without_choice(units: RecordClasses, homes: HouseholdProblem, stay: NDArray[np.bool_]) -> ProtectionError:
    """The error for the households `stay` (H,), each member of which could be protected alone, but not all together."""
    names = [name for v, name in enumerate(units.variables) if units.choices.fixed >> v & 1]
    households = homes.households
    return ProtectionError(
        "households-without-choice",
        mark(
            "The household {identifiers}, of size {sizes}, cannot be protected: what one of its members would have to "
            "lose, all would, and another one has a value that may not be suppressed."
        )
        if households.count(stay) == 1
        else mark(
            "{households} households with {records} records cannot be protected: what one of their members would have "
            "to lose, all would, and another one has a value that may not be suppressed; sizes {sizes}, identifiers "
            "{identifiers}."
        ),
        mark("Allow suppression of {variables}, recode more coarsely, or choose higher thresholds.")
        if names
        else mark("Recode more coarsely, or choose higher thresholds."),
        households=households.count(stay),
        records=households.count_members(stay),
        sizes=_sizes(households, stay),
        identifiers=_identifiers(households, stay),
        variables=", ".join(names),
    )


def _advice(enough: str) -> str:
    if not enough:
        return mark(
            "Recode more coarsely, or treat large groups as single persons (single_persons_above in [households])."
        )
    return mark(
        "Choose a household threshold of {enough} or more, recode more coarsely, or treat large groups as single "
        "persons (single_persons_above in [households])."
    )


def _sizes(households: Households, stay: NDArray[np.bool_]) -> str:
    sizes = np.unique(households.size[stay]).tolist()
    return _listed([str(size) for size in sizes[:LISTED]], len(sizes))


def _identifiers(households: Households, stay: NDArray[np.bool_]) -> str:
    return _listed(households.identifiers_of(stay, LISTED), households.count(stay))


def _listed(texts: Sequence[str], number: int) -> str:
    """The first of so many texts, and how many more there are."""
    listed = ", ".join(texts[:LISTED])
    if number <= LISTED:
        return listed
    return phrase("{listed} and {more} more", listed=listed, more=number - LISTED)
