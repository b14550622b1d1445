"""A survey as one file and in parts, and its recipe, for tests of files in parts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.batch import main

NAMES = ("REGION", "SEX", "AGE", "JOB", "WEIGHT", "SHOE", "HAND")

RECIPE = """recipe = 1
[input]
data = {data}
[variables.WEIGHT]
role = "weight"
[variables.AGE]
missing = ["", "98"]
[variables.JOB]
related = "SHOE"
[[combinations]]
variables = ["REGION", "SEX", "AGE"]
[[combinations]]
variables = ["SEX", "JOB"]
model = "frequency"
count_threshold = 2
[[combinations]]
variables = ["JOB", "HAND"]
missing_rule = "wildcard"
[[recodes]]
variable = "REGION"
scheme = '''
1: 1-3
2: 4-6
'''
[threshold]
individual_risk = 0.02
[output]
data = "{out}"
metadata = "{out}.rda"
summary = "summary.json"
"""


def records(n: int = 400, seed: int = 1) -> list[tuple[str, ...]]:
    """Records with rare keys, missing values of two kinds, and weights of up to three decimals, some below one."""
    draw = np.random.default_rng(seed)
    region = draw.integers(1, 10, n)
    sex = draw.integers(1, 3, n)
    age = np.minimum(draw.geometric(0.12, n), 40)
    job = np.minimum(draw.geometric(0.2, n), 12)
    found = []
    for i in range(n):
        years = "" if draw.random() < 0.03 else "98" if draw.random() < 0.03 else str(age[i])
        work = "" if draw.random() < 0.04 else f"j{job[i]}"
        hand = ("l", "r", "r", "r", "")[draw.integers(0, 5)]
        weight = str(round(float(draw.gamma(2, 20)), int(draw.integers(0, 4)))) if i % 50 else "0.5"
        found.append((str(region[i]), str(sex[i]), years, work, weight, str(draw.integers(35, 48)), hand))
    return found


@dataclass
class SurveyInParts:
    """A folder with a survey in one file and in parts."""

    folder: Path
    suffix: str = ".csv"

    def write(self, path: Path, rows: list[tuple[str, ...]], names: tuple[str, ...] = NAMES) -> None:
        """Write one file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.suffix == ".parquet":
            columns = [[None if value == "" else value for value in column] for column in zip(*rows, strict=True)]
            pq.write_table(pa.table(dict(zip(names, (pa.array(c, pa.string()) for c in columns), strict=True))), path)
        else:
            lines = [",".join(names), *(",".join(row) for row in rows)]
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def split(self, rows: list[tuple[str, ...]], number: int) -> None:
        """Write the records as `number` parts of different sizes."""
        cuts = np.random.default_rng(number).choice(np.arange(1, len(rows)), number - 1, replace=False)
        for i, part in enumerate(np.split(np.arange(len(rows)), np.sort(cuts))):
            self.write(self.folder / "parts" / f"p{i:03}{self.suffix}", [rows[j] for j in part])

    def run(self, recipe: str, *arguments: str, name: str = "recipe.pavo") -> int:
        """Carry out a recipe; the exit status."""
        path = self.folder / name
        path.write_text(recipe, encoding="utf-8")
        return main([str(path), "--quiet", *arguments])

    def summary(self) -> dict[str, Any]:
        """The summary, without what differs between two runs on the same data."""
        found: dict[str, Any] = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        for name in ("seconds", "peak_rss_mib", "files", "recipe_sha256", "input_sha256", "inputs"):
            found.pop(name, None)
        return found

    def read(self, path: Path) -> list[tuple[str, ...]]:
        """The records of a file, as texts."""
        if self.suffix == ".parquet":
            table = pq.read_table(path).to_pylist()
            return [tuple("" if v is None else str(v) for v in row.values()) for row in table]
        return [tuple(line.split(",")) for line in path.read_text(encoding="utf-8").splitlines()[1:]]

    def written(self) -> list[tuple[str, ...]]:
        """The records of all parts of the safe file, as its manifest names them."""
        folder = self.folder / "safe"
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return [record for part in manifest["parts"] for record in self.read(folder / part["name"])]
