"""A coarser column that follows from a finer one is no second key."""

from __future__ import annotations

import random
from pathlib import Path

from core.metadata.describe import describe
from core.metadata.suggest import suggest
from core.metadata.survey import Survey, survey
from core.recipe.model import Input


def looked_at(folder: Path, exceptions: int = 0) -> tuple[Survey, dict[tuple[str, str], object]]:
    """A survey of 900 records: 40 municipalities in 8 provinces in 2 countries, some records in another province."""
    draw = random.Random(3)
    lines = ["SEX,MUNICIPALITY,PROVINCE,REGION"]
    for i in range(900):
        place = draw.randrange(40)
        province = (place // 5 + (i < exceptions)) % 8
        lines.append(f"{draw.randrange(2)},{100 + place},{10 + province},{1 + province // 4}")
    data = folder / "people.csv"
    data.write_text("\n".join(lines) + "\n")
    metadata = describe(Input(data))
    found = survey(data, metadata)
    return found, {
        (s.variable, s.use or s.kind): (s.proposal.text, s.changes[-1]) for s in suggest(metadata, found, {})
    }


def test_the_finer_one_is_the_key_and_each_is_suppressed_with_the_next(tmp_path: Path) -> None:
    found, proposed = looked_at(tmp_path)
    assert found.followed == {"PROVINCE": ("MUNICIPALITY",), "REGION": ("MUNICIPALITY", "PROVINCE")}
    assert ("MUNICIPALITY", "key") in proposed and ("PROVINCE", "key") not in proposed
    told = {proposed[name, "related"] for name in ("MUNICIPALITY", "PROVINCE")}
    assert told == {
        ("Suppress PROVINCE with it", ("related", "PROVINCE")),
        ("Suppress REGION with it", ("related", "REGION")),
    }


def test_one_record_elsewhere_and_it_is_a_key_of_its_own(tmp_path: Path) -> None:
    found, _proposed = looked_at(tmp_path, exceptions=1)
    assert "PROVINCE" not in found.followed
