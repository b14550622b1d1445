"""Former kinds of measures: read as the kind that has their figures, which are those of before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.recipe.model import Output
from core.recipe.toml import load, parse
from core.release.run import carry_out
from core.session import Session

KEYS = '["REGION", "AGE", "MARSTAT", "EDUC", "OCCUP"]'
BEFORE: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "k-anonymity",
        "k = 5",
        "frequencies",
        {
            "missing_rule": "observed",
            "violations": 2884,
            "profile": {
                "2": 1201, "3": 1986, "4": 2466, "5": 2884, "6": 3166, "7": 3376, "8": 3497, "9": 3630, "10": 3703,
            },
        },
    ),
    ("k-anonymity", 'missing_rule = "wildcard"', "frequencies", {"k": 3, "alpha": 1.0, "violations": 1488}),
    (
        "anonymity-sets",
        "",
        "frequencies",
        {
            "missing_rule": "listwise", "records": 4626, "unique": 1178, "below_5": 2773, "below_10": 3495,
            "share": 0.2546476437527021, "share_of_file": 0.23550579768092764,
        },
    ),
    (
        "anonymity-sets",
        'missing_rule = "category"',
        "frequencies",
        {"records": 5002, "unique": 1449, "below_5": 3141, "below_10": 3871, "share": 0.2896841263494602},
    ),
    (
        "frequencies",
        "above = 0.01",
        "frequencies",
        {
            "cells": 2272, "unique": 1201, "max": 0.09499904202268764, "mean": 0.017768797503689617,
            "expected": 88.87952511345546, "n_above": 1868, "share_above": 0.37345061975209914,
        },
    ),
    (
        "matches",
        "",
        "matches",
        {
            "missing_rule": "wildcard", "unique": 806, "below_5": 2453, "below_10": 3553,
            "share": 0.16113554578168732, "share_of_file": 0.16113554578168732,
        },
    ),
    (
        "unique-match",
        "",
        "matches",
        {"missing_rule": "listwise", "theta": 0.01763306334981196, "n1": 1178, "n2": 378, "reliable": True},
    ),
    (
        "unique-match",
        'missing_rule = "wildcard"\npopulation = 50000.0\nleast = 3',
        "matches",
        {"theta": 0.1161170277355162, "n1": 806, "n2": 341, "reliable": True},
    ),
]  # fmt: skip


def test_former_measures_have_their_figures(demo: Path) -> None:
    entries = "".join(
        f'[[measures]]\nkind = "{kind}"\nvariables = {KEYS}\n{said}\n' for kind, said, _now, _figures in BEFORE
    )
    measures = parse(f"recipe = 1\n{entries}", demo)
    recipe = load(demo / "survey.pavo").with_(
        measures=measures.measures, read_as=measures.read_as, combinations=(), perturbations=(), output=Output()
    )
    summary = carry_out(Session(), recipe).summary
    for (_kind, _said, now, figures), found in zip(BEFORE, summary["measures"], strict=True):
        assert found["kind"] == now
        assert {name: found[name] for name in figures} == figures
    told = [each["text"] for each in summary["warnings"] if each["id"] == "recipe-read-as"]
    assert len(told) == sum(kind != now for kind, _said, now, _figures in BEFORE)
    assert told[0].startswith(
        'The recipe\'s measures[1].kind = "k-anonymity" is an earlier form of kind = "frequencies"'
    )
