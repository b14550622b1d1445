"""Large fixed-format files for benchmarks and for tests of responsiveness: random codes, weights with two decimals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KEYS = {"REGION": 182, "SEX": 2, "AGE": 60, "MARSTAT": 4, "OCCUP": 10, "EDUC": 17}
_BLOCK = 1 << 20


def make_file(folder: Path, records: int, keys: int = 4, threshold: float | None = None, seed: int = 1) -> Path:
    """Write data, metadata and a session that protects them; the session's path.

    Parameters
    ----------
    records : number of records
    keys : how many of `KEYS`, uniformly distributed
    threshold : of the individual risk; None: the session has none
    """
    names = list(KEYS)[:keys]
    widths = [len(str(KEYS[name])) + (KEYS[name] < 10) for name in names]
    random = np.random.default_rng(seed)
    with (folder / "big.asc").open("wb") as file:
        for start in range(0, records, _BLOCK):
            n = min(_BLOCK, records - start)
            fields = [
                _digits(random.integers(1, KEYS[name] + 1, n), width) for name, width in zip(names, widths, strict=True)
            ]
            cents = random.integers(1_000, 30_000, n)
            point, newline = np.full((n, 1), ord("."), np.uint8), np.full((n, 1), ord("\n"), np.uint8)
            parts = [*fields, _digits(cents // 100, 4), point, _digits(cents % 100, 2), newline]
            file.write(np.hstack(parts).tobytes())
    (folder / "big.rda").write_text(_rda(names, widths), encoding="utf-8")
    session = folder / f"big{keys}.pavo"
    session.write_text(_recipe(names, threshold), encoding="utf-8")
    return session


def _digits(values: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """Each value as `width` digits with leading zeros, (n, width)."""
    powers = 10 ** np.arange(width - 1, -1, -1)
    return (values[:, None] // powers % 10 + ord("0")).astype(np.uint8)


def _rda(names: list[str], widths: list[int]) -> str:
    lines, start = [], 1
    for name, width in zip(names, widths, strict=True):
        lines += [f'{name} {start} {width} "{"9" * width}"', "  <RECODABLE>", "  <IDLEVEL> 3"]
        start += width
    return "\n".join([*lines, f"WEIGHT {start} 7", "  <NUMERIC>", "  <DECIMALS> 2", "  <WEIGHT>"]) + "\n"


def _recipe(names: list[str], threshold: float | None) -> str:
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
"""
    return text if threshold is None else f"{text}[threshold]\nindividual_risk = {threshold}\n"
