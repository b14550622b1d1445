"""One question in several columns as one key, from recipe to safe file: its columns go missing together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import PavoError, ProtectionError
from core.batch import run
from core.recipe.toml import load
from core.release import run as running
from core.results.unsafe_records import unsafe_flags
from core.session import Session
from core.suppression.costs import entropy
from core.warnings.mending import mending_of
from core.whatif.advice import left_out
from core.whatif.before_after import suppressible_variables
from core.whatif.recode_effect import comparable_loss, recode_effect
from tests.naive_sets import sets_of_records

MISSING = ("99", "98")
RECIPE = """recipe = 1
[input]
data = "{data}"
{metadata}
[variables.L1]
missing = ["99", "98"]
[variables.L2]
missing = ["99", "98"]
[[derived]]
name = "LANGS"
kind = "set"
{made}
[[combinations]]
variables = ["REG", "SEX", "LANGS"]
{model}
[suppression]
mode = "{mode}"
[output]
data = "safe{suffix}"
metadata = "safe.rds"
report = "safe.html"
records = "records.csv"
"""
RISK = "[threshold]\nindividual_risk = 0.05"
RARE = 'model = "frequency"\ncount_threshold = 3'
ANONYMOUS = 'model = "k-anonymity"\nk = 3\nmissing_rule = "category"'
RDA = """REG 1 1 "0"
  <RECODABLE>
SEX 2 1 "0"
  <RECODABLE>
L1 3 2
  <RECODABLE>
L2 5 2
  <RECODABLE>
W 7 3
  <NUMERIC>
  <WEIGHT>
