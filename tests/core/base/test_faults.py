"""Every file operation of a run may fail: some of them in each run of the tests, all by `tests.fuzz.faults`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.core.small_survey import Survey
from tests.fuzz.faults import Fault, new_files, run, try_all, wrong

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each run is a fork of this process")


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    """A folder for runs, in a process that has loaded everything."""
    survey = Survey(tmp_path / "warm")
    survey.folder.mkdir()
    survey.write()
    assert survey.run("--quiet") == 0
    return tmp_path


def test_a_file_operation_that_fails_leaves_all_or_nothing(warm: Path) -> None:
    _, count = new_files(warm / "counted")
    assert count > 100
    # the last operations are those of the commit; reading the inputs has fewer kinds of them
    some = [*range(1, count // 2, 61), *range(count // 2, count - 60, 37), *range(count - 60, count + 1, 5)]
    tried = 0
    for number, (error, lasting) in enumerate([("ENOSPC", False), ("EACCES", False), ("EIO", True)]):
        folder = warm / error
        folder.mkdir()
        found = try_all(folder, some[number::3], (error,), (lasting,))
        assert not found["wrong"]
        tried += sum(found.values())
    assert tried == len(some)


def test_what_goes_wrong_is_seen(warm: Path) -> None:
    """The check itself: a run said to be done that is not, files left unsaid, a file half there."""
    new, _ = new_files(warm / "counted")
    ran = run(warm / "refused", Fault(1, 5, True))
    assert ran.status == 1
    assert wrong(ran, new) == ""
    half = type(ran)(1, ran.said, {**ran.files, "out/safe.asc": b"half"}, ran.state, 0)
    unsaid = type(ran)(1, ran.said, {**ran.files, "out/.pavo-1-0.old": b"left"}, ran.state, 0)
    done = type(ran)(0, "", ran.files, ran.state, 0)
    assert all(wrong(each, new) for each in (half, unsaid, done))
