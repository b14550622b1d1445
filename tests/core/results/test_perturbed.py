"""Perturbations before recodes and tables: done in order, used by all that comes after, checked, told and undone."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from core.base.errors import Notice, PavoError, ProtectionError
from core.base.progress import SILENT
from core.data.columns import EncodedColumn
from core.data.variables import Metadata
from core.perturbation import as_read, noise
from core.perturbation.method import PerturbationInput, Perturbed
from core.perturbation.registry import REGISTRY
from core.perturbation.strata import strata_of
from core.pipeline import column_store
from core.recipe.declared import Declaration
from core.recipe.model import (
    Combination,
    HouseholdKey,
    Measure,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Report,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import dumps, parse
from core.release.run import Result, carry_out
from core.results import perturbed_columns
from core.results.perturbed_columns import all_steps
from core.session import Session
from core.warnings.perturbed_values import LEFT_VALUES
from tests.core.perturbation.test_numbers import column

NOISE = Perturbation("noise", ("INC",), (("share", 0.2),))
OF_AGE = Perturbation("noise", ("AGE",), (("share", 0.05),))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    random, rows = np.random.default_rng(1), ["HH,REG,AGE,INC,RENT,W"]
    for i in range(150):
        income = "" if i % 17 == 3 else int(np.exp(random.normal(7, 0.5)))
        rows.append(f"{i // 3},{i // 3 % 3},{random.integers(18, 80)},{income},{300 + i // 3 * 2.5:.1f},{10 + i % 5}")
    (tmp_path / "d.csv").write_text("\n".join(rows) + "\n")
    return Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.csv"\n', tmp_path).input,
        variables=(
            VariableEdit("HH", role="household-id"),
            VariableEdit("W", role="weight"),
            VariableEdit("REG", categorical=True, household=True),
            VariableEdit("AGE", categorical=True, numeric=True),
            VariableEdit("INC", numeric=True),
            VariableEdit("RENT", numeric=True, household=True),
        ),
        combinations=(Combination(("REG", "AGE")),),
        recodes=(Recode("AGE", scheme="1: - 40\n2: 41 -\n"),),
        threshold=Threshold(individual_risk=0.02),
        perturbations=(NOISE,),
        output=Output(**{role: tmp_path / f"safe.{end}" for role, end in (
            ("data", "csv"), ("metadata", "rds"), ("report", "html"), ("summary", "json"), ("ddi", "xml"))}),
    )  # fmt: skip


def values(path: Path | None, name: str) -> list[str]:
    assert path is not None
    with path.open(newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


def done(recipe: Recipe) -> tuple[Result, list[dict[str, Any]]]:
    result = carry_out(Session(one_recipe=True), recipe)
    assert result.summary["verified"] is True
    return result, result.summary.get("perturbations", [])


def test_the_file_has_noise_is_verified_and_says_so(recipe: Recipe, tmp_path: Path) -> None:
    kept = Perturbation("noise", ("INC", "RENT"), (("kind", "moments-kept"), ("share", 0.3), ("within", ("REG",))))
    recipe = recipe.with_(perturbations=(kept, OF_AGE))
    _result, told = done(recipe)
    assert [list(each)[:8] for each in told] == [
        ["method", "variables", "changed", "kind", "share", "within", "households", "seed"],
        ["method", "variables", "changed", "kind", "share", "households", "seed", "invariants"],
    ]
    original, released = recipe.input.data, recipe.output.data
    moved = sum(a != b for name in ("INC", "RENT") for a, b in zip(values(original, name), values(released, name),
                                                                   strict=True))  # fmt: skip
    assert (told[0]["changed"], told[0]["variables"]) == (moved, ["INC", "RENT"])
    rents = values(released, "RENT")
    assert all(len(set(rents[i : i + 3])) == 1 for i in range(0, 150, 3))
    assert [text == "" for text in values(released, "INC")] == [text == "" for text in values(original, "INC")]
    assert values(released, "W") == values(original, "W")
    report = (tmp_path / "safe.html").read_text()
    assert "Values changed at random" in report
    assert "Random noise was added (moments-kept) whose variance is 0.3 times the variable" in report
    assert "Largest shift of a correlation" in report
    assert (tmp_path / "safe.xml").read_text().count("Noise: random noise was added") == 3


def test_outsiders_get_no_seed_and_no_figure_of_the_original(recipe: Recipe, tmp_path: Path) -> None:
    entry = Perturbation("noise", ("INC",), (("seed", 12345), ("share", 0.2), ("within", ("REG",))))
    edits = tuple(
        VariableEdit("REG", categorical=True, removed=True) if e.name == "REG" else e for e in recipe.variables
    )
    recipe = recipe.with_(perturbations=(entry,), report=Report(variant="external"), variables=edits,
                          combinations=(Combination(("AGE",)),))  # fmt: skip
    _result, told = done(recipe)
    assert "seed" not in told[0]
    report = (tmp_path / "safe.html").read_text()
    assert "Values changed at random" in report
    assert "12345" not in report + json.dumps(told)
    assert "REG" not in report
    assert "Shift of the mean" not in report
    assert done(recipe.with_(report=Report()))[1][0]["seed"] == 12345
    assert "seed" not in done(recipe.with_(report=Report(audience="users")))[1][0]


def test_recodes_risks_and_suppression_are_those_of_the_changed_file(recipe: Recipe) -> None:
    session, changed = Session(), recipe.with_(perturbations=(OF_AGE,), recodes=())
    plain, made = session.derive(changed.with_(perturbations=())), session.derive(changed)
    ages = [made.columns["AGE"].codes[code] for code in made.columns["AGE"].values]
    assert ages != [plain.columns["AGE"].codes[code] for code in plain.columns["AGE"].values]
    assert made.original.columns["AGE"] is plain.columns["AGE"]
    carry_out(Session(), changed)
    shown = values(changed.output.data, "AGE")
    assert all(text in ("", age) for text, age in zip(shown, ages, strict=True))
    keys = set(zip(ages, made.columns["REG"].values.tolist(), strict=True))
    assert len(made.risk_tables[0].cells) == len(keys) != len(plain.risk_tables[0].cells)
    warned = [notice for notice in made.notices if notice.id == "perturbed-key"]
    assert [notice.where for notice in warned] == ["AGE"]
    assert "taken as if they were true" in warned[0].text


@pytest.mark.parametrize("many", [2, 1000])
def test_a_perturbed_column_is_as_it_would_be_read_from_a_file(
    recipe: Recipe, tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a recode finds its codes: in the same order, with the same blanks before them."""
    monkeypatch.setattr(as_read, "MANY", many)
    changed = recipe.with_(perturbations=(OF_AGE,), recodes=(), suppression=Suppression(criterion="none"),
                           output=Output(data=tmp_path / "safe.csv"))  # fmt: skip
    made = Session().derive(changed).columns["AGE"]
    carry_out(Session(), changed)
    read = Session().derive(recipe.with_(input=parse('recipe = 1\n[input]\ndata = "safe.csv"\n', tmp_path).input,
                                         perturbations=(), recodes=())).columns["AGE"]  # fmt: skip
    assert (tuple(made.codes), tuple(made.padded)) == (tuple(read.codes), tuple(read.padded))
    assert (made.n_valid, made.width) == (read.n_valid, read.width)
    assert (made.values == read.values).all()
    assert (made.counts == read.counts).all()


