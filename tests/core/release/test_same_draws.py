"""Which records lose values follows from a secret and from values: never from the bytes or the format of the file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.batch import main

NAMES = ("REGION", "SEX", "AGE", "INCOME", "HOUSE", "NOTE")
SECRET = 'secret = "000102030405060708090a0b0c0d0e0f"\n'
RECIPE = """recipe = 1
[input]
data = "{data}"
{input}
[variables.SEX]
missing = ["?"]
[variables.AGE]
missing = ["?"]
[variables.NOTE]
removed = true
{variables}
[[combinations]]
variables = ["REGION", "SEX", "AGE"]
{model}
[suppression]
effort = 50
{suppression}
[output]
data = "out/safe.csv"
summary = "out/summary.json"
"""
KEYS = 'model = "individual-risk"\n[threshold]\nindividual_risk = 0.15\n', 'mode = "released-keys"\n'
CATEGORY = 'model = "k-anonymity"\nk = 4\n', ""
PLAIN = '[variables.REGION]\nmissing = ["?"]\n'
HOMES = PLAIN + '[variables.HOUSE]\nrole = "household-id"\n'
SHARED = HOMES.replace("missing", "household = true\nmissing")
Rows = list[tuple[str, ...]]


def survey(n: int = 240) -> Rows:
    """Records with rare keys, codes with accents of one and two letters, and households of up to three."""
    draw = np.random.default_rng(7)
    region = draw.choice(["é", "zz", "b", "ü", "aa"], n, p=[0.4, 0.3, 0.2, 0.07, 0.03])
    house = np.sort(draw.integers(100, 200, n))
    region = np.array([dict(zip(house, region, strict=True))[home] for home in house])
    sex, age = draw.integers(1, 3, n), np.minimum(draw.geometric(0.35, n), 8)
    income, note = draw.integers(0, 400, n) * 2.5, draw.integers(0, 10**6, n)
    return [
        (str(region[i]), str(sex[i]), str(age[i]), f"{income[i]:.2f}", str(house[i]), f"n{note[i]}") for i in range(n)
    ]


def csv_of(rows: Rows, end: str = "\n", encoding: str = "utf-8", pad: str = "") -> bytes:
    lines = [",".join(NAMES), *(",".join(pad + value + pad for value in row) for row in rows)]
    return (end.join(lines) + end).encode(encoding)


@dataclass
class Run:
    """A folder in which a recipe is carried out."""

    folder: Path
    models: tuple[str, str]
    secret: str = SECRET
    variables: str = PLAIN

    def blanks(self, rows: Rows, data: str = "data.csv", **how: str) -> list[str]:
        """Of each record which of the three keys it lost, by their first letters; empty: none."""
        path, said = self.folder / data, ""
        if data.endswith(".parquet"):
            frame = pd.DataFrame(rows, columns=list(NAMES))
            numbers = {name: pd.to_numeric(frame[name]) for name in ("SEX", "AGE", "INCOME", "HOUSE")}
            frame.assign(**numbers).to_parquet(path, index=False)
        elif data.endswith(".asc"):
            widths = [max(len(row[j]) for row in rows) for j in range(len(NAMES))]
            lines = ("".join(value.rjust(width) for value, width in zip(row, widths, strict=True)) for row in rows)
            path.write_bytes("".join(line + "\r\n" for line in lines).encode("cp1252"))
            starts = np.cumsum([1, *widths]).tolist()
            layout = (
                f"{n} {start} {width}\n  <RECODABLE>\n" for n, start, width in zip(NAMES, starts, widths, strict=False)
            )
            path.with_suffix(".rda").write_text("".join(layout))
            said = f'metadata = "{path.stem}.rda"\nencoding = "cp1252"'
        else:
            path.write_bytes(csv_of(rows, **how))
            said = f'encoding = "{how["encoding"]}"' if "encoding" in how else ""
        model, suppression = self.models
        asked = {"model": model, "suppression": suppression + self.secret, "variables": self.variables}
        recipe = self.folder / "recipe.toml"
        recipe.write_text(RECIPE.format(data=data, input=said, **asked), encoding="utf-8")
        assert main([str(recipe), "--quiet", "--overwrite"]) == 0
        out = self.folder / "out"
        found = pd.read_csv(out / "safe.csv", dtype=str, keep_default_na=False, encoding=how.get("encoding", "utf-8"))
        assert len(found) == len(rows)
        return ["".join(name[0] for name in NAMES[:3] if row[name] == "?") for row in found.to_dict("records")]


@pytest.mark.parametrize("secret", [SECRET, ""], ids=["secret", "none"])
@pytest.mark.parametrize(
    ("models", "variables"),
    [(KEYS, PLAIN), (CATEGORY, PLAIN), (KEYS, HOMES), (KEYS, SHARED)],
    ids=["keys", "category", "households", "shared"],
)
def test_same_values_lose_the_same_in_every_file(
    secret: str, models: tuple[str, str], variables: str, tmp_path: Path
) -> None:
    rows, run = survey(), Run(tmp_path, models, secret, variables)
    first = run.blanks(rows)
    assert sum(map(bool, first)) > 15
    assert run.blanks(rows, end="\r\n") == first
    assert run.blanks(rows, encoding="cp1252") == first
    assert run.blanks(rows, pad=" ") == first
    assert run.blanks(rows, "data.parquet") == first
    assert run.blanks(rows, "data.asc") == first
    zeros = [(*row[:3], f"{float(row[3]):g}", row[4], row[5]) for row in rows]
    assert run.blanks(zeros) == first


@pytest.mark.parametrize("models", [KEYS, CATEGORY], ids=["keys", "category"])
def test_other_records_lose_the_same_after_a_correction(models: tuple[str, str], tmp_path: Path) -> None:
    rows, run = survey(), Run(tmp_path, models)
    first = run.blanks(rows)
    kept = next(i for i, lost in enumerate(first) if not lost and Counter(row[:3] for row in rows)[rows[i][:3]] > 20)
    income = [(*row[:3], "99999.5", *row[4:]) if i == kept else row for i, row in enumerate(rows)]
    note = [(*row[:5], "another") if i % 3 == 0 else row for i, row in enumerate(rows)]
    assert run.blanks(income) == first
    assert run.blanks(note) == first


def test_another_secret_draws_other_records(tmp_path: Path) -> None:
    rows = survey()
    found = [Run(tmp_path, KEYS, SECRET.replace("0f", last)).blanks(rows) for last in ("0f", "1f")]
    assert found[0] != found[1]
    assert Counter(found[0]) == Counter(found[1])
    summary = (tmp_path / "out" / "summary.json").read_text(encoding="utf-8")
    assert json.loads(summary)["verified"]


def test_without_a_secret_values_that_are_not_released_draw(tmp_path: Path) -> None:
    rows, run = survey(), Run(tmp_path, KEYS, "")
    first = run.blanks(rows)
    note = [(*row[:5], "another") if i == 0 else row for i, row in enumerate(rows)]
    income = [(*row[:3], "99999.5", *row[4:]) if i == first.index("") else row for i, row in enumerate(rows)]
    assert run.blanks(note) != first
    assert sum(a != b for a, b in zip(run.blanks(income), first, strict=True)) <= 2
    assert Run(tmp_path, KEYS, "seed = 2\n").blanks(rows) != first


@pytest.mark.parametrize("variant", ['variant = "internal"', 'variant = "external"', 'audience = "users"'])
@pytest.mark.parametrize(
    "said",
    [
        'secret = "000102030405060708090a0b0c0d0eFf"\n',
        "  secret='000102030405060708090a0b0c0d0eFf' # 000102030405060708090a0b0c0d0eff\n",
        'secret = "\\u0030\\u00300102030405060708090a0b0c0d0eFf"\n',
        '"secret" = "000102030405060708090a0b0c0d0eFf"\n# was 000102030405060708090A0B0C0D0EFF\n',
    ],
    ids=["plain", "commented", "escaped", "quoted key"],
)
def test_secret_stands_in_no_output(said: str, variant: str, tmp_path: Path) -> None:
    more = 'report = "out/r.html"\nrecords = "out/r.csv"\nmetadata = "out/r.rds"\nddi = "out/r.xml"\n'
    run = Run(tmp_path, (KEYS[0], KEYS[1]), said + f"[report]\n{variant}\n", PLAIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{__name__}.RECIPE", RECIPE + more)
        run.blanks(survey())
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) >= 6
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace").lower()
        assert "0405060708090a0b" not in text, path.name
    quoted = 'variant = "internal"' in variant
    assert not quoted or "[suppression]" in (tmp_path / "out" / "r.html").read_text(encoding="utf-8")
