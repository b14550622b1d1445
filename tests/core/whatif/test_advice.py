"""Advice promises what the session finds once it is followed."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from core.data.variables import Metadata, Variable
from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from core.recipe.toml import load
from core.results.second_opinions import population_model
from core.results.suppression_problem import unsafe_by_any
from core.risk.individual import is_unsafe
from core.risk.second_opinion import second_opinion
from core.session import Session
from core.whatif import tried_combination
from core.whatif.advice import Advice, Remedy, advise
from core.whatif.coarser_codes import coarser_codes, is_level, named_by
from core.whatif.recode_effect import comparable_loss
from tests.communes import KEYS, write_communes
from tests.naive_recode import column

MODELS = {
    "risk": (Combination(KEYS), Threshold(individual_risk=0.02)),
    "wildcard": (Combination(KEYS, missing_rule="wildcard"), Threshold(individual_risk=0.02)),
    "k": (Combination(KEYS, model="k-anonymity", k=3, missing_rule="category"), Threshold()),
}
CODES = {"AREA": 60, "AGE": 40, "JOB": 5, "SEX": 2}
JUDGED = {
    "risk": (Combination(tuple(CODES)), Threshold(individual_risk=0.02)),
    "rate": (Combination(tuple(CODES)), Threshold(reidentification_rate=0.01)),
    "rare": (Combination(tuple(CODES), model="frequency", count_threshold=2), Threshold()),
    "calibrated": (Combination(tuple(CODES), estimator="calibrated"), Threshold(individual_risk=0.02)),
    "log-linear": (Combination(tuple(CODES), estimator="log-linear"), Threshold(individual_risk=0.02)),
    "promise": (
        Combination(tuple(CODES), estimator="calibrated"),
        Threshold(individual_risk=0.02, exceedance=0.05),
    ),
}


def random_file(folder: Path, seed: int, model: str) -> Recipe:
    """300 records with weights and households on four keys, of which one in twelve values is missing."""
    chance = random.Random(seed)
    lines = ["HOME;" + ";".join(CODES) + ";W"]
    for _ in range(300):
        codes = [str(min(int(chance.expovariate(6 / n)), n - 1) + 10) for n in CODES.values()]
        codes[0] = f"{codes[0][0]}0{codes[0][1]}"  # areas of six provinces: what is counted up has no levels
        codes = ["" if chance.random() < 1 / 12 else code for code in codes]
        lines.append(f"{chance.randrange(120)};{';'.join(codes)};{chance.randrange(10, 90)}")
    (folder / "file.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    truncable = {"AREA": {"truncable": True}, "AGE": {"ordered": True}}
    keys = [VariableEdit(name, categorical=True, missing=("",), **truncable.get(name, {})) for name in CODES]
    roles = VariableEdit("W", role="weight"), VariableEdit("HOME", role="other")
    combination, threshold = JUDGED[model]
    return Recipe(
        input=Input(data=folder / "file.csv"),
        variables=(*keys, *roles),
        combinations=(combination,),
        threshold=threshold,
    )


def advice_on(session: Session, recipe: Recipe, index: int = 0) -> Advice:
    derived = session.derive(recipe)
    others = tuple(session.prepare(recipe).microdata.columns.values())
    found = advise(derived, index, session.tabulation(derived, index), others)
    assert found is not None
    return found


def unsafe_of(session: Session, recipe: Recipe) -> int:
    return unsafe_by_any(session.derive(recipe))


def assert_kept(session: Session, recipe: Recipe, found: Advice, candidate: Remedy | None = None) -> None:
    """What was said of the recipe, or of it with a candidate, is what the plan of the session comes to."""
    price = found.price if candidate is None else candidate.price
    plan = session.protect(recipe if candidate is None else candidate.applied_to(recipe, 0)).plan
    assert price is not None
    assert price.exact
    assert (price.values, price.loss) == (plan.total, pytest.approx(plan.entropy_loss, rel=1e-12))


def test_a_promise_on_a_large_table_is_judged_by_its_own_margins_without_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, session = random_file(tmp_path, 2, "promise"), Session()
    monkeypatch.setattr(tried_combination, "_PROMISED", 0)
    found = advice_on(session, recipe)
    for candidate in found.candidates:
        after = unsafe_of(session, candidate.applied_to(recipe, 0))
        assert candidate.unsafe[1] == after if candidate.coarser is None else candidate.unsafe[1] <= after
    assert {candidate.coarser is None for candidate in found.candidates} == {True, False}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("model", JUDGED)
def test_effect_and_price_are_those_of_recoded_data(tmp_path: Path, model: str, seed: int) -> None:
    recipe, session = random_file(tmp_path, seed, model), Session()
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe) > 30
    assert_kept(session, recipe, found)
    assert any(each.coarser is not None for each in found.candidates)
    for candidate in found.candidates:
        assert candidate.exact
        assert candidate.unsafe == (found.unsafe, unsafe_of(session, candidate.applied_to(recipe, 0)))
    for candidate in found.candidates[:2]:
        assert_kept(session, recipe, found, candidate)


@pytest.mark.parametrize("model", ["risk", "calibrated"])
def test_households_are_judged_and_priced_whatever_judges_their_members(tmp_path: Path, model: str) -> None:
    recipe, session = random_file(tmp_path, 3, model), Session()
    asked = replace(recipe.threshold, household_risk=0.1)
    edits = (*recipe.variables[:-1], VariableEdit("HOME", role="household-id"))
    recipe = recipe.with_(variables=edits, threshold=asked)
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe) > unsafe_of(session, random_file(tmp_path, 3, model))
    best = found.candidates[0]
    assert best.unsafe[1] == unsafe_of(session, best.applied_to(recipe, 0))
    assert_kept(session, recipe, found, best)


def test_of_large_tables_the_model_judges_by_all_keys_alone_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, session = random_file(tmp_path, 1, "calibrated"), Session()
    monkeypatch.setattr(tried_combination, "CLOSED", 0)
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe), "what is known of the table as it is stays"
    for candidate in found.candidates:
        after = candidate.applied_to(recipe, 0)
        if candidate.coarser is None:  # the margins of the table as it is are closed
            assert candidate.unsafe[1] == found.without[candidate.variable] == unsafe_of(session, after)
            continue
        assert not candidate.exact
        assert candidate.price is None
        assert candidate.unsafe[1] <= unsafe_of(session, after)
        by_exact = after.with_(combinations=(replace(after.combinations[0], estimator="exact"),))
        derived = session.derive(by_exact)
        table = derived.risk_tables[0]
        model = population_model(session.tabulation(derived, 0), derived.microdata.weights)
        risk = second_opinion(table.cells, model).risk
        assert candidate.unsafe[1] == int(table.cells.count[is_unsafe(risk, table.threshold)].sum())


def test_by_released_keys_the_price_is_nearly_what_is_searched_for(tmp_path: Path) -> None:
    recipe, session = random_file(tmp_path, 1, "risk"), Session()
    recipe = recipe.with_(suppression=replace(recipe.suppression, mode="released-keys", effort=10))
    found = advice_on(session, recipe)
    plan = session.protect(recipe).plan
    assert found.unsafe == unsafe_of(session, recipe)
    assert found.price.searched and not found.price.exact
    assert (found.price.values, found.price.loss) == (plan.total, plan.entropy_loss)
    priced = next(each for each in found.candidates if each.price and each.price.searched and each.coarser)
    after = session.protect(priced.applied_to(recipe, 0)).plan
    assert 0.9 * after.total <= priced.price.values <= 1.1 * after.total


def test_losses_of_recodes_are_shares_of_the_same_detail(tmp_path: Path) -> None:
    recipe, session = random_file(tmp_path, 1, "risk"), Session()
    found = advice_on(session, recipe)
    best = found.candidates[0]
    after = best.applied_to(recipe, 0)
    again = advice_on(session, after)
    assert again.detail == found.detail
    assert found.lost(best) == pytest.approx(again.lost(), rel=1e-9), "recoded first, then suppressed"
    assert found.lost(best) == pytest.approx(
        comparable_loss(session.derive(after), session.protect(after).plan.by_variable) / found.detail, rel=1e-9
    )


def test_dates_become_years_or_decades() -> None:
    days = column([f"{year}-03-{day:02}" for year in range(1950, 1999) for day in (1, 15)], (), 10, "BORN")
    found = {(way.kind, way.by): len(set(way.onto.tolist())) for way in coarser_codes(days, Variable("BORN"), {})}
    assert found == {("years", 1): 49, ("years", 10): 5}


@pytest.mark.parametrize("model", MODELS)
def test_what_is_promised_is_what_the_session_finds(tmp_path: Path, model: str) -> None:
    combination, threshold = MODELS[model]
    recipe = load(write_communes(tmp_path, 800)).with_(combinations=(combination,), threshold=threshold)
    recipe = (
        recipe.with_(recodes=(Recode("AGE", scheme="1: -29\n2: 30-59\n3: 60-"),)) if model == "wildcard" else recipe
    )
    session = Session()
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe) > 400
    assert len(found.candidates) > 4
    for candidate in found.candidates:
        after = candidate.applied_to(recipe, 0)
        assert unsafe_of(session, after) == candidate.unsafe[1]
        if candidate.coarser is None:
            assert found.without[candidate.variable] == candidate.unsafe[1]
            assert session.metadata(after)[candidate.variable].removed
        else:
            assert session.derive(after).columns[candidate.variable].n_valid == candidate.codes[1]


def test_households_are_judged_as_the_session_judges_them(demo: Path) -> None:
    recipe = Recipe(
        input=Input(data=demo / "survey.asc", metadata=demo / "survey.rda"),
        variables=(VariableEdit("HHID", role="household-id"),),
        combinations=(Combination(("REGION", "AGE", "SEX")),),
        threshold=Threshold(individual_risk=0.02, household_risk=0.05),
    )
    session = Session()
    found = advice_on(session, recipe)
    assert found.unsafe == unsafe_of(session, recipe)
    for candidate in found.candidates[:3]:
        assert unsafe_of(session, candidate.applied_to(recipe, 0)) == candidate.unsafe[1]


def test_what_counting_the_members_tells_is_not_advised_to_be_left_out(demo: Path) -> None:
    recipe = load(demo / "survey-households.pavo")
    session = Session()

    def left_out(recipe: Recipe) -> set[str]:
        return {each.variable for each in advice_on(session, recipe).candidates if each.coarser is None}

    apart = replace(recipe.output, household_id="remove", shuffle=True, keep_households_together=False)
    assert "HHSIZE" in advice_on(session, recipe).without
    assert "HHSIZE" not in left_out(recipe)
    assert left_out(recipe) < left_out(recipe.with_(output=apart)) >= {"HHSIZE"}


@pytest.mark.parametrize("model", ["risk", "calibrated", "rare"])
def test_following_the_first_advice_makes_nine_in_ten_safe(tmp_path: Path, model: str) -> None:
    recipe, session, clicks = load(write_communes(tmp_path)), Session(), 0
    combination, threshold = JUDGED[model]
    recipe = recipe.with_(combinations=(replace(combination, variables=KEYS),), threshold=threshold)
    found = advice_on(session, recipe)
    assert found.share > 0.99
    assert found.candidates[0].variable == "COMMUNE"
    while found.share > 0.1:
        before, best = found, found.candidates[0]
        recipe, clicks = best.applied_to(recipe, 0), clicks + 1
        found = advice_on(session, recipe)
        assert (found.unsafe, found.price or best.price) == (best.unsafe[1], best.price)
        assert best.price.values < before.price.values
    assert clicks <= 4


def test_neighbours_are_merged_only_where_codes_have_an_order() -> None:
    numbers = column([str(number) for number in range(1, 61)], (), 2)
    kinds = {
        name: {way.kind for way in coarser_codes(numbers, variable, {})}
        for name, variable in {
            "called nothing": Variable("REGION"),
            "called age": Variable("AGE"),
            "said": Variable("REGION", ordered=True),
            "denied": Variable("AGE", ordered=False),
        }.items()
    }
    assert kinds == {"called nothing": set(), "called age": {"bands"}, "said": {"bands"}, "denied": set()}


@pytest.mark.parametrize("last", [(), ("999",)])
def test_a_code_of_nines_far_from_the_others_makes_no_bands_wider(last: tuple[str, ...]) -> None:
    ages = column([*(str(number) for number in range(1, 61)), *last], (), 3)
    assert [way.by for way in coarser_codes(ages, Variable("AGE"), {})] == [5, 10]


@pytest.mark.parametrize("truncable", [True, False])
def test_a_code_of_none_is_in_no_group_of_the_others(truncable: bool) -> None:
    codes = ["0000", "0110", "0210", "2211", "2221", "2310", "3110", "3210", "9311"]
    jobs = column(codes, (), 4, "OCCUP")
    variable = Variable("OCCUP", truncable=truncable, ordered=False)
    named = {"0000": "Not working", "0110": "Officer", "0210": "Soldier"}
    by_first = {
        said: next(way for way in coarser_codes(jobs, variable, labels, ()) if len(set(way.onto.tolist())) <= 5)
        for said, labels in (("none", named), ("nothing", {**named, "0000": "Guard"}))
    }
    assert by_first["none"].onto.tolist().count(by_first["none"].onto[0]) == 1
    assert (by_first["none"].kind, by_first["none"].by) == ("prefix", 1)
    assert by_first["nothing"].onto.tolist().count(by_first["nothing"].onto[0]) == 3
    alone = column([code for code in codes if code not in ("0110", "0210")], (), 4, "OCCUP")
    kinds = {way.kind for way in coarser_codes(alone, variable, named)}
    assert kinds == ({"truncate"} if truncable else set()), "where nothing is joined with it, all is as it was"


def test_groups_are_taken_from_a_column_that_is_constant_within_codes() -> None:
    codes = [f"x{number}" for number in range(12)] * 3
    place, variable = column(codes, (), 3, "PLACE"), Variable("PLACE")
    area = column([f"a{int(code[1:]) // 4}" for code in codes], (), 2, "AREA")
    (way,) = coarser_codes(place, variable, {}, (place, area))
    assert (way.kind, way.column, len(set(way.onto.tolist()))) == ("column", "AREA", 3)
    astray = area.values.copy()
    astray[-1] = 0
    assert not list(coarser_codes(place, variable, {}, (replace(area, values=astray),)))


def ways(codes: list[str], variable: Variable, *, labelled: bool = False) -> set[str]:
    made = column(codes, (), max(map(len, codes)), variable.name)
    return {way.kind for way in coarser_codes(made, variable, {code: f"named {code}" for code in codes if labelled})}


def test_numbers_of_places_in_alphabetical_order_are_not_truncated() -> None:
    counted_up = [str(number) for number in range(1, 183)]
    padded = [f"{number:03}" for number in range(1, 183)]
    for codes in (counted_up, padded):
        for truncable in (True, False):
            for labelled in (True, False):
                assert not ways(codes, Variable("REGION", truncable=truncable), labelled=labelled)


def test_the_municipalities_of_demodata_are_not_truncated(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    recipe = Recipe(
        input=Input(data=folder / "Demodata.asc", metadata=folder / "Demodata.rda"),
        combinations=(Combination(("REGION", "SEX", "AGE", "MARSTAT")),),
        threshold=Threshold(individual_risk=0.00125),
    )
    found = advice_on(Session(), recipe)
    assert {c.coarser.kind for c in found.candidates if c.coarser and c.variable == "REGION"} <= {"column"}


@pytest.mark.parametrize("name", ["COB", "CITIZENSHIP", "Q7"])
def test_codes_with_gaps_are_no_hierarchy_without_evidence(name: str) -> None:
    countries = [f"{number:03}" for number in range(4, 900, 7)]
    assert not ways(countries, Variable(name))
    assert not ways(countries, Variable("birth", label="Country of birth"))


def test_codes_are_a_hierarchy_by_classification_or_by_what_follows_from_them() -> None:
    jobs = [f"{major}{minor}{unit}{last}" for major in "1357" for minor in "12" for unit in "14" for last in "09"]
    assert ways(jobs, Variable("ISCO")) == {"prefix"}
    assert ways(jobs, Variable("Q12", truncable=True)) == {"truncate"}
    assert not ways(jobs, Variable("Q12"))
    regions = [f"{country}{number}" for country in ("NL", "DE", "FR") for number in (11, 12, 21, 22)]
    assert ways(regions, Variable("AREA")) == {"prefix"}
    communes = [f"{canton}{number:03}" for canton in range(11, 20) for number in (1, 30, 77)]
    made = column(communes, (), 5, "COMMUNE")
    cantons = column([f"c{code[:2]}" for code in communes], (), 3, "CANTON")
    found = list(coarser_codes(made, Variable("COMMUNE", truncable=False), {}, (made, cantons)))
    assert [way.kind for way in found] == ["column"]
    levels = [n for n in range(1, 5) if is_level(made, n, Variable("COMMUNE"), {}, (cantons,))]
    assert 2 in levels
    assert not any(is_level(made, n, Variable("COMMUNE"), {}) for n in range(1, 5))


def test_the_codes_of_a_column_come_with_its_codelist(tmp_path: Path) -> None:
    codes = [f"x{number}" for number in range(12)] * 3
    place = column(codes, (), 3, "PLACE")
    area = column([f"a{int(code[1:]) // 4}" for code in codes], (), 2, "AREA")
    (way,) = coarser_codes(place, Variable("PLACE"), {}, (place, area))
    listed = Metadata("delimited", (Variable("PLACE"), Variable("AREA", codelist=tmp_path / "area.cdl")))
    assert named_by(way, listed).recode.codelist == tmp_path / "area.cdl"
    assert named_by(way, Metadata("delimited", (Variable("PLACE"),))) is way
