"""Random surveys protected by random recipes, each safe file counted again by the definitions, in plain Python.

``python -m tests.fuzz.releases [CASES] [SEED] [FOLDER]`` draws so many surveys (1,000), protects each by a recipe drawn
too, and recounts what was written: individual risk, released keys, k-anonymity, the threshold rule, households and
estimators of the population model; one file or parts; few keys or many; missing values; several combinations. It prints
how many runs were safe, how many were refused and why, and each run that is wrong: an unsafe record in a file that was
called verified, a value that became another one, an unexpected error. FOLDER keeps the wrong ones.

Nothing of the program judges what it wrote: only the files of a run are read.
"""

from __future__ import annotations

import csv
import json
import math
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from core.base.errors import PavoError
from core.batch import carry_out_file
from tests.naive_population import Model, few, log_likelihood
from tests.naive_suppression import frequencies, risk

MISSING = "9"
NEAR = 1e-9
Row = tuple[int | None, ...]


@dataclass
class Survey:
    """Records drawn by chance: keys, of which the first `shared` are household variables, weights and households."""

    keys: list[str]
    rows: list[Row]
    weights: list[int]
    households: list[int]
    shared: int = 0

    def column(self, name: str) -> int:
        """Place of a key."""
        return self.keys.index(name)


@dataclass
class Table:
    """One combination of a recipe, and what holds for its records."""

    variables: list[str]
    model: str
    rule: str = "observed"
    estimator: str = "exact"
    k: int = 0
    threshold: float | None = None
    household: float | None = None
    exceedance: float | None = None


@dataclass
class Case:
    """A survey, the recipe's text and what it asks for."""

    survey: Survey
    tables: list[Table]
    mode: str
    text: str
    parts: int
    files: dict[str, str] = field(default_factory=dict)


# Drawing ----------------------------------------------------------------------------------------------------------


def draw_survey(chance: random.Random) -> Survey:
    """20 to 120 records with 2 to 11 keys that go together more or less, some of whose values are missing."""
    count = chance.choice((2, 3, 3, 4, 4, 5, 6, 8, 11))
    codes = [chance.choice((2, 2, 3, 4, 6)) for _ in range(count)]
    n, bound, holes = chance.randrange(20, 121), chance.random(), chance.choice((0.0, 0.0, 0.05, 0.2))
    sizes: list[int] = []
    while sum(sizes) < n:
        sizes.append(min(chance.choice((1, 1, 2, 2, 3, 4, 6)), n - sum(sizes)))
    households = [number for number, size in enumerate(sizes) for _ in range(size)]
    shared = chance.choice((0, 0, 1, 2)) if count > 2 else 0
    skew = [[chance.random() ** 2 + 0.05 for _ in range(c)] for c in codes]
    rows: list[Row] = []
    for record in range(n):
        first = chance.choices(range(codes[0]), skew[0])[0]
        row: list[int | None] = []
        for place, c in enumerate(codes):
            same = place > 0 and chance.random() < bound
            row.append(first % c if same else chance.choices(range(c), skew[place])[0])
        if record and households[record] == households[record - 1]:
            row[:shared] = rows[-1][:shared]
        for place in range(shared, count):
            if chance.random() < holes:
                row[place] = None
        rows.append(tuple(row))
    weights = [chance.choice((1, 2, 3, 5, 10, 20, 60, 200)) for _ in rows]
    if chance.random() < 0.3:
        weights = [weights[0]] * n
    return Survey([f"K{place}" for place in range(count)], rows, weights, households, shared)


