"""The keys that are proposed to begin with."""

from __future__ import annotations

from core.data.variables import Variable
from core.metadata.key_scenario import MOST, scenario_keys

MANY = (
    "REGION", "PROVINCE", "SEX", "AGE", "BIRTH_YEAR", "MARSTAT", "HHSIZE", "NATIONALITY", "OCCUP", "EDUC", "Q1", "Q2",
)  # fmt: skip


def proposed(names: tuple[str, ...], **levels: int) -> tuple[str, ...]:
    return scenario_keys([Variable(name) for name in names], {name: levels.get(name, 3) for name in names})


def test_few_identifying_variables_are_all_taken() -> None:
    assert proposed(MANY[:4]) == MANY[:4]
    assert proposed(MANY[:4], AGE=0) == ("REGION", "PROVINCE", "SEX")
    assert proposed(()) == ()


def test_of_many_those_that_an_acquaintance_knows_are_taken_one_for_each_idea() -> None:
    assert proposed(MANY) == ("REGION", "SEX", "AGE", "MARSTAT", "HHSIZE", "NATIONALITY", "OCCUP")
    assert proposed(MANY, PROVINCE=1)[0] == "PROVINCE", "what identifies more of two places"


def test_of_names_that_say_nothing_the_level_decides() -> None:
    names = tuple(f"Q{number}" for number in range(30))
    found = proposed(names, Q7=1, Q29=2)
    assert len(found) == MOST and {"Q7", "Q29"} <= set(found)
    assert list(found) == sorted(found, key=names.index)
