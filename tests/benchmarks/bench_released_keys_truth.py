"""What is told of released keys against the truth, over samples from populations that are known.

Somebody looks for a person with the key c, not knowing whether the person is in the sample: under a released key of f_g
records he picks the right one with the chance (f_c / F_c) / f_g, F_c the people of the cell. The program's own figure
has the estimated risk r_c for 1 / F_c. Samples of three populations are protected by released keys; over the records
that were unsafe the estimated risks are added up, and the true ones: the ratio of both should be near 1. "Former" is
r(f_g, f_g F_c / f_c), the definition of earlier versions, at the same keys and by the same estimator. "At or above" are
the records whose true risk is not below the threshold. Under the promise no more of them should be than it allows.

Printed by ``python -m tests.benchmarks.bench_released_keys_truth [RUNS]``, RUNS for each population (30).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn, Weights
from core.risk.individual import individual_risk
from core.risk.negative_binomial import calibrated_risk
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.population_risks import PopulationRisks
from core.suppression.costs import Costs, entropy
from core.suppression.joint.least_sizes import ReleasedRisks, released_risks
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.problem import ProtectedTable, Rules
from core.tables.tabulate import tabulate_records
from tests.benchmarks.estimators import Population, Random, draw, matching

RUNS = 30
FRACTIONS = (0.05, 0.075, 0.1)
DESIGNS = ("equal", "stratified")
THRESHOLD = 0.05
EXCEEDANCE = 0.05
JUDGES = ("exact", "calibrated", "log-linear", "promise")
_SEARCH = JointSettings(effort=20)

Floats = NDArray[np.float64]


def associated(random: Random, people: int) -> Population:
    """Six keys, each of which follows one before it for about a third of the persons."""
    cards = (12, 2, 8, 5, 9, 4)
    codes: list[NDArray[np.int64]] = []
    for j, card in enumerate(cards):
        shares = random.permutation(np.arange(1, card + 1) ** -0.6)
        values = random.choice(card, people, p=shares / shares.sum())
        if j:
            above = codes[random.integers(0, j)]
            table = random.integers(0, card, int(above.max()) + 1)
            values = np.where(random.random(people) < 0.2 + 0.3 * random.random(), table[above], values)
        codes.append(values)
    return Population("associated keys", tuple(codes), cards, np.arange(people))


def heavy_tailed(random: Random, people: int) -> Population:
    """Cells of four keys whose shares are spread by lognormal factors, from single persons to thousands."""
    cards = (15, 10, 8, 6)
    shares = np.ones(cards)
    for j, card in enumerate(cards):
        shape = [1] * len(cards)
        shape[j] = card
        shares = shares * random.lognormal(0, 0.7, card).reshape(shape)
    shares = shares * random.lognormal(0, 1.5, cards)
    cell = random.choice(shares.size, people, p=shares.ravel() / shares.sum())
    return Population("heavy-tailed cells", tuple(np.unravel_index(cell, cards)), cards, np.arange(people))


def living_conditions(random: Random, people: int) -> Population:
    """Keys as in a survey of income and living: what somebody is and does goes by age and sex, area by region."""
    region = random.choice(9, people, p=(shares := random.dirichlet(np.full(9, 3.0))) / shares.sum())
    area = _given(random, (region,), 3)
    age = random.choice(16, people, p=np.linspace(1.2, 0.5, 16) / np.linspace(1.2, 0.5, 16).sum())
    sex = random.integers(0, 2, people)
    married = np.digitize(age + random.normal(0, 1.5, people), (2.5, 10.5, 13.5))
    married = np.where(random.random(people) < 0.15, 4, married)
    education = _given(random, (np.minimum(age // 4, 3), sex), 5)
    activity = _given(random, (np.digitize(age, (2, 10)), sex, education), 6)
    codes = (region, area, age, sex, married, activity)
    return Population("living conditions", codes, (9, 3, 16, 2, 5, 6), np.arange(people))


POPULATIONS: tuple[Callable[[Random, int], Population], ...] = (associated, heavy_tailed, living_conditions)
PEOPLE = 100_000


def _given(random: Random, by: tuple[NDArray[np.int64], ...], card: int) -> NDArray[np.int64]:
    """Codes whose shares depend on others."""
    number = np.zeros(len(by[0]), np.int64)
    for code in by:
        number = number * (int(code.max()) + 1) + code
    shares = random.dirichlet(np.full(card, 1.0), int(number.max()) + 1).cumsum(axis=1)
    found: NDArray[np.int64] = np.minimum((random.random(len(number))[:, None] > shares[number]).sum(axis=1), card - 1)
    return found


@dataclass(frozen=True)
class Sums:
    """Over the records that were unsafe: `told`, `true`, `former` risks and records `above` the threshold in truth."""

    records: int
    told: float
    true: float
    former: float
    above: int

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(mine + his for mine, his in zip(vars(self).values(), vars(other).values(), strict=True)))


def judge(random: Random, people: Population, design: str, fraction: float, judges: tuple[str, ...]) -> dict[str, Sums]:
    """A sample, protected by each estimator at `THRESHOLD`; "promise" is the calibrated one with `EXCEEDANCE`."""
    rows, weight = draw(random, people, design, fraction)
    keys = []
    for j, card in enumerate(people.cards):
        values = people.codes[j][rows].astype(np.uint32)
        codes = (*(str(code) for code in range(card)), "x")
        keys.append(EncodedColumn(f"K{j}", values, codes, codes, np.bincount(values, minlength=card + 1), card, 4))
    weights = Weights((np.rint(weight * 10**4).astype(np.int64),), (4,))
    cells, index = both = tabulate_records(keys, weights)
    model = PopulationModel(cells, weights_above_one(both, weights))
    population = matching(people, [key.values for key in keys]).astype(np.float64)
    columns = {key.name: key for key in keys}
    costs = Costs("entropy", {}, {key.name: entropy(key) for key in keys})
    found = {}
    for name in judges:
        estimator = "calibrated" if name == "promise" else name
        margins = None if name == "exact" else PopulationRisks(model, estimator)  # type: ignore[arg-type]
        figured = table = ProtectedTable(cells, index, THRESHOLD, estimator, population=margins)  # type: ignore[arg-type]
        if name == "promise":
            table = replace(figured, population=PopulationRisks(model, "calibrated", EXCEEDANCE))
        plan = optimise_released_keys([table], columns, costs, Rules(), _SEARCH)
        unsafe = index.spread(ReleasedRisks(table).least_sizes() > 0)
        size = _sizes(keys, plan.suppressed)[unsafe]
        cell = index.of_record[unsafe]
        true = cells.f[cell] / population[unsafe] / size
        found[name] = Sums(
            len(cell),
            float(released_risks(figured, plan.suppressed, unsafe)[2][unsafe].sum()),
            float(true.sum()),
            float(_former(estimator, model, cells.f[cell], cells.F[cell], cell, size).sum()),
            int((true >= THRESHOLD * (1 - 1e-12)).sum()),
        )
    return found


def _sizes(keys: list[EncodedColumn], suppressed: Mapping[str, NDArray[np.bool_]]) -> Floats:
    """Records under the released key of each record, by sorting."""
    released = np.stack([np.where(suppressed.get(key.name, False), key.n_valid, key.values) for key in keys])
    _, of, count = np.unique(released, axis=1, return_inverse=True, return_counts=True)
    found: Floats = count[of.ravel()].astype(np.float64)
    return found


def _former(
    estimator: str, model: PopulationModel, f: Floats, F: Floats, cell: NDArray[np.integer], size: Floats
) -> Floats:
    """r(f_g, f_g F / f); by a model with the people and the records expected in the cell times f_g / f."""
    if estimator == "exact":
        return individual_risk(size, size * F / f)
    whole = model.key_set(model.full)
    m, mu = whole.m[cell] * size / f, whole.mu[cell] * size / f
    if estimator == "log-linear" or math.isinf(whole.a):
        return calibrated_risk(size, m, math.inf)
    return calibrated_risk(size, m / (whole.a + mu), whole.a)


def pooled(
    make: Callable[[Random, int], Population], runs: int, judges: tuple[str, ...] = JUDGES, people: int = PEOPLE
) -> dict[str, Sums]:
    """The sums over samples from so many populations of one kind."""
    total = {name: Sums(0, 0.0, 0.0, 0.0, 0) for name in judges}
    for run in range(runs):
        random = np.random.default_rng([29, POPULATIONS.index(make), run])
        everyone = make(random, people)
        design, fraction = DESIGNS[run % len(DESIGNS)], FRACTIONS[run % len(FRACTIONS)]
        for name, sums in judge(random, everyone, design, fraction, judges).items():
            total[name] += sums
    return total


def main(runs: str = str(RUNS)) -> None:
    """Print the table."""
    print(f"{runs} samples of 5 to 10 % of each population, r* = {THRESHOLD}, exceedance {EXCEEDANCE}\n")
    print("| population | estimator | unsafe records | told / true | former / true | truly at or above r* |")
    print("|---|---|---|---|---|---|")
    for make in POPULATIONS:
        for name, sums in pooled(make, int(runs)).items():
            print(
                f"| {make.__name__.replace('_', ' ')} | {name} | {sums.records:,} | {sums.told / sums.true:.2f} "
                f"| {sums.former / sums.true:.2f} | {100 * sums.above / sums.records:.1f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
