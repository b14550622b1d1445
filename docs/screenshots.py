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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = PROJECT / "resources" / "help" / "images"


_SESSIONS = {
    "demonstration": "survey.pavo",
    "households": "survey-households.pavo",
    "released": "survey.pavo",
    "released-households": "survey-households.pavo",
}


@dataclass(frozen=True)
class Scene:
    """A picture: the window, what is open, what is done before it is taken.

    `data` is ``"none"``, ``"demonstration"``, ``"households"``, ``"released"`` and
    ``"released-households"`` (with a protected file), ``"people"`` (names, and no key variables chosen), ``"codes"``
    (200 categories, long names) or ``"wide"`` (300 variables);
    `guide` scenes are part of the user guide. `shown` gives the dialog to take instead of the window.
    """

    name: str
    window: str
    data: str = "demonstration"
    size: tuple[int, int] = (1160, 700)
    act: Callable[[Any], None] | None = None
    guide: bool = False
    busy: bool = False
    """While something is computed: figures greyed, progress, Cancel."""
    arguments: dict[str, Any] | None = None
    shown: Callable[[Any], Any] | None = None


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


def _too_low(window: Any) -> None:
    box = _child(window, "householdThreshold")
    box.setText("0.0001")
    box.returnPressed.emit()


def _build(window: Any) -> None:
    for name in ("REGION", "SEX", "AGE"):
        window.variables.select(name)
        window.add_variable.click()


def _message(window: Any) -> None:
    window.commands.said.emit("The protected file survey_safe.asc is written and verified.", [("View Report", print)])


def _recommend(window: Any) -> None:
    window.recommended.click()


def _preview(window: Any) -> None:
    _child(window, "preview").click()


def _choose_for_me(window: Any) -> None:
    _child(window, "chooseForMe").click()


def _chosen(window: Any) -> Any:
    return _child(window, "chooseThreshold")


def _automatic(window: Any) -> None:
    _child(window, "automaticSpecification").click()


def _automatic_dialog(window: Any) -> Any:
    return _child(window, "automaticSpecificationDialog")


def _suggest(window: Any) -> None:
    _child(window, "suggest").click()


def _suggestions(window: Any) -> Any:
    return _child(window, "suggestionsDialog")


SCENES = (
    Scene("main-empty", "mainWindow", "none", guide=True),
    Scene("main-window", "mainWindow", guide=True),
    Scene("main-small", "mainWindow", size=(1000, 560)),
    Scene("main-codes", "mainWindow", "codes"),
    Scene("main-wide", "mainWindow", "wide"),
    Scene("main-busy", "mainWindow", busy=True),
    Scene("main-message", "mainWindow", act=_message),
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
    Scene("risk-chart-busy", "riskChart", size=(1080, 660), busy=True),
    Scene("risk-chart-codes", "riskChart", "codes", size=(1080, 660)),
    Scene("household-risk-chart", "householdRiskChart", "households", size=(1080, 660), guide=True),
    Scene("household-risk-chart-stay", "householdRiskChart", "households", size=(1080, 660), act=_too_low),
    Scene("household-risk-chart-key", "householdRiskChart", size=(1080, 660)),
    Scene("global-recode", "globalRecode", size=(1120, 680), guide=True, arguments={"variable": "AGE"}),
    Scene("global-recode-codes", "globalRecode", "codes", size=(1120, 680), arguments={"variable": "REGION"}),
    Scene("numerical-variables", "numericalVariables", size=(960, 620), guide=True),
    Scene("make-protected-file", "makeProtectedFile", size=(960, 640), guide=True),
    Scene("make-protected-file-busy", "makeProtectedFile", size=(960, 640), act=_preview, busy=True),
    Scene("make-protected-file-made", "makeProtectedFile", "released", size=(1060, 700)),
    Scene("report", "report", "released", size=(900, 680)),
    Scene("browse-safe-file", "browseSafeFile", "released", size=(1160, 660)),
    Scene("select-combinations-refusal", "selectCombinations", "wide", size=(1020, 600), act=_recommend),
    Scene("compare", "compare", size=(1000, 620)),
    Scene("make-protected-file-preview", "makeProtectedFile", size=(1366, 730), act=_preview),
    Scene("make-protected-file-households", "makeProtectedFile", "households", size=(1366, 730), act=_preview),
    Scene("main-no-keys", "mainWindow", "people", size=(1000, 560)),
    Scene("main-households", "mainWindow", "households", size=(1366, 730)),
    Scene("report-households", "report", "released-households", size=(900, 730)),
    Scene("choose-for-me", "riskChart", size=(1080, 660), act=_choose_for_me, shown=_chosen),
    Scene("choose-for-me-households", "householdRiskChart", "households", act=_choose_for_me, shown=_chosen),
    Scene("show-tables", "showTables", size=(900, 560)),
    Scene("history", "history", size=(560, 480)),
    Scene("report-details", "reportDetails", size=(640, 480)),
    Scene("browse-data", "browseData", size=(960, 600)),
    Scene("help", "help", size=(900, 640)),
    Scene("automatic-specification", "selectCombinations", act=_automatic, shown=_automatic_dialog),
    Scene("suggestions", "specifyMetadata", act=_suggest, shown=_suggestions),
    Scene("export-for-sdcmicro", "exportForSdcMicro"),
    Scene("export-for-mu-argus", "exportForMuArgus"),
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
        from gui.windows.registry import reason_against

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
            target.parent.mkdir(parents=True, exist_ok=True)
            taken = window if scene.shown is None else scene.shown(window)
            taken.grab().save(str(target))
        if taken is not window:
            taken.close()
        self.settle()
        if window is not self.window:
            self._forget_draft(window)
            window.close()
        return True

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
