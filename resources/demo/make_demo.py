#!/usr/bin/env python3
"""Make the demonstration survey: invented persons in invented households of an invented country.

    python resources/demo/make_demo.py [FOLDER]

Writes survey.asc with its metadata, codelists and recode files, and survey.csv with the same records. The seed is
fixed and only raw 64-bit draws and whole numbers are used, so every machine makes the same bytes.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import codes
import numpy as np

SEED = 20240517
PERSONS = 5000


class Draw:
    """Chance, from one PCG64 stream."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def below(self, limit: int) -> int:
        return int(self._bits.random_raw()) % limit

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def around(self, middle: int, spread: int) -> int:
        """Mostly near `middle`, never further than `spread` away."""
        return (
            middle
            - spread
            + (self.below(2 * spread + 1) + self.below(2 * spread + 1) + self.below(2 * spread + 1)) // 3
        )

    def pick(self, shares: Mapping[str, int]) -> str:
        """One key, in proportion to its share."""
        left = self.below(sum(shares.values()))
        for key, share in shares.items():
            left -= share
            if left < 0:
                return key
        raise AssertionError("shares cover every draw")


@dataclass
class Person:
    age: int
    sex: str
    position: str
    marital: str = "1"
    education: str = "0"
    occupation: str = codes.NOT_WORKING
    income: int | None = 0  # hundreds
    illness: str = "0"


def by_age(age: int, table: Mapping[int, Mapping[str, int]]) -> Mapping[str, int]:
    """The row of the table whose limit is the first above `age`."""
    return next(row for limit, row in table.items() if age < limit)


# --- households ----------------------------------------------------------------------------------------------------

KINDS = {"single": 34, "couple": 28, "family": 26, "lone parent": 8, "sharers": 4}
SINGLE_MARITAL = {
    30: {"1": 96, "3": 4},
    45: {"1": 72, "3": 26, "4": 2},
    65: {"1": 33, "3": 53, "4": 14},
    200: {"1": 14, "3": 22, "4": 64},
}
MARRIED = {30: {"2": 45, "": 55}, 45: {"2": 72, "": 28}, 65: {"2": 84, "": 16}, 200: {"2": 95, "": 5}}


def other_sex(draw: Draw, sex: str) -> str:
    return sex if draw.chance(2) else "12"[sex == "1"]


def couple(draw: Draw, youngest: int, oldest: int) -> list[Person]:
    """Two partners of similar age, mostly married."""
    sex = draw.pick({"1": 50, "2": 50})
    age = draw.between(youngest, oldest)
    gap = draw.around(2 if sex == "1" else -2, 9)
    first = Person(age, sex, "2")
    second = Person(min(max(age - gap, 18), 97), other_sex(draw, sex), "2")
    if draw.pick(by_age(min(first.age, second.age), MARRIED)) == "2":
        first.marital = second.marital = "2"
    else:
        first.marital = draw.pick({"1": 78, "3": 20, "4": 2})
        second.marital = draw.pick({"1": 78, "3": 20, "4": 2})
    return [first, second]


def children(draw: Draw, parent: int) -> list[Person]:
    """Up to four children, 20 to 40 years younger than the parent, at home until 27 at most."""
    eldest = parent - draw.around(28, 8)
    members = []
    for _ in range(int(draw.pick({"1": 38, "2": 43, "3": 14, "4": 5}))):
        if 0 <= eldest <= 27 and 20 <= parent - eldest <= 40 and (eldest < 18 or draw.chance(70 - 6 * (eldest - 18))):
            members.append(Person(eldest, draw.pick({"1": 51, "2": 49}), "3"))
        eldest -= draw.between(1, 5)
    return members


def single(draw: Draw) -> list[Person]:
    age = draw.between(
        *{"young": (19, 34), "middle": (35, 64), "old": (65, 96)}[draw.pick({"young": 30, "middle": 38, "old": 32})]
    )
    sex = draw.pick({"1": 54, "2": 46} if age < 60 else {"1": 30, "2": 70})
    return [Person(age, sex, "1", draw.pick(by_age(age, SINGLE_MARITAL)))]


