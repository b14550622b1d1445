"""The plan: which values become missing, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.data.columns import count_records
from core.suppression.costs import Costs


@dataclass(frozen=True, eq=False)
class Plan:
    """Values to suppress, whatever the model and mode that chose them.

    Attributes
    ----------
    suppressed : by variable, (n,) bool: the newly missing values; every key variable and every related variable
        that could have been suppressed is listed
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

    suppressed: Mapping[str, NDArray[np.bool_]]
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
    names: Sequence[str],
    newly: NDArray[np.uint64],
    lacking: Sequence[NDArray[np.bool_]],
    costs: Costs,
    bound: float,
    exact: bool,
    notices: tuple[Notice, ...] = (),
    records: NDArray[np.int64] | None = None,
) -> Plan:
    """The plan in which record i loses ``newly[i]``.

    Parameters
    ----------
    names : bit v of every mask is ``names[v]``
    newly : (n,) masks of the newly missing values
    lacking : by name, (n,) bool: what was missing already
    bound : no plan loses less
    exact : whether this one is proven to be the best
    records : (n,) how many records each row stands for; None: one each
    """
    suppressed = {name: (newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_) for v, name in enumerate(names)}
    by_variable = {name: count_records(flags, records) for name, flags in suppressed.items()}
    loss = costs.loss(by_variable)
    return Plan(
        suppressed=suppressed,
        by_variable=by_variable,
        originally_missing={name: count_records(flags, records) for name, flags in zip(names, lacking, strict=True)},
        total=sum(by_variable.values()),
        records_touched=count_records(newly != 0, records),
        loss=loss,
        entropy_loss=costs.entropy_loss(by_variable),
        lower_bound=loss if exact else min(bound, loss),
        exact=exact,
        notices=notices,
    )


def merge(plans: list[Plan], rows: int, costs: Costs, records: NDArray[np.int64] | None = None) -> Plan:
    """One plan out of plans for tables that have no variable in common.

    `rows` : of the file; `records` : how many records each of them stands for, None: one each.
    """
    suppressed = {name: flags for plan in plans for name, flags in plan.suppressed.items()}
    by_variable = {name: count for plan in plans for name, count in plan.by_variable.items()}
    touched = np.zeros(rows, np.bool_)
    for name, flags in suppressed.items():
        if by_variable[name]:
            touched |= flags
    exact = all(plan.exact for plan in plans)
    loss = costs.loss(by_variable)
    return Plan(
        suppressed=suppressed,
        by_variable=by_variable,
        originally_missing={name: count for plan in plans for name, count in plan.originally_missing.items()},
        total=sum(by_variable.values()),
        records_touched=count_records(touched, records),
        loss=loss,
        entropy_loss=costs.entropy_loss(by_variable),
        lower_bound=loss if exact else sum(plan.lower_bound for plan in plans),
        unsafe_left=sum(plan.unsafe_left for plan in plans),
        exact=exact,
        notices=tuple(notice for plan in plans for notice in plan.notices),
    )
