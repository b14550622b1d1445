"""Contrasts and distances of the colours in use, computed from the tokens; pictures of controls have their colours."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from gui.compare.pictures import line_style
from gui.places import RESOURCES
from gui.theme.tokens import DARK, LIGHT, SAFE_AREA, UNSAFE_AREA, Colours

THEMES = {"light": LIGHT, "dark": DARK}
CONTRASTS = [  # of what on what: light, dark
    ("text", "canvas", 15.0, 14.0),
    ("text", "soft", 13.7, 8.8),
    ("text", "amber_ground", 15.3, 12.0),
    ("muted", "surface", 6.3, 7.1),
    ("muted", "canvas", 5.8, 8.0),
    ("muted", "rail", 5.6, 8.5),
    ("muted", "soft", 5.3, 5.0),
    ("accent", "surface", 5.2, 6.5),
    ("accent", "canvas", 4.8, 7.3),
    ("accent", "sunken", 4.6, 5.7),
    ("on_accent", "accent", 5.2, 7.4),
    ("on_accent", "accent_hover", 6.4, 8.7),
    ("on_accent", "accent_press", 8.8, 5.7),
    ("safe_text", "surface", 6.5, 6.9),
    ("unsafe_text", "surface", 6.0, 6.8),
    ("amber_text", "amber_ground", 7.4, 9.4),
    ("amber_text", "rail", 7.0, 11.6),
    ("refused", "surface", 7.4, 6.8),
    ("refused", "refused_ground", 6.5, 6.7),
    ("outline", "surface", 3.8, 4.3),
    ("outline", "canvas", 3.5, 4.8),
    ("safe", "surface", 5.2, 2.9),
    ("safe_edge", "surface", 5.2, 5.3),
    ("unsafe", "surface", 3.9, 3.8),
    ("disabled", "surface", 2.9, 3.4),
]
SIGNS = {"outline", "safe_edge", "unsafe"}
EXEMPT = {"disabled", "safe"}
"""What cannot be used; safe bars in the dark, which have an edge."""


def channels(colour: str) -> NDArray[np.float64]:
    """Linear red, green and blue of #RRGGBB, each 0 to 1 (IEC 61966-2-1)."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear: NDArray[np.float64] = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear


def contrast(one: str, other: str) -> float:
    """Ratio of relative luminances, 1 to 21 (WCAG 2)."""
    low, high = sorted(float(np.dot((0.2126, 0.7152, 0.0722), channels(each))) + 0.05 for each in (one, other))
    return high / low


def colour_of(scheme: Colours, name: str) -> str:
    areas = {"safe": SAFE_AREA, "unsafe": UNSAFE_AREA}
    return areas.get(name) or str(getattr(scheme, name))


@pytest.mark.parametrize(("what", "ground", "light", "dark"), CONTRASTS)
def test_contrasts_are_those_of_the_design(what: str, ground: str, light: float, dark: float) -> None:
    for scheme, expected in ((LIGHT, light), (DARK, dark)):
        found = contrast(colour_of(scheme, what), colour_of(scheme, ground))
        assert found == pytest.approx(expected, abs=0.06)
        assert what in EXEMPT or found >= (3.0 if what in SIGNS else 4.5)


TEXTS_ON = {
    "text": ("canvas", "surface", "rail", "sunken", "soft", "ok_ground", "amber_ground", "refused_ground"),
    "muted": ("canvas", "surface", "rail", "sunken", "soft", "ok_ground", "amber_ground", "refused_ground"),
    "accent": ("canvas", "surface", "rail", "ok_ground"),
    "amber_text": ("amber_ground", "surface", "canvas"),
    "refused": ("surface", "canvas", "refused_ground"),
    "safe_text": ("surface", "canvas"),
    "unsafe_text": ("surface", "canvas"),
}
"""Every colour of text, and all that it may stand on."""


@pytest.mark.parametrize("scheme", THEMES.values(), ids=THEMES)
def test_text_is_read_on_all_that_it_stands_on(scheme: Colours) -> None:
    grounds = [(text, ground) for text, found in TEXTS_ON.items() for ground in found]
    found = {pair: round(contrast(*(colour_of(scheme, name) for name in pair)), 1) for pair in grounds}
    assert {pair: ratio for pair, ratio in found.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("scheme", THEMES.values(), ids=THEMES)
def test_focus_is_seen_on_all_that_it_stands_on(scheme: Colours) -> None:
    grounds = ("canvas", "surface", "rail", "sunken", "soft", "ok_ground", "amber_ground")
    assert min(contrast(scheme.accent, colour_of(scheme, ground)) for ground in grounds) >= 3.0


SEEN_BY = {  # linear RGB as seen without one kind of cones (Machado, Oliveira, Fernandes 2009, severity 1)
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip


def lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* under D65 of linear sRGB."""
    to_xyz = np.array(((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)))
    ratios = to_xyz @ linear / (0.95047, 1.0, 1.08883)
    f = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array((116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])))


def distance(kind: str, one: str, other: str) -> float:
    """Distance in Lab of two colours as somebody who lacks cones sees them."""
    first, second = (lab(np.clip(np.array(SEEN_BY[kind]) @ channels(each), 0, 1)) for each in (one, other))
    return float(np.linalg.norm(first - second))


def test_safe_and_unsafe_are_told_apart_without_one_kind_of_cones() -> None:
    found = [distance(kind, SAFE_AREA, UNSAFE_AREA) for kind in ("deutan", "protan", "tritan")]
    assert found == pytest.approx([108, 92, 102], abs=1)


@pytest.mark.parametrize("scheme", THEMES.values(), ids=THEMES)
def test_lines_over_each_other_are_seen_and_told_apart(scheme: Colours) -> None:
    assert min(contrast(colour, scheme.surface) for colour in scheme.lines) >= 3.0
    pairs = list(combinations(scheme.lines, 2))
    assert min(distance(kind, *pair) for kind in SEEN_BY for pair in pairs) >= 20
    styles = [line_style(place, scheme) for place in range(24)]
    assert len(set(styles)) == 24
    assert all(one[0] != next_[0] and one[1] != next_[1] for one, next_ in pairwise(styles))


def test_pairs_that_are_not_told_apart_are_the_reason_for_their_rules() -> None:
    """Teal never stands in a chart with safe and unsafe, amber is never a bar."""
    assert distance("tritan", LIGHT.accent, SAFE_AREA) == pytest.approx(8, abs=1)
    assert distance("deutan", LIGHT.amber, UNSAFE_AREA) == pytest.approx(14, abs=1)


@pytest.mark.parametrize("name", THEMES)
def test_pictures_of_controls_have_the_colours_of_their_theme(name: str) -> None:
    scheme = THEMES[name]
    wanted = {
        "ticked": scheme.on_accent, "partly": scheme.on_accent, "check": scheme.accent, "down": scheme.text,
        "down-disabled": scheme.disabled, "down-muted": scheme.muted, "up-muted": scheme.muted,
    }  # fmt: skip
    folder = RESOURCES / "icons" / name
    found = {each.stem: set(re.findall("#[0-9A-F]{6}", each.read_text("utf-8"))) for each in folder.glob("*.svg")}
    assert found == {stem: {colour} for stem, colour in wanted.items()}
