from __future__ import annotations

import csv
import json
import math
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import OutputError, RecipeError
from core.base.progress import Cancelled
from core.base.texts import use_language
from core.exports import export_sdcmicro, sdcmicro_files
from core.exports.r_script import r_number, r_string
from core.exports.sdcmicro_figures import Check, checks
from core.recipe.model import Combination, Input, Recipe, Threshold, VariableEdit
from core.risk.individual import individual_risk
from core.session import Session
from tests import r_syntax
from tests.core.exports.demodata import KEYS, demodata
from tests.pseudo import PSEUDO, pseudo_language

ODD = 'a "b" \\n é <i> \u2028 😀'

DOCUMENTED = {
    "createSdcObj": {"dat", "keyVars", "weightVar", "hhId", "alpha"},
    "get.sdcMicroObj": {"", "type"},
    "read.csv": {"", "header", "colClasses", "na.strings", "encoding", "check.names"},
    "options": {"width"},
    "data.frame": {"Pavo", "exact", "sdcMicro", "foreseen", "row.names"},
    "compare": {"", "threshold", "k", "pavo", "foreseen"},
}
"""Arguments that these functions have, by sdcMicro 5.8.1 and R 4, of those that we use."""
BASE_R = {
    *("library", "suppressPackageStartupMessages", "file.exists", "stop", "names", "as.numeric", "as.integer", "c"),
    *("return", "log", "seq_len", "round", "abs", "lapply", "factor", "complete.cases", "ifelse", "is.na", "paste"),
    *("paste0", "as.data.frame", "duplicated", "mapply", "match", "nrow", "unique", "sum", "max", "mean", "is.null"),
    *("ave", "prod", "print", "cat", "which", "all"),
}
OWN = {"exact_risk", "as_factors", "only_complete", "as_category", "judged"}


