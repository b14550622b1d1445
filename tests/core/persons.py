"""A small survey of persons in scattered households, and the command carried out on it."""

from __future__ import annotations

import csv
import json
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.batch import main

RECIPE = """recipe = 1
[input]
data = "persons.csv"
format = "delimited"
[variables.HH]
role = "household-id"
[variables.W]
role = "weight"
[variables.AREA]
household = true
suppression_weight = 60
[[combinations]]
variables = ["AREA", "SEX", "AGE"]
[threshold]
household_risk = 0.12
[suppression]
criterion = "weights"
[output]
data = "out/safe.csv"
summary = "out/summary.json"
report = "out/report.html"
records = "out/records.csv"
"""


@dataclass
class Persons:
    """A folder with persons in scattered households, and a recipe."""

    folder: Path
    recipe: str = RECIPE
    seed: int = 1
    persons: int = 160

    def rows(self) -> list[dict[str, str]]:
        rng = random.Random(self.seed)
        homes = [(str(1000 + 7 * i), rng.choice("AABBC"), rng.choice("123")) for i in range(self.persons // 3)]
        rows = []
        for i in range(self.persons):
            home = homes[i % len(homes)] if i < len(homes) else rng.choice(homes)
            age = rng.choice(["old", "young", "young", "child", ""])
            rows.append({"HH": home[0], "AREA": home[1], "SEX": rng.choice("12"), "AGE": age, "NOTE": f"n{i}",
                         "W": str(rng.randint(8, 30))})  # fmt: skip
        rng.shuffle(rows)
        return rows

    def run(self, changes: dict[str, str] | None = None, rows: list[dict[str, str]] | None = None) -> int:
        """The exit status of the command."""
        text = self.recipe
        for old, new in (changes or {}).items():
            assert old in text
            text = text.replace(old, new)
        rows = self.rows() if rows is None else rows
        with (self.folder / "persons.csv").open("w", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        (self.folder / "persons.pavo").write_text(text)
        return main([str(self.folder / "persons.pavo"), "--quiet"])

    @property
    def summary(self) -> Any:
        return json.loads((self.folder / "out" / "summary.json").read_text())

    def safe(self) -> list[dict[str, str]]:
        with (self.folder / "out" / "safe.csv").open(newline="") as file:
            return list(csv.DictReader(file))


def by_note(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    return {row["NOTE"]: row for row in rows}


def partition(rows: list[dict[str, str]], name: str = "HH") -> set[frozenset[str]]:
    found = defaultdict(set)
    for row in rows:
        found[row[name]].add(row["NOTE"])
    return {frozenset(group) for group in found.values()}
