"""One reading of the parts of a file for all that is to be found in a pass.

What is done to the records of a part is a `PartTask`, carried out by whoever reads the part: this process, or a worker.
What comes of it is given in the order of the parts to each `Fold` that asked for the task, in this process: so that
nothing depends on who read what. A fold that wants the records once more has its turn in the next reading, together
with all others that do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ..base.progress import SILENT, Progress
from .parts_progress import OfOnePart, PartsProgress
from .source import FilePart, FileParts, PartRows, as_it_was
from .workers import ThisProcess, Workers

Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


class PartTask(Protocol[Made_co]):
    """What is made of the records of each part; a value that can be sent to a worker."""

    @property
    def names(self) -> Sequence[str]:
        """The variables that it looks at."""

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> Made_co:
        """What comes of the records of one part."""


class Fold(Protocol):
    """What is found in one reading or in several."""

    @property
    def task(self) -> PartTask[Any]:
        """What is wanted of each part; folds whose task is one and the same object share what comes of it."""

    def add(self, made: Any) -> None:
        """Take what came of the next part."""

    def turn(self) -> bool:
        """After all parts: whether they are wanted once more."""


@dataclass(frozen=True, eq=False)
class Once(Generic[Made]):
    """A fold of one reading, which gives what comes of each part to `take`."""

    task: PartTask[Made]
    take: Callable[[Made], object]

    def add(self, made: Made) -> None:
        """See `Fold`."""
        self.take(made)

    def turn(self) -> bool:
        """See `Fold`: never once more."""
        return False


def scan(
    source: FileParts, folds: Sequence[Fold], progress: Progress = SILENT, text: str = "",
    workers: Workers | None = None,
) -> None:  # fmt: skip
    """Read the parts for all `folds`, once for each time that one of them wants them.

    Parameters
    ----------
    text : what is done, translated, by which it is told how far the first reading is; empty: it is not told
    workers : who reads the parts; None: this process, by which it is told how far it is within a part, too

    Raises
    ------
    DataError
        What `FileParts.read` refuses.
    """
    waiting = list(folds)
    while waiting:
        tasks = list({id(fold.task): fold.task for fold in waiting}.values())
        place = {id(task): number for number, task in enumerate(tasks)}
        mine = [place[id(fold.task)] for fold in waiting]
        for made in _readings(source, tasks, progress, text, workers):
            for fold, number in zip(waiting, mine, strict=True):
                fold.add(made[number])
        text = ""
        waiting = [fold for fold in waiting if fold.turn()]


def each_part(
    source: FileParts, task: PartTask[Made], progress: Progress = SILENT, text: str = "", workers: Workers | None = None
) -> Iterator[Made]:
    """What comes of each part, in order, as it is asked for; see `scan`."""
    for (made,) in _readings(source, [task], progress, text, workers):
        yield made


@dataclass(frozen=True, eq=False)
class _Reading:
    source: FileParts
    tasks: tuple[PartTask[Any], ...]


def _of_part(asked: _Reading, part: FilePart, progress: Progress) -> tuple[int, tuple[Any, ...]]:
    """The records of one part, and what comes of each task."""
    names = dict.fromkeys(name for task in asked.tasks for name in task.names)
    rows = asked.source.read(part, names, progress)
    with as_it_was(part.known, progress):
        return rows.data.records, tuple(task(rows, progress) for task in asked.tasks)


def _readings(
    source: FileParts, tasks: Sequence[PartTask[Any]], progress: Progress, text: str, workers: Workers | None
) -> Iterator[tuple[Any, ...]]:
    told = PartsProgress(progress, [part.path for part in source.parts], text) if text else None
    # Workers are sent the parts one by one, and of the source no more than how each is read.
    asked = _Reading(FileParts(source.metadata, ()), tuple(tasks))
    if workers is None and told is not None:
        found = _told_within(asked, source.parts, progress, told)
    else:
        found = (workers or ThisProcess()).each(_of_part, asked, source.parts, progress)
    for records, made in found:
        yield made
        if told is not None:
            told.part(records)


def _told_within(
    asked: _Reading, parts: Sequence[FilePart], progress: Progress, told: PartsProgress
) -> Iterator[tuple[int, tuple[Any, ...]]]:
    for part in parts:
        progress.check()
        yield _of_part(asked, part, OfOnePart(told, progress))
