"""Variables under edit as a table: name, use, type, codes, missing codes, codelist, label."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont

from core.base.texts import mark, translate
from core.data.variable_uses import USE_NAMES, Use, uses_of
from core.data.variables import Variable
from core.metadata.profile import Profile
from gui import numbers
from gui.shared.table.model import Column, ColumnsModel, Index
from gui.theme import theme

NAME, USE, TYPE, CODES, MISSING, CODELIST, LABEL = range(7)
EMPTY = mark("(empty)")
"""How the code of no characters is shown and can be typed."""

Type = Literal["categorical", "numerical", "both", "neither"]

USE_SENTENCES: dict[Use, str] = {
    "key": mark("An outsider could know this about a person: region, sex, age, occupation."),
    "weight": mark("How many people of the population a record stands for."),
    "household-id": mark("The same for all members of a household."),
    "household": mark("One value for the whole household."),
    "sensitive": mark("What an intruder would like to learn."),
    "direct-identifier": mark("Identifies by itself, as a name does; never written to the safe file."),
    "leave-out": mark("Not written to the safe file, though it identifies nobody by itself."),
    "keep": mark("Copied unchanged; used for nothing in particular."),
}
TYPE_NAMES: dict[Type, str] = {
    "categorical": mark("Categorical"),
    "numerical": mark("Numerical"),
    "both": mark("Both"),
    "neither": mark("Neither"),
}
_TOKEN = re.compile(r'"([^"]*)"|\(([^()]*)\)|([^\s,;]+)')
_LETTER = re.compile(r"\.[a-z_]")


def use_text(variable: Variable) -> str:
    """What a variable is used for, in a few words."""
    return " · ".join(translate(USE_NAMES[use]) for use in uses_of(variable))


def type_of(variable: Variable) -> Type:
    """Categorical, numerical, both or neither."""
    if variable.categorical:
        return "both" if variable.numeric else "categorical"
    return "numerical" if variable.numeric else "neither"


def type_changes(kind: Type) -> dict[str, Any]:
    """Attributes of a type."""
    return {"categorical": kind in ("categorical", "both"), "numeric": kind in ("numerical", "both")}


def code_text(code: str) -> str:
    """A code as it is shown."""
    return code or translate(EMPTY)


def codes_text(codes: Sequence[str]) -> str:
    """Missing codes in one text that `parse_codes` reads back."""
    return "  ".join(f'"{code}"' if re.search(r"[\s,;()\"]", code) else code_text(code) for code in codes)


def missing_sentence(missing: Sequence[str]) -> str:
    """Which code suppression writes in place of a value, and whether an empty field is missing too."""
    if not missing:
        return ""
    if missing[0]:
        text = translate("Suppression writes {code}, the first of them.").format(code=missing[0])
        empty_too = translate("Empty is missing too.")
        return f"{text} {empty_too}" if "" in missing else text
    if len(missing) == 1:
        return translate("Empty is missing, and is what suppression writes.")
    return translate("Empty is missing, and is what suppression writes; put another code first to write that.")


def parse_codes(text: str) -> tuple[str, ...]:
    """Codes separated by blanks or commas; in quotes one with a blank; (empty) or "" for the code of no characters."""
    codes = []
    for match in _TOKEN.finditer(text):
        quoted, inside, plain = match.groups()
        if plain is not None:
            codes.append(plain)
        elif quoted is not None:
            codes.append(quoted.strip())
        else:
            codes.append("" if f"({inside})" in (EMPTY, translate(EMPTY)) else f"({inside})")
    return tuple(dict.fromkeys(codes))


def missing_besides(variable: Variable, profile: Profile | None) -> str:
    """What is missing by the file itself and cannot be edited: SPSS's ranges, and letters of Stata and SAS."""
    found = [_range_text(low, high) for low, high in variable.missing_ranges]
    codes = profile.codes[profile.n_valid :] if profile is not None else ()
    found += [code for code in codes if code not in variable.missing and _LETTER.fullmatch(code)]
    return ", ".join(found)


