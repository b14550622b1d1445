"""Workers of Dask give what one process gives, also where one of them is lost."""

from __future__ import annotations

import os
import sys
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import DataError, RecipeError
from core.base.progress import Progress, Silent
from core.rows import workers
from core.rows.workers import DaskWorkers, ThisProcess, Workers, dask_workers, versions
from tests.core.parts.files import RECIPE, SurveyInParts, records
from tests.core.parts.test_households import RECIPE as OF_HOUSEHOLDS
from tests.core.parts.test_households import divided, homes
from tests.loopback import loopback


def squared(plus: int, number: int, _progress: Progress) -> int:
    return number * number + plus


def lost_once(folder: Path, number: int, _progress: Progress) -> int:
    """A task whose worker dies the first time."""
    trace = folder / "lost"
    if number == 2 and not trace.exists():
        trace.touch()
        os._exit(1)
    return number


def lost_always(_shared: None, number: int, _progress: Progress) -> int:
    os._exit(1)


def refused(_shared: None, number: int, _progress: Progress) -> int:
    if number == 1:
        raise DataError("of-a-part", "The part {part} is no part.", part=f"p{number}")
    return number


def test_this_process_works_in_order() -> None:
    assert list(ThisProcess().each(squared, 1, [3, 1, 2])) == [10, 2, 5]


def test_without_dask_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RecipeError) as caught, dask_workers(2, None):
        pass
    assert caught.value.id == "dask-missing"
    assert "pip install" in str(caught.value)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(RecipeError, match="does not come with the installed program") as caught, dask_workers(2, None):
        pass
    assert "pip install" not in str(caught.value)


def test_workers_are_for_files_in_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    survey = SurveyInParts(tmp_path)
    survey.write(tmp_path / "all.csv", records(60))
    assert survey.run(RECIPE.format(data='"all.csv"', out="safe.csv"), "--workers", "2") == 1
    assert "Workers share the parts of a file" in capsys.readouterr().err


@pytest.fixture(scope="module")
def two() -> Any:
    """Two workers, in processes of their own."""
    pytest.importorskip("distributed")
    with loopback(), dask_workers(2, None) as both:
        yield both


def test_results_stand_in_the_order_of_the_parts(two: Workers) -> None:
    assert list(two.each(squared, 1, range(20))) == [number * number + 1 for number in range(20)]


def test_the_work_of_a_lost_worker_is_done_again(two: Workers, tmp_path: Path) -> None:
    assert list(two.each(lost_once, tmp_path, range(5))) == [0, 1, 2, 3, 4]
    assert (tmp_path / "lost").exists()


def test_workers_that_are_lost_again_and_again_end_the_run(two: Workers) -> None:
    with pytest.raises(RecipeError) as caught:
        list(two.each(lost_always, None, range(1)))
    assert caught.value.id == "workers-lost"


def test_a_scheduler_that_stops_ends_the_run() -> None:
    """Whatever Dask says then, whether it cancels what was asked for or cannot be reached."""
    distributed = pytest.importorskip("distributed")

    class Gone:
        def submit(self, *_: object, **__: object) -> object:
            raise distributed.comm.CommClosedError("in <TCP>: Stream is closed.")

        def cancel(self, _futures: object) -> None:
            raise CancelledError

    with pytest.raises(RecipeError) as caught:
        list(DaskWorkers(Gone()).each(squared, 1, [1]))
    assert caught.value.id == "workers-lost"


def test_an_error_of_a_worker_is_the_error_of_the_run(two: Workers) -> None:
    with pytest.raises(DataError) as caught:
        list(two.each(refused, None, range(3)))
    assert str(caught.value) == "The part p1 is no part."


def test_a_worker_with_another_program_does_nothing(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {**versions(), "numpy": "0.1"}
    monkeypatch.setattr("core.rows.workers.versions", lambda: there)
    with pytest.raises(RecipeError) as caught:
        list(two.each(squared, 1, range(3)))
    assert caught.value.id == "workers-differ"
    assert "another version of numpy" in str(caught.value)


def test_a_program_is_known_by_its_sources() -> None:
    assert len(versions()["Pavo"]) == 64
    assert versions()["numpy"] == np.__version__


@pytest.mark.parametrize("error", [ModuleNotFoundError("core"), RuntimeError("Error during deserialization of it")])
def test_workers_without_the_program_are_told_of(error: Exception) -> None:
    """Dask says that it cannot read what it was asked for."""
    pytest.importorskip("distributed")

    class Answer:
        def done(self) -> bool:
            return True

        def result(self) -> object:
            raise error

    class Without:
        def submit(self, *_: object, **__: object) -> object:
            return Answer()

        def cancel(self, _futures: object) -> None:
            """Nothing waits."""

    with pytest.raises(RecipeError) as caught:
        list(DaskWorkers(Without()).each(squared, 1, [1]))
    assert caught.value.id == "workers-differ"


def test_a_scheduler_without_workers_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "_look", lambda _future: None)
    heard: list[str] = []

    class Told(Silent):
        def report(self, done: float, total: float, text: str) -> None:
            heard.append(text)

    class Later:
        looks = 0

        def done(self) -> bool:
            self.looks += 1
            return self.looks > 20

        def result(self) -> int:
            return 7

        def release(self) -> None:
            """It was had."""

    class Alone:
        def submit(self, *_: object, **__: object) -> object:
            return Later()

        def nthreads(self) -> dict[str, int]:
            return {}

        def cancel(self, _futures: object) -> None:
            """Nothing waits."""

    assert list(DaskWorkers(Alone()).each(squared, 1, [1], Told())) == [7]
    assert heard == ["Waiting for a worker: the scheduler has none"]


@pytest.mark.parametrize("error", [OSError("no answer"), TypeError("no certificate"), ValueError("unknown scheme")])
def test_a_scheduler_that_cannot_be_reached_is_named(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask raises another error for each: nobody listens, it wants TLS, the address is none."""
    distributed = pytest.importorskip("distributed")

    def client(_address: str) -> object:
        raise error

    monkeypatch.setattr(distributed, "Client", client)
    with pytest.raises(RecipeError) as caught, dask_workers(None, "tls://office:8786"):
        pass
    assert caught.value.id == "scheduler-unreachable"
    assert f"tls://office:8786: {error}" in str(caught.value)


@pytest.mark.parametrize("households", [False, True])
def test_workers_give_the_bits_that_one_process_gives(tmp_path: Path, households: bool) -> None:
    pytest.importorskip("distributed")
    survey = SurveyInParts(tmp_path)
    if households:
        divided(survey, homes(80), 5)
    else:
        survey.split(records(200), 5)
    recipe = (OF_HOUSEHOLDS if households else RECIPE).format(data='"parts"', out="safe")
    assert survey.run(recipe) == 0
    figures = survey.summary()
    files = {path.name: path.read_bytes() for path in (tmp_path / "safe").iterdir()}
    with loopback():
        assert survey.run(recipe, "--workers", "2" if households else "1") == 0
    assert survey.summary() == figures
    assert {path.name: path.read_bytes() for path in (tmp_path / "safe").iterdir()} == files