def lone_parent(draw: Draw) -> list[Person]:
    parent = Person(draw.between(22, 55), draw.pick({"1": 15, "2": 85}), "4", draw.pick({"1": 35, "3": 53, "4": 12}))
    members = [parent, *children(draw, parent.age)]
    if len(members) == 1:
        parent.position = "1"
    return members


def sharers(draw: Draw) -> list[Person]:
    """Students together, or a couple with an old parent of one of them."""
    if draw.chance(55):
        return [Person(draw.between(18, 27), draw.pick({"1": 50, "2": 50}), "5") for _ in range(draw.between(2, 4))]
    members = couple(draw, 40, 64)
    old = Person(min(members[0].age + draw.between(21, 36), 97), draw.pick({"1": 25, "2": 75}), "5")
    old.marital = draw.pick({"3": 10, "4": 88, "1": 2})
    return [*members, old]


def household(draw: Draw) -> tuple[str, list[Person]]:
    """The kind of a household and its members."""
    kind = draw.pick(KINDS)
    if kind == "single":
        return kind, single(draw)
    if kind == "couple":
        return kind, couple(draw, 22, 34) if draw.chance(22) else couple(draw, 35, 88)
    if kind == "family":
        parents = couple(draw, 25, 54)
        return kind, parents + children(draw, min(parent.age for parent in parents))
    return kind, lone_parent(draw) if kind == "lone parent" else sharers(draw)


# --- persons -------------------------------------------------------------------------------------------------------

EDUCATION = {
    16: {"0": 1},
    19: {"1": 15, "2": 65, "3": 20},
    23: {"1": 3, "2": 20, "3": 52, "4": 17, "5": 8},
    35: {"1": 4, "2": 12, "3": 27, "4": 20, "5": 23, "6": 14},
    55: {"1": 8, "2": 18, "3": 28, "4": 21, "5": 16, "6": 9},
    70: {"1": 18, "2": 25, "3": 26, "4": 17, "5": 9, "6": 5},
    200: {"1": 38, "2": 27, "3": 18, "4": 10, "5": 5, "6": 2},
}
AT_WORK = {16: 0, 19: 10, 25: 55, 55: 82, 62: 66, 67: 36, 73: 8, 200: 0}
ILL = {15: 6, 35: 11, 55: 22, 70: 38, 200: 58}
ILLNESS = {
    35: {"1": 2, "2": 6, "3": 34, "4": 9, "5": 30, "6": 1, "7": 18},
    55: {"1": 9, "2": 12, "3": 16, "4": 26, "5": 21, "6": 4, "7": 12},
    200: {"1": 28, "2": 17, "3": 13, "4": 22, "5": 6, "6": 8, "7": 6},
}


def occupation(draw: Draw, education: str, region: str) -> str:
    """An occupation open to the education; the coast fishes, the first unit of a group is the commonest."""
    major = draw.pick(codes.MAJORS_BY_EDUCATION[education])
    groups = {
        group: 3 if place == 0 else 2 for place, group in enumerate(g for g in codes.OCCUPATIONS if g[0] == major)
    }
    if "62" in groups:
        groups["62"] = 9 if region.startswith("04") else 1 if region.startswith(("01", "02")) else 0
    group = draw.pick(groups)
    shares = (6, 3, 1)[: len(codes.OCCUPATIONS[group])]
    return draw.pick({f"{group}{unit:02}": share for unit, share in enumerate(shares, start=1)})


