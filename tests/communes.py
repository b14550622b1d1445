"""A survey of people in 300 communes: each in one of twelve provinces, which its code begins with and a column says."""

from __future__ import annotations

import random
from pathlib import Path

HEADER = "ID;COMMUNE;PROVINCE;AGE;SEX;INDUSTRY;MARSTAT;WEIGHT"
KEYS = ("COMMUNE", "AGE", "SEX", "INDUSTRY", "MARSTAT")


def write_communes(folder: Path, records: int = 4000) -> Path:
    """Write ``communes.csv`` and a recipe ``communes.pavo`` with all keys together and no more than 1 in 50; its path.

    A commune's code is four digits: its province (10 to 65, in steps of 5), and two that count its communes. AGE is in
    years, INDUSTRY a letter and a digit.
    """
    chance = random.Random(5)
    communes = [f"{10 + 5 * province}{number:02}" for province in range(12) for number in range(1, 26)]
    lines = [HEADER]
    for number in range(records):
        commune = communes[min(int(chance.expovariate(0.01)), 299)]
        industry = f"{chance.choice('ABCDEFG')}{chance.randrange(1, 6)}"
        age, weight = min(int(chance.triangular(0, 99, 35)), 98), chance.randrange(50, 150)
        person = f"{commune};P{commune[:2]};{age};{chance.randrange(1, 3)};{industry};{chance.randrange(1, 5)}"
        lines.append(f"{number};{person};{weight}")
    (folder / "communes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    keys = ", ".join(f'"{name}"' for name in KEYS)
    described = "".join(f"[variables.{name}]\ncategorical = true\nidentification_level = 1\n" for name in KEYS)
    described += '[variables.PROVINCE]\ncategorical = true\n[variables.WEIGHT]\nrole = "weight"\n'
    session = folder / "communes.pavo"
    session.write_text(
        f'recipe = 1\n[input]\ndata = "communes.csv"\n{described}'
        f"[[combinations]]\nvariables = [{keys}]\n[threshold]\nindividual_risk = 0.02\n",
        encoding="utf-8",
    )
    return session