def odd_survey(folder: Path, rule: str = "observed", n: int = 120) -> Recipe:
    """A csv file whose names and codes need every kind of escape, with missing values, weights and households."""
    chance = random.Random(n)
    with (folder / "odd.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([ODD, "NA", "id", "weight", "h h"])
        for i in range(n):
            codes = [chance.choice([*"abc", "", '"', "\\", "NA", "é\nü"]), chance.choice(["1", "2", ""])]
            out.writerow([*codes, chance.choice(["x", "y", ""]), f"{chance.randint(10, 99)}.5", i // 3])
    return Recipe(
        input=Input(folder / "odd.csv"),
        variables=(VariableEdit("weight", role="weight"), VariableEdit("h h", role="household-id")),
        combinations=(Combination((ODD, "NA", "id"), missing_rule=rule),),  # type: ignore[arg-type]
        threshold=Threshold(individual_risk=0.01),
    )


def one_check(recipe: Recipe) -> Check:
    (found,) = checks(Session().derive(recipe))
    return found


def test_the_csv_has_the_same_cells(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(demodata(shared))
    _, data = export_sdcmicro(derived, tmp_path / "check.R").files
    with data.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4000
    counts: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = tuple(row[name] for name in KEYS)
        counts[key] = counts.get(key, 0) + 1
    table = derived.risk_tables[0]
    assert sorted(counts.values()) == sorted(table.cells.count.tolist())
    assert sum(float(row["WEIGHT"]) for row in rows) == pytest.approx(float(table.cells.F.sum()), rel=1e-12)


@pytest.mark.parametrize("rule", ["observed", "wildcard", "category", "listwise"])
def test_the_script_is_r_and_calls_what_exists(tmp_path: Path, rule: str) -> None:
    recipe = odd_survey(tmp_path, rule)
    k = Combination(("id", "NA"), "k-anonymity", k=3, missing_rule="category")
    derived = Session().derive(recipe.with_(combinations=(*recipe.combinations, k)))
    script, data = export_sdcmicro(derived, tmp_path / 'che"ck \\ é.R').files
    code = script.read_text(encoding="utf-8")
    lines = code.split("\n")
    called = r_syntax.calls(code)
    for call in called:
        assert call.function in {*DOCUMENTED, *BASE_R, *OWN}, call
        assert set(call.arguments) <= DOCUMENTED.get(call.function, set(call.arguments)), call
    assert [call.function for call in called].count("createSdcObj") == 2
    assert data.name in r_syntax.strings(code)
    assert code.count("\n# 1. ") == 1
    assert any(line.startswith("# 1. ") and "é <i>" in line and line.endswith(": individual risk.") for line in lines)
    named = [token.text for token in r_syntax.tokens(code) if token.kind == "name"]
    assert ODD not in r_syntax.strings(code), "sdcMicro builds code from names: it gets plain ones"
    assert "key3" in r_syntax.strings(code)
    assert 'encoding = "UTF-8"' in code, "without conversion, which a C locale cannot do"
    assert "options(width = 120)" in code
    assert "survey" in named


def test_missing_values_and_blank_codes_are_told_apart(tmp_path: Path) -> None:
    derived = Session().derive(odd_survey(tmp_path))
    script, data = export_sdcmicro(derived, tmp_path / "check.R").files
    assert "NA_" in r_syntax.strings(script.read_text(encoding="utf-8"))
    with data.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [ODD, "NA", "id", "weight", "h h"]
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        given = list(csv.reader(file))
    assert [[code or "NA_" for code in row[:3]] for row in given[1:]] == [row[:3] for row in rows[1:]]
    assert [row[3] for row in given] == [row[3] for row in rows]
    households = [row[4] for row in rows[1:]]
    assert len(set(households)) == 40
    assert all(len(set(households[i : i + 3])) == 1 for i in range(0, 120, 3))


def naive(rows: list[list[str]], weights: list[float], alpha: float) -> list[tuple[float, float]]:
    """fk and Fk of every record by sdcMicro's definition, record by record."""
    found = []
    for one in rows:
        missing = {i for i, code in enumerate(one) if not code}
        f = total = 0.0
        for other, weight in zip(rows, weights, strict=True):
            gone = {i for i, code in enumerate(other) if not code}
            if any(a != b for a, b in zip(one, other, strict=True) if a and b):
                continue
            if len(missing) == len(one) or gone == missing or (missing and not gone):
                part = 1.0
            elif len(gone) == len(one) and not missing:
                part = 0.0
            else:
                part = alpha
            f, total = f + part, total + part * weight
        found.append((f, total))
    return found


@pytest.mark.parametrize(("rule", "alpha"), [("observed", 0.0), ("wildcard", 1.0)])
def test_what_sdcmicro_should_find(tmp_path: Path, rule: str, alpha: float) -> None:
    check = one_check(odd_survey(tmp_path, rule))
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        given = list(csv.reader(file))[1:]
    found = naive([row[:3] for row in given], [float(row[3]) for row in given], alpha)
    assert check.alpha_there == alpha
    assert check.foreseen["sum_f"] == sum(f for f, _ in found)
    assert check.foreseen["sum_F"] == pytest.approx(sum(total for _, total in found), rel=1e-12)
    assert check.foreseen["uniques"] == sum(f == 1 for f, _ in found)
    risks = [one_risk(f, total) for f, total in found]
    assert check.foreseen["expected"] == pytest.approx(sum(risks), rel=1e-12)
    assert check.foreseen["unsafe_records"] == sum(r >= 0.01 for r in risks)


def one_risk(f: float, total: float) -> float:
    p = f / total
    if f == total:
        return 1 / f
    odds = p / (1 - p)
    if f == 1:
        return odds * math.log(1 / p)
    return odds - odds**2 * math.log(1 / p) if f == 2 else p / (f - (1 - p))


def test_sdcmicro_found_what_is_foreseen(shared: Path) -> None:
    """testdata.csv as sdcMicro 5.8.1 measured it."""
    golden = json.loads((shared / "golden" / "testdata_risk.json").read_text())["values"]
    keys = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
    weight = VariableEdit("sampling_weight", role="weight")
    recipe = Recipe(
        input=Input(shared / "data" / "testdata.csv"), variables=(weight,), combinations=(Combination(keys),)
    )
    check = one_check(recipe)
    assert check.foreseen["records"] == golden["n"]
    assert check.foreseen["sum_f"] == sum(golden["fk"])
    assert check.foreseen["sum_F"] == pytest.approx(sum(golden["Fk"]), rel=1e-9)
    assert check.foreseen["uniques"] == golden["fk"].count(1)
    assert check.foreseen["expected"] == pytest.approx(sum(golden["risk_approx"]), rel=1e-7)
    assert check.foreseen["max_risk"] == pytest.approx(max(golden["risk_approx"]), rel=1e-7)


def r_exact_risk(f: float, total: float) -> float:
    """`exact_risk` of the script, line by line."""
    if total <= f * (1 + 1e-12):
        return 1 / f
    p = f / total
    q = 1 - p
    if p < 0.5 and f < 40 and f == round(f):
        r = -p * math.log(p) / q
        for i in range(1, int(f)):
            r = p / q * (1 / i - r)
        return r
    term, whole, n = 1.0, 1.0, 0
    while term > 1e-17 * whole:
        n += 1
        term *= n * q / (f + n)
        whole += term
    return p / f * whole


def test_the_formula_of_the_script() -> None:
    pairs = [
        (f, f * x) for f in (1.0, 2.0, 3.0, 7.0, 39.0, 40.0, 500.0, 2.5) for x in (1.0, 1.001, 1.9, 2.1, 50.0, 1e4)
    ]
    risks = individual_risk(np.array([f for f, _ in pairs]), np.array([total for _, total in pairs]))
    assert [r_exact_risk(f, total) for f, total in pairs] == pytest.approx(risks.tolist(), rel=1e-10)


def test_figures_of_demodata(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(demodata(shared))
    script, _ = export_sdcmicro(derived, tmp_path / "check.R").files
    code = script.read_text(encoding="utf-8")
    staircase = derived.risk_tables[0].staircase
    assert f"max_risk = {float(staircase.max_risk)!r}" in code
    assert f"unsafe_records = {staircase.unsafe(0.00125)}" in code
    assert "exact must equal Pavo" in code
    assert 'createSdcObj(dat = part, keyVars = keys, weightVar = "weight", alpha = 0.0)' in code


def test_comments_are_in_the_language_of_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe, target, words = odd_survey(tmp_path), tmp_path / "check.R", r"[A-Za-z]{4,} [a-z]{4,} [a-z]{4,}"
    english = export_sdcmicro(Session().derive(recipe), target).files[0].read_text(encoding="utf-8")
    with pseudo_language(tmp_path / "locale", monkeypatch):
        use_language(None)
        spoken = Session().derive(recipe.with_(report=replace(recipe.report, language=PSEUDO)))
        other = export_sdcmicro(spoken, target).files[0].read_text(encoding="utf-8")
    (comments, code), (spoken_comments, spoken_code) = map(_divided, (english, other))
    assert code == spoken_code
    assert re.search(words, comments)
    assert not re.search(words, spoken_comments)
    assert max(map(len, comments.splitlines())) <= 120


def _divided(script: str) -> tuple[str, list[str]]:
    """Comments and code of a script; a comment behind code is neither."""
    lines = script.splitlines()
    code = [line.partition("  # ")[0] for line in lines if line and not line.startswith("#")]
    return "\n".join(line for line in lines if line.startswith("#")), code


def test_without_weights(tmp_path: Path) -> None:
    recipe = odd_survey(tmp_path).with_(variables=(VariableEdit("weight", removed=True),))
    check = one_check(recipe)
    assert check.foreseen["sum_F"] == check.foreseen["sum_f"]
    derived = Session().derive(recipe)
    script, data = export_sdcmicro(derived, tmp_path / "check.R").files
    assert "weightVar" not in script.read_text(encoding="utf-8")
    assert data.read_text(encoding="utf-8").splitlines()[-1].count(",") == 2


def test_nothing_to_compare(shared: Path, tmp_path: Path) -> None:
    derived = Session().derive(demodata(shared).with_(combinations=()))
    with pytest.raises(RecipeError, match="nothing to compare"):
        export_sdcmicro(derived, tmp_path / "check.R")
    assert not list(tmp_path.iterdir())


def test_no_input_is_replaced(tmp_path: Path) -> None:
    derived = Session().derive(odd_survey(tmp_path))
    before = (tmp_path / "odd.csv").read_bytes()
    with pytest.raises(OutputError):
        export_sdcmicro(derived, tmp_path / "odd.R")  # its csv file would be the survey
    session = tmp_path / "mine.csv"
    session.write_text("recipe")
    with pytest.raises(OutputError):
        export_sdcmicro(derived, tmp_path / "mine.R", inputs=[session])
    assert {path.name for path in tmp_path.iterdir()} == {"odd.csv", "mine.csv"}
    assert (tmp_path / "odd.csv").read_bytes() == before


def test_cancelling_leaves_nothing(tmp_path: Path) -> None:
    derived = Session().derive(odd_survey(tmp_path))

    class Stop:
        def report(self, done: float, total: float, text: str) -> None:
            raise Cancelled

        def check(self) -> None:
            pass

    with pytest.raises(Cancelled):
        export_sdcmicro(derived, tmp_path / "check.R", Stop())
    assert {path.name for path in tmp_path.iterdir()} == {"odd.csv"}


def test_strings_and_numbers() -> None:
    for text in (ODD, "", '"', "\\", "\t", "a'b", "\x7f", "\U0010ffff"):
        assert r_syntax.value(r_string(text)) == text
    assert [r_number(x) for x in (3, 0.1, math.nan, math.inf, -math.inf)] == ["3", "0.1", "NaN", "Inf", "-Inf"]
    assert sdcmicro_files(Path("a/b.c.R"))[1] == Path("a/b.c.csv")


def test_the_reader_of_r_refuses() -> None:
    for bad in ("c(1", "c(1]", 'x <- "a', "x <- é", "}", 'x <- "a" "'):
        with pytest.raises(AssertionError):
            r_syntax.tokens(bad)


def test_of_a_session_judged_by_a_population_model_the_individual_risk_is_compared(shared: Path) -> None:
    exact = demodata(shared)
    model = exact.with_(combinations=tuple(replace(c, estimator="calibrated") for c in exact.combinations))
    found = [checks(Session().derive(each))[0].pavo for each in (model, exact)]
    assert found[0]["expected"] == found[1]["expected"]
    assert found[0]["max_risk"] == found[1]["max_risk"]
