"""Large fixed-format files for benchmarks and for tests of responsiveness: random codes, weights with two decimals."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KEYS = {"REGION": 182, "SEX": 2, "AGE": 60, "MARSTAT": 4, "OCCUP": 10, "EDUC": 17}
FIVE = {"REGION": 100, "SEX": 2, "AGE": 90, "MARSTAT": 6, "OCCUP": 12}
_BLOCK = 1 << 20
_ID_WIDTH = 9


def make_file(
    folder: Path,
    records: int,
    keys: int = 4,
    threshold: float | None = None,
    seed: int = 1,
    cards: Mapping[str, int] = KEYS,
    household: bool = False,
    others: int = 0,
    output: str = "",
) -> Path:
    """Write data, metadata and a session that protects them; the session's path.

    Parameters
    ----------
    records : number of records
    keys : how many of `cards`, uniformly distributed
    threshold : of the individual risk; None: the session has none
    cards : number of codes of each key variable, from 1
    household : whether the records have a household identifier (two or three members each, side by side)
    others : bytes of a last variable that nothing is decided about
    output : further lines of the session's ``[output]``
    """
    names = list(cards)[:keys]
    widths = [len(str(cards[name])) + (cards[name] < 10) for name in names]
    random = np.random.default_rng(seed)
    with (folder / "big.asc").open("wb") as file:
        for start in range(0, records, _BLOCK):
            n = min(_BLOCK, records - start)
            parts = [
                _digits(random.integers(1, cards[name] + 1, n), width)
                for name, width in zip(names, widths, strict=True)
            ]
            cents = random.integers(1_000, 30_000, n)
            parts += [_digits(cents // 100, 4), np.full((n, 1), ord("."), np.uint8), _digits(cents % 100, 2)]
            if household:
                parts.append(_digits(np.arange(start, start + n) * 2 // 5 + 1, _ID_WIDTH))
            if others:
                parts.append(random.integers(ord("a"), ord("z") + 1, (n, others)).astype(np.uint8))
            file.write(np.hstack([*parts, np.full((n, 1), ord("\n"), np.uint8)]).tobytes())
    (folder / "big.rda").write_text(_rda(names, widths, household, others), encoding="utf-8")
    session = folder / f"big{keys}.pavo"
    session.write_text(_recipe(names, threshold, output), encoding="utf-8")
    return session


def _digits(values: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """Each value as `width` digits with leading zeros, (n, width)."""
    powers = 10 ** np.arange(width - 1, -1, -1)
    return (values[:, None] // powers % 10 + ord("0")).astype(np.uint8)


def _rda(names: list[str], widths: list[int], household: bool, others: int) -> str:
    lines, start = [], 1
    for name, width in zip(names, widths, strict=True):
        lines += [f'{name} {start} {width} "{"9" * width}"', "  <RECODABLE>", "  <IDLEVEL> 3"]
        start += width
    lines += [f"WEIGHT {start} 7", "  <NUMERIC>", "  <DECIMALS> 2", "  <WEIGHT>"]
    start += 7
    if household:
        lines += [f"HOUSEHOLD {start} {_ID_WIDTH}", "  <HOUSE_ID>"]
        start += _ID_WIDTH
    if others:
        lines += [f"OTHERS {start} {others}"]
    return "\n".join(lines) + "\n"


def _recipe(names: list[str], threshold: float | None, output: str) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    text = f"""recipe = 1
[input]
data = "big.asc"
metadata = "big.rda"
[[combinations]]
variables = [{listed}]
model = "individual-risk"
[output]
data = "safe/big.saf"
metadata = "safe/big.rds"
report = "safe/big.html"
summary = "safe/summary.json"
{output}
"""
    return text if threshold is None else f"{text}[threshold]\nindividual_risk = {threshold}\n"
