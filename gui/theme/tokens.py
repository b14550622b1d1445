"""Colours, sizes of type, spaces and heights of the look: everything that is drawn takes them from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colours:
    """The colours of one theme, #RRGGBB; contrasts of the pairs in use are computed in a test (WCAG 2)."""

    canvas: str
    """Ground of a page."""
    surface: str
    """Cards, tables, boxes."""
    rail: str
    sunken: str
    """Hover."""
    line: str
    """Hairlines round cards and between sections (decoration)."""
    grid: str
    """Lines of rows and of charts (decoration)."""
    rule: str
    """Edge of buttons, below heads of tables, axes (decoration)."""
    outline: str
    """Edge of what can be typed in or ticked."""
    text: str
    muted: str
    disabled: str
    """Text of what cannot be used, figures that are not true at the moment; nothing else."""
    accent: str
    accent_hover: str
    accent_press: str
    on_accent: str
    soft: str
    """Selected row, chosen segment."""
    ok_ground: str
    ok_line: str
    safe_edge: str
    """Upper edge of safe bars, where their area alone has too little contrast; else as the area."""
    safe_text: str
    unsafe_text: str
    amber: str
    """Area of the triangle that asks for attention; never a bar."""
    amber_edge: str
    amber_ground: str
    amber_line: str
    amber_text: str
    refused: str
    refused_ground: str
    unsafe_shade: float
    """Opacity of the ground of a chart where risks are unsafe."""
    lines: tuple[str, ...]
    """Lines drawn over each other in one chart, in this order; told apart without one kind of cones, too."""


SAFE_AREA, UNSAFE_AREA = "#0072B2", "#D55E00"
"""Okabe–Ito blue and vermilion, the same in light and dark; never the only sign of what they tell."""

LIGHT = Colours(
    canvas="#F4F6F6", surface="#FFFFFF", rail="#EDF2F2", sunken="#EDF1F1",
    line="#DDE4E4", grid="#E6EBEB", rule="#BAC6C7", outline="#76858A",
    text="#18221F", muted="#53635F", disabled="#8D9A9A",
    accent="#0B7A75", accent_hover="#096A65", accent_press="#07544F", on_accent="#FFFFFF", soft="#DCEFED",
    ok_ground="#E9F4F3", ok_line="#BFDEDB",
    safe_edge=SAFE_AREA, safe_text="#00629A", unsafe_text="#A64600",
    amber="#D99A00", amber_edge="#6E4B00", amber_ground="#FFF7E3", amber_line="#EBD9A8", amber_text="#6E4B00",
    refused="#A3261C", refused_ground="#FCEEEC", unsafe_shade=0.08,
    lines=("#0072B2", "#D55E00", "#554623", "#967896", "#C3785A", "#7D1950"),
)  # fmt: skip
DARK = Colours(
    canvas="#1A1F21", surface="#22292B", rail="#15191B", sunken="#2B3336",
    line="#353F42", grid="#2E3739", rule="#4C585C", outline="#7E8D91",
    text="#E7ECEC", muted="#A9B6B8", disabled="#6F7C7F",
    accent="#4BBDB4", accent_hover="#63CBC3", accent_press="#3AA59C", on_accent="#06211F", soft="#1C4644",
    ok_ground="#1E3130", ok_line="#2F5A57",
    safe_edge="#4FA3D8", safe_text="#6DB9EA", unsafe_text="#F59A5B",
    amber="#E3AE2B", amber_edge="#F0CD7A", amber_ground="#2F2A1B", amber_line="#5A4C22", amber_text="#F0CD7A",
    refused="#F4978E", refused_ground="#3A2321", unsafe_shade=0.13,
    lines=("#4FA3D8", "#E8762D", "#9B875A", "#F591AA", "#9BF59B", "#E6E146"),
)  # fmt: skip

HATCH = 0.41
"""Opacity of the white lines over unsafe areas."""

LEAST_POINTS = 10.0
"""The size of body text is that of the system, but at least this, in points; all heights are for it."""

SMALLEST_POINTS, MOST_POINTS = 9, 14
"""Sizes of body text that can be chosen."""


@dataclass(frozen=True)
class TextRole:
    """A size of type: a multiple of body text, and whether it is of weight 600."""

    size: float
    strong: bool


TYPE = {
    "display": TextRole(2.2, True),
    "title": TextRole(1.6, True),
    "head": TextRole(1.2, True),
    "section": TextRole(1.0, True),
    "body": TextRole(1.0, False),
    "small": TextRole(0.92, False),
}

RADIUS_CARD, RADIUS_BUTTON, RADIUS_BOX, RADIUS_BAR = 8, 6, 5, 2
CARD_PADDING = 16, 12
GAP = 12
"""Between cards."""
BUTTON, QUIET_BUTTON, BOX, LINKED_BOX, ROW, DENSE_ROW, HEAD, SEGMENT, RAIL_HEAD = 32, 24, 30, 34, 29, 25, 32, 28, 52
"""Heights at body text of 10 points, in logical pixels; `gui.theme.scaled` makes them of another size."""
