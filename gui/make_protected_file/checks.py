"""Reasons why a protected file cannot be made now, and questions before it is, in words for that window."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.base.errors import PavoError
from core.base.texts import translate
from core.data.variables import Metadata
from core.recipe.edits import effective_threshold, risk_tables
from core.recipe.in_parts import is_in_parts, paths_of_parts
from core.recipe.model import OUTPUT_FILES, Recipe
from gui import dialogs
from gui.document.document import Document
from gui.shared.long_names import is_there, too_long
from gui.shared.missing_rules import measuring_only_text
from gui.shared.tool_window import ToolWindow


@dataclass(frozen=True)
class FilesLook:
    """What was seen of the files to be written: the problem with them, else what is to be known."""

    recipe: Recipe
    problem: str
    note: str
    outside: Mapping[Path, Path] = field(default_factory=dict)
    """Those neither in the session's folder nor where safe files are proposed, nor below; and where links lead to."""


def reason_against_protecting(document: Document, recipe: Recipe) -> tuple[str, str]:
    """Why `recipe` cannot be planned, and the window that helps; empty where it can."""
    derived = document.derived
    if derived is None:
        return (
            str(document.session.error) if document.session.error else translate("The file has to be read first.")
        ), ""
    if recipe.suppression.criterion != "none":
        lacking = [i for i in risk_tables(recipe) if not effective_threshold(recipe, recipe.combinations[i])]
        if lacking:
            names = " × ".join(recipe.combinations[lacking[0]].variables)
            return translate("Choose a threshold for {names} first.").format(names=names), "riskChart"
        measuring = measuring_only_text(recipe.combinations)
        if measuring:
            return measuring, "selectCombinations"
    from core.recipe.validate import check, check_protectable

    try:
        check(recipe)
        check_protectable(recipe)
        if is_in_parts(recipe.input):
            from core.parts.input_parts import refuse_what_needs_the_whole

            refuse_what_needs_the_whole(recipe, derived.metadata, protecting=True)
    except PavoError as error:
        return str(error), ""
    return "", ""


def look_at_files(
    metadata: Metadata | None, recipe: Recipe, own: Path | None, inputs: Iterable[Path], folders: Iterable[Path] = ()
) -> FilesLook:
    """What is to be said of the outputs of `recipe`; asks the disk, which may take long.

    Parameters
    ----------
    metadata : of the file that was read; None: none was
    own, inputs : the file of the session, and those that it reads
    folders : what is written there, or below, needs no leave
    """
    problem = _problem_with_files(metadata, recipe, own, inputs)
    return FilesLook(recipe, problem, "" if problem else _note_on_files(recipe), _outside(recipe, metadata, folders))


def _outside(recipe: Recipe, metadata: Metadata | None, folders: Iterable[Path]) -> dict[Path, Path]:
    """The outputs that `recipe` names and that, or of which parts or codelists, appear outside the folders."""
    from core.base.outputs import outside_of

    try:
        found = outside_of(folders, _targets(recipe, metadata))
    except PavoError:  # said as what is wrong with the files
        return {}
    named = {role: getattr(recipe.output, role) for role in OUTPUT_FILES}
    # parts and their manifest belong to the data, codelists to the metadata
    roles = (role if role in named else "metadata" if role.startswith("metadata") else "data" for role in found)
    return {path: Path(os.path.realpath(path)) for role in roles if (path := named[role]) is not None}


def _problem_with_files(metadata: Metadata | None, recipe: Recipe, own: Path | None, inputs: Iterable[Path]) -> str:
    """What is wrong with the outputs: an input, a folder, twice the same, another format; empty where nothing is."""
    if metadata is None or recipe.output.data is None:
        return ""
    from core.base.outputs import check_targets
    from core.recipe.available import check_output_format
    from core.release.run import input_files

    try:
        wanted = _targets(recipe, metadata, checked=True)
        check_output_format(recipe, metadata.format)
        check_targets(wanted, {*input_files(recipe, metadata, own), *inputs})
    except PavoError as error:
        return _in_words(error)
    return too_long(wanted.values()) or next(filter(None, map(_why_not_made, _lacking(wanted.values()))), "")


def _targets(recipe: Recipe, metadata: Metadata | None = None, checked: bool = False) -> dict[str, Path]:
    """The files to be written, by role; of a file in parts a file for each part. `checked`: the folder of these, too.

    Raises
    ------
    PavoError
        There are no parts, or the folder holds other files.
    """
    from core.release.run import targets

    named = targets(recipe, metadata)
    if "data" not in named or not is_in_parts(recipe.input):
        return named
    from core.parts.run import check_folder, targets_of_parts

    found = targets_of_parts(named["data"], paths_of_parts(recipe.input), named)
    if checked:
        check_folder(named["data"], found.values())
    return found


