"""``[[utility]]`` carried out: one entry, on the original and on the released file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.errors import DataError, PavoError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural, translate
from ..recipe.analyses import variables_of_analysis
from ..recipe.model import Analysis
from .compared import AllRecords, ComparedFile, ComparedRecords
from .own_models import ComparedModel, ModelFold
from .own_tables import ComparedMeans, ComparedTable, MeansFold, TableFold


@dataclass(frozen=True)
class NotCompared:
    """An entry that cannot be made of one of the files; `reason` says why."""

    entry: Analysis
    reason: PavoError

    def summary(self, inside: bool = True) -> dict[str, Any]:
        """What was asked for, and why there is none."""
        if not inside:  # it may name a variable that nobody outside knows of
            return {"not_possible": translate(mark("It cannot be made of both files."))} | self._goal
        entry = self.entry
        said = {"table": list(entry.table), "mean": entry.mean, "by": list(entry.by), "model": entry.model}
        named = {key: value for key, value in said.items() if value}
        return named | {"not_possible": self.reason.sentence} | self._goal

    @property
    def goal(self) -> float | None:
        """The goal that it cannot keep; None: none is said."""
        return self.entry.goal

    @property
    def _goal(self) -> dict[str, Any]:
        return {} if self.goal is None else {"goal": {"at_most": self.goal, "kept": False}}


def keeps_goal(found: Compared) -> bool | None:
    """Whether the goal of an analysis is kept, which what cannot be made does not; None: it has none."""
    if isinstance(found, ComparedModel) or found.goal is None:
        return None
    return not isinstance(found, NotCompared) and not found.failing


Compared = ComparedTable | ComparedMeans | ComparedModel | NotCompared


def compared(file: ComparedFile, entry: Analysis, progress: Progress = SILENT) -> Compared:
    """The table, the means or the model of `entry`, made of both files."""
    progress.check()
    fold, records = AnalysisFold(file, entry, progress), AllRecords(file)
    while fold.waiting:
        fold.add(records)
        fold.turn()
    return fold.found()


class AnalysisFold:
    """An entry on its way, as the records of both files are given, once or again and again.

    Tables take them once, means a second time for their spread, models for each step of their fit.

    Parameters
    ----------
    file : its variables may have a row for several records, see `ComparedRecords`
    entry : what is to be made
    progress : asked by models whether to go on
    """

    def __init__(self, file: ComparedFile, entry: Analysis, progress: Progress = SILENT) -> None:
        self._entry = entry
        self._fold: TableFold | MeansFold | ModelFold | DataError
        try:
            check_released(file, entry)
            if entry.table:
                self._fold = TableFold(file, entry)
            elif entry.mean:
                self._fold = MeansFold(file, entry)
            else:
                self._fold = ModelFold(file, entry, progress)
        except DataError as error:
            self._fold = error
        self.waiting = not isinstance(self._fold, DataError)

    def add(self, records: ComparedRecords) -> None:
        """Add records that follow those before."""
        assert not isinstance(self._fold, DataError), "it waits for records"
        self._fold.add(records)

    def turn(self) -> bool:
        """After all records: whether they are wanted once more."""
        self.waiting = not isinstance(self._fold, DataError) and self._fold.turn()
        return self.waiting

    def found(self) -> Compared:
        """What all records come to."""
        if isinstance(self._fold, DataError):
            return NotCompared(self._entry, self._fold)
        try:
            found = self._fold.found()
        except DataError as error:
            return NotCompared(self._entry, error)
        return has_numbers(found, self._entry) if isinstance(found, ComparedMeans) else found


def has_numbers(found: ComparedMeans, entry: Analysis) -> Compared:
    """The means themselves, where there are numbers of which to take some."""
    if any(found.before):
        return found
    error = DataError(
        "utility-no-numbers",
        mark("{variable} has no numbers of which to take a mean."),
        mark("Take another variable."),
        variable=entry.mean,
    )
    return NotCompared(entry, error)


def check_released(file: ComparedFile, entry: Analysis) -> None:
    """Refuse an entry with a variable that the safe file does not have.

    Raises
    ------
    DataError
        ``utility-not-released``
    """
    for _key, name in variables_of_analysis(entry):
        if name not in file.variables:
            raise DataError(
                "utility-not-released",
                mark("The safe file has no {variable}, so that this cannot be made of it."),
                mark("Take another variable, or release it."),
                variable=name,
            )


def goal_sentence(found: Compared, share: Callable[[float], str] = "{:.4g}".format, most: int = 3) -> str:
    """Whether an analysis keeps its goal, in a sentence that names the groups which fail; empty where it has none.

    Parameters
    ----------
    share : how a fraction is written as a percentage
    most : groups that are named; of more the others are counted
    """
    if isinstance(found, ComparedModel) or found.goal is None:
        return ""
    at_most = share(found.goal)
    if isinstance(found, NotCompared):
        return translate("The goal, a change of at most {share}, is not kept.").format(share=at_most)
    places = found.failing
    if not places:
        if isinstance(found, ComparedTable):
            return translate("The goal is kept: no count changes by more than {share}.").format(share=at_most)
        return translate("The goal is kept: no mean changes by more than {share}.").format(share=at_most)
    names, groups = (
        (found.variables, found.cells) if isinstance(found, ComparedTable) else (found.by, found.groups)
    )  # fmt: skip
    listed = []
    for place in places[:most]:
        change = found.changes[place]
        told = translate("new or lost") if change is None else ("+" if change > 0 else "−") + share(abs(change))
        name = " × ".join(f"{name} {code}" for name, code in zip(names, groups[place], strict=True))
        listed.append(f"{name} ({told})" if name else told)
    said = plural(
        len(places),
        "The goal, a change of at most {share}, is not kept: {groups}.",
        "The goal, a change of at most {share}, is not kept in {count} groups: {groups}.",
    )
    more = len(places) - len(listed)
    if more:
        listed.append(translate("{n} more").format(n=more))
    return translate(said).format(share=at_most, count=len(places), groups=", ".join(listed))
