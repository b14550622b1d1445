"""``[[utility]]`` carried out: one entry, on the original and on the released file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.base.errors import DataError, PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.recipe.analyses import variables_of_analysis
from core.recipe.model import Analysis
from core.recipe.model_formula import parse_formula
from core.utility.compared import ComparedFile
from core.utility.own_models import ComparedModel, compared_model
from core.utility.own_tables import ComparedMeans, ComparedTable, compared_means, compared_table


@dataclass(frozen=True)
class NotCompared:
    """An entry that cannot be made of one of the files; `reason` says why."""

    entry: Analysis
    reason: PavoError

    def summary(self, inside: bool = True) -> dict[str, Any]:
        """What was asked for, and why there is none."""
        if not inside:  # it may name a variable that nobody outside knows of
            return {"not_possible": translate(mark("It cannot be made of both files."))}
        entry = self.entry
        said = {"table": list(entry.table), "mean": entry.mean, "by": list(entry.by), "model": entry.model}
        return {key: value for key, value in said.items() if value} | {"not_possible": self.reason.sentence}


Compared = ComparedTable | ComparedMeans | ComparedModel | NotCompared


def compared(file: ComparedFile, entry: Analysis, progress: Progress = SILENT) -> Compared:
    """The table, the means or the model of `entry`, made of both files."""
    progress.check()
    try:
        _check_released(file, entry)
        if entry.table:
            return compared_table(file, entry.table)
        if entry.mean:
            found = compared_means(file, entry.mean, entry.by)
            if any(found.before):
                return found
            raise DataError(
                "utility-no-numbers",
                mark("{variable} has no numbers of which to take a mean."),
                mark("Take another variable."),
                variable=entry.mean,
            )
        return compared_model(file, entry.model, parse_formula(entry.model, "utility.model"), progress)
    except DataError as error:
        return NotCompared(entry, error)


def _check_released(file: ComparedFile, entry: Analysis) -> None:
    for _key, name in variables_of_analysis(entry):
        if name not in file.variables:
            raise DataError(
                "utility-not-released",
                mark("The safe file has no {variable}, so that this cannot be made of it."),
                mark("Take another variable, or release it."),
                variable=name,
            )
