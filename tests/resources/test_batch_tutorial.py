"""The guide's tutorial of the command is carried out as it stands."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from core.batch import main

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
PAGE = RESOURCES / "help" / "tutorial-batch.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_command_does_what_the_tutorial_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(RESOURCES / "demo", tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    done = 0
    for kind, said, text in _BLOCK.findall(PAGE.read_text("utf-8")):
        if kind == "toml":
            Path(said).write_text(text, encoding="utf-8")
        elif kind == "sh":
            words = shlex.split(text)
            assert words[:3] == ["python", "main.py", "run"]
            assert main(words[3:]) == int(said or 0)
            done += 1
        elif kind == "json":
            lines = [line.strip() for line in Path(said).read_text("utf-8").splitlines()]
            assert [line for line in text.splitlines() if line not in lines] == []
        else:
            assert text.strip() in capsys.readouterr().err
    assert done == 3
    first, second = Path("safe/my-survey.asc"), Path("release/my-survey.asc")
    assert first.read_bytes() == second.read_bytes()
    assert {file.name for file in Path("safe").iterdir()} == {file.name for file in Path("release").iterdir()}