def test_numbers_that_are_codes_are_as_a_file_with_types_tells_them(tmp_path: Path) -> None:
    """The check read 310 where the plan had 310.0, and refused what was right."""
    random = np.random.default_rng(1)
    amounts = {"GROUP": ["a", "b"] * 60, "RENT": np.round(300 + 9 * random.random(120), 1)}
    parquet.write_table(pa.table(amounts), tmp_path / "d.parquet")
    recipe = Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.parquet"\n', tmp_path).input,
        combinations=(Combination(("GROUP",), "frequency"),),
        perturbations=(Perturbation("noise", ("RENT",), (("share", 0.2),)),),
        output=Output(data=tmp_path / "safe.parquet"),
    )
    carry_out(Session(), recipe)
    again = parse('recipe = 1\n[input]\ndata = "safe.parquet"\n', tmp_path).input
    made, read = (
        Session().derive(each, columns="all").columns["RENT"]
        for each in (recipe, recipe.with_(input=again, perturbations=()))
    )
    assert [made.codes[code] for code in made.values] == [read.codes[code] for code in read.values]
    assert any("." not in code for code in read.codes)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the variables that were perturbed, one list a time."""
    done: list[str] = []

    def perturb(given: PerturbationInput) -> Perturbed:
        done.append(", ".join(given.columns))
        return original(given)

    original = noise.perturb
    monkeypatch.setattr(noise, "perturb", perturb)
    return done


def test_what_was_perturbed_is_kept_and_undo_is_free(recipe: Recipe, counted: list[str]) -> None:
    session, both = Session(), recipe.with_(perturbations=(NOISE, OF_AGE))
    session.protect(both)
    assert counted == ["INC", "AGE"]
    first = session.derive(both).columns["AGE"]
    session.derive(both.with_(threshold=Threshold(individual_risk=0.1), report=Report(title="x")))
    session.derive(both.with_(perturbations=(NOISE,)))
    session.derive(both.with_(perturbations=()))
    assert session.derive(both).columns["AGE"] is first
    assert counted == ["INC", "AGE"]
    session.derive(both.with_(perturbations=(NOISE, Perturbation("noise", ("AGE",), (("share", 0.06),)))))
    assert counted == ["INC", "AGE", "AGE"]


def test_perturbations_are_done_in_order_each_on_what_the_one_before_left(recipe: Recipe) -> None:
    again = Perturbation("noise", ("INC",), (("share", 0.1),))
    found = {}
    for entries in ((NOISE, again), (again, NOISE), (NOISE,), (again,)):
        derived = Session().derive(recipe.with_(perturbations=entries))
        assert derived.perturbed is not None
        made = derived.perturbed.columns["INC"]
        found[entries] = [made.codes[code] for code in made.values]
    assert len({tuple(each) for each in found.values()}) == 4
    both = Session().derive(recipe.with_(perturbations=(NOISE, again)))
    assert both.perturbed is not None
    assert [each.changed > 100 for each in both.perturbed.done] == [True, True]
    told = [notice.text for notice in both.notices if notice.id == "perturbed-several-times"]
    assert told == ["INC is perturbed 2 times, each time as the one before left it: noise, noise."]


def test_a_draw_follows_from_entry_data_and_seed_alone(recipe: Recipe, tmp_path: Path) -> None:
    def drawn(recipe: Recipe) -> list[str]:
        perturbed = Session().derive(recipe).perturbed
        assert perturbed is not None
        made = perturbed.columns["INC"]
        return [made.codes[code] for code in made.values]

    first = drawn(recipe)
    moved = tmp_path / "other.csv"
    moved.write_bytes((tmp_path / "d.csv").read_bytes())
    said = (("households", True), ("kind", "independent"), ("seed", 1), ("share", 0.2))
    for same in (
        recipe.with_(report=Report(title="Another", variant="external"), output=Output(seed=9)),
        recipe.with_(input=parse('recipe = 1\n[input]\ndata = "other.csv"\n', tmp_path).input),
        recipe.with_(perturbations=(OF_AGE, Perturbation("noise", ("INC",), said)), recodes=()),
    ):
        assert drawn(same) == first
    lines = (tmp_path / "d.csv").read_text().splitlines()
    moved.write_text(
        "\n".join([*lines[:-1], lines[-1].replace(",", ",0", 3)])
    )  # a line end less, numbers by other texts
    assert drawn(recipe.with_(input=parse('recipe = 1\n[input]\ndata = "other.csv"\n', tmp_path).input)) == first
    household, region, age, income, rest = lines[1].split(",", 4)
    moved.write_text("\n".join([lines[0], f"{household},{region},{age},{int(income) + 1},{rest}", *lines[2:]]))
    assert drawn(recipe.with_(input=parse('recipe = 1\n[input]\ndata = "other.csv"\n', tmp_path).input)) != first
    assert drawn(recipe.with_(perturbations=(Perturbation("noise", ("INC",), (("seed", 2), ("share", 0.2))),))) != first


@pytest.mark.parametrize(
    ("method", "first", "said"),
    [
        ("rank-swapping", ("AGE", "INC"), {"percent": 20}),
        ("pram", ("REG",), {"keep": 0.3, "households": False}),
        ("synthetic", ("INC",), {"predictors": ("RENT",)}),
    ],
)
def test_the_same_perturbation_once_more_does_not_undo_the_first(
    recipe: Recipe, method: str, first: tuple[str, ...], said: dict[str, Any]
) -> None:
    """From the same draws everybody would be swapped back, and a code that stayed would stay for certain."""
    name, parameters = first[-1], tuple(sorted(said.items()))
    one, two = Perturbation(method, first, parameters), Perturbation(method, (name,), parameters)
    done(recipe.with_(perturbations=(one,), combinations=()))
    once = values(recipe.output.data, name)
    done(recipe.with_(perturbations=(one, two), combinations=()))
    before, twice = values(recipe.input.data, name), values(recipe.output.data, name)
    missing = before.count("")
    assert sum(a == b for a, b in zip(before, twice, strict=True)) - missing < 60
    assert sum(a == b for a, b in zip(once, twice, strict=True)) - missing < 60


def test_strata_are_combinations_and_missing_is_one_of_them() -> None:
    first, second = column(["1", "1", "2", "99", "98", "2"]), column(["a", "b", "a", "a", "a", "99"])
    assert strata_of([first]) is not None
    assert list(strata_of([first])) == [0, 0, 1, 2, 2, 1]  # type: ignore[arg-type]
    assert list(strata_of([first, second])) == [0, 1, 2, 4, 4, 3]  # type: ignore[arg-type]
    assert strata_of([]) is None


def test_numbers_are_rounded_and_cut_after_they_were_perturbed(recipe: Recipe) -> None:
    weights = Perturbation("weight-noise", (), (("share", 0.1),))
    result, told = done(
        recipe.with_(numeric=(NumericEdit("INC", round=100.0),), perturbations=(*recipe.perturbations, weights))
    )
    assert all(not text or int(text) % 100 == 0 for text in values(recipe.output.data, "INC"))
    assert [each["method"] for each in told] == ["noise", "weight-noise"]
    compared = Session().compare_numbers(recipe, NumericEdit("INC", round=100.0))
    assert compared.before.mean == pytest.approx(
        np.mean([int(text) for text in values(recipe.input.data, "INC") if text]), rel=0.2
    )
    assert result.summary["perturbations"][0]["changed"] > 100


FIELDS = [(2, "noise"), (12, "")]


@pytest.mark.parametrize(("length", "refused"), FIELDS)
def test_a_value_that_does_not_fit_its_field_is_refused(tmp_path: Path, length: int, refused: str) -> None:
    (tmp_path / "d.asc").write_text("".join(f"{i % 2}{90 + i % 10:{length}d}\n" for i in range(60)))
    (tmp_path / "d.rda").write_text(f"A 1 1 9\n <RECODABLE>\nX 2 {length}\n <NUMERIC>\n")
    recipe = Recipe(
        input=parse('recipe = 1\n[input]\ndata = "d.asc"\nmetadata = "d.rda"\n', tmp_path).input,
        combinations=(Combination(("A",), "frequency"),),
        perturbations=(Perturbation("noise", ("X",), (("share", 4.0),)),),
        output=Output(data=tmp_path / "safe.asc", metadata=tmp_path / "safe.rds"),
    )
    if not refused:
        _result, told = done(recipe)
        lines = (tmp_path / "safe.asc").read_text().splitlines()
        assert told[0]["changed"] == sum(int(line[1:]) != 90 + i % 10 for i, line in enumerate(lines))
        return
    with pytest.raises(PavoError, match=r'perturbed X would be "1[0-9][0-9]", which does not fit its field of 2 bytes'):
        carry_out(Session(), recipe)
    assert not (tmp_path / "safe.asc").exists()


def test_a_column_that_is_not_what_the_recipe_gives_is_found_and_nothing_is_kept(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check perturbs once more; here the first time something else was made."""
    real, calls = noise.perturb, []

    def perturb(given: PerturbationInput) -> Perturbed:
        made = real(given)
        calls.append(given)
        if len(calls) > 1:
            return made
        before = given.columns["INC"]
        return Perturbed(made.columns | {"INC": before}, made.invariants)

    monkeypatch.setattr(noise, "perturb", perturb)
    with pytest.raises(ProtectionError, match="values of INC are not those that the recipe's perturbations give"):
        carry_out(Session(), recipe)
    assert recipe.output.data is not None
    assert not recipe.output.data.exists()


