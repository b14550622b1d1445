"""The command ``check SUMMARY``: whether the files that a run wrote are still those."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .base.errors import DataError, PavoError
from .base.plain_file import checksum_of, read_plain
from .base.program import called
from .base.progress import SILENT, Progress
from .base.streams import complain, write_out
from .base.texts import mark, plural, translate
from .batch import Parser
from .recipe.in_parts import MANIFEST, sum_of_parts

WRONG_USAGE = 2


@dataclass(frozen=True)
class CheckedFile:
    """A file that a summary names; `problem` says in words what is wrong with it, and is empty where it is the one."""

    path: Path
    problem: str = ""


def check_files(summary: Path, progress: Progress = SILENT) -> list[CheckedFile]:
    """The files of a summary, and which of them are no longer those that the run wrote.

    Of a file in parts the parts are those that its manifest names.

    Raises
    ------
    PavoError
        It is no summary, or one without checksums.
    """
    files = _files(summary)
    folder = Path(os.path.realpath(summary)).parent
    return [found for path, sha256 in _named(files, summary) for found in _checked(folder / path, sha256, progress)]


def main(argv: Sequence[str]) -> int:
    """The command ``check``; `argv` is what follows that word.

    Returns
    -------
    int
        0 the files are those; 1 not; 2 wrong usage, or it is no summary with checksums.
    """
    try:
        given = _parser().parse_args(argv)
        found = check_files(given.summary)
    except SystemExit as end:
        return int(end.code or 0)
    except PavoError as error:
        complain(str(error))
        return WRONG_USAGE
    wrong = [each for each in found if each.problem]
    for each in wrong:
        complain(each.problem)
    if wrong:
        return 1
    text = plural(len(found), "{n} file is the one that was written.", "{n} files are those that were written.")
    write_out(translate(text).format(n=len(found)) + "\n")
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog=f"{called()} check",
        description=translate(mark("Check whether the files of a run are those that it wrote.")),
        allow_abbrev=False,
    )
    parser.add_argument("summary", type=Path, help=translate(mark("the summary of the run (.json)")))
    return parser


def _files(summary: Path) -> Mapping[str, Any]:
    try:
        said = json.loads(read_plain(summary).decode("utf-8-sig"))
    except OSError as error:
        raise DataError(
            "summary-unreadable",
            mark("The summary {file} cannot be read: {reason}."),
            "",
            file=str(summary),
            reason=error.strerror or str(error),
        ) from None
    except (ValueError, RecursionError):
        said = None
    files = said.get("files") if isinstance(said, dict) else None
    if not isinstance(files, dict):
        raise _no_summary(summary)
    return files


def _no_summary(summary: Path) -> DataError:
    return DataError(
        "summary-without-checksums",
        mark("{file} is no summary with the checksums of files."),
        mark("Name the summary of a run that wrote files. Earlier versions wrote no checksums."),
        file=str(summary),
    )


def _named(files: Mapping[str, Any], summary: Path) -> list[tuple[str, str]]:
    """Path and checksum of each file; of codelists those by variable."""
    entries = [each for key, value in files.items() for each in (value.values() if _is_nested(key, value) else [value])]
    named = [(each.get("path"), each.get("sha256")) for each in entries if isinstance(each, dict)]
    sound = [(path, sha256) for path, sha256 in named if isinstance(path, str) and isinstance(sha256, str)]
    if not sound or len(sound) < len(entries) or any("\0" in path for path, _sha256 in sound):
        raise _no_summary(summary)
    return sound


def _is_nested(key: str, value: Any) -> bool:
    return key == "codelists" and isinstance(value, dict)


def _checked(path: Path, sha256: str, progress: Progress) -> Iterator[CheckedFile]:
    if os.path.isdir(path):  # noqa: PTH112  a name that is too long is none, and no error
        yield from _checked_parts(path, sha256, progress)
    else:
        yield _one(path, sha256, progress)


def _one(path: Path, sha256: str, progress: Progress) -> CheckedFile:
    if not os.path.lexists(path):
        return CheckedFile(path, translate(mark("{file} is missing.")).format(file=path))
    try:
        same = checksum_of(path, progress) == sha256.lower()
    except OSError as error:
        told = translate(mark("{file} cannot be read: {reason}."))
        return CheckedFile(path, told.format(file=path, reason=error.strerror or str(error)))
    return CheckedFile(path, "" if same else _other(path))


def _other(path: Path) -> str:
    return translate(mark("{file} is not the file that was written.")).format(file=path)


def _checked_parts(folder: Path, sha256: str, progress: Progress) -> Iterator[CheckedFile]:
    """The parts in a folder, by its manifest; and what is there beside them, which would pass for a part."""
    try:
        parts = {part["name"]: part["sha256"] for part in json.loads(read_plain(folder / MANIFEST))["parts"]}
        same = sum_of_parts((said, name) for name, said in parts.items()) == sha256.lower()
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        parts, same = {}, False
    if not same:  # of a manifest that is another one nothing is believed
        told = translate(mark("The manifest of {file} is not the one that was written.")).format(file=folder)
        yield CheckedFile(folder, told)
        return
    for name, said in parts.items():
        yield _one(folder / name, said, progress)
    for path in sorted(folder.iterdir()):
        if path.name not in parts and path.name != MANIFEST and not path.name.startswith("."):
            yield CheckedFile(path, translate(mark("{file} is no part of the safe file.")).format(file=path))
