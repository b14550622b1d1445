"""Metadata: what is known about a file's variables, after the recipe's overrides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..recipe.model import Decision, Format, Role


@dataclass(frozen=True)
class Variable:
    """One declared variable.

    `start` (1-based) and `length` are bytes and matter in fixed format; `column` is the 1-based column of a
    delimited file. `missing`: its missing codes, the first of which suppression writes. In a delimited file
    without a declaration it is ``("",)``: empty is missing. `labels` (label by code) and `missing_ranges` (low and
    high of values that are missing besides) are what a file with labels says itself; a codelist replaces `labels`.
    `ordered`: whether neighbouring codes may be merged; None: not said.
    `decision`, `decided_by` and `reason` are those of the release checklist.
    """

    name: str
    start: int = 0
    length: int = 0
    column: int = 0
    decimals: int = 0
    label: str = ""
    categorical: bool = False
    numeric: bool = False
    household: bool = False
    sensitive: bool = False
    truncable: bool = False
    removed: bool = False
    role: Role = "other"
    identification_level: int = 0
    missing: tuple[str, ...] = ()
    codelist: Path | None = None
    related: str | None = None
    suppression_weight: int = 50
    suppressible: bool = True
    ordered: bool | None = None
    decision: Decision | None = None
    decided_by: str = ""
    reason: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Metadata:
    """All declared variables of a file, in file order, and how it is laid out; `variant`: "zsav" or "por", of SPSS."""

    format: Format
    variables: tuple[Variable, ...]
    delimiter: str = ","
    header: bool = True
    encoding: str = "utf-8"
    decimal: str = "."
    variant: str = ""

    @cached_property
    def _by_name(self) -> dict[str, Variable]:
        """The variables by name, the first where a wrong description has a name twice."""
        return {variable.name: variable for variable in reversed(self.variables)}

    def __getitem__(self, name: str) -> Variable:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names in file order."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def weight(self) -> Variable | None:
        """The weight variable, if there is one."""
        return next((v for v in self.variables if v.role == "weight"), None)

    @cached_property
    def household_id(self) -> Variable | None:
        """The household identifier, if there is one."""
        return next((v for v in self.variables if v.role == "household-id"), None)

    def suppressed_with(self, names: Iterable[str]) -> set[str]:
        """Variables that are related to one of `names`, transitively: where that is suppressed, they are."""
        found, waiting = set[str](), list(names)
        while waiting:
            name = waiting.pop()
            other = self[name].related if name in self else None
            if other and other not in found:
                found.add(other)
                waiting.append(other)
        return found
