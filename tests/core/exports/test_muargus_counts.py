"""The exported files hold the cells that the session has, counted from their bytes as mu-ARGUS reads them."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.exports import export_muargus
from core.recipe.model import Combination, HouseholdKey, Input, MultiResponseKey, Recipe, Recode, VariableEdit
from core.results.results import Results
from core.risk.individual import individual_risk
from core.session import Session
from tests.core.exports import muargus_reader
from tests.core.exports.muargus_reader import Key, Written, wildcard

N = 150
WEIGHT, HOUSEHOLD = VariableEdit("w", role="weight"), VariableEdit("hh", role="household-id")


def survey(folder: Path, weight: bool = True, **codes: Sequence[str]) -> Path:
    """A csv file with these codes at random, households of scattered records and, if asked for, weights."""
    chance = random.Random(N)
    with (folder / "survey.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["hh", *(["w"] if weight else []), *codes])
        for _ in range(N):
            design = [f"{chance.randint(100, 999) / 100}"] if weight else []
            out.writerow([chance.randrange(60), *design, *(chance.choice(each) for each in codes.values())])
    return folder / "survey.csv"


def fixed(folder: Path, missing: str, *fields: Sequence[str]) -> Input:
    """A file in fixed format of variables A, B, …, as wide as their longest code, with one missing code."""
    chance, widths = random.Random(N), [max(map(len, codes)) for codes in fields]
    rows = ["".join(chance.choice(codes).rjust(w) for codes, w in zip(fields, widths, strict=True)) for _ in range(N)]
    (folder / "survey.asc").write_text("\n".join([*rows, ""]), encoding="latin-1")
    starts = [1 + sum(widths[:i]) for i in range(len(fields))]
    lines = [f'{"ABC"[i]} {starts[i]} {widths[i]} "{missing}"\n    <RECODABLE>\n' for i in range(len(fields))]
    (folder / "survey.rda").write_text("".join(lines))
    return Input(folder / "survey.asc", folder / "survey.rda", encoding="latin-1")


def households(folder: Path) -> Recipe:
    data = survey(folder, A=["1", "10", "2", "9"], B=["x", "y", ""])
    return Recipe(input=Input(data), variables=(WEIGHT, HOUSEHOLD, VariableEdit("A", household=True, missing=("9",))))


def several_missing_codes(folder: Path) -> Recipe:
    data = survey(folder, A=["1", "10", "2", "97", "98", "99"], B=["a", "b", "zz", "z"])
    missing = VariableEdit("A", missing=("97", "98", "99")), VariableEdit("B", missing=("zz", "z"))
    return Recipe(input=Input(data), variables=(WEIGHT, *missing), recodes=(Recode("B", scheme="1: a\n<MISSING> 8 9"),))


def short_missing_code(folder: Path) -> Recipe:
    given = fixed(folder, "9", ["101", "22", "999", "9"], ["1", "2", "9"])
    return Recipe(input=given, recodes=(Recode("B", scheme="100: 1"),))


def codes_beyond_ascii(folder: Path) -> Recipe:
    data = survey(folder, A=["a", "ß", "ü", "é"], B=["ä", "x", "–"])
    return Recipe(input=Input(data), variables=(WEIGHT, VariableEdit("B", missing=("–",))))


def odd_new_codes(folder: Path) -> Recipe:
    data = survey(folder, A=["1", "2", "3", "4", "//"], B=["1", "2", "3", "<9>"])
    recodes = Recode("A", scheme='"<3": 1, 2\n"//x": 3'), Recode("B", scheme='"a b": 1\n"–": 2\n<MISSING> "<0>"')
    return Recipe(input=Input(data), variables=(WEIGHT, VariableEdit("B", missing=("<9>",))), recodes=recodes)


def a_last_letter_beyond_ascii(folder: Path) -> Recipe:
    return Recipe(input=fixed(folder, "9", ["1", "2", "9"], ["a", "é", "b", "ü"]))


def derived_keys(folder: Path) -> Recipe:
    data = survey(folder, A=["1", "2", ""], B=["1", "2", "3"], C=["1", "2", "3", ""], D=["1", "2", "8", ""])
    derived = (
        HouseholdKey("SIZE", "household-size"),
        HouseholdKey("TYPE", "household-type"),
        HouseholdKey("KIND", "household-type", ("B",)),
        MultiResponseKey("BOTH", ("C", "D")),
    )
    recodes = Recode("SIZE", scheme="3: 3-"), Recode("KIND", scheme="0: 3-"), Recode("C", scheme="1: 3")
    return Recipe(input=Input(data), variables=(WEIGHT, HOUSEHOLD), derived=derived, recodes=recodes)


def delimited(folder: Path) -> Recipe:
    """Codes with blanks, quotes and commas, and names that mu-ARGUS does not take."""
    data = survey(folder, A=["a b", 'say "no"', "c,d", ""], B=["1 - 2", "<5", "3:4", "NA"])
    return Recipe(input=Input(data), variables=(WEIGHT, VariableEdit("B", missing=("NA",))))


CASES: dict[Callable[[Path], Recipe], tuple[str, ...]] = {
    households: ("A", "B"),
    several_missing_codes: ("A", "B"),
    short_missing_code: ("A", "B"),
    codes_beyond_ascii: ("A", "B"),
    odd_new_codes: ("A", "B"),
    a_last_letter_beyond_ascii: ("A", "B"),
    derived_keys: ("A", "SIZE", "TYPE", "KIND", "BOTH"),
    delimited: ("A", "B"),
}


def exported(recipe: Recipe, keys: tuple[str, ...], folder: Path) -> tuple[Results, Written]:
    derived = Session().derive(recipe.with_(combinations=(Combination(keys, missing_rule="wildcard"),)))
    rda = folder / "to" / "mu.rda"
    export_muargus(derived, rda)
    return derived, muargus_reader.read(rda)


def spoken(code: str) -> str:
    """A code as a codelist names it."""
    return code.replace(",", ";").replace("–", "-") or "(blank)"


def original(written: Written, name: str) -> Callable[[str | None], str | None]:
    """Codes of the session, by those that are written: read from the codelist where the guide says so."""
    guide = written.rda.with_suffix(".txt").read_text(encoding="utf-8")
    recode = written.rda.with_name(f"{written.rda.stem}_{name}.grc")
    kind = "_recoded" if recode.exists() else ""
    told = written.codelist(name, kind) if f"{name}{kind}.cdl says which codes" in guide else {}
    return lambda code: None if code is None else told.get(code, code).split(": ")[0]


def ours(derived: Results) -> dict[Key, tuple[int, float, float, float]]:
    """Own records, f, sum of weights and F of each cell of the session, by spoken codes."""
    cells = derived.risk_tables[0].cells
    texts = [
        [*map(spoken, derived.columns[name].codes[:card]), None]
        for name, card in zip(cells.variables, cells.cards, strict=True)
    ]
    rows = zip(*([text[i] for i in each.tolist()] for text, each in zip(texts, cells.codes, strict=True)), strict=True)
    figures = zip(*(each.tolist() for each in (cells.count, cells.f, cells.weight, cells.F)), strict=True)
    return dict(zip(rows, figures, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_cells_are_the_same(case: Callable[[Path], Recipe], tmp_path: Path) -> None:
    keys = CASES[case]
    derived, written = exported(case(tmp_path), keys, tmp_path)
    counted = written.cells(keys, "w" if "w" in written.fields else "")
    back = [original(written, name) for name in keys]
    there = {
        tuple(of(code) for of, code in zip(back, key, strict=True)): (*counted[key], *figures)
        for key, figures in wildcard(counted).items()
    }
    mine = ours(derived)
    assert there.keys() == mine.keys()
    for key, (count, weight, f, population) in there.items():
        assert mine[key] == pytest.approx((count, f, weight, population), rel=1e-12)
    assert any(None in key for key in mine) or case is derived_keys or case is delimited
    if derived.households is not None:
        numbers = written.raw("hh")
        runs = [one for one, other in zip(numbers, [None, *numbers], strict=False) if one != other]
        assert len(runs) == len(set(runs)) == len(derived.households)


def figures_of(written: Written) -> Mapping[str, str]:
    """What the guide foresees of mu-ARGUS."""
    lines = written.rda.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return {line[3:39].strip(): line[53:].strip() for line in lines if line.startswith("   ") and len(line) > 60}


def test_the_rate_of_mu_argus_is_foreseen(tmp_path: Path) -> None:
    derived, written = exported(several_missing_codes(tmp_path), ("A", "B"), tmp_path)
    cells = wildcard(written.cells(("A", "B"), "w"))
    assert (None, None) in cells
    pairs = [pair for key, pair in cells.items() if set(key) != {None}]
    f, population = (np.array(each, float) for each in zip(*pairs, strict=True))
    risk = individual_risk(f, population, "truncated")
    foreseen = figures_of(written)
    assert foreseen["re-identification rate"] == f"{100 * (f * risk).sum() / N:.3f} %"
    assert foreseen["maximum individual risk"] == f"{risk.max():.5f}"
    assert foreseen["re-identification rate"] != f"{100 * derived.risk_tables[0].staircase.rate:.3f} %"


def test_records_that_miss_every_variable_have_no_risk_there(tmp_path: Path) -> None:
    recipe = Recipe(input=Input(survey(tmp_path, A=[""], B=[""])), variables=(WEIGHT,))
    edits = tuple(VariableEdit(name, categorical=True) for name in "AB")
    _, written = exported(recipe.with_(variables=(WEIGHT, *edits)), ("A", "B"), tmp_path)
    assert set(figures_of(written).values()) == {"mu-ARGUS", "not defined"}


@pytest.mark.parametrize(("codes", "said"), [(["1", "2", ""], "may differ"), (["1", "2"], "nearly the same")])
def test_what_the_household_maximum_is_there(tmp_path: Path, codes: Sequence[str], said: str) -> None:
    recipe = Recipe(input=Input(survey(tmp_path, A=codes, B=["1", "2"])), variables=(WEIGHT, HOUSEHOLD))
    _, written = exported(recipe, ("A", "B"), tmp_path)
    assert figures_of(written)["maximum household risk"] == said


def test_several_missing_codes_are_named_together(tmp_path: Path) -> None:
    _, written = exported(several_missing_codes(tmp_path), ("A", "B"), tmp_path)
    assert written.fields["A"].missing == ("97",)
    assert written.codelist("A") == {"97": "97 / 98 / 99"}
    assert written.fields["B"].missing == ("zz",)


def test_a_missing_code_is_as_wide_as_its_field(tmp_path: Path) -> None:
    _, written = exported(short_missing_code(tmp_path), ("A", "B"), tmp_path)
    assert written.fields["A"].missing == ("XXX",), "999 is a code"
    assert written.codelist("A") == {"XXX": "9"}


def test_derived_keys_have_codelists(tmp_path: Path) -> None:
    keys: Any = CASES[derived_keys]
    derived, written = exported(derived_keys(tmp_path), keys, tmp_path)
    assert written.codelist("SIZE")["1"] == "1 member"
    assert written.codelist("SIZE")["4"] == "4 members"
    assert written.codelist("SIZE", "_recoded") == {"1": "1 member", "2": "2 members", "3": "3 and over"}
    assert written.codelist("TYPE")["3-4"] == "3-4 members"
    sets = written.codelist("BOTH")
    assert set(sets.values()) == {"1", "2", "8", "1 + 2", "1 + 8", "2 + 8"}
    assert sets == {code: label.replace(",", ";") for code, label in derived.labels["BOTH"].items() if code}
    types, kept = written.codelist("KIND"), written.codelist("KIND", "_recoded")
    assert types["1"] == kept["1"] == derived.labels["KIND"]["1"].replace(",", ";")
    assert len(types) == len(derived.microdata.columns["KIND"].codes) > len(kept) == 3
