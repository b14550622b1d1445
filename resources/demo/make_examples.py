#!/usr/bin/env python3
"""Make the data of the two further examples: people of the demonstration's invented country.

    python resources/demo/make_examples.py [FOLDER]

Writes ``housing/housing.csv``, a survey of households, and ``communes/communes.csv``, a survey of persons in 300
communes, each with its codelists. The recipes beside them are written by hand. As in `make_demo`, every machine makes
the same bytes.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import codes
from make_demo import Draw, Person, complete, household

HOUSING_SEED, COMMUNES_SEED = 20250211, 20250318
HOUSEHOLDS, WORKERS = 1400, 6000

Row = tuple[object, ...]

# --- the survey of households --------------------------------------------------------------------------------------

DISTRICTS = {
    "11": ("Old Harbour", 90), "12": ("Customs Quay", 140), "13": ("Fishmarket", 60), "14": ("Lighthouse Row", 25),
    "21": ("Station Road", 220), "22": ("Foundry Street", 170), "23": ("Gasworks", 80),
    "31": ("Orchard Park", 150), "32": ("Mill Hill", 120), "33": ("Chapel Green", 95), "34": ("Larchwood", 40),
    "41": ("Westfield", 110), "42": ("Ferry End", 30), "43": ("The Moor", 12),
}  # fmt: skip
"""Codes of districts, each with its name and its share of the households; the first digit is the quarter."""
QUARTERS = {"1": "Waterside", "2": "Railway quarter", "3": "Hillside", "4": "Outskirts"}
DWELLINGS = {"1": "Flat", "2": "Terraced house", "3": "Detached house", "4": "Farm or houseboat"}
DWELLINGS_OF = {
    "1": {"1": 78, "2": 17, "3": 3, "4": 2},
    "2": {"1": 62, "2": 36, "3": 2},
    "3": {"1": 22, "2": 46, "3": 32},
    "4": {"1": 8, "2": 30, "3": 51, "4": 11},
}
TENURES = {"1": "Owner", "2": "Rented from the city", "3": "Rented otherwise"}
TENURES_OF = {
    "1": {"1": 22, "2": 44, "3": 34},
    "2": {"1": 55, "2": 28, "3": 17},
    "3": {"1": 88, "2": 1, "3": 11},
    "4": {"1": 70, "3": 30},
}
BIRTHPLACES = {"1": "This country", "2": "A neighbouring country", "3": "Elsewhere in Europe", "4": "Another continent"}
STATES_OF_DWELLING = {"0": "No complaint", "1": "Damp or mould", "2": "Cannot be heated", "3": "Too small"}


def _cost(draw: Draw, dwelling: str, tenure: str, persons: int) -> int:
    """Monthly cost of a dwelling, in whole tens."""
    middle = {"1": 62, "2": 78, "3": 104, "4": 70}[dwelling] + 6 * min(persons, 5)
    share = {"1": 95, "2": 70, "3": 120}[tenure]
    return 10 * (middle * share * draw.around(100, 40) // 10_000)


def _birthplaces(draw: Draw, members: list[Person]) -> list[str]:
    """Mostly one for a whole household; children are mostly born here."""
    first = draw.pick({"1": 84, "2": 7, "3": 5, "4": 4})
    return [
        "1" if first != "1" and person.position == "3" and draw.chance(65)
        else draw.pick({"1": 94, "2": 3, "3": 2, "4": 1}) if first == "1" and person is not members[0]
        else first
        for person in members
    ]  # fmt: skip


def housing() -> Iterable[Row]:
    """Records of the survey of households, members of one after the other."""
    draw = Draw(HOUSING_SEED)
    shares = {code: share for code, (_, share) in DISTRICTS.items()}
    number = 700_000
    for _ in range(HOUSEHOLDS):
        number += draw.between(3, 97)  # the office's own numbers, in the order of the addresses
        district = draw.pick(shares)
        dwelling = draw.pick(DWELLINGS_OF[district[0]])
        tenure = draw.pick(TENURES_OF[dwelling])
        kind, members = household(draw)
        complete(draw, members, "0101")
        cost = _cost(draw, dwelling, tenure, len(members))
        complaint = draw.pick({"0": 82, "1": 8, "2": 5, "3": 5} if tenure != "1" else {"0": 95, "1": 3, "2": 2})
        hundredths = {"single": 4350, "couple": 3720, "family": 3610}.get(kind, 4010) * draw.between(96, 104) // 100
        weight = f"{hundredths // 100}.{hundredths % 100:02}"
        for person, born in zip(members, _birthplaces(draw, members), strict=True):
            marital = "" if draw.chance(1) else person.marital
            home = (number, district, dwelling, tenure, cost, complaint)
            yield (*home, person.sex, person.age, marital, born, weight)


HOUSING_HEADER = (
    "HHNO",
    "DISTRICT",
    "DWELLING",
    "TENURE",
    "COST",
    "COMPLAINT",
    "SEX",
    "AGE",
    "MARSTAT",
    "BORN",
    "WEIGHT",
)

# --- the survey with many regions ----------------------------------------------------------------------------------

_BEGINNINGS = ("Al", "Bran", "Cors", "Dun", "Elm", "Fal", "Gar", "Hart", "Ing", "Kel", "Lang", "Mor", "Nor", "Oak",
               "Pen")  # fmt: skip
_ENDINGS = ("aby", "beck", "cott", "dale", "ester", "ford", "garth", "ham", "ing", "keld", "ley", "mouth", "ness",
            "over", "pool", "ridge", "stead", "thorpe", "wick", "worth")  # fmt: skip
_COUNTIES, _COMMUNES = 3, 12
"""Counties of a region (of the first one more), and communes of a county."""
INDUSTRIES = {
    "A": "Farming and fishing", "A1": "Crops", "A2": "Animals", "A3": "Fishing",
    "B": "Industry", "B1": "Food", "B2": "Metal", "B3": "Textiles", "B4": "Energy",
    "C": "Building", "C1": "Houses", "C2": "Roads",
    "D": "Trade and traffic", "D1": "Shops", "D2": "Wholesale", "D3": "Railways", "D4": "Shipping", "D5": "Inns",
    "E": "Offices", "E1": "Banks", "E2": "Law and accounts", "E3": "Computing",
    "F": "Public service", "F1": "Administration", "F2": "Schools", "F3": "Hospitals", "F4": "Care",
}  # fmt: skip
_WORKERS_OF = {
    "A1": 5, "A2": 6, "A3": 1, "B1": 7, "B2": 9, "B3": 2, "B4": 2, "C1": 9, "C2": 3, "D1": 17, "D2": 6, "D3": 2,
    "D4": 1, "D5": 7, "E1": 4, "E2": 7, "E3": 6, "F1": 9, "F2": 12, "F3": 9, "F4": 11,
}  # fmt: skip


def communes() -> dict[str, str]:
    """Codes of 300 communes: region (2 digits), county (1), and 2 digits of their own; each with its name."""
    names = [begin + end for end in _ENDINGS for begin in _BEGINNINGS]
    found: dict[str, str] = {}
    for region in range(1, len(codes.PROVINCES) + 1):
        for county in range(1, _COUNTIES + 1 + (region == 1)):
            for rank in range(1, _COMMUNES + 1):
                found[f"{region:02}{county}{rank:02}"] = names[len(found)]
    return found


def places() -> dict[str, str]:
    """The codelist of all three levels: regions, counties and communes."""
    parts = ("North", "South", "East", "West")
    listed = dict(communes())
    for code in [*listed]:
        region = codes.provinces()[code[:2]]
        listed[code[:2]] = region
        listed[code[:3]] = f"{region}, {parts[int(code[2]) - 1]}"
    return dict(sorted(listed.items()))


def workers() -> Iterable[Row]:
    """Records of the survey of persons in communes, one of each household."""
    draw = Draw(COMMUNES_SEED)
    provinces = [sum(members.values()) for members in codes.PROVINCES.values()]
    shares = {code: provinces[int(code[:2]) - 1] * 100 // (int(code[3:]) + 2) for code in communes()}
    for number in range(WORKERS):
        commune = draw.pick(shares)
        _, members = household(draw)
        complete(draw, members, "0101")
        person = members[0]
        working = person.occupation not in (codes.NOT_WORKING, "9999")
        industry = draw.pick(_WORKERS_OF) if working else ""
        hours = 4 * draw.between(3, 10) if working else 0
        hundredths = (4000 + 900 * (int(commune[:2]) % 4)) * draw.between(90, 110) // 100
        weight = f"{hundredths // 100}.{hundredths % 100:02}"
        number_told = 3_000_001 + 17 * number
        yield (number_told, commune, person.sex, person.age, person.marital, person.education, industry, hours, weight)


WORKERS_HEADER = ("PERSON", "COMMUNE", "SEX", "AGE", "MARSTAT", "EDUC", "INDUSTRY", "HOURS", "WEIGHT")

# --- files ---------------------------------------------------------------------------------------------------------


def delimited(header: Iterable[str], rows: Iterable[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def codelist(labels: Mapping[str, str]) -> str:
    return "".join(f'{code},"{label}"\n' if "," in label else f"{code},{label}\n" for code, label in labels.items())


def make() -> dict[str, str]:
    """Every file by name."""
    ages = "".join(f"{code}: {years}\n" for code, (years, _) in codes.AGE_GROUPS.items())
    quarters = "".join(f"{code}: {code}1-{code}9\n" for code in QUARTERS)
    groups = {code: label for code, (_, label) in codes.AGE_GROUPS.items()}
    return {
        "housing/housing.csv": delimited(HOUSING_HEADER, housing()),
        "housing/District.cdl": codelist({code: name for code, (name, _) in DISTRICTS.items()}),
        "housing/District.grc": f'{quarters}\n<CODELIST> "Quarter.cdl"\n',
        "housing/Quarter.cdl": codelist(QUARTERS),
        "housing/Dwelling.cdl": codelist(DWELLINGS),
        "housing/Tenure.cdl": codelist(TENURES),
        "housing/Complaint.cdl": codelist(STATES_OF_DWELLING),
        "housing/Sex.cdl": codelist(codes.SEX),
        "housing/Age.grc": f'{ages}\n<CODELIST> "AgeGroup.cdl"\n',
        "housing/AgeGroup.cdl": codelist(groups),
        "housing/Marstat.cdl": codelist(codes.MARITAL_STATUS),
        "housing/Born.cdl": codelist(BIRTHPLACES),
        "communes/communes.csv": delimited(WORKERS_HEADER, workers()),
        "communes/Commune.cdl": codelist(places()),
        "communes/Sex.cdl": codelist(codes.SEX),
        "communes/Marstat.cdl": codelist(codes.MARITAL_STATUS),
        "communes/Educ.cdl": codelist(codes.EDUCATION),
        "communes/Industry.cdl": codelist(INDUSTRIES),
    }


def main(folder: Path) -> None:
    for name, text in make().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "examples")
