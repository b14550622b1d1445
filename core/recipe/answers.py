"""``[report] answers``: what a person says to the questions that boards ask of a release.

The questions are declared in `core.report.questions`, above the recipe; they are looked up when a recipe has answers.
"""

from __future__ import annotations

import importlib
from typing import cast

from .toml_fields import TomlTable

_QUESTIONS = "..report.questions"


def question_ids() -> tuple[str, ...]:
    """Ids of all questions, in the order in which they are asked."""
    return cast("tuple[str, ...]", importlib.import_module(_QUESTIONS, __package__).IDS)


def read_answers(table: TomlTable) -> tuple[tuple[str, str], ...]:
    """(id, text) of what is answered, in the order of the questions; an empty text answers nothing.

    Raises
    ------
    RecipeError
        An id that no question has, or an answer that is no text, naming it.
    """
    answers = [(name, table.text(name)) for name in question_ids()]
    table.finish()
    return tuple((name, text) for name, text in answers if text)