def earnings(draw: Draw, person: Person) -> int:
    """Yearly income in hundreds: earnings by occupation and age, pensions by education, benefits or nothing."""
    if person.occupation != codes.NOT_WORKING:
        share = 55 + 3 * min(max(person.age - 16, 0), 34) // 2
        part_time = 55 if draw.chance(38 if person.sex == "2" else 9) else 100
        return codes.EARNINGS[person.occupation[0]] * share * part_time * draw.around(100, 55) // 1_000_000
    if person.age >= 65:
        return draw.around(130 + 25 * int(person.education), 60)
    if person.age < 18 or draw.chance(40):
        return 0
    return draw.around(110, 70)


def complete(draw: Draw, members: list[Person], region: str) -> None:
    """Give the members education, work, income and health; partners resemble each other."""
    for place, person in enumerate(members):
        partner = members[0] if place == 1 and person.position == "2" else None
        person.education = draw.pick(by_age(person.age, EDUCATION))
        if partner and draw.chance(40) and (partner.age < 23) == (person.age < 23):
            person.education = partner.education
        at_work = next(percent for limit, percent in AT_WORK.items() if person.age < limit)
        at_work += {"1": -14, "2": -6, "5": 4, "6": 6}.get(person.education, 0) * (at_work > 20)
        if person.sex == "2" and any(member.age < 6 for member in members):
            at_work = at_work * 3 // 4
        if draw.chance(at_work):
            person.occupation = occupation(draw, person.education, region)
        person.income = earnings(draw, person)
        if draw.chance(next(percent for limit, percent in ILL.items() if person.age < limit)):
            person.illness = draw.pick(by_age(person.age, ILLNESS))


def lose_answers(draw: Draw, person: Person) -> None:
    """Item non-response."""
    if draw.chance(1):
        person.marital = "9"
    if person.age >= 16 and draw.chance(7 if person.age >= 70 else 4):
        person.education = "9"
    if person.age >= 16 and draw.chance(3):
        person.occupation = "9999"
    if person.age >= 16 and draw.chance(3):
        person.income = None
    if draw.chance(2):
        person.illness = "9"


def weight(draw: Draw, region: str, kind: str) -> int:
    """Design weight of a household in hundredths: the province's sampling fraction, corrected for non-response."""
    response = {"single": 113, "couple": 97, "family": 94, "lone parent": 104, "sharers": 109}[kind]
    return codes.HOUSEHOLDS_PER_DRAW[int(region[:2]) - 1] * response * draw.between(9600, 10400) // 10_000


# --- the file ------------------------------------------------------------------------------------------------------

# name, start, length, missing, attributes of the metadata file
LAYOUT: tuple[tuple[str, int, int, tuple[str, ...], tuple[str, ...]], ...] = (
    ("HHID", 1, 5, (), ("<HOUSE_ID>",)),
    ("PERSONNO", 6, 9, (), ()),
    ("REGION", 15, 4, ("9999",), ("<RECODABLE>", "<HOUSEHOLD>", "<TRUNCABLE>", "<IDLEVEL> 1", "<SUPPRESSPRIORITY> 70")),
    ("SEX", 19, 1, ("9",), ("<RECODABLE>", "<IDLEVEL> 2", "<SUPPRESSPRIORITY> 90")),
    ("AGE", 20, 2, ("99",), ("<RECODABLE>", "<IDLEVEL> 2", "<SUPPRESSPRIORITY> 60")),
    ("MARSTAT", 22, 1, ("9",), ("<RECODABLE>", "<IDLEVEL> 3", "<SUPPRESSPRIORITY> 30")),
    ("HHPOS", 23, 1, ("9",), ("<RECODABLE>", "<IDLEVEL> 4", "<SUPPRESSPRIORITY> 40")),
    ("EDUC", 24, 1, ("9",), ("<RECODABLE>", "<IDLEVEL> 3", "<SUPPRESSPRIORITY> 20")),
    ("OCCUP", 25, 4, ("9999",), ("<RECODABLE>", "<TRUNCABLE>", "<IDLEVEL> 3", "<SUPPRESSPRIORITY> 40")),
    ("INCOME", 29, 6, ("999999",), ("<NUMERIC>",)),
    ("ILLNESS", 35, 1, ("9",), ("<RECODABLE>", "<IDLEVEL> 0", "<SUPPRESSPRIORITY> 50")),
    ("WEIGHT", 36, 6, (), ("<NUMERIC>", "<DECIMALS> 2", "<WEIGHT>")),
)
CODELISTS = {
    "Region": codes.municipalities(),
    "Province": codes.provinces(),
    "Sex": codes.SEX,
    "AgeGroup": {code: label for code, (_, label) in codes.AGE_GROUPS.items()},
    "Marstat": codes.MARITAL_STATUS,
    "Hhpos": codes.POSITION,
    "Educ": codes.EDUCATION,
    "Occup": codes.occupations(),
    "MajorGroup": codes.MAJOR_GROUPS,
    "Illness": codes.ILLNESS,
}


