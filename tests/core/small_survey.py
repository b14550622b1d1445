"""A small fixed-format survey and its recipe, for tests that spoil one thing at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.batch import main

RDA = """REGION 1 2 "99"
  <RECODABLE>
SEX 3 1 "9"
  <RECODABLE>
AGE 4 2 "99"
  <RECODABLE>
WEIGHT 6 5
  <NUMERIC>
  <DECIMALS> 1
  <WEIGHT>
INCOME 11 4 "9999"
  <NUMERIC>
"""

RECIPE = """recipe = 1
[input]
data = "survey.asc"
metadata = "survey.rda"
[[combinations]]
variables = ["REGION", "SEX", "AGE"]
[threshold]
individual_risk = 0.02
[output]
data = "out/safe.asc"
metadata = "out/safe.rds"
report = "out/report.html"
records = "out/records.csv"
"""


def survey_lines() -> list[str]:
    """60 records: 54 in six common cells, six rare ones."""
    lines = [f"{1 + i % 3:>2}{1 + i % 2}{30 + 10 * (i % 2):>2}{20.0:>5}{100 + i:>4}" for i in range(54)]
    lines += [f"{1 + i % 3:>2}{1 + i % 2}{60 + i:>2}{20.0:>5}{900 + i:>4}" for i in range(6)]
    return lines


@dataclass
class Survey:
    """A folder with data, metadata and recipe; `run` carries the recipe out as the command does."""

    folder: Path
    recipe: str = RECIPE
    rda: str = RDA
    lines: list[str] = field(default_factory=survey_lines)

    @property
    def data(self) -> Path:
        return self.folder / "survey.asc"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def write(self) -> None:
        self.data.write_bytes("".join(line + "\n" for line in self.lines).encode())
        self.write_metadata()
        (self.folder / "survey.pavo").write_text(self.recipe, encoding="utf-8")

    def write_metadata(self) -> None:
        """Write the metadata alone."""
        (self.folder / "survey.rda").write_text(self.rda, encoding="utf-8")

    def run(self, *arguments: str) -> int:
        """The exit status of the command on the files as they are."""
        return main([str(self.folder / "survey.pavo"), *arguments])

    def files(self) -> dict[str, bytes]:
        """Every file of the folder."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def summary(self, text: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(text)
        return found
