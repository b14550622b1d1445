"""Why a protected file cannot be made now, in words for the window that makes it."""

from __future__ import annotations

from pathlib import Path

from core.errors import OutputError, PavoError
from core.recipe.model import Recipe
from core.recipe.resolve import effective_threshold, risk_tables
from core.texts import translate
from gui.document import Document


def reason_against_protecting(document: Document, recipe: Recipe) -> tuple[str, str]:
    """Why `recipe` cannot be planned, and the window that helps; empty where it can."""
    derived = document.derived
    if derived is None:
        return (str(document.error) if document.error else translate("The file has to be read first.")), ""
    if recipe.suppression.criterion != "none":
        lacking = [i for i in risk_tables(recipe) if not effective_threshold(recipe, recipe.combinations[i])]
        if lacking:
            names = " × ".join(recipe.combinations[lacking[0]].variables)
            return translate("Choose a threshold for {names} first.").format(names=names), "riskChart"
    from core.recipe.validate import check, check_protectable

    try:
        check(recipe)
        check_protectable(recipe)
    except PavoError as error:
        return str(error), ""
    return "", ""


def problem_with_files(document: Document, recipe: Recipe) -> str:
    """What is wrong with the outputs: an input, a folder, twice the same, another format; empty where nothing is."""
    derived = document.derived
    if derived is None or recipe.output.data is None:
        return ""
    from core.outputs import check_targets
    from core.protect import input_files, targets
    from core.recipe.available import check_output_format

    inputs = {*input_files(recipe, derived.metadata, document.path), *document.inputs()}
    try:
        check_output_format(recipe, derived.metadata.format)
        check_targets(targets(recipe), inputs)
    except OutputError as error:
        return _in_words(error)
    except PavoError as error:
        return str(error)
    return ""


def _in_words(error: OutputError) -> str:
    """The refusal without the recipe's names for outputs."""
    file = Path(str(error.values.get("target", ""))).name
    sentences = {
        "output-is-input": translate("{file} is an input of this session; inputs are never overwritten. Choose another"
                                     " file name."),
        "output-is-folder": translate("{file} is a folder. Name a file in it."),
        "output-twice": translate("Two of the files to be written are the same: {file}. Choose another file name."),
    }  # fmt: skip
    return sentences[error.id].format(file=file) if error.id in sentences else str(error)


def existing_files(recipe: Recipe) -> list[Path]:
    """Outputs of `recipe` that would replace files."""
    from core.protect import targets

    return [path for path in targets(recipe).values() if path.exists()]