"""
KEYS = '[variables.REG]\nmissing = ["0"]\n[variables.SEX]\nmissing = ["0"]\n[variables.W]\nrole = "weight"\n'


def people() -> list[list[str]]:
    draw = np.random.default_rng(7)
    first, second = ["DE"] * 6 + ["FR", "IT", "98"], ["DE", "FR", "98", "99", "99", "99"]
    return [
        [str(draw.integers(1, 4)), str(draw.integers(1, 3)), str(draw.choice(first)), str(draw.choice(second)), " 10"]
        for _ in range(150)
    ]


def written(folder: Path, rows: Sequence[Sequence[str]], form: str, made: str, model: str, mode: str) -> Path:
    recipe = RECIPE
    if form == "fixed":
        (folder / "a.asc").write_text("".join("".join(row) + "\n" for row in rows), "ascii")
        (folder / "a.rda").write_text(RDA, "ascii")
        given = {"data": "a.asc", "suffix": ".asc", "metadata": 'metadata = "a.rda"'}
    else:
        head = "REG,SEX,L1,L2,W" if len(rows[0]) == 5 else "REG,SEX,L1,W"
        (folder / "a.csv").write_text("\n".join([head, *map(",".join, rows)]) + "\n", "ascii")
        given = {"data": "a.csv", "suffix": ".csv", "metadata": KEYS}
        if len(rows[0]) == 4:
            recipe = recipe.replace('[variables.L2]\nmissing = ["99", "98"]\n', "")
    (folder / "r.pavo").write_text(recipe.format(made=made, model=model, mode=mode, **given), "ascii")
    return folder / "r.pavo"


def read(file: Path, form: str) -> list[list[str]]:
    lines = file.read_text("ascii").splitlines()
    if form == "fixed":
        return [[line[0], line[1], line[2:4], line[4:6], line[6:]] for line in lines]
    return [line.split(",") for line in lines[1:]]


def lost(before: list[frozenset[str]], after: list[frozenset[str]], summary: dict[str, Any]) -> list[int]:
    """Records whose set is newly missing; any other set is what it was."""
    gone = [i for i, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
    assert all(not after[i] for i in gone)
    assert summary["verified"] is True
    assert summary["suppression"]["by_variable"]["LANGS"] == len(gone) > 0
    return gone


@pytest.mark.parametrize("form", ["delimited", "fixed"])
@pytest.mark.parametrize(
    ("model", "mode"),
    [(RISK, "original-counts"), (RISK, "released-keys"), (RARE, "original-counts"), (ANONYMOUS, "original-counts")],
)
def test_all_columns_go_together(tmp_path: Path, form: str, model: str, mode: str) -> None:
    rows = people()
    path = written(tmp_path, rows, form, 'set = ["L1", "L2"]', model, mode)
    summary = run(path)[0]
    safe = read(tmp_path / ("safe.asc" if form == "fixed" else "safe.csv"), form)
    assert [len(row) for row in safe] == [5] * len(rows)
    gone = lost(
        sets_of_records([row[2:4] for row in rows], [MISSING] * 2),
        sets_of_records([row[2:4] for row in safe], [MISSING] * 2),
        summary,
    )
    assert {tuple(safe[i][2:4]) for i in gone} == {("99", "99")}
    assert "LANGS" not in (tmp_path / "safe.rds").read_text("utf-8")
    same = [i for i in range(len(rows)) if i not in set(gone) and set(rows[i][2:4]) - set(MISSING)]
    assert [safe[i][2:4] for i in same] == [rows[i][2:4] for i in same]
    lacking = {tuple(safe[i][2:4]) for i, row in enumerate(rows) if not set(row[2:4]) - set(MISSING)}
    if mode == "released-keys" or model is ANONYMOUS:  # a blank is a value of its own
        assert lacking == {("99", "99")}
        assert any(warning["id"] == "missing-codes-as-one" for warning in summary["warnings"])
    else:
        assert lacking == {("98", "98"), ("98", "99")}


def test_several_values_in_one_column(tmp_path: Path) -> None:
    rows = [[r, s, "98" if first == "98" else f"{first}; {second}" if second not in MISSING else first, w]
            for r, s, first, second, w in people()]  # fmt: skip
    rows[0][2], rows[1][2] = "FR;DE;FR", ";"
    summary = run(written(tmp_path, rows, "delimited", 'variable = "L1"\nseparator = ";"', RISK, "released-keys"))[0]
    safe = read(tmp_path / "safe.csv", "delimited")
    before, after = (sets_of_records([row[2:3] for row in some], [MISSING], ";") for some in (rows, safe))
    assert {safe[i][2] for i in lost(before, after, summary)} == {"99"}
    assert safe[1][2] == "99"


def test_made_after_its_columns_are_recoded(tmp_path: Path) -> None:
    path = written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts")
    recodes = "".join(f"[[recodes]]\nvariable = '{name}'\nscheme = 'EU: DE, FR, IT'\n" for name in ("L1", "L2"))
    path.write_text(path.read_text("ascii") + recodes, "ascii")
    derived = Session().derive(load(path))
    assert derived.columns["LANGS"].codes == ("1", "")
    assert derived.labels["LANGS"]["1"] == "EU"
    effect = recode_effect(derived, "L1")
    assert (effect.is_key, effect.table, effect.categories) == (True, 0, 1)
    assert effect.unsafe == unsafe_flags(derived, "LANGS").sum()
    before = Session().derive(load(path).with_(recodes=())).columns["LANGS"]
    lost = int(before.counts[:-1].sum()) * entropy(before)
    assert comparable_loss(derived, {"LANGS": 0}) == pytest.approx(lost)
    assert run(path)[0]["verified"] is True


def test_the_forecast_counts_what_the_plan_suppresses(tmp_path: Path) -> None:
    recipe = load(written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts"))
    session = Session()
    point = session.forecast(recipe, 0).at(0.05)
    plan = session.protect(recipe).plan
    assert (point.by_variable, point.loss) == (plan.by_variable, pytest.approx(plan.loss))
    assert suppressible_variables(session.derive(recipe)) == ("REG", "SEX", "L1", "L2")


def test_left_out_with_its_columns(tmp_path: Path) -> None:
    recipe = load(written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts"))
    without = left_out(recipe, 0, "LANGS")
    assert (without.derived, without.combinations[0].variables) == ((), ("REG", "SEX"))
    assert {edit.name for edit in without.variables if edit.removed} == {"L1", "L2"}
    assert Session().protect(without).plan.by_variable.keys() == {"REG", "SEX"}


def test_what_tells_a_column_is_warned_of_and_mended_otherwise(tmp_path: Path) -> None:
    """A relation would take one column along, and not the others of its key."""
    path = written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts")
    path.write_text(path.read_text("ascii").replace("0.05", "0.02"), "ascii")
    lines = (tmp_path / "a.csv").read_text("ascii").splitlines()
    twins = [lines[0] + ",TWIN", *(f"{line},{line.split(',')[2]}" for line in lines[1:])]
    (tmp_path / "a.csv").write_text("\n".join(twins) + "\n", "ascii")
    protection = Session().protect(recipe := load(path))
    told = [notice for notice in protection.notices if dict(notice.values).get("other") == "TWIN"]
    assert {notice.where for notice in told} == {"L1"}
    assert all("Declare" not in notice.text for notice in told)
    assert [mending_of(notice, recipe, protection.derived.metadata) for notice in told] == [None] * len(told)


def test_a_column_without_missing_code_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, people(), "fixed", 'set = ["L1", "L2"]', RISK, "original-counts")
    path.write_text(path.read_text("ascii").replace('[variables.L2]\nmissing = ["99", "98"]\n', ""), "ascii")
    with pytest.raises(ProtectionError) as error:
        run(path)
    assert error.value.values["variable"] == "L2"


def test_a_value_left_in_one_column_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check derives the sets anew from the written columns."""
    path = written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts")
    make = running.safe_file

    def forgetful(*given: Any) -> Any:
        safe = make(*given)
        safe.edits.pop("L1")
        return safe

    monkeypatch.setattr(running, "safe_file", forgetful)
    with pytest.raises(PavoError) as error:
        run(path)
    assert error.value.id == "verification-failed"
    assert "of LANGS in the written file" in str(error.value)
    assert not (tmp_path / "safe.csv").exists()


def test_it_costs_what_its_dearest_column_does(tmp_path: Path) -> None:
    path = written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts")
    text = path.read_text("ascii").replace("[variables.L2]", "[variables.L2]\nsuppression_weight = 70")
    path.write_text(text.replace("[suppression]", '[suppression]\ncriterion = "weights"'), "ascii")
    suppression = run(path)[0]["suppression"]
    counts = suppression["by_variable"]
    assert suppression["loss"] == 50 * (counts["REG"] + counts["SEX"]) + 70 * counts["LANGS"]
    assert suppression["total"] == sum(counts.values())


def test_columns_that_may_not_go_keep_the_key(tmp_path: Path) -> None:
    path = written(tmp_path, people(), "delimited", 'set = ["L1", "L2"]', RISK, "original-counts")
    text = path.read_text("ascii").replace("[variables.L2]", "[variables.L2]\nsuppressible = false")
    path.write_text(text.replace("0.05", "0.1"), "ascii")
    assert run(path)[0]["suppression"]["by_variable"]["LANGS"] == 0
