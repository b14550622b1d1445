"""Every rule that the mu-ARGUS engine was measured on (golden/muargus-engine.md), from a recipe to a written file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.batch import run
from core.data.columns import EncodedColumn
from core.formats.registry import read
from core.metadata.describe import describe
from core.recipe.model import Input
from core.risk.individual import individual_risk
from core.suppression.costs import entropy
from tests.core.suppression.demodata import KEYS, load

GOLDEN = [
    ("recoded", "risk", "entropy", (0, 146, 0, 247)),
    ("recoded", "risk", "weights", (375, 0, 11, 7)),
    ("raw", "risk", "entropy", (950, 290, 2756, 278)),
    ("raw", "risk", "weights", (3840, 88, 230, 3)),
    ("raw", "1", "entropy", (166, 813, 1782, 456)),
    ("raw", "1", "weights", (2962, 23, 55, 2)),
    ("raw", "5", "entropy", (1326, 289, 2388, 391)),
    ("raw", "5", "weights", (3855, 85, 279, 0)),
    ("recoded", "1", "entropy", (0, 64, 0, 50)),
    ("recoded", "1", "weights", (114, 0, 0, 0)),
    ("recoded", "5", "entropy", (0, 197, 0, 293)),
    ("recoded", "5", "weights", (466, 1, 10, 12)),
]
"""File, rule (risk 0.00125, or a threshold), criterion (weights: priority 50 each), mu-ARGUS's suppressions."""

BITS = {
    "raw": dict(zip(KEYS, (6.8268, 0.99970, 5.8343, 1.3106), strict=True)),
    "recoded": dict(zip(KEYS, (4.0654, 0.99970, 2.5202, 1.3106), strict=True)),
}
"""Entropies as mu-ARGUS prints them."""

UNSAFE = {"raw": 3968, "recoded": 393}
"""Records that mu-ARGUS finds unsafe at 0.00125 by its seven-term series."""

LIMIT = 0.00125


def recipe(data: Path, file: str, rule: str, criterion: str) -> str:
    """One of the rules as a recipe."""
    lines = ["recipe = 1", "[input]", f'data = "{(data / "Demodata.asc").as_posix()}"']
    lines += [f'metadata = "{(data / "Demodata.rda").as_posix()}"', "[[combinations]]"]
    lines += [f"variables = {json.dumps(KEYS)}"]
    if rule == "risk":
        lines += ['estimator = "truncated"', "[threshold]", f"individual_risk = {LIMIT}"]
    else:
        lines += ['model = "frequency"', f"count_threshold = {rule}"]
    for name, scheme in (("REGION", "Region.grc"), ("AGE", "Age.grc")):
        if file == "recoded":
            lines += ["[[recodes]]", f'variable = "{name}"', f'scheme_file = "{(data / scheme).as_posix()}"']
    lines += ["[suppression]", f'criterion = "{criterion}"']
    if criterion == "weights":
        lines += [line for name in KEYS for line in (f"[variables.{name}]", "suppression_weight = 50")]
    return "\n".join([*lines, "[output]", 'data = "safe.asc"', 'metadata = "safe.rds"', ""])


def keys_of(columns: Mapping[str, EncodedColumn]) -> list[tuple[str, ...]]:
    """The codes of each record on the keys; empty where missing."""
    told = {name: [*columns[name].codes[: columns[name].n_valid], *[""] * columns[name].n_missing_codes]
            for name in KEYS}  # fmt: skip
    return list(zip(*([told[name][i] for i in columns[name].values.tolist()] for name in KEYS), strict=True))


class Counted:
    """Records and weights of the file before suppression, on any of the keys; counted without what is tested."""

    def __init__(self, rows: list[tuple[str, ...]], weights: list[float]) -> None:
        self._f: dict[tuple[tuple[int, str], ...], int] = {}
        self._F: dict[tuple[tuple[int, str], ...], float] = {}
        subsets = [places for size in range(len(KEYS) + 1) for places in combinations(range(len(KEYS)), size)]
        for row, weight in zip(rows, weights, strict=True):
            for places in subsets:
                key = tuple((i, row[i]) for i in places)
                self._f[key] = self._f.get(key, 0) + 1
                self._F[key] = self._F.get(key, 0.0) + weight

    def unsafe(self, row: tuple[str, ...], rule: str) -> bool:
        """Whether a record with these codes (empty: suppressed) is unsafe."""
        key = tuple((i, code) for i, code in enumerate(row) if code)
        if rule != "risk":
            return self._f[key] <= int(rule)
        return risk_of_cell(self._f[key], self._F[key]) >= LIMIT


@cache
def risk_of_cell(f: int, F: float) -> float:
    """By mu-ARGUS's series, from records and weights of a cell."""
    return float(individual_risk(np.array([f]), np.array([F]), "truncated")[0])


@pytest.fixture(scope="module")
def before(shared: Path) -> dict[str, tuple[list[tuple[str, ...]], Counted, dict[str, float]]]:
    """The keys raw and recoded, their counts and entropies."""
    found = {}
    for file in ("raw", "recoded"):
        columns, weights = load(shared / "data" / "demodata", file == "recoded")
        rows = keys_of(columns)
        limbs = zip(weights.limbs, weights.decimals, strict=True)
        counted = Counted(rows, sum(limb / 10**decimals for limb, decimals in limbs).tolist())
        found[file] = rows, counted, {name: entropy(columns[name]) for name in KEYS}
    return found


@pytest.mark.parametrize(("file", "rule", "criterion", "theirs"), GOLDEN)
def test_no_rule_loses_more_than_mu_argus_and_the_written_file_is_safe(
    shared: Path, before: Any, tmp_path: Path, file: str, rule: str, criterion: str, theirs: tuple[int, ...]
) -> None:
    path = tmp_path / "rule.pavo"
    path.write_text(recipe(shared / "data" / "demodata", file, rule, criterion), encoding="utf-8")
    summary, _ = run(path)
    suppression, table = summary["suppression"], summary["combinations"][0]
    rows, counted, entropies = before[file]
    assert entropies == pytest.approx(BITS[file], abs=5e-5)
    unsafe = sum(counted.unsafe(row, rule) for row in rows)
    if rule == "risk":
        assert table["threshold"]["unsafe_records"] == unsafe == UNSAFE[file], "the same unsafe records"
    each = entropies if criterion == "entropy" else dict.fromkeys(KEYS, 50.0)
    most = sum(count * each[name] for name, count in zip(KEYS, theirs, strict=True))
    assert suppression["loss"] <= most + 1e-6
    assert summary["verified"] is True and summary["unsafe_left"] == 0

    written = read(tmp_path / "safe.asc", describe(Input(tmp_path / "safe.asc", tmp_path / "safe.rds")), KEYS)
    released = keys_of(written.columns)
    pairs = list(zip(rows, released, strict=True))
    assert all(new in ("", old) for row, safe in pairs for old, new in zip(row, safe, strict=True))
    blanked = [sum(row[i] != safe[i] for row, safe in pairs) for i in range(len(KEYS))]
    assert dict(zip(KEYS, blanked, strict=True)) == suppression["by_variable"]
    assert sum(count * each[name] for name, count in zip(KEYS, blanked, strict=True)) <= most + 1e-6
    assert not any(counted.unsafe(row, rule) for row in released)
