"""The variables that a combination can have, as columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.base.texts import translate
from gui import numbers
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.results.results import RecodedData


def variable_columns(prepared: RecodedData, levels: Mapping[str, int]) -> list[Column]:
    """The table of variables that a combination can have, household keys last.

    Parameters
    ----------
    levels : identification levels of those of the file
    """
    derived = [spec.name for spec in prepared.recipe.household_keys if spec.name in prepared.columns]
    names = [*levels, *derived]
    codes = [prepared.columns[name].n_valid for name in names]
    shown = [*levels.values(), *(None for _ in derived)]
    meaning = translate("Identification level: 0 does not identify, 1 identifies most")
    meaning += "\n" + translate("A dash: derived from the household identifier.")
    labels = [_label(prepared, name) for name in names]
    columns = [
        Column(translate("Variable"), names),
        Column(translate("codes"), codes, numbers.format_count, True, translate("Codes in the file, after recoding")),
        Column(translate("level"), shown, _level_text, True, meaning),
    ]
    return [*columns, Column(translate("Label"), labels)] if any(labels) else columns


def _level_text(level: int | None) -> str:
    return numbers.MISSING if level is None else numbers.format_count(level)


def _label(prepared: RecodedData, name: str) -> str:
    from core.results.households import variable_of

    return variable_of(prepared.recipe, prepared.metadata, name).label
