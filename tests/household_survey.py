"""A household survey of invented persons, as wide as those that offices release: 7,500 persons in 3,000 households.

38 columns: identifiers, name and telephone, coordinates, a free text, region and commune, ISCO occupations, NACE
industries, countries, weights, ages, incomes and answers to questions. All of it is drawn from a seed, with the
dependences that risk models meet: children have no occupation, members share region and dwelling, incomes follow
occupations, and a few persons are rare in every way.
"""

from __future__ import annotations

import random
from pathlib import Path

PERSONS, HOUSEHOLDS = 7_500, 3_000
KEYS = ("REGION", "SEX", "AGE", "MARSTAT", "COUNTRY", "ISCO")
COLUMNS = (
    "PID", "HID", "NAME", "PHONE", "LAT", "LON", "REGION", "COMMUNE", "URBAN", "HHSIZE", "DWELLING", "TENURE", "ROOMS",
    "SEX", "AGE", "BIRTHYEAR", "MARSTAT", "RELATION", "COUNTRY", "CITIZEN", "ARRIVED", "EDUC", "STATUS", "ISCO", "NACE",
    "HOURS", "WAGE", "INCOME", "HHINCOME", "BENEFITS", "HEALTH", "DISABLED", "SMOKES", "TRUST", "SATISFIED", "REMARK",
    "WEIGHT", "INTERVIEW",
)  # fmt: skip
_REGIONS = [f"{number:02}" for number in range(1, 13)]
_COUNTRIES = ["AT"] * 60 + ["DE"] * 8 + ["TR"] * 5 + ["RS"] * 4 + ["BA", "RO", "HU", "PL", "IT", "SY", "AF", "FR", "JP"]
_ISCO = ["1112", "2221", "2341", "2512", "3122", "4110", "5120", "5223", "6111", "7115", "8332", "9112", "0110"]
_NACE = ["A01", "C10", "C29", "F41", "G47", "H49", "I56", "K64", "O84", "P85", "Q86"]
_REMARKS = ["", "", "", "", "moved last year", "cares for a parent", "works abroad; back at weekends", 'says "fine"']


def write_survey(folder: Path, seed: int = 11) -> Path:
    """Write ``households.csv``, delimited by commas, in UTF-8; its path."""
    draw = random.Random(seed)
    sizes = [1] * HOUSEHOLDS
    while sum(sizes) < PERSONS:
        place = int(draw.triangular(0, HOUSEHOLDS, 0)) % HOUSEHOLDS
        if sizes[place] < 9:
            sizes[place] += 1
    lines, number = [",".join(COLUMNS)], 0
    for household, size in enumerate(sizes):
        home = _home(draw, household, size)
        people = [_person(draw, home, place) for place in range(size)]
        together = sum(int(each["INCOME"] or 0) for each in people)
        for each in people:
            number += 1
            each |= {"PID": f"{100000 + 7 * number}", "HHINCOME": str(together)}
            lines.append(",".join(_field(each[name]) for name in COLUMNS))
    path = folder / "households.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _home(draw: random.Random, household: int, size: int) -> dict[str, str]:
    region = _REGIONS[min(int(draw.expovariate(0.35)), len(_REGIONS) - 1)]
    return {
        "HID": str(20000 + 3 * household),
        "PHONE": f"0{draw.randrange(660, 700)} {draw.randrange(1000000, 9999999)}",
        "LAT": f"{47 + draw.random():.5f}",
        "LON": f"{14 + 2 * draw.random():.5f}",
        "REGION": region,
        "COMMUNE": f"{region}{draw.randrange(1, 30):03}",
        "URBAN": draw.choice("123"),
        "HHSIZE": str(size),
        "DWELLING": draw.choice("1122233"),
        "TENURE": draw.choice("12223"),
        "ROOMS": str(draw.randrange(1, 3 + size)),
        "WEIGHT": f"{draw.uniform(40, 260):.2f}",
        "INTERVIEW": f"2024-{draw.randrange(3, 7):02}-{draw.randrange(1, 29):02}",
    }


def _person(draw: random.Random, home: dict[str, str], place: int) -> dict[str, str]:
    age = int(draw.triangular(19, 95, 42)) if place < 2 else int(draw.triangular(0, 40, 9))
    country = draw.choice(_COUNTRIES)
    works = 18 <= age < 66 and draw.random() < 0.7
    isco = draw.choices(_ISCO, range(len(_ISCO), 0, -1))[0] if works else ""
    wage = int(draw.lognormvariate(7.6, 0.4)) if works else 0
    grown = age >= 16
    return home | {
        "NAME": f"{draw.choice('ABCDEFGHJKLM')}. {draw.choice(('Huber', 'Gruber', 'Novak', 'Yilmaz', 'Bauer'))}",
        "SEX": draw.choice("12"),
        "AGE": str(age),
        "BIRTHYEAR": str(2024 - age),
        "MARSTAT": draw.choice("12234") if age >= 18 else "1",
        "RELATION": "123"[min(place, 2)],
        "COUNTRY": country,
        "CITIZEN": country if draw.random() < 0.8 else "AT",
        "ARRIVED": "" if country == "AT" else str(2024 - draw.randrange(0, age + 1)),
        "EDUC": draw.choice("1223345") if grown else "",
        "STATUS": "1" if works else "4" if age >= 65 else "3",
        "ISCO": isco,
        "NACE": draw.choice(_NACE) if works else "",
        "HOURS": str(draw.choice((20, 30, 38, 40, 40, 50))) if works else "",
        "WAGE": str(wage) if works else "",
        "INCOME": str(12 * wage + draw.randrange(0, 9000)) if grown else "",
        "BENEFITS": str(draw.randrange(0, 900, 50)) if grown and draw.random() < 0.3 else "0",
        "HEALTH": draw.choice("11223345"),
        "DISABLED": "1" if draw.random() < 0.04 else "0",
        "SMOKES": draw.choice("001") if grown else "",
        "TRUST": str(draw.randrange(0, 11)) if grown else "",
        "SATISFIED": str(draw.randrange(0, 11)) if grown else "",
        "REMARK": draw.choice(_REMARKS),
    }


def _field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text
