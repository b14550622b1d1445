"""The scenes of which `docs.screenshots` makes pictures: every window, and its states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Scene:
    """A picture: the window, what is open, what is done before it is taken.

    `data` is ``"none"``, ``"demonstration"``, ``"households"``, ``"released"`` and
    ``"released-households"`` (with a protected file), ``"people"`` (names, and no key variables chosen), ``"codes"``
    (200 categories, long names; ``"released-codes"`` with a protected file), ``"amounts"`` (many numerical variables
    of long names), ``"lines"`` (a fixed file that nothing describes) or ``"wide"`` (300 variables);
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
    _child(window, "riskiestView").setChecked(True)


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


def _utility(window: Any) -> None:
    _child(window, "utilityEmptyButton").click()


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


def _measured(kind: str) -> Callable[[Any], None]:
    """Run a measure of the laboratory."""

    def run(window: Any) -> None:
        window.list.choose(kind)
        _child(window, "runMeasure").click()

    return run


def _perturbed(method: str, variable: str, **said: Any) -> Callable[[Any], None]:
    """Say in Perturb what a method shall change, without applying it."""

    def say(window: Any) -> None:
        from core.recipe.model import Perturbation

        window.list.choose(method)
        window.draft.take(Perturbation(method, (variable,), tuple(said.items())))
        window.show_draft()

    return say


def _planned(goal: str = "", seconds: int = 120) -> Callable[[Any], None]:
    """Search for plans by the session's own threshold, or for five records of a key."""

    def search(window: Any) -> None:
        if goal:
            window.aims.aim.setCurrentIndex(window.aims.aim.findData(goal))
            window.aims.limited.setChecked(True)
        window.aims.seconds.set_value(seconds)
        window.search.click()

    return search


def _with_goal(window: Any) -> None:
    """Means by region that shall stay within 1 %, and the strongest groups that keep them."""
    from PySide6.QtWidgets import QApplication

    _perturbed("microaggregation", "INCOME")(window)
    box = window.goal.by
    box.setCurrentIndex(box.findData("REGION"))
    window.goal.goal.setText("1")
    window.goal.search.click()
    while window.document.busy or window.goal.strongest.isHidden():
        QApplication.processEvents()


def _compared(window: Any) -> None:
    """Compare sets of the combination's variables."""
    from core.recipe.model import Measure

    window.show_for(measure=Measure("key-sets", window.document.recipe.combinations[0].variables))


def _scenarios(window: Any) -> None:
    """Describe a scenario."""
    _child(window, "editScenarios").click()
    _type_in(window, "scenarioName", "neighbour")


LONG = "alternative with a name so long that nobody would have given it to a file, and yet somebody did"


def _type_in(window: Any, name: str, text: str) -> None:
    """Type into a box and press Enter."""
    box = _child(window, name)
    box.setText(text)
    box.textEdited.emit(text)
    box.editingFinished.emit()
    if hasattr(box, "returnPressed"):
        box.returnPressed.emit()


def _dialog(name: str) -> Callable[[Any], Any]:
    """The dialog of a name, which a button of the window may share."""

    def found(window: Any) -> Any:
        from PySide6.QtWidgets import QDialog

        return window.findChild(QDialog, name)

    return found


def _overlap(window: Any) -> None:
    from core.metadata.field_grid import Place

    fields = [Place("REGION", 1, 6), Place("A_VARIABLE_WITH_A_VERY_LONG_NAME_INDEED", 5, 4), Place("SEX", 12, 1)]
    _dialog("describeColumnsDialog")(window).set_fields(fields, 1)


def _paste(window: Any) -> None:
    dialog = _dialog("describeColumnsDialog")(window)
    dialog.paste.click()
    pasted = _dialog("pasteLayoutDialog")(dialog)
    pasted.text.setPlainText("REGION 1 4\nSEX five 1")
    pasted._take()


def _take_suggestions(window: Any) -> None:
    _suggest(window)
    _child(window, "takeSuggestions").click()


def _grouping(method: str) -> Callable[[Any], None]:
    return lambda window: window.codes.group_wanted.emit(method)


def _merges(window: Any) -> None:
    window.codes.suggest_wanted.emit()


