"""What is left of the distribution of one variable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .compared import ComparedVariable, Floats, Pair
from .moments import weighted_mean, weighted_quantiles

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Shares of the weight at which numbers are compared."""
CLASSES = 30
"""Classes of a histogram; with no more values than that each value has its own."""
_EDGE = 0.01
"""Share of the weight in the outermost classes on either side: single large values do not make them all wide."""


@dataclass(frozen=True)
class VariableUtility:
    """One variable before and after.

    Attributes
    ----------
    name : of the variable
    codes : categories, of which the shares are; empty for a number
    edges : limits of the classes of a number, one more than shares; empty for categories
    shares : weighted shares of the values that are there, before and after
    hellinger : Hellinger distance of these, 0 (equal) to 1 (nothing in common)
    means : weighted, of a number; None: of categories, or no value is there
    quantiles : of a number at `QUANTILES`, before and after; empty where no value is there
    missing : records without a value
    added : records that have lost theirs
    changed : records whose value is another one or lost
    recode_removed : share of the entropy that the recode took; None where nothing is recoded
    """

    name: str
    codes: tuple[str, ...]
    edges: tuple[float, ...]
    shares: tuple[tuple[float, ...], tuple[float, ...]]
    hellinger: float
    means: tuple[float | None, float | None]
    quantiles: tuple[tuple[float, ...], tuple[float, ...]]
    missing: tuple[int, int]
    added: int
    changed: int
    recode_removed: float | None


def variable_utility(variable: ComparedVariable, weights: Pair) -> VariableUtility:
    """What is left of the distribution of a variable; `weights` (n,) before and after."""
    means: tuple[float | None, float | None] = (None, None)
    quantiles: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    edges: tuple[float, ...] = ()
    codes: tuple[str, ...] = ()
    if variable.is_number:
        numbers = variable.numbers
        classes = class_edges(numbers, weights)
        edges = tuple(classes.tolist())
        counts = tuple(_counts(x, w, classes) for x, w in zip(numbers, weights, strict=True))
        means = (weighted_mean(numbers[0], weights[0]), weighted_mean(numbers[1], weights[1]))
        quantiles = (
            weighted_quantiles(numbers[0], weights[0], QUANTILES),
            weighted_quantiles(numbers[1], weights[1], QUANTILES),
        )
    else:
        size, places = len(variable.codes), variable.places
        counts = tuple(
            np.bincount(p, w, size + 1)[:size].astype(np.float64) for p, w in zip(places, weights, strict=True)
        )
        occurring = (counts[0] > 0) | (counts[1] > 0)
        codes = tuple(code for code, there in zip(variable.codes, occurring.tolist(), strict=True) if there)
        counts = tuple(each[occurring] for each in counts)
    before, after = (_shares(each) for each in counts)
    lacking, lacks = variable.missing
    return VariableUtility(
        name=variable.name,
        codes=codes,
        edges=edges,
        shares=(tuple(before.tolist()), tuple(after.tolist())),
        hellinger=hellinger(before, after),
        means=means,
        quantiles=quantiles,
        missing=(int(lacking.sum()), int(lacks.sum())),
        added=int((lacks & ~lacking).sum()),
        changed=variable.changed,
        recode_removed=variable.recode_removed,
    )


def hellinger(before: Floats, after: Floats) -> float:
    """Hellinger distance of two distributions (m,) over the same classes: √(½ Σ (√p − √q)²).

    1 where only one of the two has values, 0 where neither has.
    """
    if bool(before.any()) != bool(after.any()):
        return 1.0
    return float(np.sqrt(((np.sqrt(before) - np.sqrt(after)) ** 2).sum() / 2))


def class_edges(numbers: Pair, weights: Pair) -> Floats:
    """(classes + 1,) limits of the classes of a number, ascending; empty where no value is there.

    Few values have a class each; else classes between the outermost hundredths of the original are equally wide, and
    the first and last reach to the ends of both files.
    """
    both = np.concatenate([each[~np.isnan(each)] for each in numbers])
    if not both.size:
        return np.zeros(0)
    values = np.unique(both)
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    if len(values) <= CLASSES:
        middles = (values[1:] + values[:-1]) / 2
        return np.concatenate([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])
    inner = weighted_quantiles(numbers[0], weights[0], (_EDGE, 1 - _EDGE)) or (values[0], values[-1])
    edges = np.linspace(inner[0], inner[1], CLASSES - 1)
    found: Floats = np.unique(np.concatenate([[values[0]], edges, [values[-1]]]))
    return found


def _counts(numbers: Floats, weights: Floats, edges: Floats) -> Floats:
    if not edges.size:
        return np.zeros(0)
    there = ~np.isnan(numbers)
    found: Floats = np.histogram(numbers[there], edges, weights=weights[there])[0].astype(np.float64)
    return found


def _shares(counts: Floats) -> Floats:
    total = counts.sum()
    return counts / total if total > 0 else counts
