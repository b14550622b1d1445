"""The bundled demonstration survey, copied to the user's documents before it is opened."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.base.errors import OutputError
from core.base.texts import mark
from gui.places import RESOURCES, documents

SESSION = "survey.pavo"
FOLDER = "Pavo demonstration"
_NOT_FOR_USERS = (".py", ".pyc")


def available() -> bool:
    """Whether this copy of the program has the survey."""
    return (RESOURCES / "demo" / SESSION).is_file()


def copy_to_documents() -> Path:
    """Copy what is not there yet, and give the session's path; what the user changed there stays theirs."""
    target = documents() / FOLDER
    try:
        target.mkdir(parents=True, exist_ok=True)
        for source in sorted((RESOURCES / "demo").iterdir()):
            if source.is_file() and source.suffix not in _NOT_FOR_USERS and not (target / source.name).exists():
                shutil.copyfile(source, target / source.name)
    except OSError as error:
        raise OutputError(
            "demonstration-not-copied",
            mark("The demonstration survey cannot be copied to {folder}: {reason}."),
            mark("Make room there, or open resources/demo/survey.pavo from a folder of your own."),
            folder=str(target),
            reason=error.strerror or str(error),
        ) from error
    return target / SESSION
