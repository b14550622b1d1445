"""What is said of a forecast that takes much of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.texts import translate
from core.suppression.burden import OF_RECORDS, Burden
from gui.numbers import format_percent

if TYPE_CHECKING:
    from core.results.results import RecodedData


def filled_values(derived: RecodedData) -> dict[str, int]:
    """Records with a value, by variable, as recoded."""
    return {name: int(column.counts[: column.n_valid].sum()) for name, column in derived.columns.items()}


def told_burden(found: Burden) -> str:
    """The loss in a sentence."""
    text = translate("Suppression removes {share} of the values of {variable} and changes {records} of the records.")
    if found.records > OF_RECORDS:
        text = translate(
            "Suppression changes more than half of the records ({records}), and removes {share} of the values of "
            "{variable}."
        )
    return text.format(
        share=format_percent(found.values, 0), variable=found.variable, records=format_percent(found.records, 0)
    )
