"""Makes the pictures of the user guide, and with ``--all FOLDER`` one of every window in every state to look at.

Run from the project's folder: ``python -m docs.screenshots`` (offscreen, no display needed).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = PROJECT / "resources" / "help" / "images"


@dataclass(frozen=True)
class Scene:
    """A picture: the window, what is open, what is done before it is taken.

    `data` is ``"none"``, ``"demonstration"``, ``"codes"`` (200 categories, long names) or ``"wide"`` (300 variables);
    `guide` scenes are part of the user guide.
    """

    name: str
    window: str
    data: str = "demonstration"
    size: tuple[int, int] = (1160, 700)
    act: Callable[[Any], None] | None = None
    guide: bool = False
    arguments: dict[str, Any] | None = None


def _child(window: Any, name: str) -> Any:
    from PySide6.QtWidgets import QWidget

    return window.findChild(QWidget, name)


def _unfold(window: Any) -> None:
    _child(window, "riskiestCombinationsFold").setChecked(True)


def _cumulative(window: Any) -> None:
    _child(window, "cumulative").setChecked(True)


def _nonsense(window: Any) -> None:
    box = _child(window, "riskThreshold")
    box.setText("a lot")
    box.returnPressed.emit()


def _build(window: Any) -> None:
    for name in ("REGION", "SEX", "AGE"):
        window.variables.select(name)
        window.add_variable.click()


SCENES = (
    Scene("main-empty", "mainWindow", "none", guide=True),
    Scene("main-window", "mainWindow", guide=True),
    Scene("main-small", "mainWindow", size=(1000, 560)),
    Scene("main-codes", "mainWindow", "codes"),
    Scene("main-wide", "mainWindow", "wide"),
    Scene("open-microdata", "openMicrodata", size=(960, 640), guide=True),
    Scene("open-microdata-empty", "openMicrodata", "none", size=(960, 640)),
    Scene("specify-metadata", "specifyMetadata", size=(1160, 720), guide=True),
    Scene("specify-metadata-wide", "specifyMetadata", "wide", size=(1160, 720)),
    Scene("select-combinations", "selectCombinations", size=(1020, 600), act=_build, guide=True),
    Scene("select-combinations-wide", "selectCombinations", "wide", size=(1020, 600)),
    Scene("risk-chart", "riskChart", size=(1080, 660), guide=True),
    Scene("risk-chart-riskiest", "riskChart", size=(1080, 760), act=_unfold),
    Scene("risk-chart-cumulative", "riskChart", size=(1000, 560), act=_cumulative),
    Scene("risk-chart-refusal", "riskChart", size=(1000, 560), act=_nonsense),
    Scene("risk-chart-codes", "riskChart", "codes", size=(1080, 660)),
    Scene("household-risk-chart", "householdRiskChart", "households", size=(1080, 660), guide=True),
    Scene("global-recode", "globalRecode", size=(1120, 680), guide=True, arguments={"variable": "AGE"}),
    Scene("global-recode-codes", "globalRecode", "codes", size=(1120, 680), arguments={"variable": "REGION"}),
    Scene("numerical-variables", "numericalVariables", size=(960, 620), guide=True),
    Scene("make-protected-file", "makeProtectedFile", size=(960, 640), guide=True),
    Scene("show-tables", "showTables", size=(900, 560)),
    Scene("history", "history", size=(560, 480)),
    Scene("report-details", "reportDetails", size=(640, 480)),
    Scene("browse-data", "browseData", size=(960, 600)),
    Scene("help", "help", size=(900, 640)),
)


class Studio:
    """One application; opens what a scene needs and takes its picture."""

    def __init__(self, folder: Path, theme_name: str) -> None:
        import main as program
        from gui.theme import theme

        self._folder = folder
        self.app, self.window = program.build_application(["pavo"])
        theme.use(theme_name)
        self.window.show()
        self._open = ""
        self.settle()

    def settle(self) -> None:
        """Run the event loop until nothing is computed and everything is drawn."""
        quiet = 0
        while quiet < 6:
            self.app.processEvents()
            time.sleep(0.05)
            quiet = 0 if self.window.document.busy else quiet + 1

    def take(self, scene: Scene, target: Path) -> bool:
        """Take the picture; False where this version has no such window or it cannot be opened."""
        from gui.windows.registry import reason_against

        self._open_data(scene.data)
        if scene.window == "mainWindow":
            window: Any = self.window
        elif reason_against(scene.window, self.window.document):
            return False
        else:
            window = self.window.windows.open_window(scene.window, **(scene.arguments or {}))
        self.settle()
        window.resize(*scene.size)
        if scene.act is not None:
            scene.act(window)
        self.settle()
        target.parent.mkdir(parents=True, exist_ok=True)
        window.grab().save(str(target))
        if window is not self.window:
            self._forget_draft(window)
            window.close()
        return True

    @staticmethod
    def _forget_draft(window: Any) -> None:
        from gui import dialogs

        dialogs.ask = lambda *_arguments: 0  # type: ignore[assignment]
        if hasattr(window, "_base"):
            window._load()

    def _open_data(self, data: str) -> None:
        if data == self._open:
            return
        self._open = data
        if data == "none":
            self.window.document.close()
        elif data in ("demonstration", "households"):
            name = {"demonstration": "survey.pavo", "households": "survey-households.pavo"}[data]
            session = self._folder / "Pavo demonstration" / name
            if not session.parent.is_dir():
                shutil.copytree(PROJECT / "resources" / "demo", session.parent)
            if session.is_file():
                self.window.document.open_session(session)
        else:
            self._open_made({"codes": (200, 4), "wide": (6, 300)}[data])
        self.settle()

    def _open_made(self, shape: tuple[int, int]) -> None:
        """A file with many categories and long names, or with many variables."""
        import random

        from core.recipe.model import Combination, Recipe, Threshold

        categories, variables = shape
        chance = random.Random(1)
        names = ["REGION", "A_VARIABLE_WITH_A_VERY_LONG_NAME_INDEED", *(f"VAR{i:03d}" for i in range(variables - 2))]
        path = self._folder / f"made-{categories}-{variables}.csv"
        with path.open("w", encoding="utf-8") as file:
            file.write(",".join(names) + "\n")
            for _ in range(1000):
                file.write(",".join(str(chance.randrange(categories)) for _ in names) + "\n")
        document = self.window.document
        document.open_data(path)
        self.settle()
        recipe: Recipe = document.recipe
        document.commit(
            "Combinations",
            recipe.with_(combinations=(Combination(tuple(names[:3])),), threshold=Threshold(individual_risk=0.5)),
        )


def main() -> None:
    """Take the pictures asked for and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every scene, in light and dark")
    parser.add_argument("--only", default="", help="scenes whose name contains this")
    arguments = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="guide-") as made:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(made) / name)
        studio = Studio(Path(made), "light")
        for dark in (False, True) if arguments.all else (False,):
            from gui.theme import theme

            theme.use("dark" if dark else "light")
            for scene in SCENES:
                if arguments.only not in scene.name or not (arguments.all or scene.guide):
                    continue
                folder = arguments.all or IMAGES
                target = folder / f"{scene.name}{'-dark' if dark else ''}.png"
                taken = studio.take(scene, target)
                sys.stdout.write(f"{target if taken else scene.name + ': not available'}\n")
                sys.stdout.flush()
        studio.window.document.shut_down()
    os._exit(0)


if __name__ == "__main__":
    main()
