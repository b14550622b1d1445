"""The palette of a theme: Fusion draws with it what the style sheet leaves alone."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from gui.theme.tokens import Colours


def palette_of(scheme: Colours) -> QPalette:
    """The palette with the colours of a theme; put on together with its style sheet."""
    role = QPalette.ColorRole
    palette = QPalette()
    for roles, colour in (
        ((role.Window,), scheme.canvas),
        ((role.Base, role.AlternateBase, role.Button, role.ToolTipBase), scheme.surface),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText), scheme.text),
        ((role.PlaceholderText,), scheme.muted),
        ((role.Accent, role.Link, role.LinkVisited), scheme.accent),
        ((role.Highlight,), scheme.soft),
        ((role.Light,), QColor(scheme.surface).lighter(110).name()),
        ((role.Midlight, role.Mid), scheme.line),
        ((role.Dark, role.Shadow), scheme.rule),
    ):
        for each in roles:
            palette.setColor(each, QColor(colour))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(scheme.disabled))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(scheme.line))
    return palette