def _range_text(low: float, high: float) -> str:
    lowest, highest = (f"{bound:.15g}" for bound in (low, high))
    if math.isinf(low):
        return translate("{code} and less").format(code=highest)
    if math.isinf(high):
        return translate("{code} and more").format(code=lowest)
    return translate("{low} to {high}").format(low=lowest, high=highest)


def _missing_text(variable: Variable, profile: Profile | None) -> str:
    codes, besides = codes_text(variable.missing), missing_besides(variable, profile)
    if not besides:
        return codes
    return translate("{codes}, and by the file {besides}").format(codes=codes, besides=besides) if codes else besides


def variable_columns(variables: Sequence[Variable], profiles: Mapping[str, Profile]) -> list[Column]:
    """The columns of the table of variables."""
    found = [profiles.get(variable.name) for variable in variables]
    codes = [profile.distinct if profile is not None else None for profile in found]
    return [
        Column(translate(mark("Variable")), [v.name for v in variables]),
        Column(translate(mark("Use")), [use_text(v) for v in variables], tooltip=translate(mark("What it is for"))),
        Column(translate(mark("Type")), [translate(TYPE_NAMES[type_of(v)]) for v in variables]),
        Column(translate(mark("Codes")), codes, numbers.format_count, True,
               translate(mark("Different values in the file, missing codes not counted"))),
        Column(translate(mark("Missing")), [_missing_text(*pair) for pair in zip(variables, found, strict=True)],
               tooltip=translate(mark("Codes that mean unknown; the first is what suppression writes"))),
        Column(translate(mark("Codelist")), [v.codelist.name if v.codelist else "" for v in variables]),
        Column(translate(mark("Label")), [v.label for v in variables]),
    ]  # fmt: skip


class VariablesModel(ColumnsModel):
    """Rows are recognised by their place in the draft: names can be edited, and be twice the same for a while.

    Signals
    -------
    edited(int, int, object)
        A cell was edited in place: place of the variable, column, and what was typed or chosen.
    """

    edited = Signal(int, int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names_are_fixed = False
        self.wrong: frozenset[int] = frozenset()
        """Places of variables with an error."""
        self.typed_missing: Sequence[str] = ()
        """Missing codes as they are edited, without those by the file itself."""

    def show(self, columns: Sequence[Column], wrong: frozenset[int]) -> bool:
        """Show other values; False where the rows are others, so that everything has to be set anew."""
        self.wrong = wrong
        if self.total != len(columns[0].values) or len(self.columns) != len(columns):
            return False
        self._columns = tuple(columns)
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(columns) - 1))
        return True

    def key(self, row: int) -> int:
        return int(self._rows[row])

    def row_of(self, key: Any) -> int:
        return next((i for i, row in enumerate(self._rows) if int(row) == key), -1)

    def flags(self, index: QModelIndex | Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.editable(index.column()):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def editable(self, column: int) -> bool:
        """Whether cells of a column can be edited in place."""
        return column != CODES and not (column == NAME and self.names_are_fixed)

    def setData(self, index: QModelIndex | Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.editable(index.column()):
            return False
        self.edited.emit(self.key(index.row()), index.column(), value)
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.EditRole:
            if index.column() == MISSING:
                return self.typed_missing[self.key(index.row())]
            role = Qt.ItemDataRole.DisplayRole
        if role == Qt.ItemDataRole.FontRole and index.isValid() and index.column() == NAME:
            font = QFont()
            font.setBold(self.key(index.row()) in self.wrong)
            return font
        if role == Qt.ItemDataRole.ForegroundRole and index.isValid() and index.column() == NAME:
            return QColor(theme.scheme.unsafe_text) if self.key(index.row()) in self.wrong else None
        return super().data(index, role)
