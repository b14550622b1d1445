"""What a statistician would write with pandas and scipy: the same recipe, to compare speeds and results with."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import hyp2f1

Layout = dict[str, tuple[int, int]]
"""Start (0-based) and end of each field."""


def read(path: Path, layout: Layout) -> pd.DataFrame:
    """A fixed-format file, every field a string but the weight."""
    lines = pd.read_csv(path, header=None, names=["line"], dtype=str)["line"]
    frame = pd.DataFrame({name: lines.str.slice(*place).astype("category") for name, place in layout.items()})
    frame["WEIGHT"] = lines.str.slice(max(end for _, end in layout.values())).astype(float)
    return frame


def risk(f: np.ndarray, population: np.ndarray) -> np.ndarray:
    """By scipy's hyp2f1, and by the summed series where that is not finite (as met: from f = 100)."""
    p = np.minimum(f / population, 1.0)
    with np.errstate(all="ignore"):
        sums = hyp2f1(1, 1, f + 1, 1 - p)
    rest = ~np.isfinite(sums)
    term = np.ones(np.count_nonzero(rest))
    sums[rest] = 1.0
    for n in range(1, 60):
        term *= n * (1 - p[rest]) / (f[rest] + n)
        sums[rest] += term
    return p / f * sums


def risks(frame: pd.DataFrame, keys: list[str]) -> np.ndarray:
    """Individual risk of each record on some key variables."""
    if not keys:
        one = risk(np.array([float(len(frame))]), np.array([frame["WEIGHT"].sum()]))
        return np.repeat(one, len(frame))
    groups = frame.groupby(keys, sort=False, observed=True)
    cells = groups["WEIGHT"].agg(["size", "sum"])
    by_cell = risk(cells["size"].to_numpy(float), cells["sum"].to_numpy())
    return by_cell[groups.ngroup().to_numpy()]


def entropy(column: pd.Series) -> float:
    """In bits."""
    shares = column.value_counts(normalize=True)
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def suppress(frame: pd.DataFrame, keys: list[str], threshold: float) -> dict[str, np.ndarray]:
    """Records to lose each variable: of all subsets of keys the cheapest that is safe, by entropy."""
    cost = {key: entropy(frame[key]) for key in keys}
    subsets = [chosen for size in range(len(keys) + 1) for chosen in combinations(keys, size)]
    subsets.sort(key=lambda chosen: (round(sum(cost[key] for key in chosen), 9), len(chosen)))
    lost = {key: np.zeros(len(frame), bool) for key in keys}
    unsafe = np.ones(len(frame), bool)
    for chosen in subsets:
        rest = risks(frame, [key for key in keys if key not in chosen])
        safe = unsafe & (rest < threshold * (1 - 1e-12))
        for key in chosen:
            lost[key] |= safe
        unsafe &= ~safe
        if not unsafe.any():
            break
    return lost


def write(path: Path, frame: pd.DataFrame, lost: dict[str, np.ndarray], layout: Layout) -> None:
    """The records with nines for what is lost."""
    text = pd.Series("", index=frame.index)
    for name, (start, end) in layout.items():
        text += frame[name].astype(str).mask(lost[name], "9" * (end - start))
    text += frame["WEIGHT"].map("{:07.2f}".format)
    path.write_text("\n".join(text) + "\n", encoding="ascii")


def verify(path: Path, frame: pd.DataFrame, lost: dict[str, np.ndarray], layout: Layout, threshold: float) -> bool:
    """Read back; every value is what was decided, and every record below the threshold by what it has left."""
    written = read(path, layout)
    keys = list(layout)
    for name, (start, end) in layout.items():
        if (written[name].astype(str) != frame[name].astype(str).mask(lost[name], "9" * (end - start))).any():
            return False
    pattern = sum(lost[key].astype(int) << j for j, key in enumerate(keys))
    for missing in np.unique(pattern):
        kept = [key for j, key in enumerate(keys) if not missing >> j & 1]
        if (risks(frame, kept)[pattern == missing] >= threshold).any():
            return False
    return True
