"""A tutorial as what it has the reader do: files to write, files to change, commands to type."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "gui", "installer", "resources", "tests")
FILES = ("main.py", "pyproject.toml")
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_OF_THE_TESTS = ("PYTEST_", "NUMBA_", "PYTHONPATH")
_PLAIN_KERNELS = {
    "NUMBA_DISABLE_JIT": "1",  # nothing is compiled yet for the copy, and its files are small
    "PYTEST_ADDOPTS": "-p no:cacheprovider -W 'ignore:overflow encountered:RuntimeWarning'",  # hashes are meant to
}


def follow(tutorial: Path, project: Path) -> list[str]:
    """Do to `project` what a tutorial says, in its order; the commands that were carried out.

    Fails where a change does not fit its file any more, or a command does not succeed.
    """
    done = []
    for kind, name, text in _BLOCK.findall(tutorial.read_text("utf-8")):
        if kind == "sh":
            for line in text.splitlines():
                _type(line, project)
                done.append(line)
        elif kind == "diff":
            _change(project / name, text)
        elif name:
            assert not (project / name).exists(), f"{name} is there already"
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text, encoding="utf-8")
    return done


def _change(file: Path, difference: str) -> None:
    lines = difference.splitlines(keepends=True)
    assert {line[0] for line in lines} <= set(" -+"), f"{file.name}: a line without its sign"
    old = "".join(line[1:] for line in lines if line[0] != "+")
    new = "".join(line[1:] for line in lines if line[0] != "-")
    text = file.read_text("utf-8")
    assert ("\n" + text).count("\n" + old) == 1, f"{file.name} does not hold these lines once:\n{old}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def _type(line: str, project: Path) -> None:
    """Carry out a command with the tools that run the tests."""
    words = shlex.split(line)
    variables = {}
    while "=" in words[0]:
        variables.update([words.pop(0).split("=", 1)])
    tools = Path(sys.executable).parent
    assert words[0].startswith(".venv/bin/")
    words[0] = str(tools / words[0].removeprefix(".venv/bin/"))
    usual = {name: value for name, value in os.environ.items() if not name.startswith(_OF_THE_TESTS)}
    ended = subprocess.run(
        words,
        cwd=project,
        env={**usual, **_PLAIN_KERNELS, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, f"{line}\n{ended.stdout}"
