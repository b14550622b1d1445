"""Linkage by probability: how much each agreement speaks for a match, estimated from the pairs themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from .agreement import LinkageKeys, PairPatterns, equal_records, masks_lacking

Floats = NDArray[np.float64]

_STEPS = 5000
_CLOSE = 1e-10
_LEAST, _MOST = 1e-9, 1.0 - 1e-9
"""Probabilities stay off 0 and 1, where a weight would be infinite."""
_FIRST_M = 0.9
"""Matches agree mostly: where the search begins."""
_EQUAL = 1e-9
"""Weights that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class MatchModel:
    """Two kinds of pairs, in each of which the variables agree independently.

    Attributes
    ----------
    m, u : (p,) float64, in (0, 1): probabilities that a variable agrees in a match and in any other pair
    converged : whether EM came to rest
    """

    m: Floats
    u: Floats
    converged: bool

    @property
    def gain(self) -> Floats:
        """How much more an agreement speaks for a match than a disagreement, (p,) >= 0, natural logarithms.

        No agreement speaks against a match: where the estimate says so the variable counts for nothing.
        """
        found: Floats = np.maximum(np.log(self.m / self.u) - np.log((1 - self.m) / (1 - self.u)), 0.0)
        return found

    @property
    def loss(self) -> Floats:
        """What a disagreement adds to the weight, (p,) <= 0."""
        return np.where(self.gain > 0, np.log((1 - self.m) / (1 - self.u)), 0.0)


def fitted(patterns: PairPatterns, variables: int, matches: float, progress: Progress = SILENT) -> MatchModel:
    """The model by maximum likelihood, EM [Fellegi & Sunter 1969; Jaro 1989]; unknown agreements say nothing.

    How many pairs match is known, each record once, and held: among so many pairs that do not, EM would else make a
    class of those that are alike by chance.

    Parameters
    ----------
    patterns : all pairs
    variables : p
    matches : share of the pairs that are matches, in (0, 1)
    """
    bits = np.arange(variables)
    known = ((patterns.unknown[:, None] >> bits) & 1) == 0
    agree = ((patterns.agree[:, None] >> bits) & 1).astype(np.float64)
    pairs = patterns.pairs
    each = np.maximum(pairs @ known, 1.0)
    m, u = np.full(variables, _FIRST_M), np.clip(pairs @ (agree * known) / each, _LEAST, _MOST)
    prior = np.log((1.0 - matches) / matches)
    for step in range(_STEPS):
        if step % 64 == 0:
            progress.check()
        log = [(known * np.where(agree > 0, np.log(prob), np.log1p(-prob))).sum(axis=1) for prob in (m, u)]
        match = pairs / (1.0 + np.exp(np.clip(prior + log[1] - log[0], -700, 700)))
        other = pairs - match
        new = [np.clip(of @ (agree * known) / np.maximum(of @ known, 1e-300), _LEAST, _MOST) for of in (match, other)]
        moved = max(float(np.abs(new[0] - m).max()), float(np.abs(new[1] - u).max()))
        m, u = new
        if moved < _CLOSE:
            return MatchModel(m, u, True)
    return MatchModel(m, u, False)


def likeliest_own(
    asked: LinkageKeys, given: LinkageKeys, place: NDArray[np.int64], model: MatchModel, progress: Progress = SILENT
) -> Floats:
    """The chance of taking the own record as the likeliest match, (n,): 1/m where m records weigh as much.

    0 where another one weighs more, or where the own is not there or has no variable in common: pairs without one
    are not linked, as by distance. The weights are gone through from the heaviest:
    a key that met none of the heavier ones agrees in just what it agrees in at least.

    Parameters
    ----------
    place : (n,) of each record of `asked` among those of `given`, -1 where it is not there
    """
    gain, loss = model.gain, model.loss
    best, equal = np.full(len(asked.records), -np.inf), np.zeros(len(asked.records), np.int64)
    for weight, mine, theirs, chosen in _by_weight(asked, given, gain, loss):
        progress.check()
        here = np.flatnonzero((asked.lacking == mine) & ((best == -np.inf) | (best <= weight + _EQUAL)))
        if not len(here):
            continue
        found = equal_records(asked, given, here, given.those_lacking(theirs), chosen)
        equal[here] += found
        best[here[(found > 0) & (best[here] == -np.inf)]] = weight
    own = _own_weight(asked, given, place, gain, loss)
    linked = (place >= 0) & np.isfinite(own) & (own >= best[asked.of_record] - 2 * _EQUAL)
    return np.where(linked, 1.0 / np.maximum(equal[asked.of_record], 1), 0.0)


def _by_weight(
    asked: LinkageKeys, given: LinkageKeys, gain: Floats, loss: Floats
) -> list[tuple[float, int, int, list[int]]]:
    """(weight, what the one lacks, what the other lacks, variables that agree), the heaviest first.

    Those of pairs that have a variable in common.
    """
    found = []
    for mine in masks_lacking(asked):
        for theirs in masks_lacking(given):
            known = [j for j in range(len(gain)) if not (mine | theirs) >> j & 1]
            telling = [j for j in known if gain[j] > 0]
            for subset in range(1 << len(telling) if known else 0):
                chosen = [j for i, j in enumerate(telling) if subset >> i & 1]
                found.append((float(loss[known].sum() + gain[chosen].sum()), mine, theirs, chosen))
    return sorted(found, key=lambda each: -each[0])


def _own_weight(asked: LinkageKeys, given: LinkageKeys, place: NDArray[np.int64], gain: Floats, loss: Floats) -> Floats:
    """Of each record with its own, (n,); -inf where they have no variable in common."""
    total, shares = np.zeros(len(place)), np.zeros(len(place), np.bool_)
    partner = given.of_record[np.maximum(place, 0)]
    for j, card in enumerate(asked.cards):
        mine, theirs = asked.codes[j][asked.of_record], given.codes[j][partner]
        both = (mine < card) & (theirs < card)
        total += np.where(both, loss[j] + gain[j] * (mine == theirs), 0.0)
        shares |= both
    return np.where(shares, total, -np.inf)