def test_broken_promises_fail_the_check(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(given: PerturbationInput, columns: dict[str, EncodedColumn]) -> Iterator[Any]:
        yield Notice.of("x", f"{', '.join(columns)} broke its promise.")

    monkeypatch.setattr(noise, "broken", broken)
    with pytest.raises(ProtectionError, match="INC broke its promise"):
        carry_out(Session(), recipe)


def entry(*variables: str, **said: Any) -> Perturbation:
    return Perturbation("noise", variables, tuple(sorted({"share": 0.1, **said}.items())))


REFUSED = [
    (entry("W"), 'noise cannot change W: it is the weight, by which risks are judged. .* method = "weight-noise"'),
    (entry("HH"), "noise cannot change HH: it is the household identifier"),
    (entry("RENT", "AGE"), "noise cannot change RENT: it is removed from the safe file"),
    (entry("INC", "NOBODY"), r"perturbations\[1\]\.variables: the file has no variable NOBODY"),
    (entry("AGE", within=("NOBODY",)), r"perturbations\[1\]\.within: the file has no variable NOBODY"),
    (entry("AGE", within=("INC",)), r"perturbations\[1\]\.within: INC is not categorical"),
    (entry("AGE", within=("AGE",)), r"perturbations\[1\]\.within: AGE is also in perturbations\[1\]\.variables"),
]


@pytest.mark.parametrize(("said", "sentence"), REFUSED)
def test_what_cannot_be_perturbed_is_refused_by_name(recipe: Recipe, said: Perturbation, sentence: str) -> None:
    edits = tuple(VariableEdit("RENT", removed=True) if e.name == "RENT" else e for e in recipe.variables)
    with pytest.raises(PavoError, match=sentence):
        Session().derive(recipe.with_(variables=edits, perturbations=(said,)))


class _Swapped:
    """A method after which no risk can be counted."""

    DECLARATION = Declaration("swap", "Swap", "Codes", "Codes are swapped.", unjudged=True)

    @staticmethod
    def variables(entry: Perturbation, metadata: Metadata) -> tuple[str, ...]:
        return entry.variables

    @staticmethod
    def perturb(given: PerturbationInput) -> Perturbed:
        return Perturbed(given.columns, {"kept": 1})


def test_a_risk_of_a_key_whose_codes_are_linked_to_the_true_ones_is_refused(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY._modules, "swap", _Swapped)  # type: ignore[arg-type]
    swapped = recipe.with_(perturbations=(Perturbation("swap", ("REG",)),), threshold=Threshold())
    with pytest.raises(
        PavoError, match=r"combinations\[1\].variables: REG is perturbed by swap .* P\(true \| released\)"
    ):
        Session().derive(swapped)
    types = HouseholdKey("TYPE", "household-type", ("REG",))
    with pytest.raises(PavoError, match=r"combinations\[1\].variables: REG is perturbed by swap"):
        Session().derive(swapped.with_(derived=(types,), combinations=(Combination(("TYPE", "AGE")),)))
    counted = swapped.with_(combinations=(Combination(("REG", "AGE"), "k-anonymity", k=3, missing_rule="category"),))
    assert [n.id for n in Session().derive(counted).notices if n.where == "REG"] == ["perturbed-key", LEFT_VALUES]


def test_keys_that_are_made_of_a_perturbed_variable_are_told(recipe: Recipe) -> None:
    types = HouseholdKey("TYPE", "household-type", ("AGE",))
    made = Session().derive(
        recipe.with_(derived=(types,), combinations=(Combination(("TYPE",)),), perturbations=(OF_AGE,))
    )
    assert [notice.where for notice in made.notices if notice.id == "perturbed-key"] == ["AGE"]


def test_a_measure_of_perturbed_values_is_told(recipe: Recipe) -> None:
    measures = Measure("frequencies", ("REG", "AGE")), Measure("record-linkage", ("AGE",)), Measure("suda", ("REG",))
    found = Session().derive(recipe.with_(measures=measures, perturbations=(OF_AGE,))).notices
    told = [notice for notice in found if notice.id == "perturbed-measure"]
    assert [(notice.where, dict(notice.values)["measure"]) for notice in told] == [("AGE", "frequencies")]


def test_linkage_is_of_the_original_with_what_is_released(recipe: Recipe) -> None:
    """A measure of the two files compares the values before the perturbation with those after."""
    measure = Measure("interval", ("INC",), (("width", 0.000001),))
    result, _told = done(recipe.with_(measures=(measure,)))
    found = result.summary["measures"][0]
    original, released = (values(path, "INC") for path in (recipe.input.data, recipe.output.data))
    same = sum(a == b != "" for a, b in zip(original, released, strict=True))
    assert found["n_inside"] == same < 10


def test_a_recipe_with_perturbations_is_read_as_it_was_written(recipe: Recipe, tmp_path: Path) -> None:
    said = recipe.with_(perturbations=(entry("AGE", within=("REG",), seed=7, households=False, kind="correlated"),))
    text = dumps(said, tmp_path)
    assert "[[perturbations]]" in text
    assert parse(text, tmp_path) == said


@pytest.mark.usefixtures("_compiled")
def test_the_command_and_the_session_of_the_windows_write_the_same_on_any_number_of_threads(
    recipe: Recipe, tmp_path: Path, repo: Path
) -> None:
    kept = Perturbation("noise", ("INC", "RENT"), (("kind", "moments-kept"), ("share", 0.3), ("within", ("REG",))))
    recipe = recipe.with_(perturbations=(kept, OF_AGE))
    (tmp_path / "job.pavo").write_text(dumps(recipe, tmp_path))
    session = Session()
    session.derive(recipe.with_(perturbations=(OF_AGE,)))
    session.protect(recipe)
    carry_out(session, recipe)
    assert recipe.output.data is not None
    written = {recipe.output.data.read_bytes()}
    for threads in "12":
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), threads)
        folder = tmp_path / threads
        command = [sys.executable, str(repo / "main.py"), "run", str(tmp_path / "job.pavo"), "--out", str(folder)]
        subprocess.run(command, env={**os.environ, **limits}, check=True, capture_output=True)
        written.add((folder / "safe.csv").read_bytes())
    assert len(written) == 1