def _in_words(error: PavoError) -> str:
    """The refusal without the recipe's names for outputs."""
    values = {"file": Path(str(error.values.get("target", ""))).name, **error.values}
    sentences = {
        "output-is-input": translate("{file} is an input of this session; inputs are never overwritten. Choose another"
                                     " file name."),
        "output-is-folder": translate("{file} is a folder. Name a file in it."),
        "output-twice": translate("Two of the files to be written are the same: {file}. Choose another file name."),
        "output-format": translate("Files of the kind {suffix} can be read, but not written. Write {other} instead,"
                                   " which the same program reads."),
        "output-format-foreign": translate("{suffix} says another kind of file than Pavo writes. Give the safe file the"
                                           " suffix of the original, or one of .csv, .tsv, .sav, .dta, .xpt, .parquet"
                                           " and .xlsx."),
        "output-format-sas": translate("Of a SAS data set the safe file is written as .xpt or in another format. Give"
                                       " it the suffix .xpt, .csv, .sav, .dta or .parquet."),
    }  # fmt: skip
    return sentences[error.id].format(**values) if error.id in sentences else str(error)


_NOT_IN_NAMES = '<>:"|?*'
"""What folder names cannot have on every system; a new one is better made without."""


def _lacking(files: Iterable[Path]) -> list[Path]:
    """Folders of files to be written that are not there."""
    return [folder for folder in dict.fromkeys(path.parent for path in files) if not is_there(folder)]


def _why_not_made(folder: Path) -> str:
    """Why a folder that is not there cannot be made; empty where it can."""
    there = next((parent for parent in folder.parents if is_there(parent)), None)
    if there is None:
        return translate("There is no folder {folder}.").format(folder=folder)
    if not there.is_dir():
        text = translate("The folder {folder} cannot be made: {there} is a file.")
        return text.format(folder=folder, there=there)
    if any(sign in _NOT_IN_NAMES or not sign.isprintable() for sign in str(folder.relative_to(there))):
        text = translate("The folder {folder} is not there, and no new one is made with any of {signs} in its name.")
        return text.format(folder=folder, signs=" ".join(_NOT_IN_NAMES))
    if not os.access(there, os.W_OK):
        text = translate("The folder {folder} cannot be made: you may not write in {there}.")
        return text.format(folder=folder, there=there)
    return ""


def _note_on_files(recipe: Recipe) -> str:
    """Which folder will be made; empty where all are there."""
    try:
        lacking = _lacking(_targets(recipe).values())
    except PavoError:  # said as what is wrong with the files
        return ""
    if not lacking:
        return ""
    if len(lacking) == 1:
        return translate("The folder {folder} is not there yet: it will be made.").format(folder=lacking[0])
    names = ", ".join(map(str, lacking))
    return translate("The folders {folders} are not there yet: they will be made.").format(folders=names)


def note_on_suppression(recipe: Recipe, criteria: int) -> str:
    """Why nothing can be suppressed; empty where it can."""
    if not recipe.combinations:
        return translate(
            "No key variables are chosen: nothing is measured, and the file is written without suppression."
        )
    if criteria < 2:
        return translate("Suppression for these models is not available in this version; recode instead.")
    return ""


def may_write_unprotected(window: ToolWindow) -> bool:
    """Ask whether a file without key variables is to be written; the user may go and choose some instead."""
    answer = dialogs.ask(
        window,
        translate(
            "No key variables are chosen: nothing is measured and nothing is protected. Write an unprotected copy?"
        ),
        translate(
            "Key variables are what an outsider could know about a person, such as region, sex and age. Choose them in "
            "Select Combinations, and Pavo measures and lowers the risk."
        ),
        [translate("&Write an unprotected copy"), translate("Choose &key variables"), translate("&Cancel")],
        1,
    )
    if answer == 1:
        window.open_window("selectCombinations")
    return answer == 0


def may_write_outside(window: ToolWindow, outside: Mapping[Path, Path]) -> bool:
    """Ask about files elsewhere that the session named when it was opened; once for each."""
    given = window.document.session.given_outputs
    asked = [path for path in outside if path in given]
    if not asked:
        return True
    question = translate("Write files outside the session's folder?")
    told = translate("The session named these files when it was opened. Check them if you did not make the session.")
    names = "\n".join([told, *(str(outside[path]) for path in asked)])
    if dialogs.ask(window, question, names, [translate("&Write there"), translate("&Cancel")], 1) != 0:
        return False
    given.difference_update(asked)
    return True


def may_replace(window: ToolWindow, recipe: Recipe) -> bool:
    """Ask about files that exist already."""
    derived = window.document.derived
    existing = existing_files(recipe, None if derived is None else derived.metadata)
    if not existing:
        return True
    question = translate("Replace the files that exist already?")
    names = "\n".join(map(str, existing))
    return dialogs.ask(window, question, names, [translate("&Replace"), translate("&Cancel")], 1) == 0


def existing_files(recipe: Recipe, metadata: Metadata | None) -> list[Path]:
    """Outputs of `recipe`, codelists of its recodes included, that would replace files."""
    return [path for path in _targets(recipe, metadata).values() if is_there(path)]
