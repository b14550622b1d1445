"""Writes the guide's page of the command from its own parsers: python -m tests.command_guide."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from core import batch, check_command, memo

PAGE = Path(__file__).resolve().parents[1] / "resources" / "help" / "command-reference.md"

HEAD = """# The command

`python main.py` beside the program's files, and `pavo` where it is installed: both take the same words.

| Command | |
|---|---|
| `python main.py [FILE…]` | opens windows, with a session or a data file |
| `python main.py run RECIPE` | carries out a recipe without windows |
| `python main.py memo LAST THIS --out FILE` | writes what changed between two releases |
| `python main.py check SUMMARY` | says whether the files of a run are those that it wrote |
| `python main.py prepare` | compiles the calculations for this computer beforehand |
| `python main.py --self-check` | says what the program is made of, and checks that it computes what is known |
| `python main.py --version`, `--help` | the version; the usage |

[A tutorial](tutorial-batch.md) leads through `run`.
"""

RUN = """Progress stands on standard error, where that is a terminal. The summary goes to standard output where the \
recipe names no file for it. All outputs appear together at the end, or none does. Files are made and \
replaced in the recipe's own folder or that of `--out`, or below them, links followed; anywhere else only with \
`--overwrite`. A file that is read is never replaced.

A recipe that the program saved holds the SHA-256 of every file that is read. A run refuses a file with another one, \
and names it. With `--accept-changed` the run uses the files as they are. Then it writes their checksums into the \
recipe, also into one that had none; the rest of its text stays as it is.

With `--require-ready` the status is 4 where the [verdict](verdict.md) on the safe file is not `ready`, also where the \
recipe names no target. All files are written all the same, and a sentence on standard error says why."""

MEMO = """LAST and THIS are recipes that were carried out, or the folders where their files are. What differs between \
them is said: keys, recodes, thresholds, figures."""

CHECK = """The summary names every file that the run wrote, with its SHA-256. Paths are taken from the folder of the \
summary. Of a file in parts the manifest is checked, and every part that it names. Each file that is missing, is \
another one, or is no part is named on standard error. The status is 0 where the files are those, 1 where they are \
not, and 2 where SUMMARY is no summary with checksums."""

FOOT = """## Exit status

| Status | |
|---|---|
| 0 | done; and verified, where something was protected |
| 1 | refused, failed or stopped: one sentence on standard error says why, and nothing is written |
| 1 | `check`: a file is missing or is another one |
| 2 | wrong usage: an option that does not exist, or a value that it cannot have |

Ctrl+C stops a run at its next step, with nothing written and the status 1. A second one does not wait for that step.

## Environment

| Variable | |
|---|---|
| `SOURCE_DATE_EPOCH` | the date of report and summary, in seconds since 1970; without it that of the run |
"""


def page() -> str:
    """The whole page."""
    commands = ("run", RUN, batch._parser()), ("memo", MEMO, memo._parser()), ("check", CHECK, check_command._parser())
    return "\n".join((HEAD, *(line for each in commands for line in _command(*each)), FOOT))


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## `{name}`\n\n{text}\n\n| Option | |\n|---|---|"
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction):
            yield f"| `{_called(action)}` | {_sentence(action)} |"
    for group in parser._mutually_exclusive_groups:
        yield "\nAt most one of " + " and ".join(f"`{_called(each)}`" for each in group._group_actions) + "."
    yield ""


def _called(action: argparse.Action) -> str:
    if not action.option_strings:
        return action.dest.upper()
    values = action.metavar if isinstance(action.metavar, tuple) else (action.metavar or "",)
    return " ".join((action.option_strings[-1], *values)).strip()


def _sentence(action: argparse.Action) -> str:
    said = str(action.help)
    return said + (" (required)" if action.required and action.option_strings else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
