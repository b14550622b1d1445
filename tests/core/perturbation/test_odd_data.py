"""Odd data: each method gives what it promises, or says why it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from core.base.errors import PavoError
from core.perturbation.as_read import as_read
from core.perturbation.method import Perturbed, broken_promises
from core.perturbation.registry import REGISTRY
from tests.core.perturbation.inputs import given_of
from tests.core.perturbation.test_numbers import texts_of

DATA: Mapping[str, Sequence[str]] = {
    "constant": ["7"] * 12,
    "two records": ["1", "2"],
    "all missing": ["99"] * 12,
    "one value": [*["99"] * 11, "3"],
    "negative zero": ["-0", "0", "0.0", "1", "-0.00", "2"] * 2,
    "huge": ["1e300", "5", "6", "7"] * 3,
    "large": ["1e99", "-1e99", "5", "6"] * 3,
}
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("noise", {"share": 100.0, "kind": "moments-kept"}),
    ("rank-swapping", {"percent": 100.0, "top": 50.0, "bottom": 49.0}),
    ("microaggregation", {"k": 2}),
    ("synthetic", {"alpha": 0.5}),
    ("synthetic", {"kind": "margins", "margins": (("X",),)}),
    ("pram", {"keep": 0.3, "protect": 0.9}),
    ("pram", {"keep": 0.0, "invariant": False}),
)


@pytest.mark.parametrize("texts", DATA.values(), ids=DATA)
@pytest.mark.parametrize(("method", "said"), METHODS)
@pytest.mark.parametrize("apart", [False, True], ids=["together", "strata of one"])
def test_odd_data_give_what_is_promised_or_a_sentence(
    method: str, said: dict[str, Any], texts: Sequence[str], apart: bool
) -> None:
    given = given_of(method, {"X": texts, "Y": texts[::-1]}, strata=range(len(texts)) if apart else None, **said)
    refusal, made = "", None
    try:
        made = REGISTRY[method].perturb(given)
    except PavoError as error:
        refusal = str(error)
    if made is None:
        assert set("XY") & set(refusal), "it names the variable"
        return
    after = {name: as_read(made.columns[name], before, given.metadata) for name, before in given.columns.items()}
    assert list(broken_promises(REGISTRY[method], given, Perturbed(after, made.invariants))) == []
    for name, column in after.items():
        new = set(texts_of(column)) - {*texts_of(given.columns[name])}
        assert all(np.isfinite(float(text)) for text in new)
        assert not [text for text in new if text.startswith("-") and not float(text)], "no new negative zero"


def test_in_a_stratum_without_a_complete_record_nothing_stays_in_silence() -> None:
    """The values of records that lack another one stayed as they were."""
    texts = {"X": ["1", "2"] * 4 + ["1", "2"], "Y": ["5", "6"] * 4 + ["99", "99"]}
    given = given_of("synthetic", texts, strata=[0] * 8 + [1] * 2, kind="margins", margins=(("X",),), protect=2)
    with pytest.raises(PavoError, match="only 0 records of a stratum have all values"):
        REGISTRY["synthetic"].perturb(given)
