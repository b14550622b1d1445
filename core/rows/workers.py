"""Who does the work on the parts: this process, one part after the other, or workers of Dask, several at a time.

What is given back stands in the order of the parts, whoever did it, and depends on nobody else's part.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ..base.errors import RecipeError
from ..base.program import is_installed
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..kernels.sources import digest_of

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Found = TypeVar("Found")

_LOOK_EVERY = 0.2
"""Seconds between two looks at whether to go on."""
_WORKERS_EVERY = 15
"""So many of them between two looks at whether there is a worker."""
_LIBRARIES = ("numpy", "pandas", "pyarrow", "numba", "scipy")
"""What reads, counts and writes parts, beside the program itself."""
_SETTINGS = {
    "distributed.scheduler.allowed-failures": 3,  # so often the work on a part is begun anew after its worker was lost
    "distributed.comm.timeouts.connect": "10s",
    "distributed.admin.large-graph-warning-threshold": "1 TiB",  # what is done to the cells goes to every worker
}


class Workers(Protocol):
    """Who carries out one task a part."""

    def each(
        self,
        task: Callable[[Shared, Item, Progress], Found],
        shared: Shared,
        items: Sequence[Item],
        progress: Progress = SILENT,
    ) -> Iterator[Found]:
        """``task(shared, item, progress)`` for each of `items`, in their order; `task` is a function of a module."""


class _Checking:
    """Asks whether to go on, but tells nothing of how far the work on one part is."""

    def __init__(self, progress: Progress) -> None:
        self.check = progress.check

    def report(self, done: float, total: float, text: str) -> None:
        """Told by parts."""


class ThisProcess:
    """Does one task after the other, each when it is asked for."""

    def each(
        self,
        task: Callable[[Shared, Item, Progress], Found],
        shared: Shared,
        items: Sequence[Item],
        progress: Progress = SILENT,
    ) -> Iterator[Found]:
        """See `Workers`."""
        for item in items:
            progress.check()
            yield task(shared, item, _Checking(progress))


class DaskWorkers:
    """Gives every task to a worker of Dask; that of a worker that is lost is begun anew by another one."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def each(
        self,
        task: Callable[[Shared, Item, Progress], Found],
        shared: Shared,
        items: Sequence[Item],
        progress: Progress = SILENT,
    ) -> Iterator[Found]:
        """See `Workers`.

        Raises
        ------
        RecipeError
            ``workers-lost``: the scheduler, or a worker again and again; ``workers-differ``: a worker, or the
            scheduler, has another program.
        """
        with _told_of_lost():
            yield from self._each(task, shared, items, progress)

    def _each(
        self,
        task: Callable[[Shared, Item, Progress], Found],
        shared: Shared,
        items: Sequence[Item],
        progress: Progress,
    ) -> Iterator[Found]:
        # The result of a task, which can be had again where its worker is lost; scattered data could not.
        everywhere = self._client.submit(_itself, shared, pure=False)
        program = versions()
        waiting = [self._client.submit(_alike, program, task, everywhere, item, pure=False) for item in items]
        try:
            for number in range(len(waiting)):
                future, waiting[number] = waiting[number], None
                self._wait(future, number, len(waiting), progress)
                yield _result(future)
                future.release()
        finally:
            self._client.cancel([future for future in waiting if future is not None])

    def _wait(self, future: Any, number: int, total: int, progress: Progress) -> None:
        """Until it is done; workers that a cluster has still to find room for may come later."""
        for look in count(1):
            if future.done():
                return
            progress.check()
            _look(future)
            if look % _WORKERS_EVERY == 0 and not self._client.nthreads():
                progress.report(number, total, translate(mark("Waiting for a worker: the scheduler has none")))


def _itself(shared: Shared) -> Shared:
    return shared


@cache
def versions() -> Mapping[str, str]:
    """What results follow from: the program, by its sources, and what it stands on."""
    program = digest_of(sorted(Path(__file__).parent.parent.rglob("*.py")))
    return {"Pavo": program, "Python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def _alike(
    program: Mapping[str, str], task: Callable[[Shared, Item, Progress], Found], shared: Shared, item: Item
) -> Found:
    """What `task` gives, by a worker whose program is the one that was started."""
    own = versions()
    if differing := [name for name in program if own.get(name) != program[name]]:
        raise _differ(", ".join(differing))
    return task(shared, item, SILENT)


def _differ(what: str) -> RecipeError:
    return RecipeError(
        "workers-differ",
        mark("A worker or the scheduler has another version of {what}: what it counts could be something else."),
        mark("Start the scheduler and all workers from the same installation, in the folder of the program."),
        what=what,
    )


def _result(future: Any) -> Any:
    try:
        return future.result()
    except (ImportError, RuntimeError) as error:  # it was asked for what it does not have: it cannot say what
        if isinstance(error, ImportError) or "deserialization" in str(error):
            raise _differ("Pavo") from None
        raise


@contextmanager
def _told_of_lost() -> Iterator[None]:
    """What Dask raises where nobody is left to do the work, as an error of a run."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
    except (CancelledError, CommClosedError, KilledWorker):
        raise RecipeError(
            "workers-lost",
            mark("The scheduler, or one worker after the other, stopped in the middle of the work."),
            mark("See whether workers have memory enough for a part, and start them and the scheduler once more."),
        ) from None


def _look(future: Any) -> None:
    from distributed import TimeoutError as NotYet
    from distributed import wait

    try:
        wait(future, timeout=_LOOK_EVERY)
    except NotYet:
        return


@contextmanager
def dask_workers(number: int | None, scheduler: str | None) -> Iterator[Workers]:
    """Workers of a cluster: `number` processes on this computer, or those of the `scheduler` at an address.

    Raises
    ------
    RecipeError
        ``dask-missing``: the package is not installed; ``scheduler-unreachable``.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        lacking = mark("Workers need the package dask.distributed, which is not installed.")
        install = mark("Install it (pip install distributed), or leave out --workers and --scheduler.")
        if is_installed():  # nothing can be added to it
            lacking = mark("Workers need the package dask.distributed, which does not come with the installed program.")
            install = mark("Leave out --workers and --scheduler, or run the recipe from the sources of Pavo.")
        raise RecipeError("dask-missing", lacking, install) from None
    dask.config.set(_SETTINGS)
    if scheduler is not None:
        try:
            client = Client(scheduler)
        except (OSError, TypeError, ValueError) as error:  # TypeError: tls, but no certificates
            raise RecipeError(
                "scheduler-unreachable",
                mark("No scheduler answers at {address}: {reason}."),
                mark("Start one (dask scheduler), and workers that see the same files under the same names."),
                address=scheduler,
                reason=str(error),
            ) from None
        with client:
            yield DaskWorkers(client)
        return
    cluster = LocalCluster(
        n_workers=number, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"}, silence_logs="CRITICAL",
    )  # fmt: skip
    with cluster, Client(cluster) as client:
        yield DaskWorkers(client)


@contextmanager
def _alone() -> Iterator[Workers]:
    yield ThisProcess()


def workers_of(number: int | None = None, scheduler: str | None = None) -> AbstractContextManager[Workers]:
    """Those that the command names; without a number or an address this process."""
    return _alone() if number is None and scheduler is None else dask_workers(number, scheduler)
