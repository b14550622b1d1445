"""Every refusal and warning of Specify Metadata: what it says, and the field that a click leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input, Recipe, VariableEdit
from gui.main_window.window import MainWindow
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import LEFT, examined, opened, place, texts, variable
from tests.gui.waiting import wait_idle

ROWS = 40
RDA = """HH 1 2
    <HOUSE_ID>
SEX 3 1 "9"
    <RECODABLE>
    <IDLEVEL> 2
REGION 4 2 "99"
    <RECODABLE>
    <HOUSEHOLD>
    <IDLEVEL> 1
W 6 4
    <NUMERIC>
    <WEIGHT>
"""


def line(i: int) -> str:
    """HH of two members, SEX, REGION of the household, W."""
    return f"{i // 2 + 10}{i % 2 + 1}{i // 2 % 5 + 10}{i % 7 + 2:4d}"


Lines = Callable[[list[str]], list[str]]


@dataclass(frozen=True)
class Case:
    """What is wrong with the data or done to a variable, what is said, and the box that a click leads to."""

    text: str
    box: str
    variable: str
    change: dict[str, Any] = field(default_factory=dict)
    lines: Lines | None = None
    codelist: str = ""


def weights(*values: str) -> Lines:
    return lambda lines: [text[:5] + values[min(i, len(values) - 1)].rjust(4) for i, text in enumerate(lines)]


CASES = {
    "overlap": Case(
        "Error: REGION begins at 3, inside SEX, which reaches to 3. Correct the start or the length of one of them.",
        "startPosition", "REGION", {"start": 3, "length": 3},
    ),
    "gap": Case(
        "Note: No variable describes the positions 4; they are never copied to the safe file.",
        "startPosition", "REGION", {"start": 5, "length": 1, "missing": ("9",)},
    ),
    "behind the last": Case(
        "Note: No variable describes the positions 8–9; they are never copied to the safe file.",
        "fieldLength", "W", {"start": 6, "length": 2},
    ),
    "duplicate name": Case(
        "Error: Two variables have the same name, sex (the first is written SEX). Give each its own name; upper and "
        "lower case make no difference.", "variableName", "REGION", {"name": "sex"},
    ),
    "no name": Case("Error: A variable has no name. Give every variable a name.", "variableName", "SEX", {"name": ""}),
    "start": Case("Error: The start of SEX is 0. In a fixed file it is 1 or more.", "startPosition", "SEX",
                  {"start": 0}),
    "length": Case("Error: The length of SEX is 0. In a fixed file it is 1 or more.", "fieldLength", "SEX",
                   {"length": 0}),
    "missing code longer than the field": Case(
        "Error: The missing code 99 of SEX is longer than its field (1). Correct the code or the length.",
        "missing1", "SEX", {"missing": ("99",)},
    ),
    "no missing code": Case(
        "Warning: SEX has no missing code; local suppression needs one.", "missing1", "SEX", {"missing": ()}
    ),
    "missing code with a label": Case(
        "Note: The codelist of SEX calls its missing code 9 Refused.", "missing1", "SEX",
        codelist="1,m\n2,f\n9,Refused\n",
    ),
    "code without a label": Case(
        "Warning: SEX: one code is absent from the codelist: 2.", "codelist", "SEX", codelist="1,m\n"
    ),
    "codelist that is not there": Case(
        "Warning: The codelist of SEX cannot be used, its labels stay blank:", "codelist", "SEX",
        {"codelist": Path("/nowhere/x.cdl")},
    ),
    "two weights": Case(
        "Error: W is a second weight variable beside SEX. Keep one of them.", "roleWeight", "W",
    ),
    "two identifiers": Case(
        "Error: SEX is a second household identifier beside HH. Keep one of them.", "roleHouseholdId", "SEX",
        {"role": "household-id", "categorical": False},
    ),
    "zero weights": Case("Warning: The weight W is zero in 2 records.", "roleWeight", "W",
                         lines=weights("0", "0", "7")),
    "normalised weights": Case(
        "Warning: The weights W look normalised: they add up to 40 over 40 records. Population frequencies need "
        "weights that add up to the population.", "roleWeight", "W", lines=weights("1"),
    ),
    "weight that is no number": Case(
        "Error: The weight W is not a number in one record. Correct the data, or choose another weight variable.",
        "roleWeight", "W", lines=weights("abc", "7"),
    ),
    "negative weight": Case(
        "Error: The weight W is negative in one record. Correct the data, or choose another weight variable.",
        "roleWeight", "W", lines=weights("-1", "7"),
    ),
    "weight that is empty": Case(
        "Error: The weight W is empty or missing in one record. Correct the data, or choose another weight variable.",
        "roleWeight", "W", lines=weights("", "7"),
    ),
    "categorical weight": Case(
        "Warning: W is the weight and yet marked categorical.", "categorical", "W", {"categorical": True},
    ),
    "scattered members": Case(
        "Warning: The members of 2 of 20 households of HH do not stand together in the file; they are gathered by HH.",
        "roleHouseholdId", "HH", lines=lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
    ),
    "record without identifier": Case(
        "Warning: The household identifier HH is empty or missing in one record.", "roleHouseholdId", "HH",
        lines=lambda lines: ["  " + lines[0][2:], *lines[1:]],
    ),
    "household variable that varies": Case(
        "Warning: SEX is a household variable, but has several values in 20 of 20 households: HH 10, 11, 12, 13, 14, "
        "15, 16, 17, 18, 19 and 10 others.", "roleHouseholdVariable", "SEX", {"household": True},
    ),
    "household variable without identifier": Case(
        "Warning: REGION is a household variable, but there is no household identifier.", "roleHouseholdVariable",
        "REGION",
    ),
    "household variable not declared": Case(
        "Note: No household has two values of REGION: a household variable that is not declared?",
        "roleHouseholdVariable", "REGION", {"household": False},
    ),
    "not numerical": Case(
        "Warning: SEX is numerical, but holds something else in one record: x.", "numeric", "SEX",
        {"numeric": True}, lines=lambda lines: [lines[0][:2] + "x" + lines[0][3:], *lines[1:]],
    ),
    "related to itself": Case(
        "Error: SEX is related to itself. Choose another variable, or none.", "relatedTo", "SEX", {"related": "SEX"}
    ),
    "related to nothing": Case(
        "Error: SEX is related to GONE, which is not a variable. Choose another variable, or none.", "relatedTo",
        "SEX", {"related": "GONE"},
    ),
    "related in a circle": Case(
        "Warning: REGION and SEX are related in a circle: suppressing one suppresses all of the circle.", "relatedTo",
        "REGION", {"related": "SEX"},
    ),
    "identification level": Case(
        "Error: The identification_level of SEX is 9. It lies between 0 and 5.", "identificationLevel", "SEX",
        {"identification_level": 9},
    ),
}  # fmt: skip
ELSEWHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "two weights": ("SEX", {"role": "weight", "categorical": False, "numeric": True, "identification_level": 0}),
    "household variable without identifier": ("HH", {"role": "other"}),
    "related in a circle": ("SEX", {"related": "REGION"}),
}
"""What is done to another variable than the one that is spoken of."""


@pytest.fixture
def shown(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, answers: list[int]) -> Iterator[Any]:
    """Opens Specify Metadata on a small fixed file, one after the other in the same main window."""
    main = open_window()

    def show(lines: Lines | None = None) -> SpecifyMetadata:
        put_away()
        records = [line(i) for i in range(ROWS)]
        (tmp_path / "x.rda").write_text(RDA, encoding="utf-8")
        data = tmp_path / "x.asc"
        data.write_text("".join(f"{r}\n" for r in (lines(records) if lines else records)), encoding="utf-8")
        main.commands.open_path(data, checked=False)
        wait_idle(qtbot, main.document)
        return opened(qtbot, main)

    def put_away() -> None:
        answers[:] = [0]
        main.windows.close_all()

    yield show
    put_away()


def chosen(qtbot: QtBot, window: SpecifyMetadata, text: str) -> None:
    """Click the problem that says `text`."""
    found = window.problems.list
    (row,) = [i for i, said in enumerate(texts(found)) if said.startswith(text)]
    item = found.item(row)
    found.scrollToItem(item)
    qtbot.mouseClick(found.viewport(), LEFT, pos=found.visualItemRect(item).center())


def test_a_problem_is_said_and_leads_to_its_field(
    qtbot: QtBot, shown: Any, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for kind, case in CASES.items():
        with subtests.test(kind):
            window: SpecifyMetadata = shown(case.lines)
            assert case.lines is not None or texts(window.problems.list) == []
            at = place(window, case.variable)
            if case.codelist:
                path = tmp_path / "own.cdl"
                path.write_text(case.codelist, encoding="utf-8")
                window.draft.change([at], codelist=path)
            if case.change:
                window.draft.change([at], **case.change)
            if kind in ELSEWHERE:
                other, change = ELSEWHERE[kind]
                window.draft.change([place(window, other)], **change)
            examined(qtbot, window)
            window.table.select_places([(at + 1) % 4])
            chosen(qtbot, window, case.text)
            assert window.places == [at]
            focus = QApplication.focusWidget()
            assert focus is not None
            assert focus.objectName() == case.box
            assert focus.isEnabled()
            if not case.text.startswith("Note"):
                assert case.text.split(": ", 1)[1] in window.form.problem.text()
            if case.text.startswith("Error") and window.draft.touched:
                window.accept.click()
                assert "to be solved first" in window.messages.text
                assert window.isVisible()


def test_a_file_in_order_has_no_problems(shown: Any) -> None:
    window = shown()
    assert texts(window.problems.list) == []
    assert window.problems.tabs.tabText(0) == "No problems"
    assert not window.problems.solve.isVisible()


def solve(qtbot: QtBot, window: SpecifyMetadata, text: str, offer: str) -> None:
    chosen(qtbot, window, text)
    button = window.findChild(QPushButton, "applyProblems")
    assert button is not None
    assert button.text() == offer
    qtbot.mouseClick(button, LEFT)
    examined(qtbot, window)
    assert not [said for said in texts(window.problems.list) if said.startswith(text)]


def test_a_missing_code_is_declared_by_a_click(qtbot: QtBot, shown: Any) -> None:
    window = shown(lambda lines: [*lines[:-1], lines[-1][:2] + "9" + lines[-1][3:]])
    window.draft.change([place(window, "SEX")], missing=())
    examined(qtbot, window)
    solve(qtbot, window, "Warning: SEX has no missing code", "Take 8 as missing")
    assert variable(window, "SEX").missing == ("8",)


def test_household_variables_are_declared_by_a_click(qtbot: QtBot, shown: Any) -> None:
    window = shown()
    window.draft.change([place(window, "REGION")], household=False)
    examined(qtbot, window)
    solve(qtbot, window, "Note: No household has two values of REGION", "Make REGION a household variable")
    assert variable(window, "REGION").household


def delimited(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, text: str, recipe: Recipe
) -> SpecifyMetadata:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    main = open_window()
    main.document.start("Open", replace(recipe, input=replace(recipe.input, data=path)))
    wait_idle(qtbot, main.document)
    return opened(qtbot, main)


def test_empty_is_missing_in_a_delimited_file_unless_declared_otherwise(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, answers: list[int]
) -> None:
    edits = VariableEdit("A", missing=()), VariableEdit("B", missing=())
    said = Recipe(input=Input(), variables=edits, combinations=(Combination(("A",)),))
    window = delimited(qtbot, open_window, tmp_path, "A,B\n1,x\n2,y\n", said)
    assert not [text for text in texts(window.problems.list) if "B has no missing code" in text], (
        "no combination uses B"
    )
    solve(qtbot, window, "Warning: A has no missing code; local suppression needs one.", "Take empty as missing")
    assert variable(window, "A").missing == ("",)
    answers.append(0)
    window.close()


def test_columns_that_no_variable_describes_are_named(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    said = Recipe(input=Input(variables="here"), variables=(VariableEdit("B"),))
    window = delimited(qtbot, open_window, tmp_path, "A,B,C\n1,x,5\n2,y,6\n", said)
    assert texts(window.problems.list) == [
        "Note: No variable describes the columns A, C; they are never copied to the safe file."
    ]
    window.close()


def test_columns_without_names_are_told_apart(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, answers: list[int]
) -> None:
    window = delimited(qtbot, open_window, tmp_path, "1,2\n3,4\n", Recipe(input=Input(header=False)))
    window.draft.change([1], column=1)
    examined(qtbot, window)
    chosen(qtbot, window, "Error: V2 and V1 are both column 1. Correct one of them.")
    assert window.form.column.hasFocus()
    window.draft.change([1], column=0)
    examined(qtbot, window)
    chosen(qtbot, window, "Error: The column of V2 is 0. Columns count from 1.")
    assert window.form.column.hasFocus()
    answers.append(0)
    window.close()


def test_where_there_are_no_problems_the_table_has_their_room(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    problems = metadata.problems
    bar = problems.tabs.tabBar().sizeHint().height()
    qtbot.waitUntil(lambda: problems.height() <= bar)
    room = metadata.table.height()
    metadata.draft.rename(0, metadata.draft.variables[1].name)
    qtbot.waitUntil(lambda: problems.height() > 4 * bar and metadata.table.height() < room)
    metadata.draft.rename(0, "HHID")
    qtbot.waitUntil(lambda: problems.height() <= bar and metadata.table.height() == room)
    metadata.proposals.show_findings((), ())
    problems.show_check()
    qtbot.waitUntil(lambda: metadata.proposals.state.isVisible() and problems.height() < 2 * bar)