def _long_alternatives(window: Any) -> None:
    """Alternatives of long names beside the session, one of another file and one that cannot be read."""
    from core.recipe.model import Input, Threshold
    from gui.document.session_files import write_recipe

    recipe = window.document.recipe
    folder: Path = recipe.input.data.parent / "alternatives"
    folder.mkdir(exist_ok=True)
    made = {
        LONG: recipe.with_(threshold=Threshold(individual_risk=0.2)),
        "strict": recipe.with_(threshold=Threshold(individual_risk=0.01)),
        "other": recipe.with_(input=Input(data=folder / "elsewhere.csv")),
    }
    for name, each in made.items():
        write_recipe(folder / f"{name}.pavo", each)
    (folder / "broken.pavo").write_text("recipe = [", encoding="utf-8")
    for name in (*made, "broken"):
        window._include(folder / f"{name}.pavo")


def _all_tables(window: Any) -> None:
    _child(window, "showAllTables").setChecked(True)


def _safe_table(window: Any) -> None:
    """Select a table without an unsafe cell."""
    _all_tables(window)
    safe = next((name for name, table in window._tables.items() if not table.unsafe), "")
    window.collection.select(safe)


def _many_steps(window: Any) -> None:
    """Twelve steps, the last three undone; no figure changes."""
    from dataclasses import replace

    document = window.document
    for number in range(12):
        changed = replace(document.recipe.report, remarks=f"step {number}")
        long = "Recode A_VARIABLE_WITH_A_VERY_LONG_NAME_INDEED into groups of neighbouring codes"
        document.commit(long if number % 3 == 1 else f"Step {number}", document.recipe.with_(report=changed))
    for _ in range(3):
        document.undo()


def _long_details(window: Any) -> None:
    """Long texts, and the session changed meanwhile."""
    from dataclasses import replace

    for box in window.boxes.values():
        box.setText("A text that is much longer than the box, because an institution may have a very long name")
        box.setCursorPosition(0)
    window.remarks.setPlainText("A remark of several lines.\n" * 30)
    report = replace(window.document.recipe.report, author=f"{len(window.document.session.history.steps)} persons")
    window.document.commit("Report details", window.document.recipe.with_(report=report))


def _find_nothing(window: Any) -> None:
    _child(window, "browseFilter").setText("no such code")
    window._choose()
    box = _child(window, "goToRecord")
    box.setText("999999999")
    box.returnPressed.emit()


def _only_suppressed(window: Any) -> None:
    _child(window, "browseLabels").setChecked(True)
    _child(window, "onlySuppressed").setChecked(True)


def _bad_numbers(window: Any) -> None:
    """Bottom coding above top coding, a replacement that is no number, a base of rounding that is none."""
    _type_in(window, "topValue", "1000")
    _type_in(window, "bottomValue", "5000")
    _type_in(window, "roundingBase", "-3")


def _change_amount(window: Any) -> None:
    _type_in(window, "topValue", "4000")
    _type_in(window, "roundingBase", "100")


