"""Synthetic households: promised tables on average, nothing of anybody rare, and who lives with whom."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from core.base.errors import DataError, RecipeError
from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.perturbation import synthetic
from core.perturbation.household_drawing import HouseholdMembers, draw_households, table_of
from core.perturbation.method import PerturbationInput
from core.perturbation.registry import REGISTRY
from core.recipe.model import Output, Perturbation
from core.results.drawing import noise_seed
from tests.core.perturbation.test_numbers import column, texts_of

Ints = NDArray[np.int64]


def families(count: int, seed: int = 1) -> HouseholdMembers:
    """Region and tenure; age class, sex and relation: couples of near ages and other sex, and children."""
    random = np.random.default_rng(seed)
    size = random.choice([1, 2, 3, 4], count, p=[0.35, 0.35, 0.2, 0.1])
    shared = np.column_stack([random.integers(0, 3, count), random.integers(0, 2, count)])
    own = []
    for members in size.tolist():
        age, sex = int(random.integers(1, 4)), int(random.integers(0, 2))
        own.append((age, sex, 0))
        if members > 1:
            own.append((min(3, max(1, age + int(random.integers(-1, 2)))), 1 - sex, 1))
        own += [(0, int(random.integers(0, 2)), 2) for _ in range(members - 2)]
    return HouseholdMembers(size, shared, np.array(own), (3, 2), (4, 2, 3))


TABLES = ((0, 1), (0, 3), (2, 4))
"""Region × tenure of households; region × sex and age × relation of persons."""


def test_margins_of_a_small_file_are_those_promised_over_200_seeds() -> None:
    living = families(120)
    made = [draw_households(living, TABLES, 3, np.random.default_rng(seed), SILENT) for seed in range(200)]
    for i, table in enumerate(((), *TABLES)):
        longest = max(len(each.tables[i].wanted) for each in made)
        drawn, wanted = (
            np.array([np.pad(counts, (0, longest - len(counts))) for counts in found])
            for found in (
                [table_of(each.living, table)[0][:longest] for each in made],
                [each.tables[i].wanted for each in made],
            )
        )
        difference = drawn - wanted
        error = difference.std(axis=0, ddof=1) / np.sqrt(200)
        assert (np.abs(difference.mean(axis=0)) <= 4 * error + 1e-6).all(), table
        # and on average that is the original, where nothing is left out
        before = np.pad(table_of(living, table)[0], (0, max(longest - len(table_of(living, table)[0]), 0)))
        if (before[before > 0] >= 3).all():
            assert np.abs(wanted.mean(axis=0) - before).max() <= 0.05 * before.max()


def test_promised_tables_are_near_in_each_draw() -> None:
    living = families(1500)
    made = draw_households(living, TABLES, 3, np.random.default_rng(2), SILENT)
    for safe in made.tables[1:]:
        assert np.abs(table_of(made.living, safe.variables)[0] - safe.wanted).max() < 4


def test_whoever_is_impossible_stays_so_and_couples_stay_couples() -> None:
    living = families(2000)
    drawn = draw_households(living, TABLES, 3, np.random.default_rng(4), SILENT).living
    assert len(drawn.own) == len(living.own)
    for table in TABLES:
        assert not table_of(drawn, table)[0][table_of(living, table)[0] == 0].any()
    assert set(drawn.own[drawn.position == 0, 2].tolist()) == {0}
    second = np.flatnonzero(drawn.position == 1)
    assert (drawn.own[second, 1] != drawn.own[second - 1, 1]).mean() > 0.9
    near = np.abs(drawn.own[second, 0] - drawn.own[second - 1, 0]).mean()
    apart = np.abs(np.random.default_rng(1).permutation(drawn.own[second, 0]) - drawn.own[second - 1, 0]).mean()
    assert near < 0.85 * apart
    kinds = [Counter(zip(each.size.tolist(), each.shared[:, 0].tolist(), strict=True)) for each in (living, drawn)]
    assert max(abs(kinds[0][kind] - kinds[1][kind]) for kind in kinds[0]) < 0.2 * 2000 / len(kinds[0])


def test_what_one_household_has_alone_is_never_drawn_however_many_its_members() -> None:
    """Five members of one household are five records; by the threshold rule on records their values would be copied."""
    living = families(300)
    odd = HouseholdMembers(
        np.append(living.size, 4),
        np.vstack([living.shared, [2, 1]]),
        np.vstack([living.own, np.tile([3, 1, 2], (4, 1))]),  # four old women who are children
        living.shared_codes,
        living.own_codes,
    )
    cell = 3 * 3 + 2
    assert table_of(odd, (2, 4))[0][cell] == 4
    for seed in range(8):
        made = draw_households(odd, TABLES, 3, np.random.default_rng(seed), SILENT)
        assert made.tables[3].wanted[cell] == 0
        assert table_of(made.living, (2, 4))[0][cell] == 0


def test_a_difference_of_household_and_person_tables_does_not_tell_who_was_left_out() -> None:
    """Two originals, one with a rare household where the other has a common one, lead to the same files."""
    living = families(60)
    place = int(np.flatnonzero(living.size == 1)[0])
    person = int((np.cumsum(living.size) - living.size)[place])
    own = living.own.copy()
    own[person] = [0, 0, 0]  # a child alone: nobody else is
    rare = replace(living, own=own)
    totals = []
    for each in (living, rare):
        found = set()
        for seed in range(25):
            drawn = draw_households(each, TABLES, 3, np.random.default_rng(seed), SILENT).living
            counts = (table_of(drawn, (0, 1))[0], table_of(drawn, (2, 4))[0].reshape(4, 3)[1:, 0])
            found.add((len(drawn.size), int(counts[1].sum())))
        totals.append(found)
    # households less grown-up reference persons would be the child, were each counted by itself
    assert totals[0] & totals[1]
    assert {households - persons for households, persons in totals[1]} == {0}


def given_of(
    texts: dict[str, list[str]], living: list[int], shared: tuple[str, ...] = (), **said: object
) -> PerturbationInput:
    """The input of an entry on all of `texts` but STRATUM and REL, with an identifier HH."""
    changed = {name: replace(column(each), name=name) for name, each in texts.items()}
    others = {name: changed.pop(name) for name in ("STRATUM", "REL") if name in changed}
    entry = Perturbation("synthetic", tuple(changed), tuple(sorted({"kind": "margins", **said}.items())))
    changed["HH"] = replace(column([str(900 + h) for h in living]), name="HH")
    variables = tuple(Variable(name, categorical=True, household=name in shared) for name in texts)
    return PerturbationInput(
        changed,
        Metadata("delimited", (*variables, Variable("HH", role="household-id"))),
        REGISTRY["synthetic"].DECLARATION.used(entry),
        partial(noise_seed, Output(), data="ab" * 32),
        SILENT,
        entry,
        others,
        strata=np.unique(texts["STRATUM"], return_inverse=True)[1].astype(np.int64) if "STRATUM" in texts else None,
        households=np.array(living, np.int64),
    )


def small(count: int = 40) -> tuple[dict[str, list[str]], list[int]]:
    living = families(count)
    texts = {
        "REG": (living.shared[living.household, 0] + 1).astype(str).tolist(),
        "AGE": (living.own[:, 0] + 1).astype(str).tolist(),
        "SEX": (living.own[:, 1] + 1).astype(str).tolist(),
    }
    return texts, living.household.tolist()


MARGINS = (("REG",), ("AGE", "SEX"))


def test_columns_become_whole_households_with_new_identifiers() -> None:
    texts, living = small()
    texts["SEX"][3] = "99"
    asked = given_of(texts, living, margins=MARGINS, protect=2)
    made = synthetic.perturb(asked)
    households = texts_of(made.columns["HH"])
    assert households[0] == "1"
    assert [int(h) for h in households] == sorted(map(int, households))  # side by side, in random order
    assert set(map(int, households)) == {*range(1, made.invariants["synthetic_households"] + 1)}
    # the household variable was found: nobody declared it
    assert len(set(zip(households, texts_of(made.columns["REG"]), strict=True))) == len(set(households))
    assert "99" not in texts_of(made.columns["SEX"])  # one record is fewer than two
    assert not list(synthetic.broken(asked, made.columns))
    again = synthetic.perturb(asked)
    assert all(texts_of(again.columns[name]) == texts_of(made.columns[name]) for name in made.columns)
    other = synthetic.perturb(
        replace(asked, entry=replace(asked.entry, parameters=(*asked.entry.parameters, ("seed", 2))))
    )
    assert texts_of(other.columns["AGE"]) != texts_of(made.columns["AGE"])
    table = made.published[0]
    assert [row[:3] for row in table.rows] == [
        ("Size of the household", "promised", "households"),
        ("REG", "promised", "households"),
        ("AGE × SEX", "promised", "persons"),
    ]
    # neither a fraction tells by what counts were scaled, nor that there is none
    assert all(float(row[3]).is_integer() and row[3] >= 1 for row in table.rows)  # type: ignore[operator]
    units = {"households": made.invariants["synthetic_households"], "persons": len(living)}
    for row in table.rows:
        total = units[str(row[2])]
        assert row[4] in {math.ceil(unit / total * 100 - 1e-9) / 100 for unit in range(total)}, "nor does a share"


def test_households_like_no_other_are_counted_as_somebody_who_knows_them_would() -> None:
    texts, living = small()
    made = synthetic.perturb(given_of(texts, living, margins=MARGINS, protect=2))

    def kinds(columns: dict[str, list[str]], of: list[str]) -> Counter[tuple[tuple[str, ...], ...]]:
        members: dict[str, list[tuple[str, ...]]] = {}
        for h, *values in zip(of, *(columns[name] for name in ("REG", "AGE", "SEX")), strict=True):
            members.setdefault(h, []).append(tuple(values))
        return Counter(tuple(sorted(each)) for each in members.values())

    before = kinds(texts, list(map(str, living)))
    after = kinds({name: texts_of(made.columns[name]) for name in texts}, texts_of(made.columns["HH"]))
    alone = [kind for kind, times in before.items() if times == 1]
    assert made.invariants["unique_households"] == len(alone) > 0
    assert made.invariants["replicated_unique_households"] == sum(kind in after for kind in alone)


def test_the_reference_person_is_the_one_with_the_first_code_of_the_relation() -> None:
    living = families(400)
    backwards = np.lexsort((-living.position, living.household))
    texts = {
        "AGE": (living.own[backwards, 0] + 1).astype(str).tolist(),
        "ROLE": (living.own[backwards, 2] + 1).astype(str).tolist(),
        "REL": (living.own[backwards, 2] + 1).astype(str).tolist(),
    }
    made = synthetic.perturb(given_of(texts, living.household.tolist(), margins=(("AGE", "ROLE"),), relation=("REL",)))
    firsts: dict[str, str] = {}
    for h, role in zip(texts_of(made.columns["HH"]), texts_of(made.columns["ROLE"]), strict=True):
        firsts.setdefault(h, role)
    assert set(firsts.values()) == {"1"}


def test_what_is_written_wrongly_is_found() -> None:
    texts, living = small()
    asked = given_of(texts, living, margins=MARGINS, protect=2)
    made = synthetic.perturb(asked)
    size = Counter(texts_of(made.columns["HH"]))
    member = next(i for i, h in enumerate(texts_of(made.columns["HH"])) if size[h] > 1)
    moved = texts_of(made.columns["REG"])
    moved[member] = str(int(moved[member]) % 3 + 1)
    found = synthetic.broken(asked, {**made.columns, "REG": column(moved)})
    assert [notice.id for notice in found] == ["synthetic-households-differ"]
    strange = synthetic.broken(asked, {**made.columns, "AGE": column(["7", *texts_of(made.columns["AGE"])[1:]])})
    assert [notice.id for notice in strange] == ["synthetic-codes"]
    rare = given_of({**texts, "AGE": ["5", *texts["AGE"][1:]]}, living, margins=MARGINS, protect=2)
    copied = synthetic.broken(rare, {**made.columns, "AGE": column(["5", *texts_of(made.columns["AGE"])[1:]])})
    assert [notice.id for notice in copied] == ["synthetic-rare"]


def test_a_size_that_nobody_may_have_is_found() -> None:
    texts, living = small()
    asked = given_of(texts, living, margins=(("AGE", "SEX"),), protect=2)
    made = synthetic.perturb(asked)
    one = {**made.columns, "HH": column(["1"] * len(living)), "REG": column(["1"] * len(living))}
    found = [notice for notice in synthetic.broken(asked, one) if "Size of the household" in notice.text]
    assert [notice.id for notice in found] == ["synthetic-rare"]


def test_what_cannot_be_drawn_as_households_is_refused() -> None:
    texts, living = small()

    def refused(match: str, asked: PerturbationInput, error: type[Exception] = DataError) -> None:
        with pytest.raises(error, match=match):
            synthetic.perturb(asked)

    several, moved = next(i for i, h in enumerate(living) if living.count(h) > 1), [*texts["REG"]]
    moved[several] = "1" if moved[several] != "1" else "2"
    refused("REG: the members of 1 household have different values",
            given_of({**texts, "REG": moved}, living, ("REG",), margins=MARGINS))  # fmt: skip
    many = {name: [*values, *["1"] * 60] for name, values in texts.items()}
    refused("1 household has more than 50 members, 60",
            given_of(many, [*living, *[max(living) + 1] * 60], margins=MARGINS))  # fmt: skip
    torn = {**texts, "STRATUM": ["1" if i % 2 else "2" for i in range(len(living))]}
    refused("members in several strata of STRATUM", given_of(torn, living, margins=MARGINS, within=("STRATUM",)))
    tiny = {**texts, "STRATUM": ["1" if h < 2 else "2" for h in living]}
    refused("a stratum has only 2 households; 3 are needed",
            given_of(tiny, living, margins=MARGINS, within=("STRATUM",)))  # fmt: skip
    apart = {**texts, "REG": [str(h) for h in living]}
    refused(
        "too few households are alike in REG × AGE × SEX", given_of(apart, living, margins=(("REG", "AGE", "SEX"),))
    )
    alone = {**texts, "AGE": [str(i) for i in range(len(living))]}
    refused("too few households are alike in AGE × SEX", given_of(alone, living, margins=MARGINS))
    refused("6 persons cannot be divided into households of the sizes",
            given_of({"AGE": ["1"] * 6}, [0, 1, 1, 2, 2, 2], margins=(("AGE",),)))  # fmt: skip
    fixed = given_of(texts, living, margins=MARGINS)
    short = tuple(replace(variable, length=1) for variable in fixed.metadata.variables)
    refused("numbers of .* synthetic households do not fit the field HH of 1 byte. Give HH a longer field",
            replace(fixed, metadata=replace(fixed.metadata, format="fixed", variables=short)))  # fmt: skip
    refused("names JOB, which is not among its variables", given_of(texts, living, margins=(("JOB",),)), RecipeError)


def test_a_relation_by_which_the_file_stands_anyhow_draws_nothing_anew() -> None:
    texts, living = small(120)
    first = [i == 0 or living[i - 1] != h for i, h in enumerate(living)]
    found = []
    for role in (None, ["1" if each else "2" for each in first], ["2" if each else "1" for each in first]):
        asked = given_of(texts, living, margins=MARGINS, **({} if role is None else {"relation": ("REL",)}))
        if role is not None:
            asked = replace(asked, others={"REL": replace(column(role), name="REL")})
        found.append({name: texts_of(each) for name, each in synthetic.perturb(asked).columns.items()})
    assert found[0] == found[1] != found[2]


def test_missing_codes_listed_in_another_order_draw_nothing_anew() -> None:
    texts, living = small(120)
    texts["SEX"] = ["99" if i % 5 == 0 else "98" if i % 7 == 0 else sex for i, sex in enumerate(texts["SEX"])]
    asked = given_of(texts, living, margins=MARGINS)
    turned = {n: replace(column(each, ("98", "99")), name=n) for n, each in texts.items()}
    assert turned["SEX"].missing_codes == asked.columns["SEX"].missing_codes[::-1]
    found = [synthetic.perturb(each).columns for each in (asked, replace(asked, columns={**asked.columns, **turned}))]
    assert {"98", "99"} < {*texts_of(found[0]["SEX"])}
    for name in texts:
        assert texts_of(found[0][name]) == texts_of(found[1][name])


def test_strata_are_drawn_apart() -> None:
    texts, living = small(80)
    texts["STRATUM"] = ["1" if h % 2 else "2" for h in living]
    texts["AGE"] = ["4" if s == "1" else a for s, a in zip(texts["STRATUM"], texts["AGE"], strict=True)]
    asked = given_of(texts, living, margins=MARGINS, within=("STRATUM",))
    made = synthetic.perturb(asked)
    ages = zip(texts["STRATUM"], texts_of(made.columns["AGE"]), strict=True)
    assert {age for stratum, age in ages if stratum == "1"} == {"4"}
    homes = set(zip(texts["STRATUM"], texts_of(made.columns["HH"]), strict=True))
    assert len(homes) == len({h for _stratum, h in homes})
    assert not list(synthetic.broken(asked, made.columns))


def test_a_number_that_means_missing_is_no_identifier() -> None:
    texts, living = small(120)
    asked = given_of(texts, living, margins=MARGINS)
    made = synthetic.perturb(asked)
    assert {"98", "99"} <= {*asked.columns["HH"].missing_codes}
    assert not {"98", "99"} & set(texts_of(made.columns["HH"]))
    assert made.invariants["synthetic_households"] > 99
