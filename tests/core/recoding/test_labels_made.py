"""Labels that new codes have where the recode names no codelist."""

from __future__ import annotations

import pytest

from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.recipe.model import Recode
from core.recoding.labels import labels
from core.recoding.labels_made import MOST_CHARACTERS, joined
from core.recoding.recode import recode
from tests import naive_recode as naive

REGIONS = {"1": "North", "2": "Centre", "3": "Île Verte", "4": "South", "9": "unknown"}


def made(
    codes: list[str], own: dict[str, str], scheme: str | None = None, truncate: int | None = None, width: int = 2
) -> dict[str, str]:
    missing = ("9",) if "9" in own else ("99",)
    column: EncodedColumn = naive.column([code.rjust(width) for code in [*codes, *missing]], missing, width)
    variable = Variable("X", categorical=True, missing=missing, labels=tuple(own.items()), truncable=True)
    recoding = recode(column, Recode("X", scheme=scheme, truncate=truncate), variable)
    return labels(Metadata("spss", (variable,)), {"X": recoding}, {"X": column}).get("X", {})


def test_labels_of_merged_codes_stand_side_by_side() -> None:
    found = made(["1", "2", "3", "4"], REGIONS, "1: 1,2,3\n5: 4")
    assert found == {"9": "unknown", "1": "North, Centre, Île Verte", "5": "South"}


def test_an_untouched_code_that_meets_a_new_one_is_named_too() -> None:
    assert made(["1", "2", "3", "4"], REGIONS, "1: 2") == {
        "3": "Île Verte", "4": "South", "9": "unknown", "1": "North, Centre",
    }  # fmt: skip


def test_long_labels_are_cut_and_a_single_one_never() -> None:
    long = {str(i): f"municipality number {i}" for i in range(1, 5)}
    found = made(["1", "2", "3", "4"], long, "7: 1-3\n8: 4")
    assert len(found["7"]) <= MOST_CHARACTERS
    assert found["7"].startswith("municipality number 1, municipality")
    assert found["7"].endswith("…")
    assert joined(["x" * 60]) == "x" * 60


def test_intervals_of_numbers_are_named_as_the_scheme_has_them() -> None:
    ages = [str(i) for i in range(0, 97, 7)]
    assert made(ages, {}, "1: -9\n2: 10-19\n3: 20-69\n4: 70-") == {
        "1": "up to 9", "2": "10–19", "3": "20–69", "4": "70 and over",
    }  # fmt: skip


def test_a_label_does_not_tell_which_codes_of_a_range_occur() -> None:
    many = {str(i): f"r{i}" for i in range(1, 6)}
    assert made(["1", "4"], many, "1: 1-3\n2: 4-5") == {"1": "r1, r2, r3", "2": "r4, r5"}
    assert made(["12", "88"], {}, "1: 70-\n2: 10-20") == {"1": "70 and over", "2": "10–20"}


def test_codes_that_are_not_all_labelled_are_named_by_number() -> None:
    assert made(["1", "2", "3"], {"1": "one"}, "4: 1-3") == {"4": "1–3"}


def test_what_cannot_be_said_truly_is_not_said() -> None:
    assert made(["12", "15"], {}, "1: 10-19\n2: 15") == {}
    assert made(["a", "b", "c"], {}, "1: a-b\n2: c") == {}
    assert made(["1", "2"], {}, "1: 1\n2: 2") == {}
    assert made(["1", "2", "3", "4"], REGIONS, '1: 1-3\n<CODELIST> "lost.cdl"') == {"4": "South", "9": "unknown"}


def test_truncated_codes() -> None:
    assert made(["12", "15", "23", "5"], {}, truncate=1) == {"": "0–9", "1": "10–19", "2": "20–29"}
    trades = {"11": "wheat", "12": "rice", "21": "coal", "22": "ore"}
    assert made(["11", "21"], trades, truncate=1) == {"1": "wheat, rice", "2": "coal, ore"}


def test_codes_that_a_scheme_lists_are_not_listed_again() -> None:
    """Somebody chose them among the codes of the file: the safe file does not have them any more."""
    assert made(["1", "3", "7", "8"], {}, "4: 1, 3, 7\n5: 8") == {}
    assert made(["1", "3", "7", "30"], {}, "4: 1, 3, 7-9\n5: 20-") == {"5": "20 and over"}
    assert made(["1", "2", "3", "4"], REGIONS, "5: 1, 4") == {
        "2": "Centre", "3": "Île Verte", "9": "unknown", "5": "North, South",
    }  # fmt: skip


SCHEMES = ("1: 1,2,3\n5: 4", "1: 2", "4: 1-3", "1: 2-4\n7: 5-", "6: -2\n7: 3-", "2: 1, 3-4", "1: a-b\n2: c", "8: 1-12")


@pytest.mark.parametrize("own", [{}, REGIONS, {"1": "one"}, {"2": "two", "3": "three", "7": "seven"}])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_labels_do_not_follow_from_which_codes_the_file_has(scheme: str, own: dict[str, str]) -> None:
    """But for a code that meets a new one: a label without it would not be true."""
    new = {line.partition(":")[0] for line in scheme.split("\n")}
    codes = [code for code in ("1", "2", "3", "4", "5", "7", "8", "12", "b", "c") if code not in new]
    files = [codes, *(codes[:place] + codes[place + 1 :] for place in range(len(codes))), codes[:1], codes[-2:]]
    found = [{code: label for code, label in made(file, own, scheme).items() if code in new} for file in files]
    assert all(labels == found[0] for labels in found), found


@pytest.mark.parametrize("own", [{}, {"11": "wheat", "12": "rice", "21": "coal"}])
def test_labels_of_truncated_codes_do_not_follow_from_which_codes_the_file_has(own: dict[str, str]) -> None:
    codes = ["11", "12", "13", "21", "22"]
    files = [codes, ["11", "21"], ["13", "22"], ["12", "22", "21"]]
    assert len({str(made(file, own, truncate=1)) for file in files}) == 1


def test_a_broader_level_has_the_label_that_the_codelist_gives_it() -> None:
    jobs = {"21": "Engineer", "22": "Physician", "31": "Technician", "2": "Professionals", "3": "Technicians"}
    for how in ({"truncate": 1}, {"scheme": "2: 21,22\n3: 31"}):
        assert made(["21", "22", "31"], jobs, **how) == {"2": "Professionals", "3": "Technicians"}  # type: ignore[arg-type]
    assert made(["21", "22", "31", "2"], jobs, "2: 21,22")["2"] == "Professionals, Engineer, Physician"
    # the codelist has a 2 of its own, which would stay among them
    assert made(["21", "22", "31"], jobs, "2: 21,31")["2"] == "Professionals, Engineer, Technician"
