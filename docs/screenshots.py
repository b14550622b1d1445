"""Makes the pictures of the user guide, and with ``--all FOLDER`` one of every window in every state to look at.

Run from the project's folder: ``python -m docs.screenshots`` (offscreen, no display needed).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from docs.screenshot_scenes import SCENES, Scene

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = PROJECT / "resources" / "help" / "images"


_SESSIONS = {
    "demonstration": "survey.pavo",
    "households": "survey-households.pavo",
    "released": "survey.pavo",
    "released-households": "survey-households.pavo",
}


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
        self.size: tuple[int, ...] | None = None
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
        from gui.shared.windows import reason_against

        self._open_data(scene.data)
        if scene.window == "mainWindow":
            window: Any = self.window
        elif reason_against(scene.window, self.window.document):
            return False
        else:
            window = self.window.windows.open_window(scene.window, **(scene.arguments or {}))
        self.settle()
        window.resize(*(self.size or scene.size))
        with self._holding() if scene.busy else nullcontext():
            if scene.act is not None:
                scene.act(window)
            self._wait(1.3) if scene.busy else self.settle()
            taken = window if scene.shown is None else scene.shown(window)
            self.keep(scene, taken, target)
        if taken is not window:
            taken.close()
        self.settle()
        if window is not self.window:
            self._forget_draft(window)
            window.close()
        return True

    def keep(self, scene: Scene, taken: Any, target: Path) -> None:
        """Write the picture; whoever looks at windows for another reason looks here."""
        target.parent.mkdir(parents=True, exist_ok=True)
        taken.grab().save(str(target))

    @contextmanager
    def _holding(self) -> Iterator[None]:
        """As long as this lasts nothing is finished: the session is measured anew, slowly."""
        from core.recipe.edits import with_individual_threshold

        document = self.window.document
        going_on = threading.Event()

        def work(progress: Any) -> None:
            while not going_on.wait(0.02):
                progress.check()
                progress.report(42, 100, "Counting unsafe combinations")

        document.tasks.run("screenshot", work)
        combinations = document.recipe.combinations[:-1] or document.recipe.combinations
        changed = with_individual_threshold(document.recipe, 0, 0.125).with_(combinations=combinations, recodes=())
        document.commit("Recode AGE", changed)
        try:
            yield
        finally:
            going_on.set()
            self.settle()
            document.undo()

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents()
            time.sleep(0.02)

    def _release(self) -> None:
        """A protected file of the demonstration."""
        from dataclasses import replace

        document = self.window.document
        output = replace(document.recipe.output, data=self._folder / "survey_safe.asc")
        document.commit("Output", document.recipe.with_(output=output))
        self.settle()
        document.make_protected_file()
        self.settle()

    @staticmethod
    def _forget_draft(window: Any) -> None:
        from gui import dialogs

        dialogs.ask = lambda *_arguments: 0
        if hasattr(window, "_base"):
            window._load()

    def _open_data(self, data: str) -> None:
        if data == self._open:
            return
        self._open = data
        if data == "none":
            self.window.document.close()
        elif data in _SESSIONS:
            name = _SESSIONS[data]
            session = self._folder / "Pavo demonstration" / name
            if not session.parent.is_dir():
                shutil.copytree(PROJECT / "resources" / "demo", session.parent)
            if session.is_file():
                self.window.document.open_session(session)
                self.settle()
            if data.startswith("released"):
                self._release()
        elif data == "people":
            path = self._folder / "people.csv"
            rows = (f"Anna Person {i},{i % 2 + 1},{20 + i * 7 % 60}" for i in range(200))
            path.write_text("NAME,SEX,AGE\n" + "\n".join(rows) + "\n", encoding="utf-8")
            self.window.document.open_data(path)
        elif data == "lines":
            path = self._folder / "lines.asc"
            path.write_text("".join(f"{1000 + i} {i % 2}{i * 7 % 90:3d}  {i * 37:6d}\n" for i in range(200)))
            self.window.document.open_data(path)
        elif data == "amounts":
            self._open_amounts()
        else:
            self._open_made({"codes": (200, 4), "wide": (6, 300)}[data.removeprefix("released-")])
            if data.startswith("released"):
                self.settle()
                self._release()
        self.settle()

    def _open_amounts(self) -> None:
        """Numerical variables of long names and large values."""
        from core.recipe.model import Input, Recipe, VariableEdit

        names = ["AMOUNT", *(f"AN_AMOUNT_WITH_A_VERY_LONG_NAME_{i:02d}" for i in range(40))]
        path = self._folder / "amounts.csv"
        rows = (",".join(str(i * (j + 37) * 7919 % 10 ** (4 + j % 8)) for j in range(len(names))) for i in range(500))
        path.write_text(",".join(names) + "\n" + "\n".join(rows) + "\n", encoding="utf-8")
        label = "The amount of what was received, in the smallest unit of the currency"
        edits = tuple(VariableEdit(name, numeric=True, categorical=False, label=label) for name in names)
        self.window.document.start("Open amounts.csv", Recipe(input=Input(data=path), variables=edits))

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
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every scene, not only those of the guide")
    parser.add_argument("--size", default="", metavar="WxH", help="every window in this size, for example 1366x768")
    parser.add_argument("--only", default="", help="scenes whose name contains this")
    parser.add_argument("--scale", default="", metavar="FACTOR", help="pixels a point, for example 2")
    arguments = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if arguments.scale:
        os.environ["QT_SCALE_FACTOR"] = arguments.scale
    with tempfile.TemporaryDirectory(prefix="guide-") as made:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(made) / name)
        from PySide6.QtCore import QLocale

        QLocale.setDefault(QLocale("en_US"))  # as the pages write numbers
        studio = Studio(Path(made), "light")
        studio.size = tuple(map(int, arguments.size.split("x"))) if arguments.size else None
        for dark in (False, True):
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
