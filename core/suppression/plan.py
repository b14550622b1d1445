"""The plan: which values become missing, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..data.columns import EncodedColumn, times_of
from ..data.times import ONES, Times
from .costs import Costs

Flags = NDArray[np.bool_]
Masks = NDArray[np.unsignedinteger]


class ValueMasks(Mapping[str, Flags]):
    """Some values of n rows, such as the newly missing ones: by variable (n,) bool, kept as one small integer a row.

    Parameters
    ----------
    names : bit v of every mask is ``names[v]``; at most 64
    masks : (n,) unsigned integers; kept in the smallest type that holds the names
    """

    def __init__(self, names: Sequence[str], masks: Masks) -> None:
        kept = masks.astype(np.min_scalar_type((1 << len(names)) - 1), copy=False)
        self._blocks: tuple[tuple[tuple[str, ...], Masks], ...] = ((tuple(names), kept),) if names else ()
        self._place = {name: (0, v) for v, name in enumerate(names)}

    @classmethod
    def of_flags(cls, flags: Mapping[str, Flags]) -> ValueMasks:
        """Those that flags say, whatever their number."""
        names = tuple(flags)
        found = []
        for start in range(0, len(names), _BITS):
            some = names[start : start + _BITS]
            masks = np.zeros(len(flags[some[0]]), np.min_scalar_type((1 << len(some)) - 1))
            for v, name in enumerate(some):
                masks |= flags[name].astype(masks.dtype) << masks.dtype.type(v)
            found.append(cls(some, masks))
        return cls.together(found)

    @classmethod
    def together(cls, parts: Iterable[ValueMasks]) -> ValueMasks:
        """Those of the same rows in several groups of variables; no variable is in two groups."""
        return cls._with(block for part in parts for block in part._blocks)

    @classmethod
    def _with(cls, blocks: Iterable[tuple[tuple[str, ...], Masks]]) -> ValueMasks:
        found = cls((), np.zeros(0, np.uint8))
        found._blocks = tuple(blocks)
        found._place = {name: (b, v) for b, (names, _) in enumerate(found._blocks) for v, name in enumerate(names)}
        return found

    def __getitem__(self, name: str) -> Flags:
        block, bit = self._place[name]
        masks = self._blocks[block][1]
        found: Flags = (masks & masks.dtype.type(1 << bit)) != 0
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)

    def __contains__(self, name: object) -> bool:
        return name in self._place

    def masks_of(self, names: Sequence[str], rows: int) -> Masks:
        """Masks (rows,) with bit j for ``names[j]``, in the smallest type that holds the names; read only."""
        if any(names == block for block, _ in self._blocks):
            return next(masks for block, masks in self._blocks if block == names)
        found = np.zeros(rows, np.min_scalar_type((1 << len(names)) - 1))
        for j, name in enumerate(names):
            if name in self:
                found |= self[name].astype(found.dtype) << found.dtype.type(j)
        return found

    @property
    def touched(self) -> Flags:
        """The rows with any such value, (n,); of no variables none, (0,)."""
        found: Flags = np.zeros(len(self._blocks[0][1]) if self._blocks else 0, np.bool_)
        for _, masks in self._blocks:
            found |= masks != 0
        return found

    def with_flags(self, flags: Mapping[str, Flags]) -> ValueMasks:
        """These and those that flags say of further variables."""
        return self.together((self, self.of_flags(flags)))

    def of_rows(self, rows: NDArray[np.integer]) -> ValueMasks:
        """Those of the given rows (k,), in that order."""
        return self._with((names, masks[rows]) for names, masks in self._blocks)

    def by_variable(self, times: Times = ONES) -> dict[str, int]:
        """How many values of each variable; `times`: how many records each row stands for."""
        return {name: times.count(self[name]) for name in self}


_BITS = 64


@dataclass(frozen=True, eq=False)
class Plan:
    """Values to suppress, whatever the model and mode that chose them.

    Attributes
    ----------
    suppressed : the newly missing values; every key variable and every related variable that could have been
        suppressed is listed
    by_variable : newly missing values by variable
    originally_missing : values that were missing already, by variable
    total : newly missing values in all
    records_touched : records with at least one newly missing value
    loss, entropy_loss : by the plan's criterion, and by entropy
    lower_bound : no plan that meets the thresholds has less loss
    unsafe_left : records at or above their threshold all the same
    exact : whether the plan is proven to be the optimum, in loss and in the number of values
    notices : what has to be said of how it was found
    """

    suppressed: ValueMasks
    by_variable: dict[str, int]
    originally_missing: dict[str, int]
    total: int
    records_touched: int
    loss: float
    entropy_loss: float
    lower_bound: float
    unsafe_left: int = 0
    exact: bool = True
    notices: tuple[Notice, ...] = ()

    @property
    def gap(self) -> float:
        """What share of the loss might be saved at most: (loss - lower bound) / loss, 0 where it is proven optimal."""
        return (self.loss - self.lower_bound) / self.loss if self.loss > self.lower_bound else 0.0


def plan_of(
    suppressed: ValueMasks,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    bound: float,
    exact: bool,
    notices: tuple[Notice, ...] = (),
) -> Plan:
    """The plan by which these values become missing.

    Parameters
    ----------
    suppressed : of the n rows
    columns : encoded columns of these variables, after recoding
    bound : no plan loses less
    exact : whether this one is proven to be the best
    """
    times = times_of(columns.values())
    by_variable = suppressed.by_variable(times)
    loss = costs.loss(by_variable)
    return Plan(
        suppressed=suppressed,
        by_variable=by_variable,
        originally_missing={name: int(columns[name].counts[columns[name].n_valid :].sum()) for name in suppressed},
        total=sum(by_variable.values()),
        records_touched=times.count(suppressed.touched),
        loss=loss,
        entropy_loss=costs.entropy_loss(by_variable),
        lower_bound=loss if exact else min(bound, loss),
        exact=exact,
        notices=notices,
    )


def merge(plans: list[Plan], costs: Costs, times: Times = ONES) -> Plan:
    """One plan out of plans for tables that have no variable in common.

    `times` : how many records each row of the plans stands for.
    """
    suppressed = ValueMasks.together(plan.suppressed for plan in plans)
    by_variable = {name: count for plan in plans for name, count in plan.by_variable.items()}
    exact = all(plan.exact for plan in plans)
    loss = costs.loss(by_variable)
    return Plan(
        suppressed=suppressed,
        by_variable=by_variable,
        originally_missing={name: count for plan in plans for name, count in plan.originally_missing.items()},
        total=sum(by_variable.values()),
        records_touched=times.count(suppressed.touched),
        loss=loss,
        entropy_loss=costs.entropy_loss(by_variable),
        lower_bound=loss if exact else sum(plan.lower_bound for plan in plans),
        unsafe_left=sum(plan.unsafe_left for plan in plans),
        exact=exact,
        notices=tuple(notice for plan in plans for notice in plan.notices),
    )
