"""The bundled worked examples, each copied to the user's documents before it is opened."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from core.base.errors import OutputError
from core.base.texts import mark
from gui.places import RESOURCES, documents

_NOT_FOR_USERS = (".py", ".pyc")


@dataclass(frozen=True)
class Example:
    """A session of `source`, a folder of the resources, that is worked on in `target`, a folder of the documents.

    `title` and `sentence` say what it is and what one learns by it; `action` is the menu item that opens it.
    """

    source: str
    session: str
    target: str
    title: str
    sentence: str
    action: str
    button: str


SURVEY = Example(
    "demo",
    "survey.pavo",
    "Pavo demonstration",
    mark("The demonstration survey: 5,002 persons"),
    mark("The whole way once: recoded, with a threshold, to be protected. All that the guide shows is this survey."),
    "actionTryTheDemonstrationSurvey",
    "tryDemonstration",
)
HOUSING = Example(
    "examples/housing",
    "housing.pavo",
    "Pavo examples/housing",
    mark("A survey of 1,400 households, ready to protect"),
    mark("Who recognises one member recognises all: households have the threshold, and get new numbers."),
    "actionTryTheHouseholdSurvey",
    "tryHouseholds",
)
COMMUNES = Example(
    "examples/communes",
    "communes.pavo",
    "Pavo examples/communes",
    mark("A survey in 300 communes, half finished"),
    mark("97 % of its 6,000 records are unsafe; three clicks on what the guidance proposes leave 5 %."),
    "actionTryTheSurveyOfCommunes",
    "tryCommunes",
)
EXAMPLES = (SURVEY, HOUSING, COMMUNES)


def available(example: Example = SURVEY) -> bool:
    """Whether this copy of the program has it."""
    return (RESOURCES / example.source / example.session).is_file()


def copy_to_documents(example: Example = SURVEY) -> Path:
    """Copy what is not there yet, and give the session's path; what the user changed there stays theirs."""
    target = documents() / example.target
    try:
        target.mkdir(parents=True, exist_ok=True)
        for source in sorted((RESOURCES / example.source).iterdir()):
            if source.is_file() and source.suffix not in _NOT_FOR_USERS and not (target / source.name).exists():
                shutil.copyfile(source, target / source.name)
    except OSError as error:
        raise OutputError(
            "demonstration-not-copied",
            mark("The example cannot be copied to {folder}: {reason}."),
            mark("Make room there, or open resources/{source} from a folder of your own."),
            folder=str(target),
            reason=error.strerror or str(error),
            source=f"{example.source}/{example.session}",
        ) from error
    return target / example.session
