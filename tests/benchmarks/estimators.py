"""How near the estimates of disclosure risk come to the truth, over samples from populations that are known.

Run as ``python -m tests.benchmarks.estimators`` to write docs/estimators.md anew (some minutes), or with the paths of
other populations: delimited files with a header, one line a person, every column a key variable; what is found is
then printed and nothing is written. Every number is drawn from fixed seeds.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from core.data.columns import EncodedColumn, Weights
from core.risk.individual import individual_risk
from core.risk.negative_binomial import calibrated_risk
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.second_opinion import ModelEstimate, second_opinion
from core.tables.tabulate import tabulate_records

ESTIMATORS = ("individual risk", "independence, Poisson", "forest, Poisson", "calibrated")
DESIGNS = ("equal", "stratified", "oversampled", "size", "random", "clusters")
DRAWS = 9
"""Populations of each kind."""
FRACTIONS = 0.005, 0.3
LEAST_TRUTH = 20.0
MISSING = 0.15
_DECIMALS = 4

Ints = np.ndarray
Random = np.random.Generator


@dataclass(frozen=True)
class Population:
    """N persons: their codes on the key variables, each below its card, and the group of persons each belongs to."""

    name: str
    codes: tuple[Ints, ...]
    cards: tuple[int, ...]
    group: Ints

    def __len__(self) -> int:
        return len(self.group)


def _skewed(random: Random, card: int, n: int, exponent: float) -> Ints:
    """Codes whose shares fall by a power law, in random order."""
    shares = random.permutation(np.arange(1, card + 1) ** -exponent)
    return random.choice(card, n, p=shares / shares.sum())


def _like(random: Random, above: Ints, card: int, fresh: Ints, share: float) -> Ints:
    """Codes that follow `above` through a random table for a share of the persons, and are fresh for the others."""
    table = random.integers(0, card, int(above.max()) + 1)
    return np.where(random.random(len(above)) < share, table[above], fresh)


def _shape(random: Random) -> tuple[int, tuple[int, ...]]:
    """Persons and cards: three to seven keys with 1,000 to two million possible cells."""
    while True:
        cards = tuple(int(2 * 40 ** random.random()) for _ in range(random.integers(3, 8)))
        if 1000 <= math.prod(cards) <= 2_000_000:
            return int(20_000 * 4 ** random.random()), cards


def _dependencies(random: Random, exponent: float = 0.5) -> Population:
    """Every key follows one before it, and every second one another as well."""
    n, cards = _shape(random)
    codes: list[Ints] = []
    for j, card in enumerate(cards):
        values = _skewed(random, card, n, exponent)
        for _ in range(min(j, 1 + j % 2)):
            values = _like(random, codes[random.integers(0, j)], card, values, 0.1 + 0.5 * random.random())
        codes.append(values)
    return Population("dependencies", tuple(codes), cards, np.arange(n))


def _three_way(random: Random) -> Population:
    """Every third key follows the two before it together and neither alone."""
    n, cards = _shape(random)
    codes: list[Ints] = []
    for j, card in enumerate(cards):
        values = _skewed(random, card, n, 0.4)
        if j % 3 == 2:
            both = (codes[j - 1] + codes[j - 2]) % card
            values = np.where(random.random(n) < 0.2 + 0.5 * random.random(), both, values)
        codes.append(values)
    return Population("three-way", tuple(codes), cards, np.arange(n))


def _margins(random: Random) -> Population:
    """Shares that fall from thousands to single persons."""
    made = _dependencies(random, 1.0 + random.random())
    return Population("skewed margins", made.codes, made.cards, made.group)


def _zeros(random: Random) -> Population:
    """A quarter of the combinations of neighbouring keys cannot occur."""
    n, cards = _shape(random)
    codes = [_skewed(random, cards[0], n, 0.5)]
    for above, card in pairwise(cards):
        possible = random.random((above, card)) > 0.25
        possible[:, 0] |= ~possible.any(axis=1)
        values = _skewed(random, card, n, 0.5)
        for _ in range(50):
            wrong = np.flatnonzero(~possible[codes[-1], values])
            values[wrong] = random.permutation(values)[: len(wrong)]
        wrong = ~possible[codes[-1], values]
        values[wrong] = possible.argmax(axis=1)[codes[-1][wrong]]
        codes.append(values)
    return Population("structural zeros", tuple(codes), cards, np.arange(n))


def _households(random: Random) -> Population:
    """Households of one to six: the first keys are the household's, the others often the same for all its members."""
    n, cards = _shape(random)
    household = np.repeat(np.arange(n), random.choice(6, n, p=[0.35, 0.33, 0.13, 0.12, 0.05, 0.02]) + 1)[:n]
    shared = max(1, len(cards) // 2)
    same = 0.15 + 0.3 * random.random()
    codes: list[Ints] = []
    for j, card in enumerate(cards):
        own = _skewed(random, card, n, 0.5)
        first = np.unique(household, return_index=True)[1]
        head = own[first][np.unique(household, return_inverse=True)[1]]
        codes.append(head if j < shared else np.where(random.random(n) < same, head, own))
    return Population("clusters", tuple(codes), cards, household)


def _classes(random: Random) -> Population:
    """Classes of persons nobody has asked for, each with its own shares of every key."""
    n, cards = _shape(random)
    classes = int(random.integers(4, 20))
    of = _skewed(random, classes, n, 0.7)
    codes = []
    for card in cards:
        shares = random.dirichlet(np.full(card, 0.8), classes).cumsum(axis=1)
        codes.append(np.minimum((random.random(n)[:, None] > shares[of]).sum(axis=1), card - 1))
    return Population("latent classes", tuple(codes), cards, np.arange(n))


KINDS: tuple[Callable[[Random], Population], ...] = (
    _dependencies,
    _three_way,
    _margins,
    _zeros,
    _households,
    _classes,
)


def from_file(path: Path) -> Population:
    """A population that is known: every column of a delimited file is a key variable."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    coded = [pd.factorize(frame[name], sort=True) for name in frame.columns]
    codes = tuple(np.asarray(values) for values, _ in coded)
    return Population(path.stem, codes, tuple(len(found) for _, found in coded), np.arange(len(frame)))


def _systematic(random: Random, chance: np.ndarray) -> Ints:
    """Persons drawn with these chances of inclusion, in random order so that neighbours do not exclude each other."""
    order = random.permutation(len(chance))
    marks = np.floor(np.cumsum(chance[order]) + random.random())
    return np.sort(order[np.flatnonzero(np.diff(marks, prepend=0.0) > 0)])


def draw(random: Random, people: Population, design: str, fraction: float) -> tuple[Ints, np.ndarray]:
    """The persons of a sample and their design weights, one over the chance of inclusion."""
    n = len(people)
    if design == "clusters":
        groups = int(people.group.max()) + 1
        taken = random.choice(groups, max(1, round(fraction * groups)), replace=False)
        rows = np.flatnonzero(np.isin(people.group, taken))
        return rows, np.full(len(rows), groups / len(taken))
    key = people.codes[int(random.integers(len(people.codes)))]
    relative = {
        "equal": lambda: np.ones(n),
        "stratified": lambda: np.exp(random.normal(0, 0.5, int(key.max()) + 1))[key],
        "oversampled": lambda: np.where(key == random.integers(int(key.max()) + 1), 5.0, 1.0),
        "size": lambda: random.gamma(2.0, size=n) + 0.2 + 0.1 * key / max(1, int(key.max())),
        "random": lambda: np.exp(random.normal(0, 0.6, n)),
    }[design]()
    chance = np.minimum(fraction * relative / relative.mean(), 1.0)
    rows = _systematic(random, chance)
    return rows, 1.0 / chance[rows]


def matching(people: Population, sample: Sequence[Ints]) -> Ints:
    """How many of all people each record matches on every key where it has a value."""
    gone = np.array([codes == card for codes, card in zip(sample, people.cards, strict=True)])
    patterns, pattern_of = np.unique(gone, axis=1, return_inverse=True)
    found = np.empty(len(sample[0]), np.int64)
    for p in range(patterns.shape[1]):
        rows = np.flatnonzero(pattern_of.ravel() == p)
        everyone, mine = np.zeros(len(people), np.int64), np.zeros(len(rows), np.int64)
        for j in np.flatnonzero(~patterns[:, p]):
            everyone = everyone * people.cards[j] + people.codes[j]
            mine = mine * people.cards[j] + sample[j][rows]
        values, counts = np.unique(everyone, return_counts=True)
        found[rows] = counts[np.searchsorted(values, mine)]
    return found


@dataclass(frozen=True, eq=False)
class Task:
    """One sample judged: sums of r by estimator, the true sum of 1/F, and both by tenths of the records."""

    population: str
    design: str
    fraction: float
    records: int
    truth: float
    sums: tuple[float, ...]
    opinion: ModelEstimate
    tenths: np.ndarray
    """(estimators, 2, 10): predicted and true sums by tenths of the records, by rising prediction."""

    def ratio(self, estimator: int) -> float:
        return self.sums[estimator] / self.truth

    @property
    def covered(self) -> bool:
        low, high = self.opinion.interval
        return low <= self.truth <= high

    @property
    def width(self) -> float:
        low, high = self.opinion.interval
        return high / low

    @property
    def warned(self) -> bool:
        return self.opinion.verdict(self.sums[0]) == "too low"


def judge(random: Random, people: Population, design: str, fraction: float, missing: float = 0.0) -> Task:
    """Draw a sample, lose a share of its key values, and compare every estimate with the truth."""
    rows, weight = draw(random, people, design, fraction)
    columns = []
    for j, card in enumerate(people.cards):
        values = people.codes[j][rows].astype(np.uint32)
        values[random.random(len(rows)) < missing] = card
        codes = (*(str(code) for code in range(card)), "x")
        columns.append(EncodedColumn(f"K{j}", values, codes, codes, np.bincount(values, minlength=card + 1), card, 4))
    weights = Weights((np.rint(weight * 10**_DECIMALS).astype(np.int64),), (_DECIMALS,))
    cells, cell_index = table = tabulate_records(columns, weights)
    model = PopulationModel(cells, weights_above_one(table, weights))
    opinion = second_opinion(cells, model)
    poisson, apart = (
        model.of_cells(lambda k, which=which: calibrated_risk(k.f, getattr(k, which), math.inf))
        for which in ("m", "m_independent")
    )
    true = 1.0 / matching(people, [column.values for column in columns])
    risks = [cell_index.spread(of) for of in (individual_risk(cells.f, cells.F), apart, poisson, opinion.risk)]
    tenths = np.empty((len(risks), 2, 10))
    for e, risk in enumerate(risks):
        order = np.argsort(risk, kind="stable")
        for t, part in enumerate(np.array_split(order, 10)):
            tenths[e, :, t] = risk[part].sum(), true[part].sum()
    sums = tuple(float(risk.sum()) for risk in risks)
    return Task(people.name, design, fraction, len(rows), float(true.sum()), sums, opinion, tenths)


def populations(draws: int = DRAWS) -> Iterator[tuple[Random, Population]]:
    """Populations of every kind, and what to draw samples from each with."""
    for number in range(draws):
        for kind, make in enumerate(KINDS):
            random = np.random.default_rng([7, kind, number])
            yield random, make(random)


def known(paths: Sequence[Path]) -> Iterator[tuple[Random, Population]]:
    """The populations in these files, and what to draw samples from each with."""
    return ((np.random.default_rng([7, i, s]), from_file(path)) for i, path in enumerate(paths) for s in range(DRAWS))


def tasks(source: Iterator[tuple[Random, Population]], missing: bool = False) -> list[Task]:
    """Every design once for each population, at random fractions; or one of them with missing values."""
    found = []
    for number, (random, people) in enumerate(source):
        for design in DESIGNS if not missing else (DESIGNS[number % len(DESIGNS)],):
            fraction = FRACTIONS[0] * (FRACTIONS[1] / FRACTIONS[0]) ** random.random()
            found.append(judge(random, people, design, fraction, MISSING * missing))
    return found


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % of {whole:,}" if whole else "none"


def _within(ratios: np.ndarray, factor: float) -> str:
    return f"{np.mean(np.abs(np.log(ratios)) <= math.log(factor)):.2f}"


def table(found: Sequence[Task], label: str) -> list[str]:
    """The ratios of every estimator."""
    lines = [
        f"| {label} | geometric mean | least | largest | within 1.25 | within 1.5 |",
        "|---|---|---|---|---|---|",
    ]
    for e, name in enumerate(ESTIMATORS):
        ratios = np.array([task.ratio(e) for task in found])
        mean = math.exp(np.log(ratios).mean())
        lines.append(
            f"| {name} | {mean:.2f} | {ratios.min():.2f} | {ratios.max():.2f} | {_within(ratios, 1.25)} "
            f"| {_within(ratios, 1.5)} |"
        )
    return lines


def by_class(found: Sequence[Task], of: Callable[[Task], str], label: str, by_size: bool = False) -> list[str]:
    """Ratio and interval of the calibrated estimator by some class of tasks."""
    lines = [
        f"| {label} | samples | individual risk | calibrated | within 1.25 | within 1.5 | in the interval |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(of(task) for task in sorted(found, key=lambda task: task.fraction if by_size else 0)):
        some = [task for task in found if of(task) == name]
        first, last = (np.array([task.ratio(e) for task in some]) for e in (0, 3))
        covered = np.mean([task.covered for task in some])
        lines.append(
            f"| {name} | {len(some)} | {math.exp(np.log(first).mean()):.2f} | {math.exp(np.log(last).mean()):.2f} "
            f"| {_within(last, 1.25)} | {_within(last, 1.5)} | {covered:.2f} |"
        )
    return lines


def deciles(found: Sequence[Task]) -> list[str]:
    """Predicted over true sums by tenths of the records."""
    lines = [
        "| tenth of the records, by rising prediction | " + " | ".join(str(t + 1) for t in range(10)) + " |",
        "|---|" + "---|" * 10,
    ]
    for e, name in enumerate(ESTIMATORS):
        tenths = np.array([task.tenths[e] for task in found])
        ratios = np.exp(np.median(np.log(tenths[:, 0] / tenths[:, 1]), axis=0))
        lines.append(f"| {name} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    return lines


def interval_and_warning(found: Sequence[Task]) -> list[str]:
    """Coverage and width, and how often the warning is missed or false."""
    low = [task for task in found if task.ratio(0) < 0.8]
    good = [task for task in found if 0.8 <= task.ratio(0) <= 1.25]
    widths = np.array([task.width for task in found])
    held = _percent(sum(task.covered for task in found), len(found))
    missed = _percent(sum(not task.warned for task in low), len(low))
    false = _percent(sum(task.warned for task in good), len(good))
    return [
        (
            f"- The interval holds the truth in {held} samples; upper end over lower end {np.median(widths):.2f} in the"
            f" median, {np.quantile(widths, 0.9):.2f} at the ninth decile."
        ),
        (
            f"- The warning that the individual risk is too low is missed in {missed} samples in which it is below 0.8"
            f" of the truth, and given in {false} in which it is from 0.8 to 1.25 of it."
        ),
    ]


def furthest(found: Sequence[Task]) -> list[str]:
    """The samples in which the calibrated estimator is furthest from the truth."""
    lines = [
        "| population | design | fraction | records | truth | calibrated | interval |",
        "|---|---|---|---|---|---|---|",
    ]
    for task in sorted(found, key=lambda task: -abs(math.log(task.ratio(3))))[:8]:
        low, high = task.opinion.interval
        lines.append(
            f"| {task.population} | {task.design} | {100 * task.fraction:.1f} % | {task.records:,} | {task.truth:.0f} "
            f"| {task.sums[3]:.0f} | {low:.0f} to {high:.0f} |"
        )
    return lines


def results(found: Sequence[Task]) -> list[str]:
    """All tables over the samples with enough at stake to speak of a ratio."""
    large = [task for task in found if task.truth > LEAST_TRUTH]
    small = [task for task in found if task.truth <= LEAST_TRUTH]
    held = _percent(sum(task.covered for task in small), len(small))
    return [
        *table(large, f"{len(large)} samples with a true sum above {LEAST_TRUTH:.0f}"),
        "",
        *interval_and_warning(large),
        f"- In the {len(small)} samples with less at stake the interval holds the truth in {held}.",
        "",
        "Predicted over true sums by tenths of the records, median of the samples:",
        "",
        *deciles(large),
        "",
        *by_class(large, lambda task: task.population, "population"),
        "",
        *by_class(large, lambda task: task.design, "design"),
        "",
        *by_class(large, _fraction_class, "fraction", by_size=True),
        "",
        "Where the calibrated estimate is furthest off. Few records leave it to chance; where several members of a",
        "household are in the sample and alike, pairs of records tell more of the household than of the population;",
        "and what keys do only three together the forest cannot see.",
        "",
        *furthest(large),
    ]


def _fraction_class(task: Task) -> str:
    limits = (0.005, 0.02, 0.08, 0.3)
    at = next(i for i in range(3) if task.fraction <= limits[i + 1] or i == 2)
    return f"{100 * limits[at]:g} to {100 * limits[at + 1]:g} %"


HEAD = """# How near the estimates come to the truth

Written by `python -m tests.benchmarks.estimators`; do not edit. Each of {populations} generated populations is sampled
by six designs. In the populations keys depend on each other in pairs, in threes, through latent classes or within
households; margins are skewed, or combinations impossible. The designs are equal chances, chances that differ by the
values of a key (stratified), one value of a key oversampled, by size, random chances, and clusters: whole households in
the populations that have them, which are those named clusters, and single persons in the others. Fractions are from
0.5 to 30 %. Everything is drawn from fixed seeds. The truth is the sum of 1/F over the records of the sample, F the
persons in the population with the same key values. Ratios are estimated over true sums.

The estimators are the individual risk, Poisson counts under independent keys, Poisson counts on the forest of
dependent keys, and the calibrated one, which is the second opinion (`core.risk.second_opinion`). Other known
populations can be put in: `python -m tests.benchmarks.estimators POPULATION.csv ...`. The table after protection is
printed for other thresholds and populations by `python -m tests.benchmarks.protection 0.05 POPULATION.csv ...`.
"""


def page() -> str:
    """docs/estimators.md."""
    from tests.benchmarks import protection

    found = tasks(populations())
    gaps = tasks(populations(), missing=True)
    large = [task for task in gaps if task.truth > LEAST_TRUTH]
    lines = [
        HEAD.format(populations=DRAWS * len(KINDS)),
        *results(found),
        "",
        f"## With {100 * MISSING:.0f} % of the key values missing",
        "",
        *table(large, f"{len(large)} samples with a true sum above {LEAST_TRUTH:.0f}"),
        "",
        *interval_and_warning(large)[:1],
        *protection.page(),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page, or judge the populations in the files named."""
    if not sys.argv[1:]:
        path = Path(__file__).resolve().parents[2] / "docs" / "estimators.md"
        path.write_text(page(), encoding="utf-8")
        return
    print("\n".join(results(tasks(known([Path(name) for name in sys.argv[1:]])))))


if __name__ == "__main__":
    main()