def draw_case(chance: random.Random) -> Case:
    """A survey and a recipe for it."""
    survey = draw_survey(chance)
    mode = chance.choice(("original-counts", "original-counts", "released-keys"))
    lines = ["recipe = 1", "[input]"]
    parts = chance.choice((1, 1, 1, 2, 3))
    lines.append('data = "parts/*.csv"' if parts > 1 else 'data = "survey.csv"')
    with_households = chance.random() < 0.6
    lines += ["[variables.W]", 'role = "weight"', "[variables.HH]"]
    lines.append('role = "household-id"' if with_households else 'role = "other"')
    for place, name in enumerate(survey.keys):
        lines += [f"[variables.{name}]", "identification_level = 1", f'missing = ["{MISSING}"]']
        if with_households and place < survey.shared:
            lines.append("household = true")
        if chance.random() < 0.3:
            lines.append(f"suppression_weight = {chance.randrange(1, 101)}")
    tables = draw_tables(chance, survey, mode, with_households)
    for table in tables:
        lines += ["[[combinations]]", f"variables = {json.dumps(table.variables)}", f'model = "{table.model}"']
        if table.model == "frequency":
            lines.append(f"count_threshold = {table.k}")
            continue
        lines.append(f'missing_rule = "{table.rule}"')
        if table.model == "k-anonymity":
            lines.append(f"k = {table.k}")
            continue
        lines.append(f'estimator = "{table.estimator}"')
        parts_of = {"individual_risk": table.threshold, "household_risk": table.household}
        parts_of["exceedance"] = table.exceedance
        inside = ", ".join(f"{key} = {value!r}" for key, value in parts_of.items() if value is not None)
        lines.append(f"threshold = {{ {inside} }}")
    lines += ["[suppression]", f'criterion = "{chance.choice(("entropy", "weights"))}"', f'mode = "{mode}"']
    if mode == "original-counts" and chance.random() < 0.2:
        lines.append("close_gaps = true")
    if mode == "released-keys" and chance.random() < 0.3:
        lines.append("effort = 50")
    lines += ["[output]", 'data = "safe"' if parts > 1 else 'data = "safe.csv"', 'summary = "summary.json"']
    return Case(survey, tables, mode, "\n".join(lines) + "\n", parts)


def draw_tables(chance: random.Random, survey: Survey, mode: str, with_households: bool) -> list[Table]:
    """One combination of all keys, or several; risk tables have no variable in common."""
    names = list(survey.keys)
    chance.shuffle(names)
    kind = chance.choice(("individual-risk",) * 4 + ("k-anonymity", "frequency", "mixed"))
    if kind == "k-anonymity":
        return [Table(names, kind, "category", k=chance.choice((2, 3, 5)))]
    if kind == "frequency":
        chosen = [sorted(chance.sample(names, min(len(names), chance.choice((2, 3))))) for _ in range(2)]
        return [Table(one, kind, k=chance.choice((1, 1, 2))) for one in {tuple(c): c for c in chosen}.values()]
    complete = not any(value is None for row in survey.rows for value in row)
    rule = "observed" if mode == "released-keys" else chance.choice(("observed", "observed", "wildcard"))
    split = chance.randrange(1, len(names)) if chance.random() < 0.25 and len(names) > 3 else len(names)
    tables = [_risk_table(chance, names[:split], rule, complete, with_households)]
    if split < len(names) and kind == "individual-risk":
        tables.append(_risk_table(chance, names[split:], rule, complete, with_households))
    if kind == "mixed" and len(names) > 1:
        tables.append(Table(sorted(chance.sample(names, 2)), "frequency", k=1))
    return tables


def _risk_table(chance: random.Random, names: list[str], rule: str, complete: bool, with_households: bool) -> Table:
    table = Table(sorted(names), "individual-risk", rule)
    if rule == "observed" and len(names) <= 4 and chance.random() < 0.25:
        table.estimator = chance.choice(("calibrated", "log-linear")) if complete else "calibrated"
    level = chance.choice((0.02, 0.05, 0.1, 0.2, 0.34))
    if with_households and chance.random() < 0.5:
        table.household = min(1.0, 2 * level)
        if chance.random() < 0.3:
            table.threshold = level
    else:
        table.threshold = level
        if table.estimator == "calibrated" and chance.random() < 0.5:
            table.exceedance = chance.choice((0.05, 0.1))
    return table


# Writing and reading ----------------------------------------------------------------------------------------------


def write_case(case: Case, folder: Path) -> Path:
    """The survey's files and the recipe in `folder`; the recipe's path."""
    survey = case.survey
    header = ["ID", "HH", *survey.keys, "W"]
    lines = [
        [
            str(i),
            f"h{survey.households[i]:03}",
            *(MISSING if v is None else str(v) for v in row),
            str(survey.weights[i]),
        ]
        for i, row in enumerate(survey.rows)
    ]
    if case.parts == 1:
        _write_csv(folder / "survey.csv", header, lines)
    else:
        (folder / "parts").mkdir()
        cuts = _cuts(survey.households, case.parts)
        for number, (begin, end) in enumerate(pairwise(cuts)):
            _write_csv(folder / "parts" / f"p{number}.csv", header, lines[begin:end])
    recipe = folder / "case.pavo"
    recipe.write_text(case.text, encoding="utf-8")
    return recipe


