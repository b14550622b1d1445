"""The release checklist: no released column is forgotten, and what columns hold is recognised from the data."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import Notice
from core.data.variables import Metadata, Variable
from core.metadata.column_contents import ColumnContents, Kind
from core.recipe.edits_checklist import ColumnDecision, decide, explained, judged_variables, signed, without_decisions
from core.recipe.model import (
    Combination,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    TopBottomCode,
    VariableEdit,
)
from core.recipe.toml import parse
from core.release.run import carry_out
from core.session import Session
from core.warnings.checklist import (
    UNDECIDED,
    ChecklistEntry,
    checklist,
    made_of,
    renumbering,
    to_judge,
    undecided,
    undecided_columns,
    with_decisions,
)

N = 120
_RECIPE = """
recipe = 1
[input]
data = "survey.csv"
[variables.WEIGHT]
role = "weight"
{variables}
[[combinations]]
variables = ["SEX"]
[threshold]
individual_risk = 0.9
[report]
variant = "{variant}"
[output]
data = "safe.csv"
report = "safe.html"
summary = "safe.json"
"""


def _write(folder: Path, columns: dict[str, Sequence[object]]) -> None:
    every = {"SEX": [i % 2 for i in range(N)], "WEIGHT": [10] * N, **columns}
    lines = [";".join(every), *(";".join(map(str, row)) for row in zip(*every.values(), strict=True))]
    (folder / "survey.csv").write_text("\n".join(lines) + "\n", "utf-8")


def _recipe(folder: Path, variables: str = "", variant: str = "internal") -> Recipe:
    return parse(_RECIPE.format(variables=variables, variant=variant), folder)


def _entries(folder: Path, columns: dict[str, Sequence[object]], variables: str = "") -> dict[str, ChecklistEntry]:
    _write(folder, columns)
    recipe, session = _recipe(folder, variables), Session()
    found = checklist(recipe, session.metadata(recipe), session.contents(recipe))
    return {entry.variable: entry for entry in found}


_DRAW = random.Random(4)
_AMOUNTS = [f"{_DRAW.lognormvariate(10, 0.3):.2f}" for _ in range(N)]
_WORDS = ["der", "alte", "Hund", "bellt", "laut", "im", "kleinen", "Hof", "neben", "dem", "Haus"]
_PLANTED: list[tuple[str, list[object], Kind, str | None]] = [
    ("Geburtsdatum", [f"{i % 28 + 1:02}.{i % 12 + 1:02}.{1950 + i % 40}" for i in range(N)], "date", "leave-out"),
    ("naissance", [f"{1950 + i % 40}{i % 12 + 1:02}{i % 28 + 1:02}" for i in range(N)], "date", "leave-out"),
    ("Einkommen", [*_AMOUNTS[1:], "9000000.00"], "amount", "top-code"),
    ("montant", [*_AMOUNTS], "amount", None),
    ("Bemerkung", [" ".join(_DRAW.sample(_WORDS, 6)) + f" {i}" for i in range(N)], "free-text", "leave-out"),
    ("Q17", [" ".join(_DRAW.sample(_WORDS, 6)) + f" {i}" for i in range(N)], "free-text", "leave-out"),
    ("commentaires", ["" if i % 4 else "vu" for i in range(N)], "free-text", "leave-out"),
    ("Befrager", [i % 7 + 20 for i in range(N)], "interviewer", "leave-out"),
    ("enquêteur", [i % 7 + 20 for i in range(N)], "interviewer", "leave-out"),
    ("Schicht", [i % 9 for i in range(N)], "stratum", "leave-out"),
    ("strate", [i % 9 for i in range(N)], "stratum", "leave-out"),
    ("grappe", [i % 30 for i in range(N)], "area", "leave-out"),
    ("Gemeinde", [i % 30 for i in range(N)], "area", "leave-out"),
    ("Haushalt", [i // 3 + 500 for i in range(N)], "household-id", "leave-out"),
    ("Vorname", [f"Anna{i}" for i in range(N)], "identifier", "leave-out"),
    ("KIDS", [i % 4 if i != 5 else 17 for i in range(N)], "outlier", "top-code"),
    ("Q3", [i % 4 if i != 5 else "x" for i in range(N)], "rare-code", None),
    ("Geschlecht", [i % 2 + 1 for i in range(N)], "key", None),
    ("Q4", [i % 4 for i in range(N)], "codes", "keep"),
]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ChecklistEntry]:
    columns: dict[str, Sequence[object]] = {name: values for name, values, _kind, _proposal in _PLANTED}
    return _entries(tmp_path_factory.mktemp("planted"), columns)


@pytest.mark.parametrize(("name", "kind", "proposal"), [(name, kind, p) for name, _values, kind, p in _PLANTED])
def test_what_is_planted_is_recognised(
    planted: dict[str, ChecklistEntry], name: str, kind: Kind, proposal: str | None
) -> None:
    entry = planted[name]
    assert (entry.contents.kind, entry.decision) == (kind, None)
    assert entry.proposal == proposal or (kind == "amount" and entry.proposal in ("round", "top-code"))


def test_no_value_is_in_what_a_column_holds(planted: dict[str, ChecklistEntry]) -> None:
    for name, values, _kind, _proposal in _PLANTED:
        long = [str(value) for value in values if len(str(value)) > 3]
        assert not any(value in planted[name].contents.holds.text for value in long)


def test_what_is_far_out_is_counted_and_a_cut_leaves_nobody_alone(planted: dict[str, ChecklistEntry]) -> None:
    assert planted["Einkommen"].contents.holds.text == "exact amounts, 1 alone at the top"
    assert planted["KIDS"].contents.holds.text == "5 numbers, one far out in one record only"
    for name, values, kind, _proposal in _PLANTED:
        top = planted[name].contents.top
        if kind in ("amount", "outlier"):
            assert top is not None
            assert sum(float(str(value)) >= top.at for value in values) >= 5


def test_a_number_at_the_bottom_is_cut_there(tmp_path: Path) -> None:
    entry = _entries(tmp_path, {"SALDO": [*range(1000, 1000 + 7 * (N - 1), 7), -90000]})["SALDO"]
    assert entry.contents.bottom is not None
    assert (entry.contents.bottom.at, entry.contents.top, entry.contents.percent) == (1030.0, None, 95)


_KINDS: tuple[Kind, ...] = ("amount", "codes", "free-text", "household-id")
_roles = st.sampled_from(["other", "weight", "household-id", "direct-identifier"])
_variables = st.builds(
    lambda role, removed, decision, kind: (role, removed, decision, kind),
    _roles, st.booleans(), st.sampled_from([None, "keep", "leave-out", "round"]), st.sampled_from(_KINDS),
)  # fmt: skip


@given(st.lists(_variables, max_size=6), st.sets(st.integers(0, 5)), st.sampled_from(["keep", "sequence", "remove"]))
def test_no_released_column_is_missing(
    columns: list[tuple[str, bool, str | None, Kind]], keys: set[int], household_id: str
) -> None:
    """Each is a key, the weight, or on the list; and what is not decided is released as it is."""
    variables = tuple(
        Variable(f"V{i}", role=role, removed=removed, decision=decision)  # type: ignore[arg-type]
        for i, (role, removed, decision, _kind) in enumerate(columns)
    )
    names = tuple(f"V{i}" for i in keys if i < len(columns))
    combinations = (Combination(names),) if names else ()
    recipe = Recipe(combinations=combinations, output=Output(household_id=household_id))  # type: ignore[arg-type]
    metadata = Metadata("delimited", variables)
    contents = {f"V{i}": ColumnContents(f"V{i}", kind, Notice.of(kind, "")) for i, (*_said, kind) in enumerate(columns)}
    entries = {entry.variable: entry for entry in checklist(recipe, metadata, contents)}
    released = {v.name for v in variables if not v.removed and v.role != "direct-identifier"}
    weights = {v.name for v in variables if v.role == "weight"}
    assert released <= entries.keys() | judged_variables(recipe) | weights
    assert not entries.keys() & judged_variables(recipe)
    for name in undecided(tuple(entries.values())):
        assert metadata[name].decision != "keep"
        assert not metadata[name].removed


_CUT = TopBottomCode(100.0, "100")
_MADE: Iterable[ColumnDecision] = (
    ColumnDecision("INCOME", "leave-out"),
    ColumnDecision("INCOME", "renumber", scheme="1: 7"),
    ColumnDecision("INCOME", "round", base=10.0),
    ColumnDecision("INCOME", "top-code", top=_CUT),
    ColumnDecision("INCOME", "round-and-top-code", base=10.0, top=_CUT),
    ColumnDecision("INCOME", "keep"),
)


@pytest.mark.parametrize("made", _MADE, ids=lambda made: made.decision)
@pytest.mark.parametrize("before", _MADE, ids=lambda made: made.decision)
def test_a_decision_takes_the_place_of_the_one_before(made: ColumnDecision, before: ColumnDecision) -> None:
    other = Recipe(numeric=(NumericEdit("ASSETS", round=5.0),), recodes=(Recode("REGION", truncate=1),))
    after = decide(decide(other, before, by="A"), made, by="B", reason="seen")
    [edit] = after.variables
    assert (edit.decision, edit.decided_by, edit.reason) == (made.decision, "B", "seen")
    metadata = with_decisions(Metadata("delimited", (Variable("INCOME"),)), after)
    [entry] = checklist(after, metadata, {"INCOME": ColumnContents("INCOME", "amount", Notice.of("amount", ""))})
    assert (entry.decision, entry.released) == (made.decision, made.decision != "leave-out")
    assert [n for n in after.numeric if n.variable != "INCOME"] == list(other.numeric)
    assert [r for r in after.recodes if r.variable != "INCOME"] == list(other.recodes)
    assert len(after.numeric) + len(after.recodes) == 2 + (made.decision not in ("leave-out", "keep"))


@pytest.mark.parametrize(
    ("number", "named"), [(1, "A is released"), (6, "E and 1 more column are"), (7, "E and 2 more columns are")]
)
def test_columns_not_named_are_counted(number: int, named: str) -> None:
    names = "ABCDEFG"[:number]
    contents = {name: ColumnContents(name, "codes", Notice.of("codes", "")) for name in names}
    metadata = Metadata("delimited", tuple(Variable(name) for name in names))
    [notice] = undecided_columns(checklist(Recipe(), metadata, contents))
    assert named in notice.text


def test_a_top_code_or_rounding_set_elsewhere_does_not_go_by_the_numbers_that_are_offered() -> None:
    contents = {"INCOME": ColumnContents("INCOME", "amount", Notice.of("amount", ""), base=10.0, top=_CUT, percent=98)}
    metadata = Metadata("delimited", (Variable("INCOME"),))
    words = {}
    for spec in (
        NumericEdit("INCOME", top=_CUT),
        NumericEdit("INCOME", top=TopBottomCode(90.0, "95")),
        NumericEdit("INCOME", round=5.0),
    ):
        [entry] = checklist(Recipe(numeric=(spec,)), metadata, contents)
        assert entry.decision is not None
        words[spec] = next(text for text, decision in entry.offers if decision == entry.decision)
    assert list(words.values()) == ["Top-code, 98 %", "Top-code", "Round"]


def test_what_a_recipe_says_and_does_not_do_counts_for_nothing() -> None:
    metadata = Metadata("delimited", (Variable("A", decision="leave-out"), Variable("B", decision="round")))
    contents = {name: ColumnContents(name, "amount", Notice.of("amount", "")) for name in "AB"}
    assert undecided(checklist(Recipe(), metadata, contents)) == ("A", "B")


def test_who_decided_is_added_where_nobody_is_named() -> None:
    recipe = Recipe(variables=(VariableEdit("A", decision="keep"), VariableEdit("B", decision="keep", decided_by="X")))
    assert [edit.decided_by for edit in signed(recipe, ["A", "B"], "Y").variables] == ["Y", "X"]
    assert explained(recipe, "A", "why").variables[0].reason == "why"
    assert explained(recipe, "A", "") == recipe
    assert without_decisions(recipe) == Recipe()


def test_numbering_anew_takes_no_missing_code_and_names_every_code_once() -> None:
    text = renumbering(["7", "a b", "12"], ["2"], random.Random(1))
    new, old = zip(*(line.split(": ") for line in text.splitlines()), strict=True)
    assert (sorted(new), sorted(old)) == (["1", "3", "4"], ['"a b"', "12", "7"])


def test_a_run_says_what_is_undecided_and_outsiders_learn_nothing_more(tmp_path: Path) -> None:
    columns: dict[str, Sequence[object]] = {name: values for name, values, _k, _p in _PLANTED[:6]}
    _write(tmp_path, columns)
    said = '[variables.Einkommen]\ndecision = "keep"\ndecided_by = "Frau Muster"\nreason = "wird gebraucht"\n'
    for variant in ("internal", "external"):
        carry_out(Session(), _recipe(tmp_path, said, variant))
        summary = json.loads((tmp_path / "safe.json").read_text("utf-8"))
        report = (tmp_path / "safe.html").read_text("utf-8")
        warned = {warning["id"]: warning["text"] for warning in summary["warnings"]}
        assert "Geburtsdatum" in warned[UNDECIDED] and "Einkommen" not in warned[UNDECIDED]
        parts = {part["variable"]: part for part in summary["checklist"]}
        assert parts.keys() == columns.keys()
        assert parts["montant"].keys() == {"variable", "holds"}
        assert parts["Einkommen"]["decision"] == "keep"
        inside = variant == "internal"
        assert (parts["Einkommen"].get("by") == "Frau Muster") == inside
        for text in ("Frau Muster", "wird gebraucht", "exact amounts", "different dates"):
            assert (text in report) == inside, text
        assert "Columns that no model judges" in report


def test_what_is_decided_is_done_and_warned_of_no_more(tmp_path: Path) -> None:
    columns: dict[str, Sequence[object]] = {
        name: values for name, values, _k, _p in _PLANTED if name in ("Einkommen", "Befrager", "Bemerkung", "Q4")
    }
    _write(tmp_path, columns)
    recipe, session = _recipe(tmp_path), Session()
    metadata = session.metadata(recipe)
    entries = {e.variable: e for e in checklist(recipe, metadata, session.contents(recipe))}
    wanted = {"Einkommen": "top-code", "Befrager": "renumber", "Bemerkung": "leave-out", "Q4": "keep"}
    for name, decision in wanted.items():
        assert decision in [each for _words, each in entries[name].offers]
        recipe = decide(recipe, made_of(entries[name], metadata[name], decision, random.Random(1)))  # type: ignore[arg-type]
    result = carry_out(session, recipe)
    assert UNDECIDED not in {warning["id"] for warning in result.summary["warnings"]}
    assert {p["variable"]: p["decision"] for p in result.summary["checklist"]} == {
        name: decision for name, decision in wanted.items() if decision != "leave-out"
    }
    header, *lines = (tmp_path / "safe.csv").read_text("utf-8").splitlines()
    rows = [dict(zip(header.split(";"), line.split(";"), strict=True)) for line in lines]
    assert "Bemerkung" not in rows[0]
    assert sorted({row["Befrager"] for row in rows}) == list("1234567")
    assert max(float(row["Einkommen"]) for row in rows) == entries["Einkommen"].contents.top.at  # type: ignore[union-attr]


def test_amounts_can_be_rounded_and_top_coded_at_once(tmp_path: Path) -> None:
    name, values, _kind, _proposal = next(each for each in _PLANTED if each[0] == "Einkommen")
    _write(tmp_path, {name: values})
    recipe, session = _recipe(tmp_path), Session()
    metadata = session.metadata(recipe)
    [entry] = checklist(recipe, metadata, session.contents(recipe))
    words = {decision: said for said, decision in entry.offers}
    base, top = entry.contents.base, entry.contents.top
    assert base is not None and top is not None
    assert words["round-and-top-code"] == f"Round to {base:,.0f}, top-code {entry.contents.percent} %"
    recipe = decide(recipe, made_of(entry, metadata[name], "round-and-top-code", random.Random(1)))
    [found] = checklist(recipe, with_decisions(metadata, recipe), session.contents(recipe))
    assert (found.decision, dict(found.offers)[words["round-and-top-code"]]) == ("round-and-top-code",) * 2
    assert carry_out(session, recipe).summary["checklist"][0]["decision"] == "round-and-top-code"
    header, *lines = (tmp_path / "safe.csv").read_text("utf-8").splitlines()
    place = header.split(";").index(name)
    written = [float(line.split(";")[place]) for line in lines]
    assert max(written) == top.at
    assert all(value % base == 0 or value == top.at for value in written)
    loose = decide(recipe, ColumnDecision(name, "round-and-top-code", base=2 * base, top=top))
    [other] = checklist(loose, with_decisions(metadata, loose), session.contents(recipe))
    assert "Round and top-code" in dict(other.offers), "with other numbers than are offered"


def test_of_a_perturbed_column_it_is_said_what_it_holds_afterwards(tmp_path: Path) -> None:
    amounts = [*(1000 + 7 * i for i in range(N - 1)), 90_000]
    _write(tmp_path, {"INCOME": amounts})
    recipe, session = _recipe(tmp_path, "[variables.INCOME]\nnumeric = true\n"), Session()
    groups = Perturbation("microaggregation", ("INCOME",), (("k", 40),))
    perturbed = recipe.with_(perturbations=(groups,))
    plain, told = (session.contents(each)["INCOME"] for each in (recipe, perturbed))
    assert plain.holds.text == "exact amounts, 1 alone at the top"
    assert told.holds.text == "exact amounts, 1 alone at the top; once perturbed 3 codes"
    assert (told.kind, told.top, told.base) == (plain.kind, plain.top, plain.base)
    assert told.holds.public == told.holds.text, "it counts and names no value"
    (entry,) = checklist(perturbed, session.metadata(perturbed), session.contents(perturbed))
    assert entry.decision == "perturb"


def test_a_perturbation_that_changed_nothing_decides_nothing(tmp_path: Path) -> None:
    _write(tmp_path, {"INCOME": [1000] * N})
    recipe, session = _recipe(tmp_path, "[variables.INCOME]\nnumeric = true\n"), Session()
    same = recipe.with_(perturbations=(Perturbation("microaggregation", ("INCOME",), (("k", 40),)),))
    (entry,) = checklist(same, session.metadata(same), session.contents(same))
    assert entry.decision is None
    derived = session.derive(same)
    assert derived.perturbed is not None
    assert to_judge(same, derived.metadata, derived.perturbed.left) == ("INCOME",)
    assert to_judge(same, derived.metadata) == ()


def test_geography_that_is_swapped_is_perturbed_by_name(tmp_path: Path) -> None:
    homes = [i // 3 for i in range(120)]
    columns = {"HH": homes, "TOWN": [h % 4 for h in homes], "SIZE": [h % 2 for h in homes], "X": [h % 5 for h in homes]}
    _write(tmp_path, columns)
    recipe = _recipe(tmp_path, '[variables.HH]\nrole = "household-id"\n')
    swap = Perturbation("record-swapping", ("X",), (("geography", ("TOWN",)), ("rate", 0.5), ("similar", (("SIZE",),))))
    swapped, session = recipe.with_(perturbations=(swap,)), Session()
    metadata = session.metadata(swapped)
    entries = {e.variable: e for e in checklist(swapped, metadata, session.contents(swapped))}
    assert {name: entry.decision for name, entry in entries.items() if entry.decision} == dict.fromkeys(
        ("TOWN", "X"), "perturb"
    )
    assert ("Perturb: Record swapping", "perturb") in entries["TOWN"].offers
    assert set(to_judge(swapped, metadata)) == {"HH", "SIZE"}
