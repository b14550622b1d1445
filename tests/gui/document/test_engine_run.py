"""What a run in the windows says of the recipe, saved or not."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from core.recipe.model import Combination, Input, Output, Recipe, VariableEdit
from gui.document.engine import Engine


def test_paths_of_an_unsaved_session_are_those_from_the_folder_of_the_data(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("A,B\n1,2\n2,2\n")
    recipe = Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("A", categorical=True),),
        combinations=(Combination(("A",), "frequency"),),
        output=Output(data=tmp_path / "safe.csv", report=tmp_path / "r.html"),
    )
    for path, said in ((None, "d.csv"), (tmp_path / "kept" / "s.pavo", "../d.csv")):
        Engine().carry_out(recipe, recipe, path)
        assert f'data = "{said}"' in unescape((tmp_path / "r.html").read_text())
