"""Who knows the program, the recipe without its secret and all other records cannot tell who lent a value.

The intruder tries each origin of each suppressed value: would the program have taken it from there? A cell is tried
where it would have lent. With draws that can be made again one origin alone is left; here none falls away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.results.record_draws import ValueDraw, digests_of_records
from core.suppression.costs import Costs
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.problem import ProtectedTable, Rules
from core.suppression.record_draws import DrawSource
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import column

NAMES = ("REGION", "SEX")
SECRETS = [f"{number:032x}" for number in range(40)]
REGIONS = [0] * 12 + [1] * 11 + [2] * 9 + [3] + [4] * 2 + [0] * 9 + [1] * 10 + [2] + [4] * 8
SEXES = [0] * 35 + [1] * 28
NOTES = np.random.default_rng(5).integers(0, 200, len(REGIONS)).tolist()
COSTS = Costs("weights", {"REGION": 1.0, "SEX": 50.0}, dict.fromkeys(NAMES, 1.0))


def lost(regions: Sequence[int], sexes: Sequence[int], notes: Sequence[int] | None, secret: str | None) -> np.ndarray:
    """(n,) whether the program suppresses the region of each record; `notes`: a variable that is not released."""
    columns = {
        "REGION": column("REGION", np.array(regions), 5),
        "SEX": column("SEX", np.array(sexes), 2),
        "AMOUNT": column("AMOUNT", np.arange(len(regions)) % 50, 50),
    }
    if notes is not None:
        columns["NOTE"] = column("NOTE", np.array(notes), 200)
    inside = (*NAMES, *(["NOTE"] if notes is not None else []))
    source = DrawSource(secret, 1, ("AMOUNT", *NAMES), inside)
    draw = ValueDraw(source, lambda names, _progress: digests_of_records(columns, names, "."))
    table = ProtectedTable(*tabulate_records([columns[name] for name in NAMES], None), 0.2)
    settings = JointSettings(effort=20, draw=draw)
    plan = optimise_released_keys([table], columns, COSTS, Rules(), settings)
    return plan.suppressed["REGION"]


def origins(secret: str | None = None) -> Iterator[tuple[bool, bool, list[int], int]]:
    """Each origin of each suppressed region: whether it is the true one, and whether the intruder's own run gives it.

    And the regions that were tried, and the record. `secret` : of the release, where the intruder knows it.
    """
    released = lost(REGIONS, SEXES, NOTES, secret)
    for record in np.flatnonzero(released).tolist():
        for region in range(5):
            tried = [*REGIONS[:record], region, *REGIONS[record + 1 :]]
            alike = [r == region and s == SEXES[record] for r, s in zip(tried, SEXES, strict=True)]
            own = lost(tried, SEXES, None, secret)
            if own[alike].any() and not own[alike].all():  # else the counts alone say what this cell loses
                yield region == REGIONS[record], bool(own[record]), tried, record


def test_no_origin_falls_away_for_who_does_not_know_the_secret() -> None:
    found = list(origins())
    assert sum(not true for true, *_ in found) >= 3
    for _true, _own, tried, record in found:
        assert any(lost(tried, SEXES, NOTES, secret)[record] for secret in SECRETS)


def test_trying_each_origin_does_not_find_the_true_one() -> None:
    true = [own for is_true, own, *_ in origins() if is_true]
    assert len(true) >= 3
    assert not all(true)


def test_trying_each_origin_finds_the_true_one_where_the_secret_is_known() -> None:
    """So the others could fail."""
    found = list(origins(SECRETS[0]))
    assert all(own for true, own, *_ in found if true)
    assert sum(own for true, own, *_ in found if not true) < sum(not true for true, *_ in found) / 2