def survey(seed: int = SEED) -> list[tuple[str, ...]]:
    """All records, values in the order of the layout."""
    draw = Draw(seed)
    shares = codes.household_shares()
    records: list[tuple[str, ...]] = []
    numbers: set[int] = set()
    number = 10_000
    while len(records) < PERSONS:
        number += 1
        region = draw.pick(shares)
        kind, members = household(draw)
        complete(draw, members, region)
        hundredths = weight(draw, region, kind)
        for person in members:
            lose_answers(draw, person)
            while (identity := draw.between(100_000_000, 999_999_999)) in numbers:
                pass
            numbers.add(identity)
            record = (
                str(number),
                str(identity),
                region,
                person.sex,
                str(person.age),
                person.marital,
                person.position,
                person.education,
                person.occupation,
                "999999" if person.income is None else str(100 * person.income),
                person.illness,
                f"{hundredths // 100}.{hundredths % 100:02}",
            )
            records.append(record)
    return records


def fixed(records: list[tuple[str, ...]]) -> str:
    """The records right-aligned in the layout's fields."""
    lengths = [length for _, _, length, _, _ in LAYOUT]
    return "".join(
        "".join(value.rjust(n) for value, n in zip(record, lengths, strict=True)) + "\n" for record in records
    )


def delimited(records: list[tuple[str, ...]]) -> str:
    """The records with a header; what is missing is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(name for name, *_ in LAYOUT)
    missing = [absent for _, _, _, absent, _ in LAYOUT]
    for record in records:
        writer.writerow("" if value in absent else value for value, absent in zip(record, missing, strict=True))
    return text.getvalue()


def metadata() -> str:
    """The layout as an .rda file."""
    lines = []
    for name, start, length, missing, attributes in LAYOUT:
        lines.append(" ".join([name, str(start), str(length), *(f'"{code}"' for code in missing)]))
        lines += [f"    {attribute}" for attribute in attributes]
        if name.capitalize() in CODELISTS:
            lines.append(f'    <CODELIST> "{name.capitalize()}.cdl"')
    return "\n".join(lines) + "\n"


def recode_files() -> dict[str, str]:
    """Municipalities to provinces, and years of age to groups."""
    regions = "".join(f"{code}: {code}01-{code}99\n" for code in codes.provinces())
    ages = "".join(f"{code}: {ages}\n" for code, (ages, _) in codes.AGE_GROUPS.items())
    return {
        "Region.grc": f'{regions}\n<MISSING> 99\n<CODELIST> "Province.cdl"\n',
        "Age.grc": f'{ages}\n<MISSING> 9\n<CODELIST> "AgeGroup.cdl"\n',
    }


def make() -> dict[str, str]:
    """Every file by name."""
    records = survey()
    codelists = {
        f"{name}.cdl": "".join(f"{code},{label}\n" for code, label in entries.items())
        for name, entries in CODELISTS.items()
    }
    data = {"survey.asc": fixed(records), "survey.csv": delimited(records), "survey.rda": metadata()}
    return {**data, **recode_files(), **codelists}


def main(folder: Path) -> None:
    for name, text in make().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