def test_columns_are_read_in_one_pass(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    real = column_store.read

    def read(path: Path, metadata: Metadata, names: list[str], progress: Any) -> Any:
        asked.append(sorted(names))
        return real(path, metadata, names, progress)

    monkeypatch.setattr(column_store, "read", read)
    Session().derive(recipe)
    assert asked == [["AGE", "HH", "INC", "REG", "W"]]


def test_all_steps_are_those_of_the_session(recipe: Recipe) -> None:
    derived = Session().derive(recipe.with_(perturbations=(NOISE, OF_AGE)))
    assert derived.perturbed is not None
    source = perturbed_columns.PerturbationSource.of(derived.microdata, derived.households)
    again, steps = all_steps(derived.recipe, derived.perturbed.before, source, SILENT)
    assert [given.entry for given, _made in steps] == [NOISE, OF_AGE]
    for name, made in again.columns.items():
        assert (made.values == derived.perturbed.columns[name].values).all()
        assert made.codes == derived.perturbed.columns[name].codes


def test_noise_that_is_rounded_away_from_the_weights_is_told(recipe: Recipe) -> None:
    """Weights from 10 to 14 are whole numbers: a hundredth of them is none."""
    for share, told in ((0.01, True), (0.5, False)):
        noisy = Perturbation("weight-noise", (), (("share", share),))
        result, _done = done(recipe.with_(perturbations=(noisy,)))
        assert (LEFT_VALUES in [notice.id for notice in result.warnings]) is told