def _noise(window: Any) -> None:
    window.variables.select("WEIGHT")
    _type_in(window, "weightNoise", "5")


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
    Scene("find-plan", "findPlan", size=(1160, 700), act=_planned(), guide=True),
    Scene("find-plan-empty", "findPlan", size=(1160, 700)),
    Scene("find-plan-records", "findPlan", size=(1160, 700), act=_planned("least-records", 5)),
    Scene("find-plan-households", "findPlan", "households", size=(1160, 700), act=_planned(seconds=8)),
    Scene("numerical-variables", "numericalVariables", size=(960, 620), guide=True),
    Scene("perturb", "perturb", size=(1160, 700), act=_perturbed("noise", "INCOME", share=0.1), guide=True),
    Scene("perturb-goal", "perturb", size=(1160, 700), act=_with_goal, guide=True),
    Scene("perturb-codes", "perturb", size=(1160, 700), act=_perturbed("pram", "ILLNESS", keep=0.8)),
    Scene("perturb-refused", "perturb", size=(960, 600), act=_perturbed("pram", "EDUC", keep=0.8)),
    Scene("perturb-empty", "perturb", size=(1160, 700)),
    Scene("make-protected-file", "makeProtectedFile", size=(960, 640), guide=True),
    Scene("make-protected-file-busy", "makeProtectedFile", size=(960, 640), act=_preview, busy=True),
    Scene("make-protected-file-made", "makeProtectedFile", "released", size=(1060, 700)),
    Scene("report", "report", "released", size=(900, 680)),
    Scene("browse-safe-file", "browseSafeFile", "released", size=(1160, 660)),
    Scene("select-combinations-refusal", "selectCombinations", "wide", size=(1020, 600), act=_recommend),
    Scene("compare", "compare", size=(1000, 620)),
    Scene("utility", "utility", size=(1160, 660), act=_utility),
    Scene("utility-empty", "utility", size=(1160, 660)),
    Scene("risk-laboratory", "riskLaboratory", size=(1160, 700), act=_measured("suda"), guide=True),
    Scene("risk-laboratory-empty", "riskLaboratory", size=(1160, 700)),
    Scene("risk-laboratory-codes", "riskLaboratory", "codes", size=(960, 600), act=_measured("frequencies")),
    Scene("risk-laboratory-sets", "riskLaboratory", size=(960, 600), act=_measured("key-sets")),
    Scene("scenarios", "riskLaboratory", act=_scenarios, shown=_dialog("scenariosDialog")),
    Scene("key-sets", "keySets", size=(980, 560), act=_compared, guide=True),
    Scene("key-sets-empty", "keySets", size=(980, 560)),
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
    Scene("memo", "memo", size=(900, 620)),
    Scene("browse-data", "browseData", size=(960, 600)),
    Scene("help", "help", size=(900, 640)),
    Scene("automatic-specification", "selectCombinations", act=_automatic, shown=_automatic_dialog),
    Scene("suggestions", "specifyMetadata", act=_suggest),
    Scene("export-for-sdcmicro", "exportForSdcMicro"),
    Scene("export-for-mu-argus", "exportForMuArgus"),
    Scene("describe-columns", "specifyMetadata", arguments={"describe": True}, shown=_dialog("describeColumnsDialog")),
    Scene(
        "describe-columns-overlap",
        "specifyMetadata",
        "lines",
        act=_overlap,
        arguments={"describe": True},
        shown=_dialog("describeColumnsDialog"),
    ),
    Scene(
        "describe-columns-paste",
        "specifyMetadata",
        "lines",
        act=_paste,
        arguments={"describe": True},
        shown=_dialog("pasteLayoutDialog"),
    ),
    Scene("specify-metadata-undescribed", "specifyMetadata", "lines", size=(1160, 720)),
    Scene("generate-metadata", "specifyMetadata", "people", arguments={"generate": True}),
    Scene("generate-metadata-wide", "specifyMetadata", "wide", arguments={"generate": True}),
    Scene("generate-metadata-taken", "specifyMetadata", "people", size=(1160, 720), act=_take_suggestions),
    Scene(
        "group-codes",
        "globalRecode",
        act=_grouping("width"),
        arguments={"variable": "AGE"},
        shown=_dialog("groupCodes"),
    ),
    Scene(
        "group-codes-refusal",
        "globalRecode",
        act=_grouping("breaks"),
        arguments={"variable": "AGE"},
        shown=_dialog("groupCodes"),
    ),
    Scene(
        "group-codes-tree",
        "globalRecode",
        act=_grouping("tree"),
        arguments={"variable": "OCCUP"},
        shown=_dialog("groupCodes"),
    ),
    Scene(
        "group-codes-many",
        "globalRecode",
        "codes",
        act=_grouping("quantiles"),
        arguments={"variable": "REGION"},
        shown=_dialog("groupCodes"),
    ),
    Scene("suggest-merges", "globalRecode", act=_merges, arguments={"variable": "AGE"}, shown=_dialog("suggestMerges")),
    Scene(
        "suggest-merges-many",
        "globalRecode",
        "codes",
        act=_merges,
        arguments={"variable": "REGION"},
        shown=_dialog("suggestMerges"),
    ),
    Scene("compare-codes", "compare", "codes", size=(1000, 620), act=_long_alternatives),
    Scene("show-tables-all", "showTables", size=(900, 560), act=_safe_table),
    Scene("show-tables-codes", "showTables", "codes", size=(900, 560), act=_all_tables),
    Scene("history-many", "history", "codes", size=(560, 480), act=_many_steps),
    Scene("report-details-long", "reportDetails", "codes", size=(640, 480), act=_long_details),
    Scene("browse-data-codes", "browseData", "codes", size=(960, 600)),
    Scene("browse-data-nothing", "browseData", size=(960, 600), act=_find_nothing),
    Scene("browse-safe-file-suppressed", "browseSafeFile", "released", size=(1160, 660), act=_only_suppressed),
    Scene("browse-safe-file-nothing", "browseSafeFile", "released", size=(1160, 660), act=_find_nothing),
    Scene("browse-safe-file-codes", "browseSafeFile", "released-codes", size=(1160, 660)),
    Scene("numerical-variables-amounts", "numericalVariables", "amounts", size=(960, 620), act=_change_amount),
    Scene("numerical-variables-refusal", "numericalVariables", "amounts", size=(960, 620), act=_bad_numbers),
    Scene("numerical-variables-noise", "numericalVariables", size=(960, 620), act=_noise),
)