def _cuts(households: Sequence[int], parts: int) -> list[int]:
    """Where parts begin and end: no household is divided."""
    n, cuts = len(households), [0]
    for number in range(1, parts):
        at = max(n * number // parts, cuts[-1] + 1)
        while at < n and households[at] == households[at - 1]:
            at += 1
        if cuts[-1] < at < n:
            cuts.append(at)
    return [*cuts, n]


def _write_csv(path: Path, header: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)


def read_safe(folder: Path, case: Case) -> list[dict[str, str]]:
    """The released records in the order of the original."""
    files = [folder / "safe.csv"] if case.parts == 1 else sorted((folder / "safe").glob("*.csv"))
    found: list[dict[str, str]] = []
    for path in files:
        with path.open(newline="", encoding="utf-8") as file:
            found += list(csv.DictReader(file))
    return found


# Recounting -------------------------------------------------------------------------------------------------------


def wrong(case: Case, safe: Sequence[dict[str, str]]) -> Iterator[str]:
    """What is wrong with the released records, by the definitions."""
    survey = case.survey
    if len(safe) != len(survey.rows):
        yield f"{len(safe)} records of {len(survey.rows)}"
        return
    left: list[Row] = []
    for i, (record, row) in enumerate(zip(safe, survey.rows, strict=True)):
        now: list[int | None] = []
        for name, before in zip(survey.keys, row, strict=True):
            value = None if record[name] == MISSING else int(record[name])
            if value is not None and value != before:
                yield f"record {i}: {name} {before} became {value}"
            now.append(value)
        if record["ID"] != str(i) or record["W"] != str(survey.weights[i]):
            yield f"record {i}: another column changed"
        left.append(tuple(now))
    yield from _households_differ(case, left)
    for table in case.tables:
        places = [survey.column(name) for name in table.variables]
        before = [tuple(row[j] for j in places) for row in survey.rows]
        after = [tuple(row[j] for j in places) for row in left]
        yield from (f"{table.model} {table.variables}: {each}" for each in _unsafe(case, table, before, after))


def _households_differ(case: Case, left: Sequence[Row]) -> Iterator[str]:
    """Household variables are suppressed in all members or in none."""
    if 'role = "household-id"' not in case.text:
        return
    for place in range(case.survey.shared):
        seen: dict[int, int | None] = {}
        for household, row in zip(case.survey.households, left, strict=True):
            if seen.setdefault(household, row[place]) != row[place]:
                yield f"household {household}: {case.survey.keys[place]} is suppressed in some members only"


def _unsafe(case: Case, table: Table, before: list[Row], after: list[Row]) -> Iterator[str]:
    if table.model == "k-anonymity":
        sizes = Counter(after)
        yield from (f"record {i}: {sizes[key]} < {table.k}" for i, key in enumerate(after) if sizes[key] < table.k)
    elif table.model == "frequency":
        listed = {frozenset(each.variables): each.k for each in case.tables if each.model == "frequency"}
        yield from _rare(table, listed, before, after)
    elif case.mode == "released-keys":
        yield from _small_keys(case, table, before, after)
    else:
        yield from _risky(case, table, before, after)


def _rare(table: Table, listed: dict[frozenset[str], int], before: list[Row], after: list[Row]) -> Iterator[str]:
    """Combinations of at least one code that at most `k` records of the original have.

    A margin that is itself `listed` has its own threshold.
    """
    for size in range(1, len(table.variables) + 1):
        for places in combinations(range(len(table.variables)), size):
            most = listed.get(frozenset(table.variables[j] for j in places), table.k)
            counts = Counter(tuple(row[j] for j in places) for row in before)
            for i, row in enumerate(after):
                kept = tuple(row[j] for j in places)
                if None not in kept and counts[kept] <= most:
                    yield f"record {i} keeps {kept}, of {counts[kept]} records"


def _limits(case: Case, table: Table, risks: Sequence[float]) -> list[float]:
    """By record the risk that it must be below; infinite where nothing is asked."""
    limits = [math.inf if table.threshold is None else table.threshold] * len(risks)
    if table.household is not None:
        members: dict[int, list[int]] = {}
        for i, household in enumerate(case.survey.households):
            members.setdefault(household, []).append(i)
        for group in members.values():
            whole = 1 - math.prod(1 - risks[i] for i in group)
            if whole >= table.household * (1 - 1e-12):
                for i in group:
                    limits[i] = min(limits[i], table.household / len(group))
    return limits


def _risky(case: Case, table: Table, before: list[Row], after: list[Row]) -> Iterator[str]:
    """Risks of what remains, in the original's margins."""
    chance, of = _estimate(case, table, before)
    now = [of(key) for key in after]
    if table.threshold is not None:
        limit = table.threshold if chance is None else chance
        for i, value in enumerate(now):
            if value >= limit * (1 + NEAR):
                yield f"record {i}: {value} >= {limit}"
    if table.household is not None:
        members: dict[int, list[float]] = {}
        for household, value in zip(case.survey.households, now, strict=True):
            members.setdefault(household, []).append(value)
        for household, values in members.items():
            whole = 1 - math.prod(1 - value for value in values)
            if whole >= table.household * (1 + NEAR):
                yield f"household {household}: {whole} >= {table.household}"


def _small_keys(case: Case, table: Table, before: list[Row], after: list[Row]) -> Iterator[str]:
    """Released keys with a record of a cell that is not safe among so few."""
    chance, of = _estimate(case, table, before)
    sizes, cells = Counter(after), Counter(before)
    own = [of(key) for key in before]
    if chance is not None:
        model = _Fits(before, case.survey.weights, table.estimator)
        for i, (key, now) in enumerate(zip(before, after, strict=True)):
            f = _frequency(before, key)
            if own[i] >= chance and model.exceeds(key, table.threshold or 1.0, f, sizes[now]) >= chance * (1 + NEAR):
                yield f"record {i}: {sizes[now]} records are too few for the promise"
        return
    limits = _limits(case, table, own)
    for i, (key, now) in enumerate(zip(before, after, strict=True)):
        f = _frequency(before, key)
        if own[i] < limits[i] * (1 - 1e-12):
            continue
        if f * own[i] / sizes[now] >= limits[i] * (1 + NEAR):
            yield f"record {i}: {f} × {own[i]} / {sizes[now]} >= {limits[i]} (cell of {cells[key]})"


def _frequency(before: Sequence[Row], key: Row) -> int:
    """Records that have a value wherever `key` has one, and the same."""
    return sum(all(a is None or a == b for a, b in zip(key, row, strict=True)) for row in before)


def _estimate(case: Case, table: Table, before: list[Row]) -> tuple[float | None, Callable[[Row], float]]:
    """What the risk is held against, where it is no threshold, and the risk of remaining values."""
    weights = case.survey.weights
    kept: dict[Row, float] = {}
    if table.estimator == "exact":

        def individual(key: Row) -> float:
            if key not in kept:
                f, people = frequencies(before, weights, key, table.rule, Fraction(1))
                kept[key] = risk(f, people)
            return kept[key]

        return None, individual
    model = _Fits(before, weights, table.estimator)
    if table.exceedance is not None:
        return table.exceedance, lambda key: model.exceeds(key, table.threshold or 1.0, 1, 1)
    return None, model.closed


class _Fits:
    """Risks of the population model, closed over fewer variables, by the naive twin of the model."""

    def __init__(self, rows: list[Row], weights: Sequence[int], estimator: str) -> None:
        self._model = Model(rows, [Fraction(weight) for weight in weights])
        self._rows, self._width, self._poisson = rows, len(rows[0]), estimator == "log-linear"
        self._fitted: dict[tuple[int, ...], tuple[dict[Row, int], dict[Row, float], dict[Row, float], float]] = {}
        self._kept: dict[Row, float] = {}

    def _fit(self, names: tuple[int, ...]) -> tuple[dict[Row, int], dict[Row, float], dict[Row, float], float]:
        if names not in self._fitted:
            found = self._model.fit(names)
            shape = _shape(list(found.f.values()), [found.mu[key] for key in found.f])
            self._fitted[names] = found.f, found.m, found.mu, shape
        return self._fitted[names]

    def _margins(self, key: Row) -> Iterator[tuple[int, float, float]]:
        """f, scale and shape of the values of `key` on every subset of those that it has."""
        present = [j for j in range(self._width) if key[j] is not None]
        for size in range(len(present) + 1):
            for names in combinations(present, size):
                f, m, mu, shape = self._fit(names)
                part = tuple(key[j] for j in names)
                scale = m[part] if math.isinf(shape) else m[part] / (shape + mu[part])
                yield f[part], scale, shape

    def closed(self, key: Row) -> float:
        """The largest risk by any of the values; of `log-linear` that of all of them, its m summed over the others."""
        if key not in self._kept and self._poisson:
            kept = [j for j in range(self._width) if key[j] is not None]
            codes = [1 + max(row[j] or 0 for row in self._rows) for j in range(self._width)]
            m = self._model.summed(range(self._width), kept, codes)(tuple(key[j] for j in kept))
            self._kept[key] = model_risk(_frequency(self._rows, key), m, math.inf)
        if key not in self._kept:
            self._kept[key] = max(model_risk(*margin) for margin in self._margins(key))
        return self._kept[key]

    def exceeds(self, key: Row, threshold: float, f: int, size: int) -> float:
        """The largest P(F <= f / (threshold size)) by any of the values."""
        most = math.floor(f / (threshold * size) + 1e-9)
        return max(float(few(*margin, most)) for margin in self._margins(key))


_STEP = 0.02
_V = np.arange(-45.0, 6.0, _STEP)
_S = np.exp(_V)


def model_risk(f: int, scale: float, a: float) -> float:
    """E 1/(f + X) of the population model, by the integral that tests.naive_population takes to many digits."""
    beyond = -scale * np.expm1(-_S)
    tail = beyond if math.isinf(a) else (a + f) * np.log1p(beyond)
    return float(np.exp(_V - f * _S - tail).sum() * _STEP)


def _shape(f: Sequence[int], mu: Sequence[float]) -> float:
    """The a of the largest likelihood: best of 41 points, then between its neighbours."""
    if not any(count <= 2 for count in f):
        return math.inf
    points = [math.log(1e-3) + place * math.log(1e7) / 40 for place in range(41)]
    best = max(range(41), key=lambda place: log_likelihood(f, mu, math.exp(points[place])))
    if best == 40:
        return math.inf
    if best == 0:
        return 1e-3
    low, high = points[best - 1], points[best + 1]

    def slope(at: float) -> float:
        a, total = math.exp(at), 0.0
        for count, expected in zip(f, mu, strict=True):
            if count <= 2:
                rho = expected * (a + 1) / (2 * (a + expected))
                total += ((count == 2) - rho / (1 + rho)) * (expected - 1) / (a + expected)
        return total

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return math.exp((low + high) / 2)


# Running ----------------------------------------------------------------------------------------------------------


def carry_out_case(case: Case, folder: Path) -> tuple[str, list[str]]:
    """The outcome of a case in an empty folder, and what is wrong with it."""
    recipe = write_case(case, folder)
    try:
        result, _recipe = carry_out_file(recipe)
    except PavoError as error:
        faults = [str(error)] if error.id in _OWN_FAULTS else []
        return f"refused: {error.id}", faults
    except Exception as error:
        return "unexpected error", [repr(error)[:300]]
    if not result.summary["verified"]:
        return "not verified", ["written though not verified"]
    if result.summary.get("unsafe_left"):
        return "records stay unsafe", []
    return "safe", list(wrong(case, read_safe(folder, case)))


_OWN_FAULTS = {"not-verified", "verification-failed", "unexpected"}
"""Refusals in which the program and its own check disagree."""


def fuzz(cases: int, seed: int, keep: Path | None = None) -> tuple[Counter[str], list[str]]:
    """Outcomes of `cases` random runs, and what was wrong."""
    outcomes: Counter[str] = Counter()
    faults: list[str] = []
    for number in range(cases):
        chance = random.Random(f"{seed} {number}")
        case = draw_case(chance)
        with tempfile.TemporaryDirectory() as name:
            outcome, found = carry_out_case(case, Path(name))
            outcomes[outcome] += 1
            if found:
                faults.append(f"case {seed} {number} ({outcome}): {found[0]} … {len(found)}")
                if keep is not None:
                    shutil.copytree(name, keep / f"{seed}-{number}", dirs_exist_ok=True)
    return outcomes, faults


def main(arguments: Sequence[str]) -> int:
    """Carry the cases out; 1 where one was wrong."""
    cases = int(arguments[0]) if arguments else 1000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    begun = time.monotonic()
    outcomes, faults = fuzz(cases, seed, Path(arguments[2]) if len(arguments) > 2 else None)
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    print(f"{cases} cases in {time.monotonic() - begun:.0f} s, {len(faults)} wrong", *faults[:40], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
