"""Whether windows can be shown here: the main window drawn by a process of its own, which ends with nothing kept."""

from __future__ import annotations

import os
import sys

from core.base.child_process import answer
from core.base.texts import mark, translate


def check_windows() -> str:
    """Draw the main window, on no display where there is none, and say by what.

    Raises
    ------
    RuntimeError
        It cannot be drawn, or is empty.
    """
    found = answer(_draw)
    if found is None:
        raise RuntimeError(translate(mark("Qt cannot open a window here; what it said stands above.")))
    colours, version, platform, kept = found
    if colours <= 3:
        raise RuntimeError(translate(mark("The main window is empty.")))
    drawn = translate(mark("Qt {version} drew the main window ({platform}); settings in {file}"))
    return drawn.format(version=version, platform=platform, file=kept)


def _draw() -> tuple[int, str, str, str]:
    """Number of colours of the main window, Qt's version, what it drew by, and the file of the settings."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import qVersion

    from gui.app.application import build_application
    from gui.settings import settings

    app, window = build_application(["pavo"])
    window.show()
    app.processEvents()
    picture = window.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
    window.finish()
    return len(colours), qVersion(), app.platformName(), settings.file_name()
