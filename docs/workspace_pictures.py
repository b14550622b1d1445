"""Makes pictures of the workspace: every step, two pages side by side, and a page taken out, to look at.

Run from the project's folder: ``python -m docs.workspace_pictures FOLDER``. Without a display it draws offscreen; with
``--platform xcb`` in real windows of a window manager, for example after ``xvfb-run -s "-screen 0 2732x1536x24"``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGES = (
    "overview",
    "specifyMetadata",
    "selectCombinations",
    "riskChart",
    "householdRiskChart",
    "globalRecode",
    "makeProtectedFile",
    "report",
)
"""Pages of the workspace in the order of the steps; *View Report* is empty until a file is made."""


def main() -> None:
    """Take the pictures asked for and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--size", default="1366x768", metavar="WxH[,WxH]", help="of the main window, in logical pixels")
    parser.add_argument("--scale", default="", metavar="FACTOR", help="pixels a logical pixel, for example 2")
    parser.add_argument("--theme", default="light,dark", help="light, dark, or both with a comma")
    parser.add_argument("--platform", default="offscreen", help="Qt's platform: offscreen, or xcb for real windows")
    parser.add_argument("--only", default="", metavar="NAME[,NAME]", help="pictures whose names contain one of these")
    arguments = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = arguments.platform
    if arguments.scale:
        os.environ["QT_SCALE_FACTOR"] = arguments.scale
    sizes = [tuple(map(int, size.split("x"))) for size in arguments.size.split(",")]
    with tempfile.TemporaryDirectory(prefix="workspace-") as made:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(made) / name)
        from docs.screenshots import Studio
        from gui.theme import theme

        themes = arguments.theme.split(",")
        studio = Studio(Path(made), themes[0])
        for scene in _scenes(studio):
            if not any(part in scene for part in arguments.only.split(",")):
                continue
            for theme_name in themes:
                theme.use(theme_name)
                for width, height in sizes:
                    window = _shown(studio, scene)
                    window.resize(width, height)
                    studio.settle()
                    scale = f"@{arguments.scale}" if arguments.scale else ""
                    target = arguments.folder / f"{scene}-{width}x{height}{scale}-{theme_name}.png"
                    target.parent.mkdir(parents=True, exist_ok=True)
                    window.grab().save(str(target))
                    too_large = window.width() - width, window.height() - height
                    told = f" is {max(too_large)} larger than asked" if max(too_large) > 0 else ""
                    sys.stdout.write(f"{target}{told}\n")
                    sys.stdout.flush()
        studio.window.document.shut_down()
    os._exit(0)


def _scenes(studio: Any) -> Iterator[str]:
    """Names of the pictures; what each needs is open when its name is given."""
    from gui.settings import settings

    windows, workspace = studio.window.windows, studio.window.workspace
    yield "start"
    studio.window.commands.whats_new()
    yield "whats-new"
    windows.window_named("help").close()
    studio._open_data("households")
    settings.add_recent_session(studio.window.document.session.path)
    studio._open_data("released")
    settings.add_recent_session(studio.window.document.session.path)
    studio._open_data("households")
    for name in PAGES:
        if name == "overview":
            workspace.show_home()
        elif name == "report":
            yield "report-before"
        if name == "report":
            studio._open_data("released")
        if name != "overview":
            windows.open_window(name)
        studio.settle()
        yield name
    studio._open_data("released-households")
    windows.open_window("makeProtectedFile")
    yield "makeProtectedFile-written"
    windows.open_window("report")
    yield "report-warnings"
    windows.open_window("riskChart")
    workspace.put_beside("riskChart", "globalRecode")
    yield "risk-beside-recode"
    windows.window_named("globalRecode").close()
    yield "risk-after-recode-closed"
    workspace.take_out("riskChart")
    yield "riskChart-out"
    workspace.put_back("riskChart")
    for name in list(windows.names()):
        windows.window_named(name).close()
    studio._open_data("none")
    yield "start-recent"
    studio.window.show_hints()
    for name in ("openMicrodata", *PAGES[:-1]):
        studio._open_data("none" if name == "openMicrodata" else "households")
        if name == "overview":
            workspace.show_home()
        else:
            windows.open_window(name)
        studio.settle()
        yield f"{name}-hint"


def _shown(studio: Any, scene: str) -> Any:
    """The window that the picture is of."""
    if scene.endswith("-out"):
        return studio.window.windows.window_named(scene.removesuffix("-out")).window()
    return studio.window


if __name__ == "__main__":
    main()
