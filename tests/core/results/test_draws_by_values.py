"""Draws follow from what the file says, not from how: another line end, encoding or format draws nothing anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from numpy.typing import NDArray

from core.base.progress import SILENT
from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.perturbation.numbers import numbers_of
from core.perturbation.values import digests_of, in_order_of_records, in_order_of_values
from core.recipe.declared import variables_of
from core.recipe.model import ByCode, Input, NumericEdit, Output, Perturbation, Recipe, VariableEdit
from core.recipe.toml import parse
from core.results.drawing import noise_seed
from core.results.numeric import change_numbers
from core.results.perturbed_columns import PerturbationSource, perturbation_step
from core.session import Session
from tests.core.perturbation.test_numbers import column, texts_of

N = 182
RECORDS = {
    "HH": [str(i // 2 + 1) for i in range(N)],
    "TOWN": [("Ål", "Lier", "Å", "Bø")[i // 2 % 4] for i in range(N)],
    "AGE": [str(5 + 7 * i % 91) for i in range(N)],
    "INC": ["" if i % 17 == 3 else f"{(i * 7919) % 9973 / 4:.2f}" for i in range(N)],
    "W": [f"{10 + i % 5}.5" for i in range(N)],
}
METHODS = (
    Perturbation("noise", ("INC",), (("share", 0.2),)),
    Perturbation("pram", ("TOWN", "AGE"), (("band", 9), ("households", False), ("keep", 0.4))),
    Perturbation("rank-swapping", ("INC",), (("percent", 20.0), ("within", ("TOWN",)))),
    Perturbation("record-swapping", (), (("geography", ("TOWN",)), ("rate", 0.5), ("similar", (("AGE",),)))),
    Perturbation("synthetic", ("AGE", "TOWN"), (("households", False), ("kind", "margins"), ("margins", (("TOWN",),)))),
    Perturbation("shuffling", ("INC",), (("predictors", ("TOWN",)),)),
    Perturbation("weight-noise", (), (("share", 0.2),)),
)


def _text(folder: Path, end: str, between: str, decimal: str, encoding: str) -> Path:
    folder.mkdir()
    rows = [between.join(row).replace(".", decimal) for row in zip(*RECORDS.values(), strict=True)]
    text = "".join(row + end for row in (between.join(RECORDS), *rows))
    (folder / "d.csv").write_bytes(text.encode(encoding))
    said = f'data = "d.csv"\ndelimiter = "{between}"\ndecimal = "{decimal}"\nencoding = "{encoding}"\n'
    (folder / "input.toml").write_text("recipe = 1\n[input]\n" + said)
    return folder


def _fixed(folder: Path) -> Path:
    """Codes stand at the left of their fields."""
    folder.mkdir()
    widths = {"HH": 4, "TOWN": 6, "AGE": 3, "INC": 10, "W": 7}
    padded = [[text.ljust(width) for text in RECORDS[name]] for name, width in widths.items()]
    (folder / "d.asc").write_bytes("".join("".join(row) + "\r\n" for row in zip(*padded, strict=True)).encode("cp1252"))
    starts = np.cumsum([1, *widths.values()]).tolist()
    places = [f"{name} {start} {width}\n" for start, (name, width) in zip(starts, widths.items(), strict=False)]
    (folder / "d.rda").write_text("".join(places))
    said = 'data = "d.asc"\nmetadata = "d.rda"\nencoding = "windows-1252"\n'
    (folder / "input.toml").write_text("recipe = 1\n[input]\n" + said)
    return folder


def _typed(folder: Path, name: str) -> Path:
    folder.mkdir()
    numbers = {key: [float(text) if text else None for text in RECORDS[key]] for key in ("HH", "AGE", "INC", "W")}
    table = pa.table({"HH": numbers["HH"], "TOWN": RECORDS["TOWN"], **{k: numbers[k] for k in ("AGE", "INC", "W")}})
    if name.endswith(".parquet"):
        whole = table.set_column(2, "AGE", table["AGE"].cast(pa.int32()))
        pq.write_table(whole, folder / name)
    else:
        pyreadstat.write_sav(table.to_pandas(), folder / name)
    (folder / "input.toml").write_text(f'recipe = 1\n[input]\ndata = "{name}"\n')
    return folder


def _recipe(folder: Path, entry: Perturbation) -> Recipe:
    said: Input = parse((folder / "input.toml").read_text(), folder).input
    return Recipe(
        input=said,
        variables=(
            VariableEdit("HH", role="household-id"),
            VariableEdit("TOWN", categorical=True, household=True, missing=()),
            VariableEdit("AGE", categorical=True, missing=()),
            VariableEdit("INC", numeric=True, categorical=False, missing=("",), decimals=2),
            VariableEdit("W", role="weight", decimals=2),
        ),
        perturbations=(entry,),
    )


def _values(made: Mapping[str, EncodedColumn]) -> dict[str, list[str | float]]:
    def plain(text: str) -> str | float:
        try:
            return float(text.replace(",", ".") or "nan")
        except ValueError:
            return text

    return {name: [plain(text) for text in texts_of(each)] for name, each in made.items()}


@pytest.mark.parametrize("entry", METHODS, ids=[each.method for each in METHODS])
def test_other_bytes_of_the_same_values_draw_nothing_anew(tmp_path: Path, entry: Perturbation) -> None:
    folders = [
        _text(tmp_path / "a", "\n", ",", ".", "utf-8"),
        _text(tmp_path / "b", "\r\n", ";", ",", "windows-1252"),
        _fixed(tmp_path / "c"),
        _typed(tmp_path / "d", "d.parquet"),
        _typed(tmp_path / "e", "d.sav"),
    ]
    found = []
    for folder in folders:
        recipe = _recipe(folder, entry)
        if entry.method == "weight-noise":
            preview = Session().preview_perturbation(recipe.with_(perturbations=()), entry)
            found.append([preview.done.changed, *(str(each.numbers) for each in preview.variables)])
            continue
        perturbed = Session().derive(recipe).perturbed
        assert perturbed is not None
        assert perturbed.done[0].changed > 10
        found.append(_values(perturbed.columns))
    for folder, other in zip(folders[1:], found[1:], strict=True):
        np.testing.assert_equal(other, found[0], err_msg=folder.name)


def _digest(*texts: str, decimal: str = ".", households: list[int] | None = None) -> str:
    living = None if households is None else np.array(households, np.int64)
    return digests_of({"X": column(list(texts))}, decimal, living)(["X"])


def test_the_digest_is_of_values() -> None:
    first = _digest("5", "x", "99", "-0", "1.5")
    assert _digest("05", "x", "98", "0.0", "1.50") == first
    assert _digest("5.0", "x", "99", "0", "15e-1") == first
    assert _digest("5", "x", "99", "0", "1,5", decimal=",") == first
    for other in (("x", "5", "99", "0", "1.5"), ("5", "X", "99", "0", "1.5"), ("5", "x", "99", "0", "1.4")):
        assert _digest(*other) != first
    assert _digest("5", "x", "7", "0", "1.5") != first, "7 is no missing code"


def test_who_lives_together_counts_and_not_how_households_are_numbered() -> None:
    texts = ("1", "2", "3")
    assert in_order_of_records(np.array([2, 0, 2, 1, 0])).tolist() == [0, 1, 0, 2, 1]
    assert len({_digest(*texts, households=each) for each in (None, [0, 1, 1], [0, 0, 1], [0, 1, 2])}) == 4


def test_codes_stand_in_an_order_that_no_file_decides() -> None:
    before = column(["10", "9", "99", "2.5", "9"])
    after = in_order_of_values(before, ".")
    assert after.codes == ("2.5", "9", "10", "99", "98")
    assert texts_of(after) == texts_of(before)
    assert after.counts.tolist() == [1, 2, 1, 1, 0]
    assert in_order_of_values(after, ".") is after
    assert in_order_of_values(column(["b", "é", "aa", ""]), ".").codes[:4] == ("", "b", "é", "aa")


def test_another_value_draws_anew_another_variable_does_not(tmp_path: Path) -> None:
    entry = METHODS[0]
    folder = _text(tmp_path / "a", "\n", ",", ".", "utf-8")
    text = (folder / "d.csv").read_text()
    found = []
    for old, new in (("", ""), ("Lier,12", "Lier,13"), ("1979.75", "1979.74")):
        (folder / "d.csv").write_text(text.replace(old, new, 1))
        perturbed = Session().derive(_recipe(folder, entry)).perturbed
        assert perturbed is not None
        found.append(texts_of(perturbed.columns["INC"]))
    assert (folder / "d.csv").read_text() != text
    assert found[0] == found[1]
    assert sum(one == other for one, other in zip(found[0], found[2], strict=True)) < 20


N_NUMBERS = 240


def _released(method: str, names: tuple[str, ...], **said: object) -> dict[str, NDArray[np.float64]]:
    """Two correlated numbers after an entry that names `names`."""
    random = np.random.default_rng(3)
    x = np.round(random.normal(1000, 200, N_NUMBERS), 3)
    both = {"X": x, "Y": np.round(0.7 * x + random.normal(0, 150, N_NUMBERS), 3)}
    columns = {name: replace(column([f"{v:.3f}" for v in both[name]]), name=name) for name in names}
    source = PerturbationSource(Metadata("delimited", (Variable("X", numeric=True), Variable("Y", numeric=True))))
    entry = Perturbation(method, names, tuple(sorted(said.items())))
    step = perturbation_step(entry, columns, source, SILENT)
    return {name: numbers_of(each) - both[name] for name, each in step.columns.items()}


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("noise", {"kind": "correlated", "share": 0.5}),
        ("noise", {"kind": "moments-kept", "share": 0.5}),
        ("synthetic", {"alpha": 0.9}),
    ],
)
def test_draws_that_are_mixed_are_never_mixed_otherwise(method: str, said: dict[str, object]) -> None:
    """X and Y by [X, Y] and by [Y, X] were four equations with four unknowns: two values, two draws."""
    both, turned = _released(method, ("X", "Y"), **said), _released(method, ("Y", "X"), **said)
    for name in ("X", "Y"):
        np.testing.assert_array_equal(both[name], turned[name])
        alone = _released(method, (name,), **said)[name]
        shared = [np.abs(np.corrcoef(alone, each)[0, 1]) for each in both.values()]
        # what moments-kept and alpha take off the number itself is the same in both
        assert max(shared) < 0.4, shared


SPELLED: tuple[tuple[Perturbation, Perturbation], ...] = (
    (
        Perturbation("noise", ("X", "Y"), (("kind", "correlated"), ("share", 1), ("within", ("A", "B")))),
        Perturbation("noise", ("Q", "P"), (("kind", "correlated"), ("share", 1.0), ("within", ("D", "C")))),
    ),
    (
        Perturbation("rank-swapping", ("X",), (("percent", 30.0), ("within", ("A", "B")))),
        Perturbation("rank-swapping", ("P",), (("percent", 30.0), ("top", 0.0), ("within", ("D", "C")))),
    ),
    (
        Perturbation("shuffling", ("X", "Y"), (("predictors", ("A", "B")),)),
        Perturbation("shuffling", ("Q", "P"), (("predictors", ("D", "C")),)),
    ),
    (
        Perturbation("synthetic", ("X", "Y"), (("alpha", ByCode({"X": 0.5, "Y": 0.2})), ("predictors", ("A", "B")))),
        Perturbation("synthetic", ("Q", "P"), (("alpha", ByCode({"Q": 0.2, "P": 0.5})), ("predictors", ("D", "C")))),
    ),
    (
        Perturbation("synthetic", ("A", "B", "Z"), (("kind", "margins"), ("margins", (("A", "Z"), ("B", "A"))))),
        Perturbation("synthetic", ("R", "D", "C"), (("kind", "margins"), ("margins", (("C", "D"), ("R", "C"))))),
    ),
    (
        Perturbation("pram", ("A", "B"), (("band", 1), ("keep", 0.4), ("protect", 0.9), ("within", ("Z",)))),
        Perturbation("pram", ("D", "C"), (("band", 1), ("keep", 0.4), ("protect", 0.9), ("within", ("R",)))),
    ),
    (
        Perturbation("noise", ("X",), (("kind", "correlated"), ("share", 0.2))),
        Perturbation("noise", ("P",), (("share", 0.2),)),
    ),
    (
        Perturbation("synthetic", ("X", "Y"), (("alpha", ByCode({"X": 0.5, "Y": 0.5})),)),
        Perturbation("synthetic", ("P", "Q"), (("alpha", 0.5),)),
    ),
    (
        Perturbation("synthetic", ("X", "Y"), (("alpha", ByCode({"X": 0.5, "Y": 0.0})),)),
        Perturbation("synthetic", ("P", "Q"), (("alpha", ByCode({"P": 0.5})),)),
    ),
    (
        Perturbation("synthetic", ("A", "B", "Z"), (("kind", "margins"), ("margins", (("B",), ("A", "Z"))))),
        Perturbation("synthetic", ("C", "D", "R"), (("kind", "margins"), ("margins", (("C", "R"),)))),
    ),
    (
        Perturbation("pram", ("A", "B"), (("band", 2), ("keep", 0.4))),
        Perturbation("pram", ("C", "D"), (("keep", 0.4),)),
    ),
    (
        Perturbation("pram", ("A",), (("keep", ByCode({"1": 0.4, "2": 0.4, "3": 0.4})),)),
        Perturbation("pram", ("C",), (("keep", 0.4),)),
    ),
    (
        Perturbation("pram", ("A",), (("keep", ByCode({"1": 0.4, "2": 0.5, "3": 1.0})),)),
        Perturbation("pram", ("C",), (("keep", ByCode({"1": 0.4, "2": 0.5})),)),
    ),
    (
        Perturbation("pram", ("A",), (("keep", 0.4), ("within", ("B", "Z")))),
        Perturbation("pram", ("C",), (("invariant", True), ("keep", 0.4), ("within", ("R", "D")))),
    ),
)
CALLED = {"X": "P", "Y": "Q", "A": "C", "B": "D", "Z": "R"}


@pytest.mark.parametrize(("one", "other"), SPELLED, ids=[f"{i} {one.method}" for i, (one, _) in enumerate(SPELLED)])
def test_the_same_said_otherwise_draws_nothing_anew(one: Perturbation, other: Perturbation) -> None:
    """Other names, another order where none is meant, defaults said: a second draw would be averaged with the first."""
    random = np.random.default_rng(5)
    texts = {name: random.choice(list(codes), N_NUMBERS) for name, codes in (("A", "123"), ("B", "xy"), ("Z", "uvw"))}
    texts |= {name: np.round(random.normal(1000, 200, N_NUMBERS), 3).astype(str) for name in ("X", "Y")}
    found = []
    for entry, called in ((one, {name: name for name in CALLED}), (other, CALLED)):
        names = [name for name in CALLED if called[name] in {*entry.variables, *_named(entry)}]
        columns = {called[n]: replace(column(texts[n].tolist()), name=called[n]) for n in names}
        variables = (Variable(called[n], numeric=n in "XY", categorical=n not in "XY") for n in names)
        step = perturbation_step(entry, columns, PerturbationSource(Metadata("delimited", tuple(variables))), SILENT)
        found.append({n: texts_of(step.columns[called[n]]) for n in names if called[n] in entry.variables})
        assert all(each != texts[name].tolist() for name, each in found[-1].items())
    assert found[0] == found[1]


def _named(entry: Perturbation) -> set[str]:
    return {name for _key, name in variables_of("perturbations", entry)}


def test_what_is_said_of_households_in_vain_draws_nothing_anew(tmp_path: Path) -> None:
    folder = _text(tmp_path / "a", "\n", ",", ".", "utf-8")
    said = [Perturbation("noise", ("INC",), (("share", 0.2), *more)) for more in ((), (("households", False),))]
    found = []
    for entry in said:
        perturbed = Session().derive(_recipe(folder, entry)).perturbed
        assert perturbed is not None
        found.append(texts_of(perturbed.columns["INC"]))
    assert found[0] == found[1]
    home = [
        replace(each, method="pram", variables=("TOWN",), parameters=(("keep", 0.4), *each.parameters[1:]))
        for each in said
    ]
    towns = [Session().derive(_recipe(folder, entry)).perturbed for entry in home]
    assert texts_of(towns[0].columns["TOWN"]) != texts_of(towns[1].columns["TOWN"])  # type: ignore[union-attr]


PARTED: tuple[tuple[str, tuple[str, ...], dict[str, object]], ...] = (
    ("noise", ("X",), {"share": 0.2}),
    ("pram", ("A",), {"keep": 0.4}),
    ("rank-swapping", ("X",), {"percent": 30.0}),
    ("synthetic", ("A", "B"), {"kind": "margins", "margins": (("A",),)}),
)


@pytest.mark.parametrize(("method", "names", "said"), PARTED, ids=[method for method, _names, _said in PARTED])
def test_strata_count_as_what_they_part(method: str, names: tuple[str, ...], said: dict[str, object]) -> None:
    """Towns, towns and their provinces, or the names of the towns: as strata they are one."""
    random = np.random.default_rng(5)
    towns = random.integers(1, 5, N_NUMBERS)
    texts = {"TOWN": towns, "PROVINCE": towns // 3, "NAME": np.array(["", "Ål", "Å", "Lier", "Bø"])[towns]}
    texts |= {"ALL": np.ones(N_NUMBERS, np.int64), "X": np.round(random.normal(1000, 200, N_NUMBERS), 3)}
    texts |= {"A": random.integers(1, 4, N_NUMBERS), "B": random.integers(1, 3, N_NUMBERS)}
    columns = {name: replace(column(each.astype(str).tolist()), name=name) for name, each in texts.items()}
    variables = tuple(Variable(name, numeric=name == "X", categorical=name != "X") for name in texts)
    source, found = PerturbationSource(Metadata("delimited", variables)), []
    for within in (("TOWN",), ("PROVINCE", "TOWN"), ("NAME",), (), ("ALL",), ("PROVINCE",)):
        entry = Perturbation(method, names, tuple(sorted({**said, "within": within}.items())))
        step = perturbation_step(entry, {n: columns[n] for n in (*names, *within)}, source, SILENT)
        found.append([texts_of(step.columns[name]) for name in names])
    assert found[0] == found[1] == found[2]
    assert found[3] == found[4]
    assert found[0] not in found[3:]
    assert found[5] not in found[:5]


def test_similar_sets_by_which_nobody_is_found_draw_nothing_anew() -> None:
    def seed(method: str, **said: object) -> tuple[int, ...]:
        entry = Perturbation(method, (), tuple(sorted(said.items())))
        return noise_seed(Output(), entry, "ab" * 32)

    sets = ((("A", "B"), ("A",)), (("B", "A"), ("A",), ("C", "A")), (("A",), ("A", "B")), (("A",),))
    swapped = [seed("record-swapping", geography=("G",), similar=each) for each in sets]
    assert swapped[0] == swapped[1] != swapped[2] == swapped[3]
    by = [seed("synthetic", kind="margins", margins=(("A",),), relation=each) for each in (("R", "S"), ("S", "R"))]
    assert by[0] != by[1], "the first one decides first who comes first"


def test_variables_by_which_nobody_is_found_draw_nothing_anew(tmp_path: Path) -> None:
    folder, found = _text(tmp_path / "a", "\n", ",", ".", "utf-8"), []
    for more in ((), (("AGE", "INC"),), (("INC",),)):
        said = (("geography", ("TOWN",)), ("rate", 0.5), ("similar", (("AGE",), *more)))
        perturbed = Session().derive(_recipe(folder, Perturbation("record-swapping", (), said))).perturbed
        assert perturbed is not None
        found.append(texts_of(perturbed.columns["TOWN"]))
    assert found[0] == found[1] != found[2]


def test_households_of_one_are_persons(tmp_path: Path) -> None:
    """An identifier that no two records share, or that households are not to matter then, draws nothing anew."""
    folder = _text(tmp_path / "a", "\n", ",", ".", "utf-8")
    lines = (folder / "d.csv").read_text().splitlines()
    alone = [lines[0], *(f"{i}," + line.split(",", 1)[1] for i, line in enumerate(lines[1:], 1))]
    (folder / "d.csv").write_text("\n".join(alone) + "\n")
    found, weights = [], []
    for edit, more in ((0, ()), (1, ()), (0, (("households", False),))):
        recipe = _recipe(folder, Perturbation("pram", ("TOWN",), (*more, ("keep", 0.4))))
        recipe = recipe.with_(variables=recipe.variables[edit:])
        perturbed = Session().derive(recipe).perturbed
        assert perturbed is not None
        found.append(texts_of(perturbed.columns["TOWN"]))
        bare = recipe.with_(perturbations=())
        preview = Session().preview_perturbation(bare, Perturbation("weight-noise", (), (("share", 0.2),)))
        weights.append([str(each.numbers) for each in preview.variables])
    assert found[0] == found[1] == found[2]
    assert weights[0] == weights[1]


def test_missing_codes_count_where_they_are_drawn_like_others() -> None:
    """PRAM of several variables lets missing codes stay, and each has combinations of its own."""
    texts = [["1", "2"] * 40, ["1", "98", "2", "99"] * 20]
    one, other = texts[1], ["98" if text == "99" else text for text in texts[1]]

    def released(names: tuple[str, ...], second: list[str]) -> tuple[int, ...]:
        columns = {n: replace(column(each), name=n) for n, each in zip("AB", (texts[0], second), strict=True)}
        metadata = Metadata("delimited", tuple(Variable(n, categorical=True) for n in "AB"))
        entry = Perturbation("pram", names, (("keep", 0.5),))
        step = perturbation_step(entry, {n: columns[n] for n in names}, PerturbationSource(metadata), SILENT)
        made = step.columns[names[-1]]
        return tuple((made.values < made.n_valid) * [int(code) for code in texts_of(made)])

    assert released(("B",), one) == released(("B",), other)
    assert released(("A", "B"), one) != released(("A", "B"), other)
    digests = [digests_of({"X": column(each)}, ".", missing_apart=True)(["X"]) for each in (["1", "99"], ["1", "98"])]
    assert digests[0] != digests[1]


def test_what_numbers_do_not_notice_draws_no_other_weight_noise() -> None:
    weights = replace(column([f"{10 + i % 5}" for i in range(60)]), name="W")
    metadata = Metadata("delimited", (Variable("W", role="weight", decimals=2),))
    noise = Perturbation("weight-noise", (), (("share", 0.2),))
    found = [
        texts_of(change_numbers({"W": weights}, Recipe(numeric=numeric, perturbations=(noise,)), metadata).columns["W"])
        for numeric in ((), (NumericEdit("W", round=1.0),), (NumericEdit("W", round=2.0),))
    ]
    assert found[0] == found[1]
    changed = [i for i in range(60) if i % 5 % 2 == 0]
    assert sum(found[0][i] == found[2][i] for i in changed) < len(changed) / 2, "on other numbers other draws"
